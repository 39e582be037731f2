"""What happened to a rule or a note: its versions and its rows in the ledger, as one history, for both."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from agentrecall_domain.text.harmless import harmless

State = dict[str, Any]


def changes(
    versions: list[State],
    events: Iterable[State],
    now: State,
    *,
    not_said: Collection[str],
    named: Callable[[State], str],
) -> list[State]:
    """Everything that happened, oldest first, each change with the parts that it changed, but for those *not_said*.

    *now* is the state as it is, and *named* says in words what a row of the ledger is about that changed nothing.
    """
    states = [_said(row["state"], not_said) for row in versions] + [_said(now, not_said)]
    changed = {
        row["version"]: {"version": row["version"], "change": row["change"], "fields": _fields(before, after)}
        for row, before, after in zip(versions, states, states[1:], strict=False)
    }
    found: list[State] = []
    for event in events:
        version = changed.pop(event["details"].get("version"), None)
        change = version or {"version": None, "change": named(event), "fields": []}
        found.append({"at": event["at"], "actor": event["actor"], "kind": event["kind"], **change})
    at = {row["version"]: row["changed_at"] for row in versions}
    for number, change in changed.items():
        # A change of an older program: its row in the ledger does not say which version it made.
        place = next((index for index, row in enumerate(found) if (row["version"] or 0) > number), len(found))
        found.insert(place, {"at": at[number], "actor": "", "kind": "", **change})
    return found


def lines_of(change: State) -> list[str]:
    """A change as a person reads it: who made it and when, and below it what it was before."""
    version = f", version {change['version']}" if change["version"] else ""
    head = f"{change['at']}  {change['actor'] or 'unknown'}{version}: {change['change']}"
    told = [
        f"    {field['field']}: {_shown(field['before'])} -> {_shown(field['after'])}" for field in change["fields"]
    ]
    return [harmless(head), *told]


def _fields(before: State, after: State) -> list[State]:
    return [
        {"field": name, "before": before.get(name), "after": value}
        for name, value in after.items()
        if before.get(name) != value
    ]


def _said(state: State, not_said: Collection[str]) -> State:
    return {name: value for name, value in state.items() if name not in not_said}


def _shown(value: Any) -> str:
    if value in (None, "", []):
        return "nothing"
    return harmless(", ".join(map(str, value)) if isinstance(value, list) else str(value))
