"""Programs of ours as forked children of a process that has loaded them all: a run costs its work, not its imports.

What is forked runs the program's own `main` on real files, with real streams, and ends as the program ends.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import IO, Any, NamedTuple

from reliability.crash import engines, points
from reliability.crash.engines import Engine

MAINS = {
    "capture-hook": "agentrecall_capture_hook.__main__",
    "recall-hook": "agentrecall_recall_hook.__main__",
    "finalize-turn": "agentrecall_finalize_turn.__main__",
    "agentrecall": "agentrecall_admin.__main__",
}
LATE = (
    "agentrecall_capture_hook.capture",
    "agentrecall_recall_hook.recall",
    "agentrecall_finalize_turn.hook",
    "agentrecall_finalize_turn.verdicts",
    "agentrecall_storage.migrations.migrate",
)
"""What the programs import where they need it; here it is loaded once, in front of every fork."""


class Wish(NamedTuple):
    """A program to run: with which arguments, stdin and environment, and in which folder."""

    program: str
    arguments: list[str]
    stdin: bytes
    cwd: str
    environment: dict[str, str]


class Ended(NamedTuple):
    """How a program ended: its exit code, or minus the signal that killed it, and what it said."""

    code: int
    stdout: bytes
    stderr: bytes


class Child:
    """A program that runs. Its end can be waited for beside others: `life` reads to its end when it is over."""

    def __init__(self, wish: Wish, prepare: Callable[[], None]) -> None:
        self.started = time.monotonic()
        self._streams = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115 -- closed in `end`
        self._streams[0].write(wish.stdin)
        self._streams[0].seek(0)
        self.life, held = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self.life)
                _become(wish, self._streams, prepare)
            finally:
                os._exit(70)
        os.close(held)

    def kill(self) -> None:
        """Kill it with SIGKILL, wherever it is."""
        os.kill(self.pid, signal.SIGKILL)

    def end(self) -> Ended:
        """Wait for its end."""
        _, status = os.waitpid(self.pid, 0)
        os.close(self.life)
        said = []
        for stream in self._streams[1:]:
            stream.seek(0)
            said.append(stream.read())
        for stream in self._streams:
            stream.close()
        return Ended(os.waitstatus_to_exitcode(status), *said)


def load(engine: Engine) -> None:
    """Load every program with its crash points, on *engine*. Once in a process, before anything is forked."""
    for name in [name for name in sys.modules if name.startswith(points.OURS)]:
        del sys.modules[name]
    points.compile_in()
    engines.use(engine)
    for module in (*MAINS.values(), *LATE):
        importlib.import_module(module)


def start(wish: Wish, prepare: Callable[[], None] = lambda: None) -> Child:
    """Start what is wished for; *prepare* runs in the child first."""
    return Child(wish, prepare)


def ended(children: list[Child], within: float | None = None) -> list[Child]:
    """Which of *children* are over, as soon as one is; none when none is *within* so many seconds."""
    ready, _, _ = select.select([child.life for child in children], [], [], within)
    return [child for child in children if child.life in ready]


def _become(wish: Wish, streams: Sequence[IO[bytes]], prepare: Callable[[], None]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
    # The parent's objects may hold what was read or written ahead.
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 -- closed by the end of the process
        for number, mode in enumerate(("r", "w", "w"))
    )
    os.chdir(wish.cwd)
    for name in [name for name in os.environ if name.startswith(("CLAUDE", "AGENTRECALL"))]:
        del os.environ[name]
    os.environ.update(wish.environment)
    sys.argv = [wish.program, *wish.arguments]
    prepare()
    main: Any = importlib.import_module(MAINS[wish.program]).main
    code: object = 1
    try:
        code = main()
    except SystemExit as stop:
        code = stop.code
    with contextlib.suppress(ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0)
