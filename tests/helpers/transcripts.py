"""Claude Code transcripts, written line by line as the host writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SESSION = "11111111-1111-4111-8111-111111111111"


def encoded(record: dict[str, Any]) -> bytes:
    """A record as one line of a transcript."""
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


class TranscriptBuilder:
    """A growing transcript of one session, and the hook payloads that speak of it."""

    def __init__(self, path: Path, cwd: Path, session: str = SESSION) -> None:
        self.path = path
        self.cwd = cwd
        self.session = session
        self.prompt_id = ""
        self._lines = 0
        path.parent.mkdir(parents=True, exist_ok=True)

    def prompt(self, words: str, **fields: Any) -> bytes:
        """The user says *words*: a new turn."""
        record = self.prompt_record(words, **fields)
        self.prompt_id = str(record["promptId"])
        return self.append(encoded(record))

    def prompt_record(self, words: str, **fields: Any) -> dict[str, Any]:
        """A line that opens a turn."""
        number = self._next()
        stated = {"promptId": f"prompt-{number}", "origin": {"kind": "human"}, "promptSource": "typed"}
        return self._record("user", number, {"role": "user", "content": words}, {**stated, **fields})

    def answer(self, words: str, message_id: str = "", **fields: Any) -> bytes:
        """The agent says *words*, in a message of their own unless *message_id* names one."""
        return self.append(encoded(self.answer_record(words, message_id, **fields)))

    def answer_record(self, words: str, message_id: str = "", **fields: Any) -> dict[str, Any]:
        """A line that holds what the agent said."""
        number = self._next()
        message = {
            "id": message_id or f"msg-{number}",
            "role": "assistant",
            "model": "claude-demo",
            "content": [{"type": "text", "text": words}],
        }
        return self._record("assistant", number, message, fields)

    def tool(self, message_id: str, call: str, output: str, *, is_error: bool = False) -> None:
        """The agent calls a tool in the message *message_id*, and the result comes back."""
        use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "make"}}
        asked = {"id": message_id, "role": "assistant", "model": "claude-demo", "content": [use]}
        result = {"type": "tool_result", "tool_use_id": call, "content": output, "is_error": is_error}
        self.append(encoded(self._record("assistant", self._next(), asked, {})))
        self.append(encoded(self._record("user", self._next(), {"role": "user", "content": [result]}, {})))

    def append(self, data: bytes) -> bytes:
        """Write *data* behind what is there."""
        with self.path.open("ab") as file:
            file.write(data)
        return data

    def payload(self, event: str = "Stop", **fields: Any) -> dict[str, Any]:
        """What the host sends a hook about this session."""
        common = {
            "hook_event_name": event,
            "session_id": self.session,
            "transcript_path": str(self.path),
            "cwd": str(self.cwd),
            "prompt_id": self.prompt_id,
        }
        return {**common, **fields}

    def _next(self) -> int:
        self._lines += 1
        return self._lines

    def _record(self, kind: str, number: int, message: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": kind,
            "uuid": f"{self.session[:8]}-line-{number}",
            "isSidechain": False,
            "cwd": str(self.cwd),
            "sessionId": self.session,
            "version": "2.1.332",
            "gitBranch": "main",
            "timestamp": f"2026-11-02T08:00:{number % 60:02}.000Z",
            "message": message,
            **fields,
        }
