"""Searching raw items: read from the newest on and compared by letters, for a person who waits. Cold.

No index holds what raw items say: it would double what the memory takes, cost each Stop hook a part of its second, and
have to forget what is forgotten. `notes` are what is found by index.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from agentrecall_domain.notes.raw_words import holds
from agentrecall_storage.engine import sqlite
from agentrecall_storage.rows import rows

NEWEST = """
    SELECT id, text FROM raw_items
     WHERE (:everywhere OR project_id IS NULL OR project_id = :project_id)
     ORDER BY id DESC
"""
RAW_ITEM = """
    SELECT raw_items.id, raw_items.source, raw_items.kind, raw_items.project_id, raw_items.role, raw_items.origin,
           raw_items.text, raw_items.said_at, raw_items.captured_at, sessions.uid AS session_uid, turns.episode_id
      FROM raw_items
      LEFT JOIN sessions ON sessions.id = raw_items.session_id
      LEFT JOIN turns ON turns.id = raw_items.turn_id
     WHERE raw_items.id = ?
"""


class Searched(NamedTuple):
    """The raw items that were found, newest first, and how many were looked at; *is_whole*: no older one is left."""

    found: list[dict[str, Any]]
    looked_at: int
    is_whole: bool


def search_raw_items(
    connection: sqlite.Connection,
    words: tuple[str, ...],
    *,
    project_id: int | None,
    everywhere: bool,
    most: int,
    is_over: Callable[[], bool] = lambda: False,
) -> Searched:
    """At most so many raw items that hold all of *words*, of the project and of none (*everywhere*: of all)."""
    ids: list[int] = []
    looked_at, is_whole = 0, True
    for raw_item_id, text in connection.execute(NEWEST, {"project_id": project_id, "everywhere": everywhere}):
        if len(ids) == most or is_over():
            is_whole = False
            break
        looked_at += 1
        if words and holds(text, words):
            ids.append(raw_item_id)
    return Searched([found for one in ids if (found := find_raw_item(connection, one))], looked_at, is_whole)


def find_raw_item(connection: sqlite.Connection, raw_item_id: int) -> dict[str, Any] | None:
    """The raw item with its session and its episode, or None."""
    return next(iter(rows(connection, RAW_ITEM, [raw_item_id])), None)
