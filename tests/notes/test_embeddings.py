"""Embeddings: vectors of somebody else's making are checked, kept apart by provider, and never cost us our work."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.notes.embedding import EmbeddingError, embedded, nearness
from agentrecall_storage import embeddings
from agentrecall_storage.embeddings import PROVIDER, Embedded, chosen_provider, embed_missing, find_provider, keep_found
from agentrecall_storage.indexing import notes_to_index
from agentrecall_storage.memory import Memory
from notes.compared import content, stored
from recall.stories import Person


class Lengths:
    """A provider that tells texts apart by their length, and fails where it is told to."""

    def __init__(self, name: str = "lengths", dimension: int = 2, fails_on: str = "") -> None:
        self.name, self.dimension, self.fails_on = name, dimension, fails_on
        self.asked: list[int] = []

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float] | bytes]:
        self.asked.append(len(texts))
        if self.fails_on and any(self.fails_on in text for text in texts):
            raise ConnectionError("no route to host")
        return [[float(len(text)), *[1.0] * (self.dimension - 1)] for text in texts]


class Answers(Lengths):
    """A provider that always gives the same."""

    def __init__(self, answer: Sequence[Sequence[float] | bytes]) -> None:
        super().__init__()
        self.answer = answer

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float] | bytes]:  # noqa: ARG002 -- the interface
        return self.answer


def kept(memory: Memory) -> list[tuple[int, str, int]]:
    found = memory.connection.execute("SELECT note_id, provider, dimension FROM embeddings ORDER BY note_id")
    return [tuple(row) for row in found.fetchall()]


def test_vectors_are_kept_at_length_one_as_floats_of_32_bits() -> None:
    one, other = embedded(Answers([[3.0, 4.0], array("f", [0.0, 2.0]).tobytes()]), ["a", "b"])

    assert list(array("f", one)) == pytest.approx([0.6, 0.8])
    assert list(array("f", other)) == [0.0, 1.0]
    assert nearness(one, other) == pytest.approx(0.8)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param([], id="none"),
        pytest.param([[1.0, 2.0], [1.0, 2.0]], id="too many"),
        pytest.param([[1.0]], id="another dimension"),
        pytest.param([[1.0, math.nan]], id="not a number"),
        pytest.param([[1.0, math.inf]], id="endless"),
        pytest.param([[0.0, 0.0]], id="nowhere"),
        pytest.param([b"123"], id="half a float"),
        pytest.param([["one", "two"]], id="words"),
        pytest.param(None, id="nothing"),
        pytest.param([[1e300, 1.0]], id="beyond 32 bits"),
    ],
)
def test_what_is_no_vector_of_its_dimension_is_an_error_with_a_name(answer: Sequence[Sequence[float]]) -> None:
    with pytest.raises(EmbeddingError, match="lengths"):
        embedded(Answers(answer), ["a"])


@given(st.lists(st.floats(width=32), min_size=2, max_size=2))
def test_any_numbers_are_kept_or_refused(numbers: list[float]) -> None:
    try:
        (vector,) = embedded(Answers([numbers]), ["a"])
    except EmbeddingError:
        return
    assert nearness(vector, vector) == pytest.approx(1.0, abs=1e-3)


def test_notes_are_embedded_in_batches_and_each_once(memory: Memory) -> None:
    for number in range(5):
        stored(memory, content(f"Matter number {number}"))
    provider = Lengths()

    assert embed_missing(memory.connection, provider, batch=2) == Embedded(5)
    assert embed_missing(memory.connection, provider, batch=2) == Embedded(0)

    assert provider.asked == [2, 2, 1]
    assert kept(memory) == [(number, "lengths", 2) for number in range(1, 6)]


def test_another_provider_or_dimension_embeds_anew_and_leaves_no_mixture(memory: Memory) -> None:
    stored(memory, content("Sessions live in Redis"))
    embed_missing(memory.connection, Lengths())

    assert embed_missing(memory.connection, Lengths("other")).stored == 1
    assert kept(memory) == [(1, "other", 2)]
    assert embed_missing(memory.connection, Lengths("other", 3)).stored == 1
    assert kept(memory) == [(1, "other", 3)]


def test_a_batch_that_fails_is_passed_over_and_asked_for_again(memory: Memory) -> None:
    stored(memory, content("Sessions live in Redis"))
    stored(memory, content("Queues run on RabbitMQ"))

    done = embed_missing(memory.connection, Lengths(fails_on="RabbitMQ"), batch=1)

    assert (done.stored, done.skipped) == (1, 1)
    assert "no route to host" in done.why
    assert embed_missing(memory.connection, Lengths(), batch=1) == Embedded(1)


def test_an_edited_note_is_embedded_anew_and_a_dead_one_not_at_all(memory: Memory) -> None:
    note, gone = stored(memory, content("Sessions live in Redis")), stored(memory, content("Old matter"))
    memory.notes.tombstone(gone, by=note.id, reason="old", actor="person")
    embed_missing(memory.connection, Lengths())

    memory.notes.edit(note, content("Sessions live in cookies"), "person")

    assert kept(memory) == []
    assert embed_missing(memory.connection, Lengths()) == Embedded(1)


def test_a_provider_is_found_by_its_entry_point_and_chosen_by_configuration(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = EntryPoint("lengths", "notes.test_embeddings:Lengths", "agentrecall.embeddings")
    monkeypatch.setattr(embeddings, "entry_points", lambda group: [point] if group == "agentrecall.embeddings" else [])

    assert chosen_provider(memory.connection) is None
    memory.connection.execute("INSERT INTO config VALUES (?, 'lengths', '')", (PROVIDER,))
    found = chosen_provider(memory.connection)

    assert found is not None
    assert found.name == "lengths"
    with pytest.raises(EmbeddingError, match="no embedding provider 'other' is installed; there is: lengths"):
        find_provider("other")


def test_a_provider_that_cannot_be_loaded_has_a_name_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("broken", "no_such_module:Provider", "agentrecall.embeddings")
    monkeypatch.setattr(embeddings, "entry_points", lambda group: [point] if group else [])

    with pytest.raises(EmbeddingError, match="'broken' cannot be loaded: ModuleNotFoundError"):
        find_provider("broken")


def test_processing_keeps_notes_found_by_the_index_and_by_the_chosen_provider(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = EntryPoint("lengths", "notes.test_embeddings:Lengths", "agentrecall.embeddings")
    monkeypatch.setattr(embeddings, "entry_points", lambda group: [point] if group else [])
    stored(memory, content("Sessions live in Redis"))
    memory.connection.execute("INSERT INTO config VALUES ('notes_to_index', '2', '')")

    assert keep_found(memory, lambda: True) == Embedded(0)
    assert keep_found(memory) == Embedded(0)
    assert notes_to_index(memory) == 0
    memory.connection.execute("INSERT INTO config VALUES (?, 'lengths', '')", (PROVIDER,))
    assert keep_found(memory) == Embedded(1)
    memory.connection.execute("UPDATE config SET value = 'gone' WHERE key = ?", (PROVIDER,))
    assert "no embedding provider 'gone'" in keep_found(memory).why


def test_process_says_which_provider_is_missing_and_does_the_rest(tmp_path: Path) -> None:
    someone = Person(tmp_path)
    with someone.memory() as memory:
        stored(memory, content("Sessions live in Redis"))
        memory.connection.execute("INSERT INTO config VALUES (?, 'gone', ''), ('notes_to_index', '2', '')", (PROVIDER,))

    done = someone.command("process")

    assert done.exit_code == 0
    assert "notes could not be embedded: no embedding provider 'gone' is installed" in done.stderr
    assert someone.rows("SELECT value FROM config WHERE key = 'notes_to_index'") == [("0",)]
