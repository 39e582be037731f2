"""Recall of notes: at a start the weightiest, at a prompt those that it calls up, in the room that rules leave. Hot."""

from __future__ import annotations

from agentrecall_domain.recall.fetching import alternatives
from agentrecall_domain.recall.note_ranking import (
    ADAPTIVE,
    CONVEX,
    HALF_LIFE_DAYS,
    IMPORTANCE_WEIGHT,
    LEXICAL_WEIGHT,
    PROJECT_BOOST,
    RRF_K,
    NoteSettings,
    RankedNote,
    cut,
    note_weights,
    rank_notes,
)
from agentrecall_domain.recall.packing import REMINDER_EVERY, Room, detail
from agentrecall_domain.recall.rendering import FULL, note_line
from agentrecall_domain.rules.rule_vector import MOST_ASKED, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from agentrecall_domain.recall.injection import Asked
    from agentrecall_domain.recall.note_candidate import NoteCandidate
    from agentrecall_domain.recall.note_ranking import Reranker
    from agentrecall_domain.recall.ranking import Query
    from agentrecall_domain.recall.semantic_track import SemanticTrack

    class NoteQueries(Protocol):
        """The questions about notes; *project_id* None asks for global ones alone."""

        def having(self, terms: list[str]) -> dict[str, float]: ...
        def matching(self, any_of: list[list[str]], project_id: int | None, most: int) -> list[NoteCandidate]: ...
        def newest(self, terms: list[str], project_id: int | None, most: int) -> list[NoteCandidate]: ...
        def weightiest(self, project_id: int | None, most: int) -> list[NoteCandidate]: ...
        def co_retrieved(self, note_id: int, most: int) -> list[tuple[int, int]]: ...

    class NoteRecallStore(Protocol):
        """What recall of notes needs of the memory."""

        @property
        def notes(self) -> NoteQueries: ...
        def newest_note(self) -> int: ...
        def number(self, key: str, default: float) -> float: ...
        def setting(self, key: str, default: str) -> str: ...


MOST_NOTE_TERMS = 60
"""So many of a query's words, the first and the last, are looked up: each takes 20 microseconds."""
MOST_BY_WORDS, MOST_BY_CONCEPTS = 50, 15
"""So many candidates are fetched by words, and, where words find fewer, by what the query is about."""
WORD_MATCHES, CONCEPT_MATCHES = 1500, 500
"""So many notes have what fetches them: each costs a microsecond and a half."""
DEFAULT_NOTES = 12
UNSET_FLOOR = -1.0
"""Stands for the floor that the fusion has of its own."""


class ShownNote:
    """A note as it will be shown: *detail* is `FULL` or `REMINDER`."""

    __slots__ = ("candidate", "detail", "score")

    def __init__(self, candidate: NoteCandidate, detail: str, score: float) -> None:
        self.candidate = candidate
        self.detail = detail
        self.score = score


class NoteRecall:
    """What a recall of notes came to: what is shown, every candidate, best first, and why each of the others lost."""

    __slots__ = ("floor", "lost", "ranked", "shown")

    def __init__(self) -> None:
        self.shown: list[ShownNote] = []
        self.floor = 0.0
        self.ranked: list[RankedNote] = []
        self.lost: dict[int, str] = {}

    def show(self, wanted: list[ShownNote], room: Room) -> None:
        """Show those of *wanted* that there is room for, in their order."""
        for one in wanted:
            if room.refuses(note_line(one.candidate, one.detail)):
                self.lost[one.candidate.id] = "over the budget"
            else:
                self.shown.append(one)


def notes_at_start(store: NoteRecallStore, project_id: int | None, room: Room, at: float) -> NoteRecall:
    """The weightiest notes that hold *at* a time and fit, the project's own first: the same memory gives the same."""
    most = int(store.number("start_max_notes", DEFAULT_NOTES))
    found = store.notes.weightiest(project_id, most) if most > 0 else []
    recall = NoteRecall()
    recall.show([ShownNote(note, FULL, note.importance) for note in found if not note.has_ended(at)], room)
    return recall


def notes_for(
    store: NoteRecallStore,
    asked: Asked,
    query: Query,
    project_id: int | None,
    *,
    room: Room,
    times_shown: dict[int, int],
    rerank: Reranker | None = None,
    semantic: SemanticTrack | None = None,
) -> NoteRecall:
    """The notes that *query* calls up and that fit, best first."""
    recall = NoteRecall()
    settings = note_settings(store)
    if settings.most <= 0:
        return recall
    recall.ranked = ranked_notes(
        store, query, project_id, settings=settings, at=asked.at, rerank=rerank, semantic=semantic, text=asked.query
    )
    recall.floor = settings.least()
    chosen, recall.lost = cut(recall.ranked, settings, asked.at)
    every = int(store.number("reminder_every", REMINDER_EVERY))
    recall.show(
        [ShownNote(one.candidate, detail(times_shown.get(one.candidate.id, 0), every), one.score) for one in chosen],
        room,
    )
    return recall


def ranked_notes(
    store: NoteRecallStore,
    query: Query,
    project_id: int | None,
    *,
    settings: NoteSettings,
    at: float,
    rerank: Reranker | None = None,
    semantic: SemanticTrack | None = None,
    text: str = "",
) -> list[RankedNote]:
    """Every candidate for *query* with what each step made of it, best first."""
    newest = store.newest_note()
    half = MOST_NOTE_TERMS // 2
    asked = query.terms if len(query.terms) <= MOST_NOTE_TERMS else [*query.terms[:half], *query.terms[-half:]]
    having = store.notes.having(asked)
    weights = note_weights(query, newest, having)
    notes = store.notes
    words = _rarest_first(weights, having)
    by_words = alternatives(words, having, newest, WORD_MATCHES)
    # Where all is common, the newest that have the rarest.
    candidates = (
        notes.matching(by_words, project_id, MOST_BY_WORDS)
        if by_words
        else notes.newest(words[:1], project_id, MOST_BY_WORDS)
    )
    if len(candidates) < MOST_BY_WORDS:
        sharing = notes.having(tokens(query.vector, MOST_ASKED))
        by_concepts = alternatives(_rarest_first(sharing, sharing), sharing, newest, CONCEPT_MATCHES)
        known = {one.id for one in candidates}
        found = notes.matching(by_concepts, project_id, MOST_BY_CONCEPTS) if by_concepts else []
        candidates += [one for one in found if one.id not in known]
    return rank_notes(
        candidates if semantic is None else semantic.beside(candidates),
        query,
        weights,
        settings,
        project_id=project_id,
        at=at,
        co_retrieved=store.notes.co_retrieved,
        rerank=rerank,
        semantic=None if semantic is None else semantic.weigh,
        text=text,
    )


def _rarest_first(terms: Iterable[str], having: dict[str, float]) -> list[str]:
    return sorted(terms, key=lambda term: (having[term], term))


def note_settings(store: NoteRecallStore) -> NoteSettings:
    """What the person tuned, and defaults for the rest."""
    found = NoteSettings()
    found.most = int(store.number("prompt_max_notes", DEFAULT_NOTES))
    found.fusion = store.setting("fusion", CONVEX)
    found.lexical_weight = store.number("fusion_lexical_weight", LEXICAL_WEIGHT)
    found.rrf_k = store.number("rrf_k", RRF_K)
    floor = store.number("recall_floor", UNSET_FLOOR)
    found.floor = floor if floor >= 0 else None
    found.project_boost = store.number("project_boost", PROJECT_BOOST)
    found.importance_weight = store.number("importance_weight", IMPORTANCE_WEIGHT)
    found.half_life_days = max(1.0, store.number("recency_half_life_days", HALF_LIFE_DAYS))
    found.diversity = store.setting("diversity", ADAPTIVE)
    return found
