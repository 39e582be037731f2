"""Conflicts: rules that cannot both be followed, on a subject that both share."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.rules.conflict import ConflictKind, find_conflict, scan
from agentrecall_domain.rules.meaning import Sense
from agentrecall_domain.rules.pairing import pairs
from agentrecall_domain.rules.rule import Rule, ScopeLevel, Status
from rules.held import held, pairs_in

PAIRS = list(pairs_in("conflicts.txt"))
POOL = [rule for _, one, two in PAIRS for rule in (one, two)]


def test_conflicts_are_found_and_few_others_among_pairs_of_ours() -> None:
    found = Counter((label, find_conflict(one, two) is not None) for label, one, two in PAIRS)

    precision = found["conflict", True] / (found["conflict", True] + found["together", True])
    recall = found["conflict", True] / (found["conflict", True] + found["conflict", False])
    print(f"\nprecision {precision:.3f}, recall {recall:.3f} of {len(PAIRS)}")  # noqa: T201 -- the figures are the result
    assert precision >= 0.9
    assert recall >= 0.85


TOPICS = [
    ("when testing the order service", "write unit tests", "write integration tests"),
    ("when testing the order service", "mock the repository", "use the real repository"),
    ("when an order cannot be placed", "throw an exception", "return a result"),
    ("when adding a column to orders", "make it nullable", "make it NOT NULL"),
    ("when order views share code", "use inheritance", "use composition"),
    ("when querying orders", "use the ORM", "write raw SQL"),
    ("when loading orders", "load them synchronously", "load them asynchronously"),
    ("when indenting the order templates", "indent with tabs", "indent with spaces"),
    ("when merging into orders", "squash the commits", "rebase the commits"),
    ("when writing order handlers", "comment every step", "never comment the steps"),
    ("when order code repeats", "extract a helper", "duplicate the code"),
    ("when order handlers log", "log structured fields", "log plain text"),
    ("when quoting strings in orders", "use single quotes", "use double quotes"),
    ("when waiting for an order", "poll for it", "take the webhook"),
    ("when an order list has pages", "page by offset", "page by cursor"),
    ("when parsing order files", "be strict", "be lenient"),
    ("when naming order fields", "use snake_case", "use camelCase"),
    ("when removing an order", "soft delete it", "hard delete it"),
    ("when loading order lines", "load them early", "load them late"),
    ("when exporting order modules", "use named exports", "use default exports"),
    ("when answering about orders", "keep the answer short", "make the answer verbose"),
    ("when an order is unclear", "ask me", "decide yourself"),
]


@pytest.mark.parametrize(
    ("trigger", "one", "other"), [pytest.param(*topic, id=f"{topic[1]} / {topic[2]}") for topic in TOPICS]
)
def test_opposites_conflict_on_one_subject_and_on_that_alone(trigger: str, one: str, other: str) -> None:
    elsewhere = "when the kitchen sends a parcel"

    assert find_conflict(held(f"{trigger} | {one}", 1), held(f"{trigger} | {other}", 2)) is not None
    assert find_conflict(held(f"{trigger} | {one}", 1), held(f"{elsewhere} | {other}", 2)) is None


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        pytest.param(
            "when committing | commit generated files",
            "when committing | never commit generated files",
            ConflictKind.DIRECT_OPPOSITION,
            id="negation",
        ),
        pytest.param(
            "when installing packages | use npm",
            "when installing packages | use pnpm | npm",
            ConflictKind.PREFERRED_VS_AVOIDED,
            id="one's action is the other's mistake",
        ),
    ],
)
def test_a_conflict_says_what_kind_it_is_and_about_what(one: str, other: str, kind: ConflictKind) -> None:
    conflict = find_conflict(held(one, 7), held(other, 3))

    assert conflict is not None
    assert (conflict.kind, conflict.id) == (kind, "conflict-3-7")
    assert conflict.subject
    assert conflict.why


SAME = "when writing tests in the parser | use factories instead of fixtures"


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        pytest.param({}, None, id="the same in one place"),
        pytest.param({"project_id": 1}, ConflictKind.BROADER_VS_SPECIFIC, id="one holds everywhere, one in a project"),
        pytest.param({"status": Status.ARCHIVED}, ConflictKind.STATUS_CONFLICT, id="one is in force, one is dead"),
        pytest.param({"status": Status.PROMOTED}, None, id="both are in force"),
        pytest.param({"status": Status.PENDING}, None, id="one waits"),
    ],
)
def test_the_same_rule_twice_conflicts_by_where_it_stands(parts: dict[str, Any], kind: ConflictKind | None) -> None:
    conflict = find_conflict(held(SAME, 1), held(SAME, 2, **parts))

    assert (conflict.kind if conflict else None) is kind


@pytest.mark.parametrize(
    ("here", "there", "meet"),
    [
        pytest.param({"project_id": 1}, {"project_id": 2}, False, id="two projects"),
        pytest.param({"project_id": 1}, {}, True, id="a project and everywhere"),
        pytest.param({"languages": ("python",)}, {"languages": ("go",)}, False, id="two languages"),
        pytest.param({"globs": ("*.py",)}, {"globs": ("*.go",)}, False, id="two suffixes"),
        pytest.param({"globs": ("src/**",)}, {"globs": ("*.go",)}, True, id="a folder and a suffix"),
        pytest.param(
            {"scope_level": ScopeLevel.FILE, "scope_value": "src/a.py"},
            {"scope_level": ScopeLevel.DIRECTORY, "scope_value": "src"},
            True,
            id="a file in a folder",
        ),
        pytest.param(
            {"scope_level": ScopeLevel.FILE, "scope_value": "src/a.py"},
            {"languages": ("go",)},
            False,
            id="a file of another",
        ),
        pytest.param(
            {"scope_level": ScopeLevel.DIRECTORY, "scope_value": "src"},
            {"scope_level": ScopeLevel.DIRECTORY, "scope_value": "srcs"},
            False,
            id="folders that begin alike",
        ),
    ],
)
def test_only_rules_that_can_meet_conflict(here: dict[str, Any], there: dict[str, Any], meet: bool) -> None:  # noqa: FBT001 -- a table
    one = held("when committing | commit generated files", 1, **here)
    other = held("when committing | never commit generated files", 2, **there)

    assert (find_conflict(one, other) is not None) is meet
    assert (find_conflict(other, one) is not None) is meet
    assert bool(scan([one, other])) is meet


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80), st.sampled_from(POOL))
def test_any_text_is_compared_whichever_comes_first(trigger: str, action: str, mistake: str, known: Rule) -> None:
    rule = held("", 2, trigger=trigger, action=action.strip() or "x", mistake=mistake)

    assert find_conflict(rule, known) == find_conflict(known, rule)
    assert find_conflict(rule, rule) is None


@given(st.sampled_from(POOL), st.sampled_from(POOL))
def test_a_conflict_has_no_direction_and_nothing_conflicts_with_itself(one: Rule, other: Rule) -> None:
    assert find_conflict(one, other) == find_conflict(other, one)
    assert find_conflict(one, one) is None


def test_a_scan_finds_what_comparing_all_pairs_finds() -> None:
    rules = [held(f"{rule.trigger} | {rule.action} | {rule.mistake}", at) for at, rule in enumerate(POOL[:80], 1)]

    by_hand = sorted(conflict for one, two in combinations(rules, 2) if (conflict := find_conflict(one, two)))

    assert scan(rules) == by_hand
    assert by_hand


@pytest.mark.harness
def test_ten_thousand_rules_are_paired_by_what_few_of_them_share() -> None:
    rules = ten_thousand()
    rules += [
        held("when exporting ledgers for the taxman | round every ledger line", 20_001),
        held("when exporting ledgers for the taxman | never round a ledger line", 20_002),
    ]

    compared = set(pairs([Sense(rule) for rule in rules]))

    print(f"\ncompared {len(compared):,} of {len(rules) * (len(rules) - 1) // 2:,} pairs")  # noqa: T201 -- as above
    assert len(compared) < 2_000_000
    assert (10_000, 10_001) in compared
    assert scan(rules[-2:])


def ten_thousand() -> list[Rule]:
    """Rules about a thousand modules with made-up names."""
    random = Random(7)  # noqa: S311 -- a repeatable choice and no secret
    names = [
        a + b + c for a in "bdfgklmnpr" for b in ("acko", "erti", "ilmu", "onda", "usto") for c in map(str, range(20))
    ]
    names = [name.translate(str.maketrans("0123456789", "abcdefghij")) + "ex" for name in names]
    rules = []
    for at in range(1, 10_001):
        known = random.choice(POOL)
        module, other = random.sample(names, 2)
        rules.append(held(f"{known.trigger} in the {module} module | {known.action} for {other} | {known.mistake}", at))
    return rules
