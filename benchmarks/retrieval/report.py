"""The report: what was measured beside what is wanted, as a person reads it and as it is kept."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agentrecall_storage.engine import sqlite
from benchmarks.retrieval.evaluation import ALL, Row
from benchmarks.retrieval.notes import AS_NOTES
from benchmarks.retrieval.product import NAME

TARGETS: dict[tuple[str, str], dict[str, float]] = {
    ("rule-routing", "bare text"): {"P@10": 0.17, "hit@10": 0.60},
    ("rule-routing", "heading indexed"): {"P@10": 0.50},
    ("devbench", ""): {"R@5": 1.0, "empty": 4},
    ("precisionmembench", ""): {"exact": 36, "empty": 31},
    ("locomo-turns", ""): {"R@5": 0.63, "R@10": 0.74, "MRR": 0.48},
    ("locomo-sessions", ""): {"R@10": 0.95},
    ("cosqa", ""): {"R@10": 0.62},
}
"""What the product should reach over all questions of a set."""


def missed(name: str, row: Row) -> dict[str, float]:
    """The targets of set *name* that *row* is under; none for what is not the product over the whole set."""
    wanted = TARGETS.get((name, row.setting), {}) if row.searcher in {NAME, AS_NOTES} and row.half == ALL else {}
    return {figure: least for figure, least in wanted.items() if row.figures[figure] < least}


def as_object(name: str, rows: list[Row]) -> dict[str, Any]:
    """One set's result as it is kept: nothing in it names the machine."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "python": sys.version.partition(" ")[0],
        "sqlite": sqlite.sqlite_version,
        "targets": [{"setting": setting, **figures} for (owner, setting), figures in TARGETS.items() if owner == name],
        "rows": [_row_as_object(row) for row in rows],
    }


def as_table(name: str, rows: list[Row]) -> str:
    """One set's result as a person reads it."""
    lines = [name]
    for setting in dict.fromkeys(row.setting for row in rows):
        of_setting = [row for row in rows if row.setting == setting]
        columns = list(dict.fromkeys(figure for row in of_setting for figure in row.figures))
        lines.append(f"  {setting:30} {'half':5}{''.join(f'{column:>17}' for column in columns)}".rstrip())
        for row in of_setting:
            values = "".join(f"{_shown(row.figures.get(column)):>17}" for column in columns)
            under = "".join(f"  {figure} under {least:g}" for figure, least in missed(name, row).items())
            lines.append(f"  {row.searcher:30} {row.half:5}{values}{under}".rstrip())
    return "\n".join(lines)


def keep(path: Path, found: dict[str, dict[str, Any]]) -> str:
    """Put the sets of *found* into the results at *path*; those of other sets stay. Gives the whole as text."""
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept = json.dumps(dict(sorted((before | found).items())), indent=2)
    path.parent.mkdir(exist_ok=True)
    path.write_text(kept + "\n", encoding="utf-8")
    return kept


def _row_as_object(row: Row) -> dict[str, Any]:
    floor = {} if row.floor is None else {"floor": round(row.floor, 4)}
    setting = {"setting": row.setting} if row.setting else {}
    head = {"searcher": row.searcher, "half": row.half, "questions": row.questions}
    return {**setting, **head, **floor, **row.figures}


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
