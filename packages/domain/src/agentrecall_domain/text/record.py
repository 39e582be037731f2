"""Record: the shape that stored entities other than rules share. Cold."""

from __future__ import annotations

from pydantic import AwareDatetime, BaseModel, ConfigDict


class Record(BaseModel):
    """One row of history: never changed in what it says; a column of a newer program is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int | None = None
    uid: str
    created_at: AwareDatetime
