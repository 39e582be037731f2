"""Key: one thing that a person may tune, and which values it takes. Cold."""

from __future__ import annotations

import math
from typing import NamedTuple

Value = int | float | str


class InvalidValueError(ValueError):
    """A key does not take this value; the message says which it takes."""


class Key(NamedTuple):
    """A config key. The type of *default* is the key's type.

    A number lies from *least* to *most*, both included; a text is one of *choices* where there are any.
    """

    name: str
    default: Value
    help: str
    least: float = 0
    most: float = 0
    choices: tuple[str, ...] = ()

    @property
    def takes(self) -> str:
        """The values that the key takes, in words."""
        if isinstance(self.default, str):
            return " or ".join(self.choices) if self.choices else "a text"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        return f"{kind} from {self.least:g} to {self.most:g}"

    def read(self, text: str) -> Value:
        """The value that *text* gives.

        Raises:
            InvalidValueError: The key does not take it.
        """
        value = self._value(text.strip())
        if value is None:
            raise InvalidValueError(f"'{self.name}' takes {self.takes}, not '{text}'")
        return value

    def _value(self, text: str) -> Value | None:
        if isinstance(self.default, str):
            return text if not self.choices or text in self.choices else None
        try:
            value = type(self.default)(text)
        except (ValueError, OverflowError):
            return None
        return value if math.isfinite(value) and self.least <= value <= self.most else None
