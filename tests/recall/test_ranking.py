from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agentrecall_domain.recall.candidate import Candidate
from agentrecall_domain.recall.fetching import fetching, rarest_of
from agentrecall_domain.recall.moments import explain, search_query
from agentrecall_domain.recall.ranking import FLOOR, Query, Ranked, rank, word_weights
from agentrecall_domain.rules.rule import ScopeLevel, Status
from agentrecall_domain.text.concept_vector import stored
from agentrecall_domain.text.stop_words import WEAK_WORDS
from agentrecall_storage.memory import Memory, open_memory
from recall.stories import NOW, a_rule
from recall.test_packing import candidate

WORDS = ["migration", "invoice", "retry", "timezone", "currency", "webhook", "test", "function", "file"]
LESSONS = [
    ("when a migration has been applied", "add a new migration", "editing the applied one"),
    ("when calling the payment provider", "use the retry wrapper", "calling the client directly"),
    ("when dating invoices", "write dates in UTC", "local time"),
    ("when adding a webhook", "verify its signature first", "trusting the payload"),
    ("when writing a Dockerfile", "pin the base image by digest", "using latest"),
    ("when logging a customer", "log the customer id only", "logging email addresses"),
    ("when rounding currency amounts", "use decimal with bankers rounding", "floats"),
    ("when deploying on Fridays", "ask the person on call", ""),
    ("when naming a branch", "begin with the ticket number", ""),
    ("when parsing CSV exports", "use the streaming reader", "loading it whole"),
]
SHORT_PROMPTS = [
    ("the applied migration is wrong, please edit it", 1),
    ("call the payment provider to refund the order", 2),
    ("the invoices have the wrong date", 3),
    ("add a webhook for shipped orders", 4),
    ("write a Dockerfile for the worker", 5),
    ("round the currency amounts in the basket", 7),
    ("parse the CSV exports of the bank", 10),
]
ABOUT = {3: 0.8, 5: 0.6}
KINDS = (ABOUT, {3: 0.5, 9: 0.866}, {9: 1.0})
"""Of the same matter, of a matter near it, of another."""
FILLER = [word for lesson in LESSONS for part in lesson for word in part.split()] + [
    f"{first}{second}"
    for first in ("basket", "order", "harbour", "lantern", "violet")
    for second in ("", "ful", "ward")
]


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    home: Path = tmp_path_factory.mktemp("ranking") / "memory"
    with open_memory(str(home), lambda: NOW) as memory:
        for trigger, action, mistake in LESSONS:
            content = a_rule(
                action, title=action, trigger=trigger, mistake=mistake, reason="", scope_level=ScopeLevel.GLOBAL
            )
            memory.add_rule(content, Status.ACTIVE, None, "test")
        yield memory


def shown(memory: Memory, prompt: str) -> list[int]:
    found, floor = explain(memory.hot, search_query(memory.hot, prompt), None)
    return [one.candidate.id for one in found if one.evidence >= floor]


TERMS = st.lists(st.sampled_from(WORDS), max_size=6, unique=True)
VECTORS = st.dictionaries(st.integers(1, 12), st.floats(0.01, 1), max_size=6).map(
    lambda raw: {number: value / sum(one * one for one in raw.values()) ** 0.5 for number, value in raw.items()}
)
CANDIDATES = st.lists(
    st.builds(
        lambda trigger, body, **parts: {"trigger_terms": " ".join(trigger), "terms": " ".join(trigger + body), **parts},
        TERMS,
        TERMS,
        confidence=st.floats(0, 1),
        status=st.sampled_from(["Active", "Promoted", "Pending", "Hibernating"]),
        source=st.sampled_from(["Learned", "BuiltInSeed"]),
        project_id=st.sampled_from([None, 1]),
        scope_level=st.sampled_from(["Global", "Repository", "File", "Directory", "Language", "Moon"]),
        scope_value=st.sampled_from(["", "src/a.py", "src", "python"]),
        globs=st.sampled_from(["[]", '["*.py"]', '["src/**"]']),
        vector=VECTORS.map(stored),
    ),
    max_size=12,
).map(lambda rows: [candidate(number, **row) for number, row in enumerate(rows, 1)])


def ranked(candidates: list[Candidate], query: Query) -> list[Ranked]:
    frequencies = {term: sum(term in one.terms for one in candidates) for term in query.terms}
    weights = word_weights(query, len(candidates), {term: count for term, count in frequencies.items() if count})
    return rank(candidates, query, weights, len(candidates))


@given(
    candidates=CANDIDATES,
    terms=TERMS,
    path=st.sampled_from(["", "src/a.py", "README.md"]),
    vector=VECTORS,
    seed=st.integers(),
)
def test_the_ranking_is_total_and_does_not_depend_on_the_order_of_candidates(
    candidates: list[Candidate], terms: list[str], path: str, vector: dict[int, float], seed: int
) -> None:
    query = Query(terms, path, ["src"] if path else [], vector)
    shuffled = Random(seed).sample(candidates, len(candidates))  # noqa: S311 -- an order, no secret

    first = [(one.candidate.id, one.score, one.evidence) for one in ranked(candidates, query)]
    second = [(one.candidate.id, one.score, one.evidence) for one in ranked(shuffled, query)]

    assert first == second
    assert sorted(rule_id for rule_id, _, _ in first) == [one.id for one in candidates]
    assert [-score for _, score, _ in first] == sorted(-score for _, score, _ in first)


@given(candidates=CANDIDATES, terms=TERMS, vector=VECTORS)
def test_every_signal_and_score_is_within_its_bounds(
    candidates: list[Candidate], terms: list[str], vector: dict[int, float]
) -> None:
    for one in ranked(candidates, Query(terms, vector=vector)):
        assert all(0 <= signal <= 1 for signal in (one.keyword, one.concept, one.domain, one.task_type, one.scope))
        assert 0 <= one.evidence <= 0.9
        assert 0 <= one.score <= 1.1


def test_of_two_equal_rules_the_older_comes_first() -> None:
    query = Query(["migration"])

    found = ranked([candidate(9), candidate(2), candidate(5)], query)

    assert [one.candidate.id for one in found] == [2, 5, 9]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param({"confidence": 0.9}, {"confidence": 0.3}, id="the surer"),
        pytest.param({"status": "Promoted"}, {}, id="the promoted"),
        pytest.param({}, {"source": "BuiltInSeed"}, id="the learned before the seed"),
        pytest.param({"project_id": 1}, {"project_id": None, "scope_level": "Global"}, id="the project's own"),
        pytest.param({}, {"trigger_terms": "other"}, id="a match in the trigger"),
        pytest.param({"vector": stored(ABOUT)}, {"vector": stored({8: 1.0})}, id="the one about the same matter"),
    ],
)
def test_all_else_equal_a_rule_comes_before_another(better: dict[str, object], worse: dict[str, object]) -> None:
    found = ranked([candidate(1, **worse), candidate(2, **better)], Query(["migration"], vector=ABOUT))

    assert [one.candidate.id for one in found] == [2, 1]


def test_what_is_said_in_other_words_is_found_by_its_concepts_alone() -> None:
    about, near, other = (ranked([candidate(1, vector=stored(one))], Query(["x"], vector=ABOUT))[0] for one in KINDS)

    assert (about.keyword, about.concept) == (0, 1)
    assert about.evidence > near.evidence > other.evidence == 0
    assert about.evidence >= FLOOR


def test_words_that_match_well_are_shown_where_no_concept_is_known() -> None:
    said = "ledgerbot nightly settle"
    others = [candidate(number, trigger_terms="harbour", terms="harbour") for number in range(2, 9)]

    found = ranked([candidate(1, trigger_terms=said, terms=said), *others], Query(said.split()))

    assert (found[0].candidate.id, found[0].concept) == (1, 0)
    assert found[0].evidence >= FLOOR


def test_a_matter_in_common_shows_a_rule_sooner_than_words_in_common() -> None:
    said = "ledgerbot nightly settle"
    by_words, by_matter = candidate(1, trigger_terms=said, terms=said), candidate(2, vector=stored(ABOUT))

    found = {one.candidate.id: one for one in ranked([by_words, by_matter], Query(said.split(), vector=ABOUT))}

    assert found[2].evidence > found[1].evidence


def test_a_sentence_tells_as_much_as_a_whole_text() -> None:
    alone, among = (Query(["x"], vector=ABOUT), Query(["x"], vector={9: 1.0}, sentences=[{8: 1.0}, ABOUT]))

    first, second = (ranked([candidate(1, vector=stored(ABOUT))], query)[0].concept for query in (alone, among))

    assert first == second == 1


def test_where_a_rule_holds_is_no_reason_to_show_it() -> None:
    (one,) = ranked([candidate(1, project_id=1)], Query(["harbour"]))

    assert (one.scope, one.evidence) == (1, 0)


@given(terms=st.lists(st.sampled_from(sorted(WEAK_WORDS)), min_size=1, max_size=20, unique=True))
def test_weak_words_alone_lift_no_rule_over_the_floor(terms: list[str]) -> None:
    every_word = " ".join(terms)
    candidates = [candidate(1, trigger_terms=every_word, terms=every_word), candidate(2)]

    assert max(one.evidence for one in ranked(candidates, Query(terms))) < FLOOR


@pytest.mark.parametrize(("prompt", "rule_id"), SHORT_PROMPTS)
def test_a_prompt_in_other_words_finds_its_rule_first(lessons: Memory, prompt: str, rule_id: int) -> None:
    assert shown(lessons, prompt)[:1] == [rule_id]


@pytest.mark.parametrize("rules", [1, 3, 10, 40])
def test_a_memory_with_many_rules_about_one_matter_still_speaks_of_it(tmp_path: Path, rules: int) -> None:
    names = [f"{first}{second}" for first in "abcdefgh" for second in ("erin", "olin", "umir", "ister", "oland")]
    with open_memory(str(tmp_path / "memory"), lambda: NOW) as memory:
        for name in names[:rules]:
            content = a_rule(f"ask {name} before any migration", scope_level=ScopeLevel.GLOBAL)
            memory.add_rule(content, Status.ACTIVE, None, "test")

        found = shown(memory, "the applied migration is wrong, please edit it so that the column is nullable")

    assert len(found) == rules


@pytest.mark.parametrize(
    "prompt",
    [
        "what is the weather like in Lisbon this week",
        "rename the variable in the loop of the sorting function",
        "make the button on the landing page blue and a little rounder",
        "schreibe einen kurzen Text über den Hafen von Hamburg",
        "请解释一下这首诗的意思",
        "🙂🙂🙂",
        '" OR NEAR( * ^ :',
    ],
)
def test_a_prompt_about_something_else_shows_nothing(lessons: Memory, prompt: str) -> None:
    assert shown(lessons, prompt) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    short=st.sampled_from(SHORT_PROMPTS),
    before=st.lists(st.sampled_from(FILLER), max_size=150),
    after=st.lists(st.sampled_from(FILLER), max_size=150),
)
@example(short=SHORT_PROMPTS[0], before=FILLER, after=FILLER)
def test_a_long_prompt_does_not_lose_the_rule_of_a_short_one_in_it(
    lessons: Memory, short: tuple[str, int], before: list[str], after: list[str]
) -> None:
    prompt, rule_id = short

    assert rule_id in shown(lessons, f"{' '.join(before)}. {prompt}. {' '.join(after)}")


@pytest.mark.parametrize("distinct", [50, 199, 250, 1_000, 3_000])
def test_what_is_asked_at_the_end_of_a_long_text_is_heard(lessons: Memory, distinct: int) -> None:
    text = " ".join(
        f"lantern{chr(97 + number % 26)}{chr(97 + number // 26 % 26)}{chr(97 + number // 676)}"
        for number in range(distinct)
    )

    assert shown(lessons, f"{text}. The applied migration is wrong, please edit it")[:1] == [1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    prompt=st.one_of(
        st.text(max_size=200),
        st.lists(st.sampled_from(['"', "OR", "NEAR(", "*", "^", ":", "AND", "NOT", "{", "-"])).map(" ".join),
    )
)
def test_any_text_can_be_searched_for(lessons: Memory, prompt: str) -> None:
    found, floor = explain(lessons.hot, search_query(lessons.hot, prompt), None)

    assert floor > 0
    assert len({one.candidate.id for one in found}) == len(found)


def test_candidates_are_fetched_by_the_rare_words_and_always_by_the_three_rarest() -> None:
    having = {"the-rarest": 1, "rare": 49, "common": 50, "frequent": 400, "everywhere": 900}
    weights = dict.fromkeys(having, 1.0)

    assert fetching(weights, having, 1000) == ["the-rarest", "rare", "common"]
    assert fetching({"frequent": 1.0, "everywhere": 1.0}, having, 1000) == ["frequent", "everywhere"]
    assert len(fetching({f"w{n}": 1.0 for n in range(90)}, {f"w{n}": 1 for n in range(90)}, 1000)) == 40


def test_in_a_large_memory_a_candidate_has_one_of_the_rarest_words() -> None:
    having = {"rare": 400, "common": 1000, "frequent": 1200, "everywhere": 9000}

    assert rarest_of(list(having), having) == ["rare", "common"]
    assert rarest_of(["everywhere"], having) == ["everywhere"]
    assert rarest_of([], having) == []


def test_rules_that_match_are_found_among_those_with_a_rare_word_in_the_same_order(lessons: Memory) -> None:
    words = ["migration", "appli", "decim", "webhook", "date"]
    every = [one.id for one in lessons.hot.matching_rules(words, None, 40)]

    some = [one.id for one in lessons.hot.matching_rules(words, None, 40, among=["decim", "webhook"])]

    assert set(some) < set(every)
    assert some == [rule_id for rule_id in every if rule_id in {4, 7}]
