"""Judged turns: the turn that a verdict is about, and the row that it leaves. Cold, but cheap to import."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from agentrecall_domain.capture.finalized import Outcome, Turn
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.turns.identity import squeezed, waiting_turn
from agentrecall_storage.concepts import ConceptIndex
from agentrecall_storage.engine import sqlite
from agentrecall_storage.finalizations import UNJUDGED
from agentrecall_storage.raw_items import CaptureStore
from agentrecall_storage.review_items import ReviewStore
from agentrecall_storage.rows import insert, rows

if TYPE_CHECKING:
    from agentrecall_domain.capture.verdict import TurnVerdict

RECENT_TURNS = 20
"""So far back a turn is looked for by its prompt, when a verdict does not name it."""


class JudgedTurnStore(ReviewStore):
    """The rules of one memory with the turns that they came from."""

    def __init__(self, connection: sqlite.Connection, now: Callable[[], datetime], concepts: ConceptIndex) -> None:
        super().__init__(connection, now, concepts)
        self.captures = CaptureStore(connection)

    def find_turn(self, session_uid: str, turn_id: str, prompt: str, project_id: int) -> Turn:
        """The turn that a verdict is about, with what its user said as far as it was recorded.

        *turn_id* is its uid or the host's prompt id. Without one it is the turn of the session that opened with
        *prompt*, or else the latest; without a session, the project's latest session is meant.
        """
        session_uid = session_uid or self._latest_session(project_id)
        session = self.connection.execute("SELECT id FROM sessions WHERE uid = ?", (session_uid,)).fetchone()
        heard = self._prompts(session[0], turn_id) if session else []
        turns = [
            (row["id"], row["uid"], self._said_in(row["id"])) for row in self._turns(session_uid, turn_id, project_id)
        ]
        if turn_id:
            said = [text for _, _, texts in turns for text in texts] + [text for _, text in heard]
            if not (turns or heard):
                around = self._prompts(session[0], "")[:1] if session else []
                return Turn(None, "", [], tuple(text for _, text in around))
            if turns:
                return Turn(turns[0][0], turns[0][1], said)
            return self._waiting_turn(session_uid, session[0], heard[0], project_id)

        plain = squeezed(prompt)
        heard_alike = [one for one in heard if plain and plain in squeezed(one[1])]
        alike = [turn for turn in turns if plain and any(plain in squeezed(text) for text in turn[2])]
        if alike:
            return Turn(*alike[0])
        if heard_alike or (heard and not self._is_older(heard[0], turns)):
            return self._waiting_turn(session_uid, session[0], (heard_alike or heard)[0], project_id)
        return Turn(*turns[0]) if turns else Turn(None, "", [])

    def _is_older(self, heard: tuple[str, str], turns: list[tuple[int, str, list[str]]]) -> bool:
        """Whether the prompt last heard belongs to a turn before the session's latest."""
        found = self.connection.execute("SELECT max(id) FROM turns WHERE prompt_id = ?", (heard[0],)).fetchone()[0]
        return bool(turns) and found is not None and found < turns[0][0]

    def _waiting_turn(self, session_uid: str, session_id: int, heard: tuple[str, str], project_id: int) -> Turn:
        """The turn of a prompt that recall-hook heard; its row waits for its line if that is not on disk yet."""
        prompt_id, text = heard
        if not prompt_id:
            return Turn(None, "", [text])
        turn_id = self.captures.find_or_wait_for_turn(session_id, session_uid, prompt_id, project_id, self._stamp())
        uid = self.connection.execute("SELECT uid FROM turns WHERE id = ?", (turn_id,)).fetchone()[0]
        return Turn(turn_id, uid, [text, *self._said_in(turn_id)])

    def wait_for_turn(self, session_uid: str, prompt_id: str, source: str, project_id: int) -> Turn:
        """The turn that a verdict names before anything else has told of it: its row waits for its line.

        The Stop hook then finds it judged. Nothing that its user said is known yet.
        """
        stamp = self._stamp()
        session_id, _ = self.captures.record_session(
            uid=session_uid, source=scrub(source), project_id=project_id, transcript_path="", now=stamp
        )
        turn_id = self.captures.find_or_wait_for_turn(session_id, session_uid, prompt_id, project_id, stamp)
        return Turn(turn_id, waiting_turn(session_uid, prompt_id), [])

    def _latest_session(self, project_id: int) -> str:
        row = self.connection.execute(
            "SELECT uid FROM sessions WHERE project_id = ? ORDER BY last_seen_at DESC, id DESC LIMIT 1", (project_id,)
        ).fetchone()
        return str(row[0]) if row else ""

    def _turns(self, session_uid: str, turn_id: str, project_id: int) -> list[Mapping[str, Any]]:
        if turn_id:
            return list(
                rows(
                    self.connection,
                    """
                    SELECT turns.id, turns.uid FROM turns JOIN sessions ON sessions.id = turns.session_id
                     WHERE (sessions.uid = :session AND turns.prompt_id = :turn)
                        OR (turns.uid IN (:turn, :waiting)
                            AND (sessions.uid = :session OR turns.project_id = :project))  -- a fork has its turns
                     ORDER BY turns.id DESC
                    """,
                    {
                        "turn": turn_id,
                        "session": session_uid,
                        "waiting": waiting_turn(session_uid, turn_id),
                        "project": project_id,
                    },
                )
            )
        return list(
            rows(
                self.connection,
                """
                SELECT turns.id, turns.uid FROM turns JOIN sessions ON sessions.id = turns.session_id
                 WHERE sessions.uid = ? ORDER BY turns.id DESC LIMIT ?
                """,
                [session_uid, RECENT_TURNS],
            )
        )

    def _said_in(self, turn_id: int) -> list[str]:
        # Words that came with a refused tool call stand in a tool's result, where a hostile tool could have put them.
        rows = self.connection.execute(
            """
            SELECT text FROM raw_items
             WHERE turn_id = ? AND origin = 'user' AND prompt_source <> 'refusal' ORDER BY id
            """,
            (turn_id,),
        )
        return [text for (text,) in rows]

    def answers_in(self, turn_id: int) -> list[str]:
        """What the agent said in the turn, in order."""
        said = self.connection.execute(
            "SELECT text FROM raw_items WHERE turn_id = ? AND origin = 'agent' ORDER BY id", (turn_id,)
        )
        return [str(text) for (text,) in said]

    def _prompts(self, session_id: int, prompt_id: str) -> list[tuple[str, str]]:
        """What the user said to recall-hook, newest first, each with its prompt's id.

        It is there before the transcript is read, and as much their own words.
        """
        rows = self.connection.execute(
            """
            SELECT prompt_id, query FROM injections
             WHERE session_id = :session AND agent_id = '' AND moment = 'prompt' AND skipped <> 'system turn'
               AND (:prompt = '' OR prompt_id = :prompt)
             ORDER BY id DESC LIMIT :most
            """,
            {"session": session_id, "prompt": prompt_id, "most": RECENT_TURNS},
        )
        return [(str(prompt_id), str(text)) for prompt_id, text in rows]

    def session_folder(self, session_uid: str) -> str:
        """The root of the project that a session was first seen in, or an empty text."""
        row = self.connection.execute(
            """
            SELECT projects.root FROM sessions JOIN projects ON projects.id = sessions.project_id WHERE sessions.uid = ?
            """,
            (session_uid,),
        ).fetchone()
        return str(row[0]) if row else ""

    def find_finalization(self, raw_hash: str) -> list[Outcome] | None:
        """What became of this very verdict when it was handed in before, or None."""
        row = self.connection.execute(
            "SELECT decisions FROM turn_finalizations WHERE raw_hash = ?", (raw_hash,)
        ).fetchone()
        return [Outcome(*outcome) for outcome in json.loads(row[0])] if row else None

    def record_finalization(
        self, handed_in: TurnVerdict, raw_hash: str, turn: Turn, project_id: int | None, outcomes: list[Outcome]
    ) -> None:
        """One row for the judged turn: the note that nobody judged it gives way, and its request is closed."""
        marks = ", ".join("?" * len(UNJUDGED))
        self.connection.execute(
            f"DELETE FROM turn_finalizations WHERE turn_id = ? AND decision_source IN ({marks})",  # noqa: S608 -- marks of this method
            (turn.id, *UNJUDGED),
        )
        finalization_id = insert(
            self.connection,
            "turn_finalizations",
            {
                "uid": os.urandom(16).hex(),
                "turn_id": turn.id,
                "project_id": project_id,
                "source": scrub(handed_in.source),
                "raw_hash": raw_hash,
                "decision_source": "SemanticCaptureJudge",
                "verdicts": json.dumps(
                    [_without_evidence(verdict.model_dump(mode="json")) for verdict in handed_in.verdicts]
                ),
                "decisions": json.dumps(outcomes),
                "created_at": self._stamp(),
            },
        )
        # crash point: verdict, recorded and its request not closed
        self.connection.execute(
            """
            UPDATE judgment_requests
               SET status = 'Resolved', decision = ?, finalization_id = ?, resolved_at = ?
             WHERE turn_id = ? AND status <> 'Resolved'
            """,
            (_decision(handed_in), finalization_id, self._stamp(), turn.id),
        )

    # Reported outcomes

    def find_showing(self, rule_id: int, injection_id: int | None, project_id: int) -> int | None:
        """The injection that showed the rule in this project: the one named, or else the newest; None when none did."""
        row = self.connection.execute(
            """
            SELECT injections.id
              FROM injection_items AS items JOIN injections ON injections.id = items.injection_id
             WHERE items.memory_kind = 'rule' AND items.memory_id = :rule AND injections.project_id = :project
               AND (:injection IS NULL OR injections.id = :injection)
             ORDER BY items.injection_id DESC LIMIT 1
            """,
            {"rule": rule_id, "injection": injection_id, "project": project_id},
        ).fetchone()
        return int(row[0]) if row else None

    def record_outcome(self, rule_id: int, injection_id: int, turn_id: int | None, kind: str, reason: str) -> None:
        """Keep what was seen of a shown rule, with its ledger row; the same of the same showing is kept once."""
        known = self.connection.execute(
            "SELECT 1 FROM outcomes WHERE rule_id = ? AND type = ? AND injection_id = ?", (rule_id, kind, injection_id)
        ).fetchone()
        if known:
            return
        insert(
            self.connection,
            "outcomes",
            {
                "uid": os.urandom(16).hex(),
                "rule_id": rule_id,
                "injection_id": injection_id,
                "turn_id": turn_id,
                "type": kind,
                "reason": reason,
                "confidence_delta": 0.0,
                "created_at": self._stamp(),
            },
        )
        # crash point: outcome, without its ledger row
        self.record_event("OutcomeReported", rule_id, "verdict", {"type": kind, "injection": injection_id})


def _decision(handed_in: TurnVerdict) -> str:
    """What a judge decided about the turn as a whole: the first item that is no skip, or the first."""
    made = [str(getattr(one, "decision", "")) for one in handed_in.verdicts]
    made = [one for one in made if one]
    return next((one for one in made if one != "Skip"), made[0] if made else "")


def _without_evidence(verdict: dict[str, Any]) -> dict[str, Any]:
    """A verdict as it is kept: what the user said is in the raw items and, scrubbed, in the rule."""
    return {
        name: value
        for name, value in verdict.items()
        if name in {"decision", "capture_reason", "memory_type", "confidence"}
    }
