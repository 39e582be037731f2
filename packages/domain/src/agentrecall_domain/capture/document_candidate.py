"""Document candidate: a turn whose matter would make a document, as the agent offered it. Cold."""

from __future__ import annotations

from pydantic import Field

from agentrecall_domain.rules.rule import Tolerant
from agentrecall_domain.text.record import Record


class DocumentType(Tolerant):
    """The kinds of document that are offered."""

    INCIDENT = "Incident"
    RFC = "Rfc"
    PROPOSAL = "Proposal"
    ADR = "Adr"
    POSTMORTEM = "Postmortem"
    RUNBOOK = "Runbook"
    UNKNOWN = "unknown"


class DocumentStatus(Tolerant):
    """What became of the offer."""

    OPEN = "Open"
    DISMISSED = "Dismissed"
    WRITTEN = "Written"
    UNKNOWN = "unknown"


class DocumentCandidate(Record):
    """One offer to write something down."""

    turn_id: int | None = None
    document_type: DocumentType
    suggested_title: str
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)
    reason: str = ""
    key_points: tuple[str, ...] = ()
    status: DocumentStatus = DocumentStatus.OPEN
    written_path: str = ""
