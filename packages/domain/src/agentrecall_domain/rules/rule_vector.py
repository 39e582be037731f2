"""A rule's concept vector, and the words by which an index finds the rules of a vector. Hot."""

from __future__ import annotations

from agentrecall_domain.text.concept_vector import vector
from agentrecall_domain.text.tokenizer import words_and_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from agentrecall_domain.text.concept_vector import ConceptStore

    class Content(Protocol):
        """What a rule says."""

        @property
        def trigger(self) -> str: ...
        @property
        def action(self) -> str: ...
        @property
        def mistake(self) -> str: ...
        @property
        def reason(self) -> str: ...
        @property
        def tags(self) -> Sequence[str]: ...


TRIGGER, MISTAKE, REASON = 2.0, 2.0, 0.5
"""When a rule applies and what goes wrong tell most of what it is about: people ask for the mistake. Why names more."""
MOST_TOKENS, MOST_ASKED = 12, 6
"""So many concepts a rule is found by, and so many of a query's look for rules."""


def rule_vector(content: Content, store: ConceptStore) -> dict[int, float]:
    """What a rule is about."""
    parts = [(content.trigger, TRIGGER), (content.action, 1.0), (content.mistake, MISTAKE), (content.reason, REASON)]
    parts += [(tag, 1.0) for tag in content.tags]
    return vector([(words_and_terms(text), weight) for text, weight in parts], store)


def tokens(found: dict[int, float], most: int = MOST_TOKENS) -> list[str]:
    """The words under which an index holds a vector's strongest concepts; no text has them."""
    strongest = sorted(found, key=lambda number: (-found[number], number))
    return [f"__{number}" for number in strongest[:most]]
