"""The hook programs that were installed with this one, started as a host starts them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from agentrecall_admin import installation
from agentrecall_admin.console import Failure, memory
from agentrecall_domain.hosts.claude_settings import CAPTURE_HOOK

_PATIENCE_S = 60
_TAIL = 1024 * 1024
_MOST_RUNS = 1000
"""Each run of the capture hook reads on for up to two seconds."""
_RUNS_WITHOUT_PROGRESS = 3
"""Another process may hold the lock for a moment."""


def run(name: str, payload: dict[str, object], started_in: str = "") -> str:
    """Hand *payload* to an installed program on its stdin; gives what it printed.

    Raises:
        Failure: It is not installed, does not end, or ends with an error.
    """
    program = installation.get(name)
    try:
        done = subprocess.run(
            [program],
            input=json.dumps(payload),
            env=_environment(started_in),
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failure(f"cannot run '{program}': {error}; run 'agentrecall doctor'") from error
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise Failure(f"'{program}' failed: {said}; run 'agentrecall doctor'")
    return done.stdout


def capture(transcript: Path, session_uid: str, cwd: str, started_in: str = "") -> bool:
    """Have the capture hook read *transcript* to its end, in as many runs as its time budget takes.

    False when it did not get there: the file is unreadable, or still being written.
    """
    payload: dict[str, object] = {
        "hook_event_name": "Stop",
        "session_id": session_uid,
        "transcript_path": str(transcript),
        "cwd": cwd,
    }
    idle = 0
    offset = -1
    for _ in range(_MOST_RUNS):
        run(CAPTURE_HOOK, payload, started_in)
        reached = _offset(transcript)
        if reached >= _end(transcript):
            return True
        idle = idle + 1 if reached <= offset else 0
        if idle == _RUNS_WITHOUT_PROGRESS:
            return False
        offset = reached
    return False


def _offset(transcript: Path) -> int:
    with memory() as opened:
        cursor = opened.captures.find_cursor(str(transcript))
    return cursor.offset if cursor else 0


def _end(transcript: Path) -> int:
    """Where the last complete line ends, if that can be told from the file's last bytes."""
    try:
        with transcript.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL))
            tail = file.read(_TAIL)
    except OSError:
        return 0
    complete = tail.rfind(b"\n") + 1
    return size - len(tail) + complete if complete else size


def _environment(started_in: str) -> dict[str, str]:
    """What the program would find under a host: nothing switched off, and no other host's folder."""
    environment = {
        name: value for name, value in os.environ.items() if name not in {"AGENTRECALL_DISABLED", "CLAUDE_PROJECT_DIR"}
    }
    return {**environment, "CLAUDE_PROJECT_DIR": started_in} if started_in else environment
