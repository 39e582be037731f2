"""Why a rule is there and what became of it: its origin, its showings, its outcomes, and the rules beside it."""

from __future__ import annotations

from typing import Any

from agentrecall_admin.rule_text import as_object, marks, table_of, told, where
from agentrecall_domain.rules.rule import Rule
from agentrecall_storage.memory import Memory
from agentrecall_storage.rule_evidence import RuleEvidence

REASONS = {
    "None": "nobody said why",
    "ObservedAgentFailure": "the agent failed without it",
    "UserCorrection": "the user corrected the agent",
    "AcceptedReviewComment": "a reviewer asked for it",
    "RepeatedCorrection": "the user had to say it again",
    "ManualFeedback": "a person told the memory so",
    "TestFailedThenFixed": "a test failed until it was done so",
    "LessonMined": "the same mistake was seen several times",
    "ImportedFeedback": "it was imported",
    "ExplicitUserPreference": "the user prefers it so",
    "BuiltInSeed": "it came with a pack of rules",
}


def explanation(opened: Memory, rule: Rule) -> dict[str, Any]:
    """All that the memory can say of *rule*, as `--json` prints it."""
    evidence = RuleEvidence(opened.connection)
    showings, outcomes = evidence.showings(rule.id), evidence.outcomes(rule.id)
    return {
        **as_object(rule, opened.project_names()),
        "where": where(rule, opened.project_names()),
        "marks": marks(rule),
        "captured_because": REASONS.get(rule.capture_reason, "the reason is not known to this program"),
        "shown": sum(row["times"] for row in showings),
        "shown_by_moment": {row["moment"]: row["times"] for row in showings},
        "last_shown_at": max((row["last_at"] for row in showings), default=None),
        "outcomes": {row["type"]: {"times": row["times"], "delta": row["delta"]} for row in outcomes},
        "net_change": round(sum(row["delta"] for row in outcomes), 4),
        "flags": _flags(opened, rule),
        "conflicts": _conflicts(opened, rule),
        "took_the_place_of": [f"R{other}" for other in opened.replaced_by(rule.id)],
        "replaced_by": None if rule.superseded_by_id is None else f"R{rule.superseded_by_id}",
    }


def explanation_text(rule: Rule, found: dict[str, Any]) -> str:
    """The same as a person reads it."""
    moments = ", ".join(f"{times} at {moment}" for moment, times in found["shown_by_moment"].items())
    outcomes = [f"{kind} {row['times']} ({row['delta']:+.2f})" for kind, row in found["outcomes"].items()]
    came_from = [f"session {found['session_uid']}" if found["session_uid"] else ""]
    came_from += [f"turn {found['turn_uid']}" if found["turn_uid"] else ""]
    lines = [
        (f"{found['label']} {found['status']}", found["title"]),
        ("kind", f"{found['category']}, {found['source']}"),
        *told(rule),
        ("holds in", found["where"]),
        ("marks", ", ".join(found["marks"])),
        ("captured", f"{found['created_at']}, {found['captured_because']} ({found['capture_reason']})"),
        ("evidence", f"{found['evidence']} ({found['origin']})" if found["evidence"] else ""),
        ("from", ", ".join(filter(None, came_from))),
        ("confidence", f"{found['confidence']:.2f}"),
        ("shown", f"{found['shown']} times ({moments}), last {found['last_shown_at']}" if moments else "never"),
        ("outcomes", ", ".join(outcomes) or "none"),
        ("net change", f"{found['net_change']:+.2f}" if outcomes else ""),
        *(
            (flag["kind"], f"{flag['rule']} may {flag['kind']} {flag['other']}; 'agentrecall review'")
            for flag in found["flags"]
        ),
        *(
            ("conflict", f"{one['rule']}, about {', '.join(one['subject'])}: {one['why']}")
            for one in found["conflicts"]
        ),
        ("in place of", ", ".join(found["took_the_place_of"])),
        ("replaced by", found["replaced_by"] or ""),
    ]
    return table_of(lines)


def _flags(opened: Memory, rule: Rule) -> list[dict[str, Any]]:
    return [
        {"kind": flag["kind"], "rule": f"R{flag['rule_id']}", "other": f"R{flag['other_id']}", "why": flag["why"]}
        for flag in opened.open_flags()
        if rule.id in (flag["rule_id"], flag["other_id"])
    ]


def _conflicts(opened: Memory, rule: Rule) -> list[dict[str, Any]]:
    from agentrecall_admin.rule_audit import conflicts_of  # noqa: PLC0415 -- its word tables are for those who ask

    return [
        {"rule": other.label, "kind": conflict.kind, "subject": list(conflict.subject), "why": conflict.why}
        for other, conflict in conflicts_of(opened, rule)
    ]
