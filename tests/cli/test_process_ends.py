"""`process` ends: whatever ends it, the judge that it asked is gone too."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
from pathlib import Path

import pytest

from helpers.files import rows
from helpers.programs import PATIENCE_SECONDS, Person, assert_silent, command, script
from helpers.transcripts import TranscriptBuilder

HANGS = (
    "import os, sys; os.write(os.open(sys.argv[1], os.O_WRONLY), b'asked'); sys.stdin.read(); os.read(os.pipe()[0], 1)"
)
"""A judge that says that it was asked, and then waits for ever with the pipe in its hand."""
LESSON = "Invoices are dated in UTC, because the bank rejects any other time zone. Remember that."


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        signal.SIGHUP,
        signal.SIGINT,
        pytest.param(
            signal.SIGKILL,
            marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child whose parent is killed"),
        ),
    ],
)
def test_a_judge_that_hangs_does_not_outlive_the_process_that_asked_it(
    person: Person, transcript: TranscriptBuilder, tmp_path: Path, number: signal.Signals
) -> None:
    transcript.prompt(LESSON)
    transcript.answer("Noted.")
    assert_silent(person.run(command("capture-hook"), _stop(transcript)))
    pipe = tmp_path / "judge"
    os.mkfifo(pipe)
    judge = shlex.join([sys.executable, "-c", HANGS, str(pipe)])

    working = person.start([script("agentrecall"), "process", "--judge", "command", "--judge-command", judge])
    with pipe.open("rb") as told:
        assert told.read(5) == b"asked"
        working.send_signal(number)
        working.communicate(timeout=PATIENCE_SECONDS)
        # The end of the pipe comes when the judge is no more.
        assert told.read() == b""

    assert working.returncode != 0
    assert rows(person.memory, "SELECT count(*) FROM notes") == [(0,)]
    again = person.agentrecall("process", "--judge", "deterministic", "--json")
    assert b'"units": 1' in again.stdout, again.stderr


def _stop(transcript: TranscriptBuilder) -> bytes:
    return json.dumps(transcript.payload("SessionEnd")).encode()
