"""`agentrecall activity`: what the memory did lately, for a person and for a program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall.stories import Person, a_rule


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_what_happened_is_a_line_each_newest_first(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("ask first", title="Ask"))
    someone.says("the applied migration is wrong, please edit it so that the column is nullable")

    result = someone.command("activity")

    assert result.exit_code == 0
    first, *others = result.stdout.splitlines()
    assert first.split()[1:3] == ["ContextFetched", "I1"]
    assert "(R" in first
    assert first.endswith("shown (shop)")
    assert [line.split()[1:3] for line in others] == [["RuleCaptured", "R2"], ["RuleCaptured", "R1"]]


def test_json_is_one_list(someone: Person) -> None:
    someone.keeps(a_rule())

    found = json.loads(someone.command("activity", "--json").stdout)

    assert [sorted(one) for one in found] == [["at", "project", "subject", "text", "type"]]
    assert (found[0]["type"], found[0]["subject"], found[0]["project"]) == ("RuleCaptured", "R1", "shop")


def test_a_limit_is_kept(someone: Person) -> None:
    someone.keeps(*(a_rule(title=f"Rule {number}") for number in range(5)))

    assert len(someone.command("activity", "--limit", "2").stdout.splitlines()) == 2
    assert someone.command("activity", "--limit", "0").exit_code == 2


def test_nothing_is_done(someone: Person) -> None:
    nothing = someone.command("activity")

    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert someone.command("activity", "--json").stdout == "[]\n"


def test_a_terminal_is_given_nothing_to_obey(someone: Person) -> None:
    someone.keeps(a_rule())
    with someone.memory() as memory:
        memory.connection.execute("UPDATE events SET details = ?, kind = 'RuleReinforced'", ('{"why": "\\u001b[2J"}',))

    assert "\x1b" not in someone.command("activity").stdout
