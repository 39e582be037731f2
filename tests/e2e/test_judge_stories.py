from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from e2e.claude_code import ClaudeCode
from e2e.memory import Memory, eventually
from e2e.messages_server import MessagesServer, Request, text, words_of

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(60, func_only=True)]

SAID = "From now on we date invoices in UTC, because the bank rejects every other zone."
UNDERSTOOD = "Understood: invoices are dated in UTC."
BODY = "Invoices are dated in UTC, because the bank rejects every other zone."
QUESTION = "What was said"
"""A heading of the prompt that a judge is given."""


class JudgeServer(MessagesServer):
    """A model that answers a judge's question from the script too, though no tools come with it."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[Request] = []

    def answer(self, request: Request) -> dict[str, Any]:
        if request.get("tools") or QUESTION not in words_of(request):
            return super().answer(request)
        self.questions.append(request)
        return super().answer({**request, "tools": ["none, but it is asked in earnest"]})


@pytest.fixture
def model() -> Iterator[JudgeServer]:
    with JudgeServer() as server:
        yield server


def notes(*quotes: str) -> str:
    items = [
        {
            "type": "decision",
            "title": "Invoices are dated in UTC",
            "body": BODY,
            "sources": [{"raw_item": "T1", "quote": quote}],
        }
        for quote in quotes
    ]
    return f"Here is what I found.\n\n```json\n{json.dumps({'notes': items})}\n```"


def ask(memory: Memory, statement: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(memory.database)) as connection, connection:
        return connection.execute(statement).fetchall()


def process(memory: Memory, claude: ClaudeCode, host: Path, *arguments: str) -> dict[str, Any]:
    """Distil as a person does at a terminal, with the host on the path."""
    path = f"{host.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(memory.finalize_program.with_name("agentrecall")), "process", "--json", *arguments],
        cwd=claude.project,
        env=claude.environment(**claude._connection(), PATH=path),
        check=False,
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    summed_up: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return summed_up


def test_claude_code_judges_what_was_said_in_claude_code(
    claude: ClaudeCode, memory: Memory, model: JudgeServer, host: Path
) -> None:
    memory.set_up_project()
    memory.rules()
    # Nobody else is to distil the session at its end.
    ask(memory, "INSERT INTO config(key, value, updated_at) VALUES ('judge', 'host', '')")
    session = claude.run(SAID, [[text(UNDERSTOOD)]])
    eventually(lambda: memory.roles_of(UNDERSTOOD) != [])
    memory.end_again(session)

    model.play([[text(notes(SAID, "the bank closes at noon"))]])
    summed_up = process(memory, claude, host, "--judge-command", "claude")

    assert (summed_up["units"], summed_up["notes"], summed_up["rejected"]) == (1, 1, 1), model.questions
    assert ask(memory, "SELECT type, body, judge, span FROM notes JOIN note_sources ON note_id = notes.id") == [
        ("decision", BODY, "command:claude", SAID)
    ]
    assert ask(memory, "SELECT rule FROM gate_rejections") == [("grounding",)]
    [question] = model.questions
    assert not question.get("tools")
    assert SAID in words_of(question)
    # What the judge did is no session: no transcript of it, and no hook of ours.
    assert [path.stem for path in (claude.home / ".claude").rglob("*.jsonl")] == [session.id]
    assert memory.status()["turns"] == 1
