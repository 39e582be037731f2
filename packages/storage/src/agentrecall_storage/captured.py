"""What was captured of one project: how much, and the newest of it. Cold."""

from __future__ import annotations

from typing import NamedTuple

from agentrecall_storage.engine import sqlite


class Amount(NamedTuple):
    """How much was captured."""

    sessions: int
    turns: int
    raw_items: int


class Said(NamedTuple):
    """One raw item: who said it, and what was kept of that."""

    role: str
    text: str


def amount(connection: sqlite.Connection, project_id: int) -> Amount:
    """How much the memory holds of a project."""
    row = connection.execute(
        """
        SELECT count(DISTINCT session_id),
               (SELECT count(*) FROM turns WHERE project_id = :project),
               count(*)
          FROM raw_items
         WHERE project_id = :project
        """,
        {"project": project_id},
    ).fetchone()
    return Amount(*map(int, row))


def newest_said(connection: sqlite.Connection, project_id: int, most: int) -> list[Said]:
    """At most so many raw items of a project, those captured last, in the order in which they were said."""
    rows = connection.execute(
        "SELECT role, text FROM raw_items WHERE project_id = ? ORDER BY id DESC LIMIT ?", (project_id, most)
    ).fetchall()
    return [Said(str(role), str(text)) for role, text in reversed(rows)]
