"""Exclusions: the projects and folders AgentRecall keeps out of. Light: the standard library only.

They live in a small file beside the database, so that a hook obeys before it opens anything, even when the
database is locked or broken. Off means off: a file that cannot be read or understood excludes everything.
"""

from __future__ import annotations

import json
import os

from agentrecall_domain.turns.project import COMMON_DIR, NAME, PATH, REMOTE, ROOT_COMMIT, Alias
from agentrecall_storage.files.git import Place, as_text, locate, path_below, real_path

FILE_NAME = "exclusions.json"
FOLDER = "folder"

_KINDS = (NAME, REMOTE, COMMON_DIR, ROOT_COMMIT, PATH, FOLDER)


class ExclusionsUnreadableError(Exception):
    """The file is there but cannot be read or understood, so everything is excluded until it is repaired."""


class Exclusion:
    """One thing kept out: an alias of a project, or a folder with all below it."""

    __slots__ = ("at", "kind", "label", "value")

    def __init__(self, kind: str, value: str, label: str, at: str) -> None:
        self.kind = kind
        self.value = value
        self.label = label
        self.at = at

    def __repr__(self) -> str:
        return f"Exclusion({self.kind!r}, {self.value!r}, {self.label!r}, {self.at!r})"

    def as_dict(self) -> dict[str, str]:
        """Give it as the file and `--json` spell it."""
        return {"kind": self.kind, "value": self.value, "label": self.label, "at": self.at}

    def covers(self, place: Place, cwd: str) -> bool:
        """Whether it keeps us out of *place*, entered at *cwd*."""
        if self.kind != FOLDER:
            return Alias(self.kind, self.value) in place.aliases
        spellings = (os.path.normpath(cwd), real_path(cwd))
        return any(path_below(self.value, as_text(spelling)) is not None for spelling in spellings)


def is_excluded(home: str, place: Place, cwd: str) -> bool:
    """Whether to keep out of *place*. Costs one look at the disk where nothing was ever excluded.

    Never raises: what cannot be read or understood counts as excluded.
    """
    try:
        return any(entry.covers(place, cwd) for entry in entries(home))
    except ExclusionsUnreadableError:
        return True


def entries(home: str) -> list[Exclusion]:
    """List all exclusions, oldest first; none when the file is missing.

    Raises:
        ExclusionsUnreadableError: The file cannot be read, or holds what we would not write.
    """
    path = os.path.join(home, FILE_NAME)
    try:
        # Not `stat`: a symlink whose target is gone once led to exclusions, and is not "none".
        os.lstat(path)
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    try:
        return [_entry(item) for item in _items(path)]
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(path, error) from error


def exclude(home: str, target: Place | str, label: str, at: str) -> list[Exclusion]:
    """Keep out of a project, or of a folder and all below it, and return what was added.

    A path counts as its project when it is the top of a worktree. Excluding twice adds nothing.

    Raises:
        ExclusionsUnreadableError: The file is there but cannot be read; it is left as it is.
        OSError: It cannot be written.
    """
    kept = entries(home)
    known = {(entry.kind, entry.value) for entry in kept}
    added = [
        Exclusion(alias.kind, alias.value, label, at)
        for alias in _strongest(target)
        if (alias.kind, alias.value) not in known
    ]
    if added:
        _write(home, kept + added)
    return added


def include(home: str, target: Place | str) -> list[Exclusion]:
    """Drop whatever keeps us out of a project or path, and return it.

    That may be a folder far above, and then more is let in than was asked for: show what is returned.

    Raises:
        ExclusionsUnreadableError: The file is there but cannot be read; it is left as it is.
        OSError: It cannot be written.
    """
    place = locate(target) if isinstance(target, str) else target
    cwd = target if isinstance(target, str) else place.cwd
    kept: list[Exclusion] = []
    removed: list[Exclusion] = []
    for entry in entries(home):
        (removed if entry.covers(place, cwd) else kept).append(entry)
    if removed:
        _write(home, kept)
    return removed


def _strongest(target: Place | str) -> list[Alias]:
    """Choose the aliases that reach all of a project, or the one folder there is to name."""
    place = locate(target) if isinstance(target, str) else target
    is_top = not isinstance(target, str) or real_path(target) == place.root
    if place.is_repository and is_top:
        return [alias for alias in place.aliases if alias.kind in (REMOTE, COMMON_DIR)]
    return [Alias(FOLDER, as_text(place.cwd))]


def _items(path: str) -> list[object]:
    if not os.path.isfile(path):  # a pipe would keep a hook waiting
        raise ValueError("not a plain file")
    with open(path, "rb") as file:
        items = json.loads(file.read())
    if not isinstance(items, list):
        raise ValueError("not a list")  # noqa: TRY004 -- bad data in a file, not a caller's mistake
    return items


def _entry(item: object) -> Exclusion:
    if not isinstance(item, dict):
        raise ValueError("an entry is not an object")  # noqa: TRY004 -- bad data in a file
    kind, value = item.get("kind"), item.get("value")
    # A kind we never heard of may well mean this very project, so here the unknown is wrong.
    if kind not in _KINDS or not isinstance(value, str) or not value:
        raise ValueError("an entry names nothing we know")
    return Exclusion(kind, value, str(item.get("label", "")), str(item.get("at", "")))


def _unreadable(path: str, error: Exception) -> ExclusionsUnreadableError:
    return ExclusionsUnreadableError(
        f"cannot read '{as_text(path)}': {error}; everything is excluded until it is repaired or removed"
    )


def _write(home: str, kept: list[Exclusion]) -> None:
    """Put the whole file in place at once, readable by its owner alone whatever the umask."""
    _make_folder(home)
    path = os.path.join(home, FILE_NAME)
    draft = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    text = json.dumps([entry.as_dict() for entry in kept], indent=1) + "\n"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "wb") as file:
            os.chmod(draft, 0o600)
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        # crash point: exclusion, before the replace
        os.replace(draft, path)
        # crash point: exclusion, in force
    except BaseException:
        os.unlink(draft)
        raise


def _make_folder(path: str) -> None:
    """Make a folder and what is missing above it, each for its owner alone."""
    if not path or os.path.isdir(path):
        return
    _make_folder(os.path.dirname(path.rstrip(os.sep)))
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:  # somebody else was quicker, or it is no folder, which the write will say
        return
