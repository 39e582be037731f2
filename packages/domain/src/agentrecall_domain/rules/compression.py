"""Compression: rules of one scope that tell nearly the same, and the one rule that may stand for them. Light."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from agentrecall_domain.rules import status
from agentrecall_domain.rules.duplicate import Verdict, verdict
from agentrecall_domain.rules.meaning import WEAK_WEIGHT, Sense, sense_of_text, strongest, weight
from agentrecall_domain.rules.opposition import may_oppose, opposition
from agentrecall_domain.rules.pairing import pairs
from agentrecall_domain.rules.precedence import precedence
from agentrecall_domain.rules.trigger_quality import TriggerProblem, trigger_problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentrecall_domain.rules.meeting import Held

OVERLAP = 0.34
"""The least overlap that joins two rules, unless a person asks for another."""

NEAR = 0.75
IDENTICAL = 0.999
LEAST_SHARED = 1.5
"""The weight of the action's words that two rules have to share: never one word alone."""

LONGEST_PART = 2000


class Relationship(StrEnum):
    """How near to each other the rules of a group are, at the least."""

    DUPLICATE = "Duplicate"
    NEAR_DUPLICATE = "NearDuplicate"
    OVERLAPPING = "Overlapping"


class Canonical(NamedTuple):
    """The content that stands for a group; *sources* are the ids of the rules that it was made of."""

    title: str
    trigger: str
    action: str
    mistake: str
    reason: str
    tags: tuple[str, ...]
    confidence: float
    priority: int
    always_apply: bool
    sources: tuple[int, ...]


class Group(NamedTuple):
    """Rules that one may stand for: *members* by id, *leader* among them is the one that all are near to."""

    relationship: Relationship
    leader: Held
    members: tuple[Held, ...]
    overlap: float
    canonical: Canonical


def groups(rules: Iterable[Held], threshold: float = OVERLAP) -> list[Group]:
    """The groups of near-duplicates among *rules*, by the id of their leader.

    Rules that wait, are dead or pinned stay as they are. Two rules are joined within one exact scope only, when the
    duplicate check says that one repeats or refines the other and their words overlap by *threshold*; each is near to
    the leader itself, and against no other.
    """
    scopes: dict[tuple[object, ...], list[Held]] = {}
    for rule in {rule.id: rule for rule in rules}.values():
        if rule.status in status.IN_FORCE and not getattr(rule, "pinned", False):
            scopes.setdefault(_scope(rule), []).append(rule)
    found = [group for beside in scopes.values() if len(beside) > 1 for group in _grouped(beside, threshold)]
    return sorted(found, key=lambda group: group.leader.id)


def statistics(found: Sequence[Group], rules_before: int, *, dry_run: bool) -> dict[str, float]:
    """The figures of a compression, of what it did or, in a dry run, would do."""
    merged = sum(len(group.members) for group in found)
    after = rules_before - merged + len(found)
    return {
        "rules_merged": merged,
        "canonical_rules_created": 0 if dry_run else len(found),
        "candidate_compressions": len(found),
        "rules_before": rules_before,
        "rules_after": after,
        "memory_reduction_percentage": round(100 * (rules_before - after) / rules_before, 2) if rules_before else 0.0,
    }


def _grouped(rules: list[Held], threshold: float) -> list[Group]:
    """Groups around leaders: the rules in order of strength, each joining the nearest leader before it, or leading."""
    ordered = sorted(rules, key=precedence, reverse=True)
    senses = [Sense(rule) for rule in ordered]
    near: dict[int, list[tuple[float, int]]] = {}
    for first, second in pairs(senses):
        overlap = _overlap(senses[first], senses[second])
        if overlap >= threshold and _repeats(senses[first], senses[second]):
            near.setdefault(second, []).append((-overlap, first))

    joined: dict[int, list[tuple[int, float]]] = {}
    followers: set[int] = set()
    for at in range(len(ordered)):
        for negative, leader in sorted(near.get(at, ())):
            members = joined.get(leader, [])
            if leader not in followers and _fits(at, [leader, *(member for member, _ in members)], ordered, senses):
                joined.setdefault(leader, []).append((at, -negative))
                followers.add(at)
                break
    return [_group(ordered, senses, leader, members) for leader, members in joined.items()]


def _overlap(one: Sense, other: Sense) -> float:
    """The share of their words that two rules have in common; 0 when their actions share too little."""
    mine, theirs = one.said | one.refused, other.said | other.refused
    if weight(mine & theirs) < LEAST_SHARED and mine != theirs:
        return 0.0
    all_mine, all_theirs = one.trigger | one.words, other.trigger | other.words
    whole = weight(all_mine | all_theirs)
    same_values = one.said_values == other.said_values
    return weight(all_mine & all_theirs) / whole * (1.0 if same_values else NEAR) if whole else 0.0


def _repeats(one: Sense, other: Sense) -> bool:
    """Whether one rule repeats or refines the other, whichever was there first."""
    joining = {Verdict.DUPLICATE, Verdict.REFINE}
    return verdict(one, other) in joining or verdict(other, one) in joining


def _fits(at: int, group: list[int], ordered: list[Held], senses: list[Sense]) -> bool:
    """Whether a rule is against none of the group, and the group's words still make one rule."""
    if any(may_oppose(senses[at], senses[other]) and opposition(senses[at], senses[other]) for other in group):
        return False
    together = [ordered[other] for other in (*group, at)]
    return all(
        sum(len(getattr(rule, part)) + 2 for rule in together) <= LONGEST_PART
        for part in ("action", "mistake", "reason")
    )


def _group(ordered: list[Held], senses: list[Sense], leader: int, joined: list[tuple[int, float]]) -> Group:
    at = [leader, *(member for member, _ in joined)]
    overlap = min(nearness for _, nearness in joined)
    members = tuple(sorted((ordered[one] for one in at), key=lambda rule: rule.id))
    relationship = Relationship.OVERLAPPING
    if overlap >= NEAR:
        relationship = Relationship.DUPLICATE if overlap >= IDENTICAL else Relationship.NEAR_DUPLICATE
    # Who says most comes first, so that the others have least to add.
    telling = sorted(at, key=lambda one: (-weight(senses[one].words), one))
    canonical = _canonical(ordered[leader], [ordered[one] for one in telling], members)
    return Group(relationship, ordered[leader], members, overlap, canonical)


def _canonical(leader: Held, telling: list[Held], members: tuple[Held, ...]) -> Canonical:
    by_strength = [leader, *(rule for rule in telling if rule is not leader)]
    usable = [rule.trigger for rule in by_strength if trigger_problem(rule.trigger, rule.action) is TriggerProblem.NONE]
    tags = dict.fromkeys(tag for rule in by_strength for tag in getattr(rule, "tags", ()))
    return Canonical(
        title=next((rule.title for rule in by_strength if rule.title), ""),
        trigger=usable[0] if usable else leader.trigger,
        action=_joined([rule.action for rule in telling]),
        mistake=_joined([rule.mistake for rule in telling]),
        reason=_joined([rule.reason for rule in telling]),
        tags=tuple(tags),
        confidence=max(rule.confidence for rule in members),
        priority=max(getattr(rule, "priority", 0) for rule in members),
        always_apply=any(getattr(rule, "always_apply", False) for rule in members),
        sources=tuple(rule.id for rule in members),
    )


def _joined(texts: list[str]) -> str:
    """The first of *texts*, and each further one that says something which none before it says."""
    kept: list[str] = []
    said: frozenset[str] = frozenset()
    for text in texts:
        found = sense_of_text(text)
        if text and (not kept or strongest(found - said) >= WEAK_WEIGHT):
            kept.append(text)
            said |= found
    return "; ".join(kept)


def _scope(rule: Held) -> tuple[object, ...]:
    return rule.project_id, rule.scope_level, rule.scope_value, tuple(sorted(rule.globs)), tuple(sorted(rule.languages))
