"""Search: the rules that a text calls up, by the ranking that the hooks use."""

from __future__ import annotations

import click
from rich.table import Table

from agentrecall_admin.console import as_json_option, memory, print_json, project_here, screen
from agentrecall_domain.recall.moments import explain, search_query
from agentrecall_domain.text.harmless import harmless


@click.command()
@click.argument("query")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 100), help="At most so many.")
@as_json_option
def search(query: str, *, limit: int, as_json: bool) -> None:
    """Search the rules of the current project and the global ones for QUERY, best first.

    The ranking is the one that decides what the agent is given; a rule marked with * would be shown at a prompt.
    """
    with memory() as opened:
        ranked, floor = explain(opened.hot, search_query(opened.hot, query), opened.find_project(project_here()))
    found = [
        {
            "label": f"R{one.candidate.id}",
            "id": one.candidate.id,
            "status": one.candidate.status,
            "title": one.candidate.title,
            "score": round(one.score, 4),
            "shown": one.evidence >= floor,
            "matched": one.matched,
        }
        for one in ranked[:limit]
    ]
    if as_json:
        print_json(found)
        return
    if not found:
        click.echo("nothing found", err=True)
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "score", "status", "rule"):
        table.add_column(heading)
    for row in found:
        table.add_row(
            f"{row['label']}{'*' if row['shown'] else ''}",
            f"{row['score']:.3f}",
            str(row["status"]),
            harmless(str(row["title"])),
        )
    screen().print(table)
