"""The concept graph: surface forms to concepts, and concepts to those that one has in mind with them. Cold."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import NamedTuple

from agentrecall_domain.text.concept_file import Concept, read
from agentrecall_domain.text.concept_vector import spoken
from agentrecall_domain.text.stop_words import WEAK_WORDS
from agentrecall_domain.text.tokenizer import terms, words

UP, DOWN, BACK = 0.5, 0.35, 0.7
"""What a broader concept, a narrower one, and the reverse of a relation weigh."""
LEAST_LINK = 0.2
MOST_CLAIMS = 4
"""A form that more concepts claim says nothing."""
SHARED = (1.0, 1.0, 0.7, 0.5, 0.4)
"""What a form weighs by how many concepts claim it."""
WEAK_FORM = 0.4
"""What a form of one common word weighs."""


class Graph(NamedTuple):
    """The whole graph and what was wrong with it.

    *forms* holds, for each form in the tokenizer's words, its concepts and how surely it names each; *links* for each
    concept those that one has in mind with it.
    """

    concepts: dict[str, Concept]
    forms: dict[tuple[str, ...], dict[str, float]]
    links: dict[str, dict[str, float]]
    problems: list[str]


def shipped() -> list[Concept]:
    """The concepts that come with the product.

    Raises:
        ValueError: One of the files has a fault, which a test rules out.
    """
    concepts: list[Concept] = []
    for file in sorted(files("agentrecall_domain.text").joinpath("concepts").iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".txt"):
            continue
        found, faults = read(file.read_text(encoding="utf-8"))
        if faults:
            raise ValueError(f"{file.name} line {faults[0].line}: {faults[0].problem}")
        concepts += found
    return concepts


def build(concepts: Iterable[Concept]) -> Graph:
    """The graph of *concepts*; a concept named twice is one. What does not fit is left out and told."""
    merged = _merged(concepts)
    problems = [*_unknown_names(merged), *_cycles(merged)]
    forms, crowded = _forms(merged)
    return Graph(merged, forms, _links(merged), [*problems, *crowded])


def _merged(concepts: Iterable[Concept]) -> dict[str, Concept]:
    merged: dict[str, Concept] = {}
    for concept in concepts:
        whole = merged.setdefault(concept.name, Concept(concept.name, concept.line))
        whole.forms += [form for form in concept.forms if form not in whole.forms]
        whole.is_a += [name for name in concept.is_a if name not in whole.is_a]
        whole.related |= concept.related
        whole.telling = min(whole.telling, concept.telling)
    return merged


def _unknown_names(concepts: dict[str, Concept]) -> list[str]:
    problems = []
    for concept in concepts.values():
        unknown = [name for name in [*concept.is_a, *concept.related] if name not in concepts]
        problems += [f"'{concept.name}' names '{name}', which is no concept" for name in unknown]
        concept.is_a = [name for name in concept.is_a if name in concepts and name != concept.name]
        concept.related = {name: weight for name, weight in concept.related.items() if name in concepts}
    return problems


def _cycles(concepts: dict[str, Concept]) -> list[str]:
    """Break every cycle of `is-a`, and tell where."""
    problems = []
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        for broader in list(concepts[name].is_a):
            if broader in above or broader == name:
                concepts[name].is_a.remove(broader)
                problems.append(f"'{name}' is-a '{broader}' closes a cycle")
            elif broader not in done:
                visit(broader, (*above, name))
        done.add(name)

    for name in concepts:
        if name not in done:
            visit(name, ())
    return problems


def _forms(concepts: dict[str, Concept]) -> tuple[dict[tuple[str, ...], dict[str, float]], list[str]]:
    claims: dict[tuple[str, ...], list[str]] = {}
    for concept in concepts.values():
        for sequence in {sequence for form in concept.forms for sequence in _sequences(form)}:
            claims.setdefault(sequence, []).append(concept.name)
    found, problems = {}, []
    for sequence, names in sorted(claims.items()):
        if len(names) > MOST_CLAIMS:
            problems.append(f"'{' '.join(sequence)}' is claimed by {len(names)} concepts: {', '.join(sorted(names))}")
            continue
        weight = SHARED[len(names)] * (WEAK_FORM if len(sequence) == 1 and sequence[0] in WEAK_WORDS else 1.0)
        found[sequence] = dict.fromkeys(sorted(names), weight)
    return found, problems


def _sequences(form: str) -> list[tuple[str, ...]]:
    """The words of *form* as it is spoken, and without its small words when more than one is left."""
    whole, told = tuple(spoken(words(form))), tuple(terms(form))
    return [sequence for sequence in {whole, told if len(told) > 1 or told == whole else ()} if sequence and told]


def _links(concepts: dict[str, Concept]) -> dict[str, dict[str, float]]:
    """Every neighbour within two steps that is near enough."""
    near: dict[str, dict[str, float]] = {name: {} for name in concepts}

    def join(one: str, other: str, weight: float) -> None:
        near[one][other] = max(near[one].get(other, 0.0), weight)

    for concept in concepts.values():
        for broader in concept.is_a:
            join(concept.name, broader, UP)
            join(broader, concept.name, DOWN)
        for other, weight in concept.related.items():
            join(concept.name, other, weight)
            join(other, concept.name, weight * BACK)
    return {name: _within_two_steps(name, near) for name in near}


def _within_two_steps(name: str, near: dict[str, dict[str, float]]) -> dict[str, float]:
    reached = dict(near[name])
    for middle, weight in near[name].items():
        for far, further in near[middle].items():
            reached[far] = max(reached.get(far, 0.0), weight * further)
    return {other: weight for other, weight in sorted(reached.items()) if other != name and weight >= LEAST_LINK}
