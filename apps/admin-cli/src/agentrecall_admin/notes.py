"""Notes as a person looks at them: list, show, search. What changes them lies in the module beside this one."""

from __future__ import annotations

import click

from agentrecall_admin import note_changes
from agentrecall_admin.changes import lines_of
from agentrecall_admin.console import as_json_option, memory, print_json, project_here, screen, talk
from agentrecall_admin.note_text import (
    as_object,
    as_text,
    history_of,
    kind,
    note_argument,
    note_of,
    verdict_line,
    verdicts_of,
    where,
)
from agentrecall_admin.semantic_recall import track_for
from agentrecall_domain.notes.note import Note, NoteType
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.note_search import search_notes

TYPES = [one.value for one in NoteType if one is not NoteType.UNKNOWN]
type_option = click.option(
    "--type", "note_type", type=click.Choice(TYPES, case_sensitive=False), help="Only this type."
)
tombstoned_option = click.option("--tombstoned", is_flag=True, help="Those taken out of recall, and no others.")
everywhere_option = click.option("--all", "everywhere", is_flag=True, help="Notes of every project.")


@click.group()
def notes() -> None:
    """Look at what was distilled from your sessions, and change or take out what does not hold."""


@notes.command("list")
@type_option
@tombstoned_option
@everywhere_option
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1_000_000), help="At most so many.")
@as_json_option
def list_notes(*, note_type: str | None, tombstoned: bool, everywhere: bool, limit: int, as_json: bool) -> None:
    """List notes, newest first. Those of this project and those that hold everywhere.

    Example: agentrecall notes list --type decision
    """
    with memory() as opened:
        found = opened.notes.list(
            project_id=None if everywhere else opened.find_project(project_here()),
            everywhere=everywhere,
            types=[note_type] if note_type else (),
            tombstoned=tombstoned,
            limit=limit + 1,
        )
        names = opened.project_names()
    listed = found[:limit]
    if as_json:
        print_json([as_object(note, names) for note in listed])
        return
    if not listed:
        is_narrowed = bool(note_type or tombstoned)
        elsewhere = "; 'agentrecall notes list --all' shows those of every project"
        talk(f"no {'such notes' if is_narrowed else 'notes'}{'' if everywhere else f' here{elsewhere}'}")
        return
    _print_table(listed, names, everywhere=everywhere)
    if len(found) > limit:
        talk(f"the newest {limit}; --limit shows more")


@notes.command()
@note_argument
@as_json_option
def show(note_id: int, *, as_json: bool) -> None:
    """Show NOTE whole, with its proof and history. And with what was decided about it and others like it.

    'agentrecall raw show T78' shows a source in full.

    Example: agentrecall notes show N34
    """
    with memory() as opened:
        note = note_of(opened, note_id)
        names, history, verdicts = opened.project_names(), history_of(opened, note), verdicts_of(opened, note)
    if as_json:
        print_json(as_object(note, names) | {"history": history, "verdicts": verdicts})
        return
    click.echo(as_text(note, names))
    for change in history:
        for line in lines_of(change):
            click.echo(f"  {line}")
    for verdict in verdicts:
        click.echo(f"  {verdict_line(verdict)}")


@notes.command()
@click.argument("query")
@type_option
@tombstoned_option
@everywhere_option
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000), help="At most so many.")
@as_json_option
def search(query: str, *, note_type: str | None, tombstoned: bool, everywhere: bool, limit: int, as_json: bool) -> None:
    """Search notes for the words of QUERY, best first. Those of this project and those that hold everywhere.

    Where 'embedding_provider' is set, notes of other words that mean the same are found, too.

    Example: agentrecall notes search "time zone of invoices"
    """
    with memory() as opened:
        project_id = None if everywhere else opened.find_project(project_here())
        found = search_notes(
            opened.notes,
            query,
            project_id=project_id,
            everywhere=everywhere,
            most=limit,
            note_type=note_type or "",
            tombstoned=tombstoned,
            semantic=None if tombstoned else track_for(opened, query, project_id, everywhere=everywhere),
        )
        names = opened.project_names()
    if as_json:
        print_json([as_object(one.note, names) | {"score": one.score} for one in found])
        return
    if not found:
        talk("nothing found")
        return
    _print_table([one.note for one in found], names, everywhere=everywhere)


for command in note_changes.COMMANDS:
    notes.add_command(command)


def _print_table(found: list[Note], names: dict[int, str], *, everywhere: bool) -> None:
    from rich.table import Table  # noqa: PLC0415 -- twice a bare start, for those who print a table

    table = Table(box=None, pad_edge=False)
    for heading in ("id", "type", "from", *(["holds in"] if everywhere else []), "note"):
        table.add_column(heading, no_wrap=heading != "note")
    for note in found:
        place = [harmless(where(note, names))] if everywhere else []
        table.add_row(note.label, kind(note), f"{note.valid_from:%Y-%m-%d}", *place, harmless(note.title))
    screen().print(table)
