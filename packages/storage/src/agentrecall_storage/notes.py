"""Notes as stored: entity in, entity out, every change a version and a ledger row. Cold."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any, TypeAlias

from agentrecall_domain.notes.judge import NoteVerdict
from agentrecall_domain.notes.note import LONGEST_BODY, LONGEST_PROMPT, LONGEST_TITLE, Note, NoteContent, NoteStatus
from agentrecall_domain.notes.note import Source as NoteSource
from agentrecall_domain.notes.note_vector import note_vector
from agentrecall_domain.rules.duplicate import JUDGED
from agentrecall_domain.rules.rule_vector import tokens
from agentrecall_domain.text.concept_vector import stored
from agentrecall_domain.text.scrub import scrub, scrub_up_to
from agentrecall_storage import ledger
from agentrecall_storage.concepts import ConceptIndex
from agentrecall_storage.embeddings import forget_embeddings
from agentrecall_storage.engine import sqlite
from agentrecall_storage.hot import HotStore
from agentrecall_storage.neighbours import nearest
from agentrecall_storage.review_items import OPEN
from agentrecall_storage.rows import insert, rows, update

Notes: TypeAlias = list[Note]
"""Many notes; inside the store `list` is the name of what lists them."""
Rows: TypeAlias = list[dict[str, Any]]

SUPERSEDE = "supersede"
"""The kind of a pair that waits for a person: the newer note would take the place of a trusted one."""
MOST_CONFIDENT = 0.95
MOST_NAMED = 500
"""So many notes are named one by one when their sources are read."""


class NoteNotFoundError(LookupError):
    """No note has this id."""

    def __init__(self, note_id: int) -> None:
        super().__init__(note_id)
        self.note_id = note_id


class NoteStore:
    """The notes of one memory. *now* is the clock, aware and in UTC."""

    def __init__(self, connection: sqlite.Connection, now: Callable[[], datetime], concepts: ConceptIndex) -> None:
        self.connection = connection
        self.now = now
        self.concepts = concepts

    # Reading

    def get(self, note_id: int) -> Note:
        """The note with this id.

        Raises:
            NoteNotFoundError: There is none.
        """
        note = self.find(note_id)
        if note is None:
            raise NoteNotFoundError(note_id)
        return note

    def find(self, note_id: int) -> Note | None:
        """The note with this id, or None."""
        found = self._notes("SELECT * FROM notes WHERE id = ?", [note_id])
        return found[0] if found else None

    def alike(self, content: NoteContent, project_id: int | None, most: int = 12) -> Notes:
        """The live notes of the same project that are most like *content*, the nearest first."""
        about = note_vector(content, self.concepts)
        ids = nearest(self.connection, content, about, project_id=project_id, status=NoteStatus.LIVE, most=most)
        return self._named(ids)

    def taken_out_alike(self, content: NoteContent, project_id: int | None, most: int = 12) -> Notes:
        """As `alike`, among the notes that were tombstoned and have no other in their place."""
        about = note_vector(content, self.concepts)
        ids = nearest(self.connection, content, about, project_id=project_id, status=NoteStatus.TOMBSTONED, most=most)
        return [note for note in self._named(ids) if note.tombstoned_by_id is None]

    @property
    def dedup_threshold(self) -> float:
        """How alike two notes are that a judge has to compare."""
        return HotStore(self.connection).number("dedup_threshold", JUDGED)

    def versions(self, note_id: int) -> Rows:
        """Every earlier state of the note, oldest first."""
        return ledger.versions(self.connection, "note", note_id)

    def events_of(self, note_id: int) -> Rows:
        """The note's rows in the ledger, oldest first."""
        return ledger.events_of(self.connection, f"N{note_id}")

    def verdicts_of(self, note_id: int) -> Rows:
        """What was decided about the note and others like it, oldest first."""
        return rows(
            self.connection,
            """
            SELECT note_id, other_id, verdict, action, similarity, judge, reason, created_at
              FROM dedup_log WHERE note_id = :note OR other_id = :note ORDER BY id
            """,
            {"note": note_id},
        )

    def is_settled(self, new_id: int, old_id: int) -> bool:
        """Whether it was decided before what the one is to the other."""
        found = self.connection.execute(
            "SELECT 1 FROM dedup_log WHERE note_id = ? AND other_id = ?", (new_id, old_id)
        ).fetchone()
        return found is not None

    # Changing

    def add(
        self,
        content: NoteContent,
        *,
        project_id: int | None,
        episode_id: int | None,
        judge: str,
        sources: Sequence[NoteSource],
        actor: str,
    ) -> Note:
        """Store a new note with its sources: all of it, or nothing."""
        now = self._stamp()
        row = columns_of(scrubbed(content), self.concepts) | {
            "uid": os.urandom(16).hex(),
            "status": NoteStatus.LIVE,
            "project_id": project_id,
            "episode_id": episode_id,
            "judge": scrub(judge),
            "created_at": now,
            "updated_at": now,
        }
        with self.writing():
            note_id = insert(self.connection, "notes", row)
            # crash point: note, without its sources
            for source in sources:
                span = {"note_id": note_id, "raw_item_id": source.raw_item_id, "span": scrub(source.span)}
                insert(self.connection, "note_sources", span)
            # crash point: note, without its ledger row
            self._record("NoteCreated", note_id, actor, {"type": content.type, "judge": judge, "episode": episode_id})
            # crash point: note, before the commit
        return self.get(note_id)

    def edit(self, note: Note, content: NoteContent, actor: str) -> Note:
        """Put *content* in the note; what it said before stays as a version."""
        columns = columns_of(scrubbed(content), self.concepts)
        with self.writing():
            forget_embeddings(self.connection, note.id)
            return self._changed(note, columns, "NoteUpdated", actor, "edited")

    def tombstone(self, note: Note, *, by: int | None, reason: str, actor: str) -> Note:
        """Take the note out of recall for good; text and link stay. A tombstoned note stays as it is.

        *by* is the note that takes its place, None where there is none.
        """
        with self.writing():
            if self.get(note.id).status is NoteStatus.TOMBSTONED:
                return self.get(note.id)
            reason = scrub(reason)
            changes = {"status": NoteStatus.TOMBSTONED, "tombstoned_by_id": by, "tombstone_reason": reason}
            return self._changed(note, changes, "NoteTombstoned", actor, reason, by=by)

    def restore(self, note: Note, actor: str) -> Note:
        """Bring a tombstoned note back; only a person does. A live note stays as it is."""
        with self.writing():
            if self.get(note.id).status is NoteStatus.LIVE:
                return self.get(note.id)
            changes = {"status": NoteStatus.LIVE, "tombstoned_by_id": None, "tombstone_reason": ""}
            return self._changed(note, changes, "NoteRestored", actor, "restored")

    def raise_confidence(self, note: Note, by: float, why: str, actor: str) -> Note:
        """Be surer of the note, at most 0.95 sure."""
        with self.writing():
            before = self.get(note.id).confidence
            after = max(before, round(min(MOST_CONFIDENT, before + by), 4))
            if after == before:
                return self.get(note.id)
            return self._changed(note, {"confidence": after}, "NoteUpdated", actor, scrub(why), confidence=after)

    def log_verdict(  # noqa: PLR0917 -- the columns of a row
        self, new: Note, old: Note, verdict: NoteVerdict, action: str, similarity: float, judge: str, reason: str
    ) -> None:
        """Keep what was decided about *new* and *old*, and what was done."""
        insert(
            self.connection,
            "dedup_log",
            {
                "uid": os.urandom(16).hex(),
                "note_id": new.id,
                "other_id": old.id,
                "verdict": verdict,
                "action": action,
                "similarity": round(similarity, 4),
                "judge": scrub(judge),
                "reason": scrub(reason),
                "created_at": self._stamp(),
            },
        )

    # What waits for a person

    def flag(self, new_id: int, old_id: int, why: str) -> int:
        """Ask a person whether note *new_id* takes the place of *old_id*; gives the id of the question."""
        with self.writing():
            row = {
                "uid": os.urandom(16).hex(),
                "kind": SUPERSEDE,
                "note_id": new_id,
                "other_id": old_id,
                "why": scrub(why),
                "status": OPEN,
                "created_at": self._stamp(),
            }
            item_id = insert(self.connection, "note_review_items", row)
            # crash point: note flag, without its ledger row
            self._record("ReviewAsked", new_id, "memory", {"kind": SUPERSEDE, "other": old_id, "why": row["why"]})
        return item_id

    def open_flags(self) -> Rows:
        """The pairs that wait, oldest first: `id`, `kind`, `note_id`, `other_id`, `why`."""
        return rows(
            self.connection,
            "SELECT id, kind, note_id, other_id, why FROM note_review_items WHERE status = ? ORDER BY id",
            [OPEN],
        )

    def settle(self, item_id: int, status: str) -> None:
        """Close a pair as `ACCEPTED` or `REJECTED`; only a person does."""
        with self.writing():
            (pair,) = rows(self.connection, "SELECT note_id, other_id FROM note_review_items WHERE id = ?", [item_id])
            update(self.connection, "note_review_items", item_id, {"status": status, "resolved_at": self._stamp()})
            # crash point: note pair, closed and not in the ledger
            self._record("ReviewSettled", pair["note_id"], "person", {"other": pair["other_id"], "status": status})

    # What a change is made of

    def writing(self) -> AbstractContextManager[object]:
        """One change as a whole, as `ledger.writing`."""
        return ledger.writing(self.connection)

    def reindex(self, below: int, most: int) -> int:
        """Index anew the newest *most* notes whose ids are under *below*; gives the lowest id that was, 0 at the end.

        Inside the transaction that is open: whoever calls keeps how far it went.
        """
        found = self._notes("SELECT * FROM notes WHERE id < ? ORDER BY id DESC LIMIT ?", [below, most])
        for note in found:
            columns = columns_of(note, self.concepts)
            update(self.connection, "notes", note.id, {name: columns[name] for name in INDEXED})
        return found[-1].id if len(found) == most else 0

    def _changed(self, note: Note, changes: dict[str, Any], kind: str, actor: str, why: str, **details: Any) -> Note:
        with self.writing():
            # As it is now: others may have changed it since it was read.
            note = self.get(note.id)
            state = note.model_dump(mode="json")
            ledger.change(self.connection, "note", state, changes, at=self._stamp(), why=why)
            # crash point: note change, not in the ledger
            self._record(kind, note.id, actor, {"version": note.version, "why": why, **details})
            return self.get(note.id)

    def _record(self, kind: str, note_id: int, actor: str, details: dict[str, Any]) -> None:
        ledger.record_event(self.connection, kind, f"N{note_id}", at=self._stamp(), actor=actor, details=details)

    def _named(self, ids: Sequence[int]) -> Notes:
        marks = ", ".join("?" * len(ids))
        found = {note.id: note for note in self._notes(f"SELECT * FROM notes WHERE id IN ({marks})", [*ids])}  # noqa: S608 -- marks of this method
        return [found[note_id] for note_id in ids]  # type: ignore[index]

    def _notes(self, sql: str, values: Sequence[Any]) -> Notes:
        found = rows(self.connection, sql, [*values])
        few = [row["id"] for row in found] if len(found) <= MOST_NAMED else []
        which = f"WHERE note_id IN ({', '.join('?' * len(few))})" if few or not found else ""
        spans: dict[int, Any] = {}
        for note_id, raw_item_id, span in self.connection.execute(
            f"SELECT note_id, raw_item_id, span FROM note_sources {which} ORDER BY id",  # noqa: S608 -- marks of this method
            few,
        ):
            spans.setdefault(note_id, []).append(NoteSource(raw_item_id=raw_item_id, span=span))
        return [Note(**{**row, "sources": tuple(spans.get(row["id"], ()))}) for row in found]

    def _stamp(self) -> str:
        return _iso(self.now())

    # The last: below it, `list` is no longer the built-in one.

    def list(
        self,
        *,
        project_id: int | None,
        everywhere: bool,
        types: Iterable[str] = (),
        tombstoned: bool = False,
        limit: int | None = None,
    ) -> Notes:
        """Live notes of the project and global ones (*everywhere*: of all projects), newest first.

        With *tombstoned* those that are tombstoned, and no others.
        """
        wanted = [*types]
        conditions = ["status = ?"]
        values: Any = [NoteStatus.TOMBSTONED if tombstoned else NoteStatus.LIVE]
        if not everywhere:
            conditions.append("(project_id IS NULL OR project_id = ?)")
            values.append(project_id)
        if wanted:
            conditions.append(f"type IN ({', '.join('?' * len(wanted))})")
            values += wanted
        values.append(-1 if limit is None else limit)
        where = " AND ".join(conditions)
        return self._notes(f"SELECT * FROM notes WHERE {where} ORDER BY id DESC LIMIT ?", values)  # noqa: S608 -- conditions of this method


INDEXED = ("title_terms", "terms", "vector")


def columns_of(content: NoteContent, concepts: ConceptIndex) -> dict[str, Any]:
    """The columns of *content* that an edit may change, with what they are found by."""
    about = note_vector(content, concepts)
    return {
        "type": content.type,
        "title": content.title,
        "body": content.body,
        "prompt": content.prompt,
        "importance": content.importance,
        "confidence": content.confidence,
        "valid_from": _iso(content.valid_from),
        "valid_to": _iso(content.valid_to) if content.valid_to else None,
        "title_terms": content.title_terms,
        "terms": " ".join([content.terms, *tokens(about)]),
        "vector": stored(about),
    }


def scrubbed(content: NoteContent) -> NoteContent:
    """*content* as it may be stored: without secrets and private spans, within its bounds."""
    return content.model_copy(
        update={
            "title": scrub_up_to(content.title, LONGEST_TITLE)[:LONGEST_TITLE],
            "body": scrub_up_to(content.body, LONGEST_BODY)[:LONGEST_BODY],
            "prompt": scrub_up_to(content.prompt, LONGEST_PROMPT)[:LONGEST_PROMPT],
        }
    )


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
