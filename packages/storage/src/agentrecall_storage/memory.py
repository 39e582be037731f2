"""The memory, open for a program that is no hook. Cold: the one place where such a program is wired."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlite_utils import Database

from agentrecall_domain.capture.finalize import Outcome, Turn
from agentrecall_domain.capture.verdict import TurnVerdict
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.turns.batch import Project
from agentrecall_domain.turns.identity import squeezed, waiting_turn
from agentrecall_storage.engine import MEMORY_WAIT_MS, checkpoint, connect, sqlite
from agentrecall_storage.files.git_history import root_commit
from agentrecall_storage.home import database_path
from agentrecall_storage.hot import HotStore
from agentrecall_storage.migrations.migrate import create, journal_for, upgrade
from agentrecall_storage.opening import is_older
from agentrecall_storage.raw_items import CaptureStore
from agentrecall_storage.rules import RuleStore

ROOT_COMMIT = "root_commit"
RECENT_TURNS = 20
"""So far back a turn is looked for by its prompt, when a verdict does not name it."""


class Memory(RuleStore):
    """One open memory: its rules, and the queries of programs that are no hook."""

    def __init__(self, connection: sqlite.Connection, home: str, now: Callable[[], datetime]) -> None:
        super().__init__(Database(connection), now)
        self.connection = connection
        self.home = home
        self.hot = HotStore(connection)
        self.captures = CaptureStore(connection)

    # Projects

    def find_project(self, project: Project) -> int | None:
        """The id of a project that the memory has met, or None."""
        known = self.hot.find_project(project.aliases)
        return self.hot.find_project(_with_root_commit(project).aliases) if known is None else known

    def record_project(self, project: Project) -> int:
        """The id of a project, stored if it is new; its root commit joins its aliases."""
        with self.hot.transaction():
            return self.hot.record_project(_with_root_commit(project), self._stamp())

    def project_uid(self, project_id: int) -> str:
        """The stable uid of a project."""
        return str(self.connection.execute("SELECT uid FROM projects WHERE id = ?", (project_id,)).fetchone()[0])

    def project_names(self) -> dict[int, str]:
        """The name of every project, by id."""
        return dict(self.connection.execute("SELECT id, name FROM projects").fetchall())

    # Turns

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
            if turns or not heard:
                return Turn(turns[0][0] if turns else None, turns[0][1] if turns else "", said)
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

    def _latest_session(self, project_id: int) -> str:
        row = self.connection.execute(
            "SELECT uid FROM sessions WHERE project_id = ? ORDER BY last_seen_at DESC, id DESC LIMIT 1", (project_id,)
        ).fetchone()
        return str(row[0]) if row else ""

    def _turns(self, session_uid: str, turn_id: str, project_id: int) -> list[Mapping[str, Any]]:
        if turn_id:
            return list(
                self.database.query(
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
            self.database.query(
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
        """One row for the judged turn; the note that nobody judged it gives way."""
        self.connection.execute(
            "DELETE FROM turn_finalizations WHERE turn_id = ? AND decision_source = 'NoJudgmentSupplied'", (turn.id,)
        )
        self.database.table("turn_finalizations").insert(
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
            }
        )

    # What there is

    def counts(self) -> dict[str, int]:
        """How many of each the memory holds."""
        tables = ("projects", "sessions", "turns", "raw_items", "rules", "injections")
        return {table: self.database.table(table).count for table in tables}

    def rule_counts(self) -> dict[str, int]:
        """How many rules have each status."""
        return dict(self.connection.execute("SELECT status, count(*) FROM rules GROUP BY status").fetchall())

    def last_captured_at(self) -> str | None:
        """When the newest raw item was stored."""
        row = self.connection.execute("SELECT captured_at FROM raw_items ORDER BY id DESC LIMIT 1").fetchone()
        return str(row[0]) if row else None

    def transcript_damage(self) -> dict[str, Any]:
        """Lines that capture could not read, and lines of kinds that it does not know."""
        bad = unknown = 0
        kinds: dict[str, int] = {}
        for row in self.database.query("SELECT bad_lines, unknown_lines, unknown_kinds FROM transcripts"):
            bad += row["bad_lines"]
            unknown += row["unknown_lines"]
            for kind, count in json.loads(row["unknown_kinds"]).items():
                kinds[kind] = kinds.get(kind, 0) + count
        return {"bad_lines": bad, "unknown_lines": unknown, "unknown_kinds": kinds}


@contextmanager
def open_memory(home: str, now: Callable[[], datetime]) -> Iterator[Memory]:
    """Open the memory at *home*, made or upgraded as needed, and close it again.

    Raises:
        NewerMemoryError: The file is newer than this program.
        sqlite.Error, OSError: It cannot be opened or made.
    """
    path = database_path(home)
    if not os.path.lexists(path):
        create(home)
    connection = connect(path, MEMORY_WAIT_MS)
    try:
        if is_older(connection):
            upgrade(home, MEMORY_WAIT_MS)
        if journal_for(path) == "WAL":
            connection.execute("PRAGMA journal_mode = WAL")
        memory = Memory(connection, home, now)
        yield memory
        checkpoint(connection, path)
    finally:
        connection.close()


def _with_root_commit(project: Project) -> Project:
    """Ask git once for the root commit, which a clone without a remote is known by."""
    commit = root_commit(project.root)
    if commit is None:
        return project
    *stronger, path = project.aliases
    return Project(project.name, project.root, [*stronger, (ROOT_COMMIT, commit), path])


def _without_evidence(verdict: dict[str, Any]) -> dict[str, Any]:
    """A verdict as it is kept: what the user said is in the raw items and, scrubbed, in the rule."""
    return {
        name: value
        for name, value in verdict.items()
        if name in {"decision", "capture_reason", "memory_type", "confidence"}
    }
