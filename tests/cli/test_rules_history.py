"""A rule's history: who changed what, and undo, one change back each time, links and all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from agentrecall_domain.rules.rule import ScopeLevel, Status
from recall.stories import Person, a_rule


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def failed(result: Result) -> str:
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    return result.stderr


def does(someone: Person, *arguments: str) -> Any:
    return data(someone.command("rules", *arguments, "--json"))


def test_a_history_tells_who_changed_what_from_what(someone: Person) -> None:
    someone.keeps(a_rule(), status=Status.PENDING)
    does(someone, "edit", "R1", "--do", "ask first", "--tag", "db")
    does(someone, "approve", "R1")
    with someone.memory() as memory:
        memory.reinforce(memory.get_rule(1), 0.05, "said again")

    told = does(someone, "history", "R1")

    assert told["version"] == 4
    assert [(row["version"], row["actor"], row["kind"]) for row in told["changes"]] == [
        (None, "test", "RuleCreated"),
        (1, "person", "RuleUpdated"),
        (2, "person", "RuleUpdated"),
        (3, "verdict", "RuleReinforced"),
    ]
    assert told["changes"][1]["fields"] == [
        {"field": "action", "before": "add a new migration", "after": "ask first"},
        {"field": "tags", "before": [], "after": ["db"]},
    ]
    assert told["changes"][2]["fields"] == [{"field": "status", "before": "Pending", "after": "Active"}]


def test_a_history_reads_as_lines(someone: Person) -> None:
    someone.keeps(a_rule())
    does(someone, "edit", "R1", "--tag", "db")

    lines = someone.command("rules", "history", "R1").stdout.splitlines()

    assert lines[0].startswith("R1 Active")
    assert lines[1].endswith("test: created as Active")
    assert lines[2].endswith("person, version 1: edited tags")
    assert lines[3] == "    tags: nothing -> db"


def test_both_sides_of_a_supersede_have_it_in_their_history(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("two"))
    does(someone, "supersede", "R1", "R2")

    old, new = does(someone, "history", "R1")["changes"], does(someone, "history", "R2")["changes"]

    assert (old[-1]["change"], old[-1]["actor"]) == ("superseded by R2", "person")
    assert (new[-1]["change"], new[-1]["actor"]) == ("supersedes R1", "person")


def test_a_change_of_an_older_program_has_no_name_to_it_and_is_shown(someone: Person) -> None:
    someone.keeps(a_rule())
    does(someone, "pin", "R1")
    with someone.memory() as memory:
        memory.connection.execute("UPDATE events SET details = '{}' WHERE kind = 'RuleUpdated'")
    does(someone, "mute", "R1")

    changes = does(someone, "history", "R1")["changes"]

    assert [(row["change"], row["actor"]) for row in changes if row["version"]] == [("pinned", ""), ("muted", "person")]


# Undo


def test_undo_goes_one_change_back_each_time_and_ends(someone: Person) -> None:
    (first,) = someone.keeps(a_rule(), status=Status.PENDING)
    does(someone, "edit", "R1", "--do", "ask first")
    does(someone, "approve", "R1")
    does(someone, "pin", "R1")

    undone = [does(someone, "undo", "R1") for _ in range(3)]

    assert [(one["undone"], one["undone_to"]) for one in undone] == [
        ("pinned", 3),
        ("status Pending to Active", 2),
        ("edited do", 1),
    ]
    assert someone.rule(1).content == first.content
    assert (someone.rule(1).status, someone.rule(1).pinned, someone.rule(1).version) == (Status.PENDING, False, 7)
    assert "nothing is left to undo of 'R1'" in failed(someone.command("rules", "undo", "R1"))
    assert [row["change"] for row in does(someone, "history", "R1")["changes"]][-1] == "undone to version 1"


def test_what_is_changed_after_an_undo_is_undone_first(someone: Person) -> None:
    someone.keeps(a_rule("one"))
    for action in ("two", "three"):
        does(someone, "edit", "R1", "--do", action)
    does(someone, "undo", "R1")
    does(someone, "edit", "R1", "--do", "four")

    assert [does(someone, "undo", "R1")["action"] for _ in range(2)] == ["two", "one"]
    failed(someone.command("rules", "undo", "R1"))


def test_an_undone_edit_is_found_by_its_old_words_and_files_again(someone: Person) -> None:
    someone.keeps(a_rule("tend the wombats", title="W", trigger="", tags=("zoo",), globs=("*.wombat",)))
    does(someone, "edit", "R1", "--do", "feed the ocelots", "--untag", "zoo", "--glob", "*.ocelot")

    does(someone, "undo", "R1")

    assert data(someone.command("search", "wombats", "--json"))[0]["label"] == "R1"
    assert someone.command("search", "ocelots", "--json").stdout == "[]\n"
    assert someone.rows("SELECT key FROM scopes") == [("suffix:wombat",)]
    assert someone.rows("SELECT tag FROM rule_tags") == [("zoo",)]


def test_an_archived_rule_comes_back(someone: Person) -> None:
    someone.keeps(a_rule())
    does(someone, "archive", "R1")

    assert does(someone, "undo", "R1")["status"] == "Active"
    assert data(someone.command("search", "applied migration", "--json"))[0]["label"] == "R1"


@pytest.mark.parametrize("undone", ["R1", "R2"])
def test_a_supersede_is_undone_from_either_side(someone: Person, undone: str) -> None:
    someone.keeps(a_rule(), a_rule("two"))
    does(someone, "supersede", "R1", "R2")

    does(someone, "undo", undone)

    old, new = someone.rules()
    assert (old.status, old.superseded_by_id, new.status, new.supersedes_id) == (
        Status.ACTIVE,
        None,
        Status.ACTIVE,
        None,
    )
    for label in ("R1", "R2"):
        failed(someone.command("rules", "undo", label))


def test_a_rule_archived_meanwhile_stays_so_when_its_successor_is_undone(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("two"))
    does(someone, "supersede", "R1", "R2")
    does(someone, "archive", "R1")

    does(someone, "undo", "R2")

    old, new = someone.rules()
    assert (old.status, old.superseded_by_id, new.supersedes_id) == (Status.ARCHIVED, None, None)


def test_an_undo_of_the_archiving_alone_leaves_the_successor_in_place(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("two"))
    does(someone, "supersede", "R1", "R2")
    does(someone, "archive", "R1")

    does(someone, "undo", "R1")

    old, new = someone.rules()
    assert (old.status, old.superseded_by_id, new.supersedes_id) == (Status.SUPERSEDED, 2, 1)


def test_rules_replaced_one_after_the_other_come_back_one_after_the_other(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("two"), a_rule("three"))
    does(someone, "supersede", "R1", "R3")
    does(someone, "supersede", "R2", "R3")

    does(someone, "undo", "R3")
    assert [rule.status for rule in someone.rules()] == [Status.SUPERSEDED, Status.ACTIVE, Status.ACTIVE]
    assert someone.rule(3).supersedes_id == 1
    does(someone, "undo", "R3")
    assert [rule.status for rule in someone.rules()] == [Status.ACTIVE] * 3


def test_a_much_changed_rule_may_take_the_place_of_a_young_one_and_change_again(someone: Person) -> None:
    """Every state is kept, whichever of the two has seen more of them."""
    someone.keeps(a_rule(), a_rule("two"))
    for mark in ("pin", "mute", "unpin", "unmute"):
        does(someone, mark, "R2")
    does(someone, "supersede", "R1", "R2")

    does(someone, "pin", "R2")

    versions = [version for (version,) in someone.rows("SELECT version FROM rule_versions WHERE rule_id = 2")]
    assert versions == sorted(set(versions))
    assert someone.rule(2).version > versions[-1]


def test_an_undo_says_what_it_took_back(someone: Person) -> None:
    someone.keeps(a_rule(scope_level=ScopeLevel.GLOBAL, scope_value=""))
    does(someone, "mute", "R1")

    lines = someone.command("rules", "undo", "R1").stdout.splitlines()

    assert lines[0] == "undone: muted"
    assert lines[1].startswith("R1 Active")
