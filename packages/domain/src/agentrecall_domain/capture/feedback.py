"""Explicit feedback: a person's own words into a rule, if they hold one. Light."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from agentrecall_domain.capture.category import LESSON_CONFIDENCE, PREFERENCE_CONFIDENCE, classify
from agentrecall_domain.capture.decision import CaptureOutcome, Decided, Evidence, decide
from agentrecall_domain.capture.extraction import Lesson, extract
from agentrecall_domain.capture.finalized import Outcome
from agentrecall_domain.capture.persist import PERSON, PersistStore, persist
from agentrecall_domain.capture.preference import Preference, chooses_language, recognise
from agentrecall_domain.capture.rewriting import conditional
from agentrecall_domain.capture.wishes import wish_in
from agentrecall_domain.capture.worthiness import Judged, SkipReason, Worthiness, judge
from agentrecall_domain.rules.rule import (
    LONGEST_TITLE,
    CaptureReason,
    Category,
    RuleContent,
    ScopeLevel,
    Status,
)
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.text.tokenizer import terms

LONGEST_FEEDBACK = 20_000
LESSON = Judged(Worthiness.WORTH_STORING, SkipReason.NONE, 1.0, "its parts are given by name")
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


class Considered(NamedTuple):
    """A piece of feedback, read and decided about: the rule that it would be, and what is to become of it."""

    content: RuleContent
    judged: Judged
    decided: Decided


def consider(
    text: str,
    given: Parts,
    where: Scope,
    *,
    tags: tuple[str, ...] = (),
    always: bool = False,
    accepted: bool = False,
    evidence: Evidence | None = None,
) -> Considered:
    """Read the rule in *text* and decide whether it is worth storing; named parts win over what is read.

    *accepted* means that the person wants it stored whatever it reads like. An action given by name is a lesson.

    Raises:
        EmptyFeedbackError: No word in it.
        LongFeedbackError: More than a lesson.
        InvalidRuleError: A part is over its limit.
    """
    if len(text) > LONGEST_FEEDBACK:
        raise LongFeedbackError
    text = scrub(text).strip()
    preference = recognise(given.action or text)
    if given.action and preference is not None and not preference.refused:
        preference = None
    judged = _judged(text, given, preference, accepted=accepted)
    lesson = conditional(extract(text), text)
    category, confidence = classify(text, lesson)
    if preference is not None:
        category, confidence = preference.category, PREFERENCE_CONFIDENCE
        lesson = lesson._replace(action=lesson.action or preference.sentence)
    elif given.action and category == Category.UNKNOWN:
        category, confidence = Category.ENGINEERING_LESSON, LESSON_CONFIDENCE
    seen = (evidence or Evidence())._replace(save=wish_in(text))
    decided = decide(judged, confidence, accepted=accepted, preference=preference is not None, evidence=seen)
    content = dataclasses.replace(
        _content(text, given, lesson, where, Category(category)),
        tags=tuple(dict.fromkeys(scrub(tag).strip().lower() for tag in tags if tag.strip())),
        always_apply=always or preference is not None,
        confidence=decided.confidence,
    )
    return Considered(content, judged, decided)


def _judged(text: str, given: Parts, preference: Preference | None, *, accepted: bool) -> Judged:
    """Whether it is worth storing: what nobody should keep is not, whatever the person says."""
    if preference is not None and preference.refused:
        return Judged(Worthiness.NOT_WORTH_STORING, SkipReason.NOT_REUSABLE, 1.0, preference.refused)
    if given.action:
        return LESSON
    if chooses_language(text):
        why = "in which language the agent answers is decided by each message"
        return Judged(Worthiness.NOT_WORTH_STORING, SkipReason.NOT_REUSABLE, 1.0, why)
    judged = judge(text)
    return judged._replace(worthiness=Worthiness.WORTH_STORING) if accepted else judged


def add(store: PersistStore, considered: Considered, project_id: int | None, *, pending: bool = False) -> Outcome:
    """Carry the decision out: nothing, a rule in force, or one that waits (*pending*: the person wants it to)."""
    if considered.decided.outcome is CaptureOutcome.SKIP:
        return Outcome("skipped", None, considered.decided.why)
    waits = pending or considered.decided.outcome is CaptureOutcome.SUGGEST_CAPTURE
    why = considered.decided.why if considered.decided.outcome is CaptureOutcome.SUGGEST_CAPTURE else ""
    status = Status.PENDING if waits else Status.ACTIVE
    return persist(store, considered.content, status, project_id, PERSON, why=why)


def _content(text: str, given: Parts, lesson: Lesson, where: Scope, category: Category) -> RuleContent:
    where = where._replace(value=scrub(where.value), globs=tuple(map(scrub, where.globs)))
    names_files = where.level in {ScopeLevel.FILE, ScopeLevel.DIRECTORY} or where.globs
    if category is Category.COMMUNICATION_PREFERENCE and not names_files:
        # How a person likes to be spoken to goes with them.
        where = Scope(ScopeLevel.GLOBAL, "", languages=where.languages)
    mistake = scrub(given.mistake) or lesson.mistake
    action = scrub(given.action) or lesson.action or (f"do not {mistake}" if mistake else "") or " ".join(text.split())
    if not terms(action):
        raise EmptyFeedbackError
    trigger = scrub(given.trigger) or lesson.trigger or _trigger(where, mistake)
    return RuleContent(
        title=_title(
            scrub(given.title) or (text if 0 < len(text) <= SHORT else f"{trigger}: {action}" if trigger else action)
        ),
        trigger=trigger,
        action=action,
        mistake=mistake,
        reason=scrub(given.reason) or lesson.reason,
        category=category,
        scope_level=where.level,
        scope_value=where.value,
        globs=where.globs,
        languages=tuple(language.lower() for language in where.languages),
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
