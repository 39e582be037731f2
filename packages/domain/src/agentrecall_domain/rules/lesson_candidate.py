"""Lesson candidate: a proposed rule with the evidence for it; accepting it makes a rule. Cold."""

from __future__ import annotations

from pydantic import AwareDatetime, Field

from agentrecall_domain.rules.rule import CaptureReason, Category, Tolerant
from agentrecall_domain.text.record import Record


class LessonCandidateStatus(Tolerant):
    """What a person said of it."""

    SUGGESTED = "Suggested"
    ACCEPTED = "Accepted"
    REJECTED = "Rejected"
    UNKNOWN = "unknown"


class LessonCandidate(Record):
    """A lesson that repeated events, or a note, seem to teach."""

    title: str
    suggested_rule: str
    category: Category
    capture_reason: CaptureReason = CaptureReason.LESSON_MINED
    status: LessonCandidateStatus = LessonCandidateStatus.SUGGESTED
    occurrence_count: int = Field(default=1, ge=1)
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)
    project_id: int | None = None
    supporting_event_ids: tuple[int, ...] = ()
    normalized_key: str
    rejected_reason: str = ""
    last_seen_at: AwareDatetime
