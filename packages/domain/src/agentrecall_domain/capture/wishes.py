"""Wishes: whether a person asked that something be remembered, or that it not be saved. Light, total, deterministic.

Only an ask counts: a form of "remember" or "save" that addresses the reader, about what was said. The same words about
files, databases, forms and check boxes are everyday talk of developers, and no wish.
"""

from __future__ import annotations

import re
from enum import StrEnum

from agentrecall_domain.capture import wish_words as w
from agentrecall_domain.capture.spoken import clauses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SIGHT = 200
"""Characters before and after a verb that say what it is about; a bound, so that no text costs more than its length."""

_english: list[re.Pattern[str]] = []
_others: dict[str, list[re.Pattern[str]]] = {}


class Wish(StrEnum):
    """What a person wants done with what they say."""

    NONE = "none"
    SAVE = "save"
    DO_NOT_SAVE = "do_not_save"


def wish_in(said: str) -> Wish:
    """The wish in a person's own words; of several the last."""
    last = Wish.NONE
    for clause in clauses(said):
        # Where one ends the other, "you need not remember" is a refusal that holds the words of an ask.
        _, refused = max(((at, wish is Wish.DO_NOT_SAVE) for at, wish in _wishes(clause)), default=(0, None))
        if refused is not None:
            last = Wish.DO_NOT_SAVE if refused else Wish.SAVE
    return last


def wish_over(texts: Iterable[str]) -> Wish:
    """The last wish in *texts*, oldest first."""
    last = Wish.NONE
    for text in texts:
        found = wish_in(text)
        last = last if found is Wish.NONE else found
    return last


def _wishes(clause: str) -> Iterator[tuple[int, Wish]]:
    """Where in *clause* which wish is uttered."""
    if any(hint in clause for hint in w.ENGLISH_HINTS):
        yield from _english_wishes(clause)
    if clause.isascii() and not any(hint in clause for hint in w.OTHER_HINTS):
        return
    persian = any("\u0600" <= letter <= "\u06ff" for letter in clause)
    text = _persian(clause) if persian else clause
    for wish, pattern in zip((Wish.SAVE, Wish.DO_NOT_SAVE), _patterns("fa" if persian else "other"), strict=True):
        for match in pattern.finditer(text):
            yield match.end(), wish


def _english_wishes(clause: str) -> Iterator[tuple[int, Wish]]:
    ask, idiom, refusing_idiom = _compiled()
    for match in ask.finditer(clause):
        refused, verb, rest = match["no"] is not None, match["verb"], clause[match.end() : match.end() + _SIGHT]
        wish = _asked(verb, rest.strip(), refused=refused, joined=bool(match["joined"]))
        if wish is Wish.SAVE and (
            _is_question(clause, match["polite"])
            or _names_a_widget(clause[max(match.start() - _SIGHT, 0) : match.start()])
        ):
            continue
        if wish is not Wish.NONE:
            yield match.end(), wish
    for match in idiom.finditer(clause):
        yield match.end(), Wish.DO_NOT_SAVE if match["no"] else Wish.SAVE
    for match in refusing_idiom.finditer(clause):
        yield match.end(), Wish.DO_NOT_SAVE


def _asked(verb: str, rest: str, *, refused: bool, joined: bool) -> Wish:
    """What is asked for by *verb* with *rest* after it."""
    if verb.startswith(("rememb", "memori", "retain")):
        if not _is_memorable(rest, joined=joined):
            return Wish.NONE
        return Wish.DO_NOT_SAVE if refused else Wish.SAVE
    if verb.startswith("forget"):
        if refused:
            return Wish.SAVE if _is_memorable(rest, joined=joined) else Wish.NONE
        return Wish.DO_NOT_SAVE if _first(_compiled_rest()[0], rest) else Wish.NONE
    bare = verb.startswith("sav") or (refused and verb.startswith(("stor", "record", "captur")))
    if _first(_compiled_rest()[1], rest) or (bare and _first(_compiled_rest()[2], rest)):
        return Wish.DO_NOT_SAVE if refused else Wish.SAVE
    return Wish.NONE


def _is_memorable(rest: str, *, joined: bool) -> bool:
    """Whether what follows "remember" is something said, and not the state of a program."""
    words = rest.replace(",", " ,").replace(":", " :").split()[:40]
    if not words:
        return not joined
    standing = not w.STANDING.isdisjoint(words) or any(phrase in rest for phrase in w.STANDING_PHRASES)
    first = words[0]
    if first in w.SOMEBODY:
        return False
    if first in w.OPEN_ENDS or (first == "it" and joined):
        return standing
    if first in w.POINTERS:
        return w.STATES_OF_PROGRAMS.isdisjoint(words[1:4])
    return True


def _is_question(clause: str, polite: str) -> bool:
    return clause.endswith("?") and not any(word in polite for word in ("can ", "could ", "would ", "will "))


def _names_a_widget(before: str) -> bool:
    return not w.WIDGETS.isdisjoint(before.replace(":", " ").replace(",", " ").split())


def _first(pattern: re.Pattern[str], rest: str) -> bool:
    return pattern.match(rest) is not None


def _compiled() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    if not _english:
        _english.extend(map(re.compile, (w.ASK, w.IDIOM, w.REFUSING_IDIOM, w.FORGOTTEN, w.INTO_MEMORY, w.BARE)))
    return _english[0], _english[1], _english[2]


def _compiled_rest() -> list[re.Pattern[str]]:
    _compiled()
    return _english[3:]


def _patterns(language: str) -> list[re.Pattern[str]]:
    if language not in _others:
        _others[language] = [re.compile(pattern) for pattern in w.PATTERNS[language]]
    return _others[language]


def _persian(clause: str) -> str:
    """*clause* in one spelling: Persian letters, half-spaces as spaces, no vowel signs."""
    return " ".join(clause.translate(w.PERSIAN_SPELLING).split())
