"""The product's recall of notes, in a memory that is thrown away."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from agentrecall_domain.notes.note import LONGEST_BODY, LONGEST_PROMPT, LONGEST_TITLE, NoteContent, NoteType
from agentrecall_domain.recall.moments import at_prompt, search_query
from agentrecall_domain.recall.notes import note_settings, ranked_notes
from agentrecall_storage.memory import Memory, open_memory
from benchmarks.retrieval.corpus import Document
from benchmarks.retrieval.product import NAME, STORED_AT, asked, set_gate, stored_at
from benchmarks.retrieval.searchers import Hit

AS_NOTES = f"{NAME}, as notes"


def note_document(key: str, before: str, text: str, said_at: datetime = STORED_AT) -> Document:
    """A document as a note of when it was said: *before*, what led to it, is its title and goes on as its prompt."""
    note = NoteContent(
        type=NoteType.DECISION,
        title=before[:LONGEST_TITLE],
        body=text[:LONGEST_BODY],
        prompt=before[LONGEST_TITLE : LONGEST_TITLE + LONGEST_PROMPT],
        importance=0.5,
        confidence=0.8,
        valid_from=said_at,
    )
    return Document(key, note, f"{before}\n{text}".strip())


def as_note(document: Document) -> Document:
    """A document that is a rule as a note: what the rule is about is the title, what it says the body."""
    rule = document.content
    return document if isinstance(rule, NoteContent) else note_document(document.key, rule.trigger, rule.action)


class NoteProduct:
    """A memory whose notes are the documents of one corpus, all of them global."""

    def __init__(self, memory: Memory, documents: list[Document]) -> None:
        self._memory = memory
        self._keys: dict[int, str] = {}
        with memory.writing():
            for document in documents:
                content = as_note(document).content
                if not isinstance(content, NoteContent):
                    raise TypeError(document.key)
                note = memory.notes.add(
                    content, project_id=None, episode_id=None, judge="bench", sources=(), actor="bench"
                )
                self._keys[note.id] = document.key

    def search(self, text: str, most: int) -> list[Hit]:
        """At most *most* documents as recall ranks them, best first, none held back by a gate, a cut or a floor."""
        store = self._memory.hot
        ranked = ranked_notes(
            store, search_query(store, text), None, settings=note_settings(store), at=STORED_AT.timestamp(), text=text
        )
        return [Hit(self._keys[one.candidate.id], one.score) for one in ranked[:most]]

    def shown(self, text: str, *, gated: bool) -> list[str]:
        """What a prompt would bring before the agent, best first; *gated*: only where it says enough."""
        set_gate(self._memory, is_on=gated)
        return [self._keys[one.candidate.id] for one in at_prompt(self._memory.hot, asked(text), None).notes]


@contextmanager
def note_product(documents: list[Document]) -> Iterator[NoteProduct]:
    """A memory with *documents* as notes, gone again afterwards."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, open_memory(folder, stored_at) as memory:
        yield NoteProduct(memory, documents)
