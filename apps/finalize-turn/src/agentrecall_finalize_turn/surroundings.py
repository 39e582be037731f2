"""Where a program that an agent runs by hand stands: session, folder, project, and the memory open for it. Cold."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from agentrecall_domain.turns.batch import Project
from agentrecall_storage.engine import UnsafeJournalError, sqlite
from agentrecall_storage.files.exclusions import ExclusionsUnreadableError
from agentrecall_storage.home import disabled, home
from agentrecall_storage.memory import Memory, open_memory
from agentrecall_storage.places import Places
from agentrecall_storage.schema_version import BackupError, NewerMemoryError

DONE, FAILED, MISUSED = 0, 1, 2


class Stopped(Exception):  # noqa: N818 -- being switched off is no error
    """There is nothing to do, or nothing can be done: a message, and the exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def session_id(given: str) -> str:
    """The session that is meant: Claude Code tells the commands that it runs which one they are in."""
    return given or os.environ.get("CLAUDE_CODE_SESSION_ID", "")


def folder(given: str) -> str:
    """The folder that is meant: the one given, the one that Claude Code was started in, or the current one."""
    return given or os.environ.get("CLAUDE_PROJECT_DIR", "") or os.getcwd()


def project_at(cwd: str, so: str) -> Project:
    """The project of *cwd*; *so* says what follows when there is none to work for.

    Raises:
        Stopped: Memory is switched off, the project is excluded, or nobody can say now whether it is.
    """
    if disabled():
        raise Stopped(f"AGENTRECALL_DISABLED is set; {so}", DONE)
    try:
        project = Places(home()).project_at(cwd)
    except ExclusionsUnreadableError as error:
        raise Stopped(str(error), FAILED) from error
    if not isinstance(project, Project):
        raise Stopped(f"'{cwd}' is excluded from memory; {so}", DONE)
    return project


@contextmanager
def opened(verb: str) -> Iterator[Memory]:
    """The memory of this user, open; *verb* says what cannot be done when it cannot be used.

    Raises:
        Stopped: It cannot be opened, read or written.
    """
    try:
        with open_memory(home(), lambda: datetime.now(UTC)) as memory:
            yield memory
    except NewerMemoryError as error:
        raise Stopped(f"'{home()}' was written by a newer AgentRecall; upgrade this one", FAILED) from error
    except UnsafeJournalError as error:
        raise Stopped(
            f"'{home()}' is in use in a journal mode that SQLite may lose data in; try again", FAILED
        ) from error
    except (sqlite.Error, BackupError, OSError) as error:
        raise Stopped(f"cannot {verb} in '{home()}': {error}; run 'agentrecall doctor'", FAILED) from error


def complain(message: str, code: int) -> int:
    """Say *message* on stderr; gives *code*."""
    sys.stderr.write(f"agentrecall-finalize-turn: {message}\n")
    return code
