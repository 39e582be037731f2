"""Search and recall: the memories that a text calls up, by the ranking that the hooks use."""

from __future__ import annotations

from typing import Any

import click
from rich.table import Table

from agentrecall_admin.asking import asked_for, counted, explained_text
from agentrecall_admin.console import as_json_option, memory, print_json, project_here, screen, talk
from agentrecall_admin.semantic_recall import track_for
from agentrecall_domain.recall.explanation import (
    as_object,
    explained,
    explained_notes,
    note_as_object,
    ranked_as_object,
)
from agentrecall_domain.recall.moments import Trace, explain, for_text, search_query
from agentrecall_domain.text.harmless import harmless

query_argument = click.argument("query")


@click.command()
@query_argument
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 100), help="At most so many.")
@as_json_option
def search(query: str, *, limit: int, as_json: bool) -> None:
    """Search the rules of the current project and the global ones for QUERY, best first.

    The ranking is the one that decides what the agent is given; a rule marked with * would be shown at a prompt.
    """
    with memory() as opened:
        ranked, floor = explain(opened.hot, search_query(opened.hot, query), opened.find_project(project_here()))
    found = [ranked_as_object(one, shown=one.evidence >= floor) for one in ranked[:limit]]
    if as_json:
        print_json(found)
        return
    if not found:
        click.echo("nothing found", err=True)
        return
    _print_table(found, mark="*")


@click.command()
@query_argument
@click.option("--limit", type=click.IntRange(1, 100), help="At most so many, instead of a prompt's 'prompt_max_rules'.")
@click.option("--explain", "with_reasons", is_flag=True, help="Every candidate, its signals, and why it is not shown.")
@as_json_option
def recall(query: str, *, limit: int | None, with_reasons: bool, as_json: bool) -> None:
    """Show the rules and notes that QUERY calls up in this project, best first: what a prompt of these words is given.

    A prompt that says too little is given nothing; here a word will do. 'search' lists the weaker matches too, and
    'inject-context' prints what a hook prints. Nothing is stored.

    Example: agentrecall recall "change the applied migration" --explain
    """
    asked, trace = asked_for("prompt", query), Trace()
    with memory() as opened:
        project_id = opened.find_project(project_here())
        semantic = track_for(opened, asked.query, project_id)
        injection = for_text(opened.hot, asked, project_id, trace, limit, semantic=semantic)
        found = explained(injection, trace, opened.hot.concepts.names() if with_reasons else {})
    notes = explained_notes(trace)
    recalled = [ranked_as_object(one.ranked, shown=True) for one in found if one.shown]
    recalled += [note_as_object(one) for one in notes if one.shown]
    if as_json:
        reasons = [*map(as_object, found), *(note_as_object(one, with_reasons=True) for one in notes)]
        print_json(reasons if with_reasons else recalled)
    elif with_reasons:
        click.echo(explained_text(found, trace, injection))
    else:
        if recalled:
            _print_table(recalled)
        if len(found) + len(notes) > len(recalled) or not recalled:
            talk(f"{counted(found, notes, injection)}{'; --explain says why' if found or notes else ''}")


def _print_table(found: list[dict[str, Any]], mark: str = "") -> None:
    """Print *found* a row each, those that are shown with *mark*."""
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "score", "status", "title"):
        table.add_column(heading)
    for row in found:
        table.add_row(
            f"{row['label']}{mark if row['shown'] else ''}",
            f"{row['score']:.3f}",
            str(row["status"]),
            harmless(str(row["title"])),
        )
    screen().print(table)
