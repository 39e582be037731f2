"""Asking as a hook does: the same question to the memory by hand, and the answer's reasons in text."""

from __future__ import annotations

from agentrecall_admin.console import now
from agentrecall_domain.recall.explanation import Explained, ExplainedNote, explained_notes, in_number
from agentrecall_domain.recall.injection import Asked, Injection
from agentrecall_domain.recall.moments import LONGEST_QUERY, Trace
from agentrecall_domain.recall.packing import Shown
from agentrecall_domain.recall.rendering import FULL
from agentrecall_domain.text.harmless import harmless
from agentrecall_domain.text.scrub import scrub_ends
from agentrecall_domain.turns.own_text import remove_own

INDENT = "\n     "


def asked_for(moment: str, text: str, session_uid: str = "", prompt_id: str = "") -> Asked:
    """What a hook would ask at *moment* with *text*, which is scrubbed and freed of our own words as a hook does it."""
    return Asked(
        moment=moment,
        session_uid=session_uid,
        agent_id="",
        prompt_id=prompt_id,
        key="",
        query=scrub_ends(remove_own(text), LONGEST_QUERY),
        source="",
        transcript_path="",
        at=now().timestamp(),
    )


def explained_text(found: list[Explained], trace: Trace, injection: Injection) -> str:
    """What became of every candidate as a person reads it."""
    notes = explained_notes(trace)
    floor = "" if trace.query is None or not found else f"; the floor is {trace.floor:.3g}"
    lines = [counted(found, [], injection) + floor] if found or not notes else []
    lines += [_candidate_text(one, trace) for one in found]
    if notes and trace.notes is not None:
        floor = f"; the floor is {trace.notes.floor:.3g}" if trace.notes.ranked else ""
        lines.append(f"{len(trace.notes.shown)} of {len(notes)} notes shown{floor}")
        lines += [_note_text(one) for one in notes]
    return "\n".join(lines)


def counted(rules: list[Explained], notes: list[ExplainedNote], injection: Injection) -> str:
    """How many of the candidates are shown, or why none were looked for."""
    if injection.skipped:
        return f"nothing is shown: {injection.skipped}"
    found = [*(rule.shown for rule in rules), *(note.shown for note in notes)]
    if not found:
        return "nothing is shown: there is no candidate"
    return f"{sum(shown is not None for shown in found)} of {len(found)} candidates shown"


def _candidate_text(explanation: Explained, trace: Trace) -> str:
    ranked, shown, lost, concepts = explanation
    rule = ranked.candidate
    lines = [f"{f'R{rule.id}':4} {in_number(lost) if shown is None else _shown_text(shown)}", harmless(rule.title)]
    if trace.query is None:
        lines.append(f"confidence {rule.confidence:.2f}{', pinned' if rule.pinned else ''}")
    else:
        lines.append(
            f"score {ranked.score:.3f}, evidence {ranked.evidence:.3f}: keyword {ranked.keyword:.2f}, "
            f"concept {ranked.concept:.2f}, domain {ranked.domain:.2f}, task type {ranked.task_type:.2f}, "
            f"scope {ranked.scope:.2f}"
        )
    lines.append(f"words: {' '.join(ranked.matched)}" if ranked.matched else "")
    lines.append(f"about: {', '.join(concepts)}" if concepts else "")
    return INDENT.join(filter(None, lines))


def _note_text(note: ExplainedNote) -> str:
    candidate, ranked, shown, lost = note
    how = in_number(lost) if shown is None else f"shown: {_detail_text(shown.detail)}"
    lines = [f"{f'N{candidate.id}':4} {how}", harmless(candidate.title)]
    if ranked is None:
        lines.append(f"importance {candidate.importance:.2f}")
    else:
        factors = {**ranked.demotions, **ranked.boosts}
        lines.append(
            f"score {ranked.score:.3f}: words {ranked.lexical:.2f}, meaning {ranked.semantic:.2f}, "
            f"together {ranked.fused:.3f}{''.join(f', {name} x{factor:.2f}' for name, factor in factors.items())}"
        )
        lines.append(f"words: {' '.join(ranked.matched)}" if ranked.matched else "")
    return INDENT.join(filter(None, lines))


def _shown_text(shown: Shown) -> str:
    return f"shown: {shown.bucket}, {_detail_text(shown.detail)}"


def _detail_text(detail: str) -> str:
    return "in full" if detail == FULL else "as a reminder"
