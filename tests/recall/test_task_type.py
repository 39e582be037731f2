from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.recall.ranking import TASK_TYPE, Query, rank
from agentrecall_domain.recall.task_type import VOCABULARIES, task_types
from agentrecall_domain.text.tokenizer import terms
from recall.test_packing import candidate


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        pytest.param("the checkout crashes, find the root cause of this bug", {"BugFix"}, id="a bug"),
        pytest.param("is the token readable without permission? sanitize it", {"Security"}, id="security"),
        pytest.param("the query is slow, profile it and cache the result", {"Performance"}, id="speed"),
        pytest.param("extract the duplicated loop and simplify it", {"Refactor"}, id="refactoring"),
        pytest.param("this pytest fixture is flaky, mock the clock", {"Test"}, id="tests"),
        pytest.param("write the changelog and the README", {"Documentation"}, id="documents"),
        pytest.param("answer the reviewer on the pull request", {"Review"}, id="a review"),
        pytest.param("add a regression test with a mock for this bug", {"BugFix", "Test"}, id="two at once"),
        pytest.param("make the button blue", set(), id="none of them"),
        pytest.param("", set(), id="nothing"),
    ],
)
def test_the_words_of_a_prompt_tell_what_kind_of_work_it_is(prompt: str, names: set[str]) -> None:
    assert task_types(terms(prompt)) == [words for name, words in VOCABULARIES.items() if name in names]


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_word_of_a_kind_is_one_that_the_tokenizer_gives(name: str) -> None:
    assert [word for word in VOCABULARIES[name] if terms(word) != [word]] == []


@given(st.lists(st.text(max_size=20), max_size=30))
def test_any_words_have_their_kinds(words: list[str]) -> None:
    assert all(not kind.isdisjoint(words) for kind in task_types(words))


def test_a_rule_about_the_same_kind_of_work_is_better_and_not_shown_for_that_alone() -> None:
    rules = [candidate(1), candidate(2, terms="migration apply pytest"), candidate(3, terms="pytest")]

    found = {one.candidate.id: one for one in rank(rules, Query(["migration", "mock"]), {"migration": 3.0}, 3)}

    assert {rule_id: one.task_type for rule_id, one in found.items()} == {1: 0, 2: 1, 3: 1}
    assert found[2].score - found[1].score == pytest.approx(TASK_TYPE * 0.95)
    assert found[2].evidence == found[1].evidence
    assert found[3].evidence == 0
