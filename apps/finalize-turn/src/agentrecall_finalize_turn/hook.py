"""The Stop hook: one row that says nobody judged this turn, so that what was missed can be counted. Hot."""

from __future__ import annotations

import os
import time

from agentrecall_domain.text.utc import iso
from agentrecall_domain.turns.batch import Project
from agentrecall_domain.turns.payload import Payload
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.finalizations import FinalizationStore
from agentrecall_storage.opening import open_hot
from agentrecall_storage.places import Places

SOURCE = "claude-code"
BUDGET_MS = 500


def act(fields: dict[str, object], home: str) -> None:
    """Record the turn that the event in *fields* ended. Answers nothing: a Stop hook that speaks continues the turn."""
    payload = Payload(fields)
    if payload.event != "Stop" or payload.agent_id or not (payload.session_uid and payload.prompt_id):
        return
    deadline = Deadline(BUDGET_MS)
    project = Places(home).project_at(payload.cwd or os.getcwd())
    if not isinstance(project, Project):
        return
    store = FinalizationStore(open_hot(home, deadline), deadline.remaining_ms)
    # The row can be made again from the transcript: no flush to disk that the user waits for.
    store.connection.execute("PRAGMA synchronous = NORMAL")
    store.record_unjudged(
        session_uid=payload.session_uid,
        prompt_id=payload.prompt_id,
        source=SOURCE,
        project=project,
        now=iso(time.time()),
    )
