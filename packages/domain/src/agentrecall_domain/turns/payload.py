"""A hook's payload: what the host says happened, in our words. Hot: plain checks on the decoded object.

The host's spelling stays here. A field that is missing or of the wrong type is empty; nothing is ever raised.
"""

from __future__ import annotations

from agentrecall_domain.text.storable import storable
from agentrecall_domain.turns.formats import CODEX, source_of

EDITING_TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
READING_TOOLS = ("Read", "NotebookRead")
LONGEST_WRITTEN = 2_000
"""Characters of the text about to be written that recall looks at."""


class Payload:
    """One event of a host."""

    __slots__ = (
        "agent_id",
        "cwd",
        "event",
        "file_path",
        "last_message",
        "prompt",
        "prompt_id",
        "reason",
        "session_uid",
        "source",
        "tool",
        "tool_use_id",
        "transcript_path",
        "written",
    )

    def __init__(self, payload: dict[str, object]) -> None:
        self.event = _text(payload, "hook_event_name")
        self.session_uid = _text(payload, "session_id")
        self.transcript_path = _text(payload, "transcript_path")
        self.cwd = _text(payload, "cwd")
        # Codex names the turn, Claude Code the prompt that opened it.
        turn_id = _text(payload, "turn_id")
        self.prompt_id = _text(payload, "prompt_id") or turn_id
        self.source = CODEX if turn_id else source_of(self.transcript_path)
        self.agent_id = _text(payload, "agent_id")
        self.prompt = _text(payload, "prompt")
        self.last_message = _text(payload, "last_assistant_message")
        self.reason = _text(payload, "source") or _text(payload, "reason")
        self.tool = _text(payload, "tool_name")
        self.tool_use_id = _text(payload, "tool_use_id")
        given = payload.get("tool_input")
        tool_input: dict[str, object] = given if isinstance(given, dict) else {}
        self.file_path = _text(tool_input, "file_path") or _text(tool_input, "notebook_path")
        self.written = _written(tool_input)


def _text(payload: dict[str, object], key: str) -> str:
    value = payload.get(key)
    return storable(value) if isinstance(value, str) else ""


def _written(tool_input: dict[str, object]) -> str:
    """The text that a tool is about to write, from whichever of the editing tools' fields holds it."""
    for key in ("content", "new_string", "new_source"):
        text = _text(tool_input, key)
        if text:
            return text[:LONGEST_WRITTEN]
    edits = tool_input.get("edits")
    parts = [_text(edit, "new_string") for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    return "\n".join(parts)[:LONGEST_WRITTEN]
