"""Making and upgrading the file. Cold.

A new file is built beside its place and linked there whole, so that nobody ever meets a half-made one. An upgrade takes
the write lock, makes a verified backup, and moves every pending migration or none.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from sqlite_utils import Database

from agentrecall_storage.engine import MEMORY_WAIT_MS, connect, is_safe, sqlite
from agentrecall_storage.home import BACKUPS, create_private, database_path, private_folder
from agentrecall_storage.migrations.schema import MIGRATIONS
from agentrecall_storage.schema_version import SCHEMA_VERSION, NewerMemoryError

# A network file system cannot share the memory-mapped index that WAL needs.
NETWORK_FILE_SYSTEMS = {"9p", "afpfs", "afs", "ceph", "cifs", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs", "vboxsf"}


class BackupError(Exception):
    """The backup that precedes an upgrade did not come out whole; nothing was changed."""


def create(home: str) -> None:
    """Make the memory at *home*, unless another process has just done so.

    Raises:
        OSError: The folder or the file cannot be made.
    """
    private_folder(home)
    target = database_path(home)
    unfinished = f"{target}.{os.getpid()}-{os.urandom(4).hex()}.new"
    os.close(create_private(unfinished))
    try:
        with contextlib.closing(connect(unfinished, MEMORY_WAIT_MS)) as connection:
            _apply(connection)
            connection.execute(f"PRAGMA journal_mode = {journal_for(target)}")
        # Unlike a rename, a link never takes the place of a memory that is already there.
        with contextlib.suppress(FileExistsError):
            os.link(unfinished, target)
    finally:
        for leftover in ("", "-wal", "-shm", "-journal"):
            Path(unfinished + leftover).unlink(missing_ok=True)


def upgrade(home: str, wait_ms: int) -> None:
    """Bring the file at *home* to `SCHEMA_VERSION`, after a verified backup of it.

    Raises:
        NewerMemoryError: The file is newer than this program.
        BackupError: No whole backup could be made.
        sqlite.Error: The lock was not to be had within *wait_ms*, or the file is damaged.
    """
    with contextlib.closing(connect(database_path(home), wait_ms)) as connection, immediate(connection):
        version = user_version(connection)
        if version > SCHEMA_VERSION:
            raise NewerMemoryError
        if version == SCHEMA_VERSION:
            return
        if version > 0:
            back_up(home, f"before-schema-{SCHEMA_VERSION}-from-{version}")
        _apply(connection)


def back_up(home: str, name: str) -> str:
    """Copy the database with the engine's own backup call, and verify the copy; gives its path.

    Raises:
        BackupError: The copy failed its integrity check; it is removed.
    """
    folder = private_folder(os.path.join(home, BACKUPS))  # noqa: PTH118 -- paths here are text, as in the hot modules
    target = Path(folder) / f"{name}.db"
    target.unlink(missing_ok=True)
    os.close(create_private(str(target)))
    with (
        contextlib.closing(connect(database_path(home), MEMORY_WAIT_MS)) as source,
        contextlib.closing(connect(str(target), MEMORY_WAIT_MS)) as copy,
    ):
        source.backup(copy)
        verdict = copy.execute("PRAGMA integrity_check").fetchone()[0]
    if verdict != "ok":
        target.unlink()
        raise BackupError(verdict)
    return str(target)


def user_version(connection: sqlite.Connection) -> int:
    """The schema version that the file itself states."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextlib.contextmanager
def immediate(connection: sqlite.Connection) -> Iterator[None]:
    """One writing transaction that takes its lock at the start, so that no read has to be promoted to a write."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def journal_for(path: str) -> str:
    """The journal mode for a file at *path*: `WAL` on a safe engine and a local file system, else `DELETE`."""
    return "WAL" if is_safe() and not on_network(path) else "DELETE"


def on_network(path: str, mounts: str = "/proc/self/mounts") -> bool:
    """Whether *path* lies on a network file system, as far as *mounts* tells (it does on Linux alone)."""
    try:
        lines = Path(mounts).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    real = os.path.realpath(path)
    best, kind = "", ""
    for line in lines:
        fields = line.split(" ")
        if len(fields) < 3:  # noqa: PLR2004 -- device, mount point, type
            continue
        point = fields[1].replace("\\040", " ")
        if len(point) >= len(best) and (real == point or real.startswith(point.rstrip("/") + "/")):
            best, kind = point, fields[2]
    return kind in NETWORK_FILE_SYSTEMS


def _apply(connection: sqlite.Connection) -> None:
    MIGRATIONS.apply(Database(connection))
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
