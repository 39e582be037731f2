"""The host as judge: a unit of work is handed out once, and what comes back passes the gates of every judge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agentrecall_domain.notes.segmentation import USUAL
from agentrecall_domain.turns.batch import Project
from agentrecall_storage.handed_out import HANDED_OUT_FOR, HandedOutStore
from agentrecall_storage.memory import Memory, open_memory
from helpers.programs import Done, Person, script
from notes.told import BANK, SHOP, Clock, closed, tell

SAID = "We date invoices in UTC, because the bank rejects every other zone."
OTHER = "The staging database is reset every Monday at six."
TURN = (SAID, "Understood.")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@contextmanager
def opened(person: Person, clock: Clock) -> Iterator[Memory]:
    with open_memory(str(person.memory), clock) as memory:
        yield memory


def here(person: Person) -> Project:
    path = str(person.project.resolve())
    return Project("project", path, [("path", path)])


def notes(*quotes: str) -> str:
    items = [
        {"type": "fact", "title": f"What was said, number {n}", "body": quote, "sources": [{"quote": quote}]}
        for n, quote in enumerate(quotes, start=1)
    ]
    return json.dumps({"notes": items})


def data(done: Done) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def submit(person: Person, label: str, answer: str, *options: str, **environment: str) -> Done:
    arguments = [script("agentrecall"), "process", "submit", label, *options]
    return person.run(arguments, answer.encode(), env=environment)


def failed(done: Done, code: int = 1) -> str:
    assert (done.returncode, done.stdout) == (code, b"")
    assert b"Traceback" not in done.stderr
    return done.stderr.decode()


def counts(person: Person, clock: Clock) -> dict[str, int]:
    with opened(person, clock) as memory:
        return memory.counts()


def test_a_unit_is_handed_out_with_all_that_is_needed_to_answer(person: Person, clock: Clock) -> None:
    with opened(person, clock) as memory:
        tell(memory, TURN, project=here(person), ended=True)

    given = data(person.agentrecall("process", "next", "--json"))

    assert (given["unit"], given["project"]) == ("E1", "project")
    assert SAID in given["prompt"]
    assert "notes" in given["schema"]["properties"]


def test_a_unit_is_handed_out_once_in_a_quarter_of_an_hour(home: Path, clock: Clock) -> None:
    with open_memory(str(home), clock) as memory:
        closed(memory, TURN)
        store = HandedOutStore(memory.episodes)

        first = store.hand_out(None, everywhere=True)
        again = store.hand_out(None, everywhere=True)
        clock.at += HANDED_OUT_FOR + timedelta(seconds=1)
        later = store.hand_out(None, everywhere=True)

    assert first is not None
    assert again is None
    assert later is not None
    assert later.unit == first.unit


def test_work_of_another_project_stays_there_unless_all_is_asked_for(home: Path, clock: Clock) -> None:
    with open_memory(str(home), clock) as memory:
        closed(memory, TURN, session="s1", project=BANK)
        closed(memory, (OTHER, "Noted."), session="s2", project=SHOP)
        shop = memory.find_project(SHOP)
        store = HandedOutStore(memory.episodes)

        mine = store.hand_out(shop, everywhere=False)
        none = store.hand_out(shop, everywhere=False)
        any_other = store.hand_out(None, everywhere=True)

    assert mine is not None
    assert (mine.unit.project, none) == ("shop", None)
    assert any_other is not None
    assert any_other.unit.project == "bank"


@pytest.mark.usefixtures("made")
def test_where_nothing_waits_nothing_is_handed_out(person: Person) -> None:
    done = person.agentrecall("process", "next")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"nothing waits to be distilled\n")

    assert data(person.agentrecall("process", "next", "--json")) == {"unit": None}


def test_what_comes_back_is_stored_through_the_gates(person: Person, clock: Clock) -> None:
    with opened(person, clock) as memory:
        tell(memory, TURN, project=here(person), ended=True)
    data(person.agentrecall("process", "next", "--json"))

    told = data(submit(person, "e1", f"Here they are: {notes(SAID, 'nobody said so')}", "--json"))

    assert (told["unit"], told["notes"]) == ("E1", ["N1"])
    assert [(one["rule"], one["title"]) for one in told["rejected"]] == [("grounding", "What was said, number 2")]
    with opened(person, clock) as memory:
        [note] = memory.notes.list(project_id=None, everywhere=True)
        assert (note.judge, note.body) == ("host", SAID)
        assert [source.span for source in note.sources] == [SAID]
        [logged] = memory.gate_rejections.list(project_id=None, everywhere=True)
        assert (logged["rule"], logged["judge"]) == ("grounding", "host")


def test_no_notes_are_an_answer_too(person: Person, clock: Clock, tmp_path: Path) -> None:
    with opened(person, clock) as memory:
        closed(memory, TURN)
    answer = tmp_path / "answer.json"
    answer.write_text(notes())

    done = person.agentrecall("process", "submit", "E1", str(answer))

    assert (done.returncode, done.stdout) == (0, b"E1: no notes\n")
    assert "does not wait" in failed(submit(person, "E1", notes(SAID)))
    assert counts(person, clock)["notes"] == 0


def test_a_finished_unit_takes_nothing_more(person: Person, clock: Clock) -> None:
    with opened(person, clock) as memory:
        closed(memory, TURN)
    submit(person, "E1", notes(SAID))

    assert "'E1' does not wait" in failed(submit(person, "E1", notes(SAID)))
    assert counts(person, clock)["notes"] == 1


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(
    ("label", "problem", "code"),
    [("E99", "there is no unit 'E99'", 1), ("T99", "there is no unit 'T99'", 1), ("N1", "'N1' is no unit", 2)],
)
def test_an_unknown_unit_is_named(person: Person, label: str, problem: str, code: int) -> None:
    assert problem in failed(submit(person, label, notes(SAID)), code)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("I found nothing.", "no JSON object"),
        ('{"notes": [{"type": "wisdom"}]}', "'notes.0.type'"),
        ("x" * 1_000_001, "over 1,000,000 bytes"),
    ],
    ids=["prose", "no notes", "too long"],
)
def test_an_answer_that_cannot_be_used_may_be_put_right(
    person: Person, clock: Clock, answer: str, problem: str
) -> None:
    with opened(person, clock) as memory:
        closed(memory, TURN)

    assert problem in failed(submit(person, "E1", answer))
    assert data(submit(person, "E1", notes(SAID), "--json"))["notes"] == ["N1"]


def test_a_turn_of_a_session_is_no_unit(person: Person, clock: Clock) -> None:
    with opened(person, clock) as memory:
        closed(memory, TURN)

    failed(submit(person, "T1", notes(SAID)))
    assert counts(person, clock)["notes"] == 0


def test_where_memory_is_off_nothing_is_handed_out_or_taken(person: Person, clock: Clock) -> None:
    with opened(person, clock) as memory:
        closed(memory, TURN)

    out = person.agentrecall("process", "next", AGENTRECALL_DISABLED="1")
    back = submit(person, "E1", notes(SAID), AGENTRECALL_DISABLED="1")

    assert (out.returncode, out.stdout, back.returncode, back.stdout) == (0, b"", 0, b"")
    assert counts(person, clock)["notes"] == 0


def test_work_that_is_the_hosts_waits_for_it(person: Person, clock: Clock) -> None:
    with opened(person, clock) as memory:
        tell(memory, TURN, project=here(person), ended=True)
        memory.connection.execute("INSERT INTO config(key, value, updated_at) VALUES ('judge', 'host', '')")

    summed_up = data(person.agentrecall("process", "--json"))

    assert (summed_up["units"], summed_up["waiting"]) == (0, 1)
    assert data(person.agentrecall("process", "next", "--json"))["unit"] == "E1"


def test_segmenting_is_done_before_work_is_handed_out(home: Path, clock: Clock) -> None:
    with open_memory(str(home), clock) as memory:
        tell(memory, TURN, ended=True)

        assert HandedOutStore(memory.episodes).hand_out(None, everywhere=True) is None
        memory.episodes.segment(memory.concepts, USUAL)
        assert HandedOutStore(memory.episodes).hand_out(None, everywhere=True) is not None
