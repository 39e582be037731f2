"""Records as stored: entities other than rules, each in its table, in as they are and out again. Cold."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from agentrecall_domain.capture.document_candidate import DocumentCandidate
from agentrecall_domain.capture.judgment_request import JudgmentRequest
from agentrecall_domain.career.candidate import CareerCandidate
from agentrecall_domain.rules.lesson_candidate import LessonCandidate
from agentrecall_domain.rules.recommendation import Recommendation
from agentrecall_domain.rules.rule_outcome import RuleOutcome
from agentrecall_domain.text.record import Record
from agentrecall_storage.engine import sqlite
from agentrecall_storage.rows import insert, rows

TABLES: dict[type[Record], str] = {
    CareerCandidate: "career_candidates",
    DocumentCandidate: "document_candidates",
    JudgmentRequest: "judgment_requests",
    LessonCandidate: "lesson_candidates",
    Recommendation: "recommendations",
    RuleOutcome: "outcomes",
}
NESTED = {"categories", "detail", "key_points", "supporting_event_ids"}
"""The columns that hold a list or an object as JSON."""

AnyRecord = TypeVar("AnyRecord", bound=Record)


def record(connection: sqlite.Connection, entity: Record) -> int:
    """Store *entity* inside the transaction that is open; gives its id."""
    row: dict[str, Any] = entity.model_dump(mode="json", exclude={"id"})
    row |= {name: json.dumps(row[name]) for name in NESTED & row.keys()}
    return insert(connection, TABLES[type(entity)], row)


def records(connection: sqlite.Connection, kind: type[AnyRecord]) -> list[AnyRecord]:
    """Every stored record of *kind*, oldest first; what a newer program wrote into it reads as `unknown`."""
    return records_where(connection, kind, "1 = 1", [])


def records_where(
    connection: sqlite.Connection, kind: type[AnyRecord], condition: str, values: list[Any]
) -> list[AnyRecord]:
    """The stored records of *kind* that meet an SQL *condition* of ours, oldest first."""
    found = rows(connection, f"SELECT * FROM {TABLES[kind]} WHERE {condition} ORDER BY id", values)  # noqa: S608 -- names of ours
    readable = [{**row, **{name: json.loads(row[name]) for name in NESTED & row.keys()}} for row in found]
    return [kind.model_validate(row) for row in readable]
