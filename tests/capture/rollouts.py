"""Codex rollouts, written line by line as the host writes them: as 0.171 does, or as it did in 2025."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helpers.transcripts import encoded

THREAD = "01a22e41-f175-7a83-8edb-591a070357e4"
WHEN = "2026-11-02T08:00:00.000Z"


def record(kind: str, /, **payload: Any) -> dict[str, Any]:
    """A line: its kind, and what it wraps."""
    return {"timestamp": WHEN, "type": kind, "payload": payload}


def meta(thread: str = THREAD, cwd: str = "/home/dev/demo", **fields: Any) -> dict[str, Any]:
    """What a session says of itself first."""
    stated = {"id": thread, "timestamp": WHEN, "cwd": cwd, "source": "cli", "git": {"branch": "main"}}
    return record("session_meta", **{**stated, **fields})


def event(kind: str, /, **fields: Any) -> dict[str, Any]:
    """An event: what people see."""
    return record("event_msg", type=kind, **fields)


def item(kind: str, /, **fields: Any) -> dict[str, Any]:
    """An item: what goes to the model."""
    return record("response_item", type=kind, **fields)


def completed(turn: str, kind: str, /, **fields: Any) -> dict[str, Any]:
    """An item of a turn that is complete, as 0.171 tells people of it."""
    return event("item_completed", turn_id=turn, item={"type": kind, "id": "item-1", **fields})


def asked(turn: str, words: str) -> list[dict[str, Any]]:
    """The host starts a turn, and the user's prompt is in it: the model's copy, and the one for people."""
    content = [{"type": "input_text", "text": words}]
    return [
        event("task_started", turn_id=turn),
        item("message", role="user", content=content),
        completed(turn, "UserMessage", content=[{"type": "text", "text": words}]),
    ]


def answered(turn: str, words: str) -> list[dict[str, Any]]:
    """The agent answers in a turn: the copy for people, and the model's."""
    return [
        completed(turn, "AgentMessage", content=[{"type": "Text", "text": words}]),
        item("message", role="assistant", content=[{"type": "output_text", "text": words}]),
    ]


def ended(turn: str) -> list[dict[str, Any]]:
    """The turn is over."""
    return [event("task_complete", turn_id=turn)]


class RolloutBuilder:
    """A growing rollout of one thread, and the hook payloads that speak of it."""

    def __init__(self, folder: Path, cwd: Path, thread: str = THREAD, **fields: Any) -> None:
        self.path = folder / "sessions" / "2026" / "11" / "02" / f"rollout-2026-11-02T08-00-00-{thread}.jsonl"
        self.cwd = cwd
        self.thread = thread
        self.turn = ""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.append(meta(thread, str(cwd), **fields))

    def append(self, *records: dict[str, Any]) -> None:
        """Write *records* behind what is there."""
        with self.path.open("ab") as file:
            file.writelines(map(encoded, records))

    def prompt(self, turn: str, words: str) -> None:
        """The user says *words* in a new turn."""
        self.turn = turn
        self.append(*asked(turn, words))

    def answer(self, words: str) -> None:
        """The agent says *words*."""
        self.append(*answered(self.turn, words))

    def payload(self, name: str = "Stop", **fields: Any) -> dict[str, Any]:
        """What the host sends a hook about this session."""
        common = {
            "session_id": self.thread,
            "turn_id": self.turn,
            "transcript_path": str(self.path),
            "cwd": str(self.cwd),
            "hook_event_name": name,
            "model": "gpt-demo",
            "permission_mode": "default",
        }
        return {**common, **fields}
