"""Failures: the units that could not be distilled, why, and when they are tried again."""

from __future__ import annotations

from typing import Any

import click

from agentrecall_admin.console import as_json_option, memory, print_json, talk
from agentrecall_domain.notes.failure import DistillFailure
from agentrecall_domain.notes.raw_words import excerpt
from agentrecall_domain.text.harmless import harmless
from agentrecall_domain.text.utc import stamp

LONGEST_SHOWN = 200


@click.command()
@click.option("--parked", is_flag=True, help="Only those that are tried no more until you say so.")
@as_json_option
def failures(*, parked: bool, as_json: bool) -> None:
    """Show which units could not be distilled, the last failure first, and what went wrong.

    A unit is parked after a number of errors of one class (config key 'distill_failure_cap'). 'agentrecall process
    unpark E7' or '--all' has it tried again. Exits 0 with or without failures.

    Example: agentrecall failures --parked
    """
    with memory() as opened:
        found = opened.distill_failures.list(parked=True if parked else None)
    if as_json:
        print_json([as_object(failure) for failure in found])
        return
    if not found:
        talk("nothing is parked" if parked else "nothing failed")
    for failure in found:
        click.echo(one_line(failure))
    if any(failure.parked_at for failure in found):
        talk("'agentrecall process unpark --all' has the parked ones tried again")


def as_object(failure: DistillFailure) -> dict[str, Any]:
    """A failure as `--json` prints it."""
    return {"unit": failure.key.label, **failure.model_dump(mode="json")}


def one_line(failure: DistillFailure) -> str:
    """A failure as a person reads it."""
    counts = {"judge not reached": failure.infrastructure_errors, "answer unusable": failure.content_errors}
    times = ", ".join(f"{count} times {what}" for what, count in counts.items() if count)
    return harmless(
        f"{failure.key.label}  {_standing(failure)}  ({times}): {excerpt(failure.last_error, (), LONGEST_SHOWN)}"
    )


def _standing(failure: DistillFailure) -> str:
    if failure.parked_at is not None:
        return f"parked {stamp(failure.parked_at)}"
    return f"again after {stamp(failure.retry_at)}" if failure.retry_at else "again at the next run"
