"""Programs run by the fork server: quickly, with a fault in their way, or as somebody who is not root."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from helpers.programs import Person

NOBODY = 65534
MODULES = {
    "capture-hook": ("agentrecall_capture_hook.__main__", ()),
    "recall-hook": ("agentrecall_recall_hook.__main__", ()),
    "finalize-turn": ("agentrecall_finalize_turn.__main__", ("--hook",)),
    "agentrecall": ("agentrecall_admin.__main__", ()),
}
MOST_STDIN = 60_000
"""Bytes: what a pipe takes although nobody reads yet."""


class Ended(NamedTuple):
    """How a program ended; *calls* counts those that could have failed, *struck* names the first that did."""

    code: int
    stdout: str
    stderr: str
    calls: int
    struck: str


class Fault(NamedTuple):
    """The *nth* call of a *kind* ('os' or 'sql') fails; with *lasts*, every later one too."""

    nth: int
    kind: str = "os"
    error: int = errno.EIO
    lasts: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"nth": self.nth, "kind": self.kind, "errno": self.error, "lasts": self.lasts}


class Forks:
    """A running fork server."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def run(
        self,
        person: Person,
        program: str,
        *arguments: str,
        stdin: bytes | dict[str, Any] = b"",
        fault: Fault | None = None,
        env: dict[str, str] | None = None,
        **settings: Any,
    ) -> Ended:
        """Run a program of *person*'s.

        Settings: `user`, `umask`, `file_limit`, `clock_shift`, `no_sockets`, `sqlite_version`.
        """
        data = stdin if isinstance(stdin, bytes) else json.dumps(stdin).encode()
        assert len(data) <= MOST_STDIN
        module, own = MODULES[program]
        request = {
            "program": program,
            "module": module,
            "arguments": [*own, *arguments],
            "stdin": data.decode("latin-1"),
            "environment": person.environment(**(env or {})),
            "cwd": str(person.project),
            "fault": fault.as_json() if fault else None,
            "umask": 0o022,
            "user": None,
            "file_limit": None,
            "clock_shift": 0,
            "no_sockets": False,
            "sqlite_version": None,
            **settings,
        }
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        return Ended(**json.loads(self._process.stdout.readline()))


@contextmanager
def fork_server() -> Iterator[Forks]:
    """A fork server, for as long as this lasts."""
    server = Path(__file__).with_name("fork_server.py")
    process = subprocess.Popen([sys.executable, str(server)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield Forks(process)
    finally:
        assert process.stdin
        assert process.stdout
        process.stdin.close()
        process.wait(10)
        process.stdout.close()


@contextmanager
def bound_by_modes() -> Iterator[Person]:
    """Somebody whom modes stop: nobody, when root runs the tests; `give_to_owner` hands over what root made since."""
    with open_folder() as folder:
        person = Person(folder)
        give_to_owner(folder)
        yield person


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that anybody can reach: pytest's own are closed to all but root when root runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="agentrecall-"))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        for path in (folder, *folder.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        shutil.rmtree(folder)


@contextmanager
def without_root(folder: Path) -> Iterator[None]:
    """While this lasts modes stop root, too; everything below *folder* is given to whom it becomes."""
    give_to_owner(folder)
    if os.geteuid() != 0:
        yield
        return
    # The real id, too: `os.access` asks for that. The saved one is the way back.
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def give_to_owner(folder: Path) -> None:
    """Everything below *folder* belongs to whom modes stop."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def assert_quiet(ended: Ended) -> None:
    """A hook ended with 0, said nothing on stderr, and at most one JSON object on stdout."""
    assert (ended.code, ended.stderr) == (0, "")
    assert ended.stdout == "" or isinstance(json.loads(ended.stdout), dict)
