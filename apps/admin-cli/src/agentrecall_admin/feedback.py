"""Feedback: a person tells the memory what the agent should do next time."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import click

from agentrecall_admin.console import Failure, as_json_option, memory, print_json, project_here, talk
from agentrecall_admin.rule_text import as_object, as_text
from agentrecall_domain.capture.feedback import (
    Considered,
    EmptyFeedbackError,
    LongFeedbackError,
    Parts,
    Scope,
    consider,
)
from agentrecall_domain.capture.feedback import add as capture
from agentrecall_domain.capture.finalized import Outcome
from agentrecall_domain.capture.persist import PERSON
from agentrecall_domain.capture.suggestion import suggest as suggestions_in
from agentrecall_domain.rules.rule import InvalidRuleError, ScopeLevel, Status
from agentrecall_domain.rules.scope import LANGUAGES
from agentrecall_domain.rules.status import WAITING
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.files.git import locate


@click.group()
def feedback() -> None:
    """Tell the memory what the agent should do next time."""


@feedback.command("add")
@click.argument("text", required=False)
@click.option("--when", "trigger", default="", help="The condition under which the rule holds.")
@click.option("--do", "action", default="", help="What to do.")
@click.option("--not", "mistake", default="", help="What not to do.")
@click.option("--because", "reason", default="", help="Why.")
@click.option("--title", default="", help="A short name for the rule.")
@click.option("--file", "file", default="", help="The rule is about this file.")
@click.option("--folder", "folder", default="", help="The rule is about the files in this folder.")
@click.option("--glob", "globs", multiple=True, help="The rule is about files like this, e.g. 'db/**/*.sql'.")
@click.option("--language", "languages", multiple=True, help="The rule is about files in this language.")
@click.option(
    "--scope-level",
    type=click.Choice(["Global", "Language", "Repository", "Directory", "File"], case_sensitive=False),
    help="The same by name, with --scope-value: how far the rule reaches.",
)
@click.option("--scope-value", default="", help="The language, directory or file that --scope-level is about.")
@click.option("--global", "everywhere", is_flag=True, help="The rule holds in every project.")
@click.option("--always", is_flag=True, help="Give the rule at every session start.")
@click.option("--tag", "tags", multiple=True, help="A word to find the rule by.")
@click.option("--anyway", is_flag=True, help="Store it, even if it reads as no lesson.")
@click.option("--pending", is_flag=True, help="Store it for review, not in force.")
@as_json_option
def add(
    text: str | None,
    *,
    trigger: str,
    action: str,
    mistake: str,
    reason: str,
    title: str,
    file: str,
    folder: str,
    globs: tuple[str, ...],
    languages: tuple[str, ...],
    scope_level: str | None,
    scope_value: str,
    everywhere: bool,
    always: bool,
    tags: tuple[str, ...],
    anyway: bool,
    pending: bool,
    as_json: bool,
) -> None:
    """Store TEXT as a rule, e.g. 'When a migration has been applied, add a new one, never edit it, because ...'.

    Without TEXT it is read from stdin, unless --do says it all. The parts of the rule are read out of the text; an
    option wins over that. The rule holds in the current project, unless --global. It is in force at once. What reads as
    a fact, a question, praise or a log is not stored, and said so; --anyway stores it.
    """
    words = text if text is not None else "" if action else _stdin()
    parts = Parts(trigger, action, mistake, reason, title)
    named = _named_scope(scope_level, scope_value)
    everywhere = everywhere or named.get("Global", False)
    file, folder = file or named.get("File", ""), folder or named.get("Directory", "")
    languages = (*languages, *filter(None, [named.get("Language")]))
    project = None if everywhere else project_here()
    with memory() as opened:
        project_id = opened.record_project(project) if project else None
        where = _scope(file, folder, globs, languages, opened.project_uid(project_id) if project_id else "")
        considered = _consider(words, parts, where, tags=tags, always=always, accepted=anyway)
        if considered.content.scope_level is ScopeLevel.GLOBAL:
            project_id = None
        with opened.writing():
            outcome = capture(opened, considered, project_id, pending=pending)
            rule = None if outcome.rule_id is None else opened.get_rule(outcome.rule_id)
            if rule is not None and outcome.action == "reinforced" and rule.status in WAITING and not pending:
                # Who says it in so many words approves it.
                rule = opened.set_status(rule, Status.ACTIVE, PERSON, "said again")
        names = opened.project_names()
    if as_json:
        print_json(_answer(considered, outcome) | (as_object(rule, names) if rule else {}))
        return
    if rule is None:
        hint = "" if anyway else "; --anyway stores it all the same"
        talk(f"not stored: {outcome.why}{hint}")
        return
    if outcome.why:
        talk(f"{rule.label} says the same already" if outcome.action == "reinforced" else outcome.why)
    click.echo(as_text(rule, names))


@feedback.command("suggest")
@as_json_option
def suggest(*, as_json: bool) -> None:
    """Read a finished turn on stdin and propose the lessons that its wording seems to hold. Stores nothing.

    The turn is JSON with "prompt" (or "user_prompt"), as a Stop hook gets it, or plain text: what the user said.
    """
    said = _prompt_of(_stdin())
    if not said.strip():
        raise click.UsageError("there is no turn on stdin: give its JSON with a 'prompt', or what the user said")
    found = suggestions_in(said)
    rows = [
        {**one.lesson._asdict(), "category": one.category, "confidence": one.confidence, "said": one.said}
        for one in found.suggestions
    ]
    if as_json:
        print_json({"suggestions": rows, "why": found.why})
        return
    if not rows:
        talk(f"no suggestion: {found.why}")
    for number, row in enumerate(rows):
        click.echo(
            "\n" * bool(number)
            + "\n".join(f"{name:10}  {harmless(str(value))}" for name, value in row.items() if value)
        )


def _prompt_of(given: str) -> str:
    """What the user said in a turn: the prompt of a JSON object, or the text itself."""
    try:
        turn = json.loads(given)
    except ValueError:
        return given
    if not isinstance(turn, dict):
        return given
    said = next((turn[name] for name in ("prompt", "user_prompt") if isinstance(turn.get(name), str)), None)
    if said is None:
        raise click.UsageError("the turn on stdin has no text as 'prompt'")
    return str(said)


def _consider(
    text: str, parts: Parts, where: Scope, *, tags: tuple[str, ...], always: bool, accepted: bool
) -> Considered:
    try:
        return consider(text, parts, where, tags=tags, always=always, accepted=accepted)
    except EmptyFeedbackError as error:
        raise click.UsageError(
            "there is nothing to store: say what to do in a few words, as TEXT or with --do"
        ) from error
    except LongFeedbackError as error:
        raise Failure("the feedback is over 20,000 characters: store the lesson, not the log") from error
    except InvalidRuleError as error:
        raise Failure(f"the feedback makes no rule: {error}") from error


def _answer(considered: Considered, outcome: Outcome) -> dict[str, Any]:
    """What became of the feedback and why, with the parts that were read out of it."""
    content, judged, decided = considered
    return {
        "stored": outcome.rule_id is not None,
        "created": outcome.action in {"captured", "pending", "refined", "superseded"},
        "outcome": outcome.action,
        "why": outcome.why,
        "decision": decided.outcome,
        "skip_reason": decided.skip,
        "worthiness": judged.worthiness,
        "worthiness_reason": judged.why,
        **{name: getattr(content, name) for name in ("category", "trigger", "action", "mistake", "reason")},
    }


def _named_scope(level: str | None, value: str) -> dict[str, Any]:
    """The scope that --scope-level and --scope-value name, as the option of its own that says the same."""
    found = (level or "").capitalize()
    needs_value = found in {ScopeLevel.LANGUAGE, ScopeLevel.DIRECTORY, ScopeLevel.FILE}
    if needs_value != bool(value):
        problem = (
            f"--scope-level {level} needs a --scope-value" if needs_value else "--scope-value needs a --scope-level"
        )
        raise click.UsageError(f"{problem} of Language, Directory or File" if not level else problem)
    return {found: value or True}


def _scope(file: str, folder: str, globs: tuple[str, ...], languages: tuple[str, ...], project_uid: str) -> Scope:
    if file and folder:
        raise click.UsageError("--file and --folder exclude each other")
    known = set(LANGUAGES.values())
    unknown = [language for language in languages if language.lower() not in known]
    if unknown:
        raise click.UsageError(f"unknown language '{unknown[0]}'; one of: {', '.join(sorted(known))}")
    if file or folder:
        if not project_uid:
            raise click.UsageError("a file or folder lies in a project: leave --global out")
        level = ScopeLevel.FILE if file else ScopeLevel.DIRECTORY
        return Scope(level, _relative(file or folder), globs, languages)
    if project_uid:
        return Scope(ScopeLevel.REPOSITORY, project_uid, globs, languages)
    return Scope(ScopeLevel.GLOBAL, "", globs, languages)


def _relative(path: str) -> str:
    relative = locate(os.getcwd()).relative(os.path.expanduser(path))
    if relative is None or relative == ".":
        raise click.UsageError(f"'{path}' is not inside this project")
    return relative


def _stdin() -> str:
    if sys.stdin.isatty():
        talk("reading the feedback from stdin; end it with Ctrl-D")
    return sys.stdin.buffer.read().decode("utf-8", "replace")
