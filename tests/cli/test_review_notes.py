"""The review of notes and lessons: shown beside the rules that wait, and decided by name or on a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentrecall_admin.review_walk import walk
from agentrecall_domain.notes.deterministic_judge import DeterministicJudge
from agentrecall_domain.notes.duplicate import settle
from agentrecall_domain.notes.lesson import lesson_of
from agentrecall_domain.rules.rule import Status
from cli.test_review import data, failed
from notes.compared import content, stored
from recall.stories import Person, a_rule

OLD = content("Search runs on Elasticsearch", "Product search runs on Elasticsearch.", confidence=0.9)
NEW = content("Search moved to OpenSearch", "We moved product search from Elasticsearch to OpenSearch.")
RULE = "Never edit an applied migration, because production has run it."


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


@pytest.fixture
def asked(someone: Person) -> Person:
    """Somebody with a pair of notes, N1 and N2, and a lesson, L1."""
    with someone.memory() as memory:
        stored(memory, OLD)
        settle(stored(memory, NEW), memory.notes, DeterministicJudge())
        lesson = lesson_of(stored(memory, content("Migrations", RULE)))
        assert lesson is not None
        memory.lesson_candidates.suggest(lesson)
    return someone


def notes(someone: Person) -> list[tuple[Any, ...]]:
    return someone.rows("SELECT status, tombstoned_by_id FROM notes WHERE id < 3 ORDER BY id")


def lesson(someone: Person) -> str:
    return str(someone.rows("SELECT status FROM lesson_candidates")[0][0])


def test_notes_and_lessons_are_listed_after_the_rules_that_wait(asked: Person) -> None:
    asked.keeps(a_rule(), status=Status.PENDING)

    found = data(asked.command("review", "--list", "--json"))
    words = asked.command("review").stdout.splitlines()

    assert [next(iter(one)) for one in found] == ["rule", "note", "lesson"]
    assert (found[1]["note"]["label"], found[1]["flags"][0]["other"]["label"]) == ("N2", "N1")
    assert (found[2]["lesson"]["label"], found[2]["lesson"]["suggested_rule"]) == ("L1", RULE)
    assert words[1:] == [
        "N2 Search moved to OpenSearch",
        "    may supersede N1 Search runs on Elasticsearch  (N1 is trusted (0.90))",
        f"L1 lesson  {RULE}  ({found[2]['lesson']['confidence']:.2f})",
    ]


@pytest.mark.parametrize("option", ["--approve", "--replace"])
def test_an_approved_note_takes_the_others_place(asked: Person, option: str) -> None:
    assert asked.command("review", option, "n2").stdout == "N2 Live  Search moved to OpenSearch\n"

    assert notes(asked) == [("Tombstoned", 2), ("Live", None)]
    assert asked.rows("SELECT status FROM note_review_items") == [("Accepted",)]


@pytest.mark.parametrize("option", ["--reject", "--keep-both"])
def test_of_a_rejected_pair_both_notes_stay(asked: Person, option: str) -> None:
    decided = data(asked.command("review", option, "N2", "--json"))

    assert [note["label"] for note in decided] == ["N2"]
    assert notes(asked) == [("Live", None), ("Live", None)]
    assert [next(iter(one)) for one in data(asked.command("review", "--json"))] == ["lesson"]


def test_an_approved_lesson_is_a_rule_in_force(asked: Person) -> None:
    assert asked.command("review", "--approve", "L1").exit_code == 0

    assert [(rule.status, rule.mistake) for rule in asked.rules()] == [(Status.ACTIVE, "edit an applied migration")]
    assert lesson(asked) == "Accepted"
    assert "no lesson 'L1' waits here" in failed(asked.command("review", "--approve", "L1"))


def test_a_rejected_lesson_makes_no_rule(asked: Person) -> None:
    assert data(asked.command("review", "--reject", "L1", "--json"))[0]["lesson"]["status"] == "Rejected"

    assert asked.rules() == []


def test_all_decisions_are_carried_out_or_none(asked: Person) -> None:
    told = failed(asked.command("review", "--approve", "L1", "--replace", "N1"))

    assert "'N1' is flagged against no living note" in told
    assert lesson(asked) == "Suggested"
    assert asked.rules() == []


def test_a_lesson_takes_no_others_place(asked: Person) -> None:
    assert "'L1' is a lesson" in failed(asked.command("review", "--keep-both", "L1"))


def test_what_is_named_wrongly_or_twice_is_misuse(asked: Person) -> None:
    assert "'X1' is no rule id" in failed(asked.command("review", "--approve", "X1"), 2)
    assert "'N2' is decided twice" in failed(asked.command("review", "--approve", "N2", "--reject", "N2"), 2)


def test_a_pair_of_which_one_is_dead_is_no_question(asked: Person) -> None:
    with asked.memory() as memory:
        memory.notes.tombstone(memory.notes.get(1), by=None, reason="wrong", actor="person")

    assert [next(iter(one)) for one in data(asked.command("review", "--json"))] == ["lesson"]


@pytest.mark.parametrize(
    ("letters", "left", "status"),
    [
        ("pa", [("Tombstoned", 2), ("Live", None)], "Accepted"),
        ("kr", [("Live", None), ("Live", None)], "Rejected"),
        ("sq", [("Live", None), ("Live", None)], "Suggested"),
        ("q", [("Live", None), ("Live", None)], "Suggested"),
    ],
)
def test_they_are_decided_one_by_one_on_a_terminal(
    asked: Person, letters: str, left: list[tuple[Any, ...]], status: str
) -> None:
    answers = iter(letters)
    with asked.memory() as memory:
        walk(memory, lambda _question, allowed: next(one for one in answers if one in allowed))

    assert notes(asked) == left
    assert lesson(asked) == status


def test_a_note_that_changes_while_it_is_looked_at_is_not_decided_on(asked: Person) -> None:
    with asked.memory() as memory:

        def change(_question: str, letters: str) -> str:
            if "p" in letters:
                memory.notes.edit(memory.notes.get(1), NEW, "person")
            return "p" if "p" in letters else "q"

        walk(memory, change)

    assert notes(asked) == [("Live", None), ("Live", None)]


def test_terminal_escapes_of_a_note_are_harmless(someone: Person) -> None:
    with someone.memory() as memory:
        old, new = stored(memory, OLD), stored(memory, content("Search moved \x1b[31mto OpenSearch"))
        memory.notes.flag(new.id, old.id, "trusted")

    assert "\x1b" not in someone.command("review").stdout
