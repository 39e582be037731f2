"""Rule outcomes that come with a verdict: how the rules that were shown in the turn fared, as the agent saw it. Cold.

Only a rule that was really shown can have fared: each outcome belongs to the injection that showed it, and is kept
once. Confidence is not moved here.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from agentrecall_domain.capture.finalized import Turn
from agentrecall_domain.capture.verdict import Refused, ReportedOutcome
from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.text.scrub import scrub

RECORDED, REFUSED = "recorded", "refused"


class OutcomeStore(Protocol):
    """The queries that reported outcomes need."""

    def find_rule(self, rule_id: int) -> Rule | None:
        """See `RuleStore`."""

    def find_showing(self, rule_id: int, injection_id: int | None, project_id: int) -> int | None:
        """See `JudgedTurnStore`."""

    def record_outcome(self, rule_id: int, injection_id: int, turn_id: int | None, kind: str, reason: str) -> None:
        """See `JudgedTurnStore`."""


class Told(NamedTuple):
    """What became of one reported outcome; a refused one says why."""

    outcome: str
    rule_id: int | None
    injection_id: int | None
    why: str


def report(store: OutcomeStore, reported: list[ReportedOutcome | Refused], turn: Turn, project_id: int) -> list[Told]:
    """Keep each outcome that belongs to an injection of this project; the same one again changes nothing."""
    return [_keep(store, one, turn, project_id) for one in reported]


def _keep(store: OutcomeStore, one: ReportedOutcome | Refused, turn: Turn, project_id: int) -> Told:
    if isinstance(one, Refused):
        return Told(REFUSED, None, None, one.why)
    if store.find_rule(one.rule_id) is None:
        return Told(REFUSED, one.rule_id, one.injection_id, f"there is no rule R{one.rule_id}")
    injection_id = store.find_showing(one.rule_id, one.injection_id, project_id)
    if injection_id is None:
        by = "in this project" if one.injection_id is None else f"by I{one.injection_id}"
        return Told(REFUSED, one.rule_id, one.injection_id, f"R{one.rule_id} was not shown {by}")
    store.record_outcome(one.rule_id, injection_id, turn.id, one.outcome.value, scrub(one.note))
    return Told(RECORDED, one.rule_id, injection_id, "")
