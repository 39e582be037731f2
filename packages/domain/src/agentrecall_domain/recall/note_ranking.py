"""The ranking of notes: two tracks fused, then demotions and boosts, in a fixed order, each step kept. Hot.

1. Two tracks: words (BM25 over every word of the query) and meaning (cosine of concept vectors).
2. Fusion: a convex mix of the two on one scale (`fusion` convex), or weighted reciprocal ranks (rrf).
3. Demotions, none above 1: type prior, age by half-life, low importance.
4. Boosts, none of which admits a note: own project, a date that the query names, notes that were shown together before.
5. The cut: an adaptive one where the scores fall off, or MMR, which passes over what was said already.
6. The floor: what lies under it *without* its boosts, and as surely as the note answers the query, is not shown.
"""

from __future__ import annotations

from math import log

from agentrecall_domain.recall.naming import is_named
from agentrecall_domain.recall.note_candidate import DAY_S, NoteCandidate
from agentrecall_domain.text.concept_vector import cosine, opened
from agentrecall_domain.text.said_dates import is_of_a_date, meets, said_dates
from agentrecall_domain.text.stop_words import WEAK_WORDS
from agentrecall_domain.text.utc import day_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agentrecall_domain.recall.ranking import Query
    from agentrecall_domain.text.said_dates import SaidDate

    Reranker = Callable[[str, list["RankedNote"]], list[float]]

CONVEX, RECIPROCAL = "convex", "rrf"
ADAPTIVE, MMR = "adaptive", "mmr"

SATURATION, LENGTH_SHARE = 1.0, 0.75
"""BM25's k1 and b (Robertson and Zaragoza 2009)."""
SAID_BEFORE = -0.5
"""What a word counts more for standing in a title that is what was said before the note: it asks for less."""
LABEL = 1.5
"""What the name of who says a note weighs at least: half of a conversation has it, and it parts the two halves."""
PAIR = 0.3
"""What two words of the query count more, of the weaker one's weight, that stand side by side in the note, too."""
WEAK = 0.35
"""What a word tells of a query that half of all talk about software has in it."""
ENOUGH_WORDS, ALONE = 2, 0.6
"""Fewer words in common that are not weak tell little: one that two matters share is common enough."""
LONG, PASSAGE, MOST_PASSAGES = 60, 30, 40
"""A note of more words is about several matters: half of what its words count is what its best passage holds."""
LANGUAGE = 0.35
"""What the name of a language counts: it says where, hardly ever what."""
LANGUAGES = frozenset(
    """
    bash cplusplus csharp dart elixir golang java javascript kotlin php python ruby rust scala swift typescript
    """.split()  # noqa: SIM905 -- quoted words would hide what is in the list
)
REFERENCE_WORDS, LESS = 4, 0.8
"""So many of the query's rarest words, each counting less than the one before, make a full match of words: a long
prompt then needs no more than a short one."""
NAMED = 0.6
"""What the words of a note count at least, of 1, of which the query says a whole name."""
UNRELATED, RELATED = 0.10, 0.70
"""The cosines of concept vectors that mean nothing in common, and one matter: as for rules."""
SENTENCE = 0.9
BACKGROUND = 50
"""So many notes about other matters are thought to be there: in a small memory its words still tell."""

LEXICAL_WEIGHT = 0.75
"""The share of words. The concepts are of software work: of other matters they know little."""
RRF_K = 60
CONVEX_FLOOR, RECIPROCAL_FLOOR = 0.28, 0.015
"""The floor of each fusion: reciprocal ranks are on a scale of their own."""
PROJECT_BOOST = 1.25
CO_RETRIEVAL_BOOST = 1.10
DATE_BOOST = 2.2
"""A date is said to part what is alike otherwise. More would cut off all that is of other days."""
CO_RETRIEVED_BY = 3
"""The best so many notes bring along what was shown with them before."""
LEAST_TIMES = 2
IMPORTANCE_WEIGHT = 0.5
HALF_LIFE_DAYS = 30
OLD = 0.85
"""What an old note keeps of its score: age alone makes nothing untrue."""
TYPE_PRIOR = {"reference": 0.92, "fact": 0.96}
ADAPTIVE_SHARE = 0.45
"""What has less than this share of the best score is another matter."""
MMR_SHARE = 0.7
"""How much relevance counts against novelty (Carbonell and Goldstein 1998)."""


class NoteSettings:
    """What a person may tune: the config keys of the same names."""

    __slots__ = (
        "diversity",
        "floor",
        "fusion",
        "half_life_days",
        "importance_weight",
        "lexical_weight",
        "most",
        "project_boost",
        "rrf_k",
    )

    def __init__(self) -> None:
        self.fusion = CONVEX
        self.lexical_weight = LEXICAL_WEIGHT
        self.rrf_k: float = RRF_K
        self.floor: float | None = None
        self.project_boost = PROJECT_BOOST
        self.importance_weight = IMPORTANCE_WEIGHT
        self.half_life_days: float = HALF_LIFE_DAYS
        self.diversity = ADAPTIVE
        self.most = 12

    def least(self) -> float:
        """The floor that holds: the configured one, else that of the fusion."""
        if self.floor is not None:
            return self.floor
        return CONVEX_FLOOR if self.fusion == CONVEX else RECIPROCAL_FLOOR


class RankedNote:
    """A candidate with what each step made of it.

    *relevance* is its score without any boost, and *evidence* what that is as far as the note answers the whole query:
    it decides whether the note is shown, and nothing about its place.
    """

    __slots__ = (
        "boosts", "candidate", "demotions", "evidence", "fused", "is_named", "lexical", "matched", "relevance", "score",
        "semantic", "told",
    )  # fmt: skip

    def __init__(self, candidate: NoteCandidate) -> None:
        self.candidate = candidate
        self.lexical = self.semantic = self.told = self.fused = self.evidence = self.relevance = self.score = 0.0
        self.matched: list[str] = []
        self.is_named = False
        self.demotions: dict[str, float] = {}
        self.boosts: dict[str, float] = {}


def note_weights(query: Query, notes: int, having: dict[str, float]) -> dict[str, float]:
    """The weight of each query word that any note has: its inverse document frequency, less for a language."""
    weights = {}
    for term in query.terms:
        if term in having:
            rarity = _rarity(having[term], notes)
            weights[term] = rarity * LANGUAGE if term in LANGUAGES else rarity
    return weights


def rank_notes(
    candidates: list[NoteCandidate],
    query: Query,
    weights: dict[str, float],
    settings: NoteSettings,
    *,
    project_id: int | None,
    at: float,
    co_retrieved: Callable[[int, int], list[tuple[int, int]]] | None = None,
    rerank: Reranker | None = None,
    semantic: Callable[[list[RankedNote], float], float] | None = None,
    text: str = "",
) -> list[RankedNote]:
    """All *candidates* through steps 1 to 4, best first; ties go to the newer note. *at* is now, in seconds."""
    ranked = [_matched(candidate, query, weights) for candidate in candidates]
    _score_words(ranked, weights, list(zip(query.terms, query.terms[1:])))  # noqa: B905 -- the last has none after it
    dates = said_dates(text)
    _tell(ranked, [term for term in query.terms if not (dates and is_of_a_date(term))], weights)
    share = settings.lexical_weight
    _fuse(ranked, settings, share if semantic is None else semantic(ranked, share))
    for one in ranked:
        _demote(one, settings, at)
    _order(ranked)
    _boost(ranked, dates, project_id, settings.project_boost)
    if co_retrieved is not None:
        _boost_companions(ranked, co_retrieved)
    for one in ranked:
        one.score = one.relevance
        for boost in one.boosts.values():
            one.score *= boost
    _order(ranked)
    if rerank is not None:
        for one, factor in zip(ranked, rerank(text, ranked), strict=True):
            one.boosts["reranker"] = factor
            one.score *= factor
        _order(ranked)
    return ranked


def cut(ranked: list[RankedNote], settings: NoteSettings, at: float = 0.0) -> tuple[list[RankedNote], dict[int, str]]:
    """Steps 5 and 6: the notes to show, best first, and for every other one why it is not. *at* is now, in seconds."""
    floor = settings.least()
    lost: dict[int, str] = {}
    over = []
    for one in ranked:
        if one.candidate.has_ended(at):
            lost[one.candidate.id] = f"held until {one.candidate.valid_to[:10]}"
        elif one.evidence < floor:
            lost[one.candidate.id] = f"under the floor ({one.evidence:.3f} < {floor:g})"
        else:
            over.append(one)
    chosen = _diverse(over, settings.most) if settings.diversity == MMR else _adaptive(over, settings.most)
    kept = {one.candidate.id for one in chosen}
    for one in over:
        if one.candidate.id not in kept:
            far = settings.diversity == ADAPTIVE and one.score < ADAPTIVE_SHARE * over[0].score
            lost[one.candidate.id] = "far less than the best" if far else f"no more than {settings.most} notes"
    return chosen, lost


def _matched(candidate: NoteCandidate, query: Query, weights: dict[str, float]) -> RankedNote:
    one = RankedNote(candidate)
    one.matched = [term for term in weights if term in candidate.counts]
    alike = cosine(query.vector, candidate.vector)
    for sentence in query.sentences:
        alike = max(alike, SENTENCE * cosine(sentence, candidate.vector))
    one.semantic = min(1.0, max(0.0, (alike - UNRELATED) / (RELATED - UNRELATED)))
    one.is_named = is_named(candidate.title, query.said)
    return one


def _score_words(ranked: list[RankedNote], weights: dict[str, float], side_by_side: list[tuple[str, str]]) -> None:
    """BM25, on a scale on which 1 is a full match of the query's rarest words."""
    if not ranked:
        return
    usual = sum(one.candidate.length for one in ranked) / len(ranked) or 1.0
    reference = _strongest(weights.values()) or 1.0
    for one in ranked:
        note = one.candidate
        norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * note.length / usual)
        total = 0.0
        for term in one.matched:
            often = note.counts[term] + SAID_BEFORE * (note.title_is_said and term in note.title_terms)
            total += weights[term] * often * (SATURATION + 1) / (often + norm)
        if note.length > LONG:
            total = (total + _best_passage(note, weights) * (SATURATION + 1) / 2) / 2
        total += sum(max(0.0, LABEL - weights[term]) for term in weights.keys() & note.label) * (SATURATION + 1) / 2
        for first, second in side_by_side:
            if note.says(first, second):
                total += PAIR * min(weights.get(first, 0.0), weights.get(second, 0.0))
        one.lexical = total / (reference * (SATURATION + 1) / 2)


def _best_passage(note: NoteCandidate, weights: dict[str, float]) -> float:
    """The most that the query's words weigh which stand in one passage of *note*, each counted once."""
    words = note.terms.split()
    best = 0.0
    for start in range(0, min(len(words), PASSAGE // 2 * MOST_PASSAGES) - PASSAGE // 2, PASSAGE // 2):
        best = max(best, sum(weights[term] for term in weights.keys() & set(words[start : start + PASSAGE])))
    return best


def _tell(ranked: list[RankedNote], said: list[str], weights: dict[str, float]) -> None:
    """How much of what is *said* stands in each note, 0 to 1; words that no note has are said, too."""
    strange = max(weights.values(), default=0.0)
    telling = {term: weights.get(term, strange) * (WEAK if term in WEAK_WORDS else 1.0) for term in said}
    wanted = _strongest(telling.values()) or 1.0
    for one in ranked:
        strong = sum(term not in WEAK_WORDS for term in one.matched)
        one.told = min(1.0, _strongest(telling[term] for term in one.matched if term in telling) / wanted)
        if strong < ENOUGH_WORDS:
            one.told *= ALONE
        if one.is_named:
            one.lexical = max(one.lexical, NAMED)
            one.told = max(one.told, NAMED)


def _strongest(found: Iterable[float]) -> float:
    strongest = sorted(found, reverse=True)[:REFERENCE_WORDS]
    return sum(weight * LESS**place for place, weight in enumerate(strongest))


def _fuse(ranked: list[RankedNote], settings: NoteSettings, share: float) -> None:
    if settings.fusion == CONVEX:
        for one in ranked:
            one.fused = share * one.lexical + (1 - share) * one.semantic
            one.evidence = min(one.fused, share * one.told + (1 - share) * one.semantic)
        return
    for track, weight in (("lexical", share), ("semantic", 1 - share)):
        found = [one for one in ranked if getattr(one, track) > 0]
        found.sort(key=lambda one: (-getattr(one, track), -one.candidate.id))
        for place, one in enumerate(found, start=1):
            # Twice the weight, so that two equal tracks are the unweighted fusion that the floor is known for.
            one.fused += 2 * weight / (settings.rrf_k + place)
    for one in ranked:
        one.evidence = one.fused


def _demote(one: RankedNote, settings: NoteSettings, at: float) -> None:
    note = one.candidate
    day = day_of(note.valid_from)
    # A note of the future, or one whose clock was wrong, is as good as new.
    days = max(0, int(at // DAY_S) - day) if day is not None else 0
    one.demotions["type"] = TYPE_PRIOR.get(note.type, 1.0)
    one.demotions["age"] = OLD + (1 - OLD) * 0.5 ** (days / settings.half_life_days)
    one.demotions["importance"] = 1 - settings.importance_weight * max(0.0, 0.5 - note.importance)
    one.relevance = one.fused
    for demotion in one.demotions.values():
        one.relevance *= demotion
        one.evidence *= demotion
    one.score = one.relevance


def _boost(ranked: list[RankedNote], dates: list[SaidDate], project_id: int | None, of_project: float) -> None:
    for one in ranked:
        if project_id is not None and one.candidate.project_id == project_id:
            one.boosts["project"] = of_project
        if dates and (met := meets(one.candidate.valid_from, dates)):
            one.boosts["date"] = 1 + (DATE_BOOST - 1) * met


def _boost_companions(ranked: list[RankedNote], co_retrieved: Callable[[int, int], list[tuple[int, int]]]) -> None:
    there = {one.candidate.id: one for one in ranked}
    for one in ranked[:CO_RETRIEVED_BY]:
        for other, times in co_retrieved(one.candidate.id, CO_RETRIEVED_BY):
            if times >= LEAST_TIMES and other in there:
                there[other].boosts["co-retrieval"] = CO_RETRIEVAL_BOOST


def _adaptive(over: list[RankedNote], most: int) -> list[RankedNote]:
    return [one for one in over[:most] if one.is_named or one.score >= ADAPTIVE_SHARE * over[0].score]


def _diverse(over: list[RankedNote], most: int) -> list[RankedNote]:
    """Maximal marginal relevance: each next note is relevant, and unlike those that are chosen already."""
    best = (over[0].score if over else 0.0) or 1.0
    left, chosen = list(over), list[RankedNote]()
    vectors = {one.candidate.id: opened(one.candidate.vector) for one in over}
    while left and len(chosen) < most:

        def worth(one: RankedNote) -> float:
            alike = max((cosine(vectors[one.candidate.id], two.candidate.vector) for two in chosen), default=0.0)
            return MMR_SHARE * one.score / best - (1 - MMR_SHARE) * alike

        chosen.append(max(left, key=worth))
        left.remove(chosen[-1])
    return chosen


def _order(ranked: list[RankedNote]) -> None:
    ranked.sort(key=lambda one: (-one.score, -one.candidate.id))


def _rarity(frequency: float, documents: int) -> float:
    """Inverse document frequency as in BM25 (Robertson and Sparck Jones, with one added so that it stays positive)."""
    documents = int(max(documents, frequency)) + BACKGROUND
    return log(1.0 + (documents - frequency + 0.5) / (frequency + 0.5))
