"""The engine: the one place that picks the SQLite module and connects. Hot.

SQLite 3.7.0 to 3.51.2, save 3.44.6 and up and 3.50.7 and up in their lines, can lose committed data when a write
overlaps a checkpoint in WAL mode. A safe engine keeps the file in WAL; an affected one keeps the rollback journal.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3 as sqlite
else:
    try:
        import pysqlite3.dbapi2 as sqlite
    except ImportError:
        import sqlite3 as sqlite

__all__ = [
    "MEMORY_WAIT_MS",
    "UnsafeJournalError",
    "checkpoint",
    "connect",
    "is_safe",
    "resets_log_safely",
    "sqlite",
    "wait_at_most",
]

MEMORY_WAIT_MS = 30_000
"""Lock wait of everything that is no hook: the command line, the MCP server, background work."""

CHECKPOINT_ABOVE = 1024 * 1024
"""Bytes of write-ahead log: each MB of it costs the next hook half a millisecond at its open."""


class UnsafeJournalError(Exception):
    """The file is in WAL mode, this engine may lose data there, and the file cannot be converted now."""


def resets_log_safely(version: tuple[int, ...]) -> bool:
    """Whether SQLite *version* is free of the log-reset defect of WAL mode (fixed in 3.51.3, 3.50.7, 3.44.6)."""
    return (
        version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45) or version < (3, 7)
    )


def is_safe() -> bool:
    """Whether the engine of this process may use WAL mode."""
    return resets_log_safely(sqlite.sqlite_version_info)


def connect(path: str, wait_ms: int) -> sqlite.Connection:
    """Open the existing database at *path*; transactions are the caller's, automatic checkpoints are off.

    Never creates a file. *wait_ms* is how long a lock is waited for: a hook's remaining budget, or `MEMORY_WAIT_MS`.

    Raises:
        sqlite.Error: The file is missing, or is no database.
        UnsafeJournalError: See there.
    """
    quoted = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    connection = sqlite.connect(f"file:{quoted}?mode=rw", timeout=wait_ms / 1000, isolation_level=None, uri=True)
    try:
        # The last connection to close must not pay for the checkpoint in a hook.
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        # What a long reader made grow is cut when the log is next written from its beginning.
        connection.execute(f"PRAGMA journal_size_limit = {CHECKPOINT_ABOVE}")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if not is_safe():
            _leave_wal(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def wait_at_most(connection: sqlite.Connection, wait_ms: int) -> None:
    """Change how long *connection* waits for a lock: a hook's budget shrinks while it works."""
    connection.execute(f"PRAGMA busy_timeout = {int(wait_ms)}")


def checkpoint(connection: sqlite.Connection, path: str) -> None:
    """Copy the write-ahead log back into the database at *path* once it is over 1 MB, as far as readers allow."""
    try:
        size = os.stat(path + "-wal").st_size
    except OSError:
        return
    if size > CHECKPOINT_ABOVE:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def _leave_wal(connection: sqlite.Connection) -> None:
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        return
    try:
        mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
    except sqlite.OperationalError as error:
        raise UnsafeJournalError from error
    if mode != "delete":
        raise UnsafeJournalError
