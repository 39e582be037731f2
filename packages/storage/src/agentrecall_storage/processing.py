"""The store of processing: notes, episodes and rejections of one memory, as the use case asks for them. Cold."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from agentrecall_domain.notes.failure import FAILURE_CAP
from agentrecall_domain.notes.gate import Refusal
from agentrecall_domain.notes.judge import Draft
from agentrecall_domain.notes.note import Note, NoteContent, Source
from agentrecall_domain.notes.processing import ACTOR
from agentrecall_domain.notes.segmentation import USUAL, Limits
from agentrecall_domain.notes.unit import Unit, UnitKey
from agentrecall_domain.rules.lesson_candidate import LessonCandidate
from agentrecall_storage.memory import Memory
from agentrecall_storage.notes import NoteStore

DISTIL = "distil"
"""The stage of the rejections that are made here."""


class ProcessingStore:
    """What processing asks of *memory*."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    @property
    def notes(self) -> NoteStore:
        """The notes."""
        return self.memory.notes

    def writing(self) -> AbstractContextManager[object]:
        """One change as a whole."""
        return self.memory.writing()

    def is_waiting(self, key: UnitKey) -> bool:
        """Whether nobody has distilled or parked the unit."""
        return self.memory.episodes.is_waiting(key)

    def add_note(self, content: NoteContent, unit: Unit, judge: str, sources: Sequence[Source]) -> Note:
        """Store a note of *unit*."""
        return self.notes.add(
            content,
            project_id=unit.project_id,
            episode_id=unit.id if unit.kind == "episode" else None,
            judge=judge,
            sources=sources,
            actor=ACTOR,
        )

    def reject(self, draft: Draft, why: Refusal, unit: Unit, judge: str) -> None:
        """Keep that *draft* did not pass."""
        self.memory.gate_rejections.record(
            stage=DISTIL,
            rule=why.rule,
            detail=why.detail,
            text=f"{draft.title}\n{draft.body}",
            unit=unit.key,
            project_id=unit.project_id,
            judge=judge,
        )

    def suggest(self, candidate: LessonCandidate) -> None:
        """Put a lesson before a person, once for each key."""
        self.memory.lesson_candidates.suggest(candidate)

    def mark_distilled(self, key: UnitKey, judge: str, *, notes: int, rejected: int) -> None:
        """The unit is done, and what it failed before is over."""
        self.memory.distill_failures.clear(key)
        self.memory.episodes.mark_distilled(key, judge, notes=notes, rejected=rejected)


def limits(memory: Memory) -> Limits:
    """Where episodes end, as this memory is configured."""
    number = memory.hot.number
    return Limits(
        max_turns=max(1, int(number("episode_max_turns", USUAL.max_turns))),
        gap_minutes=number("episode_gap_minutes", USUAL.gap_minutes),
        topic_shift=number("topic_shift", USUAL.topic_shift),
    )


def failure_cap(memory: Memory) -> int:
    """How many errors of one class park a unit."""
    return max(1, int(memory.hot.number("distill_failure_cap", FAILURE_CAP)))
