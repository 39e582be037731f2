"""A rule on the command line: how a person names one, and how it is printed, for people and as JSON."""

from __future__ import annotations

from typing import Any

import click

from agentrecall_admin.console import Failure
from agentrecall_admin.labels import LabelType
from agentrecall_domain.rules import rule as entity
from agentrecall_domain.rules.lifecycle import IllegalMoveError
from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.rules.scope import LANGUAGES
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.memory import Memory
from agentrecall_storage.rules import RuleNotFoundError

WHEN = "when "
RULE_ID = LabelType("rule", "R")
rule_argument = click.argument("rule_id", metavar="RULE", type=RULE_ID)
rules_argument = click.argument("rule_ids", metavar="RULE...", type=RULE_ID, nargs=-1, required=True)


def rule_of(opened: Memory, rule_id: int) -> Rule:
    """The rule that a person named.

    Raises:
        Failure: There is none.
    """
    try:
        return opened.get_rule(rule_id)
    except RuleNotFoundError as error:
        raise Failure(f"there is no rule 'R{rule_id}'; 'agentrecall rules list --all' shows every rule") from error


def refusal(verb: str, rule: Rule, error: IllegalMoveError) -> Failure:
    """What to say when *rule* may not be changed so."""
    return Failure(f"cannot {verb} '{rule.label}', which is {rule.status}: {error}")


def as_object(rule: Rule, names: dict[int, str]) -> dict[str, Any]:
    """A rule as `--json` prints it."""
    project = names.get(rule.project_id) if rule.project_id is not None else None
    return {"label": rule.label, **entity.as_object(rule), "project": project}


def as_text(rule: Rule, names: dict[int, str]) -> str:
    """A rule as a person reads it."""
    return table_of(
        [
            (f"{rule.label} {rule.status}", rule.title),
            *told(rule),
            ("holds in", where(rule, names)),
            ("said", rule.evidence if rule.evidence != rule.action else ""),
            ("tags", ", ".join(rule.tags)),
            ("confidence", f"{rule.confidence:.2f}"),
            ("priority", str(rule.priority or "")),
            ("marks", ", ".join(marks(rule))),
        ]
    )


def told(rule: Rule) -> list[tuple[str, str]]:
    """What the rule tells the agent, part by part."""
    return [
        ("when", rule.trigger[len(WHEN) :] if rule.trigger.lower().startswith(WHEN) else rule.trigger),
        ("do", rule.action),
        ("not", rule.mistake),
        ("because", rule.reason),
    ]


def table_of(lines: list[tuple[str, str]]) -> str:
    """Names and values below each other; what has no value is left out."""
    width = max(len(name) for name, _ in lines)
    return "\n".join(f"{name:{width}}  {harmless(value)}" for name, value in lines if value)


def one_line(rule: Rule) -> str:
    """A rule on one line, as a change of it is answered."""
    return f"{rule.label} {rule.status}  {harmless(rule.title)}"


def marks(rule: Rule) -> list[str]:
    """What is set apart about the rule, a word each."""
    marked = {"pinned": rule.pinned, "muted": rule.muted, "always": rule.always_apply}
    return [mark for mark, is_set in marked.items() if is_set]


def where(rule: Rule, names: dict[int, str]) -> str:
    """Where the rule holds."""
    project = names.get(rule.project_id, "?") if rule.project_id is not None else "every project"
    value = rule.scope_value if rule.scope_level in {"File", "Directory", "Language"} else ""
    return ", ".join(filter(None, (project, value, *rule.globs, *rule.languages)))


def languages_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """The languages that a person named, as rules keep them.

    Raises:
        UsageError: One of them is none that we know.
    """
    known = set(LANGUAGES.values())
    languages = tuple(dict.fromkeys(name.strip().lower() for name in names))
    unknown = [language for language in languages if language not in known]
    if unknown:
        raise click.UsageError(f"unknown language '{unknown[0]}'; one of: {', '.join(sorted(known))}")
    return languages
