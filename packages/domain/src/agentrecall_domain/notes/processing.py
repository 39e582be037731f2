"""Processing: one unit is distilled, its drafts pass the gate, its notes are stored and meet those that live. Cold.

All that a judge is asked comes before the first write: a model may take minutes, and the lock is for moments. What is
written of a unit is written in one transaction, so that a kill at any moment loses nothing and doubles nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from agentrecall_domain.notes import duplicate
from agentrecall_domain.notes.duplicate import Settled, SettleStore, neighbours, settle
from agentrecall_domain.notes.gate import Refusal, grounded, refusal
from agentrecall_domain.notes.judge import Draft, InvalidAnswerError, Judge, NoteVerdict
from agentrecall_domain.notes.lesson import lesson_of
from agentrecall_domain.notes.note import LONGEST_PROMPT, Note, NoteContent, NoteId, NoteStatus, Source
from agentrecall_domain.notes.unit import Unit, UnitKey
from agentrecall_domain.rules.lesson_candidate import LessonCandidate
from agentrecall_domain.text.scrub import scrub, scrub_up_to

ACTOR = "process"


class ProcessStore(Protocol):
    """What processing needs of the memory."""

    @property
    def notes(self) -> SettleStore: ...
    def writing(self) -> AbstractContextManager[object]: ...
    def is_waiting(self, key: UnitKey) -> bool: ...
    def add_note(self, content: NoteContent, unit: Unit, judge: str, sources: Sequence[Source]) -> Note: ...
    def reject(self, draft: Draft, why: Refusal, unit: Unit, judge: str) -> None: ...
    def suggest(self, candidate: LessonCandidate) -> None: ...
    def mark_distilled(self, key: UnitKey, judge: str, *, notes: int, rejected: int) -> None: ...


class UnitDone(NamedTuple):
    """What became of a unit. *was_waiting* is false when another process had done it by then."""

    key: UnitKey
    notes: tuple[NoteId, ...] = ()
    rejected: int = 0
    settled: tuple[Settled, ...] = ()
    was_waiting: bool = True

    @property
    def living(self) -> tuple[NoteId, ...]:
        """The notes that said something new."""
        return tuple(one.note_id for one in self.settled if one.lives)


class _Passed(NamedTuple):
    """A draft that passed the gate."""

    content: NoteContent
    sources: tuple[Source, ...]


class AskedJudge:
    """A judge that was asked for its verdicts already. Notes that came since are compared without it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._verdicts: dict[tuple[str, ...], NoteVerdict] = {}

    def ask(self, judge: Judge, new: NoteContent, living: Sequence[Note]) -> None:
        """Have *judge* compare *new* with the notes that are like it, each time what was said first with the other.

        Raises:
            JudgeUnavailableError: It could not be asked.
        """
        for one in living:
            old, said_last = (_unstored(new), one.content) if new.valid_from < one.valid_from else (one, new)
            try:
                self._verdicts[_pair(old, said_last)] = judge.compare(old, said_last)
            except InvalidAnswerError:
                # Its notes are good; what it says of others is left to the comparison that needs no model.
                continue

    def distil(self, unit: Unit) -> Sequence[Draft]:  # noqa: ARG002 -- the judge's interface
        """Nothing: that was asked before."""
        return ()

    def compare(self, old: Note, new: NoteContent) -> NoteVerdict:
        """What the judge said of the two, or what the deterministic comparison says."""
        known = self._verdicts.get(_pair(old, new))
        return duplicate.judge(old, new) if known is None else known


def process_unit(unit: Unit, judge: Judge, store: ProcessStore) -> UnitDone:
    """Distil *unit* and store what it teaches: all of it, or nothing.

    Raises:
        JudgeUnavailableError: The judge could not be asked.
        InvalidAnswerError: What it said cannot be used.
    """
    drafts = [(draft, refusal(draft, unit)) for draft in judge.distil(unit)]
    refused = [(draft, why) for draft, why in drafts if why is not None]
    passed = [_passed(draft, unit) for draft, why in drafts if why is None]
    asked = AskedJudge(judge.name)
    for one in passed:
        asked.ask(judge, one.content, neighbours(one.content, unit.project_id, store.notes))

    with store.writing():
        if not store.is_waiting(unit.key):
            return UnitDone(unit.key, was_waiting=False)
        for draft, why in refused:
            store.reject(draft, why, unit, judge.name)
        # crash point: unit, rejected and not noted
        notes, settled = [], []
        for one in passed:
            note = store.add_note(one.content, unit, judge.name, one.sources)
            settled.append(settle(note, store.notes, asked))
            lesson = lesson_of(note)
            if lesson is not None:
                store.suggest(lesson)
            notes.append(note.id)
        # crash point: unit, noted and not done
        store.mark_distilled(unit.key, judge.name, notes=len(notes), rejected=len(refused))
        # crash point: unit, before the commit
    # crash point: unit, done
    return UnitDone(unit.key, tuple(notes), len(refused), tuple(settled))


def _passed(draft: Draft, unit: Unit) -> _Passed:
    """The note that a draft makes. Scrubbed here, so that what is compared is what will be stored."""
    content = NoteContent(
        type=draft.type,
        title=scrub(draft.title.strip()),
        body=scrub(draft.body.strip()),
        prompt=scrub_up_to(draft.prompt.strip(), LONGEST_PROMPT),
        importance=draft.importance,
        confidence=draft.confidence,
        # To the second, as it is stored: it decides which of two notes was said first.
        valid_from=(draft.said_at or unit.spans[-1].said_at).replace(microsecond=0),
        valid_to=draft.valid_to,
    )
    return _Passed(content, grounded(draft.sources, unit))


def _unstored(content: NoteContent) -> Note:
    """A note that is not stored yet, for a judge to compare."""
    stand_in = {"id": 0, "uid": "", "status": NoteStatus.LIVE, "judge": ""}
    times = dict.fromkeys(("created_at", "updated_at"), content.valid_from)
    return Note.model_validate({**content.model_dump(), **stand_in, **times})


def _pair(old: NoteContent, new: NoteContent) -> tuple[str, ...]:
    return old.type, old.title, old.body, new.type, new.title, new.body
