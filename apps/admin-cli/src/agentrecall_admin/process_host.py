"""The host as judge: one unit of distilling work is handed out as JSON, and its notes are taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

import click

from agentrecall_admin.console import Failure, as_json_option, memory, print_json, project_here, talk
from agentrecall_domain.notes.answer import DistilAnswer, drafts_in
from agentrecall_domain.notes.deterministic_judge import DeterministicJudge
from agentrecall_domain.notes.distill_prompt import distill_prompt
from agentrecall_domain.notes.gate import refusal
from agentrecall_domain.notes.judge import Draft, InvalidAnswerError
from agentrecall_domain.notes.processing import process_unit
from agentrecall_domain.notes.unit import Unit, UnitKey, key_of
from agentrecall_domain.text.harmless import harmless
from agentrecall_domain.text.utc import stamp
from agentrecall_storage.episodes import UnitNotFoundError
from agentrecall_storage.handed_out import HandedOutStore
from agentrecall_storage.home import disabled
from agentrecall_storage.memory import Memory
from agentrecall_storage.processing import ProcessingStore, limits

HOST = "host"
MOST_BYTES = 1_000_000


class HostJudge(DeterministicJudge):
    """The host's agent, which has given its notes already. Notes are compared without it."""

    name = HOST

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self._drafts = drafts

    def distil(self, unit: Unit) -> Sequence[Draft]:  # noqa: ARG002 -- the judge's interface
        """What was handed in."""
        return self._drafts


@click.command("next")
@click.option("--all", "everywhere", is_flag=True, help="Work of every project.")
@as_json_option
def next_unit(*, everywhere: bool, as_json: bool) -> None:
    """Hand out one piece of this project's distilling work: what to read, and what to answer.

    For an agent that distils its own sessions: set the config value 'judge' to 'host'. The work stays handed out for
    15 minutes; hand its notes in with 'agentrecall process submit'.

    Example: agentrecall process next --json
    """
    if disabled():
        talk("AGENTRECALL_DISABLED is set; nothing is handed out")
        return
    with memory() as opened:
        opened.episodes.segment(opened.concepts, limits(opened))
        project_id = None if everywhere else opened.find_project(project_here())
        handed = HandedOutStore(opened.episodes).hand_out(project_id, everywhere=everywhere)
    if handed is None:
        if as_json:
            print_json({"unit": None})
        talk("nothing waits to be distilled")
        return
    unit, until = handed
    prompt = distill_prompt(unit)
    if as_json:
        told = {"unit": unit.label, "project": unit.project, "until": stamp(until)}
        print_json({**told, "prompt": prompt, "schema": DistilAnswer.model_json_schema()})
        return
    click.echo("\n".join(harmless(line) for line in prompt.split("\n")))
    talk(f"hand the answer in with: agentrecall process submit {unit.label} FILE")


@click.command()
@click.argument("label")
@click.argument("answer", type=click.File("rb"), default="-")
@as_json_option
def submit(label: str, answer: BinaryIO, *, as_json: bool) -> None:
    """Take back the notes of the unit LABEL (E7, T78) as JSON, from the file ANSWER or from stdin.

    They pass the same gates as those of any judge; what is kept out is told with its reason. An answer that cannot be
    used stores nothing: put it right and hand it in again.

    Example: agentrecall process submit E7 answer.json
    """
    key = key_of(label)
    if key is None:
        raise click.UsageError(f"'{label}' is no unit; units are named like E7 or T78")
    if disabled():
        talk("AGENTRECALL_DISABLED is set; nothing was stored")
        return
    if answer.isatty():
        talk("reading the answer from stdin; end it with Ctrl-D")
    printed = answer.read(MOST_BYTES + 1)
    if len(printed) > MOST_BYTES:
        raise Failure(f"the answer is over {MOST_BYTES:,} bytes; nothing was stored")
    with memory() as opened:
        found = _taken_back(opened, key, printed.decode("utf-8", "replace"))
    if as_json:
        print_json(found)
        return
    click.echo(f"{key.label}: {', '.join(found['notes']) or 'no notes'}")
    for one in found["rejected"]:
        talk(f"not stored, {one['rule']}: {harmless(one['title'])} ({harmless(one['detail'])})")


def _taken_back(opened: Memory, key: UnitKey, printed: str) -> dict[str, Any]:
    try:
        unit = opened.episodes.unit(*key)
    except UnitNotFoundError as error:
        raise Failure(f"there is no unit '{key.label}'; 'agentrecall process next' hands one out") from error
    if not opened.episodes.is_waiting(key):
        raise _finished(key)
    try:
        drafts = drafts_in(printed, unit)
    except InvalidAnswerError as error:
        raise Failure(f"the answer cannot be used, nothing was stored: {error}") from error
    done = process_unit(unit, HostJudge(drafts), ProcessingStore(opened))
    if not done.was_waiting:
        raise _finished(key)
    refused = [(draft, why) for draft in drafts if (why := refusal(draft, unit)) is not None]
    return {
        "unit": key.label,
        "notes": [f"N{note_id}" for note_id in done.notes],
        "rejected": [{"rule": why.rule, "detail": why.detail, "title": draft.title} for draft, why in refused],
    }


def _finished(key: UnitKey) -> Failure:
    return Failure(f"'{key.label}' does not wait: it is distilled already, or parked; nothing was stored")
