"""Processing: what the hooks left for later, episodes, and the notes that are distilled from them."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, NamedTuple, NoReturn

import click

from agentrecall_admin.console import Failure, as_json_option, memory, print_json, talk
from agentrecall_admin.failures import LONGEST_SHOWN
from agentrecall_admin.judges import COMMAND, DETERMINISTIC, judge_for
from agentrecall_admin.process_host import HOST, next_unit, submit
from agentrecall_admin.processing import EVERY_UNIT, CaughtUp, Progress, Worked, catch_up, work
from agentrecall_domain.notes.judge import JUDGE_TIMEOUT_S, Judge
from agentrecall_domain.notes.raw_words import excerpt
from agentrecall_domain.notes.unit import key_of
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.embeddings import Embedded, keep_found
from agentrecall_storage.files import log
from agentrecall_storage.home import database_path, disabled, home
from agentrecall_storage.leases import PROCESS, HeldByAnotherError, Lease, LeaseStore, held
from agentrecall_storage.memory import Memory

AN_HOUR_MS = 3_600_000
DETACHED_MS = 600_000
"""How long a hook's process works on, unseen."""
DETACHED_NICENESS = 10


@click.group(invoke_without_command=True)
@click.option("--once", is_flag=True, help="Leave what comes to wait meanwhile for the next time.")
@click.option("--limit", type=click.IntRange(min=1), default=EVERY_UNIT, show_default="all", help="At most N units.")
@click.option("--judge", help="Who distils: deterministic, command or host. Default: config key 'judge'.")
@click.option("--judge-command", help="The program: a command line, or claude, codex, llm, ollama:MODEL.")
@click.option("--detached", is_flag=True, hidden=True, help="Started by a hook: unseen, bounded, out of the way.")
@as_json_option
@click.pass_context
def process(  # noqa: PLR0917 -- click hands over the options
    ctx: click.Context,
    once: bool,  # noqa: FBT001 -- see above
    limit: int,
    judge: str | None,
    judge_command: str | None,
    detached: bool,  # noqa: FBT001 -- see above
    as_json: bool,  # noqa: FBT001 -- see above
) -> None:
    """Store what hooks left for later, and distil notes from what was said.

    What hooks could only spool is stored, and transcripts are read on where one ran out of time. Then turns become
    episodes, and each closed episode, like each document, is distilled: its notes pass the gate and meet those that
    are there. Safe to run at any time and beside running sessions: one works, a second one leaves. It ends by itself.

    With --json one object a unit, and a last one that sums up. Exits 1 when the judge could not be asked.
    """
    if ctx.invoked_subcommand is not None:
        return
    with _unseen() if detached else ExitStack():
        _process(
            lambda opened: chosen(opened, judge or "", judge_command or ""),
            once=once,
            limit=limit,
            budget_ms=DETACHED_MS if detached else AN_HOUR_MS,
            as_json=as_json,
        )


def _process(
    judge_of: Callable[[Memory], Judge | None], *, once: bool, limit: int, budget_ms: int, as_json: bool
) -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    is_off = disabled()
    if is_off:
        talk("AGENTRECALL_DISABLED is set; nothing is captured")
    deadline = Deadline(0 if is_off else budget_ms)
    with memory() as opened:
        try:
            with held(LeaseStore(opened.connection, opened.now), database_path(home()), PROCESS) as lease:
                caught_up = catch_up(opened, deadline)
                worked, found = Worked(), Embedded(0)
                if not is_off:

                    def is_over() -> bool:
                        return deadline.passed() or lease.is_lost()

                    worked = _distil(opened, judge_of(opened), once=once, limit=limit, is_over=is_over, as_json=as_json)
                    found = keep_found(opened, is_over)
        except HeldByAnotherError as error:
            _tell_of(error.lease, as_json=as_json)
            return
        held_up = _held_up(opened)
    _sum_up(caught_up, worked, held_up, as_json=as_json)
    if worked.failed and not worked.unavailable and not as_json:
        talk(f"the last failure: {_on_one_line(held_up.last_error)}; 'agentrecall failures' shows all")
    if found.why:
        talk(f"notes could not be embedded: {harmless(found.why)}")
    if worked.unavailable:
        raise Failure(
            f"the judge could not be asked: {harmless(worked.unavailable)}; 'agentrecall process' tries again"
        )


class HeldUp(NamedTuple):
    """How many units wait, how many of them until later, and what went wrong last."""

    waiting: int
    backing_off: int
    lent_out: int
    last_error: str


def _held_up(opened: Memory) -> HeldUp:
    counts, failures, at = opened.episodes.waiting(), opened.distill_failures.list(), opened.now()
    waiting = counts["episodes"] + counts["raw_items"]
    off = sum(one.parked_at is None and one.retry_at is not None and one.retry_at > at for one in failures)
    lent = max(0, waiting - off - len(opened.episodes.pending_units(EVERY_UNIT)))
    return HeldUp(waiting, off, lent, failures[0].last_error if failures else "")


def _leave(number: int, _frame: object) -> NoReturn:
    """End as an interrupt does: the judge is ended, and the lease let go."""
    raise SystemExit(128 + number)


def chosen(memory: Memory, name: str, command: str) -> Judge | None:
    """The judge that was named, else the configured one; None where the host's agent takes the work itself."""
    setting = memory.hot.setting
    name = name or (COMMAND if command else setting("judge", DETERMINISTIC))
    if name == HOST:
        return None
    timeout_s = memory.hot.number("judge_timeout", JUDGE_TIMEOUT_S)
    return judge_for(name, command or setting("judge_command", ""), timeout_s if timeout_s > 0 else JUDGE_TIMEOUT_S)


def _distil(opened: Memory, judge: Judge | None, *, as_json: bool, **how: Any) -> Worked:
    with _telling(as_json=as_json) as tell:
        return work(opened, judge, tell=tell, **how)


@contextmanager
def _telling(*, as_json: bool) -> Iterator[Callable[[Progress], None]]:
    """How each unit is told: as a line of JSON, as a bar on a terminal, or not at all."""
    if as_json:
        yield lambda one: print_json(_as_object(one))
        return
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 -- twice a bare start, for those who see it
    from rich.progress import Progress as Bar  # noqa: PLC0415 -- as above

    with Bar(console=Console(stderr=True)) as bar:
        task = bar.add_task("distilling", total=None)
        yield lambda one: bar.update(task, completed=one.number, total=one.of)


def _as_object(one: Progress) -> dict[str, Any]:
    told: dict[str, Any] = {"unit": one.key.label, "number": one.number, "of": one.of}
    if one.done is not None:
        duplicates = len(one.done.notes) - len(one.done.living)
        notes = [f"N{note}" for note in one.done.living]
        return {**told, "notes": notes, "duplicates": duplicates, "rejected": one.done.rejected}
    error = one.failure.last_error if one.failure else ""
    is_parked = one.failure is not None and one.failure.parked_at is not None
    return {**told, "failed": one.failed_as, "error": error, "parked": is_parked}


def _sum_up(caught_up: CaughtUp, worked: Worked, held_up: HeldUp, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "drained": caught_up.drained.stored,
                "set_aside": caught_up.drained.set_aside,
                "transcripts": caught_up.transcripts,
                "raw_items_added": caught_up.raw_items_added,
                **worked._asdict(),
                "waiting": held_up.waiting,
            }
        )
        return
    click.echo(
        f"{caught_up.drained.stored} spooled entries stored, {caught_up.drained.set_aside} set aside; "
        f"{caught_up.transcripts} transcripts looked at; {caught_up.raw_items_added} raw items new"
    )
    click.echo(
        f"{worked.episodes} episodes closed; {worked.units} units distilled into {worked.notes} notes, "
        f"{worked.duplicates} said before, {worked.rejected} drafts rejected; "
        f"{worked.failed} units failed, {worked.parked} of them parked; {_waiting_text(held_up)}"
    )
    if worked.not_embedded:
        talk(f"not every note has a vector of the chosen provider: {harmless(worked.not_embedded)}")


def _waiting_text(held_up: HeldUp) -> str:
    parts = [f"{held_up.backing_off} backing off after a failure"] if held_up.backing_off else []
    parts += [f"{held_up.lent_out} lent out to a host"] if held_up.lent_out else []
    return f"{held_up.waiting} wait" + (f" ({', '.join(parts)})" if parts else "")


def _on_one_line(text: str) -> str:
    return harmless(excerpt(text, (), LONGEST_SHOWN)).rstrip(".")


def _tell_of(lease: Lease, *, as_json: bool) -> None:
    """Say who does the work already: that is no failure."""
    if as_json:
        print_json({"held_by": lease.holder, "since": lease.taken_at, "heartbeat_at": lease.heartbeat_at})
    else:
        click.echo(f"{harmless(lease.holder)} is at it since {lease.taken_at}; nothing to do here")


@contextmanager
def _unseen() -> Iterator[None]:
    """Be out of everybody's way; nobody reads what is said, so what fails is written in the hooks' log."""
    with suppress(OSError, AttributeError):
        os.nice(DETACHED_NICENESS)
    try:
        yield
    except Exception as error:
        log.failed(home(), "process", error.__cause__ or error, "process")
        raise


@process.command
@as_json_option
def status(*, as_json: bool) -> None:
    """Say what waits, what failed and is parked, who is at work, and when a unit was last distilled."""
    with memory() as opened:
        waiting = opened.episodes.waiting()
        failures = opened.distill_failures.list()
        lease = LeaseStore(opened.connection, opened.now).find(PROCESS)
        is_live = lease is not None and not lease.is_over(opened.now())
        last = opened.episodes.last_distilled_at()
    parked = sum(failure.parked_at is not None for failure in failures)
    found = {
        "waiting": {"episodes": waiting["episodes"], "raw_items": waiting["raw_items"]},
        "open_turns": waiting["turns"],
        "failing": len(failures) - parked,
        "parked": parked,
        "last_distilled_at": last,
        "held_by": lease.holder if lease and is_live else None,
        "since": lease.taken_at if lease and is_live else None,
    }
    if as_json:
        print_json(found)
        return
    click.echo(f"{waiting['episodes']} episodes and {waiting['raw_items']} other items wait to be distilled")
    click.echo(f"{waiting['turns']} turns are in no closed episode yet")
    click.echo(f"{len(failures) - parked} units failed and are tried again, {parked} are parked")
    click.echo(f"last distilled: {last or 'never'}")
    click.echo(
        f"at work: {harmless(lease.holder)} since {lease.taken_at}" if lease and is_live else "nobody is at work"
    )


@process.command
@click.argument("label", required=False)
@click.option("--all", "everything", is_flag=True, help="Every parked unit.")
@as_json_option
def unpark(label: str | None, *, everything: bool, as_json: bool) -> None:
    """Have the parked unit LABEL (E7, T78), or with --all each of them, tried again from the start."""
    if everything == bool(label):
        raise click.UsageError("name one unit, or give --all")
    key = key_of(label) if label else None
    if label and key is None:
        raise click.UsageError(f"'{label}' is no unit; units are named like E7 or T78")
    with memory() as opened:
        parked = [failure.key for failure in opened.distill_failures.list(parked=True)]
        wanted = [one for one in parked if everything or one == key]
        done = [one.label for one in wanted if opened.distill_failures.unpark(one, "person")]
    if key is not None and not done:
        raise Failure(f"'{key.label}' is not parked; 'agentrecall failures' names those that are")
    if as_json:
        print_json({"unparked": done})
    else:
        click.echo(f"unparked {', '.join(done)}" if done else "nothing is parked")


process.add_command(next_unit)
process.add_command(submit)
