"""Embedding: the extension point for vectors of others; the built-in concept vector needs none of it. Cold."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import isfinite, sqrt
from sys import byteorder
from typing import Protocol

GROUP = "agentrecall.embeddings"
"""The entry points that name providers: each a class, or a function without arguments, that gives one."""


class EmbeddingProvider(Protocol):
    """What turns texts into vectors. *name* and *dimension* are kept with each vector: two providers never mix."""

    @property
    def name(self) -> str: ...  # noqa: D102 -- said above
    @property
    def dimension(self) -> int: ...  # noqa: D102
    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float] | bytes]:
        """A vector for each of *texts*, in their order: numbers, or 32-bit floats as little-endian bytes."""
        ...


class EmbeddingError(Exception):
    """A provider is missing, failed, or gave what is no vector of its dimension."""


def embedded(provider: EmbeddingProvider, texts: Sequence[str]) -> list[bytes]:
    """The vectors of *texts* as they are kept: of length 1, in 32-bit floats, little-endian.

    Raises:
        EmbeddingError: The provider failed, or its answer cannot be used.
    """
    try:
        found = [_floats(one) for one in provider.embed(texts)]
    except (Exception, SystemExit) as error:  # whatever somebody else's code raises, our work goes on
        raise EmbeddingError(f"'{provider.name}' failed: {type(error).__name__}: {error}") from error
    if len(found) != len(texts):
        raise EmbeddingError(f"'{provider.name}' gave {len(found):,} vectors for {len(texts):,} texts")
    for one in found:
        if len(one) != provider.dimension:
            raise EmbeddingError(f"'{provider.name}' gave {len(one):,} numbers and not {provider.dimension:,}")
        if not all(map(isfinite, one)) or not any(one):
            raise EmbeddingError(f"'{provider.name}' gave a vector that points nowhere")
    return [_kept(one) for one in found]


def embedded_notes(provider: EmbeddingProvider, notes: Sequence[tuple[str, str]]) -> list[bytes]:
    """The vectors of notes, each given by its title and its body, as they are kept.

    A note's vector lies between that of what it says and that of the same under its title, which may be what led to it.

    Raises:
        EmbeddingError: As `embedded`.
    """
    texts = [_texts_of(title, body) for title, body in notes]
    found = iter(embedded(provider, [text for of_note in texts for text in of_note]))
    return [_between([next(found) for _ in of_note]) for of_note in texts]


def nearness(one: bytes, other: bytes) -> float:
    """How near two kept vectors of one provider are, -1 to 1."""
    return sum(a * b for a, b in zip(_floats(one), _floats(other), strict=True))


def _texts_of(title: str, body: str) -> list[str]:
    if not body:
        return [title]
    # A body that begins with its title says it already.
    return [body] if body.startswith(title) else [body, f"{title}\n{body}"]


def _between(vectors: Sequence[bytes]) -> bytes:
    """What lies in the middle of *vectors*, and no longer than that: the nearness to it is the mean of theirs."""
    if len(vectors) == 1:
        return vectors[0]
    return _as_bytes(array("f", (sum(numbers) / len(vectors) for numbers in zip(*map(_floats, vectors), strict=True))))


def _floats(vector: Sequence[float] | bytes) -> array[float]:
    if not isinstance(vector, bytes | bytearray | memoryview):
        return array("f", map(float, vector))
    numbers = array("f")
    numbers.frombytes(bytes(vector))
    if byteorder == "big":
        numbers.byteswap()
    return numbers


def _kept(vector: array[float]) -> bytes:
    length = sqrt(sum(number * number for number in vector))
    if not isfinite(length) or not length:
        raise EmbeddingError("a vector is too long or too short to be measured")
    return _as_bytes(array("f", (number / length for number in vector)))


def _as_bytes(vector: array[float]) -> bytes:
    if byteorder == "big":
        vector.byteswap()
    return vector.tobytes()
