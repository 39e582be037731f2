"""`agentrecall-finalize-turn --input`: what there is to judge of a turn, and what may be said of the rules in it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.capture.judge_input import GAP, LONGEST_SUMMARY, bounded, distinct
from agentrecall_domain.rules.rule import RuleContent, ScopeLevel, Status
from recall.stories import PROGRAMS, Person, Ran, a_rule
from rules.ending import ANSWER, SAID, SKIP, captures, lesson, transcript_of, turn

PROMPT = "change the migration that has been applied so that orders get a currency column"


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def colours() -> RuleContent:
    return a_rule("ask the design team", title="Colours", trigger="when a colour is chosen", mistake="", reason="")


def to_judge(someone: Person, stdin: str = "", **environment: str) -> dict[str, Any]:
    ran = someone.run("agentrecall-finalize-turn", "--input", stdin=stdin, variables=environment)
    assert (ran.code, ran.err) == (0, ""), ran
    found: dict[str, Any] = ran.json
    return found


def named(someone: Person, **fields: Any) -> dict[str, Any]:
    return to_judge(someone, json.dumps(fields))


def fared(someone: Person, *reported: dict[str, Any], **changes: Any) -> list[tuple[str, str]]:
    ran = someone.finalize(turn(someone, SKIP, rule_outcomes=list(reported), **changes))
    assert (ran.code, ran.err) == (0, ""), ran
    return [(one["outcome"], one["why"]) for one in ran.json["rule_outcomes"]]


def test_the_latest_turn_is_shown_when_none_is_named(someone: Person) -> None:
    someone.keeps(a_rule(), colours())
    someone.says("write the release notes for version two of the shop", prompt_id="p1")
    someone.says(PROMPT, prompt_id="p2")

    found = to_judge(someone)

    assert (found["turn_id"], found["session_id"], found["project"]) == ("p2", "s1", "shop")
    assert (found["prompt"], found["assistant_summary"], found["accepted"]) == (PROMPT, "", None)
    assert found["rules"] == [
        {
            "id": "R1",
            "title": "Migrations are append-only",
            "category": "EngineeringLesson",
            "status": "Active",
            "when": "when a migration has been applied",
            "do": "add a new migration",
        }
    ]
    assert found["injected"] == [{"rule": "R1", "injection": "I2"}]


@pytest.mark.parametrize(
    "named_by",
    [
        pytest.param({"turn_id": "p1", "session_id": "s1"}, id="turn"),
        pytest.param({"prompt_id": "p1", "session_id": "s1"}, id="prompt's id"),
        pytest.param({"prompt": PROMPT}, id="prompt"),
    ],
)
def test_a_turn_can_be_named(someone: Person, named_by: dict[str, str]) -> None:
    someone.says(PROMPT, prompt_id="p1")
    someone.says("write the release notes for version two of the shop", prompt_id="p2")

    assert named(someone, **named_by)["turn_id"] == "p1"


def test_what_is_shown_can_be_handed_in(someone: Person) -> None:
    """The turn's name stays good when its line arrives meanwhile."""
    transcript = transcript_of(someone)
    transcript.prompt_id = "prompt-1"
    someone.says(SAID, prompt_id="prompt-1")
    found = to_judge(someone)
    transcript.prompt(SAID)
    captures(someone, transcript)

    ran = someone.finalize(turn(someone, turn_id=found["turn_id"], session_id=found["session_id"]))

    assert [one["outcome"] for one in ran.json["outcomes"]] == ["captured"]


def test_the_agents_last_words_are_shown_bounded(someone: Person) -> None:
    transcript = transcript_of(someone)
    transcript.prompt(PROMPT)
    transcript.answer("I look at it first.")
    transcript.answer(f"{ANSWER} {'and so on ' * 400} the end")
    captures(someone, transcript)

    found = to_judge(someone)

    assert len(found["assistant_summary"]) <= LONGEST_SUMMARY
    assert found["assistant_summary"].startswith("You are right")
    assert found["assistant_summary"].endswith("the end")
    assert found["prompt"] == PROMPT


def test_at_most_twelve_rules_are_shown(someone: Person) -> None:
    someone.keeps(*(a_rule(f"add a new migration, way {number}", title=f"Way {number}") for number in range(20)))
    someone.says(PROMPT)

    assert len(to_judge(someone)["rules"]) == 12


def test_the_answer_calls_up_rules_too(someone: Person) -> None:
    someone.keeps(a_rule("round at the end", title="Rounding", trigger="when currencies are converted", reason=""))
    transcript = transcript_of(someone)
    transcript.prompt("please go on with what we said yesterday")
    transcript.answer("The currencies are converted and the totals are rounded on each line now.")
    captures(someone, transcript)

    assert [rule["id"] for rule in to_judge(someone)["rules"]] == ["R1"]


def test_rules_of_another_project_are_not_shown(someone: Person) -> None:
    someone.keeps(a_rule(), cwd=someone.new_repository("bank"))
    someone.keeps(a_rule("add one more", scope_level=ScopeLevel.GLOBAL, scope_value=""))
    someone.says(PROMPT)

    assert [rule["id"] for rule in to_judge(someone)["rules"]] == ["R2"]


def test_what_waits_from_this_session_is_shown(someone: Person) -> None:
    someone.keeps(
        a_rule("one", session_uid="s1", title="Ours"),
        a_rule("two", session_uid="s0", title="Theirs"),
        status=Status.PENDING,
    )
    someone.says("write the release notes for version two of the shop")

    assert [rule["id"] for rule in to_judge(someone)["waiting"]] == ["R1"]


def test_an_agent_need_not_know_where_it_is(someone: Person) -> None:
    someone.says(PROMPT, session="s1")
    someone.says("something else entirely, in another terminal window", session="s2")

    found = to_judge(someone, CLAUDE_CODE_SESSION_ID="s1", CLAUDE_PROJECT_DIR=str(someone.repository))

    assert (found["session_id"], found["prompt"]) == ("s1", PROMPT)


def test_asking_what_there_is_to_judge_judges_nothing(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.says(PROMPT)

    to_judge(someone)

    assert someone.rows("SELECT count(*) FROM turn_finalizations") == [(0,)]


def test_a_project_that_nobody_has_met_has_global_rules_and_no_turn(someone: Person) -> None:
    someone.keeps(a_rule(scope_level=ScopeLevel.GLOBAL, scope_value=""), cwd=someone.new_repository("bank"))

    found = named(someone, prompt=PROMPT)

    assert (found["turn_id"], found["prompt"]) == ("", PROMPT)
    assert ([rule["id"] for rule in found["rules"]], found["injected"]) == (["R1"], [])


def test_a_shell_that_leaves_stdin_open_is_answered_all_the_same(someone: Person) -> None:
    someone.says(PROMPT)
    program = [str(PROGRAMS / "agentrecall-finalize-turn"), "--input"]

    with subprocess.Popen(
        program, cwd=someone.repository, env=someone.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        answer = json.loads(process.stdout.readline())

    assert answer["turn_id"] == "p1"


@pytest.mark.parametrize("stdin", ["[]", "nonsense", '"p1"', "[" * 5_000])
def test_what_is_no_object_is_misuse(someone: Person, stdin: str) -> None:
    ran = someone.run("agentrecall-finalize-turn", "--input", stdin=stdin)

    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err


def test_fields_of_a_wrong_type_are_passed_over(someone: Person) -> None:
    someone.says(PROMPT)

    assert named(someone, session_id=7, turn_id=None, cwd=[], prompt={}, accepted="yes")["turn_id"] == "p1"
    assert named(someone, accepted=True)["accepted"] is True


def test_switched_off_there_is_nothing_to_judge(someone: Person) -> None:
    ran = someone.run("agentrecall-finalize-turn", "--input", variables={"AGENTRECALL_DISABLED": "1"})

    assert (ran.code, ran.out) == (0, "")
    assert "AGENTRECALL_DISABLED" in ran.err


def test_an_excluded_project_has_nothing_to_judge(someone: Person) -> None:
    assert someone.command("exclude", ".").exit_code == 0

    ran = someone.run("agentrecall-finalize-turn", "--input")

    assert (ran.code, ran.out) == (0, "")
    assert "excluded" in ran.err


@given(st.text(max_size=5_000), st.integers(20, 2_000))
def test_bounded_text_keeps_its_beginning_and_its_end(text: str, most: int) -> None:
    short = bounded(text, most)

    assert len(short) <= most
    assert short == text or (text.startswith(short.split(GAP)[0][:5]) and short[-5:] == text[-5:])


@given(st.lists(st.text(max_size=30), max_size=8))
def test_nothing_said_is_lost_and_nothing_is_said_twice(texts: list[str]) -> None:
    kept = distinct(texts)

    assert distinct(kept) == kept
    assert all(any("".join(text.split()) in "".join(one.split()) for one in kept) for text in texts if text.strip())


# Rule outcomes


def test_an_outcome_belongs_to_the_injection_that_showed_the_rule(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.says(PROMPT)
    (shown,) = to_judge(someone)["injected"]

    reported = {"rule_id": shown["rule"], "injection_id": shown["injection"], "outcome": "UserAccepted", "note": "yes"}
    assert fared(someone, reported) == [("recorded", "")]

    assert someone.rows("SELECT rule_id, injection_id, type, reason, confidence_delta FROM outcomes") == [
        (1, 1, "UserAccepted", "yes", 0.0)
    ]
    assert someone.rows("SELECT turns.prompt_id FROM outcomes JOIN turns ON turns.id = outcomes.turn_id") == [("p1",)]
    assert someone.rule(1).confidence == 0.9


def test_without_an_injection_the_newest_that_showed_the_rule_is_meant(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.says(PROMPT, prompt_id="p0")
    someone.says(PROMPT, prompt_id="p1")

    assert fared(someone, {"rule_id": 1, "outcome": "RuleIgnored"}) == [("recorded", "")]
    assert someone.rows("SELECT injection_id FROM outcomes") == [(2,)]


def test_a_rule_that_was_never_shown_cannot_have_fared(someone: Person) -> None:
    someone.keeps(a_rule(), colours())
    someone.says(PROMPT)

    told = fared(
        someone,
        {"rule_id": "R2", "outcome": "UserAccepted"},
        {"rule_id": "R1", "injection_id": 99, "outcome": "UserAccepted"},
        {"rule_id": "R9", "outcome": "UserAccepted"},
        {"rule_id": "R1", "outcome": "UserAccepted"},
    )

    assert [outcome for outcome, _ in told] == ["refused", "refused", "refused", "recorded"]
    assert ["R2" in told[0][1], "I99" in told[1][1], "R9" in told[2][1]] == [True] * 3


def test_an_outcome_that_only_a_build_may_tell_is_refused_and_the_others_land(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.says(PROMPT)

    told = fared(someone, {"rule_id": 1, "outcome": "TestsPassed"}, {"rule_id": 1, "outcome": "not_applicable"}, {})

    assert [outcome for outcome, _ in told] == ["refused", "recorded", "refused"]
    assert "UserAccepted" in told[0][1]


def test_an_outcome_is_kept_once(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.says(PROMPT)
    reported = {"rule_id": 1, "outcome": "UserAccepted"}

    first = someone.finalize(turn(someone, rule_outcomes=[reported, reported]))
    again = someone.finalize(turn(someone, rule_outcomes=[reported, reported]))
    fared(someone, reported, source="another judge")

    assert again == first
    assert someone.rows("SELECT count(*) FROM outcomes") == [(1,)]
    assert someone.rows("SELECT count(*) FROM events WHERE kind = 'OutcomeReported'") == [(1,)]


def test_another_outcome_of_the_same_showing_is_kept_beside_it(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.says(PROMPT)

    fared(someone, {"rule_id": 1, "outcome": "UserAccepted"}, {"rule_id": 1, "outcome": "UserRejected"})

    assert someone.rows("SELECT type FROM outcomes ORDER BY id") == [("UserAccepted",), ("UserRejected",)]


def test_outcomes_may_come_later_than_the_verdict(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.says(PROMPT)
    someone.finalize(turn(someone, SKIP))

    assert fared(someone, {"rule_id": 1, "outcome": "UserAccepted"}) == [("recorded", "")]


def test_what_another_project_was_shown_is_not_this_ones_to_tell(someone: Person) -> None:
    bank = someone.new_repository("bank")
    someone.keeps(a_rule(scope_level=ScopeLevel.GLOBAL, scope_value=""))
    someone.says(PROMPT, session="s2", cwd=bank)

    assert [outcome for outcome, _ in fared(someone, {"rule_id": 1, "outcome": "UserAccepted"})] == ["refused"]


def test_a_secret_in_a_note_is_not_kept(someone: Person) -> None:
    secret = "ghp_" + "aZ3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    someone.keeps(a_rule())
    someone.says(PROMPT)

    fared(someone, {"rule_id": 1, "outcome": "UserAccepted", "note": f"the token is {secret}"})

    assert secret.encode() not in someone.stored_bytes()


def test_without_outcomes_the_answer_has_none(someone: Person) -> None:
    someone.says(SAID)

    assert someone.finalize(turn(someone, lesson())).json.keys() == {"outcomes"}
    assert someone.finalize(turn(someone, lesson(), {"decision": "?"}, source="other")) != Ran(2, "", "")
