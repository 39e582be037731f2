"""The transcripts on this disk: where hosts keep them, of which session each is, and what cannot be looked at. Cold."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from agentrecall_domain.turns import claude_transcript, codex_rollout
from agentrecall_domain.turns.formats import CLAUDE_CODE, CODEX
from agentrecall_storage.files.packed_transcript import SUFFIX

CODEX_FOLDERS = ("sessions", "archived_sessions")
UID_LENGTH = 36


class TranscriptFile(NamedTuple):
    """A session's transcript as it lies there; *changed_at* in seconds since the epoch."""

    path: str
    source: str
    size: int
    changed_at: float

    @property
    def session_uid(self) -> str:
        """The session: hosts name the file after it."""
        name = os.path.basename(self.path).removesuffix(SUFFIX).removesuffix(".jsonl")
        return name[-UID_LENGTH:] if self.source == CODEX else name


class TranscriptFiles(NamedTuple):
    """The transcripts that were found, newest first, and the folders and files that could not be looked at."""

    found: list[TranscriptFile]
    unreadable: list[str]


def transcript_files(*, claude: Sequence[Path] = (), codex: Sequence[Path] = ()) -> TranscriptFiles:
    """Every session's transcript below the folders that hosts keep their things in, each once.

    Left out is what subagents said among themselves, and every other file that a host keeps beside.
    """
    unreadable: list[str] = []
    found: dict[tuple[int, int], TranscriptFile] = {}
    roots = [
        *((folder / "projects", CLAUDE_CODE, claude_transcript.is_session_file) for folder in claude),
        *((folder / below, CODEX, _is_rollout) for folder in codex for below in CODEX_FOLDERS),
    ]
    seen: set[tuple[int, int]] = set()
    for root, source, is_session in roots:
        for path in _files_below(str(root), is_session, seen, unreadable):
            try:
                status = os.stat(path)
            except OSError:
                unreadable.append(path)
                continue
            file = TranscriptFile(path, source, status.st_size, status.st_mtime)
            found.setdefault((status.st_dev, status.st_ino), file)
    newest_first = sorted(found.values(), key=lambda file: (-file.changed_at, file.path))
    return TranscriptFiles(newest_first, sorted(unreadable))


def _files_below(
    folder: str, is_wanted: Callable[[str], bool], seen: set[tuple[int, int]], unreadable: list[str]
) -> Iterator[str]:
    """The files below *folder* by name; each folder once, as links may lead in a circle."""
    try:
        status = os.stat(folder)
        if (status.st_dev, status.st_ino) in seen:
            return
        seen.add((status.st_dev, status.st_ino))
        with os.scandir(folder) as listed:
            entries = list(listed)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError:
        unreadable.append(folder)
        return
    for entry in entries:
        if _is_folder(entry):
            yield from _files_below(entry.path, is_wanted, seen, unreadable)
        elif is_wanted(entry.path):
            yield entry.path


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_rollout(path: str) -> bool:
    return codex_rollout.is_session_file(path.removesuffix(SUFFIX))
