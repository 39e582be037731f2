"""Where a rule holds: scope levels, and the keys by which a file's path finds its rules without a scan. Hot."""

from __future__ import annotations

import re

GLOBAL = "Global"
LANGUAGE = "Language"
REPOSITORY = "Repository"
DIRECTORY = "Directory"
FILE = "File"

LANGUAGES = {
    "bash": "shell", "c": "c", "cc": "cpp", "cpp": "cpp", "cs": "csharp", "css": "css", "dart": "dart", "ex": "elixir",
    "exs": "elixir", "go": "go", "h": "c", "hpp": "cpp", "html": "html", "java": "java", "js": "javascript",
    "jsx": "javascript", "kt": "kotlin", "lua": "lua", "mjs": "javascript", "php": "php", "pl": "perl", "py": "python",
    "pyi": "python", "r": "r", "rb": "ruby", "rs": "rust", "scala": "scala", "sh": "shell", "sql": "sql",
    "swift": "swift", "tf": "terraform", "ts": "typescript", "tsx": "typescript", "vue": "vue", "zig": "zig",
}  # fmt: skip
"""The language of a file by its suffix."""


def suffix_of(path: str) -> str:
    """The lower-cased suffix of *path* without its dot, or an empty text."""
    name = path.rsplit("/", 1)[-1]
    return name.rsplit(".", 1)[1].lower() if "." in name[1:] else ""


def path_keys(path: str) -> list[str]:
    """The keys under which rules for *path* may be stored; *path* is relative to its project, with `/`."""
    segments = path.split("/")
    keys = ["any", f"file:{path}", f"name:{segments[-1]}"]
    keys += [f"folder:{'/'.join(segments[:depth])}" for depth in range(1, len(segments))]
    # `*.env` is about `.env` too, which has no suffix otherwise.
    ending = segments[-1].rpartition(".")[2].lower() if "." in segments[-1] else ""
    if ending:
        keys.append(f"suffix:{ending}")
    language = LANGUAGES.get(suffix_of(path))
    if language:
        keys.append(f"language:{language}")
    return keys


def scope_keys(level: str, value: str, globs: list[str]) -> list[str]:
    """The keys to store for a rule of this scope with these path globs; none when no path decides about it."""
    keys = set()
    if level == FILE:
        keys.add(f"file:{value}")
    elif level == DIRECTORY:
        keys.add(f"folder:{value.rstrip('/')}")
    elif level == LANGUAGE:
        keys.add(f"language:{value.lower()}")
    keys.update(_glob_key(glob) for glob in globs)
    return sorted(keys)


def holds_at(path: str, level: str, value: str, globs: list[str], languages: list[str]) -> bool:
    """Whether a rule with this scope, these globs and these languages is about the file at *path*."""
    language = LANGUAGES.get(suffix_of(path), "")
    if level == FILE and path == value:
        return True
    if level == DIRECTORY and path.startswith(value.rstrip("/") + "/"):
        return True
    if level == LANGUAGE and language == value.lower() != "":
        return True
    if language and language in languages:
        return True
    return any(matches(glob, path) for glob in globs)


def names_files(level: str, globs: list[str], languages: list[str]) -> bool:
    """Whether a rule says which files it is about."""
    return level in {FILE, DIRECTORY, LANGUAGE} or bool(globs or languages)


def matches(glob: str, path: str) -> bool:
    """Whether *glob* matches *path*: `*` and `?` stay within a segment, `**` crosses them, `[...]` is a set.

    A glob without a slash matches the last segment wherever it lies, as in `.gitignore`.
    """
    if "/" not in glob:
        path = path.rsplit("/", 1)[-1]
    try:
        return re.fullmatch(_regex(glob.removeprefix("/")), path) is not None
    except re.error:
        return False


def _regex(glob: str) -> str:
    parts = []
    for piece in re.findall(r"(?<![^/])\*\*/|/\*\*$|\*+|\?|\[!?[^]/]+\]|.", glob, re.DOTALL):
        if piece == "**/":
            parts.append("(?:[^/]+/)*")
        elif piece == "/**":
            parts.append("/.+")
        elif piece[0] == "*":
            parts.append(".*" if piece == "**" else "[^/]*")
        elif piece == "?":
            parts.append("[^/]")
        elif piece[0] == "[" and len(piece) > 1:
            # Some of these, doubled, mark the set operations that Python keeps for later.
            inside = re.sub(r"[\\[&~|]|(?<=-)-", r"\\\g<0>", piece[1:-1])
            parts.append(f"[{'^' + inside[1:] if inside[0] == '!' else inside}]")
        else:
            parts.append(re.escape(piece))
    return "".join(parts)


def named_files(text: str) -> tuple[str, str, list[str]]:
    """The scope that a judge's *text* names: its level, value and globs; the repository when it names no files.

    `file:Makefile`, `src/api/client.ts`, `db/`, `db/**/*.sql` name files; a sentence or a project's name does not. Text
    never widens a scope: a correction made in a repository holds there and no further.
    """
    kind, mark, rest = text.strip().partition(":")
    named = rest.strip() if mark and kind.lower() in {"file", "path", "glob", "directory", "folder"} else text.strip()
    if not named or any(sign.isspace() for sign in named) or named.startswith(("/", "~", "..")):
        return REPOSITORY, "", []
    if _has_wildcard(named):
        return REPOSITORY, "", [named]
    if named.endswith("/") or (mark and kind.lower() in {"directory", "folder"}):
        return DIRECTORY, named.rstrip("/"), []
    if suffix_of(named) or (mark and kind.lower() in {"file", "path"}):
        return FILE, named, []
    return REPOSITORY, "", []


def _glob_key(glob: str) -> str:
    """The most selective key that every path matching *glob* has."""
    segments = glob.removeprefix("/").split("/")
    last = segments[-1]
    if not _has_wildcard(last) and last:
        return f"name:{last}"
    suffix = last.rsplit(".", 1)[1] if "." in last[1:] else ""
    if suffix and not _has_wildcard(suffix) and "]" not in suffix:
        return f"suffix:{suffix.lower()}"
    literal = []
    for segment in segments[:-1]:
        if _has_wildcard(segment):
            break
        literal.append(segment)
    return f"folder:{'/'.join(literal)}" if literal else "any"


def _has_wildcard(segment: str) -> bool:
    return any(mark in segment for mark in "*?[")
