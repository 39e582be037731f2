"""Notes for the tests of what compares and stores them, and the files of labelled pairs."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from agentrecall_domain.notes.duplicate import judge
from agentrecall_domain.notes.judge import Draft, NoteVerdict
from agentrecall_domain.notes.note import Note, NoteContent, NoteType, Source
from agentrecall_domain.notes.unit import Unit
from agentrecall_storage.memory import Memory

FOLDER = Path(__file__).parent
NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def content(title: str, body: str = "", *, after: int = 0, **parts: Any) -> NoteContent:
    """What a note says, said *after* so many minutes; an empty body repeats the title."""
    values: dict[str, Any] = {
        "type": NoteType.DECISION,
        "title": title,
        "body": body or f"{title}.",
        "importance": 0.5,
        "confidence": 0.6,
        "valid_from": NOW + timedelta(minutes=after),
    }
    return NoteContent(**(values | parts))


def stored(memory: Memory, said: NoteContent, project_id: int | None = None, **more: Any) -> Note:
    """A note, stored."""
    values: dict[str, Any] = {"episode_id": None, "judge": "deterministic", "sources": (), "actor": "test"}
    return memory.notes.add(said, project_id=project_id, **(values | more))


def a_project(memory: Memory, name: str = "shop") -> int:
    """A project that the memory knows; gives its id."""
    memory.connection.execute(
        "INSERT INTO projects(uid, name, root, created_at) VALUES (?, ?, ?, '2026-11-02T08:00:00Z')",
        (name, name, f"/{name}"),
    )
    return int(memory.connection.execute("SELECT id FROM projects WHERE uid = ?", (name,)).fetchone()[0])


def pairs(name: str) -> list[tuple[int, str, NoteContent, NoteContent]]:
    """The pairs of a file: id, label, the note that lives, the new one."""
    cases = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return [(case["id"], case["verdict"], _said(case["old"]), _said(case["new"])) for case in cases]


def _said(parts: dict[str, str]) -> NoteContent:
    return NoteContent(
        type=NoteType(parts["type"]),
        title=parts["title"],
        body=parts["body"],
        importance=0.5,
        confidence=0.6,
        valid_from=datetime.fromisoformat(parts["valid_from"]),
    )


def everything(memory: Memory) -> dict[str, list[Any]]:
    """Every row of every table."""
    tables = memory.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%voc%'")
    return {name: memory.connection.execute(f"SELECT * FROM {name}").fetchall() for (name,) in tables.fetchall()}  # noqa: S608 -- names of ours


class ScriptedJudge:
    """A judge that says one thing of every pair, and tells what it was asked."""

    name = "scripted"

    def __init__(self, verdict: NoteVerdict | None = None) -> None:
        self.verdict = verdict
        self.asked: list[tuple[str, str]] = []

    def distil(self, unit: Unit) -> list[Draft]:  # noqa: ARG002 -- the judge's interface
        """Nothing."""
        return []

    def compare(self, old: Note, new: NoteContent) -> NoteVerdict:
        """What was scripted, or what the words say."""
        self.asked.append((old.title, new.title))
        return judge(old, new) if self.verdict is None else self.verdict


SPAN = Source(raw_item_id=None, span="the map stays grey")
