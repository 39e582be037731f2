"""LongMemEval: 500 questions, each with chat sessions of its own to search, as its authors evaluate retrieval.

arXiv 2410.10813, MIT. The files are too large to keep here; whoever has `longmemeval_s.json` puts it into the folder
`longmemeval`. A session is a note of what the person said in it. As in the authors' script, a question that has no
answer is not asked, nor one whose answer the person did not say.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.retrieval.corpus import Corpus, Document, MalformedDataError, Question
from benchmarks.retrieval.files import read_json
from benchmarks.retrieval.notes import note_document

FILE = "longmemeval/longmemeval_s.json"
UNANSWERABLE = "_abs"


def load(data: Path) -> list[Corpus]:
    """A corpus for each question that is asked.

    Raises:
        MissingDataError, MalformedDataError: As `read_json`, or a question lacks something.
    """
    try:
        return list(_corpora(read_json(data / FILE)))
    except (KeyError, TypeError) as error:
        raise MalformedDataError(f"'{Path(FILE).name}' is no LongMemEval: {error}") from error


def _corpora(found: list[dict[str, Any]]) -> Iterator[Corpus]:
    for number, one in enumerate(found, 1):
        if one["question_id"].endswith(UNANSWERABLE):
            continue
        said = {
            key: [turn for turn in session if turn["role"] == "user"]
            for key, session in zip(one["haystack_session_ids"], one["haystack_sessions"], strict=False)
        }
        expected = frozenset(
            key for key in one["answer_session_ids"] if any(turn.get("has_answer") for turn in said.get(key, []))
        )
        if expected:
            yield Corpus(
                [_document(key, turns) for key, turns in said.items()], [Question(number, one["question"], expected)]
            )


def _document(key: str, turns: list[dict[str, Any]]) -> Document:
    return note_document(key, "", "\n".join(turn["content"] for turn in turns))
