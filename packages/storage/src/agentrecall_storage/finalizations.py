"""Turn finalizations: one row for a turn that was judged, or for one that nobody judged. Hot."""

from __future__ import annotations

from agentrecall_domain.turns.identity import digest
from agentrecall_storage.raw_items import CaptureStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.turns.batch import Project

FIND_OF_TURN = "SELECT 1 FROM turn_finalizations WHERE turn_id = ? LIMIT 1"
INSERT_UNJUDGED = """
    INSERT INTO turn_finalizations(uid, turn_id, project_id, source, raw_hash, decision_source, created_at)
    VALUES (:uid, :turn_id, :project_id, :source, :uid, 'NoJudgmentSupplied', :now)
    ON CONFLICT DO NOTHING
"""


class FinalizationStore(CaptureStore):
    """The hot store with what the Stop hook of finalize-turn writes."""

    def record_unjudged(self, *, session_uid: str, prompt_id: str, source: str, project: Project, now: str) -> None:
        """Note that the turn ended without a verdict, unless it has a finalization already."""
        with self.transaction():
            project_id = self.record_project(project, now)
            session_id, _ = self.record_session(
                uid=session_uid, source=source, project_id=project_id, transcript_path="", now=now
            )
            turn_id = self.find_or_wait_for_turn(session_id, session_uid, prompt_id, project_id, now)
            if self.connection.execute(FIND_OF_TURN, (turn_id,)).fetchone():
                return
            uid = digest("unjudged", session_uid, prompt_id)
            self.connection.execute(
                INSERT_UNJUDGED,
                {"uid": uid, "turn_id": turn_id, "project_id": project_id, "source": source, "now": now},
            )
            # crash point: unjudged, before the commit
        # crash point: unjudged, after the commit
