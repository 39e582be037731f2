"""Lessons in notes: what tells how to work is put before a person once, and becomes a rule by their word alone."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentrecall_domain.notes.lesson import lesson_of
from agentrecall_domain.notes.note import Note, NoteType, Source
from agentrecall_domain.rules.lesson_candidate import LessonCandidate, LessonCandidateStatus
from agentrecall_domain.rules.rule import CaptureReason, ScopeLevel, Status
from agentrecall_storage.lesson_candidates import LessonCandidateNotFoundError
from agentrecall_storage.memory import Memory
from notes.compared import a_project, content, stored

RULE = "Never edit an applied migration, because production has run it."


def a_note(memory: Memory, body: str, **parts: NoteType) -> Note:
    return stored(memory, content("About migrations", body).model_copy(update=parts))


def suggested(memory: Memory, body: str, *raw_items: int) -> LessonCandidate | None:
    lesson = lesson_of(a_note(memory, body))
    assert lesson is not None
    return memory.lesson_candidates.suggest(lesson.model_copy(update={"supporting_event_ids": raw_items}))


def _first(memory: Memory) -> LessonCandidate:
    first = suggested(memory, RULE, 1)
    assert first is not None
    return first


@pytest.mark.parametrize(
    "body",
    [
        RULE,
        "Always run the linter before you commit, because CI rejects what is not formatted.",
        "When a test is flaky, fix it and never retry it.",
        "No, use pnpm instead of npm in this repository.",
    ],
)
def test_what_tells_how_to_work_is_a_lesson(memory: Memory, body: str) -> None:
    lesson = lesson_of(a_note(memory, body, type=NoteType.PREFERENCE))

    assert lesson is not None
    assert lesson.suggested_rule == body
    assert lesson.status is LessonCandidateStatus.SUGGESTED


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("The staging database runs PostgreSQL 15.", NoteType.FACT),
        ("Always run the linter before you commit.", NoteType.FACT),
        ("The runbook is docs/runbooks/payouts.md.", NoteType.REFERENCE),
        ("The export timed out since nginx closed the connection; a longer timeout fixed it.", NoteType.FIX),
        ("We chose WeasyPrint for the invoices since their layout is HTML.", NoteType.DECISION),
        ("Orders are priced in dollars now instead of euros, in cents.", NoteType.DECISION),
        ("Orders are priced in euros.", NoteType.DECISION),
        ("?!", NoteType.PREFERENCE),
    ],
)
def test_what_tells_how_things_are_is_none(memory: Memory, body: str, kind: NoteType) -> None:
    assert lesson_of(a_note(memory, body, type=kind)) is None


def test_the_evidence_of_a_lesson_is_that_of_its_note(memory: Memory) -> None:
    memory.connection.execute("PRAGMA foreign_keys = OFF")
    note = stored(memory, content("Migrations", RULE), sources=(Source(raw_item_id=5, span=RULE),))

    lesson = lesson_of(note)

    assert lesson is not None
    assert lesson.supporting_event_ids == (5,)


def test_a_lesson_is_suggested_once_and_counts_up_when_it_is_seen_again(memory: Memory) -> None:
    first = suggested(memory, RULE, 1)
    again = suggested(memory, "Because production has run it, never edit an applied migration.", 2)

    assert first is not None
    assert again is not None
    assert (again.id, again.occurrence_count, again.supporting_event_ids) == (first.id, 2, (1, 2))
    assert memory.lesson_candidates.waiting(None) == [again]


def test_the_same_words_read_again_count_once(memory: Memory) -> None:
    suggested(memory, RULE, 1)

    again = suggested(memory, RULE, 1)

    assert again is not None
    assert again.occurrence_count == 1


def test_what_a_living_rule_says_already_is_not_suggested(memory: Memory) -> None:
    memory.lesson_candidates.accept(_first(memory))

    again = suggested(memory, "When a migration was applied, never edit it, because production has run it.", 2)

    assert again is None or again.status is LessonCandidateStatus.ACCEPTED
    assert memory.lesson_candidates.waiting(None) == []


def test_an_accepted_lesson_is_a_rule_in_force_of_its_project(memory: Memory) -> None:
    project = a_project(memory)
    lesson = lesson_of(stored(memory, content("About migrations", RULE), project))
    assert lesson is not None
    suggestion = memory.lesson_candidates.suggest(lesson)
    assert suggestion is not None

    outcome = memory.lesson_candidates.accept(suggestion)

    rule = memory.get_rule(outcome.rule_id or 0)
    assert (rule.status, rule.capture_reason, rule.project_id) == (Status.ACTIVE, CaptureReason.LESSON_MINED, project)
    assert (rule.mistake, rule.reason) == ("edit an applied migration", "production has run it")
    assert rule.scope_level is ScopeLevel.REPOSITORY
    assert memory.lesson_candidates.get(suggestion.id or 0).status is LessonCandidateStatus.ACCEPTED


def test_a_rejected_lesson_stays_rejected_when_it_is_seen_again(memory: Memory) -> None:
    memory.lesson_candidates.reject(_first(memory), "not here")

    again = suggested(memory, RULE, 2)

    assert again is not None
    assert (again.status, again.rejected_reason) == (LessonCandidateStatus.REJECTED, "not here")
    assert memory.lesson_candidates.waiting(None) == []


def test_a_lesson_that_is_not_there_has_a_name_for_that(memory: Memory) -> None:
    with pytest.raises(LessonCandidateNotFoundError):
        memory.lesson_candidates.get(3)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=300))
def test_any_note_can_be_asked_for_its_lesson(memory: Memory, body: str) -> None:
    note = stored(memory, content("Migrations", RULE)).model_copy(update={"body": body})

    lesson_of(note)
