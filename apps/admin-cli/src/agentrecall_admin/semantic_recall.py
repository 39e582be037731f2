"""Semantic recall: what the vectors of the chosen provider say to a person's text, where one is chosen and works."""

from __future__ import annotations

from agentrecall_admin.console import talk
from agentrecall_domain.notes.embedding import EmbeddingError
from agentrecall_domain.recall.semantic_track import SemanticTrack
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.embeddings import chosen_provider
from agentrecall_storage.memory import Memory
from agentrecall_storage.note_vectors import semantic_track


def track_for(memory: Memory, text: str, project_id: int | None, *, everywhere: bool = False) -> SemanticTrack | None:
    """The semantic track for *text*; None without a chosen provider, or when it fails, which is told of."""
    try:
        provider = chosen_provider(memory.connection)
        if provider is None:
            return None
        return semantic_track(memory.connection, provider, text, project_id, everywhere=everywhere)
    except EmbeddingError as error:
        talk(f"notes are found without the vectors of the chosen provider: {harmless(str(error))}")
        return None
