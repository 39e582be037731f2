"""What the stories stand on: the host from npm, the installed programs, and a fresh person for each story."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e import host_install
from e2e.claude_code import ClaudeCode
from e2e.codex import Codex, ResponsesServer
from e2e.memory import Memory
from e2e.messages_server import MessagesServer

# Stories about real hosts never skip by themselves: where a host cannot be had they fail. Only a person leaves
# them out, and is told so.
_LEFT_OUT = os.environ.get("AGENTRECALL_E2E") == "off"

_PROGRAMS = ("agentrecall", "agentrecall-capture-hook", "agentrecall-finalize-turn", "agentrecall-recall-hook")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not _LEFT_OUT:
        return
    left_out = [item for item in items if item.get_closest_marker("e2e")]
    items[:] = [item for item in items if not item.get_closest_marker("e2e")]
    config.hook.pytest_deselected(items=left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _LEFT_OUT:
        terminalreporter.write_line("e2e: the stories with real hosts were left out, because AGENTRECALL_E2E=off")


@pytest.fixture(scope="session")
def host() -> Path:
    """The program of the pinned Claude Code."""
    try:
        return host_install.claude_code()
    except host_install.HostNotInstalledError as error:
        reason = str(error)
    pytest.fail(f"{reason}; AGENTRECALL_E2E=off leaves these stories out", pytrace=False)


@pytest.fixture(scope="session")
def codex_program() -> Path:
    """The program of the pinned Codex."""
    try:
        return host_install.codex()
    except host_install.HostNotInstalledError as error:
        reason = str(error)
    pytest.fail(f"{reason}; AGENTRECALL_E2E=off leaves these stories out", pytrace=False)


@pytest.fixture(scope="session")
def programs() -> Path:
    """The folder of the installed console scripts: beside the interpreter that runs the tests."""
    folder = Path(sys.prefix) / "bin"
    missing = [name for name in _PROGRAMS if not (folder / name).exists()]
    if missing:
        pytest.fail(f"not installed in {str(folder)!r}: {', '.join(missing)}; run 'uv sync'", pytrace=False)
    return folder


@pytest.fixture
def model() -> Iterator[MessagesServer]:
    with MessagesServer() as server:
        yield server


@pytest.fixture
def claude(host: Path, model: MessagesServer) -> Iterator[ClaudeCode]:
    # Not pytest's own folder: the host opens sockets below it, and their paths may not be long. What a last
    # background process writes while we clean up is no failure.
    with tempfile.TemporaryDirectory(prefix="recall-", ignore_cleanup_errors=True) as folder:
        yield ClaudeCode(host, model, Path(folder).resolve())


@pytest.fixture
def memory(programs: Path, claude: ClaudeCode) -> Memory:
    return Memory(programs, claude)


@pytest.fixture
def codex(codex_program: Path, programs: Path) -> Iterator[Codex]:
    with (
        ResponsesServer() as model,
        tempfile.TemporaryDirectory(prefix="recall-", ignore_cleanup_errors=True) as folder,
    ):
        yield Codex(codex_program, programs, model, Path(folder).resolve())
