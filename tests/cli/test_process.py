"""`process`: what hooks left is stored, what was said becomes notes, one works at a time, and it ends by itself."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from agentrecall_storage.engine import sqlite
from agentrecall_storage.leases import Owner
from helpers.files import database, log_lines, rows, spooled, texts
from helpers.forks import Ended, Forks, assert_quiet, fork_server
from helpers.programs import Person, as_bytes, assert_silent, script
from helpers.terminal import on_terminal
from helpers.transcripts import TranscriptBuilder

NOTHING = {
    "drained": 0,
    "set_aside": 0,
    "transcripts": 0,
    "raw_items_added": 0,
    "episodes": 0,
    "units": 0,
    "notes": 0,
    "duplicates": 0,
    "rejected": 0,
    "failed": 0,
    "parked": 0,
    "unavailable": "",
    "embedded": 0,
    "not_embedded": "",
    "waiting": 0,
}
LESSON = "Invoices are dated in UTC, because the bank rejects any other time zone. Remember that."
PATIENCE_S = 30


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


@pytest.fixture
def session_over(forks: Forks, person: Person, transcript: TranscriptBuilder) -> None:
    """A session in which the user taught something is over."""
    transcript.prompt(LESSON)
    transcript.answer("Noted.")
    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload("SessionEnd")))


def lines(done: Ended) -> list[dict[str, Any]]:
    """What a program told as JSON, line by line."""
    return [json.loads(line) for line in done.stdout.splitlines()]


def summary(done: Ended) -> dict[str, Any]:
    """The last of it, which sums up."""
    return lines(done)[-1]


def tell_the_file(person: Person, statement: str, *values: object) -> None:
    with closing(sqlite.connect(database(person.memory), isolation_level=None)) as connection:
        connection.execute(statement, values)


# What hooks left


def test_process_without_a_memory_makes_an_empty_one(agentrecall: Callable[..., Ended], person: Person) -> None:
    done = agentrecall("process", "--json")

    assert summary(done) == NOTHING
    assert texts(person.memory) == []


def test_process_stores_what_was_spooled_and_reads_on_where_a_hook_did_not_come(
    agentrecall: Callable[..., Ended],
    forks: Forks,
    person: Person,
    transcript: TranscriptBuilder,
    stop: Callable[[str], None],
) -> None:
    stop("Tabs, please")
    with closing(sqlite.connect(database(person.memory), isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        transcript.prompt("And two blank lines")
        assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload("SessionEnd")))
        holder.execute("ROLLBACK")
    assert spooled(person.memory)
    transcript.answer("Two it is.")

    first = summary(agentrecall("process", "--json"))
    again = summary(agentrecall("process", "--json"))

    assert texts(person.memory) == ["Tabs, please", "And two blank lines", "Two it is."]
    assert spooled(person.memory) == []
    assert (first["drained"] > 0, first["set_aside"], first["transcripts"], first["raw_items_added"]) == (True, 0, 1, 2)
    assert again == NOTHING | {"transcripts": 1}


def test_process_sets_aside_what_no_attempt_can_store_and_says_so(
    agentrecall: Callable[..., Ended], person: Person, stop: Callable[[str], None]
) -> None:
    stop("Tabs, please")
    (person.memory / "spool").mkdir(mode=0o700)
    (person.memory / "spool" / "1.json").write_bytes(b"poison")

    done = agentrecall("process")

    assert done.code == 0
    assert "0 spooled entries stored, 1 set aside" in done.stdout
    assert (person.memory / "spool" / "aside" / "1.json").read_bytes() == b"poison"
    assert [line["doing"] for line in log_lines(person.memory)] == ["drain"]


def test_process_captures_nothing_when_the_memory_is_switched_off_or_the_project_excluded(
    agentrecall: Callable[..., Ended], person: Person, transcript: TranscriptBuilder, stop: Callable[[str], None]
) -> None:
    stop("Tabs, please")
    transcript.prompt("And two blank lines")

    off = agentrecall("process", env={"AGENTRECALL_DISABLED": "1"})
    assert (off.code, "AGENTRECALL_DISABLED" in off.stderr) == (0, True)
    assert texts(person.memory) == ["Tabs, please"]

    assert agentrecall("exclude", str(person.project)).code == 0
    assert agentrecall("process").code == 0
    assert texts(person.memory) == ["Tabs, please"]


def test_process_passes_over_a_transcript_that_is_gone(
    agentrecall: Callable[..., Ended], person: Person, transcript: TranscriptBuilder, stop: Callable[[str], None]
) -> None:
    stop("Tabs, please")
    transcript.path.unlink()

    done = agentrecall("process", "--json")

    assert (done.code, summary(done)["raw_items_added"]) == (0, 0)
    assert texts(person.memory) == ["Tabs, please"]


def test_processes_at_once_store_each_entry_once(
    person: Person, forks: Forks, transcript: TranscriptBuilder, stop: Callable[[str], None]
) -> None:
    stop("Tabs, please")
    with closing(sqlite.connect(database(person.memory), isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        transcript.prompt("And two blank lines")
        assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload("SessionEnd")))
        holder.execute("ROLLBACK")
    running = [person.start([sys.executable, "-m", "agentrecall_admin", "process", "--json"]) for _ in range(3)]

    outputs = [process.communicate() for process in running]

    assert [error for _, error in outputs] == [b""] * 3
    assert texts(person.memory) == ["Tabs, please", "And two blank lines"]
    assert spooled(person.memory) == []


# Notes


@pytest.mark.usefixtures("session_over")
def test_what_was_said_becomes_notes_unit_by_unit(agentrecall: Callable[..., Ended]) -> None:
    unit, last = lines(agentrecall("process", "--json"))

    assert (unit["unit"], unit["number"], unit["of"]) == ("E1", 1, 1)
    assert (last["episodes"], last["units"], last["notes"]) == (1, 1, len(unit["notes"]))
    assert summary(agentrecall("process", "--json")) == NOTHING | {"transcripts": 1}


@pytest.mark.usefixtures("session_over")
def test_a_person_reads_what_was_done_in_two_lines(agentrecall: Callable[..., Ended]) -> None:
    done = agentrecall("process")

    assert (done.code, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    assert first == "0 spooled entries stored, 0 set aside; 1 transcripts looked at; 0 raw items new"
    assert second.startswith("1 episodes closed; 1 units distilled into ")


@pytest.mark.usefixtures("session_over")
def test_on_a_terminal_a_bar_is_shown_while_it_lasts(person: Person) -> None:
    code, shown = on_terminal([script("agentrecall"), "process"], cwd=person.project, env=person.environment())

    assert code == 0
    assert "1 units distilled" in shown
    assert "distilling" in shown


def test_a_provider_of_vectors_that_is_not_there_is_told_of_and_stops_nothing(
    agentrecall: Callable[..., Ended], person: Person, stop: Callable[[str], None]
) -> None:
    stop(LESSON)
    tell_the_file(person, "INSERT INTO config VALUES ('embedding_provider', 'nowhere', '')")

    done, told = agentrecall("process"), agentrecall("process", "--json")

    assert (done.code, told.code) == (0, 0)
    assert "'nowhere'" in done.stderr
    assert "'nowhere'" in summary(told)["not_embedded"]


@pytest.mark.usefixtures("session_over")
def test_status_says_what_waits_and_what_was_done(agentrecall: Callable[..., Ended]) -> None:
    before = summary(agentrecall("process", "status", "--json"))
    agentrecall("process")
    after = summary(agentrecall("process", "status", "--json"))

    assert (before["open_turns"], before["last_distilled_at"], before["held_by"]) == (1, None, None)
    assert (after["open_turns"], after["waiting"]) == (0, {"episodes": 0, "raw_items": 0})
    assert after["last_distilled_at"]
    assert "nobody is at work" in agentrecall("process", "status").stdout


@pytest.mark.usefixtures("session_over")
def test_nothing_is_distilled_while_memory_is_switched_off(agentrecall: Callable[..., Ended], person: Person) -> None:
    done = agentrecall("process", "--json", env={"AGENTRECALL_DISABLED": "1"})

    assert (done.code, summary(done)) == (0, NOTHING)
    assert rows(person.memory, "SELECT count(*) FROM episodes") == [(0,)]


@pytest.mark.usefixtures("session_over")
def test_where_the_host_judges_units_wait_for_it(agentrecall: Callable[..., Ended], person: Person) -> None:
    tell_the_file(person, "INSERT INTO config VALUES ('judge', 'host', '')")

    found = summary(agentrecall("process", "--json"))

    assert (found["episodes"], found["units"], found["waiting"]) == (1, 0, 1)


@pytest.mark.usefixtures("session_over")
def test_a_judge_that_cannot_be_asked_is_an_error_that_keeps_the_work(
    agentrecall: Callable[..., Ended], person: Person
) -> None:
    for number in range(2):
        tell_the_file(
            person,
            """
            INSERT INTO raw_items(uid, dedup_key, source, kind, role, origin, text, said_at, captured_at)
            VALUES (:key, :key, 'cli', 'document', 'user', 'import', 'Invoices are dated in UTC.', '', '')
            """.replace(":key", "?1"),
            f"d{number}",
        )

    done = agentrecall("process", "--json", "--judge-command", str(person.home / "no-such-judge"))

    assert done.code == 1
    assert "the judge could not be asked" in done.stderr
    assert "Traceback" not in done.stderr
    last = summary(done)
    assert (last["units"], last["failed"], last["waiting"]) == (0, 2, 3)
    assert summary(agentrecall("process", "status", "--json"))["failing"] == 2
    assert summary(agentrecall("process", "--json"))["units"] == 1


@pytest.mark.usefixtures("session_over")
@pytest.mark.parametrize(
    ("program", "why", "waiting"),
    [
        ("cat >/dev/null; echo 'I see nothing to keep.'", "no JSON object", "1 wait\n"),
        ("cat >/dev/null; echo 'no credit' >&2; exit 3", "no credit", "1 wait (1 backing off after a failure)\n"),
    ],
    ids=["prose", "exit code"],
)
def test_the_last_failure_is_told_and_why_a_unit_waits(
    agentrecall: Callable[..., Ended], program: str, why: str, waiting: str
) -> None:
    done = agentrecall("process", "--judge-command", shlex.join(["/bin/sh", "-c", program]))

    assert done.stdout.endswith(f"1 units failed, 0 of them parked; {waiting}")
    (line,) = done.stderr.splitlines()
    assert re.fullmatch(f"the last failure: .*{why}.*; 'agentrecall failures' shows all", line), line


@pytest.mark.usefixtures("session_over")
def test_a_unit_that_is_lent_out_is_told_of(agentrecall: Callable[..., Ended]) -> None:
    agentrecall("process", "--judge", "host")
    assert agentrecall("process", "next", "--json").code == 0

    assert agentrecall("process").stdout.endswith("; 1 wait (1 lent out to a host)\n")


def test_a_judge_that_is_none_is_refused_with_those_that_are(agentrecall: Callable[..., Ended]) -> None:
    done = agentrecall("process", "--judge", "foo")

    assert done.code == 2
    assert "choose deterministic, command or host" in done.stderr


@pytest.mark.usefixtures("session_over")
def test_a_unit_that_was_parked_is_tried_again_when_a_person_says_so(
    agentrecall: Callable[..., Ended], person: Person
) -> None:
    absent = ("process", "--judge-command", str(person.home / "no-such-judge"))
    tell_the_file(person, "INSERT INTO config VALUES ('distill_failure_cap', '1', '')")
    assert agentrecall(*absent).code == 0
    assert summary(agentrecall("process", "--json"))["units"] == 0
    assert summary(agentrecall("process", "status", "--json"))["parked"] == 1

    assert agentrecall("process", "unpark", "E1").stdout == "unparked E1\n"

    assert summary(agentrecall("process", "--json"))["units"] == 1


def test_unpark_says_what_it_cannot_do(agentrecall: Callable[..., Ended]) -> None:
    assert lines(agentrecall("process", "unpark", "--all", "--json")) == [{"unparked": []}]
    assert agentrecall("process", "unpark", "--all").stdout == "nothing is parked\n"
    for misuse in ((), ("E1", "--all"), ("N1",)):
        assert agentrecall("process", "unpark", *misuse).code == 2
    missing = agentrecall("process", "unpark", "e7")
    assert (missing.code, "'E7' is not parked" in missing.stderr) == (1, True)


@pytest.mark.parametrize("misuse", [("--limit", "0"), ("--judge", "nobody"), ("--judge", "command"), ("--no-such",)])
def test_misuse_is_told(agentrecall: Callable[..., Ended], misuse: tuple[str, ...]) -> None:
    assert agentrecall("process", *misuse).code == 2


# One at a time


def hold(person: Person, owner: str, expires_at: str = "2999-01-01T00:00:00Z") -> None:
    """Somebody is at work."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    tell_the_file(person, "INSERT INTO leases VALUES ('process', ?, ?, ?, ?)", owner, now, now, expires_at)


@pytest.mark.usefixtures("session_over")
def test_a_second_process_leaves_and_says_who_is_at_work(agentrecall: Callable[..., Ended], person: Person) -> None:
    hold(person, "another-machine:pid:[1]|4711|1|a")

    done, told = agentrecall("process"), agentrecall("process", "--json")

    assert (done.code, done.stderr) == (0, "")
    assert done.stdout.startswith("process 4711 on another-machine is at it since 20")
    assert (told.code, summary(told)["held_by"]) == (0, "process 4711 on another-machine")
    assert rows(person.memory, "SELECT count(*) FROM episodes") == [(0,)]
    assert summary(agentrecall("process", "status", "--json"))["held_by"] == "process 4711 on another-machine"


@pytest.mark.usefixtures("session_over")
@pytest.mark.parametrize("how", ["its process is over", "it was not heard of for a minute"])
def test_the_work_of_the_dead_is_taken_over(agentrecall: Callable[..., Ended], person: Person, how: str) -> None:
    if how == "its process is over":
        hold(person, str(Owner.here()._replace(started="1")))
    else:
        hold(person, "another-machine:pid:[1]|4711|1|a", expires_at="2026-01-01T00:00:00Z")

    assert summary(agentrecall("process", "--json"))["units"] == 1
    assert rows(person.memory, "SELECT count(*) FROM leases") == [(0,)]


@pytest.mark.usefixtures("session_over")
def test_of_processes_started_at_once_one_does_the_work(person: Person) -> None:
    running = [person.start([script("agentrecall"), "process", "--json"]) for _ in range(4)]

    outputs = [process.communicate(timeout=PATIENCE_S) for process in running]

    assert [(process.returncode, error) for process, (_, error) in zip(running, outputs, strict=True)] == [(0, b"")] * 4
    told = [json.loads(output.splitlines()[-1]) for output, _ in outputs]
    assert sum(one.get("units", 0) for one in told) == 1
    assert rows(person.memory, "SELECT status FROM episodes") == [("Distilled",)]


# Started by a hook, in a process of its own


def run_beside_agentrecall(person: Person, payload: dict[str, Any], **environment: str) -> None:
    """Run the capture hook where the command line is installed beside it, as a host does."""
    assert_silent(person.run([script("agentrecall-capture-hook")], as_bytes(payload), env=environment))


def processors(person: Person) -> list[str]:
    """The processes that work on this person's memory."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            told = (entry / "environ").read_bytes().split(b"\0")
            if f"AGENTRECALL_HOME={person.memory}".encode() in told:
                found.append(entry.name)
    return found


def started_from(folder: Path) -> bool:
    """Whether a program runs that was started in *folder*, or that it has started."""
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if bytes(folder) in (entry / "cmdline").read_bytes():
                return True
    return False


def until_nobody_works(person: Person) -> None:
    """Wait for what a hook started: it ends by itself."""
    until = time.monotonic() + PATIENCE_S
    while processors(person):
        assert time.monotonic() < until


on_linux = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="other processes are looked at")


@on_linux
def test_the_end_of_a_session_starts_the_processor_and_nothing_stays_behind(
    person: Person, transcript: TranscriptBuilder
) -> None:
    transcript.prompt(LESSON)
    transcript.answer("Noted.")

    run_beside_agentrecall(person, transcript.payload("SessionEnd"))
    until_nobody_works(person)

    assert rows(person.memory, "SELECT status, closed_by FROM episodes") == [("Distilled", "end")]
    assert rows(person.memory, "SELECT count(*) FROM leases") == [(0,)]
    assert log_lines(person.memory) == []


@on_linux
def test_the_next_session_has_the_work_done_that_a_crash_left(
    forks: Forks, person: Person, transcript: TranscriptBuilder
) -> None:
    transcript.prompt(LESSON)
    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))
    tell_the_file(person, "UPDATE sessions SET last_seen_at = '2026-01-01T00:00:00Z'")
    tell_the_file(person, "UPDATE raw_items SET said_at = '2026-01-01T00:00:00Z'")
    tell_the_file(person, "UPDATE turns SET started_at = '2026-01-01T00:00:00Z'")

    other = TranscriptBuilder(transcript.path.with_name("other.jsonl"), person.project, "other")
    run_beside_agentrecall(person, other.payload("SessionStart", source="startup"))
    until_nobody_works(person)

    assert rows(person.memory, "SELECT status, closed_by FROM episodes") == [("Distilled", "age")]


def starts(person: Person, transcript: TranscriptBuilder, event: str, tmp_path: Path) -> bool:
    """Whether the hook starts what lies beside it: here a program that only says that it was started, and how."""
    beside = tmp_path / "beside"
    if not beside.exists():
        beside.mkdir()
        (beside / "agentrecall-capture-hook").symlink_to(script("agentrecall-capture-hook"))
        told = beside / "told"
        program = f'#!/bin/sh\necho "$@" "$AGENTRECALL_DISABLED" >{told}.part; mv {told}.part {told}\n'
        (beside / "agentrecall").write_text(program)
        (beside / "agentrecall").chmod(0o755)
    (beside / "told").unlink(missing_ok=True)
    done = person.run([str(beside / "agentrecall-capture-hook")], as_bytes(transcript.payload(event)))
    assert_silent(done)
    while not (beside / "told").exists():
        # It runs before the hook ends, if at all.
        if not started_from(beside):
            return (beside / "told").exists()
    assert (beside / "told").read_text() == "process --once --detached \n"
    return True


@on_linux
def test_a_hook_starts_the_processor_when_work_waits_and_at_no_other_time(
    person: Person, transcript: TranscriptBuilder, tmp_path: Path, forks: Forks
) -> None:
    assert not starts(person, transcript, "SessionEnd", tmp_path), "nothing was ever said"
    transcript.prompt(LESSON)
    assert not starts(person, transcript, "Stop", tmp_path), "the session goes on"
    assert not starts(person, transcript, "SessionStart", tmp_path), "the session goes on"
    assert starts(person, transcript, "SessionEnd", tmp_path)
    assert starts(person, transcript, "SessionStart", tmp_path), "nobody did it"

    hold(person, "another-machine:pid:[1]|4711|1|a")
    assert not starts(person, transcript, "SessionEnd", tmp_path), "somebody is at work"
    tell_the_file(person, "DELETE FROM leases")

    assert forks.run(person, "agentrecall", "process").code == 0
    assert not starts(person, transcript, "SessionStart", tmp_path), "all of it is done"


@on_linux
def test_a_unit_that_waits_for_its_time_or_a_person_starts_nothing(
    person: Person, transcript: TranscriptBuilder, tmp_path: Path, forks: Forks
) -> None:
    transcript.prompt(LESSON)
    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload("SessionEnd")))
    assert forks.run(person, "agentrecall", "process", "--judge-command", str(tmp_path / "no-such-judge")).code == 0
    assert not starts(person, transcript, "SessionStart", tmp_path), "it is put off"

    tell_the_file(person, "UPDATE distill_failures SET retry_at = '2026-01-01T00:00:00Z'")
    assert starts(person, transcript, "SessionStart", tmp_path), "its time has come"

    tell_the_file(person, "UPDATE distill_failures SET retry_at = NULL, parked_at = '2026-01-01T00:00:00Z'")
    tell_the_file(person, "UPDATE episodes SET status = 'Parked'")
    assert not starts(person, transcript, "SessionStart", tmp_path), "it is parked"


def test_where_the_command_line_is_not_installed_a_hook_does_without(
    person: Person, transcript: TranscriptBuilder, run_hook: Callable[..., subprocess.CompletedProcess[bytes]]
) -> None:
    transcript.prompt(LESSON)

    assert_silent(run_hook("capture-hook", transcript.payload("SessionEnd")))

    assert log_lines(person.memory) == []
    assert rows(person.memory, "SELECT count(*) FROM episodes") == [(0,)]


@pytest.mark.usefixtures("session_over")
def test_a_processor_that_nobody_sees_logs_what_fails_and_is_in_nobodys_way(
    agentrecall: Callable[..., Ended], person: Person
) -> None:
    tell_the_file(person, "PRAGMA user_version = 99")

    assert agentrecall("process", "--once", "--detached").code == 1

    (line,) = log_lines(person.memory)
    assert (line["program"], line["doing"]) == ("process", "process")
