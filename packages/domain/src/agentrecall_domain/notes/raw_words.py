"""Raw words: what a person looks for in raw items, by letters and not by an index; and where a text holds it. Cold."""

from __future__ import annotations

import unicodedata

from agentrecall_domain.text.stem import stem
from agentrecall_domain.text.tokenizer import terms

ELLIPSIS = "…"
LEAD = 0.3
"""The share of an excerpt that stands before what was found."""


def wanted(query: str) -> tuple[str, ...]:
    """What a text has to hold to be found by *query*: each word that says something, without its ending.

    A query of words that say nothing is looked for as it stands. No words: nothing is wanted.
    """
    said = folded(query).split()
    telling = [word for word in map(_word, said) if terms(word)]
    return tuple(dict.fromkeys(map(_stem, telling))) if telling else tuple(filter(None, [" ".join(said)]))


def holds(text: str, words: tuple[str, ...]) -> bool:
    """Whether *text* holds each of the *words* somewhere, in upper or lower case."""
    text = folded(text)
    return all(word in text for word in words)


def excerpt(text: str, words: tuple[str, ...], length: int) -> str:
    """At most so many characters of *text* on one line, those around the first of the *words* in it."""
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    at = min((place for word in words if (place := folded(flat).find(word)) >= 0), default=0)
    start = max(0, min(at - int(length * LEAD), len(flat) - length + 1))
    head, rest = ELLIPSIS if start else "", flat[start:]
    return head + rest if len(head + rest) <= length else f"{head}{rest[: length - 1 - len(head)]}{ELLIPSIS}"


def folded(text: str) -> str:
    """*text* in lower case, each letter in one spelling."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text).casefold()


def _word(chunk: str) -> str:
    """*chunk* without what surrounds a word in a sentence."""
    return chunk.strip(".,;:!?()[]{}<>\"'`*")


def _stem(word: str) -> str:
    """The letters that *word* shares with its inflections."""
    end = stem(word)
    shared = next((at for at, (one, other) in enumerate(zip(word, end, strict=False)) if one != other), len(end))
    return word[:shared] or word
