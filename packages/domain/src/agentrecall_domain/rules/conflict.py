"""Conflict: two rules that could both apply to one piece of work, of which following one breaks the other. Light."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from agentrecall_domain.rules import status
from agentrecall_domain.rules.duplicate import Verdict, verdict
from agentrecall_domain.rules.meaning import WEAK_WEIGHT, Sense, sense_of, strongest
from agentrecall_domain.rules.meeting import can_meet
from agentrecall_domain.rules.opposition import AVOIDED, may_oppose, opposition
from agentrecall_domain.rules.pairing import pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentrecall_domain.rules.meeting import Held

SHOWN_WORDS = 6


class ConflictKind(StrEnum):
    """How two rules are in each other's way."""

    DIRECT_OPPOSITION = "DirectOpposition"
    PREFERRED_VS_AVOIDED = "PreferredVsAvoided"
    STATUS_CONFLICT = "StatusConflict"
    BROADER_VS_SPECIFIC = "BroaderVsSpecific"


class Conflict(NamedTuple):
    """Two rules, the lower id first; *subject* is what both are about, by its stems."""

    first: int
    second: int
    kind: ConflictKind
    subject: tuple[str, ...]
    why: str

    @property
    def id(self) -> str:
        """The name of the conflict, the same however often it is found."""
        return f"conflict-{self.first}-{self.second}"


def find_conflict(a: Held, b: Held) -> Conflict | None:
    """How *a* and *b* are in each other's way, whichever comes first; None for rules that can live together."""
    return conflict_between(a, Sense(a), b, Sense(b)) if can_meet(a, b) else None


def contradicting(rule: Held, others: Iterable[Held]) -> list[int]:
    """The ids of those of *others* that contradict *rule*."""
    sense = sense_of(rule)
    return [
        other.id
        for other in others
        if can_meet(rule, other) and conflict_between(rule, sense, other, sense_of(other)) is not None
    ]


def scan(rules: Sequence[Held]) -> list[Conflict]:
    """All conflicts among *rules*, by id. Rules without a sense in common that few rules have are not compared."""
    senses = [Sense(rule) for rule in rules]
    found = []
    for at, other in pairs(senses):
        one, two = rules[at], rules[other]
        if not (may_oppose(senses[at], senses[other]) or _stand_differently(one, two)) or not can_meet(one, two):
            continue
        conflict = conflict_between(one, senses[at], two, senses[other])
        if conflict:
            found.append(conflict)
    return sorted(found)


def conflict_between(a: Held, sense_a: Sense, b: Held, sense_b: Sense) -> Conflict | None:
    """As `find_conflict`, of rules that can meet and whose senses are known."""
    one, mine, other, theirs = (a, sense_a, b, sense_b) if _order(a) <= _order(b) else (b, sense_b, a, sense_a)
    if _text(one) != _text(other):
        opposed = opposition(mine, theirs)
        if opposed:
            is_avoided = opposed.how == AVOIDED
            kind = ConflictKind.PREFERRED_VS_AVOIDED if is_avoided else ConflictKind.DIRECT_OPPOSITION
            why = "one asks for what the other calls a mistake" if is_avoided else f"opposite ({opposed.how})"
            return Conflict(one.id, other.id, kind, _shown(opposed.words), why)
    elif one.id == other.id:
        return None
    if not _stand_differently(one, other) or not _say_the_same(mine, theirs):
        return None
    subject = _shown(mine.words | mine.trigger)
    if (one.status in status.IN_FORCE) != (other.status in status.IN_FORCE):
        why = f"the same, but one is {one.status} and one is {other.status}"
        return Conflict(one.id, other.id, ConflictKind.STATUS_CONFLICT, subject, why)
    why = "the same, but one holds in more places"
    return Conflict(one.id, other.id, ConflictKind.BROADER_VS_SPECIFIC, subject, why)


def _stand_differently(one: Held, other: Held) -> bool:
    """Whether one is in force and one dead, or one holds in more places; a rule that waits clashes with none."""
    if (one.status in status.IN_FORCE and other.status in status.DEAD) or (
        one.status in status.DEAD and other.status in status.IN_FORCE
    ):
        return True
    if one.status != other.status and not {one.status, other.status} <= set(status.IN_FORCE):
        return False
    return one.scope_level != other.scope_level or (one.project_id is None) != (other.project_id is None)


def _say_the_same(one: Sense, other: Sense) -> bool:
    return verdict(one, other) is Verdict.DUPLICATE and verdict(other, one) is Verdict.DUPLICATE


def _order(rule: Held) -> tuple[int, tuple[str, str, str]]:
    return rule.id, _text(rule)


def _text(rule: Held) -> tuple[str, str, str]:
    return rule.trigger, rule.action, rule.mistake


def _shown(words: frozenset[str]) -> tuple[str, ...]:
    """A few of *words*, those that tell something first."""
    telling = [word for word in words if strongest((word,)) >= WEAK_WEIGHT]
    return tuple(sorted(telling, key=lambda word: (-strongest((word,)), word))[:SHOWN_WORDS])
