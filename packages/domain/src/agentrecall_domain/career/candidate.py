"""Career candidate: work of a turn that may matter for a promotion, as the opt-in detector saw it. Cold."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from agentrecall_domain.rules.rule import Tolerant
from agentrecall_domain.text.record import Record


class ImpactCategory(Tolerant):
    """The kinds of impact."""

    TECHNICAL_IMPACT = "TechnicalImpact"
    BUSINESS_IMPACT = "BusinessImpact"
    USER_IMPACT = "UserImpact"
    CROSS_TEAM_IMPACT = "CrossTeamImpact"
    LONG_TERM_LEVERAGE = "LongTermLeverage"
    RELIABILITY = "Reliability"
    SECURITY = "Security"
    PERFORMANCE = "Performance"
    DEVELOPER_PRODUCTIVITY = "DeveloperProductivity"
    COST = "Cost"
    LEADERSHIP = "Leadership"
    DOCUMENTATION = "Documentation"
    ARCHITECTURE = "Architecture"
    INCIDENT_RESPONSE = "IncidentResponse"
    PROCESS_IMPROVEMENT = "ProcessImprovement"
    PROMOTION_EVIDENCE = "PromotionEvidence"
    UNKNOWN = "unknown"


class CareerStatus(Tolerant):
    """What the person did with it."""

    OPEN = "Open"
    DISMISSED = "Dismissed"
    JOURNALED = "Journaled"
    UNKNOWN = "unknown"


class CareerCandidate(Record):
    """One turn's impact; *detail* holds its lists and the decision record that it may deserve."""

    turn_id: int | None = None
    is_significant: bool = False
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)
    worthiness: int = Field(default=0, ge=0, le=10)
    categories: tuple[ImpactCategory, ...] = ()
    detail: dict[str, Any] = Field(default_factory=dict)
    status: CareerStatus = CareerStatus.OPEN
