"""Measures: what an answer is worth against what was expected, and the floor that is worth most on the even half. Pure.

Precision@10 divides by ten, however few were found; the rest is as in `effectiveness.evaluation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import log2
from typing import NamedTuple

from benchmarks.retrieval.corpus import Question
from benchmarks.retrieval.searchers import Hit


class Answer(NamedTuple):
    """A question with the keys that were found for it, best first."""

    question: Question
    found: tuple[str, ...]


def precision_at(answer: Answer, most: int) -> float:
    """The share of *most* places that hold what was expected."""
    return _met(answer, most) / most


def hit_at(answer: Answer, most: int) -> float:
    """1 when anything expected is among the first *most*."""
    return float(_met(answer, most) > 0)


def recall_at(answer: Answer, most: int) -> float:
    """The share of what was expected that is among the first *most*."""
    return _met(answer, most) / len(answer.question.expected)


def reciprocal_rank(answer: Answer) -> float:
    """One over the place of the first that was expected; 0 without any."""
    places = (place for place, key in enumerate(answer.found, 1) if key in answer.question.expected)
    return 1.0 / next(places, float("inf"))


def all_at(answer: Answer, most: int) -> float:
    """1 when everything expected is among the first *most*."""
    return float(_met(answer, most) == len(answer.question.expected))


def ndcg_at(answer: Answer, most: int) -> float:
    """Discounted gain over the best that could be, as LongMemEval's own script has it.

    It discounts from the third place on: the second counts as much as the first.
    """
    gained = (float(key in answer.question.expected) for key in answer.found[:most])
    best = [1.0] * min(most, len(answer.question.expected))
    return _discounted(gained) / (_discounted(best) or 1.0)


def is_exact(answer: Answer) -> bool:
    """Whether exactly what was expected was found, in whatever order."""
    return set(answer.found) == answer.question.expected


def mean(values: Iterable[float]) -> float:
    """The mean, to four places; 0 of nothing."""
    found = list(values)
    return round(sum(found) / len(found), 4) if found else 0.0


def positive(answers: list[Answer]) -> list[Answer]:
    """Those that should find something."""
    return [one for one in answers if one.question.expected]


def negative(answers: list[Answer]) -> list[Answer]:
    """Those that should find nothing."""
    return [one for one in answers if not one.question.expected]


class Scored(NamedTuple):
    """A question with all that was found for it, whatever the score."""

    question: Question
    hits: list[Hit]

    def over(self, floor: float) -> Answer:
        """The answer when what scores less than *floor* is held back."""
        return Answer(self.question, tuple(hit.key for hit in self.hits if hit.score >= floor))


def best_floor(scored: list[Scored], worth: Callable[[list[Answer]], float]) -> float:
    """The floor with which the even questions are worth most; of equals the lowest."""
    even = [one for one in scored if not one.question.is_odd]
    floors = sorted({0.0, *(hit.score for one in even for hit in one.hits)})
    floors.append(floors[-1] + 1.0)
    return max(floors, key=lambda floor: worth([one.over(floor) for one in even]))


def _discounted(gains: Iterable[float]) -> float:
    return sum(gain / (log2(place) if place > 1 else 1.0) for place, gain in enumerate(gains, 1))


def _met(answer: Answer, most: int) -> int:
    return len(answer.question.expected.intersection(answer.found[:most]))
