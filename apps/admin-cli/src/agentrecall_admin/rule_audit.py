"""Rules looked at together: which contradict each other, and which have a trigger that does not serve them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentrecall_admin.console import as_json_option, memory, print_json, project_here, talk
from agentrecall_domain.recall.moments import explain, search_query
from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.rules.status import IN_FORCE, RECALLED
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.memory import Memory
from agentrecall_storage.rule_evidence import RuleEvidence

if TYPE_CHECKING:
    from agentrecall_domain.rules.conflict import Conflict


MOST_COMPARED = 1000
"""So many rules are compared with each other in a few seconds."""


@click.command()
@click.option("--all", "everywhere", is_flag=True, help="Rules of every project.")
@as_json_option
def conflicts(*, everywhere: bool, as_json: bool) -> None:
    """List rules in force that contradict each other. The agent is told the winner.

    Among more than 1,000 rules only those are compared that were found to contradict another when they were stored.

    Example: agentrecall rules conflicts --all
    """
    with memory() as opened:
        here = opened.find_project(project_here())
        rules = rules_at(opened, IN_FORCE, everywhere=everywhere)
        if len(rules) > MOST_COMPARED:
            paired = opened.contradicted()
            rules = [rule for rule in rules if rule.id in paired]
        names = opened.project_names()
    own = sorted({rule.project_id for rule in rules if rule.project_id is not None})
    projects: list[int | None] = [*own] if everywhere else [here]
    found = settled(rules, projects or [None], names)
    if as_json:
        print_json(found)
        return
    if not found:
        talk("no two rules in force contradict each other")
    for one in found:
        about = f", about {', '.join(one['subject'])}" if one["subject"] else ""
        click.echo(f"{one['winner']} wins over {one['loser']}{harmless(about)}: {harmless(one['why'])}")
        click.echo(f"    {one['winner']}  {harmless(one['winner_title'])}")
        click.echo(f"    {one['loser']}  {harmless(one['loser_title'])}")


@click.command()
@click.option("--all", "everywhere", is_flag=True, help="Rules of every project.")
@as_json_option
def triggers(*, everywhere: bool, as_json: bool) -> None:
    """List rules whose trigger does not serve them. They are ignored, never shown, said twice, or no condition at all.

    Example: agentrecall rules triggers
    """
    from agentrecall_domain.rules.trigger_quality import Counts, audit  # noqa: PLC0415 -- used here alone

    with memory() as opened:
        rules = {int(rule.id): rule for rule in rules_at(opened, RECALLED, everywhere=everywhere)}
        counts = {rule_id: Counts(*fared) for rule_id, fared in RuleEvidence(opened.connection).fared().items()}
    found: list[dict[str, Any]] = [
        {
            "rule": f"R{one.rule.id}",
            "finding": one.kind.value,
            "injections": one.injections,
            "why": one.why,
            "title": rules[one.rule.id].title,
            "trigger": one.rule.trigger,
        }
        for one in audit(rules.values(), counts)
    ]
    if as_json:
        print_json(found)
        return
    if not found:
        talk("every trigger serves its rule")
    for row in found:
        click.echo(f"{row['rule']}  {row['finding']}: {harmless(row['why'])}  ({harmless(row['title'])})")


COMMANDS = (conflicts, triggers)


def rules_at(opened: Memory, statuses: tuple[str, ...], *, everywhere: bool) -> list[Rule]:
    """The rules of these statuses that the agent may be told here, or anywhere."""
    project_id = None if everywhere else opened.find_project(project_here())
    found = opened.list_rules(project_id=project_id, everywhere=everywhere, statuses=statuses)
    return [rule for rule in found if not rule.muted]


def settled(rules: list[Rule], projects: list[int | None], names: dict[int, str]) -> list[dict[str, Any]]:
    """Each contradiction among *rules* once, as policy settles it in each of *projects*."""
    from agentrecall_domain.rules.policy import resolve  # noqa: PLC0415 -- its word tables are for those who ask

    titles = {int(rule.id): rule.title for rule in rules}
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for project_id in projects:
        held = [rule for rule in rules if rule.project_id in (None, project_id)]
        for conflict in resolve(held, project_id).conflicts:
            for loser in conflict.losers:
                found.setdefault(
                    (conflict.winner.id, loser.id),
                    {
                        "winner": f"R{conflict.winner.id}",
                        "loser": f"R{loser.id}",
                        "winner_title": titles[conflict.winner.id],
                        "loser_title": titles[loser.id],
                        "subject": list(conflict.subject),
                        "why": conflict.why,
                        "project": names.get(project_id) if project_id is not None else None,
                    },
                )
    return [found[pair] for pair in sorted(found)]


def conflicts_of(opened: Memory, rule: Rule) -> list[tuple[Rule, Conflict]]:
    """The rules in force that contradict *rule* in its project, or a global one here, as far as they share a word."""
    from agentrecall_domain.rules.conflict import find_conflict  # noqa: PLC0415 -- its word tables are for those who ask

    if not rule.is_in_force:
        return []
    project_id = opened.find_project(project_here()) if rule.project_id is None else rule.project_id
    ranked, _ = explain(
        opened.hot, search_query(opened.hot, f"{rule.trigger} {rule.action} {rule.mistake}"), project_id
    )
    others = [opened.get_rule(one.candidate.id) for one in ranked if one.candidate.id != rule.id]
    found = [(other, find_conflict(rule, other)) for other in others if other.is_in_force]
    return [(other, conflict) for other, conflict in found if conflict is not None]
