"""How the product stores notes, and what becomes of those that are like them, as stories."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from agentrecall_domain.notes.note import NoteContent, NoteType
from agentrecall_storage.memory import open_memory
from reliability.crash.second_engine import Found
from reliability.crash.world import Run, Story, World, every_turn_once, nothing_lost

AT = datetime(2026, 1, 1, tzinfo=UTC)
LESSON = "Never edit an applied migration, because production has run it"
DECISION = "We decided to use PostgreSQL for the orders service, because SQLite locks under load"
SHORTER = "We decided to use PostgreSQL for the orders service"
NOTES = "SELECT id, status, tombstoned_by_id, version FROM notes ORDER BY id"
VERDICTS = "SELECT note_id, other_id, verdict, action FROM dedup_log"
PAIRS = "SELECT note_id, other_id, status FROM note_review_items"
LESSONS = "SELECT status, occurrence_count FROM lesson_candidates"
ADDED = ("note, without its sources", "note, without its ledger row", "note, before the commit")
CHANGE = ("change, the version kept and nothing changed", "note change, not in the ledger")


def _session_over(world: World, said: str) -> None:
    """One sentence, and the session has ended long ago."""
    world.says(said, "Understood.")
    world.run("capture-hook", stdin=world.transcript.payload("SessionEnd"))
    world.acknowledged |= world.written
    world.tell("UPDATE turns SET started_at = '2026-01-01T00:00:00Z'")
    world.tell("UPDATE raw_items SET said_at = '2026-01-01T00:00:00Z'")


def _known(world: World, *said: str, confidence: float = 0.6) -> None:
    """Notes that live in the session's project already."""
    with open_memory(str(world.home), lambda: AT) as memory:
        for text in said:
            content = NoteContent(
                type=NoteType.DECISION, title=text, body=text, importance=0.5, confidence=confidence, valid_from=AT
            )
            memory.notes.add(content, project_id=1, episode_id=None, judge="test", sources=(), actor="test")


def _said(said: str, *known: str) -> Callable[[World], Run]:
    def before(world: World) -> Run:
        _session_over(world, said)
        _known(world, *known)
        return Run("agentrecall", ("process",))

    return before


def _notes(*notes: tuple[object, ...]) -> Callable[[World, Found], None]:
    def after(world: World, found: Found) -> None:
        every_turn_once(world, found)
        assert world.asks(NOTES) == list(notes)
        assert world.asks("SELECT count(*) FROM note_sources") == [(1,)]

    return after


def _one_lesson(world: World, found: Found) -> None:
    _notes((1, "Live", None, 1))(world, found)
    assert world.asks(LESSONS) == [("Suggested", 1)]


def _verdict(verdict: str, action: str, *notes: tuple[object, ...]) -> Callable[[World, Found], None]:
    def after(world: World, found: Found) -> None:
        _notes(*notes)(world, found)
        assert world.asks(VERDICTS) == [(2, 1, verdict, action)]

    return after


def _trusted(world: World) -> Run:
    """A note that takes a trusted one's place would ask a person."""
    _session_over(world, f"{SHORTER} instead of MySQL, because SQLite locks under load")
    _known(world, "We use MySQL for the orders service", confidence=0.9)
    return Run("agentrecall", ("process",))


def _flagged(world: World, found: Found) -> None:
    _verdict("supersede", "flag", (1, "Live", None, 1), (2, "Live", None, 1))(world, found)
    assert world.asks(PAIRS) == [(2, 1, "Open")]


def _pair(world: World) -> Run:
    """Two notes of which a person is asked whether the newer takes the other's place."""
    _session_over(world, "Good morning")
    _known(world, "Search runs on Elasticsearch", "We moved search from Elasticsearch to OpenSearch")
    with open_memory(str(world.home), lambda: AT) as memory:
        memory.notes.flag(2, 1, "N1 is trusted")
    return Run("agentrecall", ("review", "--approve", "N2"))


def _pair_is_whole(world: World, found: Found) -> None:
    """Right after the crash: the pair is settled and the old note tombstoned, or neither."""
    nothing_lost(world, found)
    assert (world.asks(PAIRS), world.asks(NOTES)[0][1]) == ([(2, 1, "Open")], "Live")


def _settled(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert world.asks(NOTES) == [(1, "Tombstoned", 2, 2), (2, "Live", None, 1)]
    assert world.asks(PAIRS) == [(2, 1, "Accepted")]
    assert found.ledger == ["ReviewAsked", "ReviewSettled", "NoteTombstoned"]


def _suggested(world: World) -> Run:
    run = _said(LESSON)(world)
    world.run(run.program, *run.arguments)
    return Run("agentrecall", ("review", "--approve", "L1"))


def _suggestion_is_whole(world: World, found: Found) -> None:
    nothing_lost(world, found)
    assert (world.asks(LESSONS), found.rules) == ([("Suggested", 1)], [])


def _one_rule(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert world.asks(LESSONS) == [("Accepted", 1)]
    assert [status for _, status in found.rules] == ["Active"]


def _old_index(world: World) -> Run:
    _session_over(world, "Good morning")
    _known(world, DECISION)
    world.tell("UPDATE notes SET terms = 'stale'")
    world.tell("UPDATE config SET value = '0:0' WHERE key = 'tokenizer_version'")
    return Run("agentrecall", ("status",))


def _indexed(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert world.asks("SELECT terms LIKE '%postgres%' FROM notes") == [(1,)]
    assert world.asks("SELECT value FROM config WHERE key = 'notes_to_index'") == [("0",)]


NOTE_STORIES = {
    "a session teaches a lesson": Story(
        (*ADDED, "lesson, suggested and not in the ledger"), _said(LESSON), after=_one_lesson
    ),
    "a note says what is known": Story(
        (*ADDED, *CHANGE, "notes, the new one tombstoned and no verdict kept"),
        _said(DECISION, DECISION),
        after=_verdict("duplicate", "tombstone new", (1, "Live", None, 1), (2, "Tombstoned", 1, 2)),
    ),
    "a note says more than is known": Story(
        (*CHANGE, "notes, the old one tombstoned and no verdict kept"),
        _said(DECISION, SHORTER),
        after=_verdict("refine", "tombstone old", (1, "Tombstoned", 2, 2), (2, "Live", None, 2)),
    ),
    "a note would supersede a trusted one": Story(("note flag, without its ledger row",), _trusted, after=_flagged),
    "a pair of notes is settled": Story(
        ("note pair, closed and not in the ledger", *CHANGE), _pair, between=_pair_is_whole, after=_settled
    ),
    "a lesson is accepted": Story(
        ("lesson, its rule made and itself not accepted", "lesson, decided and not in the ledger"),
        _suggested,
        between=_suggestion_is_whole,
        after=_one_rule,
    ),
    "notes are indexed anew": Story(("indexing, notes before how far it went",), _old_index, after=_indexed),
}
