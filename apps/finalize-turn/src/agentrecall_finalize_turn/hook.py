"""The Stop hook: one row that says nobody judged this turn, so that what was missed can be counted. Hot.

On its user's wish it asks the agent for a verdict, once a turn, or tells the person what the memory did in the turn. It
says the one or the other: while the agent is asked, the turn is not over.
"""

from __future__ import annotations

import os
import sys
import time

from agentrecall_domain.text.utc import iso
from agentrecall_domain.turns.batch import Project
from agentrecall_domain.turns.payload import Payload
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.finalizations import EndedTurn, FinalizationStore
from agentrecall_storage.opening import open_hot
from agentrecall_storage.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.capture.asking import Asking

BUDGET_MS = 500


def act(fields: dict[str, object], home: str) -> dict[str, object] | None:
    """Record the turn that the event in *fields* ended; gives the host's answer.

    None unless the user wants to hear something: a Stop hook that speaks to the agent continues the turn.
    """
    payload = Payload(fields)
    if payload.event != "Stop" or payload.agent_id or not (payload.session_uid and payload.prompt_id):
        return None
    deadline = Deadline(BUDGET_MS)
    project = Places(home).project_at(payload.cwd or os.getcwd())
    if not isinstance(project, Project):
        return None
    store = FinalizationStore(open_hot(home, deadline), deadline.remaining_ms)
    # The row can be made again from the transcript: no flush to disk that the user waits for.
    store.connection.execute("PRAGMA synchronous = NORMAL")
    ended = EndedTurn(
        session_uid=payload.session_uid,
        prompt_id=payload.prompt_id,
        source=payload.source,
        project=project,
        now=iso(time.time()),
    )
    asking = _asking(store, payload, ended.now, resumed=bool(fields.get("stop_hook_active")))
    request = store.record_unjudged(ended, asking.decide if asking else None)
    if request is not None:
        return _ask(request, payload)
    return _summary(store, payload, deadline)


def _asking(store: FinalizationStore, payload: Payload, now: str, *, resumed: bool) -> Asking | None:
    mode = store.setting("ask_for_verdict", "off")
    if mode == "off":
        return None
    from agentrecall_domain.capture.asking import Asking  # noqa: PLC0415 -- off for most people

    return Asking(
        mode=mode,
        session_uid=payload.session_uid,
        prompt_id=payload.prompt_id,
        answered=len(payload.last_message.strip()),
        resumed=resumed,
        now=now,
    )


def _ask(request: int, payload: Payload) -> dict[str, object]:
    from agentrecall_domain.capture.asking import question  # noqa: PLC0415 -- off for most people

    return {"decision": "block", "reason": question(request, payload.prompt_id, _this_program())}


def _this_program() -> str:
    """This program as an agent's shell can start it: hosts are given its path, which need not be on PATH."""
    path = sys.argv[0]
    is_plain = (
        os.path.isabs(path) and path.replace("/", "").replace("-", "").replace("_", "").replace(".", "").isalnum()
    )
    return path if is_plain else "agentrecall-finalize-turn"


def _summary(store: FinalizationStore, payload: Payload, deadline: Deadline) -> dict[str, object] | None:
    level = store.setting("summary", "silent")
    if level == "silent" or deadline.passed():
        return None
    from agentrecall_domain.capture.turn_summary import rendered  # noqa: PLC0415 -- silent for most people
    from agentrecall_storage.turn_summaries import TurnSummaryStore  # noqa: PLC0415

    summaries = TurnSummaryStore(store.connection)
    turn = summaries.turn_of_prompt(payload.session_uid, payload.prompt_id)
    text = rendered(summaries.summary_of(turn), level) if turn is not None else ""
    return {"systemMessage": text} if text else None
