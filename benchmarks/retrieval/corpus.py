"""A corpus: documents that are searched together, and the questions that are put to them."""

from __future__ import annotations

import re
from typing import NamedTuple

from agentrecall_domain.notes.note import NoteContent
from agentrecall_domain.rules.rule import RuleContent


class MissingDataError(LookupError):
    """A set's file is not in the data folder; the message names it."""


class MalformedDataError(ValueError):
    """A set's file is not what its loader knows; the message says where."""


class Document(NamedTuple):
    """What may be found: as the rule or note that the product stores, and as the words that others index."""

    key: str
    content: RuleContent | NoteContent
    words: str


class Question(NamedTuple):
    """What is asked, and the keys of what should be found: nothing, when it is a negative.

    *number* decides the half: floors are tuned on the even questions alone.
    """

    number: int
    text: str
    expected: frozenset[str]

    @property
    def is_odd(self) -> bool:
        """Whether it belongs to the half that nothing was tuned on."""
        return self.number % 2 == 1


class Corpus(NamedTuple):
    """Documents and their questions; a set may have several."""

    documents: list[Document]
    questions: list[Question]


def number_of(key: str) -> int:
    """The number that a question's id ends in.

    Raises:
        MalformedDataError: It ends in none.
    """
    found = re.search(r"\d+$", key)
    if found is None:
        raise MalformedDataError(f"question '{key}' has no number")
    return int(found[0])
