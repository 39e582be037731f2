"""Random kills: eight writers killed wherever they are; every turn that a hook acknowledged is there, once."""

from __future__ import annotations

import sys
from contextlib import closing

import pytest

from agentrecall_storage.engine import sqlite
from helpers.files import database
from helpers.programs import Person, RunHook, assert_silent
from helpers.transcripts import TranscriptBuilder
from reliability.crash.engines import Engine
from reliability.crash.kills import run
from reliability.crash.second_engine import Found
from reliability.crash.stage import Stage

KILLS = 100
SOAK_KILLS = 1000


def killed_at_random(person: Person, engine: Engine, kills: int, seed: int) -> str:
    """Kill, look, process, look again; gives the figures."""
    report = run(engine, person, kills, seed)

    assert report.strange == []
    assert report.kills >= kills
    found = Found(person.memory, engine.other)
    assert found.faults == []
    assert found.doubled() == set()
    assert found.lost(set(report.acknowledged)) == set()

    stage = Stage(engine)
    done = stage.run(person, "agentrecall", "process")
    stage.close()
    assert (done.code, done.stderr) == (0, b"")

    found = Found(person.memory, engine.other)
    assert found.faults == []
    assert found.texts == dict.fromkeys(report.written, 1)
    assert found.turns == report.turns
    assert (found.spooled, found.set_aside) == (set(), [])
    return report.summary()


DAMAGE = {
    "a turn is gone": "DELETE FROM raw_items WHERE text = 'Tabs, please'",
    "a turn is there twice": """
        INSERT INTO raw_items(uid, dedup_key, source, kind, project_id, session_id, turn_id, role, origin,
                              prompt_source, text, said_at, captured_at)
        SELECT 'again', 'again', source, kind, project_id, session_id, turn_id, role, origin, prompt_source, text,
               said_at, captured_at
          FROM raw_items
         LIMIT 1
        """,
    "what a row refers to is gone": "DELETE FROM turns",
    "an index lacks a row": """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = sql || ' WHERE id < 0' WHERE name = 'sessions_by_last_seen';
        PRAGMA writable_schema = RESET;
        """,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_the_second_look_sees(person: Person, transcript: TranscriptBuilder, run_hook: RunHook, damage: str) -> None:
    """A check that never fails says nothing."""
    transcript.prompt("Tabs, please")
    assert_silent(run_hook("capture-hook", transcript.payload()))

    def faulty() -> bool:
        found = Found(person.memory, Engine.INTERPRETERS)
        return bool(found.faults or found.doubled() or found.lost({"Tabs, please"}))

    assert not faulty()
    with closing(sqlite.connect(database(person.memory))) as connection:
        connection.executescript(DAMAGE[damage])

    assert faulty()


@pytest.mark.parametrize("engine", Engine)
def test_a_hundred_kills_lose_and_double_nothing(person: Person, engine: Engine) -> None:
    killed_at_random(person, engine, KILLS, seed=1)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("engine", Engine)
@pytest.mark.parametrize("seed", [11])
def test_a_thousand_kills_lose_and_double_nothing(person: Person, engine: Engine, seed: int) -> None:
    sys.stdout.write(f"\n{killed_at_random(person, engine, SOAK_KILLS, seed)}\n")
