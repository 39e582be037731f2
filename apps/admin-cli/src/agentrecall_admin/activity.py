"""Activity: what the memory did lately."""

from __future__ import annotations

import click

from agentrecall_admin.console import as_json_option, memory, print_json, talk
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.activity import Activity, newest


@click.command()
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000), help="At most so many.")
@as_json_option
def activity(*, limit: int, as_json: bool) -> None:
    """Show what the memory did lately in every project, newest first: shown, captured, changed, judged, asked.

    Example: agentrecall activity --limit 5
    """
    with memory() as opened:
        found = newest(opened.connection, limit)
    if as_json:
        print_json([one._asdict() for one in found])
        return
    if not found:
        talk("nothing has happened yet")
    for one in found:
        click.echo(_line(one))


def _line(one: Activity) -> str:
    where = f" ({one.project})" if one.project else ""
    subject = f"{one.subject} " if one.subject else ""
    return harmless(f"{one.at}  {one.type:<22} {subject}{one.text}{where}")
