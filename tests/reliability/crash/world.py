"""The world of a story: one person on one engine, the run that dies there, and what holds of every story."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any, NamedTuple

from helpers.files import database
from helpers.programs import Person
from helpers.transcripts import TranscriptBuilder
from reliability.crash.forked import Ended
from reliability.crash.second_engine import Found
from reliability.crash.stage import Stage


class World:
    """One person on one engine, and what was acknowledged to them so far."""

    def __init__(self, person: Person, stage: Stage, transcript: TranscriptBuilder) -> None:
        self.person, self.stage, self.transcript = person, stage, transcript
        self.home = person.memory
        self.acknowledged: set[str] = set()
        self.written: set[str] = set()
        self.turns = 0

    def says(self, prompt: str, answer: str = "") -> None:
        """One more turn in the transcript."""
        self.transcript.prompt(prompt)
        self.written.add(prompt)
        self.turns += 1
        if answer:
            self.answers(answer)

    def answers(self, answer: str) -> None:
        """The agent's words in the transcript."""
        self.transcript.answer(answer)
        self.written.add(answer)

    def run(self, program: str, *arguments: str, stdin: bytes | dict[str, Any] = b"") -> Ended:
        """Run a program that has to do its work."""
        done = self.stage.run(self.person, program, *arguments, stdin=stdin)
        assert done.code == 0, (program, arguments, done)
        assert program == "agentrecall" or not done.stderr, (program, arguments, done)
        return done

    def captures(self) -> None:
        """A Stop hook that finishes: from here on the transcript's turns are acknowledged."""
        self.run("capture-hook", stdin=self.transcript.payload())
        self.acknowledged |= self.written

    def found(self) -> Found:
        """What the other engine finds."""
        return Found(self.home, self.stage.engine.other)

    def tell(self, statement: str) -> None:
        """Change the file behind the product's back."""
        with closing(self.stage.engine.module.connect(database(self.home), isolation_level=None)) as connection:
            connection.execute(statement)

    def asks(self, statement: str) -> list[tuple[Any, ...]]:
        """What the file itself answers."""
        with closing(self.stage.engine.module.connect(database(self.home))) as connection:
            return list(connection.execute(statement))


class Run(NamedTuple):
    """The run that dies, and that is made again afterwards."""

    program: str
    arguments: tuple[str, ...] = ()
    stdin: bytes | dict[str, Any] = b""


def nothing_lost(world: World, found: Found) -> None:
    assert found.faults == []
    assert found.doubled() == set()
    assert found.lost(world.acknowledged) == set()


def every_turn_once(world: World, found: Found) -> None:
    assert (found.faults, found.spooled) == ([], set())
    assert found.texts == dict.fromkeys(world.written, 1)
    assert found.turns == world.turns


class Story(NamedTuple):
    """A way to write, told in a world.

    *before* gives the run that is to die, *between* is what then holds at once, *repaired* is what happens before the
    same run is made again, and *after* is what holds in the end.
    """

    points: tuple[str, ...]
    before: Callable[[World], Run]
    between: Callable[[World, Found], None] = nothing_lost
    repaired: Callable[[World], None] = lambda _: None
    after: Callable[[World, Found], None] = every_turn_once


def two_turns(world: World) -> Run:
    """Two turns, of which the second is not captured yet; gives the Stop hook that would."""
    world.says("Tabs, please", "Tabs it is.")
    world.captures()
    world.says("And two blank lines", "Two it is.")
    return Run("capture-hook", stdin=world.transcript.payload(last_assistant_message="Two it is."))


def every_program_works(world: World) -> None:
    """Whatever the dead left lying about, no program minds it."""
    world.run("capture-hook", stdin=world.transcript.payload())
    world.run("agentrecall", "process")
    world.run("agentrecall", "status")
    world.run("agentrecall", "rules", "list", "--all", "--json")
    world.run(
        "recall-hook", stdin=world.transcript.payload("PreToolUse", tool_name="Read", tool_input={"file_path": "a"})
    )
