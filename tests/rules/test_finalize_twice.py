"""A turn finalized twice: whatever comes first, a verdict stays in view; and a repeated "continue" is a new turn."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall.stories import Person
from rules.ending import SAID, SKIP, captures, ends, is_waiting, lesson, sources, transcript_of, turn

STEPS = ("heard", "line", "stop", "verdict")
ORDERS = [pytest.param(order, id=", ".join(order)) for order in itertools.permutations(STEPS)]


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def status(someone: Person, *options: str) -> dict[str, Any]:
    result = someone.command("capture-status", "--json", *options)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("order", ORDERS)
def test_a_verdict_stays_in_view_whatever_comes_first(someone: Person, order: tuple[str, ...]) -> None:
    """The prompt heard by recall, its line read, the Stop hook without a verdict, and a verdict: in every order."""
    transcript = transcript_of(someone)
    transcript.prompt_id = "prompt-1"

    def line() -> None:
        transcript.prompt(SAID)
        captures(someone, transcript)

    steps: dict[str, Callable[[], object]] = {
        "heard": lambda: someone.says(SAID, prompt_id="prompt-1"),
        "line": line,
        "stop": lambda: ends(someone, prompt_id="prompt-1"),
        "verdict": lambda: someone.finalize(turn(someone, turn_id="prompt-1")),
    }
    for step in order:
        steps[step]()

    assert sources(someone) == [("prompt-1", "SemanticCaptureJudge")]
    assert someone.rows("SELECT count(*) FROM turns") == [(1,)]
    assert not is_waiting(someone, "prompt-1")
    assert (status(someone)["decision_source"], len(someone.rules())) == ("SemanticCaptureJudge", 1)


@pytest.mark.parametrize("on_disk", ["before", "between", "after", "never"])
@pytest.mark.parametrize("order", [("stop", "verdict"), ("verdict", "stop"), ("stop", "verdict", "stop", "verdict")])
def test_the_same_turn_is_one_wherever_its_line_comes(someone: Person, order: tuple[str, ...], on_disk: str) -> None:
    transcript = transcript_of(someone)
    someone.says(SAID, prompt_id="prompt-1")
    answers = []
    for place, step in enumerate(order):
        if (on_disk, place) in {("before", 0), ("between", 1)}:
            transcript.prompt(SAID)
            captures(someone, transcript)
        if step == "stop":
            assert ends(someone, prompt_id="prompt-1") == {}
        else:
            answers.append(someone.finalize(turn(someone, turn_id="prompt-1")).json)
    if on_disk == "after":
        transcript.prompt(SAID)
        captures(someone, transcript)

    assert sources(someone) == [("prompt-1", "SemanticCaptureJudge")]
    assert len(someone.rules()) == 1
    assert all(answer == answers[0] for answer in answers)


def test_a_repeated_continue_is_a_new_turn_each_time(someone: Person) -> None:
    transcript = transcript_of(someone)
    for number in range(1, 4):
        someone.says("continue", prompt_id=f"prompt-{number}")
        transcript.prompt("continue")
        captures(someone, transcript)
        ends(someone, prompt_id=f"prompt-{number}")

    assert sources(someone) == [(f"prompt-{number}", "NoJudgmentSupplied") for number in range(1, 4)]


def test_the_same_verdict_about_a_repeated_continue_is_a_new_one_each_time(someone: Person) -> None:
    """Neither names its turn: the words are the same, the turn at hand is not."""
    handed_in = turn(someone, SKIP, turn_id="", prompt="continue")
    for number in range(1, 4):
        someone.says("continue", prompt_id=f"p{number}")
        ends(someone, prompt_id=f"p{number}")
        assert someone.finalize(handed_in).code == 0

    judged = [prompt for prompt, source in sources(someone) if source == "SemanticCaptureJudge"]
    assert len(judged) == len(set(judged))
    assert "p3" in judged


def test_the_same_verdict_about_the_same_continue_changes_nothing(someone: Person) -> None:
    someone.says("continue", prompt_id="p1")
    handed_in = turn(someone, SKIP, turn_id="", prompt="continue")

    first = someone.finalize(handed_in)
    ends(someone)

    assert someone.finalize(handed_in) == first
    assert sources(someone) == [("p1", "SemanticCaptureJudge")]


def test_a_second_verdict_of_other_words_stands_beside_the_first(someone: Person) -> None:
    someone.says(SAID)
    someone.finalize(turn(someone, SKIP))
    someone.finalize(turn(someone, lesson()))
    ends(someone)

    assert sources(someone) == [("p1", "SemanticCaptureJudge")] * 2
    found = status(someone)
    assert (found["decision"], [rule["id"] for rule in found["captured"]]) == ("AutoCapture", ["R1"])
    assert [one["reason"] for one in found["skipped"]] == ["nothing to keep"]


def test_a_turn_that_a_verdict_names_before_anybody_told_of_it_is_found_by_its_stop(someone: Person) -> None:
    someone.finalize(turn(someone))
    ends(someone)

    assert sources(someone) == [("p1", "SemanticCaptureJudge")]
    assert [rule.status.value for rule in someone.rules()] == ["Pending"]


def test_a_secret_in_the_place_of_a_turns_id_is_not_kept(someone: Person) -> None:
    secret = "ghp_" + "aZ3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"

    someone.finalize(turn(someone, SKIP, turn_id=secret))

    assert secret.encode() not in someone.stored_bytes()
