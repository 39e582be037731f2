"""Phrases: whether one of a list is said in a text, without patterns that would have to be compiled. Light."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of *text*: a table written as one text is read at a glance."""
    return frozenset(text.split())


_MARKS = {ord(mark): f" {mark} " for mark in '.,;:!?()`"\u2026\uff0c\u3002'} | {ord("\n"): " . ", ord("\u2019"): "'"}
_lists: dict[str, list[str]] = {}


def spaced(said: str) -> str:
    """*said* in lower case with one space around every word and mark, as `says` wants it."""
    return f" {' '.join(said.lower().translate(_MARKS).split())} "


def says(phrases: str, said: str) -> bool:
    """Whether one of *phrases*, parted by "|", is in *said*, which `spaced` made."""
    return any(phrase in said for phrase in _padded(phrases))


def begins_with(phrases: str, said: str) -> bool:
    """Whether *said*, which `spaced` made, begins with one of *phrases*."""
    return said.startswith(tuple(_padded(phrases)))


def _padded(phrases: str) -> list[str]:
    found = _lists.get(phrases)
    if found is None:
        found = _lists[phrases] = [f" {' '.join(phrase.split())} " for phrase in phrases.split("|")]
    return found
