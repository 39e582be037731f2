"""Copies of the memory: `backup` makes a verified one, `restore` puts one back."""

from __future__ import annotations

from pathlib import Path

import click

from agentrecall_admin.console import Failure, as_json_option, now, print_json, unsafe_journal
from agentrecall_storage.backups import LiveMemoryError, back_up, copy_to
from agentrecall_storage.backups import restore as put_back
from agentrecall_storage.engine import UnsafeJournalError, sqlite
from agentrecall_storage.home import database_path, home
from agentrecall_storage.schema_version import BackupError, NewerMemoryError

STAMP = "%Y%m%dT%H%M%S"


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@as_json_option
def backup(file: Path | None, *, as_json: bool) -> None:
    """Copy the memory to FILE, or into its own backups folder, and check the copy.

    Programs that use the memory go on meanwhile. An existing FILE is never overwritten.
    """
    database = database_path(home())
    if not Path(database).exists():
        raise Failure(f"there is no memory at '{database}' to back up")
    if file and not file.absolute().parent.is_dir():
        raise Failure(f"there is no folder '{file.absolute().parent}' to put the backup in; make it first")
    try:
        made = copy_to(database, file) if file else back_up(home(), f"by-hand-{now().strftime(STAMP)}")
    except FileExistsError as error:
        raise Failure(f"'{file}' is there already; name another file") from error
    except BackupError as error:
        raise Failure(f"the copy is not whole: {error}; run 'agentrecall doctor'") from error
    except UnsafeJournalError as error:
        raise unsafe_journal(home()) from error
    except (sqlite.Error, OSError) as error:
        raise Failure(f"cannot back up '{database}': {error}; run 'agentrecall doctor'") from error
    if as_json:
        print_json({"backup": made, "bytes": Path(made).stat().st_size})
        return
    click.echo(f"backed up to {made}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Put it in the place of a memory that is there; that one is kept.")
@as_json_option
def restore(file: Path, *, replace: bool, as_json: bool) -> None:
    """Make the backup FILE the memory again.

    Refused when there is a memory already, unless --replace; the memory before is kept in the backups folder. A backup
    of an older version is upgraded when it is next used.
    """
    if not file.is_file():
        raise Failure(f"there is no backup at '{file}'")
    if Path(database_path(home())).exists() and file.samefile(database_path(home())):
        raise Failure(f"'{file}' is the memory itself; name a backup")
    try:
        kept = put_back(home(), file, replace=replace, stamp=now().strftime(STAMP))
    except LiveMemoryError as error:
        raise Failure(
            f"there is a memory at '{database_path(home())}' already; --replace keeps a copy of it"
        ) from error
    except BackupError as error:
        raise Failure(f"'{file}' is no whole backup of a memory: {error}; nothing was changed") from error
    except NewerMemoryError as error:
        raise Failure(f"'{file}' was written by a newer AgentRecall; upgrade this one") from error
    except UnsafeJournalError as error:
        raise unsafe_journal(home()) from error
    except (sqlite.Error, OSError) as error:
        raise Failure(f"cannot restore '{file}': {error}; the memory is as it was") from error
    if as_json:
        print_json({"restored": str(file), "memory": database_path(home()), "kept": kept})
        return
    click.echo(f"restored {file}" + (f"; the memory before it is {kept}" if kept else ""))
