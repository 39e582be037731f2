"""Capture status: what the last decided turn led to, and what still waits for a verdict or for a person."""

from __future__ import annotations

import json
from typing import Any

import click

from agentrecall_admin.console import as_json_option, memory, print_json, project_here
from agentrecall_domain.capture.turn_summary import CAPTURED, Decided, decisions
from agentrecall_domain.rules.status import WAITING
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.finalizations import UNJUDGED
from agentrecall_storage.memory import Memory
from agentrecall_storage.turn_summaries import Finalization, TurnRow, TurnSummaryStore

DECISIONS = {
    "captured": "AutoCapture",
    "superseded": "Supersede",
    "refined": "Supersede",
    "pending": "Suggest",
    "reinforced": "Reinforce",
}
"""What each outcome is called as a decision, the weightiest first; every other is a Skip."""
SKIP = "Skip"
NOTHING_DECIDED = "None"


@click.command("capture-status")
@click.option("--last-turn", is_flag=True, help="The newest turn, also when nothing is decided about it yet.")
@click.option("--session", "session", metavar="ID", default="", help="Turns of this session alone.")
@as_json_option
def capture_status(*, last_turn: bool, session: str, as_json: bool) -> None:
    """Tell what the last decided turn of the current project led to, and what waits.

    A verdict counts before the note that nobody judged the turn. 'agentrecall turn-summary' tells what was shown, too.

    Example: agentrecall capture-status --json
    """
    with memory() as opened:
        project_id = opened.find_project(project_here())
        found = _status(opened, project_id, session, newest=last_turn)
    if as_json:
        print_json(found)
        return
    for line in _as_text(found):
        click.echo(harmless(line))


def _status(opened: Memory, project_id: int | None, session: str, *, newest: bool) -> dict[str, Any]:
    turn: TurnRow | None = None
    rows: list[Finalization] = []
    request = None
    if project_id is not None:
        summaries = TurnSummaryStore(opened.connection)
        latest = summaries.latest_turn(project_id, session)
        turn = latest if newest else summaries.latest_decided(project_id, session)
        rows = summaries.finalizations_of(turn.id) if turn is not None else []
        stray = None if session or newest else summaries.newest_without_turn(project_id)
        if stray is not None and stray.id > max((row.id for row in rows), default=0):
            turn, rows = None, [stray]
        request = summaries.request_of(latest.id) if latest is not None else None
    is_awaited = request is not None and request[1] == "Outstanding"
    waiting = _waiting(opened, project_id, session)
    return {
        "turn_id": turn.name if turn is not None else None,
        "session_id": turn.session_uid if turn is not None else None,
        **_decided(opened, rows),
        "awaiting_judgment": is_awaited,
        "awaiting_judgment_request_id": f"J{request[0]}" if is_awaited and request is not None else None,
        "awaiting_approval": {"count": len(waiting), "ids": waiting},
    }


def _waiting(opened: Memory, project_id: int | None, session: str) -> list[str]:
    """The rules of the project, and the global ones, that wait for a person; of *session* alone when it is named."""
    found = opened.list_rules(project_id=project_id, everywhere=False, statuses=WAITING)
    return [rule.label for rule in reversed(found) if not session or rule.session_uid == session]


def _decided(opened: Memory, rows: list[Finalization]) -> dict[str, Any]:
    """What a turn's finalizations say: the verdicts, or when there is none, that nobody judged it."""
    judged = [row for row in rows if row.decision_source not in UNJUDGED]
    source = (judged or rows)[-1].decision_source if rows else NOTHING_DECIDED
    came: list[tuple[Decided, dict[str, Any]]] = []
    for row in judged:
        items = decisions([row.decisions])
        came += zip(items, _judged_items(row.verdicts, len(items)), strict=True)
    weights = list(DECISIONS)
    chief = min(
        came, key=lambda one: weights.index(one[0].action) if one[0].action in DECISIONS else len(weights), default=None
    )
    described = [(one, _described(opened, one)) for one, _ in came]
    target = chief[0].rule_id if chief is not None else None
    return {
        "decision_source": source,
        "decision": DECISIONS.get(chief[0].action, SKIP) if chief is not None else SKIP if rows else None,
        "reason": str(chief[1].get("capture_reason", "")) if chief is not None else "",
        "confidence": chief[1].get("confidence") if chief is not None else None,
        "target_rule_id": None if target is None else f"R{target}",
        "captured": [shown for one, shown in described if one.action in CAPTURED],
        "suggested": [shown for one, shown in described if one.action == "pending"],
        "skipped": [{"reason": one.why} for one, _ in described if one.action == "skipped"],
        "duplicates": [shown for one, shown in described if one.action == "reinforced"],
        "errors": [one.why for one, _ in described if one.action == "refused"],
    }


def _judged_items(text: str, count: int) -> list[dict[str, Any]]:
    """What is kept of each verdict; one that cannot be understood is empty."""
    try:
        found = json.loads(text)
    except ValueError:
        found = []
    items = [one if isinstance(one, dict) else {} for one in (found if isinstance(found, list) else [])]
    return (items + [{}] * count)[:count]


def _described(opened: Memory, one: Decided) -> dict[str, Any]:
    """The rule that a decision led to, as it is now."""
    rule = opened.find_rule(one.rule_id) if one.rule_id is not None else None
    shown: dict[str, Any] = {"id": f"R{one.rule_id}"}
    if rule is not None:
        shown |= {
            "title": rule.title,
            "category": rule.category.value,
            "scope": rule.scope_level.value,
            "confidence": rule.confidence,
            "status": rule.status.value,
            "text": rule.action,
        }
    return shown | {"note": one.why}


def _as_text(found: dict[str, Any]) -> list[str]:
    if found["decision"] is None:
        lines = ["nothing is decided about a turn of this project yet"]
    else:
        trusted = "" if found["confidence"] is None else f", confidence {found['confidence']:.2f}"
        why = f", {found['reason']}" if found["reason"] else ""
        told = f"{found['decision']} ({found['decision_source']}{why}{trusted})"
        lines = [f"turn {found['turn_id'] or 'unknown'}: {told}"]
    for name in ("captured", "suggested", "duplicates"):
        lines += [f"  {name}: {one['id']} {one.get('title', 'is gone')}{_note(one['note'])}" for one in found[name]]
    lines += [f"  skipped: {one['reason']}" for one in found["skipped"]]
    lines += [f"  refused: {why}" for why in found["errors"]]
    if found["awaiting_judgment"]:
        lines.append(f"a verdict is awaited (request {found['awaiting_judgment_request_id']})")
    waiting = found["awaiting_approval"]
    if waiting["count"]:
        lines.append(f"{waiting['count']} waiting for approval: {' '.join(waiting['ids'])}; 'agentrecall review'")
    return lines


def _note(note: str) -> str:
    return f" ({note})" if note else ""
