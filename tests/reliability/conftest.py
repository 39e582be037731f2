"""What the reliability tests stand on: one fork server for all of them, and somebody whom modes stop."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from helpers.forks import Forks, bound_by_modes, fork_server
from helpers.programs import Person
from helpers.transcripts import SESSION, TranscriptBuilder

HARNESSES = {
    "test_crash_points.py",
    "test_damaged_files.py",
    "test_faults.py",
    "test_fuzz.py",
    "test_large_transcripts.py",
    "test_load.py",
    "test_process_kills.py",
    "test_random_kills.py",
}
"""They ask the engine and the operating system, not the interpreter: one Python answers for all."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what need not run on each Python."""
    for item in items:
        if item.path.name in HARNESSES and item.path.parent.name == "reliability":
            item.add_marker(pytest.mark.harness)


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """Runs programs quickly, with a fault in their way, or as another user."""
    with fork_server() as running:
        yield running


@pytest.fixture
def bound() -> Iterator[Person]:
    """Somebody whom modes stop, root's tests or not; run their programs with `user=NOBODY`."""
    with bound_by_modes() as person:
        yield person


@pytest.fixture
def bound_transcript(bound: Person) -> TranscriptBuilder:
    """The transcript of a session of theirs."""
    return TranscriptBuilder(bound.home / ".claude" / "projects" / "-project" / f"{SESSION}.jsonl", bound.project)
