"""Task type: what kind of work a prompt asks for, by the vocabulary that rules about it share. Hot."""

from __future__ import annotations

_LISTS = """
BugFix: bug crash regress broken root caus debug defect reproduc
Security: secur vulner inject authent author secret token password permiss csrf xss sanit
Performance: perform slow latenc memori cach profil benchmark fast optim throughput
Refactor: refactor renam extract duplic cleanup restructur simplifi tidi
Test: pytest jest mock fixtur stub flaki coverag assert unittest spec
Documentation: docstr readm changelog document
Review: review pull approv nit
"""

VOCABULARIES = {
    name: frozenset(words.split()) for name, _, words in (line.partition(":") for line in _LISTS.strip().splitlines())
}
"""Words, as the tokenizer stems them, that tell each type; seven of the predecessor's types have any."""


def task_types(terms: list[str]) -> list[frozenset[str]]:
    """The vocabularies of the types of work that *terms* speak of."""
    return [words for words in VOCABULARIES.values() if not words.isdisjoint(terms)]
