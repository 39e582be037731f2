"""Evaluation: how well recall brings what a labelled set expects. Pure.

Precision@k is the share of the first k shown that were expected, over those shown when they are fewer; nothing shown
counts as 0. Recall@5 is the share of the expected among the first five. MRR is the mean of one over the place of the
first expected rule. All are means over the scenarios that expect something; quiet is the share of the others in which
nothing was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from agentrecall_domain.effectiveness.labelled_set import Baseline, LabelledSet, Scenario


class Answered(NamedTuple):
    """A scenario with the keys that recall showed for it, best first."""

    scenario: Scenario
    shown: tuple[str, ...]


class Figures(NamedTuple):
    """What a set of answers is worth; a figure is None where no scenario could give it."""

    scenarios: int
    precision_at_1: float | None
    precision_at_3: float | None
    recall_at_5: float | None
    mrr: float | None
    negative_quiet: float | None


def answer(labelled: LabelledSet, recall: Callable[[Scenario], Iterable[str]]) -> list[Answered]:
    """Ask *recall* for every scenario; always-apply rules are not counted as shown."""
    standing = {rule.key for rule in labelled.rules if rule.always_apply}
    return [
        Answered(scenario, tuple(key for key in recall(scenario) if key not in standing))
        for scenario in labelled.scenarios
    ]


def figures(answers: list[Answered]) -> Figures:
    """The figures over *answers*."""
    positive = [one for one in answers if not one.scenario.is_negative]
    negative = [one for one in answers if one.scenario.is_negative]
    return Figures(
        len(answers),
        _mean([_precision(one, 1) for one in positive]),
        _mean([_precision(one, 3) for one in positive]),
        _mean([_found(one, 5) / len(one.scenario.expected) for one in positive]),
        _mean([_reciprocal_rank(one) for one in positive]),
        _mean([float(not one.shown) for one in negative]),
    )


def by_group(answers: list[Answered]) -> dict[str, Figures]:
    """The figures of each kind of scenario."""
    names = sorted({one.scenario.group or one.scenario.kind for one in answers})
    return {
        name: figures([one for one in answers if (one.scenario.group or one.scenario.kind) == name]) for name in names
    }


def missed(found: Figures, baseline: Baseline) -> list[str]:
    """What lies under the baseline, in words."""
    wanted = baseline.model_dump()
    return [
        f"{name} {getattr(found, name):.3f} is under {least:.3f}"
        for name, least in wanted.items()
        if getattr(found, name) is not None and getattr(found, name) < least
    ]


def _found(one: Answered, most: int) -> int:
    return len(set(one.shown[:most]).intersection(one.scenario.expected))


def _precision(one: Answered, most: int) -> float:
    return _found(one, most) / len(one.shown[:most]) if one.shown else 0.0


def _reciprocal_rank(one: Answered) -> float:
    places = [place for place, key in enumerate(one.shown, start=1) if key in one.scenario.expected]
    return 1.0 / places[0] if places else 0.0


def _mean(values: list[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
