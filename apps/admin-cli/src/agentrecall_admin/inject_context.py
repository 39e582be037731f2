"""Inject context: what a hook would put before the agent at a moment, printed and not recorded."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from agentrecall_admin.asking import asked_for, counted, explained_text
from agentrecall_admin.console import as_json_option, memory, print_json, project_here, talk
from agentrecall_domain.recall.explanation import as_object, explained, explained_notes, note_as_object
from agentrecall_domain.recall.injection import Asked, Injection
from agentrecall_domain.recall.moments import Trace, at_file, at_prompt, at_start
from agentrecall_domain.recall.rendering import block
from agentrecall_storage.hot import HotStore
from agentrecall_storage.memory import Memory
from agentrecall_storage.places import place_at

STDIN = "-"
TAKES = {"start": (), "prompt": ("--prompt",), "read": ("--file",), "edit": ("--file", "--text")}
NEEDS = {"start": (), "prompt": ("--prompt",), "read": ("--file",), "edit": ("--file",)}
LATEST_TURN = """
    SELECT injections.prompt_id FROM sessions JOIN injections ON injections.session_id = sessions.id
     WHERE sessions.uid = ? AND injections.agent_id = '' AND injections.moment <> 'start'
     ORDER BY injections.id DESC LIMIT 1
"""


@click.command("inject-context")
@click.option(
    "--moment",
    type=click.Choice(list(TAKES)),
    help="When; without it: edit with --text, read with --file, prompt with --prompt, else start.",
)
@click.option("--prompt", metavar="TEXT", help="What the user says; '-' reads it from stdin.")
@click.option("--file", "file", metavar="PATH", help="The file that is read or edited.")
@click.option("--text", metavar="TEXT", help="What an edit writes; '-' reads it from stdin.")
@click.option("--session", metavar="UID", default="", help="Count as seen what this session's window was shown.")
@click.option("--explain", "with_reasons", is_flag=True, help="Every candidate, its signals, and why it is not shown.")
@as_json_option
def inject_context(
    *,
    moment: str | None,
    prompt: str | None,
    file: str | None,
    text: str | None,
    session: str,
    with_reasons: bool,
    as_json: bool,
) -> None:
    """Print what a hook would put before the agent in the current project, and with --explain why. Stores nothing.

    With --session, what that session's latest turn was shown is not shown again at a read or an edit.

    Example: agentrecall inject-context --file db/models.py --explain
    """
    given = {
        name: value for name, value in (("--prompt", prompt), ("--file", file), ("--text", text)) if value is not None
    }
    moment = moment or next((one for one in ("edit", "read", "prompt") if TAKES[one][-1] in given), "start")
    _check(moment, given)
    said = _read(given.get("--prompt", given.get("--text", "")))
    project, trace = project_here(), Trace()
    with memory() as opened:
        asked = asked_for(moment, said, session, _latest_turn(opened, session) if session else "")
        injection = _recall(opened.hot, asked, opened.find_project(project), file or "", trace)
        found = explained(injection, trace, opened.hot.concepts.names() if with_reasons else {})
    notes = explained_notes(trace)
    shown = block(injection.shown, injection.notes, project=project.name, moment=moment, injection_id=None)
    if as_json:
        answer: dict[str, Any] = {
            "moment": moment,
            "project": project.name,
            "skipped": injection.skipped or None,
            "shown": [
                *(f"R{one.candidate.id}" for one in injection.shown),
                *(f"N{one.candidate.id}" for one in injection.notes),
            ],
            "tokens": injection.tokens,
            "text": shown,
        }
        reasons = {"floor": trace.floor if trace.query else None, "candidates": [as_object(one) for one in found]}
        reasons["notes"] = [note_as_object(one, with_reasons=True) for one in notes]
        print_json(answer | (reasons if with_reasons else {}))
        return
    if shown:
        click.echo(shown)
    if with_reasons:
        click.echo("\n" * bool(shown) + explained_text(found, trace, injection))
    elif not shown:
        talk(f"{counted(found, notes, injection)}{'; --explain says why' if found or notes else ''}")


def _check(moment: str, given: dict[str, str]) -> None:
    """Refuse what does not go together."""
    missing = [name for name in NEEDS[moment] if name not in given]
    if missing:
        raise click.UsageError(f"at the moment '{moment}' say {missing[0]}")
    unfit = [name for name in given if name not in TAKES[moment]]
    if unfit:
        raise click.UsageError(f"{unfit[0]} is nothing that the moment '{moment}' has")


def _read(text: str) -> str:
    """*text*, or stdin when it is asked for."""
    if text != STDIN:
        return text
    if sys.stdin.isatty():
        talk("reading the text from stdin; end it with Ctrl-D")
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _latest_turn(opened: Memory, session_uid: str) -> str:
    """The id of the prompt that the session was last asked about."""
    row = opened.connection.execute(LATEST_TURN, (session_uid,)).fetchone()
    if row is None:
        talk(f"nothing is known of what session '{session_uid}' was shown")
    return str(row[0]) if row else ""


def _recall(store: HotStore, asked: Asked, project_id: int | None, file: str, trace: Trace) -> Injection:
    if asked.moment == "start":
        return at_start(store, asked, project_id, trace)
    if asked.moment == "prompt":
        return at_prompt(store, asked, project_id, trace)
    path = place_at(str(Path.cwd())).relative(file)
    if path:
        return at_file(store, asked, project_id, path, trace)
    return Injection(asked, project_id=project_id, shown=[], skipped="the file is outside the project", tokens=0)
