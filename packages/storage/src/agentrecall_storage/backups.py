"""Backups: verified copies of the database, and putting one back. Cold."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from agentrecall_storage.engine import MEMORY_WAIT_MS, connect, sqlite
from agentrecall_storage.home import BACKUPS, create_private, database_path, private_folder, sync_folder
from agentrecall_storage.schema_version import SCHEMA_VERSION, BackupError, NewerMemoryError

SIDE_FILES = ("-wal", "-shm", "-journal")
LOCKED = {5, 6}
"""The engine's codes SQLITE_BUSY and SQLITE_LOCKED."""


class LiveMemoryError(Exception):
    """There is a memory in the place where a backup would go, and nobody said that it may be replaced."""


def back_up(home: str, name: str, wait_ms: int = MEMORY_WAIT_MS) -> str:
    """Copy the database into the backups folder as `<name>.db`; gives the copy's path. See `copy_to`.

    An earlier copy of that name stays until the new one is whole.
    """
    folder = private_folder(str(Path(home) / BACKUPS))
    return _copy(database_path(home), Path(folder) / f"{name}.db", wait_ms)


def copy_to(database: str, target: Path) -> str:
    """Copy *database* to the new file *target* with the engine's own backup call, and verify the copy.

    Raises:
        FileExistsError: *target* is there already.
        BackupError: The copy failed its integrity check.
        sqlite.Error, OSError: It could not be made. Whatever fails, nothing is left at *target*.
    """
    if target.exists() or target.is_symlink():
        raise FileExistsError(str(target))
    return _copy(database, target, MEMORY_WAIT_MS)


def restore(home: str, backup: Path, *, replace: bool, stamp: str) -> str | None:
    """Make *backup* the memory at *home*; gives the path that the memory before it is kept at, None without one.

    A live memory is overwritten inside one transaction of the engine, so that programs that have it open see the old
    one or the new one. A damaged one, which the engine cannot open, is moved into the backups whole.

    Raises:
        BackupError: *backup* is damaged, or no memory of ours.
        NewerMemoryError: *backup* was written by a newer program.
        LiveMemoryError: There is a memory, and *replace* is not set.
        sqlite.Error, OSError: It could not be done; the memory is as it was.
    """
    _check_backup(backup)
    live = Path(database_path(home))
    if not os.path.lexists(live):
        private_folder(home)
        copy_to(str(backup), live)
        return None
    if not replace:
        raise LiveMemoryError
    try:
        kept = back_up(home, _free_name(home, f"replaced-{stamp}"))
    except (BackupError, sqlite.DatabaseError) as error:
        # Busy, a full disk, a lost permission: that is an OperationalError, and the memory is not to blame.
        if isinstance(error, sqlite.OperationalError) and live.is_file():
            raise
        return _replace_damaged(home, backup, live, stamp)
    with (
        contextlib.closing(connect(str(backup), MEMORY_WAIT_MS)) as source,
        contextlib.closing(connect(str(live), MEMORY_WAIT_MS)) as target,
    ):
        # crash point: restore, kept and nothing changed
        _fill(target, source)
        # crash point: restore, the connections open
    # crash point: restore, done
    return kept


def _fill(target: sqlite.Connection, source: sqlite.Connection) -> None:
    """Copy every page of *source*; waits for a lock as long as the connections do, where the call alone never ends."""

    def give_up(status: int, _remaining: int, _total: int) -> None:
        if status in LOCKED:
            raise sqlite.OperationalError("database is locked")

    source.backup(target, progress=give_up)


def check_whole(connection: sqlite.Connection) -> None:
    """Let the engine check every page.

    Raises:
        BackupError: One is damaged.
    """
    verdict = connection.execute("PRAGMA integrity_check").fetchone()[0]
    if verdict != "ok":
        raise BackupError(verdict)


def _copy(database: str, target: Path, wait_ms: int) -> str:
    unfinished = target.with_name(f"{target.name}.{os.urandom(4).hex()}.part")
    os.close(create_private(str(unfinished)))
    # crash point: backup, an empty file
    try:
        with (
            contextlib.closing(connect(database, wait_ms)) as source,
            contextlib.closing(connect(str(unfinished), wait_ms)) as copy,
        ):
            _fill(copy, source)
            # crash point: backup, copied and not checked
            check_whole(copy)
        # crash point: backup, before the rename
        unfinished.rename(target)
        # crash point: backup, after the rename
        sync_folder(str(target.parent))
    finally:
        for end in ("", *SIDE_FILES):
            Path(f"{unfinished}{end}").unlink(missing_ok=True)
    return str(target)


def _check_backup(backup: Path) -> None:
    try:
        with contextlib.closing(connect(str(backup), MEMORY_WAIT_MS)) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            ours = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'raw_items'").fetchone()
            check_whole(connection)
    except sqlite.Error as error:
        raise BackupError(str(error)) from error
    if version > SCHEMA_VERSION:
        raise NewerMemoryError
    if version < 1 or ours is None:
        raise BackupError("it holds no memory")


def _free_name(home: str, name: str) -> str:
    """*name*, or one like it that no backup has: a restore made again must not take what the first one kept."""
    number, free = 1, name
    while os.path.lexists(Path(home) / BACKUPS / f"{free}.db"):
        number += 1
        free = f"{name}-{number}"
    return free


def _replace_damaged(home: str, backup: Path, live: Path, stamp: str) -> str:
    folder = Path(private_folder(str(Path(home) / BACKUPS)))
    kept = folder / f"damaged-{stamp}.db"
    # Made first: on a full disk nothing has been moved.
    fresh = folder / f"{_free_name(home, f'restored-{stamp}')}.db"
    copy_to(str(backup), fresh)
    # The side files first: left beside the new file, the engine would take them for its own.
    for end in (*SIDE_FILES, ""):
        if os.path.lexists(f"{live}{end}"):
            Path(f"{live}{end}").rename(f"{kept}{end}")
            # crash point: restore, a file of the damaged memory moved
    # crash point: restore, the damaged memory moved
    fresh.rename(live)
    sync_folder(home)
    return str(kept)
