"""Suggestions: the lessons that a finished turn seems to hold, found by its wording alone. Light, total.

The predecessor's first way of capture. It reads words and understands none, so it stores nothing and no hook uses it.
"""

from __future__ import annotations

from typing import NamedTuple

from agentrecall_domain.capture.category import classify
from agentrecall_domain.capture.extraction import Lesson, extract
from agentrecall_domain.capture.rewriting import conditional
from agentrecall_domain.capture.spoken import prose
from agentrecall_domain.capture.wishes import Wish, wish_in
from agentrecall_domain.capture.worthiness import SkipReason, Worthiness, judge
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.text.tokenizer import words

MOST = 5
LONGEST = 1000
"""Characters of one suggestion's words; a longer passage is no single lesson."""
SHORTEST = 4
"""Words under which nothing says both what and when."""


class Suggestion(NamedTuple):
    """A lesson that the words seem to hold."""

    said: str
    lesson: Lesson
    category: str
    confidence: float


class Suggested(NamedTuple):
    """What was found, and why nothing more."""

    suggestions: list[Suggestion]
    why: str


def suggest(prompt: str) -> Suggested:
    """The lessons in what the user said in a turn, at most five; none when they asked not to save."""
    if wish_in(prompt) is Wish.DO_NOT_SAVE:
        return Suggested([], "the user asked not to save it")
    passages = [passage for passage in _passages(scrub(prompt)) if len(words(passage)) >= SHORTEST]
    found = [suggestion for passage in passages if (suggestion := _suggestion(passage)) is not None]
    if found:
        return Suggested(found[:MOST], "")
    return Suggested([], judge(passages[0]).why if len(passages) == 1 else "nothing in it reads as a lesson")


def _passages(text: str) -> list[str]:
    """The paragraphs of what was said, without code and the words of others."""
    return [" ".join(part.split()) for part in prose(text).split("\n") if part.strip()]


def _suggestion(passage: str) -> Suggestion | None:
    judged = judge(passage)
    if (
        len(passage) > LONGEST
        or judged.worthiness is not Worthiness.WORTH_STORING
        or judged.skip is not SkipReason.NONE
    ):
        return None
    lesson = conditional(extract(passage), passage)
    # A bare wish for this turn ("rename the function") prescribes nothing for the next one.
    if not (lesson.trigger or lesson.mistake or lesson.reason):
        return None
    category, confidence = classify(passage, lesson)
    return Suggestion(passage, lesson, category, confidence)
