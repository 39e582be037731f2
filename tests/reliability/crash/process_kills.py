"""Random kills of the processor: sessions end, and each run of `process` is killed wherever it is, or finishes.

A program of its own: `python -m reliability.crash.process_kills ENGINE FOLDER KILLS SEED` prints what there is to
remember, and how it went, as one JSON object. The processor is a forked child that runs the installed program's `main`
with a judge that makes one note of each session, so that what is lost or doubled can be counted.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import subprocess
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from helpers.programs import Person
from reliability.crash.engines import Engine
from reliability.crash.forked import Child, Wish, ended, load, start
from reliability.crash.stage import TESTS, environment_of, existing

KILLED = -9
DOOMED = 0.85
"""The share of the runs that are to be killed; some are faster."""
TOGETHER = 0.15
"""The share of the runs in which a second processor is started beside the first."""
SESSIONS = (1, 5)
"""So many sessions end before each run."""


class Report(NamedTuple):
    """How it went."""

    engine: str
    kills: int
    runs: int
    units_left_by_the_killed: int
    leases_left_by_the_killed: int
    told: list[str]
    strange: list[str]

    def summary(self) -> str:
        """The figures in one line."""
        return (
            f"{self.engine}: {self.kills} kills in {self.runs} runs of the processor over {len(self.told)} sessions; "
            f"left by the killed: {self.leases_left_by_the_killed} leases, {self.units_left_by_the_killed} units"
        )


class Kills:
    """The loop: sessions end, a processor starts, and the dice say when it dies."""

    def __init__(self, person: Person, seed: int) -> None:
        self.person = person
        self.dice = random.Random(seed)  # noqa: S311 -- dice, not keys
        self.told: list[str] = []
        self.kills = self.runs = self.units_left = self.leases_left = 0
        self.usual = 0.3
        self.strange: list[str] = []

    def until(self, kills: int) -> None:
        """Go on until so many were killed."""
        while self.kills < kills:
            self._sessions_end(self.dice.randint(*SESSIONS))
            running = [self._start()]
            if self.dice.random() < TOGETHER:
                running.append(self._start())
            self._wait(running)

    def _sessions_end(self, count: int) -> None:
        from agentrecall_storage.memory import open_memory  # noqa: PLC0415 -- loaded by `load`, with its crash points
        from notes.told import tell  # noqa: PLC0415 -- as above

        with open_memory(str(self.person.memory), lambda: datetime.now(UTC)) as memory:
            for _ in range(count):
                number = len(self.told)
                words = f"remember {_name(number)}: thing {number} is kept by {_name(number * 7 + 3)}"
                tell(memory, (words, "Noted."), session=f"s{number}", ended=True)
                self.told.append(words)

    def _start(self) -> Child:
        self.runs += 1
        where = environment_of(self.person)
        return start(Wish("agentrecall", ["process"], b"", str(self.person.project), where), _with_a_judge)

    def _wait(self, running: list[Child]) -> None:
        doomed = [child for child in running if self.dice.random() < DOOMED]
        due = {child: child.started + self.dice.uniform(0, 1.2 * self.usual) for child in doomed}
        while running:
            within = min((max(0.0, at - time.monotonic()) for at in due.values()), default=None)
            for child in ended(running, within):
                running.remove(child)
                due.pop(child, None)
                self._ended(child)
            for child in [child for child, at in due.items() if at <= time.monotonic()]:
                with suppress(ProcessLookupError):
                    child.kill()
                del due[child]

    def _ended(self, child: Child) -> None:
        lasted = time.monotonic() - child.started
        done = child.end()
        if done.code == KILLED:
            self.kills += 1
            self._look()
        elif done.code != 0 or done.stderr:
            self.strange.append(str(done))
        else:
            self.usual += (lasted - self.usual) / 8

    def _look(self) -> None:
        from agentrecall_storage.memory import open_memory  # noqa: PLC0415 -- see above

        with open_memory(str(self.person.memory), lambda: datetime.now(UTC)) as memory:
            self.leases_left += memory.connection.execute("SELECT count(*) FROM leases").fetchone()[0]
            self.units_left += sum(memory.episodes.waiting().values())


def _name(number: int) -> str:
    """A word for each number, unlike the words for others."""
    syllables = ("ka", "lo", "mi", "tu", "re", "so", "vi", "na", "po", "fe")
    return "".join(syllables[int(digit)] for digit in f"{(number * 7919 + 104_729) % 1_000_003:06}")


def _with_a_judge() -> None:
    from agentrecall_admin import process  # noqa: PLC0415 -- loaded by `load`, with its crash points
    from notes.told import Scripted, remembering  # noqa: PLC0415 -- as above

    vars(process)["judge_for"] = lambda *_: Scripted(remembering)


def run(engine: Engine, person: Person, kills: int, seed: int) -> Report:
    """Run the program, and read what it says."""
    done = subprocess.run(
        [sys.executable, "-m", __name__, engine, str(person.home.parent), str(kills), str(seed)],
        env={**person.environment(), "PYTHONPATH": str(TESTS)},
        check=True,
        stdout=subprocess.PIPE,
    )
    return Report(**json.loads(done.stdout))


def main() -> None:
    """Kill as the command line says, then let one finish."""
    engine, folder, kills, seed = Engine(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    load(engine)
    for module in ("agentrecall_admin.process", "notes.told"):
        importlib.import_module(module)
    loop = Kills(existing(Path(folder)), seed)
    loop.until(kills)
    last = loop._start().end()
    if last.code != 0:
        loop.strange.append(str(last))
    report = Report(
        engine=engine.description,
        kills=loop.kills,
        runs=loop.runs,
        units_left_by_the_killed=loop.units_left,
        leases_left_by_the_killed=loop.leases_left,
        told=loop.told,
        strange=loop.strange,
    )
    sys.stdout.write(json.dumps(report._asdict()))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
