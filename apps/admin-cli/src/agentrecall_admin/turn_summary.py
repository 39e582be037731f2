"""Turn summary: what the memory did in one turn, told to the person who asks."""

from __future__ import annotations

import click

from agentrecall_admin.console import Failure, as_json_option, memory, print_json, project_here, talk
from agentrecall_domain.capture.turn_summary import COMPACT, DETAILED, TurnSummary, as_object, compact, detailed
from agentrecall_storage.turn_summaries import TurnRow, TurnSummaryStore

NO_TURN = TurnSummary("", [], [], {})


@click.command()
@click.option("--last", "last", is_flag=True, help="The project's newest turn; the same as without.")
@click.option("--turn", "name", metavar="ID", default="", help="The turn of this uid, or of this prompt's id.")
@click.option("--compact", "level", flag_value=COMPACT, default=True, help="Counts and ids in a line or two.")
@click.option("--detailed", "level", flag_value=DETAILED, help="A line for each rule.")
@as_json_option
def turn_summary(*, last: bool, name: str, level: str, as_json: bool) -> None:
    """Tell what the memory did in a turn of the current project: which rules it was shown, what came of it.

    The same after every turn, without asking: set the config value 'summary' to compact or detailed.

    Example: agentrecall turn-summary --detailed
    """
    if last and name:
        raise click.UsageError("--last and --turn name two turns; give one of them")
    with memory() as opened:
        project_id = opened.find_project(project_here())
        summaries = TurnSummaryStore(opened.connection)
        turn = _turn(summaries, project_id, name)
        summary = NO_TURN if turn is None else summaries.summary_of(turn, ever=True)
    if as_json:
        print_json(as_object(summary))
        return
    if summary is NO_TURN:
        talk("no turn of this project is known yet")
    click.echo(compact(summary) if level == COMPACT else detailed(summary))


def _turn(summaries: TurnSummaryStore, project_id: int | None, name: str) -> TurnRow | None:
    if not name:
        return summaries.latest_turn(project_id) if project_id is not None else None
    found = summaries.turn_named(name, project_id if project_id is not None else 0)
    if found is None:
        raise Failure(f"there is no turn '{name}' in this project; without --turn the newest one is told")
    return found
