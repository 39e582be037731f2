"""Practices: what was done, or is told of as a way to do it, and turned out badly. Light."""

from __future__ import annotations

from agentrecall_domain.capture import clause_words as w
from agentrecall_domain.capture.clause_acts import lowered
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.signals import Word, base_of, is_gerund, is_verb, tells_at, text_of, words_of


def blamed_of(found: list[Clause]) -> list[Clause]:
    """*found*, where nothing is refused, with the practice refused that a question or a statement blames."""
    asks = [at for at, clause in enumerate(found) if clause.kind is Kind.ASK]
    if not asks or any(clause.kind is Kind.REFUSAL for clause in found):
        return found
    for at, clause in enumerate(found):
        if clause.kind in _TOLD and (blamed := _blamed(clause, early=at < asks[-1])):
            return [*found[:at], *blamed, *found[at + 1 :]]
    return found


_TOLD = frozenset((Kind.STATEMENT, Kind.REASON, Kind.QUESTION))


def _blamed(clause: Clause, *, early: bool) -> list[Clause]:
    words = words_of(clause.text)
    if not words:
        return []
    if clause.kind is Kind.QUESTION or words[0].low in {"what's", "whats", "why"}:
        return _questioned(words, clause)
    verb = tells_at(words)
    subject = words[: verb - 1 if verb > 1 and words[verb - 1].low in w.ADVERBS else verb]
    if verb < 1 or not _is_practice(subject, early=early):
        return []
    act = text_of(subject)
    act = act if is_gerund(subject[0].low) else f"use {lowered(act)}"
    told = f"it {text_of(words[len(subject) :])}"
    return [clause._replace(text=told, lead=""), clause._replace(kind=Kind.REFUSAL, text=act, lead="stop")]


_MANNERS = word_set("without with by per over")
_PLACES = word_set("in on inside for at around as")
_BARE = word_set("raw plain bare inline manual hardcoded hand-rolled handwritten naked ad-hoc adhoc hand-written")


def _is_practice(subject: list[Word], *, early: bool) -> bool:
    """Whether *subject* is a way of doing: "logging the body", "pagination by offset", "a mutable default"."""
    first = subject[0].low
    if is_gerund(first) and is_verb(base_of(first)):
        return len(subject) > 1
    if first in _BARE or subject[-1].low == "alone":
        return len(subject) > 1
    if not early or first in (w.DETERMINERS | w.PRONOUNS) - {"a", "an"} or any("'s" in word.low for word in subject):
        return False
    within = {word.low for word in subject[1:-1]}
    coded = not subject[0].text.isalpha() or subject[0].text[1:] != subject[0].low[1:]
    chosen = (first in {"a", "an"} and len(subject) > 2) or (coded and (len(subject) == 1 or within & _PLACES))  # noqa: PLR2004 -- counts words
    return bool(chosen or within & _MANNERS)


_DOING = word_set("are do did would")
_WHY = (["why", "is", "there"], ["why", "are", "there"], ["what's", "with"], ["whats", "with"], ["why", "the"])


def _questioned(words: list[Word], clause: Clause) -> list[Clause]:
    """For example "Why is there a raw colour in here again?", "A spinlock in user space?"."""
    lows = [word.low for word in words]
    while lows[-1:] in (["again"], ["then"]):
        lows, words = lows[:-1], words[:-1]
    thing = next((len(start) for start in _WHY if lows[: len(start)] == start), 0)
    if thing and words[thing:]:
        return [clause._replace(kind=Kind.REFUSAL, text=f"use {text_of(words[thing:])}", lead="why")]
    if lows[:1] == ["why"] and lows[1:2] and lows[1] in _DOING and lows[2:3] in (["we"], ["you"]) and lows[3:]:
        act = words[4:] if lows[3] in {"keep", "still"} and lows[4:] else words[3:]
        return [clause._replace(kind=Kind.REFUSAL, text=text_of(act), lead="stop")]
    if lows[0] in {"warum", "wieso"} and lows[2:3] == ["du"] and lows[3:]:
        base = f"{lows[1].removesuffix('st')}en"
        return [clause._replace(kind=Kind.REFUSAL, text=f"{text_of(words[3:])} {base}", lead="stop")]
    if lows[0] in {"a", "an", "another"} and tells_at(words) < 0:
        return [clause._replace(kind=Kind.REFUSAL, text=f"use {lowered(text_of(words))}", lead="why")]
    return []
