"""Rules for the tests of what compares them: a rule in one line, and pairs of them in a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from agentrecall_domain.rules.rule import Rule, RuleId, Status

FOLDER = Path(__file__).parent
NOW = datetime(2026, 10, 2, 12, 0, tzinfo=UTC)


def held(line: str, rule_id: int = 1, **parts: Any) -> Rule:
    """A rule in force from `trigger | action | mistake | reason`; an empty action is made up."""
    said = [*(part.strip() for part in line.split("|")), "", "", ""]
    values: dict[str, Any] = {
        "title": "",
        "trigger": said[0],
        "action": said[1] or "do it",
        "mistake": said[2],
        "reason": said[3],
        "status": Status.ACTIVE,
        "created_at": NOW + timedelta(minutes=rule_id),
        "updated_at": NOW,
    }
    return Rule(id=RuleId(rule_id), uid=f"u{rule_id}", **(values | parts))


def pairs_in(name: str) -> Iterator[tuple[str, Rule, Rule]]:
    """The pairs of a file in `tuned`: a label, and two rules, each in a line."""
    for block in (FOLDER / "tuned" / name).read_text(encoding="utf-8").strip().split("\n\n"):
        label, one, other = block.splitlines()
        yield label, held(one, 1), held(other, 2)


def labelled(name: str) -> list[dict[str, Any]]:
    """The cases of a labelled file, written by somebody who had not seen the code."""
    cases: list[dict[str, Any]] = json.loads((FOLDER / "labelled" / name).read_text(encoding="utf-8"))
    return cases


def from_parts(parts: dict[str, str], rule_id: int) -> Rule:
    """A labelled case's rule in force."""
    return held("", rule_id, **parts)
