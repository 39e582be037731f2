"""Feedback as developers type it, labelled by hand from the design alone: how much of it is read as a person would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentrecall_domain.capture.category import classify
from agentrecall_domain.capture.extraction import Lesson, extract
from agentrecall_domain.capture.rewriting import conditional
from agentrecall_domain.capture.worthiness import Worthiness, judge
from agentrecall_domain.text.tokenizer import terms

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = json.loads((HERE / "labelled" / "feedback.json").read_text("utf-8"))
TUNED = {"lessons.json": (0.96, 0.97, 0.58), "lessons3.json": (0.65, 0.58, 0.26)}
"""Cases that the words were tuned on: they measure nothing, and must not get worse: sorted right, three parts, all."""
WORTHINESS = {
    "worth_storing": Worthiness.WORTH_STORING,
    "needs_review": Worthiness.NEEDS_REVIEW,
    "not_worth_storing": Worthiness.NOT_WORTH_STORING,
}
RIGHT = 0.7
STRICTLY_RIGHT = 0.8
ALL_FOUR = 0.6
"""What must not get worse. The aim is 0.80, which only the even ids reach: those were read while the rules were
written. Of the others (see the printed figures) hardly a third has all four parts right. In cases by another hand
(`tuned/lessons3.json`) half of the triggers are the labeller's own words for a situation that the text only implies: no
rule that we tried for those, from the act or the mistake, was right more often than the empty trigger."""


def test_worthiness_and_category_are_those_of_a_careful_reader(capsys: pytest.CaptureFixture[str]) -> None:
    right = {case["id"]: is_sorted_right(case) for case in CASES}

    report(capsys, "worthiness and category", right)
    assert share(right) >= 0.88


def test_the_four_parts_are_those_of_a_careful_reader(capsys: pytest.CaptureFixture[str]) -> None:
    scores = {case["id"]: agreement(case) for case in lessons(CASES)}

    for at, name in enumerate(Lesson._fields):
        report(capsys, name, {case_id: score[at] >= RIGHT for case_id, score in scores.items()})
    report(capsys, "all four, strictly", {case_id: min(score) >= STRICTLY_RIGHT for case_id, score in scores.items()})
    right = {case_id: min(score) >= RIGHT for case_id, score in scores.items()}
    report(capsys, "all four", right)
    assert share(right) >= ALL_FOUR


@pytest.mark.parametrize("name", TUNED)
def test_what_was_read_rightly_stays_so(name: str) -> None:
    cases = json.loads((HERE / "tuned" / name).read_text("utf-8"))
    sorted_right = {case["id"]: is_sorted_right(case) for case in cases}
    parts = {case["id"]: sum(score >= RIGHT for score in agreement(case)) for case in lessons(cases)}

    well_sorted, three_parts, all_four = TUNED[name]
    assert share(sorted_right) >= well_sorted
    assert share({case_id: right >= len(Lesson._fields) - 1 for case_id, right in parts.items()}) >= three_parts
    assert share({case_id: right == len(Lesson._fields) for case_id, right in parts.items()}) >= all_four


def lessons(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [case for case in cases if case["kind"] in {"lesson", "preference"}]


def is_sorted_right(case: dict[str, Any]) -> bool:
    category, _ = classify(case["text"], extract(case["text"]))
    return (
        judge(case["text"]).worthiness is WORTHINESS[case["worthiness"]]
        and category.lower() == case["category"].lower()
    )


def agreement(case: dict[str, Any]) -> list[float]:
    lesson = conditional(extract(case["text"]), case["text"])
    return [f1(case[part], getattr(lesson, part)) for part in Lesson._fields]


def f1(wanted: str, found: str) -> float:
    """How far two texts agree in their content terms."""
    ours, theirs = set(terms(found)), set(terms(wanted))
    if not ours or not theirs:
        return float(ours == theirs)
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def share(right: dict[int, bool]) -> float:
    return sum(right.values()) / len(right)


def report(capsys: pytest.CaptureFixture[str], what: str, right: dict[int, bool]) -> None:
    even, odd = ({case_id: well for case_id, well in right.items() if case_id % 2 == rest} for rest in (0, 1))
    with capsys.disabled():
        print(f"\n{what}: {share(right):.2f} (even ids {share(even):.2f}, odd ids {share(odd):.2f})", end="")  # noqa: T201 -- the figures are what it is for
