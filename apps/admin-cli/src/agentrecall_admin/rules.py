"""Rules as a person looks at them: list, show, explain. What changes them lies in the modules beside this one."""

from __future__ import annotations

import click

from agentrecall_admin import rule_audit, rule_changes, rule_compression, rule_content, rule_history
from agentrecall_admin.console import as_json_option, memory, print_json, project_here, screen, talk
from agentrecall_admin.rule_explanation import explanation, explanation_text
from agentrecall_admin.rule_text import as_object, as_text, marks, rule_argument, rule_of, where
from agentrecall_domain.rules.rule import Status
from agentrecall_domain.rules.status import DEAD
from agentrecall_domain.text.harmless import harmless

STATUSES = [status.value for status in Status if status is not Status.UNKNOWN]


@click.group()
def rules() -> None:
    """Look at rules, approve what waits, change or archive what no longer holds, and undo that."""


@rules.command("list")
@click.option("--status", "status", type=click.Choice(STATUSES, case_sensitive=False), help="Only this status.")
@click.option("--tag", default="", help="Only rules with this tag.")
@click.option("--pinned", is_flag=True, help="Only pinned rules.")
@click.option("--muted", is_flag=True, help="Only muted rules.")
@click.option("--all", "everywhere", is_flag=True, help="Rules of every project, dead ones too.")
@as_json_option
def list_rules(*, status: str | None, tag: str, pinned: bool, muted: bool, everywhere: bool, as_json: bool) -> None:
    """List the rules of this project and the global ones, newest first.

    Example: agentrecall rules list --status pending --tag database
    """
    with memory() as opened:
        found = opened.list_rules(
            project_id=None if everywhere else opened.find_project(project_here()),
            everywhere=everywhere,
            statuses=_statuses(status, everywhere=everywhere),
            tag=tag.strip().lower(),
        )
        names = opened.project_names()
    found = [rule for rule in found if rule.pinned >= pinned and rule.muted >= muted]
    if as_json:
        print_json([as_object(rule, names) for rule in found])
        return
    if not found:
        is_narrowed = bool(status or tag or pinned or muted)
        elsewhere = "; 'agentrecall rules list --all' shows those of every project"
        talk(f"no {'such rules' if is_narrowed else 'rules'}{'' if everywhere else f' here{elsewhere}'}")
        return
    from rich.table import Table  # noqa: PLC0415 -- twice a bare start, for those who print a table

    table = Table(box=None, pad_edge=False)
    for heading in ("id", "status", "holds in", "rule"):
        table.add_column(heading, no_wrap=heading != "rule")
    for rule in found:
        status_and_marks = ", ".join((rule.status, *marks(rule)))
        table.add_row(rule.label, status_and_marks, harmless(where(rule, names)), harmless(rule.title))
    screen().print(table)


@rules.command()
@rule_argument
@as_json_option
def show(rule_id: int, *, as_json: bool) -> None:
    """Show RULE whole, with its history.

    Example: agentrecall rules show R12
    """
    with memory() as opened:
        rule = rule_of(opened, rule_id)
        names, versions = opened.project_names(), opened.versions(rule_id)
    if as_json:
        history = [{"version": row["version"], "change": row["change"], "at": row["changed_at"]} for row in versions]
        print_json(as_object(rule, names) | {"history": history})
        return
    click.echo(as_text(rule, names))
    for row in versions:
        click.echo(f"  {row['changed_at']}  version {row['version']}: {harmless(row['change'])}")


@rules.command()
@rule_argument
@as_json_option
def explain(rule_id: int, *, as_json: bool) -> None:
    """Explain why RULE is there and how it fared. With what it was made of, and what it stands against.

    Example: agentrecall rules explain R12
    """
    with memory() as opened:
        rule = rule_of(opened, rule_id)
        found = explanation(opened, rule)
    if as_json:
        print_json(found)
    else:
        click.echo(explanation_text(rule, found))


for part in (rule_changes, rule_content, rule_history, rule_audit, rule_compression):
    for command in part.COMMANDS:
        rules.add_command(command)


def _statuses(status: str | None, *, everywhere: bool) -> list[str]:
    if status is not None:
        return [one for one in STATUSES if one.lower() == status.lower()]
    return [] if everywhere else [one for one in STATUSES if one not in DEAD]
