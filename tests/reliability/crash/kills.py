"""Random kills: writers on one memory, each with a transcript that grows, killed with SIGKILL wherever they are.

A program of its own: `python -m reliability.crash.kills ENGINE FOLDER KILLS SEED` prints what was written, what was
acknowledged and how it went as one JSON object. The hooks are forked children that run the installed program's `main`;
an event is acknowledged when its process ends with exit code 0, and then all that its transcript held when it started.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from helpers.programs import Person, as_bytes
from helpers.transcripts import TranscriptBuilder
from reliability.crash.engines import Engine
from reliability.crash.forked import Child, Wish, ended, load, start
from reliability.crash.stage import TESTS, environment_of, existing

WRITERS = 8
KILLED = -9
DOOMED = 0.7
"""The share of the runs that are to be killed; some are faster."""
HURRIED = 0.4
"""The share of the hooks that get next to no time, so that the spool is written too."""
HURRIED_MS = (0, 2, 10)
SWEEPING = 0.08
"""The share of the events that are a session start: it reads all transcripts on, and copies the log back."""
PROCESS_EVERY = 20
"""So many hooks go by between two runs of `agentrecall process`, which is killed like the others."""


class Report(NamedTuple):
    """How it went."""

    engine: str
    kills: int
    killed: dict[str, int]
    runs: int
    hooks_finished: int
    hooks_spooled: int
    hot_journals: int
    half_spooled: int
    turns: int
    written: list[str]
    acknowledged: list[str]
    strange: list[str]

    def summary(self) -> str:
        """The figures in one line."""
        return (
            f"{self.engine}: {self.kills} kills {self.killed} in {self.runs} runs by {WRITERS} writers and the "
            f"processor; {self.turns} turns, {len(self.acknowledged)} of {len(self.written)} texts acknowledged; "
            f"{self.hooks_finished} hooks finished, {self.hooks_spooled} of them spooled; "
            f"left by the killed: {self.hot_journals} rollback journals, {self.half_spooled} half spool entries"
        )


class _Writer:
    """One session, whose agent never stops."""

    def __init__(self, number: int, person: Person) -> None:
        self.number = number
        path = person.home / ".claude" / "projects" / "-project" / f"{number:08}-0000-4000-8000-000000000000.jsonl"
        self.transcript = TranscriptBuilder(path, person.project, path.stem)
        self.written: list[str] = []

    def turn(self) -> dict[str, Any]:
        """One more turn; gives the payload of its Stop event."""
        number = len(self.written) // 2
        prompt, answer = (
            f"writer {self.number} asks for thing {number}",
            f"writer {self.number} is told about thing {number}",
        )
        self.transcript.prompt(prompt)
        self.transcript.answer(answer)
        self.written += [prompt, answer]
        return self.transcript.payload(last_assistant_message=answer)


class _Running(NamedTuple):
    child: Child
    writer: _Writer | None
    known: int
    event: str
    kill_at: float | None


class Kills:
    """The loop: keeps every writer busy and kills as the dice say."""

    def __init__(self, person: Person, seed: int) -> None:
        self.person = person
        self.dice = random.Random(seed)  # noqa: S311 -- dice, not keys
        self.writers = [_Writer(number, person) for number in range(WRITERS)]
        self.idle = list(self.writers)
        self.running: list[_Running] = []
        self.acknowledged: set[str] = set()
        self.killed: dict[str, int] = {}
        self.runs = self.finished = self.spooled = self.journals = self.halves = 0
        self.usual = {"hook": 0.02, "process": 0.05}
        self.strange: list[str] = []

    @property
    def kills(self) -> int:
        """How many runs were killed so far."""
        return sum(self.killed.values())

    def until(self, kills: int) -> None:
        """Go on until so many were killed, then let the others end."""
        while self.kills < kills or self.running:
            if self.kills < kills:
                self._keep_busy()
            self._wait()

    def _keep_busy(self) -> None:
        while self.idle:
            writer = self.idle.pop(self.dice.randrange(len(self.idle)))
            payload = writer.turn()
            event = "SessionStart" if self.dice.random() < SWEEPING else "Stop"
            hurried = self.dice.choice(HURRIED_MS) if self.dice.random() < HURRIED else None
            wish = Wish(
                "capture-hook",
                [],
                as_bytes({**payload, "hook_event_name": event}),
                str(self.person.project),
                environment_of(self.person),
            )
            self._start(start(wish, partial(_hurry, hurried)), writer, event)
        if self.runs % PROCESS_EVERY == 0 and not any(run.event == "process" for run in self.running):
            wish = Wish("agentrecall", ["process"], b"", str(self.person.project), environment_of(self.person))
            self._start(start(wish), None, "process")

    def _start(self, child: Child, writer: _Writer | None, event: str) -> None:
        self.runs += 1
        usual = self.usual["hook" if writer else "process"]
        kill_at = child.started + self.dice.uniform(0, 1.2 * usual) if self.dice.random() < DOOMED else None
        self.running.append(_Running(child, writer, len(writer.written) if writer else 0, event, kill_at))

    def _wait(self) -> None:
        due = min((run.kill_at for run in self.running if run.kill_at is not None), default=None)
        within = None if due is None else max(0.0, due - time.monotonic())
        over = ended([run.child for run in self.running], within)
        now = time.monotonic()
        for run in list(self.running):
            if run.child in over:
                self.running.remove(run)
                self._ended(run, now)
            elif run.kill_at is not None and run.kill_at <= now:
                run.child.kill()
                self.running[self.running.index(run)] = run._replace(kill_at=None)

    def _ended(self, run: _Running, now: float) -> None:
        done = run.child.end()
        kind = "hook" if run.writer else "process"
        if done.code == KILLED:
            self.killed[run.event] = self.killed.get(run.event, 0) + 1
            self.journals += (self.person.memory / "agentrecall.db-journal").exists()
            self.halves = len(list((self.person.memory / "spool").glob("*.part")))
        elif done.code != 0 or (run.writer and (done.stdout or done.stderr)):
            self.strange.append(f"{run.event}: {done}")
        else:
            self.usual[kind] += (now - run.child.started - self.usual[kind]) / 8
            if run.writer and run.event == "Stop":
                self.finished += 1
                self.acknowledged.update(run.writer.written[: run.known])
                self.spooled += any(
                    f"-{run.child.pid}-" in path.name for path in (self.person.memory / "spool").glob("*.json")
                )
        if run.writer:
            self.idle.append(run.writer)


def run(engine: Engine, person: Person, kills: int, seed: int) -> Report:
    """Run the program, and read what it says."""
    done = subprocess.run(
        [sys.executable, "-m", __name__, engine, str(person.home.parent), str(kills), str(seed)],
        env={**person.environment(), "PYTHONPATH": str(TESTS)},
        check=True,
        stdout=subprocess.PIPE,
    )
    return Report(**json.loads(done.stdout))


def _hurry(budget_ms: int | None) -> None:
    if budget_ms is not None:
        from agentrecall_capture_hook import capture  # noqa: PLC0415 -- loaded by `load`, with its crash points

        capture.BUDGETS_MS = dict.fromkeys(capture.BUDGETS_MS, budget_ms)


def main() -> None:
    """Kill as the command line says."""
    engine, folder, kills, seed = Engine(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    load(engine)
    loop = Kills(existing(Path(folder)), seed)
    loop.until(kills)
    report = Report(
        engine=engine.description,
        kills=loop.kills,
        killed=loop.killed,
        runs=loop.runs,
        hooks_finished=loop.finished,
        hooks_spooled=loop.spooled,
        hot_journals=loop.journals,
        half_spooled=loop.halves,
        turns=sum(len(writer.written) // 2 for writer in loop.writers),
        written=[text for writer in loop.writers for text in writer.written],
        acknowledged=sorted(loop.acknowledged),
        strange=loop.strange,
    )
    sys.stdout.write(json.dumps(report._asdict()))


if __name__ == "__main__":
    main()
