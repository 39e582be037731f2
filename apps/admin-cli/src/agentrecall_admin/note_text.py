"""A note on the command line: how a person names one, and how it is printed, for people and as JSON."""

from __future__ import annotations

from typing import Any

import click

from agentrecall_admin.changes import changes
from agentrecall_admin.console import Failure
from agentrecall_admin.labels import LabelType
from agentrecall_admin.rule_text import table_of
from agentrecall_domain.notes.note import Note, NoteStatus
from agentrecall_domain.notes.unit import UnitKey
from agentrecall_domain.text.harmless import harmless
from agentrecall_domain.text.utc import stamp
from agentrecall_storage.memory import Memory
from agentrecall_storage.notes import NoteNotFoundError

NOTE_ID = LabelType("note", "N")
note_argument = click.argument("note_id", metavar="NOTE", type=NOTE_ID)
notes_argument = click.argument("note_ids", metavar="NOTE...", type=NOTE_ID, nargs=-1, required=True)

NOT_SAID = {"id", "uid", "version", "sources", "created_at", "updated_at", "last_used_at"}
"""What changes with every version, or never, or by being shown alone."""


def note_of(opened: Memory, note_id: int) -> Note:
    """The note that a person named.

    Raises:
        Failure: There is none.
    """
    try:
        return opened.notes.get(note_id)
    except NoteNotFoundError as error:
        raise Failure(f"no note 'N{note_id}'; 'agentrecall notes list --all' names them") from error


def as_object(note: Note, names: dict[int, str]) -> dict[str, Any]:
    """A note as `--json` prints it."""
    return {
        "label": note.label,
        **note.model_dump(mode="json"),
        "project": names.get(note.project_id) if note.project_id is not None else None,
        "episode": _episode(note) or None,
        "tombstoned_by": _tombstoned_by(note) or None,
        "sources": [
            {"raw_item": _raw_item(source.raw_item_id) or None, **source.model_dump()} for source in note.sources
        ],
    }


def history_of(opened: Memory, note: Note) -> list[dict[str, Any]]:
    """Everything that happened to *note*, oldest first, each change with the parts that it changed."""
    state = note.model_dump(mode="json")
    versions, events = opened.notes.versions(note.id), opened.notes.events_of(note.id)
    return changes(versions, events, state, not_said=NOT_SAID, named=_named)


def verdicts_of(opened: Memory, note: Note) -> list[dict[str, Any]]:
    """What was decided about *note* and others like it, oldest first: the one that was new then, and the other."""
    return [
        {
            "at": row["created_at"],
            "note": f"N{row['note_id']}",
            "other": f"N{row['other_id']}",
            **{name: row[name] for name in ("verdict", "action", "similarity", "judge", "reason")},
        }
        for row in opened.notes.verdicts_of(note.id)
    ]


def as_text(note: Note, names: dict[int, str]) -> str:
    """A note as a person reads it."""
    until = f" until {stamp(note.valid_to)}" if note.valid_to else ""
    return table_of(
        [
            (f"{note.label} {kind(note)}", note.title),
            ("says", note.body),
            ("asked", note.prompt),
            ("holds in", where(note, names)),
            ("holds from", f"{stamp(note.valid_from)}{until}"),
            ("importance", f"{note.importance:.2f}"),
            ("confidence", f"{note.confidence:.2f}"),
            ("judge", note.judge),
            ("episode", _episode(note)),
            ("tombstoned", note.tombstone_reason or ("yes" if note.status is NoteStatus.TOMBSTONED else "")),
            ("in its place", _tombstoned_by(note)),
            *(("source", f"{_raw_item(source.raw_item_id) or 'gone'}  {source.span}") for source in note.sources),
        ]
    )


def verdict_line(verdict: dict[str, Any]) -> str:
    """A verdict as a person reads it."""
    about = f"{verdict['note']} {verdict['verdict']} {verdict['other']}"
    why = f": {verdict['reason']}" if verdict["reason"] else ""
    how = f"{verdict['action']}, {verdict['similarity']:.2f} alike, by {verdict['judge']}"
    return harmless(f"{verdict['at']}  {about}  ({how}){why}")


def one_line(note: Note) -> str:
    """A note on one line, as a change of it is answered."""
    return f"{note.label} {kind(note)}  {harmless(note.title)}"


def kind(note: Note) -> str:
    """The note's type, and that it is tombstoned."""
    return note.type if note.status is NoteStatus.LIVE else f"{note.type}, {note.status.lower()}"


def where(note: Note, names: dict[int, str]) -> str:
    """Where the note holds."""
    return names.get(note.project_id, "?") if note.project_id is not None else "every project"


def _named(event: dict[str, Any]) -> str:
    """A row of the ledger that changed nothing in the note, in words."""
    details = event["details"]
    match event["kind"]:
        case "NoteCreated":
            return f"created by {details.get('judge') or 'a judge'}"
        case "ReviewAsked":
            return f"asked for review: {details.get('why', '')}"
        case "ReviewSettled":
            return f"review settled, N{details.get('other')}: {details.get('status', '')}"
    return str(details.get("why") or event["kind"])


def _episode(note: Note) -> str:
    return UnitKey("episode", note.episode_id).label if note.episode_id is not None else ""


def _raw_item(raw_item_id: int | None) -> str:
    return UnitKey("raw_item", raw_item_id).label if raw_item_id is not None else ""


def _tombstoned_by(note: Note) -> str:
    return f"N{note.tombstoned_by_id}" if note.tombstoned_by_id is not None else ""
