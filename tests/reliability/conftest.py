"""What the reliability tests stand on: one fork server for all of them, and somebody whom modes stop."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from helpers.forks import Forks, bound_by_modes, fork_server
from helpers.programs import Person
from helpers.transcripts import SESSION, TranscriptBuilder


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
