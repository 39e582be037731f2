"""Deliveries: raw items that no hook brought, stored one at a time, each once. Cold."""

from __future__ import annotations

from typing import NamedTuple

from agentrecall_domain.text.utc import stamp
from agentrecall_domain.turns.delivery import Delivery
from agentrecall_domain.turns.identity import digest
from agentrecall_storage.memory import Memory
from agentrecall_storage.rows import insert

STAGE = "capture"


class Kept(NamedTuple):
    """What became of a delivery: its raw item, None when nothing was left to store, and whether it was known."""

    raw_item_id: int | None
    duplicate: bool


class DeliveryStore:
    """Stores what is handed in."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def keep(self, delivery: Delivery, project_id: int | None) -> Kept:
        """Store *delivery* with what was left out of it: both, or neither. A known one changes nothing."""
        connection = self.memory.connection
        with self.memory.hot.transaction():
            known = connection.execute("SELECT id FROM raw_items WHERE dedup_key = ?", (delivery.dedup_key,)).fetchone()
            if known:
                return Kept(int(known[0]), duplicate=True)
            for piece in delivery.dropped:
                self.memory.gate_rejections.record(
                    stage=STAGE,
                    rule=piece.rule,
                    detail=f"said by {delivery.origin}",
                    text=piece.text,
                    unit=None,
                    project_id=project_id,
                    judge="",
                )
            if not delivery.text:
                return Kept(None, duplicate=False)
            return Kept(insert(connection, "raw_items", self._row(delivery, project_id)), duplicate=False)

    def _row(self, delivery: Delivery, project_id: int | None) -> dict[str, object]:
        now = stamp(self.memory.now())
        return {
            "uid": digest("raw_item", delivery.dedup_key),
            "dedup_key": delivery.dedup_key,
            "source": delivery.source.value,
            "kind": delivery.kind.value,
            "project_id": project_id,
            "role": delivery.role,
            "origin": delivery.origin,
            "prompt_source": "",
            "text": delivery.text,
            "said_at": now,
            "captured_at": now,
        }
