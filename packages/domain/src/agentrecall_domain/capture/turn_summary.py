"""The turn's memory summary: what the memory did in one turn, in a line or two, or in a line per rule. Hot.

A summary joins what was shown in the turn with what its verdicts led to. It goes out as text for the person, never for
the agent, and it says nothing where nothing happened.
"""

from __future__ import annotations

import json

from agentrecall_domain.rules.status import PENDING, WAITING
from agentrecall_domain.text.harmless import harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

KEY = "summary"
SILENT, COMPACT, DETAILED = "silent", "compact", "detailed"
LONGEST_TITLE = 60
MOST_NAMED = 8
"""So many ids stand in a compact line; the rest is a number."""
LONGEST_SUMMARY = 9_000
"""Claude Code cuts what a hook says at 10,000 characters."""

CAPTURED = ("captured", "superseded", "refined")
PUT_IN_PLACE = ("superseded", "refined")
NOTHING = "memory had no part in this turn"


class RuleLine:
    """One rule as a summary names it."""

    __slots__ = ("category", "id", "is_seed", "is_standing", "status", "title")

    def __init__(self, row: Sequence[Any]) -> None:
        self.id: int = row[0]
        self.title = cut(harmless(row[1] or row[2]))
        self.category: str = row[3]
        self.status: str = row[4]
        self.is_standing = bool(row[5])
        self.is_seed = row[6] == "BuiltInSeed"

    @property
    def label(self) -> str:
        """The rule's id as people write it, `R12`."""
        return f"R{self.id}"

    @property
    def marks(self) -> str:
        """What sets the rule apart, in brackets."""
        marks = (
            ("standing", self.is_standing),
            ("seed", self.is_seed),
            ("pending", self.status == PENDING),
        )
        return "".join(f" [{name}]" for name, applies in marks if applies)


class Decided:
    """What became of one item of a verdict: the action, the rule that it led to (None: none, or gone), and why."""

    __slots__ = ("action", "rule", "rule_id", "why")

    def __init__(self, action: str, rule_id: int | None, why: str) -> None:
        self.action = action
        self.rule_id = rule_id
        self.why = why
        self.rule: RuleLine | None = None


class TurnSummary:
    """What the memory did in one turn.

    *used* are the rules shown in it, each once, with the moments that showed it; *decided* is what its verdicts led to.
    """

    __slots__ = ("decided", "turn_id", "used")

    def __init__(
        self,
        turn_id: str,
        shown: Iterable[tuple[int, str]],
        decided: list[Decided],
        rules: dict[int, RuleLine],
    ) -> None:
        moments: dict[int, list[str]] = {}
        for rule_id, moment in shown:
            found = moments.setdefault(rule_id, [])
            if moment not in found:
                found.append(moment)
        self.turn_id = turn_id
        self.used = [(rules[rule_id], found) for rule_id, found in moments.items() if rule_id in rules]
        self.decided = decided
        for one in decided:
            one.rule = None if one.rule_id is None else rules.get(one.rule_id)

    def is_empty(self) -> bool:
        """Whether there is nothing worth a person's eye: no rule shown, none that came, waits or gained."""
        return not (self.used or self.of("pending", "reinforced", *CAPTURED))

    def of(self, *actions: str) -> list[Decided]:
        """The decisions of these kinds."""
        return [one for one in self.decided if one.action in actions]

    def waiting(self) -> list[str]:
        """The labels of the rules from this turn that still wait for a person."""
        found = [one.rule for one in self.decided if one.rule is not None and one.rule.status in WAITING]
        return list(dict.fromkeys(rule.label for rule in found))


def decisions(stored: Iterable[str]) -> list[Decided]:
    """The decisions that the finalizations of one turn hold as JSON; what cannot be understood is left out."""
    found = []
    for text in stored:
        try:
            rows = json.loads(text)
        except (ValueError, RecursionError):
            continue
        found += [
            Decided(str(row[0]), row[1] if isinstance(row[1], int) else None, str(row[2]))
            for row in (rows if isinstance(rows, list) else [])
            if isinstance(row, list) and len(row) >= 3  # noqa: PLR2004 -- action, rule, why
        ]
    return found


def rendered(summary: TurnSummary, level: str) -> str:
    """*summary* as the config value *level* wants it; an empty text when there is nothing to say."""
    if level not in {COMPACT, DETAILED} or summary.is_empty():
        return ""
    text = compact(summary) if level == COMPACT else detailed(summary)
    return text if len(text) <= LONGEST_SUMMARY else text[:LONGEST_SUMMARY].rsplit("\n", 1)[0] + "\n..."


def compact(summary: TurnSummary) -> str:
    """One line with the counts and ids, and a second one when rules wait."""
    groups = (
        ("used", [rule.label for rule, _ in summary.used]),
        ("captured", _labels(summary.of(*CAPTURED))),
        ("suggested", _labels(summary.of("pending"))),
        ("reinforced", _labels(summary.of("reinforced"))),
        ("skipped", [""] * len(summary.of("skipped", "refused"))),
    )
    told = [_counted(name, labels) for name, labels in groups if labels]
    return "\n".join([f"AgentRecall: {', '.join(told) or NOTHING}", *_how_to_approve(summary)])


def detailed(summary: TurnSummary) -> str:
    """A line for each rule and decision, under a heading for each kind."""
    lines = ["AgentRecall: what the memory did in this turn"]
    sections: list[tuple[str, list[str]]] = [
        ("used", [f"{_named(rule)} ({', '.join(moments)})" for rule, moments in summary.used]),
        ("captured", [_told(one) for one in summary.of(*CAPTURED)]),
        ("suggested", [_told(one) for one in summary.of("pending")]),
        ("reinforced", [_told(one) for one in summary.of("reinforced")]),
        ("skipped", [harmless(one.why) or one.action for one in summary.of("skipped", "refused")]),
    ]
    for heading, told in sections:
        if told:
            lines += [heading, *(f"  {line}" for line in told)]
    if len(lines) == 1:
        return f"AgentRecall: {NOTHING}"
    return "\n".join([*lines, *_how_to_approve(summary)])


def as_object(summary: TurnSummary) -> dict[str, Any]:
    """*summary* as JSON; without a time in it, so that the same memory gives the same text."""
    captured, suggested = summary.of(*CAPTURED), summary.of("pending")
    skipped, refused = summary.of("skipped"), summary.of("refused")
    reinforced = summary.of("reinforced")
    return {
        "turn_id": summary.turn_id,
        "summary": {
            "used": len(summary.used),
            "captured": len(captured),
            "suggested": len(suggested),
            "skipped": len(skipped),
            "reinforced": len(reinforced),
            "errors": len(refused),
        },
        "used_rules": [
            {"id": rule.label, "title": rule.title, "category": rule.category, "moment": ", ".join(moments)}
            for rule, moments in summary.used
        ],
        "captured_rules": [_as_object(one) for one in captured],
        "suggested_rules": [_as_object(one) for one in suggested],
        "reinforced_rules": [_as_object(one) for one in reinforced],
        "skipped": [{"title": "" if one.rule is None else one.rule.title, "reason": one.why} for one in skipped],
        "errors": [one.why for one in refused],
    }


def cut(text: str) -> str:
    """*text* in at most 60 characters."""
    return text if len(text) <= LONGEST_TITLE else text[: LONGEST_TITLE - 3].rstrip() + "..."


def _as_object(one: Decided) -> dict[str, Any]:
    title = "" if one.rule is None else one.rule.title
    return {"id": f"R{one.rule_id}", "title": title, "reason": one.why}


def _labels(decided: list[Decided]) -> list[str]:
    return list(dict.fromkeys(f"R{one.rule_id}" for one in decided if one.rule_id is not None))


def _counted(name: str, labels: list[str]) -> str:
    named = [label for label in labels if label]
    if not named:
        return f"{len(labels)} {name}"
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return f"{len(labels)} {name} ({' '.join(named[:MOST_NAMED])}{more})"


def _named(rule: RuleLine) -> str:
    return f"{rule.label} {rule.title}{rule.marks}"


def _told(one: Decided) -> str:
    named = f"R{one.rule_id}" if one.rule is None else _named(one.rule)
    is_said = one.why and one.action in {"pending", *PUT_IN_PLACE}
    return f"{named}: {harmless(one.why)}" if is_said else named


def _how_to_approve(summary: TurnSummary) -> list[str]:
    waiting = summary.waiting()
    if not waiting:
        return []
    named = " ".join(waiting[:MOST_NAMED])
    return [f"waiting for you: {named}; 'agentrecall review', or 'agentrecall rules approve {named}'"]
