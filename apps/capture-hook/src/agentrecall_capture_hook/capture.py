"""One capture event: read on where the transcript was left, store what is new, spool what cannot be stored in time."""

from __future__ import annotations

import os
import time

from agentrecall_domain.text.utc import iso
from agentrecall_domain.turns.batch import Batch, Excluded
from agentrecall_domain.turns.capture import Session, last_message, read_batches
from agentrecall_domain.turns.claude_transcript import is_session_file
from agentrecall_domain.turns.payload import Payload
from agentrecall_domain.turns.span import ReaderState
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.engine import checkpoint, sqlite
from agentrecall_storage.files import log, spool
from agentrecall_storage.files.transcript import Transcript
from agentrecall_storage.home import database_path
from agentrecall_storage.opening import open_hot
from agentrecall_storage.places import Places
from agentrecall_storage.raw_items import CaptureStore

PROGRAM = "capture-hook"
BUDGETS_MS = {"SessionStart": 2000, "Stop": 2000, "PreCompact": 2000, "SessionEnd": 700}
SWEPT_SESSIONS = 20
WITHOUT_CURSOR = 1024 * 1024
"""Bytes of a transcript's end that are spooled when the database cannot say how far it was read."""
LOST_RACES = 3


def act(fields: dict[str, object], home: str) -> None:
    """Capture what the event in *fields* brought. Answers nothing: a Stop hook that speaks continues the turn."""
    payload = Payload(fields)
    if payload.event not in BUDGETS_MS or payload.agent_id:
        return
    deadline = Deadline(BUDGETS_MS[payload.event])
    session = _session(payload, home)
    if isinstance(session.project_at(session.cwd), Excluded):
        return
    try:
        store = CaptureStore(open_hot(home, deadline), deadline.remaining_ms)
        _drain(home, store, deadline)
        if payload.event == "SessionStart":
            _sweep(home, store, session, deadline)
            # Nobody waits for this one: hooks leave the write-ahead log alone everywhere else.
            checkpoint(store.connection, database_path(home))
            return
        _capture(home, store, session, payload, deadline)
    except Exception as error:  # noqa: BLE001 -- a database broken in whatever way: the spool keeps the turn
        log.failed(home, PROGRAM, error, "open or read")
        _spool_end(home, session, payload)


def _capture(home: str, store: CaptureStore, session: Session, payload: Payload, deadline: Deadline) -> None:
    turn_uid = _read_on(home, store, session, deadline)
    last = last_message(session, prompt_id=payload.prompt_id, turn_uid=turn_uid, text=payload.last_message)
    if last is not None and not store.holds_last_message(last):
        try:
            store.record_batch(last)
        except sqlite.Error as error:
            _keep(home, last, error)
    if payload.event == "SessionEnd":
        store.end_session(session.uid, session.captured_at)


def _session(payload: Payload, home: str) -> Session:
    return Session(
        uid=payload.session_uid,
        transcript_path=payload.transcript_path,
        cwd=payload.cwd or os.getcwd(),
        captured_at=iso(time.time()),
        project_at=Places(home).project_at,
    )


def _read_on(home: str, store: CaptureStore, session: Session, deadline: Deadline) -> str:
    """Capture the new lines of the session's transcript, as far as the deadline lets it; gives the turn left open."""
    transcript = _open(session.transcript_path)
    turn_uid = ""
    if transcript is None:
        return turn_uid
    for _ in range(LOST_RACES):
        cursor = store.find_cursor(transcript.path)
        known = cursor if cursor is not None and cursor.is_of(transcript) else None
        start = known.offset if known else None
        state = known.state if known else ReaderState()
        turn_uid = state.turn_uid
        if start == transcript.size:
            return turn_uid
        for batch, progress in read_batches(session, transcript.batches(start or 0), state):
            try:
                if not store.record_reading(batch, transcript, start, progress):
                    break
                start = progress.offset
            except sqlite.Error as error:
                # The cursor stays where it is: the dedup keys settle what the spool and the next reading both bring.
                _keep(home, batch, error)
            turn_uid = progress.state.turn_uid
            if deadline.passed():
                return turn_uid
        else:
            return turn_uid
    return turn_uid


def _sweep(home: str, store: CaptureStore, session: Session, deadline: Deadline) -> None:
    """Read on where a session crashed or its Stop came too early: in every transcript seen lately."""
    for uid, path in store.recent_transcripts(SWEPT_SESSIONS):
        if deadline.passed():
            return
        other = Session(
            uid=uid,
            transcript_path=path,
            cwd=session.cwd,
            captured_at=session.captured_at,
            project_at=session.project_at,
        )
        _read_on(home, store, other, deadline)


def _drain(home: str, store: CaptureStore, deadline: Deadline) -> None:
    """Store what earlier processes could only spool, in order; an entry that no attempt can store is set aside."""
    for path, text in spool.read(spool.entries(home)):
        if deadline.passed():
            return
        try:
            store.record_batch(Batch.from_json(text))
            spool.drained(path)
        except sqlite.OperationalError as error:
            log.failed(home, PROGRAM, error, "drain")
            return
        except Exception as error:  # noqa: BLE001 -- whatever is wrong with it, it must not stop the entries behind it
            log.failed(home, PROGRAM, error, "drain")
            spool.set_aside(path)


def _keep(home: str, batch: Batch, error: Exception) -> None:
    log.failed(home, PROGRAM, error, "store")
    if not batch.is_empty():
        spool.append(home, batch.to_json())


def _spool_end(home: str, session: Session, payload: Payload) -> None:
    """Spool the end of the transcript: the cursor cannot be asked, and the dedup keys settle what is known already."""
    transcript = _open(session.transcript_path)
    turn_uid = ""
    if transcript is not None:
        found = transcript.batches(max(0, transcript.size - WITHOUT_CURSOR))
        for batch, progress in read_batches(session, found, ReaderState()):
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
