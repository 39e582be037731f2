"""The hooks' log: a failure is one JSON line, and never a failure of its own. Hot."""

from __future__ import annotations

import json
import os
import time

from agentrecall_storage.home import LOGS, create_private, private_folder

LARGEST = 1024 * 1024
FILE = "hooks.jsonl"


def path(home: str) -> str:
    """Where the failures of *home*'s hooks are written."""
    return os.path.join(home, LOGS, FILE)


def failed(home: str, program: str, error: BaseException, doing: str = "") -> None:
    """Append what failed, without a word of any payload: an exception's text may quote one. Never raises."""
    line = {"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "program": program, "error": type(error).__name__}
    if isinstance(error, OSError) and error.errno is not None:
        line["reason"] = os.strerror(error.errno)
    elif "sqlite3" in type(error).__module__:
        line["reason"] = str(error)[:200]
    if doing:
        line["doing"] = doing
    note(home, line)


def note(home: str, line: dict[str, str]) -> None:
    """Append one line; the log is set aside once (`hooks.jsonl.1`) when it grows over 1 MB. Never raises."""
    try:
        private_folder(home)
        private_folder(os.path.join(home, LOGS))
        target = path(home)
        try:
            if os.stat(target).st_size > LARGEST:
                os.replace(target, target + ".1")
        except FileNotFoundError:
            pass
        try:
            descriptor = create_private(target, os.O_APPEND)
        except FileExistsError:
            descriptor = os.open(target, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(descriptor, json.dumps(line).encode() + b"\n")
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        return


def newest(home: str) -> float:
    """When the last failure was logged, in seconds since the epoch; 0 when none was."""
    try:
        return os.stat(path(home)).st_mtime
    except OSError:
        return 0.0
