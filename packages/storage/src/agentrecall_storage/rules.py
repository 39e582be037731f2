"""Rules as stored: entity in, entity out, every change a version and a ledger row. Cold, but cheap to import."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from agentrecall_domain.rules.conflict import contradicting
from agentrecall_domain.rules.duplicate import fetch_terms
from agentrecall_domain.rules.rule import CONTENT, Rule, RuleContent, Status, as_object, from_object
from agentrecall_domain.rules.rule_vector import rule_vector, tokens
from agentrecall_domain.rules.status import ARCHIVED, DEAD
from agentrecall_domain.text.concept_vector import stored
from agentrecall_storage import ledger
from agentrecall_storage.concepts import ConceptIndex
from agentrecall_storage.engine import sqlite
from agentrecall_storage.hot import RULES_WITH_TERM
from agentrecall_storage.rows import insert, rows

LISTS = ("globs", "languages")
STORED_ONCE = ("session_uid", "turn_uid")
MOST_ALIKE = 12
MOST_ABOUT = 10
"""So many rules about the same matter are asked whether they contradict a new one."""
MOST_NAMED = 500
"""So many rules are named one by one when their tags are read."""

_ALIKE = """
    SELECT rules.*
      FROM rules_fts
      JOIN rules ON rules.id = rules_fts.rowid
     WHERE rules_fts MATCH :query
       AND rules.project_id IS :project_id AND rules.scope_level = :scope_level
       AND rules.scope_value = :scope_value AND rules.globs = :globs AND rules.languages = :languages
       AND rules.status {}
     ORDER BY bm25(rules_fts, 2.0, 1.0), rules.id
     LIMIT :most
"""
RULES_ALIKE = _ALIKE.format(f"NOT IN ({', '.join(repr(str(status)) for status in DEAD)})")
ARCHIVED_ALIKE = _ALIKE.format(f"= '{ARCHIVED}'")

# Rules of two projects never meet; what holds everywhere meets every project's.
RULES_ABOUT = f"""
    SELECT rules.*
      FROM rules_fts
      JOIN rules ON rules.id = rules_fts.rowid
     WHERE rules_fts MATCH :query
       AND (rules.project_id IS NULL OR :project_id IS NULL OR rules.project_id = :project_id)
       AND rules.id <> :rule AND rules.status NOT IN ({", ".join(f"'{status}'" for status in DEAD)})
     ORDER BY bm25(rules_fts, 2.0, 1.0), rules.id
     LIMIT :most
"""  # noqa: S608 -- the statuses are constants of domain


class RuleNotFoundError(LookupError):
    """No rule has this id."""

    def __init__(self, rule_id: int) -> None:
        super().__init__(rule_id)
        self.rule_id = rule_id


class RuleStore:
    """The rules of one memory. *now* is the clock, aware and in UTC."""

    def __init__(self, connection: sqlite.Connection, now: Callable[[], datetime], concepts: ConceptIndex) -> None:
        self.connection = connection
        self.now = now
        self.concepts = concepts

    # Reading

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
        found = self._rules("SELECT * FROM rules WHERE id = ?", [rule_id])
        return found[0] if found else None

    def list_rules(
        self, *, project_id: int | None, everywhere: bool, statuses: Iterable[str] = (), tag: str = ""
    ) -> list[Rule]:
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
        if tag:
            conditions.append("id IN (SELECT rule_id FROM rule_tags WHERE tag = ?)")
            values.append(tag)
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        return self._rules(f"SELECT * FROM rules {where} ORDER BY id DESC", values)  # noqa: S608 -- conditions of this method

    def rules_alike(self, content: RuleContent, project_id: int | None, terms: list[str]) -> list[Rule]:
        """The living rules of the same scope as *content* with any of *terms*, best match first, at most 12."""
        return self._alike(RULES_ALIKE, content, project_id, terms)

    def archived_alike(self, content: RuleContent, project_id: int | None, terms: list[str]) -> list[Rule]:
        """As `rules_alike`, among the rules that were archived."""
        return self._alike(ARCHIVED_ALIKE, content, project_id, terms)

    def _alike(self, sql: str, content: RuleContent, project_id: int | None, terms: list[str]) -> list[Rule]:
        if not terms:
            return []
        return self._rules(
            sql,
            {
                "query": _any_of(terms),
                "project_id": project_id,
                "scope_level": content.scope_level,
                "scope_value": content.scope_value,
                "globs": json.dumps(list(content.globs)),
                "languages": json.dumps(list(content.languages)),
                "most": MOST_ALIKE,
            },
        )

    def contradicted(self) -> set[int]:
        """The ids of the rules that another one contradicts, as far as that was found when they were stored."""
        return {int(rule_id) for (rule_id,) in self.connection.execute("SELECT DISTINCT rule_id FROM rule_conflicts")}

    def rules_with(self, terms: list[str]) -> dict[str, int]:
        """For each of *terms* that any rule has: how many rules have it."""
        found = ((term, self.connection.execute(RULES_WITH_TERM, (term,)).fetchone()) for term in terms)
        return {term: int(row[0]) for term, row in found if row}

    # Changing

    def add_rule(self, content: RuleContent, status: Status, project_id: int | None, actor: str) -> Rule:
        """Store a new rule with its tags and scope keys: all of it, or nothing."""
        with self.writing():
            rule_id = self._insert(content, status, project_id)
            # crash point: rule, without its ledger row
            self.record_event("RuleCreated", rule_id, actor, {"status": status, "reason": content.capture_reason})
            # crash point: rule, before the commit
        # crash point: rule, added
        return self.get_rule(rule_id)

    def set_status(self, rule: Rule, status: Status, actor: str, why: str = "", *, kind: str = "RuleUpdated") -> Rule:
        """Move *rule* to *status*; its old state stays as a version."""
        with self.writing():
            self._change(rule, {"status": status}, f"status {rule.status} to {status}")
            # crash point: status, changed and not in the ledger
            details = {"version": rule.version, "from": rule.status, "to": status, "why": why}
            self.record_event(kind, rule.id, actor, details)
        return self.get_rule(rule.id)

    def mark(self, rule: Rule, actor: str, *, pinned: bool | None = None, muted: bool | None = None) -> Rule:
        """Pin or mute the rule, or take the mark away."""
        marks = {"pinned": pinned, "muted": muted}
        changes = {name: value for name, value in marks.items() if value not in (None, getattr(rule, name))}
        if not changes:
            return rule
        change = ", ".join(name if value else f"no longer {name}" for name, value in changes.items())
        with self.writing():
            self._change(rule, changes, change)
            # crash point: mark, changed and not in the ledger
            self.record_event("RuleUpdated", rule.id, actor, {"version": rule.version, **changes})
        return self.get_rule(rule.id)

    def edit(self, rule: Rule, content: RuleContent, actor: str, change: str = "edited") -> Rule:
        """Give the rule other content; it keeps its id, its standing and its history."""
        with self.writing():
            self._change(rule, columns_of(content, self.concepts), change)
            self._store_tags_and_keys(rule.id, content)
            self.store_conflicts(self.get_rule(rule.id))
            # crash point: edit, changed and not in the ledger
            self.record_event("RuleUpdated", rule.id, actor, {"version": rule.version, "change": change})
        return self.get_rule(rule.id)

    def reinforce(self, rule: Rule, by: float, why: str, *, standing: bool = False, actor: str = "verdict") -> None:
        """Raise the rule's confidence; *standing* makes it always apply.

        Its status stays: nothing but a person brings a waiting rule into force.
        """
        confidence = round(min(1.0, rule.confidence + by), 4)
        always_apply = rule.always_apply or standing
        details: dict[str, Any] = {"by": by, "why": why}
        with self.writing():
            if (confidence, always_apply) != (rule.confidence, rule.always_apply):
                details["version"] = rule.version
                change = f"confidence {rule.confidence} to {confidence}"
                change += "" if always_apply == rule.always_apply else ", always applies"
                self._change(rule, {"confidence": confidence, "always_apply": always_apply}, change)
            # crash point: reinforce, without its ledger row
            self.record_event("RuleReinforced", rule.id, actor, details)

    def supersede(self, old: Rule, content: RuleContent, actor: str) -> Rule:
        """Store *content* as a rule in force in the place of *old*: both change, or neither."""
        with self.writing():
            rule_id = self._insert(content, Status.ACTIVE, old.project_id)
            self.record_event("RuleCreated", rule_id, actor, {"supersedes": old.id})
            # crash point: supersede, both in force
            return self.put_in_place(old, self.get_rule(rule_id), actor)

    def put_in_place(self, old: Rule, new: Rule, actor: str) -> Rule:
        """Put the stored rule *new* in the place of *old*, linked both ways; gives the new one."""
        with self.writing():
            version = max(new.version, old.version) + 1
            self._change(new, {"supersedes_id": old.id, "version": version}, f"supersedes R{old.id}")
            self.record_event("RuleUpdated", new.id, actor, {"version": new.version, "supersedes": old.id})
            # crash point: supersede, linked on one side
            self._change(old, {"status": Status.SUPERSEDED, "superseded_by_id": new.id}, superseded_by(new.id))
            self.record_event("RuleSuperseded", old.id, actor, {"version": old.version, "by": new.id})
        return self.get_rule(new.id)

    # What a change is made of

    def writing(self) -> AbstractContextManager[object]:
        """One change as a whole, as `ledger.writing`."""
        return ledger.writing(self.connection)

    def record_event(self, kind: str, rule_id: int, actor: str, details: dict[str, Any]) -> None:
        """Append a row about a rule to the ledger."""
        ledger.record_event(self.connection, kind, f"R{rule_id}", at=self._stamp(), actor=actor, details=details)

    def _insert(self, content: RuleContent, status: Status, project_id: int | None) -> int:
        now = self._stamp()
        row = columns_of(content, self.concepts) | {name: getattr(content, name) for name in STORED_ONCE}
        row |= {
            "uid": os.urandom(16).hex(),
            "status": status,
            "project_id": project_id,
            "created_at": now,
            "updated_at": now,
        }
        rule_id = insert(self.connection, "rules", row)
        self._store_tags_and_keys(rule_id, content)
        self.store_conflicts(self.get_rule(rule_id))
        return rule_id

    def _store_tags_and_keys(self, rule_id: int, content: RuleContent) -> None:
        for table, column, values in (("rule_tags", "tag", content.tags), ("scopes", "key", content.scope_keys)):
            self.connection.execute(f"DELETE FROM {table} WHERE rule_id = ?", (rule_id,))  # noqa: S608 -- names of ours
            self.connection.executemany(
                f"INSERT OR IGNORE INTO {table}(rule_id, {column}) VALUES (?, ?)",  # noqa: S608 -- names of ours
                [(rule_id, value) for value in values],
            )

    def store_conflicts(self, rule: Rule) -> None:
        """Note which living rules contradict *rule*: recall looks that up, and shows the winner alone."""
        self.connection.execute("DELETE FROM rule_conflicts WHERE rule_id = ? OR other_id = ?", (rule.id, rule.id))
        terms = fetch_terms(rule, self.rules_with)
        if not terms:
            return
        about = {"query": _any_of(terms), "project_id": rule.project_id, "rule": rule.id, "most": MOST_ABOUT}
        others = contradicting(rule, self._rules(RULES_ABOUT, about))
        self.connection.executemany(
            "INSERT OR IGNORE INTO rule_conflicts(rule_id, other_id) VALUES (?, ?)",
            [pair for other in others for pair in ((rule.id, other), (other, rule.id))],
        )

    def _change(self, rule: Rule, changes: dict[str, Any], change: str) -> None:
        """Keep the rule's state as a version, then change it."""
        ledger.change(self.connection, "rule", as_object(rule), changes, at=self._stamp(), why=change)

    def _rules(self, sql: str, values: list[Any] | dict[str, Any]) -> list[Rule]:
        found = rows(self.connection, sql, values)
        tags: dict[int, list[str]] = {}
        few = [row["id"] for row in found] if len(found) <= MOST_NAMED else []
        which = f"WHERE rule_id IN ({', '.join('?' * len(few))})" if few or not found else ""
        for rule_id, tag in self.connection.execute(f"SELECT rule_id, tag FROM rule_tags {which} ORDER BY tag", few):  # noqa: S608 -- marks of this method
            tags.setdefault(rule_id, []).append(tag)
        return [_rule(row, tags.get(row["id"], [])) for row in found]

    def _stamp(self) -> str:
        return self.now().strftime("%Y-%m-%dT%H:%M:%SZ")


def _any_of(terms: list[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)


def superseded_by(rule_id: int) -> str:
    """How a version names that rule *rule_id* took the place of its own."""
    return f"superseded by R{rule_id}"


def columns_of(content: RuleContent, concepts: ConceptIndex) -> dict[str, Any]:
    """The columns of *content* that an edit may change, with what they are found by."""
    row = as_object(RuleContent(**{name: getattr(content, name) for name in CONTENT}))
    row = {name: value for name, value in row.items() if name not in {"tags", *STORED_ONCE}}
    row |= {name: json.dumps(row[name]) for name in LISTS}
    about = rule_vector(content, concepts)
    words = {"trigger_terms": content.trigger_terms, "terms": " ".join([content.terms, *tokens(about)])}
    return row | words | {"vector": stored(about)}


def _rule(row: dict[str, Any], tags: list[str]) -> Rule:
    return from_object({**row, **{name: json.loads(row[name]) for name in LISTS}, "tags": tags})
