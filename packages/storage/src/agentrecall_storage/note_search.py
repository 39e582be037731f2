"""Searching notes by a person's question: by its words and, where one is chosen, a provider's vectors. Cold.

And the notes of an episode.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from agentrecall_domain.notes.note import Note, NoteStatus
from agentrecall_domain.recall.note_ranking import LEXICAL_WEIGHT
from agentrecall_domain.recall.semantic_track import SemanticTrack, likeness, words_share
from agentrecall_domain.text.tokenizer import terms
from agentrecall_storage.notes import NoteStore

WANTED = """
           notes.status = :status
       AND (:everywhere OR notes.project_id IS NULL OR notes.project_id = :project_id)
       AND (:type = '' OR notes.type = :type)
"""
MATCHING = f"""
    SELECT notes.id, bm25(notes_fts, 2.0, 1.0) AS distance
      FROM notes_fts
     CROSS JOIN notes ON notes.id = notes_fts.rowid
     WHERE notes_fts MATCH :query
       AND {WANTED}
     ORDER BY distance, notes.id DESC
     LIMIT :most
"""  # noqa: S608 -- conditions of this module
IS_WANTED = f"SELECT 1 FROM notes WHERE id = :id AND {WANTED}"  # noqa: S608 -- as above
LEAST_MIXED = 100
"""So many notes at least are found by their words before the vectors are asked about them."""
LEAST_LIKE = 0.4
"""A note that says no word of the question is found when it is so much like it."""
OF_EPISODE = "SELECT id FROM notes WHERE episode_id = ? ORDER BY id"


class Found(NamedTuple):
    """A note that has words of the question. The *score* orders the notes of one answer, and says no more."""

    note: Note
    score: float


def search_notes(
    store: NoteStore,
    query: str,
    *,
    project_id: int | None,
    everywhere: bool,
    most: int,
    note_type: str = "",
    tombstoned: bool = False,
    semantic: SemanticTrack | None = None,
) -> list[Found]:
    """At most so many notes of the project and global ones (*everywhere*: of all) that say a word of *query*.

    With *semantic* those, too, that are much like it, and the score is a mix of both.
    """
    asked = {
        "status": NoteStatus.TOMBSTONED if tombstoned else NoteStatus.LIVE,
        "everywhere": everywhere,
        "project_id": project_id,
        "type": note_type,
    }
    if semantic is None:
        scores = _by_words(store, query, asked, most)
    else:
        by_words = _by_words(store, query, asked, max(most, LEAST_MIXED))
        scores = _mixed(_near(store, semantic, asked) | by_words, semantic.cosines)
    best = sorted(scores, key=lambda note_id: (-scores[note_id], -note_id))[:most]
    return [Found(store.get(note_id), round(scores[note_id], 8)) for note_id in best]


def notes_of_episode(store: NoteStore, episode_id: int) -> list[Note]:
    """What was distilled from the episode, tombstoned ones too, in the order in which it was."""
    return [store.get(note_id) for (note_id,) in store.connection.execute(OF_EPISODE, (episode_id,)).fetchall()]


def note_counts(store: NoteStore, episode_ids: Iterable[int]) -> dict[int, int]:
    """How many notes were distilled from each of the episodes."""
    count = "SELECT count(*) FROM notes WHERE episode_id = ?"
    return {one: int(store.connection.execute(count, (one,)).fetchone()[0]) for one in episode_ids}


def _by_words(store: NoteStore, query: str, asked: dict[str, Any], most: int) -> dict[int, float]:
    """The notes that say a word of *query*, each with how well."""
    said = dict.fromkeys(terms(query))
    if not said:
        return {}
    words = {"query": " OR ".join(f'"{word}"' for word in said), "most": most}
    return {note_id: -distance for note_id, distance in store.connection.execute(MATCHING, asked | words)}


def _near(store: NoteStore, semantic: SemanticTrack, asked: dict[str, Any]) -> dict[int, float]:
    """The nearest notes that are wanted, of which words say nothing yet."""
    cosines = semantic.cosines
    near = [one.id for one in semantic.nearest if likeness(cosines[one.id]) >= LEAST_LIKE]
    return {one: 0.0 for one in near if store.connection.execute(IS_WANTED, asked | {"id": one}).fetchone()}


def _mixed(by_words: Mapping[int, float], cosines: Mapping[int, float]) -> dict[int, float]:
    """A mix of what words say, on the scale of the best, and of the likeness of each note's vector."""
    best = max(by_words.values(), default=0.0) or 1.0
    share = words_share(LEXICAL_WEIGHT, [score / best for score in by_words.values()])
    return {
        note_id: share * score / best + (1 - share) * likeness(cosines.get(note_id, 0.0))
        for note_id, score in by_words.items()
    }
