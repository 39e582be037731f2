"""Indexing anew: what rules are found by, written again when the tokenizer or the concept graph has changed. Cold."""

from __future__ import annotations

from agentrecall_domain.rules.status import DEAD
from agentrecall_domain.text.tokenizer import TOKENIZER_VERSION
from agentrecall_storage.concepts import ConceptIndex
from agentrecall_storage.rows import update
from agentrecall_storage.rules import RuleStore, columns_of

INDEXED = ("trigger_terms", "terms", "vector")
KEY = "tokenizer_version"
"""The row of `config` that says what the index was written with."""


def version(concepts: ConceptIndex) -> str:
    """What an index is written with today: the tokenizer's version, and the concept graph's."""
    return f"{TOKENIZER_VERSION}:{concepts.version()}"


def is_current(store: RuleStore) -> bool:
    """Whether the rules are indexed with today's tokenizer and concepts."""
    row = store.connection.execute("SELECT value FROM config WHERE key = ?", (KEY,)).fetchone()
    return row is not None and row[0] == version(store.concepts)


def reindex(store: RuleStore) -> int:
    """Index every rule anew; gives how many there are. All of it or nothing: meanwhile the old index finds."""
    with store.writing():
        rules = store.list_rules(project_id=None, everywhere=True)
        for rule in rules:
            columns = columns_of(rule, store.concepts)
            update(store.connection, "rules", rule.id, {name: columns[name] for name in INDEXED})
        for rule in rules:
            if rule.status not in DEAD:
                store.store_conflicts(rule)
        # crash point: indexing, before the version
        store.connection.execute(
            """
            INSERT INTO config(key, value, updated_at) VALUES (:key, :value, :now)
            ON CONFLICT(key) DO UPDATE SET value = :value, updated_at = :now
            """,
            {"key": KEY, "value": version(store.concepts), "now": store.now().strftime("%Y-%m-%dT%H:%M:%SZ")},
        )
    # crash point: indexing, done
    return len(rules)
