"""The safe mode: the rollback journal on an engine that can lose data in WAL mode; nothing is lost on the way there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from agentrecall_storage.engine import resets_log_safely, sqlite
from helpers.files import ROLLBACK, WAL, database, journal, log_lines, rows, said, settle, spooled
from helpers.forks import Forks, assert_quiet
from helpers.programs import Done, Person, as_bytes, assert_silent
from helpers.transcripts import TranscriptBuilder

AFFECTED = [3, 45, 1]
FIRST = [("user", "Tabs, please"), ("assistant", "Tabs it is.")]
SECOND = [("user", "And two blank lines"), ("assistant", "Two it is.")]

# The interpreter's own engine; where that is a safe one, it is made to believe that it is not.
PLAIN_ENGINE = """
import sqlite3, sys
sys.modules["pysqlite3"] = None
from agentrecall_storage import engine
assert engine.sqlite.__name__ == "sqlite3", engine.sqlite
if engine.is_safe():
    engine.sqlite.sqlite_version_info = (3, 45, 1)
program = sys.argv.pop(1)
sys.exit(__import__(program + ".__main__", fromlist=["main"]).main())
"""


def say(transcript: TranscriptBuilder, words: list[tuple[str, str]]) -> None:
    for role, text in words:
        (transcript.prompt if role == "user" else transcript.answer)(text)


def on_plain_engine(person: Person, app: str, *arguments: str, stdin: bytes = b"") -> Done:
    return person.run([sys.executable, "-c", PLAIN_ENGINE, app, *arguments], stdin)


@contextmanager
def held_in_wal(home: Path) -> Iterator[None]:
    """Another process has the file open in WAL mode, as one with a safe engine does."""
    holder = (
        "import sys; from agentrecall_storage.engine import sqlite; connection = sqlite.connect(sys.argv[1]);"
        "connection.execute('SELECT count(*) FROM rules').fetchone(); print('open', flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", holder, str(database(home))], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout
    assert process.stdin
    assert process.stdout.readline() == b"open\n"
    try:
        yield
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


@pytest.fixture
def in_wal(forks: Forks, person: Person, transcript: TranscriptBuilder) -> Path:
    """A memory in WAL mode with one turn in it; the next one is in the transcript."""
    say(transcript, FIRST)
    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))
    with closing(sqlite.connect(database(person.memory))) as connection:
        assert connection.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    settle(person.memory)
    assert journal(person.memory) == WAL
    say(transcript, SECOND)
    return person.memory


def test_the_interpreters_own_engine_is_judged_by_its_version() -> None:
    """What the tests below stand on: here it is affected, or made to believe so."""
    done = subprocess.run(
        [sys.executable, "-c", "import json, sqlite3; print(json.dumps(sqlite3.sqlite_version_info))"],
        capture_output=True,
        check=True,
    )

    assert resets_log_safely(tuple(json.loads(done.stdout))) in (True, False)
    assert not resets_log_safely(tuple(AFFECTED))


def test_a_new_memory_keeps_the_rollback_journal(person: Person, transcript: TranscriptBuilder) -> None:
    say(transcript, FIRST)

    assert_silent(on_plain_engine(person, "agentrecall_capture_hook", stdin=as_bytes(transcript.payload())))

    assert (journal(person.memory), said(person.memory)) == (ROLLBACK, FIRST)
    assert log_lines(person.memory) == []
    assert {path.name for path in person.memory.iterdir()} == {"agentrecall.db"}


def test_a_file_in_wal_mode_is_converted_and_nothing_of_its_log_is_lost(
    person: Person, in_wal: Path, transcript: TranscriptBuilder
) -> None:
    with closing(sqlite.connect(database(in_wal), isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("INSERT INTO config VALUES ('key', 'value', '')")

    assert_silent(on_plain_engine(person, "agentrecall_capture_hook", stdin=as_bytes(transcript.payload())))

    assert (journal(in_wal), said(in_wal)) == (ROLLBACK, FIRST + SECOND)
    assert rows(in_wal, "SELECT value FROM config WHERE key <> 'tokenizer_version'") == [("value",)]
    assert rows(in_wal, "PRAGMA integrity_check") == [("ok",)]


def test_a_file_that_another_process_holds_in_wal_mode_is_left_alone_and_the_turn_is_spooled(
    forks: Forks, person: Person, in_wal: Path, transcript: TranscriptBuilder
) -> None:
    with held_in_wal(in_wal):
        for event in ("Stop", "SessionEnd", "SessionStart"):
            asked = transcript.payload(event, last_assistant_message="Two it is.")
            assert_quiet(forks.run(person, "capture-hook", stdin=asked, sqlite_version=AFFECTED))
        prompt = transcript.payload("UserPromptSubmit", prompt="change the applied migration of the orders table")
        assert forks.run(person, "recall-hook", stdin=prompt, sqlite_version=AFFECTED).stdout == ""
        assert (journal(in_wal), said(in_wal), bool(spooled(in_wal))) == (WAL, FIRST, True)
        assert {line["error"] for line in log_lines(in_wal)} == {"UnsafeJournalError"}

    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload(), sqlite_version=AFFECTED))

    assert (journal(in_wal), said(in_wal), spooled(in_wal)) == (ROLLBACK, FIRST + SECOND, [])


@pytest.mark.parametrize(
    "arguments",
    [["rules", "list"], ["feedback", "add", "Use tabs", "--global"], ["process"], ["backup"], ["init"]],
    ids=lambda arguments: arguments[0],
)
def test_the_command_line_refuses_a_file_that_another_process_holds_in_wal_mode_and_says_why(
    forks: Forks, person: Person, in_wal: Path, arguments: list[str]
) -> None:
    with held_in_wal(in_wal):
        done = forks.run(person, "agentrecall", *arguments, sqlite_version=AFFECTED)

    assert (done.code, done.stdout) == (1, "")
    assert "journal mode that SQLite" in done.stderr
    assert "close every other program that uses it" in done.stderr
    assert journal(in_wal) == WAL
    assert said(in_wal) == FIRST


def test_doctor_names_an_affected_engine_and_changes_nothing(forks: Forks, person: Person, in_wal: Path) -> None:
    done = forks.run(person, "agentrecall", "doctor", "--json", sqlite_version=AFFECTED)

    found = {check["check"]: check for check in json.loads(done.stdout)["checks"]}
    assert found["engine"]["level"] == "warning"
    assert "log-reset defect" in found["engine"]["found"]
    assert found["journal"]["level"] == "warning"
    assert journal(in_wal) == WAL


def test_a_safe_engine_takes_a_file_back_into_wal_mode(forks: Forks, person: Person, in_wal: Path) -> None:
    assert forks.run(person, "agentrecall", "init", sqlite_version=AFFECTED).code == 0
    assert journal(in_wal) == ROLLBACK

    assert forks.run(person, "agentrecall", "init", sqlite_version=[3, 53, 0]).code == 0

    assert journal(in_wal) == WAL
    assert said(in_wal) == FIRST


def test_backup_and_restore_in_safe_mode_keep_the_rollback_journal(forks: Forks, person: Person, in_wal: Path) -> None:
    copy = person.home / "copy.db"
    assert forks.run(person, "agentrecall", "backup", str(copy), sqlite_version=AFFECTED).code == 0
    done = forks.run(person, "agentrecall", "restore", str(copy), "--replace", sqlite_version=AFFECTED)

    assert (done.code, done.stderr) == (0, "")
    assert (journal(in_wal), said(in_wal)) == (ROLLBACK, FIRST)


def test_writers_at_once_in_safe_mode_store_every_turn_once(person: Person, transcript: TranscriptBuilder) -> None:
    say(transcript, FIRST)
    assert_silent(on_plain_engine(person, "agentrecall_capture_hook", stdin=as_bytes(transcript.payload())))
    sessions = []
    for number in range(4):
        session = TranscriptBuilder(transcript.path.with_name(f"{number}.jsonl"), person.project, "abcd"[number] * 8)
        session.prompt(f"prompt {number}")
        sessions.append(session)
    running = []
    for session in sessions:
        process = person.start([sys.executable, "-c", PLAIN_ENGINE, "agentrecall_capture_hook"])
        assert process.stdin
        process.stdin.write(as_bytes(session.payload()))
        process.stdin.flush()
        running.append(process)

    assert [process.communicate() for process in running] == [(b"", b"")] * 4
    assert_silent(on_plain_engine(person, "agentrecall_capture_hook", stdin=as_bytes(transcript.payload())))

    assert sorted(said(person.memory)) == sorted([*FIRST, *(("user", f"prompt {number}") for number in range(4))])
    assert rows(person.memory, "PRAGMA integrity_check") == [("ok",)]
