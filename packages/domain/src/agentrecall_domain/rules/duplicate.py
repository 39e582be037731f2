"""The one duplicate check of rules: whether two tell the agent the same thing. Cold."""

from __future__ import annotations

from agentrecall_domain.rules.rule import RuleContent
from agentrecall_domain.text.tokenizer import terms, words

REFUSALS = {"avoid", "don", "dont", "never", "no", "not", "stop", "without"}
"""Most are stop words to the search, and turn a rule into its opposite."""


def tells_the_same(one: RuleContent, other: RuleContent) -> bool:
    """Whether two rules of one scope have the same action and the same mistake, but for word forms and small words."""
    return _told(one) == _told(other)


def _told(rule: RuleContent) -> tuple[frozenset[str], bool, frozenset[str]]:
    action = frozenset(terms(rule.action)) or frozenset({rule.action.lower()})
    return action, not REFUSALS.isdisjoint(words(rule.action)), frozenset(terms(rule.mistake))
