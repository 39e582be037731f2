"""Explanation: every candidate of one recall with its signals, and the one reason why a loser lost. Cold.

Nothing is decided here: the recall that a hook runs has left it all in its `Trace`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from re import sub
from typing import Any, NamedTuple

from agentrecall_domain.recall.candidate import Candidate
from agentrecall_domain.recall.injection import Injection
from agentrecall_domain.recall.moments import Trace
from agentrecall_domain.recall.note_candidate import NoteCandidate
from agentrecall_domain.recall.note_ranking import RankedNote
from agentrecall_domain.recall.notes import ShownNote
from agentrecall_domain.recall.packing import Shown
from agentrecall_domain.recall.ranking import Query, Ranked
from agentrecall_domain.text.concept_vector import cosine

SIGNALS = ("keyword", "concept", "domain", "task_type", "scope")
MOST_CONCEPTS = 5
DIGITS = 4


class Explained(NamedTuple):
    """What became of one candidate: *shown* says how it is shown, or *lost* why it is not.

    *concepts* are those that it and the query have most in common.
    """

    ranked: Ranked
    shown: Shown | None
    lost: str
    concepts: list[str]


def explained(injection: Injection, trace: Trace, names: Mapping[int, str]) -> list[Explained]:
    """Every candidate that *trace* has seen, best first; *names* are those of the concepts."""
    shown = {one.candidate.id: one for one in injection.shown}
    found = []
    for one in trace.ranked:
        rule_id = one.candidate.id
        lost = "" if rule_id in shown else _in_words(one, *trace.lost[rule_id])
        concepts = in_common(trace.query, one.candidate) if trace.query is not None and one.concept else []
        found.append(Explained(one, shown.get(rule_id), lost, [names.get(number, "?") for number in concepts]))
    return found


def in_common(query: Query, candidate: Candidate) -> list[int]:
    """The concepts that make up most of what *query* and *candidate* have in common, the strongest first."""
    shares: dict[int, float] = {}
    for vector in (query.vector, *query.sentences):
        for number, weight in vector.items():
            shares[number] = max(shares.get(number, 0.0), cosine({number: weight}, candidate.vector))
    strongest = sorted(shares, key=lambda number: (-shares[number], number))
    return [number for number in strongest if shares[number] > 0][:MOST_CONCEPTS]


def ranked_as_object(one: Ranked, *, shown: bool) -> dict[str, Any]:
    """A candidate as `--json` prints it."""
    return {
        "label": f"R{one.candidate.id}",
        "id": one.candidate.id,
        "status": one.candidate.status,
        "title": one.candidate.title,
        "score": round(one.score, DIGITS),
        "shown": shown,
        "matched": one.matched,
    }


def as_object(explanation: Explained) -> dict[str, Any]:
    """The same with every signal and with what became of it."""
    ranked, shown, lost, concepts = explanation
    return {
        **ranked_as_object(ranked, shown=shown is not None),
        "evidence": round(ranked.evidence, DIGITS),
        **{signal: round(float(getattr(ranked, signal)), DIGITS) for signal in SIGNALS},
        "concepts": concepts,
        "bucket": None if shown is None else shown.bucket,
        "detail": None if shown is None else shown.detail,
        "lost": in_number(lost) or None,
    }


class ExplainedNote(NamedTuple):
    """What became of one note: *ranked* is None where notes are not ranked, at a session's start."""

    candidate: NoteCandidate
    ranked: RankedNote | None
    shown: ShownNote | None
    lost: str


def explained_notes(trace: Trace) -> list[ExplainedNote]:
    """Every note that *trace* has seen, best first."""
    recalled = trace.notes
    if recalled is None:
        return []
    shown = {one.candidate.id: one for one in recalled.shown}
    if not recalled.ranked:
        return [ExplainedNote(one.candidate, None, one, "") for one in recalled.shown]
    return [
        ExplainedNote(one.candidate, one, shown.get(one.candidate.id), recalled.lost.get(one.candidate.id, ""))
        for one in recalled.ranked
    ]


def note_as_object(note: ExplainedNote, *, with_reasons: bool = False) -> dict[str, Any]:
    """A note as `--json` prints it, *with_reasons* with what each step made of it."""
    candidate, ranked, shown, lost = note
    found: dict[str, Any] = {
        "label": f"N{candidate.id}",
        "id": candidate.id,
        "status": candidate.type,
        "title": candidate.title,
        "score": round(ranked.score if ranked else candidate.importance, DIGITS),
        "shown": shown is not None,
        "matched": ranked.matched if ranked else [],
    }
    if with_reasons:
        found |= note_steps(ranked) if ranked else {}
        found |= {"detail": None if shown is None else shown.detail, "lost": in_number(lost) or None}
    return found


def note_steps(ranked: RankedNote) -> dict[str, Any]:
    """What each step of the ranking made of a note, in their order."""
    return {
        "lexical": round(ranked.lexical, DIGITS),
        "semantic": round(ranked.semantic, DIGITS),
        "fused": round(ranked.fused, DIGITS),
        "demotions": {name: round(factor, DIGITS) for name, factor in ranked.demotions.items()},
        "relevance": round(ranked.relevance, DIGITS),
        "boosts": {name: round(factor, DIGITS) for name, factor in ranked.boosts.items()},
    }


def in_number(lost: str) -> str:
    """Why a memory lost, with one rule or note in the singular."""
    return sub(r"\b1 (rule|note)s$", r"1 \1", lost)


def _in_words(one: Ranked, why: str, number: float) -> str:
    # Rounded up, what lies just under the floor would read as if it reached it.
    return why.format(number=number, evidence=floor(one.evidence * 100) / 100)
