"""The review on a terminal: rule by rule is shown, beside the one that it may replace, and decided by a letter."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click
from rich.table import Table

from agentrecall_admin import review_notes
from agentrecall_admin.console import Failure, screen, talk
from agentrecall_admin.review_notes import NotePair
from agentrecall_admin.review_queue import Pair, approve, let_stand, pairs_of, queue, reject, take_place
from agentrecall_admin.rule_content import change, from_editor
from agentrecall_admin.rule_text import as_text, told, where
from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.rules.status import DEAD
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.memory import Memory

if TYPE_CHECKING:
    from agentrecall_domain.notes.note import Note
    from agentrecall_domain.rules.lesson_candidate import LessonCandidate

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
NOTES_PAIRED, LESSON = "pksq", "arsq"
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
    items, pairs, lessons = queue(opened), review_notes.pairs(opened), review_notes.lessons(opened)
    if not items and not pairs and not lessons:
        talk("nothing waits for review here")
    questions: list[Callable[[], str]] = [
        *(partial(_decide_on, opened, item.rule.id, answer, done) for item in items),
        *(partial(_decide_on_pair, opened, pair, answer, done) for pair in pairs),
        *(partial(_decide_on_lesson, opened, candidate, answer, done) for candidate in lessons),
    ]
    for question in questions:
        if question() == "q":
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
        letter = _asked(answer, letters)
        if letter in "sq":
            return letter
        try:
            _carry_out(opened, letter, rule, pair)
        except click.ClickException as error:
            talk(error.format_message())
            continue
        done[DONE[letter]] += 1


def _decide_on_pair(opened: Memory, pair: NotePair, answer: Ask, done: Counter[str]) -> str:
    """Show two notes and ask which of them stand; gives the answer."""
    click.echo(f"\n{review_notes.pair_line(pair)}\n    {harmless(pair.other.body)}\n    {harmless(pair.note.body)}")
    letter = _asked(answer, NOTES_PAIRED)
    if letter in "sq":
        return letter
    with opened.writing():
        if _as_said(opened, pair.note) and _as_said(opened, pair.other):
            (review_notes.take_place if letter == "p" else review_notes.let_stand)(opened, pair)
            done[DONE[letter]] += 1
        else:
            talk(f"'{pair.note.label}' or the note beside it was changed meanwhile; look at them again")
    return letter


def _decide_on_lesson(opened: Memory, candidate: LessonCandidate, answer: Ask, done: Counter[str]) -> str:
    """Show a lesson and ask whether it becomes a rule; gives the answer."""
    click.echo(f"\n{review_notes.lesson_line(candidate)}")
    letter = _asked(answer, LESSON)
    if letter in "sq":
        return letter
    try:
        (review_notes.accept if letter == "a" else review_notes.reject)(opened, candidate.id or 0)
        done[DONE[letter]] += 1
    except click.ClickException as error:
        talk(error.format_message())
    return letter


def _asked(answer: Ask, letters: str) -> str:
    return answer(", ".join(f"{one} {LETTERS[one]}" for one in letters), letters)


def _as_said(opened: Memory, note: Note) -> bool:
    """Whether the note is as it was shown."""
    now = opened.notes.get(note.id)
    return (now.version, now.status) == (note.version, note.status)


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
