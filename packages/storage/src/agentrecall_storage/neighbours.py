"""Neighbours: the notes that are most like a text, found by index and then compared, at any number of notes. Cold.

Candidates are the notes with the rarest of the text's words and concepts; words that many notes have count two or three
together. What is read of the index is bounded, so a hundred thousand notes are asked about as fast as a thousand.
"""

from __future__ import annotations

from itertools import combinations
from math import log, prod
from typing import Any

from agentrecall_domain.notes.note import NoteContent
from agentrecall_domain.rules.meaning import synonyms_of
from agentrecall_domain.rules.rule_vector import MOST_ASKED, tokens
from agentrecall_domain.text.concept_vector import cosine
from agentrecall_domain.text.tokenizer import terms
from agentrecall_storage.engine import sqlite
from agentrecall_storage.hot import NEWEST_NOTE
from agentrecall_storage.hot_notes import NEWEST_WITH, OLDEST_NOTE

MOST_TERMS = 32
MOST_FETCHED, MOST_FETCHED_JOINED = 160, 120
"""How many notes rare words, and joined ones, are to find: one note counted once for each part of the query."""
MOST_COMPARED = 160
LEAST_PARTS, MOST_JOINED, MOST_TRIED = 6, 8, 8
"""A text of which so few words are rare enough is looked for by so many of the next, joined."""
SAMPLED = 16
"""So many of the newest notes with a word are looked at to see how common it is: the index knows no better."""

# Each by itself is one step in the index; asked together they would read all of it.
BOUNDS = f"SELECT ({OLDEST_NOTE}), ({NEWEST_NOTE})"
# Without bm25, which counts for each word of the query all notes that have it.
NEAR = """
    SELECT notes.id, notes.terms, notes.vector
      FROM notes_fts
      JOIN notes ON notes.id = notes_fts.rowid
     WHERE notes_fts MATCH :query
       AND notes.project_id IS :project_id
       AND notes.status = :status
     ORDER BY notes_fts.rowid DESC
     LIMIT :most
"""


def nearest(
    connection: sqlite.Connection,
    content: NoteContent,
    about: dict[int, float],
    *,
    project_id: int | None,
    status: str,
    most: int,
) -> list[int]:
    """The ids of the notes of this project and *status* that are most like *content*, the nearest first."""
    said = list(dict.fromkeys(terms(f"{content.title}\n{content.body}")))
    asked = [same for word in said[:MOST_TERMS] for same in synonyms_of(word)] + tokens(about, MOST_ASKED)
    lowest, highest = connection.execute(BOUNDS).fetchone()
    if highest is None:
        return []
    total = highest - lowest + 1
    index = _Index(connection, highest, total)
    counts = {word: index.count(_quoted(word)) for word in dict.fromkeys(asked)}
    query = _query(index, {word: count for word, count in counts.items() if count})
    if not query:
        return []
    found = connection.execute(
        NEAR, {"query": query, "project_id": project_id, "status": status, "most": MOST_COMPARED}
    ).fetchall()
    rare = {word: 1 / log(2 + counts.get(word, 0)) for word in said}
    by_nearness = sorted(found, key=lambda row: (-_nearness(rare, about, row), -row[0]))
    return [int(row[0]) for row in by_nearness[:most]]


class _Index:
    """The text index of the notes, asked how many there are of what."""

    def __init__(self, connection: sqlite.Connection, highest: int, total: int) -> None:
        self._connection = connection
        self._highest, self.total = highest, total

    def count(self, query: str) -> float:
        """How many notes *query* finds, judged by the newest: to count them all, the engine would read them all."""
        found = self._connection.execute(NEWEST_WITH, (query, SAMPLED)).fetchall()
        if len(found) < SAMPLED:
            return len(found)
        return max(SAMPLED, SAMPLED * self.total / (self._highest - int(found[-1][0]) + 1))


def _query(index: _Index, counts: dict[str, float]) -> str:
    """The rarest words, any of which a candidate has, and some of the next ones joined."""
    rarest = sorted(counts, key=lambda word: (counts[word], word))
    parts: list[str] = []
    fetched = 0.0
    for word in rarest:
        if fetched + counts[word] > MOST_FETCHED:
            break
        parts.append(_quoted(word))
        fetched += counts[word]
    common = rarest[len(parts) :][:MOST_JOINED]
    if len(parts) < LEAST_PARTS and common:
        parts += _joined(index, {word: counts[word] for word in common})
    return " OR ".join(parts)


def _joined(index: _Index, common: dict[str, float]) -> list[str]:
    """The rarest twos of *common* words, or else threes, that find few notes together."""
    budget = float(MOST_FETCHED_JOINED)
    for size in (2, 3):
        together = sorted((prod(common[word] for word in words), words) for words in combinations(common, size))
        chosen = []
        for _, words in together[:MOST_TRIED]:
            query = f"({' AND '.join(map(_quoted, words))})"
            # Words of one matter go together more than by chance.
            found = index.count(query)
            if 0 < found <= budget:
                chosen.append(query)
                budget -= found
        if chosen:
            return chosen
    return [f"({' AND '.join(map(_quoted, list(common)[:4]))})"]


def _quoted(word: str) -> str:
    return f'"{word}"'


def _nearness(rare: dict[str, float], about: dict[int, float], row: tuple[Any, ...]) -> float:
    theirs = {word for word in row[1].split() if not word.startswith("__")}
    shared = theirs & rare.keys()
    of_mine = sum(rare[word] for word in shared) / (sum(rare.values()) or 1.0)
    of_theirs = len(shared) / (len(theirs) or 1)
    # What refines a note says all of it and more; of two that say as much, the one that says no more is nearer.
    return max(of_mine, of_theirs) + 0.1 * min(of_mine, of_theirs) + cosine(about, row[2])
