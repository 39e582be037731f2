"""Secret kinds: the table of how each is recognised, and which of them a text may hold.

Imported by `redaction` once a literal said that a secret is possible. A row has its kind, literals of which one must
be in the text, its pattern, and the check of a match. The secret is the pattern's last group, or the whole match. The
first kind names an overlap. A literal with ` & ` has parts, and all of them must be there.
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


def _by_literal() -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """The rows of each literal: of those that are tested in the lowered text, and of those that have capitals."""
    lowered: dict[str, list[int]] = {}
    exact: dict[str, list[int]] = {}
    for rank, (_kind, literals, _pattern, _check) in enumerate(KINDS):
        for literal in literals:
            (lowered if literal == literal.lower() else exact).setdefault(literal, []).append(rank)
    return lowered, exact


_LOWERED, _EXACT = _by_literal()
_PLACES = (
    (NAME, names_in),
    (GIVES, gives_in),
    (VALUE, values_in),
    (PASSWORD_WORD, passwords_in),
    (LOGIN_WORD, logins_in),
)


def possible_rows(text: str, lowered: str) -> list[int]:
    """The rows of `KINDS` that have a literal in *text*, in order."""
    ranks: set[int] = set()
    for rows, where in ((_LOWERED, lowered), (_EXACT, text)):
        for literal, found in rows.items():
            if literal in where or (" & " in literal and _has_all(literal, text, lowered)):
                ranks.update(found)
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


def _has_all(literal: str, text: str, lowered: str) -> bool:
    return all(part in lowered or part in text for part in literal.split(" & "))
