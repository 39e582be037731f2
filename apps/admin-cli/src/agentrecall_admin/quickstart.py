"""Quickstart: the main job in one command, from a captured session to a rule that comes back when it is needed."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.text import Text

from agentrecall_admin import programs, sample
from agentrecall_admin.command_line import typed
from agentrecall_admin.console import Failure, as_json_option, memory, print_json, project_here, screen, talk
from agentrecall_admin.rule_text import as_object, as_text
from agentrecall_admin.transcripts_here import claude_folder, transcripts_of
from agentrecall_domain.hosts import claude_settings
from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.turns.batch import Excluded, Project
from agentrecall_storage.captured import Amount, Said, amount, newest_said
from agentrecall_storage.files import exclusions
from agentrecall_storage.home import database_path, disabled, home
from agentrecall_storage.places import Places
from agentrecall_storage.removal import Removed, remove_project

LINES_SHOWN = 12
PLAIN_WIDTH = 110
WIRE = ("agentrecall", "setup", "claude-code")
REMOVE = ("agentrecall", "quickstart", "--remove-sample")
MARKS = r"\[redacted:[a-z0-9-]+\]|\[private\]"


class Captured(NamedTuple):
    """What the memory holds of a project now, and how many raw items of that are new."""

    project: str
    transcripts: int
    amount: Amount
    new: int
    said: list[Said]

    def as_object(self) -> dict[str, Any]:
        """It as `--json` prints it."""
        items = [item._asdict() for item in self.said]
        counts = self.amount._asdict() | {"new_raw_items": self.new}
        return {"project": self.project, "transcripts": self.transcripts} | counts | {"items": items}


class Tour(NamedTuple):
    """Everything that the quickstart did, to be shown."""

    made: bool
    captured: Captured
    rule: Rule
    rule_is_new: bool
    rule_object: dict[str, Any]
    recalled: str


@click.command()
@click.option("--here", is_flag=True, help="Capture Claude Code's transcripts of the current project.")
@click.option("--remove-sample", is_flag=True, help="Take the sample out of the memory again.")
@as_json_option
def quickstart(*, here: bool, remove_sample: bool, as_json: bool) -> None:
    """Show the memory at work: capture a session, keep its correction as a rule, recall that at another prompt.

    The session is a sample, unless --here; the correction always is the sample's. Both are kept in a project of their
    own, 'agentrecall-sample', which --remove-sample takes out again. No setting of any host is touched.

    Exits 1 when a step fails or this project is excluded from memory, 2 on misuse.
    """
    if remove_sample:
        if here:
            raise click.UsageError("--here and --remove-sample exclude each other")
        _remove(as_json=as_json)
        return
    if disabled():
        raise Failure("AGENTRECALL_DISABLED is set, so nothing would be captured or recalled; unset it and try again")
    tour = _tour(here=here)
    if as_json:
        print_json(
            {
                "memory": database_path(home()),
                "captured": tour.captured.as_object(),
                "rule": tour.rule_object,
                "recalled": tour.recalled,
                "wire": [typed(WIRE)] if _has_claude_code() else [],
                "remove": typed(REMOVE),
            }
        )
        return
    _show(tour, here=here)


def _tour(*, here: bool) -> Tour:
    project = project_here() if here else None
    made = not Path(database_path(home())).exists()
    with memory():
        pass
    theirs = _sample_project()
    captured = _capture_here(project) if project else None
    of_sample = _capture_sample(theirs)
    rule, is_new, rule_object = _keep_correction(theirs)
    return Tour(made, captured or of_sample, rule, is_new, rule_object, _recall(rule))


# Capture


def _sample_project() -> Project:
    try:
        project = sample.project(home())
    except sample.SampleNotApartError as error:
        raise Failure(f"'{error}' is a repository, so that the sample would be taken for a part of it") from error
    if isinstance(project, Excluded):
        try:
            labels = [f"'agentrecall include {entry.label}'" for entry in exclusions.entries(home())]
        except exclusions.ExclusionsUnreadableError as error:
            raise Failure(str(error)) from error
        raise Failure(
            f"the sample's folder '{sample.FOLDER}' is excluded from memory; undo it with one of: {', '.join(labels)}"
        )
    return project


def _capture_sample(project: Project) -> Captured:
    before = _amount(project)
    try:
        with sample.on_disk(home()) as transcript:
            done = programs.capture(transcript, sample.SESSION, sample.FOLDER)
    except OSError as error:
        raise Failure(f"cannot write the sample into '{home()}': {error}; run 'agentrecall doctor'") from error
    if not done:
        raise Failure("the sample was not captured; run 'agentrecall doctor'")
    return _captured(project, 1, before)


def _capture_here(project: Project) -> Captured:
    before = _amount(project)
    found = transcripts_of(project, Places(home()))
    with click.progressbar(found, label=f"capturing {_count(len(found), 'transcript')}", file=sys.stderr) as bar:
        unfinished = [
            one.path for one in bar if not programs.capture(one.path, one.session_uid, one.cwd, started_in=one.cwd)
        ]
    for path in unfinished:
        talk(f"'{path}' was not read to its end; the hooks go on from there")
    return _captured(project, len(found), before)


def _captured(project: Project, transcripts: int, before: Amount) -> Captured:
    now = _amount(project)
    with memory() as opened:
        project_id = opened.find_project(project)
        said = newest_said(opened.connection, project_id, LINES_SHOWN) if project_id is not None else []
    return Captured(project.name, transcripts, now, now.raw_items - before.raw_items, said)


def _amount(project: Project) -> Amount:
    with memory() as opened:
        project_id = opened.find_project(project)
        return amount(opened.connection, project_id) if project_id is not None else Amount(0, 0, 0)


# The rule, and its recall


def _keep_correction(project: Project) -> tuple[Rule, bool, dict[str, Any]]:
    """The sample's rule, in force, through the program that judges hand their verdicts to; and whether it is new."""
    with memory() as opened:
        known = {rule.id for rule in opened.list_rules(project_id=opened.find_project(project), everywhere=False)}
    answer = programs.run(claude_settings.FINALIZE_TURN, sample.verdict())
    try:
        (outcome,) = json.loads(answer)["outcomes"]
        rule_id = int(outcome["rule_id"])
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(
            f"'{claude_settings.FINALIZE_TURN}' stored no rule: {answer.strip()}; run 'agentrecall doctor'"
        ) from error
    with memory() as opened:
        rule = opened.get_rule(rule_id)
        as_printed = as_object(rule, opened.project_names()) | {"created": rule_id not in known}
    if not rule.is_in_force:
        raise Failure(
            f"'{rule.label}', the sample's rule, is {rule.status}, so it is not recalled; "
            f"'{typed(REMOVE)}', then try again"
        )
    return rule, rule_id not in known, as_printed


def _recall(rule: Rule) -> str:
    """What the agent reads at the later prompt."""
    answer = programs.run(claude_settings.RECALL_HOOK, sample.prompt_payload())
    try:
        block = str(json.loads(answer)["hookSpecificOutput"]["additionalContext"])
    except (ValueError, KeyError, TypeError):
        block = ""
    if f"[{rule.label}]" not in block:
        raise Failure(f"'{rule.label}' was not recalled for '{sample.LATER_PROMPT}'; run 'agentrecall doctor'")
    return block


# Taking it out again


def _remove(*, as_json: bool) -> None:
    removed = Removed()
    if Path(database_path(home())).exists():
        with memory() as opened:
            project_id = opened.hot.find_project([sample.alias()])
            if project_id is not None:
                removed = remove_project(opened, project_id)
    if as_json:
        print_json({"removed": removed._asdict()})
    elif removed.projects:
        click.echo(f"removed the sample: {_count(removed.rules, 'rule')}, {_in_words(removed)}")
    else:
        click.echo("nothing to remove: the sample is not in the memory")


# Telling


def _show(tour: Tour, *, here: bool) -> None:
    captured = tour.captured
    _head("1", "The memory")
    _line(f"{'made' if tour.made else 'found'} {database_path(home())}, readable by you alone")

    _head("2", f"Captured from {_transcripts(captured) if here else 'a sample session: who said what'}")
    for item in captured.said:
        _line(f"{item.role:<9}  {' '.join(item.text.split())}", cut=True)
    if here and not captured.transcripts:
        _line(f"Claude Code has written no transcript of this project below '{claude_folder()}'")
    _line(f"{_in_words(captured.amount)} in '{captured.project}'; {captured.new or 'none'} of them new", style="dim")
    if not here:
        known = "" if captured.new else "the sample was there already; "
        _line(f"{known}its secret and what it has in <private> tags were not stored", style="dim")

    _head("3", f"The{' sample' if here else ''} user's correction, {'kept' if tour.rule_is_new else 'known'} as a rule")
    for line in as_text(tour.rule, {tour.rule.project_id or 0: "the sample alone"}).splitlines():
        _line(line)

    _head("4", "Recalled at a later prompt, in other words; this is what the agent reads")
    _line(f"> {sample.LATER_PROMPT}")
    for line in tour.recalled.splitlines():
        _line(line, style="cyan")

    _head("5", "Wire it into your agent; nothing was changed there yet")
    for line in _wiring():
        _line(line)
    screen().print(f"\nThe sample goes out again with: {typed(REMOVE)}", markup=False)


def _head(number: str, text: str) -> None:
    screen().print(f"{'' if number == '1' else chr(10)}{number}. {text}", style="bold", markup=False)


def _line(text: str, style: str = "", *, cut: bool = False) -> None:
    console = screen()
    # What was captured may hold a terminal's control codes.
    plain = "".join(char if char.isprintable() else " " for char in text)
    shown = Text(f"   {plain}", style=style)
    shown.highlight_regex(MARKS, "yellow")
    if cut:
        shown.truncate(console.width if console.is_terminal else PLAIN_WIDTH, overflow="ellipsis")
    console.print(shown)


def _in_words(found: Amount | Removed) -> str:
    turns, items = _count(found.turns, "turn"), _count(found.raw_items, "raw item")
    return f"{_count(found.sessions, 'session')}, {turns}, {items}"


def _transcripts(captured: Captured) -> str:
    return f"{_count(captured.transcripts, 'transcript')} of this project, the end of it"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


# What to type next


def _wiring() -> list[str]:
    lines = []
    if _has_claude_code():
        lines.append(f"{typed(WIRE)}   (Claude Code is on this machine)")
    if shutil.which("codex") or (Path.home() / ".codex").is_dir():
        lines.append("Codex is on this machine; wiring it is not supported yet")
    if not _has_claude_code():
        lines.append(f"Claude Code is supported, and was not found here; once it is: {typed(WIRE)}")
    return lines


def _has_claude_code() -> bool:
    return shutil.which("claude") is not None or claude_folder().is_dir()
