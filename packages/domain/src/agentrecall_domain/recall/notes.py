"""Recall of notes: at a start the weightiest, at a prompt those that it calls up, in the room that rules leave. Hot."""

from __future__ import annotations

from agentrecall_domain.recall.fetching import fetching
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
    from typing import Protocol

    from agentrecall_domain.recall.injection import Asked
    from agentrecall_domain.recall.note_candidate import NoteCandidate
    from agentrecall_domain.recall.note_ranking import Reranker
    from agentrecall_domain.recall.ranking import Query

    class NoteQueries(Protocol):
        """The questions about notes; *project_id* None asks for global ones alone."""

        def having(self, terms: list[str]) -> dict[str, float]: ...
        def matching(self, terms: list[str], project_id: int | None, most: int) -> list[NoteCandidate]: ...
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
MOST_NOTE_CANDIDATES = 60
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


def notes_at_start(store: NoteRecallStore, project_id: int | None, room: Room) -> NoteRecall:
    """The weightiest notes that fit, the project's own first: the same memory gives the same notes."""
    most = int(store.number("start_max_notes", DEFAULT_NOTES))
    found = store.notes.weightiest(project_id, most) if most > 0 else []
    recall = NoteRecall()
    recall.show([ShownNote(note, FULL, note.importance) for note in found], room)
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
) -> NoteRecall:
    """The notes that *query* calls up and that fit, best first."""
    recall = NoteRecall()
    settings = note_settings(store)
    if settings.most <= 0:
        return recall
    recall.ranked = ranked_notes(
        store, query, project_id, settings=settings, at=asked.at, rerank=rerank, text=asked.query
    )
    recall.floor = settings.least()
    chosen, recall.lost = cut(recall.ranked, settings)
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
    text: str = "",
) -> list[RankedNote]:
    """Every candidate for *query* with what each step made of it, best first."""
    newest = store.newest_note()
    half = MOST_NOTE_TERMS // 2
    asked = query.terms if len(query.terms) <= MOST_NOTE_TERMS else [*query.terms[:half], *query.terms[-half:]]
    concepts = tokens(query.vector, MOST_ASKED)
    having = store.notes.having([*asked, *concepts])
    weights = note_weights(query, newest, having)
    words = fetching(weights, having, newest)
    words += fetching({token: 1.0 for token in concepts if token in having}, having, newest)
    candidates = store.notes.matching(words, project_id, MOST_NOTE_CANDIDATES) if words else []
    return rank_notes(
        candidates,
        query,
        weights,
        settings,
        project_id=project_id,
        at=at,
        co_retrieved=store.notes.co_retrieved,
        rerank=rerank,
        text=text,
    )


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
