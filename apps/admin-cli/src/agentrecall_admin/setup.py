"""`agentrecall setup`: wire AgentRecall's hooks into a host's settings."""

from __future__ import annotations

import difflib
import json
import os
import shlex
from datetime import UTC, datetime
from pathlib import Path

import click

from agentrecall_admin import installation
from agentrecall_domain.hosts import claude_settings
from agentrecall_domain.hosts.claude_settings import Programs, UnreadableSettingsError, Wire
from agentrecall_storage.files import host_settings
from agentrecall_storage.files.host_settings import Change, HostSettingsError
from agentrecall_storage.home import home


class SettingsError(click.ClickException):
    """The host's settings cannot be read or written."""


@click.group("setup")
def setup() -> None:
    """Wire AgentRecall into a host, reversibly."""


@setup.command("claude-code")
@click.option("--user", is_flag=True, help="In the settings of all your projects (the default).")
@click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="In the private settings of one project.",
)
@click.option("--shared", is_flag=True, help="With --project: in the settings that the team shares.")
@click.option("--dry-run", is_flag=True, help="Show the change, make none.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def claude_code(*, user: bool, project: Path | None, shared: bool, dry_run: bool, as_json: bool) -> None:
    """Write the hooks into Claude Code's settings.

    What else is in the file stays as it is. Exits 0 when the hooks are in
    place, 1 when they cannot be put there (nothing is changed then), 2 on misuse.
    """
    path = settings_path(user=user, project=project, shared=shared)
    programs = _programs()
    try:
        if dry_run:
            change = host_settings.planned(str(path), programs)
        else:
            change = host_settings.install(str(path), home(), programs, datetime.now(UTC))
    except UnreadableSettingsError as error:
        raise SettingsError(f"cannot read '{path}': {error}") from error
    except HostSettingsError as error:
        raise SettingsError(str(error)) from error

    undo = undo_command(project=project, shared=shared)
    after = change.after.decode()
    wires = claude_settings.wiring(after)
    if as_json:
        _print_json(change, wires, undo, dry_run=dry_run)
    elif dry_run:
        click.echo(_difference(change), nl=False)
    else:
        _print_text(change, wires, undo)
    _print_warnings(after, shared=shared)


def settings_path(*, user: bool, project: Path | None, shared: bool) -> Path:
    """The settings file that the options speak of.

    Raises:
        click.UsageError: They contradict each other.
    """
    if user and (project is not None or shared):
        raise click.UsageError("--user goes with neither --project nor --shared")
    if project is None:
        if shared:
            raise click.UsageError("--shared needs --project DIR")
        configured = os.environ.get("CLAUDE_CONFIG_DIR")
        return (Path(configured) if configured else Path.home() / ".claude") / "settings.json"
    return project.absolute() / ".claude" / ("settings.json" if shared else "settings.local.json")


def undo_command(*, project: Path | None, shared: bool) -> str:
    """The command line that takes the hooks out again."""
    words = ["agentrecall", "uninstall", "claude-code"]
    if project is not None:
        words += ["--project", str(project.absolute())]
    if shared:
        words += ["--shared"]
    return shlex.join(words)


def _programs() -> Programs:
    """The hook programs that were installed with this one."""
    names = (claude_settings.CAPTURE_HOOK, claude_settings.RECALL_HOOK, claude_settings.FINALIZE_TURN)
    return Programs(*(installation.get(name) for name in names))


def _print_json(change: Change, wires: list[Wire], undo: str, *, dry_run: bool) -> None:
    answer = {
        "host": "claude-code",
        "settings": change.path,
        "changed": change.is_needed and not dry_run,
        "dry_run": dry_run,
        "would_change": change.is_needed,
        "hooks": [wire._asdict() for wire in wires],
        "undo": undo,
    }
    click.echo(json.dumps(answer, ensure_ascii=False))


def _print_text(change: Change, wires: list[Wire], undo: str) -> None:
    if not change.is_needed:
        click.echo(f"nothing to change: Claude Code's hooks are in '{change.path}' already")
        return
    click.echo(f"wired Claude Code in '{change.path}'")
    for wire in wires:
        click.echo(f"  {wire.event:<16}  {wire.command}")
    click.echo(f"undo with: {undo}", err=True)
    click.echo("an interactive session asks you to trust the folder before it runs any hook", err=True)


def _difference(change: Change) -> str:
    before = (change.before or b"").decode().splitlines(keepends=True)
    after = change.after.decode().splitlines(keepends=True)
    lines = difflib.unified_diff(before, after, change.path, change.path)
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def _print_warnings(settings: str, *, shared: bool) -> None:
    if shared:
        click.echo("the paths of the hooks are those of this machine: on another they name no program", err=True)
    if claude_settings.hooks_are_disabled(settings):
        click.echo("'disableAllHooks' is true in these settings: Claude Code runs no hook until it is not", err=True)
