"""The write-ahead log stays small: a long reader may make it grow, and no longer than it reads."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from agentrecall_domain.turns.batch import Batch, OpenedTurn, Project
from agentrecall_domain.turns.span import Span
from agentrecall_storage.engine import CHECKPOINT_ABOVE, checkpoint, connect, is_safe, sqlite
from agentrecall_storage.migrations.migrate import create
from agentrecall_storage.raw_items import CaptureStore
from helpers.files import database, rows
from helpers.forks import Forks, assert_quiet
from helpers.programs import Person
from helpers.transcripts import TranscriptBuilder

CAPTURES = 2_000
SWEEP_EVERY = 100
"""Captures between two session starts: more than a busy hour has."""
WHAT_A_SWEEP_LETS_GROW = 8 * CHECKPOINT_ABOVE
"""A commit of one turn is about 15 pages of 4 kB: 6.5 MB of a hundred were measured."""
PAGES_OF_A_CAPTURE = 20
"""2,000 of them under a reader that never leaves: 122 MB were measured."""

pytestmark = pytest.mark.skipif(not is_safe(), reason="an affected engine keeps no write-ahead log")


def size_of_log(home: Path) -> int:
    path = Path(f"{database(home)}-wal")
    return path.stat().st_size if path.exists() else 0


def captured(number: int) -> Batch:
    """What a Stop hook has to store of one small turn."""
    batch = Batch(source="claude-code", session_uid="s", transcript_path="/t.jsonl", captured_at="2026-11-02T08:00:00Z")
    project = batch.project_index(Project("demo", "/demo", [("path", "/demo")]))
    batch.turns.append(
        OpenedTurn(
            uid=f"t{number}",
            prompt_id=f"p{number}",
            ordinal=number,
            project=project,
            branch="",
            started_at="2026-11-02T08:00:00Z",
        )
    )
    for role in ("user", "assistant"):
        batch.spans.append(
            Span(
                turn_uid=f"t{number}",
                dedup_key=f"k{number}-{role}",
                kind="turn",
                role=role,
                origin="user" if role == "user" else "agent",
                text=f"{role} {number} " + "words " * 30,
                said_at="",
                prompt_source="typed" if role == "user" else "",
            )
        )
    return batch


def capture_many(home: Path, after: Callable[[int], None]) -> int:
    """Store as many turns, each through a connection of its own as hooks have; gives the largest log seen."""
    largest = 0
    # As another session's open connection would, this keeps the last close from copying the log back.
    with closing(connect(str(database(home)), 0)) as other:
        other.execute("SELECT count(*) FROM rules").fetchone()
        for number in range(CAPTURES):
            with closing(connect(str(database(home)), 0)) as connection:
                connection.execute("PRAGMA synchronous = OFF")  # the size is asked, not the safety
                CaptureStore(connection).record_batch(captured(number))
            largest = max(largest, size_of_log(home))
            after(number)
    return largest


def start_a_session(home: Path, number: int) -> None:
    """What SessionStart does for the log, now and then."""
    if number % SWEEP_EVERY == SWEEP_EVERY - 1:
        with closing(connect(str(database(home)), 0)) as connection:
            checkpoint(connection, str(database(home)))


def test_session_starts_keep_the_log_small(home: Path) -> None:
    create(str(home))

    largest = capture_many(home, lambda number: start_a_session(home, number))

    assert 0 < largest < WHAT_A_SWEEP_LETS_GROW
    assert rows(home, "SELECT count(*) FROM raw_items") == [(2 * CAPTURES,)]


def test_a_long_reader_lets_the_log_grow_by_what_is_written_and_no_more_and_only_while_it_reads(home: Path) -> None:
    create(str(home))
    with closing(sqlite.connect(database(home), isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM raw_items").fetchone() == (0,)

        with_reader = capture_many(home, lambda number: start_a_session(home, number))

        assert reader.execute("SELECT count(*) FROM raw_items").fetchone() == (0,)
        # Nobody was held up, and the log holds each page once for each time it was written.
        assert with_reader < CAPTURES * PAGES_OF_A_CAPTURE * 4120
        with closing(connect(str(database(home)), 0)) as keeper:
            keeper.execute("SELECT count(*) FROM rules").fetchone()
            reader.execute("COMMIT")
            start_a_session(home, SWEEP_EVERY - 1)
            with closing(connect(str(database(home)), 0)) as connection:
                CaptureStore(connection).record_batch(captured(CAPTURES))
            # Written from its beginning again, and cut to what one sweep lets grow.
            assert size_of_log(home) <= CHECKPOINT_ABOVE

    # The last to close takes it away.
    assert size_of_log(home) == 0
    assert rows(home, "PRAGMA integrity_check") == [("ok",)]
    assert rows(home, "SELECT count(*) FROM raw_items") == [(2 * CAPTURES + 2,)]


def large_log(home: Path) -> None:
    """A log of some megabytes, as it lies there when every hook ended without closing."""
    with closing(connect(str(database(home)), 0)) as connection:
        connection.execute("INSERT INTO config VALUES ('key', ?, '')", ("x" * 3 * CHECKPOINT_ABOVE,))
        kept = {suffix: Path(f"{database(home)}{suffix}").read_bytes() for suffix in ("", "-wal", "-shm")}
    for suffix, content in kept.items():
        Path(f"{database(home)}{suffix}").write_bytes(content)
    assert size_of_log(home) > 3 * CHECKPOINT_ABOVE


def test_a_session_start_copies_a_large_log_back_and_a_stop_leaves_it(
    forks: Forks, person: Person, transcript: TranscriptBuilder
) -> None:
    create(str(person.memory))
    large_log(person.memory)
    transcript.prompt("Tabs, please")
    before = database(person.memory).stat().st_size

    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))
    assert database(person.memory).stat().st_size == before

    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload("SessionStart", source="startup")))
    assert database(person.memory).stat().st_size > before + 3 * CHECKPOINT_ABOVE - 4096


@pytest.mark.parametrize("arguments", [["status"], ["process"], ["rules", "list"]], ids=lambda given: given[0])
def test_the_command_line_copies_a_large_log_back(forks: Forks, person: Person, arguments: list[str]) -> None:
    create(str(person.memory))
    large_log(person.memory)

    with closing(sqlite.connect(database(person.memory), isolation_level=None)) as other:
        other.execute("PRAGMA wal_autocheckpoint = 0")
        other.execute("SELECT count(*) FROM rules").fetchone()
        before = database(person.memory).stat().st_size
        assert forks.run(person, "agentrecall", *arguments).code == 0
        assert database(person.memory).stat().st_size > before + 3 * CHECKPOINT_ABOVE - 4096
    assert rows(person.memory, "PRAGMA integrity_check") == [("ok",)]
