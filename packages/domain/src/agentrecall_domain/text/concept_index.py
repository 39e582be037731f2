"""The concept index: the graph compiled into what a hook looks up, a vector for each word and each concept. Cold."""

from __future__ import annotations

import json
from collections import Counter
from math import fsum, log
from typing import NamedTuple

from agentrecall_domain.text.concept_graph import Graph
from agentrecall_domain.text.concept_vector import SCALE, stored
from agentrecall_domain.text.tokenizer import TOKENIZER_VERSION, terms
from agentrecall_domain.turns.identity import digest

NEIGHBOURS = 0.15
"""What a concept's neighbours have of its weight."""
WORD_POWER = 0.5
"""A word counts by this power of what it tells: one that stands in one form alone is not all that a text is about."""
MOST_OF_WORD, MOST_OF_CONCEPT = 16, 24
"""Dimensions that are kept; the rest is noise and time."""
HEAVIEST = 65.0
"""More does not fit in 16 bits of thousandths."""
NAME_COUNTS = 2
"""A word of a concept's own name counts as if it stood in so many forms."""


class WordRow(NamedTuple):
    """A word with its vector as it is kept, and the forms that begin with it as JSON."""

    word: str
    vector: bytes
    forms: str


class ConceptRow(NamedTuple):
    """A concept with its number and its vector as it is kept."""

    number: int
    name: str
    vector: bytes


class Index(NamedTuple):
    """All that is looked up, and a digest of it."""

    words: list[WordRow]
    concepts: list[ConceptRow]
    version: str


def compiled(graph: Graph) -> Index:
    """The index of *graph*; the same graph gives the same index."""
    # In the order of the files, ours before a person's: what they add moves none of ours.
    numbers = {name: number for number, name in enumerate(graph.concepts, start=1)}
    concepts = [
        ConceptRow(number, name, _kept(_spread({name: 1.0}, graph), numbers, MOST_OF_CONCEPT))
        for name, number in numbers.items()
    ]
    begun: dict[str, list[tuple[str, int, int]]] = {}
    for words, named in graph.forms.items():
        begun.setdefault(words[0], []).extend(
            (" ".join(words[1:]), numbers[name], round(weight * SCALE)) for name, weight in named.items()
        )
    told = _word_weights(graph)
    rows = [
        WordRow(
            word,
            _kept(_eased(_spread(told.get(word, {}), graph)), numbers, MOST_OF_WORD),
            json.dumps(begun.get(word, []), ensure_ascii=False, separators=(",", ":")),
        )
        for word in sorted({*begun, *told})
    ]
    version = digest(str(TOKENIZER_VERSION), *map(str, concepts), *map(str, rows))
    return Index(rows, concepts, version)


def _word_weights(graph: Graph) -> dict[str, dict[str, float]]:
    """For each word the concepts in whose forms it stands: rarer words tell more, repeated ones somewhat more."""
    counts: dict[str, Counter[str]] = {}
    for concept in graph.concepts.values():
        for form in concept.forms:
            for word in terms(form):
                counts.setdefault(word, Counter())[concept.name] += 1
        for word in terms(concept.name.replace("-", " ")):
            counts.setdefault(word, Counter())[concept.name] += NAME_COUNTS
    found = {}
    for word, standing in counts.items():
        rarity = log(1 + len(graph.concepts) / len(standing))
        # Exact: Python 3.12 sums floats in another way than 3.11, and the file that we ship is one.
        total = fsum(1 + log(count) for count in standing.values())
        found[word] = {name: (1 + log(count)) / total * rarity for name, count in standing.items()}
    return found


def _spread(weights: dict[str, float], graph: Graph) -> dict[str, float]:
    """*weights* with a share for each neighbour, each concept by how much it tells."""
    spread = dict(weights)
    for name, weight in weights.items():
        for other, link in graph.links[name].items():
            spread[other] = spread.get(other, 0.0) + NEIGHBOURS * weight * link
    return {name: weight * graph.concepts[name].telling for name, weight in spread.items()}


def _eased(weights: dict[str, float]) -> dict[str, float]:
    strongest = max(weights.values(), default=0.0)
    return {name: weight * strongest ** (WORD_POWER - 1) for name, weight in weights.items()} if strongest else {}


def _kept(weights: dict[str, float], numbers: dict[str, int], most: int) -> bytes:
    strongest = sorted(weights.items(), key=lambda one: (-round(one[1], 9), one[0]))[:most]
    return stored({numbers[name]: min(weight, HEAVIEST) for name, weight in strongest if weight > 0})
