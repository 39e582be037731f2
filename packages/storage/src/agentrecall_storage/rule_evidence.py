"""Rule evidence: how often rules were shown, and how they fared afterwards. Cold, but cheap to import."""

from __future__ import annotations

from typing import Any, NamedTuple

from agentrecall_domain.rules.outcome import OutcomeType
from agentrecall_storage.engine import sqlite
from agentrecall_storage.rows import rows

SHOWINGS = """
    SELECT injections.moment, count(*) AS times, max(injections.created_at) AS last_at
      FROM injection_items AS items
      JOIN injections ON injections.id = items.injection_id
     WHERE items.memory_kind = 'rule' AND items.memory_id = ?
     GROUP BY injections.moment
     ORDER BY injections.moment
"""
OUTCOMES = """
    SELECT type, count(*) AS times, round(sum(confidence_delta), 4) AS delta
      FROM outcomes WHERE rule_id = ? GROUP BY type ORDER BY type
"""
TIMES_SHOWN = "SELECT memory_id, count(*) FROM injection_items WHERE memory_kind = 'rule' GROUP BY memory_id"
TIMES_BY_OUTCOME = "SELECT rule_id, type, count(*) FROM outcomes WHERE type IN (?, ?) GROUP BY rule_id, type"


class Fared(NamedTuple):
    """How often a rule was shown, and how often that was accepted or ignored."""

    shown: int
    accepted: int
    ignored: int


class RuleEvidence:
    """What was seen of the rules of one memory."""

    def __init__(self, connection: sqlite.Connection) -> None:
        self.connection = connection

    def showings(self, rule_id: int) -> list[dict[str, Any]]:
        """How often the rule was shown at each moment, and when last."""
        return rows(self.connection, SHOWINGS, [rule_id])

    def outcomes(self, rule_id: int) -> list[dict[str, Any]]:
        """How often each outcome of the rule was seen, and how much confidence that made of it."""
        return rows(self.connection, OUTCOMES, [rule_id])

    def fared(self) -> dict[int, Fared]:
        """How every rule that was ever shown fared."""
        counted = {
            (rule_id, kind): times
            for rule_id, kind, times in self.connection.execute(
                TIMES_BY_OUTCOME, (OutcomeType.USER_ACCEPTED, OutcomeType.RULE_IGNORED)
            )
        }
        return {
            rule_id: Fared(
                times,
                counted.get((rule_id, OutcomeType.USER_ACCEPTED), 0),
                counted.get((rule_id, OutcomeType.RULE_IGNORED), 0),
            )
            for rule_id, times in self.connection.execute(TIMES_SHOWN).fetchall()
        }
