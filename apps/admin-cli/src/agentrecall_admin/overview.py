"""The memory at a glance: `init` makes it, `status` says what is in it."""

from __future__ import annotations

import os
from pathlib import Path

import click

from agentrecall_admin.console import as_json_option, memory, print_json, screen
from agentrecall_domain.turns.batch import Excluded
from agentrecall_storage.engine import sqlite
from agentrecall_storage.files import spool
from agentrecall_storage.files.exclusions import ExclusionsUnreadableError
from agentrecall_storage.home import database_path, disabled, home
from agentrecall_storage.memory import Memory
from agentrecall_storage.places import Places


@click.command()
@as_json_option
def init(*, as_json: bool) -> None:
    """Make the memory, or leave it as it is when there is one.

    The folder is readable by you alone. Wire a coding agent to it with 'agentrecall setup claude-code'.
    """
    path = Path(database_path(home()))
    is_new = not path.exists()
    with memory():
        pass
    if as_json:
        print_json({"path": str(path), "created": is_new})
        return
    click.echo(f"{'made' if is_new else 'found'} {path}")


@click.command()
@as_json_option
def status(*, as_json: bool) -> None:
    """Say what the memory holds, and when something was last captured.

    Makes nothing: without a memory all counts are zero.
    """
    found = _status()
    if as_json:
        print_json(found)
        return
    console = screen()
    console.print(f"memory      {found['path']}" + ("" if found["exists"] else "  (not made yet: 'agentrecall init')"))
    console.print(f"engine      SQLite {found['sqlite']}, journal {found['journal']}")
    console.print(f"captured    {found['turns']} turns, {found['raw_items']} raw items, {found['sessions']} sessions")
    console.print(f"rules       {found['rules']}  {_by_status(found)}".rstrip())
    console.print(f"notes       {found['notes']}, from {found['episodes']} episodes")
    console.print(f"distilling  {_of_units(found)}")
    console.print(f"injections  {found['injections']}")
    console.print(f"last        {found['last_captured_at'] or 'nothing captured yet'}")
    if found["excluded_here"]:
        console.print("here        excluded: nothing is captured or recalled in this folder")
    if found["disabled"]:
        console.print("hooks       switched off by AGENTRECALL_DISABLED")
    if found["spooled"]:
        console.print(
            f"spooled     {found['spooled']} (stored by the next session's start, or by 'agentrecall process')"
        )


def _status() -> dict[str, object]:
    path = Path(database_path(home()))
    found: dict[str, object] = {
        "path": str(path),
        "exists": path.exists(),
        "sqlite": sqlite.sqlite_version,
        "journal": "none",
        "spooled": len(spool.entries(home())),
        "excluded_here": _is_excluded_here(),
        "disabled": disabled(),
    }
    if not os.path.lexists(path):
        tables = ("projects", "sessions", "turns", "raw_items", "episodes", "notes", "rules", "injections")
        units = {"units_waiting": 0, "units_parked": 0, "last_distilled_at": None}
        return found | dict.fromkeys(tables, 0) | units | {"rules_by_status": {}, "last_captured_at": None}
    with memory() as opened:
        found["journal"] = str(opened.connection.execute("PRAGMA journal_mode").fetchone()[0])
        return found | {
            **opened.counts(),
            "rules_by_status": opened.rule_counts(),
            "last_captured_at": opened.last_captured_at(),
            "units_waiting": _waiting(opened),
            "units_parked": len(opened.distill_failures.list(parked=True)),
            "last_distilled_at": opened.episodes.last_distilled_at(),
        }


def _waiting(opened: Memory) -> int:
    waiting = opened.episodes.waiting()
    return waiting["episodes"] + waiting["raw_items"]


def _is_excluded_here() -> bool:
    try:
        return isinstance(Places(home()).project_at(str(Path.cwd())), Excluded)
    except ExclusionsUnreadableError:
        return True


def _of_units(found: dict[str, object]) -> str:
    waiting = f"{found['units_waiting']} units wait"
    parked = f", {found['units_parked']} are parked ('agentrecall failures')" if found["units_parked"] else ""
    return f"{waiting}{parked}; last {found['last_distilled_at'] or 'never'}"


def _by_status(found: dict[str, object]) -> str:
    counts = found["rules_by_status"]
    if not isinstance(counts, dict) or not counts:
        return ""
    return "(" + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) + ")"
