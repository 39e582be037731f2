"""Recommendation: advice about the life of one rule, applied by a person alone. Cold."""

from __future__ import annotations

from pydantic import AwareDatetime, Field

from agentrecall_domain.rules.rule import Tolerant
from agentrecall_domain.text.record import Record


class RecommendationType(Tolerant):
    """What is advised."""

    PROMOTE = "Promote"
    ARCHIVE = "Archive"
    SUPERSEDE = "Supersede"
    REVIEW = "Review"
    LOWER_CONFIDENCE = "LowerConfidence"
    RAISE_CONFIDENCE = "RaiseConfidence"
    UNKNOWN = "unknown"


class RecommendationStatus(Tolerant):
    """What became of the advice."""

    SUGGESTED = "Suggested"
    ACCEPTED = "Accepted"
    REJECTED = "Rejected"
    APPLIED = "Applied"
    UNKNOWN = "unknown"


class Recommendation(Record):
    """One piece of advice; its signature is never proposed again once it was rejected."""

    rule_id: int
    target_rule_id: int | None = None
    type: RecommendationType
    reason: str = ""
    evidence: str = ""
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)
    signature: str
    status: RecommendationStatus = RecommendationStatus.SUGGESTED
    rejected_reason: str = ""
    updated_at: AwareDatetime
