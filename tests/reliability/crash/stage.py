"""The stage: a process that runs our programs as forked children, one at a time, as it is asked to on its stdin."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from helpers.programs import Person, as_bytes
from reliability.crash import points
from reliability.crash.engines import Engine
from reliability.crash.forked import Ended, Wish, load, start

TESTS = Path(__file__).parents[2]


def environment_of(person: Person) -> dict[str, str]:
    """What a program of *person* has to be told."""
    return {"HOME": str(person.home), "AGENTRECALL_HOME": str(person.memory)}


def existing(folder: Path) -> Person:
    """The person whose folders another process has made."""
    person = Person.__new__(Person)
    person.home, person.memory, person.project = folder / "person", folder / "memory", folder / "project"
    return person


class Stage:
    """The test's side: programs of one person, run on one engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, engine],
            env={**os.environ, "PYTHONPATH": str(TESTS)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(
        self,
        person: Person,
        program: str,
        *arguments: str,
        stdin: bytes | dict[str, Any] = b"",
        **environment: str,
    ) -> Ended:
        """Run *program* to its end; a hook's name alone is its command line in a host's settings."""
        where = {**environment_of(person), **environment}
        wish = Wish(program, list(arguments), b"", str(person.project), where)
        line = json.dumps([*wish[:2], base64.b64encode(as_bytes(stdin)).decode(), *wish[3:]])
        if self._process.stdin is None or self._process.stdout is None:
            raise TypeError
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        code, stdout, stderr = json.loads(self._process.stdout.readline())
        return Ended(code, base64.b64decode(stdout), base64.b64decode(stderr))

    def run_armed(
        self, person: Person, point: str, program: str, *arguments: str, stdin: bytes | dict[str, Any] = b""
    ) -> tuple[Ended, str]:
        """Run *program* with one crash point armed; gives its end, and the point where it says it died."""
        witness = person.home / "witness"
        witness.unlink(missing_ok=True)
        armed = {points.ARMED: point, points.WITNESS: str(witness)}
        ended = self.run(person, program, *arguments, stdin=stdin, **armed)
        return ended, witness.read_text(encoding="utf-8") if witness.exists() else ""

    def close(self) -> None:
        """Let the process go."""
        self._process.communicate()


def main() -> None:
    """Run what each line of stdin asks for, until there is none."""
    load(Engine(sys.argv[1]))
    for line in sys.stdin:
        program, arguments, stdin, cwd, environment = json.loads(line)
        done = start(Wish(program, arguments, base64.b64decode(stdin), cwd, environment)).end()
        answer = [done.code, *(base64.b64encode(said).decode() for said in (done.stdout, done.stderr))]
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
