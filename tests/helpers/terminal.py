"""A program on a terminal: what it shows there, while a person types."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path


def on_terminal(arguments: list[str], *, cwd: Path, env: dict[str, str], typed: str = "") -> tuple[int, str]:
    """Run a program on a terminal of its own, where *typed* is typed; gives its exit code and all that it showed."""
    outer, inner = pty.openpty()
    try:
        running = subprocess.Popen(
            arguments, cwd=cwd, env=env | {"TERM": "dumb", "COLUMNS": "120"}, stdin=inner, stdout=inner, stderr=inner
        )
    finally:
        os.close(inner)
    os.write(outer, typed.encode())
    shown = b""
    while piece := _read(outer):
        shown += piece
    os.close(outer)
    return running.wait(timeout=50), shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:
        # Linux says so when the last program has left the terminal.
        return b""
