"""Rules as stored: entity in, entity out, every change a version and a ledger row. Cold."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from sqlite_utils import Database

from agentrecall_domain.rules.rule import Rule, RuleContent, RuleId, Status
from agentrecall_domain.rules.status import DEAD
from agentrecall_storage.hot import Transaction

LISTS = ("globs", "languages")
DERIVED = ("trigger_terms", "terms")


class RuleNotFoundError(LookupError):
    """No rule has this id."""

    def __init__(self, rule_id: int) -> None:
        super().__init__(rule_id)
        self.rule_id = rule_id


class RuleStore:
    """The rules of one memory. *now* is the clock, aware and in UTC."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self.database = database
        self.now = now

    def get_rule(self, rule_id: int) -> Rule:
        """The rule with this id.

        Raises:
            RuleNotFoundError: There is none.
        """
        rule = self.find_rule(rule_id)
        if rule is None:
            raise RuleNotFoundError(rule_id)
        return rule

    def find_rule(self, rule_id: int) -> Rule | None:
        """The rule with this id, or None."""
        found = self._rules("WHERE id = ?", [rule_id])
        return found[0] if found else None

    def list_rules(self, *, project_id: int | None, everywhere: bool, statuses: Iterable[str] = ()) -> list[Rule]:
        """Rules of the project and global ones (*everywhere*: of all projects), newest first."""
        wanted = list(statuses)
        conditions: list[str] = []
        values: list[Any] = []
        if not everywhere:
            conditions.append("(project_id IS NULL OR project_id = ?)")
            values.append(project_id)
        if wanted:
            conditions.append(f"status IN ({', '.join('?' * len(wanted))})")
            values += wanted
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        return self._rules(f"{where} ORDER BY id DESC", values)

    def rules_beside(self, content: RuleContent, project_id: int | None) -> list[Rule]:
        """The living rules of the same scope as *content*, among which a duplicate of it would be."""
        return self._rules(
            f"""
            WHERE project_id IS ? AND scope_level = ? AND scope_value = ? AND globs = ?
              AND status NOT IN ({", ".join("?" * len(DEAD))})
            ORDER BY id
            """,
            [project_id, content.scope_level, content.scope_value, json.dumps(list(content.globs)), *DEAD],
        )

    def add_rule(self, content: RuleContent, status: Status, project_id: int | None, actor: str) -> Rule:
        """Store a new rule with its tags and scope keys: all of it, or nothing."""
        with self.writing():
            rule_id = self._insert(content, status, project_id)
            # crash point: rule, without its ledger row
            self._record_event("RuleCreated", rule_id, actor, {"status": status, "reason": content.capture_reason})
            # crash point: rule, before the commit
        # crash point: rule, added
        return self.get_rule(rule_id)

    def set_status(self, rule: Rule, status: Status, actor: str, why: str = "") -> Rule:
        """Move *rule* to *status*; its old state stays as a version."""
        with self.writing():
            self._keep_version(rule, f"status {rule.status} to {status}")
            # crash point: status, the version kept and nothing changed
            self._update(rule.id, {"status": status, "version": rule.version + 1})
            self._record_event("RuleUpdated", rule.id, actor, {"from": rule.status, "to": status, "why": why})
        return self.get_rule(rule.id)

    def reinforce(self, rule: Rule, by: float, why: str, *, standing: bool = False) -> None:
        """Raise the rule's confidence; *standing* makes it always apply.

        Its status stays: nothing but a person brings a waiting rule into force.
        """
        confidence = round(min(1.0, rule.confidence + by), 4)
        always_apply = rule.always_apply or standing
        with self.writing():
            if (confidence, always_apply) != (rule.confidence, rule.always_apply):
                change = f"confidence {rule.confidence} to {confidence}"
                self._keep_version(rule, change if always_apply == rule.always_apply else f"{change}, always applies")
                changes = {"confidence": confidence, "always_apply": always_apply, "version": rule.version + 1}
                self._update(rule.id, changes)
            # crash point: reinforce, without its ledger row
            self._record_event("RuleReinforced", rule.id, "verdict", {"by": by, "why": why})

    def supersede(self, old: Rule, content: RuleContent, actor: str) -> Rule:
        """Store *content* as a rule in force in the place of *old*: both change, or neither."""
        with self.writing():
            rule_id = self._insert(content, Status.ACTIVE, old.project_id)
            self._update(rule_id, {"supersedes_id": old.id, "version": old.version + 1})
            # crash point: supersede, both in force
            self._keep_version(old, f"superseded by R{rule_id}")
            self._update(old.id, {"status": Status.SUPERSEDED, "superseded_by_id": rule_id, "version": old.version + 1})
            self._record_event("RuleCreated", rule_id, actor, {"supersedes": old.id})
            self._record_event("RuleSuperseded", old.id, actor, {"by": rule_id})
        return self.get_rule(rule_id)

    def versions(self, rule_id: int) -> list[Mapping[str, Any]]:
        """Every earlier state of the rule, oldest first."""
        return [
            {**row, "state": json.loads(row["state"])}
            for row in self.database.query(
                "SELECT version, change, changed_at, state FROM rule_versions WHERE rule_id = ? ORDER BY version",
                [rule_id],
            )
        ]

    def writing(self) -> AbstractContextManager[object]:
        """One change as a whole: inside the transaction that is open, or in one that takes its lock at the start.

        A transaction that begins with a read could not become a write once another program has written meanwhile.
        """
        if self.database.conn.in_transaction:
            return self.database.atomic()
        return Transaction(self.database.conn)

    def _insert(self, content: RuleContent, status: Status, project_id: int | None) -> int:
        now = self._stamp()
        row = content.model_dump(mode="json", exclude={"tags"})
        row |= {name: json.dumps(row[name]) for name in LISTS}
        row |= {name: getattr(content, name) for name in DERIVED}
        row |= {
            "uid": os.urandom(16).hex(),
            "status": status,
            "project_id": project_id,
            "created_at": now,
            "updated_at": now,
        }
        rule_id = self.database.table("rules").insert(row).last_pk
        if not isinstance(rule_id, int):
            raise TypeError(rule_id)
        self.database.table("rule_tags").insert_all({"rule_id": rule_id, "tag": tag} for tag in content.tags)
        self.database.table("scopes").insert_all({"key": key, "rule_id": rule_id} for key in content.scope_keys)
        return rule_id

    def _update(self, rule_id: int, changes: dict[str, Any]) -> None:
        self.database.table("rules").update(rule_id, {**changes, "updated_at": self._stamp()})

    def _keep_version(self, rule: Rule, change: str) -> None:
        self.database.table("rule_versions").insert(
            {
                "rule_id": rule.id,
                "version": rule.version,
                "state": rule.model_dump_json(),
                "change": change,
                "changed_at": self._stamp(),
            }
        )

    def _record_event(self, kind: str, rule_id: int, actor: str, details: dict[str, Any]) -> None:
        self.database.table("events").insert(
            {
                "uid": os.urandom(16).hex(),
                "at": self._stamp(),
                "kind": kind,
                "subject": f"R{rule_id}",
                "actor": actor,
                "details": json.dumps(details),
            }
        )

    def _rules(self, where: str, values: list[Any]) -> list[Rule]:
        rows = list(self.database.query(f"SELECT * FROM rules {where}", values))  # noqa: S608 -- conditions of this module
        tags: dict[int, list[str]] = {}
        for row in rows:
            for tag in self.database.query("SELECT tag FROM rule_tags WHERE rule_id = ? ORDER BY tag", [row["id"]]):
                tags.setdefault(row["id"], []).append(tag["tag"])
        return [_rule(row, tags.get(row["id"], [])) for row in rows]

    def _stamp(self) -> str:
        return self.now().strftime("%Y-%m-%dT%H:%M:%SZ")


def _rule(row: Mapping[str, Any], tags: list[str]) -> Rule:
    values = {name: value for name, value in row.items() if name not in DERIVED}
    values |= {name: json.loads(values[name]) for name in LISTS}
    return Rule.model_validate({**values, "id": RuleId(values["id"]), "tags": tags})
