"""Searching notes by the words of a person's question, by the index alone; and the notes of an episode. Cold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from agentrecall_domain.notes.note import Note, NoteStatus
from agentrecall_domain.text.tokenizer import terms
from agentrecall_storage.notes import NoteStore

MATCHING = """
    SELECT notes.id, bm25(notes_fts, 2.0, 1.0) AS distance
      FROM notes_fts
     CROSS JOIN notes ON notes.id = notes_fts.rowid
     WHERE notes_fts MATCH :query
       AND notes.status = :status
       AND (:everywhere OR notes.project_id IS NULL OR notes.project_id = :project_id)
       AND (:type = '' OR notes.type = :type)
     ORDER BY distance, notes.id DESC
     LIMIT :most
"""
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
) -> list[Found]:
    """At most so many notes of the project and global ones (*everywhere*: of all) that say a word of *query*."""
    said = dict.fromkeys(terms(query))
    if not said:
        return []
    asked = {
        "query": " OR ".join(f'"{word}"' for word in said),
        "status": NoteStatus.TOMBSTONED if tombstoned else NoteStatus.LIVE,
        "everywhere": everywhere,
        "project_id": project_id,
        "type": note_type,
        "most": most,
    }
    found = store.connection.execute(MATCHING, asked).fetchall()
    return [Found(store.get(note_id), round(-distance, 8)) for note_id, distance in found]


def notes_of_episode(store: NoteStore, episode_id: int) -> list[Note]:
    """What was distilled from the episode, tombstoned ones too, in the order in which it was."""
    return [store.get(note_id) for (note_id,) in store.connection.execute(OF_EPISODE, (episode_id,)).fetchall()]


def note_counts(store: NoteStore, episode_ids: Iterable[int]) -> dict[int, int]:
    """How many notes were distilled from each of the episodes."""
    count = "SELECT count(*) FROM notes WHERE episode_id = ?"
    return {one: int(store.connection.execute(count, (one,)).fetchone()[0]) for one in episode_ids}
