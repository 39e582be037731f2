"""Notes as stored: nothing that a note said is ever lost, and its neighbours are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentrecall_domain.notes.note import LONGEST_TITLE, NoteStatus, NoteType
from agentrecall_storage import indexing
from agentrecall_storage.memory import Memory, open_memory
from agentrecall_storage.notes import NoteNotFoundError
from agentrecall_storage.review_items import ACCEPTED, OPEN
from notes.compared import NOW, SPAN, a_project, content, everything, stored

SAID = content("Sessions live in Redis", "We keep user sessions in Redis.")


def test_a_note_is_read_back_as_it_was_stored(memory: Memory) -> None:
    project = a_project(memory)

    note = stored(memory, SAID, project, sources=(SPAN,))

    assert memory.notes.get(note.id) == note
    assert note.content == SAID
    assert (note.label, note.status, note.version, note.project_id) == ("N1", NoteStatus.LIVE, 1, project)
    assert note.sources == (SPAN,)


def test_a_note_that_is_not_there_has_a_name_for_that(memory: Memory) -> None:
    assert memory.notes.find(7) is None
    with pytest.raises(NoteNotFoundError):
        memory.notes.get(7)


def test_secrets_and_private_spans_reach_no_column(memory: Memory) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"[:36]
    said = content(f"The token is {secret}", f"Use {secret} <private>and my diary</private>", prompt=f"is it {secret}?")

    note = stored(memory, said, sources=(SPAN.model_copy(update={"span": f"it is {secret}"}),))
    memory.notes.tombstone(note, by=None, reason=f"it was {secret}", actor="person")

    kept = str(everything(memory))
    assert secret not in kept
    assert "diary" not in kept


def test_each_change_keeps_the_old_state_and_a_ledger_row(memory: Memory) -> None:
    note = stored(memory, SAID)
    note = memory.notes.raise_confidence(note, 0.1, "said again", "deterministic")
    note = memory.notes.edit(note, content("Sessions live in cookies"), "person")
    note = memory.notes.tombstone(note, by=None, reason="wrong", actor="person")
    note = memory.notes.restore(note, "person")

    assert [row["version"] for row in memory.notes.versions(note.id)] == [1, 2, 3, 4]
    assert memory.notes.versions(note.id)[1]["state"]["title"] == SAID.title
    assert [row["kind"] for row in memory.notes.events_of(note.id)] == [
        "NoteCreated",
        "NoteUpdated",
        "NoteUpdated",
        "NoteTombstoned",
        "NoteRestored",
    ]
    assert (note.version, note.status, note.tombstone_reason) == (5, NoteStatus.LIVE, "")


def test_a_change_of_a_note_that_was_changed_meanwhile_loses_neither(memory: Memory) -> None:
    stale = stored(memory, SAID)
    memory.notes.edit(stale, content("Sessions live in cookies"), "person")

    memory.notes.tombstone(stale, by=None, reason="wrong", actor="person")

    assert [row["state"]["title"] for row in memory.notes.versions(stale.id)] == [
        SAID.title,
        "Sessions live in cookies",
    ]


def test_what_changes_nothing_leaves_no_version(memory: Memory) -> None:
    note = stored(memory, content("Sessions live in Redis", confidence=0.95))

    memory.notes.restore(note, "person")
    memory.notes.raise_confidence(note, 0.2, "again", "deterministic")
    gone = memory.notes.tombstone(note, by=None, reason="wrong", actor="person")
    again = memory.notes.tombstone(note, by=None, reason="another reason", actor="person")

    assert again == gone
    assert len(memory.notes.versions(note.id)) == 1


def test_notes_are_listed_newest_first_by_project_and_type(memory: Memory) -> None:
    shop, infra = a_project(memory), a_project(memory, "infra")
    here = stored(memory, SAID, shop)
    everywhere = stored(memory, content("Tabs, please", type=NoteType.PREFERENCE))
    there = stored(memory, content("Terraform state is in S3"), infra)
    gone = memory.notes.tombstone(stored(memory, content("Old matter"), shop), by=here.id, reason="old", actor="person")
    listed = memory.notes.list

    assert listed(project_id=shop, everywhere=False) == [everywhere, here]
    assert listed(project_id=None, everywhere=True) == [there, everywhere, here]
    assert listed(project_id=shop, everywhere=False, types=["preference"]) == [everywhere]
    assert listed(project_id=shop, everywhere=False, limit=1) == [everywhere]
    assert listed(project_id=shop, everywhere=False, tombstoned=True) == [gone]


def test_neighbours_are_live_notes_of_the_same_project_the_nearest_first(memory: Memory) -> None:
    shop, infra = a_project(memory), a_project(memory, "infra")
    near = stored(memory, content("Login sessions are kept in Redis"), shop)
    far = stored(memory, content("Redis evicts keys without a TTL"), shop)
    stored(memory, SAID, infra)
    stored(memory, SAID)
    memory.notes.tombstone(stored(memory, SAID, shop), by=near.id, reason="duplicate", actor="deterministic")

    assert memory.notes.alike(SAID, shop) == [near, far]
    assert memory.notes.alike(content("?!"), shop) == []


def test_a_synonym_finds_a_note(memory: Memory) -> None:
    note = stored(memory, content("The database is backed up at night"))

    assert memory.notes.alike(content("DB backups"), None) == [note]


def test_a_note_is_found_among_many_that_share_its_words(memory: Memory) -> None:
    with memory.writing():
        for number in range(900):
            about = "The queue worker retries job" if number % 3 == 0 else "The parcel service prints label"
            stored(memory, content(f"{about} {number}", f"{about} {number}, as ticket {number + 1000} says."))
        wanted = stored(memory, content("The queue worker retries a job", "The worker of the queue retries each job."))

    assert memory.notes.alike(wanted, None, most=3)[0] == wanted


def test_a_question_about_two_notes_waits_until_a_person_settles_it(memory: Memory) -> None:
    old, new = stored(memory, SAID), stored(memory, content("Sessions live in cookies"))

    item = memory.notes.flag(new.id, old.id, "N1 is trusted")

    assert memory.notes.open_flags() == [
        {"id": item, "kind": "supersede", "note_id": new.id, "other_id": old.id, "why": "N1 is trusted"}
    ]
    memory.notes.settle(item, ACCEPTED)
    assert memory.notes.open_flags() == []
    assert [row["kind"] for row in memory.notes.events_of(new.id)] == ["NoteCreated", "ReviewAsked", "ReviewSettled"]
    assert OPEN != ACCEPTED


def test_notes_are_indexed_anew_in_batches_and_found_by_the_old_index_until_then(tmp_path: Path) -> None:
    with open_memory(str(tmp_path / "memory"), lambda: NOW) as memory:
        notes = [stored(memory, content(f"Matter number {number} of the parcel service")) for number in range(5)]
        memory.connection.execute("UPDATE notes SET title_terms = 'stale', terms = 'stale parcel', vector = x''")
        memory.connection.execute("UPDATE config SET value = '0:0' WHERE key = ?", (indexing.KEY,))

        indexing.reindex(memory)
        assert indexing.reindex_notes(memory, 2) == notes[3].id
        assert _found(memory, "matter") == [notes[3].id, notes[4].id]
        assert len(_found(memory, "parcel")) == 5
        assert indexing.reindex_notes(memory) == 0

        assert len(_found(memory, "matter")) == 5
        assert _found(memory, "stale") == []


def test_opening_a_memory_whose_index_is_old_brings_the_notes_up_to_date_too(tmp_path: Path) -> None:
    with open_memory(str(tmp_path / "memory"), lambda: NOW) as memory:
        stored(memory, SAID)
        memory.connection.execute("UPDATE notes SET terms = 'stale'")
        memory.connection.execute("UPDATE config SET value = '0:0' WHERE key = ?", (indexing.KEY,))

    with open_memory(str(tmp_path / "memory"), lambda: NOW) as memory:
        assert _found(memory, "redis") == [1]
        assert indexing.notes_to_index(memory) == 0


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=st.text(max_size=LONGEST_TITLE), body=st.text(max_size=300), prompt=st.text(max_size=80))
def test_whatever_a_note_says_it_can_be_stored_and_looked_for(
    memory: Memory, title: str, body: str, prompt: str
) -> None:
    said = content(title, body or "-", prompt=prompt)

    note = stored(memory, said)

    assert memory.notes.get(note.id) == note
    memory.notes.alike(said, None)


def _found(memory: Memory, word: str) -> list[Any]:
    rows = memory.connection.execute("SELECT rowid FROM notes_fts WHERE notes_fts MATCH ? ORDER BY rowid", (word,))
    return [note_id for (note_id,) in rows]
