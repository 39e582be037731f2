from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.capture.decision import CaptureOutcome, Evidence, adjusted, decide
from agentrecall_domain.capture.wishes import Wish
from agentrecall_domain.capture.worthiness import Judged, SkipReason, Worthiness

LESSON = Judged(Worthiness.WORTH_STORING, SkipReason.NONE, 0.9, "a lesson")
HINT = Judged(Worthiness.NEEDS_REVIEW, SkipReason.NONE, 0.7, "hints at a pattern")
CODE_FACT = Judged(Worthiness.NOT_WORTH_STORING, SkipReason.CODE_FACT, 0.85, "a fact about the code")
PRAISE = Judged(Worthiness.NOT_WORTH_STORING, SkipReason.NOT_REUSABLE, 0.9, "praise")


def test_a_lesson_that_is_trusted_enough_is_captured() -> None:
    assert decide(LESSON, 0.5).outcome is CaptureOutcome.AUTO_CAPTURE


def test_a_lesson_that_is_not_is_proposed() -> None:
    assert decide(LESSON, 0.49).outcome is CaptureOutcome.SUGGEST_CAPTURE


def test_a_duplicate_is_skipped_and_reinforces_whatever_else_is_so() -> None:
    decided = decide(PRAISE, 0.9, duplicate=True, accepted=True)

    assert (decided.outcome, decided.skip, decided.reinforces) == (
        CaptureOutcome.SKIP,
        SkipReason.DUPLICATE_NOISE,
        True,
    )


def test_what_is_not_worth_it_is_skipped_with_its_own_reason() -> None:
    decided = decide(PRAISE, 0.9, accepted=True)

    assert (decided.outcome, decided.skip, decided.reinforces) == (CaptureOutcome.SKIP, SkipReason.NOT_REUSABLE, False)


def test_acceptance_captures_even_where_approval_is_wanted() -> None:
    assert decide(LESSON, 0.1, accepted=True, approval_wanted=True).outcome is CaptureOutcome.AUTO_CAPTURE


def test_where_approval_is_wanted_a_lesson_waits_for_it() -> None:
    assert decide(LESSON, 0.9, approval_wanted=True).outcome is CaptureOutcome.SUGGEST_CAPTURE


def test_what_hints_at_a_pattern_is_for_a_person_to_review() -> None:
    assert decide(HINT, 0.9).outcome is CaptureOutcome.SUGGEST_CAPTURE


def test_a_wish_not_to_save_wins_over_everything() -> None:
    decided = decide(LESSON, 0.9, duplicate=True, accepted=True, evidence=Evidence(save=Wish.DO_NOT_SAVE))

    assert (decided.outcome, decided.skip, decided.reinforces) == (
        CaptureOutcome.SKIP,
        SkipReason.EXPLICIT_DO_NOT_SAVE,
        False,
    )


def test_a_wish_to_save_is_acceptance_but_makes_no_lesson_of_a_code_fact() -> None:
    wish = Evidence(save=Wish.SAVE)

    assert decide(LESSON, 0.1, approval_wanted=True, evidence=wish).outcome is CaptureOutcome.AUTO_CAPTURE
    assert decide(CODE_FACT, 0.1, evidence=wish).outcome is CaptureOutcome.SUGGEST_CAPTURE


def test_a_lesson_against_a_rule_in_force_is_proposed() -> None:
    assert decide(LESSON, 0.9, evidence=Evidence(conflicts=True)).outcome is CaptureOutcome.SUGGEST_CAPTURE


@pytest.mark.parametrize(
    ("evidence", "confidence"),
    [
        pytest.param(Evidence(), 0.3, id="nothing seen"),
        pytest.param(Evidence(observed_failure=True), 0.45, id="a failure"),
        pytest.param(Evidence(user_correction=True), 0.4, id="a correction"),
        pytest.param(Evidence(review_accepted=True), 0.45, id="an accepted review"),
        pytest.param(Evidence(test_failed_then_fixed=True), 0.45, id="a test that failed and was fixed"),
        pytest.param(Evidence(corrections=1), 0.3, id="the first correction is no repeat"),
        pytest.param(Evidence(corrections=2), 0.4, id="the second is"),
        pytest.param(Evidence(prior_mistakes=1), 0.4, id="a mistake made before"),
        pytest.param(Evidence(corrections=9, prior_mistakes=9), 0.6, id="repeats are worth 0.30 at most"),
    ],
)
def test_what_was_seen_raises_the_confidence(evidence: Evidence, confidence: float) -> None:
    assert decide(LESSON, 0.3, evidence=evidence).confidence == confidence


def test_a_preference_is_never_adjusted() -> None:
    assert decide(LESSON, 0.9, preference=True, evidence=Evidence(observed_failure=True)).confidence == 0.9


@given(
    st.floats(0, 1),
    st.builds(Evidence, st.booleans(), st.booleans(), st.booleans(), st.booleans(), st.integers(), st.integers()),
)
def test_evidence_never_lowers_confidence_and_never_lifts_it_over_one(confidence: float, evidence: Evidence) -> None:
    assert round(confidence, 4) <= adjusted(confidence, evidence) <= 1
