"""The one ranking of rules: five signals, one relevance, one score. Hot.

relevance = 0.30 keyword + 0.30 concept + 0.20 domain + 0.10 task type + 0.10 scope, and
score = relevance x (0.5 + 0.5 confidence) x standing of the rule: the predecessor's weights (rule-memory facts, 8.1).
What differs are the signals: `keyword` weighs words by rarity against a reference that the length of the prompt does
not move, and counts how much of the rule's condition was said; `concept` is the cosine of two concept vectors. The
numbers below were tuned on the even scenarios of `benchmarks/rule_recall.json`.
"""

from __future__ import annotations

from math import log

from agentrecall_domain.recall.candidate import Candidate
from agentrecall_domain.recall.naming import is_named
from agentrecall_domain.recall.task_type import task_types
from agentrecall_domain.rules.scope import GLOBAL, holds_at, names_files
from agentrecall_domain.rules.status import PROMOTED
from agentrecall_domain.text.concept_vector import cosine
from agentrecall_domain.text.stop_words import WEAK_WORDS

KEYWORD, CONCEPT, DOMAIN, TASK_TYPE, SCOPE = 0.30, 0.30, 0.20, 0.10, 0.10
SHOWN_KEYWORD, SHOWN_CONCEPT = 0.20, 0.40
"""What they count for whether a rule is shown at all: words meet by chance more often than matters do."""
FLOOR = 0.24
"""Least evidence (keyword, concept, domain and scope together) with which a rule is shown: config key `rule_floor`."""
FILE_FLOOR = 0.6
"""Share of the floor at a file: what is written there is about something, and few rules meet it."""
PROMOTED_LIFT = 1.1
SEED_DAMPENING = 0.85
WEAK = 0.25
"""What a word counts that half of all talk about software has in it."""
SPELT = 0.7
"""What a word counts that was not said as it is written."""
BODY = 0.85
"""What a word counts that stands in the rule but not in its trigger."""
NAMED = 0.30
"""What a rule is worth at least of which the query says a whole name: enough to be shown, less than a good match."""
BACKGROUND = 50
"""So many rules about other matters are thought to be there: in a memory with one subject its words still tell."""
STRONGEST = 3
"""So many words in common are counted, each by less than the one before (`LESS`)."""
LESS = 0.88
REFERENCE = 2.0
"""So many of the rarest words in common, in the trigger, make a full match of words."""
SECOND = 0.12
"""A second word must weigh this share of the rarest to confirm the first; one alone counts `ALONE`."""
ALONE = 0.25
COVERED = 0.3
"""Share of `keyword` that is how much of the rule's condition the query says."""
COMMON = 0.6
"""What a concept counts at least, however many rules are about it."""
UNRELATED, RELATED = 0.10, 0.70
"""The cosines of concept vectors that mean nothing in common, and one matter."""


class Query:
    """What a moment asks the memory: its distinct words, their concepts, and the file at hand if any.

    *meant* are the words of the rules that misspelt ones stand for.
    """

    __slots__ = ("meant", "path", "path_terms", "said", "sentences", "terms", "vector")

    def __init__(
        self,
        terms: list[str],
        path: str = "",
        path_terms: list[str] | None = None,
        vector: dict[int, float] | None = None,
        sentences: list[dict[int, float]] | None = None,
        *,
        meant: list[str] | None = None,
    ) -> None:
        self.meant = [term for term in dict.fromkeys(meant or ()) if term not in terms]
        self.terms = [*terms, *self.meant]
        self.said = frozenset(self.terms)
        self.path = path
        self.path_terms = path_terms or []
        self.vector = vector or {}
        self.sentences = sentences or []

    def copy(self) -> Query:
        """The same with vectors of its own: rules weigh them by what rules are about."""
        return Query(
            self.terms,
            self.path,
            self.path_terms,
            dict(self.vector),
            [dict(one) for one in self.sentences],
            meant=self.meant,
        )


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
    for term in query.meant:
        if term in weights:
            weights[term] *= SPELT
    return weights


def weigh_concepts(query: Query, documents: int, with_concept: dict[int, int]) -> None:
    """Let the query's strongest concepts count by how few rules are about them: what all rules share tells nothing."""
    rarest = _rarity(1, documents)
    share = {
        number: COMMON + (1 - COMMON) * _rarity(count, documents) / rarest for number, count in with_concept.items()
    }
    for vector in (query.vector, *query.sentences):
        for number in vector.keys() & share.keys():
            vector[number] *= share[number]


def rank(candidates: list[Candidate], query: Query, weights: dict[str, float], documents: int) -> list[Ranked]:
    """All *candidates* with their scores, best first; ties go to the older rule."""
    rarest = _rarity(1, documents)
    types = task_types(query.terms)
    ranked = [_scored(candidate, query, weights, rarest, types) for candidate in candidates]
    ranked.sort(key=lambda one: (-one.score, one.candidate.id))
    return ranked


def _scored(
    candidate: Candidate, query: Query, weights: dict[str, float], rarest: float, types: list[frozenset[str]]
) -> Ranked:
    one = Ranked(candidate)
    about_file = bool(query.path) and holds_at(
        query.path, candidate.scope_level, candidate.scope_value, candidate.globs, candidate.languages
    )
    if query.path and not about_file and names_files(candidate.scope_level, candidate.globs, candidate.languages):
        return one  # it says which files it is about, and this is none of them
    one.matched = [term for term in weights if term in candidate.terms]
    one.keyword = _keyword(candidate, one.matched, weights, rarest)
    # A long text is about several matters, and each dilutes the others.
    alike = max(cosine(part, candidate.vector) for part in (query.vector, *query.sentences))
    one.concept = _between(UNRELATED, RELATED, alike)
    if about_file:
        one.domain = 1.0
    elif query.path_terms:
        in_path = [term for term in query.path_terms if term in candidate.trigger_terms and term not in WEAK_WORDS]
        one.domain = len(in_path) / len(query.path_terms)
    one.scope = 1.0 if about_file or candidate.project_id is not None else 0.2 * (candidate.scope_level == GLOBAL)
    one.task_type = 1.0 if any(not words.isdisjoint(candidate.terms) for words in types) else 0.0
    at_hand = DOMAIN * one.domain
    relevance = KEYWORD * one.keyword + CONCEPT * one.concept + at_hand + TASK_TYPE * one.task_type + SCOPE * one.scope
    # Words that match well are evidence enough: a team's own names are in no concept.
    said = max(SHOWN_KEYWORD * one.keyword + SHOWN_CONCEPT * one.concept, KEYWORD * one.keyword)
    # Where a rule holds is no reason to show it.
    one.evidence = said + at_hand + SCOPE * one.scope if said + at_hand else 0.0
    lift = PROMOTED_LIFT if candidate.status == PROMOTED else 1.0
    dampening = SEED_DAMPENING if candidate.source == "BuiltInSeed" else 1.0
    if is_named(candidate.trigger, query.said):
        one.keyword = 1.0
        relevance, one.evidence = max(relevance, NAMED), max(one.evidence, NAMED)
    one.score = relevance * (0.5 + 0.5 * candidate.confidence) * lift * dampening
    return one


def _keyword(candidate: Candidate, matched: list[str], weights: dict[str, float], rarest: float) -> float:
    """How well the words match: the strongest in common, and how much of the rule's condition they make up."""
    found = sorted(
        (weights[term] * (1.0 if term in candidate.trigger_terms else BODY) for term in matched), reverse=True
    )[:STRONGEST]
    if not found:
        return 0.0
    total = sum(weight * LESS**place for place, weight in enumerate(found))
    if len(found) < 2 or found[1] < SECOND * rarest:  # noqa: PLR2004 -- the second word
        total *= ALONE
    condition = len([term for term in candidate.trigger_terms if term not in WEAK_WORDS]) or 1
    said = [term for term in matched if term in candidate.trigger_terms and term not in WEAK_WORDS]
    return min(1.0, (1.0 - COVERED) * total / (REFERENCE * rarest) + COVERED * len(said) / condition)


def _between(low: float, high: float, value: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))


def _rarity(frequency: int, documents: int) -> float:
    """Inverse document frequency as in BM25 (Robertson and Sparck Jones, with one added so that it stays positive)."""
    documents = max(documents, frequency) + BACKGROUND
    return log(1.0 + (documents - frequency + 0.5) / (frequency + 0.5))
