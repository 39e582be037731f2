"""Handing raw items in, and what capture and the gate left out: `capture` and `rejections`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from agentrecall_admin.console import Failure, as_json_option, memory, print_json, project_here, talk
from agentrecall_domain.text.harmless import harmless
from agentrecall_domain.turns.batch import Excluded, Project
from agentrecall_domain.turns.delivery import (
    LARGEST_BYTES,
    Delivery,
    EmptyDeliveryError,
    ItemKind,
    ItemSource,
    deliver,
)
from agentrecall_storage.deliveries import DeliveryStore, Kept
from agentrecall_storage.files.exclusions import ExclusionsUnreadableError
from agentrecall_storage.home import home
from agentrecall_storage.memory import Memory
from agentrecall_storage.places import Places, excluded_projects

STDIN = "-"
LONGEST_SHOWN = 100


@click.command()
@click.argument("file", default=STDIN)
@click.option(
    "--source",
    type=click.Choice([source.value for source in ItemSource]),
    default=ItemSource.CLI.value,
    show_default=True,
    help="Where it comes from.",
)
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in ItemKind]),
    default=ItemKind.DOCUMENT.value,
    show_default=True,
    help="What it is.",
)
@click.option("--project", help="A project's name or folder; the source 'cli' means this folder's, others none.")
@as_json_option
def capture(file: str, *, source: str, kind: str, project: str | None, as_json: bool) -> None:
    """Store the text in FILE, or on standard input, as one raw item that 'agentrecall process' learns from.

    A turn is what you said, a document what somebody wrote, an event what happened, a synthesis what an agent made of
    other things. It is scrubbed of secrets and private spans, and stored once: the same text of the same source and
    project is known. Exits 1 when nothing of it may be stored, 2 on misuse.

    Example: agentrecall capture --source bookmark --kind document page.md
    """
    text = _read(file)
    with memory() as opened:
        project_id = _project_id(opened, project, source)
        uid = opened.project_uid(project_id) if project_id is not None else ""
        try:
            delivery = deliver(text, ItemSource(source), ItemKind(kind), uid, is_file=file != STDIN)
        except EmptyDeliveryError as error:
            raise Failure("there is nothing to store: the text is empty, private or our own") from error
        kept = DeliveryStore(opened).keep(delivery, project_id)
    _tell(delivery, kept, as_json=as_json)


@click.command()
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000), help="At most so many.")
@as_json_option
def rejections(*, limit: int, as_json: bool) -> None:
    """Show what was kept out of the memory of every project, newest first: when, by which rule, and its beginning.

    'capture' left out what somebody planted for agents to read, 'gate' what a judge proposed and could not become a
    note.

    Example: agentrecall rejections --limit 5
    """
    with memory() as opened:
        found = opened.gate_rejections.list(project_id=None, everywhere=True, limit=limit)
        names = opened.project_names()
    if as_json:
        print_json([{key: row[key] for key in _TOLD} | {"project": names.get(row["project_id"])} for row in found])
        return
    if not found:
        talk("nothing was kept out")
    for row in found:
        where = f" ({names[row['project_id']]})" if row["project_id"] in names else ""
        detail = f" {row['detail']}:" if row["detail"] else ""
        text = " ".join(row["text"].split())[:LONGEST_SHOWN]
        click.echo(harmless(f"{row['created_at']}  {row['stage']:<8} {row['rule']:<24}{detail} {text}{where}"))


_TOLD = ("id", "stage", "rule", "detail", "judge", "text", "created_at")


def _read(file: str) -> str:
    """The text in *file*, whatever its bytes are.

    Raises:
        Failure: It cannot be read, or is too large.
    """
    try:
        if file == STDIN:
            data = sys.stdin.buffer.read(LARGEST_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                data = opened.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise Failure(f"cannot read '{file}': {error.strerror or error}") from error
    if len(data) > LARGEST_BYTES:
        raise Failure(f"'{file}' is larger than 1 MB; split it, or store what matters of it")
    return data.decode("utf-8", "replace")


def _project_id(opened: Memory, wanted: str | None, source: str) -> int | None:
    """The project that the item belongs to, None for none."""
    if wanted is None:
        return opened.record_project(project_here()) if source == ItemSource.CLI else None
    if Path(wanted).expanduser().is_dir():
        return opened.record_project(_project_at(str(Path(wanted).expanduser().resolve())))
    found = opened.connection.execute(
        "SELECT id, name, root FROM projects WHERE name = :wanted OR uid = :wanted", {"wanted": wanted}
    ).fetchall()
    if len(found) != 1:
        several = f"several projects are named '{wanted}'; give the folder of one"
        raise click.UsageError(
            several if found else f"'{wanted}' is neither a folder nor a project that the memory knows"
        )
    [(project_id, name, root)] = found
    aliases = opened.connection.execute("SELECT kind, value FROM project_aliases WHERE project_id = ?", (project_id,))
    if excluded_projects(home(), [Project(name, root, list(aliases))]):
        raise _excluded(wanted)
    return int(project_id)


def _project_at(folder: str) -> Project:
    try:
        project = Places(home()).project_at(folder)
    except ExclusionsUnreadableError as error:
        raise Failure(str(error)) from error
    if isinstance(project, Excluded):
        raise _excluded(folder)
    return project


def _excluded(what: str) -> Failure:
    return Failure(f"'{what}' is excluded from memory; 'agentrecall include {what}' takes it in again")


def _tell(delivery: Delivery, kept: Kept, *, as_json: bool) -> None:
    rules = sorted({piece.rule for piece in delivery.dropped})
    if as_json:
        label = f"T{kept.raw_item_id}" if kept.raw_item_id is not None else None
        print_json({"id": kept.raw_item_id, "label": label, "duplicate": kept.duplicate, "left_out": rules})
    if kept.raw_item_id is None:
        raise Failure(f"nothing of it was stored: {', '.join(rules)}; see 'agentrecall rejections'")
    if as_json:
        return
    click.echo(f"T{kept.raw_item_id} {'is known' if kept.duplicate else 'stored'}")
    if rules and not kept.duplicate:
        talk(f"left out of it: {', '.join(rules)}; see 'agentrecall rejections'")
