"""Making and upgrading the file. Cold.

A new file is built beside its place and linked there whole, so that nobody ever meets a half-made one. An upgrade takes
the write lock, makes a verified backup, and moves every pending migration or none.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from sqlite_utils import Database

from agentrecall_storage.backups import SIDE_FILES, back_up
from agentrecall_storage.concepts import ConceptIndex
from agentrecall_storage.engine import MEMORY_WAIT_MS, connect, sqlite
from agentrecall_storage.home import create_private, database_path, private_folder, sync_folder
from agentrecall_storage.hot import Transaction
from agentrecall_storage.indexing import KEY, version
from agentrecall_storage.journal import journal_for
from agentrecall_storage.migrations.schema import MIGRATIONS
from agentrecall_storage.opening import is_older
from agentrecall_storage.schema_version import SCHEMA_VERSION


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
                "INSERT INTO config(key, value, updated_at) VALUES (?, ?, datetime('now'))", (KEY, _index_version(home))
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
        if version and not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'rules'").fetchone():
            raise sqlite.DatabaseError("it is a database of another program")
        if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            back_up(home, f"before-schema-{SCHEMA_VERSION}-from-{version}", wait_ms)
        # crash point: upgrade, backed up and nothing changed
        _apply(connection)
        # crash point: upgrade, before the commit
    # crash point: upgrade, done


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


def _index_version(home: str) -> str:
    concepts = ConceptIndex(home)
    try:
        return version(concepts)
    finally:
        concepts.close()
