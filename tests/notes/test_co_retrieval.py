"""Which notes were shown together: counted once by the processor, and a lift for those that belong together."""

from __future__ import annotations

from datetime import UTC, datetime

from agentrecall_domain.notes.note import Note, NoteContent, NoteType
from agentrecall_domain.recall.injection import Asked
from agentrecall_domain.recall.moments import Trace, at_prompt
from agentrecall_domain.turns.batch import Project
from agentrecall_storage.co_retrieval import count_shown_together
from agentrecall_storage.memory import Memory

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
AT = "2026-11-02T09:00:00Z"
SHOP = Project("shop", "/src/shop", [("path", "/src/shop")])
PROMPT = "which timezone do the invoices use when they are sent to the bank?"


def note(memory: Memory, title: str) -> Note:
    return memory.notes.add(
        NoteContent(
            type=NoteType.DECISION, title=title, body=f"{title}.", importance=0.5, confidence=0.8, valid_from=NOW
        ),
        project_id=memory.record_project(SHOP),
        episode_id=None,
        judge="deterministic",
        sources=(),
        actor="test",
    )


def asks(memory: Memory, key: str, trace: Trace | None = None) -> None:
    asked = Asked(
        moment="prompt",
        session_uid="s1",
        agent_id="",
        prompt_id=key,
        key=key,
        query=PROMPT,
        source="claude-code",
        transcript_path="",
        at=NOW.timestamp(),
    )
    memory.hot.record_injection(at_prompt(memory.hot, asked, memory.record_project(SHOP), trace), SHOP)


def counted(memory: Memory) -> list[tuple[int, int, int]]:
    return memory.connection.execute("SELECT note_id, other_id, times FROM co_retrieval ORDER BY 1, 2").fetchall()


def test_notes_that_were_shown_together_are_counted_once(memory: Memory) -> None:
    note(memory, "Invoices are dated in UTC because the bank rejects others")
    note(memory, "The bank wants invoices before noon in its own timezone")
    for key in ("p1", "p2"):
        asks(memory, key)

    assert count_shown_together(memory.connection, AT) == 2
    assert counted(memory) == [(1, 2, 2), (2, 1, 2)]
    assert count_shown_together(memory.connection, AT) == 0
    asks(memory, "p3")
    assert count_shown_together(memory.connection, AT) == 1
    assert counted(memory) == [(1, 2, 3), (2, 1, 3)]


def test_what_was_shown_together_twice_lifts_the_other(memory: Memory) -> None:
    note(memory, "Invoices are dated in UTC because the bank rejects others")
    note(memory, "The bank wants invoices before noon in its own timezone")
    for key in ("p1", "p2"):
        asks(memory, key)
    count_shown_together(memory.connection, AT)

    trace = Trace()
    asks(memory, "p3", trace)

    assert trace.notes is not None
    assert all("co-retrieval" in one.boosts for one in trace.notes.ranked)
