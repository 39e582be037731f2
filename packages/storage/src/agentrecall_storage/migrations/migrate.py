"""Making and upgrading the file. Cold.

A new file is built beside its place and linked there whole, so that nobody ever meets a half-made one. An upgrade takes
the write lock, makes a verified backup, and moves every pending migration or none.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from sqlite_utils import Database

from agentrecall_domain.text.tokenizer import TOKENIZER_VERSION
from agentrecall_storage.backups import SIDE_FILES, back_up
from agentrecall_storage.engine import MEMORY_WAIT_MS, connect, is_safe, sqlite
from agentrecall_storage.home import create_private, database_path, private_folder, sync_folder
from agentrecall_storage.hot import Transaction
from agentrecall_storage.migrations.schema import MIGRATIONS
from agentrecall_storage.opening import is_older
from agentrecall_storage.schema_version import SCHEMA_VERSION

# A network file system cannot share the memory-mapped index that WAL needs.
NETWORK_FILE_SYSTEMS = {"9p", "afpfs", "afs", "ceph", "cifs", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs", "vboxsf"}


def create(home: str) -> None:
    """Make the memory at *home*, unless another process has just done so.

    Raises:
        OSError: The folder or the file cannot be made.
    """
    private_folder(home)
    target = database_path(home)
    unfinished = f"{target}.{os.getpid()}-{os.urandom(4).hex()}.new"
    os.close(create_private(unfinished))
    # crash point: create, an empty file
    try:
        with contextlib.closing(connect(unfinished, MEMORY_WAIT_MS)) as connection:
            _apply(connection)
            # What wrote the terms columns: with another version of it they are to be written anew.
            connection.execute(
                "INSERT INTO config(key, value, updated_at) VALUES ('tokenizer_version', ?, datetime('now'))",
                (str(TOKENIZER_VERSION),),
            )
            # crash point: create, the journal not chosen
            connection.execute(f"PRAGMA journal_mode = {journal_for(target)}")
        # crash point: create, built and not in its place
        _put_in_place(unfinished, target)
        # crash point: create, in its place
        sync_folder(home)
    finally:
        for leftover in ("", *SIDE_FILES):
            Path(unfinished + leftover).unlink(missing_ok=True)


def upgrade(home: str, wait_ms: int) -> None:
    """Bring the file at *home* to `SCHEMA_VERSION`, after a verified backup of it.

    Raises:
        NewerMemoryError: The file is newer than this program.
        BackupError: No whole backup could be made.
        sqlite.Error: The lock was not to be had within *wait_ms*, or the file is damaged.
    """
    with contextlib.closing(connect(database_path(home), wait_ms)) as connection, Transaction(connection):
        # Another process may have been faster.
        if not is_older(connection):
            return
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            back_up(home, f"before-schema-{SCHEMA_VERSION}-from-{version}", wait_ms)
        # crash point: upgrade, backed up and nothing changed
        _apply(connection)
        # crash point: upgrade, before the commit
    # crash point: upgrade, done


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


def _put_in_place(unfinished: str, target: str) -> None:
    # Unlike a rename, a link never takes the place of a memory that is already there.
    try:
        os.link(unfinished, target)
    except FileExistsError:
        return
    except OSError:
        # A file system without hard links.
        if os.path.lexists(target):
            return
        Path(unfinished).rename(target)


def _apply(connection: sqlite.Connection) -> None:
    MIGRATIONS.apply(Database(connection))
    # crash point: schema, applied and not stamped
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
