"""Unit: what is distilled as a whole, a closed episode or one raw item that belongs to no session. Cold."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict

UnitKind = Literal["episode", "raw_item"]


class UnitKey(NamedTuple):
    """Which unit is meant."""

    kind: UnitKind
    id: int

    @property
    def label(self) -> str:
        """The unit as people write it: `E7` for an episode, `T78` for a raw item."""
        return f"{'E' if self.kind == 'episode' else 'T'}{self.id}"


def key_of(label: str) -> UnitKey | None:
    """The unit that people mean by *label*, in either case; None when that is none."""
    found = re.fullmatch(r"([ET])([0-9]{1,18})", label.strip().upper(), re.ASCII)
    return UnitKey("episode" if found[1] == "E" else "raw_item", int(found[2])) if found else None


class Spoken(BaseModel):
    """One raw item of a unit, in the order in which it was said. *origin* is whose words it is."""

    model_config = ConfigDict(frozen=True)

    raw_item_id: int
    turn_id: int | None = None
    kind: str = "turn"
    role: str
    origin: str
    prompt_source: str = ""
    text: str
    said_at: AwareDatetime


class Unit(BaseModel):
    """One piece of distilling work."""

    model_config = ConfigDict(frozen=True)

    kind: UnitKind
    id: int
    source: str
    project_id: int | None = None
    project: str = ""
    spans: tuple[Spoken, ...]

    @property
    def key(self) -> UnitKey:
        """Which unit this is."""
        return UnitKey(self.kind, self.id)

    @property
    def label(self) -> str:
        """The unit as people write it."""
        return self.key.label
