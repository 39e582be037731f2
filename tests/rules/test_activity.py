"""Activity: what the memory did lately, read from what it keeps anyway, newest first."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.rules.rule import Status
from agentrecall_storage.activity import JUDGED, KINDS, ActivityType, newest
from recall.stories import Person, a_rule
from rules.ending import SAID, SKIP, configure, ends, lesson, turn


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def lately(someone: Person, most: int = 50) -> list[tuple[str, str, str]]:
    with someone.memory() as memory:
        return [(one.type.value, one.subject, one.text) for one in newest(memory.connection, most)]


def test_an_empty_memory_did_nothing(someone: Person) -> None:
    assert lately(someone) == []


def test_what_was_shown_is_an_activity_and_what_was_not_is_none(someone: Person) -> None:
    (rule,) = someone.keeps(a_rule())
    someone.says("the applied migration is wrong, please edit it so that the column is nullable", prompt_id="p1")
    someone.says("rename the variable in the loop that sorts the harbours of Portugal", prompt_id="p2")

    fetched = [row for row in lately(someone) if row[0] == "ContextFetched"]

    assert fetched == [("ContextFetched", "I1", f"prompt: 1 rule ({rule.label}) shown")]


def test_a_captured_rule_and_its_turn_are_both_told(someone: Person) -> None:
    someone.has_said(SAID)
    someone.judges(turn(someone))

    assert lately(someone) == [
        ("TurnFinalized", "", "judged: 1 captured"),
        ("RuleCaptured", "R1", "captured by verdict"),
    ]


def test_a_turn_that_only_skipped_is_told_as_such(someone: Person) -> None:
    someone.has_said(SAID)
    someone.judges(turn(someone, SKIP, SKIP))

    assert lately(someone) == [("CandidateSkipped", "", "judged: 2 skipped")]


@pytest.mark.parametrize(
    ("status", "kind", "text"),
    [
        pytest.param(Status.ACTIVE, "SuggestionRemembered", "approved by person", id="approved"),
        pytest.param(Status.ARCHIVED, "SuggestionIgnored", "rejected, now Archived by person", id="rejected"),
    ],
)
def test_what_a_person_decides_about_a_suggestion_is_told(
    someone: Person, status: Status, kind: str, text: str
) -> None:
    (rule,) = someone.keeps(a_rule(), status=Status.PENDING)
    with someone.memory() as memory:
        memory.set_status(rule, status, "person")

    assert lately(someone) == [(kind, "R1", text), ("RuleSuggested", "R1", "waits for approval by test")]


def test_what_becomes_of_a_rule_is_told(someone: Person) -> None:
    first, second = someone.keeps(a_rule(), a_rule("ask first", title="Ask"))
    with someone.memory() as memory:
        memory.reinforce(first, 0.1, "said again")
        memory.mark(memory.get_rule(1), "person", pinned=True)
        memory.put_in_place(memory.get_rule(1), second, "person")
        memory.flag("refine", 2, 1, "refine R1?")
        memory.delete(memory.get_rule(1), "person")

    told = [row for row in lately(someone) if row[0] != "RuleChanged"]
    assert [row[:2] for row in told] == [
        ("RuleDeleted", "R1"),
        ("ReviewAsked", "R2"),
        ("RuleSuperseded", "R1"),
        ("RuleReinforced", "R1"),
        ("RuleCaptured", "R2"),
        ("RuleCaptured", "R1"),
    ]
    assert told[2][2] == "superseded by R2 by person"
    assert ("RuleChanged", "R1", "pinned by person") in lately(someone)


def test_an_ask_and_its_answer_are_told(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")
    ends(someone)
    assert ("JudgmentRequested", "J1", "asked for a verdict: outstanding") in lately(someone)

    someone.finalize(turn(someone, SKIP))
    assert ("JudgmentRequested", "J1", "asked for a verdict: resolved, answered with Skip") in lately(someone)


def test_an_outcome_is_told(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.says("the applied migration is wrong, please edit it so that the column is nullable")
    someone.finalize(turn(someone, SKIP, rule_outcomes=[{"rule_id": 1, "outcome": "UserAccepted"}]))

    assert ("RuleOutcomesReported", "R1", "outcome reported: UserAccepted by verdict") in lately(someone)


def test_at_most_so_many_are_told_and_they_are_the_newest(someone: Person) -> None:
    someone.keeps(*(a_rule(title=f"Rule {number}") for number in range(9)))

    assert [row[1] for row in lately(someone, 3)] == ["R9", "R8", "R7"]


def test_reading_it_writes_nothing(someone: Person) -> None:
    someone.has_said(SAID)
    someone.judges(turn(someone, lesson()))
    before = lately(someone)

    assert lately(someone) == before


def test_every_kind_that_is_told_has_a_meaning() -> None:
    assert set(KINDS.values()) <= set(ActivityType) - {ActivityType.UNKNOWN}
    assert {"SemanticCaptureJudge", "NoJudgmentSupplied", "JudgmentRetryExhausted"} == JUDGED.keys()


@given(st.text())
def test_a_kind_of_a_newer_program_reads_back_as_unknown(value: str) -> None:
    kind = ActivityType(value)

    assert kind is ActivityType.UNKNOWN or kind == value


@pytest.mark.parametrize("details", ["{}", "[]", "not json", '{"why": null}', '{"by": [1]}', '{"to": 5}'])
def test_a_row_that_cannot_be_understood_is_still_told(someone: Person, details: str) -> None:
    someone.keeps(a_rule())
    with someone.memory() as memory:
        memory.connection.execute("UPDATE events SET kind = 'RuleTurnedBlue', details = ?", (details,))

    ((kind, subject, text),) = lately(someone)

    assert (kind, subject) == ("unknown", "R1")
    assert text.startswith("turned blue")
