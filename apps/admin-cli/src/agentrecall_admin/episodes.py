"""Episodes as a person looks at them: which turns went together, and what was learned from them."""

from __future__ import annotations

from typing import Any

import click

from agentrecall_admin.console import Failure, as_json_option, memory, print_json, project_here, screen, talk
from agentrecall_admin.failures import as_object as failure_as_object
from agentrecall_admin.failures import one_line as failure_line
from agentrecall_admin.labels import LabelType
from agentrecall_admin.note_text import as_object as note_as_object
from agentrecall_admin.note_text import one_line as note_line
from agentrecall_admin.rule_text import table_of
from agentrecall_domain.notes.episode import Episode, EpisodeStatus
from agentrecall_domain.notes.raw_words import excerpt
from agentrecall_domain.notes.unit import Spoken, UnitKey
from agentrecall_domain.text.harmless import harmless
from agentrecall_domain.text.utc import stamp
from agentrecall_storage.episodes import EpisodeNotFoundError
from agentrecall_storage.note_search import note_counts, notes_of_episode

STATUSES = [one.value for one in EpisodeStatus if one is not EpisodeStatus.UNKNOWN]
LONGEST_SHOWN = 160
episode_argument = click.argument("episode_id", metavar="EPISODE", type=LabelType("episode", "E"))


@click.group()
def episodes() -> None:
    """Look at the episodes that notes are distilled from: turns of one session that serve one matter."""


@episodes.command("list")
@click.option("--status", type=click.Choice(STATUSES, case_sensitive=False), help="Only this status.")
@click.option("--all", "everywhere", is_flag=True, help="Episodes of every project.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1_000_000), help="At most so many.")
@as_json_option
def list_episodes(*, status: str | None, everywhere: bool, limit: int, as_json: bool) -> None:
    """List the episodes of this project, newest first. One that is still going on is none yet.

    Example: agentrecall episodes list --status parked
    """
    with memory() as opened:
        found = opened.episodes.list(
            project_id=None if everywhere else opened.find_project(project_here()),
            everywhere=everywhere,
            status=EpisodeStatus(status) if status else None,
            limit=limit + 1,
        )
        listed = found[:limit]
        names, notes = opened.project_names(), note_counts(opened.notes, [one.id for one in listed])
    if as_json:
        print_json([_as_object(one, names) | {"notes": notes[one.id]} for one in listed])
        return
    if not listed:
        elsewhere = "" if everywhere else " here; 'agentrecall episodes list --all' shows those of every project"
        talk(f"no {'such ' if status else ''}episodes{elsewhere}")
        return
    from rich.table import Table  # noqa: PLC0415 -- twice a bare start, for those who print a table

    table = Table(box=None, pad_edge=False)
    headings = ("id", "status", "began", "turns", "notes", "over by", *(["project"] if everywhere else []))
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    for one in listed:
        place = [harmless(_project(one, names))] if everywhere else []
        numbers = str(one.turns), str(notes[one.id])
        table.add_row(one.label, one.status, stamp(one.started_at), *numbers, one.closed_by, *place)
    screen().print(table)
    if len(found) > limit:
        talk(f"the newest {limit}; --limit shows more")


@episodes.command()
@episode_argument
@as_json_option
def show(episode_id: int, *, as_json: bool) -> None:
    """Show EPISODE and what was learned from it. What was said in it, and its notes, tombstoned ones too.

    'agentrecall raw show T78' shows what was said in full; --json has all of it.

    Example: agentrecall episodes show E7
    """
    with memory() as opened:
        try:
            episode = opened.episodes.get(episode_id)
        except EpisodeNotFoundError as error:
            raise Failure(f"no episode 'E{episode_id}'; 'agentrecall episodes list --all' names them") from error
        said = opened.episodes.unit("episode", episode_id).spans
        notes, names = notes_of_episode(opened.notes, episode_id), opened.project_names()
        failure = opened.distill_failures.find(UnitKey("episode", episode_id))
    if as_json:
        print_json(
            {
                **_as_object(episode, names),
                "said": [_said(span) for span in said],
                "notes": [note_as_object(note, names) for note in notes],
                "failure": failure_as_object(failure) if failure else None,
            }
        )
        return
    click.echo(_as_text(episode, names))
    for span in said:
        click.echo(f"  {UnitKey('raw_item', span.raw_item_id).label} {harmless(_spoken(span))}")
    for note in notes:
        click.echo(note_line(note))
    if failure is not None:
        click.echo(failure_line(failure))


def _as_object(episode: Episode, names: dict[int, str]) -> dict[str, Any]:
    project = names.get(episode.project_id) if episode.project_id is not None else None
    return {"label": episode.label, **episode.model_dump(mode="json"), "project": project}


def _as_text(episode: Episode, names: dict[int, str]) -> str:
    distilled = f"{stamp(episode.distilled_at)} by {episode.judge}" if episode.distilled_at else "not yet"
    return table_of(
        [
            (episode.label, episode.status),
            ("project", _project(episode, names)),
            ("session", episode.session_uid),
            ("turns", str(episode.turns)),
            ("said", f"{stamp(episode.started_at)} to {stamp(episode.ended_at)}"),
            ("closed", f"{stamp(episode.closed_at)} by {episode.closed_by}"),
            ("distilled", distilled),
        ]
    )


def _said(span: Spoken) -> dict[str, Any]:
    return {"raw_item": UnitKey("raw_item", span.raw_item_id).label, **span.model_dump(mode="json")}


def _spoken(span: Spoken) -> str:
    return f"{span.origin}: {excerpt(span.text, (), LONGEST_SHOWN)}"


def _project(episode: Episode, names: dict[int, str]) -> str:
    return names.get(episode.project_id, "?") if episode.project_id is not None else "none"
