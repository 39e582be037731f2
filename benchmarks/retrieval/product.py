"""The product: its own recall of rules, in a memory that is thrown away."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from agentrecall_domain.recall.injection import Asked
from agentrecall_domain.recall.moments import at_prompt, explain, search_query
from agentrecall_domain.rules.rule import RuleContent, Status
from agentrecall_storage.memory import Memory, open_memory
from benchmarks.memories import Uncompared
from benchmarks.retrieval.corpus import Document
from benchmarks.retrieval.searchers import Hit

NAME = "agentrecall"
STORED_AT = datetime(2026, 11, 30, tzinfo=UTC)
NO_SUBSTANCE_GATE = "INSERT OR REPLACE INTO config(key, value, updated_at) VALUES ('substance_floor', '0', '')"
SUBSTANCE_GATE = "DELETE FROM config WHERE key = 'substance_floor'"


class Product:
    """A memory whose rules are the documents of one corpus, all of them global and in force."""

    def __init__(self, memory: Memory, documents: list[Document]) -> None:
        self._memory = memory
        self._keys: dict[int, str] = {}
        with memory.writing():
            for document in documents:
                self._keys[memory.add_rule(_rule_of(document), Status.ACTIVE, None, "bench").id] = document.key

    def search(self, text: str, most: int) -> list[Hit]:
        """At most *most* documents as recall ranks them, best first, none held back by a gate or a floor."""
        ranked, _ = explain(self._memory.hot, search_query(self._memory.hot, text), None)
        return [Hit(self._keys[one.candidate.id], one.score) for one in ranked[:most]]

    def shown(self, text: str, *, gated: bool = True) -> list[str]:
        """What a prompt would bring before the agent, best first; *gated*: only where it says enough."""
        set_gate(self._memory, is_on=gated)
        shown = sorted(at_prompt(self._memory.hot, asked(text), None).shown, key=lambda one: -one.score)
        return [self._keys[one.candidate.id] for one in shown]


@contextmanager
def product(documents: list[Document], *, compared: bool = True) -> Iterator[Product]:
    """A memory with *documents*, gone again afterwards.

    Where nothing is shown and all is ranked, it need not be known what contradicts what: *compared* False.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, open_memory(folder, stored_at) as memory:
        if compared:
            yield Product(memory, documents)
            return
        uncompared = Uncompared(memory.connection, folder, stored_at)
        yield Product(uncompared, documents)
        uncompared.hot.concepts.close()


def _rule_of(document: Document) -> RuleContent:
    if not isinstance(document.content, RuleContent):
        raise TypeError(document.key)
    return document.content


def asked(text: str) -> Asked:
    """A prompt of no session."""
    return Asked(
        moment="prompt",
        session_uid="",
        agent_id="",
        prompt_id="",
        key="",
        query=text,
        source="bench",
        transcript_path="",
        at=STORED_AT.timestamp(),
    )


def set_gate(memory: Memory, *, is_on: bool) -> None:
    """Let a prompt that says little bring nothing, as it is by default, or let every prompt bring something."""
    memory.connection.execute(SUBSTANCE_GATE if is_on else NO_SUBSTANCE_GATE)


def stored_at() -> datetime:
    """The clock of a memory that is thrown away."""
    return STORED_AT
