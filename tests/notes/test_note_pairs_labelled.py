"""The duplicate check of notes on pairs labelled from the design alone, before there was code for them.

Even ids were looked at while the code was written, odd ids only counted.
"""

from __future__ import annotations

from collections import Counter

import pytest

from agentrecall_domain.notes.duplicate import judge, similarity
from agentrecall_domain.notes.judge import NoteVerdict
from agentrecall_domain.rules.duplicate import JUDGED
from notes.compared import pairs

LABELLED, TUNED = pairs("labelled/note_pairs.json"), pairs("tuned/note_pairs.json")
HALVES = [pytest.param({0, 1}, id="all"), pytest.param({0}, id="looked at"), pytest.param({1}, id="only counted")]


def test_the_labelled_set_is_large_enough_to_speak() -> None:
    assert Counter(label for _, label, _, _ in LABELLED) == dict.fromkeys(map(str, NoteVerdict), 20)


@pytest.mark.parametrize("half", HALVES)
def test_a_new_note_is_judged_right_and_no_distinct_one_is_lost(half: set[int]) -> None:
    judged = Counter((label, str(judge(old, new))) for number, label, old, new in LABELLED if number % 2 in half)

    macro, lost = _figures(judged)
    assert macro >= 0.75
    assert lost == 0


def test_the_pairs_that_the_check_was_built_on_stay_right() -> None:
    judged = Counter((label, str(judge(old, new))) for _, label, old, new in TUNED)

    macro, lost = _figures(judged)
    assert macro >= 0.9
    assert lost == 0


def test_what_is_judged_other_than_distinct_is_similar() -> None:
    for _, _, old, new in (*LABELLED, *TUNED):
        assert judge(old, new) is NoteVerdict.DISTINCT or similarity(old, new) >= JUDGED


def _figures(judged: Counter[tuple[str, str]]) -> tuple[float, int]:
    f1 = {verdict: _f1(judged, verdict) for verdict in map(str, NoteVerdict)}
    macro = sum(f1.values()) / len(f1)
    lost = sum(count for (label, verdict), count in judged.items() if label == "distinct" != verdict)
    parts = {name: round(one, 2) for name, one in f1.items()}
    print(f"\nnote verdicts: macro-F1 {macro:.3f}, distinct lost {lost}", parts)  # noqa: T201 -- the figures are the result
    return macro, lost


def _f1(judged: Counter[tuple[str, str]], verdict: str) -> float:
    right = judged[verdict, verdict]
    said = sum(count for (_, answer), count in judged.items() if answer == verdict)
    meant = sum(count for (label, _), count in judged.items() if label == verdict)
    return 2 * right / (said + meant)
