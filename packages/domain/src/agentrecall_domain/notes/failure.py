"""Failure: a unit that could not be distilled, how often and why, and when it is tried again. Cold."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import AwareDatetime, BaseModel, ConfigDict

from agentrecall_domain.notes.unit import UnitKey, UnitKind

FAILURE_CAP = 5
"""So many errors of one class park a unit: config key `distill_failure_cap`."""
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=1)
LONGEST_ERROR = 500


class FailureClass(StrEnum):
    """Whose fault it is: the judge could not be asked, or what it said cannot be used."""

    INFRASTRUCTURE = "infrastructure"
    CONTENT = "content"


class DistillFailure(BaseModel):
    """What is kept of a unit that failed.

    The classes are counted apart: a network that is down says nothing of a text.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    unit_kind: UnitKind
    unit_id: int
    infrastructure_errors: int = 0
    content_errors: int = 0
    last_error: str
    retry_at: AwareDatetime | None = None
    parked_at: AwareDatetime | None = None
    created_at: AwareDatetime
    updated_at: AwareDatetime

    @property
    def key(self) -> UnitKey:
        """Which unit it is about."""
        return UnitKey(self.unit_kind, self.unit_id)

    def again(self, kind: FailureClass, error: str, now: datetime, cap: int) -> DistillFailure:
        """This failure after one more error: parked at the cap, else put off if the judge could not be asked."""
        infrastructure = self.infrastructure_errors + (kind is FailureClass.INFRASTRUCTURE)
        content = self.content_errors + (kind is FailureClass.CONTENT)
        is_parked = max(infrastructure, content) >= cap
        is_put_off = kind is FailureClass.INFRASTRUCTURE and not is_parked
        return self.model_copy(
            update={
                "infrastructure_errors": infrastructure,
                "content_errors": content,
                "last_error": error[:LONGEST_ERROR],
                "retry_at": now + wait_after(infrastructure) if is_put_off else None,
                "parked_at": (self.parked_at or now) if is_parked else None,
                "updated_at": now,
            }
        )


def wait_after(errors: int) -> timedelta:
    """How long nobody asks again after so many infrastructure errors: a minute, twice that, at most an hour."""
    return min(FIRST_WAIT * (1 << min(errors - 1, 10)), LONGEST_WAIT)
