"""Backfill: the sessions that took place before the memory did, read from the transcripts that are on this machine."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import click

from agentrecall_admin.console import as_json_option, memory, now, print_json, talk
from agentrecall_admin.process import process
from agentrecall_admin.transcripts_here import every_transcript, folder_begun_in
from agentrecall_domain.text.harmless import harmless
from agentrecall_domain.text.utc import iso, stamp
from agentrecall_domain.turns.capture import Session
from agentrecall_domain.turns.formats import CLAUDE_CODE
from agentrecall_storage.backfilling import Read, read_transcript, unread
from agentrecall_storage.capturing import is_the_entrys
from agentrecall_storage.engine import checkpoint
from agentrecall_storage.files.transcript import NotAFileError
from agentrecall_storage.files.transcript_files import TranscriptFile
from agentrecall_storage.home import database_path, disabled, home
from agentrecall_storage.memory import Memory
from agentrecall_storage.places import Places

DAYS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]
USUAL_RATE = 20_000_000
"""Bytes a second, for an estimate before the first is read."""
MEGABYTE = 1_000_000


class Wanted(NamedTuple):
    """A transcript in which something is unread: how many bytes."""

    file: TranscriptFile
    size: int


class Unreadable(NamedTuple):
    """What could not be read, and why."""

    path: str
    why: str


class Plan(NamedTuple):
    """What there is to read, newest first; how many transcripts were read before, and what cannot be read."""

    wanted: list[Wanted]
    known: int
    unreadable: list[Unreadable]

    @property
    def size(self) -> int:
        """The bytes to be read."""
        return sum(one.size for one in self.wanted)


class Step(NamedTuple):
    """A transcript that was read, or why not; how many of how many that makes, and how long the others may take."""

    file: TranscriptFile
    read: Read
    number: int
    of: int
    eta_s: int
    why_not: str = ""


class Outcome(NamedTuple):
    """What a backfill came to."""

    transcripts: int = 0
    read: Read = Read()
    unreadable: tuple[Unreadable, ...] = ()
    stopped: bool = False


@click.command()
@click.option("--since", type=click.DateTime(DAYS), help="Only transcripts written to since this day or time (UTC).")
@click.option("--limit", type=click.IntRange(min=1), help="At most N transcripts in which something is new.")
@click.option("--dry-run", is_flag=True, help="Tell what would be read, and read nothing.")
@click.option("--no-distil", is_flag=True, help="Leave the distilling to a later 'agentrecall process'.")
@as_json_option
@click.pass_context
def backfill(
    ctx: click.Context,
    *,
    since: datetime | None,
    limit: int | None,
    dry_run: bool,
    no_distil: bool,
    as_json: bool,
) -> None:
    """Store what was said before the memory was there, from the transcripts of Claude Code and Codex on this machine.

    The newest transcripts come first. What is excluded from memory or private is left out, and subagents are. Then
    'agentrecall process' distils notes. Safe to run twice, beside running sessions, and to interrupt: what is stored
    stays, and the next run goes on from there.

    With --json one object a transcript, one that sums up, then those of 'process'. Exits 1 when it was interrupted;
    what could not be read is named, and is no failure.
    """
    if disabled():
        talk("AGENTRECALL_DISABLED is set; nothing is captured")
        return
    if dry_run and not Path(database_path(home())).exists():
        _foretell(_plan(None, since, limit), as_json=as_json)
        return
    with memory() as opened:
        plan = _plan(opened, since, limit)
        if dry_run:
            _foretell(plan, as_json=as_json)
            return
        before = opened.counts()
        with _telling(plan, as_json=as_json) as (advance, tell):
            outcome = _read(opened, plan, advance, tell)
        added = {table: count - before[table] for table, count in opened.counts().items()}
    _sum_up(plan, outcome, added, as_json=as_json)
    if outcome.stopped:
        raise click.Abort
    if not no_distil:
        ctx.invoke(process, as_json=as_json)


# What there is to read


def _plan(opened: Memory | None, since: datetime | None, limit: int | None) -> Plan:
    """What to read; without a memory nothing was read before."""
    files, unlisted = every_transcript()
    unreadable = [Unreadable(path, "cannot be looked at") for path in unlisted]
    wanted: list[Wanted] = []
    known = 0
    for file in files:
        is_enough = limit is not None and len(wanted) == limit
        if is_enough or (since is not None and file.changed_at < since.replace(tzinfo=UTC).timestamp()):
            break
        if not _is_text(file.path):
            shown = os.fsencode(file.path).decode(errors="replace")
            unreadable.append(Unreadable(shown, "its name is not in UTF-8; rename it"))
            continue
        try:
            size = file.size if opened is None else unread(opened.captures, file.path)
        except OSError as error:
            unreadable.append(_unreadable(file, error))
            continue
        if size > 0:
            wanted.append(Wanted(file, size))
        else:
            known += 1
    return Plan(wanted, known, unreadable)


def _is_text(path: str) -> bool:
    """Whether a database can keep *path*: Linux lets a file be named in any bytes."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _unreadable(file: TranscriptFile, error: Exception) -> Unreadable:
    if isinstance(error, NotAFileError):
        return Unreadable(file.path, "it is no regular file")
    why = error.strerror if isinstance(error, OSError) else None
    return Unreadable(file.path, why or str(error) or type(error).__name__)


# Reading it


def _read(opened: Memory, plan: Plan, advance: Callable[[int], None], tell: Callable[[Step], None]) -> Outcome:
    outcome = Outcome(unreadable=tuple(plan.unreadable))
    places: dict[str, Places] = {}
    began, behind = time.monotonic(), 0
    try:
        for number, one in enumerate(plan.wanted, start=1):
            found = [Read()]

            def take(read: Read, found: list[Read] = found) -> None:
                found.append(read)
                advance(read.size)
                checkpoint(opened.connection, database_path(opened.home))

            failed: Unreadable | None = None
            try:
                read_transcript(opened.home, opened.captures, _session(opened.home, one.file, places), take)
            except Exception as error:
                # What one file does must not stop those behind it; what the memory itself does concerns all.
                if not isinstance(error, OSError) and not is_the_entrys(error):
                    raise
                failed = _unreadable(one.file, error)
            read = sum(found, Read())
            behind += one.size
            left = (time.monotonic() - began) / behind * (plan.size - behind)
            outcome = outcome._replace(
                transcripts=outcome.transcripts + (failed is None),
                read=outcome.read + read,
                unreadable=(*outcome.unreadable, *([failed] if failed else [])),
            )
            tell(Step(one.file, read, number, len(plan.wanted), round(left), failed.why if failed else ""))
    except KeyboardInterrupt:
        return outcome._replace(stopped=True)
    return outcome


def _session(where: str, file: TranscriptFile, places: dict[str, Places]) -> Session:
    """The session of *file*. The host that began it tells no hook of its own which folder that was."""
    begun_in = folder_begun_in(Path(file.path)) if file.source == CLAUDE_CODE else ""
    return Session(
        uid=file.session_uid,
        transcript_path=file.path,
        cwd=begun_in or "/",
        captured_at=stamp(now()),
        project_at=places.setdefault(begun_in, Places(where, begun_in)).project_at,
        source=file.source,
        # A hook looks after the sessions that were seen last: those of long ago are not among them.
        seen_at=iso(file.changed_at),
    )


# Telling


@contextmanager
def _telling(plan: Plan, *, as_json: bool) -> Iterator[tuple[Callable[[int], None], Callable[[Step], None]]]:
    """How bytes and transcripts are told: as lines of JSON, as a bar on a terminal, or not at all."""
    if as_json:
        yield (lambda _: None), (lambda step: print_json(_as_object(step)))
        return
    if not sys.stderr.isatty() or not plan.wanted:
        yield (lambda _: None), (lambda _: None)
        return
    from rich import progress  # noqa: PLC0415 -- twice a bare start, for those who see it
    from rich.console import Console  # noqa: PLC0415 -- as above

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.DownloadColumn(),
        progress.TextColumn("{task.fields[files]} of " + f"{len(plan.wanted)} transcripts"),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("reading", total=plan.size, files=0)
        yield (lambda size: bar.advance(task, size)), (lambda step: bar.update(task, files=step.number))


def _as_object(step: Step) -> dict[str, Any]:
    file = step.file
    told: dict[str, Any] = {"transcript": file.path, "source": file.source, "session": file.session_uid}
    told |= {"number": step.number, "of": step.of, "eta_s": step.eta_s}
    return told | ({"error": step.why_not} if step.why_not else _counted(step.read))


def _counted(read: Read) -> dict[str, int]:
    counts = read._asdict()
    return {"bytes": counts.pop("size")} | counts


def _foretell(plan: Plan, *, as_json: bool) -> None:
    eta_s = round(plan.size / USUAL_RATE)
    if as_json:
        for file, size in plan.wanted:
            print_json({"transcript": file.path, "source": file.source, "session": file.session_uid, "bytes": size})
        totals = {"transcripts": len(plan.wanted), "bytes": plan.size, "known": plan.known, "eta_s": eta_s}
        print_json(totals | {"unreadable": [one._asdict() for one in plan.unreadable], "dry_run": True})
        return
    for file, size in plan.wanted:
        click.echo(f"{iso(file.changed_at)}  {size / MEGABYTE:9.2f} MB  {harmless(file.path)}")
    click.echo(
        f"{len(plan.wanted)} transcripts to read, {plan.size / MEGABYTE:.1f} MB, in about {max(1, eta_s)} s; "
        f"{plan.known} have nothing new"
    )
    _name(plan.unreadable)


def _sum_up(plan: Plan, outcome: Outcome, added: dict[str, int], *, as_json: bool) -> None:
    new = {f"{name}_added": added[name] for name in ("sessions", "turns", "raw_items")}
    if as_json:
        told = {"transcripts": outcome.transcripts, "known": plan.known, **_counted(outcome.read), **new}
        unreadable = [one._asdict() for one in outcome.unreadable]
        print_json(told | {"unreadable": unreadable, "stopped": outcome.stopped})
        return
    read = outcome.read
    click.echo(
        f"{outcome.transcripts} transcripts read, {read.size / MEGABYTE:.1f} MB; {plan.known} had nothing new; "
        f"{new['sessions_added']} sessions, {new['turns_added']} turns and {new['raw_items_added']} raw items are new"
    )
    click.echo(
        f"left out: {read.left_out} turns of excluded projects or said while memory was off, private parts of "
        f"{read.private} texts, {read.rejected} planted instructions"
    )
    _name(outcome.unreadable)
    if outcome.stopped:
        talk("interrupted; what was read is stored, and 'agentrecall backfill' goes on from there")


def _name(unreadable: list[Unreadable] | tuple[Unreadable, ...]) -> None:
    for one in unreadable:
        talk(f"'{harmless(one.path)}' could not be read: {harmless(one.why)}")
