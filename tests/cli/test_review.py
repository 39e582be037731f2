"""The review: what waits for a person is shown, decided in a script or on a terminal, and nothing is half decided."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from agentrecall_admin.review_walk import walk
from agentrecall_domain.rules.rule import Status
from helpers.terminal import on_terminal
from recall.stories import PROGRAMS, Person, a_rule


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def failed(result: Result, code: int = 1) -> str:
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return result.stderr


def flag(someone: Person, rule_id: int, other_id: int, kind: str = "supersede") -> None:
    with someone.memory() as memory:
        memory.flag(kind, rule_id, other_id, "both are about migrations")


def statuses(someone: Person) -> list[str]:
    return [rule.status.value for rule in someone.rules()]


def flags(someone: Person) -> list[str]:
    return [status for (status,) in someone.rows("SELECT status FROM review_items ORDER BY id")]


# The list


def test_what_waits_is_listed_with_the_rule_that_it_may_replace(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("in force and alone"))
    someone.keeps(a_rule("two"), a_rule("three"), status=Status.PENDING)
    someone.keeps(a_rule("elsewhere"), status=Status.PENDING, cwd=someone.new_repository("bank"))
    flag(someone, 3, 1)

    found = data(someone.command("review", "--list", "--json"))
    words = someone.command("review").stdout

    assert [(one["rule"]["label"], [pair["other"]["label"] for pair in one["flags"]]) for one in found] == [
        ("R3", ["R1"]),
        ("R4", []),
    ]
    assert found[0]["flags"][0]["kind"] == "supersede"
    assert words.splitlines()[1].startswith("    may supersede R1 Active")
    assert data(someone.command("review", "--json")) == found


def test_a_pair_of_rules_in_force_waits_until_one_of_them_is_dead(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("two"))
    flag(someone, 2, 1, "refine")

    assert [one["rule"]["label"] for one in data(someone.command("review", "--list", "--json"))] == ["R2"]
    someone.command("rules", "archive", "R1")
    assert data(someone.command("review", "--list", "--json")) == []


def test_nothing_that_waits_is_done_with_a_word_on_stderr(someone: Person) -> None:
    result = someone.command("review")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "nothing waits for review here\n")


def test_control_codes_in_what_waits_stay_without_effect(someone: Person) -> None:
    code = "\x1b]0;owned\x07\x9b31m\u202e"
    someone.keeps(a_rule(f"one {code}", title=f"one {code}"))
    someone.keeps(a_rule(f"two {code}", title=f"two {code}", reason=code, evidence=code), status=Status.PENDING)
    flag(someone, 2, 1)

    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(someone.command("review", "--list").stdout)


# Scripts


def test_several_decisions_are_stored_together(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("two"), a_rule("three"), status=Status.PENDING)

    decided = data(someone.command("review", "--approve", "R1", "--approve", "3", "--reject", "R2", "--json"))

    assert sorted(rule["label"] for rule in decided) == ["R1", "R2", "R3"]
    assert statuses(someone) == ["Active", "Archived", "Active"]
    assert ("RuleRejected",) in someone.rows("SELECT kind FROM events WHERE subject = 'R2'")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--approve", "R1", "--reject", "R9"], id="a missing rule"),
        pytest.param(["--approve", "R1", "--reject", "R2"], id="a rule that does not wait"),
        pytest.param(["--approve", "R1", "--replace", "R1"], id="twice decided"),
        pytest.param(["--approve", "R1", "--replace", "R2"], id="no pair"),
        pytest.param(["--approve", "R1", "--keep-both", "R2"], id="no pair to keep"),
        pytest.param(["--approve", "R1", "--approve-all"], id="one and all"),
        pytest.param(["--approve-all", "--reject-all"], id="yes and no to all"),
        pytest.param(["--approve", "R1", "--session", "s1"], id="a session without all"),
        pytest.param(["--approve", "R1", "--list"], id="a list that decides"),
    ],
)
def test_a_decision_that_cannot_be_carried_out_leaves_all_undecided(someone: Person, arguments: list[str]) -> None:
    someone.keeps(a_rule(), status=Status.PENDING)
    someone.keeps(a_rule("two"))
    before = someone.rules()

    result = someone.command("review", *arguments)

    assert result.exit_code in {1, 2}
    assert "Error: " in result.stderr
    assert someone.rules() == before


def test_accepting_a_pair_puts_the_new_rule_in_the_place_of_the_old_one(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.keeps(a_rule("two"), status=Status.PENDING)
    flag(someone, 2, 1)

    data(someone.command("review", "--replace", "R2", "--json"))

    old, new = someone.rules()
    assert (old.status, old.superseded_by_id, new.status, new.supersedes_id) == (Status.SUPERSEDED, 2, Status.ACTIVE, 1)
    assert flags(someone) == ["Accepted"]
    assert data(someone.command("review", "--list", "--json")) == []


def test_keeping_both_closes_the_question(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.keeps(a_rule("two"), status=Status.PENDING)
    flag(someone, 2, 1)

    data(someone.command("review", "--keep-both", "R2", "--json"))

    assert statuses(someone) == ["Active", "Active"]
    assert flags(someone) == ["Rejected"]


def test_approving_leaves_the_question_whose_place_it_takes_open(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.keeps(a_rule("two"), status=Status.PENDING)
    flag(someone, 2, 1)

    result = someone.command("review", "--approve", "R2")

    assert result.exit_code == 0
    assert "R2 may take the place of another rule" in result.stderr
    assert (statuses(someone), flags(someone)) == (["Active", "Active"], ["Open"])


def test_rejecting_closes_the_question_too(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.keeps(a_rule("two"), status=Status.PENDING)
    flag(someone, 2, 1)

    data(someone.command("review", "--reject", "R2", "--json"))

    assert (statuses(someone), flags(someone)) == (["Active", "Archived"], ["Rejected"])


@pytest.mark.parametrize(("option", "status"), [("--approve-all", "Active"), ("--reject-all", "Archived")])
def test_all_of_a_session_is_decided_at_once(someone: Person, option: str, status: str) -> None:
    someone.keeps(a_rule(session_uid="s1"), a_rule("two", session_uid="s2"), status=Status.PENDING)

    data(someone.command("review", option, "--session", "s1", "--json"))
    assert statuses(someone) == [status, "Pending"]
    data(someone.command("review", option, "--json"))
    assert statuses(someone) == [status, status]
    assert data(someone.command("review", option, "--json")) == []


# On a terminal


class Answers:
    """A person who answers one question after the other, and remembers what they could have said."""

    def __init__(self, letters: str) -> None:
        self.letters: Iterator[str] = iter(letters)
        self.offered: list[str] = []

    def __call__(self, question: str, letters: str) -> str:
        self.offered.append(letters)
        letter = next(self.letters)
        assert letter in letters, question
        return letter


def reviews(someone: Person, letters: str, monkeypatch: pytest.MonkeyPatch) -> Answers:
    monkeypatch.chdir(someone.repository)
    for name, value in someone.environment.items():
        monkeypatch.setenv(name, value)
    answers = Answers(letters)
    with someone.memory() as memory:
        walk(memory, answers)
    assert next(answers.letters, None) is None
    return answers


def test_a_person_walks_what_waits(
    someone: Person, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    someone.keeps(*(a_rule(word) for word in ("one", "two", "three", "four", "five")), status=Status.PENDING)

    reviews(someone, "arsq", monkeypatch)

    assert statuses(someone) == ["Active", "Archived", "Pending", "Pending", "Pending"]
    shown = capsys.readouterr()
    assert "R4 Pending" in shown.out
    assert "R5 Pending" not in shown.out
    assert shown.err == "1 approved\n1 rejected\n"


@pytest.mark.parametrize(
    ("letters", "expected", "closed"),
    [
        pytest.param("p", ["Superseded", "Active"], "Accepted", id="in its place"),
        pytest.param("k", ["Active", "Active"], "Rejected", id="both"),
        pytest.param("r", ["Active", "Archived"], "Rejected", id="rejected"),
        pytest.param("s", ["Active", "Pending"], "Open", id="skipped"),
        pytest.param("q", ["Active", "Pending"], "Open", id="the end"),
    ],
)
def test_a_pair_is_shown_side_by_side_and_decided(  # noqa: PLR0917 -- a table and two fixtures
    someone: Person,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    letters: str,
    expected: list[str],
    closed: str,
) -> None:
    someone.keeps(a_rule("keep the old way"))
    someone.keeps(a_rule("take the new way"), status=Status.PENDING)
    flag(someone, 2, 1)

    answers = reviews(someone, letters, monkeypatch)

    assert (statuses(someone), flags(someone), answers.offered) == (expected, [closed], ["pkersq"])
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "keep the old way" in line]
    assert "take the new way" in row


def test_each_pair_of_a_rule_is_a_question_of_its_own(someone: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    someone.keeps(a_rule(), a_rule("two"))
    someone.keeps(a_rule("three"), status=Status.PENDING)
    flag(someone, 3, 1)
    flag(someone, 3, 2, "refine")

    answers = reviews(someone, "kp", monkeypatch)

    assert statuses(someone) == ["Active", "Superseded", "Active"]
    assert flags(someone) == ["Rejected", "Accepted"]
    assert answers.offered == ["pkersq", "pksq"]


def test_an_edited_rule_is_approved_with_what_was_edited(someone: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    someone.keeps(a_rule(), status=Status.PENDING)
    monkeypatch.setenv("VISUAL", "sed -i 's/^do: .*/do: ask first/'")

    reviews(someone, "e", monkeypatch)

    assert (someone.rule(1).action, someone.rule(1).status) == ("ask first", Status.ACTIVE)


def test_a_rule_that_changed_while_it_was_shown_is_shown_again(
    someone: Person, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    someone.keeps(a_rule(), status=Status.PENDING)

    class Slow(Answers):
        def __call__(self, question: str, letters: str) -> str:
            if not self.offered:
                someone.command("rules", "edit", "R1", "--do", "something else altogether")
            return super().__call__(question, letters)

    monkeypatch.chdir(someone.repository)
    for name, value in someone.environment.items():
        monkeypatch.setenv(name, value)
    with someone.memory() as memory:
        walk(memory, Slow("ar"))

    assert statuses(someone) == ["Archived"]
    shown = capsys.readouterr()
    assert "changed meanwhile" in shown.err
    assert "something else altogether" in shown.out


def test_the_installed_program_asks_on_a_terminal(someone: Person) -> None:
    someone.keeps(a_rule("keep the old way"))
    someone.keeps(a_rule("take the new way"), a_rule("three"), status=Status.PENDING)
    flag(someone, 2, 1)

    code, shown = on_terminal(
        [str(PROGRAMS / "agentrecall"), "review"],
        cwd=someone.repository,
        env=someone.environment,
        typed="x\np\nr\n",
    )

    assert (code, statuses(someone)) == (0, ["Superseded", "Active", "Archived"]), shown
    assert "R2 may supersede R1: both are about migrations" in shown
    assert "p put it in the other's place, k keep both, e edit, then approve, r reject, s skip, q quit" in shown


def test_the_end_of_what_is_typed_ends_the_review(someone: Person) -> None:
    someone.keeps(a_rule(), status=Status.PENDING)

    code, shown = on_terminal(
        [str(PROGRAMS / "agentrecall"), "review"], cwd=someone.repository, env=someone.environment, typed="\x04"
    )

    assert (code, statuses(someone)) == (0, ["Pending"]), shown
