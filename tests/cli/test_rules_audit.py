"""Rules looked at together: contradictions with who wins, triggers that do not serve, and many rules made one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from agentrecall_admin.console import Failure
from agentrecall_admin.rule_audit import rules_at
from agentrecall_admin.rule_compression import compressed
from agentrecall_domain.rules.compression import groups
from agentrecall_domain.rules.rule import ScopeLevel, Status
from agentrecall_domain.rules.status import IN_FORCE
from recall.stories import Person, a_rule

FILLERS = ("kettle", "meadow", "violin", "harbour", "lantern", "pebble", "walnut", "saddle")


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def plain(action: str, trigger: str = "when writing a component of the web app", **parts: Any) -> Any:
    return a_rule(action, **({"title": action, "trigger": trigger, "mistake": "", "reason": ""} | parts))


def everywhere(action: str, **parts: Any) -> Any:
    return plain(action, scope_level=ScopeLevel.GLOBAL, scope_value="", **parts)


# Conflicts


def test_the_projects_own_rule_wins_over_a_global_one_that_says_the_contrary(someone: Person) -> None:
    someone.keeps(
        plain("indent with tabs"), everywhere("indent with spaces, never with tabs"), plain("name the kettle")
    )

    (found,) = data(someone.command("rules", "conflicts", "--json"))

    assert (found["winner"], found["loser"]) == ("R1", "R2")
    assert (found["winner_title"], found["loser_title"]) == ("indent with tabs", "indent with spaces, never with tabs")
    assert found["why"]
    words = someone.command("rules", "conflicts").stdout
    assert words.startswith("R1 wins over R2")
    told = data(someone.command("rules", "explain", "R2", "--json"))
    assert [one["rule"] for one in told["conflicts"]] == ["R1"]
    assert "R1" in someone.command("rules", "explain", "R2").stdout


def test_what_cannot_be_told_to_the_agent_is_in_nobodys_way(someone: Person) -> None:
    someone.keeps(plain("indent with tabs"), plain("indent with spaces, never with tabs"))
    someone.keeps(plain("indent with spaces, never with tabs"), status=Status.PENDING)
    assert data(someone.command("rules", "mute", "R2", "--json"))

    result = someone.command("rules", "conflicts")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "no two rules" in result.stderr
    assert data(someone.command("rules", "conflicts", "--json")) == []


def test_conflicts_of_every_project_are_found_and_each_stays_in_its_own(someone: Person) -> None:
    bank = someone.new_repository("bank")
    someone.keeps(plain("indent with tabs"))
    someone.keeps(plain("indent with spaces, never with tabs"), cwd=bank)
    assert data(someone.command("rules", "conflicts", "--all", "--json")) == []

    someone.keeps(plain("indent with tabs", trigger="when writing a component of the web app"), cwd=bank)

    (found,) = data(someone.command("rules", "conflicts", "--all", "--json"))
    assert ({found["winner"], found["loser"]}, found["project"]) == ({"R2", "R3"}, "bank")
    assert data(someone.command("rules", "conflicts", "--json")) == []


# Triggers


def test_an_audit_names_what_keeps_a_trigger_from_serving(someone: Person) -> None:
    someone.keeps(
        plain("oil the kettle", trigger="kettles"), plain("mow the meadow", trigger="when the meadow is high")
    )
    someone.says("harbours of Portugal and their lanterns")
    with someone.memory() as memory:
        memory.connection.executemany(
            "INSERT INTO outcomes(uid, rule_id, type, created_at) VALUES (?, 2, 'RuleIgnored', '2026')",
            [("a",), ("b",), ("c",)],
        )
        memory.connection.executemany(
            """
            INSERT INTO injections(uid, session_id, moment, key, context_window, created_at)
            SELECT ?, session_id, 'read', ?, 0, created_at FROM injections WHERE id = 1
            """,
            [(f"u{number}", f"k{number}") for number in range(5)],
        )
        memory.connection.execute(
            """
            INSERT INTO injection_items(injection_id, memory_kind, memory_id, rank, score, shown)
            SELECT id, 'rule', 2, 1, 0.5, 'full' FROM injections WHERE moment = 'read'
            """
        )

    found = data(someone.command("rules", "triggers", "--json"))

    assert [(one["rule"], one["finding"], one["injections"]) for one in found] == [
        ("R2", "Noisy", 5),
        ("R1", "Dormant", 0),
        ("R1", "Unusable", 0),
    ]
    assert someone.command("rules", "triggers").stdout.startswith("R2  Noisy: ")


def test_triggers_that_serve_are_done_with_a_word_on_stderr(someone: Person) -> None:
    result = someone.command("rules", "triggers")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "every trigger serves its rule\n")


# Compress


def alike(**parts: Any) -> list[Any]:
    return [
        plain("run the integration tests before pushing the branch", trigger="when pushing a branch", **parts),
        plain("run the integration tests before you push the branch", trigger="when pushing a branch", **parts),
    ]


def test_a_dry_run_says_what_would_become_one_and_stores_nothing(someone: Person) -> None:
    before = someone.keeps(
        *alike(), *(plain(f"polish the {word}", trigger=f"when the {word} is dull") for word in FILLERS)
    )

    found = data(someone.command("rules", "compress", "--json"))

    assert (found["dry_run"], found["rules_before"], found["rules_after"], found["rules_merged"]) == (True, 10, 9, 2)
    assert (found["canonical_rules_created"], found["candidate_compressions"]) == (0, 1)
    (group,) = found["groups"]
    assert (group["members"], group["rule"], group["canonical"]["sources"]) == (["R1", "R2"], None, ["R1", "R2"])
    assert sorted(someone.rules(), key=lambda rule: rule.id) == before
    assert "--apply does it" in someone.command("rules", "compress").stderr


def test_one_rule_takes_the_place_of_all_that_say_the_same(someone: Person) -> None:
    someone.keeps(*alike(tags=("git",), globs=("*.py",)))

    found = data(someone.command("rules", "compress", "--apply", "--json"))

    assert (found["dry_run"], found["canonical_rules_created"], found["groups"][0]["rule"]) == (False, 1, "R3")
    one, two, canonical = someone.rules()
    assert [one.status, two.status, canonical.status] == [Status.SUPERSEDED, Status.SUPERSEDED, Status.ACTIVE]
    assert (one.superseded_by_id, two.superseded_by_id) == (3, 3)
    assert (canonical.tags, canonical.globs, canonical.project_id) == (("git",), ("*.py",), one.project_id)
    assert "R1, R2" in canonical.evidence
    assert ("RulesCompressed",) in someone.rows("SELECT kind FROM events WHERE subject = 'R3'")
    assert data(someone.command("rules", "explain", "R3", "--json"))["took_the_place_of"] == ["R1", "R2"]
    assert data(someone.command("rules", "compress", "--json"))["groups"] == []


def test_what_was_compressed_can_be_undone(someone: Person) -> None:
    someone.keeps(*alike())
    data(someone.command("rules", "compress", "--apply", "--json"))

    for _ in range(2):
        data(someone.command("rules", "undo", "R3", "--json"))

    assert [rule.status for rule in someone.rules()] == [Status.ACTIVE] * 3
    data(someone.command("rules", "archive", "R3", "--json"))


def test_a_compressed_rule_keeps_the_standing_of_the_best(someone: Person) -> None:
    someone.keeps(*alike())
    data(someone.command("rules", "promote", "R2", "--json"))

    data(someone.command("rules", "compress", "--apply", "--json"))

    assert someone.rule(3).status is Status.PROMOTED


@pytest.mark.parametrize("mark", ["pin", "mute"])
def test_a_marked_rule_is_never_compressed(someone: Person, mark: str) -> None:
    someone.keeps(*alike())
    data(someone.command("rules", mark, "R1", "--json"))

    assert data(someone.command("rules", "compress", "--apply", "--json"))["groups"] == []


def test_a_waiting_rule_is_never_compressed(someone: Person) -> None:
    someone.keeps(*alike(), status=Status.PENDING)

    assert data(someone.command("rules", "compress", "--apply", "--json"))["groups"] == []


def test_a_rule_that_changed_since_it_was_compared_keeps_all_as_they_are(
    someone: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    someone.keeps(*alike())
    monkeypatch.chdir(someone.repository)
    monkeypatch.setenv("AGENTRECALL_HOME", str(someone.home))
    with someone.memory() as memory:
        rules = {int(rule.id): rule for rule in rules_at(memory, IN_FORCE, everywhere=False)}
        found = groups(rules.values())
        memory.mark(memory.get_rule(2), "person", pinned=True)

        with pytest.raises(Failure, match="'R2' was changed meanwhile"):
            compressed(memory, found, rules)

    assert [rule.status for rule in someone.rules()] == [Status.ACTIVE] * 2


@pytest.mark.parametrize("threshold", ["-0.1", "1.1", "much"])
def test_a_threshold_is_from_0_to_1(someone: Person, threshold: str) -> None:
    result = someone.command("rules", "compress", "--threshold", threshold)

    assert result.exit_code == 2
