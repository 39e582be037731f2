"""A rule's history: every change with who made it, and undo, one change back each time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import click

from agentrecall_admin.changes import changes, lines_of
from agentrecall_admin.console import Failure, as_json_option, memory, print_json
from agentrecall_admin.rule_text import as_object, one_line, rule_argument, rule_of
from agentrecall_domain.rules import rule as entity
from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.memory import Memory
from agentrecall_storage.rule_versions import UNLINKED

PERSON = "person"
UNDONE = re.compile(r"undone to version (\d+)")
NOT_SAID = {"id", "uid", "version", "created_at", "updated_at", "last_used_at"}
"""What changes with every version, or never, or by being shown alone."""


@click.command()
@rule_argument
@as_json_option
def history(rule_id: int, *, as_json: bool) -> None:
    """Show each change of RULE, oldest first. Who made it and when, and what it was before.

    Example: agentrecall rules history R12
    """
    with memory() as opened:
        rule = rule_of(opened, rule_id)
        found = changes_of(opened, rule)
    if as_json:
        print_json({"label": rule.label, "version": rule.version, "changes": found})
        return
    click.echo(one_line(rule))
    for change in found:
        click.echo("\n".join(lines_of(change)))


@click.command()
@rule_argument
@as_json_option
def undo(rule_id: int, *, as_json: bool) -> None:
    """Take the last change of RULE back. Once more takes back the one before it.

    Example: agentrecall rules undo R12
    """
    with memory() as opened:
        with opened.writing():
            rule = rule_of(opened, rule_id)
            step = last_step(rule, opened.versions(rule_id))
            if step is None:
                raise Failure(
                    f"nothing is left to undo of '{rule.label}'; see 'agentrecall rules history {rule.label}'"
                )
            back = opened.restore(rule, step["version"], step["state"], PERSON)
        names = opened.project_names()
    if as_json:
        print_json(as_object(back, names) | {"undone": step["change"], "undone_to": step["version"]})
    else:
        click.echo(f"undone: {harmless(step['change'])}\n{one_line(back)}")


COMMANDS = (history, undo)


def last_step(rule: Rule, versions: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """The version that an undo goes back to: the state before the last change that still makes a difference.

    Undoing goes further back each time: what an undo took back, and the undo itself, are no steps any more.
    """
    steps: list[dict[str, Any]] = []
    for row in versions:
        undone = UNDONE.fullmatch(row["change"])
        if undone:
            steps = [step for step in steps if step["version"] < int(undone[1])]
        elif not row["change"].startswith(UNLINKED):
            steps.append(row)
    now = _said(entity.as_object(rule))
    return next((step for step in reversed(steps) if _said(now | step["state"]) != now), None)


def changes_of(opened: Memory, rule: Rule) -> list[dict[str, Any]]:
    """Everything that happened to *rule*, oldest first, each change with the parts that it changed."""
    events = opened.events_of(rule.id)
    return changes(opened.versions(rule.id), events, entity.as_object(rule), not_said=NOT_SAID, named=_named)


def _said(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name not in NOT_SAID}


def _named(event: dict[str, Any]) -> str:
    """A row of the ledger that changed nothing in the rule, in words."""
    details = event["details"]
    match event["kind"]:
        case "RuleCreated" if "supersedes" in details:
            return f"created in place of R{details['supersedes']}"
        case "RuleCreated":
            return f"created as {details.get('status', 'a rule')}"
        case "RuleReinforced":
            return f"said again: {details['why']}" if details.get("why") else "said again"
        case "ReviewAsked":
            return f"asked for review: {details.get('why', '')}"
    return str(details.get("change") or details.get("why") or event["kind"])
