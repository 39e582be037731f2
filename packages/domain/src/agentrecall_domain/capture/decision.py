"""The capture decision: whether explicit feedback is stored, proposed or skipped, and how far it is trusted. Light."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from agentrecall_domain.capture.wishes import Wish
from agentrecall_domain.capture.worthiness import Judged, SkipReason, Worthiness

CAPTURE_CONFIDENCE = 0.5
"""From here on a lesson is stored without being proposed first."""

OBSERVED_FAILURE = 0.15
USER_CORRECTION = 0.10
REVIEW_ACCEPTED = 0.15
TEST_FAILED_THEN_FIXED = 0.15
REPEAT = 0.10
MOST_FOR_REPEATS = 0.30


class CaptureOutcome(StrEnum):
    """What becomes of a piece of feedback."""

    AUTO_CAPTURE = "AutoCapture"
    SUGGEST_CAPTURE = "SuggestCapture"
    SKIP = "Skip"


class Evidence(NamedTuple):
    """What was seen of the work that a lesson came from."""

    observed_failure: bool = False
    user_correction: bool = False
    review_accepted: bool = False
    test_failed_then_fixed: bool = False
    corrections: int = 0
    prior_mistakes: int = 0
    save: Wish = Wish.NONE
    conflicts: bool = False

    @property
    def repeats(self) -> int:
        """How often this was said or done wrong again: the first correction is none."""
        return max(self.corrections - 1, 0) + max(self.prior_mistakes, 0)


class Decided(NamedTuple):
    """The decision, the confidence that it rests on, and why in words for a person."""

    outcome: CaptureOutcome
    skip: SkipReason
    confidence: float
    reinforces: bool
    why: str


def decide(  # noqa: PLR0911 -- one reason a return, in their order
    judged: Judged,
    confidence: float,
    *,
    duplicate: bool = False,
    accepted: bool = False,
    approval_wanted: bool = False,
    preference: bool = False,
    evidence: Evidence | None = None,
) -> Decided:
    """Decide about one lesson; the first reason that applies decides.

    A person's wish that nothing be saved comes before everything else, also before their own acceptance.
    """
    seen = evidence or Evidence()
    trusted = confidence if preference else adjusted(confidence, seen)
    accepted = accepted or seen.save is Wish.SAVE

    if seen.save is Wish.DO_NOT_SAVE:
        return _skip(SkipReason.EXPLICIT_DO_NOT_SAVE, trusted, "the person asked not to save this")
    if duplicate:
        return _skip(SkipReason.DUPLICATE_NOISE, trusted, "an equal rule exists and is reinforced")._replace(
            reinforces=True
        )
    if judged.worthiness is Worthiness.NOT_WORTH_STORING:
        if judged.skip is SkipReason.CODE_FACT and seen.save is Wish.SAVE:
            return _suggest(trusted, "a fact about the code, but the person asked to save it")
        return _skip(judged.skip, trusted, judged.why)
    if accepted:
        return Decided(CaptureOutcome.AUTO_CAPTURE, SkipReason.NONE, trusted, reinforces=False, why="accepted")
    if approval_wanted:
        return _suggest(trusted, "new rules wait for approval")
    if seen.conflicts:
        return _suggest(trusted, "it contradicts a rule in force")
    if judged.worthiness is Worthiness.NEEDS_REVIEW:
        return _suggest(trusted, judged.why)
    if trusted >= CAPTURE_CONFIDENCE:
        return Decided(
            CaptureOutcome.AUTO_CAPTURE, SkipReason.NONE, trusted, reinforces=False, why=f"confidence {trusted:.2f}"
        )
    return _suggest(trusted, f"confidence {trusted:.2f} is under {CAPTURE_CONFIDENCE:.2f}")


def adjusted(confidence: float, evidence: Evidence) -> float:
    """*confidence* raised by what was seen; at most 1."""
    raised = confidence
    raised += OBSERVED_FAILURE if evidence.observed_failure else 0.0
    raised += USER_CORRECTION if evidence.user_correction else 0.0
    raised += REVIEW_ACCEPTED if evidence.review_accepted else 0.0
    raised += TEST_FAILED_THEN_FIXED if evidence.test_failed_then_fixed else 0.0
    raised += min(REPEAT * evidence.repeats, MOST_FOR_REPEATS)
    return round(min(raised, 1.0), 4)


def _skip(reason: SkipReason, confidence: float, why: str) -> Decided:
    return Decided(CaptureOutcome.SKIP, reason, confidence, reinforces=False, why=why)


def _suggest(confidence: float, why: str) -> Decided:
    return Decided(CaptureOutcome.SUGGEST_CAPTURE, SkipReason.NONE, confidence, reinforces=False, why=why)
