"""Nobody but its owner reads a memory: modes under a umask that forbids nothing."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentrecall_storage.backups import back_up
from helpers.files import database, locked, log_lines, spooled, texts
from helpers.programs import Done, Person, as_bytes, assert_silent, command, script
from helpers.transcripts import TranscriptBuilder

FOLDER, FILE = 0o700, 0o600


@pytest.fixture
def careless_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def carelessly(person: Person, hook: str, payload: bytes) -> Done:
    return person.run(command(hook), payload, umask=0)


def modes(home: Path) -> dict[str, int]:
    """The mode of everything that is not private."""
    found = {path: stat.S_IMODE(path.lstat().st_mode) for path in (home, *home.rglob("*"))}
    return {str(path): mode for path, mode in found.items() if mode != (FOLDER if path.is_dir() else FILE)}


def test_a_first_capture_leaves_a_private_folder_with_private_files(
    person: Person, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("Tabs, please")

    assert_silent(carelessly(person, "capture-hook", as_bytes(transcript.payload())))

    assert texts(person.memory) == ["Tabs, please"]
    assert modes(person.memory) == {}


def test_the_write_ahead_log_is_private_while_it_is_there(person: Person, transcript: TranscriptBuilder) -> None:
    transcript.prompt("Tabs, please")
    assert_silent(carelessly(person, "capture-hook", as_bytes(transcript.payload())))

    with locked(person.memory):
        beside = {path.name for path in person.memory.iterdir()}

        assert beside & {"agentrecall.db-wal", "agentrecall.db-journal"}
        assert modes(person.memory) == {}


def test_spool_and_log_are_private(person: Person, transcript: TranscriptBuilder) -> None:
    person.agentrecall("feedback", "add", "Use tabs", "--global")
    transcript.prompt("Tabs, please")
    with locked(person.memory):
        assert_silent(carelessly(person, "capture-hook", as_bytes(transcript.payload("SessionEnd"))))

    assert spooled(person.memory)
    assert log_lines(person.memory)
    assert modes(person.memory) == {}


def test_what_was_set_aside_and_a_log_that_was_rolled_over_are_private(
    person: Person, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("Tabs, please")
    for folder in (person.memory, person.memory / "spool", person.memory / "logs"):
        folder.mkdir(0o700)
    for path, size in ((person.memory / "spool" / "1.json", 3), (person.memory / "logs" / "hooks.jsonl", 2_000_000)):
        path.write_bytes(b"x" * size)
        path.chmod(FILE)

    assert_silent(carelessly(person, "capture-hook", as_bytes(transcript.payload())))

    names = {str(path.relative_to(person.memory)) for path in person.memory.rglob("*")}
    assert {"spool/aside/1.json", "logs/hooks.jsonl.1"} <= names
    assert modes(person.memory) == {}


@pytest.mark.usefixtures("careless_umask")
def test_backups_are_private(person: Person) -> None:
    person.run([script("agentrecall"), "feedback", "add", "Use tabs", "--global"], umask=0)

    copy = Path(back_up(str(person.memory), "by-hand"))

    assert copy.parent.name == "backups"
    assert modes(person.memory) == {}


def test_what_the_command_line_writes_is_private(person: Person) -> None:
    for arguments in (
        ["feedback", "add", "Use tabs", "--global"],
        ["exclude", str(person.project)],
        ["setup", "claude-code", "--user"],
    ):
        done = person.run([script("agentrecall"), *arguments], umask=0)
        assert done.returncode == 0, done.stderr

    assert (person.memory / "exclusions.json").exists()
    assert modes(person.memory) == {}


def test_a_home_below_folders_that_are_not_there_yet_is_private(person: Person, transcript: TranscriptBuilder) -> None:
    transcript.prompt("Tabs, please")
    home = person.home / "a" / "b" / "memory"

    done = person.run(
        command("capture-hook"), as_bytes(transcript.payload()), env={"AGENTRECALL_HOME": str(home)}, umask=0
    )

    assert_silent(done)
    assert database(home).exists()
    assert modes(home) == {}


def test_a_failure_never_quotes_what_was_said(person: Person, transcript: TranscriptBuilder) -> None:
    transcript.prompt("the-words-of-a-person")
    person.memory.mkdir(0o700)
    database(person.memory).write_bytes(b"no database at all, whatever its name says" * 100)

    payload = transcript.payload(last_assistant_message="the-words-of-an-agent", prompt="the-words-of-a-prompt")
    for hook, event in (("capture-hook", "Stop"), ("finalize-turn", "Stop"), ("recall-hook", "UserPromptSubmit")):
        assert_silent(carelessly(person, hook, as_bytes({**payload, "hook_event_name": event})))

    log = (person.memory / "logs" / "hooks.jsonl").read_text()
    assert {line["program"] for line in log_lines(person.memory)} == {"capture-hook", "finalize-turn", "recall-hook"}
    assert "words-of" not in log


def test_what_backup_and_restore_write_is_private(person: Person, transcript: TranscriptBuilder) -> None:
    transcript.prompt("Tabs, please")
    assert_silent(carelessly(person, "capture-hook", as_bytes(transcript.payload())))
    agentrecall = script("agentrecall")
    copy = person.home / "copy.db"
    for arguments in (["backup"], ["backup", str(copy)], ["restore", str(copy), "--replace"], ["process"]):
        done = person.run([agentrecall, *arguments], umask=0)
        assert done.returncode == 0, done.stderr
    assert stat.S_IMODE(copy.stat().st_mode) == FILE
    assert modes(person.memory) == {}

    database(person.memory).write_bytes(b"dear diary\n" * 1000)
    done = person.run([agentrecall, "restore", str(copy), "--replace"], umask=0)

    assert done.returncode == 0, done.stderr
    assert [path.name.split("-")[0] for path in (person.memory / "backups").glob("damaged-*.db")] == ["damaged"]
    assert modes(person.memory) == {}


def test_a_restore_where_there_is_no_memory_makes_a_private_one(person: Person, transcript: TranscriptBuilder) -> None:
    transcript.prompt("Tabs, please")
    assert_silent(carelessly(person, "capture-hook", as_bytes(transcript.payload())))
    agentrecall, copy = script("agentrecall"), person.home / "copy.db"
    assert person.run([agentrecall, "backup", str(copy)], umask=0).returncode == 0

    done = person.run(
        [agentrecall, "restore", str(copy)], env={"AGENTRECALL_HOME": str(person.home / "other")}, umask=0
    )

    assert done.returncode == 0, done.stderr
    assert modes(person.home / "other") == {}


def test_the_copy_before_an_upgrade_is_private(person: Person) -> None:
    done = person.run([script("agentrecall"), "init"], umask=0)
    assert done.returncode == 0
    program = (
        "from agentrecall_storage import backups, opening, schema_version\n"
        "for module in (schema_version, opening, backups): module.SCHEMA_VERSION += 1\n"
        "from agentrecall_storage.migrations import migrate, schema\n"
        "@schema.MIGRATIONS()\n"
        "def the_next(database): database['next_table'].create({'id': int})\n"
        "from agentrecall_admin.__main__ import main; main()\n"
    )

    done = person.run([sys.executable, "-c", program, "status"], umask=0)

    assert (done.returncode, done.stderr) == (0, b"")
    assert len(list((person.memory / "backups").iterdir())) == 1
    assert modes(person.memory) == {}
