"""`agentrecall recall` with a chosen provider: notes of other words are shown, a failure costs its vectors alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from agentrecall_domain.recall.note_ranking import LEXICAL_WEIGHT, NoteSettings, RankedNote, rank_notes
from agentrecall_domain.recall.ranking import Query
from agentrecall_domain.recall.semantic_track import (
    WORTH,
    WORTH_WHERE_WORDS_FAIL,
    SemanticTrack,
    likeness,
    words_share,
)
from agentrecall_storage.embeddings import embed_missing
from agentrecall_storage.memory import Memory
from agentrecall_storage.note_vectors import semantic_track
from notes.compared import NOW, content, stored
from recall.meanings import Meanings, NoNumbers, OnlyOnce, OtherDimension, Unloadable, choose, installed
from recall.stories import Person

STATE = "where is what we know of logged-in people kept"


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    """Somebody with two notes and their vectors."""
    person = Person(tmp_path)
    with person.memory() as memory:
        stored(memory, content("Sessions live in Redis", "Sessions live in Redis, since sticky cookies broke."))
        stored(memory, content("Uploads go to the bucket", "Uploads go straight to the bucket, signed."))
        embed_missing(memory.connection, Meanings())
    return person


def recalled(someone: Person, text: str, *arguments: str) -> Any:
    done = someone.command("recall", text, "--json", *arguments)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_a_chosen_provider_shows_notes_of_other_words(someone: Person) -> None:
    assert recalled(someone, STATE) == []

    with installed(Meanings):
        assert someone.command("config", "set", "embedding_provider", "meanings").exit_code == 0
        assert [one["label"] for one in recalled(someone, STATE)] == ["N1"]
        explained = recalled(someone, STATE, "--explain")

    near = {one["label"]: (one["shown"], one["semantic"] > 1.0, one["lexical"]) for one in explained}
    assert near == {"N1": (True, True, 0.0), "N2": (False, False, 0.0)}


@pytest.mark.parametrize("provider", [OnlyOnce, NoNumbers, OtherDimension, Unloadable])
def test_a_provider_that_fails_costs_its_vectors_and_nothing_else(someone: Person, provider: type[Meanings]) -> None:
    asked = ("recall", "do uploads go straight to the bucket", "--json")
    before = someone.command(*asked)
    choose(someone)

    with installed(provider):
        after = someone.command(*asked)

    assert (after.exit_code, after.stdout) == (0, before.stdout)
    assert [one["label"] for one in json.loads(before.stdout)] == ["N2"]
    assert "notes are found without the vectors of the chosen provider" in after.stderr


def test_a_provider_that_ends_the_program_ends_nothing(someone: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(someone)
    monkeypatch.setattr(Meanings, "embed", lambda *_: sys.exit(7))

    with installed(Meanings):
        done = someone.command("recall", "do uploads go straight to the bucket", "--json")

    assert [one["label"] for one in json.loads(done.stdout)] == ["N2"]
    assert (done.exit_code, "SystemExit: 7" in done.stderr) == (0, True)


def test_only_notes_without_a_vector_keep_what_their_concepts_say(memory: Memory) -> None:
    for title in ("Sessions live in Redis", "Charges are dated in UTC"):
        stored(memory, content(title))
    embed_missing(memory.connection, Meanings())
    stored(memory, content("Cookies came later"))
    track = semantic_track(memory.connection, Meanings(), "logged-in", None)
    late = memory.hot.notes.weightiest(None, 3)

    ranked = rank_notes(
        track.beside([one for one in late if one.id == 3]),
        Query(["logged-in"]),
        {},
        NoteSettings(),
        project_id=None,
        at=NOW.timestamp(),
        semantic=track.weigh,
    )

    assert {one.candidate.id: one.semantic for one in ranked} == {
        1: likeness(track.cosines[1]),
        2: likeness(track.cosines[2]),
        3: 0.0,
    }


@pytest.mark.parametrize(
    ("by_words", "worth"),
    [
        pytest.param([], WORTH_WHERE_WORDS_FAIL, id="nothing is said by words"),
        pytest.param([0.0, 0.0], WORTH_WHERE_WORDS_FAIL, id="no words are found"),
        pytest.param([1.0] * 10, WORTH_WHERE_WORDS_FAIL, id="common words"),
        pytest.param([1.0] + [0.2] * 20, WORTH, id="one stands out"),
        pytest.param([1.0, 0.9], WORTH, id="few have any"),
        pytest.param([0.25], (WORTH + WORTH_WHERE_WORDS_FAIL) / 2, id="few have any, and little"),
    ],
)
def test_words_count_more_where_they_single_a_note_out(by_words: list[float], worth: float) -> None:
    share = words_share(LEXICAL_WEIGHT, by_words)

    assert share == pytest.approx(LEXICAL_WEIGHT / (LEXICAL_WEIGHT + worth * (1 - LEXICAL_WEIGHT)))
    assert (words_share(0.0, by_words), words_share(1.0, by_words)) == (0.0, 1.0)


def test_a_track_of_nothing_changes_nothing() -> None:
    ranked: list[RankedNote] = []

    assert SemanticTrack([], {}).weigh(ranked, 1.0) == 1.0
    assert SemanticTrack([], {}).beside([]) == []
