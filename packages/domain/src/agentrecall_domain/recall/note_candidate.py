"""A note as ranking sees it: the hot projection of what is stored. Hot."""

from __future__ import annotations

from agentrecall_domain.text.tokenizer import terms as terms_of
from agentrecall_domain.text.utc import day_of

DAY_S = 86_400

LONGEST_LABEL = 40
"""Characters: a longer one is a sentence that ends in a colon."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class NoteCandidate:
    """One note that recall may show. Built from a row in the order of `hot_notes.COLUMNS`.

    *counts* is how often each of its words stands in it, and *length* how many words it has. The concepts that an index
    finds it by are none of its words. *label* are the words before the colon that its body begins with: who says it, or
    what it is about. A title with one is what was said before.
    """

    __slots__ = (
        "body",
        "confidence",
        "counts",
        "id",
        "importance",
        "label",
        "length",
        "project_id",
        "terms",
        "title",
        "title_is_said",
        "title_terms",
        "type",
        "valid_from",
        "valid_to",
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
            self.valid_to,
            title_terms,
            terms,
            vector,
        ) = row
        self.vector: bytes = vector or b""
        self.title_terms = frozenset(str(title_terms).split())
        self.title_is_said = bool(label_of(self.title))
        # Several lines have several speakers.
        self.label = frozenset(terms_of(label_of(self.body))) if "\n" not in self.body else frozenset[str]()
        self.terms = f" {terms} ".partition(" __")[0] + " "
        words = self.terms.split()
        self.counts: dict[str, int] = {}
        for word in words:
            self.counts[word] = self.counts.get(word, 0) + 1
        self.length = len(words)

    def has_ended(self, at: float) -> bool:
        """Whether it held until a day before *at*, in seconds."""
        day = day_of(self.valid_to or "")
        return day is not None and day < at // DAY_S

    def says(self, one: str, other: str) -> bool:
        """Whether the two words stand side by side in it."""
        return one in self.counts and other in self.counts and f" {one} {other} " in self.terms


def label_of(text: str) -> str:
    """What stands before the colon that *text* begins with; empty when it begins with none."""
    before, colon, _ = text[:LONGEST_LABEL].partition(": ")
    return before if colon else ""
