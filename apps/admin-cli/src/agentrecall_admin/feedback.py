"""Feedback: a person tells the memory what the agent should do next time."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from agentrecall_admin.console import Failure, as_json_option, memory, print_json, project_here, talk
from agentrecall_admin.rules import as_object, as_text
from agentrecall_domain.capture.feedback import EmptyFeedbackError, LongFeedbackError, Parts, Scope, rule_from
from agentrecall_domain.rules.duplicate import tells_the_same
from agentrecall_domain.rules.rule import ScopeLevel, Status
from agentrecall_domain.rules.scope import LANGUAGES
from agentrecall_domain.rules.status import WAITING
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
    pending: bool,
    as_json: bool,
) -> None:
    """Store TEXT as a rule, e.g. 'When a migration has been applied, add a new one, never edit it, because ...'.

    Without TEXT it is read from stdin, unless --do says it all. The parts of the rule are read out of the text; an
    option wins over that. The rule holds in the current project, unless --global. It is in force at once.
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
        try:
            content = rule_from(words, parts, where, tags=tags, always=always)
        except EmptyFeedbackError as error:
            raise click.UsageError(
                "there is nothing to store: say what to do in a few words, as TEXT or with --do"
            ) from error
        except LongFeedbackError as error:
            raise Failure("the feedback is over 20,000 characters: store the lesson, not the log") from error
        except ValueError as error:
            raise Failure(f"the feedback makes no rule: {error}") from error
        same = [rule for rule in opened.rules_beside(content, project_id) if tells_the_same(rule, content)]
        if same:
            opened.reinforce(same[0], 0.0, "said again")
            rule, is_new = opened.get_rule(same[0].id), False
            if rule.status in WAITING and not pending:
                # Who says it in so many words approves it.
                rule = opened.set_status(rule, Status.ACTIVE, "person", "said again")
        else:
            status = Status.PENDING if pending else Status.ACTIVE
            rule, is_new = opened.add_rule(content, status, project_id, "person"), True
        if as_json:
            print_json(as_object(rule, opened.project_names()) | {"created": is_new})
            return
        if not is_new:
            talk(f"{rule.label} says the same already")
        click.echo(as_text(rule, opened.project_names()))


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
    relative = locate(str(Path.cwd())).relative(str(Path(path).expanduser()))
    if relative is None or relative == ".":
        raise click.UsageError(f"'{path}' is not inside this project")
    return relative


def _stdin() -> str:
    if sys.stdin.isatty():
        talk("reading the feedback from stdin; end it with Ctrl-D")
    return sys.stdin.buffer.read().decode("utf-8", "replace")
