"""How the product makes episodes and notes of what was said, as stories."""

from __future__ import annotations

from reliability.crash.second_engine import Found
from reliability.crash.world import Run, Story, World, every_turn_once, nothing_lost, two_turns

LESSONS = (
    "We decided to use PostgreSQL for the orders service, because SQLite locks under load",
    "No, never edit an applied migration: add a new migration, because production has run it",
)
NOTES = "SELECT title, count(*), min(status) FROM notes GROUP BY title ORDER BY title"
EPISODES = "SELECT status, count(*) FROM episodes GROUP BY status"
TURNS = "SELECT count(*) FROM turns WHERE episode_id IS NULL"
DONE = "SELECT subject FROM events WHERE kind = 'UnitDistilled'"


def _session_over(world: World) -> Run:
    """Two lessons, and the session has ended."""
    for lesson, answer in zip(LESSONS, ("Understood.", "Noted."), strict=True):
        world.says(lesson, answer)
    world.run("capture-hook", stdin=world.transcript.payload("SessionEnd"))
    world.acknowledged |= world.written
    # Nothing that runs afterwards is the end of a session; that this one is over, it has said by then.
    world.tell("UPDATE turns SET started_at = '2026-01-01T00:00:00Z'")
    world.tell("UPDATE raw_items SET said_at = '2026-01-01T00:00:00Z'")
    return Run("agentrecall", ("process",))


def _whole_or_nothing(world: World, found: Found) -> None:
    """Right after the crash: an episode has all of its turns, and is done with all of its notes or not at all."""
    nothing_lost(world, found)
    in_no_episode = world.asks(TURNS) == [(len(LESSONS),)]
    done = len(world.asks(DONE))
    assert world.asks("SELECT count(*) FROM episodes") == [(0 if in_no_episode else 1,)]
    assert world.asks("SELECT count(*) FROM notes") == [(len(LESSONS) * done,)]
    assert world.asks("SELECT count(*) FROM note_sources WHERE note_id NOT IN (SELECT id FROM notes)") == [(0,)]


def _notes_once(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert world.asks(EPISODES) == [("Distilled", 1)]
    assert [(title.rstrip("."), count, status) for title, count, status in world.asks(NOTES)] == [
        (lesson.removeprefix("No, ")[0].upper() + lesson.removeprefix("No, ")[1:], 1, "Live")
        for lesson in sorted(LESSONS, key=lambda lesson: lesson.removeprefix("No, ").lower())
    ]
    assert world.asks(DONE) == [("E1",)]
    assert world.asks("SELECT count(*) FROM leases") == [(0,)]


def _judge_is_missing(world: World) -> Run:
    run = _session_over(world)
    world.tell("INSERT INTO config VALUES ('distill_failure_cap', '1', '')")
    return run._replace(arguments=("process", "--judge-command", str(world.person.home / "no-such-judge")))


def _waits_or_is_parked(world: World, found: Found) -> None:
    nothing_lost(world, found)
    parked = world.asks("SELECT count(*) FROM distill_failures WHERE parked_at IS NOT NULL")
    assert world.asks(EPISODES) == [("Parked" if parked == [(1,)] else "Closed", 1)]


def _parked_once(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert world.asks(EPISODES) == [("Parked", 1)]
    assert world.asks("SELECT unit_id, infrastructure_errors FROM distill_failures") == [(1, 1)]
    assert found.ledger == ["UnitParked"]


def _parked(world: World) -> Run:
    run = _judge_is_missing(world)
    world.run(run.program, *run.arguments)
    return Run("agentrecall", ("process", "unpark", "--all"))


def _tried_again(world: World, found: Found) -> None:
    _notes_once(world, found)
    assert found.ledger.count("UnitUnparked") == 1
    assert world.asks("SELECT count(*) FROM distill_failures") == [(0,)]


def _shown_at_a_prompt(world: World) -> Run:
    two_turns(world)
    world.captures()
    world.run("recall-hook", stdin=world.transcript.payload("UserPromptSubmit", prompt=LESSONS[0]))
    return Run("agentrecall", ("process",))


def _counted_once(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert world.asks("SELECT value FROM config WHERE key = 'co_retrieval_upto'") == [("1",)]


PROCESS_STORIES = {
    "what was shown together is counted": Story(
        ("co-retrieval, counted and not kept",), _shown_at_a_prompt, after=_counted_once
    ),
    "a session is distilled": Story(
        (
            "lease, before the commit",
            "lease, taken",
            "segment, an episode without its turns",
            "segment, before the commit",
            "segment, after the commit",
            "unit, rejected and not noted",
            "unit, noted and not done",
            "unit, before the commit",
            "unit, done",
        ),
        _session_over,
        between=_whole_or_nothing,
        after=_notes_once,
    ),
    "a unit is parked": Story(
        ("failure, counted and not parked",),
        _judge_is_missing,
        between=_waits_or_is_parked,
        after=_parked_once,
    ),
    "a parked unit is taken up again": Story(
        ("unpark, cleared and not waiting",),
        _parked,
        between=_waits_or_is_parked,
        after=_tried_again,
    ),
}
