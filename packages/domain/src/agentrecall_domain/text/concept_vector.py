"""The concept vector: what a text is about, as weights over the concepts of software work. Hot, deterministic.

Each word has the concepts in mind whose surface forms it stands in, the more the fewer there are; a whole form names
its concept outright. A vector keeps its strongest concepts and has length 1, so that two multiply to a cosine.
"""

from __future__ import annotations

from json import loads
from sys import byteorder

from agentrecall_domain.text.stop_words import WEAK_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol, TypeAlias

    Said: TypeAlias = tuple[list[str], list[str]]
    Known: TypeAlias = dict[str, tuple[list[int], list[tuple[list[str], int, int]]]]

    class ConceptStore(Protocol):
        """The compiled graph."""

        def of_word(self, word: str) -> tuple[bytes, str] | None:
            """The vector of a word as it is kept, and the forms that begin with it as JSON: rest, concept, weight."""

        def of_concept(self, number: int) -> bytes:
            """The vector of a concept as it is kept."""


NAMED = 1.5
"""What a form that is spoken as a whole weighs against one of its words."""
WEAK = 0.3
"""What a word counts that half of all talk about software has in it."""
MOST_DIMENSIONS = 64
MOST_WORDS = 600
SCALE = 1000
ARTICLES = frozenset(
    """
    a an the my our your his her its their this that these those some any
    der die das den dem des ein eine einen einem einer eines mein meine unser unsere
    le la les l un une des du mon ma mes notre nos
    el los las una unos unas mi mis nuestro nuestra
    """.split()  # noqa: SIM905 -- fifty quoted words would hide what is in the list
)
"""What may stand between the words of a form, and says nothing."""


def spoken(words: list[str]) -> list[str]:
    """*words* as forms are looked for in them: all but the articles."""
    return [word for word in words if word not in ARTICLES]


def vector(
    parts: Iterable[tuple[Said, float]], store: ConceptStore, least: float = 0.0, known: Known | None = None
) -> dict[int, float]:
    """The vector of a text that comes in parts, each with what it weighs; empty when no concept is in it.

    A part is what the tokenizer's `words_and_terms` makes of it. Of a text that says less than *least* the vector is
    shorter than 1: one word that is left over is not what a text is about. *known* keeps what was looked up, for the
    vectors of several texts.
    """
    found: dict[int, float] = {}
    known = {} if known is None else known
    for said, weight in parts:
        if said[1]:
            _add(found, known, said, weight, store)
    strongest = sorted(found.items(), key=lambda one: (-one[1], one[0]))[:MOST_DIMENSIONS]
    length = max(least, sum(value * value for _, value in strongest) ** 0.5)
    return {number: value / length for number, value in strongest} if length else {}


def cosine(one: dict[int, float], kept: bytes) -> float:
    """How much a vector and one that was kept are about the same, 0 to 1."""
    flat = _flat(kept)
    found = 0.0
    for place in range(0, len(flat), 2):
        value = one.get(flat[place])
        if value is not None:
            found += value * flat[place + 1]
    return min(1.0, found / SCALE)


def stored(one: dict[int, float]) -> bytes:
    """A vector as it is kept: numbers of concepts and weights in thousandths, in turn, each of 16 bits."""
    flat = [part for number, value in one.items() for part in (number, round(value * SCALE))]
    return b"".join(part.to_bytes(2, "little") for part in flat)


def opened(kept: bytes) -> dict[int, float]:
    """The vector that was kept."""
    flat = _flat(kept)
    return {flat[place]: flat[place + 1] / SCALE for place in range(0, len(flat), 2)}


def _flat(kept: bytes) -> list[int]:
    # Ten times as fast as JSON, and sixty of them are read at a prompt.
    flat: list[int] = memoryview(kept).cast("H").tolist()
    return flat if byteorder == "little" else [part >> 8 | (part & 255) << 8 for part in flat]


def _add(
    found: dict[int, float],
    known: Known,
    said: Said,
    weight: float,
    store: ConceptStore,
) -> None:
    told = said[1][:MOST_WORDS]
    for word in dict.fromkeys(told):
        _mix(found, _entry(known, word, store)[0], weight * (WEAK if word in WEAK_WORDS else 1.0))
    named: dict[int, int] = {}
    begun: dict[tuple[str, str], list[tuple[list[str], int, int]]] = {}
    for sequence in (spoken(said[0][:MOST_WORDS]), told):
        for place, pair in enumerate(zip(sequence, [*sequence[1:], ""], strict=True), start=1):
            # Code says the same again and again, and one word begins hundreds of forms.
            if pair not in begun:
                begun[pair] = [one for one in _entry(known, pair[0], store)[1] if not one[0] or one[0][0] == pair[1]]
            for rest, number, surely in begun[pair]:
                if surely > named.get(number, 0) and sequence[place : place + len(rest)] == rest:
                    named[number] = surely
    for number, surely in named.items():
        _mix(found, _flat(store.of_concept(number)), weight * NAMED * surely / SCALE)


def _entry(known: Known, word: str, store: ConceptStore) -> tuple[list[int], list[tuple[list[str], int, int]]]:
    if word not in known:
        row = store.of_word(word)
        known[word] = (
            ([], [])
            if row is None
            else (_flat(row[0]), [(rest.split(), number, surely) for rest, number, surely in loads(row[1])])
        )
    return known[word]


def _mix(found: dict[int, float], flat: list[int], weight: float) -> None:
    for place in range(0, len(flat), 2):
        number = flat[place]
        found[number] = found.get(number, 0.0) + weight * flat[place + 1] / SCALE
