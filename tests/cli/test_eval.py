"""`agentrecall eval`: the figures of a labelled set, by hand and by the command, and the person's memory left alone."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.effectiveness.evaluation import Answered, Figures, figures, missed
from agentrecall_domain.effectiveness.labelled_set import Baseline, LabelledSet, MalformedSetError, Scenario, parse
from helpers.files import everything
from recall.stories import Person, a_rule

MIGRATION = "the applied migration is wrong, please edit it so that the column is nullable"
RULES: list[dict[str, Any]] = [
    {"key": "migrate", "trigger": "when a migration has been applied", "action": "add a new migration"},
    {"key": "retry", "trigger": "when calling the payment provider", "action": "use the retry wrapper"},
    {"key": "digest", "trigger": "when writing a Dockerfile", "action": "pin the base image by digest"},
    {"key": "sql", "trigger": "when naming lanterns", "action": "name them by colour", "globs": ["*.lantern"]},
    {"key": "always", "trigger": "when a migration is applied", "action": "say so", "always_apply": True},
    {
        "key": "bank",
        "trigger": "when a migration has been applied",
        "action": "ask the bank",
        "scope_level": "repository",
        "scope_value": "acme/bank",
    },
]
SCENARIOS: list[dict[str, Any]] = [
    {"id": 1, "group": "words", "prompt": MIGRATION, "expected": ["migrate"]},
    {
        "id": 2,
        "group": "words",
        "prompt": "call the payment provider to refund the broken order",
        "expected": ["retry", "digest"],
    },
    {
        "id": 3,
        "group": "wrong",
        "prompt": "write a Dockerfile for the worker, and pin the image",
        "expected": ["retry"],
    },
    {"id": 4, "group": "quiet", "prompt": "rename the violet that sorts the harbours of Portugal"},
    {"id": 5, "group": "quiet", "prompt": MIGRATION},
    {"id": 6, "kind": "edit", "file_path": "a/red.lantern", "text": "x = 1", "expected": ["sql"]},
]
WHOLE = {"scenarios": 6, "precision_at_1": 0.75, "precision_at_3": 0.75, "recall_at_5": 0.625, "mrr": 0.75}
ODD = {"scenarios": 3, "precision_at_1": 0.5, "precision_at_3": 0.5, "recall_at_5": 0.5, "mrr": 0.5}
EVEN = {"scenarios": 3, "precision_at_1": 1.0, "precision_at_3": 1.0, "recall_at_5": 0.75, "mrr": 1.0}


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def run(someone: Person, *options: str, text: str | None = None, **parts: Any) -> Result:
    """Evaluate the small set, or the one that *parts* or *text* make of it."""
    dataset = someone.root / "set.json"
    dataset.write_text(json.dumps({"rules": RULES, "scenarios": SCENARIOS} | parts) if text is None else text)
    return someone.command("eval", "--dataset", str(dataset), *options)


# Figures by hand


def answered(shown: str, expected: str) -> Answered:
    return Answered(Scenario(id=1, expected=tuple(expected.split())), tuple(shown.split()))


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param([], Figures(0, None, None, None, None, None), id="nothing asked"),
        pytest.param([answered("a", "a")], Figures(1, 1.0, 1.0, 1.0, 1.0, None), id="all of it"),
        pytest.param([answered("", "a")], Figures(1, 0.0, 0.0, 0.0, 0.0, None), id="nothing shown"),
        pytest.param([answered("x a b", "a b")], Figures(1, 0.0, 0.6667, 1.0, 0.5, None), id="second and third"),
        pytest.param([answered("a x", "a b c d")], Figures(1, 1.0, 0.5, 0.25, 1.0, None), id="one of four"),
        pytest.param([answered("u v w x y a", "a")], Figures(1, 0.0, 0.0, 0.0, 0.1667, None), id="the sixth"),
        pytest.param([answered("", ""), answered("a", "")], Figures(2, None, None, None, None, 0.5), id="quiet"),
        pytest.param([answered("a", "a"), answered("", "")], Figures(2, 1.0, 1.0, 1.0, 1.0, 1.0), id="quiet and right"),
    ],
)
def test_the_figures_are_what_one_counts_by_hand(answers: list[Answered], expected: Figures) -> None:
    assert figures(answers) == expected


def test_what_no_scenario_could_give_is_under_no_baseline() -> None:
    found = figures([answered("a", "a")])

    assert missed(found, Baseline(negative_quiet=1.0, precision_at_1=1.0)) == []
    assert missed(found._replace(recall_at_5=0.5), Baseline(recall_at_5=0.501)) == ["recall_at_5 0.500 is under 0.501"]


# The command


@pytest.mark.parametrize(
    ("options", "expected", "quiet"),
    [
        pytest.param((), WHOLE, 0.5, id="all"),
        pytest.param(("--half", "odd"), ODD, 0.0, id="odd"),
        pytest.param(("--half", "even"), EVEN, 1.0, id="even"),
    ],
)
def test_a_small_set_has_the_figures_of_a_count_by_hand(
    someone: Person, options: tuple[str, ...], expected: dict[str, float], quiet: float
) -> None:
    result = run(someone, "--json", *options)

    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert sorted(found) == ["groups", "overall", "under_baseline"]
    assert found["overall"] == expected | {"negative_quiet": quiet}
    assert found["under_baseline"] == []


def test_each_group_has_its_own_figures_and_the_misses_are_named(someone: Person) -> None:
    found = json.loads(run(someone, "--json", "--misses").stdout)

    assert {name: row["scenarios"] for name, row in found["groups"].items()} == {
        "edit": 1,
        "quiet": 2,
        "words": 2,
        "wrong": 1,
    }
    assert found["groups"]["words"]["precision_at_1"] == 1.0
    assert found["groups"]["quiet"]["precision_at_1"] is None
    assert found["misses"] == [
        {"id": 3, "group": "wrong", "expected": ["retry"], "shown": ["digest"]},
        {"id": 5, "group": "quiet", "expected": [], "shown": ["migrate"]},
    ]


def test_a_person_reads_a_table(someone: Person) -> None:
    heading, overall, *groups, first, second = run(someone, "--misses").stdout.splitlines()

    assert heading.split() == ["scenarios", "P@1", "P@3", "R@5", "MRR", "quiet"]
    assert overall.split() == ["overall", "6", "0.750", "0.750", "0.625", "0.750", "0.500"]
    assert [row.split()[0] for row in groups] == ["edit", "quiet", "words", "wrong"]
    assert (first, second) == ("3: expected ['retry'], shown ['digest']", "5: expected [], shown ['migrate']")


def test_a_figure_under_the_sets_own_baseline_fails(someone: Person) -> None:
    baseline = {"precision_at_1": 0.75, "recall_at_5": 0.7, "negative_quiet": 0.9}

    result = run(someone, "--json", baseline=baseline)

    assert result.exit_code == 1
    assert json.loads(result.stdout)["under_baseline"] == [
        "recall_at_5 0.625 is under 0.700",
        "negative_quiet 0.500 is under 0.900",
    ]
    words = run(someone, baseline=baseline)
    assert words.exit_code == 1
    assert words.stderr.splitlines() == ["recall_at_5 0.625 is under 0.700", "negative_quiet 0.500 is under 0.900"]


def test_a_scenario_of_one_repository_is_shown_no_rule_of_another(someone: Person) -> None:
    scenarios = [
        {"id": 1, "prompt": MIGRATION, "repository": "acme/bank", "expected": ["bank"]},
        {"id": 2, "prompt": MIGRATION, "repository": "acme/shop", "expected": ["migrate"]},
    ]

    found = json.loads(run(someone, "--json", "--misses", scenarios=scenarios).stdout)

    assert found["overall"]["precision_at_1"] == 1.0
    assert found["overall"]["recall_at_5"] == 1.0


@pytest.mark.parametrize(
    ("text", "parts", "complaint"),
    [
        pytest.param("{", {}, "Invalid JSON", id="no JSON"),
        pytest.param("[]", {}, "the set", id="no object"),
        pytest.param(None, {"rules": []}, "'rules'", id="no rules"),
        pytest.param(None, {"scenarios": []}, "'scenarios'", id="no scenarios"),
        pytest.param(None, {"rules": [*RULES, {"key": "x"}]}, "'rules.6.action'", id="a rule without an action"),
        pytest.param(None, {"rules": [*RULES, RULES[0]]}, "'migrate' is given twice", id="a key given twice"),
        pytest.param(None, {"rules": [RULES[0] | {"confidence": 2}]}, "'rules.0.confidence'", id="too sure"),
        pytest.param(
            None, {"scenarios": [{"id": 7, "expected": ["y"]}]}, "scenario 7 expects 'y'", id="a rule not there"
        ),
        pytest.param(None, {"scenarios": [{"id": 7, "kind": "dream"}]}, "'scenarios.0.kind'", id="no such moment"),
        pytest.param(None, {"baseline": {"recall_at_5": "high"}}, "'baseline.recall_at_5'", id="a baseline in words"),
    ],
)
def test_a_malformed_set_fails_and_says_what_is_wrong(
    someone: Person, text: str | None, parts: dict[str, Any], complaint: str
) -> None:
    result = run(someone, text=text, **parts)

    assert (result.exit_code, result.stdout) == (1, "")
    assert "is no labelled set" in result.stderr
    assert complaint in result.stderr


@pytest.mark.parametrize(
    "action", [pytest.param("long " * 1_000, id="a page long"), pytest.param(" \n ", id="only white space")]
)
def test_a_rule_that_the_memory_would_refuse_is_no_rule_of_a_set(someone: Person, action: str) -> None:
    result = run(someone, rules=[*RULES, {"key": "x", "action": action}])

    assert (result.exit_code, result.stdout) == (1, "")
    assert "is no labelled set" in result.stderr
    assert "'action'" in result.stderr


def test_without_a_set_it_is_misuse(someone: Person) -> None:
    assert someone.command("eval").exit_code == 2
    assert someone.command("eval", "--dataset", str(someone.root / "none.json")).exit_code == 2


SETS = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=10)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["rules", "scenarios", "baseline", "key", "id", "action"]), inner, max_size=4),
    ),
).map(json.dumps)


@given(st.one_of(st.binary(), st.text(), SETS))
def test_anything_is_a_set_or_is_called_malformed(text: str | bytes) -> None:
    with suppress(MalformedSetError):
        assert isinstance(parse(text), LabelledSet)


# The person's own memory


def test_the_persons_memory_is_left_alone(someone: Person) -> None:
    someone.keeps(a_rule("mind the person's own migration"))
    before = everything(someone.home)

    found = json.loads(run(someone, "--json").stdout)

    assert everything(someone.home) == before
    assert found["overall"]["scenarios"] == 6


def test_no_memory_is_made_for_the_person(someone: Person) -> None:
    assert run(someone, "--json").exit_code == 0
    assert not someone.home.exists()
