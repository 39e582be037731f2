"""Raw words: whatever is asked and whatever was said, a text holds its own words, and an excerpt is part of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.notes.raw_words import ELLIPSIS, excerpt, holds, wanted


@given(st.text())
def test_a_text_is_found_by_itself(text: str) -> None:
    assert holds(" ".join(text.split()), wanted(text))


@given(st.text(alphabet=st.characters()), st.text(alphabet=st.characters()), st.integers(10, 80))
def test_an_excerpt_is_short_and_part_of_the_text(text: str, query: str, length: int) -> None:
    found = excerpt(text, wanted(query), length)

    assert len(found) <= length
    assert found.strip(ELLIPSIS) in " ".join(text.split())


def test_an_excerpt_shows_the_first_word_that_was_found_wherever_it_stands() -> None:
    for at in range(0, 400, 7):
        text = "a" * at + " needle " + "b" * (400 - at)
        assert "needle" in excerpt(text, ("needle",), 40)
