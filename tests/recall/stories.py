"""A person with a memory of their own: the installed programs run as a host and a shell would run them."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner, Result

from agentrecall_admin.__main__ import main
from agentrecall_domain.capture.finalized import Outcome
from agentrecall_domain.capture.verdict import parse
from agentrecall_domain.recall.injection import Asked
from agentrecall_domain.recall.moments import at_prompt
from agentrecall_domain.rules.rule import Rule, RuleContent, ScopeLevel, Status
from agentrecall_domain.turns.batch import Project
from agentrecall_finalize_turn.verdicts import carry_out
from agentrecall_storage.memory import Memory, open_memory
from agentrecall_storage.places import Places

PROGRAMS = Path(sys.executable).parent
NOW = datetime(2026, 10, 2, 12, 0, tzinfo=UTC)
ANSWER_KEYS = {"hookSpecificOutput", "systemMessage"}


def git(folder: Path, *arguments: str) -> None:
    """Run git in *folder* with no settings but ours."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    settings = ["user.name=Ada", "user.email=ada@example.com", "init.defaultBranch=main", "protocol.file.allow=always"]
    options = [part for setting in settings for part in ("-c", setting)]
    subprocess.run(["git", *options, *arguments], cwd=folder, env=environment, capture_output=True, check=True)


class Ran(NamedTuple):
    """What a program left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its whole stdout as one JSON value."""
        return json.loads(self.out)


class Person:
    """One person's folders: a memory, and a repository to work in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "memory"
        self.repository = self.new_repository("shop")

    @property
    def environment(self) -> dict[str, str]:
        """What the person's programs are told."""
        inherited = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
        return {**inherited, "HOME": str(self.root), "AGENTRECALL_HOME": str(self.home)}

    def new_repository(self, name: str) -> Path:
        """A repository as far as anybody looks who does not start git."""
        folder = self.root / name
        for inner in ("objects", "refs"):
            (folder / ".git" / inner).mkdir(parents=True)
        (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        return folder

    def new_git_repository(self, name: str) -> Path:
        """A repository that git made, with one commit of its own."""
        folder = self.root / name
        folder.mkdir(parents=True)
        git(folder, "init", "--quiet")
        git(folder, "commit", "--quiet", "--allow-empty", "-m", f"begin {name}")
        return folder

    # Programs

    def run(
        self,
        program: str,
        *arguments: str,
        stdin: bytes | str = b"",
        cwd: Path | None = None,
        variables: dict[str, str] | None = None,
    ) -> Ran:
        """Run an installed program to its end."""
        done = subprocess.run(
            [str(PROGRAMS / program), *arguments],
            cwd=cwd or self.repository,
            env=self.environment | (variables or {}),
            check=False,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            timeout=50,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    def command(self, *arguments: str, stdin: str | None = None, cwd: Path | None = None) -> Result:
        """Run the command line inside this process: the same code, without the start."""
        before = Path.cwd()
        os.chdir(cwd or self.repository)
        try:
            return CliRunner(env=self.environment).invoke(main, arguments, input=stdin)
        finally:
            os.chdir(before)

    def finalize(self, verdict: Any, **environment: str) -> Ran:
        """Hand *verdict* in."""
        return self.run("agentrecall-finalize-turn", stdin=json.dumps(verdict), variables=environment)

    def stop(self, *, prompt_id: str, session: str = "s1") -> None:
        """End the turn without a verdict, as the host's Stop hook does."""
        payload = self._payload("Stop", session, self.repository) | {"prompt_id": prompt_id}
        ran = self.run("agentrecall-finalize-turn", "--hook", stdin=json.dumps(payload))
        assert ran == Ran(0, "", ""), ran

    def hook(self, payload: dict[str, Any], **environment: str) -> str:
        """Run recall-hook and give what the agent is shown; holds it to the host's JSON and to silence."""
        answer = self.answer(payload, **environment)
        given = answer.get("hookSpecificOutput", {})
        assert set(answer) <= ANSWER_KEYS, answer
        assert set(given) <= {"hookEventName", "additionalContext"}, given
        assert given.get("hookEventName", payload["hook_event_name"]) == payload["hook_event_name"], given
        return str(given.get("additionalContext", ""))

    def answer(self, payload: dict[str, Any], **environment: str) -> dict[str, Any]:
        """Run recall-hook and give all that it answers."""
        ran = self.run("agentrecall-recall-hook", stdin=json.dumps(payload), variables=environment)
        assert (ran.code, ran.err) == (0, ""), ran
        answer: dict[str, Any] = json.loads(ran.out) if ran.out else {}
        return answer

    # Moments

    def starts(self, *, session: str = "s1", source: str = "startup", cwd: Path | None = None) -> str:
        """Begin or resume a session."""
        return self.hook(self._payload("SessionStart", session, cwd) | {"source": source})

    def says(
        self, text: str, *, prompt_id: str = "p1", session: str = "s1", cwd: Path | None = None, agent_id: str = ""
    ) -> str:
        """Send a prompt."""
        about = {"prompt": text, "prompt_id": prompt_id, "agent_id": agent_id}
        return self.hook(self._payload("UserPromptSubmit", session, cwd) | about)

    def uses(
        self, tool: str, path: str, *, use_id: str, prompt_id: str = "p1", written: str = "", cwd: Path | None = None
    ) -> str:
        """Let the agent use *tool* on the file at *path*, which is given as the host gives it."""
        tool_input = {"file_path": path, "new_string": written}
        about = {"tool_name": tool, "tool_input": tool_input, "tool_use_id": use_id, "prompt_id": prompt_id}
        return self.hook(self._payload("PreToolUse", "s1", cwd) | about)

    def _payload(self, event: str, session: str, cwd: Path | None) -> dict[str, Any]:
        return {
            "session_id": session,
            "transcript_path": str(self.root / "none.jsonl"),
            "cwd": str(cwd or self.repository),
            "hook_event_name": event,
        }

    def _project(self, cwd: Path | None = None) -> Project:
        project = Places(str(self.home)).project_at(str(cwd or self.repository))
        assert isinstance(project, Project)
        return project

    # The same without a process, for tables of many cases

    def has_said(self, text: str, *, prompt_id: str = "p1") -> None:
        """Let recall-hook hear *text*."""
        asked = Asked(
            moment="prompt",
            session_uid="s1",
            agent_id="",
            prompt_id=prompt_id,
            key=prompt_id,
            query=text,
            source="claude-code",
            transcript_path="",
            at=NOW.timestamp(),
        )
        project = self._project()
        with self.memory() as memory:
            project_id = memory.hot.find_project(project.aliases)
            memory.hot.record_injection(at_prompt(memory.hot, asked, project_id), project)

    def judges(self, verdict: Any) -> list[Outcome]:
        """Hand *verdict* in."""
        with self.memory() as memory:
            return carry_out(memory, parse(json.dumps(verdict)), self._project())

    # What is stored

    @contextmanager
    def memory(self) -> Iterator[Memory]:
        """The memory, open."""
        with open_memory(str(self.home), lambda: NOW) as opened:
            yield opened

    def keeps(self, *contents: RuleContent, status: Status = Status.ACTIVE, cwd: Path | None = None) -> list[Rule]:
        """Store rules: those of repository scope for the project at *cwd*, the others as they are."""
        with self.memory() as memory:
            project_id = memory.record_project(self._project(cwd))
            uid = memory.project_uid(project_id)
            kept = []
            for content in contents:
                is_global = content.scope_level is ScopeLevel.GLOBAL
                is_of_project = content.scope_level is ScopeLevel.REPOSITORY
                whole = dataclasses.replace(content, scope_value=uid) if is_of_project else content
                kept.append(memory.add_rule(whole, status, None if is_global else project_id, "test"))
            return kept

    def rule(self, rule_id: int) -> Rule:
        """A rule as it is now."""
        with self.memory() as memory:
            return memory.get_rule(rule_id)

    def rules(self) -> list[Rule]:
        """Every rule, oldest first."""
        with self.memory() as memory:
            return memory.list_rules(project_id=None, everywhere=True)[::-1]

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """The answer of the file itself."""
        with self.memory() as memory:
            return [tuple(row) for row in memory.connection.execute(statement, values).fetchall()]

    def stored_bytes(self) -> bytes:
        """Every byte below the memory's home."""
        return b"".join(path.read_bytes() for path in sorted(self.home.rglob("*")) if path.is_file())


def a_rule(action: str = "add a new migration", **parts: Any) -> RuleContent:
    """A valid rule; name only what matters."""
    whole: dict[str, Any] = {
        "title": "Migrations are append-only",
        "trigger": "when a migration has been applied",
        "mistake": "editing the applied one",
        "reason": "production has run it",
        "scope_level": ScopeLevel.REPOSITORY,
        "scope_value": "a project",
        "confidence": 0.9,
    }
    return RuleContent(**{**whole, "action": action, **parts})
