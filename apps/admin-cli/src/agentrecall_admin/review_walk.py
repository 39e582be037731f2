"""The review on a terminal: rule by rule is shown, beside the one that it may replace, and decided by a letter."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable

import click
from rich.table import Table

from agentrecall_admin.console import Failure, screen, talk
from agentrecall_admin.review_queue import Pair, approve, let_stand, pairs_of, queue, reject, take_place
from agentrecall_admin.rule_content import change, from_editor
from agentrecall_admin.rule_text import as_text, told, where
from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.rules.status import DEAD
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.memory import Memory

LETTERS = {
    "a": "approve",
    "p": "put it in the other's place",
    "k": "keep both",
    "e": "edit, then approve",
    "r": "reject",
    "s": "skip",
    "q": "quit",
}
WAITS, WAITS_PAIRED, IN_FORCE_PAIRED = "aersq", "pkersq", "pksq"
DONE = {"a": "approved", "p": "put in place", "k": "kept beside another", "e": "edited and approved", "r": "rejected"}

Ask = Callable[[str, str], str]
"""Asks a question to be answered by one of some letters."""


def ask(question: str, letters: str) -> str:
    """Ask on the terminal; its end is an answer too."""
    try:
        return str(click.prompt(question, type=click.Choice(list(letters)), show_choices=False))
    except click.Abort:
        return "q"


def walk(opened: Memory, answer: Ask = ask) -> None:
    """Walk what waits, oldest first; each decision is stored at once."""
    done: Counter[str] = Counter()
    items = queue(opened)
    if not items:
        talk("nothing waits for review here")
    for item in items:
        letter = _decide_on(opened, item.rule.id, answer, done)
        if letter == "q":
            break
    for what, times in done.items():
        talk(f"{times} {what}")


def _decide_on(opened: Memory, rule_id: int, answer: Ask, done: Counter[str]) -> str:
    """Show the rule until each question about it is answered; gives the last answer."""
    while True:
        rule = opened.find_rule(rule_id)
        if rule is None or rule.status in DEAD:
            return ""
        pair = next(iter(pairs_of(opened, rule)), None)
        if rule.is_in_force and pair is None:
            return ""
        _show(opened, rule, pair)
        letters = WAITS if pair is None else IN_FORCE_PAIRED if rule.is_in_force else WAITS_PAIRED
        letter = answer(", ".join(f"{one} {LETTERS[one]}" for one in letters), letters)
        if letter in "sq":
            return letter
        try:
            _carry_out(opened, letter, rule, pair)
        except click.ClickException as error:
            talk(error.format_message())
            continue
        done[DONE[letter]] += 1


def _carry_out(opened: Memory, letter: str, rule: Rule, pair: Pair | None) -> None:
    edited = from_editor(rule) if letter == "e" else {}
    with opened.writing():
        now = opened.find_rule(rule.id)
        other = None if pair is None else opened.find_rule(pair.other.id)
        if _shown_of(now) != _shown_of(rule) or (pair is not None and _shown_of(other) != _shown_of(pair.other)):
            raise Failure(f"'{rule.label}' or the rule beside it was changed meanwhile; look at them again")
        if letter == "p" and pair is not None:
            take_place(opened, rule, pair)
        elif letter == "k" and pair is not None:
            let_stand(opened, rule, pair)
        elif letter == "r":
            reject(opened, rule)
        else:
            approve(opened, change(opened, rule, edited))


def _shown_of(rule: Rule | None) -> object:
    """A rule but for what being shown to an agent changes meanwhile."""
    return rule and dataclasses.replace(rule, last_used_at=None)


def _show(opened: Memory, rule: Rule, pair: Pair | None) -> None:
    names = opened.project_names()
    if pair is None:
        click.echo(f"\n{as_text(rule, names)}\n")
        return
    click.echo(f"\n{rule.label} may {pair.kind} {pair.other.label}: {harmless(pair.why)}")
    table = Table(pad_edge=False)
    for heading in ("", f"{rule.label} {rule.status}", f"{pair.other.label} {pair.other.status}"):
        table.add_column(heading)
    for (name, new), (_, old) in zip(_parts(rule, names), _parts(pair.other, names), strict=True):
        if new or old:
            table.add_row(name, harmless(new), harmless(old))
    screen().print(table, soft_wrap=False)


def _parts(rule: Rule, names: dict[int, str]) -> list[tuple[str, str]]:
    return [
        ("title", rule.title),
        *told(rule),
        ("holds in", where(rule, names)),
        ("said", rule.evidence),
        ("tags", ", ".join(rule.tags)),
        ("confidence", f"{rule.confidence:.2f}"),
        ("since", f"{rule.created_at:%Y-%m-%d}"),
    ]
