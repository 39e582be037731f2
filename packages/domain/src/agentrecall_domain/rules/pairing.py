"""Pairing: which of many rules are worth comparing, found by the rarer senses that they share. Light.

All pairs of 10,000 rules are fifty million; those with a sense in common that few rules have are some hundred thousand.
"""

from __future__ import annotations

from itertools import combinations

from agentrecall_domain.rules.meaning import WEAK_WEIGHT, strongest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentrecall_domain.rules.meaning import Sense

FEW = 60
"""A key that at most so many rules hold pairs them."""

MOST_COMMON = 10
"""Of how many common senses of one rule the twos are keys as well: two common words are rare together."""


def pairs(senses: Sequence[Sense]) -> Iterator[tuple[int, int]]:
    """The positions of two senses each that share a rare key, each pair once, in ascending order."""
    words = [
        sorted(word for word in sense.trigger | sense.words if strongest((word,)) >= WEAK_WEIGHT) for sense in senses
    ]
    holders = _holders(words)
    common = [[word for word in said if len(holders[word]) > FEW][:MOST_COMMON] for said in words]
    rare = [{word for word in said if len(holders[word]) <= FEW} for said in words]
    together = _holders([[f"{one} {two}" for one, two in combinations(said, 2)] for said in common])
    for at in range(len(senses)):
        beside = {other for word in rare[at] for other in holders[word] if other > at}
        for one, two in combinations(common[at], 2):
            held = together[f"{one} {two}"]
            if len(held) <= FEW:
                beside.update(other for other in held if other > at)
        for other in sorted(beside):
            yield at, other


def _holders(keys: list[list[str]]) -> dict[str, list[int]]:
    """Where each key is held, in ascending order."""
    found: dict[str, list[int]] = {}
    for at, held in enumerate(keys):
        for key in held:
            found.setdefault(key, []).append(at)
    return found
