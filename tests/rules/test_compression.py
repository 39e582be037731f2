"""Compression: near-duplicates of one scope become groups, and nothing that only looks alike does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.rules.compression import Relationship, groups, statistics
from agentrecall_domain.rules.meaning import Sense
from agentrecall_domain.rules.opposition import opposition
from agentrecall_domain.rules.rule import Rule, ScopeLevel, Status
from rules.held import held, pairs_in

SHORT = "when adding a database migration | make every migration reversible"
LONG = "when you add a db migration | make the migration reversible and run it down and up again | | a rollback failed"


def test_near_duplicates_become_one_group_with_a_rule_that_says_all_of_it() -> None:
    [group] = groups([held(SHORT, 1, tags=("db",)), held(LONG, 2, tags=("sql", "db"), confidence=0.9)])

    assert [rule.id for rule in group.members] == [1, 2]
    assert group.canonical.sources == (1, 2)
    assert group.canonical.action == "make the migration reversible and run it down and up again"
    assert group.canonical.reason == "a rollback failed"
    assert group.canonical.tags == ("sql", "db")
    assert group.canonical.confidence == 0.9


@pytest.mark.parametrize(
    ("other", "relationship"),
    [
        pytest.param(SHORT, Relationship.DUPLICATE, id="the same"),
        pytest.param(
            "when adding a db migration | make migrations reversible", Relationship.DUPLICATE, id="the same senses"
        ),
        pytest.param(LONG, Relationship.NEAR_DUPLICATE, id="a little more"),
        pytest.param(
            f"{SHORT}; test the way back against a dump of yesterday's staging data",
            Relationship.OVERLAPPING,
            id="much more",
        ),
    ],
)
def test_a_group_says_how_near_its_rules_are(other: str, relationship: Relationship) -> None:
    assert groups([held(SHORT, 1), held(other, 2)])[0].relationship is relationship


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"pinned": True}, id="pinned"),
        pytest.param({"status": Status.PENDING}, id="waiting"),
        pytest.param({"status": Status.ARCHIVED}, id="dead"),
        pytest.param({"project_id": 3}, id="another project"),
        pytest.param({"scope_level": ScopeLevel.DIRECTORY, "scope_value": "db"}, id="another scope"),
        pytest.param({"globs": ("*.sql",)}, id="other files"),
    ],
)
def test_what_is_not_to_be_touched_or_lies_elsewhere_stays(parts: dict[str, Any]) -> None:
    assert groups([held(SHORT, 1), held(SHORT, 2, **parts)]) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            "when testing | use pytest fixtures", "when testing | use pytest markers", id="one word in common"
        ),
        pytest.param(SHORT, "when adding a database migration | never make a migration reversible", id="the contrary"),
        pytest.param(SHORT, "when adding a database view | make every view replaceable", id="another thing"),
    ],
)
def test_rules_that_only_look_alike_are_not_joined(one: str, other: str) -> None:
    assert groups([held(one, 1), held(other, 2)], 0.0) == []


def test_a_group_does_not_drift_each_member_is_near_its_leader() -> None:
    steps = [f"when exporting reports | sign the export with {' '.join(words)}" for words in _sliding()]

    for group in groups([held(step, at) for at, step in enumerate(steps, 1)], 0.6):
        assert group.overlap >= 0.6


def _sliding() -> list[list[str]]:
    words = ["gpg", "keys", "stamps", "seals", "wax", "ink", "hashes", "tokens"]
    return [words[at : at + 4] for at in range(5)]


def test_the_figures_name_what_was_or_would_be_merged() -> None:
    found = groups([held(SHORT, 1), held(SHORT, 2), held(SHORT, 3), held("when testing | use pytest", 4)])

    assert statistics(found, 4, dry_run=True) == {
        "rules_merged": 3,
        "canonical_rules_created": 0,
        "candidate_compressions": 1,
        "rules_before": 4,
        "rules_after": 2,
        "memory_reduction_percentage": 50.0,
    }
    assert statistics(found, 4, dry_run=False)["canonical_rules_created"] == 1
    assert statistics([], 0, dry_run=True)["memory_reduction_percentage"] == 0.0


POOL = [rule for _, one, two in pairs_in("pairs.txt") for rule in (one, two)]


def test_no_two_distinct_rules_of_ours_are_joined() -> None:
    for label, one, two in pairs_in("pairs.txt"):
        if label in {"distinct", "supersede"}:
            assert groups([one, two], 0.0) == [], (one.action, two.action)


@given(st.lists(st.sampled_from(POOL), max_size=12), st.randoms(use_true_random=False))
def test_groups_do_not_depend_on_the_order_and_hold_no_contradiction(chosen: list[Rule], random: Random) -> None:
    rules = [held(f"{rule.trigger} | {rule.action} | {rule.mistake}", at) for at, rule in enumerate(chosen, 1)]
    found = groups(rules)

    assert groups(random.sample(rules, len(rules))) == found
    seen = [rule.id for group in found for rule in group.members]
    assert len(seen) == len(set(seen))
    for group in found:
        assert group.canonical.action
        assert len(group.members) > 1
        assert not any(
            opposition(Sense(one), Sense(two))
            for one in group.members
            for two in group.members
            if one.id < two.id and one.action != two.action
        )
