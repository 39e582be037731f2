"""A stream that is closed, or full, is no crash of ours."""

from __future__ import annotations

import subprocess
import sys

import pytest

from helpers.programs import PATIENCE_SECONDS, Person, script


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a device that is always full")
@pytest.mark.parametrize("told", ["status", "notes list --json", "config list --json", "--help"])
def test_what_cannot_be_printed_is_one_line_and_a_failure(person: Person, told: str) -> None:
    code, errors = _ended(person, f'"{script("agentrecall")}" {told} >/dev/full')

    assert (code, errors) == (1, "Error: cannot print what was asked for: No space left on device\n")


@pytest.mark.parametrize("told", ["status", "notes list --json", "config list"])
def test_a_closed_stdout_is_nobody_who_reads(person: Person, told: str) -> None:
    assert _ended(person, f'"{script("agentrecall")}" {told} >&-') == (0, "")


def test_a_closed_stderr_is_nobody_who_reads(person: Person) -> None:
    assert _ended(person, f'"{script("agentrecall")}" process 2>&-') == (0, "")


def _ended(person: Person, line: str) -> tuple[int, str]:
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=person.project,
        env=person.environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    return done.returncode, done.stderr
