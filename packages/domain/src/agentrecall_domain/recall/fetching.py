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


MOST_READ = 8000
"""Two words together are looked up by reading of every note that has either that it has: so many at most, for all."""


def alternatives(words: list[str], having: Mapping[str, float], memories: int, most: float) -> list[list[str]]:
    """What a note must have one of: the rarest of *words*, and pairs of those that are too common alone.

    *words* come rarest first. As many are taken as *most* notes have; none when even a pair is too common.
    """
    left = most
    found: list[list[str]] = []
    for place, word in enumerate(words):
        if having[word] > left:
            return found + _pairs(words[place:], having, memories, left)
        left -= having[word]
        found.append([word])
    return found


def _pairs(words: list[str], having: Mapping[str, float], memories: int, left: float) -> list[list[str]]:
    """Neighbours in rarity among *words*, as many pairs as are likely to be in no more than *left* memories."""
    found, read = [], 0.0
    for one, other in zip(words, words[1:], strict=False):  # noqa: RUF007 -- no itertools in a hook
        together = having[one] * having[other] / max(1, memories)
        read += having[one] + having[other]
        if together > left or read > MOST_READ:
            break
        left -= together
        found.append([one, other])
    return found
