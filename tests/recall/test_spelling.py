from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from agentrecall_domain.recall.moments import SPELT_AMONG, explain, search_query
from agentrecall_domain.recall.spelling import MOST_READ, MOST_WORDS, forms_before, is_near, meant_by
from agentrecall_domain.rules.rule import ScopeLevel, Status
from agentrecall_domain.text.stem import stem
from agentrecall_storage.hot import HotStore
from agentrecall_storage.memory import Memory, open_memory
from recall.stories import NOW, a_rule

LESSONS = [
    ("when a migration is written for the warehouse", "ask the harbourmaster first"),
    ("when validating a shipment", "compare the manifest with the configuration"),
    ("when the lantern dashboard is rebuilt", "clear the thumbnails"),
    ("when a lanthorn is rebuilt", "call the lighthouse keeper"),
    ("when authenticating a customer of the lighthouse", "ask the registrar twice"),
    ("when the lantern is out", "use the violet one"),
]
LONG_WORDS = [
    stem(word)
    for word in ("migration", "warehouse", "harbourmaster", "manifest", "shipment", "thumbnails", "registrar")
]
PAIRS = st.lists(st.sampled_from(ascii_lowercase), min_size=2, max_size=2)


class Counting:
    """The vocabulary of a memory that counts what is asked of it."""

    def __init__(self, store: HotStore) -> None:
        self._store = store
        self.read, self.looked_up, self.questions = 0, 0, 0

    def rules_with(self, terms: list[str]) -> dict[str, int]:
        return self._store.rules_with(terms)

    def words_from(self, beginning: str, most: int) -> dict[str, int]:
        found = self._store.words_from(beginning, most)
        self.read += len(found)
        self.questions += 1
        return found

    def words_among(self, forms: list[str]) -> dict[str, int]:
        self.looked_up += len(forms)
        return self._store.words_among(forms)


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    home: Path = tmp_path_factory.mktemp("spelling") / "memory"
    with open_memory(str(home), lambda: NOW) as memory:
        for trigger, action in LESSONS:
            content = a_rule(
                action, title=action, trigger=trigger, mistake="", reason="", scope_level=ScopeLevel.GLOBAL
            )
            memory.add_rule(content, Status.ACTIVE, None, "test")
        yield memory


def one_edit_away(word: str) -> list[str]:
    """Every word that one edit makes of *word*."""
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    without = [head + tail[1:] for head, tail in parts]
    swapped = [head + tail[1] + tail[0] + tail[2:] for head, tail in parts if len(tail) > 1]
    other = [head + letter + tail[1:] for head, tail in parts[:-1] for letter in ascii_lowercase]
    more = [head + letter + tail for head, tail in parts for letter in ascii_lowercase]
    return sorted({*without, *swapped, *other, *more} - {word})


@given(word=st.sampled_from(LONG_WORDS), data=st.data())
def test_a_word_with_any_one_edit_is_found(lessons: Memory, word: str, data: st.DataObject) -> None:
    misspelt = data.draw(st.sampled_from(one_edit_away(word)))
    assume(not lessons.hot.rules_with([misspelt]))

    assert meant_by([misspelt], lessons.hot) == {misspelt: word}


@given(word=st.sampled_from(LONG_WORDS), first=st.integers(0, 2), second=st.integers(3, 5), letters=PAIRS)
def test_a_word_with_two_edits_is_not_found(
    lessons: Memory, word: str, first: int, second: int, letters: list[str]
) -> None:
    misspelt = word[:first] + letters[0] + word[first + 1 : second] + letters[1] + word[second + 1 :]
    assume(misspelt not in {word, *one_edit_away(word)})

    assert meant_by([misspelt], lessons.hot) == {}


@given(word=st.text(ascii_lowercase[:6] + "rst", min_size=5, max_size=9))
@example(word="migraton")
@example(word="lantren")
def test_what_is_found_is_one_edit_from_a_form_of_the_word(lessons: Memory, word: str) -> None:
    for misspelt, meant in meant_by([word], lessons.hot).items():
        assert meant in {stem(form) for form in one_edit_away(misspelt)}


@pytest.mark.parametrize(
    ("prompt", "word", "rule"),
    [
        ("write the migraton of the shop", "migrat", 1),
        ("write the migratoin of the shop", "migrat", 1),
        ("the imgrations are slow", "migrat", 1),
        ("check the confguration of the shop", "configur", 2),
        ("check the configuraiton of the shop", "configur", 2),
        ("where is the shipmnt", "shipment", 2),
        ("the thumnails look old", "thumbnail", 3),
        ("the registarr forgot the pasword", "registrar", 5),
        ("the customer is never autenticated", "authentic", 5),
    ],
)
def test_a_misspelt_prompt_finds_the_rule(lessons: Memory, prompt: str, word: str, rule: int) -> None:
    query = search_query(lessons.hot, prompt)
    found, _ = explain(lessons.hot, query, None)

    assert word in query.meant
    assert rule in [one.candidate.id for one in found if word in one.matched]


@pytest.mark.parametrize(
    "prompt",
    [
        pytest.param("rebuild the lantern dashboard", id="all words are known"),
        pytest.param("deploy the container with kubernetes", id="words of concepts that no rule has"),
        pytest.param("a lanp, a shp", id="too short"),
        pytest.param("migrat1on of manifest2", id="not of letters alone"),
        pytest.param("a lanternest of manifestly warehouseable", id="other words made of these"),
        pytest.param("quantum xylophone gnomes", id="like nothing"),
        pytest.param("好的 请继续 migrationsdatenbanken", id="another language"),
        pytest.param("", id="nothing"),
    ],
)
def test_a_word_that_is_known_or_like_no_other_stays_what_it_is(lessons: Memory, prompt: str) -> None:
    assert search_query(lessons.hot, prompt).meant == []


def test_of_two_words_that_could_be_meant_the_commoner_is(lessons: Memory) -> None:
    assert meant_by(["lanthern"], lessons.hot) == {"lanthern": "lantern"}


def test_a_misspelt_word_counts_for_less_than_the_word(lessons: Memory) -> None:
    right, _ = explain(lessons.hot, search_query(lessons.hot, "where is the shipment, and its manifest"), None)
    wrong, _ = explain(lessons.hot, search_query(lessons.hot, "where is the shipmnt, and its manfest"), None)

    assert [one.candidate.id for one in right] == [one.candidate.id for one in wrong] == [2]
    assert 0 < wrong[0].keyword < right[0].keyword


def test_a_prompt_of_known_words_asks_nothing_more(lessons: Memory) -> None:
    asked = Counting(lessons.hot)

    assert meant_by(["lantern", "violet", "registrar"], asked) == {}
    assert (asked.read, asked.looked_up, asked.questions) == (0, 0, 0)


@given(words=st.lists(st.text(min_size=1, max_size=40)))
@example(words=["coomputer"] * 50)
@example(words=["abcde", "zzzzz", "\u00df" * 30, "z" * 40, "\U0010ffff" * 6])
def test_little_is_asked_whatever_the_words(lessons: Memory, words: list[str]) -> None:
    asked = Counting(lessons.hot)

    found = meant_by(words, asked)

    assert found.keys() <= set(words)
    assert lessons.hot.rules_with(list(found.values())).keys() == set(found.values())
    assert asked.questions <= MOST_WORDS
    assert asked.read <= MOST_READ
    assert asked.looked_up <= MOST_WORDS * 80


@given(text=st.text(max_size=200))
@example(text="\x00 \ud800 migraton")
@example(text='"migraton" OR NEAR(lanthern) * -manfest')
def test_any_text_makes_a_query_whose_words_rules_have(lessons: Memory, text: str) -> None:
    query = search_query(lessons.hot, text)

    assert lessons.hot.rules_with(query.meant).keys() == set(query.meant)
    explain(lessons.hot, query, None)


def test_words_far_into_a_pasted_log_are_not_looked_into(lessons: Memory) -> None:
    log = " ".join(f"shop{chr(97 + number % 26)}{number}" for number in range(SPELT_AMONG))

    assert search_query(lessons.hot, f"{log} migraton").meant == []
    assert search_query(lessons.hot, f"migraton {log}").meant == ["migrat"]


@given(one=st.text("abc", max_size=5), other=st.text("abc", max_size=5))
def test_near_is_what_one_edit_reaches(one: str, other: str) -> None:
    assert is_near(one, other) == (one == other or other in one_edit_away(one))


@given(word=st.text(min_size=5, max_size=40))
def test_the_forms_before_are_bounded_and_distinct(word: str) -> None:
    forms = forms_before(word)

    assert len(forms) == len(set(forms)) <= 86
    assert word not in forms
    assert all(is_near(word, form) for form in forms)
