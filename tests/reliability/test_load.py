"""Load: twenty-four hooks at once, beside whatever else uses the file: each turn stored or spooled, and then once."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from agentrecall_domain.turns.batch import Batch
from agentrecall_storage.capturing import drain
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.engine import connect, sqlite
from agentrecall_storage.hot import Transaction
from agentrecall_storage.raw_items import CaptureStore
from agentrecall_storage.schema_version import SCHEMA_VERSION, NewerMemoryError
from helpers.files import database, log_lines, rows, said, spooled
from helpers.programs import Person, as_bytes, command
from helpers.transcripts import TranscriptBuilder
from reliability.crash.engines import Engine
from reliability.crash.load import OLD_SESSIONS, Beside, Report, run
from reliability.crash.second_engine import Found

SESSIONS = 24
BUDGET_MS = 2000
NOTHING: tuple[Beside, ...] = ()
# In the rollback journal's mode a reader keeps every writer out: nothing but the spool can be asked for there.
WRITERS = (Beside.PROCESSOR, Beside.RULES, Beside.MIGRATION)
ALL = (Beside.READER, *WRITERS)
LOADS = [
    pytest.param(Engine.SHIPPED, NOTHING, id="shipped: nothing beside"),
    pytest.param(Engine.SHIPPED, (Beside.READER,), id="shipped: a reader"),
    pytest.param(Engine.SHIPPED, (Beside.RULES,), id="shipped: rules"),
    pytest.param(Engine.SHIPPED, ALL, id="shipped: all at once"),
    pytest.param(Engine.INTERPRETERS, NOTHING, id="interpreter's: nothing beside"),
    pytest.param(Engine.INTERPRETERS, (Beside.READER,), id="interpreter's: a reader"),
    pytest.param(Engine.INTERPRETERS, (Beside.RULES,), id="interpreter's: rules"),
    pytest.param(Engine.INTERPRETERS, WRITERS, id="interpreter's: all who write"),
]


def loaded(person: Person, engine: Engine, beside: tuple[Beside, ...], turns: int) -> Report:
    """Run a load and hold it to what is promised."""

    def look(report: Report) -> None:
        assert report.strange == []
        assert report.hooks == SESSIONS * turns
        # A hook finds nothing to do only where another program reads the transcripts too.
        assert Beside.PROCESSOR in beside or (report.silent, report.by_another) == ([], 0)
        assert report.stored + report.spooled + report.by_another + len(report.silent) == report.hooks
        assert report.beyond == []
        assert 0 < report.longest_wait_ms <= BUDGET_MS
        if Beside.MIGRATION in beside:
            # But for those that came before the upgrade.
            assert OLD_SESSIONS * (turns - 2) <= report.refused <= OLD_SESSIONS * turns
        found = Found(person.memory, engine.other)
        assert found.faults == []
        assert found.doubled() == set()
        assert found.lost(set(report.written)) == set()

    report = run(engine, person, SESSIONS, turns, beside, look)

    found = Found(person.memory, engine.other)
    assert found.faults == []
    assert found.turns == report.turns == SESSIONS * turns
    assert found.texts == dict.fromkeys(report.written, 1)
    assert (found.spooled, found.set_aside) == (set(), [])
    assert len(found.rules) == report.rules
    return report


@pytest.mark.parametrize(("engine", "beside"), LOADS)
def test_hooks_at_once_store_or_spool_every_turn(person: Person, engine: Engine, beside: tuple[Beside, ...]) -> None:
    held_up = engine is Engine.INTERPRETERS and Beside.READER in beside
    # There each hook waits its whole budget out.
    loaded(person, engine, beside, turns=2 if held_up else 5)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("engine", "beside"), LOADS)
def test_twelve_hundred_turns_are_twelve_hundred(person: Person, engine: Engine, beside: tuple[Beside, ...]) -> None:
    sys.stdout.write(f"\n{loaded(person, engine, beside, turns=50).summary()}\n")


def started(person: Person, session: TranscriptBuilder) -> subprocess.Popen[bytes]:
    """An installed hook with its payload at hand: it waits for nobody's pipe while the others are started."""
    with tempfile.TemporaryFile() as stdin:
        stdin.write(as_bytes(session.payload()))
        stdin.seek(0)
        return subprocess.Popen(
            command("capture-hook"),
            cwd=person.project,
            env=person.environment(),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


def installed_at_once(person: Person, rounds: int) -> None:
    """The installed hook itself, so many processes at once, round after round."""
    folder = person.home / ".claude" / "projects" / "-project"
    sessions = [
        TranscriptBuilder(folder / f"{number:08}.jsonl", person.project, f"{number:08}") for number in range(SESSIONS)
    ]
    for turn in range(rounds):
        for number, session in enumerate(sessions):
            session.prompt(f"session {number} asks for thing {turn}")
        for process in [started(person, session) for session in sessions]:
            assert (*process.communicate(), process.returncode) == (b"", b"", 0)

    assert person.agentrecall("process").returncode == 0
    assert len(set(said(person.memory))) == len(said(person.memory)) == SESSIONS * rounds
    assert rows(person.memory, "SELECT count(*) FROM turns") == [(SESSIONS * rounds,)]
    assert spooled(person.memory) == []


def test_installed_hooks_at_once_store_every_turn(person: Person) -> None:
    installed_at_once(person, rounds=2)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_twelve_hundred_installed_hooks_store_twelve_hundred_turns(person: Person) -> None:
    installed_at_once(person, rounds=50)


# -- what the loads found, one by one ---------------------------------------------------------------


@pytest.mark.usefixtures("made")
def test_a_commit_that_fails_leaves_no_transaction_behind(home: Path) -> None:
    """A reader holds a commit up where there is no write-ahead log; what follows must be able to begin."""
    with (
        closing(connect(str(database(home)), 0)) as writer,
        closing(sqlite.connect(database(home), isolation_level=None)) as reader,
    ):
        assert writer.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM config").fetchone()

        with pytest.raises(sqlite.OperationalError), Transaction(writer):
            writer.execute("INSERT INTO config(key, value, updated_at) VALUES ('k', 'v', '')")

        assert not writer.in_transaction
        reader.execute("COMMIT")
        with Transaction(writer):
            pass


@pytest.mark.usefixtures("made")
def test_a_program_that_was_overtaken_by_an_upgrade_writes_nothing_more(
    home: Path, transcript: TranscriptBuilder
) -> None:
    """It opened the file before, and got the lock after."""
    entry = home / "spool" / "00000000000000000001-1-a.json"
    batch = Batch(
        source="claude-code",
        session_uid=transcript.session,
        transcript_path="",
        captured_at="2026-11-02T08:00:00Z",
    )
    entry.parent.mkdir(mode=0o700)
    entry.write_text(batch.to_json(), encoding="utf-8")
    with closing(connect(str(database(home)), 0)) as old, closing(connect(str(database(home)), 0)) as new:
        store = CaptureStore(old)
        new.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")

        with pytest.raises(NewerMemoryError):
            store.record_batch(batch)

        assert not old.in_transaction
        drain(str(home), store, Deadline(BUDGET_MS))
    assert spooled(home) == [entry]
    assert [line["error"] for line in log_lines(home)] == ["NewerMemoryError"]
