"""Starting the processor: whether work waits for it, and its start as a process that nobody waits for. Hot."""

from __future__ import annotations

import os
import sys

from agentrecall_domain.text.utc import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_storage.engine import sqlite

PROGRAM = "agentrecall"
OLD_S = 6 * 3600
"""Seconds after which a session that nobody ended is taken for over, as segmentation does."""

LIVE_LEASE = "SELECT 1 FROM leases WHERE name = 'process' AND expires_at > :now"
HOST_JUDGES = "SELECT 1 FROM config WHERE key = 'judge' AND value = 'host'"
# Turns of sessions that go on are few; the comparison with 0 has the engine seek and not scan.
OVER_TURNS = """
    SELECT 1
      FROM turns JOIN sessions ON sessions.id = turns.session_id
     WHERE turns.session_id > 0 AND turns.episode_id IS NULL
       AND (sessions.ended_at IS NOT NULL OR sessions.last_seen_at < :old)
     LIMIT 1
"""
CLOSED_EPISODES = """
    SELECT 1
      FROM episodes
     WHERE status = 'Closed'
       AND NOT EXISTS (SELECT 1 FROM distill_failures AS failed
                        WHERE failed.unit_kind = 'episode' AND failed.unit_id = episodes.id AND failed.retry_at > :now)
     LIMIT 1
"""
UNDISTILLED_ITEMS = """
    SELECT 1
      FROM raw_items
     WHERE id > 0 AND session_id IS NULL AND turn_id IS NULL AND distilled_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM distill_failures AS failed
                        WHERE failed.unit_kind = 'raw_item' AND failed.unit_id = raw_items.id
                          AND (failed.parked_at IS NOT NULL OR failed.retry_at > :now))
     LIMIT 1
"""


def work_waits(connection: sqlite.Connection, now: float) -> bool:
    """Whether the processor has something to do, and nobody is at it."""
    at = {"now": iso(now), "old": iso(now - OLD_S)}
    if connection.execute(LIVE_LEASE, at).fetchone():
        return False
    if connection.execute(OVER_TURNS, at).fetchone():
        return True
    if connection.execute(HOST_JUDGES).fetchone():
        return False
    found = connection.execute(CLOSED_EPISODES, at).fetchone() or connection.execute(UNDISTILLED_ITEMS, at).fetchone()
    return found is not None


def start_processor() -> int | None:
    """Start the command line installed beside this program, in a session of its own; gives its process id.

    None where it is not installed there, or this system starts no such process: whoever comes next does the work.
    """
    # Pathlib costs a fifth of a start.
    program = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), PROGRAM)  # noqa: PTH100, PTH118, PTH120
    if not os.access(program, os.X_OK) or not hasattr(os, "posix_spawn"):
        return None
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    arguments = [program, "process", "--once", "--detached"]
    try:
        return os.posix_spawn(program, arguments, os.environ, file_actions=nowhere, setsid=True)
    except (NotImplementedError, OSError):
        return None
