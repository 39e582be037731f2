"""What `process` does, for the commands that do it: catch up with capture, then segment and distil within a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from agentrecall_admin.console import now
from agentrecall_domain.notes.failure import DistillFailure, FailureClass
from agentrecall_domain.notes.judge import InvalidAnswerError, Judge, JudgeUnavailableError
from agentrecall_domain.notes.processing import UnitDone, process_unit
from agentrecall_domain.notes.unit import UnitKey
from agentrecall_domain.text.utc import stamp
from agentrecall_domain.turns.capture import Session
from agentrecall_storage.capturing import Drained, drain, is_the_entrys, read_on
from agentrecall_storage.co_retrieval import count_shown_together
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.embeddings import keep_found
from agentrecall_storage.engine import checkpoint
from agentrecall_storage.home import database_path
from agentrecall_storage.memory import Memory
from agentrecall_storage.places import Places
from agentrecall_storage.processing import ProcessingStore, failure_cap, limits

EVERY_SESSION = 1_000_000
EVERY_UNIT = 10_000_000
UNAVAILABLE_ENOUGH = 2
"""A judge that cannot be asked for so many units in a row is not asked for the next."""


class CaughtUp(NamedTuple):
    """What the hooks had left for later."""

    drained: Drained
    transcripts: int
    raw_items_added: int


class Progress(NamedTuple):
    """One unit that was tried: what became of it, or why not; and how many of how many that makes."""

    key: UnitKey
    done: UnitDone | None = None
    failed_as: FailureClass | None = None
    failure: DistillFailure | None = None
    number: int = 0
    of: int = 0


class Worked(NamedTuple):
    """What distilling came to."""

    episodes: int = 0
    units: int = 0
    notes: int = 0
    duplicates: int = 0
    rejected: int = 0
    failed: int = 0
    parked: int = 0
    unavailable: str = ""
    """Why the judge was asked no further; '' when it was."""
    embedded: int = 0
    not_embedded: str = ""
    """Why the chosen provider made no vector of some notes; '' when it did."""

    def after(self, one: Progress) -> Worked:
        """This with one more unit."""
        if one.done is not None:
            return self._replace(
                units=self.units + one.done.was_waiting,
                notes=self.notes + len(one.done.living),
                duplicates=self.duplicates + len(one.done.notes) - len(one.done.living),
                rejected=self.rejected + one.done.rejected,
            )
        if one.failure is None:
            return self
        return self._replace(failed=self.failed + 1, parked=self.parked + (one.failure.parked_at is not None))


def catch_up(memory: Memory, deadline: Deadline) -> CaughtUp:
    """Store what hooks could only spool, and read on where one ran out of time."""
    places = Places(memory.home)
    before = memory.counts()["raw_items"]
    drained = drain(memory.home, memory.captures, deadline)
    transcripts = [] if deadline.passed() else memory.captures.recent_transcripts(EVERY_SESSION)
    for uid, path in transcripts:
        session = Session(
            uid=uid,
            transcript_path=path,
            cwd=memory.session_folder(uid) or "/",
            captured_at=stamp(now()),
            project_at=places.project_at,
        )
        read_on(memory.home, memory.captures, session, deadline)
    return CaughtUp(drained, len(transcripts), memory.counts()["raw_items"] - before)


def work(
    memory: Memory,
    judge: Judge | None,
    *,
    is_over: Callable[[], bool] = lambda: False,
    once: bool = False,
    limit: int = EVERY_UNIT,
    tell: Callable[[Progress], None] = lambda _: None,
) -> Worked:
    """Segment what was said, then distil unit by unit until nothing waits, *limit* units were tried, or it *is_over*.

    Each unit is tried once. With *once* what comes to wait meanwhile is left for the next time. Without a judge what
    was said is segmented, and waits. At the end it is counted which notes were shown together, and the vectors are made
    that notes are found by.
    """
    worked = _distil_all(memory, judge, is_over=is_over, once=once, limit=limit, tell=tell)
    count_shown_together(memory.connection, stamp(now()))
    embedded = keep_found(memory, is_over)
    return worked._replace(embedded=embedded.stored, not_embedded=embedded.why)


def _distil_all(
    memory: Memory,
    judge: Judge | None,
    *,
    is_over: Callable[[], bool],
    once: bool,
    limit: int,
    tell: Callable[[Progress], None],
) -> Worked:
    worked = Worked()
    tried: set[UnitKey] = set()
    in_a_row = 0
    while True:
        closed = memory.episodes.segment(memory.concepts, limits(memory), is_over)
        worked = worked._replace(episodes=worked.episodes + closed)
        if judge is None:
            return worked
        waiting = [key for key in memory.episodes.pending_units(EVERY_UNIT) if key not in tried]
        waiting = waiting[: limit - len(tried)]
        of = len(tried) + len(waiting)
        for key in waiting:
            if is_over():
                return worked
            tried.add(key)
            progress = _try(memory, judge, key)._replace(number=len(tried), of=of)
            worked = worked.after(progress)
            tell(progress)
            checkpoint(memory.connection, database_path(memory.home))
            in_a_row = in_a_row + 1 if progress.failed_as is FailureClass.INFRASTRUCTURE else 0
            if in_a_row == UNAVAILABLE_ENOUGH and progress.failure is not None:
                return worked._replace(unavailable=progress.failure.last_error)
        if once or not waiting or is_over():
            return worked


def _try(memory: Memory, judge: Judge, key: UnitKey) -> Progress:
    """Distil one unit; what goes wrong with it alone is counted and keeps nobody from the next."""
    try:
        unit = memory.episodes.unit(*key)
        return Progress(key, process_unit(unit, judge, ProcessingStore(memory)))
    except JudgeUnavailableError as error:
        return _failed(memory, key, FailureClass.INFRASTRUCTURE, str(error))
    except InvalidAnswerError as error:
        return _failed(memory, key, FailureClass.CONTENT, str(error))
    except Exception as error:
        # Nothing that a text or a judge does may stop the units behind it; what the file itself does concerns all.
        if not is_the_entrys(error):
            raise
        return _failed(memory, key, FailureClass.CONTENT, f"{type(error).__name__}: {error}")


def _failed(memory: Memory, key: UnitKey, kind: FailureClass, error: str) -> Progress:
    return Progress(key, None, kind, memory.distill_failures.record(key, kind, error, failure_cap(memory)))
