"""Whether a new rule repeats, refines or replaces a stored one: in doubt it does not, for then both are kept."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.rules.duplicate import JUDGED, Verdict, fetch_terms, judge, similarity
from agentrecall_domain.rules.rule import Rule
from rules.held import held, pairs_in

PAIRS = list(pairs_in("pairs.txt"))
TEXT = st.text(max_size=60) | st.sampled_from(
    [
        "when writing tests",
        "never mock the database",
        "use pnpm instead of npm",
        "don't",
        "no X, not Y",
        "不要提交密钥",
        "==",
    ]
)
RULES = st.builds(
    lambda *parts: held("", trigger=parts[0], action=parts[1].strip() or "x", mistake=parts[2]), TEXT, TEXT, TEXT
)


@pytest.mark.parametrize(
    ("existing", "new"),
    [
        pytest.param(one, two, id=f"{one.action[:40]} / {two.action[:40]}")
        for kind, one, two in PAIRS
        if kind == "distinct"
    ],
)
def test_a_rule_about_another_matter_is_never_lost(existing: Rule, new: Rule) -> None:
    assert judge(existing, new) is Verdict.DISTINCT
    assert judge(new, existing) is Verdict.DISTINCT


@pytest.mark.parametrize(("label", "share"), [("duplicate", 0.7), ("refine", 0.9), ("supersede", 0.9)])
def test_most_repetitions_refinements_and_replacements_are_seen(label: str, share: float) -> None:
    judged = Counter(str(judge(one, two)) for kind, one, two in PAIRS if kind == label)

    print(f"\n{label}: {dict(judged)}")  # noqa: T201 -- the figures are the result
    assert judged[label] >= share * judged.total()


@pytest.mark.parametrize(
    ("existing", "new", "verdict"),
    [
        pytest.param(
            "when writing javascript | compare with ==",
            "when writing javascript | compare with ===",
            Verdict.SUPERSEDE,
            id="an operator is a value",
        ),
        pytest.param(
            "when calling the API | time out after 5 seconds",
            "when calling the API | time out after five seconds",
            Verdict.DUPLICATE,
            id="a number spelled out",
        ),
        pytest.param(
            "when building | turn on strict mode",
            "when building | turn strict mode off",
            Verdict.SUPERSEDE,
            id="on and off",
        ),
        pytest.param(
            "when the cache is warm | skip the query",
            "when the cache is not warm | skip the query",
            Verdict.DISTINCT,
            id="a condition and its contrary",
        ),
        pytest.param(
            "when fixing a bug | write a regression test",
            "when fixing a bug | run the regression tests",
            Verdict.DISTINCT,
            id="other things done to one thing",
        ),
        pytest.param(
            "when testing | keep tests deterministic | sleep()",
            "when testing | keep tests deterministic | the real network",
            Verdict.DISTINCT,
            id="two mistakes",
        ),
        pytest.param(
            "when committing | never commit generated files",
            "when committing | do not commit generated files",
            Verdict.DUPLICATE,
            id="nothing but a refusal",
        ),
        pytest.param(
            "when testing services | mock the database",
            "when testing the billing service | never mock the database",
            Verdict.DISTINCT,
            id="the contrary in a special case leaves the rest as it was",
        ),
        pytest.param(
            "when deploying | run the smoke tests",
            "when deploying | run the smoke tests | | a bad build got out",
            Verdict.REFINE,
            id="a reason that was missing",
        ),
    ],
)
def test_what_a_new_rule_is_to_a_stored_one(existing: str, new: str, verdict: Verdict) -> None:
    assert judge(held(existing), held(new)) is verdict


@given(RULES)
def test_a_rule_repeats_itself(rule: Rule) -> None:
    assert similarity(rule, rule) >= JUDGED
    assert judge(rule, rule) is Verdict.DUPLICATE


@given(RULES, RULES)
def test_any_two_texts_are_compared_and_likeness_has_no_direction(one: Rule, other: Rule) -> None:
    assert 0.0 <= similarity(one, other) <= 1.0
    assert similarity(one, other) == similarity(other, one)
    assert judge(one, other) in Verdict


@pytest.mark.parametrize(
    "text",
    [
        "a" * 20_000,
        "not " * 5_000,
        "x, " * 5_000,
        "must not be " * 2_000,
        "replace " * 2_500,
        "-" * 20_000,
        "is dead " * 2_500,
    ],
    ids=["one word", "negations", "stops", "passives", "replacements", "dashes", "endings"],
)
def test_a_huge_text_is_read_in_time(text: str) -> None:
    rule = held("", trigger="when " + text[:1900], action=text[:2000].strip() or "x", mistake=text[:2000])

    assert judge(rule, held("when writing tests | use pytest")) is Verdict.DISTINCT


def test_rules_to_compare_are_fetched_by_their_rarest_words_and_synonyms() -> None:
    counts = {"delet": 3, "remov": 2, "migrat": 9, "test": 4_000, "reversibl": 1}

    fetched = fetch_terms(
        held("when testing to delete in a migration | make it reversible"),
        lambda asked: {term: counts[term] for term in asked if term in counts},
    )

    assert fetched == ["reversibl", "remov", "delet", "migrat"]


def test_a_rule_of_words_that_nobody_has_fetches_nothing() -> None:
    assert fetch_terms(held("when knitting | purl"), lambda _: {}) == []


@pytest.mark.parametrize(
    ("action", "more"),
    [
        pytest.param("include the request id", "include the request id and the user id", id="one more thing"),
        pytest.param("add a new one", "add a new one and name it after its ticket", id="one more step"),
    ],
)
def test_words_that_were_added_are_never_taken_for_a_repetition(action: str, more: str) -> None:
    trigger = "when logging errors of a migration"

    assert judge(held("", trigger=trigger, action=action), held("", trigger=trigger, action=more)) is Verdict.REFINE
