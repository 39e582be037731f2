"""Episode: the turns of one session that serve one matter, closed, and distilled as a whole. Cold."""

from __future__ import annotations

from typing import NewType

from pydantic import AwareDatetime, BaseModel, ConfigDict

from agentrecall_domain.notes.segmentation import Closed
from agentrecall_domain.notes.unit import UnitKey
from agentrecall_domain.rules.rule import Tolerant

EpisodeId = NewType("EpisodeId", int)


class EpisodeStatus(Tolerant):
    """Where an episode stands. While it is open it is no row yet: its turns wait."""

    CLOSED = "Closed"
    DISTILLED = "Distilled"
    PARKED = "Parked"
    UNKNOWN = "unknown"


class Episode(BaseModel):
    """A stored episode. *judge* is who distilled it, '' before."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: EpisodeId
    uid: str
    session_uid: str
    project_id: int | None = None
    status: EpisodeStatus
    closed_by: Closed
    judge: str = ""
    turns: int
    started_at: AwareDatetime
    ended_at: AwareDatetime
    closed_at: AwareDatetime
    distilled_at: AwareDatetime | None = None

    @property
    def label(self) -> str:
        """The episode as people write it, `E7`."""
        return UnitKey("episode", self.id).label
