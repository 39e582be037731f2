"""Compression: rules that say nearly the same become one, of which they are the sources. A dry run, unless asked."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from agentrecall_admin.console import Failure, NumberRange, as_json_option, memory, print_json, talk
from agentrecall_admin.rule_audit import rules_at
from agentrecall_domain.rules.rule import BUILT_IN_SEED, LEARNED, MOST_TAGS, Rule, RuleContent, Status
from agentrecall_domain.rules.status import IN_FORCE
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentrecall_domain.rules.compression import Canonical, Group

PERSON = "person"


@click.command()
@click.option("--apply", is_flag=True, help="Do it; without this nothing is stored.")
@click.option("--threshold", type=NumberRange(0, 1), help="How far the words of two rules overlap, 0.34 at least.")
@click.option("--all", "everywhere", is_flag=True, help="Rules of every project.")
@as_json_option
def compress(*, apply: bool, threshold: float | None, everywhere: bool, as_json: bool) -> None:
    """Find rules in force that say nearly the same. With --apply one rule takes the place of each group.

    Nothing is deleted: the originals are superseded by the new rule, and undoing that gives them their place back.
    Pinned, muted and waiting rules are left alone.

    Examples: agentrecall rules compress, agentrecall rules compress --apply
    """
    from agentrecall_domain.rules.compression import OVERLAP, groups, statistics  # noqa: PLC0415 -- used here alone

    with memory() as opened:
        rules = {int(rule.id): rule for rule in rules_at(opened, IN_FORCE, everywhere=everywhere)}
        found = groups(rules.values(), OVERLAP if threshold is None else threshold)
        made = compressed(opened, found, rules) if apply else []
    figures = statistics(found, len(rules), dry_run=not apply)
    labels: list[str | None] = [rule.label for rule in made] if apply else [None] * len(found)
    if as_json:
        shown = [_as_object(group, label) for group, label in zip(found, labels, strict=True)]
        print_json({"dry_run": not apply, **figures, "groups": shown})
        return
    for group, label in zip(found, labels, strict=True):
        click.echo(f"{label or 'one rule'} for {_named(group)} ({group.relationship}, overlap {group.overlap:.2f})")
        click.echo(f"    {harmless(f'{group.canonical.trigger}: {group.canonical.action}')}")
    if not found:
        talk("no two rules say nearly the same")
    elif not apply:
        percentage = figures["memory_reduction_percentage"]
        talk(f"{figures['rules_merged']:.0f} rules would become {len(found)}, {percentage:.0f} % less; --apply does it")


COMMANDS = (compress,)


def compressed(opened: Memory, found: Sequence[Group], rules: dict[int, Rule]) -> list[Rule]:
    """Put one rule in the place of each group, in one transaction; *rules* are the members as they were compared.

    Raises:
        Failure: One of them was changed meanwhile.
    """
    made = []
    with opened.writing():
        for group in found:
            members = [rules[member.id] for member in group.members]
            changed = [rule for rule in members if _compared(opened.find_rule(rule.id)) != _compared(rule)]
            if changed:
                raise Failure(f"'{changed[0].label}' was changed meanwhile; nothing was stored, compress again")
            made.append(_one_for(opened, rules[group.leader.id], members, group.canonical))
    return made


def _one_for(opened: Memory, leader: Rule, members: list[Rule], canonical: Canonical) -> Rule:
    is_promoted = any(rule.status is Status.PROMOTED for rule in members)
    rule = opened.add_rule(
        _content(leader, members, canonical),
        Status.PROMOTED if is_promoted else Status.ACTIVE,
        leader.project_id,
        PERSON,
    )
    for member in members:
        rule = opened.put_in_place(member, rule, PERSON)
    # crash point: compression, without its ledger row
    opened.record_event("RulesCompressed", rule.id, PERSON, {"sources": list(canonical.sources)})
    return rule


def _content(leader: Rule, members: list[Rule], canonical: Canonical) -> RuleContent:
    return dataclasses.replace(
        leader.content,
        title=canonical.title,
        trigger=canonical.trigger,
        action=canonical.action,
        mistake=canonical.mistake,
        reason=canonical.reason,
        tags=canonical.tags[:MOST_TAGS],
        confidence=canonical.confidence,
        priority=canonical.priority,
        always_apply=canonical.always_apply,
        source=BUILT_IN_SEED if all(rule.source == BUILT_IN_SEED for rule in members) else LEARNED,
        evidence=f"one rule for {', '.join(rule.label for rule in members)}",
        session_uid="",
        turn_uid="",
    )


def _compared(rule: Rule | None) -> object:
    """A rule but for what being shown to an agent changes."""
    return rule and dataclasses.replace(rule, last_used_at=None)


def _named(group: Group) -> str:
    return ", ".join(f"R{member.id}" for member in group.members)


def _as_object(group: Group, label: str | None) -> dict[str, Any]:
    return {
        "rule": label,
        "members": [f"R{member.id}" for member in group.members],
        "leader": f"R{group.leader.id}",
        "relationship": group.relationship.value,
        "overlap": round(group.overlap, 4),
        "canonical": {**group.canonical._asdict(), "sources": [f"R{source}" for source in group.canonical.sources]},
    }
