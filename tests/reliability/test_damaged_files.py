"""A damaged, foreign or unreachable database: hooks stay silent and keep the turn, doctor names it, no byte changes."""

from __future__ import annotations

import json
import os
import random
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from agentrecall_storage.engine import is_safe, sqlite
from agentrecall_storage.schema_version import SCHEMA_VERSION
from helpers.files import database, log_lines, rows, said, settle, spooled
from helpers.forks import NOBODY, Forks, assert_quiet, give_to_owner
from helpers.programs import Person
from helpers.transcripts import TranscriptBuilder

FIRST = [("user", "Tabs, please"), ("assistant", "Tabs it is.")]
SECOND = [("user", "And two blank lines"), ("assistant", "Two it is.")]
PROMPT = "change the applied migration so that orders get a currency column"


def say(transcript: TranscriptBuilder, words: list[tuple[str, str]]) -> None:
    for role, text in words:
        (transcript.prompt if role == "user" else transcript.answer)(text)


@pytest.fixture
def known(forks: Forks, person: Person, transcript: TranscriptBuilder) -> Path:
    """A memory with one turn and one rule in it, all in one file; the next turn is in the transcript."""
    say(transcript, FIRST)
    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))
    done = forks.run(person, "agentrecall", "feedback", "add", "Never edit an applied migration", "--global")
    assert done.code == 0
    settle(person.memory)
    for beside in person.memory.glob("agentrecall.db-*"):
        beside.unlink()
    say(transcript, SECOND)
    return database(person.memory)


# What can stand in the database's place


def bad_magic(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[:16] = b"SQLite format 4\0"
    path.write_bytes(content)


def bad_header(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[16:100] = random.Random(1).randbytes(84)  # noqa: S311 -- damage, not a key
    path.write_bytes(content)


def page_in_the_middle(path: Path) -> None:
    """The page that holds what was said is noise."""
    size, root = _page_of(path, "raw_items")
    content = bytearray(path.read_bytes())
    content[(root - 1) * size : root * size] = random.Random(2).randbytes(size)  # noqa: S311 -- damage, not a key
    path.write_bytes(content)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:10_000])


def zeroed(path: Path) -> None:
    path.write_bytes(b"\0" * path.stat().st_size)


def as_text(path: Path) -> None:
    path.write_text("dear diary\n" * 1000)


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def as_dangling_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent / "elsewhere.db")


def as_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def as_newer(path: Path) -> None:
    with closing(sqlite.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    settle(path.parent)
    for beside in path.parent.glob("agentrecall.db-*"):
        beside.unlink()


def as_foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite.connect(path)) as connection:
        connection.execute("CREATE TABLE places (url TEXT)")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def noise_as_log(path: Path) -> None:
    page_in_the_middle(path)
    Path(f"{path}-wal").write_bytes(b"garbage!" * 1000)


def _page_of(path: Path, table: str) -> tuple[int, int]:
    (size,) = rows(path.parent, "PRAGMA page_size")[0]
    (root,) = rows(path.parent, "SELECT rootpage FROM sqlite_schema WHERE name = ?", table)[0]
    return int(size), int(root)


class Damage(NamedTuple):
    """What happened to the file, and which check of the doctor tells of it."""

    make: Callable[[Path], None]
    check: str
    opens: bool = False
    """The command line can open the file and may find nothing wrong with what it is asked for."""


DAMAGE = {
    "another magic": Damage(bad_magic, "database"),
    "a bad header": Damage(bad_header, "database"),
    "a page of noise in the middle": Damage(page_in_the_middle, "integrity", opens=True),
    "cut short": Damage(cut_short, "database"),
    "zeroed": Damage(zeroed, "database"),
    "a text": Damage(as_text, "database"),
    "a folder": Damage(as_folder, "database"),
    "a pipe": Damage(as_fifo, "database"),
    "a link to nothing": Damage(as_dangling_link, "database"),
    "a link to itself": Damage(as_loop, "database"),
    "a newer file": Damage(as_newer, "schema"),
    "another program's file": Damage(as_foreign, "schema", opens=True),
    "noise and a log of noise": Damage(noise_as_log, "integrity", opens=True),
}


def bytes_of(path: Path) -> object:
    """What stands at *path*, without opening what would block."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return path.readlink()
    return path.read_bytes() if stat.S_ISREG(status.st_mode) else stat.S_IFMT(status.st_mode)


def all_hooks(forks: Forks, person: Person, transcript: TranscriptBuilder, user: int | None = None) -> None:
    asked = transcript.payload(prompt=PROMPT, source="startup", last_assistant_message="Two it is.")
    for program, event in (
        ("capture-hook", "Stop"),
        ("capture-hook", "PreCompact"),
        ("capture-hook", "SessionEnd"),
        ("capture-hook", "SessionStart"),
        ("finalize-turn", "Stop"),
        ("recall-hook", "SessionStart"),
        ("recall-hook", "UserPromptSubmit"),
    ):
        assert_quiet(forks.run(person, program, stdin={**asked, "hook_event_name": event}, user=user))


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file_is_left_as_it_is_and_costs_no_turn(
    forks: Forks, person: Person, transcript: TranscriptBuilder, known: Path, name: str
) -> None:
    damage = DAMAGE[name]
    damage.make(known)
    before = bytes_of(known)

    all_hooks(forks, person, transcript)
    doctor = forks.run(person, "agentrecall", "doctor", "--json")

    assert bytes_of(known) == before
    assert not (person.memory / "elsewhere.db").exists()
    kept = b"".join(file.read_bytes() for file in spooled(person.memory))
    assert all(text.encode() in kept for _, text in SECOND)
    assert log_lines(person.memory)
    found = {check["check"]: check["level"] for check in json.loads(doctor.stdout)["checks"]}
    assert (doctor.code, found[damage.check]) == (1, "problem")


@pytest.mark.parametrize("name", [name for name in DAMAGE if not DAMAGE[name].opens])
@pytest.mark.parametrize(
    "arguments",
    [
        ["feedback", "add", "Use tabs", "--global"],
        ["rules", "list"],
        ["rules", "edit", "R1", "--do", "add a new one"],
        ["rules", "compress", "--apply"],
        ["review", "--approve-all"],
        ["activity"],
        ["capture-status"],
        ["turn-summary"],
        ["status"],
        ["process"],
        ["backup"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_command_on_a_damaged_file_fails_with_its_name(
    forks: Forks, person: Person, known: Path, name: str, arguments: list[str]
) -> None:
    DAMAGE[name].make(known)
    before = bytes_of(known)
    if (name, arguments) == ("a newer file", ["backup"]):
        # A copy of it harms nobody, and is what its user may need most.
        assert forks.run(person, "agentrecall", "backup").code == 0
        assert bytes_of(known) == before
        return

    done = forks.run(person, "agentrecall", *arguments)

    assert (done.code, done.stdout) == (1, "")
    assert str(person.memory) in done.stderr
    assert "Traceback" not in done.stderr
    assert bytes_of(known) == before
    assert list((person.memory / "backups").glob("*")) == []


@pytest.mark.parametrize("name", DAMAGE)
def test_what_was_spooled_beside_a_damaged_file_comes_into_the_next(
    forks: Forks, person: Person, transcript: TranscriptBuilder, known: Path, name: str
) -> None:
    DAMAGE[name].make(known)
    all_hooks(forks, person, transcript)
    for part in person.memory.glob("agentrecall.db*"):
        part.rename(person.home / part.name)
    transcript.path.unlink()

    assert forks.run(person, "agentrecall", "process").code == 0

    kept = said(person.memory)
    assert len(set(kept)) == len(kept)
    # A file that could still say how far the transcript was read may keep the first turn to itself.
    assert set(SECOND if DAMAGE[name].opens else FIRST + SECOND) <= set(kept) <= set(FIRST + SECOND)
    assert spooled(person.memory) == []
    assert not (person.memory / "spool" / "aside").exists()


# What the engine can rightly recover


def test_an_empty_file_becomes_a_memory(
    forks: Forks, person: Person, transcript: TranscriptBuilder, known: Path
) -> None:
    known.write_bytes(b"")

    all_hooks(forks, person, transcript)

    assert said(person.memory) == FIRST + SECOND


def test_a_live_link_is_followed_and_stays_a_link(
    forks: Forks, person: Person, transcript: TranscriptBuilder, known: Path
) -> None:
    moved = person.home / "moved.db"
    known.rename(moved)
    known.symlink_to(moved)

    all_hooks(forks, person, transcript)
    doctor = forks.run(person, "agentrecall", "doctor", "--json")

    assert known.readlink() == moved
    assert said(person.memory) == FIRST + SECOND
    found = {check["check"]: check for check in json.loads(doctor.stdout)["checks"]}
    assert found["access"]["level"] == "warning"
    assert "symbolic link" in found["access"]["found"]
    assert not Path(f"{known}-wal").exists()


CUT_OFF_WRITE = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = DELETE")
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN")
connection.execute("DELETE FROM raw_items")
for number in range(300):
    connection.execute("INSERT INTO config VALUES (?, ?, '')", (str(number), "x" * 3000))
os._exit(0)
"""


def test_a_left_over_rollback_journal_is_named_and_the_half_write_undone(
    forks: Forks, person: Person, transcript: TranscriptBuilder, known: Path
) -> None:
    subprocess.run([sys.executable, "-c", CUT_OFF_WRITE, str(known)], check=True)
    assert Path(f"{known}-journal").stat().st_size > 0
    doctor = forks.run(person, "agentrecall", "doctor", "--json")
    found = {check["check"]: check for check in json.loads(doctor.stdout)["checks"]}
    assert (found["database"]["level"], "rollback journal" in found["database"]["found"]) == ("warning", True)

    all_hooks(forks, person, transcript)

    assert said(person.memory) == FIRST + SECOND
    assert rows(person.memory, "SELECT count(*) FROM config WHERE key <> 'tokenizer_version'") == [(0,)]
    assert rows(person.memory, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.skipif(not is_safe(), reason="an affected engine keeps no write-ahead log")
@pytest.mark.parametrize("kept", [("-wal",), ("-wal", "-shm")], ids=["without its index", "with its index"])
def test_a_log_that_a_killed_process_left_is_read(
    forks: Forks, person: Person, transcript: TranscriptBuilder, known: Path, kept: tuple[str, ...]
) -> None:
    left = person.home / "left"
    left.mkdir()
    with closing(sqlite.connect(known, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("INSERT INTO config VALUES ('key', 'only in the log', '')")
        for suffix in ("", *kept):
            shutil.copy(f"{known}{suffix}", left)
    for part in left.iterdir():
        part.chmod(0o600)
        shutil.copy(part, person.memory)
    if len(kept) == 1:
        Path(f"{known}-shm").unlink(missing_ok=True)
    assert b"only in the log" not in known.read_bytes()

    all_hooks(forks, person, transcript)

    assert rows(person.memory, "SELECT value FROM config WHERE key <> 'tokenizer_version'") == [("only in the log",)]
    assert said(person.memory) == FIRST + SECOND
    assert spooled(person.memory) == []


# Another user's


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone gives files away")
def test_a_file_of_another_user_is_named_and_left_alone(
    forks: Forks, bound: Person, bound_transcript: TranscriptBuilder
) -> None:
    say(bound_transcript, FIRST)
    give_to_owner(bound.home)
    assert_quiet(forks.run(bound, "capture-hook", stdin=bound_transcript.payload(), user=NOBODY))
    settle(bound.memory)
    say(bound_transcript, SECOND)
    path = database(bound.memory)
    os.chown(path, 0, 0)
    before = path.read_bytes()

    all_hooks(forks, bound, bound_transcript, NOBODY)
    doctor = forks.run(bound, "agentrecall", "doctor", "--json", user=NOBODY)
    told = forks.run(bound, "agentrecall", "rules", "list", user=NOBODY)

    assert path.read_bytes() == before
    kept = b"".join(file.read_bytes() for file in spooled(bound.memory))
    assert all(text.encode() in kept for _, text in SECOND)
    found = {check["check"]: check for check in json.loads(doctor.stdout)["checks"]}
    assert found["access"]["level"] == "problem"
    assert "another user" in found["access"]["found"]
    assert (told.code, str(bound.memory) in told.stderr) == (1, True)

    give_to_owner(bound.memory)
    assert forks.run(bound, "agentrecall", "process", user=NOBODY).code == 0
    assert said(bound.memory) == FIRST + SECOND
