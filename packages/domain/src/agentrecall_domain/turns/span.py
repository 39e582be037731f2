"""Spans: what one reading of a transcript found, and where the next reading goes on.

Hot: hooks import this, so it is plain slotted classes over the standard library's json.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


BY_TEXT = ":text:"
_KNOWN_KINDS = 50
_KIND_LENGTH = 40


class Span:
    """One piece of text with one speaker, not yet scrubbed.

    Attributes:
        turn_uid: The turn it was said in, or '' when the reading knows of none.
        dedup_key: The raw item's identity: the same text read twice has the same key. One that ends in `BY_TEXT`
            stands before the text's own digest, which is taken when the text is scrubbed.
        kind: 'turn' for what was said, 'event' for a tool call that failed.
        role: 'user', 'assistant' or 'tool'.
        origin: Who made the text: 'user', 'agent' or 'tool'.
        text: The words as they came.
        said_at: An ISO time of the user's clock, '' when unknown; good for showing, not for ordering.
        prompt_source: How a prompt came in ('typed', 'queued', 'sdk', 'command', 'unknown' ...); a label only.
        continues: The first part was given in an earlier reading under the same key: the store appends this text.
    """

    __slots__ = (
        "continues",
        "dedup_key",
        "kind",
        "origin",
        "prompt_source",
        "role",
        "said_at",
        "text",
        "turn_uid",
    )

    def __init__(
        self,
        *,
        turn_uid: str,
        dedup_key: str,
        kind: str,
        role: str,
        origin: str,
        text: str,
        said_at: str = "",
        prompt_source: str = "",
        continues: bool = False,
    ) -> None:
        self.turn_uid = turn_uid
        self.dedup_key = dedup_key
        self.kind = kind
        self.role = role
        self.origin = origin
        self.text = text
        self.said_at = said_at
        self.prompt_source = prompt_source
        self.continues = continues


class TurnOpening:
    """A real prompt: the line that opened a turn.

    Attributes:
        uid: The line's own uuid; forks copy it, so copies are the same turn.
        prompt_id: The host's name for the prompt, '' when it gave none; an alias, rewritten in forks.
        session_uid: The session the line was found in.
        cwd: The working directory then.
        ordinal: Which prompt of the transcript this is, from 1.
        said_at: An ISO time, '' when unknown.
        branch: The git branch then, or ''.
    """

    __slots__ = ("branch", "cwd", "ordinal", "prompt_id", "said_at", "session_uid", "uid")

    def __init__(
        self,
        *,
        uid: str,
        prompt_id: str = "",
        session_uid: str = "",
        cwd: str = "",
        ordinal: int = 0,
        said_at: str = "",
        branch: str = "",
    ) -> None:
        self.uid = uid
        self.prompt_id = prompt_id
        self.session_uid = session_uid
        self.cwd = cwd
        self.ordinal = ordinal
        self.said_at = said_at
        self.branch = branch


class ReaderState:
    """What a reading must know of the lines before it.

    Attributes:
        session_uid: The session last named.
        turn_uid: The open turn, '' before the first prompt.
        prompt_id: The open turn's alias.
        message_id: The assistant message that may still get lines, '' when none is open.
        message_key: The key of that message's span, '' when it has had no text yet.
        cwd: The working directory last named.
        ordinal: How many turns were seen open.
        branch: The git branch last named; only of a host that names it once a session.
        entry: How prompts come in, of a host that says so once a session.
        host_turn: The turn that the host says it is in, '' between turns; only of a host that says so.
        lineage: The session that a fork's first lines were copied from, at its very root.
        side_chain: Whether the session is a subagent's: nothing in it is kept.
        started_at: When the session began, for lines that tell no time.
    """

    __slots__ = (
        "branch",
        "cwd",
        "entry",
        "host_turn",
        "lineage",
        "message_id",
        "message_key",
        "ordinal",
        "prompt_id",
        "session_uid",
        "side_chain",
        "started_at",
        "turn_uid",
    )

    def __init__(
        self,
        *,
        session_uid: str = "",
        turn_uid: str = "",
        prompt_id: str = "",
        message_id: str = "",
        message_key: str = "",
        cwd: str = "",
        ordinal: int = 0,
        branch: str = "",
        entry: str = "",
        host_turn: str = "",
        lineage: str = "",
        side_chain: bool = False,
        started_at: str = "",
    ) -> None:
        self.session_uid = session_uid
        self.turn_uid = turn_uid
        self.prompt_id = prompt_id
        self.message_id = message_id
        self.message_key = message_key
        self.cwd = cwd
        self.ordinal = ordinal
        self.branch = branch
        self.entry = entry
        self.host_turn = host_turn
        self.lineage = lineage
        self.side_chain = side_chain
        self.started_at = started_at

    def to_json(self) -> str:
        """This state as one line of JSON, pure ASCII."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The state *text* holds; what cannot be understood in it starts afresh."""
        state = cls()
        try:
            saved = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            return state
        if not isinstance(saved, dict):
            return state

        for name in cls.__slots__:
            value = saved.get(name)
            if type(value) is type(getattr(state, name)):  # exact: True is no ordinal
                setattr(state, name, value)
        state.ordinal = max(state.ordinal, 0)
        return state

    def copy(self) -> Self:
        """A state of its own with the same values."""
        return type(self)(**{name: getattr(self, name) for name in self.__slots__})


class Reading:
    """What a run of transcript lines held.

    Attributes:
        turns: The turns opened, in file order.
        spans: The spans found, in file order.
        unknown: How many lines of each unknown type, for `doctor`.
        bad_lines: How many lines could not be read or had no identity.
        compactions: How many times the host compacted the conversation.
        state: Where the next reading goes on.
    """

    __slots__ = ("bad_lines", "compactions", "spans", "state", "turns", "unknown")

    def __init__(self, state: ReaderState) -> None:
        self.turns: list[TurnOpening] = []
        self.spans: list[Span] = []
        self.unknown: dict[str, int] = {}
        self.bad_lines = 0
        self.compactions = 0
        self.state = state

    def count_unknown(self, kind: str) -> None:
        """Count a line of a *kind* that the reader does not know; kinds stay few and short, whatever a file holds."""
        name = kind[:_KIND_LENGTH] or "(none)"
        if name not in self.unknown and len(self.unknown) >= _KNOWN_KINDS - 1:
            name = "(other)"
        self.unknown[name] = self.unknown.get(name, 0) + 1
