"""What most tests stand on: one made-up person with a memory, a project, and the installed programs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from agentrecall_storage.memory import Memory, open_memory
from helpers.programs import Done, Person, RunHook, as_bytes, command
from helpers.transcripts import SESSION, TranscriptBuilder

# For the Pythons on which everything was tried before: what a version breaks, it breaks in the first few examples.
settings.register_profile("few", max_examples=10)

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Somebody whose home, memory and project are folders of this test alone."""
    return Person(tmp_path)


@pytest.fixture
def home(person: Person) -> Path:
    """The memory's home folder; nothing has made it yet."""
    return person.memory


@pytest.fixture
def run_hook(person: Person) -> RunHook:
    """Run a hook's installed program with a payload on stdin: `run_hook("capture-hook", payload, NAME="value")`."""

    def run(hook: str, payload: bytes | dict[str, Any], **environment: str) -> Done:
        return person.run(command(hook), as_bytes(payload), env=environment)

    return run


@pytest.fixture(scope="session")
def empty_memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a memory in which nothing is, made once."""
    home = tmp_path_factory.mktemp("empty") / "memory"
    with open_memory(str(home), lambda: NOW):
        return home


@pytest.fixture
def made(home: Path, empty_memory: Path) -> None:
    """The person has an empty memory already, for tests that are not about making it."""
    shutil.copytree(empty_memory, home)


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    """The memory at *home*, made and open, at a fixed time."""
    with open_memory(str(home), lambda: NOW) as opened:
        yield opened


@pytest.fixture
def transcript(person: Person) -> TranscriptBuilder:
    """The transcript of a session in the person's project, where the host keeps such files."""
    path = person.home / ".claude" / "projects" / "-project" / f"{SESSION}.jsonl"
    return TranscriptBuilder(path, person.project)
