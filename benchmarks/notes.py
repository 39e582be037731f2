"""How long it takes to find the neighbours of a new note among many: `python -m benchmarks.notes [COUNT]`.

The notes are made of few words, so that each word is in thousands of them: real notes are told apart more easily.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles

from agentrecall_domain.notes.deterministic_judge import DeterministicJudge
from agentrecall_domain.notes.duplicate import settle
from agentrecall_domain.notes.note import Note, NoteContent, NoteType
from agentrecall_domain.turns.batch import Project
from agentrecall_storage.memory import Memory, open_memory
from benchmarks.memories import AREAS, DEEDS, NAMES, REASONS, SEED, THINGS, TOOLS

STARTED_AT = datetime(2026, 3, 2, 8, tzinfo=UTC)
TYPES = (NoteType.DECISION, NoteType.FACT, NoteType.FIX, NoteType.GOTCHA, NoteType.PROCEDURE)
HERE = 0.3
"""The share of the notes that are of the project at hand."""
ASKED = 300
GOAL_MS = 20


def a_note(chance: Random) -> NoteContent:
    """A note in varied text."""
    area, other = chance.sample(AREAS, 2)
    deed, thing, tool = chance.choice(DEEDS), chance.choice(THINGS), chance.choice(TOOLS)
    return NoteContent(
        type=chance.choice(TYPES),
        title=f"{deed.capitalize()} the {area} {thing} with {tool}",
        body=(
            f"The {thing} of {area} is to {deed} {other} after {chance.randint(2, 900)} seconds, because "
            f"{chance.choice(REASONS)}. Run {tool} on src/{area}/{chance.choice(DEEDS)}_{other}.py first, then "
            f"{chance.choice(DEEDS)} the {other} {chance.choice(THINGS)}; ticket {chance.randint(100, 99_999)}."
        ),
        prompt=f"why does the {thing} of {area} {deed} twice when {other} is down?",
        importance=round(chance.uniform(0.2, 1.0), 2),
        confidence=round(chance.uniform(0.4, 0.9), 2),
        valid_from=STARTED_AT + timedelta(minutes=chance.randint(0, 200_000)),
    )


def fill(memory: Memory, chance: Random, count: int) -> int:
    """Store so many notes; gives the id of the project at hand."""
    ids = [memory.record_project(Project(name, f"/{name}", [("path", f"/{name}")])) for name in NAMES]
    with memory.writing():
        for _ in range(count):
            project_id = ids[0] if chance.random() < HERE else chance.choice(ids[1:])
            add(memory, a_note(chance), project_id)
    return ids[0]


def add(memory: Memory, content: NoteContent, project_id: int) -> Note:
    """Store one note."""
    return memory.notes.add(
        content, project_id=project_id, episode_id=None, judge="deterministic", sources=(), actor="bench"
    )


def main() -> None:
    """Fill, ask, and print the figures as JSON."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    chance = Random(SEED)  # noqa: S311 -- the same text each time is the point
    with tempfile.TemporaryDirectory() as folder, open_memory(f"{folder}/memory", lambda: STARTED_AT) as memory:
        began = time.perf_counter()
        here = fill(memory, chance, count)
        filled = time.perf_counter() - began
        asked = [a_note(chance) for _ in range(ASKED)]
        alike = [timed(partial(memory.notes.alike, content, here)) for content in asked]
        known = memory.notes.list(project_id=here, everywhere=False, limit=ASKED)
        found = sum(memory.notes.alike(note, here, most=1)[0].id == note.id for note in known)
        new = [add(memory, content, here) for content in asked]
        settled = [timed(partial(settle, note, memory.notes, DeterministicJudge())) for note in new]
        size = Path(f"{folder}/memory/agentrecall.db").stat().st_size
    near = spread(alike)
    figures = {
        "notes": count,
        "filled_s": round(filled, 1),
        "file_mb": round(size / 1e6),
        "alike_ms": near,
        "settle_ms": spread(settled),
        "finds_itself_first": found / len(known),
    }
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")
    if near["p95"] >= GOAL_MS:
        sys.exit(f"slower than the goal of {GOAL_MS} ms")


def timed(call: Callable[[], object]) -> float:
    """How many milliseconds *call* takes."""
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def spread(times: list[float]) -> dict[str, float]:
    """The middle and the slow end of some times."""
    return {"p50": round(median(times), 2), "p95": round(quantiles(times, n=20)[-1], 2), "max": round(max(times), 2)}


if __name__ == "__main__":
    main()
