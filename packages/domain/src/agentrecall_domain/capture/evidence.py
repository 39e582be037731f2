"""Evidence: whether the user's own words prove a rule that a judge made of them. Light.

Words prove a rule when the user said them in the turn, when they tell something, and when the rule is about it. The
last cannot be known for sure: a word in common, or concepts in common where the languages differ, is what we ask for.
"""

from __future__ import annotations

from agentrecall_domain.rules.rule_vector import rule_vector
from agentrecall_domain.text.concept_vector import cosine, stored, vector
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.text.telling import telling
from agentrecall_domain.text.tokenizer import words, words_and_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.rules.rule import RuleContent
    from agentrecall_domain.text.concept_vector import ConceptStore

LEAST_WORDS = 2
"""Shorter evidence ("yes", "the") stands in every turn and proves nothing."""
RELATED = 0.12
"""The cosine of concept vectors from which words and a rule are about one matter."""


def is_said(evidence: str, said: list[str]) -> bool:
    """Whether *evidence* is a verbatim span of what the user *said*, white space apart, and tells something."""
    span = _plain(evidence)
    if len(words(span)) < LEAST_WORDS or not telling(span):
        return False
    return any(span in _plain(text) for text in said)


def is_about(text: str, content: RuleContent, concepts: ConceptStore) -> bool:
    """Whether what a rule says has to do with *text*."""
    whole = f"{content.title}\n{content.trigger}\n{content.action}\n{content.mistake}\n{content.reason}"
    if not telling(text).isdisjoint(telling(whole)):
        return True
    return cosine(vector([(words_and_terms(text), 1.0)], concepts), stored(rule_vector(content, concepts))) >= RELATED


def _plain(text: str) -> str:
    """What is compared: as stored, so scrubbed; with every run of white space as one space."""
    return " ".join(scrub(text).split())
