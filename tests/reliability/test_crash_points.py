"""Crash points: a program killed at any of them loses nothing that it acknowledged, and the next one goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from helpers.programs import Person
from helpers.transcripts import TranscriptBuilder
from reliability.crash import points
from reliability.crash.engines import Engine
from reliability.crash.stage import Stage
from reliability.crash.stories import STORIES
from reliability.crash.world import Story, World, every_program_works

KILLED = -9
CASES = [pytest.param(story, point, id=f"{name}: {point}") for name, story in STORIES.items() for point in story.points]


@pytest.fixture(scope="module")
def stages() -> Iterator[Callable[[Engine], Stage]]:
    """The programs, loaded once on each engine that is asked for."""
    opened: dict[Engine, Stage] = {}

    def on(engine: Engine) -> Stage:
        if engine not in opened:
            opened[engine] = Stage(engine)
        return opened[engine]

    yield on
    for stage in opened.values():
        stage.close()


def test_every_crash_point_of_the_product_is_exercised_and_has_its_own_name() -> None:
    named = points.in_source()

    assert [name for name, count in Counter(named).items() if count > 1] == []
    assert set(named) == {point for story in STORIES.values() for point in story.points}


def test_a_crash_point_costs_an_installed_program_nothing(person: Person) -> None:
    """It is a comment: what runs does not know its name, armed or not."""
    done = person.agentrecall("feedback", "add", "Use tabs", "--global", **{points.ARMED: "rule, added"})

    assert (done.returncode, done.stderr) == (0, b"")


def test_a_line_with_a_crash_point_stays_where_it_is() -> None:
    source = "def f():\n    # crash point: here\n    return 1\n"

    compiled = points.compiled_in(source)

    assert compiled.count("\n") == source.count("\n")
    assert compiled.splitlines()[1] == (
        '    __import__("reliability.crash.points", fromlist=["reached"]).reached("here")'
    )


@pytest.mark.parametrize("engine", Engine)
@pytest.mark.parametrize(("story", "point"), CASES)
def test_a_program_that_dies_at_a_crash_point_loses_nothing_and_harms_nothing(  # noqa: PLR0917 -- fixtures
    person: Person,
    transcript: TranscriptBuilder,
    stages: Callable[[Engine], Stage],
    engine: Engine,
    story: Story,
    point: str,
) -> None:
    world = World(person, stages(engine), transcript)
    run = story.before(world)

    died, where = world.stage.run_armed(person, point, run.program, *run.arguments, stdin=run.stdin)

    assert (died.code, where) == (KILLED, point), died
    story.between(world, world.found())
    story.repaired(world)
    world.run(run.program, *run.arguments, stdin=run.stdin)
    every_program_works(world)

    story.after(world, world.found())
