"""A note's concept vector: what the note is about. Hot."""

from __future__ import annotations

from agentrecall_domain.text.concept_vector import vector
from agentrecall_domain.text.tokenizer import words_and_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from agentrecall_domain.text.concept_vector import ConceptStore

    class Content(Protocol):
        """What a note says."""

        @property
        def title(self) -> str: ...  # noqa: D102 -- the parts of a note
        @property
        def body(self) -> str: ...  # noqa: D102
        @property
        def prompt(self) -> str: ...  # noqa: D102


TITLE, PROMPT = 2.0, 0.5
"""The title tells most of what a note is about; the prompt that led to it asks for other things too."""


def note_vector(content: Content, store: ConceptStore) -> dict[int, float]:
    """What a note is about."""
    parts = [(content.title, TITLE), (content.body, 1.0), (content.prompt, PROMPT)]
    return vector([(words_and_terms(text), weight) for text, weight in parts], store)
