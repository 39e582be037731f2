"""Concepts as a person looks at them and adds to them: what the words of a prompt and of a rule mean."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

import click

from agentrecall_admin.console import Failure, NumberRange, as_json_option, memory, print_json, screen, talk
from agentrecall_domain.text.concept_file import NAME, Concept, read
from agentrecall_domain.text.concept_graph import BACK, Graph, build
from agentrecall_domain.text.harmless import harmless
from agentrecall_domain.text.tokenizer import terms
from agentrecall_storage.files.own_concepts import OWN_FILE, Own, append, own, own_path, refresh, shipped_by_file
from agentrecall_storage.home import home

LISTED_FORMS = 6


@click.group()
def concepts() -> None:
    """Look at the concepts by which a rule is found in other words, and add your own.

    Yours lie in 'concepts.txt' in the memory's folder: edit it as you like.
    """


@concepts.command("list")
@as_json_option
def list_concepts(*, as_json: bool) -> None:
    """List every concept with the file that it stands in. What is wrong in your own file is said on stderr.

    Example: agentrecall concepts list --json
    """
    with _own() as mine:
        by_file = _by_file(mine)
    files = _files_of(by_file)
    merged: dict[str, list[str]] = {name: [] for name in files}
    for found in by_file.values():
        for concept in found:
            merged[concept.name] += [form for form in concept.forms if form not in merged[concept.name]]
    _tell_faults(mine)
    if as_json:
        print_json([{"name": name, "forms": merged[name], "files": files[name]} for name in sorted(files)])
        return
    from rich.table import Table  # noqa: PLC0415 -- twice a bare start, for those who print a table

    table = Table(box=None, pad_edge=False)
    for heading in ("concept", "file", "words"):
        table.add_column(heading, no_wrap=heading != "words")
    for name in sorted(files):
        forms = merged[name]
        more = ", ..." if len(forms) > LISTED_FORMS else ""
        table.add_row(name, ", ".join(files[name]), harmless(", ".join(forms[:LISTED_FORMS]) + more))
    screen().print(table)


@concepts.command()
@click.argument("name")
@as_json_option
def show(name: str, *, as_json: bool) -> None:
    """Show the concept NAME: its words, what is broader and narrower, what it has to do with, and its file.

    Example: agentrecall concepts show flaky-test
    """
    with _own() as mine:
        by_file = _by_file(mine)
    files = _files_of(by_file)
    if name not in files:
        raise Failure(f"there is no concept '{harmless(name)}'{_meant(name, files)}")
    found = _as_object(name, _graph(by_file), files)
    if as_json:
        print_json(found)
        return
    click.echo(name)
    for key, value in found.items():
        if key != "name" and value != []:
            click.echo(f"  {key.replace('_', '-')}: {harmless(_in_words(value))}")


@concepts.command()
@click.argument("name")
@click.option("--form", "forms", multiple=True, help="A word or words for it; again for more.")
@click.option("--is-a", "is_a", multiple=True, help="A broader concept.")
@click.option("--related", multiple=True, metavar='"NAME 0.5"', help="Another concept, and how near it is.")
@click.option("--telling", type=NumberRange(0, 1), help="How much it alone tells of a text's subject, 0 to 1.")
@as_json_option
def add(
    name: str,
    *,
    forms: tuple[str, ...],
    is_a: tuple[str, ...],
    related: tuple[str, ...],
    telling: float | None,
    as_json: bool,
) -> None:
    """Add the concept NAME to your own, or more to one that there is, and index every rule anew.

    Example: agentrecall concepts add deploy-freeze --form "code freeze" --form "no deploys" --related "deployment 0.6"
    """
    block = _block(name, forms, is_a, related, telling)
    wanted = _checked(name, block, forms)
    with _own() as mine:
        by_file = _by_file(mine)
    known = set(_files_of(by_file))
    _must_fit(wanted, known)
    after = build([*(one for found in by_file.values() for one in found), wanted])
    before = _graph(by_file).problems if after.problems else []
    refused = [problem for problem in after.problems if problem not in before]
    if refused:
        raise Failure(f"'{name}' does not fit, nothing is written: {harmless(refused[0])}")
    where = home()
    try:
        append(where, block)
        refresh(where)
    except OSError as error:
        raise Failure(f"cannot write '{own_path(where)}': {error.strerror}") from error
    # Opening a memory whose rules were indexed with another graph indexes them anew.
    with memory() as opened:
        rules = opened.counts()["rules"]
    with _own() as mine:
        _tell_faults(mine)
    if as_json:
        print_json(_as_object(name, after, _files_of(_by_file(mine))))
        return
    click.echo(f"{'added to' if name in known else 'added'} '{name}' in '{own_path(where)}'")
    talk(f"{rules} {'rule' if rules == 1 else 'rules'} indexed anew")


@concepts.command()
@as_json_option
def check(*, as_json: bool) -> None:
    """Say what is wrong in your own file, line by line. Exits 1 when anything is.

    Example: agentrecall concepts check
    """
    with _own() as mine:
        problems = _graph(_by_file(mine)).problems
    if as_json:
        faults = [{"line": fault.line, "problem": fault.problem} for fault in mine.faults]
        print_json({"file": own_path(home()), "faults": faults, "problems": problems})
    else:
        for line in (*_fault_lines(mine), *(harmless(f"{OWN_FILE}: {problem}") for problem in problems)):
            click.echo(line)
    if mine.faults or problems:
        raise click.exceptions.Exit(1)
    talk(f"nothing is wrong in '{own_path(home())}': {len(mine.concepts)} concepts of your own")


@contextmanager
def _own() -> Iterator[Own]:
    """The person's own concepts."""
    try:
        yield own(home())
    except OSError as error:
        raise Failure(f"cannot read '{own_path(home())}': {error.strerror}") from error


def _by_file(mine: Own) -> dict[str, list[Concept]]:
    """The concepts of each file, the person's own last."""
    return shipped_by_file() | ({OWN_FILE: mine.concepts} if mine.concepts else {})


def _graph(by_file: dict[str, list[Concept]]) -> Graph:
    return build(concept for found in by_file.values() for concept in found)


def _files_of(by_file: dict[str, list[Concept]]) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for file, found in by_file.items():
        for concept in found:
            files.setdefault(concept.name, []).append(file)
    return files


def _as_object(name: str, graph: Graph, files: dict[str, list[str]]) -> dict[str, Any]:
    """A concept as `--json` prints it; a relation that only the other one names weighs less."""
    concept = graph.concepts[name]
    named_by = {
        other.name: round(other.related[name] * BACK, 3) for other in graph.concepts.values() if name in other.related
    }
    related = {
        other: max(concept.related.get(other, 0.0), named_by.get(other, 0.0)) for other in {*concept.related, *named_by}
    }
    return {
        "name": name,
        "files": files.get(name, []),
        "telling": concept.telling,
        "is_a": concept.is_a,
        "narrower": sorted(other.name for other in graph.concepts.values() if name in other.is_a),
        "related": [
            {"name": other, "weight": weight}
            for other, weight in sorted(related.items(), key=lambda one: (-one[1], one[0]))
        ],
        "forms": concept.forms,
    }


def _in_words(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    return ", ".join(f"{one['name']} {one['weight']:g}" if isinstance(one, dict) else str(one) for one in value)


def _block(
    name: str, forms: tuple[str, ...], is_a: tuple[str, ...], related: tuple[str, ...], telling: float | None
) -> str:
    """The lines to be added."""
    lines = [f"{name}: {', '.join(_flat(forms))}".rstrip()]
    lines += [f"  is-a: {', '.join(_flat(is_a))}"] if is_a else []
    lines += [f"  related: {', '.join(_flat(related))}"] if related else []
    lines += [f"  telling: {round(telling, 3)}"] if telling is not None else []
    return "".join(f"{line}\n" for line in lines)


def _flat(parts: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(" ".join(part.split()) for part in parts))


def _checked(name: str, block: str, forms: tuple[str, ...]) -> Concept:
    """The concept that *block* is read back as.

    Raises:
        click.UsageError: It would not be read back as it was meant.
    """
    if NAME.fullmatch(name) is None:
        raise click.UsageError(f"'{harmless(name)}' is no name: lower-case words joined by hyphens")
    if block == f"{name}:\n":
        raise click.UsageError("nothing to add; give at least one --form")
    found = read(block)
    if found.faults:
        raise click.UsageError(harmless(found.faults[0].problem))
    if found.concepts[0].forms != _flat(forms):
        raise click.UsageError("a form is a word or a few, without a comma; give --form again for another")
    if block.encode("utf-8", "replace").decode() != block:
        raise click.UsageError("a form is no text that UTF-8 can hold")
    mute = [form for form in _flat(forms) if not terms(form)]
    if mute:
        raise click.UsageError(f"'{harmless(mute[0])}' holds no word that tells anything")
    return found.concepts[0]


def _must_fit(wanted: Concept, known: Collection[str]) -> None:
    """Hold what is to be added to the concepts that there are.

    Raises:
        Failure: It names one that there is not, or itself, or it is new and has no form.
    """
    for other in (*wanted.is_a, *wanted.related):
        if other == wanted.name:
            raise Failure(f"'{other}' cannot be broader than itself or related to itself, nothing is written")
        if other not in known:
            raise Failure(f"there is no concept '{other}', nothing is written{_meant(other, known)}")
    if wanted.name not in known and not wanted.forms:
        raise click.UsageError(f"'{wanted.name}' is new: give at least one --form")


def _meant(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(repr(one) for one in near)}?" if near else "; see 'agentrecall concepts list'"


def _fault_lines(mine: Own) -> list[str]:
    return [harmless(f"{OWN_FILE} line {fault.line}: {fault.problem}") for fault in mine.faults]


def _tell_faults(mine: Own) -> None:
    for line in _fault_lines(mine):
        talk(line)
