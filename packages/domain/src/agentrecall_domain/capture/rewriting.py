"""Rewriting: a lesson's trigger as a condition, where its words name the situation. Light, total, deterministic."""

from __future__ import annotations

from agentrecall_domain.capture import clause_words as w
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
_ABOUT = word_set("in for inside within around under with on at across throughout regarding about near re outside")


def conditional(lesson: Lesson, text: str) -> Lesson:
    """*lesson* with a trigger that begins as a condition does, if its own words or *text* name a situation.

    Of a fact about the code that hints at a pattern it makes the general lesson.
    """
    if judge(text).worthiness is Worthiness.NEEDS_REVIEW:
        return _general(text)
    trigger = " ".join(lesson.trigger.split())
    language = language_of(words_of(text))
    words = words_of(trigger)
    if (
        begins("CONDITION", language, words)
        or language != "en"
        or trigger.lower().startswith(("when ", "whoever ", "anyone "))
    ):
        return lesson._replace(trigger=trigger)
    if words:
        return lesson._replace(trigger=when(text_of(words[1:] if words[0].low in _ABOUT and len(words) > 1 else words)))
    return lesson._replace(
        trigger=_purpose(lesson)
        or _named(lesson, preferred=recognise(text) is not None)
        or ("" if recognise(text) else _situation(lesson))
    )


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


def _named(lesson: Lesson, *, preferred: bool) -> str:  # noqa: C901, PLR0912 -- one sign a return, in their order
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
                    return f"when adding {thing}" if word.low == "new" else when(thing)
            if word.low in {"when", "while", "before", "after"} and is_gerund(words[at + 1].low):
                return f"{word.low} {text_of(words[at + 1 :])}"
    for words in (action, mistake):
        if words is action and words and words[0].low in _PUTTING:
            continue  # where it goes is no situation
        for at in range(len(words) - 2, 0, -1):
            if words[at].low in {"in", "for"}:
                named = [word for word in words[at + 1 :] if word.low not in w.DETERMINERS]
                if words[at + 1].low in {"one", "this", "that"}:
                    break
                if named and len(named) <= 3 and _doing(named[-1].low):  # noqa: PLR2004 -- counts words
                    verb = base_of(words[0].low)
                    alone = at == 1 or words[1].low in w.PREPOSITIONS
                    if words is mistake and is_verb(verb) and verb not in _PLAIN and words[at].low == "in" and alone:
                        return f"when {gerund_of(verb)} in {text_of(named)}"
                    return when(text_of(named))
                if len(named) > 1 and is_gerund(named[0].low) and words[at].low == "for":
                    return f"when {text_of(named)}"
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
    " avoid leave say tell"
)
_MEANS = word_set("with via through using by")


def _situation(lesson: Lesson) -> str:
    """The situation in which one would do what the lesson is about: comparing floats, waiting for a page."""
    action, mistake = words_of(lesson.action)[:_SIGHT], words_of(lesson.mistake)[:_SIGHT]
    for words in (mistake, action):
        if len(words) < 3 or not is_verb(base_of(words[0].low)):  # noqa: PLR2004 -- counts words
            continue
        verb = base_of(words[0].low)
        if verb in _PLAIN:
            continue
        for at in range(2, min(len(words), 7)):
            if words[at].low in _MEANS and words[1].low not in w.PREPOSITIONS:
                what = [word for word in words[1:at] if word.low not in w.DETERMINERS]
                if (
                    what
                    and len(what) <= 3  # noqa: PLR2004 -- counts words
                    and what[0].low not in {"it", "them", "this", "that", "what", "everything", "one"}
                ):
                    return f"when {gerund_of(verb)} {text_of(what)}"
                break
    return ""


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
    if words[0].low == "new" and len(words) > 1:
        return f"when adding {text_of(words[1:])}"
    if who := _relative(words):
        return who
    if len(words) > 1 and words[-1].low in {"side", "part", "layer"}:
        return f"when working on the {what.removeprefix('the ')}"
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
    return f"when working on {what}"


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
