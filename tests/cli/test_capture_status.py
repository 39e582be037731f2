"""`agentrecall capture-status`: what the last decided turn led to, and what still waits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentrecall_domain.rules.rule import Status
from recall.stories import Person, a_rule
from rules.ending import SAID, SKIP, configure, ends, lesson, turn

KEYS = {
    *("turn_id", "session_id", "decision_source", "decision", "reason", "confidence", "target_rule_id"),
    *("captured", "suggested", "skipped", "duplicates", "errors"),
    *("awaiting_judgment", "awaiting_judgment_request_id", "awaiting_approval"),
}


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def status(someone: Person, *options: str) -> dict[str, Any]:
    result = someone.command("capture-status", "--json", *options)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    assert found.keys() == KEYS
    return found


def test_where_nothing_is_decided_that_is_told(someone: Person) -> None:
    found = status(someone)

    assert (found["decision"], found["decision_source"], found["turn_id"]) == (None, "None", None)
    assert found["awaiting_approval"] == {"count": 0, "ids": []}
    assert "nothing is decided" in someone.command("capture-status").stdout


def test_a_captured_rule_is_told_with_what_it_says(someone: Person) -> None:
    someone.says(SAID)
    someone.finalize(turn(someone))

    found = status(someone)

    assert (found["turn_id"], found["session_id"]) == ("p1", "s1")
    assert (found["decision_source"], found["decision"], found["reason"], found["confidence"]) == (
        "SemanticCaptureJudge",
        "AutoCapture",
        "UserCorrection",
        0.9,
    )
    assert found["target_rule_id"] == "R1"
    assert found["captured"] == [
        {
            "id": "R1",
            "title": "Migrations are append-only",
            "category": "EngineeringLesson",
            "scope": "Repository",
            "confidence": 0.9,
            "status": "Active",
            "text": "add a new migration",
            "note": "",
        }
    ]
    assert someone.command("capture-status").stdout.splitlines() == [
        "turn p1: AutoCapture (SemanticCaptureJudge, UserCorrection, confidence 0.90)",
        "  captured: R1 Migrations are append-only",
    ]


@pytest.mark.parametrize(
    ("item", "decision", "where"),
    [
        pytest.param(lesson(evidence="nobody said that"), "Suggest", "suggested", id="suggested"),
        pytest.param(SKIP, "Skip", "skipped", id="skipped"),
        pytest.param({"decision": "?"}, "Skip", "errors", id="refused beside a skip"),
    ],
)
def test_each_decision_has_its_list(someone: Person, item: dict[str, Any], decision: str, where: str) -> None:
    someone.says(SAID)
    someone.finalize(turn(someone, item, *([SKIP] if item == {"decision": "?"} else [])))

    found = status(someone)

    assert found["decision"] == decision
    assert len(found[where]) == 1


def test_a_duplicate_is_told_with_the_rule_that_says_the_same(someone: Person) -> None:
    someone.says(SAID)
    someone.finalize(turn(someone))
    someone.says(SAID, prompt_id="p2")
    someone.finalize(turn(someone, turn_id="p2"))

    found = status(someone)

    assert (found["turn_id"], found["decision"]) == ("p2", "Reinforce")
    assert [one["id"] for one in found["duplicates"]] == ["R1"]


def test_a_verdict_counts_before_the_note_that_nobody_judged(someone: Person) -> None:
    someone.says(SAID)
    ends(someone)
    assert status(someone)["decision_source"] == "NoJudgmentSupplied"

    someone.finalize(turn(someone))
    ends(someone)
    assert status(someone)["decision_source"] == "SemanticCaptureJudge"


def test_the_newest_turn_wins_judged_or_not(someone: Person) -> None:
    someone.says(SAID)
    someone.finalize(turn(someone))
    someone.says("write the release notes for version two of the shop", prompt_id="p2")
    ends(someone, prompt_id="p2")

    found = status(someone)

    assert (found["turn_id"], found["decision_source"], found["decision"]) == ("p2", "NoJudgmentSupplied", "Skip")
    assert found["captured"] == []


def test_an_open_request_is_awaited_until_it_is_answered_or_given_up(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")
    ends(someone)

    asked = status(someone)
    assert (asked["awaiting_judgment"], asked["awaiting_judgment_request_id"]) == (True, "J1")
    assert "a verdict is awaited (request J1)" in someone.command("capture-status").stdout

    ends(someone, stop_hook_active=True)
    given_up = status(someone)
    assert (given_up["awaiting_judgment"], given_up["decision_source"]) == (False, "JudgmentRetryExhausted")


def test_what_waits_for_a_person_is_counted(someone: Person) -> None:
    someone.keeps(a_rule(session_uid="s1"), a_rule("ask first", title="Ask", session_uid="s0"), status=Status.PENDING)

    assert status(someone)["awaiting_approval"] == {"count": 2, "ids": ["R1", "R2"]}
    assert status(someone, "--session", "s0")["awaiting_approval"] == {"count": 1, "ids": ["R2"]}
    assert "agentrecall review" in someone.command("capture-status").stdout


def test_a_session_can_be_named(someone: Person) -> None:
    someone.says(SAID, session="s1")
    someone.finalize(turn(someone))
    someone.says("write the release notes for version two of the shop", session="s2", prompt_id="p9")
    ends(someone, session="s2", prompt_id="p9")

    assert status(someone)["turn_id"] == "p9"
    assert status(someone, "--session", "s1")["turn_id"] == "p1"


def test_the_newest_turn_is_told_undecided_when_it_is_asked_for(someone: Person) -> None:
    someone.says(SAID, prompt_id="p1")
    ends(someone, prompt_id="p1")
    with someone.memory() as memory:
        memory.connection.execute("DELETE FROM turn_finalizations")

    assert status(someone)["turn_id"] is None
    assert (status(someone, "--last-turn")["turn_id"], status(someone, "--last-turn")["decision"]) == ("p1", None)


def test_a_verdict_about_a_turn_that_nobody_knows_is_told_too(someone: Person) -> None:
    someone.finalize({"cwd": str(someone.repository), "verdicts": [lesson()]})

    found = status(someone)

    assert (found["turn_id"], found["decision"]) == (None, "Suggest")
    assert "turn unknown: Suggest" in someone.command("capture-status").stdout


def test_another_project_is_another_matter(someone: Person) -> None:
    someone.says(SAID)
    someone.finalize(turn(someone))

    elsewhere = someone.command("capture-status", "--json", cwd=someone.new_repository("bank"))

    assert json.loads(elsewhere.stdout)["decision"] is None


def test_a_rule_that_is_gone_since_is_still_named(someone: Person) -> None:
    someone.says(SAID)
    someone.finalize(turn(someone))
    with someone.memory() as memory:
        memory.delete(memory.get_rule(1), "person")

    assert status(someone)["captured"] == [{"id": "R1", "note": ""}]
    assert "R1 is gone" in someone.command("capture-status").stdout
