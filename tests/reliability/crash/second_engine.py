"""What a second engine finds in a memory: it reads a copy, so that looking changes nothing."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from reliability.crash.engines import Engine

FILES = ("", "-wal", "-journal")
# Every story ends with a run of `process`, which distils what was said in it.
LEDGER = """
    SELECT kind FROM events WHERE kind NOT IN ('UnitDistilled', 'NoteCreated', 'LessonSuggested') ORDER BY rowid
"""


class Found:
    """The texts, turns and rules in the file, and the texts that only the spool holds."""

    def __init__(self, home: Path, engine: Engine) -> None:
        self.faults: list[str] = []
        self.texts: Counter[str] = Counter()
        self.turns = 0
        self.rules: list[tuple[str, str]] = []
        self.finalizations: list[str] = []
        self.ledger: list[str] = []
        self.injections: list[int] = []
        database = home / "agentrecall.db"
        if database.exists():
            self._read(database, engine)
        self.spooled = {text for path in (home / "spool").glob("*.json") for text in _texts(path)}
        self.set_aside = sorted(path.name for path in (home / "spool" / "aside").glob("*"))
        for backup in sorted({*(home / "backups").glob("*.db")} - {*(home / "backups").glob("damaged-*")}):
            self.faults += [f"{backup.name}: {fault}" for fault in faults(backup, engine)]

    def _read(self, database: Path, engine: Engine) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = _copied(database, Path(folder))
            try:
                self.faults += faults(copy, engine)
            except engine.module.DatabaseError as error:
                self.faults.append(str(error))
                return
            with closing(engine.module.connect(copy)) as connection:
                if connection.execute("PRAGMA user_version").fetchone() == (0,):
                    return
                self.texts.update(dict(connection.execute("SELECT text, count(*) FROM raw_items GROUP BY text")))
                self.turns = connection.execute("SELECT count(*) FROM turns").fetchone()[0]
                self.rules = list(connection.execute("SELECT action, status FROM rules ORDER BY id"))
                self.finalizations = [
                    row[0] for row in connection.execute("SELECT decision_source FROM turn_finalizations ORDER BY id")
                ]
                self.ledger = [row[0] for row in connection.execute(LEDGER)]
                self.injections = [
                    row[0]
                    for row in connection.execute(
                        """
                        SELECT (SELECT count(*) FROM injection_items WHERE injection_id = injections.id)
                          FROM injections WHERE moment = 'prompt' ORDER BY id
                        """
                    )
                ]
                # The text search has pages of its own, which the engine's check does not compare with the rules.
                connection.execute("INSERT INTO rules_fts(rules_fts) VALUES ('integrity-check')")

    def lost(self, acknowledged: set[str]) -> set[str]:
        """What was acknowledged and is neither in the file nor in the spool."""
        return acknowledged - self.texts.keys() - self.spooled

    def doubled(self) -> set[str]:
        """What the file holds more than once."""
        return {text for text, count in self.texts.items() if count > 1}


def faults(database: Path, engine: Engine) -> list[str]:
    """What the engine has to say against a file and its side files, all of them copied first."""
    with tempfile.TemporaryDirectory() as folder:
        copy = _copied(database, Path(folder))
        with closing(engine.module.connect(copy)) as connection:
            connection.execute("PRAGMA query_only = ON")
            found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
            return found + [f"foreign key: {row}" for row in connection.execute("PRAGMA foreign_key_check")]


def _copied(database: Path, folder: Path) -> Path:
    copy = folder / database.name
    for end in FILES:
        beside = Path(f"{database}{end}")
        if beside.exists():
            shutil.copyfile(beside, f"{copy}{end}")
    return copy


def _texts(path: Path) -> list[str]:
    try:
        entry: Any = json.loads(path.read_bytes())
    except ValueError:
        return []
    return [*(span[5] for span in entry["spans"]), entry["last_message"]]
