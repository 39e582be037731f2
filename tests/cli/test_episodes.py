"""`agentrecall episodes`, `failures`, and what `status` and `doctor` say of them: what waits, is done, or fails."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from agentrecall_domain.notes.failure import FailureClass
from agentrecall_domain.notes.unit import UnitKey
from agentrecall_domain.turns.batch import Project
from agentrecall_storage.memory import Memory, open_memory
from agentrecall_storage.places import Places
from notes.compared import content, stored
from notes.told import BANK, closed, document
from recall.stories import Person

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
TURN = ("Why do the \x1b[31mtests hang?\nAll of them.", "A lock was never released.")
CAP = 5


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def an_episode(someone: Person, *, here: bool = True) -> int:
    """An episode that is over, of the project here or of another; gives its id."""
    place = Places(str(someone.home)).project_at(str(someone.repository))
    assert isinstance(place, Project)
    with open_memory(str(someone.home), lambda: NOW) as memory:
        project = place if here else BANK
        return closed(memory, TURN, session="s1" if here else "s2", project=project).id


def fail(memory: Memory, key: UnitKey, times: int, *, kind: FailureClass = FailureClass.CONTENT) -> None:
    for _ in range(times):
        memory.distill_failures.record(key, kind, "it said\nprose \x1b[31m", CAP)


# episodes


def test_episodes_of_this_project_are_listed_newest_first(someone: Person) -> None:
    an_episode(someone)
    an_episode(someone, here=False)

    here = data(someone.command("episodes", "list", "--json"))
    everywhere = data(someone.command("episodes", "list", "--all", "--json"))

    assert [(one["label"], one["project"], one["status"], one["notes"]) for one in here] == [
        ("E1", "shop", "Closed", 0)
    ]
    assert [one["label"] for one in everywhere] == ["E2", "E1"]
    table = someone.command("episodes", "list", "--all").stdout.splitlines()
    assert table[0].split() == ["id", "status", "began", "turns", "notes", "over", "by", "project"]
    assert table[2].split() == ["E1", "Closed", "2026-11-02T09:00:00Z", "1", "0", "end", "shop"]


def test_a_list_is_narrowed_by_status(someone: Person) -> None:
    an_episode(someone)

    assert data(someone.command("episodes", "list", "--status", "distilled", "--json")) == []
    assert len(data(someone.command("episodes", "list", "--status", "closed", "--json"))) == 1
    assert "no such episodes here" in someone.command("episodes", "list", "--status", "parked").stderr


def test_a_long_list_says_that_there_is_more(someone: Person) -> None:
    an_episode(someone)
    an_episode(someone, here=False)

    listed = someone.command("episodes", "list", "--all", "--limit", "1")

    assert "E2" in listed.stdout
    assert "E1" not in listed.stdout
    assert "the newest 1" in listed.stderr


def test_an_episode_is_shown_with_what_was_said_and_what_came_of_it(someone: Person) -> None:
    an_episode(someone)
    with someone.memory() as memory:
        stored(memory, content("A lock was never released"), 1, episode_id=1)
        fail(memory, UnitKey("episode", 1), 1)

    shown = data(someone.command("episodes", "show", "E1", "--json"))
    words = someone.command("episodes", "show", "E1").stdout

    assert [(one["raw_item"], one["origin"], one["text"]) for one in shown["said"]] == [
        ("T1", "user", TURN[0]),
        ("T2", "agent", TURN[1]),
    ]
    assert [note["label"] for note in shown["notes"]] == ["N1"]
    assert shown["failure"]["content_errors"] == 1
    assert "\x1b" not in words
    assert "  T1 user: Why do the  [31mtests hang? All of them." in words.splitlines()
    assert "N1 decision  A lock was never released" in words


def test_an_id_that_no_episode_has_says_where_they_are(someone: Person) -> None:
    result = someone.command("episodes", "show", "E9")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: no episode 'E9'; 'agentrecall episodes list --all' names them\n"
    assert someone.command("episodes", "show", "N1").exit_code == 2


# failures


def test_failures_say_what_went_wrong_and_what_becomes_of_the_unit(someone: Person) -> None:
    an_episode(someone)
    with open_memory(str(someone.home), lambda: NOW) as memory:
        fail(memory, UnitKey("episode", 1), CAP)
        fail(memory, document(memory, "Invoices are dated in UTC."), 1, kind=FailureClass.INFRASTRUCTURE)

    found = data(someone.command("failures", "--json"))
    parked = data(someone.command("failures", "--parked", "--json"))
    words = someone.command("failures")

    assert {one["unit"]: (one["infrastructure_errors"], one["content_errors"]) for one in found} == {
        "T3": (1, 0),
        "E1": (0, 5),
    }
    assert [one["unit"] for one in parked] == ["E1"]
    assert "E1  parked 2026-11-02T09:00:00Z  (5 times answer unusable): it said prose" in words.stdout
    assert "T3  again after 2026-11-02T09:01:00Z  (1 times judge not reached)" in words.stdout
    assert "\x1b" not in words.output
    assert "unpark --all" in words.stderr


def test_no_failures_are_no_failure(someone: Person) -> None:
    result = someone.command("failures")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "nothing failed\n")
    assert data(someone.command("failures", "--json")) == []


# status and doctor


def about(someone: Person, check: str) -> tuple[str, str]:
    findings = json.loads(someone.command("doctor", "--json").stdout)["checks"]
    return next((one["level"], one["found"]) for one in findings if one["check"] == check)


def test_status_counts_what_waits_and_is_parked(someone: Person) -> None:
    nothing = data(someone.command("status", "--json"))
    an_episode(someone)
    with someone.memory() as memory:
        document(memory, "Invoices are dated in UTC.")
        fail(memory, UnitKey("episode", 1), CAP)

    found = data(someone.command("status", "--json"))

    names = ("episodes", "notes", "units_waiting", "units_parked", "last_distilled_at")
    assert [nothing[name] for name in names] == [0, 0, 0, 0, None]
    assert [found[name] for name in names] == [1, 0, 1, 1, None]
    assert "1 units wait, 1 are parked ('agentrecall failures'); last never" in someone.command("status").stdout


def test_doctor_warns_of_units_that_fail_and_no_others(someone: Person) -> None:
    an_episode(someone)
    assert about(someone, "distilling") == ("ok", "1 units wait, last distilled at no time yet")

    with open_memory(str(someone.home), lambda: NOW) as memory:
        fail(memory, UnitKey("episode", 1), 1)
    level, found = about(someone, "distilling")
    assert level == "warning"
    assert found.startswith("1 units failed and are tried again; 1 units wait")

    with open_memory(str(someone.home), lambda: NOW) as memory:
        fail(memory, UnitKey("episode", 1), CAP)
    level, found = about(someone, "distilling")
    assert level == "warning"
    assert found.startswith("1 units are parked")
