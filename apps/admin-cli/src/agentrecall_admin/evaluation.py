"""Eval: a labelled set through the product's own recall, in a memory that is thrown away."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from agentrecall_admin.console import Failure, as_json_option, now, print_json, screen, talk
from agentrecall_domain.effectiveness.evaluation import Answered, Figures, answer, by_group, figures, missed
from agentrecall_domain.effectiveness.labelled_set import (
    Kind,
    LabelledRule,
    LabelledSet,
    MalformedSetError,
    Scenario,
    parse,
)
from agentrecall_domain.recall.injection import Asked
from agentrecall_domain.recall.moments import at_file, at_prompt
from agentrecall_domain.rules.rule import ScopeLevel
from agentrecall_domain.turns.batch import Project
from agentrecall_storage.memory import Memory, open_memory

HALVES = {"even": 0, "odd": 1}


@click.command("eval")
@click.option("--dataset", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The set.")
@click.option("--half", type=click.Choice(sorted(HALVES)), help="Only scenarios with even, or with odd, ids.")
@click.option("--misses", is_flag=True, help="Also list each scenario that went wrong.")
@as_json_option
def evaluate(dataset: Path, *, half: str | None, misses: bool, as_json: bool) -> None:
    """Run every scenario of a labelled set through recall and say how well it did.

    The memory is a throw-away one; yours is not touched. Exits 1 when a figure is under the set's own baseline.
    """
    try:
        labelled = parse(dataset.read_bytes())
    except MalformedSetError as error:
        raise Failure(f"'{dataset}' is no labelled set: {error}") from error
    with throw_away(labelled) as recalled:
        answers = [one for one in answer(labelled, recalled.shown) if half is None or _is_of(one.scenario, half)]
    overall, groups = figures(answers), by_group(answers)
    wrong = [_as_object(one) for one in answers if _is_wrong(one)]
    under = missed(overall, labelled.baseline)
    if as_json:
        result = {"overall": overall._asdict(), "groups": {name: one._asdict() for name, one in groups.items()}}
        print_json(result | {"under_baseline": under} | ({"misses": wrong} if misses else {}))
    else:
        _print_table({"overall": overall, **groups})
        for row in wrong if misses else ():
            click.echo(f"{row['id']}: expected {row['expected']}, shown {row['shown']}")
        for line in under:
            talk(line)
    if under:
        raise click.exceptions.Exit(1)


class ThrowAway:
    """A memory that holds the rules of a labelled set and nothing else."""

    def __init__(self, memory: Memory, labelled: LabelledSet) -> None:
        self.memory = memory
        self.projects: dict[str, int] = {}
        self.keys: dict[int, str] = {}
        for rule in labelled.rules:
            self._keep(rule)

    def shown(self, scenario: Scenario) -> list[str]:
        """The keys of the rules that recall shows for *scenario*, best first."""
        asked = Asked(
            moment=scenario.kind,
            session_uid="",
            agent_id="",
            prompt_id="",
            key="",
            query=scenario.text if scenario.kind is Kind.EDIT else scenario.prompt,
            source="eval",
            transcript_path="",
            at=0.0,
        )
        project_id = self._project(scenario.repository)
        if scenario.kind is Kind.EDIT:
            injection = at_file(self.memory.hot, asked, project_id, scenario.file_path)
        else:
            injection = at_prompt(self.memory.hot, asked, project_id)
        ranked = sorted(injection.shown, key=lambda one: -one.score)
        return [self.keys[one.candidate.id] for one in ranked]

    def _keep(self, rule: LabelledRule) -> None:
        project_id = self._project(rule.project)
        value = rule.scope_value
        if rule.scope_level is ScopeLevel.REPOSITORY and project_id is not None:
            value = self.memory.project_uid(project_id)
        stored = self.memory.add_rule(rule.content(value), rule.status, project_id, "eval")
        self.keys[stored.id] = rule.key

    def _project(self, name: str) -> int | None:
        if not name:
            return None
        if name not in self.projects:
            self.projects[name] = self.memory.record_project(Project(name, "", [("name", name)]))
        return self.projects[name]


@contextmanager
def throw_away(labelled: LabelledSet) -> Iterator[ThrowAway]:
    """A memory with the rules of *labelled*, gone again afterwards."""
    with tempfile.TemporaryDirectory(prefix="agentrecall-eval-") as folder, open_memory(folder, now) as memory:
        with memory.writing():
            pass
        yield ThrowAway(memory, labelled)


def _is_of(scenario: Scenario, half: str) -> bool:
    return str(scenario.id).isdecimal() and int(scenario.id) % 2 == HALVES[half]


def _is_wrong(one: Answered) -> bool:
    return (
        bool(one.shown)
        if one.scenario.is_negative
        else one.shown[:1] == () or one.shown[0] not in one.scenario.expected
    )


def _as_object(one: Answered) -> dict[str, Any]:
    return {
        "id": one.scenario.id,
        "group": one.scenario.group,
        "expected": list(one.scenario.expected),
        "shown": list(one.shown),
    }


def _print_table(rows: dict[str, Figures]) -> None:
    from rich.table import Table  # noqa: PLC0415 -- only for those who read it on a screen

    table = Table(box=None, pad_edge=False)
    for heading in ("", "scenarios", "P@1", "P@3", "R@5", "MRR", "quiet"):
        table.add_column(heading, justify="left" if not heading else "right")
    for name, found in rows.items():
        scenarios, *values = found
        table.add_row(name, str(scenarios), *("" if value is None else f"{value:.3f}" for value in values))
    screen().print(table)
