"""Opening the memory from a hook: one integer is checked, and only what differs costs more. Hot."""

from __future__ import annotations

import os

from agentrecall_storage.engine import connect
from agentrecall_storage.home import database_path
from agentrecall_storage.schema_version import SCHEMA_VERSION, NewerMemoryError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_storage.deadline import Deadline
    from agentrecall_storage.engine import sqlite

# A connection that nobody holds is closed, and the last to close copies the write-ahead log back. A hook ends without
# closing, so that the user does not wait for that.
_KEPT_OPEN: list[sqlite.Connection] = []


def open_hot(home: str, deadline: Deadline) -> sqlite.Connection:
    """Open the memory at *home*; makes it on the first run and upgrades an older one.

    A lock is waited for no longer than *deadline* leaves.

    Raises:
        NewerMemoryError: The file is newer than this program.
        sqlite.Error, OSError: It cannot be opened or made.
    """
    path = database_path(home)
    if not os.path.lexists(path):
        from agentrecall_storage.migrations.migrate import create  # noqa: PLC0415 -- the first run alone pays for it

        create(home)
    connection = connect(path, deadline.remaining_ms())
    try:
        if is_older(connection):
            from agentrecall_storage.migrations.migrate import upgrade  # noqa: PLC0415 -- once for each new version

            upgrade(home, deadline.remaining_ms())
    except BaseException:
        connection.close()
        raise
    _KEPT_OPEN.append(connection)
    return connection


def is_older(connection: sqlite.Connection) -> bool:
    """Whether the file awaits an upgrade.

    Raises:
        NewerMemoryError: It is newer than this program.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA_VERSION:
        raise NewerMemoryError
    return version < SCHEMA_VERSION
