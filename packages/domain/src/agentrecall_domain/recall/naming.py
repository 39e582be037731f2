"""Naming: a memory whose trigger or title is a list of names is called up by any of them. Hot.

"redis cache, Redis" says no condition: it says what the memory is about, and what that is called.
"""

from __future__ import annotations

from agentrecall_domain.text.stop_words import WEAK_WORDS
from agentrecall_domain.text.tokenizer import terms

LONGEST_LIST, LONGEST_NAME = 400, 4
"""Characters of a list, and words of a name in it: what is longer is a sentence with commas."""
CONDITIONS = frozenset("after always before for if in never on once unless until when whenever while".split())  # noqa: SIM905 -- a row of words reads better


def is_named(text: str, said: frozenset[str]) -> bool:
    """Whether *text* is a list of names and one of them, whole, is among the words that are *said*."""
    return "," in text and any(said.issuperset(name) for name in names_of(text))


def names_of(text: str) -> list[list[str]]:
    """The names that *text* lists, each by its words; none when it is no list. Names that say little are left out."""
    parts = [part.split() for part in text[: LONGEST_LIST + 1].split(",")]
    if len(text) > LONGEST_LIST or not all(0 < len(part) <= LONGEST_NAME for part in parts):
        return []
    if len(parts) < 2 or any(part[0].lower() in CONDITIONS for part in parts):  # noqa: PLR2004 -- one is no list
        return []
    named = (terms(" ".join(part)) for part in parts)
    return [name for name in named if not WEAK_WORDS.issuperset(name)]
