"""What can lie where the transcript should be, and how a growing file is read on: through the hook, on real files."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from agentrecall_storage.files.transcript import Transcript
from helpers.files import everything, log_lines, rows, texts
from helpers.programs import Person, RunHook, assert_silent
from helpers.transcripts import TranscriptBuilder, encoded

pytestmark = pytest.mark.usefixtures("made")

MEGABYTE = 1024 * 1024
LONG = "x" * 9 * MEGABYTE


@pytest.fixture
def stop(run_hook: RunHook, transcript: TranscriptBuilder) -> Any:
    """A turn ends: the Stop hook runs and keeps quiet."""

    def run(**fields: Any) -> None:
        assert_silent(run_hook("capture-hook", transcript.payload(**fields)))

    return run


def replace(transcript: TranscriptBuilder, content: bytes, how: str) -> None:
    """Put *content* in the transcript's place: as a new file, or into the same one."""
    if how == "in place":
        with transcript.path.open("r+b") as file:
            file.write(content)
            file.truncate()
        return
    beside = transcript.path.with_suffix(".new")
    beside.write_bytes(content)
    beside.replace(transcript.path)


# -- what is no transcript --------------------------------------------------------------------------


def leave_missing(_path: Path) -> None:
    return


def make_folder(path: Path) -> None:
    path.mkdir()


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_empty(path: Path) -> None:
    path.touch()


def make_binary(path: Path) -> None:
    path.write_bytes(random.Random(3).randbytes(300_000))  # noqa: S311 -- noise, not a key


def make_dangling_link(path: Path) -> None:
    path.symlink_to(path.with_name("gone.jsonl"))


def make_link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def make_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize(
    "make",
    [
        leave_missing,
        make_folder,
        make_fifo,
        make_empty,
        make_binary,
        make_dangling_link,
        make_link_to_itself,
        make_device,
    ],
    ids=lambda make: make.__name__,
)
def test_what_is_no_transcript_costs_only_what_it_held(
    person: Person, stop: Any, transcript: TranscriptBuilder, make: Any
) -> None:
    make(transcript.path)

    stop(last_assistant_message="Tabs it is.", prompt_id="p1")
    stop(last_assistant_message="Tabs it is.", prompt_id="p1")

    assert texts(person.memory) == ["Tabs it is."]
    assert log_lines(person.memory) == []


@pytest.mark.parametrize("path", ["", "relative.jsonl", "/", "/dev/null", "a\0b.jsonl", "\ud800.jsonl", "x" * 5000])
def test_a_path_that_cannot_be_opened_costs_only_what_it_held(
    person: Person, run_hook: RunHook, transcript: TranscriptBuilder, path: str
) -> None:
    payload = transcript.payload(transcript_path=path, last_assistant_message="Tabs it is.", prompt_id="p1")

    assert_silent(run_hook("capture-hook", payload))

    assert texts(person.memory) == ["Tabs it is."]


# -- lines that are damaged -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(b"", id="an empty line"),
        pytest.param(b"no JSON", id="no JSON"),
        pytest.param(b"\xff\xfe\x80\x81", id="no UTF-8"),
        pytest.param(b"null", id="null"),
        pytest.param(b"12", id="a number"),
        pytest.param(b"[" * 100_000, id="deep"),
        pytest.param(b"[" * 40_000 + b"]" * 40_000, id="deep and closed"),
        pytest.param(b'{"type":' * 20_000, id="deep objects"),
        pytest.param(b'{"type":"user"', id="cut off"),
        pytest.param(b'{"type":"user","uuid":7,"message":[]}', id="wrong types"),
        pytest.param(
            b'{"type":"user","uuid":"u","message":{"role":"user","content":{"a":1}}}', id="a content of its own"
        ),
        pytest.param(b'{"type":["user"],"message":null}', id="a type that is a list"),
        pytest.param(b"\0" * 4096, id="NULs"),
        pytest.param(b"\xef\xbb\xbf", id="a byte order mark"),
        pytest.param(b'{"type":"brand-new","text":"words"}', id="a kind never heard of"),
        pytest.param(b'{"type":"assistant","uuid":"long","text":"' + LONG.encode() + b'"}', id="9 MB"),
    ],
)
def test_a_damaged_line_costs_only_itself(
    person: Person, stop: Any, transcript: TranscriptBuilder, damage: bytes
) -> None:
    transcript.prompt("before")
    transcript.append(damage + b"\n")
    transcript.answer("after")
    stop()
    transcript.prompt("and on")
    stop()

    assert texts(person.memory) == ["before", "after", "and on"]


@pytest.mark.parametrize("length", [1, 4096, 3 * MEGABYTE, 12 * MEGABYTE])
def test_nuls_in_front_of_a_record_do_not_hide_it(
    person: Person, stop: Any, transcript: TranscriptBuilder, length: int
) -> None:
    transcript.prompt("before")
    transcript.append(b"\0" * length)
    transcript.answer("behind the NULs")
    transcript.prompt("and on")

    stop()

    assert texts(person.memory) == ["before", "behind the NULs", "and on"]


@pytest.mark.parametrize("field", ["promptId", "gitBranch", "timestamp", "cwd", "sessionId", "promptSource", "version"])
@pytest.mark.parametrize("wrong", ["\ud83d", "a\0b", 7, None, ["x"], {"a": 1}], ids=repr)
def test_a_line_whose_other_fields_are_odd_is_captured_and_stops_nothing(
    person: Person, stop: Any, transcript: TranscriptBuilder, field: str, wrong: object
) -> None:
    transcript.prompt("odd", **{field: wrong})
    transcript.prompt_id = "p1"
    transcript.prompt("and on")

    stop()

    assert texts(person.memory) == ["odd", "and on"]


@pytest.mark.parametrize("uuid", ["\ud83d", "a\0b"], ids=["a lone surrogate", "a NUL"])
def test_a_line_with_an_odd_uuid_stops_nothing(
    person: Person, stop: Any, transcript: TranscriptBuilder, uuid: str
) -> None:
    transcript.prompt("odd", uuid=uuid)
    transcript.prompt("and on")

    stop()
    stop()

    assert "and on" in texts(person.memory)


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        pytest.param("half: \ud83d", "half: \ufffd", id="a lone surrogate"),
        pytest.param("whole: \ud83d\ude00", "whole: \U0001f600", id="a pair in two escapes"),
        pytest.param("a\0b", "ab", id="a NUL"),
        pytest.param("\u2028 and \u2029 and \x85", "\u2028 and \u2029 and \x85", id="line ends that are none"),
        pytest.param("\u202eright to left\u202c", "\u202eright to left\u202c", id="bidi"),
        pytest.param("日本語のテスト", "日本語のテスト", id="Japanese"),
        pytest.param("e\u0301", "e\u0301", id="a combining accent"),
    ],
)
def test_text_from_the_real_world_is_kept(
    person: Person, stop: Any, transcript: TranscriptBuilder, words: str, kept: str
) -> None:
    transcript.prompt(words)

    stop()

    assert texts(person.memory) == [kept]


# -- a file that changes ----------------------------------------------------------------------------


def test_a_file_that_grows_line_by_line_is_read_once(person: Person, stop: Any, transcript: TranscriptBuilder) -> None:
    for number in range(4):
        transcript.prompt(f"prompt {number}")
        stop()
        transcript.answer(f"answer {number}")
        stop()

    assert texts(person.memory) == [f"{who} {number}" for number in range(4) for who in ("prompt", "answer")]
    assert rows(person.memory, "SELECT offset FROM transcripts") == [(transcript.path.stat().st_size,)]


@pytest.mark.parametrize("cut", [1, 60, -1])
def test_a_half_written_last_line_is_left_for_the_next_time(
    person: Person, stop: Any, transcript: TranscriptBuilder, cut: int
) -> None:
    transcript.prompt("before")
    whole = encoded(transcript.prompt_record("grüße, cut in the middle"))
    transcript.append(whole[:cut])
    stop()
    assert texts(person.memory) == ["before"]
    transcript.append(whole[cut:])

    stop()

    assert texts(person.memory) == ["before", "grüße, cut in the middle"]
    assert rows(person.memory, "SELECT bad_lines FROM transcripts") == [(0,)]


def test_a_half_written_line_as_the_only_one_is_left_too(
    person: Person, stop: Any, transcript: TranscriptBuilder
) -> None:
    whole = encoded(transcript.prompt_record("cut"))
    transcript.append(whole[:40])
    stop()
    transcript.append(whole[40:])
    stop()

    assert texts(person.memory) == ["cut"]


def test_a_line_that_was_cut_for_good_is_counted_and_passed(
    person: Person, stop: Any, transcript: TranscriptBuilder
) -> None:
    transcript.append(encoded(transcript.prompt_record("never finished"))[:60])
    stop()
    transcript.append(b"\n")
    transcript.prompt("after the crash")
    stop()

    assert texts(person.memory) == ["after the crash"]
    assert rows(person.memory, "SELECT bad_lines FROM transcripts") == [(1,)]


@pytest.mark.parametrize("how", ["as a new file", "in place"])
@pytest.mark.parametrize(
    "new",
    [
        pytest.param(["new one"], id="shorter"),
        pytest.param(["new one", "new two"], id="of the same size"),
        pytest.param(["new one", "new two", "new three"], id="longer"),
    ],
)
def test_a_file_that_was_written_anew_is_read_anew(
    person: Person, stop: Any, transcript: TranscriptBuilder, new: list[str], how: str
) -> None:
    transcript.prompt("old one")
    transcript.prompt("old two")
    stop()
    replace(transcript, b"".join(encoded(transcript.prompt_record(words)) for words in new), how)

    stop()

    assert texts(person.memory) == ["old one", "old two", *new]


@pytest.mark.parametrize("how", ["as a new file", "in place"])
def test_a_file_that_was_written_anew_behind_the_same_beginning_is_read_anew(
    person: Person, stop: Any, transcript: TranscriptBuilder, how: str
) -> None:
    kept = transcript.prompt("the same beginning, longer than what is remembered of a file's head " + "." * 300)
    transcript.prompt("old")
    stop()
    replace(transcript, kept + encoded(transcript.prompt_record("new")), how)

    stop()

    assert texts(person.memory)[1:] == ["old", "new"]


@pytest.mark.parametrize("how", ["as a new file", "in place"])
def test_a_file_that_was_cut_is_read_on_from_its_new_end(
    person: Person, stop: Any, transcript: TranscriptBuilder, how: str
) -> None:
    kept = transcript.prompt("kept")
    transcript.prompt("cut off")
    stop()
    replace(transcript, kept, how)
    stop()
    transcript.prompt("new")

    stop()

    assert texts(person.memory) == ["kept", "cut off", "new"]


def test_a_file_that_was_emptied_starts_again(person: Person, stop: Any, transcript: TranscriptBuilder) -> None:
    transcript.prompt("old")
    stop()
    transcript.path.write_bytes(b"")
    stop()
    transcript.prompt("new")

    stop()

    assert texts(person.memory) == ["old", "new"]


def test_a_file_that_moved_to_another_folder_brings_nothing_twice(
    person: Person, stop: Any, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("before the move")
    stop()
    moved = transcript.path.parent.with_name("-elsewhere") / transcript.path.name
    moved.parent.mkdir()
    transcript.path = transcript.path.rename(moved)
    transcript.prompt("after the move")

    stop()

    assert texts(person.memory) == ["before the move", "after the move"]


def test_reading_changes_nothing_of_the_hosts(person: Person, stop: Any, transcript: TranscriptBuilder) -> None:
    transcript.prompt("Tabs, please")
    before = everything(person.home)

    stop()

    assert everything(person.home) == before


def test_a_tail_costs_what_it_is_long_however_long_the_file(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.truncate(3 * 1024 * MEGABYTE)  # a hole: nothing is written
        file.seek(0, os.SEEK_END)
        file.write(b"\nthe news\n")
    transcript = Transcript(str(path))
    try:
        (batch,) = transcript.batches(3 * 1024 * MEGABYTE)
    finally:
        transcript.close()

    assert batch.lines == [b"", b"the news"]
    assert batch.end == path.stat().st_size
