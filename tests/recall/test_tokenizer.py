"""One notion of a word, for every index and every query."""
# ruff: noqa: RUF001 -- letters that resemble others are the subject of these tests

from __future__ import annotations

import sqlite3
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.text import stop_words, token_estimate, tokenizer

# Text the way people and programs write it, mixed with anything at all.
PIECES = st.one_of(
    st.text(max_size=12),
    st.text(alphabet="abcXYZ019_-./+# ", max_size=12),
    st.sampled_from(
        ["getUserIDs", "C++", ".net", "中文", "データ", "한국어", "ﾃﾞ", "می‌شود", "Größe", "हिन्दी", "ﬁ", "\ud800"]
    ),
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)
ANY_UNICODE = st.text(st.characters(exclude_categories=()), max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("Hello, World!", ["hello", "world"], id="prose"),
        pytest.param("getUserID", ["getuserid", "get", "user", "id"], id="camel case"),
        pytest.param("HTTPServer", ["httpserver", "http", "server"], id="an abbreviation before a word"),
        pytest.param("userIDs URLs", ["userid", "user", "id", "url"], id="plural abbreviations"),
        pytest.param("user_id2", ["userid2", "user", "id", "2"], id="snake case with a digit"),
        pytest.param("pre-commit", ["precommit", "pre", "commit"], id="a hyphen"),
        pytest.param("src/db/migrate.py", ["sourc", "database", "migrat", "py"], id="a path has no whole"),
        pytest.param("JavaScript", ["javascript"], id="a name that is one word"),
        pytest.param("a" * 30 + "_" + "z" * 30, ["z" * 30], id="too long for a whole; thirty a's are hex"),
        pytest.param("C++ c# F# .NET", ["cplusplus", "csharp", "fsharp", "dotnet"], id="names with signs"),
        pytest.param("Node.js asp.net", ["nodejs", "aspdotnet"], id="names with dots"),
        pytest.param("in C, or C/C++", ["in", "ansic", "or", "ansic", "cplusplus"], id="C by itself"),
        pytest.param(r"C:\src c", ["c", "sourc", "c"], id="a drive is no language"),
        pytest.param("example.net", ["exampl", "net"], id="a domain is no .net"),
        pytest.param("i c++17", ["i", "cplusplus", "17"], id="a name before digits"),
        pytest.param("don't", ["don", "t"], id="an apostrophe"),
        pytest.param("中文测试", ["中文", "文测", "测试"], id="Chinese"),
        pytest.param("用orders表", ["用", "order", "表"], id="Chinese around a word"),
        pytest.param("データ ﾃﾞｰﾀ", ["デー", "ータ", "デー", "ータ"], id="full and half width Kana"),
        pytest.param("한국어", ["한국", "국어"], id="Korean"),
        pytest.param("می‌شود", ["میشود"], id="the Persian joiner is dropped"),
        pytest.param("كتاب", ["کتاب"], id="Arabic letters as Persian ones"),
        pytest.param("شُكْرًا ۵۰۰", ["شکرا", "500"], id="Arabic vowels and digits"),
        pytest.param("שָׁלוֹם", ["שלום"], id="Hebrew points"),
        pytest.param("Миграция ещё", ["миграция", "еще"], id="Russian"),
        pytest.param("ภาษาไทย", ["ภาษาไทย"], id="a Thai run stays whole"),
        pytest.param("हिन्दी", ["हिन्दी"], id="Hindi keeps its marks"),
        pytest.param("Größe café Łódź", ["grosse", "cafe", "lodz"], id="accents"),
        pytest.param("ﬁx ＡＢＣ", ["fix", "abc"], id="width and ligatures"),
        pytest.param("done 👍🏽✅", ["done"], id="emoji"),
        pytest.param("left\ud800right", ["left", "right"], id="a lone surrogate"),
        pytest.param("da39a3ee5e6b4b0d3255bfef95601890afd80709", [], id="a digest"),
        pytest.param("550e8400-e29b-41d4-a716-446655440000", [], id="a UUID"),
        pytest.param("1" * 21 + " " + "1" * 20, ["1" * 20], id="a number too long"),
        pytest.param("xy" * 30, ["xy" * 20], id="a word too long"),
    ],
)
def test_the_words_of_a_text(text: str, expected: list[str]) -> None:
    assert tokenizer.words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The one that you have", [], id="stop words only"),
        pytest.param("Why doesn't it do this?", [], id="a question of stop words"),
        pytest.param("a b 1 2 x", [], id="letters and digits"),
        pytest.param("表", ["表"], id="a CJK character is a word"),
        pytest.param("fix the tests, the tests", ["fix", "test", "test"], id="order and repetition stay"),
        pytest.param("die Migration der Tabelle", ["migrat", "tabel"], id="German"),
        pytest.param("ajoute un index à la table", ["ajout", "index", "tabl"], id="French"),
        pytest.param("os.path.dirname", ["os", "path", "dirnam"], id="a stop word elsewhere, a module here"),
    ],
)
def test_terms_are_the_words_that_say_something(text: str, expected: list[str]) -> None:
    assert tokenizer.terms(text) == expected
    assert tokenizer.index_text(text) == " ".join(expected)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("production", "product"),
        ("customer", "custom"),
        ("state", "stats"),
        ("created_at", "create"),
        ("locale", "local"),
        ("server", "serve"),
    ],
)
def test_words_of_different_matters_stay_apart(one: str, other: str) -> None:
    assert tokenizer.words(one)[0] not in tokenizer.words(other)


@given(TEXTS | ANY_UNICODE)
def test_any_text_has_short_words_of_letters_marks_and_digits(text: str) -> None:
    words = tokenizer.words(text)

    assert words == tokenizer.words(text)
    assert all(0 < len(word) <= 40 for word in words)
    assert all(unicodedata.category(character)[0] in "LMN" for word in words for character in word)


@given(TEXTS | ANY_UNICODE)
def test_terms_are_found_among_the_words(text: str) -> None:
    assert set(tokenizer.terms(text)) <= set(tokenizer.words(text))


@given(TEXTS | ANY_UNICODE)
def test_the_terms_of_an_index_text_hold_all_it_holds(text: str) -> None:
    # They may hold more: userid2, kept whole, is parted once again.
    indexed = tokenizer.index_text(text)

    assert set(indexed.split()) <= set(tokenizer.terms(indexed))


@given(TEXTS | ANY_UNICODE)
def test_full_text_search_leaves_every_word_whole(text: str) -> None:
    words = tokenizer.words(text)
    database = sqlite3.connect(":memory:")
    try:
        database.execute(
            "CREATE VIRTUAL TABLE t USING fts5(terms, tokenize = "
            "\"unicode61 remove_diacritics 0 categories 'L* M* N* Co' tokenchars '_'\")"
        )
        database.executemany("INSERT INTO t (rowid, terms) VALUES (?, ?)", enumerate(words))
        found = [
            database.execute("SELECT count(*) FROM t WHERE t MATCH ? AND rowid = ?", (f'"{word}"', at)).fetchone()[0]
            for at, word in enumerate(words)
        ]
        database.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
        tokens = database.execute("SELECT count(*) FROM v").fetchone()[0]
    finally:
        database.close()

    assert found == [1] * len(words)
    assert tokens == len(words)


@pytest.mark.parametrize(
    "piece",
    ["a", "aA", "As", "中", "👍", "1", "_", "a-", "c+", "a/", "\u0300\u0323", "\uff9e\u0300", "\ufdfa", "\u0300a"],
    ids=ascii,
)
def test_a_megabyte_of_anything_ends(piece: str) -> None:
    # Quadratic work on these would take minutes, and meet the test's own time limit.
    text = piece * (500_000 // len(piece))

    assert len(tokenizer.words(text)) <= len(text)


def test_every_stop_word_is_written_as_the_tokenizer_folds_it() -> None:
    assert [word for word in stop_words.STOP_WORDS if [folded for folded, _ in tokenizer._scan(word)] != [word]] == []


def test_every_weak_word_is_a_term() -> None:
    assert [word for word in stop_words.WEAK_WORDS if tokenizer.terms(word) != [word]] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("a", 1, id="rounded up"),
        pytest.param("abcd", 1, id="four letters"),
        pytest.param("abcde", 2, id="five letters"),
        pytest.param("中文测试", 4, id="a CJK character is one"),
        pytest.param("abcd中", 2, id="both"),
        pytest.param("привет", 2, id="another alphabet"),
    ],
)
def test_tokens_are_a_quarter_of_the_length_and_one_for_each_cjk_character(text: str, expected: int) -> None:
    assert token_estimate.tokens(text) == expected


def test_every_canonical_name_is_a_term_and_its_own_stem() -> None:
    assert [name for name in tokenizer._NAMES.values() if name not in tokenizer.terms(name)] == []
