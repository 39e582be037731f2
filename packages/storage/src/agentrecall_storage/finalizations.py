"""Turn finalizations: one row for a turn, judged or not, and the request for a verdict about it. Hot."""

from __future__ import annotations

from agentrecall_domain.turns.identity import digest
from agentrecall_storage.raw_items import CaptureStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from agentrecall_domain.turns.batch import Project

UNJUDGED = ("NoJudgmentSupplied", "JudgmentRetryExhausted")
"""Decision sources of a turn that has no verdict: a verdict takes their place."""

SOURCES_OF_TURN = "SELECT decision_source FROM turn_finalizations WHERE turn_id = ?"
INSERT_UNJUDGED = """
    INSERT INTO turn_finalizations(uid, turn_id, project_id, source, raw_hash, decision_source, created_at)
    VALUES (:uid, :turn_id, :project_id, :source, :uid, 'NoJudgmentSupplied', :now)
    ON CONFLICT DO NOTHING
"""
RETRY_EXHAUSTED = """
    UPDATE turn_finalizations SET decision_source = 'JudgmentRetryExhausted'
     WHERE turn_id = ? AND decision_source = 'NoJudgmentSupplied'
"""
# A prompt's key begins with its id (a prompt queued meanwhile shares it), and ';' comes right after ':'.
SAID_TO_RECALL = """
    SELECT coalesce(sum(length(trim(query))), 0)
      FROM injections
     WHERE session_id = (SELECT id FROM sessions WHERE uid = :session_uid) AND agent_id = '' AND moment = 'prompt'
       AND key >= :prompt_id || ':' AND key < :prompt_id || ';' AND skipped <> 'system turn'
"""
SAID_IN_TURN = """
    SELECT coalesce(sum(length(trim(text))), 0) FROM raw_items
     WHERE turn_id = ? AND origin = 'user' AND prompt_source <> 'refusal'
"""
INSERT_REQUEST = """
    INSERT INTO judgment_requests(uid, turn_id, status, created_at) VALUES (:uid, :turn_id, 'Outstanding', :now)
    ON CONFLICT DO NOTHING
    RETURNING id
"""
ABANDON_REQUEST = """
    UPDATE judgment_requests SET status = 'Abandoned', resolved_at = :now
     WHERE turn_id = :turn_id AND status = 'Outstanding'
"""


class EndedTurn:
    """A turn that the host says is over."""

    __slots__ = ("now", "project", "prompt_id", "session_uid", "source")

    def __init__(self, *, session_uid: str, prompt_id: str, source: str, project: Project, now: str) -> None:
        self.session_uid = session_uid
        self.prompt_id = prompt_id
        self.source = source
        self.project = project
        self.now = now


class FinalizationStore(CaptureStore):
    """The hot store with what the Stop hook of finalize-turn writes."""

    def record_unjudged(
        self, ended: EndedTurn, ask: Callable[[FinalizationStore, int], int | None] | None = None
    ) -> int | None:
        """Note that the turn ended without a verdict, unless it has one; gives the request that *ask* makes of it.

        Whether to ask is decided in the same transaction: of a hook that runs twice at once, one asks.
        """
        request = None
        with self.transaction():
            project_id = self.record_project(ended.project, ended.now)
            session_id, _ = self.record_session(
                uid=ended.session_uid, source=ended.source, project_id=project_id, transcript_path="", now=ended.now
            )
            turn_id = self.find_or_wait_for_turn(session_id, ended.session_uid, ended.prompt_id, project_id, ended.now)
            sources = [row[0] for row in self.connection.execute(SOURCES_OF_TURN, (turn_id,))]
            if any(source not in UNJUDGED for source in sources):
                return None
            if not sources:
                values = {
                    "uid": digest("unjudged", ended.session_uid, ended.prompt_id),
                    "turn_id": turn_id,
                    "project_id": project_id,
                    "source": ended.source,
                    "now": ended.now,
                }
                self.connection.execute(INSERT_UNJUDGED, values)
            if ask is not None:
                request = ask(self, turn_id)
            # crash point: unjudged, before the commit
        # crash point: unjudged, after the commit
        return request

    # What asking needs, inside that transaction

    def said(self, turn_id: int, session_uid: str, prompt_id: str) -> int:
        """How many characters the user said in the turn: to recall, or else in the transcript as far as it was read."""
        heard = self.connection.execute(SAID_TO_RECALL, {"session_uid": session_uid, "prompt_id": prompt_id}).fetchone()
        return int(heard[0]) or int(self.connection.execute(SAID_IN_TURN, (turn_id,)).fetchone()[0])

    def record_request(self, turn_id: int, now: str) -> int | None:
        """Ask for a verdict about the turn: the request's id, or None when it was asked about before."""
        values = {"uid": digest("request", str(turn_id), now), "turn_id": turn_id, "now": now}
        row = self.connection.execute(INSERT_REQUEST, values).fetchone()
        # crash point: ask, the request made and not committed
        return int(row[0]) if row else None

    def abandon_request(self, turn_id: int, now: str) -> bool:
        """Give up the request about the turn; whether one was open."""
        return self.connection.execute(ABANDON_REQUEST, {"turn_id": turn_id, "now": now}).rowcount > 0

    def note_retry_exhausted(self, turn_id: int) -> None:
        """The turn was asked about, and ended without a verdict all the same."""
        self.connection.execute(RETRY_EXHAUSTED, (turn_id,))
        # crash point: ask, given up and not committed
