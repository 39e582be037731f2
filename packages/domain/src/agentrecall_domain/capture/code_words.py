"""Code words: whether a text names a symbol, a call or a file. Light."""

from __future__ import annotations

import itertools

from agentrecall_domain.capture import worthiness_words as w


def has_code(said: str) -> bool:
    """Whether *said* names code: a symbol, a call, a file."""
    if "`" in said:
        return True
    return any(_is_symbol(word.strip(",;:.!?\"'")) for word in said.split())


def _is_symbol(word: str) -> bool:  # noqa: PLR0911 -- one sign a return, in their order
    if len(word) < 3 or word.lower() in w.LONGEST_NAMES or "://" in word:  # noqa: PLR2004 -- counts words
        return False
    if word.endswith(")") and "(" in word[1:]:
        return True
    head, dot, ending = word.rpartition(".")
    if dot and head and ending.lower() in w.EXTENSIONS:
        return True
    if (
        "::" in word
        or "->" in word
        or (dot and head.isidentifier() and ending.isidentifier() and not head[0].isdigit())
    ):
        return True
    if "/" in word.strip("/") and all(
        part.replace("-", "").replace(".", "").replace("_", "").isalnum() for part in word.strip("/").split("/")
    ):
        return True
    if "_" in word.strip("_") and word.replace("_", "").isalnum() and not word.isdigit():
        return True
    plain = word.isalnum() and not word.isupper()
    return plain and any(upper.isupper() and lower.islower() for lower, upper in itertools.pairwise(word))
