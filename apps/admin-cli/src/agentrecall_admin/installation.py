"""The installation: where the hook programs that came with this one lie."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from agentrecall_admin.console import Failure


def folders() -> tuple[Path, ...]:
    """Where installed programs may lie: beside the interpreter, then beside the command that was called."""
    return tuple(_folders())


def find(name: str, where: tuple[Path, ...]) -> str | None:
    """The absolute path of the installed program *name*, None when it is in none of the folders.

    Slashes everywhere: Windows takes them, and no shell on the way eats them.
    """
    file_name = f"{name}.exe" if sys.platform == "win32" else name
    found = (folder / file_name for folder in where if (folder / file_name).is_file())
    return next((path.absolute().as_posix() for path in found), None)


def get(name: str) -> str:
    """The absolute path of the installed program *name*.

    Raises:
        Failure: It is missing.
    """
    where = folders()
    path = find(name, where)
    if path is None:
        raise Failure(
            f"cannot find '{name}' in '{where[0]}': the installation is incomplete; install 'agentrecall' again"
        )
    return path


def _folders() -> Iterator[Path]:
    yield Path(sys.executable).parent
    # A relative path leads nowhere when the current folder is gone.
    with suppress(OSError):
        yield Path(sys.argv[0]).resolve().parent
