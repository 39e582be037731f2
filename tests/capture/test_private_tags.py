"""Private spans: what is fenced off never reaches the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.text.private_tags import remove_private

TAG_SOUP = st.lists(
    st.sampled_from(
        ["<private>", "</private>", "<no-memory>", "</No-Memory>", "<priv", "ate>", "<", "</", ">", "x", " ", "/", "é"],
    ),
    max_size=30,
).map("".join)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("nothing here", "nothing here", id="no tag"),
        pytest.param("a <private>b</private> c", "a [private] c", id="one span"),
        pytest.param("a <PRIVATE>b</Private> c", "a [private] c", id="any case"),
        pytest.param('a <private reason="x">b</private> c', "a [private] c", id="attributes"),
        pytest.param("a <no-memory>b</no-memory> c", "a [private] c", id="the other name"),
        pytest.param("a <private>b\nc\n</private> d", "a [private] d", id="many lines"),
        pytest.param("a <private>b<private>c</private>d</private> e", "a [private] e", id="nested"),
        pytest.param("a <private>b<no-memory>c</no-memory>d</private> e", "a [private] e", id="nested by two names"),
        pytest.param("a <private>b</private><private>c</private>", "a [private][private]", id="two spans"),
        pytest.param("a <private>b c", "a [private]", id="never closed"),
        pytest.param("a <private>b<private>c</private> d", "a [private]", id="the outer one never closed"),
        pytest.param("a <private b", "a [private]", id="tag cut off"),
        pytest.param("a <private", "a [private]", id="tag at the very end"),
        pytest.param("a </private> b", "a  b", id="stray closing tag"),
        pytest.param("a <private/> b", "a [private] b", id="an empty one"),
        pytest.param("<privateKey>b</privateKey>", "<privateKey>b</privateKey>", id="another element"),
        pytest.param("<priv</private>ate>b", "<priv ate>b", id="a removed tag makes no new one"),
        pytest.param("İ <private>b</private>", "İ [private]", id="lower case of another length"),
    ],
)
def test_private_spans_leave_only_a_mark(text: str, kept: str) -> None:
    assert remove_private(text) == kept


@given(TAG_SOUP)
def test_what_is_kept_holds_no_tag_and_stays_as_it_is(text: str) -> None:
    kept = remove_private(text)

    assert remove_private(kept) == kept
    assert "<private>" not in kept
    assert "</private>" not in kept


@given(st.text())
def test_any_text_is_answered(text: str) -> None:
    assert isinstance(remove_private(f"<private>{text}"), str)


@given(st.text(alphabet=st.characters(exclude_characters="<")))
def test_what_stands_between_the_tags_is_gone(text: str) -> None:
    assert remove_private(f"before <private>{text}</private> after") == "before [private] after"
