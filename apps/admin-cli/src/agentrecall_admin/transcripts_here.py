"""The transcripts that hosts have written for this user: where they lie, and which are of one project."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from agentrecall_domain.turns.batch import Project
from agentrecall_storage.files.transcript_files import TranscriptFiles, transcript_files
from agentrecall_storage.places import Places

# A session tells its folder on every line of talk; in front of the first one may stand copies of requests.
_LOOKED_AT = 1024 * 1024
_LINES_LOOKED_AT = 20


class SessionTranscript(NamedTuple):
    """A session's transcript, and the folder in which the session was in the project."""

    path: Path
    cwd: str

    @property
    def session_uid(self) -> str:
        """The session: the host names the file after it."""
        return self.path.stem


def claude_folder() -> Path:
    """Where Claude Code keeps its things."""
    configured = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(configured) if configured else Path.home() / ".claude"


def every_transcript() -> TranscriptFiles:
    """The transcripts of both hosts: in the folders that they use by themselves, and in those that they are told."""
    codex = os.environ.get("CODEX_HOME")
    return transcript_files(
        claude=[claude_folder(), Path.home() / ".claude"],
        codex=[*([Path(codex)] if codex else []), Path.home() / ".codex"],
    )


def folder_begun_in(path: Path) -> str:
    """The folder that the session at *path* began in, '' when its beginning does not say."""
    return next(_folders_in(path), "")


def transcripts_of(project: Project, places: Places) -> list[SessionTranscript]:
    """The transcripts of *project*, newest first. What cannot be read, or is excluded from memory, is left out."""
    wanted = set(project.aliases)
    found = []
    for file in transcript_files(claude=[claude_folder()]).found:
        path = Path(file.path)
        for cwd in _folders_in(path):
            other = places.project_at(cwd)
            if isinstance(other, Project) and wanted.intersection(other.aliases):
                found.append(SessionTranscript(path, cwd))
                break
    return found


def _folders_in(path: Path) -> Iterator[str]:
    """The folders that the first lines of talk were said in, each once."""
    try:
        with path.open("rb") as file:
            beginning = file.read(_LOOKED_AT)
    except OSError:
        return
    seen: set[str] = set()
    looked_at = 0
    # The last line may be cut, and then is no JSON.
    for line in beginning.split(b"\n"):
        cwd = _cwd(line) if b'"cwd"' in line else ""
        if not cwd:
            continue
        if cwd not in seen:
            seen.add(cwd)
            yield cwd
        looked_at += 1
        if looked_at == _LINES_LOOKED_AT:
            return


def _cwd(line: bytes) -> str:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    cwd = record.get("cwd") if isinstance(record, dict) else None
    return cwd if isinstance(cwd, str) else ""
