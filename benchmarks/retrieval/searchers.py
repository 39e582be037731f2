"""Searchers: plain FTS5 and plain Okapi BM25, what recall has to be better than."""

from __future__ import annotations

import re
from collections import Counter
from heapq import nsmallest
from math import log
from typing import NamedTuple, Protocol, Self

from agentrecall_domain.text.stop_words import STOP_WORDS
from agentrecall_domain.text.tokenizer import terms
from agentrecall_storage.engine import sqlite
from benchmarks.retrieval.corpus import Document


class Hit(NamedTuple):
    """A document that was found, and how well it matches: more is better."""

    key: str
    score: float


class Searcher(Protocol):
    """What finds documents for a text."""

    def search(self, text: str, most: int) -> list[Hit]:
        """At most *most* documents, best first."""


class Fts5:
    """SQLite's FTS5 with porter stemming: the OR of the query's words that are no stop words.

    Its words are its own and not our tokenizer's: this is the search that anyone has for ten lines of code.
    """

    def __init__(self, documents: list[Document]) -> None:
        self._keys = [document.key for document in documents]
        self._connection = sqlite.connect(":memory:")
        self._connection.execute("CREATE VIRTUAL TABLE documents USING fts5(words, tokenize = 'porter')")
        self._connection.executemany(
            "INSERT INTO documents(rowid, words) VALUES (?, ?)",
            [(place, document.words) for place, document in enumerate(documents)],
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def search(self, text: str, most: int) -> list[Hit]:
        """At most *most* documents, best first; ties go to the older one."""
        words = [word for word in dict.fromkeys(re.findall(r"\w+", text.lower())) if word not in STOP_WORDS]
        if not words:
            return []
        found = self._connection.execute(
            "SELECT rowid, -bm25(documents) FROM documents WHERE documents MATCH ? ORDER BY rank, rowid LIMIT ?",
            (" OR ".join(f'"{word}"' for word in words), most),
        )
        return [Hit(self._keys[place], score) for place, score in found]


class Bm25:
    """Okapi BM25 over the words of our tokenizer, with the numbers and the idf that bm25s and Lucene use."""

    K1, B = 1.5, 0.75

    def __init__(self, documents: list[Document]) -> None:
        self._keys = [document.key for document in documents]
        counted = [Counter(terms(document.words)) for document in documents]
        lengths = [counts.total() for counts in counted]
        usual = sum(lengths) / max(1, len(lengths)) or 1.0
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for place, (counts, length) in enumerate(zip(counted, lengths, strict=True)):
            against = self.K1 * (1 - self.B + self.B * length / usual)
            for term, count in counts.items():
                self._postings.setdefault(term, []).append((place, count * (self.K1 + 1) / (count + against)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._postings.clear()

    def search(self, text: str, most: int) -> list[Hit]:
        """At most *most* documents, best first; ties go to the older one."""
        scores: dict[int, float] = {}
        for term in dict.fromkeys(terms(text)):
            postings = self._postings.get(term, [])
            rarity = log(1 + (len(self._keys) - len(postings) + 0.5) / (len(postings) + 0.5))
            for place, weight in postings:
                scores[place] = scores.get(place, 0.0) + rarity * weight
        best = nsmallest(most, scores.items(), key=lambda one: (-one[1], one[0]))
        return [Hit(self._keys[place], score) for place, score in best]


PLAIN: dict[str, type[Fts5 | Bm25]] = {"FTS5": Fts5, "BM25": Bm25}
