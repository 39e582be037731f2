"""The installed programs, run as a host runs them: a child process in the environment of one made-up person."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

HOOKS = {
    "capture-hook": ("agentrecall-capture-hook",),
    "recall-hook": ("agentrecall-recall-hook",),
    "finalize-turn": ("agentrecall-finalize-turn", "--hook"),
}
PATIENCE_SECONDS = 50
"""A program that has not ended by then hangs."""

# What the machine that runs the tests says to its own agents and interpreters.
_FOREIGN = ("CLAUDE", "AGENTRECALL", "PYTHONDONTWRITEBYTECODE")

Done = subprocess.CompletedProcess[bytes]
Env = Mapping[str, str] | None
RunHook = Callable[..., Done]


def script(name: str) -> str:
    """The console script *name*, installed beside the interpreter that runs the tests."""
    found = Path(sys.executable).with_name(name)
    assert found.exists(), f"{name} is not installed beside {sys.executable}"
    return str(found)


def command(hook: str) -> list[str]:
    """The command line of *hook*, installed where no `agentrecall` is: it starts no processor behind a test's back."""
    name, *arguments = HOOKS[hook]
    return [str(_hooks_alone() / name), *arguments]


@cache
def _hooks_alone() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="agentrecall-hooks-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, *_ in HOOKS.values():
        (folder / name).symlink_to(script(name))
    return folder


class Person:
    """Somebody with a home folder, a memory and a project."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "person"
        self.memory = folder / "memory"
        self.project = folder / "project"
        for new in (self.home, self.project):
            new.mkdir()

    def environment(self, **extra: str) -> dict[str, str]:
        """The environment that this person's programs run in."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
        return {**kept, "HOME": str(self.home), "AGENTRECALL_HOME": str(self.memory), **extra}

    def run(self, arguments: list[str], stdin: bytes = b"", *, env: Env = None, umask: int = -1) -> Done:
        """Run a program to its end."""
        return subprocess.run(
            arguments,
            cwd=self.project,
            env=self.environment(**(env or {})),
            input=stdin,
            capture_output=True,
            check=False,
            timeout=PATIENCE_SECONDS,
            umask=umask,
        )

    def start(self, arguments: list[str], **environment: str) -> subprocess.Popen[bytes]:
        """Start a program, with its three streams in our hands."""
        return subprocess.Popen(
            arguments,
            cwd=self.project,
            env=self.environment(**environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def agentrecall(self, *arguments: str, **environment: str) -> Done:
        """Run the command line."""
        return self.run([script("agentrecall"), *arguments], env=environment)


def at_once(person: Person, hook: str, payloads: list[dict[str, Any]]) -> list[Done]:
    """Run *hook* once for each of *payloads*, all at the same time."""
    running = [person.start(command(hook)) for _ in payloads]
    # Each process has its interpreter up and waits at its stdin: now they race.
    for process, payload in zip(running, payloads, strict=True):
        assert process.stdin
        process.stdin.write(as_bytes(payload))
        process.stdin.flush()
    outputs = [process.communicate(timeout=PATIENCE_SECONDS) for process in running]
    return [
        Done(process.args, process.returncode, stdout, stderr)
        for process, (stdout, stderr) in zip(running, outputs, strict=True)
    ]


def as_bytes(payload: bytes | dict[str, Any]) -> bytes:
    """A payload as it comes on stdin: an object in JSON and a newline, bytes as they are."""
    return payload if isinstance(payload, bytes) else json.dumps(payload).encode() + b"\n"


def assert_silent(done: Done) -> None:
    """The only thing that a Stop hook may ever do to a turn is nothing."""
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def assert_well_behaved(done: Done) -> None:
    """A hook ends with 0, says nothing on stderr, and at most one JSON object on stdout."""
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"" or isinstance(json.loads(done.stdout), dict)
