"""The ledger, and what every change of a memory is made of: one transaction, the old state kept, a row of history."""

from __future__ import annotations

import json
import os
from contextlib import AbstractContextManager
from typing import Any

from agentrecall_storage.engine import sqlite
from agentrecall_storage.hot import Transaction
from agentrecall_storage.rows import Savepoint, insert, rows, update


def writing(connection: sqlite.Connection) -> AbstractContextManager[object]:
    """One change as a whole: inside the transaction that is open, or in one that takes its lock at the start.

    A transaction that begins with a read could not become a write once another program has written meanwhile.
    """
    return Savepoint(connection) if connection.in_transaction else Transaction(connection)


def record_event(
    connection: sqlite.Connection, kind: str, subject: str, *, at: str, actor: str, details: dict[str, Any]
) -> None:
    """Append a row about *subject*, `R12` or `N34`, to the ledger."""
    row = {"uid": os.urandom(16).hex(), "at": at, "kind": kind, "subject": subject, "actor": actor}
    insert(connection, "events", {**row, "details": json.dumps(details)})


def events_of(connection: sqlite.Connection, subject: str) -> list[dict[str, Any]]:
    """The rows about *subject*, oldest first; `version` in the details is the state that a change ended."""
    found = rows(connection, "SELECT at, kind, actor, details FROM events WHERE subject = ? ORDER BY id", [subject])
    return [{**row, "details": json.loads(row["details"])} for row in found]


def change(
    connection: sqlite.Connection,
    kind: str,
    state: dict[str, Any],
    changes: dict[str, Any],
    *,
    at: str,
    why: str,
) -> None:
    """Keep the *state* of a `rule` or a `note` as a version, then change it."""
    row_id, version = state["id"], state["version"]
    kept = {f"{kind}_id": row_id, "version": version, "state": json.dumps(state), "change": why, "changed_at": at}
    insert(connection, f"{kind}_versions", kept)
    # crash point: change, the version kept and nothing changed
    update(connection, f"{kind}s", row_id, {"version": version + 1, **changes, "updated_at": at})


def versions(connection: sqlite.Connection, kind: str, row_id: int) -> list[dict[str, Any]]:
    """Every earlier state of a `rule` or a `note`, oldest first."""
    found = rows(
        connection,
        f"SELECT version, change, changed_at, state FROM {kind}_versions WHERE {kind}_id = ? ORDER BY version",  # noqa: S608 -- names of ours
        [row_id],
    )
    return [{**row, "state": json.loads(row["state"])} for row in found]
