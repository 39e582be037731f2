"""Processing: a unit is distilled and stored as a whole; what fails is counted, and everything else goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agentrecall_admin.processing import Progress, Worked, work
from agentrecall_domain.notes.episode import EpisodeStatus
from agentrecall_domain.notes.judge import Draft, InvalidAnswerError, JudgeUnavailableError, NoteVerdict
from agentrecall_domain.notes.note import NoteStatus, Source
from agentrecall_domain.notes.processing import process_unit
from agentrecall_domain.notes.unit import Unit
from agentrecall_storage.engine import sqlite
from agentrecall_storage.memory import Memory, open_memory
from agentrecall_storage.processing import ProcessingStore
from notes.told import BANK, NOW, Clock, Scripted, closed, document, draft, everything, failing, remembering, tell

UTC_INVOICES = "remember that invoices of the shop are dated in UTC"
ANSWER = "Noted."
CHECKOUT = "remember that the checkout talks to the payment gateway over mutual TLS"

pytestmark = pytest.mark.usefixtures("made")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def told(home: Path, clock: Clock) -> Iterator[Memory]:
    with open_memory(str(home), clock) as memory:
        yield memory


def titles(memory: Memory, *, tombstoned: bool = False) -> list[str]:
    return [note.title for note in memory.notes.list(project_id=None, everywhere=True, tombstoned=tombstoned)][::-1]


def rejections(memory: Memory) -> list[tuple[str, str]]:
    found = memory.gate_rejections.list(project_id=None, everywhere=True)
    return [(row["rule"], row["text"]) for row in found]


# One unit


def test_a_units_notes_carry_their_source_their_episode_and_their_judge(told: Memory) -> None:
    key = closed(told, (UTC_INVOICES, ANSWER))

    done = process_unit(told.episodes.unit(*key), Scripted(remembering), ProcessingStore(told))

    (note,) = [told.notes.get(note_id) for note_id in done.notes]
    assert (note.title, note.episode_id, note.judge) == (UTC_INVOICES, key.id, "scripted")
    assert [source.span for source in note.sources] == [UTC_INVOICES]
    assert note.sources[0].raw_item_id == told.episodes.unit(*key).spans[0].raw_item_id
    assert note.valid_from == NOW
    assert told.episodes.get(key.id).status is EpisodeStatus.DISTILLED
    assert (done.living, done.rejected, done.was_waiting) == (done.notes, 0, True)


def test_a_documents_note_belongs_to_no_episode(told: Memory) -> None:
    key = document(told, "Invoices are dated in UTC.")

    done = process_unit(
        told.episodes.unit(*key),
        Scripted(lambda unit: [draft(unit, "Invoices are dated in UTC.")]),
        ProcessingStore(told),
    )

    assert told.notes.get(done.notes[0]).episode_id is None
    assert told.episodes.pending_units(1) == []


def test_a_draft_that_is_refused_is_kept_as_a_rejection_and_the_others_land(told: Memory) -> None:
    key = closed(told, (UTC_INVOICES, ANSWER))
    invented = Source(raw_item_id=None, span="invoices are dated in Paris")

    def drafts(unit: Unit) -> list[Draft]:
        return [draft(unit, UTC_INVOICES, title="Invoices are dated in Paris", sources=(invented,)), *remembering(unit)]

    done = process_unit(told.episodes.unit(*key), Scripted(drafts), ProcessingStore(told))

    assert titles(told) == [UTC_INVOICES]
    assert done.rejected == 1
    (row,) = told.gate_rejections.list(project_id=told.episodes.get(key.id).project_id, everywhere=False)
    assert (row["stage"], row["rule"], row["unit_kind"], row["unit_id"]) == ("distil", "grounding", "episode", key.id)
    assert row["judge"] == "scripted"
    assert "Invoices are dated in Paris" in row["text"]


def test_a_secret_that_a_judge_brings_back_is_not_kept_in_its_rejection_either(told: Memory) -> None:
    key = closed(told, (UTC_INVOICES, ANSWER))
    secret = "sk-ant-api03-" + "aB3dE5gH" * 12

    process_unit(
        told.episodes.unit(*key),
        Scripted(lambda unit: [draft(unit, UTC_INVOICES, body=f"the key is {secret}")]),
        ProcessingStore(told),
    )

    assert [rule for rule, _ in rejections(told)] == ["secrets"]
    assert "aB3dE5gH" not in repr(everything(told))


def test_what_was_said_before_makes_no_second_note(told: Memory) -> None:
    first = closed(told, (UTC_INVOICES, ANSWER))
    again = closed(told, (UTC_INVOICES, ANSWER), session="s2")
    store = ProcessingStore(told)
    process_unit(told.episodes.unit(*first), Scripted(remembering), store)

    done = process_unit(told.episodes.unit(*again), Scripted(remembering), store)

    assert titles(told) == titles(told, tombstoned=True) == [UTC_INVOICES]
    assert (len(done.notes), done.living) == (1, ())


def test_a_unit_that_another_process_did_meanwhile_is_left_as_it_is(told: Memory) -> None:
    key = closed(told, (UTC_INVOICES, ANSWER))
    unit = told.episodes.unit(*key)
    judge = Scripted(remembering)

    def overtake() -> None:
        process_unit(unit, Scripted(remembering), ProcessingStore(told))

    judge.while_asked = overtake

    done = process_unit(unit, judge, ProcessingStore(told))

    assert (done.was_waiting, done.notes) == (False, ())
    assert titles(told) == [UTC_INVOICES]
    assert titles(told, tombstoned=True) == []


def test_what_fails_in_the_middle_of_a_unit_leaves_nothing_of_it(told: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    key = closed(told, (UTC_INVOICES, ANSWER), (CHECKOUT, ANSWER))
    before = everything(told)

    def fail(*_: object, **__: object) -> None:
        raise sqlite.OperationalError

    monkeypatch.setattr(told.episodes, "mark_distilled", fail)
    with pytest.raises(sqlite.OperationalError):
        process_unit(told.episodes.unit(*key), Scripted(remembering), ProcessingStore(told))

    assert everything(told) == before


# What a judge is asked, and when


def like(memory: Memory, *sayings: str) -> None:
    """A note from each of these."""
    for number, words in enumerate(sayings):
        key = closed(memory, (words, ANSWER), session=f"like-{number}")
        process_unit(memory.episodes.unit(*key), Scripted(remembering), ProcessingStore(memory))


OLDER = "remember that invoices of the shop are dated in the time zone UTC"


def test_a_slow_judge_is_asked_before_the_lock_is_taken(told: Memory) -> None:
    like(told, OLDER)
    key = closed(told, (UTC_INVOICES, ANSWER))
    judge = Scripted(remembering, NoteVerdict.REFINE)
    locked: list[bool] = []
    judge.while_asked = lambda: locked.append(told.connection.in_transaction)

    process_unit(told.episodes.unit(*key), judge, ProcessingStore(told))

    assert judge.compared == [(OLDER, UTC_INVOICES)]
    assert locked == [False, False]
    assert (titles(told), titles(told, tombstoned=True)) == ([UTC_INVOICES], [OLDER])


def test_what_was_said_first_is_compared_as_the_older_note_whenever_it_is_read(told: Memory) -> None:
    like(told, OLDER)
    tell(told, (UTC_INVOICES, ANSWER), begin=NOW - timedelta(days=9), ended=True)
    judge = Scripted(remembering, NoteVerdict.DISTINCT)

    work(told, judge)

    assert judge.compared == [(UTC_INVOICES, OLDER)]
    assert titles(told) == [OLDER, UTC_INVOICES]


def test_a_note_that_went_while_the_judge_thought_takes_nothing_with_it(told: Memory) -> None:
    like(told, OLDER)
    key = closed(told, (UTC_INVOICES, ANSWER))
    judge = Scripted(remembering, NoteVerdict.DUPLICATE)

    def take_out() -> None:
        told.notes.tombstone(told.notes.get(1), by=None, reason="a person's word", actor="person")

    judge.while_asked = take_out

    process_unit(told.episodes.unit(*key), judge, ProcessingStore(told))

    # By then the duplicate of a note that nobody wanted is judged without the model.
    assert told.notes.get(1).status is NoteStatus.TOMBSTONED
    assert told.notes.get(1).tombstone_reason == "a person's word"


def test_a_verdict_that_cannot_be_used_is_left_to_the_comparison_without_a_model(told: Memory) -> None:
    like(told, OLDER)
    key = closed(told, (CHECKOUT, ANSWER), (UTC_INVOICES, ANSWER))

    done = process_unit(
        told.episodes.unit(*key), Scripted(remembering, InvalidAnswerError("prose")), ProcessingStore(told)
    )

    assert len(done.notes) == 2
    assert CHECKOUT in titles(told)


def test_a_judge_that_cannot_compare_leaves_the_unit_as_it_is(told: Memory) -> None:
    like(told, OLDER)
    key = closed(told, (UTC_INVOICES, ANSWER))

    with pytest.raises(JudgeUnavailableError):
        process_unit(
            told.episodes.unit(*key), Scripted(remembering, JudgeUnavailableError("timeout")), ProcessingStore(told)
        )

    assert titles(told) == [OLDER]
    assert told.episodes.is_waiting(key)


def test_notes_of_two_projects_never_meet(told: Memory) -> None:
    closed(told, (UTC_INVOICES, ANSWER))
    closed(told, (UTC_INVOICES, ANSWER), session="s2", project=BANK)
    judge = Scripted(remembering, NoteVerdict.DUPLICATE)

    worked = work(told, judge)

    assert (worked.notes, worked.duplicates, judge.compared) == (2, 0, [])


# All that waits


def three_units(memory: Memory) -> None:
    closed(memory, (UTC_INVOICES, ANSWER))
    closed(memory, (CHECKOUT, ANSWER), session="s2")
    document(memory, "Nothing to learn here.")


def test_everything_that_waits_is_done_once(told: Memory) -> None:
    three_units(told)
    told_of: list[Progress] = []

    worked = work(told, Scripted(remembering), tell=told_of.append)

    assert worked == Worked(units=3, notes=2)
    assert [(one.number, one.of) for one in told_of] == [(1, 3), (2, 3), (3, 3)]
    assert work(told, Scripted(remembering)) == Worked()


def test_turns_that_wait_become_episodes_first(told: Memory) -> None:
    tell(told, (UTC_INVOICES, ANSWER), ended=True)

    assert work(told, Scripted(remembering)) == Worked(episodes=1, units=1, notes=1)


@pytest.mark.parametrize("limit", [1, 2])
def test_no_more_units_are_tried_than_asked_for(told: Memory, limit: int) -> None:
    three_units(told)
    judge = Scripted(remembering)

    assert work(told, judge, limit=limit).units == limit
    assert len(judge.distilled) == limit


def test_nothing_is_begun_when_the_time_is_over(told: Memory) -> None:
    three_units(told)
    judge = Scripted(remembering)

    assert work(told, judge, is_over=lambda: len(judge.distilled) == 1).units == 1
    assert work(told, judge, is_over=lambda: True).units == 0


@pytest.mark.parametrize(("once", "units"), [(True, 1), (False, 2)])
def test_what_comes_to_wait_meanwhile_is_done_too_unless_one_pass_was_asked_for(
    told: Memory, *, once: bool, units: int
) -> None:
    closed(told, (UTC_INVOICES, ANSWER))
    judge = Scripted(remembering)
    judge.while_asked = lambda: tell(told, (CHECKOUT, ANSWER), session="s2", ended=True)

    assert work(told, judge, once=once).units == units


def test_without_a_judge_what_was_said_is_segmented_and_waits(told: Memory) -> None:
    tell(told, (UTC_INVOICES, ANSWER), ended=True)

    assert work(told, None) == Worked(episodes=1)
    assert len(told.episodes.pending_units(10)) == 1


# What fails


@pytest.mark.parametrize(
    "error",
    [InvalidAnswerError("prose"), RecursionError("too deep"), ValueError("a bug")],
    ids=str,
)
def test_a_unit_that_fails_is_counted_and_the_others_are_done(told: Memory, error: Exception) -> None:
    three_units(told)

    def drafts(unit: Unit) -> list[Draft]:
        if UTC_INVOICES in unit.spans[0].text:
            raise error
        return remembering(unit)

    worked = work(told, Scripted(drafts))

    assert worked == Worked(units=2, notes=1, failed=1)
    (failure,) = told.distill_failures.list()
    assert (failure.key.label, failure.content_errors, failure.infrastructure_errors) == ("E1", 1, 0)


def test_a_draft_that_no_row_can_hold_fails_its_unit_alone(told: Memory) -> None:
    three_units(told)
    broken = {"importance": 3.0}

    def drafts(unit: Unit) -> list[Draft]:
        return [one.model_copy(update=broken if one.title == UTC_INVOICES else {}) for one in remembering(unit)]

    worked = work(told, Scripted(drafts))

    assert (worked.notes, worked.failed) == (1, 1)
    assert titles(told) == [CHECKOUT]


def test_five_runs_with_an_answer_of_no_use_park_the_unit(told: Memory) -> None:
    closed(told, (UTC_INVOICES, ANSWER))

    found = [work(told, failing(InvalidAnswerError("prose"))).parked for _ in range(6)]

    assert found == [0, 0, 0, 0, 1, 0]


def test_the_cap_is_a_setting(told: Memory) -> None:
    closed(told, (UTC_INVOICES, ANSWER))
    told.connection.execute("INSERT INTO config VALUES ('distill_failure_cap', '1', '')")

    assert work(told, failing(InvalidAnswerError("prose"))).parked == 1


def test_a_unit_that_fails_and_then_succeeds_has_failed_no_more(told: Memory) -> None:
    closed(told, (UTC_INVOICES, ANSWER))
    work(told, failing(InvalidAnswerError("prose")))

    assert work(told, Scripted(remembering)).notes == 1
    assert told.distill_failures.list() == []


def test_a_judge_that_is_not_there_is_not_asked_for_everything_that_waits(told: Memory, clock: Clock) -> None:
    for number in range(5):
        closed(told, (UTC_INVOICES, ANSWER), session=f"s{number}")
    absent = failing(JudgeUnavailableError("no such command: 'judge'"))

    worked = work(told, absent)

    assert (worked.failed, worked.unavailable) == (2, "no such command: 'judge'")
    assert len(absent.distilled) == 2
    clock.after(minutes=1)
    assert work(told, Scripted(remembering)).units == 5


def test_a_file_that_is_broken_is_nobodys_failure(told: Memory) -> None:
    three_units(told)

    def drafts(_: Unit) -> list[Draft]:
        raise sqlite.OperationalError("disk I/O error")

    with pytest.raises(sqlite.OperationalError):
        work(told, Scripted(drafts))
    assert told.distill_failures.list() == []


# Settings


def with_settings(memory: Memory, **values: object) -> None:
    for name, value in values.items():
        memory.connection.execute("INSERT INTO config VALUES (?, ?, '')", (name, json.dumps(value)))


@pytest.mark.parametrize(
    ("settings", "episodes"),
    [
        ({}, 1),
        ({"episode_max_turns": 2}, 2),
        ({"episode_max_turns": 0}, 4),
        ({"episode_gap_minutes": 1}, 4),
        ({"topic_shift": 1}, 3),
    ],
)
def test_where_an_episode_ends_is_a_setting(told: Memory, settings: dict[str, object], episodes: int) -> None:
    with_settings(told, **settings)
    of = "the {} of the orders table fails in staging".format
    turns = [(of(what), "It does.") for what in ("migration", "index", "trigger")]
    tell(told, *turns, ("ok", "Good."), ended=True)

    assert work(told, None).episodes == episodes
