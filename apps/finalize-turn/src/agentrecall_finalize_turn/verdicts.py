"""A verdict handed in on stdin: parsed, carried out once, and answered with what became of it. Cold."""

from __future__ import annotations

import json
import sys
from typing import Any, NamedTuple

from agentrecall_domain.capture.finalize import finalize, raw_hash
from agentrecall_domain.capture.finalized import Outcome, Turn
from agentrecall_domain.capture.verdict import MalformedVerdictError, TurnVerdict, parse
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.turns.batch import Project
from agentrecall_finalize_turn.rule_outcomes import Told, report
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


class Answer(NamedTuple):
    """What became of each verdict, and of each outcome reported with them."""

    outcomes: list[Outcome]
    rule_outcomes: list[Told]


def hand_in() -> int:
    """Read the verdict on stdin, store what it captures and print what became of it; gives the exit code."""
    try:
        handed_in = parse(sys.stdin.buffer.read())
    except MalformedVerdictError as error:
        return complain(f"not a verdict: {error}; see --help", MISUSED)
    # What an agent need not know.
    about = {"session_id": session_id(handed_in.session_id), "cwd": folder(handed_in.cwd)}
    handed_in = handed_in.model_copy(update=about)
    try:
        project = project_at(handed_in.cwd, "nothing was stored")
        with opened("store") as memory:
            answer = settle(memory, handed_in, project)
    except Stopped as stopped:
        return complain(str(stopped), stopped.code)
    print(json.dumps(_shown(answer)))  # noqa: T201 -- the answer
    return DONE


def carry_out(memory: Memory, handed_in: TurnVerdict, project: Project) -> list[Outcome]:
    """Settle *handed_in*; gives what became of each verdict."""
    return settle(memory, handed_in, project).outcomes


def settle(memory: Memory, handed_in: TurnVerdict, project: Project) -> Answer:
    """Carry everything out in one transaction; the same verdict again changes nothing and has the same answer."""
    project_id = memory.record_project(project)
    with memory.hot.transaction():
        turn = _turn(memory, handed_in, project_id)
        key = _key(handed_in, turn)
        outcomes = memory.find_finalization(key)
        if outcomes is None:
            outcomes = finalize(memory, handed_in, turn, (project_id, memory.project_uid(project_id)))
            # crash point: verdict, carried out and not recorded
            memory.record_finalization(handed_in, key, turn, project_id, outcomes)
        told = report(memory, handed_in.rule_outcomes, turn, project_id)
        # crash point: verdict, before the commit
    # crash point: verdict, after the commit
    return Answer(outcomes, told)


def _turn(memory: Memory, handed_in: TurnVerdict, project_id: int) -> Turn:
    """The turn that is judged. One that nothing has told of yet has its row from here on, so that its Stop finds it."""
    session, name = handed_in.session_id, handed_in.turn_id
    turn = memory.find_turn(session, name, handed_in.prompt, project_id)
    if turn.id is not None or not (session and name) or (scrub(session), scrub(name)) != (session, name):
        return turn
    return memory.wait_for_turn(session, name, handed_in.source, project_id)._replace(around=turn.around)


def _key(handed_in: TurnVerdict, turn: Turn) -> str:
    """What makes the verdict the same one again: its words, about the same turn.

    The turn's row stays the same when its line arrives. Without it, the same words about a repeated "continue" would
    be taken for one verdict.
    """
    return raw_hash(handed_in if turn.id is None else handed_in.model_copy(update={"turn_id": f"#{turn.id}"}))


def _shown(answer: Answer) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "outcomes": [{"outcome": one.action, "rule_id": one.rule_id, "why": one.why} for one in answer.outcomes]
    }
    if answer.rule_outcomes:
        shown["rule_outcomes"] = [one._asdict() for one in answer.rule_outcomes]
    return shown
