"""Explicit feedback: a person's own words into a rule. Cold."""

from __future__ import annotations

from typing import NamedTuple

from agentrecall_domain.capture.extraction import extract
from agentrecall_domain.rules.rule import LONGEST_TITLE, CaptureReason, Category, RuleContent, ScopeLevel
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.text.tokenizer import terms

LONGEST_FEEDBACK = 20_000
PERSONS_CONFIDENCE = 0.9
"""What a person says in so many words is trusted more than what is inferred."""


SHORT = 100
"""Characters of feedback that are a title as they stand."""


class Parts(NamedTuple):
    """The parts of a rule that the person gave by name; an empty one is read out of the text."""

    trigger: str = ""
    action: str = ""
    mistake: str = ""
    reason: str = ""
    title: str = ""


class Scope(NamedTuple):
    """Where the person wants the rule to hold."""

    level: ScopeLevel
    value: str
    globs: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


class EmptyFeedbackError(ValueError):
    """There is nothing in the feedback that could be a rule."""


class LongFeedbackError(ValueError):
    """The feedback is over 20,000 characters."""


def rule_from(
    text: str, given: Parts, where: Scope, *, tags: tuple[str, ...] = (), always: bool = False
) -> RuleContent:
    """Make the rule that *text* asks for; named parts win over what is read out of it.

    Raises:
        EmptyFeedbackError: No word in it.
        LongFeedbackError: More than a lesson.
    """
    if len(text) > LONGEST_FEEDBACK:
        raise LongFeedbackError
    text = scrub(text).strip()
    where = where._replace(value=scrub(where.value), globs=tuple(map(scrub, where.globs)))
    found = extract(text)
    action = scrub(given.action) or found.action
    if not terms(action):
        raise EmptyFeedbackError
    mistake = scrub(given.mistake) or found.mistake
    trigger = scrub(given.trigger) or found.trigger or _trigger(where, mistake)
    return RuleContent(
        title=_title(
            scrub(given.title) or (text if len(text) <= SHORT else f"{trigger}: {action}" if trigger else action)
        ),
        trigger=trigger,
        action=action,
        mistake=mistake,
        reason=scrub(given.reason) or found.reason,
        category=Category.ENGINEERING_LESSON,
        scope_level=where.level,
        scope_value=where.value,
        globs=where.globs,
        languages=tuple(language.lower() for language in where.languages),
        tags=tuple(dict.fromkeys(scrub(tag).strip().lower() for tag in tags if tag.strip())),
        always_apply=always,
        confidence=PERSONS_CONFIDENCE,
        capture_reason=CaptureReason.MANUAL_FEEDBACK,
        evidence=text,
    )


def _trigger(where: Scope, mistake: str) -> str:
    if where.level in {ScopeLevel.FILE, ScopeLevel.DIRECTORY}:
        return f"when working on {where.value}"
    if where.globs:
        return f"when working on {', '.join(where.globs)}"
    # One word ("npm") is a thing, not something that one is about to do.
    return f"when about to {mistake}" if len(mistake.split()) > 1 else ""


def _title(text: str) -> str:
    flat = " ".join(text.split())
    if len(flat) > LONGEST_TITLE:
        flat = flat[: LONGEST_TITLE - 1].rsplit(" ", 1)[0] + "…"
    return flat[:1].upper() + flat[1:]
