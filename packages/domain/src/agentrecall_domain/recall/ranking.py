"""The one ranking of rules: five signals, one relevance, one score. Hot.

relevance = 0.30 keyword + 0.30 concept + 0.20 domain + 0.10 task type + 0.10 scope, and
score = relevance x (0.5 + 0.5 confidence) x standing of the rule: the predecessor's weights (rule-memory facts, 8.1).
What differs is `keyword`: weights by rarity, and a reference that the length of the prompt does not move.
"""

from __future__ import annotations

from math import log

from agentrecall_domain.recall.candidate import Candidate
from agentrecall_domain.rules.scope import GLOBAL, holds_at, names_files
from agentrecall_domain.rules.status import PROMOTED
from agentrecall_domain.text.stop_words import WEAK_WORDS

KEYWORD, CONCEPT, DOMAIN, TASK_TYPE, SCOPE = 0.30, 0.30, 0.20, 0.10, 0.10
FLOOR = 0.08
"""Least evidence (keyword, concept and domain together) with which a rule is shown: config key `rule_floor`."""
PROMOTED_LIFT = 1.1
SEED_DAMPENING = 0.85
WEAK = 0.25
"""What a word counts that half of all talk about software has in it."""
BODY = 0.7
"""What a word counts that stands in the rule but not in its trigger."""
REFERENCE_WORDS = 3
"""So many strong words in common make a full match."""
BACKGROUND = 50
"""So many rules about other matters are thought to be there: in a memory with one subject its words still tell."""
LEAST_REFERENCE = 1.2
"""One word alone, however rare, is no full match."""


class Query:
    """What a moment asks the memory: its distinct words, and the file at hand (relative to the project) if any."""

    __slots__ = ("path", "path_terms", "terms")

    def __init__(self, terms: list[str], path: str = "", path_terms: list[str] | None = None) -> None:
        self.terms = terms
        self.path = path
        self.path_terms = path_terms or []


class Ranked:
    """A candidate with what each signal made of it."""

    __slots__ = ("candidate", "concept", "domain", "evidence", "keyword", "matched", "scope", "score", "task_type")

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.keyword = self.concept = self.domain = self.task_type = self.scope = 0.0
        self.matched: list[str] = []
        self.evidence = self.score = 0.0


def word_weights(query: Query, documents: int, with_term: dict[str, int]) -> dict[str, float]:
    """The weight of each query word that any rule has: its inverse document frequency, less for weak words."""
    weights = {}
    for term in query.terms:
        frequency = with_term.get(term, 0)
        if frequency:
            rarity = _rarity(frequency, documents)
            weights[term] = rarity * WEAK if term in WEAK_WORDS else rarity
    return weights


def rank(candidates: list[Candidate], query: Query, weights: dict[str, float], documents: int) -> list[Ranked]:
    """All *candidates* with their scores, best first; ties go to the older rule. What is under the floor is last."""
    reference = max(
        sum(sorted(weights.values(), reverse=True)[:REFERENCE_WORDS]), LEAST_REFERENCE * _rarity(1, documents)
    )
    ranked = [_scored(candidate, query, weights, reference) for candidate in candidates]
    ranked.sort(key=lambda one: (-one.score, one.candidate.id))
    return ranked


def _scored(candidate: Candidate, query: Query, weights: dict[str, float], reference: float) -> Ranked:
    one = Ranked(candidate)
    one.matched = [term for term in weights if term in candidate.terms]
    strong = [term for term in one.matched if term not in WEAK_WORDS]
    total = sum(weights[term] * (1.0 if term in candidate.trigger_terms else BODY) for term in one.matched)
    one.keyword = min(1.0, total / reference) if strong else 0.0
    about_file = bool(query.path) and holds_at(
        query.path, candidate.scope_level, candidate.scope_value, candidate.globs, candidate.languages
    )
    if query.path and not about_file and names_files(candidate.scope_level, candidate.globs, candidate.languages):
        return one  # it says which files it is about, and this is none of them
    if about_file:
        one.domain = 1.0
    elif query.path_terms:
        in_path = [term for term in query.path_terms if term in candidate.trigger_terms and term not in WEAK_WORDS]
        one.domain = len(in_path) / len(query.path_terms)
    one.scope = 1.0 if about_file or candidate.project_id is not None else 0.2 * (candidate.scope_level == GLOBAL)
    one.evidence = KEYWORD * one.keyword + CONCEPT * one.concept + DOMAIN * one.domain
    relevance = one.evidence + TASK_TYPE * one.task_type + SCOPE * one.scope
    lift = PROMOTED_LIFT if candidate.status == PROMOTED else 1.0
    dampening = SEED_DAMPENING if candidate.source == "BuiltInSeed" else 1.0
    one.score = relevance * (0.5 + 0.5 * candidate.confidence) * lift * dampening
    return one


def _rarity(frequency: int, documents: int) -> float:
    """Inverse document frequency as in BM25 (Robertson and Sparck Jones, with one added so that it stays positive)."""
    documents = max(documents, frequency) + BACKGROUND
    return log(1.0 + (documents - frequency + 0.5) / (frequency + 0.5))
