"""No socket: not in a hook, not in `process`, whatever they have to do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable

import pytest

from helpers.files import database, locked, log_lines, said, spooled, texts
from helpers.forks import Ended, Forks, assert_quiet
from helpers.programs import HOOKS, Person
from helpers.transcripts import TranscriptBuilder

PROMPT = "change the applied migration so that orders get a currency column"
NETWORK = ("socket", "_socket", "ssl", "_ssl", "asyncio", "http", "urllib.request", "select_socket", "socketserver")
EVENTS = {
    "capture-hook": ("Stop", "PreCompact", "SessionEnd", "SessionStart"),
    "recall-hook": ("SessionStart", "UserPromptSubmit", "PreToolUse"),
    "finalize-turn": ("Stop",),
}

# A child in which whoever asks for a socket, by whatever name, is refused.
POISONED = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"socket", "_socket", "ssl", "_ssl"}:
            raise AssertionError(f"{name} was imported")

sys.meta_path.insert(0, Refuse())
for name in ("socket", "_socket"):
    sys.modules.pop(name, None)
program = sys.argv.pop(1)
sys.exit(__import__(program + ".__main__", fromlist=["main"]).main())
"""


def payload(transcript: TranscriptBuilder, event: str) -> dict[str, object]:
    edit = {"file_path": str(transcript.cwd / "a.py"), "old_string": "a", "new_string": "edit an applied migration"}
    return transcript.payload(event, prompt=PROMPT, source="startup", tool_name="Edit", tool_input=edit)


@pytest.fixture
def knowing(forks: Forks, person: Person, transcript: TranscriptBuilder) -> Person:
    """Somebody with a rule, a turn, and something in the spool."""
    done = forks.run(person, "agentrecall", "feedback", "add", "Never edit an applied migration", "--global")
    assert done.code == 0
    transcript.prompt("Tabs, please")
    with locked(person.memory):
        assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload("SessionEnd")))
    assert spooled(person.memory)
    transcript.answer("Tabs it is.")
    return person


def every_run(forks: Forks, person: Person, transcript: TranscriptBuilder) -> Iterable[Ended]:
    for hook, events in EVENTS.items():
        for event in events:
            yield forks.run(person, hook, stdin=payload(transcript, event), no_sockets=True)
    yield forks.run(person, "agentrecall", "process", "--json", no_sockets=True)


def test_every_hook_and_process_does_its_work_where_sockets_are_poisoned(
    forks: Forks, knowing: Person, transcript: TranscriptBuilder
) -> None:
    *hooks, processed = every_run(forks, knowing, transcript)

    for ended in hooks:
        assert_quiet(ended)
    assert any("applied migration" in ended.stdout for ended in hooks)
    assert (processed.code, processed.stderr) == (0, "")
    assert json.loads(processed.stdout.splitlines()[-1])["set_aside"] == 0
    assert sorted(texts(knowing.memory)) == ["Tabs it is.", "Tabs, please"]
    assert spooled(knowing.memory) == []
    assert "AssertionError" not in {line["error"] for line in log_lines(knowing.memory)}


def test_every_failure_is_kept_and_told_where_sockets_are_poisoned(
    forks: Forks, knowing: Person, transcript: TranscriptBuilder
) -> None:
    for part in knowing.memory.glob("agentrecall.db*"):
        part.unlink()
    database(knowing.memory).write_bytes(b"this is no database\n" * 300)

    *hooks, processed = every_run(forks, knowing, transcript)

    for ended in hooks:
        assert_quiet(ended)
    assert processed.code == 1
    assert "AssertionError" not in {line["error"] for line in log_lines(knowing.memory)}
    assert spooled(knowing.memory)


def test_the_poison_works() -> None:
    """A test that forbids something has to notice it."""
    attempt = "import sys; sys.argv = ['', 'x']; " + POISONED.replace("sys.exit(", "import socket #")

    done = subprocess.run([sys.executable, "-c", attempt], capture_output=True, check=False)

    assert b"socket was imported" in done.stderr


def test_a_memory_is_made_where_sockets_are_poisoned(
    forks: Forks, person: Person, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("Tabs, please")

    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload(), no_sockets=True))

    assert said(person.memory) == [("user", "Tabs, please")]
    assert log_lines(person.memory) == []


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_never_imports_a_socket(person: Person, transcript: TranscriptBuilder, hook: str) -> None:
    transcript.prompt("Tabs, please")
    app = f"agentrecall_{hook.replace('-', '_')}"
    for event in EVENTS[hook]:
        data = json.dumps(payload(transcript, event)).encode()
        done = person.run([sys.executable, "-c", POISONED, app, *HOOKS[hook][1:]], data)
        assert (done.returncode, done.stderr) == (0, b"")

    assert said(person.memory) == ([("user", "Tabs, please")] if hook == "capture-hook" else [])
    assert log_lines(person.memory) == []


def test_no_module_of_ours_names_the_network() -> None:
    """What a hook could reach on a rare path is ours to read."""
    names = subprocess.run(
        [sys.executable, "-c", OUR_IMPORTS],
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split()

    assert len(names) > 10
    assert sorted(set(names) & set(NETWORK)) == []


OUR_IMPORTS = """
import ast, importlib.util, pathlib
for package in ("domain", "storage", "admin", "capture_hook", "recall_hook", "finalize_turn"):
    spec = importlib.util.find_spec("agentrecall_" + package)
    for file in pathlib.Path(spec.submodule_search_locations[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                print(*(name.name for name in node.names))
            elif isinstance(node, ast.ImportFrom) and node.module:
                print(node.module)
"""
