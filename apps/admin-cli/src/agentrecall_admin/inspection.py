"""Inspection: what stands in the database's place and what it holds, found out without changing a byte of it."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from agentrecall_admin.console import now
from agentrecall_storage.engine import sqlite
from agentrecall_storage.memory import Memory
from agentrecall_storage.schema_version import SCHEMA_VERSION

MAGIC = b"SQLite format 3\0"
HEADER_SIZE = 100
LOG_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
LOCK_WAIT_S = 1.0
MOST_FAULTS = 5
SIDE_FILES = ("-wal", "-shm", "-journal")
TABLES = frozenset({"projects", "sessions", "turns", "transcripts", "raw_items", "rules", "injections", "config"})
"""What a memory of any version has: without these, it is some other program's file."""
NOTE_TABLES = frozenset({"episodes", "notes", "distill_failures"})
"""What a memory has besides, since it holds notes."""

MOVE_AWAY = (
    "move it and its side files (-wal, -shm, -journal) to another place: the next start makes a new memory and stores "
    "what waits in the spool"
)
SALVAGE = f"copy the home folder first, it may be repairable; put a file from 'backups' in its place, or {MOVE_AWAY}"


class ObstacleError(Exception):
    """The file cannot be looked into. *passes*: nothing is broken, it goes by itself."""

    def __init__(self, found: str, do: str, *, passes: bool = False) -> None:
        super().__init__(found)
        self.found = found
        self.do = do
        self.passes = passes


class Captures(NamedTuple):
    """What capture has left in the database."""

    last_at: str | None
    bad_lines: int
    unknown_kinds: dict[str, int]


class Units(NamedTuple):
    """What there is to distil, and how that goes."""

    waiting: int
    failing: int
    parked: int
    last_at: str | None


class Content(NamedTuple):
    """What the file holds; *journal* is 'wal' or 'delete'. *captures* and *units* are None if unreadable."""

    journal: str
    version: int
    tables: frozenset[str]
    faults: list[str]
    captures: Captures | None
    units: Units | None = None


class _Header(NamedTuple):
    journal: str
    expected_size: int


def look(path: str) -> Content:
    """Look into the database at *path*.

    Raises:
        FileNotFoundError: Nothing is there.
        ObstacleError: Something is, but it cannot be looked into.
    """
    header = _read_header(path)
    # SQLite keeps the side files beside the file that a link leads to.
    real = os.path.realpath(path)
    for _ in range(2):
        uri = _uri(real, header)
        content = _read(real, uri, header.journal)
        # A log that came up meanwhile: another program is writing, and the file alone may have been seen half way.
        if "immutable" not in uri or _size(real + "-wal") == 0:
            break
    return content


def _read_header(path: str) -> _Header:
    data, size = _start_of(path)
    if size == 0:
        raise ObstacleError("is empty", MOVE_AWAY)
    if not data.strip(b"\0"):
        raise ObstacleError("begins with zero bytes only: it was overwritten, or a crash emptied it", SALVAGE)
    if not data.startswith(MAGIC):
        raise ObstacleError("is no SQLite database", MOVE_AWAY)
    if len(data) < HEADER_SIZE:
        raise ObstacleError(f"is cut off after {size:,} bytes", SALVAGE)
    header = _parse(data)
    if header is None:
        raise ObstacleError("has a corrupt header", SALVAGE)
    # What is still in the log may well lie behind the end of the file.
    if size < header.expected_size and _size(os.path.realpath(path) + "-wal") == 0:
        raise ObstacleError(f"is cut off: {size:,} of {header.expected_size:,} bytes are there", SALVAGE)
    return header


def _start_of(path: str) -> tuple[bytes, int]:
    """The first bytes of a regular file and its size; whatever else stands there is an obstacle."""
    is_link = stat.S_ISLNK(_status(path, follow=False).st_mode)
    try:
        kind = _status(path, follow=True).st_mode
    except FileNotFoundError:
        target = Path(path).readlink()
        raise ObstacleError(
            f"is a symbolic link to '{target}', which is not there", "remove the link, or put its target back"
        ) from None
    if stat.S_ISDIR(kind):
        raise ObstacleError("is a folder" + (" behind a symbolic link" if is_link else ""), MOVE_AWAY)
    if not stat.S_ISREG(kind):
        raise ObstacleError("is no regular file (a pipe, a socket or a device)", MOVE_AWAY)
    try:
        with Path(path).open("rb") as file:
            return file.read(HEADER_SIZE), os.fstat(file.fileno()).st_size
    except OSError as error:
        raise _unreachable(error) from error


def _status(path: str, *, follow: bool) -> os.stat_result:
    try:
        return Path(path).stat(follow_symlinks=follow)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _unreachable(error) from error


def _unreachable(error: OSError) -> ObstacleError:
    return ObstacleError(
        f"cannot be read: {(error.strerror or str(error)).lower()}", "give yourself access to it and to its folder"
    )


def _parse(data: bytes) -> _Header | None:
    page_size = int.from_bytes(data[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    versions = data[18], data[19]
    is_page_size = 512 <= page_size <= 65536 and page_size & (page_size - 1) == 0  # noqa: PLR2004 -- SQLite's limits
    if not is_page_size or not set(versions) <= {1, 2}:
        return None
    # The count of pages holds only when it was written together with the change counter.
    pages = int.from_bytes(data[28:32], "big") if data[24:28] == data[92:96] else 1
    return _Header("wal" if versions[1] == 2 else "delete", pages * page_size)  # noqa: PLR2004 -- 2 says WAL


def _uri(path: str, header: _Header) -> str:
    """The way to open *path* that reads all that was committed and leaves no side file behind.

    Read-only is not enough: SQLite makes a log and its index for a WAL file that has none, and updates an index that
    is there. With an empty log the file alone is the whole database; `immutable` reads just that.
    """
    uri = f"file:{quote(os.fsencode(path))}?mode=ro"
    if _size(path + "-wal"):
        _check_log(path + "-wal")
        if os.path.lexists(path + "-shm"):
            return uri + "&readonly_shm=1"
        # The index of a left-over log has to be made, with the mode of the file.
        if stat.S_IMODE(Path(path).stat().st_mode) & 0o077:
            raise ObstacleError(
                "was not looked into: its log has lost its index, which others could read as they can the file",
                f"chmod 600 '{path}', then run doctor again",
            )
        return uri
    if _is_unfinished(path + "-journal") or (header.journal == "delete" and not os.path.lexists(path + "-wal")):
        return uri
    return uri + "&immutable=1"


def _check_log(path: str) -> None:
    # Without its magic number SQLite would pass over the log in silence, or try for ten seconds to make sense of it.
    try:
        with Path(path).open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise _unreachable(error) from error
    if magic not in LOG_MAGIC:
        raise ObstacleError("has a write-ahead log (-wal) that is damaged", SALVAGE)


def _is_unfinished(journal: str) -> bool:
    """Whether a rollback journal may hold a write to be undone: a finished one is gone, empty, or starts with 0."""
    try:
        if not Path(journal).is_file():
            return False
        with Path(journal).open("rb") as file:
            return file.read(1) not in {b"", b"\0"}
    except OSError:
        return True


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _read(path: str, uri: str, journal: str) -> Content:
    try:
        with closing(sqlite.connect(uri, uri=True, timeout=LOCK_WAIT_S, isolation_level=None)) as connection:
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            tables = frozenset(
                str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            )
            faults = _faults(connection)
            is_readable = not faults and version <= SCHEMA_VERSION and tables >= TABLES
            captures = _captures(connection) if is_readable else None
            units = _units(connection) if is_readable and tables >= NOTE_TABLES else None
            return Content(journal, version, tables, faults, captures, units)
    except sqlite.Error as error:
        raise _obstacle(path, error) from error


def _faults(connection: sqlite.Connection) -> list[str]:
    try:
        rows = [str(row) for (row,) in connection.execute(f"PRAGMA quick_check({MOST_FAULTS})")]
    except sqlite.DatabaseError as error:
        if _name_of(error) not in {"SQLITE_CORRUPT", "SQLITE_ERROR"}:
            raise
        return [str(error)]
    return [] if rows == ["ok"] else rows


def _captures(connection: sqlite.Connection) -> Captures:
    memory = Memory(connection, "", now)
    damage = memory.transcript_damage()
    return Captures(memory.last_captured_at(), damage["bad_lines"], damage["unknown_kinds"])


def _units(connection: sqlite.Connection) -> Units:
    memory = Memory(connection, "", now)
    waiting, failures = memory.episodes.waiting(), memory.distill_failures.list()
    parked = sum(failure.parked_at is not None for failure in failures)
    last_at = memory.episodes.last_distilled_at()
    return Units(waiting["episodes"] + waiting["raw_items"], len(failures) - parked, parked, last_at)


def _obstacle(path: str, error: sqlite.Error) -> ObstacleError:
    match _name_of(error):
        case "SQLITE_READONLY" if _is_unfinished(path + "-journal"):
            return ObstacleError(
                "has a left-over rollback journal: a write was cut off half way",
                "keep the journal beside it; 'agentrecall status', or the next hook, undoes the half write",
                passes=True,
            )
        case "SQLITE_BUSY" | "SQLITE_LOCKED":
            return ObstacleError(
                "is locked by another program", "run doctor again; if it stays so, end that program", passes=True
            )
        case "SQLITE_PROTOCOL":
            return ObstacleError(
                "has a write-ahead log (-wal) that cannot be read: damaged, or just being replaced",
                f"run doctor again; if it stays so: {SALVAGE}",
            )
        case "SQLITE_NOTADB":
            return ObstacleError("has a corrupt header", SALVAGE)
        case "SQLITE_CORRUPT":
            return ObstacleError(f"is damaged: {error}", SALVAGE)
        case _:
            return ObstacleError(f"cannot be opened: {error}", "give yourself access to it and to its side files")


def _name_of(error: sqlite.Error) -> str:
    """SQLite's name of the error, without what extends it: SQLITE_BUSY for SQLITE_BUSY_RECOVERY."""
    return "_".join(str(getattr(error, "sqlite_errorname", "")).split("_")[:2])
