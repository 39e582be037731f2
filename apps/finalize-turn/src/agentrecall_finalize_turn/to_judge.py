"""What there is to judge, printed for a judge: the turn, the rules that matter to it, and those it was shown. Cold."""

from __future__ import annotations

import json
import select
import sys
from typing import Any

from agentrecall_domain.capture.finalized import Turn
from agentrecall_domain.capture.judge_input import FinishedTurn, judge_input
from agentrecall_domain.turns.batch import Project
from agentrecall_finalize_turn.surroundings import (
    DONE,
    MISUSED,
    Stopped,
    complain,
    folder,
    opened,
    project_at,
    session_id,
)
from agentrecall_storage.memory import Memory
from agentrecall_storage.turn_summaries import TurnSummaryStore

PATIENCE_SECONDS = 1.0
"""An agent's shell may leave stdin open, and the usual question has nothing on it."""
NAMES = ("session_id", "turn_id", "cwd", "prompt")


class NoObjectError(ValueError):
    """What came on stdin is no JSON object."""


def show() -> int:
    """Read which turn is meant on stdin (nothing: the latest), print what there is to judge; gives the exit code."""
    try:
        asked = read(_stdin())
    except NoObjectError as error:
        return complain(f"cannot read which turn is meant: {error}; see --help", MISUSED)
    try:
        project = project_at(folder(asked["cwd"]), "there is nothing to judge")
        with opened("read") as memory:
            shown = of_turn(memory, asked | {"session_id": session_id(asked["session_id"])}, project)
    except Stopped as stopped:
        return complain(str(stopped), stopped.code)
    print(json.dumps(shown))  # noqa: T201 -- the answer
    return DONE


def read(data: bytes) -> dict[str, Any]:
    """Which turn is meant: every field is optional, and one of the wrong type is as good as none.

    Raises:
        NoObjectError: *data* is neither empty nor a JSON object.
    """
    try:
        given = json.loads(data) if data.strip() else {}
    except (ValueError, RecursionError) as error:
        raise NoObjectError("it is not JSON") from error
    if not isinstance(given, dict):
        raise NoObjectError("it is no JSON object")
    given.setdefault("turn_id", given.get("prompt_id"))
    named = {name: value if isinstance(value := given.get(name), str) else "" for name in NAMES}
    return {**named, "accepted": given.get("accepted") if isinstance(given.get("accepted"), bool) else None}


def _stdin() -> bytes:
    """All of stdin; nothing when it is a terminal, or when whoever holds it open has not begun to write in time."""
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    ready, _, _ = select.select([sys.stdin], [], [], PATIENCE_SECONDS)
    return sys.stdin.buffer.read() if ready else b""


def of_turn(memory: Memory, asked: dict[str, Any], project: Project) -> dict[str, Any]:
    """What there is to judge of the turn that *asked* names."""
    project_id = memory.find_project(project)
    turn = Turn(None, "", [])
    if project_id is not None:
        with memory.hot.transaction():
            turn = memory.find_turn(asked["session_id"], asked["turn_id"], asked["prompt"], project_id)
    summaries = TurnSummaryStore(memory.connection)
    row = summaries.find_turn(turn.id)
    shown = summaries.shown_in(row, ever=True) if row is not None else []
    finished = FinishedTurn(
        turn_id=row.name if row is not None else asked["turn_id"],
        session_id=row.session_uid if row is not None else asked["session_id"],
        said=turn.said or [asked["prompt"]],
        answered=memory.answers_in(turn.id) if turn.id is not None else [],
        shown=list(dict.fromkeys((rule_id, injection_id) for rule_id, _, injection_id in shown)),
        accepted=asked["accepted"],
    )
    return judge_input(memory, memory.hot, finished, (project_id, project.name))
