"""Judge: who distils a unit and who compares two notes: the deterministic one, a command, or the host's agent. Cold."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from agentrecall_domain.notes.note import Note, NoteContent, NoteType, Source
from agentrecall_domain.notes.unit import Unit


class Draft(BaseModel):
    """A note as a judge proposes it: nothing is stored of it before it has passed every gate.

    Each of *sources* is to be a verbatim span of the unit. *said_at* is when it was said, None for the unit's end.
    *fault* is why the judge's item is no note at all: it passes no gate, and is logged as what the gates keep out.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    type: NoteType
    title: str
    body: str
    prompt: str = ""
    importance: float = Field(default=0.5, ge=0.0, le=1.0)
    confidence: float = Field(default=0.6, ge=0.0, le=1.0)
    sources: tuple[Source, ...]
    said_at: AwareDatetime | None = None
    valid_to: AwareDatetime | None = None
    fault: str = ""


JUDGE_TIMEOUT_S = 120.0
"""So long a judge that is a program may take."""


class NoteVerdict(StrEnum):
    """What a new note is to one that lives."""

    DISTINCT = "distinct"
    DUPLICATE = "duplicate"
    REFINE = "refine"
    SUPERSEDE = "supersede"


class JudgeUnavailableError(Exception):
    """The judge could not be asked: no such command, a timeout, a rate limit. An infrastructure error."""


class InvalidAnswerError(Exception):
    """The judge answered, and what it said cannot be used. A content error."""


class Judge(Protocol):
    """Where a judgement can use a model. *name* is kept with all that it decides."""

    @property
    def name(self) -> str: ...

    def distil(self, unit: Unit) -> Sequence[Draft]:
        """The notes that *unit* holds, often none.

        Raises:
            JudgeUnavailableError: It could not be asked.
            InvalidAnswerError: Its answer cannot be used.
        """
        ...

    def compare(self, old: Note, new: NoteContent) -> NoteVerdict:
        """What *new* is to the living note *old*, which is much like it. Raises as `distil` does."""
        ...
