"""Settling: which clauses of a text ask, once all of them are known. Light."""

from __future__ import annotations

from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.clause_practice import blamed_of
from agentrecall_domain.capture.signals import is_verb


def settled_of(found: list[Clause]) -> list[Clause]:
    """*found*, each ask as what it turns out to be beside the others, and told demands as asks where nothing asks."""
    return blamed_of(_demanded(_named(_weighed(_chosen(_pointed(found))))))


_POINTERS = ("do that", "do this", "do so", "do it", "do the same", "please do")


def _pointed(found: list[Clause]) -> list[Clause]:
    """An ask that points back says no more than where: "so do that for new endpoints"."""
    settled: list[Clause] = []
    asked = False
    for clause in found:
        back = asked and clause.kind is Kind.ASK and clause.text.lower().startswith(_POINTERS)
        asked = asked or clause.kind is Kind.ASK
        _, about, what = clause.text.partition(" for ")
        if not back:
            settled.append(clause)
        elif about:
            settled.append(Clause(Kind.PLACE, what, "for", clause.sentence))
    return settled


def _chosen(found: list[Clause]) -> list[Clause]:
    """A bare name before "not Y" is what is wanted: "tabs, not spaces"."""
    settled: list[Clause] = []
    asked = any(clause.kind is Kind.ASK for clause in found)
    for at, clause in enumerate(found):
        after = found[at + 1] if at + 1 < len(found) else None
        beside = after is not None and after.kind is Kind.REFUSAL and after.sentence == clause.sentence
        told = clause.kind is Kind.STATEMENT and (clause.lead == "name" or (not clause.ask and not asked and at == 0))
        if told and beside and after and after.lead in _AGAINST and clause.lead != "name":
            # "The id in URLs is the public one, never the serial key".
            settled.append(clause._replace(kind=Kind.ASK))
        elif told and beside and after and after.lead in _AGAINST:
            verb = "" if is_verb(clause.text.split(" ", 1)[0].lower()) else "use "
            settled.append(clause._replace(kind=Kind.ASK, text=f"{verb}{clause.text}"))
        else:
            settled.append(clause)
    return settled


_AGAINST = frozenset(("instead", "not", "never", "no"))


def _weighed(found: list[Clause]) -> list[Clause]:
    """Of several asks those that only lead to another, or say why."""
    asks = [at for at, clause in enumerate(found) if clause.kind is Kind.ASK]
    if len(asks) < 2:  # noqa: PLR2004 -- several
        return found
    only_drops = all(found[at].lead == "drop" for at in asks)
    settled: list[Clause] = []
    for at, clause in enumerate(found):
        if clause.lead == "forgot" and at != asks[-1]:
            # "You forgot to X: every time Y, do X" asks once.
            settled.append(clause._replace(kind=Kind.CHATTER))
        elif clause.lead in {"want", "prefer", "like"} and at != asks[0]:
            settled.append(clause._replace(kind=Kind.CHATTER if clause.lead == "prefer" else Kind.STATEMENT, lead=""))
        elif clause.lead == "drop" and not only_drops:
            # "Drop moment, date-fns it is."
            settled.append(clause._replace(kind=Kind.REFUSAL, text=clause.text.partition(" ")[2], lead="out"))
        else:
            settled.append(clause)
    return settled


def _named(found: list[Clause]) -> list[Clause]:
    """Where nothing asks, a mere name does: "Small commits. Never mix the two"."""
    if any(clause.kind is Kind.ASK or clause.ask for clause in found):
        return found
    for at, clause in enumerate(found):
        after = found[at + 1] if at + 1 < len(found) else None
        when = after is not None and after.kind is Kind.CONDITION and after.sentence == clause.sentence
        contrary = after is not None and after.lead in _AGAINST and after.sentence == clause.sentence + 1
        if clause.kind is Kind.STATEMENT and ((clause.lead == "name" and (when or " " in clause.text)) or contrary):
            text = clause.text if " " in clause.text and not when else f"use {clause.text}"
            return [*found[:at], clause._replace(kind=Kind.ASK, text=text), *found[at + 1 :]]
    return found


def _demanded(found: list[Clause]) -> list[Clause]:
    """Where nothing asks, the first statement of how it is done does; what was done wrong is what not to do."""
    asked = asks = any(clause.kind is Kind.ASK for clause in found)
    last = _last_refusal(found)
    settled: list[Clause] = []
    for clause in found:
        if clause.kind is not Kind.STATEMENT:
            settled.append(clause)
        elif clause.ask and not asked and (last < 0 or clause.sentence <= last):
            asked = True
            settled += _as_ask(clause, refused=last >= 0)
        elif clause.lead == "you did" and asks and last < 0:
            settled.append(Clause(Kind.REFUSAL, clause.about, "you did", clause.sentence))
        elif clause.lead == "doing" and clause.about and last < 0 and len(found) > 1:
            settled += [Clause(Kind.REFUSAL, clause.about, "stop", clause.sentence), clause]
        else:
            settled.append(clause)
    return settled


def _as_ask(clause: Clause, *, refused: bool) -> list[Clause]:
    ask = clause._replace(kind=Kind.ASK, text=clause.ask)
    if clause.lead == "left":
        # "We left moment for date-fns" is why as well.
        return [ask, clause, *([] if refused else [Clause(Kind.REFUSAL, clause.about, "no", clause.sentence)])]
    return [*([Clause(Kind.PLACE, clause.about, "must", clause.sentence)] if clause.about else []), ask]


def _last_refusal(found: list[Clause]) -> int:
    return max((clause.sentence for clause in found if clause.kind is Kind.REFUSAL), default=-1)
