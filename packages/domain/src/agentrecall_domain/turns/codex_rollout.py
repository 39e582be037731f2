"""A Codex rollout: its lines into turns and spans.

A line wraps a payload. What people see lies in events, in three generations: `user_message` and
`agent_message` (2025, and threads in legacy mode since), completed items (0.171), and before both
bare items without a wrapper. What goes to the model (`response_item`) repeats it among the host's
own text, so of that only the outputs of calls are looked at. Bytes are understood as in a Claude
Code transcript, and text is handed on unscrubbed. Hot.

A turn is the host's turn id. Where lines name none, it is what the fork of a session still repeats:
the session at the root, the place in it, and the words. A span is known by its turn and its words: a fork
rewrites times, and only some generations give items an id, which a migration changes.
"""

from __future__ import annotations

from agentrecall_domain.text.scrub import scrub_up_to
from agentrecall_domain.turns import json_line
from agentrecall_domain.turns.codex_item import (
    agent_words,
    failure_in,
    failure_of_item,
    folder_in,
    texts,
    user_words,
)
from agentrecall_domain.turns.failed_call import failed_call
from agentrecall_domain.turns.identity import digest, squeezed
from agentrecall_domain.turns.json_line import string
from agentrecall_domain.turns.span import BY_TEXT, Reading, Span, TurnOpening

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentrecall_domain.turns.json_line import Record
    from agentrecall_domain.turns.span import ReaderState

_SOURCE = "codex:"
_PREFIX = "rollout-"
_WANTED_TYPES = (
    b"session_meta|user_message|agent_message|item_completed|message|function_call_output|custom_tool_call_output"
)
_IDENTIFYING = 2_000
"""Characters of a prompt that tell its turn from others."""
_ENTRIES = {"exec": "sdk", "cli": "typed", "vscode": "typed", "appServer": "typed"}
_FOREIGN_THREADS = ("subagent", "memory_consolidation")

_IGNORED_LINES = frozenset(("inter_agent_communication", "token_usage_record", "world_state"))
_IGNORED_ITEMS = frozenset(
    (
        *("compaction", "compaction_summary", "compaction_trigger", "context_compaction", "ghost_snapshot"),
        *("image_generation_call", "message", "other", "reasoning", "tool_search_call", "tool_search_output"),
        "web_search_call",
    )
)
_IGNORED_EVENTS = frozenset(
    (
        *("agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break", "background_event"),
        *("context_compacted", "deprecation_notice", "entered_review_mode", "error", "exec_command_begin"),
        *("exec_command_end", "exited_review_mode", "image_generation_end", "item_started", "mcp_tool_call_begin"),
        *("mcp_tool_call_end", "patch_apply_begin", "patch_apply_end", "plan_update", "session_configured"),
        *("stream_error", "thread_goal_updated", "thread_name_updated", "thread_rolled_back"),
        *("thread_settings_applied", "token_count", "turn_diff", "undo_completed", "undo_started"),
        *("view_image_tool_call", "warning", "web_search_begin", "web_search_end"),
    )
)
_IGNORED_COMPLETED = frozenset(
    (
        *("CollabAgentToolCall", "CommandExecution", "ContextCompaction", "DynamicToolCall", "EnteredReviewMode"),
        *("ExitedReviewMode", "FileChange", "HookPrompt", "ImageGeneration", "ImageView", "McpToolCall", "Plan"),
        *("Reasoning", "Sleep", "SubAgentActivity", "WebSearch"),
    )
)
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")
_BEGINNINGS = ("task_started", "turn_started")
_ENDS = ("task_complete", "turn_aborted", "turn_complete")


def read(lines: Iterable[bytes], state: ReaderState) -> Reading:
    """What *lines* say, going on from *state*, which stays as it is.

    Every line must be complete, with or without its newline. Nothing in a line makes this fail.
    """
    reader = _Reader(Reading(state.copy()))
    for line in lines:
        reader.take_line(line)
    return reader.reading


def is_session_file(path: str) -> bool:
    """Whether *path* names a rollout as its host writes it; a packed one is no hook's business."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.startswith(_PREFIX) and name.endswith(".jsonl")


class _Reader:
    """One pass over lines: the reading so far, the tools called in it, and the calls known to have failed."""

    __slots__ = ("failed", "reading", "state", "tool_names")

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.state = reading.state
        self.tool_names: dict[str, str] = {}
        self.failed: set[str] = set()

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
        elif kind == "compacted":
            self.reading.compactions += 1
        # What the kinds that wrap others hold cannot be told without parsing them.
        elif kind not in ("response_item", "event_msg"):
            self._count_unless(kind, _IGNORED_LINES)

    def _count_unless(self, kind: str, ignored: frozenset[str], wrapper: str = "") -> None:
        if kind not in ignored:
            self.reading.count_unknown(wrapper + kind)

    def _take_record(self, record: Record) -> None:
        payload = record.get("payload")
        kind = string(record, "type")
        if not isinstance(payload, dict):
            self._take_bare(record, kind)
        elif kind == "session_meta":
            self._take_session(payload)
        elif self.state.side_chain:
            return
        elif kind == "turn_context":
            self.state.cwd = string(payload, "cwd") or self.state.cwd
        elif kind == "event_msg":
            self._take_event(payload, string(record, "timestamp"))
        elif kind == "response_item":
            self._take_item(payload, string(record, "timestamp"))
        elif kind == "compacted":
            self.reading.compactions += 1
        else:
            self._count_unless(kind, _IGNORED_LINES)

    def _take_session(self, meta: Record) -> None:
        """Take what a session says of itself; a fork repeats what its parents said of themselves after that."""
        state = self.state
        uid = string(meta, "id")
        if state.session_uid and uid != state.session_uid:
            state.lineage = uid or state.lineage
            return
        source = meta.get("source")
        git = meta.get("git")
        state.session_uid = uid
        state.cwd = string(meta, "cwd") or state.cwd
        state.branch = string(git, "branch") if isinstance(git, dict) else ""
        state.entry = _ENTRIES.get(source, "unknown") if isinstance(source, str) else "unknown"
        state.started_at = string(meta, "timestamp")
        state.side_chain = _is_side_chain(meta, source)

    def _take_bare(self, record: Record, kind: str) -> None:
        """Take a line of the time before lines had wrappers: its items are all there is."""
        if self.state.side_chain or "record_type" in record:
            return
        if not kind and "id" in record and ("instructions" in record or "git" in record):
            self._take_session(record)
        elif kind == "message":
            self._take_bare_message(record)
        elif kind in _CALLS or kind in _OUTPUTS:
            self._take_item(record, string(record, "timestamp"))
        elif "payload" in record:
            self.reading.count_unknown(kind)
        else:
            self._count_unless(kind, _IGNORED_ITEMS)

    def _take_bare_message(self, record: Record) -> None:
        text = texts(record.get("content"))
        if record.get("role") == "assistant":
            self._say(agent_words(text), string(record, "timestamp"))
        elif record.get("role") == "user":
            words = user_words(text)
            if words:
                self._hear(words, "", string(record, "timestamp"))
            else:
                self.state.cwd = folder_in(text) or self.state.cwd

    def _take_event(self, event: Record, said_at: str) -> None:
        kind = string(event, "type")
        if kind == "item_completed":
            self._take_completed(event, said_at)
        elif kind == "user_message":
            words = user_words(string(event, "message"), string(event, "kind"))
            # A picture without words is a prompt as well.
            if words or event.get("images") or event.get("local_images"):
                self._hear(words, string(event, "turn_id"), said_at)
        elif kind == "agent_message":
            self._say(agent_words(string(event, "message")), said_at)
        elif kind in _BEGINNINGS:
            self.state.host_turn = string(event, "turn_id")
        elif kind in _ENDS:
            self.state.host_turn = ""
        else:
            self._count_unless(kind, _IGNORED_EVENTS, "event_msg:")

    def _take_completed(self, event: Record, said_at: str) -> None:
        item = event.get("item")
        kind = string(item, "type") if isinstance(item, dict) else ""
        if not isinstance(item, dict):
            self.reading.count_unknown("event_msg:item_completed")
        elif kind == "UserMessage":
            content = item.get("content")
            words = user_words(texts(content))
            if words or _has_pictures(content):
                self._hear(words, string(event, "turn_id"), said_at)
        elif kind == "AgentMessage":
            self._say(agent_words(texts(item.get("content"))), said_at, string(event, "turn_id"))
        else:
            self._fail(string(item, "id"), failure_of_item(item), said_at, string(event, "turn_id"))
            self._count_unless(kind, _IGNORED_COMPLETED, "item_completed:")

    def _take_item(self, item: Record, said_at: str) -> None:
        kind = string(item, "type")
        if kind in _CALLS:
            self.tool_names[string(item, "call_id")] = string(item, "name")
        elif kind in _OUTPUTS:
            self._fail(string(item, "call_id"), failure_in(item.get("output")), said_at)
        else:
            self._count_unless(kind, _IGNORED_ITEMS, "response_item:")

    def _hear(self, words: str, host_turn: str, said_at: str) -> None:
        """Add what the user said: it opens a turn, unless the host says that it came into one that is open."""
        state = self.state
        said_at = said_at or state.started_at
        host_turn = host_turn or state.host_turn
        is_steering = bool(host_turn) and host_turn == state.turn_uid
        if not is_steering:
            state.ordinal += 1
            state.turn_uid = host_turn or self._turn_without_id(words, said_at)
            state.prompt_id = host_turn
            self.reading.turns.append(
                TurnOpening(
                    uid=state.turn_uid,
                    prompt_id=state.prompt_id,
                    session_uid=state.session_uid,
                    cwd=state.cwd,
                    ordinal=state.ordinal,
                    said_at=said_at,
                    branch=state.branch,
                )
            )
        if words:
            source = "queued" if is_steering else state.entry or "unknown"
            self._add(f"user{BY_TEXT}", "user", words, said_at, prompt_source=source)

    def _turn_without_id(self, words: str, said_at: str) -> str:
        # Scrubbed first: no digest of a secret is ever stored.
        said = squeezed(scrub_up_to(words, _IDENTIFYING))
        root = self.state.lineage or self.state.session_uid or said_at
        return digest(root, str(self.state.ordinal), said)

    def _say(self, words: str, said_at: str, host_turn: str = "") -> None:
        if words:
            self._add(f"agent{BY_TEXT}", "assistant", words, said_at, host_turn=host_turn)

    def _fail(self, call: str, failure: str | None, said_at: str, host_turn: str = "") -> None:
        """Add a call's failure; a later generation tells it twice, as an item and as the model's copy."""
        name = self.tool_names.get(call, "")
        if failure is None or call in self.failed:
            return
        if not call:
            self.reading.bad_lines += 1
            return
        self.failed.add(call)
        self._add(f"call:{call}", "tool", failed_call(name, failure), said_at, host_turn=host_turn)

    def _add(
        self, key: str, role: str, text: str, said_at: str, *, prompt_source: str = "", host_turn: str = ""
    ) -> None:
        state = self.state
        turn_uid = state.turn_uid or host_turn or state.host_turn
        where = turn_uid or state.session_uid
        if not where:
            # The reading began in the middle, where nothing tells one session's words from another's: the next
            # one that begins at the beginning brings them.
            return
        self.reading.spans.append(
            Span(
                turn_uid=turn_uid,
                dedup_key=f"{_SOURCE}{where}:{key}",
                kind="event" if role == "tool" else "turn",
                role=role,
                origin="agent" if role == "assistant" else role,
                text=text,
                said_at=said_at or state.started_at,
                prompt_source=prompt_source,
            )
        )


def _is_side_chain(meta: Record, source: object) -> bool:
    """Whether the session that *meta* describes is one that the host or an agent started for itself."""
    named = source if isinstance(source, dict) else {}
    return (
        any(key in named for key in ("subagent", "subAgent", "internal"))
        or string(meta, "thread_source") in _FOREIGN_THREADS
    )


def _has_pictures(content: object) -> bool:
    return isinstance(content, list) and any(
        isinstance(part, dict) and string(part, "type") in ("image", "local_image", "localImage") for part in content
    )
