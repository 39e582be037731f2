"""`backup` and `restore`: what their help promises, held beside hooks that are at work."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from agentrecall_storage import backups
from agentrecall_storage.engine import sqlite
from helpers.files import database, everything, rows, said, settle, spooled, texts
from helpers.forks import Ended, Forks, assert_quiet, fork_server
from helpers.programs import Person
from helpers.transcripts import TranscriptBuilder


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    with fork_server() as running:
        yield running


@pytest.fixture
def agentrecall(forks: Forks, person: Person) -> Callable[..., Ended]:
    """Run a command of the person's."""

    def run(*arguments: str, **settings: Any) -> Ended:
        return forks.run(person, "agentrecall", *arguments, **settings)

    return run


@pytest.fixture
def stop(forks: Forks, person: Person, transcript: TranscriptBuilder) -> Callable[[str], None]:
    """The user says something, and the turn ends."""

    def run(words: str) -> None:
        transcript.prompt(words)
        assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))

    return run


def held(path: Path) -> list[str]:
    """What was captured into the database at *path*."""
    with closing(sqlite.connect(path)) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM raw_items ORDER BY id")]


def assert_whole(path: Path) -> None:
    with closing(sqlite.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def assert_refused(done: Ended, *words: str) -> None:
    assert (done.code, done.stdout) == (1, "")
    assert [word for word in words if word not in done.stderr] == []
    assert "Traceback" not in done.stderr


# backup


def test_a_backup_holds_what_is_still_in_the_log_and_is_private(
    agentrecall: Callable[..., Ended], person: Person, stop: Callable[[str], None]
) -> None:
    stop("Tabs, please")

    done = agentrecall("backup", "--json", umask=0)

    made = json.loads(done.stdout)
    copy = Path(made["backup"])
    assert copy.parent == person.memory / "backups"
    assert made["bytes"] == copy.stat().st_size
    assert held(copy) == ["Tabs, please"]
    assert_whole(copy)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]


def test_a_backup_may_lie_where_its_user_says(
    agentrecall: Callable[..., Ended], person: Person, stop: Callable[[str], None]
) -> None:
    stop("Tabs, please")

    done = agentrecall("backup", "copy.db")

    assert (done.code, done.stdout) == (0, "backed up to copy.db\n")
    assert held(person.project / "copy.db") == ["Tabs, please"]


@pytest.mark.parametrize(
    "put",
    [
        pytest.param(lambda path: path.write_bytes(b"precious"), id="a file"),
        pytest.param(lambda path: path.mkdir(), id="a folder"),
        pytest.param(lambda path: path.symlink_to("gone"), id="a link to nothing"),
    ],
)
def test_a_backup_never_takes_the_place_of_anything(
    agentrecall: Callable[..., Ended], person: Person, stop: Callable[[str], None], put: Callable[[Path], object]
) -> None:
    stop("Tabs, please")
    put(person.project / "copy.db")
    before = everything(person.project)

    done = agentrecall("backup", "copy.db")

    assert_refused(done, "'copy.db' is there already")
    assert everything(person.project) == before
    assert not (person.project / "gone").exists()


@pytest.mark.parametrize("where", ["none/copy.db", "file/copy.db"])
def test_a_backup_that_cannot_be_made_leaves_nothing(
    agentrecall: Callable[..., Ended], person: Person, stop: Callable[[str], None], where: str
) -> None:
    stop("Tabs, please")
    (person.project / "file").write_bytes(b"")

    assert_refused(agentrecall("backup", where), "there is no folder")

    assert list(everything(person.project)) == ["file"]


def test_there_is_nothing_to_back_up_without_a_memory(agentrecall: Callable[..., Ended], person: Person) -> None:
    assert_refused(agentrecall("backup"), "there is no memory at")

    assert not person.memory.exists()


def test_a_backup_on_a_full_disk_fails_and_leaves_nothing(
    agentrecall: Callable[..., Ended], person: Person, stop: Callable[[str], None]
) -> None:
    stop("Tabs, please")

    assert_refused(agentrecall("backup", "copy.db", file_limit=50_000), "cannot back up")

    assert everything(person.project) == {}
    assert said(person.memory) == [("user", "Tabs, please")]


def test_backups_by_hand_within_a_second_are_both_kept_whole(
    agentrecall: Callable[..., Ended], person: Person, stop: Callable[[str], None]
) -> None:
    stop("Tabs, please")

    assert {agentrecall("backup").code for _ in range(3)} == {0}

    copies = list((person.memory / "backups").iterdir())
    assert copies
    for copy in copies:
        assert held(copy) == ["Tabs, please"]


@contextmanager
def busy_writer(person: Person) -> Iterator[subprocess.Popen[bytes]]:
    """Another program that writes and writes."""
    program = (
        "import sys, time; from agentrecall_storage.engine import connect; c = connect(sys.argv[1], 30000); n = 0\n"
        "print('writes', flush=True)\n"
        "while True:\n"
        "    n += 1; c.execute('BEGIN IMMEDIATE')\n"
        "    c.execute(\"INSERT INTO config VALUES (?, ?, '')\", (f'a{n}', 'x' * 200))\n"
        "    c.execute(\"INSERT INTO config VALUES (?, ?, '')\", (f'b{n}', 'x' * 200)); c.execute('COMMIT')\n"
        # One that never lets go of the lock would keep everybody out, and no program of ours is like that.
        "    time.sleep(0.01)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(database(person.memory))], stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"writes\n"
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_a_backup_made_while_others_write_holds_whole_transactions_only(
    agentrecall: Callable[..., Ended], person: Person, stop: Callable[[str], None]
) -> None:
    stop("Tabs, please")
    with busy_writer(person):
        for number in range(3):
            done = agentrecall("backup", f"copy-{number}.db")
            assert (done.code, done.stderr) == (0, "")

    for number in range(3):
        copy = person.project / f"copy-{number}.db"
        assert_whole(copy)
        with closing(sqlite.connect(copy)) as connection:
            keys = [key for (key,) in connection.execute("SELECT key FROM config")]
        first, second = ({key[1:] for key in keys if key.startswith(half)} for half in ("a", "b"))
        assert first == second


# restore


@pytest.fixture
def copy(agentrecall: Callable[..., Ended], person: Person, stop: Callable[[str], None]) -> Path:
    """A backup of a memory in which something was said once; something else was said since."""
    stop("Tabs, please")
    assert agentrecall("backup", "copy.db").code == 0
    stop("And two blank lines")
    return person.project / "copy.db"


def test_a_backup_becomes_the_memory_where_there_is_none(
    agentrecall: Callable[..., Ended], person: Person, copy: Path
) -> None:
    for path in person.memory.glob("agentrecall.db*"):
        path.unlink()

    done = agentrecall("restore", "copy.db", "--json", umask=0)

    assert json.loads(done.stdout) == {"restored": "copy.db", "memory": str(database(person.memory)), "kept": None}
    assert texts(person.memory) == ["Tabs, please"]
    assert stat.S_IMODE(database(person.memory).stat().st_mode) == 0o600
    assert held(copy) == ["Tabs, please"]


@pytest.mark.usefixtures("copy")
def test_a_live_memory_is_not_replaced_unasked(agentrecall: Callable[..., Ended], person: Person) -> None:
    settle(person.memory)
    before = everything(person.memory)

    assert_refused(agentrecall("restore", "copy.db"), "there is a memory at", "--replace")

    assert everything(person.memory) == before


def test_the_memory_that_is_replaced_is_kept_whole(
    agentrecall: Callable[..., Ended], person: Person, copy: Path
) -> None:
    done = agentrecall("restore", str(copy), "--replace", "--json", umask=0)

    kept = Path(json.loads(done.stdout)["kept"])
    assert texts(person.memory) == ["Tabs, please"]
    assert held(kept) == ["Tabs, please", "And two blank lines"]
    assert_whole(kept)
    assert_whole(database(person.memory))
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    # And back again.
    assert agentrecall("restore", str(kept), "--replace").code == 0
    assert texts(person.memory) == ["Tabs, please", "And two blank lines"]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.write_bytes(b"no database, whatever its name says\n" * 300), id="a text"),
        pytest.param(lambda path: path.write_bytes(b"\0" * 100_000), id="zeroed"),
        pytest.param(lambda path: os.truncate(path, 10_000), id="cut short"),
        pytest.param(lambda path: os.truncate(path, 60), id="cut in its header"),
    ],
)
def test_a_damaged_memory_is_moved_away_whole(
    agentrecall: Callable[..., Ended], person: Person, copy: Path, damage: Callable[[Path], object]
) -> None:
    settle(person.memory)
    for beside in person.memory.glob("agentrecall.db-*"):
        beside.unlink()
    damage(database(person.memory))
    Path(f"{database(person.memory)}-journal").write_bytes(b"")
    before = database(person.memory).read_bytes()

    assert_refused(agentrecall("restore", str(copy)), "--replace")
    done = agentrecall("restore", str(copy), "--replace", "--json")

    assert (done.code, done.stderr) == (0, "")
    assert texts(person.memory) == ["Tabs, please"]
    kept = Path(json.loads(done.stdout)["kept"])
    assert kept.read_bytes() == before
    assert agentrecall("doctor", "--json").code in (0, 1)
    assert rows(person.memory, "PRAGMA integrity_check") == [("ok",)]


def another_programs(path: Path) -> None:
    path.unlink()
    with closing(sqlite.connect(path)) as connection:
        connection.execute("CREATE TABLE places (url TEXT)")


def of_a_newer_program(path: Path) -> None:
    with closing(sqlite.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def with_a_spoiled_page(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[8192:12_288] = b"\xa5" * 4096
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        pytest.param(another_programs, ("no whole backup of a memory", "nothing was changed"), id="foreign"),
        pytest.param(of_a_newer_program, ("newer AgentRecall",), id="newer"),
        pytest.param(with_a_spoiled_page, ("no whole backup of a memory",), id="a spoiled page"),
        pytest.param(lambda path: os.truncate(path, 10_000), ("no whole backup",), id="cut short"),
        pytest.param(lambda path: path.write_bytes(b"dear diary"), ("no whole backup",), id="a text"),
        pytest.param(lambda path: path.write_bytes(b""), ("no whole backup",), id="empty"),
        pytest.param(lambda path: path.unlink(), ("there is no backup at",), id="missing"),
    ],
)
@pytest.mark.parametrize("live", [True, False], ids=["over a memory", "where there is none"])
def test_what_is_no_whole_backup_is_refused_and_nothing_changes(
    agentrecall: Callable[..., Ended],
    person: Person,
    copy: Path,
    spoil: Callable[[Path], object],
    words: tuple[str, ...],
    *,
    live: bool,
) -> None:
    settle(person.memory)
    spoil(copy)
    if not live:
        for path in person.memory.glob("agentrecall.db*"):
            path.unlink()
    before = everything(person.memory), everything(person.project)

    assert_refused(agentrecall("restore", str(copy), "--replace"), *words)

    assert (everything(person.memory), everything(person.project)) == before


def test_the_live_memory_is_no_backup_of_itself_and_survives_being_named(
    agentrecall: Callable[..., Ended], person: Person, stop: Callable[[str], None]
) -> None:
    stop("Tabs, please")

    assert_refused(agentrecall("restore", str(database(person.memory)), "--replace"), "is the memory itself")

    assert texts(person.memory) == ["Tabs, please"]
    assert_whole(database(person.memory))


@pytest.mark.parametrize("limit", [50_000, 215_000, 230_000])
def test_a_restore_over_a_damaged_memory_on_a_full_disk_moves_nothing(
    agentrecall: Callable[..., Ended], person: Person, copy: Path, limit: int
) -> None:
    settle(person.memory)
    database(person.memory).write_bytes(b"dear diary\n" * 1000)
    before = database(person.memory).read_bytes()

    done = agentrecall("restore", str(copy), "--replace", file_limit=min(limit, copy.stat().st_size - 1))

    assert_refused(done, "cannot restore", "the memory is as it was")
    assert database(person.memory).read_bytes() == before
    assert list((person.memory / "backups").iterdir()) == []


@pytest.mark.usefixtures("copy")
def test_a_restore_on_a_full_disk_fails_and_the_memory_is_as_it_was(
    agentrecall: Callable[..., Ended], person: Person
) -> None:
    done = agentrecall("restore", "copy.db", "--replace", file_limit=50_000)

    assert_refused(done, "cannot restore", "the memory is as it was")
    assert texts(person.memory) == ["Tabs, please", "And two blank lines"]
    assert_whole(database(person.memory))


# A program that has the memory open while another is put in its place, and writes then.
WRITES_LATER = """
import sys
from agentrecall_storage import engine, home
connection = engine.connect(home.database_path(home.home()), 5000)
print(connection.execute("SELECT count(*) FROM raw_items").fetchone()[0], flush=True)
sys.stdin.readline()
print(connection.execute("SELECT count(*) FROM raw_items").fetchone()[0], flush=True)
connection.execute("INSERT INTO config VALUES ('written', 'later', '')")
print(connection.execute("PRAGMA integrity_check").fetchone()[0], flush=True)
"""


def test_a_program_that_has_the_memory_open_writes_into_the_restored_one(
    agentrecall: Callable[..., Ended], person: Person, copy: Path
) -> None:
    process = person.start([sys.executable, "-c", WRITES_LATER])
    assert process.stdout
    assert process.stdout.readline() == b"2\n"

    done = agentrecall("restore", str(copy), "--replace")
    out, err = process.communicate(b"\n")

    assert (done.code, done.stderr) == (0, "")
    assert (out, err, process.returncode) == (b"1\nok\n", b"", 0)
    assert rows(person.memory, "SELECT value FROM config WHERE key = 'written'") == [("later",)]
    assert texts(person.memory) == ["Tabs, please"]
    assert_whole(database(person.memory))


def test_hooks_that_run_during_restores_lose_nothing_they_said_after(
    agentrecall: Callable[..., Ended], forks: Forks, person: Person, copy: Path, transcript: TranscriptBuilder
) -> None:
    with busy_writer(person):
        done = agentrecall("restore", str(copy), "--replace")
        assert (done.code, done.stderr) == (0, "")
        transcript.prompt("After the restore")
        assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))
    assert agentrecall("process").code == 0

    # The transcript still has what the restored memory had not heard yet.
    assert texts(person.memory) == ["Tabs, please", "And two blank lines", "After the restore"]
    assert spooled(person.memory) == []
    assert_whole(database(person.memory))


def test_a_writer_that_never_lets_go_is_waited_for_and_then_the_restore_fails(
    person: Person, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "MEMORY_WAIT_MS", 0)
    with closing(sqlite.connect(database(person.memory), isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite.OperationalError):
            backups.restore(str(person.memory), copy, replace=True, stamp="now")
        writer.execute("ROLLBACK")

    assert texts(person.memory) == ["Tabs, please", "And two blank lines"]
