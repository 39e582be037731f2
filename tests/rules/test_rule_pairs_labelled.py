"""The duplicate check and the conflict finder on pairs labelled from the design alone, before there was code for them.

Even ids were looked at while the code was written, odd ids only counted.
"""

from __future__ import annotations

from collections import Counter

import pytest

from agentrecall_domain.rules.conflict import find_conflict
from agentrecall_domain.rules.duplicate import JUDGED, Verdict, judge, similarity
from rules.held import from_parts, labelled

PAIRS = labelled("rule_pairs.json")
CONFLICTS = labelled("conflict_pairs.json")
HALVES = [pytest.param({0, 1}, id="all"), pytest.param({0}, id="looked at"), pytest.param({1}, id="only counted")]


def test_the_labelled_sets_are_large_enough_to_speak() -> None:
    assert Counter(case["verdict"] for case in PAIRS) == dict.fromkeys(map(str, Verdict), 20)
    assert Counter(case["conflict"] for case in CONFLICTS) == {True: 30, False: 30}


@pytest.mark.parametrize("half", HALVES)
def test_a_new_rule_is_judged_right_and_no_distinct_one_is_lost(half: set[int]) -> None:
    judged = Counter(
        (case["verdict"], str(judge(from_parts(case["existing"], 1), from_parts(case["new"], 2))))
        for case in PAIRS
        if case["id"] % 2 in half
    )

    f1 = {verdict: _f1(judged, verdict) for verdict in map(str, Verdict)}
    macro = sum(f1.values()) / len(f1)
    lost = sum(count for (label, verdict), count in judged.items() if label == "distinct" != verdict)
    print(f"\nverdicts: macro-F1 {macro:.3f}, distinct lost {lost}", {name: round(one, 2) for name, one in f1.items()})  # noqa: T201 -- the figures are the result
    assert macro >= 0.75
    assert lost == 0


@pytest.mark.parametrize("half", HALVES)
def test_conflicts_are_found_and_few_others(half: set[int]) -> None:
    found = Counter(
        (case["conflict"], find_conflict(from_parts(case["a"], 1), from_parts(case["b"], 2)) is not None)
        for case in CONFLICTS
        if case["id"] % 2 in half
    )

    precision = found[True, True] / (found[True, True] + found[False, True])
    recall = found[True, True] / (found[True, True] + found[True, False])
    print(f"\nconflicts: precision {precision:.3f}, recall {recall:.3f}")  # noqa: T201 -- the figures are the result
    assert precision >= 0.9
    assert recall >= (0.7 if 0 in half else 0.55)


def test_what_is_judged_other_than_distinct_is_similar() -> None:
    for case in PAIRS:
        existing, new = from_parts(case["existing"], 1), from_parts(case["new"], 2)
        assert judge(existing, new) is Verdict.DISTINCT or similarity(existing, new) >= JUDGED


def _f1(judged: Counter[tuple[str, str]], verdict: str) -> float:
    right = judged[verdict, verdict]
    said = sum(count for (_, answer), count in judged.items() if answer == verdict)
    meant = sum(count for (label, _), count in judged.items() if label == verdict)
    return 2 * right / (said + meant)
