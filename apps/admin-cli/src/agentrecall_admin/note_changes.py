"""What a person does to notes: edit what one says, take some out of recall, bring them back. All named, or none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any

import click
from pydantic import ValidationError

from agentrecall_admin.console import Failure, NumberRange, as_json_option, memory, print_json, talk
from agentrecall_admin.note_text import (
    NOTE_ID,
    as_object,
    as_text,
    note_argument,
    note_of,
    notes_argument,
    one_line,
)
from agentrecall_domain.notes.note import (
    LONGEST_BODY,
    LONGEST_TITLE,
    SHORTEST_TITLE,
    Note,
    NoteContent,
    NoteStatus,
    NoteType,
)
from agentrecall_domain.text.scrub import scrub, scrub_up_to
from agentrecall_domain.text.utc import instant
from agentrecall_storage.memory import Memory

PERSON = "person"
LONGEST_REASON = 2000
TYPES = [one.value for one in NoteType if one is not NoteType.UNKNOWN]


class MomentType(click.ParamType[datetime]):
    """A day or a moment, `2026-11-02` or `2026-11-02T08:00:00Z`; without a zone it is UTC."""

    name = "moment"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Read the moment, or fail as wrong usage."""
        found = value if isinstance(value, datetime) else instant(str(value))
        if found is None:
            self.fail(f"'{value}' is no day or moment; write it as 2026-11-02 or 2026-11-02T08:00:00Z", param, ctx)
        return found.replace(microsecond=0)


@click.command()
@note_argument
@click.option("--title", help="What it says, on one line.")
@click.option("--body", help="What it says, whole.")
@click.option("--type", "type", type=click.Choice(TYPES, case_sensitive=False), help="What kind of statement it is.")
@click.option("--importance", type=NumberRange(0, 1), help="How weighty it is, from 0 to 1.")
@click.option("--confidence", type=NumberRange(0, 1), help="How far it is trusted, from 0 to 1.")
@click.option("--from", "valid_from", type=MomentType(), help="Since when it holds.")
@click.option("--until", "valid_to", type=MomentType(), help="Until when it holds.")
@click.option("--no-until", "endless", is_flag=True, help="It holds until somebody says otherwise.")
@as_json_option
def edit(note_id: int, *, endless: bool, as_json: bool, **parts: Any) -> None:
    """Change what NOTE says. The old text stays in its history, and the sources stay.

    Without an option it opens in $EDITOR: the first line is the title, what follows the body.

    Example: agentrecall notes edit N34 --title "Invoices are dated in UTC" --confidence 0.9
    """
    given = {name: value for name, value in parts.items() if value is not None} | (
        {"valid_to": None} if endless else {}
    )
    with memory() as opened:
        seen = None if given else note_of(opened, note_id)
        if seen is not None:
            given = _edited(seen)
        with opened.writing():
            note = note_of(opened, note_id)
            if seen is not None and seen.version != note.version:
                raise Failure(f"'{note.label}' was changed meanwhile; nothing was stored, edit it again")
            content = _changed(note, given)
            kept = note if content == note.content else opened.notes.edit(note, content, PERSON)
        names = opened.project_names()
    if as_json:
        print_json(as_object(kept, names))
        return
    if kept is note:
        talk(f"{note.label} says that already")
    click.echo(as_text(kept, names))


@click.command()
@notes_argument
@click.option("--by", "by", type=NOTE_ID, metavar="NOTE", help="The note that says it better.")
@click.option("--reason", default="", help="Why; kept with it.")
@as_json_option
def tombstone(note_ids: tuple[int, ...], *, by: int | None, reason: str, as_json: bool) -> None:
    """Take each NOTE out of recall for good. Its text and history stay.

    Without --by, what says the same is not learned again either.

    Example: agentrecall notes tombstone N34 --by N40 --reason "the bank takes local time by now"
    """
    why = scrub_up_to(" ".join(reason.split()), LONGEST_REASON) or "taken out"

    def change(opened: Memory, note: Note) -> Note:
        return opened.notes.tombstone(note, by=by, reason=why, actor=PERSON)

    _change(note_ids, change, by=by, as_json=as_json)


@click.command()
@notes_argument
@as_json_option
def restore(note_ids: tuple[int, ...], *, as_json: bool) -> None:
    """Bring each tombstoned NOTE back into recall.

    Example: agentrecall notes restore N34
    """
    _change(note_ids, lambda opened, note: opened.notes.restore(note, PERSON), by=None, as_json=as_json)


COMMANDS = (edit, tombstone, restore)


def _change(
    note_ids: tuple[int, ...], change: Callable[[Memory, Note], Note], *, by: int | None, as_json: bool
) -> None:
    with memory() as opened:
        with opened.writing():
            if by is not None:
                _check_stands(note_of(opened, by), note_ids)
            changed = [change(opened, note_of(opened, note_id)) for note_id in dict.fromkeys(note_ids)]
        names = opened.project_names()
    if as_json:
        print_json([as_object(note, names) for note in changed])
        return
    for note in changed:
        click.echo(one_line(note))


def _check_stands(other: Note, note_ids: tuple[int, ...]) -> None:
    """Refuse a note that cannot take the place of those that are to go."""
    if other.id in note_ids:
        raise click.UsageError(f"'{other.label}' cannot take its own place")
    if other.status is not NoteStatus.LIVE:
        raise Failure(f"'{other.label}' is tombstoned and takes no other's place; nothing was changed")


def _changed(note: Note, given: dict[str, Any]) -> NoteContent:
    """What *note* says with the *given* parts.

    Raises:
        Failure: It is tombstoned, or what is given makes no note.
        click.UsageError: The title is shorter than that of any note.
    """
    if note.status is not NoteStatus.LIVE:
        raise Failure(
            f"cannot edit '{note.label}', which is tombstoned; 'agentrecall notes restore {note.label}' first"
        )
    clean = {name: scrub(value).strip() if isinstance(value, str) else value for name, value in given.items()}
    if "title" in clean:
        clean["title"] = " ".join(clean["title"].split())
    for name, longest in (("title", LONGEST_TITLE), ("body", LONGEST_BODY)):
        if name in clean and not clean[name]:
            raise Failure(
                f"cannot edit '{note.label}': it would have no {name}; 'agentrecall notes tombstone' takes it out"
            )
        if len(clean.get(name, "")) > longest:
            raise Failure(f"cannot edit '{note.label}': a {name} has at most {longest:,} characters")
    if "title" in clean and len(clean["title"]) < SHORTEST_TITLE:
        raise click.UsageError(f"cannot edit '{note.label}': a title has at least {SHORTEST_TITLE} characters")
    try:
        content = NoteContent.model_validate(note.content.model_dump() | clean)
    except ValidationError as error:
        raise Failure(f"cannot edit '{note.label}': {error.errors()[0]['msg'].lower()}") from error
    if content.valid_to is not None and content.valid_to < content.valid_from:
        raise Failure(f"cannot edit '{note.label}': it would end before it begins")
    return content


def _edited(note: Note) -> dict[str, Any]:
    """What a person changed in their editor; nothing when they left it as it was."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("say what to change (--title, --body, ...): there is no terminal to edit it in")
    after = click.edit(f"{note.title}\n\n{note.body}\n", extension=".txt")
    if after is None:
        return {}
    title, _, body = after.strip().partition("\n")
    return {"title": title, "body": body}
