"""The spool: what the database cannot take now is kept, and stored once when it can."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from agentrecall_storage.engine import sqlite
from helpers.files import (
    database,
    everything,
    locked,
    log_lines,
    rows,
    said,
    settle,
    spooled,
    stated_version,
    texts,
)
from helpers.programs import Person, RunHook, assert_silent, at_once
from helpers.transcripts import TranscriptBuilder

FIRST = [("user", "Tabs, please"), ("assistant", "Tabs it is.")]
SECOND = [("user", "And two blank lines"), ("assistant", "Two it is.")]
GOOD_ENTRY = {
    "batch": 1,
    "source": "claude-code",
    "session_uid": "s",
    "transcript_path": "",
    "captured_at": "2026-11-02T08:00:00Z",
    "prompt_id": "p",
    "last_message": "",
    "projects": [["demo", "/demo", [["path", "/demo"]]]],
    "turns": [["t1", "p", 1, 0, "", "2026-11-02T08:00:00Z"]],
    "spans": [["t1", "claude-code:k1", "turn", "user", "user", "kept", "", "typed", False]],
}


def entry(**changes: object) -> bytes:
    return json.dumps({**GOOD_ENTRY, **changes}).encode()


def span(*, key: object, text: object = "from a poison entry", turn: object = "t1") -> list[object]:
    return [turn, key, "turn", "user", "user", text, "", "typed", False]


def lay_in_spool(home: Path, entries: list[bytes]) -> None:
    (home / "spool").mkdir(parents=True, mode=0o700)
    # What was captured first is written last: names alone say which is older.
    for number, content in reversed(list(enumerate(entries))):
        (home / "spool" / f"{number:020}-1-a.json").write_bytes(content)


@pytest.fixture
def known_turn(made: None, transcript: TranscriptBuilder, run_hook: RunHook) -> None:  # noqa: ARG001 -- a memory is there
    """The first turn, in the memory already."""
    for role, words in FIRST:
        (transcript.prompt if role == "user" else transcript.answer)(words)
    assert_silent(run_hook("capture-hook", transcript.payload()))


def second_turn(transcript: TranscriptBuilder) -> None:
    for role, words in SECOND:
        (transcript.prompt if role == "user" else transcript.answer)(words)


# -- a database that is there but busy --------------------------------------------------------------


@pytest.mark.usefixtures("known_turn")
@pytest.mark.parametrize("event", ["Stop", "SessionEnd"])
def test_a_locked_database_costs_the_event_but_not_the_turn(
    home: Path, run_hook: RunHook, transcript: TranscriptBuilder, event: str
) -> None:
    second_turn(transcript)
    with locked(home):
        assert_silent(run_hook("capture-hook", transcript.payload(event, last_assistant_message="Two it is.")))
        assert said(home) == FIRST
        assert spooled(home)

    assert_silent(run_hook("capture-hook", transcript.payload("Stop")))

    assert said(home) == FIRST + SECOND
    assert spooled(home) == []
    assert rows(home, "SELECT count(*) FROM turns") == [(2,)]


@pytest.mark.usefixtures("known_turn")
def test_a_turn_that_was_spooled_twice_is_stored_once(
    home: Path, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    second_turn(transcript)
    with locked(home):
        assert_silent(run_hook("capture-hook", transcript.payload("SessionEnd")))
        transcript.answer("Anything else?")
        assert_silent(run_hook("capture-hook", transcript.payload("SessionEnd")))

    assert_silent(run_hook("capture-hook", transcript.payload("SessionStart", source="resume")))

    assert said(home) == [*FIRST, *SECOND, ("assistant", "Anything else?")]
    assert spooled(home) == []


@pytest.mark.usefixtures("known_turn")
def test_words_that_only_the_hook_had_are_spooled_too(
    home: Path, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("And two blank lines")
    with locked(home):
        assert_silent(run_hook("capture-hook", transcript.payload("SessionEnd", last_assistant_message="Two it is.")))

    transcript.answer("Two it is.")
    assert_silent(run_hook("capture-hook", transcript.payload("SessionEnd", last_assistant_message="Two it is.")))

    assert said(home) == FIRST + SECOND
    assert spooled(home) == []


@pytest.mark.usefixtures("known_turn")
def test_the_spool_holds_scrubbed_text(home: Path, run_hook: RunHook, transcript: TranscriptBuilder) -> None:
    transcript.prompt("the key is AKIAZ3XVU4VI5JQEXGWU <private>and this is mine</private>")
    with locked(home):
        assert_silent(run_hook("capture-hook", transcript.payload("SessionEnd")))
        kept = b"".join(everything(home / "spool").values())

    assert b"the key is" in kept
    assert b"AKIAZ3XVU4VI5JQEXGWU" not in kept
    assert b"this is mine" not in kept


@pytest.mark.usefixtures("known_turn")
def test_a_reader_blocks_nobody(home: Path, run_hook: RunHook, transcript: TranscriptBuilder) -> None:
    second_turn(transcript)
    with closing(sqlite.connect(database(home), isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM raw_items").fetchone()
        assert_silent(run_hook("capture-hook", transcript.payload("SessionEnd")))

    assert said(home) == FIRST + SECOND


# -- entries that cannot be stored ------------------------------------------------------------------


POISON = {
    "nothing": b"",
    "no JSON": b"{'batch': 1",
    "bytes": b"\xff\xfe\0\x80",
    "a list": b"[1, 2]",
    "null": b"null",
    "deep": b"[" * 100_000,
    "an object of another kind": b'{"batch": 1}',
    "no project for the turn": entry(projects=[], turns=[["t9", "p", 1, 5, "", ""]]),
    "a project without aliases": entry(projects=[["demo", "/demo", []]]),
    "last words without a project": entry(projects=[], turns=[], spans=[], last_message="words"),
    "a span with a field too few": entry(spans=[["t1", "k"]]),
    "a text that is a number": entry(spans=[span(key="k2", text=7), span(key="k2", text=7)]),
    "a text that is a list": entry(spans=[span(key="k3", text=["words"])]),
    "a text that is null": entry(spans=[span(key="k4", text=None)]),
    "a key that is an object": entry(spans=[span(key={})]),
    "a turn that is a list": entry(spans=[span(key="k5", turn=["t1"])]),
    "an ordinal beyond the engine's integers": entry(turns=[["t10", "p", 10**30, 0, "", ""]]),
    "an ordinal without end": entry(turns=[["t11", "p", float("inf"), 0, "", ""]]),
    "a lone surrogate in a text": entry(spans=[span(key="k6", text="half: \ud83d")]),
    "a lone surrogate in a name": entry(session_uid="\ud83d"),
    "a project that is no list": entry(projects=7),
}


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize("poison", POISON)
def test_an_entry_that_cannot_be_stored_is_out_of_the_way_of_the_others(
    home: Path, run_hook: RunHook, transcript: TranscriptBuilder, poison: str
) -> None:
    second_turn(transcript)
    lay_in_spool(home, [POISON[poison], entry(spans=[span(key="good", text="a good entry")])])

    assert_silent(run_hook("capture-hook", transcript.payload()))

    aside = [path.read_bytes() for path in (home / "spool" / "aside").glob("*")]
    # An entry that could be stored after all is as good.
    stored = set(texts(home)) - {"a good entry", *(text for _, text in SECOND)}
    assert aside == [POISON[poison]] or stored
    assert spooled(home) == []
    assert "a good entry" in texts(home)
    assert set(SECOND) <= set(said(home))
    if aside:
        assert "drain" in {line.get("doing") for line in log_lines(home)}


@pytest.mark.usefixtures("known_turn")
def test_a_folder_in_the_spool_stops_nothing(home: Path, run_hook: RunHook, transcript: TranscriptBuilder) -> None:
    second_turn(transcript)
    (home / "spool" / "00000000000000000001-1-a.json").mkdir(parents=True)

    assert_silent(run_hook("capture-hook", transcript.payload()))

    assert said(home) == FIRST + SECOND


@pytest.mark.usefixtures("known_turn")
def test_a_half_written_entry_is_left_alone(home: Path, run_hook: RunHook, transcript: TranscriptBuilder) -> None:
    (home / "spool").mkdir(mode=0o700)
    half = home / "spool" / "00000000000000000001-1-a.part"
    half.write_bytes(entry()[:50])

    assert_silent(run_hook("capture-hook", transcript.payload()))

    assert half.read_bytes() == entry()[:50]
    assert log_lines(home) == []


def test_entries_are_stored_in_the_order_in_which_they_were_captured(
    home: Path, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    first, second, third = (entry(spans=[span(key=f"k{number}", text=f"words {number}")]) for number in (1, 2, 3))
    lay_in_spool(home, [first, b"poison", second, third])

    assert_silent(run_hook("capture-hook", transcript.payload("SessionStart", source="startup")))

    assert texts(home) == ["words 1", "words 2", "words 3"]
    assert spooled(home) == []


def test_many_hooks_that_drain_at_once_store_each_entry_once(
    home: Path, person: Person, transcript: TranscriptBuilder
) -> None:
    lay_in_spool(home, [entry(spans=[span(key=f"k{number}", text=f"words {number:02}")]) for number in range(20)])

    for done in at_once(person, "capture-hook", [transcript.payload()] * 4):
        assert_silent(done)

    assert sorted(texts(home)) == [f"words {number:02}" for number in range(20)]
    assert spooled(home) == []
    assert not (home / "spool" / "aside").exists()


# -- a database that is broken ----------------------------------------------------------------------


def as_text(home: Path) -> None:
    database(home).write_bytes(b"this is no database, whatever its name says\n" * 200)


def as_empty_pages(home: Path) -> None:
    database(home).write_bytes(b"\0" * 8192)


def as_cut_header(home: Path) -> None:
    settle(home)
    database(home).write_bytes(database(home).read_bytes()[:50])


def as_cut_file(home: Path) -> None:
    settle(home)
    database(home).write_bytes(database(home).read_bytes()[:4096])


def as_overwritten_pages(home: Path) -> None:
    settle(home)
    healthy = database(home).read_bytes()
    noise = random.Random(7).randbytes(len(healthy) - 4096)  # noqa: S311 -- damage, not a key
    database(home).write_bytes(healthy[:4096] + noise)


def as_overwritten_tables(home: Path) -> None:
    settle(home)
    (size,) = rows(home, "PRAGMA page_size")[0]
    tables = rows(home, "SELECT rootpage FROM sqlite_schema WHERE name IN ('raw_items', 'turns', 'sessions')")
    content = bytearray(database(home).read_bytes())
    for (page,) in tables:
        content[(page - 1) * size : page * size] = b"\xff" * size
    database(home).write_bytes(content)


def as_without_tables(home: Path) -> None:
    settle(home)
    with closing(sqlite.connect(database(home))) as connection:
        for table in ("transcripts", "raw_items"):
            connection.execute(f"DROP TABLE {table}")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def as_newer(home: Path) -> None:
    with closing(sqlite.connect(database(home))) as connection:
        connection.execute("PRAGMA user_version = 99")
    settle(home)
    assert stated_version(home) == 99


DAMAGE: list[Callable[[Path], None]] = [
    as_text,
    as_empty_pages,
    as_cut_header,
    as_cut_file,
    as_overwritten_pages,
    as_overwritten_tables,
    as_without_tables,
    as_newer,
]


@pytest.mark.usefixtures("known_turn")
@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_a_database_that_cannot_be_used_stays_as_it_is_and_the_turn_is_spooled(
    home: Path, run_hook: RunHook, transcript: TranscriptBuilder, damage: Callable[[Path], None]
) -> None:
    settle(home)
    for beside in home.glob("agentrecall.db-*"):
        beside.unlink()
    damage(home)
    before = database(home).read_bytes()
    second_turn(transcript)

    assert_silent(run_hook("capture-hook", transcript.payload(last_assistant_message="Two it is.")))

    assert database(home).read_bytes() == before
    kept = b"".join(path.read_bytes() for path in spooled(home))
    assert b"And two blank lines" in kept
    assert b"Two it is." in kept
    assert log_lines(home)
    payload = transcript.payload("UserPromptSubmit", prompt="add a column to the orders table of the shop")
    assert_silent(run_hook("recall-hook", payload))
    assert_silent(run_hook("finalize-turn", transcript.payload()))
    assert database(home).read_bytes() == before


@pytest.mark.usefixtures("known_turn")
@pytest.mark.parametrize("damage", [as_text, as_newer], ids=lambda damage: damage.__name__)
def test_the_command_line_names_a_database_that_it_cannot_use(
    home: Path, person: Person, damage: Callable[[Path], None]
) -> None:
    settle(home)
    for beside in home.glob("agentrecall.db-*"):
        beside.unlink()
    damage(home)
    before = database(home).read_bytes()

    done = person.agentrecall("feedback", "add", "Use tabs", "--global")

    assert (done.returncode, done.stdout) == (1, b"")
    assert str(home) in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert database(home).read_bytes() == before


def test_a_folder_in_the_databases_place_is_left_alone(
    home: Path, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    database(home).mkdir(parents=True)
    second_turn(transcript)

    assert_silent(run_hook("capture-hook", transcript.payload()))

    assert list(database(home).iterdir()) == []
    assert b"Two it is." in b"".join(path.read_bytes() for path in spooled(home))


def test_what_was_spooled_for_a_broken_file_is_stored_in_the_next_one(
    home: Path, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    home.mkdir(mode=0o700)
    as_text(home)
    second_turn(transcript)
    assert_silent(run_hook("capture-hook", transcript.payload()))
    database(home).unlink()

    assert_silent(run_hook("capture-hook", {**transcript.payload(), "transcript_path": ""}))

    assert said(home) == SECOND
    assert spooled(home) == []


@pytest.mark.parametrize("hook", ["capture-hook", "recall-hook", "finalize-turn"])
def test_a_home_that_is_a_file_is_survived(
    home: Path, run_hook: RunHook, transcript: TranscriptBuilder, hook: str
) -> None:
    home.write_bytes(b"in the way")
    second_turn(transcript)
    event = "UserPromptSubmit" if hook == "recall-hook" else "Stop"

    assert_silent(run_hook(hook, transcript.payload(event, prompt="add a column to the orders table of the shop")))

    assert home.read_bytes() == b"in the way"
