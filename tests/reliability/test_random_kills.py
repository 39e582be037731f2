"""Random kills: eight writers killed wherever they are; every turn that a hook acknowledged is there, once."""

from __future__ import annotations

import pytest

from helpers.programs import Person
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


@pytest.mark.parametrize("engine", Engine)
def test_a_hundred_kills_lose_and_double_nothing(person: Person, engine: Engine) -> None:
    print(killed_at_random(person, engine, KILLS, seed=1))


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("engine", Engine)
@pytest.mark.parametrize("seed", [11])
def test_a_thousand_kills_lose_and_double_nothing(person: Person, engine: Engine, seed: int) -> None:
    print(killed_at_random(person, engine, SOAK_KILLS, seed))
