"""`agentrecall doctor`: names what is wrong, says what to do, and leaves every byte as it was."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_admin import checks, doctor, host_checks, inspection
from agentrecall_admin.checks import Level
from agentrecall_admin.exclusion import exclude
from agentrecall_admin.overview import init
from agentrecall_admin.setup import setup
from agentrecall_storage.engine import sqlite
from agentrecall_storage.files import log, spool
from agentrecall_storage.memory import Memory
from agentrecall_storage.schema_version import SCHEMA_VERSION
from helpers.programs import Person

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
NOBODY = 65534


class Visit(NamedTuple):
    """What one run of the command said."""

    exit_code: int
    found: list[dict[str, str]]

    def about(self, check: str) -> str:
        """What the first, or the worst, line of *check* says: level, finding and advice."""
        lines = [one for one in self.found if one["check"] == check]
        worst = max(lines, key=lambda one: list(Level).index(Level(one["level"])))
        return f"{worst['level']}: {worst['found']}; {worst['do']}"

    def names(self) -> set[str]:
        return {one["check"] for one in self.found}

    def problems(self) -> set[str]:
        return {one["check"] for one in self.found if one["level"] == "problem"}


@pytest.fixture
def ask(person: Person, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run a command of ours in the person's project: `ask(init)`, `ask(doctor.doctor, "--json")`."""
    monkeypatch.chdir(person.project)
    environment = {name: None for name in os.environ if name.startswith(("AGENTRECALL", "CLAUDE"))} | {
        "HOME": str(person.home),
        "AGENTRECALL_HOME": str(person.memory),
        "PATH": str(person.home / "bin"),
    }

    def run(command: click.Command, *options: str, **env: str) -> Result:
        return CliRunner(env={**environment, **env}).invoke(command, options, catch_exceptions=False)

    return run


@pytest.fixture
def visit(ask: Callable[..., Result], tmp_path: Path) -> Callable[..., Visit]:
    """Run the doctor, and see that nothing changed."""

    def run(**env: str) -> Visit:
        before = state(tmp_path)
        result = ask(doctor.doctor, "--json", **env)
        assert state(tmp_path) == before
        answer = json.loads(result.stdout)
        assert answer["ok"] is (result.exit_code == 0)
        return Visit(result.exit_code, answer["checks"])

    return run


@pytest.fixture
def database(ask: Callable[..., Result], home: Path) -> Path:
    """A memory's file, made and closed."""
    ask(init)
    return home / "agentrecall.db"


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Everything below *folder*: its mode, and its bytes or where it leads."""
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        content = bytes(path.readlink()) if stat.S_ISLNK(mode) else b""
        found[str(path.relative_to(folder))] = (mode, path.read_bytes() if stat.S_ISREG(mode) else content)
    return found


# The file


def test_without_a_memory_doctor_says_so_makes_none_and_goes_on(visit: Callable[..., Visit], home: Path) -> None:
    seen = visit()

    assert seen.exit_code == 0
    assert seen.about("database").startswith("warning")
    assert "agentrecall init" in seen.about("database")
    assert {"engine", "spool", "log", "settings", "wiring", "programs", "exclusions"} <= seen.names()
    assert not home.exists()


@pytest.mark.usefixtures("database")
def test_a_whole_memory_has_no_problem(visit: Callable[..., Visit]) -> None:
    seen = visit()

    assert (seen.exit_code, seen.problems()) == (0, set())
    assert {"home", "database", "access", "integrity", "schema", "journal", "capture", "transcripts"} <= seen.names()
    assert seen.about("integrity").startswith("ok")
    assert seen.about("schema").startswith("ok")


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 5000)


def cut_in_the_header(path: Path) -> None:
    os.truncate(path, 60)


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def text(path: Path) -> None:
    path.write_text("dear diary\n" * 900)


def spoil_the_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:16] + b"\xff" * 84 + path.read_bytes()[100:])


def spoil_the_first_page(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100] + b"\xa5" * 3900 + path.read_bytes()[4000:])


def spoil_a_page(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xa5" * 4096
    path.write_bytes(content)


def replace_by_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def replace_by_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def leave_a_dangling_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("gone.db")


def link_in_a_circle(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def raise_the_version(path: Path) -> None:
    execute(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


def make_it_another_programs(path: Path) -> None:
    path.unlink()
    execute(path, "CREATE TABLE places (url TEXT)")


def drop_a_table(path: Path) -> None:
    execute(path, "DROP TABLE config")


def execute(path: Path, statement: str) -> None:
    with closing(sqlite.connect(path)) as connection:
        connection.execute(statement)
        connection.execute("PRAGMA journal_mode = DELETE")
    path.chmod(0o600)


@pytest.mark.parametrize(
    ("damage", "check", "words"),
    [
        pytest.param(cut, "database", ("cut off", "move it"), id="cut off"),
        pytest.param(cut_in_the_header, "database", ("cut off after 60 bytes", "move it"), id="cut off in its header"),
        pytest.param(zero, "database", ("zero bytes", "move it"), id="zeroed"),
        pytest.param(empty, "database", ("is empty", "move it"), id="empty"),
        pytest.param(text, "database", ("is no SQLite database", "move it"), id="a text file"),
        pytest.param(spoil_the_header, "database", ("corrupt header", "backups"), id="corrupt header"),
        pytest.param(spoil_the_first_page, "database", ("damaged", "backups"), id="corrupt first page"),
        pytest.param(spoil_a_page, "integrity", ("damaged", "backups"), id="corrupt page"),
        pytest.param(replace_by_a_folder, "database", ("is a folder", "move it"), id="a folder"),
        pytest.param(replace_by_a_pipe, "database", ("no regular file", "move it"), id="a pipe"),
        pytest.param(leave_a_dangling_link, "database", ("link to 'gone.db'", "remove the link"), id="a dangling link"),
        pytest.param(link_in_a_circle, "database", ("cannot be read",), id="a link to itself"),
        pytest.param(raise_the_version, "schema", ("newer", "upgrade"), id="newer schema"),
        pytest.param(
            make_it_another_programs, "schema", ("another program", "move it"), id="another program's database"
        ),
        pytest.param(drop_a_table, "schema", ("missing: config", "backups"), id="a table is missing"),
    ],
)
def test_a_broken_file_is_a_problem_with_a_name_and_is_left_as_it_is(
    database: Path,
    visit: Callable[..., Visit],
    damage: Callable[[Path], None],
    check: str,
    words: tuple[str, ...],
) -> None:
    damage(database)

    seen = visit()

    assert seen.exit_code == 1
    assert seen.about(check).startswith("problem")
    assert [word for word in words if word not in seen.about(check)] == []
    assert {"engine", "spool", "log", "settings", "programs", "switch"} <= seen.names()


@given(st.binary(max_size=300), st.booleans())
def test_whatever_bytes_lie_in_the_files_place_they_are_named_and_kept(content: bytes, is_marked: bool) -> None:  # noqa: FBT001 -- hypothesis draws it
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "agentrecall.db"
        path.write_bytes((inspection.MAGIC if is_marked else b"") + content)
        before = state(Path(folder))

        with pytest.raises(inspection.ObstacleError):
            inspection.look(str(path))

        assert state(Path(folder)) == before


def test_an_older_schema_is_upgraded_by_others_not_by_the_doctor(database: Path, visit: Callable[..., Visit]) -> None:
    database.unlink()
    execute(database, "PRAGMA user_version = 0")
    execute(database, "VACUUM")

    seen = visit()

    assert seen.exit_code == 0
    assert seen.about("schema").startswith("warning: the file is older")


def test_a_linked_file_is_looked_into_and_the_link_told(
    database: Path, visit: Callable[..., Visit], tmp_path: Path
) -> None:
    shutil.move(database, tmp_path / "elsewhere.db")
    database.symlink_to(tmp_path / "elsewhere.db")

    seen = visit()

    assert seen.exit_code == 0
    assert "is a symbolic link to" in seen.about("access")
    assert seen.about("integrity").startswith("ok")


CUT_OFF_WRITE = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN")
for number in range(300):
    connection.execute("INSERT INTO config VALUES (?, ?, '')", (str(number), "x" * 3000))
os._exit(0)
"""


def test_a_left_over_rollback_journal_is_named_and_kept(database: Path, visit: Callable[..., Visit]) -> None:
    execute(database, "PRAGMA journal_mode = DELETE")
    subprocess.run([sys.executable, "-c", CUT_OFF_WRITE, str(database)], check=True)
    journal = Path(f"{database}-journal")
    journal.chmod(0o600)
    assert journal.stat().st_size > 0

    seen = visit()

    assert seen.exit_code == 0
    assert "left-over rollback journal" in seen.about("database")
    assert "undoes the half write" in seen.about("database")


def left_by_a_killed_process(memory: Memory, tmp_path: Path, *suffixes: str) -> Path:
    """The home of *memory* as it would be if its process were killed now, with these side files."""
    memory.connection.execute("PRAGMA journal_mode = WAL")
    memory.connection.execute("INSERT INTO config VALUES ('key', 'value', '')")
    home = tmp_path / "left"
    home.mkdir(mode=0o700)
    for suffix in ("", *suffixes):
        shutil.copy(f"{memory.home}/agentrecall.db{suffix}", home)
    return home


def test_a_left_over_log_is_read_and_kept(memory: Memory, visit: Callable[..., Visit], tmp_path: Path) -> None:
    home = left_by_a_killed_process(memory, tmp_path, "-wal", "-shm")

    seen = visit(AGENTRECALL_HOME=str(home))

    assert seen.exit_code == 0
    assert "agentrecall.db-wal (" in seen.about("access")
    assert seen.about("integrity").startswith("ok")


def test_a_left_over_log_without_its_index_is_read_and_only_a_private_index_is_made(
    memory: Memory, tmp_path: Path
) -> None:
    home = left_by_a_killed_process(memory, tmp_path, "-wal")
    before = state(home)

    content = inspection.look(str(home / "agentrecall.db"))

    assert content.faults == []
    after = state(home)
    assert stat.S_IMODE(after.pop("agentrecall.db-shm")[0]) == 0o600
    assert after == before


def test_a_left_over_log_without_its_index_is_let_be_when_the_index_would_be_open_to_others(
    memory: Memory, visit: Callable[..., Visit], tmp_path: Path
) -> None:
    home = left_by_a_killed_process(memory, tmp_path, "-wal")
    (home / "agentrecall.db").chmod(0o644)

    seen = visit(AGENTRECALL_HOME=str(home))

    assert seen.exit_code == 1
    assert "chmod 600" in seen.about("database")


@pytest.mark.parametrize("suffixes", [("-wal", "-shm"), ("-wal",)], ids=["with its index", "without"])
def test_a_damaged_log_is_a_problem(
    memory: Memory, visit: Callable[..., Visit], tmp_path: Path, suffixes: tuple[str, ...]
) -> None:
    home = left_by_a_killed_process(memory, tmp_path, *suffixes)
    with (home / "agentrecall.db-wal").open("r+b") as file:
        file.write(b"garbage!" * 10)

    seen = visit(AGENTRECALL_HOME=str(home))

    assert seen.exit_code == 1
    assert "write-ahead log (-wal) that is damaged" in seen.about("database")


def test_a_memory_in_use_is_looked_into(memory: Memory, ask: Callable[..., Result]) -> None:
    memory.connection.execute("BEGIN IMMEDIATE")
    memory.connection.execute("INSERT INTO config VALUES ('key', 'value', '')")

    result = ask(doctor.doctor, "--json")

    memory.connection.execute("COMMIT")
    assert result.exit_code == 0


def test_a_locked_memory_is_a_warning(
    database: Path, visit: Callable[..., Visit], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspection, "LOCK_WAIT_S", 0)
    execute(database, "PRAGMA journal_mode = DELETE")
    with closing(sqlite.connect(database, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        seen = visit()
        holder.execute("ROLLBACK")

    assert seen.exit_code == 0
    assert seen.about("database").startswith("warning")
    assert "locked by another program" in seen.about("database")


# Who may read it


@pytest.mark.parametrize("side", ["", "-wal", "-shm", "-journal"])
def test_a_file_open_to_others_is_a_warning(database: Path, visit: Callable[..., Visit], side: str) -> None:
    Path(f"{database}{side}").touch()
    Path(f"{database}{side}").chmod(0o644)

    seen = visit()

    assert seen.exit_code == 0
    assert "has mode 0644; chmod 600" in seen.about("access")


def test_a_home_open_to_others_is_a_problem(database: Path, visit: Callable[..., Visit]) -> None:
    database.parent.chmod(0o755)

    seen = visit()

    assert seen.exit_code == 1
    assert "open to other users (mode 0755); chmod 700" in seen.about("home")


def test_what_belongs_to_another_user_is_a_problem(database: Path) -> None:
    stranger = os.geteuid() + 1

    assert "belongs to another user" in checks.home(str(database.parent), stranger).found
    finding = checks.access(str(database), stranger)
    assert (finding.level, "belongs to another user" in finding.found) == (Level.PROBLEM, True)


def test_a_file_in_the_homes_place_is_a_problem(home: Path, visit: Callable[..., Visit]) -> None:
    home.write_text("not a folder")

    seen = visit()

    assert seen.exit_code == 1
    assert "is no folder" in seen.about("home")


@pytest.fixture
def unreadable(database: Path) -> Iterator[Path]:
    """A home that whoever runs the test cannot enter; root becomes nobody, since modes stop everyone else."""
    database.parent.chmod(0)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    yield database.parent
    if is_root:
        os.seteuid(0)
    database.parent.chmod(0o700)


@pytest.mark.usefixtures("unreadable")
def test_an_unreadable_home_is_a_problem_that_stops_no_other_check(ask: Callable[..., Result]) -> None:
    result = ask(doctor.doctor, "--json")

    seen = Visit(result.exit_code, json.loads(result.stdout)["checks"])
    assert seen.exit_code == 1
    assert {"home", "database", "spool", "log", "exclusions"} <= seen.problems()
    assert "permission denied" in seen.about("database")
    assert [one for one in seen.found if "could not be checked" in one["found"]] == []


# Engine and journal


@pytest.mark.parametrize(
    ("version", "level"),
    [
        pytest.param((3, 53, 4), Level.OK, id="newer"),
        pytest.param((3, 50, 7), Level.OK, id="repaired in its line"),
        pytest.param((3, 40, 1), Level.WARNING, id="affected"),
    ],
)
def test_the_engine_is_judged_by_its_version(version: tuple[int, ...], level: Level) -> None:
    assert checks.engine(version, "sqlite3").level is level


# What capture left


def test_an_empty_spool_is_fine_and_one_with_entries_is_told_with_their_age(home: Path) -> None:
    assert checks.spooled(str(home), NOW).level is Level.OK

    entry = spool.append(str(home), "{}")
    os.utime(entry, ((NOW - timedelta(hours=5)).timestamp(),) * 2)

    assert checks.spooled(str(home), NOW)[1:3] == (Level.WARNING, "1 waiting (oldest: 5 h)")


def test_what_was_set_aside_is_told(home: Path) -> None:
    entry = spool.append(str(home), "{}")
    os.utime(entry, ((NOW - timedelta(days=3)).timestamp(),) * 2)
    spool.set_aside(entry)

    finding = checks.spooled(str(home), NOW)

    assert (finding.level, "1 set aside (oldest: 3 days)" in finding.found) == (Level.WARNING, True)


def test_a_file_in_the_spools_place_is_a_problem(database: Path, visit: Callable[..., Visit]) -> None:
    (database.parent / "spool").write_text("not a folder")

    assert visit().about("spool").startswith("problem")


def test_the_hooks_failures_are_counted_and_the_last_is_told(home: Path) -> None:
    log.note(str(home), {"at": "2026-11-01T08:00:00Z", "program": "recall-hook", "error": "OSError"})
    log.note(
        str(home),
        {
            "at": "2026-11-02T08:00:00Z",
            "program": "capture-hook",
            "error": "DatabaseError",
            "reason": "no",
            "doing": "open",
        },
    )
    with Path(log.path(str(home))).open("ab") as file:
        file.write(b'\xff\xfe{"half": \n[1]\n' + b"[" * 100_000 + b"\n")

    finding = checks.failures(str(home), NOW)

    assert finding.level is Level.WARNING
    assert "5 failures (3 malformed lines)" in finding.found
    assert "the last at 2026-11-02T08:00:00Z: capture-hook DatabaseError (no) at 'open'" in finding.found


def test_failures_of_long_ago_are_no_warning(home: Path) -> None:
    log.note(str(home), {"at": "2026-05-01T08:00:00Z", "program": "recall-hook", "error": "OSError"})

    assert checks.failures(str(home), NOW).level is Level.OK


@given(st.binary(max_size=200))
def test_whatever_is_in_the_log_it_is_counted(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "logs").mkdir()
        Path(log.path(folder)).write_bytes(content)

        assert checks.failures(folder, NOW).check == "log"


def test_a_folder_in_the_logs_place_is_a_problem(home: Path) -> None:
    Path(log.path(str(home))).mkdir(parents=True)

    assert checks.failures(str(home), NOW).level is Level.PROBLEM


def test_lines_that_capture_did_not_understand_are_told_by_kind(memory: Memory, visit: Callable[..., Visit]) -> None:
    memory.connection.execute(
        """
        INSERT INTO transcripts(path, source, device, inode, head, head_length, offset, tail, state, bad_lines,
                                unknown_lines, unknown_kinds, read_at)
        VALUES ('t.jsonl', 'claude-code', 1, 1, '', 0, 0, '', '{}', 2, 3, '{"hologram": 3}', '')
        """
    )
    memory.connection.execute("PRAGMA journal_mode = DELETE")

    said = visit().about("transcripts")

    assert said.startswith("warning: lines of unknown kinds: hologram (3); 2 unreadable lines")


@pytest.mark.parametrize(
    ("last_at", "is_wired", "level"),
    [
        pytest.param("2026-11-01T08:00:00Z", True, Level.OK, id="captured"),
        pytest.param(None, True, Level.WARNING, id="wired, but nothing captured"),
        pytest.param(None, False, Level.OK, id="not wired yet"),
    ],
)
def test_a_wired_host_of_which_nothing_was_captured_is_a_warning(
    last_at: str | None,
    is_wired: bool,  # noqa: FBT001 -- a column of the table
    level: Level,
) -> None:
    assert checks.capture(inspection.Captures(last_at, 0, {}), is_wired=is_wired).level is level


# The host


@pytest.mark.usefixtures("database")
def test_a_wired_host_is_told_so(ask: Callable[..., Result], visit: Callable[..., Visit]) -> None:
    ask(setup, "claude-code")

    seen = visit()

    assert seen.exit_code == 0
    assert any("is wired (8 hooks)" in one["found"] for one in seen.found)
    assert seen.about("wiring").startswith("ok")
    assert seen.about("capture").startswith("warning")


def wire(person: Person, command: str) -> Path:
    """Wire one hook that runs *command* through a shell, in the project's private settings."""
    path = person.project / ".claude" / "settings.local.json"
    path.parent.mkdir()
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}
    path.write_text(json.dumps({"hooks": hooks}))
    return path


def make_program(folder: Path, first_line: str = "#!/bin/sh", mode: int = 0o755) -> Path:
    folder.mkdir(parents=True)
    path = folder / "agentrecall-capture-hook"
    path.write_text(f"{first_line}\n")
    path.chmod(mode)
    return path


def test_a_wired_program_that_is_gone_is_a_problem(person: Person, visit: Callable[..., Visit]) -> None:
    wire(person, "/gone/bin/agentrecall-capture-hook")

    seen = visit()

    assert seen.exit_code == 1
    assert "'/gone/bin/agentrecall-capture-hook' is missing" in seen.about("settings")
    assert f"agentrecall setup claude-code --project {person.project}" in seen.about("settings")


@pytest.mark.parametrize(
    ("first_line", "mode", "fault"),
    [
        pytest.param("#!/bin/sh", 0o644, "is not executable", id="not executable"),
        pytest.param("#!/gone/python", 0o755, "needs '/gone/python', which is missing", id="its interpreter is gone"),
        pytest.param("#!/bin/sh", 0o755, "not to this installation", id="another installation's"),
    ],
)
def test_a_wired_program_that_cannot_run_is_told(
    person: Person, visit: Callable[..., Visit], first_line: str, mode: int, fault: str
) -> None:
    program = make_program(person.home / "my tools", first_line, mode)
    wire(person, f"MODE=1 '{program}' --flag")

    assert fault in visit().about("settings")


def test_a_wired_bare_name_is_looked_up_on_the_path(person: Person, visit: Callable[..., Visit]) -> None:
    wire(person, "agentrecall-capture-hook")
    assert "is not on PATH" in visit().about("settings")

    make_program(person.home / "bin")
    assert visit().problems() == set()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"{// a comment\n}", "Claude Code itself ignores such a file", id="comments"),
        pytest.param(b'{"hooks": ', "Claude Code itself ignores such a file", id="cut off"),
        pytest.param(b"[]", "not an object", id="a list"),
        pytest.param(b'{"a": "\xff"}', "not UTF-8", id="another encoding"),
        pytest.param(b"[" * 200_000, "cannot be read", id="nested too deeply"),
    ],
)
def test_settings_that_the_host_cannot_read_are_a_problem(
    person: Person, visit: Callable[..., Visit], content: bytes, words: str
) -> None:
    path = person.home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(content)

    seen = visit()

    assert seen.exit_code == 1
    assert words in seen.about("settings")


def test_a_folder_in_the_settings_place_is_a_problem(person: Person, visit: Callable[..., Visit]) -> None:
    (person.home / ".claude" / "settings.json").mkdir(parents=True)

    assert "not a regular file" in visit().about("settings")


def test_hooks_that_are_switched_off_in_the_settings_are_a_warning(person: Person, visit: Callable[..., Visit]) -> None:
    path = person.home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"disableAllHooks": true}')

    assert visit().about("settings").startswith("warning")


def test_missing_programs_are_a_problem(tmp_path: Path) -> None:
    present = str(make_program(tmp_path / "bin"))

    assert host_checks.programs({"agentrecall-capture-hook": present}).level is Level.OK
    assert host_checks.programs({"agentrecall-capture-hook": None}).level is Level.PROBLEM


def test_claude_on_the_path_is_found(person: Person, visit: Callable[..., Visit]) -> None:
    assert visit().about("claude-code").startswith("warning")

    program = person.home / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    assert str(program) in visit().about("claude-code")


# What the user switched off


@pytest.mark.usefixtures("database")
def test_an_excluded_folder_is_told(ask: Callable[..., Result], visit: Callable[..., Visit]) -> None:
    ask(exclude, ".")

    seen = visit()

    assert seen.exit_code == 0
    assert "1 excluded" in seen.about("exclusions")
    assert seen.about("this folder").startswith("warning")


def test_unreadable_exclusions_are_a_problem(database: Path, visit: Callable[..., Visit]) -> None:
    (database.parent / "exclusions.json").write_text("{")

    seen = visit()

    assert seen.exit_code == 1
    assert "everything is excluded" in seen.about("exclusions")


def test_the_switch_in_the_environment_is_a_warning(visit: Callable[..., Visit]) -> None:
    seen = visit(AGENTRECALL_DISABLED="1")

    assert seen.exit_code == 0
    assert seen.about("switch").startswith("warning")


# What it prints


def test_text_is_a_line_a_check_with_talk_on_stderr(ask: Callable[..., Result], database: Path) -> None:
    database.write_text("dear diary")

    result = ask(doctor.doctor)

    findings = json.loads(ask(doctor.doctor, "--json").stdout)["checks"]
    assert [line.split()[0] for line in result.stdout.splitlines()] == [one["level"] for one in findings]
    assert (result.exit_code, result.stderr) == (1, "1 problem\n")


def test_control_characters_and_broken_unicode_are_not_printed(ask: Callable[..., Result], home: Path) -> None:
    log.note(str(home), {"at": "\x1b[2J\ud800", "program": "recall-hook\n", "error": "OSError"})

    result = ask(doctor.doctor)

    assert "\x1b" not in result.stdout
    assert "at ?[2J?: recall-hook? OSError" in result.stdout


def test_a_current_folder_that_is_gone_is_survived(person: Person, ask: Callable[..., Result]) -> None:
    person.project.rmdir()

    result = ask(doctor.doctor, "--json")

    assert result.exit_code == 0
    assert "the current folder is gone" in result.stdout
