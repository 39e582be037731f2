"""Embeddings as stored: the vectors of a provider that a person has chosen, beside the built-in ones. Cold."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, NamedTuple

from agentrecall_domain.notes.embedding import GROUP, EmbeddingError, EmbeddingProvider, embedded_notes
from agentrecall_domain.notes.note import NoteStatus
from agentrecall_storage import ledger
from agentrecall_storage.engine import sqlite
from agentrecall_storage.indexing import NOTES_AT_ONCE, notes_to_index, reindex_notes
from agentrecall_storage.rows import rows

if TYPE_CHECKING:
    from agentrecall_storage.memory import Memory

PROVIDER = "embedding_provider"
"""The row of `config` that names the chosen provider; without it the built-in vector serves alone."""
BATCH = 64

_MISSING = """
    SELECT notes.id, notes.version, notes.title, notes.body
      FROM notes
     WHERE notes.id < :below AND notes.status = :live
       AND NOT EXISTS (SELECT 1 FROM embeddings
                        WHERE embeddings.note_id = notes.id AND embeddings.provider = :provider
                          AND embeddings.dimension = :dimension)
     ORDER BY notes.id DESC LIMIT :most
"""


class Embedded(NamedTuple):
    """How many notes were embedded, and how many were passed over, with the last reason."""

    stored: int
    skipped: int = 0
    why: str = ""


def chosen_provider(connection: sqlite.Connection) -> EmbeddingProvider | None:
    """The provider that the configuration names, or None for the built-in vector alone.

    Raises:
        EmbeddingError: It is not installed, or cannot be loaded.
    """
    row = connection.execute("SELECT value FROM config WHERE key = ?", (PROVIDER,)).fetchone()
    return find_provider(str(row[0])) if row and row[0] else None


def find_provider(name: str) -> EmbeddingProvider:
    """The provider that is installed under this name.

    Raises:
        EmbeddingError: There is none, or it cannot be loaded.
    """
    known = {point.name: point for point in entry_points(group=GROUP)}
    if name not in known:
        there = ", ".join(sorted(known)) or "none"
        raise EmbeddingError(f"no embedding provider '{name}' is installed; there is: {there}")
    try:
        provider: EmbeddingProvider = known[name].load()()
    except Exception as error:  # whatever somebody else's code raises, our work goes on
        raise EmbeddingError(f"'{name}' cannot be loaded: {type(error).__name__}: {error}") from error
    return provider


def embed_missing(
    connection: sqlite.Connection,
    provider: EmbeddingProvider,
    *,
    batch: int = BATCH,
    is_over: Callable[[], bool] = lambda: False,
) -> Embedded:
    """Embed every live note that has no vector of *provider* yet, the newest first, one transaction for each batch.

    The provider is asked outside of the transaction. A batch that it fails is passed over, and asked for again when
    this is called again. A vector of another provider goes when the note has its own.
    """
    stored = skipped = 0
    why = ""
    below = 1 << 62
    while True:
        found = _missing(connection, provider, below, batch)
        if not found or is_over():
            return Embedded(stored, skipped, why)
        below = found[-1]["id"]
        try:
            vectors = embedded_notes(provider, [(row["title"], row["body"]) for row in found])
        except EmbeddingError as error:
            skipped, why = skipped + len(found), str(error)
            continue
        stored += _store(connection, provider, found, vectors)


def keep_found(memory: Memory, is_over: Callable[[], bool] = lambda: False) -> Embedded:
    """Bring up to date what notes are found by: the index first, then the vectors of the chosen provider.

    For `process`, after its units. A provider that is missing or fails is told of, and stops nothing.
    """
    while notes_to_index(memory) and not is_over():
        reindex_notes(memory, NOTES_AT_ONCE)
    try:
        provider = chosen_provider(memory.connection)
    except EmbeddingError as error:
        return Embedded(0, why=str(error))
    return Embedded(0) if provider is None else embed_missing(memory.connection, provider, is_over=is_over)


def forget_embeddings(connection: sqlite.Connection, note_id: int) -> None:
    """Drop a note's vectors: it says something else now."""
    connection.execute("DELETE FROM embeddings WHERE note_id = ?", (note_id,))


def _missing(connection: sqlite.Connection, provider: EmbeddingProvider, below: int, most: int) -> list[dict[str, Any]]:
    return rows(
        connection,
        _MISSING,
        {
            "below": below,
            "live": NoteStatus.LIVE,
            "provider": provider.name,
            "dimension": provider.dimension,
            "most": most,
        },
    )


def _store(
    connection: sqlite.Connection, provider: EmbeddingProvider, found: list[dict[str, Any]], vectors: list[bytes]
) -> int:
    """Store the vectors of those notes that say what they said when they were read; gives how many."""
    stored = 0
    with ledger.writing(connection):
        for row, vector in zip(found, vectors, strict=True):
            now = connection.execute("SELECT title, body FROM notes WHERE id = ?", (row["id"],)).fetchone()
            if now != (row["title"], row["body"]):
                continue
            forget_embeddings(connection, row["id"])
            connection.execute(
                "INSERT INTO embeddings(note_id, provider, dimension, vector) VALUES (?, ?, ?, ?)",
                (row["id"], provider.name, provider.dimension, vector),
            )
            stored += 1
    return stored
