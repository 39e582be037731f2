"""Review items: pairs of rules that a person should settle, beside the rules that wait. Cold, but cheap to import."""

from __future__ import annotations

import os
from typing import Any

from agentrecall_storage.rows import insert, rows, update
from agentrecall_storage.rule_versions import RuleVersionStore

OPEN = "Open"
ACCEPTED = "Accepted"
REJECTED = "Rejected"


class ReviewStore(RuleVersionStore):
    """The rules of one memory with what waits for a person's word."""

    def flag(self, kind: str, rule_id: int, other_id: int, why: str) -> int:
        """Ask a person whether rule *rule_id* takes the place of *other_id*; *kind* is `supersede` or `refine`."""
        with self.writing():
            item_id = insert(
                self.connection,
                "review_items",
                {
                    "uid": os.urandom(16).hex(),
                    "kind": kind,
                    "rule_id": rule_id,
                    "other_id": other_id,
                    "why": why,
                    "status": OPEN,
                    "created_at": self._stamp(),
                },
            )
            # crash point: flag, without its ledger row
            self.record_event("ReviewAsked", rule_id, "memory", {"kind": kind, "other": other_id, "why": why})
        return item_id

    def open_flags(self, rule_id: int | None = None) -> list[dict[str, Any]]:
        """The pairs that wait, oldest first; with *rule_id* those of the newer rule of a pair alone."""
        which = "" if rule_id is None else "AND rule_id = :rule"
        return rows(
            self.connection,
            f"SELECT id, kind, rule_id, other_id, why FROM review_items WHERE status = :open {which} ORDER BY id",  # noqa: S608 -- a condition of this method
            {"open": OPEN, "rule": rule_id},
        )

    def settle(self, item_id: int, status: str) -> None:
        """Close a pair as `ACCEPTED` or `REJECTED`; only a person does."""
        (pair,) = rows(self.connection, "SELECT rule_id, other_id FROM review_items WHERE id = ?", [item_id])
        with self.writing():
            update(self.connection, "review_items", item_id, {"status": status, "resolved_at": self._stamp()})
            # crash point: settle, closed and not in the ledger
            self.record_event("ReviewSettled", pair["rule_id"], "person", {"other": pair["other_id"], "status": status})
