"""Opposition: what in two rules cannot both be followed, on a subject and in a situation that both are about. Light."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from agentrecall_domain.rules.meaning import (
    WEAK_WEIGHT,
    is_told_apart,
    poles,
    strongest,
    topic_of,
    weight,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.rules.meaning import Sense

COVERED = 0.7
"""How much of a refused clause the other rule has to ask for."""

A_WORD = 0.99
"""The weight of one word that tells something, less what adding up floats may lose."""


OTHER_VALUES = "different values"
AVOIDED, REFUSED = "preferred against avoided", "asked for against refused"
"""What one asks for and the other names as a mistake, or says not to do."""


class Situation(StrEnum):
    """How the situations of two rules lie to each other."""

    SAME = "same"
    NARROWER = "narrower"
    BROADER = "broader"
    APART = "apart"


class Opposed(NamedTuple):
    """What is opposed: *how* is `AVOIDED`, `REFUSED`, or the name of a topic."""

    how: str
    words: frozenset[str]


def situation(one: Sense, other: Sense) -> Situation:
    """How the situation of *other* lies to that of *one*; apart when each names what the other does not speak of."""
    if is_told_apart(one.trigger, other.trigger) or numbers_differ(one.trigger_values, other.trigger_values):
        return Situation.APART
    mine, theirs = _unshared(one, other), _unshared(other, one)
    if min(mine, theirs) >= A_WORD and _may_lie_apart(one, other):
        return Situation.APART
    if one.is_about_absence != other.is_about_absence and strongest(one.trigger ^ other.trigger) < WEAK_WEIGHT:
        return Situation.APART
    if max(mine, theirs) < A_WORD:
        return Situation.SAME
    return Situation.NARROWER if theirs > mine else Situation.BROADER


def _unshared(one: Sense, other: Sense) -> float:
    """The weight of what only *one* names, the doing that opens its situation counted as half a word at most."""
    alone = one.trigger - other.context
    if one.opening in alone and other.opening:
        return weight(alone - {one.opening}) + min(WEAK_WEIGHT, weight((one.opening,)))
    return weight(alone)


def _may_lie_apart(one: Sense, other: Sense) -> bool:
    """Whether words that only one situation has speak of another matter: nothing is shared, or they take one slot.

    A `staging` table and a `ledger` table are two; of a balance `screen` and an `account` balance one may be the other.
    """
    if weight(one.trigger & other.trigger) < A_WORD:
        return True
    mine, theirs = _slots(one, other), _slots(other, one)
    return not mine.isdisjoint(theirs)


def _slots(one: Sense, other: Sense) -> set[tuple[str, str]]:
    """Before and after what each telling word stands that only *one* has."""
    slots = set()
    order = ("", *one.trigger_order, "")
    for at in range(1, len(order) - 1):
        word = order[at]
        if word not in other.context and word != one.opening and strongest((word,)) >= WEAK_WEIGHT:
            slots.add(("after", order[at - 1]))
            if order[at + 1]:
                slots.add(("before", order[at + 1]))
    return slots


def shared_subject(one: Sense, other: Sense) -> frozenset[str]:
    """What both speak of: the situation of one as far as the other names it, and what both say or refuse."""
    mine, theirs = one.trigger | one.words, other.trigger | other.words
    return mine & theirs


def opposition(one: Sense, other: Sense) -> Opposed | None:
    """What *one* and *other* tell the agent that excludes each other, or None."""
    if not may_oppose(one, other):
        return None
    found = _preferred_against_avoided(one, other) or _different_sides(one, other) or _different_values(one, other)
    # Where two rules are about is the longest question, and comes last.
    return None if found is None or situation(one, other) is Situation.APART else found


def may_oppose(one: Sense, other: Sense) -> bool:
    """Whether two rules can be opposed at all: a quick look that spares most pairs the long one."""
    return (
        not one.refusable.isdisjoint(other.said)
        or not other.refusable.isdisjoint(one.said)
        or numbers_differ(one.said_values, other.said_values)
        or any(one.poles[topic].isdisjoint(other.poles[topic]) for topic in one.poles.keys() & other.poles.keys())
        or not one.poles.keys().isdisjoint(other.refused_poles)
        or not other.poles.keys().isdisjoint(one.refused_poles)
    )


def _preferred_against_avoided(one: Sense, other: Sense) -> Opposed | None:
    return _asks_for_what_is_refused(one, other) or _asks_for_what_is_refused(other, one)


def _asks_for_what_is_refused(asking: Sense, refusing: Sense) -> Opposed | None:
    """A clause that *refusing* refuses and *asking* asks for, by its senses, or None."""
    shared_place = asking.trigger & refusing.trigger
    for clause in refusing.avoided:
        point = _point(clause, asking, refusing)
        asked = point & asking.said
        if not asked or asked <= asking.kept_off:
            continue
        known = asked | (point & asking.trigger)
        if 2 * weight(known) < weight(point):
            continue
        is_same_place = bool(shared_place) and situation(asking, refusing) is Situation.SAME
        how = REFUSED if clause <= refusing.refused else AVOIDED
        if known == point and is_same_place and len(point) > 1:
            return Opposed(how, known)
        if (
            how == AVOIDED
            and weight(shared_place) >= A_WORD
            and _names_the_way_not_taken(asked, point, asking, refusing)
        ):
            return Opposed(how, known)
        if weight(known) < COVERED * weight(point) or weight(asked) < WEAK_WEIGHT:
            continue
        rest = asking.said - clause - refusing.everything
        if min(strongest(point - known), strongest(rest)) >= WEAK_WEIGHT:
            continue  # Each has a word on the matter that the other has not: two cases of it, perhaps.
        subject = weight(shared_subject(asking, refusing)) - weight(asked)
        if is_same_place or weight(known) >= 2 * A_WORD or subject >= WEAK_WEIGHT:
            return Opposed(how, known)
    return None


def _point(clause: frozenset[str], asking: Sense, refusing: Sense) -> frozenset[str]:
    """What a refused *clause* is about, less what the refusing rule itself asks for.

    "git reset --soft, not git reset --hard" means "hard". When nothing is left of it, and the other rule asks for the
    bare clause and no more, the clause is the point.
    """
    point = clause - refusing.said
    if not point and strongest(asking.said - clause) < WEAK_WEIGHT and clause <= asking.said | asking.trigger:
        return clause
    return point


def _names_the_way_not_taken(asked: frozenset[str], point: frozenset[str], asking: Sense, refusing: Sense) -> bool:
    """Whether a mistake names by one word of its own the way that the other rule goes, and its rule another way."""
    own = asked - asking.trigger - refusing.trigger
    return strongest(own) >= A_WORD and strongest(refusing.said) >= A_WORD and 2 * weight(asked) >= weight(point)


def _different_sides(one: Sense, other: Sense) -> Opposed | None:
    """A topic on which each asks for a side that excludes the other's, or one refuses the side that the other takes."""
    for topic in one.poles.keys() & other.poles.keys():
        if one.poles[topic].isdisjoint(other.poles[topic]) and (found := _on_topic(topic, one, other)):
            return found
    for asking, refusing in ((one, other), (other, one)):
        for topic in asking.poles.keys() & refusing.refused_poles.keys():
            taken = asking.poles[topic] & refusing.refused_poles[topic]
            # The same words were looked at already: this is about other words for one side.
            if any(topic in poles((word,)) for word in refusing.kept_off & asking.said):
                continue
            if taken and taken.isdisjoint(refusing.poles.get(topic, ())) and (found := _on_topic(topic, one, other)):
                return found
    return None


def _on_topic(topic: int, one: Sense, other: Sense) -> Opposed | None:
    """The opposition on one topic, if both speak of its subject and of one thing."""
    name, needed, of_things = topic_of(topic)
    if needed and not (_speaks_of(one, needed) and _speaks_of(other, needed)):
        return None
    sides = frozenset(sense for sense in one.words | other.words if topic in poles((sense,)))
    if is_told_apart(one.said - sides, other.said - sides):
        return None
    rest, their_rest = one.said - sides - other.everything, other.said - sides - one.everything
    if of_things and min(strongest(rest), strongest(their_rest)) >= WEAK_WEIGHT:
        return None
    beyond = shared_subject(one, other) - sides
    return Opposed(name, sides | beyond) if weight(beyond) >= A_WORD else None


def _speaks_of(sense: Sense, needed: frozenset[str]) -> bool:
    return not needed.isdisjoint(sense.trigger) or not needed.isdisjoint(sense.words)


def _different_values(one: Sense, other: Sense) -> Opposed | None:
    """One value each for the same thing: `use port 8080` and `use port 9090`."""
    if not numbers_differ(one.said_values, other.said_values):
        return None
    named = one.said & other.said
    mine, theirs = one.said - other.trigger - other.said, other.said - one.trigger - one.said
    if min(strongest(mine), strongest(theirs)) >= WEAK_WEIGHT or is_told_apart(one.said, other.said):
        return None
    if weight(shared_subject(one, other)) < A_WORD:
        return None
    if weight(named) < WEAK_WEIGHT and max(weight(mine), weight(theirs)) >= WEAK_WEIGHT:
        return None
    return Opposed(OTHER_VALUES, shared_subject(one, other))


def numbers_differ(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both name values, and none alike."""
    return bool(one and other) and one.isdisjoint(other)
