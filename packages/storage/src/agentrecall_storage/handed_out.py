"""Handed out: units that the host's agent has taken to distil, and until when they are its. Cold."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from agentrecall_domain.notes.unit import Unit, UnitKey
from agentrecall_domain.text.utc import stamp
from agentrecall_storage.episodes import EpisodeStore

HANDED_OUT_FOR = timedelta(minutes=15)
MOST_LOOKED_AT = 10_000_000

PROJECT = {
    "episode": "SELECT project_id FROM episodes WHERE id = ?",
    "raw_item": "SELECT project_id FROM raw_items WHERE id = ?",
}


class HandedOut(NamedTuple):
    """A unit and until when it is handed out."""

    unit: Unit
    until: datetime


class HandedOutStore:
    """The work of one memory that is handed out."""

    def __init__(self, episodes: EpisodeStore) -> None:
        self.episodes = episodes
        self.connection = episodes.connection

    def hand_out(self, project_id: int | None, *, everywhere: bool) -> HandedOut | None:
        """The unit of the project (*everywhere*: of any) that waits longest, which nobody else is given meanwhile."""
        now = self.episodes.now()
        with self.episodes.writing():
            waiting = self.episodes.pending_units(MOST_LOOKED_AT)
            key = next((one for one in waiting if everywhere or self._project_of(one) == project_id), None)
            if key is None:
                return None
            unit = self.episodes.unit(*key)
            until = now + HANDED_OUT_FOR
            self.connection.execute(
                "INSERT OR REPLACE INTO handed_out_units(unit_kind, unit_id, until) VALUES (?, ?, ?)",
                (key.kind, key.id, stamp(until)),
            )
        return HandedOut(unit, until)

    def _project_of(self, key: UnitKey) -> int | None:
        found = self.connection.execute(PROJECT[key.kind], (key.id,)).fetchone()
        return found[0] if found else None
