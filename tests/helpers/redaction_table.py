"""The labelled set of secrets and look-alikes, what redaction makes of it, and the table in `docs/redaction.md`.

`python tests/helpers/redaction_table.py` writes the table into the page anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from agentrecall_domain.text.scrub import scrub

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "capture" / "redaction_cases.json"
HELD_OUT = ROOT / "tests" / "capture" / "redaction_cases_held_out.json"
"""A second set, by somebody else: its even ids were looked at while the code was improved, its odd ids never."""
PAGE = ROOT / "docs" / "redaction.md"
BEGINS, ENDS = "<!-- table: begins -->\n", "<!-- table: ends -->\n"
WINDOW = 16
"""Characters of a secret that nobody may read: a shorter secret may not be read at all."""


class Case(NamedTuple):
    """One labelled text, and whether redaction did the right thing to it."""

    id: str
    kind: str
    is_right: bool


def secrets(path: Path = CASES) -> list[Case]:
    """Texts with a secret in them: right is when it is gone."""
    cases = cases_in(path, "secrets")
    return [Case(case["id"], case["kind"], is_redacted(case["text"], case["secret"])) for case in cases]


def lookalikes(path: Path = CASES) -> list[Case]:
    """Texts with something that only looks like a secret: right is when it is still there."""
    cases = cases_in(path, "lookalikes")
    return [Case(case["id"], case["kind"], case["keep"] in scrub(case["text"])) for case in cases]


def never_seen(cases: list[Case]) -> list[Case]:
    """The cases with odd ids."""
    return [case for case in cases if int(case.id.lstrip("hk")) % 2]


def is_redacted(text: str, secret: str) -> bool:
    """Whether no part of *secret* that is worth anything is left of *text*."""
    kept = scrub(text)
    size = min(len(secret), WINDOW)
    return not any(secret[start : start + size] in kept for start in range(len(secret) - size + 1))


def share(cases: Iterable[Case], *, right: bool) -> float:
    """The share of *cases* that came out right, or wrong."""
    listed = list(cases)
    return sum(case.is_right is right for case in listed) / len(listed)


def table() -> str:
    """Both tables in Markdown."""
    found, alike = secrets(), lookalikes()
    gone, alarms = share(found, right=True), share(alike, right=False)
    summary = f"Redacted: {gone:.1%} of the secrets. False alarms: {alarms:.1%} of the look-alikes."
    return "\n".join(
        [
            *_rows(("kind of secret", "texts", "redacted"), found, lambda cases: sum(case.is_right for case in cases)),
            "",
            *_rows(("look-alike", "texts", "false alarms"), alike, lambda cases: sum(not c.is_right for c in cases)),
            "",
            summary,
            "",
            *_of_held_out(),
            "",
        ]
    )


def page_with(text: str, new: str) -> str:
    """The page *text* with *new* between the marks."""
    before, _, rest = text.partition(BEGINS)
    _, _, after = rest.partition(ENDS)
    return before + BEGINS + new + ENDS + after


def cases_in(path: Path, name: str) -> list[dict[str, Any]]:
    """The labelled texts of one sort."""
    listed: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))[name]
    return listed


def _of_held_out() -> list[str]:
    found, alike = secrets(HELD_OUT), lookalikes(HELD_OUT)
    rows = ["| second set | secrets | redacted | look-alikes | false alarms |", "|---|---:|---:|---:|---:|"]
    for name, some, others in (
        ("all", found, alike),
        ("odd ids, never looked at", never_seen(found), never_seen(alike)),
    ):
        alarms = sum(not case.is_right for case in others)
        gone = f"{sum(case.is_right for case in some)} ({share(some, right=True):.1%})"
        rows.append(f"| {name} | {len(some)} | {gone} | {len(others)} | {alarms} |")
    return rows


def _rows(heads: tuple[str, ...], cases: list[Case], count: Callable[[list[Case]], int]) -> list[str]:
    kinds = sorted({case.kind for case in cases})
    grouped = {kind: [case for case in cases if case.kind == kind] for kind in kinds}
    lines = [f"| {kind} | {len(group)} | {count(group)} |" for kind, group in grouped.items()]
    total = f"| **all, {len(kinds)} kinds** | **{len(cases)}** | **{count(cases)}** |"
    return [f"| {' | '.join(heads)} |", "|---|---:|---:|", *lines, total]


if __name__ == "__main__":
    PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), table()), encoding="utf-8")
