"""Rule outcome: one thing that was seen of a shown rule, with the change of confidence that it is worth. Cold."""

from __future__ import annotations

from agentrecall_domain.rules.outcome import OutcomeType
from agentrecall_domain.text.record import Record


class RuleOutcome(Record):
    """A row of the evidence for or against a rule."""

    rule_id: int
    injection_id: int | None = None
    turn_id: int | None = None
    type: OutcomeType
    reason: str = ""
    confidence_delta: float = 0.0
