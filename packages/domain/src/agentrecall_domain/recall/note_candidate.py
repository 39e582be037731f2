"""A note as ranking sees it: the hot projection of what is stored. Hot."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class NoteCandidate:
    """One note that recall may show. Built from a row in the order of `hot_notes.COLUMNS`.

    *counts* is how often each of its words stands in it, and *length* how many words it has. The concepts that an index
    finds it by are none of its words.
    """

    __slots__ = (
        "body",
        "confidence",
        "counts",
        "id",
        "importance",
        "length",
        "project_id",
        "terms",
        "title",
        "title_terms",
        "type",
        "valid_from",
        "vector",
    )

    def __init__(self, row: Sequence[Any]) -> None:
        (
            self.id,
            self.type,
            self.title,
            self.body,
            self.project_id,
            self.importance,
            self.confidence,
            self.valid_from,
            title_terms,
            terms,
            vector,
        ) = row
        self.vector: bytes = vector or b""
        self.title_terms = frozenset(str(title_terms).split())
        self.terms = f" {terms} ".partition(" __")[0] + " "
        words = self.terms.split()
        self.counts: dict[str, int] = {}
        for word in words:
            self.counts[word] = self.counts.get(word, 0) + 1
        self.length = len(words)

    def says(self, one: str, other: str) -> bool:
        """Whether the two words stand side by side in it."""
        return one in self.counts and other in self.counts and f" {one} {other} " in self.terms
