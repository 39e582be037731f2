"""Concept files: what a person may write, what we ship, and what becomes of a person's own beside the memory."""

from __future__ import annotations

import os
import shutil
import stat
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentrecall_domain.text.concept_file import LANGUAGES, LONGEST_FORM, Concept, Fault, read
from agentrecall_domain.text.concept_graph import BACK, DOWN, MOST_CLAIMS, UP, Graph, build, shipped
from agentrecall_domain.text.concept_index import compiled
from agentrecall_storage.concept_file import write
from agentrecall_storage.concepts import SHIPPED, ConceptIndex
from agentrecall_storage.files.own_concepts import append, own, own_path, refresh, shipped_by_file

FAULTY = """\
# Mine.
deploy-freeze: deploy freeze, code freeze
  is-a: release
  related: deployment 0.6
  telling: 0.6
  de: Freigabestopp

harbour-gate: harbour gate
  related: deploy-freeze 0.4

# Below stands what no one can read.
  related: deploy-freeze 7
harbour-pilot: harbour pilot
"""


def graph_of(text: str) -> Graph:
    found = read(text)
    assert found.faults == []
    return build(found.concepts)


def version(home: Path) -> str:
    with closing(ConceptIndex(str(home))) as index:
        return index.version()


@pytest.fixture(scope="module")
def ours() -> Graph:
    return build(shipped())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A memory's home, with nothing in it."""
    made = tmp_path / "memory"
    made.mkdir()
    return made


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("own") / "memory"
    append(str(made), "harbour-gate: harbour gate\n")
    assert refresh(str(made)) is True
    return made


@pytest.fixture
def with_own(tmp_path: Path, compiled_once: Path) -> Path:
    """A memory's home, with a concept of one's own that is compiled already."""
    return Path(shutil.copytree(compiled_once, tmp_path / "with-own"))


# What a person may write


def test_a_concept_is_read_as_it_is_written() -> None:
    (concept, other, _), faults = read(FAULTY)

    assert faults == [Fault(12, "'deploy-freeze 7' is no relation: write a name and a weight, as 'mock 0.6'")]
    assert (concept.name, concept.line) == ("deploy-freeze", 2)
    assert concept.forms == ["deploy freeze", "code freeze", "Freigabestopp"]
    assert (concept.is_a, concept.related, concept.telling) == (["release"], {"deployment": 0.6}, 0.6)
    assert (other.related, other.telling) == ({"deploy-freeze": 0.4}, 1.0)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        pytest.param("deploy freeze", "no colon", id="no colon"),
        pytest.param("Deploy_Freeze: x", "is no name", id="no name"),
        pytest.param("deploy-: x", "is no name", id="a hyphen at the end"),
        pytest.param("  broader: release", "is no key", id="no key"),
        pytest.param("  is-a: The Release", "is no name", id="a broader concept that is no name"),
        pytest.param("  related: mock", "is no relation", id="a relation without a weight"),
        pytest.param("  related: mock 0", "is no relation", id="a relation of no weight"),
        pytest.param("  related: mock 1.5", "is no relation", id="a relation of too much weight"),
        pytest.param("  telling: much", "is no number", id="no number"),
        pytest.param("  telling: -1", "is no number", id="a number under 0"),
        pytest.param(f"  de: {'x' * (LONGEST_FORM + 1)}", "too long", id="a form that is a page"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_and_the_rest_is_loaded(line: str, problem: str) -> None:
    found = read("\n" * 10 + f"mine: my word\n{line}\n  de: mein Wort\nother: another word\n")

    at, why = found.faults[0]
    assert at == 12
    assert problem in why
    names = [concept.name for concept in found.concepts]
    assert [names[0], names[-1]] == ["mine", "other"]


def test_a_line_under_no_concept_is_named() -> None:
    assert [fault.line for fault in read("  de: Wort\nNo Name: x\n  de: Wort\n").faults] == [1, 2, 3]


def test_said_again_a_concept_goes_on() -> None:
    (concept,), _ = read("mine: one, two\nmine: two, three\n  mine: four\n")

    assert concept.forms == ["one", "two", "three", "four"]


LINES = st.lists(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(
            ["a: b", "  is-a: a", "a: b, c", "  related: a 0.5", " telling: 1", "# x", "", "  de:", ":", "a:"]
        ),
        st.builds("  {}: {}".format, st.sampled_from([*LANGUAGES, "is-a", "related", "telling"]), st.text(max_size=30)),
    ),
    max_size=30,
).map("\n".join)


@given(text=st.one_of(LINES, st.text()))
@example(text="a: b\n  is-a: a\n  related: a 1\n")
@example(text="a: b\n  is-a: c\nc: d\n  is-a: a\n")
@example(text="\ufeffa: b\r\n\x0b  is-a\x00: c\u2028d: e\ud800")
def test_any_text_is_read_built_and_compiled(text: str) -> None:
    found = read(text)
    last = len(text.splitlines())

    assert all(1 <= fault.line <= last and fault.problem for fault in found.faults)
    assert len({concept.name for concept in found.concepts}) == len(found.concepts)
    graph = build(found.concepts)
    assert all(0 < weight <= 1 for links in graph.links.values() for weight in links.values())
    assert {number for number, _, _ in compiled(graph).concepts} == set(range(1, len(graph.concepts) + 1))


# What becomes of it


def test_neighbours_are_reached_both_ways_and_over_one_step_between() -> None:
    links = graph_of("a: aa\n  is-a: b\nb: bb\n  related: c 0.6\nc: cc\nd: dd\n").links

    assert links["a"] == {"b": UP, "c": pytest.approx(UP * 0.6)}
    assert links["b"] == {"a": DOWN, "c": 0.6}
    assert links["c"] == {"b": pytest.approx(0.6 * BACK)}
    assert links["d"] == {}


def test_a_circle_of_broader_concepts_is_broken_and_told() -> None:
    graph = graph_of("a: aa\n  is-a: b\nb: bb\n  is-a: c\nc: cc\n  is-a: a\n")

    assert graph.problems == ["'c' is-a 'a' closes a cycle"]
    assert graph.concepts["c"].is_a == []
    assert graph.concepts["a"].is_a == ["b"]


def test_a_name_of_no_concept_is_told_and_left_out() -> None:
    graph = graph_of("a: aa\n  is-a: nowhere\n  related: never 0.5\n")

    assert len(graph.problems) == 2
    assert (graph.concepts["a"].is_a, graph.concepts["a"].related) == ([], {})


def test_a_form_says_less_the_more_concepts_claim_it_and_nothing_for_five() -> None:
    def weights(concepts: int) -> list[float]:
        graph = graph_of("".join(f"c{number}: shared harbour\n" for number in range(concepts)))
        return list(graph.forms.get(("share", "harbour"), {}).values())

    told = [weights(concepts)[0] for concepts in range(1, MOST_CLAIMS + 1)]
    assert told == sorted(told, reverse=True)
    assert weights(MOST_CLAIMS + 1) == []


def test_a_concept_named_in_two_files_is_one() -> None:
    one, other = read("a: aa\n  telling: 0.4\n").concepts, read("a: bb\n  is-a: b\nb: cc\n").concepts

    merged = build([*one, *other]).concepts["a"]

    assert (merged.forms, merged.is_a, merged.telling) == (["aa", "bb"], ["b"], 0.4)


# What we ship


def test_what_we_ship_is_large_and_has_no_fault(ours: Graph) -> None:
    assert ours.problems == []
    assert len(ours.concepts) >= 300
    assert sum(len(concept.forms) for concept in ours.concepts.values()) >= 2_500


def test_every_concept_of_ours_is_named_once_over_all_files_and_has_forms() -> None:
    by_file = shipped_by_file()

    names = Counter(concept.name for found in by_file.values() for concept in found)
    assert [name for name, count in names.items() if count > 1] == []
    assert [concept.name for found in by_file.values() for concept in found if not concept.forms] == []


def test_no_concept_of_ours_stands_alone(ours: Graph) -> None:
    assert [name for name, near in ours.links.items() if not near] == []


def test_no_concept_of_ours_is_broader_than_itself_over_any_way(ours: Graph) -> None:
    def above(name: str, seen: frozenset[str]) -> bool:
        return any(one in seen or above(one, seen | {one}) for one in ours.concepts[name].is_a)

    assert [name for name in ours.concepts if above(name, frozenset({name}))] == []


def test_no_form_of_ours_is_claimed_by_five(ours: Graph) -> None:
    assert max(len(named) for named in ours.forms.values()) <= MOST_CLAIMS


def test_the_compiled_file_says_what_the_text_files_say(ours: Graph) -> None:
    index = compiled(ours)

    with closing(ConceptIndex("")) as shipped_index:
        assert shipped_index.version() == index.version, "run: python -m agentrecall_storage.concept_file"
        assert shipped_index.names() == {number: name for number, name, _ in index.concepts}
        for word, vector, forms in index.words[:: len(index.words) // 200]:
            assert shipped_index.of_word(word) == (vector, forms)
    assert compiled(build(shipped())) == index


# A person's own, beside the memory


def test_without_a_file_of_ones_own_ours_is_read_and_nothing_is_made(folder: Path) -> None:
    assert refresh(str(folder)) is False
    assert list(folder.iterdir()) == []
    assert version(folder) == version(folder.parent)


def test_a_file_of_ones_own_is_compiled_together_with_ours(with_own: Path) -> None:
    assert refresh(str(with_own)) is False
    with closing(ConceptIndex(str(with_own))) as index:
        names = set(index.names().values())
        assert index.of_word("harbour") is not None
    assert {"harbour-gate", "flaky-test"} <= names
    assert sorted(path.name for path in with_own.iterdir()) == ["concepts.db", "concepts.txt"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in with_own.iterdir()} == {0o600}


def test_a_file_that_was_changed_is_compiled_anew_whatever_its_time(with_own: Path) -> None:
    own_file = Path(own_path(str(with_own)))
    before, times = version(with_own), own_file.stat()

    own_file.write_text("harbour-gate: harbour goat\n")
    os.utime(own_file, ns=(times.st_atime_ns, times.st_mtime_ns))

    assert refresh(str(with_own)) is True
    assert version(with_own) != before


def test_a_file_compiled_with_an_older_graph_of_ours_is_compiled_anew(with_own: Path) -> None:
    older = compiled(build([*shipped()[:3], *own(str(with_own)).concepts]))
    write(older, str(with_own / "concepts.db"))

    assert refresh(str(with_own)) is True
    assert version(with_own) != older.version


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(b"", id="empty"),
        pytest.param(Path(SHIPPED).read_bytes()[:5000], id="half of one"),
    ],
)
def test_a_damaged_compiled_file_is_made_anew(with_own: Path, damage: bytes) -> None:
    (with_own / "concepts.db").write_bytes(damage)

    assert refresh(str(with_own)) is True
    assert refresh(str(with_own)) is False


def test_when_ones_own_file_is_gone_ours_alone_is_read_again(with_own: Path) -> None:
    Path(own_path(str(with_own))).unlink()

    assert refresh(str(with_own)) is True
    assert list(with_own.iterdir()) == []


def test_a_file_of_ones_own_that_cannot_be_read_leaves_what_was_compiled(with_own: Path) -> None:
    before = version(with_own)
    Path(own_path(str(with_own))).unlink()
    Path(own_path(str(with_own))).mkdir()

    assert refresh(str(with_own)) is False
    assert version(with_own) == before


def test_lines_that_are_no_utf_8_are_named_and_the_rest_is_loaded(folder: Path) -> None:
    Path(own_path(str(folder))).write_bytes(b"\xef\xbb\xbfmine: one\r\nother: caf\xe9, two\r\nlast: three\r\n")

    mine = own(str(folder))

    assert mine.faults == [Fault(2, "is not UTF-8")]
    assert [(one.name, one.forms[-1]) for one in mine.concepts] == [
        ("mine", "one"),
        ("other", "two"),
        ("last", "three"),
    ]


def test_what_is_added_begins_a_line_of_its_own(folder: Path) -> None:
    Path(own_path(str(folder))).write_text("mine: one")

    append(str(folder), "other: two\n")

    assert own_names(folder) == ["mine", "other"]


def own_names(folder: Path) -> list[str]:
    found: list[Concept] = own(str(folder)).concepts
    return [concept.name for concept in found]
