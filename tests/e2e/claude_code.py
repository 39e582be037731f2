"""Claude Code as the tests run it: the real program, in a home and a project of its own, with a scripted model."""

from __future__ import annotations

import copy
import json
import os
import re
import signal
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from e2e.messages_server import MessagesServer, Request, Script, words_of

# What the person or the agent who runs the tests has set must not reach the programs under test: neither settings
# of hosts and of ours, nor a repository named by git itself, nor the switch that forbids bytecode.
_FOREIGN = ("AGENTRECALL", "ANTHROPIC", "CLAUDE", "CODEX", "DISABLE_", "GIT_", "XDG_", "PYTHONDONTWRITEBYTECODE")

# A proxy that is not there: what is not on loopback is out of reach, and a proxy of the machine cannot hide our model.
_LOOPBACK_ONLY = {
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1",
    "http_proxy": "http://127.0.0.1:9",
    "https_proxy": "http://127.0.0.1:9",
    "no_proxy": "127.0.0.1",
}

_FENCED = re.compile(r"<agentrecall .*?</agentrecall>", re.DOTALL)

_RUN_SECONDS = 50


@dataclass(frozen=True, kw_only=True)
class Session:
    """What came of one run of `claude -p`; *stdout* is its account in JSON, unless the test wants another format."""

    exit_code: int
    stdout: str
    stderr: str
    requests: list[Request]

    @property
    def report(self) -> dict[str, Any]:
        """The host's own account, as it prints it in JSON."""
        report: dict[str, Any] = json.loads(self.stdout)
        return report

    @property
    def id(self) -> str:
        """The session's id, as hooks and `--resume` know it."""
        return str(self.report["session_id"])

    @property
    def result(self) -> str:
        """What the agent said last."""
        return str(self.report["result"])

    def before_answer(self, number: int) -> str:
        """Give all words that the model had before it when it gave the answer *number*, from 1."""
        return words_of(self.requests[number - 1])

    def recalled_before_answer(self, number: int) -> str:
        """Give the part of those words that is memory: everything inside our own fences."""
        return "\n".join(_FENCED.findall(self.before_answer(number)))


class ClaudeCode:
    """One person's Claude Code: a home, a project under git, and whatever these have collected so far."""

    def __init__(self, program: Path, model: MessagesServer, folder: Path) -> None:
        self._program = program
        self._model = model
        self.home = folder / "home"
        self.memory = folder / "memory"
        self.project = folder / "project"
        self._scratch = folder / "scratch"
        for new in (self.home, self.project, self._scratch):
            new.mkdir(parents=True)
        self._begin_repository()

    def in_project(self, name: str) -> ClaudeCode:
        """Give the same person in another project of theirs, a new one."""
        other = copy.copy(self)
        other.project = self.project.with_name(name)
        other.project.mkdir()
        other._begin_repository()
        return other

    @property
    def local_settings(self) -> Path:
        """The settings file of this person for this project."""
        return self.project / ".claude" / "settings.local.json"

    @property
    def user_settings(self) -> Path:
        """The settings file of this person for all projects."""
        return self.home / ".claude" / "settings.json"

    def transcript(self, session: Session) -> Path:
        """Give the file in which the host keeps *session*."""
        [transcript] = (self.home / ".claude" / "projects").glob(f"*/{session.id}.jsonl")
        return transcript

    def hook_notices(self, session: Session) -> list[str]:
        """Give the kinds of notices about hooks that the host put into *session*: added context, failures."""
        lines = [json.loads(line) for line in self.transcript(session).read_bytes().splitlines()]
        kinds = [line["attachment"]["type"] for line in lines if line["type"] == "attachment"]
        return [kind for kind in kinds if kind.startswith("hook_")]

    def environment(self, **extra: str) -> dict[str, str]:
        """Give the environment that this person's programs run in."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
        ours = {"HOME": str(self.home), "AGENTRECALL_HOME": str(self.memory), "TMPDIR": str(self._scratch)}
        return {**kept, **ours, **_LOOPBACK_ONLY, **extra}

    def run(self, prompt: str, script: Script, *arguments: str, **environment: str) -> Session:
        """Ask *prompt* in print mode while the model answers from *script*, and wait for the end.

        Raises:
            AssertionError: The run did not end in time, or did not use the whole script.
        """
        self._model.play(script)
        with self._started("-p", prompt, "--output-format", "json", *arguments, **environment) as process:
            try:
                stdout, stderr = process.communicate(timeout=_RUN_SECONDS)
            except subprocess.TimeoutExpired:
                _kill(process)
                stdout, stderr = process.communicate()
                raise AssertionError(f"no end after {_RUN_SECONDS} s: {stdout!r} {stderr!r}") from None
        return self._ended(process.returncode, stdout, stderr)

    def talk(self, prompts: list[str], script: Script, *arguments: str) -> Session:
        """Ask *prompts* in one session, each when the one before was answered, and wait for the session's end.

        Raises:
            AssertionError: A prompt was not answered, or the session did not use the whole script.
        """
        self._model.play(script)
        streams = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
        with self._started(*streams, *arguments) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            too_late = threading.Timer(_RUN_SECONDS, _kill, [process])
            too_late.start()
            try:
                account = ""
                for prompt in prompts:
                    said = {"type": "user", "message": {"role": "user", "content": prompt}}
                    process.stdin.write(f"{json.dumps(said)}\n")
                    process.stdin.flush()
                    account = next((line for line in process.stdout if json.loads(line)["type"] == "result"), "")
                _, stderr = process.communicate()
            finally:
                too_late.cancel()
        assert account, f"a prompt was not answered: {stderr!r}"
        return self._ended(process.returncode, account, stderr)

    def _begin_repository(self) -> None:
        subprocess.run(["git", "init", "--quiet", "."], cwd=self.project, env=self.environment(), check=True)

    def _started(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [str(self._program), "--permission-mode", "acceptEdits", *arguments],
            cwd=self.project,
            env=self.environment(**self._connection(), **environment),
            stdin=subprocess.PIPE if "--input-format" in arguments else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def _ended(self, exit_code: int, stdout: str, stderr: str) -> Session:
        assert self._model.failures == []
        assert self._model.unsaid() == [], f"the host ended early: {stdout!r} {stderr!r}"
        return Session(exit_code=exit_code, stdout=stdout, stderr=stderr, requests=self._model.requests())

    def _connection(self) -> dict[str, str]:
        return {
            "ANTHROPIC_API_KEY": "sk-ant-made-up",
            "ANTHROPIC_BASE_URL": self._model.url,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_TELEMETRY": "1",
        }


def _kill(process: subprocess.Popen[str]) -> None:
    """End the host with its hooks: one that holds our end of the pipe would keep us waiting for ever."""
    os.killpg(process.pid, signal.SIGKILL)
