"""Review: what waits for a person's word, decided one by one on a terminal, or by option in a script."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import click

from agentrecall_admin import review_notes
from agentrecall_admin.console import Failure, as_json_option, memory, print_json, talk
from agentrecall_admin.review_queue import Item, approve, keep_both, queue, reject, replace
from agentrecall_admin.rule_changes import waiting
from agentrecall_admin.rule_text import as_object, one_line, rule_of
from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.memory import Memory

DECISIONS = {"approve": approve, "reject": reject, "replace": replace, "keep_both": keep_both}
ON_NOTES = {
    "approve": review_notes.let_supersede,
    "replace": review_notes.let_supersede,
    "reject": review_notes.keep_both,
    "keep_both": review_notes.keep_both,
}
ON_LESSONS: dict[str, Callable[[Memory, int], Any]] = {"approve": review_notes.accept, "reject": review_notes.reject}


class Named(NamedTuple):
    """What a person decides on: a rule, the newer note of a pair, or a lesson."""

    letter: str
    id: int

    def __str__(self) -> str:
        """It as people write it: `R12`, `N34`, `L5`."""
        return f"{self.letter}{self.id}"


class NamedType(click.ParamType[Named]):
    """A rule, a note or a lesson that waits, as people write it: `R12`, `N34`, `L5`; a number alone is a rule."""

    name = "what waits"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Named:
        """Read the id, or fail as wrong usage."""
        found = re.fullmatch(r"([RNL#]?)([0-9]{1,18})", str(value).upper())
        if found is None:
            self.fail(f"'{value}' is no rule id; write it as R12, a note as N34, a lesson as L5", param, ctx)
        return Named(found[1].replace("#", "") or "R", int(found[2]))


NAMED = NamedType()


@click.command()
@click.option("--list", "listed", is_flag=True, help="Only show what waits.")
@click.option("--approve", multiple=True, type=NAMED, metavar="ID", help="Bring this rule, or a lesson's, into force.")
@click.option("--reject", multiple=True, type=NAMED, metavar="ID", help="Archive this rule, or reject this lesson.")
@click.option("--replace", multiple=True, type=NAMED, metavar="ID", help="Put this rule or note in the other's place.")
@click.option("--keep-both", multiple=True, type=NAMED, metavar="ID", help="Let this rule or note and the other stand.")
@click.option("--approve-all", is_flag=True, help="Bring every rule that waits here into force.")
@click.option("--reject-all", is_flag=True, help="Archive every rule that waits here.")
@click.option("--session", default="", help="With --approve-all or --reject-all: only what this session captured.")
@as_json_option
def review(
    *, listed: bool, approve_all: bool, reject_all: bool, session: str, as_json: bool, **named: tuple[Named, ...]
) -> None:
    """Decide on the rules and lessons that wait, and on rules and notes that may take the place of another.

    ID is a rule (R12), the newer note of a pair (N34: to approve it is to put it in the other's place, to reject it
    keeps both) or a lesson (L5). All options are carried out together, or none.

    Without an option it asks on a terminal, one by one; where there is no terminal it lists what waits.

    Examples: agentrecall review, agentrecall review --approve R12 --reject L5
    """
    _check(named, is_for_all=approve_all + reject_all, session=session, listed=listed)
    if any(named.values()) or approve_all or reject_all:
        _decide(
            named, to_all="approve" if approve_all else "reject" if reject_all else "", session=session, as_json=as_json
        )
    elif listed or as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _list(as_json=as_json)
    else:
        from agentrecall_admin.review_walk import walk  # noqa: PLC0415 -- a terminal's tables, for those who have one

        with memory() as opened:
            walk(opened)


def _check(named: dict[str, tuple[Named, ...]], *, is_for_all: int, session: str, listed: bool) -> None:
    """Refuse what contradicts itself, before anything is read."""
    ids = [one for which in named.values() for one in set(which)]
    twice = [one for one in ids if ids.count(one) > 1]
    if twice:
        raise click.UsageError(f"'{twice[0]}' is decided twice")
    if is_for_all > 1 or (is_for_all and ids):
        raise click.UsageError("--approve-all and --reject-all decide everything; give one of them and name no rule")
    if session and not is_for_all:
        raise click.UsageError("--session goes with --approve-all or --reject-all")
    if listed and (is_for_all or ids):
        raise click.UsageError("--list decides nothing; leave it out")


def _decide(named: dict[str, tuple[Named, ...]], *, to_all: str, session: str, as_json: bool) -> None:
    """Carry out every decision in one transaction."""
    decided: list[Rule] = []
    others: list[tuple[str, dict[str, Any]]] = []
    with memory() as opened:
        with opened.writing():
            for verb, which in named.items():
                ids = list(dict.fromkeys(which))
                decided += [DECISIONS[verb](opened, rule_of(opened, one.id)) for one in ids if one.letter == "R"]
                others += [_decided_note(opened, verb, one.id) for one in ids if one.letter == "N"]
                others += [_decided_lesson(opened, verb, one) for one in ids if one.letter == "L"]
            if to_all:
                decided += [DECISIONS[to_all](opened, rule) for rule in waiting(opened, session)]
        names = opened.project_names()
        open_pairs = {flag["rule_id"] for flag in opened.open_flags()}
    if as_json:
        print_json([*(as_object(rule, names) for rule in decided), *(found for _, found in others)])
        return
    if not decided and not others:
        talk("no rule waits here")
    for rule in decided:
        click.echo(one_line(rule))
        if rule.id in open_pairs and rule.is_in_force:
            talk(f"{rule.label} may take the place of another rule; 'agentrecall review' shows both")
    for line, _ in others:
        click.echo(line)


def _decided_note(opened: Memory, verb: str, note_id: int) -> tuple[str, dict[str, Any]]:
    """Decide on the pairs of a newer note; gives the note in a line, and as an object."""
    note = ON_NOTES[verb](opened, note_id)
    return f"{note.label} {note.status}  {harmless(note.title)}", review_notes.note_object(note)


def _decided_lesson(opened: Memory, verb: str, one: Named) -> tuple[str, dict[str, Any]]:
    """Decide on a lesson; gives what became of it in a line, and as an object.

    Raises:
        Failure: It can be approved or rejected, and nothing else.
    """
    if verb not in ON_LESSONS:
        raise Failure(f"'{one}' is a lesson, which takes no other's place; approve or reject it")
    ON_LESSONS[verb](opened, one.id)
    candidate = opened.lesson_candidates.get(one.id)
    return f"{one} {candidate.status}  {harmless(candidate.title)}", review_notes.lesson_object(candidate)


def _list(*, as_json: bool) -> None:
    with memory() as opened:
        items, names = queue(opened), opened.project_names()
        pairs, lessons = review_notes.pairs(opened), review_notes.lessons(opened)
    if as_json:
        print_json(
            [
                *(_as_object(item, names) for item in items),
                *map(review_notes.pair_object, pairs),
                *map(review_notes.lesson_object, lessons),
            ]
        )
        return
    if not items and not pairs and not lessons:
        talk("nothing waits for review here")
    for item in items:
        click.echo(one_line(item.rule))
        for pair in item.pairs:
            click.echo(f"    may {pair.kind} {one_line(pair.other)}  ({harmless(pair.why)})")
    for line in (*map(review_notes.pair_line, pairs), *map(review_notes.lesson_line, lessons)):
        click.echo(line)


def _as_object(item: Item, names: dict[int, str]) -> dict[str, Any]:
    pairs = [{"kind": pair.kind, "other": as_object(pair.other, names), "why": pair.why} for pair in item.pairs]
    return {"rule": as_object(item.rule, names), "flags": pairs}
