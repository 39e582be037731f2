"""Rewriting: a lesson's trigger as a condition, where its words name the situation. Light, total, deterministic."""

from __future__ import annotations

from agentrecall_domain.capture import clause_words as w
from agentrecall_domain.capture.clause_marked import names_moment, script_of
from agentrecall_domain.capture.extraction import Lesson
from agentrecall_domain.capture.general_lessons import ANY, TOPICS
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.preference import recognise
from agentrecall_domain.capture.signals import (
    Word,
    base_of,
    begins,
    gerund_of,
    is_gerund,
    is_verb,
    language_of,
    text_of,
    words_of,
)
from agentrecall_domain.capture.situations import DOING
from agentrecall_domain.capture.worthiness import Worthiness, judge

_SIGHT = 40
_LETTERS_OF_AN_ACT = 5  # in Chinese
_ABOUT = word_set("in for inside within around under with on at across throughout regarding about near re outside")


def conditional(lesson: Lesson, text: str) -> Lesson:
    """*lesson* with a trigger that begins as a condition does, if its own words or *text* name a situation.

    Of a fact about the code that hints at a pattern it makes the general lesson.
    """
    if judge(text).worthiness is Worthiness.NEEDS_REVIEW:
        return _general(text)
    trigger = " ".join(lesson.trigger.split())
    language = script_of(text) or language_of(words_of(text))
    words = words_of(trigger)
    if language == "zh" and len(lesson.mistake) >= _LETTERS_OF_AN_ACT and not names_moment(trigger):
        return lesson._replace(trigger=f"{trigger}{lesson.mistake.removeprefix('直接')}时")
    if (
        language != "en"
        or begins("CONDITION", language, words)
        or trigger.lower().startswith(("when ", "whoever ", "anyone "))
    ):
        return lesson._replace(trigger=trigger)
    if words:
        return lesson._replace(trigger=when(text_of(words[1:] if words[0].low in _ABOUT and len(words) > 1 else words)))
    preferred = recognise(text) is not None
    trigger = _purpose(lesson) or _named(lesson, preferred=preferred) or ("" if preferred else _situation(lesson))
    return lesson._replace(
        trigger=trigger, action=_manner(lesson.action, trigger), mistake=_manner(lesson.mistake, trigger)
    )


def _manner(act: str, trigger: str) -> str:
    """What *act* says beyond *trigger*: "hash passwords with sha256", when hashing passwords, is to use sha256."""
    words = words_of(act)
    at = next((at for at in range(2, len(words) - 1) if words[at].low in {"with", "by", "via", "using"}), 0)
    if (
        not at
        or words[0].low in {"add", "create"}
        or f"when {gerund_of(words[0].low)} {text_of(words[1:at])}".lower() != trigger.lower()
    ):
        return act
    if is_gerund(words[at + 1].low):
        return f"{base_of(words[at + 1].low)} {text_of(words[at + 2 :])}".strip()
    return f"use {text_of(words[at + 1 :])}"


def _general(text: str) -> Lesson:
    import re  # noqa: PLC0415 -- for the rare fact that hints at a pattern

    return next((lesson for topic, lesson in TOPICS if re.search(topic, text[:400], re.IGNORECASE)), ANY)


def _purpose(lesson: Lesson) -> str:
    """What the act is for: "sleep to wait for the page" is done when waiting for the page."""
    for words in (words_of(lesson.mistake)[:_SIGHT], words_of(lesson.action)[:_SIGHT]):
        for at in range(1, len(words) - 1):
            if (
                words[at].low == "to"
                and is_verb(words[at + 1].low)
                and words[at + 1].low not in _PLAIN
                and words[0].low in _TOOLS
            ):
                rest = words[at + 2 :]
                end = next(
                    (place for place, word in enumerate(rest) if word.gap or word.low in {"and", "or", "with", "in"}),
                    len(rest),
                )
                return f"when {gerund_of(words[at + 1].low)} {text_of(rest[:end])}".strip()
    return ""


_TOOLS = word_set("use call run sleep rely reach")


def _named(lesson: Lesson, *, preferred: bool) -> str:  # noqa: C901 -- one sign a return, in their order
    """The situation that the words of *lesson* name; empty when they name none."""
    action, mistake = words_of(lesson.action)[:_SIGHT], words_of(lesson.mistake)[:_SIGHT]
    for words in (action, mistake):
        for at, word in enumerate(words[:-1]):
            if (word.low in {"every", "each", "any"} and not preferred) or (
                word.low == "new" and at and words is action
            ):
                thing = _thing(words, at + 1)
                if (
                    thing
                    and thing not in {"one", "project", "repo", "time", "ones", "single"}
                    and (word.low == "new" or _doing(words_of(thing)[-1].low))
                ):
                    return when(f"new {thing}" if word.low == "new" else thing)
            if word.low in {"when", "while", "before", "after"} and is_gerund(words[at + 1].low):
                return f"{word.low} {text_of(words[at + 1 :])}"
    for words in (action, mistake):
        if words is action and words and words[0].low in _PUTTING:
            continue  # where it goes is no situation
        for at in range(len(words) - 2, 0, -1):
            if words[at].low in {"in", "for"}:
                named = [word for word in words[at + 1 :] if word.low not in w.DETERMINERS]
                if {word.low for word in words[at + 1 : at + 3]} & {"one", "this", "that", "same"}:
                    break
                if named and len(named) <= 3 and _doing(named[-1].low):  # noqa: PLR2004 -- counts words
                    verb = base_of(words[0].low)
                    alone = at == 1 or words[1].low in w.PREPOSITIONS
                    if words is mistake and is_verb(verb) and verb not in _PLAIN and words[at].low == "in" and alone:
                        return f"when {gerund_of(verb)} in {text_of(named)}"
                    return when(text_of(named))
                break
    return ""


def _thing(words: list[Word], at: int) -> str:
    """The name of a thing at *at*, up to what is said of it."""
    found: list[Word] = []
    for word in words[at : at + 4]:
        if found and (
            word.gap
            or word.low in w.PREPOSITIONS
            or word.low in w.DETERMINERS
            or word.low in w.AUXILIARY
            or word.low in w.CONJUNCTIONS
        ):
            break
        found.append(word)
    return text_of(found)


_PUTTING = frozenset(("put", "move", "store", "place"))
_PLAIN = word_set(
    "use prefer keep put make do start stop go give take get set let be have try ensure wrap prefix add return pass"
    " avoid leave say tell include"
)
_EMPTY = w.PRONOUNS | w.CONJUNCTIONS | word_set("them him me us yourself to first even just only")


def _situation(lesson: Lesson) -> str:
    """The act without the manner that is wrong about it: "decode images on the main thread" when decoding images."""
    for act, plain in ((lesson.mistake, _PLAIN - {"add"}), (lesson.action, _PLAIN)):
        words = words_of(act)[:_SIGHT]
        verb = base_of(words[0].low) if words else ""
        manner = next((at for at in range(2, min(len(words), 7)) if words[at].low in w.PREPOSITIONS), 0)
        what = [word for word in words[1:manner] if word.low not in w.DETERMINERS]
        joined = any(word.gap or word.low in _EMPTY for word in what)
        if is_verb(verb) and verb not in plain and what and not joined and words[1].low not in w.PREPOSITIONS:
            return f"when {gerund_of(verb)} {text_of(words[1:manner])}"
    return ""


_NOMINAL = {
    "use": "using",
    "usage": "using",
    "access": "accessing",
    "change": "changing",
    "changes": "changing",
    "calls": "calling",
    "creation": "creating",
    "deletion": "deleting",
    "removal": "removing",
}


def _nominal(words: list[Word]) -> str:
    """For example "use of `any`": when using it."""
    doing = _NOMINAL.get(words[0].low, "") if len(words) > 2 and words[1].low in {"of", "to"} else ""  # noqa: PLR2004 -- "use of X"
    return f"when {doing} {text_of(words[2:])}" if doing else ""


def when(what: str) -> str:  # noqa: PLR0911 -- one sign a return, in their order
    """The condition that *what* names: "tests" becomes "when writing tests"."""
    words = words_of(what)
    while len(words) > 1 and words[0].low in {"a", "an", "every", "each", "any", "all"}:
        words = words[1:]
    what = text_of(words)
    if not what:
        return ""
    what = f"the{what[3:]}" if what.startswith("The ") else what
    if is_gerund(words[0].low) and len(words) > 1 and is_verb(base_of(words[0].low)):
        return f"when {what}"
    path = words[-1].text.rstrip("`*").endswith("/")
    if path and (len(words) == 1 or words[0].low in w.SOMEBODY):
        return f"when changing {what}"
    if words[0].low == "new" and len(words) > 1:
        return f"when {'creating' if _doing(words[-1].low) == 'creating' else 'adding'} {what}"
    if who := _nominal(words) or _relative(words):
        return who
    if words[0].low in w.SOMEBODY:
        return f"when handling {what}"
    # "A public function in the SDK" is about the function.
    head = next(
        (
            at
            for at, word in enumerate(words)
            if at and (word.low in w.PREPOSITIONS or word.low in {"that", "which", "who"})
        ),
        len(words),
    )
    for word in (*reversed(words[:head]), *reversed(words[head:])):
        if doing := _doing(word.low):
            return f"when {doing} {what}"
    many = words[head - 1].low.endswith("s") and not words[head - 1].low.endswith("ss")
    return f"when {'writing' if many else 'working on'} {what}"


def _relative(words: list[Word]) -> str:
    """For example "an effect that starts a timer": when an effect starts a timer."""
    at = next((place for place in range(1, len(words) - 1) if words[place].low in {"that", "which", "who"}), 0)
    if not at or at > 4:  # noqa: PLR2004 -- counts words
        return ""
    noun = text_of(words[:at])
    return f"when {noun} {text_of(words[at + 1 :])}"


def _doing(word: str) -> str:
    for part in (word, *word.split("-")[::-1]):
        bare = part.removesuffix("s")
        if (
            doing := DOING.get(part)
            or DOING.get(bare)
            or DOING.get(part.removesuffix("es"))
            or DOING.get(f"{bare[:-2]}y")
        ):
            return doing
    return ""
