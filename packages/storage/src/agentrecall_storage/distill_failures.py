"""Distill failures: units that could not be distilled, counted by class, parked at a cap, and taken up again. Cold."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

from agentrecall_domain.notes.failure import DistillFailure, FailureClass
from agentrecall_domain.notes.unit import UnitKey
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.text.utc import stamp
from agentrecall_storage import ledger
from agentrecall_storage.episodes import EpisodeStore
from agentrecall_storage.rows import rows

FAILURES = "SELECT * FROM distill_failures"
UPSERT = """
    INSERT INTO distill_failures(uid, unit_kind, unit_id, infrastructure_errors, content_errors, last_error, retry_at,
                                 parked_at, created_at, updated_at)
    VALUES (:uid, :unit_kind, :unit_id, :infrastructure_errors, :content_errors, :last_error, :retry_at, :parked_at,
            :created_at, :updated_at)
    ON CONFLICT(unit_kind, unit_id) DO UPDATE SET
        infrastructure_errors = :infrastructure_errors, content_errors = :content_errors, last_error = :last_error,
        retry_at = :retry_at, parked_at = :parked_at, updated_at = :updated_at
"""
Failures: TypeAlias = list[DistillFailure]

TIMES = ("retry_at", "parked_at", "created_at", "updated_at")


class DistillFailureStore:
    """The failures of one memory's units."""

    def __init__(self, episodes: EpisodeStore) -> None:
        self.episodes = episodes
        self.connection = episodes.connection
        self.now = episodes.now

    def find(self, key: UnitKey) -> DistillFailure | None:
        """What is known of the unit's failures, or None."""
        found = self._failures("WHERE unit_kind = ? AND unit_id = ?", [key.kind, key.id])
        return found[0] if found else None

    def record(self, key: UnitKey, kind: FailureClass, error: str, cap: int) -> DistillFailure | None:
        """Count one more error of the unit, which is parked at the cap; None when it is no longer waiting."""
        now = self.now()
        with self.episodes.writing():
            if not self.episodes.is_waiting(key):
                return None
            before = self.find(key) or DistillFailure(
                unit_kind=key.kind, unit_id=key.id, last_error="", created_at=now, updated_at=now
            )
            failure = before.again(kind, scrub(error), now, cap)
            self._store(failure)
            # crash point: failure, counted and not parked
            if failure.parked_at is not None:
                self.episodes.set_parked(key, parked=True)
                self._tell("UnitParked", key, "process", {"errors": cap, "class": kind})
        return failure

    def unpark(self, key: UnitKey, actor: str) -> bool:
        """Try the unit again, as if it had never failed; False when it is not parked."""
        with self.episodes.writing():
            failure = self.find(key)
            if failure is None or failure.parked_at is None:
                return False
            self.clear(key)
            # crash point: unpark, cleared and not waiting
            self.episodes.set_parked(key, parked=False)
            self._tell("UnitUnparked", key, actor, {"error": failure.last_error})
        return True

    def clear(self, key: UnitKey) -> None:
        """The unit has no failures any more."""
        self.connection.execute("DELETE FROM distill_failures WHERE unit_kind = ? AND unit_id = ?", (key.kind, key.id))

    def _store(self, failure: DistillFailure) -> None:
        row: dict[str, Any] = {**failure.model_dump(), "uid": os.urandom(16).hex()}
        times = {name: stamp(row[name]) if row[name] else None for name in TIMES}
        self.connection.execute(UPSERT, row | times)

    def _failures(self, which: str, values: Any) -> Failures:
        return [DistillFailure(**row) for row in rows(self.connection, f"{FAILURES} {which}", values)]

    def _tell(self, kind: str, key: UnitKey, actor: str, details: dict[str, Any]) -> None:
        at = stamp(self.now())
        ledger.record_event(self.connection, kind, key.label, at=at, actor=actor, details=details)

    # The last: below it, `list` is no longer the built-in one.

    def list(self, *, parked: bool | None = None) -> Failures:
        """Every unit that failed and was not distilled since, the newest failure first; or those parked, or not."""
        which = {None: "", True: "WHERE parked_at IS NOT NULL", False: "WHERE parked_at IS NULL"}[parked]
        return self._failures(f"{which} ORDER BY updated_at DESC, id DESC", [])
