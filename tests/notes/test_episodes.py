"""Episodes as stored: turns are grouped as they wait, closed when they are over, and handed out as units of work."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentrecall_domain.notes.episode import Episode, EpisodeStatus
from agentrecall_domain.notes.segmentation import USUAL, Closed
from agentrecall_domain.notes.unit import UnitKey, key_of
from agentrecall_domain.text.utc import instant, stamp
from agentrecall_storage.episodes import EpisodeNotFoundError, UnitNotFoundError
from agentrecall_storage.memory import Memory, open_memory
from notes.told import BANK, NOW, SHOP, Clock, closed, document, tell

LOGIN = ("the login with google fails with a redirect mismatch", "The callback misses a slash.")
FIX = ("fix it", "Fixed.")
GALLERY = ("thumbnails in the gallery are blurry on retina screens", "They are rendered too small.")

pytestmark = pytest.mark.usefixtures("made")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def told(home: Path, clock: Clock) -> Iterator[Memory]:
    """A memory whose clock the test sets."""
    with open_memory(str(home), clock) as memory:
        yield memory


def segment(memory: Memory) -> int:
    return memory.episodes.segment(memory.concepts, USUAL)


def episodes(memory: Memory) -> list[Episode]:
    return memory.episodes.list(project_id=None, everywhere=True)[::-1]


def shapes(memory: Memory) -> list[tuple[int, Closed]]:
    return [(episode.turns, episode.closed_by) for episode in episodes(memory)]


def test_what_is_still_being_said_is_no_episode_yet(told: Memory) -> None:
    tell(told, LOGIN, FIX)

    assert segment(told) == 0
    assert episodes(told) == []
    assert told.episodes.waiting() == {"episodes": 0, "raw_items": 0, "turns": 2}


def test_the_end_of_a_session_closes_its_last_episode(told: Memory) -> None:
    tell(told, LOGIN, FIX, GALLERY, ended=True)

    assert segment(told) == 2
    assert shapes(told) == [(2, Closed.TOPIC), (1, Closed.END)]
    assert segment(told) == 0


def test_the_next_matter_closes_the_one_before_and_waits_itself(told: Memory) -> None:
    tell(told, LOGIN, FIX, GALLERY)

    segment(told)
    tell(told, ("and on the phone", "There too."), first=3)
    segment(told)

    assert shapes(told) == [(2, Closed.TOPIC)]
    assert told.episodes.waiting()["turns"] == 2


def test_six_hours_of_silence_close_an_episode_whose_session_never_ended(told: Memory, clock: Clock) -> None:
    tell(told, LOGIN, FIX)
    clock.after(hours=6)
    assert segment(told) == 0

    clock.after(minutes=1)

    assert segment(told) == 1
    assert shapes(told) == [(2, Closed.AGE)]


def test_what_was_said_long_ago_is_over_however_lately_it_was_read(told: Memory) -> None:
    tell(told, LOGIN, begin=NOW - timedelta(days=90))

    assert segment(told) == 1


def test_a_session_that_goes_on_after_its_end_makes_another_episode(told: Memory) -> None:
    tell(told, LOGIN, ended=True)
    segment(told)
    tell(told, FIX, first=1)
    assert segment(told) == 0

    tell(told, first=2, ended=True)
    segment(told)

    assert shapes(told) == [(1, Closed.END), (1, Closed.END)]


def test_an_episode_lies_in_one_project(told: Memory) -> None:
    tell(told, LOGIN)
    tell(told, FIX, first=1, project=BANK, ended=True)
    segment(told)

    shop, bank = told.find_project(SHOP), told.find_project(BANK)
    assert [(episode.project_id, episode.closed_by) for episode in episodes(told)] == [
        (shop, Closed.PROJECT),
        (bank, Closed.END),
    ]
    assert [one.label for one in told.episodes.list(project_id=bank, everywhere=False)] == ["E2"]


def test_a_session_of_hundreds_of_turns_is_read_in_parts(told: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [(f"the migration of the orders table fails in step {number}", "It does.") for number in range(90)]
    tell(told, *turns, ended=True)
    monkeypatch.setattr("agentrecall_storage.episodes.MOST_TURNS", 25)

    segment(told)

    assert shapes(told) == [(20, Closed.SIZE)] * 4 + [(10, Closed.END)]


def test_no_session_is_begun_when_the_time_is_over(told: Memory) -> None:
    for session in ("s1", "s2", "s3"):
        tell(told, LOGIN, session=session, ended=True)
    asked = iter([False, True])

    assert told.episodes.segment(told.concepts, USUAL, lambda: next(asked)) == 1
    assert segment(told) == 2


def test_a_time_that_is_none_is_taken_for_now(told: Memory) -> None:
    tell(told, LOGIN, ended=True)
    told.connection.execute("UPDATE turns SET started_at = 'yesterday, I think'")
    told.connection.execute("UPDATE raw_items SET said_at = '31.10.2026', captured_at = ''")

    segment(told)

    (episode,) = episodes(told)
    assert (episode.started_at, episode.ended_at) == (NOW, NOW)
    assert len(told.episodes.unit("episode", episode.id).spans) == 2


# Units


def test_a_unit_holds_what_was_said_in_its_order(told: Memory) -> None:
    key = closed(told, LOGIN, FIX)

    unit = told.episodes.unit(*key)

    assert (unit.label, unit.source, unit.project) == ("E1", "claude-code", "shop")
    assert [(one.origin, one.text) for one in unit.spans] == [
        ("user", LOGIN[0]),
        ("agent", LOGIN[1]),
        ("user", FIX[0]),
        ("agent", FIX[1]),
    ]


def test_a_document_is_a_unit_of_its_own_and_a_span_of_a_session_is_none(told: Memory) -> None:
    tell(told, LOGIN)
    key = document(told, "Invoices are dated in UTC.")

    assert told.episodes.pending_units(10) == [key]
    said = UnitKey("raw_item", 1)
    assert not told.episodes.is_waiting(said)
    with pytest.raises(UnitNotFoundError):
        told.episodes.unit(*said)
    assert [one.text for one in told.episodes.unit(*key).spans] == ["Invoices are dated in UTC."]


def test_units_come_in_the_order_in_which_they_were_said(told: Memory) -> None:
    tell(told, LOGIN, session="late", ended=True)
    tell(told, GALLERY, session="early", begin=NOW - timedelta(days=1), ended=True)
    segment(told)
    key = document(told, "Invoices are dated in UTC.")

    assert [one.label for one in told.episodes.pending_units(10)] == ["E2", "E1", key.label]
    assert [one.label for one in told.episodes.pending_units(1)] == ["E2"]


def test_what_was_distilled_waits_no_more_and_says_by_whom(told: Memory) -> None:
    key, item = closed(told, LOGIN), document(told, "Invoices are dated in UTC.")
    for one in (key, item):
        with told.writing():
            told.episodes.mark_distilled(one, "deterministic", notes=2, rejected=1)

    assert told.episodes.pending_units(10) == []
    assert not told.episodes.is_waiting(key)
    assert not told.episodes.is_waiting(item)
    episode = told.episodes.get(key.id)
    assert (episode.status, episode.judge, episode.distilled_at) == (EpisodeStatus.DISTILLED, "deterministic", NOW)
    told_of = told.connection.execute("SELECT kind, subject, actor, details FROM events").fetchall()
    assert told_of[0] == ("UnitDistilled", "E1", "deterministic", '{"notes": 2, "rejected": 1}')


def test_a_unit_that_was_handed_out_comes_again_when_its_time_is_up(told: Memory, clock: Clock) -> None:
    key = closed(told, LOGIN)
    told.connection.execute("INSERT INTO handed_out_units VALUES ('episode', ?, '2026-11-02T09:15:00Z')", (key.id,))
    assert told.episodes.pending_units(10) == []

    clock.after(minutes=15)

    assert told.episodes.pending_units(10) == [key]


def test_what_is_not_there_is_said_to_be_not_there(told: Memory) -> None:
    with pytest.raises(EpisodeNotFoundError):
        told.episodes.get(7)
    for key in (UnitKey("episode", 7), UnitKey("raw_item", 7)):
        assert not told.episodes.is_waiting(key)
        with pytest.raises(UnitNotFoundError):
            told.episodes.unit(*key)


@pytest.mark.parametrize(
    ("label", "key"),
    [
        ("E7", UnitKey("episode", 7)),
        (" t78 ", UnitKey("raw_item", 78)),
        ("N7", None),
        ("E", None),
        ("E7x", None),
        ("E\u0667", None),
        ("E" + "9" * 40, None),
    ],
)
def test_a_label_names_a_unit(label: str, key: UnitKey | None) -> None:
    assert key_of(label) == key
    assert key is None or key_of(key.label) == key


@given(st.text() | st.datetimes().map(str))
def test_any_text_names_an_instant_or_none(text: str) -> None:
    found = instant(text)

    assert found is None or (instant(stamp(found)) == found.replace(microsecond=0) and len(stamp(found)) == 20)


MATTERS = [LOGIN, FIX, GALLERY, ("ok", "Good."), ("invoices of the bank are dated in UTC", "Yes."), ("why?", "So.")]


@settings(max_examples=10, deadline=None)
@given(st.lists(st.sampled_from(MATTERS), min_size=1, max_size=40), st.integers(1, 9))
def test_a_session_read_in_parts_makes_the_episodes_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, empty_memory: Path, turns: list[tuple[str, str]], step: int
) -> None:
    found = []
    for read in (len(turns), step):
        home = shutil.copytree(empty_memory, tmp_path_factory.mktemp("parts") / "memory")
        with open_memory(str(home), lambda: NOW) as memory:
            for first in range(0, len(turns), read):
                tell(memory, *turns[first : first + read], first=first, begin=NOW - timedelta(minutes=len(turns)))
                segment(memory)
            tell(memory, first=len(turns), ended=True)
            segment(memory)
            found.append(shapes(memory))
            assert memory.connection.execute("SELECT count(*) FROM turns WHERE episode_id IS NULL").fetchone() == (0,)

    assert found[0] == found[1]
