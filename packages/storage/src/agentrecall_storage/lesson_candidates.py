"""Lesson candidates as stored: proposed rules, each once for what it says, until a person decides. Cold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentrecall_domain.capture.feedback import Considered, add
from agentrecall_domain.capture.finalized import Outcome
from agentrecall_domain.capture.persist import find_known
from agentrecall_domain.notes.lesson import rule_in
from agentrecall_domain.rules.lesson_candidate import LessonCandidate, LessonCandidateStatus
from agentrecall_domain.text.scrub import scrub
from agentrecall_storage import ledger
from agentrecall_storage.records import record, records_where
from agentrecall_storage.rows import update

if TYPE_CHECKING:
    from agentrecall_storage.memory import Memory


class LessonCandidateNotFoundError(LookupError):
    """No lesson candidate has this id."""

    def __init__(self, candidate_id: int) -> None:
        super().__init__(candidate_id)
        self.candidate_id = candidate_id


class LessonCandidateStore:
    """The lesson candidates of one memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.connection = memory.connection

    def get(self, candidate_id: int) -> LessonCandidate:
        """The candidate with this id.

        Raises:
            LessonCandidateNotFoundError: There is none.
        """
        found = records_where(self.connection, LessonCandidate, "id = ?", [candidate_id])
        if not found:
            raise LessonCandidateNotFoundError(candidate_id)
        return found[0]

    def waiting(self, project_id: int | None) -> list[LessonCandidate]:
        """The candidates of the project and global ones that wait for a person, oldest first."""
        return records_where(
            self.connection,
            LessonCandidate,
            "status = ? AND (project_id IS NULL OR project_id = ?)",
            [LessonCandidateStatus.SUGGESTED, project_id],
        )

    def suggest(self, candidate: LessonCandidate) -> LessonCandidate | None:
        """Put *candidate* before a person; one that says the same counts up instead, and stays what it is.

        Gives None where a living rule says it already.
        """
        known = self._known(candidate)
        with self.memory.writing():
            if known is not None:
                return self._seen_again(known, candidate)
            if find_known(self.memory, self._rule_in(candidate).content, candidate.project_id) is not None:
                return None
            scrubbed = candidate.model_copy(
                update={"title": scrub(candidate.title), "suggested_rule": scrub(candidate.suggested_rule)}
            )
            candidate_id = record(self.connection, scrubbed)
            # crash point: lesson, suggested and not in the ledger
            self._record("LessonSuggested", candidate_id, "memory", {"key": candidate.normalized_key})
        return self.get(candidate_id)

    def accept(self, candidate: LessonCandidate) -> Outcome:
        """Make the rule of *candidate*, by a person's word; gives what became of it.

        Raises:
            EmptyFeedbackError, InvalidRuleError: There is no rule in it any more.
        """
        with self.memory.writing():
            outcome = add(self.memory, self._rule_in(candidate), candidate.project_id)
            # crash point: lesson, its rule made and itself not accepted
            self._decide(candidate, LessonCandidateStatus.ACCEPTED, "")
        return outcome

    def reject(self, candidate: LessonCandidate, why: str = "") -> LessonCandidate:
        """Reject *candidate* for good, by a person's word: it is not suggested again."""
        return self._decide(candidate, LessonCandidateStatus.REJECTED, why)

    def _rule_in(self, candidate: LessonCandidate) -> Considered:
        uid = self.memory.project_uid(candidate.project_id) if candidate.project_id is not None else ""
        return rule_in(candidate, uid)

    def _decide(self, candidate: LessonCandidate, status: LessonCandidateStatus, why: str) -> LessonCandidate:
        with self.memory.writing():
            candidate_id, why = candidate.id or 0, scrub(why)
            update(self.connection, "lesson_candidates", candidate_id, {"status": status, "rejected_reason": why})
            # crash point: lesson, decided and not in the ledger
            self._record("LessonDecided", candidate_id, "person", {"status": status, "why": why})
        return self.get(candidate_id)

    def _known(self, candidate: LessonCandidate) -> LessonCandidate | None:
        found = records_where(
            self.connection,
            LessonCandidate,
            "normalized_key = ? AND project_id IS ?",
            [candidate.normalized_key, candidate.project_id],
        )
        return found[0] if found else None

    def _seen_again(self, known: LessonCandidate, again: LessonCandidate) -> LessonCandidate:
        if set(again.supporting_event_ids) <= set(known.supporting_event_ids) and again.supporting_event_ids:
            return known  # The same words, read once more.
        ids = [*dict.fromkeys((*known.supporting_event_ids, *again.supporting_event_ids))]
        update(
            self.connection,
            "lesson_candidates",
            known.id or 0,
            {
                "occurrence_count": known.occurrence_count + 1,
                "confidence": max(known.confidence, again.confidence),
                "supporting_event_ids": str(ids),
                "last_seen_at": self.memory.now().strftime("%Y-%m-%dT%H:%M:%SZ"),
            },
        )
        return self.get(known.id or 0)

    def _record(self, kind: str, candidate_id: int, actor: str, details: dict[str, str]) -> None:
        at = self.memory.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        ledger.record_event(self.connection, kind, f"L{candidate_id}", at=at, actor=actor, details={**details})
