"""Leaving a project out of memory: `exclude` and `include`."""

from __future__ import annotations

from pathlib import Path

import click

from agentrecall_admin.console import Failure, as_json_option, memory, now, print_json
from agentrecall_storage.files import exclusions
from agentrecall_storage.files.git import Place, locate
from agentrecall_storage.home import database_path, home

STAMP = "%Y-%m-%dT%H:%M:%SZ"


@click.command()
@click.argument("project")
@as_json_option
def exclude(project: str, *, as_json: bool) -> None:
    """Leave PROJECT out of memory: nothing of it is captured, and nothing is recalled in it.

    PROJECT is a folder, or the name of a project that the memory knows. A repository is excluded with all its clones
    and worktrees, any other folder with everything below it. What was captured before stays.
    """
    target, label = _target(project)
    try:
        added = exclusions.exclude(home(), target, label, now().strftime(STAMP))
    except exclusions.ExclusionsUnreadableError as error:
        raise Failure(str(error)) from error
    if as_json:
        print_json([entry.as_dict() for entry in added])
        return
    click.echo(f"excluded {label}" if added else f"{label} is excluded already")


@click.command()
@click.argument("project")
@as_json_option
def include(project: str, *, as_json: bool) -> None:
    """Take PROJECT, a folder or a project's name, into memory again after 'agentrecall exclude'."""
    target, label = _target(project)
    above = _excluded_above(target)
    if above:
        raise Failure(
            f"'{label}' is excluded with '{above}' and all below it; 'agentrecall include {above}' takes that in again"
        )
    try:
        removed = exclusions.include(home(), target)
    except exclusions.ExclusionsUnreadableError as error:
        raise Failure(str(error)) from error
    if as_json:
        print_json([entry.as_dict() for entry in removed])
        return
    if not removed:
        click.echo(f"{label} is not excluded")
    for entry in removed:
        click.echo(f"included {entry.label}")


def _excluded_above(target: Place | str) -> str:
    """The excluded folder that *target* lies in, and is not; an empty text when there is none."""
    folder = target if isinstance(target, str) else target.cwd
    try:
        entries = exclusions.entries(home())
    except exclusions.ExclusionsUnreadableError as error:
        raise Failure(str(error)) from error
    return next(
        (
            entry.value
            for entry in entries
            if entry.kind == exclusions.FOLDER and entry.value != folder and Path(folder).is_relative_to(entry.value)
        ),
        "",
    )


def _target(project: str) -> tuple[Place | str, str]:
    """What is meant: a repository as a place, another folder as its path, and what to call it."""
    path = Path(project).expanduser()
    if not path.is_dir():
        root = _root_of(project)
        if root is None:
            raise click.UsageError(f"'{project}' is neither a folder nor a project that the memory knows")
        path = Path(root)
    place = locate(str(path))
    if place.is_repository and Path(place.root) == path.resolve():
        return place, place.name
    return str(path.resolve()), str(path.resolve())


def _root_of(name: str) -> str | None:
    if not Path(database_path(home())).exists():
        return None
    with memory() as opened:
        row = opened.connection.execute("SELECT root FROM projects WHERE name = ? OR uid = ?", (name, name)).fetchone()
    return str(row[0]) if row else None
