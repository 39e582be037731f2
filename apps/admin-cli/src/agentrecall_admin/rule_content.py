"""What a rule says, changed by a person: parts by option, all of them in an editor, or the trigger alone."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping
from typing import Any

import click

from agentrecall_admin.console import Failure, NumberRange, as_json_option, memory, print_json, talk
from agentrecall_admin.rule_form import MOST_PRIORITY, FormError, changed, form
from agentrecall_admin.rule_text import as_object, as_text, languages_of, refusal, rule_argument, rule_of
from agentrecall_domain.rules.lifecycle import IllegalMoveError, check_edit
from agentrecall_domain.rules.rule import LONGEST_TAG, MOST_TAGS, InvalidRuleError, Rule
from agentrecall_domain.text.scrub import scrub
from agentrecall_storage.memory import Memory

PERSON = "person"
WORDS = {"trigger": "when", "action": "do", "mistake": "not", "reason": "because", "always_apply": "always"}
"""What people call the parts of a rule whose names are others."""

TRIGGER_PROBLEMS = {
    "TooShort": "a condition has at least 3 words",
    "TooLong": "a condition has at most 45 words",
    "NotConditional": "a condition begins with 'when', 'before', 'after', 'if' or the like",
    "RestatesTheAction": "it only repeats what to do",
}


@click.command()
@rule_argument
@click.option("--when", "trigger", help="The condition under which the rule holds.")
@click.option("--do", "action", help="What to do.")
@click.option("--not", "mistake", help="What not to do.")
@click.option("--because", "reason", help="Why.")
@click.option("--title", help="A short name for the rule.")
@click.option("--tag", "tags", multiple=True, help="A word to find the rule by, added to those it has.")
@click.option("--untag", "untags", multiple=True, help="A word to find it by no longer.")
@click.option("--glob", "globs", multiple=True, help="Files that it is about, in place of those before; '' for none.")
@click.option("--language", "languages", multiple=True, help="The same for languages; '' for none.")
@click.option("--always/--no-always", "always_apply", default=None, help="Give the rule at every session start.")
@click.option("--confidence", type=NumberRange(0, 1), help="How far it is trusted, from 0 to 1.")
@click.option(
    "--priority",
    type=click.IntRange(-MOST_PRIORITY, MOST_PRIORITY),
    help="Of two rules that conflict, the higher one wins.",
)
@as_json_option
def edit(
    rule_id: int,
    *,
    tags: tuple[str, ...],
    untags: tuple[str, ...],
    globs: tuple[str, ...],
    languages: tuple[str, ...],
    as_json: bool,
    **parts: Any,
) -> None:
    """Change what RULE says; the old text stays in its history. Without an option the rule opens in $EDITOR.

    Example: agentrecall rules edit R12 --do "use pnpm" --because "the lock file is pnpm's" --tag packages
    """
    given = {name: value for name, value in parts.items() if value is not None}
    lists = {"globs": globs, "languages": languages}
    given |= {name: tuple(filter(None, values)) for name, values in lists.items() if values}
    with memory() as opened:
        if given or tags or untags:
            seen = None
        else:
            seen = rule_of(opened, rule_id)
            given = _edited(seen)
        with opened.writing():
            rule = rule_of(opened, rule_id)
            if seen is not None and seen.version != rule.version:
                raise Failure(f"'{rule.label}' was changed meanwhile; nothing was stored, edit it again")
            if tags or untags:
                given["tags"] = _tags(rule, tags, untags)
            kept = change(opened, rule, given)
        names = opened.project_names()
    if kept is rule and not as_json:
        talk(f"{rule.label} says that already")
    if as_json:
        print_json(as_object(kept, names))
    else:
        click.echo(as_text(kept, names))


@click.command()
@rule_argument
@click.option("--when", "trigger", required=True, help="The condition under which the rule holds.")
@as_json_option
def retrigger(rule_id: int, *, trigger: str, as_json: bool) -> None:
    """Give RULE another condition and leave the rest. The condition has to tell when the rule is worth showing.

    Example: agentrecall rules retrigger R12 --when "when adding a dependency to the web app"
    """
    from agentrecall_domain.rules.trigger_quality import TriggerProblem, trigger_problem  # noqa: PLC0415 -- used here alone

    trigger = " ".join(scrub(trigger).split())
    with memory() as opened:
        with opened.writing():
            rule = rule_of(opened, rule_id)
            problem = trigger_problem(trigger, rule.action)
            if problem is not TriggerProblem.NONE:
                why = TRIGGER_PROBLEMS.get(problem.value, problem.value)
                raise Failure(f"'{trigger}' is no usable condition for '{rule.label}': {why}")
            kept = change(opened, rule, {"trigger": trigger})
        names = opened.project_names()
    if as_json:
        print_json(as_object(kept, names))
    else:
        click.echo(as_text(kept, names))


COMMANDS = (edit, retrigger)


def from_editor(rule: Rule) -> dict[str, Any]:
    """What a person changed about *rule* in their editor; nothing when they left it as it was.

    Raises:
        Failure: There are lines in it that name no part of a rule.
    """
    before = form(rule)
    try:
        after = click.edit(before, extension=".txt")
        return {} if after is None else changed(before, after)
    except FormError as error:
        raise Failure(f"cannot read '{rule.label}' as it was edited: {error}; nothing was stored") from error


def change(opened: Memory, rule: Rule, given: Mapping[str, Any]) -> Rule:
    """Give *rule* the *given* parts in the transaction that is open; the rule itself when that changes nothing.

    Raises:
        Failure: The rule is dead, or what is given makes no rule.
        UsageError: It names no action, or a language that we do not know.
    """
    try:
        check_edit(rule)
    except IllegalMoveError as error:
        raise refusal("edit", rule, error) from error
    if "action" in given and not given["action"].strip():
        raise click.UsageError("a rule says what to do; to take it out of recall, 'agentrecall rules archive' it")
    clean = {name: _clean(name, value) for name, value in given.items()}
    try:
        content = dataclasses.replace(rule.content, **clean)
    except InvalidRuleError as error:
        raise Failure(f"cannot edit '{rule.label}': {error}") from error
    if len(content.tags) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in content.tags):
        raise Failure(f"cannot edit '{rule.label}': a rule has at most {MOST_TAGS} tags of {LONGEST_TAG} characters")
    told_apart = [name for name in clean if getattr(content, name) != getattr(rule, name)]
    if not told_apart:
        return rule
    return opened.edit(rule, content, PERSON, f"edited {', '.join(WORDS.get(name, name) for name in told_apart)}")


def _edited(rule: Rule) -> dict[str, Any]:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("say what to change (--when, --do, --not, ...): there is no terminal to edit it in")
    return from_editor(rule)


def _tags(rule: Rule, added: tuple[str, ...], removed: tuple[str, ...]) -> tuple[str, ...]:
    gone = {tag.strip().lower() for tag in removed}
    return tuple(tag for tag in (*rule.tags, *added) if tag.strip().lower() not in gone)


def _clean(name: str, value: Any) -> Any:
    """A part of a rule as it may be stored: scrubbed, and each list without repetition."""
    if isinstance(value, str):
        return scrub(value)
    if not isinstance(value, tuple):
        return value
    if name == "languages":
        return languages_of(value)
    cleaned = [scrub(one).strip() for one in value]
    if name == "tags":
        return tuple(sorted({one.lower() for one in cleaned if one}))
    return tuple(dict.fromkeys(filter(None, cleaned)))
