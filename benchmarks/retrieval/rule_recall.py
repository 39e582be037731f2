"""Rule recall: our own labelled set, whole as the product's `eval` runs it; for the others a corpus a repository.

A plain searcher is given what holds in the scenario's repository, in force or pending and not always applied; at an
edit it reads the path and the new text.
"""

from __future__ import annotations

from pathlib import Path

from agentrecall_domain.effectiveness.labelled_set import Kind, LabelledRule, LabelledSet, Scenario, parse
from agentrecall_domain.rules.rule import ScopeLevel
from agentrecall_domain.rules.status import RECALLED
from benchmarks.retrieval.corpus import Corpus, Document, Question

FILE = Path(__file__).parent.parent / "rule_recall.json"


def load(path: Path = FILE) -> LabelledSet:
    """The labelled set.

    Raises:
        MalformedSetError: It is none.
    """
    return parse(path.read_bytes())


def corpora(labelled: LabelledSet) -> list[Corpus]:
    """What the plain searchers search."""
    asked: dict[str, list[Scenario]] = {}
    for scenario in labelled.scenarios:
        asked.setdefault(scenario.repository, []).append(scenario)
    return [
        Corpus(
            [_document(rule) for rule in labelled.rules if _is_searched(rule, repository)],
            [Question(int(one.id), _text(one), frozenset(one.expected)) for one in scenarios],
        )
        for repository, scenarios in asked.items()
    ]


def _is_searched(rule: LabelledRule, repository: str) -> bool:
    return rule.status in RECALLED and not rule.always_apply and rule.project in {"", repository}


def _document(rule: LabelledRule) -> Document:
    where = rule.scope_value if rule.scope_level in {ScopeLevel.FILE, ScopeLevel.DIRECTORY} else ""
    parts = (rule.trigger, rule.action, rule.mistake, rule.reason, *rule.tags, *rule.globs, where)
    return Document(rule.key, rule.content(rule.scope_value), "\n".join(part for part in parts if part))


def _text(scenario: Scenario) -> str:
    return f"{scenario.file_path}\n{scenario.text}" if scenario.kind is Kind.EDIT else scenario.prompt
