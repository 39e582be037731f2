"""A finalized turn: what the memory knows of it, and what became of each verdict about it. Light."""

from __future__ import annotations

from typing import NamedTuple


class Turn(NamedTuple):
    """The turn that a verdict is about, as far as the memory knows it; *said* is what its user said.

    Of a turn that the memory has not heard of, *around* is what was said last in its session.
    """

    id: int | None
    uid: str
    said: list[str]
    around: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """What became of one lesson, and why.

    *action* is `captured`, `pending`, `reinforced`, `superseded`, `refined`, `skipped`, or `refused` for an item that
    was no verdict.
    """

    action: str
    rule_id: int | None
    why: str
