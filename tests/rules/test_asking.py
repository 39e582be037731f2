"""Asking for a verdict at Stop: off by default, once a turn, never in a loop, and never a reason to lose a turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentrecall_domain.capture.asking import LEAST_CHARACTERS, is_worth_asking, question
from recall.stories import Person
from rules.ending import ANSWER, SAID, SKIP, captures, configure, ends, requests, sources, transcript_of, turn

LONG = "x" * LEAST_CHARACTERS


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_nobody_is_asked_unless_they_want_to_be(someone: Person) -> None:
    someone.says(SAID)

    assert ends(someone) == {}
    assert (requests(someone), sources(someone)) == ([], [("p1", "NoJudgmentSupplied")])


@pytest.mark.parametrize("mode", ["off", "", "sometimes", "OFF"])
def test_a_setting_that_is_none_of_ours_asks_nobody(someone: Person, mode: str) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict=mode)

    assert ends(someone) == {}
    assert requests(someone) == []


def test_a_turn_of_substance_is_asked_about(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="substantive")

    answered = ends(someone)

    assert answered["decision"] == "block"
    assert "request J1" in answered["reason"]
    assert "nothing is wrong" in answered["reason"]
    assert "Skip is a normal answer" in answered["reason"]
    assert "\n" not in answered["reason"]
    assert requests(someone) == [("Outstanding", "")]


@pytest.mark.parametrize(
    ("mode", "said", "answered", "asked"),
    [
        pytest.param("substantive", 100, 100, True, id="together enough"),
        pytest.param("substantive", 100, 99, False, id="together too little"),
        pytest.param("substantive", 0, 1000, False, id="nobody said anything"),
        pytest.param("substantive", 1000, 0, False, id="no answer"),
        pytest.param("always", 1, 0, True, id="always, however little"),
        pytest.param("always", 0, 1000, False, id="always, but there is no prompt"),
        pytest.param("off", 1000, 1000, False, id="off"),
        pytest.param("whenever", 1000, 1000, False, id="an unknown mode"),
    ],
)
def test_what_is_worth_asking_about(mode: str, said: int, answered: int, asked: bool) -> None:  # noqa: FBT001 -- a table
    assert is_worth_asking(mode, said, answered) is asked


def test_a_short_turn_is_asked_about_only_always(someone: Person) -> None:
    someone.says("fix the typo in the changelog")
    configure(someone, ask_for_verdict="substantive")
    assert ends(someone, answer="Done.") == {}

    configure(someone, ask_for_verdict="always")
    assert ends(someone, answer="Done.")["decision"] == "block"


def test_a_turn_is_asked_about_once(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")

    assert [bool(ends(someone)) for _ in range(3)] == [True, False, False]
    assert len(requests(someone)) == 1


def test_of_two_hooks_that_run_at_once_one_asks(someone: Person) -> None:
    """The plugin's and the settings' hook may both be wired."""
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")
    ends(someone)

    assert ends(someone) == {}
    assert (requests(someone), sources(someone)) == ([("Outstanding", "")], [("p1", "NoJudgmentSupplied")])


def test_a_host_that_already_goes_on_is_not_asked(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")

    assert ends(someone, stop_hook_active=True) == {}
    assert (requests(someone), sources(someone)) == ([], [("p1", "NoJudgmentSupplied")])


@pytest.mark.parametrize("value", ["true", 1, [0], {"a": 1}], ids=str)
def test_a_host_that_says_so_in_a_way_of_its_own_is_not_asked(someone: Person, value: object) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")

    assert ends(someone, stop_hook_active=value) == {}


@pytest.mark.parametrize("value", [None, 7, ["x"], {}, "\ud800"], ids=repr)
def test_an_answer_of_a_wrong_type_is_no_answer(someone: Person, value: Any) -> None:
    someone.says("fix the typo in the changelog")
    configure(someone, ask_for_verdict="substantive", summary="detailed")

    assert ends(someone, last_assistant_message=value) == {}


def test_a_turn_that_ends_unanswered_is_given_up(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")
    ends(someone)

    assert ends(someone, stop_hook_active=True) == {}

    assert requests(someone) == [("Abandoned", "")]
    assert sources(someone) == [("p1", "JudgmentRetryExhausted")]


@pytest.mark.parametrize("names_it", [True, False], ids=["by its turn's id", "as the turn at hand"])
def test_a_verdict_answers_the_request(someone: Person, names_it: bool) -> None:  # noqa: FBT001 -- a table
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")
    ends(someone)

    handed_in = turn(someone) if names_it else turn(someone, turn_id="")
    assert someone.finalize(handed_in).code == 0
    assert ends(someone, stop_hook_active=True) == {}

    assert requests(someone) == [("Resolved", "Capture")]
    assert sources(someone) == [("p1", "SemanticCaptureJudge")]
    assert someone.rows(
        """
        SELECT count(*) FROM judgment_requests
          JOIN turn_finalizations ON turn_finalizations.id = judgment_requests.finalization_id
        """
    ) == [(1,)]


def test_skip_is_an_answer(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")
    reason = ends(someone)["reason"]
    offered = json.loads(reason[reason.index("{") : reason.rindex("}") + 1])

    ran = someone.finalize(offered, CLAUDE_CODE_SESSION_ID="s1", CLAUDE_PROJECT_DIR=str(someone.repository))

    assert ran.json == {"outcomes": [{"outcome": "skipped", "rule_id": None, "why": "nothing to keep"}]}
    assert requests(someone) == [("Resolved", "Skip")]


def test_a_verdict_that_comes_late_still_answers(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")
    ends(someone)
    ends(someone, stop_hook_active=True)

    someone.finalize(turn(someone))

    assert requests(someone) == [("Resolved", "Capture")]
    assert sources(someone) == [("p1", "SemanticCaptureJudge")]


def test_what_is_no_verdict_leaves_the_request_open(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")
    ends(someone)

    assert someone.finalize(turn(someone, {"decision": "perhaps"})).code == 2
    assert requests(someone) == [("Outstanding", "")]


def test_a_judged_turn_is_not_asked_about(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")
    someone.finalize(turn(someone, SKIP))

    assert ends(someone) == {}
    assert requests(someone) == []


def test_a_verdict_about_another_turn_leaves_the_request_open(someone: Person) -> None:
    someone.says("first of all, write the release notes for version two", prompt_id="p0")
    someone.says(SAID, prompt_id="p1")
    configure(someone, ask_for_verdict="always")
    ends(someone)

    someone.finalize(turn(someone, SKIP, turn_id="p0"))

    assert requests(someone) == [("Outstanding", "")]


def test_a_prompt_of_the_hosts_own_is_not_asked_about(someone: Person) -> None:
    someone.says(f"<task-notification>\n<result>{SAID}</result>\n</task-notification>")
    configure(someone, ask_for_verdict="always")

    assert ends(someone) == {}


def test_a_prompt_that_only_the_transcript_has_is_asked_about(someone: Person) -> None:
    transcript = transcript_of(someone)
    transcript.prompt(SAID)
    captures(someone, transcript)
    configure(someone, ask_for_verdict="substantive")

    assert ends(someone, prompt_id=transcript.prompt_id)["decision"] == "block"


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"agent_id": "a1"}, id="a subagent"),
        pytest.param({"hook_event_name": "SubagentStop"}, id="another event"),
        pytest.param({"prompt_id": ""}, id="no prompt's id"),
    ],
)
def test_only_the_end_of_the_agents_own_turn_is_asked_about(someone: Person, fields: dict[str, str]) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")

    assert ends(someone, **fields) == {}


def test_an_excluded_project_is_not_asked_about(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")
    assert someone.command("exclude", ".").exit_code == 0

    assert ends(someone) == {}


def test_a_memory_that_cannot_be_written_asks_nobody(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always")
    with someone.memory() as memory:
        memory.connection.execute("DROP TABLE judgment_requests")

    assert ends(someone) == {}


@pytest.mark.parametrize("prompt_id", ['"quoted"', "with\nnewline", "x" * 5_000, "\u202eturned"])
def test_a_question_quotes_a_hosts_id_safely(prompt_id: str) -> None:
    told = question(3, prompt_id)

    assert "\n" not in told
    assert len(told) < 1_000
    offered = json.loads(told[told.index("{") : told.rindex("}") + 1])
    assert offered.get("turn_id", "") in {prompt_id, ""}


def test_while_the_agent_is_asked_the_person_is_told_nothing_yet(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="always", summary="compact")

    assert ends(someone).keys() == {"decision", "reason"}

    someone.finalize(turn(someone))
    assert "1 captured (R1)" in ends(someone, stop_hook_active=True)["systemMessage"]


def test_the_answer_is_measured_by_what_was_said_last(someone: Person) -> None:
    someone.says(SAID)
    configure(someone, ask_for_verdict="substantive")

    assert ends(someone, answer=" " * 500) == {}
    assert ends(someone, answer=ANSWER)["decision"] == "block"
