"""Secret kinds: the table of how each is recognised, and which of them a text may hold.

Imported by `redaction` once a literal said that a secret is possible. A row has its kind, literals of which one must
be in the text, its pattern, and the check of a match. The secret is the pattern's last group, or the whole match. The
first kind names an overlap. A literal with ` & ` has two parts, of which the first is in small letters, and both
must be there.
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


# What is left of a text without its most frequent letters is a quarter of it, and says no to most literals.
_FREQUENT = b"etaoinsrlhdcmu "


def _trace(text: str) -> bytes:
    return text.encode("ascii", "ignore").translate(None, _FREQUENT)


def _by_literal() -> tuple[list[tuple[bytes, str, int]], list[tuple[str, str, int]]]:
    """Each literal, with its trace, and its row; and each that has two parts."""
    whole: list[tuple[bytes, str, int]] = []
    parted: list[tuple[str, str, int]] = []
    for rank, (_kind, literals, _pattern, _check) in enumerate(KINDS):
        for literal in literals:
            first, _, second = literal.partition(" & ")
            if second:
                parted.append((first, second, rank))
            else:
                whole.append((_trace(literal), literal, rank))
    return whole, parted


_WHOLE, _PARTED = _by_literal()
_PLACES = (
    (NAME, names_in),
    (GIVES, gives_in),
    (VALUE, values_in),
    (PASSWORD_WORD, passwords_in),
    (LOGIN_WORD, logins_in),
)


def possible_rows(text: str, lowered: str) -> list[int]:
    """The rows of `KINDS` that have a literal in *text*, in order."""
    left = _trace(lowered) + b"\n" + _trace(text)
    ranks = {rank for trace, literal, rank in _WHOLE if trace in left and (literal in lowered or literal in text)}
    ranks.update(rank for first, second, rank in _PARTED if first in lowered and (second in lowered or second in text))
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
