"""Failures: counted by class, put off when the judge could not be asked, parked at the cap, and taken up again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.notes.episode import EpisodeStatus
from agentrecall_domain.notes.failure import DistillFailure, FailureClass, wait_after
from agentrecall_domain.notes.unit import UnitKey
from agentrecall_storage.memory import Memory, open_memory
from notes.told import NOW, Clock, closed, document

INFRASTRUCTURE, CONTENT = FailureClass.INFRASTRUCTURE, FailureClass.CONTENT
CAP = 5

pytestmark = pytest.mark.usefixtures("made")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def told(home: Path, clock: Clock) -> Iterator[Memory]:
    with open_memory(str(home), clock) as memory:
        yield memory


@pytest.fixture(params=["episode", "document"])
def unit(request: pytest.FixtureRequest, told: Memory) -> UnitKey:
    """One unit of either kind."""
    if request.param == "document":
        return document(told, "Invoices are dated in UTC.")
    return closed(told, ("why?", "So."))


def fail(memory: Memory, key: UnitKey, *kinds: FailureClass, error: str = "it hangs") -> DistillFailure:
    for kind in kinds:
        found = memory.distill_failures.record(key, kind, error, CAP)
    assert found is not None
    return found


def test_the_classes_are_counted_apart(told: Memory, unit: UnitKey) -> None:
    fail(told, unit, *[INFRASTRUCTURE] * 4, *[CONTENT] * 4)

    found = told.distill_failures.find(unit)

    assert found is not None
    assert (found.infrastructure_errors, found.content_errors, found.parked_at) == (4, 4, None)
    assert found.last_error == "it hangs"
    assert told.distill_failures.list() == [found]


@pytest.mark.parametrize("kind", FailureClass)
def test_the_fifth_error_of_a_class_parks_the_unit(told: Memory, unit: UnitKey, kind: FailureClass) -> None:
    fail(told, unit, *[kind] * 5)

    assert told.episodes.pending_units(10) == []
    assert not told.episodes.is_waiting(unit)
    (found,) = told.distill_failures.list(parked=True)
    assert (found.key, found.parked_at, found.retry_at) == (unit, NOW, None)
    assert told.distill_failures.list(parked=False) == []
    assert [row[0] for row in told.connection.execute("SELECT kind FROM events")] == ["UnitParked"]
    if unit.kind == "episode":
        assert told.episodes.get(unit.id).status is EpisodeStatus.PARKED


def test_a_judge_that_cannot_be_asked_is_asked_again_later_and_later(told: Memory, unit: UnitKey, clock: Clock) -> None:
    for minutes in (1, 2, 4, 8):
        fail(told, unit, INFRASTRUCTURE)
        assert told.episodes.pending_units(10) == []
        clock.after(minutes=minutes)
        assert told.episodes.pending_units(10) == [unit]

    assert [wait_after(errors) for errors in (1, 7, 50, 10**9)] == [
        timedelta(minutes=1),
        *[timedelta(hours=1)] * 3,
    ]


def test_an_answer_that_cannot_be_used_puts_nothing_off(told: Memory, unit: UnitKey) -> None:
    fail(told, unit, CONTENT)

    assert told.episodes.pending_units(10) == [unit]


def test_a_unit_that_is_unparked_begins_anew(told: Memory, unit: UnitKey) -> None:
    assert not told.distill_failures.unpark(unit, "person")
    fail(told, unit, *[CONTENT] * 5)

    assert told.distill_failures.unpark(unit, "person")

    assert told.distill_failures.find(unit) is None
    assert told.episodes.pending_units(10) == [unit]
    assert [row[0] for row in told.connection.execute("SELECT kind FROM events")] == ["UnitParked", "UnitUnparked"]


def test_what_another_process_distilled_meanwhile_does_not_fail(told: Memory, unit: UnitKey) -> None:
    with told.writing():
        told.episodes.mark_distilled(unit, "deterministic", notes=0, rejected=0)

    assert told.distill_failures.record(unit, CONTENT, "prose", CAP) is None
    assert told.distill_failures.list() == []


def test_a_secret_in_an_error_is_not_kept(told: Memory, unit: UnitKey) -> None:
    found = fail(told, unit, INFRASTRUCTURE, error="key sk-ant-api03-" + "aB3dE5gH" * 12 + " was refused" + "!" * 900)

    assert "aB3dE5gH" not in found.last_error
    assert len(found.last_error) <= 500


@given(st.lists(st.sampled_from(FailureClass), max_size=30), st.integers(1, 10))
def test_a_unit_is_parked_exactly_when_a_class_has_reached_the_cap(kinds: list[FailureClass], cap: int) -> None:
    failure = DistillFailure(unit_kind="episode", unit_id=1, last_error="", created_at=NOW, updated_at=NOW)

    for kind in kinds:
        failure = failure.again(kind, "error", NOW, cap)

    assert (failure.parked_at is not None) == (max(map(kinds.count, FailureClass)) >= cap)
    assert failure.infrastructure_errors + failure.content_errors == len(kinds)
    assert not (failure.parked_at and failure.retry_at)
