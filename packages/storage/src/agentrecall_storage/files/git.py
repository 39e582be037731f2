"""Place: where in the world of repositories a folder is. Light: the standard library only, no process started.

Read from disk alone: `GIT_*` variables, includes and `insteadOf` are ignored, so that hooks, which inherit
another environment than the terminal, see the same project as the command line does.
"""

from __future__ import annotations

import os

from agentrecall_domain.turns.project import COMMON_DIR, PATH, REMOTE, Alias, normalise_remote, project_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Real configs are a few kilobytes; a hook does not read more than this of anything.
READ_LIMIT = 256 * 1024

_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


class Place:
    """The worktree a folder belongs to, or the folder itself, and the aliases its project answers to.

    Attributes:
        root: The top folder of the worktree; without a repository, the folder asked about. Symlinks resolved.
        aliases: Strongest first: remote, common dir, path. Always text that UTF-8 can encode.
        name: What people call the project.
        cwd: The folder asked about, symlinks resolved.
    """

    __slots__ = ("aliases", "cwd", "name", "root")

    def __init__(self, root: str, aliases: list[Alias], cwd: str | None = None) -> None:
        self.root = root
        self.aliases = aliases
        self.name = as_text(project_name(aliases, root))
        self.cwd = root if cwd is None else cwd

    @property
    def is_repository(self) -> bool:
        """Whether there is a repository here at all."""
        return any(alias.kind == COMMON_DIR for alias in self.aliases)

    def relative(self, path: str) -> str | None:
        """Give *path* as seen from the root, with `/`, or None when it is outside.

        A relative path is one from the folder asked about. A symlink inside the root counts as inside
        wherever it leads, and so does a path that reaches the root through a symlink.
        """
        given = os.path.normpath(os.path.join(self.cwd, path))
        found = path_below(self.root, given)
        if found is None:
            folder, name = os.path.split(given)
            found = path_below(self.root, os.path.join(real_path(folder), name))
        if found is None:
            found = path_below(self.root, real_path(given))
        return None if found is None else as_text(found.replace(os.sep, "/"))


def locate(cwd: str) -> Place:
    """Find the place of *cwd*, which need not exist. Never raises: an unreadable or odd `.git` is as good as none.

    Any folder without a repository gets a path alias, the home folder and `/` too: whether
    those deserve to be a project is for the caller to say.
    """
    start = real_path(cwd)
    folder = start
    while os.path.isabs(folder):
        common = _common_dir(os.path.join(folder, ".git"))
        if common is not None:
            return Place(folder, _aliases(folder, common), start)
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    return Place(start, [Alias(PATH, as_text(start))])


def real_path(path: str) -> str:
    """Resolve symlinks where that can be done, else give *path* back."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):  # a loop, a lost working folder, a NUL byte
        return path


def as_text(path: str) -> str:
    """Make a file name that is not UTF-8 into text that is, for databases and JSON take nothing else."""
    return path.encode("utf-8", "surrogatepass").decode("utf-8", "backslashreplace")


def path_below(folder: str, path: str) -> str | None:
    """Give the rest of *path* after *folder*, `.` for the folder itself, None when outside. Text only."""
    if path == folder:
        return "."
    prefix = folder.rstrip(os.sep) + os.sep
    return path[len(prefix) :] if path.startswith(prefix) else None


def _aliases(root: str, common: str) -> list[Alias]:
    found = [Alias(COMMON_DIR, as_text(common)), Alias(PATH, as_text(root))]
    remote = _remote_alias(_remote_url(_read(os.path.join(common, "config"))), root)
    if remote is not None and remote not in found:
        found.insert(0, remote)
    return found


def _remote_alias(url: str, root: str) -> Alias | None:
    """Name what *url* leads to; a repository on this disk lends its own remote, or its common dir.

    One level deep only: so a clone of a folder is the project of that folder, and nothing can loop.
    """
    remote = normalise_remote(url)
    path = None if remote else _local_path(url, root)
    if path is not None:
        common = _local_repository(path)
        if common is None:
            return None
        remote = normalise_remote(_remote_url(_read(os.path.join(common, "config"))))
        if remote is None:
            return Alias(COMMON_DIR, as_text(common))
    return Alias(REMOTE, remote) if remote else None


def _local_path(url: str, root: str) -> str | None:
    if not url:
        return None
    if os.path.isabs(url):
        return url
    scheme, found, rest = url.partition("://")
    if found:
        host, _, path = rest.partition("/")
        is_file = scheme.lower() == "file" and host.lower() in ("", "localhost")
        return _percent_decoded("/" + path) if is_file else None
    return None if ":" in url.partition("/")[0] else os.path.join(root, url)


def _local_repository(path: str) -> str | None:
    """Find the common dir of the repository git would open at *path*, tried in git's order."""
    for suffix in ("/.git", "", ".git/.git", ".git"):
        common = _common_dir(path.rstrip("/") + suffix)
        if common is not None:
            return common
    return None


def _common_dir(git: str) -> str | None:
    """Follow a `.git` folder or file to the folder all its worktrees share, None when there is no repository."""
    folder = git
    if not os.path.isdir(git):
        pointer = _read(git)
        if not pointer.startswith("gitdir:"):
            return None
        folder = os.path.join(os.path.dirname(git), pointer.removeprefix("gitdir:").strip(" \r\n"))
    shared = _read(os.path.join(folder, "commondir")).rstrip("\r\n")
    common = os.path.join(folder, shared) if shared else folder
    # HEAD may be a symlink to a branch without commits, so a dangling one will do.
    if os.path.lexists(os.path.join(folder, "HEAD")) and os.path.lexists(os.path.join(common, "HEAD")):
        return real_path(common)
    return None


def _remote_url(config: str) -> str:
    """Give the url of origin, else of the first remote, else nothing."""
    first = ""
    remote: str | None = None
    lines = iter(config.removeprefix("\ufeff").split("\n"))
    for line in lines:
        text = line.strip()
        if text.startswith("["):
            remote, text = _section(text)
        key, found, value = text.partition("=")
        if remote is None or not found or key.strip().lower() != "url":
            continue
        url = _value(value, lines)
        if url and remote == "origin":
            return url
        first = first or url
    return first


def _section(text: str) -> tuple[str | None, str]:
    """Give the remote a section header names, None for another section, and what follows on its line."""
    header, _, rest = text[1:].partition("]")
    kind, quote, name = header.partition('"')
    kind = kind.strip().lower()
    if quote and kind == "remote":
        return name.partition('"')[0], rest.strip()
    if kind.startswith("remote."):  # how git wrote it long ago
        return kind.removeprefix("remote."), rest.strip()
    return None, rest.strip()


def _value(text: str, lines: Iterator[str]) -> str:
    """Read a config value: quotes, escapes, comments, and further *lines* where one ends in a backslash."""
    while (len(text) - len(text.rstrip("\\"))) % 2:
        text = text[:-1] + next(lines, "").rstrip("\r")
    value = ""
    is_escaped = is_quoted = False
    for char in text:
        if is_escaped:
            value += _ESCAPES.get(char, char)
            is_escaped = False
        elif char == "\\":
            is_escaped = True
        elif char == '"':
            is_quoted = not is_quoted
        elif char in "#;" and not is_quoted:
            break
        else:
            value += char
    return value.strip()


def _percent_decoded(text: str) -> str:
    # urllib.parse would cost a hook more than all the rest of this module.
    first, *rest = os.fsencode(text).split(b"%")
    decoded = [first]
    for part in rest:
        digits = part[:2]
        is_hex = len(digits) == len("ff") and all(char in b"0123456789abcdefABCDEF" for char in digits)
        decoded.append(bytes([int(digits, 16)]) + part[2:] if is_hex else b"%" + part)
    return os.fsdecode(b"".join(decoded))


def _read(path: str) -> str:
    """Read the whole lines in the first 256 kB of a plain file; nothing when there is none to read."""
    if not os.path.isfile(path):  # a pipe would keep us waiting
        return ""
    try:
        with open(path, "rb") as file:
            raw = file.read(READ_LIMIT + 1)
    except OSError:
        return ""
    if len(raw) > READ_LIMIT:
        raw = raw[:READ_LIMIT].rpartition(b"\n")[0]
    return raw.decode("utf-8", "surrogateescape")
