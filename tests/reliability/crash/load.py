"""Load: many hooks at once on one memory, each session a turn after the other, beside whatever else uses the file.

A program of its own: `python -m reliability.crash.load ENGINE FOLDER SESSIONS TURNS BESIDE...` prints a report as one
JSON object. The hooks are forked children that run the installed program's `main`. In them, every lock wait that is
asked of the engine is noted beside what the hook's deadline had left, and what became of each batch.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from helpers.programs import Person, as_bytes
from helpers.transcripts import TranscriptBuilder
from reliability.crash.engines import Engine
from reliability.crash.forked import Child, Wish, ended, load, start
from reliability.crash.stage import TESTS, environment_of, existing

ROWS_OF_A_MIGRATION = 1_000_000
OLD_SESSIONS = 2
"""Of the sessions, so many run the version of the program that the upgrade leaves behind."""
WORDS = (
    *("anchor", "bridge", "candle", "drawer", "engine", "fence", "gutter", "hinge", "ladder", "mirror"),
    *("needle", "oven", "pillow", "roof", "saddle", "table", "umbrella", "valve", "window", "zipper"),
)
"""What the rules are about: two that differ in a number alone tell the same."""


class Beside(StrEnum):
    """What else uses the file while the hooks run."""

    READER = "a reader held open"
    PROCESSOR = "agentrecall process, again and again"
    RULES = "a person adding rules"
    MIGRATION = "an upgrade, and old programs after it"


class Report(NamedTuple):
    """How it went."""

    engine: str
    beside: list[str]
    hooks: int
    stored: int
    spooled: int
    by_another: int
    refused: int
    silent: list[str]
    waits: int
    longest_wait_ms: int
    beyond: list[str]
    processed: int
    rules: int
    written: list[str]
    turns: int
    strange: list[str]

    def summary(self) -> str:
        """The figures in one line."""
        return (
            f"{self.engine}; beside: {', '.join(self.beside) or 'nothing'}: {self.hooks} hooks, {self.stored} stored, "
            f"{self.spooled} spooled ({self.refused} of them by an old program), {self.by_another} found theirs stored "
            f"by another; {self.waits} lock waits asked, the longest {self.longest_wait_ms} ms, "
            f"{len(self.beyond)} beyond the budget; processed {self.processed} times, {self.rules} rules added"
        )


class _Session:
    def __init__(self, number: int, person: Person, *, old: bool) -> None:
        self.number, self.old = number, old
        path = person.home / ".claude" / "projects" / "-project" / f"{number:08}-0000-4000-8000-000000000000.jsonl"
        self.transcript = TranscriptBuilder(path, person.project, path.stem)
        self.written: list[str] = []

    def turn(self) -> dict[str, Any]:
        number = len(self.written) // 2
        prompt, answer = (
            f"session {self.number} asks for thing {number}",
            f"session {self.number} is told about thing {number}",
        )
        self.transcript.prompt(prompt)
        self.transcript.answer(answer)
        self.written += [prompt, answer]
        return self.transcript.payload(last_assistant_message=answer)


class _Notes:
    """What the children saw, one JSON line each, in a file that they append to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.given: int | None = None
        self.hook: int | None = None

    def note(self, **fields: Any) -> None:
        if self.hook is None:
            # A command's waits are its own affair.
            return
        line = json.dumps({"hook": self.hook, **fields}).encode() + b"\n"
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, line)
        os.close(descriptor)

    def asked(self, wait_ms: int, path: str = "") -> None:
        # A file that nobody else can know has nobody to wait for.
        if not path.endswith((".new", ".part")):
            self.note(wait=wait_ms, allowed=wait_ms == self.given, path=Path(path).name)

    def all(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_bytes().splitlines()] if self.path.exists() else []


def _watch(notes: _Notes) -> None:
    """Note every lock wait asked for, and every batch stored or spooled, in this process and those forked from it."""
    from agentrecall_storage import deadline, engine, hot, raw_items  # noqa: PLC0415 -- loaded by `load`
    from agentrecall_storage.files import spool  # noqa: PLC0415

    remaining, connect, wait_at_most = deadline.Deadline.remaining_ms, engine.connect, engine.wait_at_most
    record_reading, append = raw_items.CaptureStore.record_reading, spool.append

    def noted_remaining(self: Any) -> int:
        given = remaining(self)
        notes.given = given
        return given

    def noted_connect(path: str, wait_ms: int) -> Any:
        notes.asked(wait_ms, path)
        return connect(path, wait_ms)

    def noted_wait(connection: Any, wait_ms: int) -> None:
        notes.asked(wait_ms)
        wait_at_most(connection, wait_ms)

    def noted_reading(self: Any, *arguments: Any) -> bool:
        stored = record_reading(self, *arguments)
        notes.note(did="stored" if stored else "by another")
        return stored

    def noted_append(*arguments: Any) -> str:
        kept = append(*arguments)
        notes.note(did="spooled")
        return kept

    watched: list[tuple[Any, str, Any]] = [
        (deadline.Deadline, "remaining_ms", noted_remaining),
        (raw_items.CaptureStore, "record_reading", noted_reading),
        (spool, "append", noted_append),
        (hot, "wait_at_most", noted_wait),
    ]
    for owner, name, noted in watched:
        setattr(owner, name, noted)
    for module in [module for name, module in sys.modules.items() if name.startswith("agentrecall_")]:
        if getattr(module, "connect", None) is connect:
            vars(module)["connect"] = noted_connect


def _pretend(version: int) -> None:
    """Be a program of another schema version, in this process."""
    for name, module in sys.modules.items():
        if name.startswith("agentrecall_") and hasattr(module, "SCHEMA_VERSION"):
            vars(module)["SCHEMA_VERSION"] = version


def _second_migration() -> int:
    """Know one migration more than the product: slow enough that hooks meet it under way. Gives the version."""
    from agentrecall_storage.migrations.schema import MIGRATIONS  # noqa: PLC0415 -- loaded by `load`
    from agentrecall_storage.schema_version import SCHEMA_VERSION  # noqa: PLC0415

    @MIGRATIONS(name="9999_of_the_test")
    def of_the_test(db: Any) -> None:
        db.execute("CREATE TABLE of_the_test (n INTEGER)")
        db.execute(
            f"""
            INSERT INTO of_the_test
            WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < {ROWS_OF_A_MIGRATION})
            SELECT n FROM counted WHERE n % 1000 = 0
            """  # noqa: S608 -- a number of ours
        )

    return SCHEMA_VERSION + 1


class Load:
    """The loop."""

    def __init__(self, engine: Engine, person: Person, sessions: int, turns: int, beside: list[Beside]) -> None:
        self.engine, self.person, self.turns, self.beside = engine, person, turns, beside
        old = OLD_SESSIONS if Beside.MIGRATION in beside else 0
        self.sessions = [_Session(number, person, old=number < old) for number in range(sessions)]
        self.notes = _Notes(person.home / "notes")
        self.hooks: list[_Session] = []
        self.processed = self.rules = 0
        self.strange: list[str] = []
        self.old_version = self.new_version = 0

    def run(self) -> None:
        """Run every session to its end, and what goes on beside them until then."""
        if Beside.MIGRATION in self.beside:
            self._meet_a_migration()
        _watch(self.notes)
        running: dict[Child, _Session | None] = {}
        if Beside.MIGRATION not in self.beside:
            assert self.command("init").end().code == 0
        release = self._hold_a_reader() if Beside.READER in self.beside else None
        for session in self.sessions:
            running[self._hook(session)] = session
        while any(running.values()):
            self._start_what_goes_on(running)
            for child in ended(list(running)):
                of = running.pop(child)
                self._end(child, of)
                if of is not None and len(of.written) < 2 * self.turns:
                    running[self._hook(of)] = of
        for child in running:
            self._end(child, None)
        if release:
            release()

    def _end(self, child: Child, session: _Session | None) -> None:
        done = child.end()
        if done.code or (session is not None and (done.stdout or done.stderr)):
            self.strange.append(str(done))

    def _start_what_goes_on(self, running: dict[Child, _Session | None]) -> None:
        others = [child for child, session in running.items() if session is None]
        if others:
            return
        if Beside.RULES in self.beside and self.rules < len(WORDS):
            word = WORDS[self.rules]
            self.rules += 1
            running[self.command("feedback", "add", f"When the {word} breaks, mend the {word}")] = None
        elif Beside.PROCESSOR in self.beside:
            self.processed += 1
            running[self.command("process")] = None

    def _meet_a_migration(self) -> None:
        from agentrecall_storage.schema_version import SCHEMA_VERSION  # noqa: PLC0415 -- loaded by `load`

        self.old_version = SCHEMA_VERSION
        # The file is made by the old program, which does not know the migration yet.
        assert self.command("init").end().code == 0
        self.new_version = _second_migration()
        _pretend(self.new_version)

    def _hook(self, session: _Session) -> Child:
        wish = Wish("capture-hook", [], as_bytes(session.turn()), str(self.person.project), environment_of(self.person))
        self.hooks.append(session)
        return start(wish, partial(self._begin, len(self.hooks) - 1))

    def _begin(self, hook: int) -> None:
        self.notes.hook = hook
        if self.hooks[hook].old:
            _pretend(self.old_version)

    def command(self, *arguments: str) -> Child:
        """Start the command line."""
        return start(Wish("agentrecall", list(arguments), b"", str(self.person.project), environment_of(self.person)))

    def _hold_a_reader(self) -> Any:
        """A process that reads, and goes on reading until it is told to stop."""
        told, tell = os.pipe()
        ready, say = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(tell)
            with closing(
                self.engine.module.connect(self.person.memory / "agentrecall.db", isolation_level=None)
            ) as reader:
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM raw_items").fetchone()
                os.write(say, b".")
                os.read(told, 1)
            os._exit(0)
        os.read(ready, 1)

        def release() -> None:
            os.close(tell)
            os.waitpid(child, 0)

        return release

    def report(self) -> Report:
        """Judge what the hooks noted."""
        did: list[list[str]] = [[] for _ in self.hooks]
        waits: list[dict[str, Any]] = []
        for note in self.notes.all():
            if "did" in note:
                did[note["hook"]].append(note["did"])
            else:
                waits.append(note)
        counted = Counter("stored" if "stored" in of else of[0] if of else "silent" for of in did)
        return Report(
            engine=self.engine.description,
            beside=[beside.value for beside in self.beside],
            hooks=len(did),
            stored=counted["stored"],
            spooled=counted["spooled"],
            by_another=counted["by another"],
            refused=sum(
                1 for session, of in zip(self.hooks, did, strict=True) if session.old and of[:1] == ["spooled"]
            ),
            silent=[f"session {session.number}" for session, of in zip(self.hooks, did, strict=True) if not of],
            waits=len(waits),
            longest_wait_ms=max((note["wait"] for note in waits), default=0),
            beyond=[json.dumps(note) for note in waits if not note["allowed"]],
            processed=self.processed,
            rules=self.rules,
            written=[text for session in self.sessions for text in session.written],
            turns=sum(len(session.written) // 2 for session in self.sessions),
            strange=self.strange,
        )


def run(  # noqa: PLR0917 -- what the load is, and who looks
    engine: Engine,
    person: Person,
    sessions: int,
    turns: int,
    beside: tuple[Beside, ...],
    look: Callable[[Report], None],
) -> Report:
    """Run the program, *look* at what is there, and let it run `agentrecall process`."""
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, engine, str(person.home.parent), str(sessions), str(turns), *beside],
        env={**person.environment(), "PYTHONPATH": str(TESTS)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        if process.stdin is None or process.stdout is None:
            raise TypeError
        report = Report(**json.loads(process.stdout.readline()))
        look(report)
        process.stdin.write("go on\n")
        process.stdin.flush()
        processed = process.stdout.read()
    assert (process.returncode, processed) == (0, "0")
    return report


def main() -> None:
    """Load as the command line says, report, wait for a word, and process."""
    engine, folder, sessions, turns, *beside = sys.argv[1:]
    load(Engine(engine))
    loaded = Load(Engine(engine), existing(Path(folder)), int(sessions), int(turns), [Beside(name) for name in beside])
    loaded.run()
    sys.stdout.write(json.dumps(loaded.report()._asdict()) + "\n")
    sys.stdout.flush()
    sys.stdin.readline()
    sys.stdout.write(str(loaded.command("process").end().code))


if __name__ == "__main__":
    main()
