"""`agentrecall uninstall`: take AgentRecall's hooks out of a host's settings again."""

from __future__ import annotations

import json
from pathlib import Path

import click

from agentrecall_admin.setup import SettingsError, settings_path
from agentrecall_domain.hosts.claude_settings import UnreadableSettingsError
from agentrecall_storage.files import host_settings
from agentrecall_storage.files.host_settings import HostSettingsError, Outcome
from agentrecall_storage.home import home

_SENTENCES = {
    Outcome.NOTHING: "nothing to undo: no hook of AgentRecall is in '{path}'",
    Outcome.RESTORED: "restored '{path}' to what it was before the setup",
    Outcome.DELETED: "deleted '{path}', which the setup had made",
    Outcome.UNWIRED: "took AgentRecall's hooks out of '{path}', other edits stay",
}


@click.group("uninstall")
def uninstall() -> None:
    """Take AgentRecall out of a host again; its memory stays."""


@uninstall.command("claude-code")
@click.option("--user", is_flag=True, help="From the settings of all your projects (the default).")
@click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="From the private settings of one project.",
)
@click.option("--shared", is_flag=True, help="With --project: from the settings that the team shares.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def claude_code(*, user: bool, project: Path | None, shared: bool, as_json: bool) -> None:
    """Take the hooks out of Claude Code's settings.

    The file gets back the bytes it had before the setup; when it was edited
    since, only AgentRecall's own entries go. Exits 0 also when there was
    nothing to undo, 1 when the file cannot be changed, 2 on misuse.
    """
    path = settings_path(user=user, project=project, shared=shared)
    try:
        removal = host_settings.remove(str(path), home())
    except UnreadableSettingsError as error:
        raise SettingsError(f"cannot read '{path}': {error}") from error
    except HostSettingsError as error:
        raise SettingsError(str(error)) from error

    if as_json:
        answer = {
            "host": "claude-code",
            "settings": removal.path,
            "changed": removal.outcome is not Outcome.NOTHING,
            "outcome": removal.outcome.value,
        }
        click.echo(json.dumps(answer, ensure_ascii=False))
    else:
        click.echo(_SENTENCES[removal.outcome].format(path=removal.path))
