"""Large transcripts: news cost what they are long, memory stays small, and what one hook cannot finish is finished."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agentrecall_storage.engine import sqlite
from agentrecall_storage.files.transcript import Transcript
from helpers.files import database, rows, said, texts
from helpers.programs import Person, as_bytes, assert_silent, command, script
from helpers.transcripts import SESSION, TranscriptBuilder, encoded

MEGABYTE = 1024 * 1024
SPARSE = 300 * MEGABYTE
MOST_MEMORY_KB = 60 * 1024
MOST_READ_OF_A_TAIL = MEGABYTE

# Runs a program of ours as it is installed; what it read and how large it grew goes to file descriptor 3.
MEASURED = """
import json, os, resource, sys
read = [0]
pread, leave, write = os.pread, os._exit, os.write
def counted(*given):
    found = pread(*given)
    read[0] += len(found)
    return found
def peak():
    try:
        # Where Linux tells: ru_maxrss begins with what the process had that started this one.
        return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
def report(code):
    kilobytes = peak()
    sys.stdout.flush()
    with open(os.environ["REPORT"], "w") as file:
        json.dump({"read": read[0], "kilobytes": kilobytes}, file)
    leave(code)
os.pread, os._exit = counted, report
program, budget = sys.argv.pop(1), float(os.environ.get("BUDGET_MS", "0"))
if budget:
    from agentrecall_capture_hook import capture
    capture.BUDGETS_MS = dict.fromkeys(capture.BUDGETS_MS, budget)
main = __import__(program + ".__main__", fromlist=["main"]).main
try:
    code = main()
except SystemExit as end:
    code = end.code
report(code or 0)
"""


class Cost(NamedTuple):
    """What one run took: bytes read of transcripts, and the most memory it had, in kB."""

    read: int
    kilobytes: int
    stdout: bytes


def measured(person: Person, app: str, *arguments: str, stdin: bytes = b"", **env: str) -> Cost:
    report = person.home / "report.json"
    done = person.run([sys.executable, "-c", MEASURED, app, *arguments], stdin, env={"REPORT": str(report), **env})
    assert (done.returncode, done.stderr) == (0, b"")
    found = json.loads(report.read_bytes())
    return Cost(found["read"], found["kilobytes"], done.stdout)


def offset_of(person: Person) -> int:
    return int(rows(person.memory, "SELECT offset FROM transcripts")[0][0])


def test_one_new_turn_at_the_end_of_300_mb_costs_what_the_turn_is_long(
    person: Person, transcript: TranscriptBuilder
) -> None:
    """wakatime/wakatime-cli#1383: 5 GB of memory for one large transcript."""
    transcript.prompt("Tabs, please")
    transcript.answer("Tabs it is.")
    assert_silent(person.run(command("capture-hook"), as_bytes(transcript.payload())))
    # The middle is a hole; the cursor stands behind it, as if it had been read.
    os.truncate(transcript.path, SPARSE)
    with transcript.path.open("r+b") as file:
        file.seek(SPARSE - 1)
        file.write(b"\n")
    move_cursor(person, transcript.path, SPARSE)
    transcript.prompt("And two blank lines")
    transcript.answer("Two it is.")

    cost = measured(person, "agentrecall_capture_hook", stdin=as_bytes(transcript.payload()))

    assert texts(person.memory) == ["Tabs, please", "Tabs it is.", "And two blank lines", "Two it is."]
    assert offset_of(person) == transcript.path.stat().st_size
    assert cost.read < MOST_READ_OF_A_TAIL
    assert cost.kilobytes < MOST_MEMORY_KB


def move_cursor(person: Person, path: Path, offset: int) -> None:
    """Let the memory have read *path* up to *offset*."""
    opened = Transcript(str(path))
    with closing(sqlite.connect(database(person.memory))) as connection:
        connection.execute(
            "UPDATE transcripts SET offset = ?, tail = ?, head = ?, head_length = ?",
            (offset, opened.tail(offset), opened.head, opened.head_length),
        )
        connection.commit()
    opened.close()


def test_300_mb_of_nothing_are_passed_over_within_the_memory_of_a_hook(
    person: Person, transcript: TranscriptBuilder
) -> None:
    """A file with a hole, of which nothing is known: a crash can leave NUL bytes of any number."""
    transcript.prompt("Tabs, please")
    os.truncate(transcript.path, SPARSE)
    transcript.append(b"\n")
    transcript.answer("Tabs it is.")

    cost = measured(person, "agentrecall_capture_hook", stdin=as_bytes(transcript.payload()), BUDGET_MS="30000")

    assert texts(person.memory) == ["Tabs, please", "Tabs it is."]
    assert cost.kilobytes < MOST_MEMORY_KB


# First sight


def dense(transcript: TranscriptBuilder, megabytes: int) -> int:
    """Write that much of a session: prompts, answers, tool results. Gives the number of its turns."""
    turns = 0
    with transcript.path.open("wb") as file:
        while file.tell() < megabytes * MEGABYTE:
            lines = bytearray()
            for _ in range(20):
                turns += 1
                lines += encoded(transcript.prompt_record(f"prompt {turns}, please"))
                lines += encoded(transcript.answer_record(f"answer {turns}: " + "words " * 40))
                lines += encoded(result_record(transcript, turns))
            file.write(lines)
    transcript.prompt_id = f"prompt-{transcript._lines}"
    return turns


def result_record(transcript: TranscriptBuilder, number: int) -> dict[str, Any]:
    """What fills most of a real transcript: a file that the agent has read."""
    result = {"type": "tool_result", "tool_use_id": f"call-{number}", "content": "x = 1  # a line\n" * 3000}
    return {
        "type": "user",
        "uuid": f"tool-{number}",
        "isSidechain": False,
        "sessionId": SESSION,
        "cwd": str(transcript.cwd),
        "timestamp": "2026-11-02T08:00:00.000Z",
        "message": {"role": "user", "content": [result]},
        "toolUseResult": {"type": "text", "file": {"content": "x = 1  # a line\n" * 100}},
    }


def first_sight(person: Person, transcript: TranscriptBuilder, megabytes: int, budget_ms: str) -> tuple[Cost, Cost]:
    """A hook meets a large transcript, and `agentrecall process` finishes it."""
    turns = dense(transcript, megabytes)
    size = transcript.path.stat().st_size

    met = measured(person, "agentrecall_capture_hook", stdin=as_bytes(transcript.payload()), BUDGET_MS=budget_ms)
    reached, known = offset_of(person), len(said(person.memory))
    finished = measured(person, "agentrecall_admin", "process", "--json")

    assert 0 < reached < size
    assert 0 < known < 2 * turns
    assert met.read < reached + 4 * MEGABYTE
    assert met.kilobytes < MOST_MEMORY_KB
    assert offset_of(person) == size
    assert rows(person.memory, "SELECT count(*) FROM turns") == [(turns,)]
    assert rows(person.memory, "SELECT count(*), count(DISTINCT text) FROM raw_items") == [(2 * turns, 2 * turns)]
    assert json.loads(finished.stdout.splitlines()[-1])["raw_items_added"] == 2 * turns - known
    again = json.loads(person.run([script("agentrecall"), "process", "--json"]).stdout.splitlines()[-1])
    assert again["raw_items_added"] == 0
    return met, finished


def test_a_large_transcript_that_one_hook_cannot_finish_is_finished_by_process(
    person: Person, transcript: TranscriptBuilder
) -> None:
    first_sight(person, transcript, 40, budget_ms="100")


def test_a_large_transcript_that_one_hook_cannot_finish_is_read_on_by_the_next_hooks(
    person: Person, transcript: TranscriptBuilder
) -> None:
    turns = dense(transcript, 12)
    size = transcript.path.stat().st_size
    reached = [0]
    while reached[-1] < size and len(reached) < 100:
        measured(person, "agentrecall_capture_hook", stdin=as_bytes(transcript.payload()), BUDGET_MS="60")
        reached.append(offset_of(person))

    assert len(reached) > 2
    assert reached == sorted(set(reached))
    assert rows(person.memory, "SELECT count(*) FROM raw_items") == [(2 * turns,)]


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_300_mb_are_met_within_the_hooks_budget_and_finished_by_process(
    person: Person, transcript: TranscriptBuilder, capsys: pytest.CaptureFixture[str]
) -> None:
    met, finished = first_sight(person, transcript, 300, budget_ms="2000")

    with capsys.disabled():
        print(  # noqa: T201 -- the figures are what a long run is for
            f"\n300 MB: the hook read {met.read:,} bytes with {met.kilobytes:,} kB; "
            f"process read {finished.read:,} with {finished.kilobytes:,} kB"
        )
