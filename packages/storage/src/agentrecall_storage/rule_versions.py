"""Rule versions: the earlier states of a rule, brought back or, with the rule, removed. Cold, but cheap to import."""

from __future__ import annotations

from typing import Any

from agentrecall_domain.rules.rule import Rule, Status, as_object, from_object
from agentrecall_storage import ledger
from agentrecall_storage.rules import RuleStore, columns_of, superseded_by

STANDING = ("status", "pinned", "muted")
UNLINKED = "unlinked from R"
"""How the change of a version begins that took nothing but a link to another rule away."""

# What tells of a rule and nothing else. The injections keep its id, which no other rule will ever have.
GOES_WITH_A_RULE = (
    "DELETE FROM rule_versions WHERE rule_id = :rule",
    "DELETE FROM rule_tags WHERE rule_id = :rule",
    "DELETE FROM scopes WHERE rule_id = :rule",
    "DELETE FROM rule_conflicts WHERE rule_id = :rule OR other_id = :rule",
    "DELETE FROM review_items WHERE rule_id = :rule OR other_id = :rule",
    "DELETE FROM outcomes WHERE rule_id = :rule",
    "DELETE FROM recommendations WHERE rule_id = :rule OR target_rule_id = :rule",
)


class RuleVersionStore(RuleStore):
    """The rules of one memory with what they were before."""

    def versions(self, rule_id: int) -> list[dict[str, Any]]:
        """Every earlier state of the rule, oldest first."""
        return ledger.versions(self.connection, "rule", rule_id)

    def events_of(self, rule_id: int) -> list[dict[str, Any]]:
        """The rule's rows in the ledger, oldest first; `version` in the details is the state that a change ended."""
        return ledger.events_of(self.connection, f"R{rule_id}")

    def replaced_by(self, rule_id: int) -> list[int]:
        """The rules whose place this one took: all of them, where the rule itself names the last alone."""
        found = self.connection.execute("SELECT id FROM rules WHERE superseded_by_id = ? ORDER BY id", (rule_id,))
        return [int(other) for (other,) in found]

    def restore(self, rule: Rule, version: int, state: dict[str, Any], actor: str) -> Rule:
        """Bring back an earlier *state* of the rule, as a new version of it.

        Links stay true on both sides: a rule whose place is given back is as it was before, unless it was archived
        meanwhile, and no link comes back that the other rule does not know of.
        """
        back = from_object({**as_object(rule), **state})
        with self.writing():
            changes = columns_of(back, self.concepts) | {name: getattr(back, name) for name in STANDING}
            # A link that is gone by now stays gone.
            successor = back.superseded_by_id if back.superseded_by_id == rule.superseded_by_id else None
            changes |= {"superseded_by_id": successor, "supersedes_id": self._predecessor(back)}
            self._change(rule, changes, f"undone to version {version}")
            self._store_tags_and_keys(rule.id, back)
            self.store_conflicts(self.get_rule(rule.id))
            # crash point: undo, changed and not in the ledger
            self.record_event("RuleUpdated", rule.id, actor, {"version": rule.version, "undone_to": version})
            # crash point: undo, one side of a link
            if rule.superseded_by_id is not None and successor is None:
                self._unlink(rule.superseded_by_id, "supersedes_id", rule.id, actor)
            if rule.supersedes_id is not None and rule.supersedes_id != changes["supersedes_id"]:
                self._give_back(rule.supersedes_id, rule.id, actor)
        return self.get_rule(rule.id)

    def delete(self, rule: Rule, actor: str) -> None:
        """Remove the rule and all that tells of it alone; the ledger keeps that it was there."""
        with self.writing():
            for column in ("supersedes_id", "superseded_by_id"):
                linked = self.connection.execute(f"SELECT id FROM rules WHERE {column} = ?", (rule.id,)).fetchall()  # noqa: S608 -- names of ours
                for (other,) in linked:
                    self._unlink(other, column, rule.id, actor)
            for statement in GOES_WITH_A_RULE:
                self.connection.execute(statement, {"rule": rule.id})
            # crash point: delete, its history gone and not the rule
            self.connection.execute("DELETE FROM rules WHERE id = ?", (rule.id,))
            self.record_event("RuleDeleted", rule.id, actor, {"uid": rule.uid, "status": rule.status})

    def _predecessor(self, back: Rule) -> int | None:
        other = self.find_rule(back.supersedes_id) if back.supersedes_id is not None else None
        return other.id if other is not None and other.superseded_by_id == back.id else None

    def _give_back(self, rule_id: int, successor: int, actor: str) -> None:
        """Put the rule back to where it was before *successor* took its place."""
        rule = self.find_rule(rule_id)
        if rule is None or rule.superseded_by_id != successor:
            return
        before = [row for row in self.versions(rule_id) if row["change"] == superseded_by(successor)]
        if rule.status is Status.SUPERSEDED and before:
            self.restore(rule, before[-1]["version"], before[-1]["state"], actor)
        else:
            self._unlink(rule_id, "superseded_by_id", successor, actor)

    def _unlink(self, rule_id: int, column: str, other_id: int, actor: str) -> None:
        """Take the rule's link to *other_id* away, if it has it."""
        rule = self.find_rule(rule_id)
        if rule is None or getattr(rule, column) != other_id:
            return
        self._change(rule, {column: None}, f"{UNLINKED}{other_id}")
        self.record_event("RuleUpdated", rule_id, actor, {"version": rule.version, "unlinked": other_id})
