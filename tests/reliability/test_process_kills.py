"""Random kills of the processor: the next run finishes the same work, no note is there twice and no unit is lost."""

from __future__ import annotations

import sys

import pytest

from helpers.files import rows
from helpers.programs import Person
from reliability.crash.engines import Engine
from reliability.crash.process_kills import run
from reliability.crash.second_engine import Found

KILLS = 100
SOAK_KILLS = 1000


def killed_at_random(person: Person, engine: Engine, kills: int, seed: int) -> str:
    """Kill, finish, look; gives the figures."""
    report = run(engine, person, kills, seed)

    assert report.strange == []
    assert report.kills >= kills
    assert Found(person.memory, engine.other).faults == []
    notes = rows(person.memory, "SELECT title FROM notes ORDER BY title")
    assert [title for (title,) in notes] == sorted(report.told)
    assert rows(person.memory, "SELECT count(*) FROM note_sources") == [(len(report.told),)]
    assert rows(person.memory, "SELECT status, count(*) FROM episodes GROUP BY status") == [
        ("Distilled", len(report.told))
    ]
    assert rows(person.memory, "SELECT count(*) FROM turns WHERE episode_id IS NULL") == [(0,)]
    distilled = "SELECT count(*), count(DISTINCT subject) FROM events WHERE kind = 'UnitDistilled'"
    assert rows(person.memory, distilled) == [(len(report.told),) * 2]
    assert rows(person.memory, "SELECT count(*) FROM distill_failures") == [(0,)]
    assert rows(person.memory, "SELECT count(*) FROM leases") == [(0,)]
    return report.summary()


@pytest.mark.timeout(180)
@pytest.mark.parametrize("engine", Engine)
def test_a_hundred_kills_of_the_processor_lose_and_double_nothing(person: Person, engine: Engine) -> None:
    sys.stdout.write(f"\n{killed_at_random(person, engine, KILLS, seed=1)}\n")


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("engine", Engine)
def test_a_thousand_kills_of_the_processor_lose_and_double_nothing(person: Person, engine: Engine) -> None:
    sys.stdout.write(f"\n{killed_at_random(person, engine, SOAK_KILLS, seed=11)}\n")
