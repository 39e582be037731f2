"""Kinds of clauses: what one clause does, ask, refuse, give a condition or a reason. Light."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a clause does."""

    ASK = "ask"
    REFUSAL = "refusal"
    CONDITION = "condition"
    PLACE = "place"
    REASON = "reason"
    STATEMENT = "statement"
    CHATTER = "chatter"
    QUESTION = "question"


class Clause(NamedTuple):
    """A clause in its writer's words, without the word that said its kind; *lead* is that word.

    A statement may be how things are done: *ask* is what that asks for, *about* of what.
    """

    kind: Kind
    text: str
    lead: str = ""
    sentence: int = 0
    ask: str = ""
    about: str = ""
