"""The memory's home folder: where it is, and what lies in it. Hot."""

from __future__ import annotations

import os

DATABASE = "agentrecall.db"
SPOOL = "spool"
LOGS = "logs"
BACKUPS = "backups"


def home() -> str:
    """The home folder: `$AGENTRECALL_HOME`, or `~/.agentrecall`."""
    return os.environ.get("AGENTRECALL_HOME") or os.path.expanduser("~/.agentrecall")


def disabled() -> bool:
    """Whether `AGENTRECALL_DISABLED` switches every hook off."""
    return os.environ.get("AGENTRECALL_DISABLED", "") not in {"", "0"}


def database_path(home: str) -> str:
    """The one SQLite file of the memory at *home*."""
    return os.path.join(home, DATABASE)


def private_folder(path: str) -> str:
    """Make *path* a folder that only its owner can enter (0700), whatever the umask.

    Raises:
        OSError: It cannot be made.
    """
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        return path
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.mkdir(path, 0o700)
    os.chmod(path, 0o700)
    return path


def create_private(path: str, flags: int = 0) -> int:
    """Open a new file that only its owner can read (0600), whatever the umask; the descriptor is the caller's.

    Raises:
        FileExistsError: *path* is there already.
        OSError: It cannot be made.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | flags, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
    except BaseException:
        os.close(descriptor)
        os.unlink(path)
        raise
    return descriptor


def sync_folder(path: str) -> None:
    """Make the names in a folder durable: a file's own flush does not keep its name.

    Raises:
        OSError: It cannot be opened.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
