"""Turn summaries: what the memory did in one turn, read from injections and finalizations. Hot.

The Stop hook reads this when its user wants a summary; the command line and a judge read the same.
"""

from __future__ import annotations

from agentrecall_domain.capture.turn_summary import RuleLine, TurnSummary, decisions
from agentrecall_domain.turns.identity import waiting_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_storage.engine import sqlite

TURN = """
    SELECT turns.id, turns.uid, turns.prompt_id, turns.session_id, sessions.uid
      FROM turns JOIN sessions ON sessions.id = turns.session_id WHERE turns.id = ?
"""
TURN_OF_PROMPT = """
    SELECT turns.id FROM sessions JOIN turns ON turns.session_id = sessions.id
     WHERE sessions.uid = ? AND turns.prompt_id = ? ORDER BY turns.id DESC LIMIT 1
"""
TURN_OF_UID = "SELECT id FROM turns WHERE uid = ?"
TURN_OF_PROJECT_PROMPT = "SELECT id FROM turns WHERE project_id = ? AND prompt_id = ? ORDER BY id DESC LIMIT 1"
LATEST_OF_PROJECT = "SELECT id FROM turns WHERE project_id = ? ORDER BY id DESC LIMIT 1"
LATEST_OF_SESSION = """
    SELECT id FROM turns WHERE session_id = (SELECT id FROM sessions WHERE uid = ?) ORDER BY id DESC LIMIT 1
"""
DECIDED_IN_PROJECT = """
    SELECT id FROM turns
     WHERE project_id = ? AND EXISTS (SELECT 1 FROM turn_finalizations WHERE turn_id = turns.id)
     ORDER BY id DESC LIMIT 1
"""
DECIDED_IN_SESSION = """
    SELECT id FROM turns
     WHERE session_id = (SELECT id FROM sessions WHERE uid = ?)
       AND EXISTS (SELECT 1 FROM turn_finalizations WHERE turn_id = turns.id)
     ORDER BY id DESC LIMIT 1
"""
# A compaction in the middle of a turn opens a new window: the turn may have begun in the one before.
SHOWN_IN_TURN = """
    SELECT items.memory_id, injections.moment, injections.id
      FROM sessions
      JOIN injections ON injections.session_id = sessions.id AND injections.agent_id = ''
                     AND injections.context_window >= sessions.context_window - 1
      JOIN injection_items AS items ON items.injection_id = injections.id AND items.memory_kind = 'rule'
     WHERE sessions.id = ? AND injections.prompt_id = ?
     ORDER BY injections.id, items.rank
"""
SHOWN_EVER = """
    SELECT items.memory_id, injections.moment, injections.id
      FROM injections
      JOIN injection_items AS items ON items.injection_id = injections.id AND items.memory_kind = 'rule'
     WHERE injections.session_id = ? AND injections.agent_id = '' AND injections.prompt_id = ?
     ORDER BY injections.id, items.rank
"""
FINALIZATIONS_OF_TURN = """
    SELECT id, decision_source, verdicts, decisions FROM turn_finalizations WHERE turn_id = ? ORDER BY id
"""
WITHOUT_TURN = """
    SELECT id, decision_source, verdicts, decisions FROM turn_finalizations
     WHERE turn_id IS NULL AND project_id = ? ORDER BY id DESC LIMIT 1
"""
REQUEST_OF_TURN = "SELECT id, status FROM judgment_requests WHERE turn_id = ?"
RULE_LINE = "SELECT id, title, trigger, category, status, always_apply, source FROM rules WHERE id = ?"


class TurnRow:
    """A stored turn with its session."""

    __slots__ = ("id", "prompt_id", "session_id", "session_uid", "uid")

    def __init__(self, row: tuple[int, str, str, int, str]) -> None:
        self.id, self.uid, self.prompt_id, self.session_id, self.session_uid = row

    @property
    def name(self) -> str:
        """What a verdict calls the turn by: its uid, or its prompt's id while its opening line is not on disk."""
        is_waiting = self.uid == waiting_turn(self.session_uid, self.prompt_id)
        return self.prompt_id if is_waiting else self.uid


class Finalization:
    """One row about a turn; *verdicts* and *decisions* are JSON lists, item for item."""

    __slots__ = ("decision_source", "decisions", "id", "verdicts")

    def __init__(self, row: tuple[int, str, str, str]) -> None:
        self.id, self.decision_source, self.verdicts, self.decisions = row


class TurnSummaryStore:
    """The queries about one turn, over an open connection."""

    def __init__(self, connection: sqlite.Connection) -> None:
        self.connection = connection

    def find_turn(self, turn_id: int | None) -> TurnRow | None:
        """The turn with this row id, or None."""
        row = None if turn_id is None else self.connection.execute(TURN, (turn_id,)).fetchone()
        return TurnRow(row) if row else None

    def turn_of_prompt(self, session_uid: str, prompt_id: str) -> TurnRow | None:
        """The turn that a hook's payload speaks of, or None."""
        row = self.connection.execute(TURN_OF_PROMPT, (session_uid, prompt_id)).fetchone()
        return self.find_turn(row[0] if row else None)

    def turn_named(self, name: str, project_id: int) -> TurnRow | None:
        """The turn of this uid, or the latest of the project with this prompt's id; None when there is none."""
        row = self.connection.execute(TURN_OF_UID, (name,)).fetchone()
        row = row or self.connection.execute(TURN_OF_PROJECT_PROMPT, (project_id, name)).fetchone()
        return self.find_turn(row[0] if row else None)

    def latest_turn(self, project_id: int, session_uid: str = "") -> TurnRow | None:
        """The newest turn of the project, or of the session when one is named."""
        if session_uid:
            row = self.connection.execute(LATEST_OF_SESSION, (session_uid,)).fetchone()
        else:
            row = self.connection.execute(LATEST_OF_PROJECT, (project_id,)).fetchone()
        return self.find_turn(row[0] if row else None)

    def latest_decided(self, project_id: int, session_uid: str = "") -> TurnRow | None:
        """The newest turn with a finalization, of the project or of the session when one is named."""
        if session_uid:
            row = self.connection.execute(DECIDED_IN_SESSION, (session_uid,)).fetchone()
        else:
            row = self.connection.execute(DECIDED_IN_PROJECT, (project_id,)).fetchone()
        return self.find_turn(row[0] if row else None)

    def shown_in(self, turn: TurnRow, *, ever: bool = False) -> list[tuple[int, str, int]]:
        """Each showing of a rule to the agent in the turn: rule, moment and injection, in order.

        *ever* looks at the whole session: for a turn that may lie far back, and for nobody who waits.
        """
        if ever:
            found = self.connection.execute(SHOWN_EVER, (turn.session_id, turn.prompt_id))
        else:
            found = self.connection.execute(SHOWN_IN_TURN, (turn.session_id, turn.prompt_id))
        return [(int(rule_id), str(moment), int(injection_id)) for rule_id, moment, injection_id in found]

    def finalizations_of(self, turn_id: int) -> list[Finalization]:
        """The finalizations of the turn, oldest first."""
        return [Finalization(row) for row in self.connection.execute(FINALIZATIONS_OF_TURN, (turn_id,))]

    def newest_without_turn(self, project_id: int) -> Finalization | None:
        """The newest verdict of the project about a turn that nobody knows; None when there is none."""
        row = self.connection.execute(WITHOUT_TURN, (project_id,)).fetchone()
        return Finalization(row) if row else None

    def request_of(self, turn_id: int) -> tuple[int, str] | None:
        """Id and status of the request for a verdict about the turn, or None."""
        row = self.connection.execute(REQUEST_OF_TURN, (turn_id,)).fetchone()
        return (int(row[0]), str(row[1])) if row else None

    def rule_line(self, rule_id: int) -> RuleLine | None:
        """The rule as a summary names it; None when it is gone."""
        row = self.connection.execute(RULE_LINE, (rule_id,)).fetchone()
        return RuleLine(row) if row else None

    def summary_of(self, turn: TurnRow, *, ever: bool = False) -> TurnSummary:
        """What the memory did in the turn."""
        shown = [(rule_id, moment) for rule_id, moment, _ in self.shown_in(turn, ever=ever)]
        decided = decisions(row.decisions for row in self.finalizations_of(turn.id))
        wanted = {rule_id for rule_id, _ in shown} | {one.rule_id for one in decided if one.rule_id is not None}
        lines = {rule_id: self.rule_line(rule_id) for rule_id in sorted(wanted)}
        return TurnSummary(turn.name, shown, decided, {id_: line for id_, line in lines.items() if line is not None})
