"""Config as stored: what differs from the defaults, every change a row of the ledger. Cold, but cheap to import."""

from __future__ import annotations

from typing import Any

from agentrecall_storage.engine import sqlite
from agentrecall_storage.ledger import events_of, record_event, writing

CHANGED = "ConfigChanged"


def stored_values(connection: sqlite.Connection) -> dict[str, str]:
    """Every key that was set, with its value as text; what the program keeps there for itself is among them."""
    return {str(key): str(value) for key, value in connection.execute("SELECT key, value FROM config")}


def set_value(connection: sqlite.Connection, key: str, value: str | None, *, at: str, actor: str = "person") -> None:
    """Set *key*, or with None let its default hold again."""
    with writing(connection):
        before = stored_values(connection).get(key)
        if value == before:
            return
        if value is None:
            connection.execute("DELETE FROM config WHERE key = ?", (key,))
        else:
            connection.execute(
                """
                INSERT INTO config(key, value, updated_at) VALUES (:key, :value, :at)
                ON CONFLICT(key) DO UPDATE SET value = :value, updated_at = :at
                """,
                {"key": key, "value": value, "at": at},
            )
        # crash point: config, changed and not in the ledger
        record_event(connection, CHANGED, subject(key), at=at, actor=actor, details={"from": before, "to": value})


def changes_of(connection: sqlite.Connection, key: str) -> list[dict[str, Any]]:
    """When *key* was changed, from what and to what, oldest first; None stands for the default."""
    found = events_of(connection, subject(key))
    return [{"at": one["at"], "from": one["details"]["from"], "to": one["details"]["to"]} for one in found]


def subject(key: str) -> str:
    """How the ledger names a key."""
    return f"config {key}"
