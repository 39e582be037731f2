"""Note vectors: which notes are near a text by the stored vectors of the chosen provider. Cold.

All vectors are read and compared: ten thousand in an eighth of a second, which a person waits for and a hook does not.
"""

from __future__ import annotations

from heapq import nlargest
from math import isfinite
from operator import mul
from struct import Struct

from agentrecall_domain.notes.embedding import EmbeddingProvider, embedded
from agentrecall_domain.notes.note import NoteStatus
from agentrecall_domain.recall.note_candidate import NoteCandidate
from agentrecall_domain.recall.semantic_track import SemanticTrack
from agentrecall_storage.engine import sqlite
from agentrecall_storage.hot_notes import COLUMNS

MOST_NEAREST = 60
"""As many candidates as words fetch."""

VECTORS = """
    SELECT embeddings.note_id, embeddings.vector
      FROM embeddings
      JOIN notes ON notes.id = embeddings.note_id
     WHERE embeddings.provider = :provider
       AND embeddings.dimension = :dimension
       AND notes.status = :live
       AND (:everywhere OR notes.project_id IS NULL OR notes.project_id = :project_id)
"""


def semantic_track(
    connection: sqlite.Connection,
    provider: EmbeddingProvider,
    text: str,
    project_id: int | None,
    *,
    everywhere: bool = False,
    most: int = MOST_NEAREST,
) -> SemanticTrack:
    """What the vectors of *provider* say to *text* of the live notes of the project and global ones.

    Raises:
        EmbeddingError: The provider failed, or its answer cannot be used.
    """
    (asked,) = embedded(provider, [text])
    numbers = Struct(f"<{provider.dimension}f")
    about = numbers.unpack(asked)
    which = {
        "provider": provider.name,
        "dimension": provider.dimension,
        "live": NoteStatus.LIVE,
        "everywhere": everywhere,
        "project_id": project_id,
    }
    found = connection.execute(VECTORS, which)
    nearness = {
        int(note_id): sum(map(mul, about, numbers.unpack(kept))) for note_id, kept in found if len(kept) == numbers.size
    }
    # What was damaged on the disk has another length, or says nothing.
    cosines = {note_id: cosine for note_id, cosine in nearness.items() if isfinite(cosine)}
    nearest = nlargest(most, cosines, key=lambda note_id: (cosines[note_id], note_id))
    return SemanticTrack(_candidates(connection, nearest), cosines)


def _candidates(connection: sqlite.Connection, ids: list[int]) -> list[NoteCandidate]:
    marks = ", ".join("?" * len(ids))
    rows = connection.execute(f"SELECT {COLUMNS} FROM notes WHERE id IN ({marks})", ids)  # noqa: S608 -- columns and marks of ours
    by_id = {candidate.id: candidate for candidate in map(NoteCandidate, rows)}
    return [by_id[note_id] for note_id in ids if note_id in by_id]
