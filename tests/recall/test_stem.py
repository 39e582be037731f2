"""One stem for the forms of a word, and for nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.text.abbreviations import SHORT_FOR
from agentrecall_domain.text.stem import stem

LOOKS_INFLECTED = """
status class this was has process always json css https redis kubernetes sass alias analysis string thing bring server
user number production customer canvas apply early speed nodejs postgres less dns tree docker
"""


@pytest.mark.parametrize(
    "family",
    [
        "migration migrations migrate migrates migrating migrated",
        "test tests testing tested",
        "dependency dependencies",
        "commit commits committing committed",
        "query queries querying",
        "cache caches cached caching",
        "file files filing",
        "class classes",
        "name names naming named",
        "use uses used using",
        "add adds added adding",
        "parse parses parsed parsing",
        "index indexes indexing indices",
        "configure configured configuration",
        "validate valid validator validation",
        "install installs installed installation",
        "control controlled controlling",
        "release releases released releasing",
        "docstring docstrings",
        "retry retries retried retrying",
        "deploy deploys deployed deployment deployments",
        "tokenize tokenizer tokenization",
        "status statuses",
        "cookie cookies",
        "delete deleting deletion",
        "explicit explicitly",
        "process processes processing",
    ],
)
def test_the_forms_of_a_word_meet_in_one_stem(family: str) -> None:
    assert len({stem(form) for form in family.split()}) == 1


@pytest.mark.parametrize("word", LOOKS_INFLECTED.split())
def test_a_word_that_only_looks_inflected_is_left_alone(word: str) -> None:
    assert stem(word) == word


@given(
    st.text(alphabet="abcdefghilmnoprstuyz", max_size=14), st.sampled_from(["", "s", "ing", "ed", "ly", "ations", "er"])
)
def test_a_stem_is_its_own_stem(base: str, suffix: str) -> None:
    once = stem(base + suffix)

    assert stem(once) == once
    assert len(once) <= len(base + suffix) or once in {stem(word) for word in SHORT_FOR.values()}


@pytest.mark.parametrize("short", SHORT_FOR)
def test_an_abbreviation_is_the_word_that_it_stands_for(short: str) -> None:
    assert stem(short) == stem(SHORT_FOR[short]) == stem(stem(short))


def test_the_plural_of_an_abbreviation_is_that_word_too() -> None:
    assert [stem(word) for word in ("strs", "args", "configs", "repos")] == [
        stem(word) for word in ("string", "argument", "configuration", "repository")
    ]
