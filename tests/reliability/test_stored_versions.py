"""Stored memories of every schema version so far, opened by the program of today; a newer one is left alone by all."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from agentrecall_storage.engine import sqlite
from agentrecall_storage.schema_version import SCHEMA_VERSION
from helpers.files import database, log_lines, rows, said, settle, spooled
from helpers.forks import Forks, assert_quiet
from helpers.programs import Person
from helpers.transcripts import SESSION, TranscriptBuilder

MEMORIES = Path(__file__).parent / "memories"
STORED = sorted(MEMORIES.glob("schema-*.db.gz"))
SAID = [
    ("user", "Never edit an applied migration, please"),
    ("assistant", "I will add a new one."),
    ("tool", "Bash failed: make: no rule"),
    ("assistant", "The target is missing."),
    ("user", "Grüße, 変更してください"),
    ("assistant", "Done."),
]
TITLES = {
    1: ["Always run the tests of the shop", "Do not edit an applied migration"],
    2: ["Always run the tests of the shop before a commit", "Never edit an applied migration"],
}
"""The rules in force, newest first, as the programs from each version on named them."""
PROMPT = "change the applied migration so that orders get a currency column"


def remember(person: Person, stored: Path) -> None:
    person.memory.mkdir(mode=0o700)
    database(person.memory).write_bytes(gzip.decompress(stored.read_bytes()))
    database(person.memory).chmod(0o600)


def work_in_that_project(person: Person) -> None:
    (person.project / ".git").mkdir()
    (person.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (person.project / ".git" / "config").write_text('[remote "origin"]\n\turl = git@git.example.com:acme/shop-api\n')


@pytest.fixture(params=STORED, ids=lambda path: path.name.split(".")[0])
def stored(request: pytest.FixtureRequest, person: Person) -> int:
    """The person has the memory that an earlier program left; gives its version."""
    path: Path = request.param
    remember(person, path)
    work_in_that_project(person)
    return int(path.name.split(".")[0].split("-")[1])


def test_there_is_a_stored_memory_of_every_version() -> None:
    versions = [int(path.name.split(".")[0].split("-")[1]) for path in STORED]

    assert versions == list(range(1, SCHEMA_VERSION + 1)), "run tests/reliability/memories/make.py for a new version"


def test_everything_in_a_stored_memory_is_there_for_todays_program(forks: Forks, person: Person, stored: int) -> None:
    listed = forks.run(person, "agentrecall", "rules", "list", "--json")
    status = forks.run(person, "agentrecall", "status", "--json")
    doctor = forks.run(person, "agentrecall", "doctor", "--json")

    assert said(person.memory) == SAID
    assert [rule["title"] for rule in json.loads(listed.stdout)] == TITLES[
        max(known for known in TITLES if known <= stored)
    ]
    counts = json.loads(status.stdout)
    assert {name: counts[name] for name in ("projects", "sessions", "turns", "raw_items", "rules", "injections")} == {
        "projects": 1,
        "sessions": 1,
        "turns": 2,
        "raw_items": 6,
        "rules": 3,
        "injections": 2,
    }
    assert rows(person.memory, "PRAGMA integrity_check") == [("ok",)]
    assert rows(person.memory, "PRAGMA foreign_key_check") == []
    assert rows(person.memory, "PRAGMA user_version") == [(SCHEMA_VERSION,)]
    levels = {check["check"]: check["level"] for check in json.loads(doctor.stdout)["checks"]}
    assert {levels[check] for check in ("database", "integrity", "schema")} == {"ok"}
    copies = list((person.memory / "backups").glob("*.db"))
    assert len(copies) == (0 if stored == SCHEMA_VERSION else 1)


def test_what_a_version_knew_of_rules_is_there(forks: Forks, person: Person, stored: int) -> None:
    told = json.loads(forks.run(person, "agentrecall", "rules", "explain", "R1", "--json").stdout)
    waiting = json.loads(forks.run(person, "agentrecall", "review", "--list", "--json").stdout)

    knew = stored > 1
    assert (told["pinned"], told["muted"]) == (knew, False)
    assert list(told["outcomes"]) == ["UserAccepted"] * knew
    flagged = [(one["rule"]["label"], one["flags"][0]["other"]["label"]) for one in waiting if "rule" in one]
    assert flagged == [("R2", "R1")] * knew
    assert rows(person.memory, "SELECT status FROM judgment_requests") == [("Outstanding",)] * knew
    sources = rows(person.memory, "SELECT decision_source FROM turn_finalizations ORDER BY id")
    assert sources == [("NoJudgmentSupplied",), ("SemanticCaptureJudge",)][: 1 + knew]
    assert told["shown"] == 1


def test_what_a_version_knew_of_notes_is_there(forks: Forks, person: Person, stored: int) -> None:
    living = json.loads(forks.run(person, "agentrecall", "notes", "list", "--all", "--json").stdout)
    gone = json.loads(forks.run(person, "agentrecall", "notes", "list", "--all", "--tombstoned", "--json").stdout)

    knew = stored > 3
    assert bool(living) is knew
    assert bool(gone) is knew


@pytest.mark.usefixtures("stored")
def test_hooks_go_on_in_a_stored_memory(forks: Forks, person: Person, transcript: TranscriptBuilder) -> None:
    told = forks.run(person, "recall-hook", stdin=transcript.payload("UserPromptSubmit", prompt=PROMPT))
    transcript.path = transcript.path.with_name("another.jsonl")
    transcript.session = "another-session"
    transcript.prompt("Tabs, please")
    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))

    assert "applied migration" in told.stdout
    assert said(person.memory) == [*SAID, ("user", "Tabs, please")]
    # The remote is the same, spelled otherwise: it is the project of the stored memory.
    assert rows(person.memory, "SELECT count(*) FROM projects") == [(1,)]
    assert rows(person.memory, "SELECT count(*) FROM sessions") == [(2,)]
    assert log_lines(person.memory) == []


def test_an_upgraded_memory_is_made_like_a_new_one(forks: Forks, person: Person, stored: int) -> None:
    made = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"
    assert forks.run(person, "agentrecall", "status").code == 0
    upgraded = rows(person.memory, made)
    for path in person.memory.glob("agentrecall.db*"):
        path.unlink()
    assert forks.run(person, "agentrecall", "init").code == 0

    assert stored <= SCHEMA_VERSION
    assert upgraded == rows(person.memory, made)


# A newer file


@pytest.fixture
def newer(person: Person) -> bytes:
    """The person has a file of the next version; gives its bytes."""
    remember(person, STORED[-1])
    with closing(sqlite.connect(database(person.memory))) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    settle(person.memory)
    return database(person.memory).read_bytes()


COMMANDS = [
    ["init"],
    ["status"],
    ["rules", "list"],
    ["rules", "show", "1"],
    ["rules", "archive", "1"],
    ["rules", "edit", "1", "--do", "add a new one"],
    ["rules", "undo", "1"],
    ["rules", "delete", "1", "--force"],
    ["rules", "explain", "1"],
    ["rules", "history", "1"],
    ["rules", "conflicts"],
    ["rules", "triggers"],
    ["rules", "compress", "--apply"],
    ["review", "--list"],
    ["review", "--approve-all"],
    ["activity"],
    ["capture-status"],
    ["turn-summary"],
    ["feedback", "add", "Use tabs", "--global"],
    ["search", "migration"],
    ["process"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_newer_file_is_refused_by_every_command_and_stays_as_it_is(
    forks: Forks, person: Person, newer: bytes, arguments: list[str]
) -> None:
    done = forks.run(person, "agentrecall", *arguments)

    assert (done.code, done.stdout) == (1, "")
    assert "newer AgentRecall; upgrade this one" in done.stderr
    assert database(person.memory).read_bytes() == newer


def test_a_newer_file_is_left_alone_by_every_hook_and_the_turn_waits(
    forks: Forks, person: Person, newer: bytes, transcript: TranscriptBuilder
) -> None:
    transcript.session = "another-session"
    transcript.prompt("Tabs, please")
    for hook, event in (("capture-hook", "Stop"), ("recall-hook", "UserPromptSubmit"), ("finalize-turn", "Stop")):
        assert_quiet(forks.run(person, hook, stdin=transcript.payload(event, prompt=PROMPT)))

    assert database(person.memory).read_bytes() == newer
    assert {line["error"] for line in log_lines(person.memory)} == {"NewerMemoryError"}
    assert spooled(person.memory)
    # The user upgrades.
    with closing(sqlite.connect(database(person.memory))) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload("SessionStart", source="startup")))
    assert said(person.memory) == [*SAID, ("user", "Tabs, please")]


def test_a_newer_file_is_named_by_the_doctor(forks: Forks, person: Person, newer: bytes) -> None:
    done = forks.run(person, "agentrecall", "doctor", "--json")

    found = {check["check"]: check for check in json.loads(done.stdout)["checks"]}
    assert (done.code, found["schema"]["level"]) == (1, "problem")
    assert "upgrade agentrecall" in found["schema"]["do"]
    assert database(person.memory).read_bytes() == newer


def test_what_there_is_to_judge_is_not_told_of_a_newer_file(person: Person, newer: bytes) -> None:
    program = str(Path(sys.executable).with_name("agentrecall-finalize-turn"))

    done = person.run([program, "--input"])

    assert (done.returncode, done.stdout) == (1, b"")
    assert b"newer AgentRecall" in done.stderr
    assert database(person.memory).read_bytes() == newer


def test_a_verdict_for_a_newer_file_is_refused(person: Person, newer: bytes) -> None:
    verdict = {"session_id": SESSION, "cwd": str(person.project), "verdicts": [{"decision": "Skip"}]}
    program = str(Path(sys.executable).with_name("agentrecall-finalize-turn"))

    done = person.run([program], json.dumps(verdict).encode())

    assert done.returncode == 1, done
    assert b"newer AgentRecall" in done.stderr
    assert database(person.memory).read_bytes() == newer


def test_a_verdict_for_a_file_whose_upgrade_fails_is_a_failure_with_a_name(person: Person) -> None:
    remember(person, STORED[-1])
    (size,) = rows(person.memory, "PRAGMA page_size")[0]
    (root,) = rows(person.memory, "SELECT rootpage FROM sqlite_schema WHERE name = 'raw_items'")[0]
    content = bytearray(database(person.memory).read_bytes())
    content[(root - 1) * size : root * size] = b"\xff" * size
    database(person.memory).write_bytes(content)
    verdict = {"session_id": SESSION, "cwd": str(person.project), "verdicts": [{"decision": "Skip"}]}
    program = NEXT_PROGRAM.replace("agentrecall_admin", "agentrecall_finalize_turn").replace(
        "main()", "sys.exit(main())"
    )

    done = person.run([sys.executable, "-c", program, "works"], json.dumps(verdict).encode())

    assert (done.returncode, done.stdout) == (1, b"")
    assert b"Traceback" not in done.stderr
    assert b"agentrecall doctor" in done.stderr


# The migration to come, which only these tests have

NEXT_PROGRAM = """
import sys
how = sys.argv.pop(1)
from agentrecall_storage import backups, opening, schema_version
for module in (schema_version, opening, backups):
    module.SCHEMA_VERSION += 1
from agentrecall_storage.migrations import migrate
from agentrecall_storage.migrations.schema import MIGRATIONS

@MIGRATIONS()
def the_next(database):
    database["rules"].add_column("test_only", str)
    database["next_table"].create({"id": int})
    if how == "fails":
        raise ValueError("a migration that fails")
    if how == "dies":
        import os, signal
        os.kill(os.getpid(), signal.SIGKILL)

from agentrecall_admin.__main__ import main
main()
"""


def next_program(person: Person, how: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return person.run([sys.executable, "-c", NEXT_PROGRAM, how, *arguments])


def copies(person: Person) -> list[Path]:
    return sorted((person.memory / "backups").iterdir())


def assert_old_and_whole(path: Path) -> None:
    with closing(sqlite.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA user_version").fetchall() == [(SCHEMA_VERSION,)]
        assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'next_table'").fetchall() == []
        assert [tuple(row) for row in connection.execute("SELECT role, text FROM raw_items ORDER BY id")] == SAID


def test_a_verified_backup_of_the_old_schema_precedes_a_migration(person: Person) -> None:
    remember(person, STORED[-1])

    done = next_program(person, "works", "status", "--json")

    assert (done.returncode, done.stderr) == (0, b"")
    assert rows(person.memory, "PRAGMA user_version") == [(SCHEMA_VERSION + 1,)]
    assert said(person.memory) == SAID
    (copy,) = copies(person)
    assert copy.name == f"before-schema-{SCHEMA_VERSION + 1}-from-{SCHEMA_VERSION}.db"
    assert_old_and_whole(copy)


@pytest.mark.parametrize("how", ["fails", "dies"])
def test_a_migration_that_does_not_end_leaves_the_old_file_as_it_was(
    forks: Forks, person: Person, how: str, transcript: TranscriptBuilder
) -> None:
    remember(person, STORED[-1])

    done = next_program(person, how, "status", "--json")

    assert done.returncode != 0
    assert done.stdout == b""
    assert_old_and_whole(database(person.memory))
    assert_old_and_whole(copies(person)[0])
    # The old program goes on, and the next attempt of the new one works.
    transcript.session = "another-session"
    transcript.prompt("Tabs, please")
    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))
    assert said(person.memory)[-1] == ("user", "Tabs, please")
    assert next_program(person, "works", "status").returncode == 0
    assert rows(person.memory, "PRAGMA user_version") == [(SCHEMA_VERSION + 1,)]


def test_no_migration_without_a_whole_backup(person: Person) -> None:
    remember(person, STORED[-1])
    (size,) = rows(person.memory, "PRAGMA page_size")[0]
    (root,) = rows(person.memory, "SELECT rootpage FROM sqlite_schema WHERE name = 'raw_items'")[0]
    content = bytearray(database(person.memory).read_bytes())
    content[(root - 1) * size : root * size] = b"\xff" * size
    database(person.memory).write_bytes(content)

    done = next_program(person, "works", "status")

    assert (done.returncode, done.stdout) == (1, b"")
    assert b"Traceback" not in done.stderr
    assert str(person.memory).encode() in done.stderr
    assert database(person.memory).read_bytes() == content


def test_a_backup_of_the_old_schema_can_be_restored_by_either_program(forks: Forks, person: Person) -> None:
    remember(person, STORED[-1])
    assert next_program(person, "works", "status").returncode == 0
    (copy,) = copies(person)

    settle(person.memory)
    newer = person.home / "newer.db"
    newer.write_bytes(database(person.memory).read_bytes())

    refused = forks.run(person, "agentrecall", "restore", str(newer), "--replace")
    back = forks.run(person, "agentrecall", "restore", str(copy), "--replace")

    assert (refused.code, "newer AgentRecall" in refused.stderr) == (1, True)
    assert (back.code, back.stderr) == (0, "")
    assert said(person.memory) == SAID
    assert rows(person.memory, "PRAGMA user_version") == [(SCHEMA_VERSION,)]
