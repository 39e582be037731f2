"""Writing the compiled concept graph: `python -m agentrecall_storage.concept_file` makes the one that we ship. Cold."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from agentrecall_domain.text.concept_graph import build, shipped
from agentrecall_domain.text.concept_index import Index, compiled
from agentrecall_storage.concepts import SHIPPED
from agentrecall_storage.engine import sqlite
from agentrecall_storage.home import create_private

TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE words (word TEXT PRIMARY KEY, vector BLOB NOT NULL, forms TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE concepts (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, vector BLOB NOT NULL)",
)


def write(index: Index, path: str) -> None:
    """Put *index* at *path* whole: who reads there finds the old one or the new one."""
    unfinished = f"{path}.{os.getpid()}.new"
    Path(unfinished).unlink(missing_ok=True)
    os.close(create_private(unfinished))
    try:
        with closing(sqlite.connect(unfinished, isolation_level=None, timeout=0)) as connection:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN")
            for table in TABLES:
                connection.execute(table)
            connection.execute("INSERT INTO meta VALUES ('version', ?)", (index.version,))
            connection.executemany("INSERT INTO words VALUES (?, ?, ?)", index.words)
            connection.executemany("INSERT INTO concepts VALUES (?, ?, ?)", index.concepts)
            connection.execute("COMMIT")
            connection.execute("VACUUM")
        Path(unfinished).replace(path)
    finally:
        Path(unfinished).unlink(missing_ok=True)


if __name__ == "__main__":
    write(compiled(build(shipped())), SHIPPED)
    Path(SHIPPED).chmod(0o644)
