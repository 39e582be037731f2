"""The engine: which journal a file gets, on an engine that is safe and on one that may lose data in WAL mode."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from agentrecall_storage.engine import UnsafeJournalError, connect, is_safe, resets_log_safely, sqlite
from agentrecall_storage.memory import Memory
from helpers.files import ROLLBACK, WAL, database, journal, log_lines, rows, settle, spooled, stated_version, texts
from helpers.programs import Done, Person, RunHook, as_bytes, assert_silent
from helpers.transcripts import TranscriptBuilder

# The interpreter's own engine, whatever is installed beside it.
DRIVER = """
import sys
sys.modules["pysqlite3"] = None
program = sys.argv.pop(1)
sys.exit(__import__(program + ".__main__", fromlist=["main"]).main())
"""
PLAIN_ENGINE = "import json, sqlite3; print(json.dumps(sqlite3.sqlite_version_info))"


def plain_engine_is_safe() -> bool:
    done = subprocess.run([sys.executable, "-c", PLAIN_ENGINE], capture_output=True, check=True)
    return resets_log_safely(tuple(json.loads(done.stdout)))


PLAIN_JOURNAL = WAL if plain_engine_is_safe() else ROLLBACK


def on_plain_engine(person: Person, app: str, *arguments: str, stdin: bytes = b"") -> Done:
    """Run an app on the `sqlite3` of the interpreter, as where no wheel of the other one exists."""
    return person.run([sys.executable, "-c", DRIVER, app, *arguments], stdin)


@pytest.fixture
def turn(transcript: TranscriptBuilder) -> bytes:
    transcript.prompt("Tabs, please")
    transcript.answer("Tabs it is.")
    return as_bytes(transcript.payload(last_assistant_message="Tabs it is."))


@pytest.fixture
def wal_file(memory: Memory, home: Path) -> Path:
    """A memory in WAL mode, whatever engine made it, with nothing beside it."""
    memory.connection.execute("PRAGMA journal_mode = WAL")
    settle(home)
    memory.connection.close()
    assert journal(home) == WAL
    return home


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        pytest.param((3, 6, 23), True, id="before WAL"),
        pytest.param((3, 7, 0), False, id="the first with WAL"),
        pytest.param((3, 40, 1), False, id="3.40"),
        pytest.param((3, 44, 5), False, id="3.44 before its fix"),
        pytest.param((3, 44, 6), True, id="3.44 fixed"),
        pytest.param((3, 44, 9), True, id="3.44 after its fix"),
        pytest.param((3, 45, 0), False, id="3.45"),
        pytest.param((3, 49, 99), False, id="3.49"),
        pytest.param((3, 50, 0), False, id="3.50"),
        pytest.param((3, 50, 6), False, id="3.50 before its fix"),
        pytest.param((3, 50, 7), True, id="3.50 fixed"),
        pytest.param((3, 51, 0), False, id="3.51"),
        pytest.param((3, 51, 2), False, id="the last affected"),
        pytest.param((3, 51, 3), True, id="3.51 fixed"),
        pytest.param((3, 52, 0), True, id="3.52"),
        pytest.param((4, 0, 0), True, id="the next major"),
    ],
)
def test_a_version_may_use_wal_only_where_the_log_reset_is_fixed(version: tuple[int, ...], *, safe: bool) -> None:
    assert resets_log_safely(version) is safe


def test_the_engine_that_we_ship_is_as_safe_as_it_says(memory: Memory, home: Path) -> None:
    assert is_safe() == resets_log_safely(sqlite.sqlite_version_info)
    settle(home)
    assert journal(home) == (WAL if is_safe() else ROLLBACK)
    assert memory.connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_connection_never_checkpoints_by_itself(memory: Memory) -> None:
    assert memory.connection.execute("PRAGMA wal_autocheckpoint").fetchone() == (0,)
    assert memory.connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_connecting_never_creates_a_file(tmp_path: Path) -> None:
    with pytest.raises(sqlite.OperationalError):
        connect(str(tmp_path / "none.db"), 0)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a?b", "a#b", "a%41b", "a b", "mode=memory&x", "dépôt", "a'b"])
def test_a_folder_may_have_any_name(run_hook: RunHook, tmp_path: Path, turn: bytes, name: str) -> None:
    home = tmp_path / name

    assert_silent(run_hook("capture-hook", turn, AGENTRECALL_HOME=str(home)))

    assert texts(home) == ["Tabs, please", "Tabs it is."]


def test_an_affected_engine_makes_the_file_with_a_rollback_journal(person: Person, turn: bytes) -> None:
    assert_silent(on_plain_engine(person, "agentrecall_capture_hook", stdin=turn))

    assert journal(person.memory) == PLAIN_JOURNAL
    assert texts(person.memory) == ["Tabs, please", "Tabs it is."]
    assert log_lines(person.memory) == []


def test_the_command_line_on_an_affected_engine_does_the_same(person: Person) -> None:
    done = on_plain_engine(person, "agentrecall_admin", "feedback", "add", "Use tabs", "--global")

    assert (done.returncode, done.stderr) == (0, b"")
    assert journal(person.memory) == PLAIN_JOURNAL


def test_an_affected_engine_leaves_wal_behind_when_it_can(person: Person, wal_file: Path, turn: bytes) -> None:
    assert_silent(on_plain_engine(person, "agentrecall_capture_hook", stdin=turn))

    assert journal(wal_file) == PLAIN_JOURNAL
    assert texts(wal_file) == ["Tabs, please", "Tabs it is."]


def test_what_was_in_the_log_survives_leaving_it(person: Person, turn: bytes, run_hook: RunHook) -> None:
    assert_silent(run_hook("capture-hook", turn))

    assert_silent(on_plain_engine(person, "agentrecall_capture_hook", stdin=turn))

    assert texts(person.memory) == ["Tabs, please", "Tabs it is."]
    assert rows(person.memory, "PRAGMA integrity_check") == [("ok",)]


def test_a_file_that_a_safe_engine_holds_in_wal_is_left_alone_by_an_affected_hook(
    person: Person, wal_file: Path, turn: bytes, run_hook: RunHook
) -> None:
    with closing(sqlite.connect(database(wal_file))) as other:
        other.execute("SELECT count(*) FROM rules").fetchone()
        assert_silent(on_plain_engine(person, "agentrecall_capture_hook", stdin=turn))
        stored, waiting = texts(wal_file), spooled(wal_file)
    assert journal(wal_file) == WAL
    if PLAIN_JOURNAL == WAL:
        assert stored == ["Tabs, please", "Tabs it is."]
        return
    assert (stored, bool(waiting)) == ([], True)
    assert [line["error"] for line in log_lines(wal_file)] == ["UnsafeJournalError"]

    assert_silent(run_hook("capture-hook", turn))

    assert texts(wal_file) == ["Tabs, please", "Tabs it is."]
    assert spooled(wal_file) == []


def test_a_file_that_a_safe_engine_holds_in_wal_is_left_alone_by_an_affected_command_line(
    person: Person, wal_file: Path
) -> None:
    with closing(sqlite.connect(database(wal_file))) as other:
        other.execute("SELECT count(*) FROM rules").fetchone()
        done = on_plain_engine(person, "agentrecall_admin", "rules", "list")

    assert journal(wal_file) == WAL
    if PLAIN_JOURNAL == WAL:
        assert done.returncode == 0
        return
    assert (done.returncode, done.stdout) == (1, b"")
    said = done.stderr.decode()
    assert "journal" in said
    assert "SQLite 3." in said
    assert str(wal_file) in said


def test_leaving_wal_is_refused_with_a_name_while_others_read(wal_file: Path) -> None:
    """The same in one process: what `connect` raises is what the programs above answer to."""
    if is_safe():
        connect(str(database(wal_file)), 0).close()
        return
    with closing(sqlite.connect(database(wal_file))) as other:
        other.execute("SELECT count(*) FROM rules").fetchone()
        with pytest.raises(UnsafeJournalError):
            connect(str(database(wal_file)), 0)


def test_a_settled_file_states_the_schema_version(memory: Memory, home: Path) -> None:
    settle(home)

    assert stated_version(home) == memory.connection.execute("PRAGMA user_version").fetchone()[0] > 0
