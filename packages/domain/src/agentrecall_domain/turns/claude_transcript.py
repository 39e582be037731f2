"""A Claude Code transcript: its lines into turns and spans.

The host calls the format internal, so the reader takes what it knows and counts the rest. File
order is the only order: `parentUuid` can be missing or circular, and times come from the user's
clock. Text is handed on unscrubbed; scrubbing is the caller's next step. Hot.
"""

from __future__ import annotations

from agentrecall_domain.turns import claude_prompt, json_line
from agentrecall_domain.turns.claude_prompt import blocks, content_of, texts
from agentrecall_domain.turns.failed_call import failed_call
from agentrecall_domain.turns.json_line import string
from agentrecall_domain.turns.own_text import remove_own
from agentrecall_domain.turns.span import Reading, Span, TurnOpening

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from agentrecall_domain.turns.json_line import Record
    from agentrecall_domain.turns.span import ReaderState

_SOURCE = "claude-code:"

_WANTED_TYPES = b"user|assistant|attachment|system"

_IGNORED_TYPES = frozenset(
    (
        "agent-name",
        "agent-setting",
        "ai-title",
        "api-request",
        "api-request-blob",
        "api-request-shape",
        "atis-latch",
        "bridge-session",
        "cost-state",
        "custom-title",
        "file-history-snapshot",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "progress",
        "queue-operation",
        "summary",
        "tools-used",
        "worktree-state",
    )
)

_NO_CONTENT = "(no content)"

_FOREIGN_FOLDERS = ("memory", "subagents", "tool-results")


def read(lines: Iterable[bytes], state: ReaderState) -> Reading:
    """What *lines* say, going on from *state*, which stays as it is.

    Every line must be complete, with or without its newline: the half line at the end of a growing
    file is the caller's to keep. Nothing in a line makes this fail.
    """
    reader = _Reader(Reading(state.copy()))
    for line in lines:
        reader.take_line(line)
    return reader.reading


def is_session_file(path: str) -> bool:
    """Whether *path* names a session's transcript, not a subagent's nor another file kept beside it."""
    *folders, name = path.replace("\\", "/").split("/")
    if not name.endswith(".jsonl") or name.startswith("agent-"):
        return False
    if "projects" in folders:
        # What lies above is the user's home, and the folder below is named after a project: both may have any name.
        below = len(folders) - folders[::-1].index("projects")
        folders = folders[below + 1 :]
    return not any(folder in _FOREIGN_FOLDERS for folder in folders)


class _Reader:
    """One pass over lines: the reading so far, and what is open in it."""

    __slots__ = ("lines_of_message", "open_span", "reading", "state", "tool_names")

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.state = reading.state
        self.open_span: Span | None = None
        self.lines_of_message: set[str] = set()
        self.tool_names: dict[str, str] = {}

    def take_line(self, line: bytes) -> None:
        """Add what *line* says."""
        whole = json_line.cleaned(line)
        if not whole:
            self.reading.bad_lines += b"\0" in line
        elif json_line.is_long_and_unwanted(whole, _WANTED_TYPES):
            self._pass_over(whole)
        else:
            records, damaged = json_line.records(whole)
            self.reading.bad_lines += damaged
            for record in records:
                self._take_record(record)

    def _pass_over(self, line: bytes) -> None:
        """Count a long line that holds nothing for us, unparsed."""
        kind = json_line.find_stated_type(line)
        if kind is None:
            self.reading.bad_lines += 1
        else:
            self._count_unknown(kind)

    def _take_record(self, record: Record) -> None:
        kind = record.get("type")
        if kind in ("user", "assistant", "attachment", "system"):
            if record.get("isSidechain"):
                return
            self.state.session_uid = string(record, "sessionId") or self.state.session_uid
            self.state.cwd = string(record, "cwd") or self.state.cwd
        if kind == "user":
            self._take_user(record)
        elif kind == "assistant":
            self._take_assistant(record)
        elif kind == "attachment":
            self._take_attachment(record)
        elif kind == "system":
            if record.get("subtype") == "compact_boundary":
                self.reading.compactions += 1
                self._close_message()
        else:
            self._count_unknown(kind if isinstance(kind, str) else "")

    def _count_unknown(self, kind: str) -> None:
        if kind not in _IGNORED_TYPES:
            self.reading.count_unknown(kind)

    def _take_user(self, record: Record) -> None:
        content = content_of(record)
        if content is None:
            self._count_unknown("user")
            return
        results = [block for block in blocks(content) if block.get("type") == "tool_result"]
        if results:
            self._take_results(record, results)
            return
        prompt = claude_prompt.prompt(record, content)
        if prompt is not None:
            words, source = prompt
            self._open_turn(record, words, source, string(record, "timestamp"))

    def _take_attachment(self, record: Record) -> None:
        """A prompt typed while the agent worked is no user line, and is often a correction."""
        queued = record.get("attachment")
        if not isinstance(queued, dict) or queued.get("type") != "queued_command" or record.get("isMeta"):
            return
        human = claude_prompt.origin_kind(queued) == "human" or queued.get("humanTurn") is True
        if not human or queued.get("commandMode") != "prompt":
            return
        prompt = queued.get("prompt")
        if isinstance(prompt, (str, list)):
            said_at = string(queued, "timestamp") or string(record, "timestamp")
            self._open_turn(record, claude_prompt.words_of(prompt), "queued", said_at)

    def _open_turn(self, record: Record, words: str, source: str, said_at: str) -> None:
        uid = string(record, "uuid")
        if not uid:
            self.reading.bad_lines += 1
            return
        self._close_message()
        state = self.state
        state.turn_uid = uid
        state.prompt_id = string(record, "promptId")
        state.ordinal += 1
        self.reading.turns.append(
            TurnOpening(
                uid=uid,
                prompt_id=state.prompt_id,
                session_uid=state.session_uid,
                cwd=state.cwd,
                ordinal=state.ordinal,
                said_at=said_at,
                branch=string(record, "gitBranch"),
            )
        )
        if words.strip():
            self._add(_SOURCE + uid, "user", words, said_at=said_at, prompt_source=source)

    def _take_assistant(self, record: Record) -> None:
        message = record.get("message")
        content = content_of(record)
        if not isinstance(message, dict) or content is None:
            self._count_unknown("assistant")
            return
        # The host's own remarks come as messages of a model that does not exist.
        if record.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
            return
        message_id = string(message, "id")
        if not message_id or message_id != self.state.message_id:
            self._close_message()
            self.state.message_id = message_id
        for block in blocks(content):
            if block.get("type") == "tool_use":
                self.tool_names[string(block, "id")] = string(block, "name")
        text = "\n\n".join(_said(content))
        if text:
            self._say(record, text)

    def _say(self, record: Record, text: str) -> None:
        """Add *text* to the open message's span, or begin that span."""
        uid = string(record, "uuid")
        if not uid:
            self.reading.bad_lines += 1
            return
        # A line that stands there twice, as after two writers met, adds nothing.
        if uid in self.lines_of_message:
            return
        self.lines_of_message.add(uid)
        state = self.state
        if self.open_span is not None:
            self.open_span.text += "\n\n" + text
        else:
            # The message's own id is no key: scripted servers count from one again in each session.
            continues = bool(state.message_key)
            state.message_key = state.message_key or _SOURCE + uid
            said_at = string(record, "timestamp")
            self.open_span = self._add(state.message_key, "assistant", text, said_at=said_at, continues=continues)

    def _close_message(self) -> None:
        self.state.message_id = self.state.message_key = ""
        self.open_span = None
        self.lines_of_message.clear()

    def _take_results(self, record: Record, results: list[Record]) -> None:
        """Keep the failures, as one followed by a success is how fixes are seen, and what users say to refuse."""
        uid = string(record, "uuid")
        for result in results:
            call = string(result, "tool_use_id")
            name = self.tool_names.pop(call, "")
            if result.get("is_error") is not True:
                continue
            output = _result_text(result.get("content"))
            if claude_prompt.is_refusal(output):
                role, source, text = "user", "refusal", claude_prompt.refusal_words(record, output)
            else:
                role, source, text = "tool", "", failed_call(name, output)
            if not text:
                continue
            if not uid:
                self.reading.bad_lines += 1
                return
            said_at = string(record, "timestamp")
            self._add(f"{_SOURCE}{uid}:{call}", role, text, said_at=said_at, prompt_source=source)

    def _add(
        self, key: str, role: str, text: str, *, said_at: str, prompt_source: str = "", continues: bool = False
    ) -> Span:
        span = Span(
            turn_uid=self.state.turn_uid,
            dedup_key=key,
            kind="event" if role == "tool" else "turn",
            role=role,
            origin="agent" if role == "assistant" else role,
            text=text,
            said_at=said_at,
            prompt_source=prompt_source,
            continues=continues,
        )
        self.reading.spans.append(span)
        return span


def _said(content: str | list[Any]) -> list[str]:
    """What the assistant said in *content*, less what it had from us."""
    said = [remove_own(text) for text in texts(content)]
    return [text for text in said if text.strip() not in ("", _NO_CONTENT)]


def _result_text(content: object) -> str:
    output = "\n".join(texts(content)) if isinstance(content, (str, list)) else ""
    return remove_own(output).strip().removeprefix("<tool_use_error>").removesuffix("</tool_use_error>").strip()
