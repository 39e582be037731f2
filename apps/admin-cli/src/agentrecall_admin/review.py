"""Review: what waits for a person's word, decided one by one on a terminal, or by option in a script."""

from __future__ import annotations

import sys
from typing import Any

import click

from agentrecall_admin.console import as_json_option, memory, print_json, talk
from agentrecall_admin.review_queue import Item, approve, keep_both, queue, reject, replace
from agentrecall_admin.rule_changes import waiting
from agentrecall_admin.rule_text import RULE_ID, as_object, one_line, rule_of
from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.text.harmless import harmless

DECISIONS = {"approve": approve, "reject": reject, "replace": replace, "keep_both": keep_both}


@click.command()
@click.option("--list", "listed", is_flag=True, help="Only show what waits.")
@click.option("--approve", multiple=True, type=RULE_ID, metavar="RULE", help="Bring this rule into force.")
@click.option("--reject", multiple=True, type=RULE_ID, metavar="RULE", help="Archive this rule, which waits.")
@click.option("--replace", multiple=True, type=RULE_ID, metavar="RULE", help="Put this rule in the place of the other.")
@click.option("--keep-both", multiple=True, type=RULE_ID, metavar="RULE", help="Let this rule and the other stand.")
@click.option("--approve-all", is_flag=True, help="Bring every rule that waits here into force.")
@click.option("--reject-all", is_flag=True, help="Archive every rule that waits here.")
@click.option("--session", default="", help="With --approve-all or --reject-all: only what this session captured.")
@as_json_option
def review(
    *, listed: bool, approve_all: bool, reject_all: bool, session: str, as_json: bool, **named: tuple[int, ...]
) -> None:
    """Decide on the rules that wait, and on those that may take the place of another. All options together, or none.

    Without an option it asks on a terminal, rule by rule; where there is no terminal it lists what waits.

    Examples: agentrecall review, agentrecall review --approve R12 --reject R13
    """
    _check(named, is_for_all=approve_all + reject_all, session=session, listed=listed)
    if any(named.values()) or approve_all or reject_all:
        _decide(
            named, to_all="approve" if approve_all else "reject" if reject_all else "", session=session, as_json=as_json
        )
    elif listed or as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _list(as_json=as_json)
    else:
        from agentrecall_admin.review_walk import walk  # noqa: PLC0415 -- a terminal's tables, for those who have one

        with memory() as opened:
            walk(opened)


def _check(named: dict[str, tuple[int, ...]], *, is_for_all: int, session: str, listed: bool) -> None:
    """Refuse what contradicts itself, before anything is read."""
    ids = [rule_id for which in named.values() for rule_id in set(which)]
    twice = [rule_id for rule_id in ids if ids.count(rule_id) > 1]
    if twice:
        raise click.UsageError(f"'R{twice[0]}' is decided twice")
    if is_for_all > 1 or (is_for_all and ids):
        raise click.UsageError("--approve-all and --reject-all decide everything; give one of them and name no rule")
    if session and not is_for_all:
        raise click.UsageError("--session goes with --approve-all or --reject-all")
    if listed and (is_for_all or ids):
        raise click.UsageError("--list decides nothing; leave it out")


def _decide(named: dict[str, tuple[int, ...]], *, to_all: str, session: str, as_json: bool) -> None:
    """Carry out every decision in one transaction."""
    decided: list[Rule] = []
    with memory() as opened:
        with opened.writing():
            for verb, rule_ids in named.items():
                decided += [DECISIONS[verb](opened, rule_of(opened, rule_id)) for rule_id in dict.fromkeys(rule_ids)]
            if to_all:
                decided += [DECISIONS[to_all](opened, rule) for rule in waiting(opened, session)]
        names = opened.project_names()
        open_pairs = {flag["rule_id"] for flag in opened.open_flags()}
    if as_json:
        print_json([as_object(rule, names) for rule in decided])
        return
    if not decided:
        talk("no rule waits here")
    for rule in decided:
        click.echo(one_line(rule))
        if rule.id in open_pairs and rule.is_in_force:
            talk(f"{rule.label} may take the place of another rule; 'agentrecall review' shows both")


def _list(*, as_json: bool) -> None:
    with memory() as opened:
        items, names = queue(opened), opened.project_names()
    if as_json:
        print_json([_as_object(item, names) for item in items])
        return
    if not items:
        talk("nothing waits for review here")
    for item in items:
        click.echo(one_line(item.rule))
        for pair in item.pairs:
            click.echo(f"    may {pair.kind} {one_line(pair.other)}  ({harmless(pair.why)})")


def _as_object(item: Item, names: dict[int, str]) -> dict[str, Any]:
    pairs = [{"kind": pair.kind, "other": as_object(pair.other, names), "why": pair.why} for pair in item.pairs]
    return {"rule": as_object(item.rule, names), "flags": pairs}
