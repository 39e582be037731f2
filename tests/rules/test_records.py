from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agentrecall_domain.capture.document_candidate import DocumentCandidate, DocumentStatus, DocumentType
from agentrecall_domain.capture.judgment_request import JudgmentRequest, JudgmentRequestStatus
from agentrecall_domain.career.candidate import CareerCandidate, CareerStatus, ImpactCategory
from agentrecall_domain.rules.lesson_candidate import LessonCandidate, LessonCandidateStatus
from agentrecall_domain.rules.outcome import OutcomeType
from agentrecall_domain.rules.recommendation import Recommendation, RecommendationStatus, RecommendationType
from agentrecall_domain.rules.rule import Category
from agentrecall_domain.rules.rule_outcome import RuleOutcome
from agentrecall_domain.text.record import Record
from agentrecall_storage.memory import Memory
from agentrecall_storage.records import TABLES, record, records

AT = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
EXAMPLES: list[Record] = [
    CareerCandidate(uid="c", created_at=AT, categories=(ImpactCategory.SECURITY,), detail={"reasons": ["a"]}),
    DocumentCandidate(
        uid="d", created_at=AT, document_type=DocumentType.ADR, suggested_title="Why SQLite", key_points=("one file",)
    ),
    JudgmentRequest(uid="j", created_at=AT, turn_id=1, status=JudgmentRequestStatus.OUTSTANDING),
    LessonCandidate(
        uid="l",
        created_at=AT,
        last_seen_at=AT,
        title="Lock first",
        suggested_rule="take the lock first",
        category=Category.ENGINEERING_LESSON,
        normalized_key="lock first",
        supporting_event_ids=(3, 4),
    ),
    Recommendation(
        uid="r", created_at=AT, updated_at=AT, rule_id=1, type=RecommendationType.REVIEW, signature="Review|1|"
    ),
    RuleOutcome(uid="o", created_at=AT, rule_id=1, type=OutcomeType.TESTS_PASSED, confidence_delta=0.05),
]
ENUMERATED: dict[type[Record], list[tuple[str, object]]] = {
    CareerCandidate: [("status", CareerStatus.UNKNOWN)],
    DocumentCandidate: [("document_type", DocumentType.UNKNOWN), ("status", DocumentStatus.UNKNOWN)],
    JudgmentRequest: [("status", JudgmentRequestStatus.UNKNOWN)],
    LessonCandidate: [("category", Category.UNKNOWN), ("status", LessonCandidateStatus.UNKNOWN)],
    Recommendation: [("type", RecommendationType.UNKNOWN), ("status", RecommendationStatus.UNKNOWN)],
    RuleOutcome: [("type", OutcomeType.UNKNOWN)],
}


def kind_of(entity: Record) -> str:
    return type(entity).__name__


@pytest.fixture
def anything_goes(memory: Memory) -> Memory:
    """A memory in which a record may stand alone, without the rule or turn that it is about."""
    memory.connection.execute("PRAGMA foreign_keys = OFF")
    return memory


def test_every_kind_of_record_has_an_example() -> None:
    assert {type(example) for example in EXAMPLES} == set(TABLES)


@pytest.mark.parametrize("entity", EXAMPLES, ids=kind_of)
def test_a_record_is_read_back_as_it_was_stored(anything_goes: Memory, entity: Record) -> None:
    with anything_goes.writing():
        stored = record(anything_goes.connection, entity)

    assert records(anything_goes.connection, type(entity)) == [entity.model_copy(update={"id": stored})]


@pytest.mark.parametrize("entity", EXAMPLES, ids=kind_of)
def test_what_a_newer_program_wrote_reads_as_unknown_and_loses_nothing_else(
    anything_goes: Memory, entity: Record
) -> None:
    connection, table = anything_goes.connection, TABLES[type(entity)]
    with anything_goes.writing():
        record(connection, entity)
        connection.execute(f"ALTER TABLE {table} ADD COLUMN of_tomorrow TEXT NOT NULL DEFAULT 'x'")
        for column, _ in ENUMERATED[type(entity)]:
            connection.execute(f"UPDATE {table} SET {column} = 'Teleported'")  # noqa: S608 -- names of ours

    (found,) = records(connection, type(entity))

    assert found.uid == entity.uid
    assert [(name, getattr(found, name)) for name, _ in ENUMERATED[type(entity)]] == ENUMERATED[type(entity)]
