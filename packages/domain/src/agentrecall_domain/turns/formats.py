"""The formats of session files: which host writes files of that name, and what reads them.

Hot: a reader is imported when a file of its format turns up, as a hook mostly sees those of one host.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from agentrecall_domain.turns.span import ReaderState, Reading

    class Reader(Protocol):
        """What is asked of the module that reads a format."""

        def read(self, lines: Iterable[bytes], state: ReaderState) -> Reading:
            """Give what *lines* say, going on from *state*."""

        def is_session_file(self, path: str) -> bool:
            """Whether *path* names a session, not another file of the host."""


CLAUDE_CODE = "claude-code"
CODEX = "codex"


def source_of(path: str) -> str:
    """The host that writes files named like *path*; Claude Code for a name that says nothing."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return CODEX if name.startswith("rollout-") else CLAUDE_CODE


def reader_of(path: str) -> Reader:
    """What reads files named like *path*."""
    if source_of(path) == CODEX:
        from agentrecall_domain.turns import codex_rollout  # noqa: PLC0415 -- see above

        return codex_rollout
    from agentrecall_domain.turns import claude_transcript  # noqa: PLC0415 -- see above

    return claude_transcript


def is_session_file(path: str) -> bool:
    """Whether *path* names a session as its host writes it: not a subagent's, and not a packed one."""
    return reader_of(path).is_session_file(path)
