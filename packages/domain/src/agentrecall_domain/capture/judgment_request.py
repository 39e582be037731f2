"""Judgment request: that the agent was asked for a verdict about a turn, and what came of it. Cold."""

from __future__ import annotations

from pydantic import AwareDatetime

from agentrecall_domain.rules.rule import Tolerant
from agentrecall_domain.text.record import Record


class JudgmentRequestStatus(Tolerant):
    """Whether the ask was answered."""

    OUTSTANDING = "Outstanding"
    RESOLVED = "Resolved"
    ABANDONED = "Abandoned"
    UNKNOWN = "unknown"


class JudgmentRequest(Record):
    """One ask; a turn has at most one."""

    turn_id: int
    status: JudgmentRequestStatus
    attempts: int = 1
    decision: str = ""
    finalization_id: int | None = None
    resolved_at: AwareDatetime | None = None
