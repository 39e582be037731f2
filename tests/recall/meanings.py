"""A provider of vectors for tests: it knows three matters by their words, and fails in the ways that providers fail."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from agentrecall_domain.notes.embedding import GROUP
from agentrecall_storage import embeddings
from agentrecall_storage.embeddings import PROVIDER
from recall.stories import Person

MATTERS = (
    ("sessions", "logged-in", "redis", "cookies"),
    ("uploads", "files", "bucket", "attachments"),
    ("invoices", "billing", "utc", "charges"),
)
IN_NONE = 0.05
LOADED = "the provider was loaded\n"
"""What the provider of `install` says when somebody loads it."""


class Meanings:
    """Texts that speak of one matter are near, whatever their words."""

    name = "meanings"
    dimension = 3

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float] | bytes]:
        return [[IN_NONE + sum(text.lower().count(word) for word in matter) for matter in MATTERS] for text in texts]


class OnlyOnce(Meanings):
    """It has no answer to a question: a text without a line break and a full stop."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float] | bytes]:
        if not all(text.endswith(".") for text in texts):
            raise ConnectionError("the model went away")
        return super().embed(texts)


class NoNumbers(OnlyOnce):
    """Its answers to questions are no numbers."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float] | bytes]:
        return [[math.nan] * self.dimension for _ in texts]


class OtherDimension(Meanings):
    """Its answers have a dimension more than it says."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float] | bytes]:
        return [[1.0] * (self.dimension + 1) for _ in texts]


class Larger(Meanings):
    """A later version of the provider: of the same name, with a dimension more."""

    dimension = 4

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float] | bytes]:
        return [[1.0] * self.dimension for _ in texts]


class Unloadable(Meanings):
    """Its model is not there."""

    def __init__(self) -> None:
        raise FileNotFoundError("the model's file is gone")


@contextmanager
def installed(provider: type[Meanings]) -> Iterator[None]:
    """Let *provider* be the one that is installed under the name that was chosen."""
    point = EntryPoint("meanings", f"{__name__}:{provider.__name__}", GROUP)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embeddings, "entry_points", lambda group: [point] if group == GROUP else [])
        yield


def choose(someone: Person, name: str = "meanings") -> None:
    """Let the person choose the provider of this name."""
    with someone.memory() as memory:
        memory.connection.execute("INSERT INTO config VALUES (?, ?, '')", (PROVIDER, name))


def install(folder: Path) -> dict[str, str]:
    """Install a provider for programs of their own; gives the variables with which they find it."""
    package = folder / "meanings-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: meanings\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(f"[{GROUP}]\nmeanings = provider_of_meanings:Provider\n")
    (folder / "provider_of_meanings.py").write_text(
        f"import sys\nsys.stderr.write({LOADED!r})\n"
        "class Provider:\n"
        "    name, dimension = 'meanings', 2\n"
        "    def embed(self, texts):\n"
        "        return [[1.0, float(len(text))] for text in texts]\n"
    )
    return {"PYTHONPATH": str(folder)}
