"""The review queue: rules that wait, and pairs of which the newer may take the other's place; and what is decided."""

from __future__ import annotations

from typing import NamedTuple

from agentrecall_admin.console import Failure, project_here
from agentrecall_admin.rule_changes import PERSON, move, waiting
from agentrecall_admin.rule_text import refusal
from agentrecall_domain.rules.lifecycle import IllegalMoveError, Move, check_supersede
from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.rules.status import DEAD
from agentrecall_storage.memory import Memory
from agentrecall_storage.review_items import ACCEPTED, REJECTED


class Pair(NamedTuple):
    """A rule that the newer one may `supersede` or `refine`, and why the memory thinks so."""

    id: int
    kind: str
    other: Rule
    why: str


class Item(NamedTuple):
    """A rule to decide on, and the rules whose place it may take."""

    rule: Rule
    pairs: list[Pair]


def queue(opened: Memory) -> list[Item]:
    """What waits for a person in the current project and globally, oldest first."""
    project_id = opened.find_project(project_here())
    rules = {rule.id: rule for rule in waiting(opened, "")}
    flagged = {flag["rule_id"] for flag in opened.open_flags()}
    for rule_id in flagged - rules.keys():
        rule = opened.get_rule(rule_id)
        if rule.status not in DEAD and rule.project_id in (None, project_id):
            rules[rule_id] = rule
    items = [Item(rules[rule_id], pairs_of(opened, rules[rule_id])) for rule_id in sorted(rules)]
    return [item for item in items if item.pairs or not item.rule.is_in_force]


def pairs_of(opened: Memory, rule: Rule) -> list[Pair]:
    """The living rules whose place *rule* may take; one that is dead by now is no question any more."""
    found = []
    for flag in opened.open_flags(rule.id):
        other = opened.find_rule(flag["other_id"])
        if other is not None and other.status not in DEAD:
            found.append(Pair(flag["id"], flag["kind"], other, flag["why"]))
    return found


def approve(opened: Memory, rule: Rule) -> Rule:
    """Bring *rule* into force; the question whether it takes another's place stays open."""
    return move(opened, [rule], Move.APPROVE)[0]


def reject(opened: Memory, rule: Rule) -> Rule:
    """Archive *rule*, which waits, and close the questions about it."""
    rejected = move(opened, [rule], Move.REJECT)[0]
    for flag in opened.open_flags(rule.id):
        opened.settle(flag["id"], REJECTED)
    return rejected


def replace(opened: Memory, rule: Rule) -> Rule:
    """Bring *rule* into force in the place of every rule that it is paired with.

    Raises:
        Failure: It is paired with none, or may not take the place of one.
    """
    pairs = _paired(opened, rule)
    for pair in pairs:
        rule = take_place(opened, rule, pair)
    return rule


def take_place(opened: Memory, rule: Rule, pair: Pair) -> Rule:
    """Bring *rule* into force in the place of the other one of *pair*.

    Raises:
        Failure: It may not take its place.
    """
    new = approve(opened, rule)
    try:
        check_supersede(opened, pair.other, new)
    except IllegalMoveError as error:
        raise refusal("supersede", pair.other, error) from error
    opened.settle(pair.id, ACCEPTED)
    return opened.put_in_place(pair.other, new, PERSON)


def keep_both(opened: Memory, rule: Rule) -> Rule:
    """Bring *rule* into force beside every rule that it is paired with.

    Raises:
        Failure: It is paired with none.
    """
    for pair in _paired(opened, rule):
        rule = let_stand(opened, rule, pair)
    return rule


def let_stand(opened: Memory, rule: Rule, pair: Pair) -> Rule:
    """Bring *rule* into force and close the question: the other one of *pair* stays too."""
    opened.settle(pair.id, REJECTED)
    return approve(opened, rule)


def _paired(opened: Memory, rule: Rule) -> list[Pair]:
    pairs = pairs_of(opened, rule)
    if not pairs:
        raise Failure(f"'{rule.label}' is flagged against no living rule; 'agentrecall review --list' shows what waits")
    return pairs
