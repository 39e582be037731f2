"""One recall event: which moment it is, what the memory has for it, and the host's JSON around that."""

from __future__ import annotations

import os
import time

from agentrecall_domain.recall.injection import Asked, Injection
from agentrecall_domain.recall.moments import at_file, at_prompt, at_start
from agentrecall_domain.recall.rendering import block
from agentrecall_domain.text.utc import iso
from agentrecall_domain.turns.batch import Project
from agentrecall_domain.turns.identity import digest
from agentrecall_domain.turns.own_text import remove_own
from agentrecall_domain.turns.payload import EDITING_TOOLS, READING_TOOLS, Payload
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.engine import sqlite
from agentrecall_storage.files import log
from agentrecall_storage.hot import HotStore
from agentrecall_storage.opening import open_hot
from agentrecall_storage.places import place_at, project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_storage.files.git import Place

PROGRAM = "recall-hook"
BUDGET_MS = 800
LONGEST_QUERY = 20_000
"""Characters kept of a prompt: its beginning and its end, where people put what they want."""


def act(fields: dict[str, object], home: str) -> dict[str, object] | None:
    """The host's answer for the event in *fields*: the memories for its moment, or None."""
    payload = Payload(fields)
    moment = moment_of(payload)
    if not moment or not payload.session_uid:
        return None
    deadline = Deadline(BUDGET_MS)
    started = time.monotonic()
    cwd = payload.cwd or os.getcwd()
    place = place_at(cwd)
    project = project_of(home, place, cwd)
    if not isinstance(project, Project):
        from agentrecall_recall_hook.off import act as note  # noqa: PLC0415 -- for excluded projects alone

        return note(fields, home)

    store = HotStore(open_hot(home, deadline), deadline.remaining_ms, home)
    # An injection lost to a power cut is not worth a flush to disk that the user waits for.
    store.connection.execute("PRAGMA synchronous = NORMAL")
    asked = _asked(payload, moment)
    injection = _recall(store, asked, project, place, payload.file_path)
    if injection is None:
        return None
    injection.latency_ms = int((time.monotonic() - started) * 1000)
    injection_id = None
    try:
        injection_id = store.record_injection(injection, project)
        if injection_id is None:
            return None
    except sqlite.OperationalError as error:
        # Better a memory without a number than none.
        log.failed(home, PROGRAM, error, "record")
    # crash point: injection, recorded and not shown
    text = block(
        injection.shown,
        injection.notes,
        project=project.name,
        moment=moment,
        injection_id=None if moment == "start" else injection_id,
    )
    return _answer(payload.event, text, _alarm(home, store, payload) if moment == "start" else "")


def moment_of(payload: Payload) -> str:
    """The moment that a payload's event is, or an empty text."""
    if payload.event == "SessionStart":
        return "start"
    if payload.event == "UserPromptSubmit":
        return "prompt"
    if payload.event == "PreToolUse" and payload.file_path:
        return "edit" if payload.tool in EDITING_TOOLS else "read" if payload.tool in READING_TOOLS else ""
    return ""


def _asked(payload: Payload, moment: str) -> Asked:
    query = payload.prompt if moment == "prompt" else payload.written if moment == "edit" else ""
    query = _heard(query)
    # A prompt queued while the agent works may share its turn's prompt id: its words tell it apart.
    prompt_key = f"{payload.prompt_id}:{digest(query)[:8]}" if payload.prompt_id else ""
    keys = {"start": payload.reason or "startup", "prompt": prompt_key}
    return Asked(
        moment=moment,
        session_uid=payload.session_uid,
        agent_id=payload.agent_id,
        prompt_id=payload.prompt_id,
        key=keys.get(moment, payload.tool_use_id),
        query=query,
        source=payload.source,
        transcript_path="" if payload.agent_id else payload.transcript_path,
        at=time.time(),
    )


def _heard(text: str) -> str:
    """What is kept of a prompt, scrubbed, and without our own words in it."""
    if not text:
        return text
    from agentrecall_domain.text.scrub import scrub_ends  # noqa: PLC0415 -- a session start and a read say nothing

    return scrub_ends(remove_own(text), LONGEST_QUERY)


def _recall(store: HotStore, asked: Asked, project: Project, place: Place, file_path: str) -> Injection | None:
    project_id = store.find_project(project.aliases)
    if asked.moment == "start":
        return at_start(store, asked, project_id)
    if asked.moment == "prompt":
        return at_prompt(store, asked, project_id)
    path = place.relative(file_path)
    return at_file(store, asked, project_id, path) if path else None


def _alarm(home: str, store: HotStore, payload: Payload) -> str:
    """A line for the person when a hook failed since the session before this one began."""
    failed_at = log.newest(home)
    before = store.session_before(payload.session_uid) if failed_at else None
    if before is None or iso(failed_at) < before:
        return ""
    return "AgentRecall: a hook failed since the last session; run 'agentrecall doctor'"


def _answer(event: str, text: str, message: str) -> dict[str, object] | None:
    answer: dict[str, object] = {}
    if message:
        answer["systemMessage"] = message
    if text:
        answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
    return answer or None
