"""DevBench: 30 memories of a coding project, 20 questions, five of them about what none of the memories tells.

From doobidoo/mcp-memory-service (Apache-2.0). A memory is a rule that says its content; it states no condition, so what
it is tagged with stands for one. Plain searchers read the content and the tags, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agentrecall_domain.rules.rule import LONGEST_TITLE, RuleContent
from benchmarks.retrieval.corpus import Corpus, Document, Question, number_of
from benchmarks.retrieval.files import read_json

FILE = "devbench/devbench_dataset.json"


def load(data: Path) -> Corpus:
    """The memories and the questions.

    Raises:
        MissingDataError, MalformedDataError: As `read_json`, or a question has no number.
    """
    found = read_json(data / FILE)
    questions = [
        Question(number_of(query["id"]), query["question"], frozenset(query["expected_tags"]))
        for query in found["queries"]
    ]
    return Corpus([_document(memory) for memory in found["memories"]], questions)


def _document(memory: dict[str, Any]) -> Document:
    # Every memory is tagged with the bench's name and its own id, which are labels and no words of a person.
    tags = tuple(tag for tag in memory["tags"] if tag not in {"devbench", memory["id"]})
    about, content = ", ".join(tags), memory["content"]
    rule = RuleContent(title=content[:LONGEST_TITLE], trigger=about, action=content, tags=tags)
    return Document(memory["id"], rule, f"{about}\n{content}")
