"""Checks of the memory: what `doctor` asks of it, each a small function that looks and answers with a finding."""

from __future__ import annotations

import json
import os
import stat
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from agentrecall_admin.inspection import MOVE_AWAY, SALVAGE, SIDE_FILES, TABLES, Captures, Content, Units
from agentrecall_domain.turns.batch import Excluded
from agentrecall_storage.engine import resets_log_safely, sqlite
from agentrecall_storage.files import exclusions, log, spool
from agentrecall_storage.home import SPOOL
from agentrecall_storage.home import disabled as is_disabled
from agentrecall_storage.journal import journal_for, on_network
from agentrecall_storage.places import Places
from agentrecall_storage.schema_version import SCHEMA_VERSION

OWNER_ALONE = 0o700
OTHERS = 0o077
LARGE_LOG = 64 * 1024 * 1024
LONGEST_READ = 4 * 1024 * 1024
FRESH_DAYS = 7
"""A failure older than this is history, not a warning."""


class Level(StrEnum):
    """How bad a finding is; only a problem fails the command."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


class Finding(NamedTuple):
    """One check's answer: what was found, and what to do about it."""

    check: str
    level: Level
    found: str
    do: str = ""


# The home folder and the file


def home(folder: str, user_id: int | None) -> Finding:
    """Whether the home folder is there, its user's, and private."""
    try:
        status = Path(folder).stat()
    except FileNotFoundError:
        if Path(folder).is_symlink():
            return Finding("home", Level.PROBLEM, f"'{folder}' is a symbolic link to nothing", "remove the link")
        return Finding("home", Level.WARNING, f"'{folder}' is not there yet", "run 'agentrecall init'")
    except OSError as error:
        found = f"'{folder}' cannot be read: {reason(error)}"
        return Finding("home", Level.PROBLEM, found, "give yourself access to it, or set AGENTRECALL_HOME")
    if not stat.S_ISDIR(status.st_mode):
        return Finding("home", Level.PROBLEM, f"'{folder}' is no folder", "move it away, or set AGENTRECALL_HOME")
    return _home_access(folder, status, user_id)


def _home_access(folder: str, status: os.stat_result, user_id: int | None) -> Finding:
    mode = stat.S_IMODE(status.st_mode) & 0o777
    if user_id not in {None, status.st_uid}:
        found = f"'{folder}' belongs to another user (id {status.st_uid}, you are {user_id})"
        return Finding("home", Level.PROBLEM, found, "run as that user, or set AGENTRECALL_HOME to a folder of yours")
    if user_id is not None and mode != OWNER_ALONE:
        how = "open to other users" if mode & OTHERS else "closed to its own user"
        return Finding("home", Level.PROBLEM, f"'{folder}' is {how} (mode {mode:04o})", f"chmod 700 '{folder}'")
    if not os.access(folder, os.W_OK):
        return Finding("home", Level.PROBLEM, f"'{folder}' is read-only", "make it writable, or set AGENTRECALL_HOME")
    return Finding("home", Level.OK, f"'{folder}' is yours alone")


def access(path: str, user_id: int | None) -> Finding:
    """Whether the database and its side files are its user's, private, and writable."""
    real = os.path.realpath(path)
    sizes = []
    for file in (real, *(real + suffix for suffix in SIDE_FILES)):
        try:
            status = Path(file).stat(follow_symlinks=False)
        except FileNotFoundError:
            continue
        except OSError as error:
            found = f"'{file}' cannot be read: {reason(error)}"
            return Finding("access", Level.PROBLEM, found, "give yourself access to its folder")
        finding = _file_access(file, status, user_id)
        if finding is not None:
            return finding
        sizes.append((Path(file).name, status.st_size))
        if file.endswith("-wal") and status.st_size > LARGE_LOG:
            return Finding(
                "access",
                Level.WARNING,
                f"'{file}' has grown to {status.st_size:,} bytes",
                "run 'agentrecall status', which copies the log back",
            )
    listed = ", ".join(f"{name} ({size:,} bytes)" for name, size in sizes)
    if Path(path).is_symlink():
        found = f"'{path}' is a symbolic link to '{real}': {listed}"
        return Finding("access", Level.WARNING, found, "see that the folder there is yours alone, and backed up")
    return Finding("access", Level.OK, f"yours alone: {listed}")


def _file_access(file: str, status: os.stat_result, user_id: int | None) -> Finding | None:
    mode = stat.S_IMODE(status.st_mode)
    if user_id not in {None, status.st_uid}:
        found = f"'{file}' belongs to another user (id {status.st_uid}, you are {user_id})"
        return Finding("access", Level.PROBLEM, found, f"chown it to yourself: sudo chown {user_id} '{file}'")
    if not os.access(file, os.R_OK | os.W_OK):
        return Finding("access", Level.PROBLEM, f"'{file}' is not writable for you", f"chmod 600 '{file}'")
    # Less than a problem: the folder's own mode keeps others out.
    if user_id is not None and mode & OTHERS:
        return Finding("access", Level.WARNING, f"'{file}' has mode {mode:04o}", f"chmod 600 '{file}'")
    return None


def integrity(content: Content) -> Finding:
    """Whether the engine finds the database whole."""
    if content.faults:
        found = f"the database is damaged: {'; '.join(content.faults)}"
        return Finding("integrity", Level.PROBLEM, found, SALVAGE)
    return Finding("integrity", Level.OK, "the database is whole (quick check)")


def schema(content: Content) -> Finding:
    """Whether the file's schema is the one that this program reads and writes."""
    version, known = content.version, SCHEMA_VERSION
    if version > known:
        return Finding(
            "schema",
            Level.PROBLEM,
            f"the file is newer (schema {version}) than this program (schema {known})",
            "upgrade agentrecall, wherever its hooks are installed too",
        )
    if version == 0 and content.tables:
        return Finding("schema", Level.PROBLEM, "the file is another program's database", MOVE_AWAY)
    if version < known:
        return Finding(
            "schema",
            Level.WARNING,
            f"the file is older (schema {version}) than this program (schema {known})",
            "run 'agentrecall init': it makes a backup and upgrades the file",
        )
    missing = TABLES - content.tables
    if missing:
        return Finding("schema", Level.PROBLEM, f"tables are missing: {', '.join(sorted(missing))}", SALVAGE)
    return Finding("schema", Level.OK, f"schema {version}, as this program's")


def engine(version: tuple[int, ...], module: str) -> Finding:
    """Whether SQLite *version* is free of the log-reset defect."""
    found = f"{module}, SQLite {'.'.join(str(part) for part in version)}"
    if resets_log_safely(version):
        return Finding("engine", Level.OK, f"{found}, without the log-reset defect")
    return Finding(
        "engine",
        Level.WARNING,
        f"{found}, may lose data in WAL mode (log-reset defect), so the memory keeps the rollback journal",
        "nothing needs to be done; with SQLite 3.51.3 or newer the memory is faster",
    )


def journal(content: Content, path: str) -> Finding:
    """Whether the file's journal mode fits the engine and the file system."""
    if content.journal != "wal":
        return Finding("journal", Level.OK, "rollback journal, which is safe everywhere")
    if journal_for(path) == "WAL":
        return Finding("journal", Level.OK, "write-ahead log (WAL), which fits this engine and file system")
    if on_network(path):
        found = "write-ahead log (WAL) on a network file system, where it can damage the database"
        return Finding("journal", Level.PROBLEM, found, "move the home folder to a local disk; set AGENTRECALL_HOME")
    found = f"write-ahead log (WAL), in which SQLite {sqlite.sqlite_version} may lose data"
    return Finding("journal", Level.WARNING, found, "close what uses the memory, then 'agentrecall init' converts it")


def file_system(path: str) -> Finding:
    """Whether the memory lies on this machine."""
    if on_network(path):
        found = "the memory lies on a network file system: locks are unsure there"
        return Finding("file system", Level.WARNING, found, "set AGENTRECALL_HOME to a folder on a local disk")
    return Finding("file system", Level.OK, "local, as far as can be told")


# What capture left


def spooled(folder: str, now: datetime) -> Finding:
    """What waits in the spool, and what was set aside there."""
    root = Path(folder) / SPOOL
    try:
        waiting, aside = _times(root), _times(root / spool.ASIDE)
    except OSError as error:
        found = f"'{root}' cannot be read: {reason(error)}; what cannot be stored at once is lost"
        return Finding("spool", Level.PROBLEM, found, "move it away, or give yourself access to it")
    if aside:
        return Finding(
            "spool",
            Level.WARNING,
            f"{len(aside)} set aside (oldest: {_age(aside, now)}), which could not be stored; {len(waiting)} waiting",
            f"keep '{root / spool.ASIDE}' and report it; delete it when you do not miss what was captured",
        )
    if waiting:
        found = f"{len(waiting)} waiting (oldest: {_age(waiting, now)})"
        return Finding("spool", Level.WARNING, found, "nothing: the next captured turn stores them")
    return Finding("spool", Level.OK, "empty")


def _times(folder: Path) -> list[float]:
    try:
        with os.scandir(folder) as found:
            return [entry.stat(follow_symlinks=False).st_mtime for entry in found if entry.name.endswith(".json")]
    except FileNotFoundError:
        return []


def _age(times: list[float], now: datetime) -> str:
    hours = max(0, int((now.timestamp() - min(times)) // 3600))
    if hours == 0:
        return "less than an hour"
    return f"{hours} h" if hours < 48 else f"{hours // 24} days"  # noqa: PLR2004 -- two days read better in hours


def failures(folder: str, now: datetime) -> Finding:
    """What the hooks have logged."""
    path = log.path(folder)
    try:
        lines = _end_of(path)
    except FileNotFoundError:
        return Finding("log", Level.OK, "no hook has failed")
    except OSError as error:
        found = f"'{path}' cannot be read: {reason(error)}"
        return Finding("log", Level.PROBLEM, found, "move it away, or give yourself access to it")
    records = [_record(line) for line in lines if line.strip()]
    known = [record for record in records if record]
    found = f"{len(records)} failures"
    if len(known) < len(records):
        found += f" ({len(records) - len(known)} malformed lines)"
    if not known:
        return Finding("log", Level.WARNING if records else Level.OK, found, f"see '{path}'" if records else "")
    found += f", the last {_told(known[-1])}"
    if _is_fresh(known[-1].get("at"), now):
        return Finding("log", Level.WARNING, found, f"see '{path}'; no turn was held up by it")
    return Finding("log", Level.OK, f"{found}; none in the last {FRESH_DAYS} days")


def _end_of(path: str) -> list[bytes]:
    if not Path(path).is_file():
        Path(path).stat()
        raise OSError(0, "not a regular file")
    with Path(path).open("rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - LONGEST_READ))
        return file.read(LONGEST_READ).splitlines()


def _record(line: bytes) -> dict[str, object]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _told(record: dict[str, object]) -> str:
    told = f"at {record.get('at', 'an unknown time')}: {record.get('program', '?')} {record.get('error', '?')}"
    told += f" ({record['reason']})" if record.get("reason") else ""
    return told + (f" at '{record['doing']}'" if record.get("doing") else "")


def _is_fresh(at: object, now: datetime) -> bool:
    """Whether a failure is recent; one without a readable time counts as such."""
    try:
        then = datetime.fromisoformat(str(at))
        return (now - then).days < FRESH_DAYS
    except (ValueError, TypeError):
        return True


def capture(captures: Captures, *, is_wired: bool) -> Finding:
    """When something was last captured."""
    if captures.last_at:
        return Finding("capture", Level.OK, f"last at {captures.last_at}")
    if is_wired:
        found = "nothing was ever captured, though a host is wired"
        do = "end a turn in a new session and look again; a session that was open before the setup runs no hooks"
        return Finding("capture", Level.WARNING, found, do)
    return Finding("capture", Level.OK, "nothing captured yet")


def transcripts(captures: Captures) -> Finding:
    """Whether capture understood every line of the transcripts."""
    found = []
    if captures.unknown_kinds:
        kinds = ", ".join(f"{kind or '?'} ({count})" for kind, count in sorted(captures.unknown_kinds.items()))
        found.append(f"lines of unknown kinds: {kinds}")
    if captures.bad_lines:
        found.append(f"{captures.bad_lines} unreadable lines")
    if found:
        do = "upgrade agentrecall: a new version of the host may write new lines; what was understood is captured"
        return Finding("transcripts", Level.WARNING, "; ".join(found), do)
    return Finding("transcripts", Level.OK, "every line was understood")


def distilling(units: Units) -> Finding:
    """Whether what was captured becomes notes."""
    found = f"{units.waiting} units wait, last distilled at {units.last_at or 'no time yet'}"
    if units.parked:
        found = f"{units.parked} units are parked: they failed too often; {found}"
        do = "'agentrecall failures' says why; 'agentrecall process unpark --all' has them tried again"
        return Finding("distilling", Level.WARNING, found, do)
    if units.failing:
        found = f"{units.failing} units failed and are tried again; {found}"
        return Finding("distilling", Level.WARNING, found, "'agentrecall failures' says why")
    return Finding("distilling", Level.OK, found)


# What the user switched off


def excluded(folder: str) -> Finding:
    """How many exclusions there are, and whether they can be read."""
    try:
        count = len(exclusions.entries(folder))
    except exclusions.ExclusionsUnreadableError as error:
        return Finding("exclusions", Level.PROBLEM, str(error), "repair or remove that file")
    return Finding("exclusions", Level.OK, f"{count} excluded" if count else "nothing is excluded")


def current_folder(folder: str, cwd: str | None) -> Finding:
    """Whether the memory works in the current folder."""
    if cwd is None:
        return Finding("this folder", Level.WARNING, "the current folder is gone", "change to another")
    try:
        is_out = isinstance(Places(folder).project_at(cwd), Excluded)
    except exclusions.ExclusionsUnreadableError:
        is_out = True
    if is_out:
        do = "run 'agentrecall include .' if you want it remembered"
        return Finding("this folder", Level.WARNING, f"'{cwd}' is excluded from memory", do)
    return Finding("this folder", Level.OK, f"'{cwd}' is not excluded")


def switch() -> Finding:
    """Whether the hooks are switched off."""
    if is_disabled():
        found = "AGENTRECALL_DISABLED is set: no hook captures or recalls anything"
        return Finding("switch", Level.WARNING, found, "unset it when you want the memory to work")
    return Finding("switch", Level.OK, "the hooks are switched on")


def database(path: str) -> Finding:
    """The database is there and can be looked into."""
    return Finding("database", Level.OK, f"'{path}'")


def missing_database(path: str) -> Finding:
    """There is no database yet."""
    found = f"'{path}' is not there yet"
    return Finding("database", Level.WARNING, found, "run 'agentrecall init' or 'agentrecall quickstart'")


def reason(error: OSError) -> str:
    """What the system says went wrong, in lower case as all our messages."""
    return (error.strerror or str(error)).lower()
