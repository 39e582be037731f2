"""The memory, open for a program that is no hook. Cold: the one place where such a program is wired."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agentrecall_domain.turns.batch import Project
from agentrecall_domain.turns.project import COMMON_DIR, REMOTE, ROOT_COMMIT
from agentrecall_storage.engine import MEMORY_WAIT_MS, checkpoint, connect, sqlite
from agentrecall_storage.files.own_concepts import refresh
from agentrecall_storage.home import database_path
from agentrecall_storage.hot import HotStore
from agentrecall_storage.indexing import NOTES_AT_OPENING, is_current, notes_to_index, reindex, reindex_notes
from agentrecall_storage.journal import journal_for
from agentrecall_storage.judged_turns import JudgedTurnStore
from agentrecall_storage.opening import is_older
from agentrecall_storage.rows import rows

if TYPE_CHECKING:
    from agentrecall_storage.distill_failures import DistillFailureStore
    from agentrecall_storage.episodes import EpisodeStore
    from agentrecall_storage.gate_rejections import GateRejectionStore
    from agentrecall_storage.lesson_candidates import LessonCandidateStore
    from agentrecall_storage.notes import NoteStore


class Memory(JudgedTurnStore):
    """One open memory: its rules, and the queries of programs that are no hook."""

    def __init__(self, connection: sqlite.Connection, home: str, now: Callable[[], datetime]) -> None:
        self.hot = HotStore(connection, home=home)
        super().__init__(connection, now, self.hot.concepts)
        self.home = home

    @cached_property
    def notes(self) -> NoteStore:
        """The notes of the memory."""
        from agentrecall_storage.notes import NoteStore  # noqa: PLC0415 -- most programs that touch rules ask for none

        return NoteStore(self.connection, self.now, self.concepts)

    @cached_property
    def episodes(self) -> EpisodeStore:
        """The episodes of the memory, and what is to be distilled."""
        from agentrecall_storage.episodes import EpisodeStore  # noqa: PLC0415 -- as above

        return EpisodeStore(self.connection, self.now)

    @cached_property
    def distill_failures(self) -> DistillFailureStore:
        """The units that could not be distilled."""
        from agentrecall_storage.distill_failures import DistillFailureStore  # noqa: PLC0415 -- as above

        return DistillFailureStore(self.episodes)

    @cached_property
    def gate_rejections(self) -> GateRejectionStore:
        """What was kept out of the memory."""
        from agentrecall_storage.gate_rejections import GateRejectionStore  # noqa: PLC0415 -- as above

        return GateRejectionStore(self.connection, self.now)

    @cached_property
    def lesson_candidates(self) -> LessonCandidateStore:
        """The rules that notes seem to teach, for a person to accept."""
        from agentrecall_storage.lesson_candidates import LessonCandidateStore  # noqa: PLC0415 -- as above

        return LessonCandidateStore(self)

    # Projects

    def find_project(self, project: Project) -> int | None:
        """The id of a project that the memory has met, or None."""
        known = self.hot.find_project(project.aliases)
        return self.hot.find_project(_with_root_commit(project).aliases) if known is None else known

    def record_project(self, project: Project) -> int:
        """The id of a project, stored if it is new; its root commit joins its aliases."""
        known = self.hot.find_project(project.aliases)
        if known is None or not self._needs_no_root_commit(known):
            project = _with_root_commit(project)
        with self.hot.transaction():
            return self.hot.record_project(project, self._stamp())

    def project_uid(self, project_id: int) -> str:
        """The stable uid of a project."""
        return str(self.connection.execute("SELECT uid FROM projects WHERE id = ?", (project_id,)).fetchone()[0])

    def project_names(self) -> dict[int, str]:
        """The name of every project, by id."""
        return dict(self.connection.execute("SELECT id, name FROM projects").fetchall())

    def _needs_no_root_commit(self, project_id: int) -> bool:
        """Whether git need not be asked: it was, or the project's clones are known by their remote."""
        found = self.connection.execute(
            "SELECT 1 FROM project_aliases WHERE project_id = ? AND kind IN (?, ?)", (project_id, ROOT_COMMIT, REMOTE)
        )
        return found.fetchone() is not None

    # What there is

    def counts(self) -> dict[str, int]:
        """How many of each the memory holds."""
        tables = ("projects", "sessions", "turns", "raw_items", "episodes", "notes", "rules", "injections")
        count = "SELECT count(*) FROM {}".format
        return {table: int(self.connection.execute(count(table)).fetchone()[0]) for table in tables}

    def rule_counts(self) -> dict[str, int]:
        """How many rules have each status."""
        return dict(self.connection.execute("SELECT status, count(*) FROM rules GROUP BY status").fetchall())

    def last_captured_at(self) -> str | None:
        """When the newest raw item was stored."""
        row = self.connection.execute("SELECT captured_at FROM raw_items ORDER BY id DESC LIMIT 1").fetchone()
        return str(row[0]) if row else None

    def transcript_damage(self) -> dict[str, Any]:
        """Lines that capture could not read, and lines of kinds that it does not know."""
        bad = unknown = 0
        kinds: dict[str, int] = {}
        for row in rows(self.connection, "SELECT bad_lines, unknown_lines, unknown_kinds FROM transcripts"):
            bad += row["bad_lines"]
            unknown += row["unknown_lines"]
            for kind, count in json.loads(row["unknown_kinds"]).items():
                kinds[kind] = kinds.get(kind, 0) + count
        return {"bad_lines": bad, "unknown_lines": unknown, "unknown_kinds": kinds}


@contextmanager
def open_memory(home: str, now: Callable[[], datetime]) -> Iterator[Memory]:
    """Open the memory at *home*, made or upgraded as needed, and close it again.

    Raises:
        NewerMemoryError: The file is newer than this program.
        sqlite.Error, OSError: It cannot be opened or made.
    """
    path = database_path(home)
    if not os.path.lexists(path):
        from agentrecall_storage.migrations.migrate import create  # noqa: PLC0415 -- it takes four bare starts

        create(home)
    connection = connect(path, MEMORY_WAIT_MS)
    memory: Memory | None = None
    try:
        if is_older(connection):
            from agentrecall_storage.migrations.migrate import upgrade  # noqa: PLC0415 -- it takes four bare starts

            upgrade(home, MEMORY_WAIT_MS)
        if journal_for(path) == "WAL":
            connection.execute("PRAGMA journal_mode = WAL")
        refresh(home)
        memory = Memory(connection, home, now)
        if not is_current(memory):
            reindex(memory)
        if notes_to_index(memory):
            reindex_notes(memory, NOTES_AT_OPENING)
        yield memory
        checkpoint(connection, path)
    finally:
        if memory is not None:
            memory.hot.concepts.close()
        connection.close()


def _with_root_commit(project: Project) -> Project:
    """Ask git once for the root commit, which a clone without a remote is known by."""
    if not any(kind == COMMON_DIR for kind, _ in project.aliases):
        return project
    from agentrecall_storage.files.git_history import root_commit  # noqa: PLC0415 -- only where git is to be asked

    commit = root_commit(project.root)
    if commit is None:
        return project
    *stronger, path = project.aliases
    return Project(project.name, project.root, [*stronger, (ROOT_COMMIT, commit), path])
