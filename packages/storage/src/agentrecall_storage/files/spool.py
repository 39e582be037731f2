"""The spool: scrubbed batches that could not be stored in time, kept until the next process drains them. Hot."""

from __future__ import annotations

import os
import time

from agentrecall_storage.home import SPOOL, create_private, private_folder, sync_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ASIDE = "aside"


def append(home: str, text: str) -> str:
    """Keep *text* durably: written, fsynced and renamed into place, so that no half entry is ever drained.

    Raises:
        OSError: It cannot be kept.
    """
    private_folder(home)
    folder = private_folder(os.path.join(home, SPOOL))
    # Names sort by time, so that entries are drained in the order in which they were captured.
    name = f"{time.time_ns():020d}-{os.getpid()}-{os.urandom(4).hex()}"
    unfinished = os.path.join(folder, name + ".part")
    descriptor = create_private(unfinished)
    # crash point: spool, nothing written
    try:
        with open(descriptor, "wb") as file:
            file.write(text.encode())
            file.flush()
            # crash point: spool, written and not synced
            os.fsync(file.fileno())
        # crash point: spool, before the rename
        finished = os.path.join(folder, name + ".json")
        os.rename(unfinished, finished)
        # crash point: spool, after the rename
    except BaseException:
        _remove(unfinished)
        raise
    sync_folder(folder)
    return finished


def entries(home: str) -> list[str]:
    """The paths of the finished entries, oldest first; empty when there is no spool."""
    folder = os.path.join(home, SPOOL)
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(names) if name.endswith(".json")]


def read(paths: list[str]) -> Iterator[tuple[str, str]]:
    """Each entry's path and text.

    One that vanished (another process drained it) is passed over, and so is one that cannot be read now: it waits.
    """
    for path in paths:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                yield path, file.read()
        except IsADirectoryError:
            # No attempt can store that.
            yield path, ""
        except OSError:
            continue


def drained(path: str) -> None:
    """Forget an entry whose content is committed."""
    _remove(path)


def set_aside(path: str) -> None:
    """Move a poison entry, one that no attempt can store, out of the way but not out of reach."""
    folder = private_folder(os.path.join(os.path.dirname(path), ASIDE))
    # crash point: poison, before it is set aside
    try:
        os.rename(path, os.path.join(folder, os.path.basename(path)))
        # crash point: poison, set aside
    except FileNotFoundError:
        return


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
