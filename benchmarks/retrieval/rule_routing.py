"""Rule routing: 18,431 rules of 645 public rule files, and the description of 390 of them as the question.

A rule's title is the heading that it stands under, else its text. What should be found are the file's own rules. Asked
are the files with at least ten rules and a description of twenty characters. Of github/awesome-copilot only
`instructions/` counts: the rest are agents and skills.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agentrecall_domain.rules.rule import LONGEST_TITLE, RuleContent
from benchmarks.retrieval.corpus import Corpus, Document, Question
from benchmarks.retrieval.files import read_lines

FOLDER = "public-rules"
MIXED_REPO, ITS_RULES = "github/awesome-copilot", "instructions/"
FEWEST_RULES = 10
SHORTEST_DESCRIPTION = 20


def load(data: Path) -> dict[str, Corpus]:
    """The rules with their bare text, and with the heading that they stand under as their trigger.

    Raises:
        MissingDataError, MalformedDataError: As `read_lines`.
    """
    rules = [rule for rule in read_lines(data / FOLDER / "rules.jsonl.gz") if _is_rule(rule)]
    of_file: dict[tuple[str, str], list[str]] = {}
    for rule in rules:
        of_file.setdefault((rule["repo"], rule["path"]), []).append(rule["id"])
    asked = [
        (file["description"], of_file[file["repo"], file["path"]])
        for file in read_lines(data / FOLDER / "files.jsonl.gz")
        if len(file["description"]) >= SHORTEST_DESCRIPTION
        and len(of_file.get((file["repo"], file["path"]), [])) >= FEWEST_RULES
    ]
    questions = [Question(number, text, frozenset(keys)) for number, (text, keys) in enumerate(asked, 1)]
    return {
        "bare text": Corpus([_document(rule, "") for rule in rules], questions),
        "heading indexed": Corpus([_document(rule, rule["section"]) for rule in rules], questions),
    }


def _is_rule(rule: dict[str, Any]) -> bool:
    return rule["repo"] != MIXED_REPO or str(rule["path"]).startswith(ITS_RULES)


def _document(rule: dict[str, Any], heading: str) -> Document:
    text = rule["text"]
    content = RuleContent(title=(heading or text)[:LONGEST_TITLE], trigger=heading, action=text)
    return Document(rule["id"], content, f"{heading}\n{text}".strip())
