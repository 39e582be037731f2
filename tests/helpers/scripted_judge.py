"""A program that stands for a model: it reads a prompt on stdin and does what its script says, call after call.

Run as a program it is given its folder: `acts.json` holds an act for each call, and it writes there what it saw.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

Act = dict[str, Any]
"""What a call does: `prints`, `complains` (on stderr), `megabytes` of output, `hangs`, `exit`, `leaves` a child behind,
`unread` leaves the prompt unread."""


class ScriptedJudge:
    """The program with its script, as a test sees it."""

    def __init__(self, folder: Path, *acts: Act) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "acts.json").write_text(json.dumps(acts))

    @property
    def command(self) -> list[str]:
        """The command line that runs it."""
        return [sys.executable, "-S", "-E", __file__, str(self.folder)]

    @property
    def prompts(self) -> list[str]:
        """What it was asked, call by call."""
        return [path.read_text() for path in sorted(self.folder.glob("prompt-*"))]

    def seen(self, call: int = 0) -> dict[str, Any]:
        """The environment and the folder that a call ran in."""
        found: dict[str, Any] = json.loads((self.folder / f"seen-{call}").read_text())
        return found

    @property
    def lock(self) -> Path:
        """What a child that was left behind holds locked as long as it lives."""
        return self.folder / "lock"


def _main(folder: Path) -> int:
    import os  # noqa: PLC0415 -- what the tests themselves need stays small

    call = len(list(folder.glob("seen-*")))
    act: Act = json.loads((folder / "acts.json").read_text())[call]
    (folder / f"seen-{call}").write_text(json.dumps({"environment": dict(os.environ), "cwd": os.getcwd()}))  # noqa: PTH109
    if not act.get("unread"):
        (folder / f"prompt-{call}").write_bytes(sys.stdin.buffer.read())
    if act.get("leaves"):
        _leave_child(folder / "lock")
    sys.stderr.write(act.get("complains", ""))
    sys.stdout.write(act.get("prints", ""))
    for _ in range(act.get("megabytes", 0)):
        sys.stdout.write("x" * 1_000_000)
    sys.stdout.flush()
    if act.get("hangs"):
        _wait()
    return int(act.get("exit", 0))


def _leave_child(lock: Path) -> None:
    """Start a child that holds our pipes and the lock, and go on once it does."""
    import fcntl  # noqa: PLC0415 -- for this act alone
    import os  # noqa: PLC0415 -- as above

    is_ready, ready = os.pipe()
    if os.fork() == 0:
        held = lock.open("w")
        fcntl.flock(held, fcntl.LOCK_EX)
        os.write(ready, b"1")
        _wait()
    os.read(is_ready, 1)


def _wait() -> None:
    import signal  # noqa: PLC0415 -- for these acts alone

    signal.pause()


if __name__ == "__main__":
    sys.exit(_main(Path(sys.argv[1])))
