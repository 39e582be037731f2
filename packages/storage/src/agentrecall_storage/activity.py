"""Activity: what the memory did lately, newest first, read from the tables that hold it. Cold, but cheap to import.

It has no table of its own: an injection, a finalization, a request and a row of the ledger each say what happened.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from agentrecall_domain.rules.rule import Tolerant
from agentrecall_domain.rules.status import IN_FORCE, WAITING
from agentrecall_storage.engine import sqlite
from agentrecall_storage.rows import rows

MOST_IDS = 8
"""So many ids stand in an activity's words."""


class ActivityType(Tolerant):
    """What kind of thing the memory did."""

    CONTEXT_FETCHED = "ContextFetched"
    RULE_CAPTURED = "RuleCaptured"
    RULE_SUGGESTED = "RuleSuggested"
    CANDIDATE_SKIPPED = "CandidateSkipped"
    CONFLICT_RESOLVED = "ConflictResolved"
    LESSON_MINED = "LessonMined"
    LIFECYCLE_RECOMMENDED = "LifecycleRecommended"
    TURN_FINALIZED = "TurnFinalized"
    STATUS_CHECKED = "StatusChecked"
    SUGGESTION_REMEMBERED = "SuggestionRemembered"
    SUGGESTION_IGNORED = "SuggestionIgnored"
    SEED_INSTALLED = "SeedInstalled"
    SEED_REINFORCED = "SeedReinforced"
    CAREER_IMPACT_DETECTED = "CareerImpactDetected"
    DOC_OPPORTUNITY_DETECTED = "DocOpportunityDetected"
    RULE_OUTCOMES_REPORTED = "RuleOutcomesReported"
    RULE_OUTCOMES_UNREPORTED = "RuleOutcomesUnreported"
    JUDGMENT_REQUESTED = "JudgmentRequested"
    # Ours: what becomes of a rule afterwards.
    RULE_CHANGED = "RuleChanged"
    RULE_REINFORCED = "RuleReinforced"
    RULE_SUPERSEDED = "RuleSuperseded"
    RULE_ARCHIVED = "RuleArchived"
    RULE_DELETED = "RuleDeleted"
    REVIEW_ASKED = "ReviewAsked"
    UNKNOWN = "unknown"


class Activity(NamedTuple):
    """One thing that happened: when, what, to which row (R12, I56, J3), in which project ('' none), and in words."""

    at: str
    type: ActivityType
    subject: str
    project: str
    text: str


INJECTIONS = """
    SELECT injections.created_at AS at, injections.id, injections.moment, projects.name AS project,
           (SELECT json_group_array(memory_id) FROM injection_items WHERE injection_id = injections.id) AS shown
      FROM injections LEFT JOIN projects ON projects.id = injections.project_id
     WHERE EXISTS (SELECT 1 FROM injection_items WHERE injection_id = injections.id)
     ORDER BY injections.id DESC LIMIT :most
"""
FINALIZATIONS = """
    SELECT turn_finalizations.created_at AS at, turn_finalizations.id, decision_source, decisions,
           projects.name AS project
      FROM turn_finalizations LEFT JOIN projects ON projects.id = turn_finalizations.project_id
     ORDER BY turn_finalizations.id DESC LIMIT :most
"""
REQUESTS = """
    SELECT judgment_requests.created_at AS at, judgment_requests.id, judgment_requests.status,
           judgment_requests.decision, projects.name AS project
      FROM judgment_requests
      JOIN turns ON turns.id = judgment_requests.turn_id
      LEFT JOIN projects ON projects.id = turns.project_id
     ORDER BY judgment_requests.id DESC LIMIT :most
"""
EVENTS = """
    SELECT events.at, events.kind, events.subject, events.actor, events.details, projects.name AS project
      FROM events
      LEFT JOIN rules ON events.subject = 'R' || rules.id AND rules.id = CAST(substr(events.subject, 2) AS INTEGER)
      LEFT JOIN projects ON projects.id = rules.project_id
     ORDER BY events.id DESC LIMIT :most
"""

KINDS = {
    "RuleReinforced": ActivityType.RULE_REINFORCED,
    "RuleSuperseded": ActivityType.RULE_SUPERSEDED,
    "RulePromoted": ActivityType.RULE_CHANGED,
    "RuleArchived": ActivityType.RULE_ARCHIVED,
    "RuleRejected": ActivityType.SUGGESTION_IGNORED,
    "RuleReportedBad": ActivityType.RULE_ARCHIVED,
    "RuleDeleted": ActivityType.RULE_DELETED,
    "RulesCompressed": ActivityType.RULE_SUPERSEDED,
    "ReviewAsked": ActivityType.REVIEW_ASKED,
    "ReviewSettled": ActivityType.CONFLICT_RESOLVED,
    "OutcomeReported": ActivityType.RULE_OUTCOMES_REPORTED,
}
"""What a kind of ledger row is, where its details do not say more."""

JUDGED = {
    "SemanticCaptureJudge": "judged",
    "NoJudgmentSupplied": "ended without a verdict",
    "JudgmentRetryExhausted": "asked for a verdict, and ended without one",
}


def newest(connection: sqlite.Connection, most: int) -> list[Activity]:
    """The *most* newest things that the memory did, newest first; of one second in the order of cause and effect."""
    sources: tuple[tuple[str, Callable[[dict[str, Any]], Activity]], ...] = (
        # Of one second, what is further down here happened later.
        (INJECTIONS, _injection),
        (EVENTS, _event),
        (FINALIZATIONS, _finalization),
        (REQUESTS, _request),
    )
    found = [
        (made(row), place, -age)
        for place, (statement, made) in enumerate(sources)
        for age, row in enumerate(rows(connection, statement, {"most": most}))
    ]
    found.sort(key=lambda one: (one[0].at, one[1], one[2]), reverse=True)
    return [one for one, _, _ in found[:most]]


def _injection(row: dict[str, Any]) -> Activity:
    shown = [f"R{rule_id}" for rule_id in json.loads(row["shown"])]
    text = f"{row['moment']}: {_counted(shown, 'rule')} shown"
    return Activity(row["at"], ActivityType.CONTEXT_FETCHED, f"I{row['id']}", row["project"] or "", text)


def _finalization(row: dict[str, Any]) -> Activity:
    decided = _decoded(row["decisions"], [])
    counts: dict[str, int] = {}
    for one in decided:
        counts[str(one[0])] = counts.get(str(one[0]), 0) + 1
    came = ", ".join(f"{count} {action}" for action, count in counts.items())
    how = JUDGED.get(row["decision_source"], str(row["decision_source"]))
    only_skips = bool(decided) and counts.keys() <= {"skipped", "refused"}
    kind = ActivityType.CANDIDATE_SKIPPED if only_skips else ActivityType.TURN_FINALIZED
    return Activity(row["at"], kind, "", row["project"] or "", f"{how}: {came}" if came else how)


def _request(row: dict[str, Any]) -> Activity:
    came = f", answered with {row['decision']}" if row["decision"] else ""
    text = f"asked for a verdict: {str(row['status']).lower()}{came}"
    return Activity(row["at"], ActivityType.JUDGMENT_REQUESTED, f"J{row['id']}", row["project"] or "", text)


def _event(row: dict[str, Any]) -> Activity:
    details = _decoded(row["details"], {})
    kind, text = _meaning(str(row["kind"]), details if isinstance(details, dict) else {})
    by = f" by {row['actor']}" if row["actor"] else ""
    return Activity(row["at"], kind, str(row["subject"]), row["project"] or "", text + by)


def _meaning(kind: str, details: dict[str, Any]) -> tuple[ActivityType, str]:
    """What a row of the ledger says happened, and in which words."""
    was, became = details.get("from"), details.get("to")
    if kind == "RuleCreated":
        waits = details.get("status") in WAITING
        return (
            (ActivityType.RULE_SUGGESTED, "waits for approval") if waits else (ActivityType.RULE_CAPTURED, "captured")
        )
    if was in WAITING and became in IN_FORCE:
        return ActivityType.SUGGESTION_REMEMBERED, "approved"
    if was in WAITING and became is not None and became not in WAITING:
        return ActivityType.SUGGESTION_IGNORED, f"rejected, now {became}"
    if became == "Archived" and kind == "RuleUpdated":
        return ActivityType.RULE_ARCHIVED, "archived"
    if kind == "RuleUpdated":
        return ActivityType.RULE_CHANGED, _change(details)
    found = KINDS.get(kind, ActivityType.UNKNOWN)
    text = f"{_in_words(kind)}{_told(details)}"
    return found, text


def _change(details: dict[str, Any]) -> str:
    if "to" in details:
        return f"{details.get('from')} to {details['to']}"
    if "change" in details:
        return str(details["change"])
    if "undone_to" in details:
        return f"undone to version {details['undone_to']}"
    if "supersedes" in details:
        return f"takes the place of R{details['supersedes']}"
    marks = [name if details[name] else f"no longer {name}" for name in ("pinned", "muted") if name in details]
    return ", ".join(marks) or "changed"


def _told(details: dict[str, Any]) -> str:
    """What a ledger row adds in its details, as far as it is worth a line."""
    if details.get("type") or details.get("status"):
        return f": {details.get('type') or details['status']}"
    if isinstance(details.get("by"), int):
        return f" by R{details['by']}"
    return f": {details['why']}" if details.get("why") else ""


def _in_words(kind: str) -> str:
    """`RuleReportedBad` as "reported bad"."""
    words = "".join(f" {one.lower()}" if one.isupper() else one for one in kind).split()
    return " ".join(words[1:] if words[:1] in (["rule"], ["rules"]) and len(words) > 1 else words)


def _counted(labels: list[str], noun: str) -> str:
    more = f" and {len(labels) - MOST_IDS} more" if len(labels) > MOST_IDS else ""
    return f"{len(labels)} {noun}{'' if len(labels) == 1 else 's'} ({' '.join(labels[:MOST_IDS])}{more})"


def _decoded(text: str, default: Any) -> Any:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return default
    return found if isinstance(found, type(default)) else default
