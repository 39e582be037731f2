"""The command line's manners: data on stdout, talk on stderr, errors that say what to do, times in UTC."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from math import isnan
from typing import TYPE_CHECKING, Any

import click

from agentrecall_domain.turns.batch import Excluded, Project
from agentrecall_storage.engine import UnsafeJournalError, sqlite
from agentrecall_storage.files.exclusions import ExclusionsUnreadableError
from agentrecall_storage.home import home
from agentrecall_storage.memory import Memory, open_memory
from agentrecall_storage.places import Places
from agentrecall_storage.schema_version import BackupError, NewerMemoryError

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 400

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


class Failure(click.ClickException):
    """Something failed: exit code 1, and a message that says what to do."""


class NumberRange(click.FloatRange):
    """A number in a range. `nan` lies in none, though it is beyond no bound."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that *value* gives."""
        found = float(super().convert(value, param, ctx))
        if isnan(found):
            self.fail(f"'{value}' is no number", param, ctx)
        return found


def now() -> datetime:
    """The command line's clock."""
    return datetime.now(UTC)


def talk(message: str) -> None:
    """Say *message* to the person, on stderr."""
    click.echo(message, err=True)


def print_json(value: Any) -> None:
    """Print one JSON object or list on stdout."""
    click.echo(json.dumps(value, ensure_ascii=False))


def screen() -> Console:
    """Where tables and styled text for a person go: stdout, plain when it is no terminal.

    What people wrote is shown as it is: a bracket in it is no markup of ours. Where no terminal gives a width, a row
    stays on its line.
    """
    from rich.console import Console  # noqa: PLC0415 -- twice a bare start, for those who print a table

    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(highlight=False, soft_wrap=True, markup=False, emoji=False, width=width)


def unsafe_journal(where: str) -> Failure:
    """What to say of a memory that cannot leave a journal mode that this engine may lose data in."""
    return Failure(
        f"'{where}' is in use in a journal mode that SQLite {sqlite.sqlite_version} may lose data in; "
        "close every other program that uses it and try again"
    )


@contextmanager
def memory() -> Iterator[Memory]:
    """The memory of this user, open; what goes wrong with it becomes a message that says what to do."""
    where = home()
    try:
        with open_memory(where, now) as opened:
            yield opened
    except ExclusionsUnreadableError as error:
        raise Failure(str(error)) from error
    except NewerMemoryError as error:
        raise Failure(f"'{where}' was written by a newer AgentRecall; upgrade this one") from error
    except UnsafeJournalError as error:
        raise unsafe_journal(where) from error
    except BackupError as error:
        raise Failure(
            f"cannot upgrade the memory in '{where}': no whole copy of it can be made first; run 'agentrecall doctor'"
        ) from error
    except (sqlite.Error, OSError) as error:
        raise Failure(f"cannot use the memory in '{where}': {error}; run 'agentrecall doctor'") from error


def project_here() -> Project:
    """The project of the current folder.

    Raises:
        Failure: It is excluded from memory.
    """
    cwd = os.getcwd()
    try:
        project = Places(home()).project_at(cwd)
    except ExclusionsUnreadableError as error:
        raise Failure(str(error)) from error
    if isinstance(project, Excluded):
        raise Failure(f"'{cwd}' is excluded from memory; 'agentrecall include .' takes it in again")
    return project
