"""Recall on the project's own labelled set, written from the design before there were concepts and a ranking.

The even scenarios were looked at while the ranking was tuned, the odd ones only counted; those are held here. The same
figures come from `agentrecall eval --dataset benchmarks/rule_recall.json --half odd`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from agentrecall_admin.evaluation import throw_away
from agentrecall_domain.effectiveness.evaluation import Answered, answer, by_group, figures
from agentrecall_domain.effectiveness.labelled_set import LabelledSet, parse

DATASET = Path(__file__).parents[2] / "benchmarks" / "rule_recall.json"


@pytest.fixture(scope="module")
def answers() -> list[Answered]:
    whole = parse(DATASET.read_bytes())
    odd = tuple(scenario for scenario in whole.scenarios if int(scenario.id) % 2)
    counted: LabelledSet = whole.model_copy(update={"scenarios": odd})
    with throw_away(counted) as memory:
        return answer(counted, memory.shown)


def test_the_labelled_set_is_large_enough_to_speak(answers: list[Answered]) -> None:
    assert len(answers) >= 140
    assert sum(one.scenario.is_negative for one in answers) >= 30


def test_recall_brings_what_the_set_expects_and_is_quiet_where_it_expects_nothing(answers: list[Answered]) -> None:
    overall = figures(answers)

    print()  # noqa: T201 -- the figures are the result
    for name, row in {"overall": overall, **by_group(answers)}.items():
        count, *shares = row
        print(f"{name:24}{count:5}", *(f"{share:7.3f}" if share is not None else " " * 7 for share in shares))  # noqa: T201 -- the figures are the result
    assert (overall.precision_at_1 or 0) >= 0.55
    assert (overall.recall_at_5 or 0) >= 0.60
    assert (overall.negative_quiet or 0) >= 0.78
