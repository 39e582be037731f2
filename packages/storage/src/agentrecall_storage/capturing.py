"""Capturing: transcripts read on where they were left, and the spool drained, by whichever program comes next. Hot."""

from __future__ import annotations

from agentrecall_domain.turns.batch import Batch
from agentrecall_domain.turns.capture import Session, last_message, read_batches
from agentrecall_domain.turns.formats import is_session_file
from agentrecall_domain.turns.span import ReaderState
from agentrecall_storage.engine import sqlite
from agentrecall_storage.files import log, spool, unheard
from agentrecall_storage.files.exclusions import ExclusionsUnreadableError
from agentrecall_storage.files.transcript import Transcript
from agentrecall_storage.places import excluded_projects
from agentrecall_storage.schema_version import NewerMemoryError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.turns.payload import Payload
    from agentrecall_storage.deadline import Deadline
    from agentrecall_storage.raw_items import CaptureStore

PROGRAM = "capture"
WITHOUT_CURSOR = 1024 * 1024
"""Bytes of a transcript's end that are spooled when the database cannot say how far it was read."""
LOST_RACES = 3


class Drained:
    """What draining the spool came to: entries stored, and entries that no attempt can store, set aside."""

    __slots__ = ("set_aside", "stored")

    def __init__(self) -> None:
        self.stored = 0
        self.set_aside = 0


def read_on(home: str, store: CaptureStore, session: Session, deadline: Deadline) -> str:
    """Capture the new lines of the session's transcript, as far as the deadline lets it; gives the turn left open."""
    transcript = _open(session.transcript_path)
    if transcript is None:
        return ""
    try:
        return _read_on(home, store, session, transcript, deadline)
    finally:
        transcript.close()


def left_at(store: CaptureStore, transcript: Transcript) -> tuple[int | None, ReaderState]:
    """How far *transcript* was read, None when it never was, and what its reader knew there."""
    cursor = store.find_cursor(transcript.path)
    if cursor is None or not cursor.is_of(transcript):
        return None, ReaderState()
    goes_on = cursor.offset and not transcript.begins_anew
    return cursor.offset, cursor.state if goes_on else ReaderState()


def _read_on(home: str, store: CaptureStore, session: Session, transcript: Transcript, deadline: Deadline) -> str:
    turn_uid = ""
    for _ in range(LOST_RACES):
        start, state = left_at(store, transcript)
        turn_uid = state.turn_uid
        if start == transcript.size:
            return turn_uid
        for batch, progress in read_batches(
            session, transcript.batches(start or 0), state, unheard.prompts(home, session.uid)
        ):
            try:
                if not store.record_reading(batch, transcript, start, progress):
                    break
                start = progress.offset
            except sqlite.Error as error:
                # The cursor stays where it is: the dedup keys settle what the spool and the next reading both bring.
                keep(home, batch, error)
            turn_uid = progress.state.turn_uid
            if deadline.passed():
                return turn_uid
        else:
            return turn_uid
    return turn_uid


def sweep(home: str, store: CaptureStore, session: Session, deadline: Deadline, most: int) -> None:
    """Read on where a session crashed or its Stop came too early: in every transcript seen lately."""
    for uid, path in store.recent_transcripts(most):
        if deadline.passed():
            return
        other = Session(
            uid=uid,
            transcript_path=path,
            cwd=session.cwd,
            captured_at=session.captured_at,
            project_at=session.project_at,
        )
        read_on(home, store, other, deadline)


def drain(home: str, store: CaptureStore, deadline: Deadline) -> Drained:
    """Store what earlier processes could only spool, in order; an entry that no attempt can store is set aside."""
    drained = Drained()
    for path, text in spool.read(spool.entries(home)):
        if deadline.passed():
            break
        try:
            batch = Batch.from_json(text)
            # Its user may have excluded a project since.
            store.record_batch(batch.without(excluded_projects(home, batch.projects)))
        except Exception as error:  # noqa: BLE001 -- whatever is wrong with it, it must not stop the entries behind it
            log.failed(home, PROGRAM, error, "drain")
            if not is_the_entrys(error):
                break
            spool.set_aside(path)
            drained.set_aside += 1
        else:
            # crash point: drain, stored and not removed
            spool.drained(path)
            # crash point: drain, removed
            drained.stored += 1
    return drained


def is_the_entrys(error: Exception) -> bool:
    """Whether an entry is to blame: not when the file is busy, full, damaged or newer, or exclusions are unreadable."""
    # A damaged file is a plain DatabaseError; what the entry does wrong (a constraint, a type) has a name of its own.
    return not (
        isinstance(error, (sqlite.OperationalError, OSError, ExclusionsUnreadableError, NewerMemoryError))
        or type(error) is sqlite.DatabaseError
    )


def keep(home: str, batch: Batch, error: Exception) -> None:
    """Spool *batch*, which *error* kept out of the database."""
    log.failed(home, PROGRAM, error, "store")
    if not batch.is_empty():
        spool.append(home, batch.to_json())


def spool_end(home: str, session: Session, payload: Payload) -> None:
    """Spool the end of the transcript: the cursor cannot be asked, and the dedup keys settle what is known already."""
    transcript = _open(session.transcript_path)
    turn_uid = ""
    if transcript is not None:
        found = transcript.batches(max(0, transcript.size - WITHOUT_CURSOR))
        for batch, progress in read_batches(session, found, ReaderState(), unheard.prompts(home, session.uid)):
            turn_uid = progress.state.turn_uid
            if not batch.is_empty():
                spool.append(home, batch.to_json())
    last = last_message(session, prompt_id=payload.prompt_id, turn_uid=turn_uid, text=payload.last_message)
    if last is not None:
        spool.append(home, last.to_json())


def _open(path: str) -> Transcript | None:
    if not path or not is_session_file(path):
        return None
    try:
        return Transcript(path)
    except (OSError, ValueError):
        return None
