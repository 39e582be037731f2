"""Co-retrieval: how often two notes were shown together at a prompt, counted by the processor. Cold.

A hook that finds one of them looks the others up; it never counts anything itself.
"""

from __future__ import annotations

from agentrecall_storage.engine import sqlite
from agentrecall_storage.ledger import writing

UPTO = "co_retrieval_upto"
"""The row of `config` that says which injections are counted."""
AT_ONCE = 2000
"""Injections of one transaction: no hook waits long for the lock."""

_COUNT = """
    INSERT INTO co_retrieval(note_id, other_id, times)
    SELECT one.memory_id, other.memory_id, count(*)
      FROM injections
      JOIN injection_items AS one ON one.injection_id = injections.id AND one.memory_kind = 'note'
      JOIN injection_items AS other ON other.injection_id = injections.id AND other.memory_kind = 'note'
     WHERE injections.id > :counted AND injections.id <= :upto AND injections.moment = 'prompt'
       AND other.memory_id <> one.memory_id
     GROUP BY one.memory_id, other.memory_id
        ON CONFLICT(note_id, other_id) DO UPDATE SET times = times + excluded.times
"""
_KEEP = """
    INSERT INTO config(key, value, updated_at) VALUES (:key, :upto, :at)
    ON CONFLICT(key) DO UPDATE SET value = :upto, updated_at = :at
"""


def count_shown_together(connection: sqlite.Connection, at: str) -> int:
    """Count the injections that came since the last time, each once; gives how many those are."""
    counted = 0
    while found := _count_some(connection, at):
        counted += found
    return counted


def _count_some(connection: sqlite.Connection, at: str) -> int:
    with writing(connection):
        row = connection.execute("SELECT value FROM config WHERE key = ?", (UPTO,)).fetchone()
        counted = int(row[0]) if row else 0
        newest = connection.execute("SELECT coalesce(max(id), 0) FROM injections").fetchone()[0]
        upto = min(counted + AT_ONCE, newest)
        if upto <= counted:
            return 0
        connection.execute(_COUNT, {"counted": counted, "upto": upto})
        # crash point: co-retrieval, counted and not kept
        connection.execute(_KEEP, {"key": UPTO, "upto": str(upto), "at": at})
    return int(upto - counted)
