"""A program's own deadline, well under its host's. Hot."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Deadline:
    """What is left of a budget that started with the program's `main`."""

    __slots__ = ("_clock", "_ends")

    def __init__(self, budget_ms: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends = clock() + budget_ms / 1000

    def remaining_ms(self) -> int:
        """Whole milliseconds left, never below zero: also the lock wait to ask for."""
        return max(0, int((self._ends - self._clock()) * 1000))

    def passed(self) -> bool:
        """Whether the budget is used up."""
        return self.remaining_ms() == 0
