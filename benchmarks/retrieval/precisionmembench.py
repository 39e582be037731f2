"""PrecisionMemBench: 35 beliefs of one person and another, 75 questions with the exact set each should bring.

arXiv 2605.11325, MIT. Only the cases that say what the relevant beliefs are; 32 of them say none. Whose belief it is,
its scope, supersession and pinning are sorted out before anybody searches, for every searcher alike: what is pinned, a
question or resolved comes to the agent in another way. The suite scores a belief's names and aliases and not its text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agentrecall_domain.rules.rule import RuleContent
from benchmarks.retrieval.corpus import Corpus, Document, Question
from benchmarks.retrieval.files import read_json

FOLDER = "precisionmembench"
USER = "test-user"
UNIVERSAL = "user:universal"


def load(data: Path) -> list[Corpus]:
    """A corpus for each person and set of scopes that a question is asked in.

    Raises:
        MissingDataError, MalformedDataError: As `read_json`.
    """
    beliefs = read_json(data / FOLDER / "beliefs.seed.json")
    asked: dict[tuple[str, tuple[str, ...]], list[Question]] = {}
    for number, case in enumerate(read_json(data / FOLDER / "retrieval.cases.json"), 1):
        expected = case["expect"].get("relevantBeliefs", {}).get("shouldOnlyInclude")
        if expected is not None:
            place = (case.get("userId", USER), tuple(sorted(case["scope"])))
            asked.setdefault(place, []).append(Question(number, case["query"], frozenset(expected)))
    return [
        Corpus([_document(belief) for belief in beliefs if _is_searched(belief, user, scopes)], questions)
        for (user, scopes), questions in asked.items()
    ]


def _is_searched(belief: dict[str, Any], user: str, scopes: tuple[str, ...]) -> bool:
    return (
        belief["user_id"] == user
        and not belief["pinned"]
        and belief["type"] != "open_question"
        and belief["epistemic_status"] != "superseded"
        and belief["resolved_at"] is None
        and not {UNIVERSAL, *scopes}.isdisjoint(belief["scope"])
    )


def _document(belief: dict[str, Any]) -> Document:
    names = ", ".join([belief["canonical_name"].replace("_", " "), *belief["aliases"]])
    rule = RuleContent(title=belief["canonical_name"], trigger=names, action=belief["content"])
    return Document(belief["_id"], rule, names)
