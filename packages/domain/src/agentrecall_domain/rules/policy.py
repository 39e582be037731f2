"""Policy: which of the rules at hand hold, which are left out, and why. Light.

What is decided does not depend on the order in which the rules come.
"""

from __future__ import annotations

from typing import NamedTuple

from agentrecall_domain.rules import status
from agentrecall_domain.rules.conflict import scan
from agentrecall_domain.rules.precedence import precedence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agentrecall_domain.rules.meeting import Held


class Ignored(NamedTuple):
    """A rule that does not hold here."""

    rule: Held
    why: str


class Settled(NamedTuple):
    """One conflict as it was settled: *losers* are ignored, *subject* is what they and the winner are about."""

    winner: Held
    losers: tuple[Held, ...]
    subject: tuple[str, ...]
    why: str


class Resolution(NamedTuple):
    """What policy makes of some rules; *effective* has the strongest first."""

    effective: list[Held]
    ignored: list[Ignored]
    conflicts: list[Settled]
    explanation: str


def resolve(rules: Iterable[Held], project_id: int | None) -> Resolution:
    """Settle which of *rules* hold in the project; None is no project, where only what holds everywhere does."""
    unique = {rule.id: rule for rule in rules}
    ordered = sorted(unique.values(), key=precedence, reverse=True)
    ignored: list[Ignored] = []

    reaching = _split(ordered, ignored, lambda rule: _out_of_force(rule, project_id))
    replaced = _replaced(reaching)
    standing = _split(reaching, ignored, lambda rule: replaced.get(rule.id, ""))
    effective, conflicts = _settle(standing)
    for settled in conflicts:
        ignored += [Ignored(loser, f"loses to R{settled.winner.id}: {settled.why}") for loser in settled.losers]
    ignored.sort(key=lambda entry: entry.rule.id)
    return Resolution(effective, ignored, conflicts, _explanation(effective, ignored, conflicts))


def _split(rules: list[Held], ignored: list[Ignored], why_not: Callable[[Held], str]) -> list[Held]:
    """The *rules* that nothing speaks against; the others go to *ignored*."""
    kept = []
    for rule in rules:
        why = why_not(rule)
        if why:
            ignored.append(Ignored(rule, why))
        else:
            kept.append(rule)
    return kept


def _out_of_force(rule: Held, project_id: int | None) -> str:
    if rule.status in status.WAITING:
        return f"waits for a yes ({rule.status})"
    if rule.status not in status.IN_FORCE:
        return f"is not in force ({rule.status})"
    if rule.project_id is not None and rule.project_id != project_id:
        return "holds in another project"
    return ""


def _replaced(rules: list[Held]) -> dict[int, str]:
    """Why each rule that another of *rules* explicitly supersedes is left out, by its id.

    Of rules that supersede each other in a ring, the first one in *rules* stays.
    """
    here = {rule.id for rule in rules}
    successors: dict[int, set[int]] = {rule.id: set() for rule in rules}
    for rule in rules:
        by, old = getattr(rule, "superseded_by_id", None), getattr(rule, "supersedes_id", None)
        if by in here and by != rule.id:
            successors[rule.id].add(by)
        if old in here and old != rule.id:
            successors[old].add(rule.id)

    after = {rule.id: _reachable(rule.id, successors) for rule in rules}
    why = {}
    seen: set[int] = set()
    for rule in rules:
        ring = {other for other in after[rule.id] if rule.id in after[other]}
        beyond = after[rule.id] - ring - {rule.id}
        if beyond or (ring and not seen.isdisjoint(ring)):
            why[rule.id] = f"superseded by R{min(successors[rule.id])}"
        seen.add(rule.id)
    return why


def _reachable(start: int, successors: dict[int, set[int]]) -> set[int]:
    found: set[int] = set()
    ahead = [start]
    while ahead:
        new = successors[ahead.pop()] - found
        found |= new
        ahead += new
    return found


def _settle(standing: list[Held]) -> tuple[list[Held], list[Settled]]:
    """The rules that stay, and the conflicts among *standing*, which has the stronger rule first.

    A rule loses to a stronger one only if that one stays: what the loser would have ruled out is free again.
    """
    against: dict[int, list[tuple[int, tuple[str, ...], str]]] = {}
    for conflict in scan(standing):
        against.setdefault(conflict.first, []).append((conflict.second, conflict.subject, conflict.why))
        against.setdefault(conflict.second, []).append((conflict.first, conflict.subject, conflict.why))

    by_id = {rule.id: rule for rule in standing}
    lost: set[int] = set()
    effective, conflicts = [], []
    for rule in standing:
        if rule.id in lost:
            continue
        effective.append(rule)
        beaten = [entry for entry in against.get(rule.id, ()) if entry[0] not in lost]
        if beaten:
            lost.update(entry[0] for entry in beaten)
            subject = tuple(sorted({word for entry in beaten for word in entry[1]}))
            why = f"{beaten[0][2]}; {_why_it_wins(rule, by_id[beaten[0][0]])}"
            conflicts.append(Settled(rule, tuple(by_id[entry[0]] for entry in beaten), subject, why))
    return effective, conflicts


def _why_it_wins(winner: Held, loser: Held) -> str:
    reasons = (
        "it is this project's",
        "it is the more specific",
        "it was learned here",
        "it has the higher priority",
        "it is the newer",
        "it is the surer",
        "it has the lower id",
    )
    ranks = zip(precedence(winner), precedence(loser), reasons, strict=True)
    return next((reason for mine, theirs, reason in ranks if mine != theirs), "")


def _explanation(effective: list[Held], ignored: list[Ignored], conflicts: list[Settled]) -> str:
    parts = [f"{len(effective)} of {len(effective) + len(ignored)} rules hold"]
    for settled in conflicts:
        losers = ", ".join(f"R{loser.id}" for loser in settled.losers)
        about = f" on {', '.join(settled.subject)}" if settled.subject else ""
        parts.append(f"R{settled.winner.id} wins over {losers}{about}")
    others = len(ignored) - sum(len(settled.losers) for settled in conflicts)
    if others:
        parts.append(f"{others} not in force here")
    return "; ".join(parts)
