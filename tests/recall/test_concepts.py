"""What a text is about: vectors over concepts, what they cost to find, and what recall makes of them."""

# ruff: noqa: RUF001 -- Chinese and Persian have signs of their own
from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentrecall_domain.recall.fetching import COMMON_FROM
from agentrecall_domain.recall.injection import Asked
from agentrecall_domain.recall.moments import MOST_TERMS, at_file, at_prompt, at_start, explain, search_query
from agentrecall_domain.recall.rendering import block
from agentrecall_domain.rules.rule import ScopeLevel, Status
from agentrecall_domain.rules.rule_vector import MOST_TOKENS, rule_vector, tokens
from agentrecall_domain.text.concept_file import read
from agentrecall_domain.text.concept_graph import build
from agentrecall_domain.text.concept_index import compiled
from agentrecall_domain.text.concept_vector import MOST_DIMENSIONS, MOST_WORDS, cosine, stored, vector
from agentrecall_domain.text.tokenizer import terms, words_and_terms
from agentrecall_domain.turns.batch import Project
from agentrecall_storage.concept_file import write
from agentrecall_storage.concepts import ConceptIndex
from agentrecall_storage.hot import HotStore
from agentrecall_storage.memory import Memory, open_memory
from agentrecall_storage.places import Places
from helpers.files import log_lines
from recall.stories import NOW, Person, a_rule

MOCKING = {"title": "Doubles", "trigger": "when mocking in tests", "mistake": "", "reason": ""}
IN_OTHER_WORDS = "the suite stubs out the gateway with a fake, please have a look at this test double"
SHARP_EDGES = [
    pytest.param("🙂🎉🚀" * 5_000, id="pictures"),
    pytest.param("请修改已执行的数据库迁移，把这个字段改成可空。" * 2_000, id="Chinese"),
    pytest.param(
        "لطفاً مهاجرت پایگاه داده را اصلاح کن \u202emigration\u202c نسخه‌ی قبلی" * 500, id="right to left, mixed"
    ),
    pytest.param("def f(x: int) -> None:\n    return self.db.execute('SELECT 1')  # noqa\n" * 2_000, id="only code"),
    pytest.param("migration " * 100_000, id="a word of a megabyte"),
    pytest.param(" ".join(f"word{number}x" for number in range(120_000)), id="a megabyte of words"),
    pytest.param("flaky test mock fixture retry webhook " * 27_000, id="a megabyte of concepts"),
    pytest.param("\ud800\x00\u202e\ufdfa" * 1_000, id="what is no text"),
    pytest.param("a" * 1_000_000, id="a word of a million letters"),
    pytest.param("", id="nothing"),
]


class Counting(ConceptIndex):
    """The concepts of the product, with a count of what was asked."""

    def __init__(self) -> None:
        super().__init__("")
        self.words = self.concepts = 0

    def of_word(self, word: str) -> tuple[bytes, str] | None:
        self.words += 1
        return super().of_word(word)

    def of_concept(self, number: int) -> bytes:
        self.concepts += 1
        return super().of_concept(number)


class Watched(HotStore):
    """A hook's store, whose concepts are counted."""

    def __init__(self, memory: Memory, counting: Counting) -> None:
        super().__init__(memory.connection)
        self.counting = counting

    @property
    def concepts(self) -> Counting:
        return self.counting


@pytest.fixture(scope="module")
def ours() -> Iterator[ConceptIndex]:
    with closing(ConceptIndex("")) as index:
        yield index


@pytest.fixture
def counting() -> Iterator[Counting]:
    with closing(Counting()) as index:
        yield index


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConceptIndex]:
    """A small graph in which every figure can be told by hand."""
    home = tmp_path_factory.mktemp("harbour")
    graph = build(read("gate: harbour gate, sluice\npilot: harbour pilot\n  related: ship 0.5\nship: ship\n").concepts)
    write(compiled(graph), str(home / "concepts.db"))
    with closing(ConceptIndex(str(home))) as index:
        yield index


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def asked(query: str, moment: str = "prompt") -> Asked:
    return Asked(
        moment=moment,
        session_uid="s1",
        agent_id="",
        prompt_id="p1",
        key="k",
        query=query,
        source="claude-code",
        transcript_path="",
        at=NOW.timestamp(),
    )


def of(index: ConceptIndex, *parts: tuple[str, float]) -> dict[int, float]:
    return vector([(words_and_terms(text), weight) for text, weight in parts], index)


def about(index: ConceptIndex, text: str) -> dict[str, float]:
    names = index.names()
    return {names[number]: value for number, value in of(index, (text, 1.0)).items()}


TEXT = st.one_of(
    st.text(max_size=300),
    st.lists(
        st.sampled_from(
            ["flaky", "test", "mock", "миграция", "迁移", "Schnittstelle", "sql", "retry", "the", "🙂", "x.y", "\n"]
        )
    ).map(" ".join),
)
PARTS = st.lists(st.tuples(TEXT, st.floats(0.01, 5)), max_size=5)


# A vector


@given(parts=PARTS)
@example(parts=[("the of it", 1.0)])
@example(parts=[("flaky test", 2.0), ("flaky test", 2.0)])
def test_a_vector_has_length_one_or_is_empty_and_is_the_same_each_time(
    ours: ConceptIndex, parts: list[tuple[str, float]]
) -> None:
    found = of(ours, *parts)

    assert not found or sum(value * value for value in found.values()) == pytest.approx(1.0)
    assert len(found) <= MOST_DIMENSIONS
    assert all(0 < value <= 1 for value in found.values())
    assert list(found.items()) == list(of(ours, *parts).items())
    assert stored(found) == stored(of(ours, *parts))


@given(one=PARTS, other=PARTS)
def test_two_vectors_have_a_cosine_from_nothing_to_one_in_either_order(
    ours: ConceptIndex, one: list[tuple[str, float]], other: list[tuple[str, float]]
) -> None:
    first, second = of(ours, *one), of(ours, *other)

    assert 0 <= cosine(first, stored(second)) <= 1
    assert cosine(first, stored(second)) == pytest.approx(cosine(second, stored(first)), abs=0.01)
    assert not first or cosine(first, stored(first)) == pytest.approx(1.0, abs=0.01)


@given(parts=PARTS)
def test_a_vector_is_kept_to_a_thousandth(ours: ConceptIndex, parts: list[tuple[str, float]]) -> None:
    found = of(ours, *parts)
    kept = stored(found)

    assert len(kept) == 4 * len(found)
    for number, value in found.items():
        assert cosine({number: 1.0}, kept) == pytest.approx(value, abs=0.0006)
    assert cosine({number: 1.0 for number in range(1, 2_000) if number not in found}, kept) == 0


def test_what_is_spoken_as_a_whole_names_its_concept_and_a_word_of_it_only_hints(harbour: ConceptIndex) -> None:
    whole, hint, nothing = (
        about(harbour, "open the harbour gate"),
        about(harbour, "the harbour"),
        about(harbour, "lantern"),
    )

    assert max(whole, key=lambda name: whole[name]) == "gate"
    assert whole["gate"] > 2 * whole["pilot"]
    assert hint["gate"] < 2 * hint["pilot"]
    assert nothing == {}


def test_a_form_is_heard_over_an_article_and_not_over_another_word(harbour: ConceptIndex) -> None:
    strongest = about(harbour, "harbour gate")["gate"]

    assert about(harbour, "harbour the gate")["gate"] == strongest
    assert about(harbour, "harbour lantern gate")["gate"] < strongest


def test_neighbours_are_in_a_vector_by_a_share(harbour: ConceptIndex) -> None:
    found = about(harbour, "harbour pilot")

    assert found["pilot"] > found["ship"] > 0


@pytest.mark.parametrize("text", SHARP_EDGES)
def test_any_text_has_a_vector_and_the_look_ups_for_it_are_bounded(counting: Counting, text: str) -> None:
    found = of(counting, (text, 1.0))

    assert len(found) <= MOST_DIMENSIONS
    assert counting.words <= 2 * MOST_WORDS
    assert counting.concepts <= len(counting.names())


@pytest.mark.parametrize("text", SHARP_EDGES)
def test_a_prompt_of_any_size_asks_no_more_than_a_long_one(memory: Memory, counting: Counting, text: str) -> None:
    store = Watched(memory, counting)

    query = search_query(store, f"{text} flaky test {text}")

    assert len(query.terms) <= MOST_TERMS
    assert counting.words <= 2 * MOST_WORDS
    assert explain(store, query, None)[0] == []


def test_no_word_is_asked_for_twice(counting: Counting) -> None:
    of(counting, ("flaky test", 1.0), ("flaky test", 2.0), ("test flaky, the flaky", 1.0))

    assert counting.words == 2


# A rule's vector, and what it is indexed by


def test_a_rules_trigger_tells_most_of_what_it_is_about(ours: ConceptIndex) -> None:
    content = a_rule("add an index", title="x", trigger="when mocking in tests", mistake="", reason="")
    other = a_rule("mock in tests", title="x", trigger="when adding an index", mistake="", reason="")
    asking = of(ours, ("mocking in tests", 1.0))

    assert cosine(asking, stored(rule_vector(content, ours))) > cosine(asking, stored(rule_vector(other, ours)))


@given(st.dictionaries(st.integers(1, 5_000), st.floats(0.01, 1), max_size=100))
def test_the_words_for_concepts_are_few_and_no_text_has_them(found: dict[int, float]) -> None:
    words = tokens(found)

    assert len(words) == min(len(found), MOST_TOKENS)
    assert all(word.startswith("__") and terms(word) != [word] for word in words)


def test_of_the_concepts_asked_for_the_rarest_fetch_however_many_rules_share_them(memory: Memory) -> None:
    def keep(rules: range) -> None:
        for number in rules:
            content = a_rule(f"ask {number} for it", **MOCKING | {"title": "x"}, scope_level=ScopeLevel.GLOBAL)
            memory.add_rule(content, Status.ACTIVE, None, "test")

    def found() -> int:
        return len(explain(memory.hot, search_query(memory.hot, "stub out the gateway"), None)[0])

    keep(range(COMMON_FROM - 1))
    assert found() == COMMON_FROM - 1
    keep(range(COMMON_FROM, COMMON_FROM + 2))
    assert found() == COMMON_FROM + 1


# What recall makes of it


def test_a_rule_is_found_by_other_words_than_its_own(someone: Person) -> None:
    mocking, _ = someone.keeps(a_rule("use the fake clock", **MOCKING), a_rule())

    with someone.memory() as memory:
        project = memory.find_project(someone._project())
        shown = at_prompt(memory.hot, asked(IN_OTHER_WORDS), project).shown

    assert not set(terms(IN_OTHER_WORDS)) & set(terms("use the fake clock when mocking")) - {"fake"}
    assert [one.candidate.id for one in shown] == [mocking.id]


def test_concepts_bring_no_rule_of_another_project(someone: Person) -> None:
    first, second = someone.new_git_repository("a/shop"), someone.new_git_repository("b/shop")
    (rule,) = someone.keeps(a_rule("use the fake clock", **MOCKING, globs=("*.py",), always_apply=True), cwd=first)
    someone.keeps(a_rule(), cwd=second)

    with someone.memory() as memory:
        theirs, others = (memory.find_project(project_at(someone, folder)) for folder in (first, second))
        assert None is not theirs != others is not None
        for project, expected in ((theirs, [rule.id]), (others, []), (None, [])):
            by_concept = memory.hot.matching_rules(tokens(rule_vector(rule, memory.hot.concepts)), project, 60)
            assert [one.id for one in by_concept] == expected
            for injection in (
                at_prompt(memory.hot, asked(IN_OTHER_WORDS), project),
                at_file(memory.hot, asked("", "read"), project, "tests/test_gateway.py"),
                at_file(memory.hot, asked(IN_OTHER_WORDS, "edit"), project, "tests/test_gateway.py"),
            ):
                assert [one.candidate.id for one in injection.shown] == expected
            assert [one.candidate.id for one in at_start(memory.hot, asked("", "start"), project).shown] == expected


def project_at(someone: Person, folder: Path) -> Project:
    found = Places(str(someone.home)).project_at(str(folder))
    assert isinstance(found, Project)
    return found


def test_the_same_memory_answers_the_same_prompt_with_the_same_bytes(someone: Person) -> None:
    someone.keeps(*(a_rule(f"mind number {number}", **MOCKING) for number in range(4)), a_rule())

    def told() -> bytes:
        with open_memory(str(someone.home), lambda: NOW) as memory:
            injection = at_prompt(memory.hot, asked(IN_OTHER_WORDS), memory.find_project(someone._project()))
            return block(injection.shown, injection.notes, project="shop", moment="prompt", injection_id=None).encode()

    assert told() == told() != b""


def test_two_processes_tell_the_same_whatever_the_order_of_their_sets(someone: Person) -> None:
    someone.keeps(*(a_rule(f"mind number {number}", **MOCKING) for number in range(4)), a_rule())

    told = [
        someone.hook(
            someone._payload("UserPromptSubmit", f"s{seed}", None) | {"prompt": IN_OTHER_WORDS, "prompt_id": "p"},
            PYTHONHASHSEED=str(seed),
        ).splitlines()[1:]
        for seed in (1, 2, 3)
    ]

    assert told[0] == told[1] == told[2] != []


# When the concepts are looked at


def test_the_concepts_are_opened_only_for_a_prompt_that_passes_the_gate(memory: Memory, counting: Counting) -> None:
    store = Watched(memory, counting)

    for skipped in ("continue", "yes, do it please", " \n", f"<system-reminder>{IN_OTHER_WORDS}</system-reminder>"):
        assert at_prompt(store, asked(skipped), None).skipped
    at_start(store, asked("", "start"), None)
    assert (counting.words, counting.concepts) == (0, 0)

    assert at_prompt(store, asked(IN_OTHER_WORDS), None).skipped == ""
    assert counting.words > 0


def test_a_hook_meets_a_broken_concept_file_only_at_a_prompt_that_passes_the_gate(someone: Person) -> None:
    someone.keeps(a_rule(always_apply=True))
    (someone.home / "concepts.db").write_bytes(b"a note of mine, and no database " * 200)

    assert someone.starts() != ""
    assert someone.says("continue", prompt_id="p1") == ""
    assert log_lines(someone.home) == []

    someone.says(IN_OTHER_WORDS, prompt_id="p2")
    assert [line["program"] for line in log_lines(someone.home)] == ["recall-hook"]
