"""Codex as the tests run it: the real program, in a home and a project of its own, with a scripted model."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import AbstractContextManager, closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, Self

Item = dict[str, Any]
"""One item of an answer: what `message` and `call` make."""

HOOKED = ("SessionStart", "Stop", "PreCompact", "SessionEnd")
RECALLED = ("SessionStart", "UserPromptSubmit")
"""The events at which recall-hook may say something: what it says of a file, it says of Claude Code's tools."""

_RUN_SECONDS = 30
_USAGE = {
    "input_tokens": 5,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 3,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 8,
}


def message(words: str) -> Item:
    """Make the item with which the model says *words*."""
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]}


def call(name: str, /, **arguments: object) -> Item:
    """Make the item with which the model calls the tool *name*."""
    return {"type": "function_call", "name": name, "arguments": json.dumps(arguments)}


class ResponsesServer(AbstractContextManager["ResponsesServer"]):
    """A scripted model: an OpenAI Responses API on loopback that answers with one item for each request."""

    def __init__(self) -> None:
        self.script: list[Item] = []
        self.requests: list[dict[str, Any]] = []
        self.failures: list[str] = []
        self._lock = threading.Lock()
        self._answers = 0
        self._http = _HttpServer(("127.0.0.1", 0), _ResponsesHandler)
        self._http.model = self
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Where the host finds its model."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def answer(self, request: dict[str, Any]) -> tuple[str, Item]:
        """Give the response's name and the item with which the model answers *request*."""
        with self._lock:
            self._answers += 1
            number = self._answers
            self.requests.append(request)
            item = self.script.pop(0) if self.script else message("Nothing more to say.")
        named = {"id": f"item_{number}"}
        if item["type"] == "function_call":
            named["call_id"] = f"call_{number}"
        return f"resp_{number}", {**item, **named}


class Codex:
    """One person's Codex: a home, a project under git, and whatever these have collected so far."""

    def __init__(self, program: Path, programs: Path, model: ResponsesServer, folder: Path) -> None:
        self._program = program
        self._programs = programs
        self._model = model
        self.home = folder / "home"
        self.codex_home = self.home / ".codex"
        self.memory = folder / "memory"
        self.project = folder / "project"
        for new in (self.codex_home, self.project):
            new.mkdir(parents=True)
        subprocess.run(["git", "init", "--quiet", "."], cwd=self.project, env=self.environment(), check=True)

    def environment(self) -> dict[str, str]:
        """Give the environment that this person's programs run in: nothing of the person's who runs the tests."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.home),
            "CODEX_HOME": str(self.codex_home),
            "AGENTRECALL_HOME": str(self.memory),
            "SCRIPTED_KEY": "made-up",
            # A proxy that is not there: what is not on loopback is out of reach.
            "HTTP_PROXY": "http://127.0.0.1:9",
            "HTTPS_PROXY": "http://127.0.0.1:9",
            "NO_PROXY": "127.0.0.1",
        }

    def set_up(self, *, recalls: bool = False, **other_hooks: str) -> None:
        """Wire our capture, recall where it is wanted, and what a test wants besides: a command for an event."""
        wired = [(event, self._hook("agentrecall-capture-hook")) for event in HOOKED]
        wired += [(event, self._hook("agentrecall-recall-hook")) for event in (RECALLED if recalls else ())]
        hooks: dict[str, list[Item]] = {}
        for event, command in [*wired, *other_hooks.items()]:
            hooks.setdefault(event, []).append({"hooks": [{"type": "command", "command": command}]})
        (self.codex_home / "hooks.json").write_text(json.dumps({"hooks": hooks}))
        (self.codex_home / "config.toml").write_text(
            f"""
            model = "scripted"
            model_provider = "scripted"
            [model_providers.scripted]
            name = "scripted"
            base_url = "{self._model.url}"
            wire_api = "responses"
            env_key = "SCRIPTED_KEY"
            """
        )

    def run(self, prompt: str, script: list[Item], *arguments: str) -> None:
        """Ask *prompt* in `codex exec` while the model answers from *script*, and wait for the end.

        Raises:
            AssertionError: The run failed, did not end in time, or did not use the whole script.
        """
        self._model.script = list(script)
        command = [str(self._program), "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"]
        process = subprocess.Popen(
            [*command, "--dangerously-bypass-approvals-and-sandbox", *arguments, prompt],
            cwd=self.project,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        with process:
            try:
                stdout, stderr = process.communicate(timeout=_RUN_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                stdout, stderr = process.communicate()
                raise AssertionError(f"no end after {_RUN_SECONDS} s: {stdout!r} {stderr!r}") from None
        assert process.returncode == 0, f"{stdout!r} {stderr!r}"
        assert self._model.failures == []
        assert self._model.script == [], f"the host ended early: {stdout!r} {stderr!r}"

    def rollouts(self) -> list[Path]:
        """Give the files in which the host keeps its sessions, oldest first."""
        return sorted((self.codex_home / "sessions").rglob("rollout-*.jsonl"))

    def thread_id(self) -> str:
        """Give the id of the first session."""
        return self.rollouts()[0].stem[-36:]

    def asked_of_model(self) -> str:
        """Give all that was put before the model so far."""
        return json.dumps(self._model.requests)

    def last_asked(self) -> list[tuple[str, str]]:
        """Give who says what in the messages that were last put before the model."""
        messages = [item for item in self._model.requests[-1]["input"] if item["type"] == "message"]
        return [(item["role"], "\n".join(part.get("text", "") for part in item["content"])) for item in messages]

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Ask this person's memory itself; no file has no rows."""
        path = self.memory / "agentrecall.db"
        if not path.exists():
            return []
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            return list(connection.execute(statement))

    def _hook(self, program: str) -> str:
        return shlex.quote(str(self._programs / program))


class _HttpServer(ThreadingHTTPServer):
    model: ResponsesServer

    def handle_error(self, *_: object) -> None:
        # A host that hangs up is its own affair; a mistake of ours is not.
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            self.model.failures.append(repr(error))


class _ResponsesHandler(BaseHTTPRequestHandler):
    timeout: ClassVar[int] = 30
    server: _HttpServer

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base class names it
        """Stay silent: the output belongs to the tests."""

    def do_GET(self) -> None:
        body = b'{"data": [], "models": []}'
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        name, item = self.server.model.answer(request)
        response = {"id": name, "object": "response", "status": "in_progress", "output": []}
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self._send({"type": "response.created", "response": response})
        self._send({"type": "response.output_item.done", "output_index": 0, "item": item})
        done = {**response, "status": "completed", "output": [item], "usage": _USAGE}
        self._send({"type": "response.completed", "response": done})

    def _send(self, event: dict[str, Any]) -> None:
        self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
