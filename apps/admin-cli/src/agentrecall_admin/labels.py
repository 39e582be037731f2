"""Labels on the command line: what a person names by a letter and a number, `R12`, `N34`, `E7`, `T78`."""

from __future__ import annotations

import re

import click


class LabelType(click.ParamType[int]):
    """The id of a *name*, as people write it: *letter* and number, or the number alone."""

    def __init__(self, name: str, letter: str) -> None:
        self.name = name
        self.letter = letter
        self._pattern = re.compile(rf"[{letter}{letter.lower()}#]?([0-9]{{1,18}})")

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the id, or fail as wrong usage."""
        found = self._pattern.fullmatch(str(value))
        if found is None:
            self.fail(f"'{value}' is no {self.name} id; write it as {self.letter}12", param, ctx)
        return int(found[1])
