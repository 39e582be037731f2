"""Secret kinds: the table of how each is recognised, and which of them a text may hold.

Imported by `redaction` once a literal said that a secret is possible. A row has its kind, literals of which one must
be in the text, its pattern, and the check of a match. The secret is the pattern's last group, or the whole match. The
first kind names an overlap. A literal with ` & ` has two parts, and both must be there.
"""

from __future__ import annotations

from agentrecall_domain.text.secret_contexts import CONTEXTS
from agentrecall_domain.text.secret_parts import (
    GIVES,
    LOGIN_WORD,
    NAME,
    PASSWORD_WORD,
    VALUE,
    Row,
    gives_in,
    names_in,
    values_in,
)
from agentrecall_domain.text.secret_providers import PROVIDERS
from agentrecall_domain.text.secret_words import logins_in, passwords_in

KINDS: tuple[Row, ...] = (*PROVIDERS, *CONTEXTS)


_HEAD = 3


_BY_HEAD: dict[tuple[str, ...], list[tuple[str, int]]] = {}
_EXACT: list[tuple[str, int]] = []
_PARTED: list[tuple[str, str, int]] = []


def _enter(literal: str, rank: int) -> None:
    """Put *literal* where it is looked up: small letters by the first three, capitals, or in two parts."""
    first, _, second = literal.partition(" & ")
    if second or len(literal) < _HEAD:
        _PARTED.append((first, second, rank))
    elif literal == literal.lower():
        _BY_HEAD.setdefault(tuple(literal[:_HEAD]), []).append((literal, rank))
    else:
        _EXACT.append((literal, rank))


for _rank, _row in enumerate(KINDS):
    for _literal in _row[1]:
        _enter(_literal, _rank)
_PLACES = (
    (NAME, names_in),
    (GIVES, gives_in),
    (VALUE, values_in),
    (PASSWORD_WORD, passwords_in),
    (LOGIN_WORD, logins_in),
)


def possible_rows(text: str, lowered: str) -> list[int]:
    """The rows of `KINDS` that have a literal in *text*, in order."""
    heads = _BY_HEAD.keys() & set(zip(lowered, lowered[1:], lowered[2:], strict=False))
    ranks = {rank for head in heads for literal, rank in _BY_HEAD[head] if literal in lowered}
    ranks.update(rank for literal, rank in _EXACT if literal in text)
    for first, second, rank in _PARTED:
        if (first in lowered or first in text) and (second in lowered or second in text):
            ranks.add(rank)
    return sorted(ranks)


def pattern_for(pattern: str, lowered: str) -> str:
    """*pattern* with what the text has filled in; nothing when one of its places stays empty."""
    for place, found_in in _PLACES:
        if place in pattern:
            found = found_in(lowered)
            if not found:
                return ""
            pattern = pattern.replace(place, found)
    return pattern
