"""What a person does to the standing of rules: approve, archive, replace, mark, delete. All that are named, or none."""

from __future__ import annotations

from collections.abc import Iterable

import click

from agentrecall_admin.console import as_json_option, memory, print_json, project_here, talk
from agentrecall_admin.rule_text import RULE_ID, as_object, one_line, refusal, rule_argument, rule_of, rules_argument
from agentrecall_domain.rules.lifecycle import MOVES, IllegalMoveError, Move, after, check_delete, check_supersede
from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.rules.status import WAITING
from agentrecall_domain.text.scrub import scrub_up_to
from agentrecall_storage.memory import Memory

PERSON = "person"
LONGEST_REASON = 2000


def move(opened: Memory, rules: Iterable[Rule], how: Move, why: str = "") -> list[Rule]:
    """Move each of *rules* in the transaction that is open; what is there already stays as it is.

    Raises:
        Failure: One of them may not be moved so.
    """
    moved = []
    for rule in rules:
        try:
            status = after(how, rule.status)
        except IllegalMoveError as error:
            raise refusal(how, rule, error) from error
        stays = status is rule.status
        moved.append(rule if stays else opened.set_status(rule, status, PERSON, why, kind=MOVES[how].event))
    return moved


def waiting(opened: Memory, session: str) -> list[Rule]:
    """The rules that wait, oldest first: those of *session*, else of the current project and the global ones."""
    project_id = None if session else opened.find_project(project_here())
    found = opened.list_rules(project_id=project_id, everywhere=bool(session), statuses=WAITING)
    return [rule for rule in reversed(found) if session in ("", rule.session_uid)]


@click.command()
@click.argument("rule_ids", metavar="[RULE...]", type=RULE_ID, nargs=-1)
@click.option("--all-pending", is_flag=True, help="Every rule that waits here.")
@click.option("--session", default="", help="With --all-pending: only what this session captured.")
@as_json_option
def approve(rule_ids: tuple[int, ...], *, all_pending: bool, session: str, as_json: bool) -> None:
    """Bring each RULE that waits into force. One that is in force already stays as it is.

    Examples: agentrecall rules approve R12 R13, agentrecall rules approve --all-pending
    """
    _move(rule_ids, Move.APPROVE, all_pending=all_pending, session=session, as_json=as_json)


@click.command()
@click.argument("rule_ids", metavar="[RULE...]", type=RULE_ID, nargs=-1)
@click.option("--all-pending", is_flag=True, help="Every rule that waits here.")
@click.option("--session", default="", help="With --all-pending: only what this session captured.")
@as_json_option
def archive(rule_ids: tuple[int, ...], *, all_pending: bool, session: str, as_json: bool) -> None:
    """Take each RULE out of recall for good. Its text and history stay.

    Example: agentrecall rules archive R12 R13
    """
    _move(rule_ids, Move.ARCHIVE, all_pending=all_pending, session=session, as_json=as_json)


@click.command()
@rules_argument
@as_json_option
def promote(rule_ids: tuple[int, ...], *, as_json: bool) -> None:
    """Promote each RULE: it has proved itself. It is shown with more weight.

    Example: agentrecall rules promote R12
    """
    _move(rule_ids, Move.PROMOTE, as_json=as_json)


@click.command("report-bad")
@rule_argument
@click.option("--reason", default="", help="What is wrong with it; kept in the ledger.")
@as_json_option
def report_bad(rule_id: int, *, reason: str, as_json: bool) -> None:
    """Archive RULE because it is wrong or does harm. The ledger tells it apart from one that is no longer needed.

    Example: agentrecall rules report-bad R12 --reason "the wrapper is gone"
    """
    with memory() as opened:
        with opened.writing():
            moved = move(
                opened, [rule_of(opened, rule_id)], Move.REPORT_BAD, scrub_up_to(reason.strip(), LONGEST_REASON)
            )
        names = opened.project_names()
    if as_json:
        print_json(as_object(moved[0], names))
    else:
        click.echo(one_line(moved[0]))


@click.command()
@click.argument("old_id", metavar="OLD", type=RULE_ID)
@click.argument("new_id", metavar="NEW", type=RULE_ID)
@as_json_option
def supersede(old_id: int, new_id: int, *, as_json: bool) -> None:
    """Put the rule NEW in the place of OLD. NEW is in force; both stay, linked to each other.

    Example: agentrecall rules supersede R3 R12
    """
    with memory() as opened:
        with opened.writing():
            old, new = rule_of(opened, old_id), rule_of(opened, new_id)
            try:
                check_supersede(opened, old, new)
            except IllegalMoveError as error:
                raise refusal("supersede", old, error) from error
            opened.put_in_place(old, new, PERSON)
        old, new, names = opened.get_rule(old_id), opened.get_rule(new_id), opened.project_names()
    if as_json:
        print_json({"superseded": as_object(old, names), "by": as_object(new, names)})
    else:
        click.echo(f"{one_line(old)}\n{one_line(new)}")


@click.command()
@rule_argument
@click.option("--force", is_flag=True, help="Also a rule in force.")
@as_json_option
def delete(rule_id: int, *, force: bool, as_json: bool) -> None:
    """Remove RULE with its history. The ledger keeps that it was there; no undo brings it back.

    Example: agentrecall rules delete R12
    """
    with memory() as opened, opened.writing():
        rule = rule_of(opened, rule_id)
        try:
            check_delete(rule, force=force)
        except IllegalMoveError as error:
            raise refusal("delete", rule, error) from error
        opened.delete(rule, PERSON)
    if as_json:
        print_json({"label": rule.label, "id": rule.id, "uid": rule.uid, "deleted": True})
    else:
        click.echo(f"deleted {rule.label}")


@click.command()
@rules_argument
@as_json_option
def pin(rule_ids: tuple[int, ...], *, as_json: bool) -> None:
    """Pin each RULE. It is shown before others of its weight, and compression leaves it alone.

    Example: agentrecall rules pin R12
    """
    _mark(rule_ids, pinned=True, as_json=as_json)


@click.command()
@rules_argument
@as_json_option
def unpin(rule_ids: tuple[int, ...], *, as_json: bool) -> None:
    """Take the pin off each RULE.

    Example: agentrecall rules unpin R12
    """
    _mark(rule_ids, pinned=False, as_json=as_json)


@click.command()
@rules_argument
@as_json_option
def mute(rule_ids: tuple[int, ...], *, as_json: bool) -> None:
    """Mute each RULE. It stays as it is, and the agent is not shown it.

    Example: agentrecall rules mute R12
    """
    _mark(rule_ids, muted=True, as_json=as_json)


@click.command()
@rules_argument
@as_json_option
def unmute(rule_ids: tuple[int, ...], *, as_json: bool) -> None:
    """Let the agent be shown each RULE again.

    Example: agentrecall rules unmute R12
    """
    _mark(rule_ids, muted=False, as_json=as_json)


COMMANDS = (approve, archive, promote, report_bad, supersede, delete, pin, unpin, mute, unmute)


def _move(rule_ids: tuple[int, ...], how: Move, *, as_json: bool, all_pending: bool = False, session: str = "") -> None:
    if bool(rule_ids) == all_pending:
        raise click.UsageError(
            "name the rules, or give --all-pending" if not rule_ids else "--all-pending names no rules"
        )
    if session and not all_pending:
        raise click.UsageError("--session goes with --all-pending")
    with memory() as opened:
        with opened.writing():
            rules = waiting(opened, session) if all_pending else _named(opened, rule_ids)
            moved = move(opened, rules, how)
        names = opened.project_names()
    _answer(moved, names, as_json=as_json)


def _mark(rule_ids: tuple[int, ...], *, as_json: bool, pinned: bool | None = None, muted: bool | None = None) -> None:
    with memory() as opened:
        with opened.writing():
            marked = [opened.mark(rule, PERSON, pinned=pinned, muted=muted) for rule in _named(opened, rule_ids)]
        names = opened.project_names()
    _answer(marked, names, as_json=as_json)


def _named(opened: Memory, rule_ids: tuple[int, ...]) -> list[Rule]:
    return [rule_of(opened, rule_id) for rule_id in dict.fromkeys(rule_ids)]


def _answer(rules: list[Rule], names: dict[int, str], *, as_json: bool) -> None:
    if as_json:
        print_json([as_object(rule, names) for rule in rules])
        return
    if not rules:
        talk("no rule waits here")
    for rule in rules:
        click.echo(one_line(rule))
