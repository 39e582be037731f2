"""Rows as dictionaries, for programs that a person waits for: sqlite-utils alone takes four bare starts to import."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from agentrecall_storage.engine import sqlite


def rows(
    connection: sqlite.Connection, sql: str, values: dict[str, Any] | list[Any] | tuple[Any, ...] = ()
) -> list[dict[str, Any]]:
    """What the query gives, each row by its columns' names."""
    cursor = connection.execute(sql, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def insert(connection: sqlite.Connection, table: str, row: dict[str, Any]) -> int:
    """Insert *row*; gives its id."""
    names, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
    return int(connection.execute(f"INSERT INTO {table}({names}) VALUES ({marks})", row).lastrowid or 0)  # noqa: S608 -- names of ours


def update(connection: sqlite.Connection, table: str, row_id: int, changes: dict[str, Any]) -> None:
    """Change the named columns of one row."""
    pairs = ", ".join(f"{name} = :{name}" for name in changes)
    connection.execute(f"UPDATE {table} SET {pairs} WHERE id = :id", {**changes, "id": row_id})  # noqa: S608 -- names of ours


class Savepoint:
    """A change as a whole inside a transaction that is open already: all of it, or nothing."""

    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("SAVEPOINT change")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._connection.execute("ROLLBACK TO change")
        self._connection.execute("RELEASE change")
