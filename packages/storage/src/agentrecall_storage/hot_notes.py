"""What hooks ask about notes, each question answered by an index and bounded at any number of notes. Hot.

Every statement is a constant of this module, so that a test can ask the engine for each one's plan.
"""

from __future__ import annotations

from agentrecall_domain.recall.note_candidate import NoteCandidate
from agentrecall_storage.hot import NEWEST_NOTE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_storage.engine import sqlite

LIVE = "Live"
LOOKED_AT, ENOUGH = 300, 20
"""So many of all that match are looked at; when too few of them are the project's own, its own are asked for."""
SAMPLED = 60
"""So many of the newest notes with a word are looked at to see how common it is: the index itself could count them
only by reading every one."""

COLUMNS = """
    notes.id, notes.type, notes.title, notes.body, notes.project_id, notes.importance, notes.confidence,
    notes.valid_from, notes.valid_to, notes.title_terms, notes.terms, notes.vector
"""
OLDEST_NOTE = "SELECT min(id) FROM notes"
NEWEST_WITH = "SELECT rowid FROM notes_fts WHERE notes_fts MATCH ? ORDER BY rowid DESC LIMIT ?"
BEST_WITH = """
    SELECT rowid FROM notes_fts WHERE notes_fts MATCH ? ORDER BY bm25(notes_fts, 0.0, 1.0), rowid DESC LIMIT ?
"""
"""Of the text index alone: to read the notes themselves takes four times as long, and most are not wanted."""
BEST_OWN_WITH = f"""
    SELECT notes.id
      FROM notes_fts
     CROSS JOIN notes ON notes.id = notes_fts.rowid
     WHERE notes_fts MATCH :query
       AND notes.status = '{LIVE}'
       AND (notes.project_id IS NULL OR notes.project_id = :project_id)
     ORDER BY bm25(notes_fts, 0.0, 1.0), notes.id DESC
     LIMIT :most
"""  # noqa: S608 -- the status is a constant
NOTE = f"""
    SELECT {COLUMNS}
      FROM notes
     WHERE id = ? AND status = '{LIVE}' AND (project_id IS NULL OR project_id = ?)
"""  # noqa: S608 -- the status is a constant
PROJECT_NOTES = f"""
    SELECT {COLUMNS}
      FROM notes
     WHERE project_id = :project_id AND status = '{LIVE}'
     ORDER BY importance DESC, valid_from DESC
     LIMIT :most
"""  # noqa: S608 -- the status is a constant
GLOBAL_NOTES = f"""
    SELECT {COLUMNS}
      FROM notes
     WHERE project_id IS NULL AND status = '{LIVE}'
     ORDER BY importance DESC, valid_from DESC
     LIMIT :most
"""  # noqa: S608 -- the status is a constant
CO_RETRIEVED = "SELECT other_id, times FROM co_retrieval WHERE note_id = ? ORDER BY times DESC LIMIT ?"
STAMP_NOTE = "UPDATE notes SET last_used_at = ? WHERE id = ?"


class HotNotes:
    """The notes of one open connection, as recall asks for them."""

    __slots__ = ("connection",)

    def __init__(self, connection: sqlite.Connection) -> None:
        self.connection = connection

    def having(self, terms: list[str]) -> dict[str, float]:
        """For each of *terms* that any note has: how many notes have it, judged by the newest that do."""
        highest = int(self.connection.execute(NEWEST_NOTE).fetchone()[0] or 0)
        lowest = int(self.connection.execute(OLDEST_NOTE).fetchone()[0] or 0)
        counts: dict[str, float] = {}
        for term in terms:
            found = self.connection.execute(NEWEST_WITH, (f'"{term}"', SAMPLED)).fetchall()
            if len(found) == SAMPLED:
                counts[term] = max(SAMPLED, SAMPLED * (highest - lowest + 1) / (highest - found[-1][0] + 1))
            elif found:
                counts[term] = len(found)
        return counts

    def matching(self, any_of: list[list[str]], project_id: int | None, most: int) -> list[NoteCandidate]:
        """Live notes of the project and global ones, best text match first, that have all words of *any_of* these."""
        query = " OR ".join(f"({_all_of(words)})" for words in any_of)
        ids = self.connection.execute(BEST_WITH, (query, LOOKED_AT)).fetchall()
        found = self._own(ids, project_id, most)
        if len(ids) == LOOKED_AT and len(found) < ENOUGH:
            values = {"query": query, "project_id": project_id, "most": most}
            found = self._own(self.connection.execute(BEST_OWN_WITH, values).fetchall(), project_id, most)
        return found

    def newest(self, terms: list[str], project_id: int | None, most: int) -> list[NoteCandidate]:
        """Live notes of the project and global ones that have all of *terms*, the newest of all that have them."""
        if not terms:
            return []
        return self._own(self.connection.execute(NEWEST_WITH, (_all_of(terms), LOOKED_AT)).fetchall(), project_id, most)

    def _own(self, ids: list[tuple[int]], project_id: int | None, most: int) -> list[NoteCandidate]:
        found: list[NoteCandidate] = []
        for (note_id,) in ids:
            row = self.connection.execute(NOTE, (note_id, project_id)).fetchone()
            if row:
                found.append(NoteCandidate(row))
                if len(found) == most:
                    break
        return found

    def weightiest(self, project_id: int | None, most: int) -> list[NoteCandidate]:
        """The most important live notes, of equal ones the newest: the project's own first, then global ones."""
        rows = self.connection.execute(PROJECT_NOTES, {"project_id": project_id, "most": most}).fetchall()
        if len(rows) < most:
            rows += self.connection.execute(GLOBAL_NOTES, {"most": most - len(rows)}).fetchall()
        return [NoteCandidate(row) for row in rows]

    def co_retrieved(self, note_id: int, most: int) -> list[tuple[int, int]]:
        """The notes most often shown with this one, and how often."""
        return [(int(other), int(times)) for other, times in self.connection.execute(CO_RETRIEVED, (note_id, most))]

    def stamp(self, note_id: int, at: str) -> None:
        """Note when the note was last used."""
        self.connection.execute(STAMP_NOTE, (at, note_id))


def _all_of(words: list[str]) -> str:
    return " AND ".join(f'"{word}"' for word in words)
