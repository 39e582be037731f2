"""The compiled concept graph on disk, to be read: the person's own beside the memory, else the one we ship. Hot."""

from __future__ import annotations

import os

from agentrecall_storage.engine import sqlite

FILE_NAME = "concepts.db"
SHIPPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), FILE_NAME)

OF_WORD = "SELECT vector, forms FROM words WHERE word = ?"
OF_CONCEPT = "SELECT vector FROM concepts WHERE number = ?"
NAMES = "SELECT number, name FROM concepts"
VERSION = "SELECT value FROM meta WHERE key = 'version'"


class ConceptIndex:
    """Look-ups in the compiled graph. It is opened at the first one."""

    __slots__ = ("_connection", "_home")

    def __init__(self, home: str) -> None:
        self._home = home
        self._connection: sqlite.Connection | None = None

    def of_word(self, word: str) -> tuple[bytes, str] | None:
        """The vector of a word and the forms that begin with it; None for a word of no concept."""
        row = self._opened().execute(OF_WORD, (word,)).fetchone()
        return None if row is None else (bytes(row[0]), str(row[1]))

    def of_concept(self, number: int) -> bytes:
        """The vector of a concept."""
        row = self._opened().execute(OF_CONCEPT, (number,)).fetchone()
        return b"" if row is None else bytes(row[0])

    def names(self) -> dict[int, str]:
        """The name of every concept by its number."""
        return dict(self._opened().execute(NAMES).fetchall())

    def version(self) -> str:
        """What this graph is known by: a memory that was indexed with another is to be indexed anew."""
        return str(self._opened().execute(VERSION).fetchone()[0])

    def close(self) -> None:
        """Let the file go; the next look-up opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _opened(self) -> sqlite.Connection:
        if self._connection is None:
            own = os.path.join(self._home, FILE_NAME)
            path = own if os.path.exists(own) else SHIPPED
            quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
            # Nobody writes to it: a new one is put in its place whole.
            self._connection = sqlite.connect(
                f"file:{quoted}?mode=ro&immutable=1", uri=True, isolation_level=None, timeout=0
            )
        return self._connection
