"""Raw items as a person looks at them: what was captured, found by its words, and one item in full."""

from __future__ import annotations

from typing import Any

import click

from agentrecall_admin.console import Failure, NumberRange, as_json_option, memory, print_json, project_here, talk
from agentrecall_admin.labels import LabelType
from agentrecall_admin.rule_text import table_of
from agentrecall_domain.notes.raw_words import excerpt, wanted
from agentrecall_domain.notes.unit import UnitKey
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.raw_search import find_raw_item, search_raw_items

LONGEST_SHOWN = 160
raw_item_argument = click.argument("raw_item_id", metavar="ITEM", type=LabelType("raw item", "T"))


@click.group()
def raw() -> None:
    """Look at what was captured, as it was said."""


@raw.command()
@click.argument("query")
@click.option("--all", "everywhere", is_flag=True, help="What was captured in every project.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000), help="At most so many.")
@click.option(
    "--seconds", default=10.0, show_default=True, type=NumberRange(0.1, 3600), help="Look no longer than this."
)
@as_json_option
def search(query: str, *, everywhere: bool, limit: int, seconds: float, as_json: bool) -> None:
    """Search raw items for all words of QUERY, newest first. Those of this project and of none.

    Words are compared by their letters, without their endings, and a part of a word will do. Notes are what is ranked:
    'agentrecall notes search'. With --json an object: 'found', how many were 'looked_at', and whether that 'is_whole'.

    Example: agentrecall raw search "bank time zone"
    """
    words = wanted(query)
    if not words:
        raise click.UsageError("there is no word to look for")
    deadline = Deadline(seconds * 1000)
    with memory() as opened:
        searched = search_raw_items(
            opened.connection,
            words,
            project_id=None if everywhere else opened.find_project(project_here()),
            everywhere=everywhere,
            most=limit,
            is_over=deadline.passed,
        )
        names = opened.project_names()
    if as_json:
        found = [_as_object(item, names) for item in searched.found]
        print_json({"found": found, "looked_at": searched.looked_at, "is_whole": searched.is_whole})
        return
    for item in searched.found:
        place = f"  ({names.get(item['project_id'], 'no project')})" if everywhere else ""
        text = (
            f"{_label(item)}  {item['said_at']}  {item['origin']}: {excerpt(item['text'], words, LONGEST_SHOWN)}{place}"
        )
        click.echo(harmless(text))
    if len(searched.found) == limit and not searched.is_whole:
        talk(f"the newest {limit}; --limit shows more")
    elif not searched.is_whole:
        talk(
            f"looked at the newest {searched.looked_at:,} items in {seconds:g} seconds; --seconds 60 looks further back"
        )
    elif not searched.found:
        talk("nothing found" + ("" if everywhere else " here; --all looks in every project"))


@raw.command()
@raw_item_argument
@as_json_option
def show(raw_item_id: int, *, as_json: bool) -> None:
    """Show ITEM in full: who said it, when and where.

    Example: agentrecall raw show T78
    """
    with memory() as opened:
        item = find_raw_item(opened.connection, raw_item_id)
        names = opened.project_names()
    if item is None:
        raise Failure(f"no raw item 'T{raw_item_id}'; 'agentrecall raw search' finds them by their words")
    if as_json:
        print_json(_as_object(item, names))
        return
    click.echo(
        table_of(
            [
                (_label(item), f"{item['kind']} from {item['source']}"),
                ("said by", item["origin"]),
                ("said at", item["said_at"]),
                ("project", names.get(item["project_id"], "none")),
                ("session", item["session_uid"] or ""),
                ("episode", _episode(item) or ""),
            ]
        )
    )
    click.echo("")
    for line in item["text"].splitlines():
        click.echo(harmless(line))


def _as_object(item: dict[str, Any], names: dict[int, str]) -> dict[str, Any]:
    return {"label": _label(item), **item, "project": names.get(item["project_id"]), "episode": _episode(item)}


def _label(item: dict[str, Any]) -> str:
    return UnitKey("raw_item", item["id"]).label


def _episode(item: dict[str, Any]) -> str | None:
    return None if item["episode_id"] is None else UnitKey("episode", item["episode_id"]).label
