"""Lessons in notes: a note that tells how to work becomes a lesson candidate, which a person accepts or not. Cold."""

from __future__ import annotations

import dataclasses

from agentrecall_domain.capture.clause import clauses_of
from agentrecall_domain.capture.clause_kinds import Kind
from agentrecall_domain.capture.decision import CaptureOutcome
from agentrecall_domain.capture.feedback import Considered, EmptyFeedbackError, Parts, Scope, consider
from agentrecall_domain.capture.phrases import says, spaced
from agentrecall_domain.capture.spoken import folded
from agentrecall_domain.capture.worthiness import Worthiness
from agentrecall_domain.capture.worthiness_words import STANDING, STANDING_ELSEWHERE
from agentrecall_domain.notes.note import Note, NoteType
from agentrecall_domain.rules.lesson_candidate import LessonCandidate
from agentrecall_domain.rules.meaning import sense_of_text
from agentrecall_domain.rules.rule import CaptureReason, InvalidRuleError, ScopeLevel
from agentrecall_domain.turns.identity import digest

TEACHING = (NoteType.PREFERENCE, NoteType.DECISION, NoteType.PROCEDURE, NoteType.GOTCHA, NoteType.FIX)
"""The types of notes that may tell how to work; facts and references tell how things are."""
EVERYWHERE = Scope(ScopeLevel.GLOBAL, "")


def lesson_of(note: Note) -> LessonCandidate | None:
    """The lesson that *note* tells, or None: it tells how something is, or what was done."""
    if note.type not in TEACHING:
        return None
    try:
        considered = consider(note.body, Parts(), EVERYWHERE)
    except (EmptyFeedbackError, InvalidRuleError):
        return None
    content, judged = considered.content, considered.judged
    if considered.decided.outcome is CaptureOutcome.SKIP or judged.worthiness is not Worthiness.WORTH_STORING:
        return None
    if note.type is not NoteType.PREFERENCE and not _demands(note.body):
        return None
    return LessonCandidate(
        uid=digest("lesson", note.uid),
        created_at=note.created_at,
        last_seen_at=note.created_at,
        title=content.title,
        suggested_rule=note.body,
        category=content.category,
        confidence=content.confidence,
        project_id=note.project_id,
        supporting_event_ids=tuple(source.raw_item_id for source in note.sources if source.raw_item_id is not None),
        normalized_key=" ".join(sorted(sense_of_text(f"{content.trigger}\n{content.action}\n{content.mistake}"))),
    )


def _demands(text: str) -> bool:
    """Whether *text* says what is always or never to be done, or asks for something: `We chose X` does not."""
    flat = spaced(folded(text))
    if says(STANDING, flat) or any(sign in text for sign in STANDING_ELSEWHERE):
        return True
    return any(clause.kind is Kind.ASK and not clause.lead for clause in clauses_of(text))


def rule_in(candidate: LessonCandidate, project_uid: str) -> Considered:
    """The rule that accepting *candidate* makes, in its project where it has one; *project_uid* names that.

    Raises:
        EmptyFeedbackError, InvalidRuleError: There is no rule in it.
    """
    where = EVERYWHERE if candidate.project_id is None else Scope(ScopeLevel.REPOSITORY, project_uid)
    considered = consider(candidate.suggested_rule, Parts(title=candidate.title), where, accepted=True)
    mined = dataclasses.replace(considered.content, capture_reason=CaptureReason.LESSON_MINED)
    return considered._replace(content=mined)
