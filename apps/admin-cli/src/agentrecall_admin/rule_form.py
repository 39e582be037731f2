"""A rule as a form to edit in a text editor: one line for each part, `name: value`."""

from __future__ import annotations

from typing import Any

from agentrecall_domain.rules.rule import Rule

NAMES = {
    "title": "title",
    "when": "trigger",
    "do": "action",
    "not": "mistake",
    "because": "reason",
    "tags": "tags",
    "globs": "globs",
    "languages": "languages",
    "always": "always_apply",
    "confidence": "confidence",
    "priority": "priority",
}
"""What the form calls each part of a rule."""

LISTS = {"tags", "globs", "languages"}
TRUTHS = {"yes": True, "no": False}
MOST_PRIORITY = 100


class FormError(ValueError):
    """A line of the form cannot be read; the message says which."""


def form(rule: Rule) -> str:
    """The rule to be edited."""
    lines = [
        f"# {rule.label}, {rule.status}. Change what stands after the colons, save and close the editor.",
        "# A line that begins with # is left out; one that begins with a space goes on with the line before it.",
    ]
    lines += [f"{name}: {_written(getattr(rule, part))}".rstrip() for name, part in NAMES.items()]
    return "\n".join(lines) + "\n"


def changed(before: str, after: str) -> dict[str, Any]:
    """The parts, by their names in a rule, that differ in *after*; a line that is gone leaves its part as it is.

    Raises:
        FormError: A line names no part of a rule, or its value is none for it.
    """
    old, new = _values(before), _values(after)
    return {NAMES[name]: _read(name, value) for name, value in new.items() if value != old.get(name)}


def _values(text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    last = ""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        if line[0].isspace() and last:
            values[last] = f"{values[last]} {' '.join(line.split())}".strip()
        elif colon and name.strip().lower() in NAMES:
            last = name.strip().lower()
            values[last] = " ".join(value.split())
        else:
            raise FormError(f"the line '{line[:60]}' begins with none of {', '.join(NAMES)}")
    return values


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(", ".join(value).split())
    return " ".join(str(value).split())


def _read(name: str, value: str) -> Any:
    if name in LISTS:
        return tuple(filter(None, (one.strip() for one in value.split(","))))
    try:
        if name == "always":
            return TRUTHS[value.lower()]
        if name == "priority":
            return _small(int(value))
        return float(value) if name == "confidence" else value
    except (KeyError, ValueError) as error:
        wanted = {
            "always": "yes or no",
            "confidence": "a number from 0 to 1",
            "priority": f"from {-MOST_PRIORITY} to {MOST_PRIORITY}",
        }[name]
        raise FormError(f"'{name}' is {wanted}, not '{value[:60]}'") from error


def _small(number: int) -> int:
    if abs(number) > MOST_PRIORITY:
        raise ValueError(number)
    return number
