"""Gate rejections: what was kept out, by which rule, and from where: nothing is dropped silently. Cold."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from typing import Any

from agentrecall_domain.notes.unit import UnitKey
from agentrecall_domain.text.scrub import scrub, scrub_up_to
from agentrecall_domain.text.utc import stamp
from agentrecall_storage.engine import sqlite
from agentrecall_storage.rows import insert, rows

LONGEST_TEXT = 500


class GateRejectionStore:
    """The rejections of one memory. *now* is the clock, aware and in UTC."""

    def __init__(self, connection: sqlite.Connection, now: Callable[[], datetime]) -> None:
        self.connection = connection
        self.now = now

    def record(
        self, *, stage: str, rule: str, detail: str, text: str, unit: UnitKey | None, project_id: int | None, judge: str
    ) -> int:
        """Keep that *text* failed *rule*, inside the transaction that is open; gives the row's id."""
        row = {
            "uid": os.urandom(16).hex(),
            "stage": stage,
            "rule": rule,
            "detail": scrub_up_to(detail, LONGEST_TEXT),
            "unit_kind": unit.kind if unit else "",
            "unit_id": unit.id if unit else None,
            "project_id": project_id,
            "judge": scrub(judge),
            "text": scrub_up_to(text, LONGEST_TEXT),
            "created_at": stamp(self.now()),
        }
        return insert(self.connection, "gate_rejections", row)

    def list(
        self, *, project_id: int | None, everywhere: bool, stage: str = "", limit: int | None = None
    ) -> list[dict[str, Any]]:
        """What was kept out of the project's memory (*everywhere*: of all projects), newest first."""
        conditions = ["1"]
        values: Any = []
        if not everywhere:
            conditions.append("(project_id IS NULL OR project_id = ?)")
            values.append(project_id)
        if stage:
            conditions.append("stage = ?")
            values.append(stage)
        where = " AND ".join(conditions)
        return rows(
            self.connection,
            f"SELECT * FROM gate_rejections WHERE {where} ORDER BY id DESC LIMIT ?",  # noqa: S608 -- conditions of this method
            [*values, -1 if limit is None else limit],
        )
