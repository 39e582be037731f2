"""A memory that lists names is called up by each of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.recall.naming import is_named, names_of
from agentrecall_domain.text.tokenizer import terms

CACHE = "redis cache, Redis, key value store"


@pytest.mark.parametrize(
    ("said", "called"),
    [
        ("what is Redis doing here?", True),
        ("put it into a key-value store", True),
        ("which store has the key?", False),
        ("cache the answer", False),
        ("", False),
    ],
)
def test_a_list_of_names_is_called_up_by_a_whole_name(said: str, called: bool) -> None:  # noqa: FBT001 -- a case
    assert is_named(CACHE, frozenset(terms(said))) is called


@pytest.mark.parametrize(
    "text",
    [
        "Redis",
        "when using redis, Redis or valkey",
        "a sentence of a few words, that has a comma",
        "redis, , valkey",
        f"redis, {'x' * 400}",
        "",
    ],
)
def test_what_is_no_list_has_no_names(text: str) -> None:
    assert names_of(text) == []


def test_a_name_that_half_of_all_talk_has_calls_up_nothing() -> None:
    assert not is_named("code, tests", frozenset(terms("write tests for the code")))


@given(st.text(max_size=500), st.frozensets(st.text(max_size=8), max_size=5))
def test_any_text_is_named_or_not(text: str, said: frozenset[str]) -> None:
    assert is_named(text, said) in {True, False}
