"""Delivery: one raw item that a person or another program hands in, outside any session of a host. Cold."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from agentrecall_domain.text.poison import Dropped, without_poison
from agentrecall_domain.text.private_tags import MARK
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.turns.identity import digest
from agentrecall_domain.turns.own_text import remove_own

LARGEST_BYTES = 1024 * 1024


class ItemSource(StrEnum):
    """Where a raw item came from."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    TELEGRAM = "telegram"
    TASK = "task"
    BOOKMARK = "bookmark"
    MCP_HTTP = "mcp-http"
    CLI = "cli"
    IMPORT = "import"


class ItemKind(StrEnum):
    """What a raw item is."""

    TURN = "turn"
    DOCUMENT = "document"
    EVENT = "event"
    SYNTHESIS = "synthesis"


# Whose words a turn from elsewhere is: what a person types into a chat or a task list is their own.
_TYPED_BY_THE_USER = frozenset({ItemSource.TELEGRAM, ItemSource.TASK, ItemSource.CLI})
_FROM_THE_WEB = frozenset({ItemSource.BOOKMARK, ItemSource.MCP_HTTP})


class EmptyDeliveryError(ValueError):
    """There is nothing in it to keep."""


class Delivery(NamedTuple):
    """A raw item as it is stored: scrubbed, without what somebody planted in it."""

    source: ItemSource
    kind: ItemKind
    role: str
    origin: str
    text: str
    dedup_key: str
    dropped: tuple[Dropped, ...]


def deliver(text: str, source: ItemSource, kind: ItemKind, project_uid: str = "", *, is_file: bool = False) -> Delivery:
    """Make a raw item of *text*. The same text of the same source, in the same project, has the same key.

    Raises:
        EmptyDeliveryError: *text* holds nothing, once what is private and what we injected is taken out.
    """
    scrubbed = scrub(remove_own(text)).strip()
    if not scrubbed.replace(MARK, "").strip():
        raise EmptyDeliveryError
    role, origin = _speaker(source, kind, is_file=is_file)
    kept, dropped = without_poison(scrubbed, origin)
    return Delivery(
        source=source,
        kind=kind,
        role=role,
        origin=origin,
        text=kept.strip(),
        dedup_key=f"{source}:{digest(kind, project_uid, scrubbed)}",
        dropped=tuple(dropped),
    )


def _speaker(source: ItemSource, kind: ItemKind, *, is_file: bool) -> tuple[str, str]:
    """The role and the origin of a raw item: only what the user surely said is theirs."""
    match kind:
        case ItemKind.TURN:
            return "user", "user" if source in _TYPED_BY_THE_USER else "import"
        case ItemKind.EVENT:
            return "tool", "tool"
        case ItemKind.SYNTHESIS:
            return "assistant", "agent"
        case ItemKind.DOCUMENT:
            outside = "file" if is_file else "import"
            return "document", "web" if source in _FROM_THE_WEB else outside
