"""Matters: sentences that are worth a note, gathered with their neighbours that belong to them. Cold."""

from __future__ import annotations

from dataclasses import dataclass, field

from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.notes.cue_tables import says
from agentrecall_domain.notes.distill_cues import straight
from agentrecall_domain.notes.distill_evidence import Evidence
from agentrecall_domain.notes.distill_findings import findings_in
from agentrecall_domain.notes.distill_weights import ENOUGH, ENOUGH_OF_TODAY, OUT, TYPES
from agentrecall_domain.notes.unit import Unit
from agentrecall_domain.text.telling import telling

_NEVER = frozenset({"question", "quoted", "about_a_text", "pasted", "hypothetical"})
_PARTS = _NEVER | {"once", "compliment", "hedge", "taken_back"}
_LOOSE = _PARTS | {"praise", "joke", "own_slip"}
"""Cues of sentences that are no note at all, that end a matter, and that are not part of the matter beside them."""
_DOUBTED = frozenset({"joke", "compliment", "once", "taken_back", "hedge", "others_say"})
"""Cues with which a person's sentence is no note of itself, unless it lays down a rule."""
_LASTING = word_set("lays_down resolved reason limit linked steps preference heeds ban every standing warns")
"""Cues that a sentence holds beyond the work at hand: without one of them much more has to speak for it."""


@dataclass
class Matter:
    """What one note is made of: its sentences, those that only give the context, and what type they speak for."""

    sentences: list[int]
    weights: list[float]
    type: str
    context: list[int] = field(default_factory=list)


def spans_of(unit: Unit, evidence: list[Evidence], matter: Matter) -> list[tuple[int, int, int]]:
    """The verbatim spans of *matter*, the context first: span, start and end; what only spaces part is one."""
    joined: list[tuple[int, int, int]] = []
    for at in [*matter.context, *matter.sentences]:
        span, start, end = evidence[at].sentence[:3]
        if joined and joined[-1][0] == span and joined[-1][2] <= start:
            between = unit.spans[span].text[joined[-1][2] : start]
            if not between.strip(" \n\t\"')"):
                joined[-1] = (span, joined[-1][1], end)
                continue
        joined.append((span, start, end))
    return joined


def terms_of(evidence: list[Evidence], matter: Matter) -> set[str]:
    """The words of *matter* that say what it is about."""
    return set().union(*(telling(evidence[at].sentence.text) for at in matter.sentences))


def found_in(unit: Unit, evidence: list[Evidence], weights: list[float]) -> list[Matter]:
    """The matters in *evidence*, each within one message: what a person laid down, and what an agent found."""
    matters = _laid_down(evidence, weights)
    for run in findings_in(unit, evidence, weights):
        kind = type_of(frozenset({"agent"}).union(*(evidence[at].cues for at in run)))
        matters.append(Matter(run, [weights[at] for at in run], "gotcha" if kind == "gotcha" else "fix"))
    return sorted(matters, key=lambda matter: matter.sentences[0])


def _laid_down(evidence: list[Evidence], weights: list[float]) -> list[Matter]:
    matters: list[Matter] = []
    at = 0
    while at < len(evidence):
        if _is_seed(evidence[at], weights[at]):
            # What belongs to the matter before is taken already.
            floor = matters[-1].sentences[-1] + 1 if matters else 0
            whole = range(_first(evidence, weights, at, floor), _last(evidence, weights, at) + 1)
            run = [number for number in whole if weights[number] > OUT]
            seeds = [evidence[number].cues for number in run if _is_seed(evidence[number], weights[number])]
            matters.append(Matter(run, [weights[number] for number in run], type_of(frozenset().union(*seeds))))
            at = whole[-1]
        at += 1
    return matters


def same_message(evidence: list[Evidence], one: int, other: int) -> bool:
    """Whether two sentences were said in one message."""
    return 0 <= one < len(evidence) and evidence[one].sentence.span == evidence[other].sentence.span


def _first(evidence: list[Evidence], weights: list[float], seed: int, floor: int) -> int:
    first = seed
    while (
        first > floor and same_message(evidence, first - 1, seed) and _belongs(evidence[first - 1], weights[first - 1])
    ):
        first -= 1
    return first


def _last(evidence: list[Evidence], weights: list[float], seed: int) -> int:
    """The last sentence that belongs to *seed*: the last seed of its message, unless something parts them."""
    last = seed
    while same_message(evidence, last + 1, seed) and _follows(evidence[last + 1], weights[last + 1]):
        last += 1
    reached = last
    at = last + 1
    while same_message(evidence, at, seed) and not evidence[at].cues & _PARTS:
        reached = at if _is_seed(evidence[at], weights[at]) else reached
        at += 1
    return reached


def _is_seed(piece: Evidence, weight: float) -> bool:
    if not piece.by_user or piece.cues & _NEVER or (piece.cues & _DOUBTED and "lays_down" not in piece.cues):
        return False
    return weight > (ENOUGH if piece.cues & _LASTING else ENOUGH_OF_TODAY)


def _follows(piece: Evidence, weight: float) -> bool:
    return _is_seed(piece, weight) or _belongs(piece, weight) or (goes_on(piece) and weight > OUT)


def _belongs(piece: Evidence, weight: float) -> bool:
    """Whether a sentence beside a seed is of its matter: a person says in one breath what is one."""
    mended = {"change", "success"} <= piece.cues
    return not piece.cues & (_PARTS if mended else _LOOSE) and weight > OUT


def goes_on(piece: Evidence) -> bool:
    """Whether a sentence begins as the reason for what was said before."""
    return says("goes_on", straight(piece.sentence.text), piece.language, leading=True)


def type_of(cues: frozenset[str]) -> str:
    """The type of note that *cues* speak for most."""
    return max(TYPES, key=lambda kind: TYPES[kind].sum_of(cues))
