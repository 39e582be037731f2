"""Telling words: those of a text that say what it is about. Cold."""

from __future__ import annotations

from agentrecall_domain.text.stop_words import WEAK_WORDS
from agentrecall_domain.text.tokenizer import terms


def telling(text: str) -> set[str]:
    """The words of *text*, by their stems, less those that half of all talk about software has in it."""
    return {term for term in terms(text) if term not in WEAK_WORDS}
