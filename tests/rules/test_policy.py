"""Policy: which rules hold here, which do not and why, whatever order they come in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.rules import rule as rule_module
from agentrecall_domain.rules.policy import resolve
from agentrecall_domain.rules.precedence import BUILT_IN_SEED
from agentrecall_domain.rules.rule import ScopeLevel, Status
from rules.held import NOW, held, pairs_in

if TYPE_CHECKING:
    from agentrecall_domain.rules.meeting import Held

COMMIT, REFUSE = "when committing | commit generated files", "when committing | never commit generated files"
HERE = 1


def ids(rules: Sequence[Held]) -> list[int]:
    return [rule.id for rule in rules]


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        pytest.param({"status": Status.PENDING}, "waits for a yes (Pending)", id="pending"),
        pytest.param({"status": Status.DRAFT}, "waits for a yes (Draft)", id="draft"),
        pytest.param({"status": Status.ARCHIVED}, "is not in force (Archived)", id="archived"),
        pytest.param({"status": Status.UNKNOWN}, "is not in force (unknown)", id="of a newer program"),
        pytest.param({"project_id": 2}, "holds in another project", id="another project's"),
    ],
)
def test_a_rule_that_does_not_hold_here_is_left_out_with_the_reason(parts: dict[str, Any], why: str) -> None:
    resolution = resolve([held(COMMIT, 1, **parts), held("when testing | use pytest", 2)], HERE)

    assert ids(resolution.effective) == [2]
    assert [(entry.rule.id, entry.why) for entry in resolution.ignored] == [(1, why)]
    assert resolution.explanation == "1 of 2 rules hold; 1 not in force here"


@pytest.mark.parametrize(
    ("winner", "loser", "why"),
    [
        pytest.param({"project_id": HERE}, {"priority": 9}, "it is this project's", id="project before everywhere"),
        pytest.param(
            {"scope_level": ScopeLevel.DIRECTORY, "scope_value": "src"},
            {"priority": 9},
            "it is the more specific",
            id="folder",
        ),
        pytest.param({"globs": ("*.py",)}, {"priority": 9}, "it is the more specific", id="globs"),
        pytest.param({}, {"source": BUILT_IN_SEED, "priority": 9}, "it was learned here", id="learned before built in"),
        pytest.param(
            {"priority": 1}, {"created_at": NOW + timedelta(days=9)}, "it has the higher priority", id="priority"
        ),
        pytest.param({"created_at": NOW + timedelta(days=9)}, {"confidence": 1.0}, "it is the newer", id="recency"),
        pytest.param(
            {"confidence": 0.9, "created_at": NOW},
            {"created_at": NOW, "confidence": 0.8},
            "it is the surer",
            id="confidence",
        ),
        pytest.param({"created_at": NOW}, {"created_at": NOW}, "it has the lower id", id="the lower id at last"),
    ],
)
def test_of_rules_that_conflict_one_wins_by_a_fixed_precedence(
    winner: dict[str, Any], loser: dict[str, Any], why: str
) -> None:
    resolution = resolve([held(REFUSE, 2, **loser), held(COMMIT, 1, **winner)], HERE)

    assert ids(resolution.effective) == [1]
    [conflict] = resolution.conflicts
    assert (conflict.winner.id, [rule.id for rule in conflict.losers]) == (1, [2])
    assert conflict.why.endswith(why)
    assert {"commit", "gener"} & set(conflict.subject)
    assert resolution.ignored[0].why.startswith("loses to R1")
    assert "R1 wins over R2 on" in resolution.explanation


def test_a_rule_that_is_superseded_gives_way_to_its_successor_alone() -> None:
    old, new = held("when testing | use unittest", 1, superseded_by_id=2), held("when testing | use pytest", 2)
    waiting = held("when testing | use pytest", 2, status=Status.PENDING)

    assert ids(resolve([old, new], HERE).effective) == [2]
    assert resolve([old, new], HERE).ignored[0].why == "superseded by R2"
    assert ids(resolve([old, waiting], HERE).effective) == [1]


def test_a_chain_of_successors_leaves_the_last_and_a_ring_leaves_one() -> None:
    chain = [held("when a | b", 1), held("when c | d", 2, supersedes_id=1), held("when e | f", 3, supersedes_id=2)]
    ring = [held("when a | b", 1, supersedes_id=2), held("when c | d", 2, supersedes_id=1)]

    assert ids(resolve(chain, HERE).effective) == [3]
    assert ids(resolve(ring, HERE).effective) == [2]


def test_what_only_conflicts_with_a_loser_stays() -> None:
    rules = [
        held("when logging | log to stdout as json | files", 1, priority=2),
        held("when logging | write log files as plain text | ", 2, priority=1),
        held("when writing log files | never write them as plain text | ", 3),
    ]

    resolution = resolve(rules, HERE)

    assert 1 in ids(resolution.effective)
    assert 3 in ids(resolution.effective)


def test_without_a_project_only_what_holds_everywhere_does() -> None:
    assert ids(resolve([held(COMMIT, 1, project_id=HERE), held("when testing | use pytest", 2)], None).effective) == [2]


def test_seeds_are_told_apart_by_the_word_that_rules_are_stored_with() -> None:
    assert rule_module.BUILT_IN_SEED == BUILT_IN_SEED


POOL = [rule for _, one, two in pairs_in("conflicts.txt") for rule in (one, two)]


@given(st.lists(st.integers(0, len(POOL) - 1), max_size=20, unique=True), st.randoms(use_true_random=False))
def test_the_order_in_which_rules_come_decides_nothing(chosen: list[int], random: Random) -> None:
    rules = [held(f"{POOL[at].trigger} | {POOL[at].action} | {POOL[at].mistake}", at + 1) for at in chosen]
    shuffled = random.sample(rules, len(rules))

    assert resolve(shuffled, HERE) == resolve(rules, HERE)
    assert len(resolve(rules, HERE).effective) + len(resolve(rules, HERE).ignored) == len(rules)
