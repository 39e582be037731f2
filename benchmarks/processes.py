"""Whole processes, timed as a host or a shell sees them, and the bare interpreter that they are compared with."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

BARE = "bare interpreter"
BARE_COMMAND = [sys.executable, "-c", "import json, sqlite3"]


def run(
    folder: Path, command: list[str], environment: dict[str, str], payload: dict[str, object]
) -> tuple[float, bool]:
    """Milliseconds from spawning *command* to its end, and whether it said anything.

    Raises:
        OSError: It failed, which no hook ever does.
    """
    stdin, stdout = folder / "stdin", folder / "stdout"
    stdin.write_text(json.dumps(payload), encoding="utf-8")
    actions = (
        (os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(stdout), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    )
    begun = time.perf_counter()
    process = os.posix_spawn(command[0], command, environment, file_actions=actions)
    _, status = os.waitpid(process, 0)
    ended = time.perf_counter()
    if status:
        raise OSError(f"'{command[0]}' ended with status {status}")
    return (ended - begun) * 1000, stdout.stat().st_size > 0
