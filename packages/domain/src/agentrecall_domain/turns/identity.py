"""Identity of what is stored: stable uids from what a thing is, and the keys that settle repeats. Hot."""

from __future__ import annotations

# hashlib costs a fifth of an interpreter's start, its _blake2 nothing.
from _blake2 import blake2b


def digest(*parts: str) -> str:
    """32 hex digits that name *parts*, the same in every process."""
    joined = "\0".join(parts).encode("utf-8", "replace")
    return blake2b(joined, digest_size=16).hexdigest()


def squeezed(text: str) -> str:
    """*text* without white space, for comparing: hosts join an answer's blocks differently."""
    return "".join(text.split())


def waiting_turn(session_uid: str, prompt_id: str) -> str:
    """The uid of a turn whose opening transcript line is not on disk yet; the line's own uid takes its place."""
    return f"waiting:{session_uid}:{prompt_id}"
