"""Deadlines: how long a program is willing to wait for a lock, as it tells the engine. Never how long it took."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.capture.feedback import Parts, Scope, consider
from agentrecall_domain.rules.rule import ScopeLevel, Status
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.engine import connect
from agentrecall_storage.memory import Memory
from agentrecall_storage.opening import open_hot
from helpers.files import database, locked
from helpers.programs import Person, as_bytes, assert_well_behaved
from helpers.transcripts import TranscriptBuilder

# Each time a transaction starts: the milliseconds since `main`, and those that the engine was told to wait.
DRIVER = """
import json, os, sys, time
from agentrecall_storage.engine import sqlite
waits, path, program = [], sys.argv.pop(1), sys.argv.pop(1)
main = __import__(program + ".__main__", fromlist=["main"]).main
class Recorded(sqlite.Connection):
    def execute(self, statement, *values):
        if statement.startswith("BEGIN"):
            asked = super().execute("PRAGMA busy_timeout").fetchone()[0]
            waits.append([(time.monotonic() - began) * 1000, asked])
        return super().execute(statement, *values)
def connect(*arguments, open=sqlite.connect, **named):
    return open(*arguments, factory=Recorded, **named)
def leave(code, end=os._exit):
    with open(path, "w") as file:
        json.dump(waits, file)
    end(code)
sqlite.connect, os._exit = connect, leave
began = time.monotonic()
main()
"""


class Clock:
    """Seconds that pass only when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def lock_wait(connection: Any) -> int:
    return int(connection.execute("PRAGMA busy_timeout").fetchone()[0])


@given(budget=st.integers(0, 10_000), passed=st.floats(0, 100, allow_nan=False))
def test_what_is_left_of_a_budget_is_never_negative_and_never_grows(budget: int, passed: float) -> None:
    clock = Clock()
    deadline = Deadline(budget, clock)
    at_first = deadline.remaining_ms()
    clock.now += passed

    assert 0 <= deadline.remaining_ms() <= at_first <= budget
    assert deadline.passed() == (deadline.remaining_ms() == 0)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(("spent", "wait"), [(0.0, 800), (0.3, 500), (0.7996, 0), (5.0, 0)])
def test_a_hook_waits_for_a_lock_as_long_as_its_budget_lasts(home: Path, spent: float, wait: int) -> None:
    clock = Clock()
    deadline = Deadline(800, clock)
    clock.now += spent

    with closing(open_hot(str(home), deadline)) as connection:
        assert lock_wait(connection) == pytest.approx(wait, abs=1)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("wait_ms", [0, 1, 700, 30_000])
def test_the_wait_that_is_asked_for_is_the_engines(home: Path, wait_ms: int) -> None:
    with closing(connect(str(database(home)), wait_ms)) as connection:
        assert lock_wait(connection) == wait_ms


def test_a_program_that_is_no_hook_waits_for_half_a_minute(memory: Memory) -> None:
    assert lock_wait(memory.connection) == 30_000


@pytest.fixture
def rule(memory: Memory) -> None:
    """Something to recall, so that the hook has something to record."""
    content = consider(
        "When a migration has been applied, add a new one", Parts(), Scope(ScopeLevel.GLOBAL, "")
    ).content
    memory.add_rule(content, Status.ACTIVE, None, "person")


def stop(transcript: TranscriptBuilder, event: str = "Stop") -> dict[str, Any]:
    transcript.prompt("And two blank lines between functions")
    transcript.answer("Two it is.")
    return transcript.payload(event, last_assistant_message="Anything else?")


def session_end(transcript: TranscriptBuilder) -> dict[str, Any]:
    return stop(transcript, "SessionEnd")


def prompt(transcript: TranscriptBuilder) -> dict[str, Any]:
    words = "change the applied migration so that orders get a currency column"
    return transcript.payload("UserPromptSubmit", prompt=words, prompt_id="new")


@pytest.mark.usefixtures("rule")
@pytest.mark.parametrize(
    ("program", "payload", "budget"),
    [
        pytest.param("agentrecall_capture_hook", stop, 2000, id="capture at Stop"),
        pytest.param("agentrecall_capture_hook", session_end, 700, id="capture at SessionEnd"),
        pytest.param("agentrecall_recall_hook", prompt, 800, id="recall"),
        pytest.param("agentrecall_finalize_turn", stop, 500, id="finalize"),
    ],
)
def test_all_waits_of_a_hook_together_stay_within_its_budget(
    person: Person,
    transcript: TranscriptBuilder,
    program: str,
    payload: Callable[[TranscriptBuilder], dict[str, Any]],
    budget: int,
) -> None:
    record = person.home / "waits"
    hook = ["--hook"] if program == "agentrecall_finalize_turn" else []
    child = [sys.executable, "-c", DRIVER, str(record), program, *hook]

    with locked(person.memory):
        assert_well_behaved(person.run(child, as_bytes(payload(transcript))))

    waits = json.loads(record.read_text())
    assert waits
    # What a slow machine needs between asking the clock and asking the engine is granted half a budget.
    assert [(at, asked) for at, asked in waits if asked and at + asked > 1.5 * budget] == []
