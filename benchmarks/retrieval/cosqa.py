"""CoSQA: 500 questions that people asked a search engine, 6,267 Python functions, one of which answers each.

From Jun-jie-Huang/CoCLR (MIT). A function is a note without a title.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.retrieval.corpus import Corpus, Question
from benchmarks.retrieval.files import read_json
from benchmarks.retrieval.notes import note_document

FOLDER = "cosqa"


def load(data: Path) -> Corpus:
    """The functions and the questions of the test part.

    Raises:
        MissingDataError, MalformedDataError: As `read_json`.
    """
    functions = read_json(data / FOLDER / "code_idx_map.txt")
    asked = read_json(data / FOLDER / "cosqa-retrieval-test-500.json")
    documents = [note_document(str(key), "", code) for code, key in functions.items()]
    questions = [
        Question(number, one["doc"], frozenset({str(one["retrieval_idx"])})) for number, one in enumerate(asked, 1)
    ]
    return Corpus(documents, questions)
