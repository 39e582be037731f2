"""Which words fetch candidates: the rare ones. A common word costs the most to look up and says the least. Hot."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_FETCHED = 40
"""So many words, the rarest, fetch candidates; all of them score."""
ALWAYS_FETCHED = 3
COMMON_FROM = 30
"""In a small memory no word is too common to fetch by."""
MOST_MATCHES = 1500
"""So many times memories have the words, or the concepts, that fetch: each costs two microseconds, and in 18,431 public
rules none of the common words beyond found a rule that the rare ones had not."""


def fetching(weights: Mapping[str, float], having: Mapping[str, float], memories: int) -> list[str]:
    """The words that candidates are fetched by: the rare ones, and the three rarest however common they are.

    *having* says how many memories have a word. A word that a twentieth of all *memories* have still scores.
    """
    rarest = sorted(weights, key=lambda term: (having[term], term))[:MOST_FETCHED]
    common = max(COMMON_FROM, memories // 20)
    return [term for place, term in enumerate(rarest) if place < ALWAYS_FETCHED or having[term] < common]


def rarest_of(words: list[str], having: Mapping[str, float]) -> list[str]:
    """Those of *words*, rarest first, of which a candidate must have one: in a large memory not all of them.

    A memory that has none but the commoner ones is hardly ever among the best.
    """
    matches = 0.0
    for place, term in enumerate(words):
        matches += having[term]
        if place and matches > MOST_MATCHES:
            return words[:place]
    return words
