"""The installed programs, used as a person and an agent use them: from outside, in the environment of one person."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from e2e.claude_code import ClaudeCode, Session

RawItem = tuple[str, str]
"""Who said it, and what."""

_PROGRAM_SECONDS = 30
_SETTLE_SECONDS = 10


class Memory:
    """What one person's AgentRecall holds and does."""

    def __init__(self, programs: Path, person: ClaudeCode) -> None:
        self._programs = programs
        self._person = person

    @property
    def database(self) -> Path:
        """The one file."""
        return self._person.memory / "agentrecall.db"

    def agentrecall(self, *arguments: str) -> str:
        """Run the command line in the project, and give what it printed."""
        return self._run("agentrecall", *arguments)

    def set_up_project(self) -> None:
        """Wire Claude Code for the project alone."""
        self.agentrecall("setup", "claude-code", "--project", str(self._person.project))

    def rules(self) -> list[dict[str, Any]]:
        """Give the project's rules as `rules list` tells them."""
        rules: list[dict[str, Any]] = json.loads(self.agentrecall("rules", "list", "--json"))
        return rules

    def status(self) -> dict[str, Any]:
        """Give what `status` tells."""
        status: dict[str, Any] = json.loads(self.agentrecall("status", "--json"))
        return status

    def raw_items(self) -> list[RawItem]:
        """Give what was captured, read from the file itself."""
        return [(role, text) for role, text in self.rows("SELECT role, text FROM raw_items ORDER BY id")]

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Ask the file itself; no file has no rows."""
        if not self.database.exists():
            return []
        with closing(sqlite3.connect(f"{self.database.as_uri()}?mode=ro", uri=True)) as connection:
            return list(connection.execute(statement))

    def roles_of(self, words: str) -> list[str]:
        """Give who is on record as having said *words*: one entry for each raw item that holds them."""
        return [role for role, text in self.raw_items() if words in text]

    def finalize(self, verdict: dict[str, Any]) -> str:
        """Hand in *verdict* on the standard input of finalize-turn."""
        return self._run(self.finalize_program.name, stdin=json.dumps(verdict))

    @property
    def finalize_program(self) -> Path:
        """The program that takes verdicts."""
        return self._programs / "agentrecall-finalize-turn"

    def end_again(self, session: Session) -> None:
        """Tell capture-hook once more that *session* has ended, as a second copy of our hooks would."""
        self._tell_capture("SessionEnd", session, reason="other")

    def start_again(self, session: Session) -> None:
        """Tell capture-hook that *session* goes on: it reads on in what was seen lately, in every session."""
        self._tell_capture("SessionStart", session, source="resume")

    def _tell_capture(self, event: str, session: Session, **fields: str) -> None:
        payload = {
            "session_id": session.id,
            "transcript_path": str(self._person.transcript(session)),
            "cwd": str(self._person.project),
            "hook_event_name": event,
            **fields,
        }
        assert self._run("agentrecall-capture-hook", stdin=json.dumps(payload)) == ""

    def _run(self, program: str, *arguments: str, stdin: str = "") -> str:
        done = subprocess.run(
            [str(self._programs / program), *arguments],
            cwd=self._person.project,
            env=self._person.environment(),
            check=False,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=_PROGRAM_SECONDS,
        )
        said = f"{program} {' '.join(arguments)}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        assert done.returncode == 0, said
        return done.stdout


def eventually(holds: Callable[[], bool]) -> None:
    """Wait until *holds*: a session's last hook may leave the rest to a process that outlives the host.

    Raises:
        AssertionError: It did not come true in time.
    """
    deadline = time.monotonic() + _SETTLE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, f"still not so after {_SETTLE_SECONDS} s"
        time.sleep(0.05)
