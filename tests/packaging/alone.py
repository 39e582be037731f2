"""Each distribution alone: installed from its wheel into an empty environment, does it do its work there?

A program: `python alone.py WHEELS PYTHON [NAME...]`. What a wheel needs of ours comes from the folder WHEELS, the rest
from the registry. Standard library only, for it runs outside of every environment that it makes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

SECONDS = 60
SESSION = "5e551011-0000-4000-8000-000000000001"
PROMPT_ID = "9a0a9700-0000-4000-8000-000000000001"
CORRECTION = "No, never edit an applied migration: add a new one, because production has run the old one"

IMPORT_ALL = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(found.name)
"""
STORE_RULE = """
import sys
from datetime import UTC, datetime
from agentrecall_domain.rules.rule import RuleContent, Status
from agentrecall_storage.home import home
from agentrecall_storage.memory import open_memory
with open_memory(home(), lambda: datetime.now(UTC)) as memory:
    content = RuleContent(title="Applied migrations stay", trigger="when a migration was applied", action="add another")
    memory.add_rule(content, Status.ACTIVE, None, "person")
"""
COUNT = """
import sys
from contextlib import closing
from agentrecall_storage.engine import connect
from agentrecall_storage.home import database_path, home
with closing(connect(database_path(home()), 1000)) as connection:
    print(connection.execute(f"SELECT count(*) FROM {sys.argv[1]}").fetchone()[0])
"""


class BrokenAloneError(Exception):
    """A distribution does not do alone what it promises."""


class Installation:
    """One distribution in an environment that has nothing else, with a home folder of its own."""

    def __init__(self, folder: Path, wheel: Path, wheels: list[Path], python: str) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.programs = folder / "environment" / "bin"
        for made in (self.home, self.project):
            made.mkdir(parents=True)
        constraints = folder / "constraints.txt"
        # Ours come from the folder even when a registry has something of the same name.
        constraints.write_text("".join(f"{name_of(one)} @ {one.as_uri()}\n" for one in wheels), encoding="utf-8")
        install = ("--compile-bytecode", "--constraints", str(constraints), str(wheel))
        self._run(["uv", "venv", "--quiet", "--python", python, str(self.programs.parent)], dict(os.environ))
        environment = os.environ | {"VIRTUAL_ENV": str(self.programs.parent)}
        self._run(["uv", "pip", "install", "--quiet", *install], environment)
        self._run(["uv", "pip", "check", "--quiet"], environment)

    def run(self, program: str, *arguments: str, given: object = None) -> str:
        """What *program* prints for *given* as JSON on its standard input; it must exit 0 and complain of nothing."""
        environment = {"HOME": str(self.home), "PATH": os.defpath, "AGENTRECALL_HOME": str(self.home / "memory")}
        stdin = "" if given is None else json.dumps(given)
        return self._run([str(self.programs / program), *arguments], environment, stdin)

    def count(self, table: str) -> int:
        """How many rows *table* has."""
        return int(self.run("python", "-c", COUNT, table))

    def _run(self, command: list[str], environment: dict[str, str], stdin: str = "") -> str:
        done = subprocess.run(
            command,
            cwd=self.project,
            env=environment,
            check=False,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS * 5,
        )
        if done.returncode != 0 or done.stderr:
            raise BrokenAloneError(f"{' '.join(command)!r} exited {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def event(self, name: str, **fields: object) -> dict[str, object]:
        """A hook's payload."""
        common = {"session_id": SESSION, "prompt_id": PROMPT_ID, "cwd": str(self.project)}
        return {**common, "hook_event_name": name, **fields}


def recall_hook(installed: Installation) -> None:
    """Makes the memory on its first run, and gives a rule out on its second."""
    prompt = installed.event("UserPromptSubmit", prompt="Please change the applied migration of the invoices table")
    expect(installed.run("agentrecall-recall-hook", given=prompt), "")
    expect(installed.count("injections"), 1)
    installed.run("python", "-c", STORE_RULE)
    answer = json.loads(installed.run("agentrecall-recall-hook", given=prompt | {"prompt_id": "another"}))
    expect("Applied migrations stay" in str(answer) or "add another" in str(answer), expected=True)


def capture_hook(installed: Installation) -> None:
    """Stores what a turn added to its transcript, once."""
    transcript = installed.project / f"{SESSION}.jsonl"
    lines = (_line("user", "u1", CORRECTION), _line("assistant", "a1", [{"type": "text", "text": "I add a new one."}]))
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    stop = installed.event("Stop", transcript_path=str(transcript), last_assistant_message="I add a new one.")
    for _ in range(2):
        expect(installed.run("agentrecall-capture-hook", given=stop), "")
        expect((installed.count("turns"), installed.count("raw_items")), (1, 2))


def finalize_turn(installed: Installation) -> None:
    """Answers a verdict, and at Stop records a turn that nobody judged."""
    expect(installed.run("agentrecall-finalize-turn", "--hook", given=installed.event("Stop")), "")
    expect(installed.count("turn_finalizations"), 1)
    rule = {
        "title": "Applied migrations stay",
        "condition": "when a migration was applied",
        "action": "add a new one",
        "because": "production has run the old one",
    }
    verdict = {
        "decision": "Capture",
        "capture_reason": "UserCorrection",
        "memory_type": "EngineeringLesson",
        "confidence": 0.9,
        "evidence": CORRECTION,
        "normalized_rule": rule,
    }
    handed_in = {"session_id": SESSION, "turn_id": PROMPT_ID, "cwd": str(installed.project), "verdicts": [verdict]}
    answer = json.loads(installed.run("agentrecall-finalize-turn", given=handed_in))
    # Nobody is on record as having said it, so that it waits.
    expect([outcome["outcome"] for outcome in answer["outcomes"]], ["pending"])
    expect(installed.count("rules"), 1)


def admin_cli(installed: Installation) -> None:
    """Brings every program along, makes the memory, and stores and lists a rule."""
    for program in ("agentrecall-capture-hook", "agentrecall-finalize-turn", "agentrecall-recall-hook"):
        expect((installed.programs / program).exists(), expected=True)
    expect("quickstart" in installed.run("agentrecall", "--help"), expected=True)
    expect(json.loads(installed.run("agentrecall", "init", "--json"))["created"], expected=True)
    made = json.loads(installed.run("agentrecall", "feedback", "add", CORRECTION, "--json"))
    rules = json.loads(installed.run("agentrecall", "rules", "list", "--json"))
    expect([rule["label"] for rule in rules], [made["label"]])
    installed.run("agentrecall", "quickstart")


def library(installed: Installation) -> None:
    """Brings no program: that all its modules can be imported is all it promises by itself."""
    expect([path.name for path in installed.programs.glob("agentrecall*")], [])


CHECKS: dict[str, Callable[[Installation], None]] = {
    "agentrecall": admin_cli,
    "agentrecall-capture-hook": capture_hook,
    "agentrecall-domain": library,
    "agentrecall-finalize-turn": finalize_turn,
    "agentrecall-recall-hook": recall_hook,
    "agentrecall-storage": library,
}
"""What each distribution must do alone. One that is not named here fails."""


def expect(found: object, expected: object) -> None:
    """Go on only when *found* is what was *expected*.

    Raises:
        BrokenAloneError: It is not.
    """
    if found != expected:
        raise BrokenAloneError(f"expected {expected!r}, found {found!r}")


def name_of(wheel: Path) -> str:
    """The name of the distribution that is in *wheel*."""
    return wheel.name.partition("-")[0].replace("_", "-")


def package_of(wheel: Path) -> str:
    """The one import package that is in *wheel*."""
    with zipfile.ZipFile(wheel) as archive:
        folders = {name.partition("/")[0] for name in archive.namelist()}
    (package,) = (folder for folder in folders if not folder.endswith(".dist-info"))
    return package


def check(wheel: Path, wheels: list[Path], python: str) -> str:
    """What is wrong with *wheel* alone; empty when nothing is."""
    with tempfile.TemporaryDirectory(prefix="alone-", ignore_cleanup_errors=True) as folder:
        try:
            installed = Installation(Path(folder).resolve(), wheel, wheels, python)
            # A module that imports what only a neighbour declared fails here.
            installed.run("python", "-c", IMPORT_ALL, package_of(wheel))
            CHECKS[name_of(wheel)](installed)
        except (BrokenAloneError, KeyError, ValueError, subprocess.TimeoutExpired) as error:
            return f"{type(error).__name__}: {error}"
    return ""


def main(arguments: list[str]) -> int:
    """Check the wheels in a folder, all or those named; exits 1 when one is broken."""
    folder, python, *names = arguments
    wheels = sorted(Path(folder).resolve().glob("*.whl"))
    broken = False
    for wheel in wheels:
        if names and name_of(wheel) not in names:
            continue
        wrong = check(wheel, wheels, python)
        broken = broken or bool(wrong)
        sys.stdout.write(f"{name_of(wheel)}: {wrong or 'works alone'}\n")
    return int(broken or not wheels)


def _line(kind: str, uid: str, content: object) -> dict[str, Any]:
    return {
        "type": kind,
        "uuid": uid,
        "sessionId": SESSION,
        "promptId": PROMPT_ID,
        "isSidechain": False,
        "timestamp": "2026-11-02T08:00:00.000Z",
        "origin": {"kind": "human"},
        "promptSource": "typed",
        "message": {"id": f"msg_{uid}", "role": kind, "content": content},
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
