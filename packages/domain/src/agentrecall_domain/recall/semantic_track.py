"""The semantic track of a provider: what its vectors say of each note to one query, in place of concept vectors. Cold.

Hooks never load a provider: there the built-in concept vectors are the semantic track.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agentrecall_domain.recall.note_candidate import NoteCandidate
from agentrecall_domain.recall.note_ranking import RankedNote

UNRELATED, RELATED = 0.10, 0.60
"""The cosines of sentence vectors that mean nothing in common, and one matter: on the scale of concept vectors then."""
WORTH, WORTH_WHERE_WORDS_FAIL = 2.0, 5.0
"""What a provider's vectors are worth against concept vectors; more where the words of the query say little."""
TENTH = 10
SINGLED_OUT, ALIKE = 0.55, 0.35
"""The words of a query single a note out when the tenth best by words has so much less than the best; with so little
less, they are common words. Names do that, in LoCoMo; the words of web searches for code, in CoSQA, do not."""
MATCH = 0.5
"""What the best by words has at least of a full match before the others are looked at."""


class SemanticTrack:
    """The nearest notes by a provider's vectors, and how near each note with a vector is.

    A ranking is given this as its `semantic`: it puts the *nearest* beside what words have fetched, and has it weigh
    them all.
    """

    def __init__(self, nearest: Sequence[NoteCandidate], cosines: Mapping[int, float]) -> None:
        self.nearest = nearest
        self.cosines = cosines

    def beside(self, fetched: Sequence[NoteCandidate]) -> list[NoteCandidate]:
        """The candidates that words have fetched, and the nearest that are not among them."""
        known = {candidate.id for candidate in fetched}
        return [*fetched, *(candidate for candidate in self.nearest if candidate.id not in known)]

    def weigh(self, ranked: Sequence[RankedNote], share: float) -> float:
        """Let each note that has a vector be as near as it says; the others keep what their concepts say.

        Gives the share of words in the mix, of which *share* is the one beside concept vectors.
        """
        for one in ranked:
            cosine = self.cosines.get(one.candidate.id)
            if cosine is not None:
                one.semantic = likeness(cosine)
        return words_share(share, [one.lexical for one in ranked])


def likeness(cosine: float) -> float:
    """A cosine of sentence vectors on the scale on which 0 is nothing in common and 1 one matter."""
    return max(0.0, (cosine - UNRELATED) / (RELATED - UNRELATED))


def words_share(share: float, by_words: Sequence[float]) -> float:
    """What words count beside a provider's vectors, *by_words* being what they say of each candidate, 1 a full match.

    All and nothing stay what they are.
    """
    singled_out = _singled_out(by_words)
    worth = WORTH * singled_out + WORTH_WHERE_WORDS_FAIL * (1.0 - singled_out)
    return share / (share + worth * (1.0 - share))


def _singled_out(by_words: Sequence[float]) -> float:
    """How clearly words single a candidate out, 0 to 1."""
    best = sorted(by_words, reverse=True)[:TENTH]
    if not best or best[0] <= 0.0:
        return 0.0
    apart = 1.0 - (best[-1] if len(best) == TENTH else 0.0) / best[0]
    clear = min(1.0, max(0.0, (apart - ALIKE) / (SINGLED_OUT - ALIKE)))
    return clear * min(1.0, best[0] / MATCH)
