"""Indexing anew: what rules and notes are found by, when the tokenizer or the concept graph has changed. Cold.

Rules are indexed at once, for hooks look for them. Notes may be a hundred thousand: they follow in batches, the newest
first, some at each opening and the rest when units are processed. Until then the old index finds them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentrecall_domain.rules.status import DEAD
from agentrecall_domain.text.tokenizer import TOKENIZER_VERSION
from agentrecall_storage.concepts import ConceptIndex
from agentrecall_storage.rows import update
from agentrecall_storage.rules import RuleStore, columns_of

if TYPE_CHECKING:
    from agentrecall_storage.memory import Memory

INDEXED = ("trigger_terms", "terms", "vector")
KEY = "tokenizer_version"
"""The row of `config` that says what the index was written with."""
NOTES_BELOW = "notes_to_index"
"""The row of `config` that says under which id the notes are still to be indexed anew; none when all are."""
NOTES_AT_OPENING = 200
NOTES_AT_ONCE = 500

_SET = """
    INSERT INTO config(key, value, updated_at) VALUES (:key, :value, :now)
    ON CONFLICT(key) DO UPDATE SET value = :value, updated_at = :now
"""


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
        _set(store, KEY, version(store.concepts))
        if _next_note(store):
            _set(store, NOTES_BELOW, str(_next_note(store)))
    # crash point: indexing, done
    return len(rules)


def notes_to_index(store: RuleStore) -> int:
    """The id under which notes are still to be indexed anew, 0 when there are none."""
    row = store.connection.execute("SELECT value FROM config WHERE key = ?", (NOTES_BELOW,)).fetchone()
    return int(row[0]) if row else 0


def reindex_notes(memory: Memory, most: int | None = None) -> int:
    """Index notes anew, *most* of them or all, a transaction for each batch; gives the id under which some are left."""
    while below := notes_to_index(memory):
        size = NOTES_AT_ONCE if most is None else min(most, NOTES_AT_ONCE)
        with memory.writing():
            # Read again: another program may have gone on meanwhile.
            below = memory.notes.reindex(notes_to_index(memory), size)
            # crash point: indexing, notes before how far it went
            _set(memory, NOTES_BELOW, str(below))
        if most is not None:
            most -= size
            if most <= 0:
                return below
    return 0


def _next_note(store: RuleStore) -> int:
    found = store.connection.execute("SELECT max(id) FROM notes").fetchone()[0]
    return 0 if found is None else int(found) + 1


def _set(store: RuleStore, key: str, value: str) -> None:
    store.connection.execute(_SET, {"key": key, "value": value, "now": store.now().strftime("%Y-%m-%dT%H:%M:%SZ")})
