"""Making the file, and bringing an older one up to date: whole or not at all."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from agentrecall_storage.backups import back_up
from agentrecall_storage.engine import connect, sqlite
from agentrecall_storage.journal import on_network
from agentrecall_storage.migrations.migrate import create, upgrade
from agentrecall_storage.migrations.schema import MIGRATIONS
from agentrecall_storage.schema_version import SCHEMA_VERSION, BackupError, NewerMemoryError
from helpers.files import database, everything, locked, log_lines, rows, settle, spooled, texts
from helpers.programs import Person, RunHook, assert_silent, at_once
from helpers.transcripts import TranscriptBuilder

WITNESS = "what was there before"


def names(home: Path) -> set[str]:
    return {path.name for path in home.iterdir()}


def older_file(home: Path) -> None:
    """A file as the release before this one left it, with something in it that must not be lost."""
    home.mkdir(mode=0o700)
    database(home).touch(mode=0o600)
    with closing(connect(str(database(home)), 0)) as connection:
        MIGRATIONS.apply(Database(connection), stop_before=list(MIGRATIONS.pending(Database(connection)))[-1].name)
        connection.execute("CREATE TABLE witness (text TEXT)")
        connection.executemany("INSERT INTO witness VALUES (?)", [(WITNESS,)] * 500)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION - 1}")


def assert_whole(home: Path) -> None:
    assert rows(home, "PRAGMA integrity_check") == [("ok",)]
    assert rows(home, "PRAGMA foreign_key_check") == []
    assert rows(home, "PRAGMA user_version") == [(SCHEMA_VERSION,)]
    assert rows(home, "SELECT count(*) FROM rules") == [(0,)]


def test_the_version_that_hooks_compare_is_the_number_of_migrations() -> None:
    assert len(list(MIGRATIONS.pending(Database(memory=True)))) == SCHEMA_VERSION


def test_a_new_file_is_whole_and_alone(home: Path) -> None:
    create(str(home))

    assert_whole(home)
    assert names(home) <= {"agentrecall.db", "agentrecall.db-wal", "agentrecall.db-shm"}


def test_making_a_file_that_is_there_changes_nothing(home: Path) -> None:
    create(str(home))
    before = database(home).read_bytes()

    create(str(home))

    assert database(home).read_bytes() == before
    assert names(home) <= {"agentrecall.db", "agentrecall.db-wal", "agentrecall.db-shm"}


def test_many_first_hooks_make_one_file(home: Path, person: Person, transcript: TranscriptBuilder) -> None:
    payloads = []
    for number in range(6):
        session = TranscriptBuilder(transcript.path.with_name(f"{number}.jsonl"), person.project, f"{number}" * 8)
        session.prompt(f"prompt {number}")
        payloads.append(session.payload())

    for done in at_once(person, "capture-hook", payloads):
        assert_silent(done)

    assert sorted(texts(home)) == [f"prompt {number}" for number in range(6)]
    assert log_lines(home) == []
    assert spooled(home) == []
    assert_whole(home)
    assert not [name for name in names(home) if name.endswith((".new", "-journal"))]


def test_many_makers_leave_one_file_and_nothing_beside_it(home: Path, person: Person) -> None:
    maker = "import sys; from agentrecall_storage.migrations.migrate import create; create(sys.argv[1])"
    running = [person.start([sys.executable, "-c", maker, str(home)]) for _ in range(6)]

    assert [process.communicate()[1] for process in running] == [b""] * 6
    assert [process.returncode for process in running] == [0] * 6
    assert_whole(home)
    assert names(home) <= {"agentrecall.db", "agentrecall.db-wal", "agentrecall.db-shm"}


def test_a_file_cannot_be_made_where_a_dangling_link_stands(
    home: Path, run_hook: RunHook, transcript: TranscriptBuilder, tmp_path: Path
) -> None:
    home.mkdir()
    database(home).symlink_to(tmp_path / "elsewhere.db")
    transcript.prompt("Tabs, please")

    assert_silent(run_hook("capture-hook", transcript.payload()))

    assert not (tmp_path / "elsewhere.db").exists()
    assert spooled(home)


def test_an_older_file_is_brought_up_to_date(home: Path) -> None:
    older_file(home)

    upgrade(str(home), 0)

    assert_whole(home)
    assert rows(home, "SELECT DISTINCT text FROM witness") == [(WITNESS,)]


def test_an_older_file_is_backed_up_before_anything_changes(home: Path) -> None:
    older_file(home)

    upgrade(str(home), 0)

    (copy,) = (home / "backups").glob("*.db")
    with closing(sqlite.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA user_version").fetchall() == [(SCHEMA_VERSION - 1,)]
        assert connection.execute("SELECT count(*) FROM witness").fetchall() == [(500,)]


def test_a_hook_upgrades_an_older_file_and_captures(
    home: Path, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    older_file(home)
    transcript.prompt("Tabs, please")

    assert_silent(run_hook("capture-hook", transcript.payload()))

    assert_whole(home)
    assert texts(home) == ["Tabs, please"]


def test_many_hooks_that_meet_an_older_file_upgrade_it_once(
    home: Path, person: Person, transcript: TranscriptBuilder
) -> None:
    older_file(home)
    transcript.prompt("Tabs, please")

    for done in at_once(person, "capture-hook", [transcript.payload()] * 6):
        assert_silent(done)

    assert_whole(home)
    assert texts(home) == ["Tabs, please"]
    assert rows(home, "SELECT count(*) FROM _sqlite_migrations") == [(SCHEMA_VERSION,)]
    assert spooled(home) == []


def test_an_empty_file_becomes_a_memory(home: Path, run_hook: RunHook, transcript: TranscriptBuilder) -> None:
    home.mkdir(mode=0o700)
    database(home).touch(mode=0o600)
    transcript.prompt("Tabs, please")

    assert_silent(run_hook("capture-hook", transcript.payload()))

    assert_whole(home)
    assert texts(home) == ["Tabs, please"]


def test_an_upgrade_waits_for_nobody_longer_than_it_was_told(home: Path) -> None:
    older_file(home)
    before = everything(home)

    with locked(home), pytest.raises(sqlite.OperationalError):
        upgrade(str(home), 0)

    assert everything(home) == before


def test_a_newer_file_is_not_upgraded(home: Path) -> None:
    create(str(home))
    with closing(connect(str(database(home)), 0)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    settle(home)
    before = database(home).read_bytes()

    with pytest.raises(NewerMemoryError):
        upgrade(str(home), 0)

    assert database(home).read_bytes() == before
    assert not (home / "backups").exists()


def test_a_backup_of_a_damaged_file_is_refused_and_removed(home: Path) -> None:
    older_file(home)
    settle(home)
    (size,) = rows(home, "PRAGMA page_size")[0]
    (root,) = rows(home, "SELECT rootpage FROM sqlite_schema WHERE name = 'witness'")[0]
    content = bytearray(database(home).read_bytes())
    content[(root - 1) * size : root * size] = b"\xff" * size
    database(home).write_bytes(content)
    before = database(home).read_bytes()

    with pytest.raises((BackupError, sqlite.DatabaseError)):
        back_up(str(home), "damaged")

    assert list((home / "backups").iterdir()) == []
    assert database(home).read_bytes() == before


def test_a_backup_takes_what_is_still_in_the_log(home: Path) -> None:
    create(str(home))
    with closing(connect(str(database(home)), 0)) as connection:
        connection.execute("INSERT INTO config(key, value, updated_at) VALUES ('k', 'v', '')")
        copy = back_up(str(home), "by-hand")

    with closing(sqlite.connect(copy)) as connection:
        assert connection.execute("SELECT key, value FROM config WHERE key = 'k'").fetchall() == [("k", "v")]


@pytest.mark.parametrize(
    ("path", "network"),
    [
        pytest.param("/home/ada/.agentrecall", False, id="a local disk"),
        pytest.param("/net/home/ada", True, id="nfs"),
        pytest.param("/net/home", True, id="the mount point itself"),
        pytest.param("/net/homes", False, id="a name that begins like a mount point"),
        pytest.param("/with space/here", True, id="a mount point with a space"),
        pytest.param("/net/home/local/x", False, id="a local disk mounted below"),
    ],
)
def test_a_network_file_system_is_known_by_its_mount(tmp_path: Path, path: str, *, network: bool) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda1 / ext4 rw 0 0\nserver:/home /net/home nfs4 rw 0 0\n//nas/x /with\\040space cifs rw 0 0\n"
        "/dev/sdb1 /net/home/local ext4 rw 0 0\nbroken\n"
    )

    assert on_network(path, str(mounts)) is network


def test_no_mount_table_means_a_local_disk(tmp_path: Path) -> None:
    assert on_network("/anywhere", str(tmp_path / "none")) is False


def test_a_database_of_another_program_is_left_alone(home: Path) -> None:
    home.mkdir(mode=0o700)
    with closing(sqlite.connect(database(home), isolation_level=None)) as connection:
        connection.execute("CREATE TABLE holidays (day TEXT)")
        connection.execute("PRAGMA user_version = 1")
    before = database(home).read_bytes()

    with pytest.raises(sqlite.DatabaseError, match="another program"):
        upgrade(str(home), 0)

    assert database(home).read_bytes() == before
