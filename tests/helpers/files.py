"""What lies in a memory's home, seen from outside our code: bytes, rows and the engine's own header."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from agentrecall_storage.engine import sqlite

ROLLBACK, WAL = 1, 2
"""How a database file's header names its journal mode."""


def database(home: Path) -> Path:
    """The one file."""
    return home / "agentrecall.db"


def rows(home: Path, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Ask the file itself; no file has no rows."""
    if not database(home).is_file():
        return []
    with closing(sqlite.connect(database(home))) as connection:
        return list(connection.execute(statement, values))


def said(home: Path) -> list[tuple[str, str]]:
    """Who said what, as captured: in the order of the rows."""
    return [(role, text) for role, text in rows(home, "SELECT role, text FROM raw_items ORDER BY id")]


def texts(home: Path) -> list[str]:
    """What was captured, in the order of the rows."""
    return [text for _, text in said(home)]


@contextmanager
def locked(home: Path, kind: str = "IMMEDIATE") -> Iterator[None]:
    """While this lasts, nobody else writes."""
    with closing(sqlite.connect(database(home), isolation_level=None)) as holder:
        holder.execute(f"BEGIN {kind}")
        yield
        holder.execute("ROLLBACK")


def settle(home: Path) -> None:
    """Bring everything into the one file: no write-ahead log is left beside it."""
    with closing(sqlite.connect(database(home))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def journal(home: Path) -> int:
    """The journal mode that the file itself states."""
    return int(database(home).read_bytes()[18])


def stated_version(home: Path) -> int:
    """The schema version in the header of a settled file."""
    (version,) = struct.unpack(">i", database(home).read_bytes()[60:64])
    return int(version)


def spooled(home: Path) -> list[Path]:
    """The entries that wait in the spool, oldest first."""
    return sorted((home / "spool").glob("*.json"))


def log_lines(home: Path) -> list[dict[str, str]]:
    """What the hooks logged."""
    path = home / "logs" / "hooks.jsonl"
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def everything(folder: Path) -> dict[str, bytes]:
    """Every file below *folder* with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
