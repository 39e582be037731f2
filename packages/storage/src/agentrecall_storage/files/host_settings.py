"""Host settings on disk: wired and unwired in one step each, with a record that can undo it byte for byte.

The record keeps a copy of the settings as they were, which may hold secrets: it lies in AgentRecall's
home and only its owner can read it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from enum import StrEnum
from typing import BinaryIO, NamedTuple

from agentrecall_domain.hosts import claude_settings
from agentrecall_domain.hosts.claude_settings import Programs, UnreadableSettingsError
from agentrecall_storage.home import create_private, private_folder

_NEW_FILE_MODE = 0o644


class HostSettingsError(Exception):
    """A settings file, or its install record, could not be read or written."""


class Outcome(StrEnum):
    """What an uninstall found to do."""

    NOTHING = "nothing"
    RESTORED = "restored"
    DELETED = "deleted"
    UNWIRED = "unwired"


class Change(NamedTuple):
    """A settings file as it is (None: not there) and as it is to be."""

    path: str
    before: bytes | None
    after: bytes

    @property
    def is_needed(self) -> bool:
        """Whether the two differ."""
        return self.before != self.after


class Removal(NamedTuple):
    """What an uninstall did, and to which file."""

    path: str
    outcome: Outcome


class _Record(NamedTuple):
    """What was there before the first install, and what it takes to know our own work again."""

    settings_path: str
    installed_at: str
    before: bytes | None
    after_digest: str
    made_folders: tuple[str, ...]


def planned(settings_path: str, programs: Programs) -> Change:
    """What `install` would do, without doing it.

    Raises:
        HostSettingsError: The file cannot be read.
        UnreadableSettingsError: Claude Code would not read it either.
    """
    path = _real_path(settings_path)
    before = _content(path)
    return Change(path, before, claude_settings.wired(_text(before or b""), programs).encode())


def install(settings_path: str, home: str, programs: Programs, at: datetime) -> Change:
    """Wire our hooks into the settings, and record how to undo it.

    The record is on disk before the settings are touched: whenever we are stopped, an uninstall knows the way back.

    Raises:
        HostSettingsError: The file or the record cannot be read or written.
        UnreadableSettingsError: Claude Code would not read the settings either.
    """
    change = planned(settings_path, programs)
    if not change.is_needed:
        return change
    record_path = _record_path(home, change.path)
    known = _find_record(record_path)
    with _failing_as("write", change.path):
        _refuse_read_only(change.path)
        made = _make_folders(os.path.dirname(change.path))
    try:
        record = _Record(change.path, at.isoformat(), _before(change, known), _digest(change.after), _made(known, made))
        _apply(change, record_path, record, known)
    except HostSettingsError:
        _drop_folders(made)
        raise
    return change


def remove(settings_path: str, home: str) -> Removal:
    """Take our hooks out of the settings: back to the bytes of before, or, after other edits, our entries alone.

    Raises:
        HostSettingsError: The file cannot be read or written.
        UnreadableSettingsError: The file was edited since and Claude Code would not read it either.
    """
    path = _real_path(settings_path)
    record_path = _record_path(home, path)
    record = _find_record(record_path)
    current = _content(path)
    outcome = Outcome.NOTHING
    if current is not None:
        after = _after_removal(current, record)
        if after != current:
            outcome = _put_back(path, current, after, record)
    if record is not None:
        _drop_folders(record.made_folders)
        _delete_record(record_path)
    return Removal(path, outcome)


def _after_removal(current: bytes, record: _Record | None) -> bytes | None:
    """What the file should hold, None when it should not be there."""
    if record is not None and _digest(current) == record.after_digest:
        return record.before
    bare = claude_settings.unwired(_text(current))
    if record is not None and record.before is None and claude_settings.is_empty(bare):
        return None
    return bare.encode()


def _put_back(path: str, current: bytes, after: bytes | None, record: _Record | None) -> Outcome:
    with _failing_as("write", path):
        _refuse_read_only(path)
        if after is None:
            _refuse_if_changed(path, current)
            os.unlink(path)
            return Outcome.DELETED
        with _staged(path, after) as staged:
            _refuse_if_changed(path, current)
            _move(staged, path)
    return Outcome.RESTORED if record is not None and after == record.before else Outcome.UNWIRED


def _apply(change: Change, record_path: str, record: _Record, known: _Record | None) -> None:
    with _failing_as("write", change.path), _staged(change.path, change.after) as staged:
        _write_record(record_path, record)
        try:
            _refuse_if_changed(change.path, change.before)
            _move(staged, change.path)
        except (OSError, HostSettingsError):
            if known is None:
                _delete_record(record_path)
            else:
                _write_record(record_path, known)
            raise


def _before(change: Change, known: _Record | None) -> bytes | None:
    """The bytes that an uninstall should bring back: never any that hold our own hooks."""
    if change.before is None:
        return None
    if known is not None and _digest(change.before) == known.after_digest:
        return known.before
    text = _text(change.before)
    if not claude_settings.wiring(text):
        return change.before
    bare = claude_settings.unwired(text)
    if known is not None and known.before is None and claude_settings.is_empty(bare):
        return None
    return bare.encode()


def _made(known: _Record | None, made: tuple[str, ...]) -> tuple[str, ...]:
    earlier = known.made_folders if known is not None else ()
    return (*(folder for folder in earlier if folder not in made), *made)


# The settings file


def _real_path(path: str) -> str:
    # A link stays a link: what is written, and remembered, is the file that it names.
    return os.path.realpath(path)


def _content(path: str) -> bytes | None:
    with _failing_as("read", path):
        try:
            with open(path, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        raise UnreadableSettingsError(f"line {line}, column {column}: not UTF-8") from error


def _refuse_read_only(path: str) -> None:
    # To put a new file in its place would work in a writable folder, but is not what its owner meant.
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise HostSettingsError(f"cannot write '{path}': it is read-only; make it writable and run this again")


def _refuse_if_changed(path: str, expected: bytes | None) -> None:
    if _content(path) != expected:
        raise HostSettingsError(f"cannot write '{path}': it was changed by someone else just now; run this again")


def _make_folders(folder: str) -> tuple[str, ...]:
    """Make *folder*; the ones that were missing, outermost first."""
    missing: list[str] = []
    while not os.path.lexists(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    made: list[str] = []
    try:
        for path in missing:
            os.mkdir(path, 0o755)
            made.append(path)
    except OSError:
        _drop_folders(tuple(made))
        raise
    return tuple(made)


def _drop_folders(folders: tuple[str, ...]) -> None:
    with suppress(OSError):  # someone put a file of theirs in it: it stays
        for folder in reversed(folders):
            os.rmdir(folder)


@contextmanager
def _staged(path: str, content: bytes) -> Iterator[str]:
    """A complete file beside *path*, safe on disk; gone at the end unless it was moved into place."""
    folder, name = os.path.split(path)
    staged = os.path.join(folder, f".{name}.{secrets.token_hex(4)}")
    # Not tempfile: it makes every file private, and a new settings file should follow the umask.
    descriptor = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _NEW_FILE_MODE)
    try:
        with open(descriptor, "wb") as file:
            _write_through(file, content)
        _take_after(staged, path)
        yield staged
    finally:
        with suppress(FileNotFoundError):
            os.unlink(staged)


def _write_through(file: BinaryIO, content: bytes) -> None:
    file.write(content)
    file.flush()
    os.fsync(file.fileno())


def _take_after(staged: str, path: str) -> None:
    """Give *staged* the mode and, where we may, the owner of *path*."""
    try:
        old = os.stat(path)
    except FileNotFoundError:
        return
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(staged, old.st_uid, old.st_gid)
    os.chmod(staged, stat.S_IMODE(old.st_mode))


def _move(staged: str, path: str) -> None:
    os.replace(staged, path)
    if os.name == "posix":
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def _failing_as(what: str, path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise HostSettingsError(
            f"cannot {what} '{path}': {reason}; check the file and its folder, then run this again"
        ) from error


# The install record


def _record_path(home: str, path: str) -> str:
    return os.path.join(home, "installs", hashlib.sha256(os.fsencode(path)).hexdigest()[:32] + ".json")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _find_record(path: str) -> _Record | None:
    """The record at *path*; a damaged one counts as none, since our entries can be told without it."""
    content = _content(path)
    if content is None:
        return None
    try:
        stored = json.loads(content)
        before = stored["before"]
        return _Record(
            settings_path=str(stored["settings_path"]),
            installed_at=str(stored["installed_at"]),
            before=None if before is None else base64.b64decode(before, validate=True),
            after_digest=str(stored["after_digest"]),
            made_folders=tuple(str(folder) for folder in stored["made_folders"]),
        )
    except (ValueError, TypeError, KeyError):
        return None


def _write_record(path: str, record: _Record) -> None:
    before = None if record.before is None else base64.b64encode(record.before).decode()
    content = json.dumps({"host": "claude-code", **record._asdict(), "before": before}, indent=2).encode()
    with _failing_as("write", path):
        folder = os.path.dirname(path)
        private_folder(os.path.dirname(folder))
        private_folder(folder)
        staged = f"{path}.{secrets.token_hex(4)}"
        try:
            with open(create_private(staged), "wb") as file:
                _write_through(file, content)
            _move(staged, path)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(staged)


def _delete_record(path: str) -> None:
    with _failing_as("delete", path):
        with suppress(FileNotFoundError):
            os.unlink(path)
        with suppress(OSError):  # other installs are recorded there
            os.rmdir(os.path.dirname(path))
