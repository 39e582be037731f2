"""Evaluation: each set through the product and through the plain searchers, in the figures that its benchmark uses.

Recall's gate and floor are off where the question is how well it ranks, and on where it is whether it keeps silent;
exact sets are had with the floor and without the gate. Beside that stands what comes over the floor whatever the text
says, and what a prompt brings, with both.
Figures are of all questions and of the odd ones: what was tuned, here or in the product, was tuned on the even ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from agentrecall_admin.evaluation import throw_away
from agentrecall_domain.effectiveness.evaluation import Answered, Figures, answer, figures
from benchmarks.retrieval import cosqa, devbench, locomo, longmemeval, precisionmembench, rule_recall, rule_routing
from benchmarks.retrieval.corpus import Corpus, Question
from benchmarks.retrieval.measures import (
    Answer,
    Scored,
    all_at,
    best_floor,
    hit_at,
    is_exact,
    mean,
    ndcg_at,
    negative,
    positive,
    precision_at,
    recall_at,
    reciprocal_rank,
)
from benchmarks.retrieval.notes import AS_NOTES, NoteProduct, note_product
from benchmarks.retrieval.product import NAME, Product, product
from benchmarks.retrieval.searchers import PLAIN, Searcher

ALL, ODD = "all", "odd"
HALVES: dict[str, Callable[[Question], bool]] = {ALL: lambda _: True, ODD: lambda question: question.is_odd}
MOST_SHOWN = 5
"""So many rules a prompt brings; a plain searcher with a floor may bring as many."""
EVERYTHING = 1000
MOST_RANKED = 20
"""So many places of a ranking count for its MRR."""

NO_GATE, AT_PROMPT = f"{NAME}, floor alone", f"{NAME}, at a prompt"
NOTES_AT_PROMPT = f"{AS_NOTES}, at a prompt"


class Row(NamedTuple):
    """What one searcher is worth on one half of a set; *floor* is the one that was tuned for it, if any."""

    setting: str
    searcher: str
    half: str
    questions: int
    figures: dict[str, float]
    floor: float | None = None


def of_rule_recall(_: Path) -> Iterator[Row]:
    """Our own labelled set, its odd half."""
    labelled = rule_recall.load()
    scenarios = {int(scenario.id): scenario for scenario in labelled.scenarios}
    with throw_away(labelled) as recalled:
        answered = [one for one in answer(labelled, recalled.shown) if int(one.scenario.id) % 2]
    yield Row("", NAME, ODD, len(answered), _named(figures(answered)))

    def measured(answers: list[Answer]) -> Figures:
        return figures([Answered(scenarios[one.question.number], one.found) for one in answers])

    corpora = rule_recall.corpora(labelled)
    for name, scored in _plainly_scored(corpora, MOST_SHOWN):
        floor = best_floor(scored, lambda answers: _balance(measured(answers)))
        odd = [one for one in scored if one.question.is_odd]
        for title, least in ((f"{name}, best floor", floor), (name, None)):
            found = measured([one.over(least or 0.0) for one in odd])
            yield Row("", title, ODD, len(odd), _named(found), least)


def of_rule_routing(data: Path) -> Iterator[Row]:
    """Descriptions to the rules of their files: P@10 and hit@10, and what the product's memory costs."""
    for setting, corpus in rule_routing.load(data).items():
        begun = time.perf_counter()
        with product(corpus.documents, compared=False) as memory:
            stored_s = time.perf_counter() - begun
            answers, spent_ms = _timed(corpus, memory)
        costs = {"seconds to store": round(stored_s, 1), "ms a question": round(median(spent_ms), 1)}
        for row in _rows(setting, NAME, answers, _routed):
            yield row._replace(figures=row.figures | costs)
        yield from _rows(setting, AS_NOTES, _ranked_as_notes([corpus], 10), _routed)
        for name, scored in _plainly_scored([corpus], 10):
            yield from _rows(setting, name, [one.over(0.0) for one in scored], _routed)


def of_devbench(data: Path) -> Iterator[Row]:
    """R@5 over the questions that have an answer, and how many of the others bring nothing."""
    corpus = devbench.load(data)
    with product(corpus.documents) as memory:
        ranked = [Answer(one, tuple(hit.key for hit in memory.search(one.text, 10))) for one in corpus.questions]
        shown, gated = (_shown(corpus, memory, gated=is_gated) for is_gated in (False, True))
    yield from _rows("", NAME, positive(ranked) + negative(gated), _remembered)
    yield from _rows("", NO_GATE, shown, _remembered)
    yield from _rows("", AT_PROMPT, gated, _remembered)
    with note_product(corpus.documents) as memory_of_notes:
        silent = _shown(corpus, memory_of_notes, gated=True)
        yield from _rows("", NOTES_AT_PROMPT, silent, _remembered)
    yield from _rows("", AS_NOTES, positive(_ranked_as_notes([corpus], 10)) + negative(silent), _remembered)
    for name, scored in _plainly_scored([corpus], 10):
        yield from _rows("", name, [one.over(0.0) for one in scored], _remembered)
        floor = best_floor(scored, lambda answers: mean(list(_remembered_shares(answers))))
        yield from _rows("", f"{name}, best floor", [one.over(floor) for one in scored], _remembered, floor)


def of_precisionmembench(data: Path) -> Iterator[Row]:
    """How often exactly the expected set is brought, and how often nothing where nothing is expected."""
    corpora = precisionmembench.load(data)
    shown: list[Answer] = []
    gated: list[Answer] = []
    notes: list[Answer] = []
    silent: list[Answer] = []
    for corpus in corpora:
        with product(corpus.documents) as memory:
            shown += _shown(corpus, memory, gated=False)
            gated += _shown(corpus, memory, gated=True)
        with note_product(corpus.documents) as memory_of_notes:
            notes += _shown(corpus, memory_of_notes, gated=False)
            silent += _shown(corpus, memory_of_notes, gated=True)
    yield from _rows("", NAME, positive(shown) + negative(gated), _exactly)
    yield from _rows("", NO_GATE, shown, _exactly)
    yield from _rows("", AT_PROMPT, gated, _exactly)
    yield from _rows("", AS_NOTES, positive(notes) + negative(silent), _exactly)
    for name, scored in _plainly_scored(corpora, EVERYTHING):
        yield from _rows("", name, [one.over(0.0) for one in scored], _exactly)
        floor = best_floor(scored, lambda answers: mean(float(is_exact(one)) for one in answers))
        yield from _rows("", f"{name}, best floor", [one.over(floor) for one in scored], _exactly, floor)


def of_notes(load: Callable[[Path], list[Corpus]], data: Path) -> Iterator[Row]:
    """How well documents that are notes are ranked: R@5, R@10 and MRR."""
    corpora = load(data)
    yield from _rows("", NAME, _ranked_as_notes(corpora, MOST_RANKED), _ranked)
    for name, scored in _plainly_scored(corpora, MOST_RANKED):
        yield from _rows("", name, [one.over(0.0) for one in scored], _ranked)


def of_longmemeval(data: Path) -> Iterator[Row]:
    """The figures of LongMemEval's own script."""
    corpora = longmemeval.load(data)
    yield from _rows("", NAME, _ranked_as_notes(corpora, MOST_RANKED), _officially)
    for name, scored in _plainly_scored(corpora, MOST_RANKED):
        yield from _rows("", name, [one.over(0.0) for one in scored], _officially)


SETS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "rule-recall": of_rule_recall,
    "rule-routing": of_rule_routing,
    "devbench": of_devbench,
    "precisionmembench": of_precisionmembench,
    "locomo-turns": partial(of_notes, lambda data: locomo.load(data)["turns"]),
    "locomo-sessions": partial(of_notes, lambda data: locomo.load(data)["sessions"]),
    "cosqa": partial(of_notes, lambda data: [cosqa.load(data)]),
    "longmemeval": of_longmemeval,
}


def _plainly_scored(corpora: list[Corpus], most: int) -> Iterator[tuple[str, list[Scored]]]:
    """Each plain searcher with what it finds for every question of *corpora*."""
    for name, kind in PLAIN.items():
        scored = []
        for corpus in corpora:
            with kind(corpus.documents) as searcher:
                scored += [Scored(question, searcher.search(question.text, most)) for question in corpus.questions]
        yield name, scored


def _ranked_as_notes(corpora: list[Corpus], most: int) -> list[Answer]:
    answers = []
    for corpus in corpora:
        with note_product(corpus.documents) as memory:
            answers += [
                Answer(one, tuple(hit.key for hit in memory.search(one.text, most))) for one in corpus.questions
            ]
    return answers


def _shown(corpus: Corpus, memory: Product | NoteProduct, *, gated: bool) -> list[Answer]:
    return [Answer(question, tuple(memory.shown(question.text, gated=gated))) for question in corpus.questions]


def _timed(corpus: Corpus, searcher: Searcher) -> tuple[list[Answer], list[float]]:
    answers, spent_ms = [], []
    for question in corpus.questions:
        begun = time.perf_counter()
        hits = searcher.search(question.text, 10)
        spent_ms.append((time.perf_counter() - begun) * 1000)
        answers.append(Answer(question, tuple(hit.key for hit in hits)))
    return answers, spent_ms


def _rows(
    setting: str,
    name: str,
    answers: list[Answer],
    measured: Callable[[list[Answer]], dict[str, float]],
    floor: float | None = None,
) -> Iterator[Row]:
    for half, is_of in HALVES.items():
        found = [one for one in answers if is_of(one.question)]
        yield Row(setting, name, half, len(found), measured(found), floor)


def _named(found: Figures) -> dict[str, float]:
    _, *values = found
    names = ("P@1", "P@3", "R@5", "MRR", "quiet")
    return {name: value for name, value in zip(names, values, strict=True) if value is not None}


def _balance(found: Figures) -> float:
    """What a floor is chosen by: to be right first counts as much as to be silent."""
    return (found.precision_at_1 or 0.0) + (found.negative_quiet or 0.0)


def _routed(answers: list[Answer]) -> dict[str, float]:
    return {
        "P@10": mean(precision_at(one, 10) for one in answers),
        "hit@10": mean(hit_at(one, 10) for one in answers),
    }


def _remembered(answers: list[Answer]) -> dict[str, float]:
    expected, others = positive(answers), negative(answers)
    return {
        "R@5": mean(recall_at(one, 5) for one in expected),
        "MRR": mean(reciprocal_rank(one) for one in expected),
        "empty": sum(not one.found for one in others),
        "of": len(others),
    }


def _remembered_shares(answers: list[Answer]) -> tuple[float, float]:
    found = _remembered(answers)
    return found["R@5"], found["empty"] / (found["of"] or 1)


def _exactly(answers: list[Answer]) -> dict[str, float]:
    expected, others = positive(answers), negative(answers)
    return {
        "exact": sum(map(is_exact, expected)),
        "of": len(expected),
        "empty": sum(map(is_exact, others)),
        "of empty": len(others),
    }


def _ranked(answers: list[Answer]) -> dict[str, float]:
    return {
        "R@5": mean(recall_at(one, 5) for one in answers),
        "R@10": mean(recall_at(one, 10) for one in answers),
        "MRR": mean(reciprocal_rank(one) for one in answers),
    }


def _officially(answers: list[Answer]) -> dict[str, float]:
    official = {"recall_any": hit_at, "recall_all": all_at, "ndcg_any": ndcg_at}
    return {
        f"{name}@{most}": mean(measure(one, most) for one in answers)
        for most in (5, 10)
        for name, measure in official.items()
    }
