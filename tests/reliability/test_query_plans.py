"""Every statement that a hook can send, and how the engine would answer it."""

from __future__ import annotations

import ast
import inspect
import re
from types import ModuleType

import pytest

from agentrecall_storage import finalizations, hot, hot_notes, raw_items, starting, turn_summaries
from agentrecall_storage.memory import Memory

MODULES = (hot, hot_notes, raw_items, finalizations, starting, turn_summaries)
VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE")
FEW = {"SCAN found"}
"""What an inner question has found, of which a limit leaves at most forty."""
TRANSACTIONS = {"BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"}


def statements() -> dict[str, str]:
    """The statements that the hot modules keep as constants, by name."""
    return {
        name: value
        for module in MODULES
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, str) and value.lstrip().startswith(VERBS)
    }


def parameters(statement: str) -> dict[str, int] | list[int]:
    named = re.findall(r":(\w+)", statement)
    return dict.fromkeys(named, 1) if named else [1] * statement.count("?")


def executed(module: ModuleType) -> list[ast.expr]:
    """What is handed to every `execute` in *module*."""
    return [
        node.args[0]
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "").startswith("execute")
    ]


def is_transaction(argument: ast.expr) -> bool:
    return isinstance(argument, ast.Constant) and argument.value in TRANSACTIONS


@pytest.mark.parametrize("name", statements())
def test_a_hot_statement_is_answered_by_an_index(memory: Memory, name: str) -> None:
    statement = statements()[name]

    plan = memory.connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters(statement)).fetchall()

    steps = [row[3] for row in plan if "VIRTUAL TABLE INDEX" not in row[3] and "CONSTANT ROW" not in row[3]]
    assert [step for step in steps if step.startswith("SCAN") and step not in FEW] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_hot_module_sends_constants_alone(module: ModuleType) -> None:
    known = statements()

    loose = [
        ast.unparse(argument)
        for argument in executed(module)
        if not is_transaction(argument) and not (isinstance(argument, ast.Name) and argument.id in known)
    ]

    assert loose == []


def test_the_statements_are_found() -> None:
    """A test over an empty list says nothing."""
    sent = {argument.id for module in MODULES for argument in executed(module) if isinstance(argument, ast.Name)}

    assert len(sent) > 25
    assert sent <= statements().keys()
