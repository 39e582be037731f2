"""Rules as a person handles them: list, show, approve, archive."""

from __future__ import annotations

import re
from typing import Any

import click
from rich.table import Table

from agentrecall_admin.console import Failure, as_json_option, harmless, memory, print_json, project_here, screen, talk
from agentrecall_domain.rules.rule import Rule, Status
from agentrecall_domain.rules.status import DEAD, WAITING
from agentrecall_storage.memory import Memory
from agentrecall_storage.rules import RuleNotFoundError


class RuleIdType(click.ParamType[int]):
    """A rule's id as people write it: `R12`, or `12`."""

    name = "rule"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the id, or fail as wrong usage."""
        found = re.fullmatch(r"[Rr#]?(\d{1,18})", str(value))
        if found is None:
            self.fail(f"'{value}' is no rule id; write it as R12", param, ctx)
        return int(found[1])


RULE_ID = RuleIdType()
WHEN = "when "
STATUSES = [status.value for status in Status if status is not Status.UNKNOWN]


@click.group()
def rules() -> None:
    """Look at rules, approve what waits, archive what no longer holds."""


@rules.command("list")
@click.option("--status", "status", type=click.Choice(STATUSES, case_sensitive=False), help="Only this status.")
@click.option("--all", "everywhere", is_flag=True, help="Rules of every project, dead ones too.")
@as_json_option
def list_rules(*, status: str | None, everywhere: bool, as_json: bool) -> None:
    """List the rules of the current project and the global ones, newest first."""
    with memory() as opened:
        project_id = None if everywhere else opened.find_project(project_here())
        found = opened.list_rules(
            project_id=project_id, everywhere=everywhere, statuses=_statuses(status, everywhere=everywhere)
        )
        names = opened.project_names()
    if as_json:
        print_json([as_object(rule, names) for rule in found])
        return
    if not found:
        talk("no rules" if everywhere else "no rules here; 'agentrecall rules list --all' shows those of every project")
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "status", "holds in", "rule"):
        table.add_column(heading, no_wrap=heading != "rule")
    for rule in found:
        table.add_row(rule.label, rule.status, harmless(_where(rule, names)), harmless(rule.title))
    screen().print(table)


@rules.command()
@click.argument("rule_id", metavar="RULE", type=RULE_ID)
@as_json_option
def show(rule_id: int, *, as_json: bool) -> None:
    """Show RULE (R12) whole, with its history."""
    with memory() as opened:
        rule = _get(opened, rule_id)
        names, versions = opened.project_names(), opened.versions(rule_id)
    if as_json:
        history = [{"version": row["version"], "change": row["change"], "at": row["changed_at"]} for row in versions]
        print_json(as_object(rule, names) | {"history": history})
        return
    click.echo(as_text(rule, names))
    for row in versions:
        click.echo(f"  {row['changed_at']}  version {row['version']}: {row['change']}")


@rules.command()
@click.argument("rule_ids", metavar="RULE...", type=RULE_ID, nargs=-1, required=True)
@as_json_option
def approve(rule_ids: tuple[int, ...], *, as_json: bool) -> None:
    """Bring each RULE that waits into force. A rule in force already stays as it is."""
    _move(rule_ids, Status.ACTIVE, as_json=as_json)


@rules.command()
@click.argument("rule_ids", metavar="RULE...", type=RULE_ID, nargs=-1, required=True)
@as_json_option
def archive(rule_ids: tuple[int, ...], *, as_json: bool) -> None:
    """Take each RULE out of recall for good. Its text and history stay."""
    _move(rule_ids, Status.ARCHIVED, as_json=as_json)


def as_object(rule: Rule, names: dict[int, str]) -> dict[str, Any]:
    """A rule as `--json` prints it."""
    project = names.get(rule.project_id) if rule.project_id is not None else None
    return {"label": rule.label, **rule.model_dump(mode="json"), "project": project}


def as_text(rule: Rule, names: dict[int, str]) -> str:
    """A rule as a person reads it."""
    rows = [
        (f"{rule.label} {rule.status}", rule.title),
        ("when", rule.trigger[len(WHEN) :] if rule.trigger.lower().startswith(WHEN) else rule.trigger),
        ("do", rule.action),
        ("not", rule.mistake),
        ("because", rule.reason),
        ("holds in", _where(rule, names)),
        ("said", rule.evidence if rule.evidence != rule.action else ""),
        ("confidence", f"{rule.confidence:.2f}"),
    ]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {harmless(value)}" for name, value in rows if value)


def _where(rule: Rule, names: dict[int, str]) -> str:
    project = names.get(rule.project_id, "?") if rule.project_id is not None else "every project"
    value = rule.scope_value if rule.scope_level in {"File", "Directory", "Language"} else ""
    return ", ".join(filter(None, (project, value, *rule.globs, *rule.languages)))


def _statuses(status: str | None, *, everywhere: bool) -> list[str]:
    if status is not None:
        return [one for one in STATUSES if one.lower() == status.lower()]
    return [] if everywhere else [one for one in STATUSES if one not in DEAD]


def _get(opened: Memory, rule_id: int) -> Rule:
    try:
        return opened.get_rule(rule_id)
    except RuleNotFoundError as error:
        raise Failure(f"there is no rule 'R{rule_id}'; 'agentrecall rules list --all' shows every rule") from error


def _move(rule_ids: tuple[int, ...], status: Status, *, as_json: bool) -> None:
    moved = []
    with memory() as opened:
        found = [_get(opened, rule_id) for rule_id in dict.fromkeys(rule_ids)]
        for rule in found:
            if status is Status.ACTIVE and rule.status not in WAITING and not rule.is_in_force:
                raise Failure(f"'{rule.label}' is {rule.status}; only a rule that waits can be approved")
        with opened.writing():
            for rule in found:
                keeps = rule.status is status or (status is Status.ACTIVE and rule.is_in_force)
                moved.append(rule if keeps else opened.set_status(rule, status, "person"))
        names = opened.project_names()
    if as_json:
        print_json([as_object(rule, names) for rule in moved])
        return
    for rule in moved:
        click.echo(f"{rule.label} {rule.status}  {harmless(rule.title)}")
