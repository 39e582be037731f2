"""One capture event: read on where the transcript was left, store what is new, spool what cannot be stored in time."""

from __future__ import annotations

import os
import time

from agentrecall_domain.text.utc import iso
from agentrecall_domain.turns.batch import Excluded
from agentrecall_domain.turns.capture import Session, last_message
from agentrecall_domain.turns.payload import Payload
from agentrecall_storage.capturing import drain, keep, read_on, spool_end, sweep
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.engine import checkpoint, sqlite
from agentrecall_storage.files import log
from agentrecall_storage.home import database_path
from agentrecall_storage.opening import open_hot
from agentrecall_storage.places import Places
from agentrecall_storage.raw_items import CaptureStore
from agentrecall_storage.starting import start_processor, work_waits

PROGRAM = "capture-hook"
BUDGETS_MS = {"SessionStart": 2000, "Stop": 2000, "PreCompact": 2000, "SessionEnd": 700}
SWEPT_SESSIONS = 20
STARTS_PROCESSOR = ("SessionStart", "SessionEnd")
"""What a session leaves is distilled behind its end; what was left undone, behind the start of the next."""


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
        drain(home, store, deadline)
        if payload.event == "SessionStart":
            sweep(home, store, session, deadline, SWEPT_SESSIONS)
            # Nobody waits for this one: hooks leave the write-ahead log alone everywhere else.
            checkpoint(store.connection, database_path(home))
        else:
            _capture(home, store, session, payload, deadline)
        if payload.event in STARTS_PROCESSOR and work_waits(store.connection, time.time()):
            start_processor()
    except Exception as error:  # noqa: BLE001 -- a database broken in whatever way: the spool keeps the turn
        log.failed(home, PROGRAM, error, "open or read")
        spool_end(home, session, payload)


def _capture(home: str, store: CaptureStore, session: Session, payload: Payload, deadline: Deadline) -> None:
    turn_uid = read_on(home, store, session, deadline)
    last = last_message(session, prompt_id=payload.prompt_id, turn_uid=turn_uid, text=payload.last_message)
    if last is not None and not store.holds_last_message(last):
        try:
            store.record_batch(last)
        except sqlite.Error as error:
            keep(home, last, error)
    if payload.event == "SessionEnd":
        store.end_session(session.uid, session.captured_at)


def _session(payload: Payload, home: str) -> Session:
    return Session(
        uid=payload.session_uid,
        transcript_path=payload.transcript_path,
        cwd=payload.cwd or os.getcwd(),
        captured_at=iso(time.time()),
        project_at=Places(home).project_at,
        source=payload.source,
    )
