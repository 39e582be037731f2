"""What a new note is to one that lives, and what becomes of both: no text is lost, and doing it again does nothing."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentrecall_domain.notes.deterministic_judge import DeterministicJudge
from agentrecall_domain.notes.duplicate import TRUSTED, Settled, judge, neighbours, settle, similarity
from agentrecall_domain.notes.judge import NoteVerdict
from agentrecall_domain.notes.note import Note, NoteContent, NoteStatus
from agentrecall_storage.memory import Memory, open_memory
from notes.compared import NOW, ScriptedJudge, a_project, content, everything, pairs, stored

OLD = content("Search runs on Elasticsearch", "Product search runs on Elasticsearch.")
AGAIN = content("Elasticsearch runs the search", "The search of products runs on Elasticsearch.")
MORE = content(
    "Search runs on Elasticsearch on three nodes",
    "Product search runs on Elasticsearch on three nodes, because one node was lost in May.",
)
OTHER = content("Search moved to OpenSearch", "We moved product search from Elasticsearch to OpenSearch.")
TEXTS = [OLD, AGAIN, MORE, OTHER, content("Queues run on RabbitMQ"), content("Queues run on RabbitMQ", "They do.")]


@pytest.mark.parametrize(
    ("new", "verdict"),
    [
        pytest.param(OLD, NoteVerdict.DUPLICATE, id="the same words"),
        pytest.param(AGAIN, NoteVerdict.DUPLICATE, id="in other words"),
        pytest.param(MORE, NoteVerdict.REFINE, id="with more to it"),
        pytest.param(OTHER, NoteVerdict.SUPERSEDE, id="what took its place"),
        pytest.param(content("Search runs on a canary"), NoteVerdict.DISTINCT, id="another place"),
        pytest.param(
            content("Log search runs on Loki", "Log search runs on Loki."), NoteVerdict.DISTINCT, id="another search"
        ),
    ],
)
def test_a_new_note_is_compared_by_what_it_says(new: NoteContent, verdict: NoteVerdict) -> None:
    assert judge(OLD, new) is verdict


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("Use tabs, never spaces", "Use spaces, never tabs", id="the other way round"),
        pytest.param("The importer drops empty rows", "The importer does not drop empty rows", id="denied"),
        pytest.param("The sandbox rejects test cards", "The sandbox accepts test cards", id="the contrary"),
        pytest.param("The worker starts before the queue", "The worker starts after the queue", id="another order"),
    ],
)
def test_the_contrary_in_the_same_words_is_no_repetition(old: str, new: str) -> None:
    assert judge(content(old), content(new)) not in {NoteVerdict.DUPLICATE, NoteVerdict.REFINE}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("Redis is published on port 6380", "In CI Redis is published on port 6399", id="a place"),
        pytest.param("The gateway gives up after 30 s", "The gateway gives up after 120 s for uploads", id="a case"),
        pytest.param("The order service emits OrderPaid", "The order service now also emits OrderShipped", id="also"),
        pytest.param("Tiles are cached for 7 days", "Android caches tiles for 7 days", id="a platform"),
        pytest.param("The job is retried 5 times", "The mail job is retried 2 times now", id="one of many"),
    ],
)
def test_what_holds_in_a_narrower_case_takes_nothings_place(old: str, new: str) -> None:
    assert judge(content(old), content(new)) is NoteVerdict.DISTINCT


NOUNS = ("parcel", "wallet", "calendar", "sitemap")


@pytest.mark.parametrize("noun", NOUNS)
def test_the_same_told_of_another_thing_is_distinct(noun: str) -> None:
    """Each note with the word that its title and body turn about replaced: of none may the old one be lost."""
    changed = 0
    for _, _, old, new in pairs("tuned/note_pairs.json"):
        for note in (old, new):
            for word in set(re.findall(r"[a-z]{6,}", note.title)) & set(re.findall(r"[a-z]{6,}", note.body)):
                other = content(
                    re.sub(rf"\b{word}\w*", noun, note.title), re.sub(rf"\b{word}\w*", noun, note.body), type=note.type
                )
                changed += judge(note, other) is not NoteVerdict.DISTINCT and not _says_little(word)
    assert changed == 0


def _says_little(word: str) -> bool:
    return similarity(content("alpha beta gamma"), content(f"alpha beta gamma {word}")) > 0.99


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200), st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_two_texts_can_be_compared(title: str, body: str, other_title: str, other_body: str) -> None:
    one, other = (
        content("x", "y").model_copy(update={"title": title, "body": body}),
        content("x", "y").model_copy(update={"title": other_title, "body": other_body}),
    )

    assert judge(one, other) in NoteVerdict
    assert 0.0 <= similarity(one, other) <= 1.0
    assert similarity(one, other) == similarity(other, one)
    assert judge(one, one) is NoteVerdict.DUPLICATE


def test_very_long_notes_are_compared_within_reason() -> None:
    long = "@" * 500 + " not " * 700

    assert judge(content("long", long), content("long too", long)) in NoteVerdict


# Settling


def _settle(memory: Memory, new: Note, verdict: NoteVerdict | None = None) -> Settled:
    return settle(new, memory.notes, ScriptedJudge(verdict))


def test_two_distinct_notes_both_live(memory: Memory) -> None:
    old, new = stored(memory, OLD), stored(memory, AGAIN)

    settled = _settle(memory, new, NoteVerdict.DISTINCT)

    assert settled == Settled(new.id, lives=True)
    assert [(row["verdict"], row["action"]) for row in memory.notes.verdicts_of(new.id)] == [("distinct", "keep both")]
    assert memory.notes.get(old.id) == old


def test_a_duplicate_is_tombstoned_and_keeps_its_text_and_the_link(memory: Memory) -> None:
    old, new = stored(memory, OLD), stored(memory, AGAIN)

    settled = _settle(memory, new)

    gone = memory.notes.get(new.id)
    assert settled == Settled(new.id, lives=False, tombstoned=(new.id,))
    assert (gone.status, gone.tombstoned_by_id, gone.content) == (NoteStatus.TOMBSTONED, old.id, AGAIN)
    assert memory.notes.get(old.id) == old


def test_an_exact_repetition_needs_no_judge(memory: Memory) -> None:
    old = stored(memory, OLD)
    again = stored(memory, content("  search runs on ELASTICSEARCH", OLD.body, confidence=0.9))
    judged = ScriptedJudge(NoteVerdict.DISTINCT)

    assert neighbours(again, None, memory.notes) == []
    settle(again, memory.notes, judged)

    assert judged.asked == []
    assert memory.notes.get(again.id).tombstoned_by_id == old.id
    assert [row["judge"] for row in memory.notes.verdicts_of(again.id)] == ["exact"]


def test_what_refines_a_note_takes_its_place_and_is_trusted_more(memory: Memory) -> None:
    old, new = stored(memory, OLD.model_copy(update={"confidence": 0.9})), stored(memory, MORE)

    settled = _settle(memory, new)

    assert settled.tombstoned == (old.id,)
    assert memory.notes.get(old.id).tombstoned_by_id == new.id
    assert memory.notes.get(new.id).confidence == pytest.approx(0.95)


@pytest.mark.parametrize(
    ("confidence", "status"), [(TRUSTED - 0.01, NoteStatus.TOMBSTONED), (TRUSTED, NoteStatus.LIVE)], ids=["not", "is"]
)
def test_what_supersedes_a_trusted_note_asks_a_person(memory: Memory, confidence: float, status: NoteStatus) -> None:
    old, new = stored(memory, OLD.model_copy(update={"confidence": confidence})), stored(memory, OTHER)

    _settle(memory, new)

    assert memory.notes.get(old.id).status is status
    assert memory.notes.get(new.id).status is NoteStatus.LIVE
    assert [flag["other_id"] for flag in memory.notes.open_flags()] == [old.id] * (status is NoteStatus.LIVE)


def test_a_note_that_was_said_before_another_gives_way_to_it(memory: Memory) -> None:
    """Backfill reads the newest session first: what it stores later was said earlier."""
    newer = stored(memory, OTHER.model_copy(update={"valid_from": NOW}))
    older = stored(memory, OLD.model_copy(update={"valid_from": NOW - timedelta(days=90)}))

    _settle(memory, older)

    assert memory.notes.get(newer.id).status is NoteStatus.LIVE
    assert memory.notes.get(older.id).tombstoned_by_id == newer.id


def test_a_trusted_note_that_was_said_before_another_waits_for_a_person(memory: Memory) -> None:
    newer = stored(memory, OTHER)
    older = stored(memory, OLD.model_copy(update={"valid_from": NOW - timedelta(days=90), "confidence": 0.8}))

    settled = _settle(memory, older)

    assert settled == Settled(older.id, lives=True, flagged=(older.id,))
    assert [(flag["note_id"], flag["other_id"]) for flag in memory.notes.open_flags()] == [(newer.id, older.id)]


def test_what_a_person_took_out_is_not_revived_by_being_said_again(memory: Memory) -> None:
    old = memory.notes.tombstone(stored(memory, OLD), by=None, reason="wrong", actor="person")

    _settle(memory, stored(memory, AGAIN))

    assert memory.notes.list(project_id=None, everywhere=True) == []
    assert memory.notes.get(old.id) == old


def test_what_gave_way_to_another_note_may_be_said_again(memory: Memory) -> None:
    old, new = stored(memory, OLD), stored(memory, OTHER)
    _settle(memory, new)
    back = stored(memory, content("Search runs on Elasticsearch again", "Product search runs on Elasticsearch again."))

    settled = _settle(memory, back)

    assert memory.notes.get(old.id).status is NoteStatus.TOMBSTONED
    assert settled.lives


def test_notes_of_two_projects_never_meet(memory: Memory) -> None:
    shop, infra = a_project(memory), a_project(memory, "infra")
    one, other, everywhere = (stored(memory, OLD, project) for project in (shop, infra, None))

    for note in (one, other, everywhere):
        assert _settle(memory, note, NoteVerdict.DUPLICATE) == Settled(note.id, lives=True)


def test_a_lower_threshold_lets_a_judge_compare_more(memory: Memory) -> None:
    stored(memory, content("Queues of orders run on RabbitMQ", "The shop keeps its queues of orders on RabbitMQ."))
    new = content("RabbitMQ delays messages by a plugin", "Delayed messages need a plugin that ops installs.")

    assert neighbours(new, None, memory.notes) == []
    memory.connection.execute("INSERT INTO config VALUES ('dedup_threshold', '0.2', '')")
    assert len(neighbours(new, None, memory.notes)) == 1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(
            st.integers(0, len(TEXTS) - 1),
            st.sampled_from([0.5, 0.9]),
            st.integers(-3, 3),
            st.sampled_from([None, *NoteVerdict]),
        ),
        max_size=6,
    )
)
def test_no_sequence_of_notes_loses_text_and_settling_again_does_nothing(steps: list[tuple[Any, ...]]) -> None:
    with TemporaryDirectory() as folder, open_memory(str(Path(folder) / "memory"), lambda: NOW) as memory:
        said: dict[int, NoteContent] = {}
        for which, confidence, after, verdict in steps:
            text = TEXTS[which].model_copy(update={"confidence": confidence, "valid_from": NOW + timedelta(days=after)})
            note = stored(memory, text)
            said[note.id] = text
            with memory.writing():
                settle(note, memory.notes, ScriptedJudge(verdict))
            before = everything(memory)
            settle(memory.notes.get(note.id), memory.notes, ScriptedJudge(verdict))
            assert everything(memory) == before

        for note_id, text in said.items():
            kept = memory.notes.get(note_id)
            assert (kept.title, kept.body) == (text.title, text.body)
            if kept.tombstoned_by_id is not None:
                assert memory.notes.find(kept.tombstoned_by_id) is not None
        # Whoever follows the links comes to a note that lives.
        for note_id in said:
            assert _end_of(memory, note_id).status is NoteStatus.LIVE


def _end_of(memory: Memory, note_id: int) -> Note:
    seen: set[int] = set()
    note = memory.notes.get(note_id)
    while note.tombstoned_by_id is not None and note.id not in seen:
        seen.add(note.id)
        note = memory.notes.get(note.tombstoned_by_id)
    return note


def test_the_deterministic_judge_compares_as_the_check_does(memory: Memory) -> None:
    judged = DeterministicJudge()

    assert judged.name == "deterministic"
    assert judged.compare(stored(memory, OLD), MORE) is NoteVerdict.REFINE
