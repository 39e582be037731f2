"""A concept file: concepts of software work as a person writes them down. Cold, total.

A concept's line begins at the margin: its name, a colon, its surface forms. Indented lines below belong to it: `is-a:`
with broader concepts, `related:` with names and weights, `de:` and the like with forms of other languages, its own
name or `en:` with more forms; a key may come again where a list is long. `telling:` says from 0 to 1 how much the
concept alone tells of what a sentence is about: a matter (1) more than a thing or a technology. What cannot be read is
reported with its line, and the rest is loaded.
"""

from __future__ import annotations

import re
from typing import NamedTuple

LANGUAGES = ("en", "de", "fr", "es", "zh", "ja", "fa", "ru")
IS_A, RELATED, TELLING = "is-a", "related", "telling"
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
RELATION = re.compile(r"(?P<name>[a-z0-9]+(?:-[a-z0-9]+)*)\s+(?P<weight>[01](?:\.\d+)?|\.\d+)")
LONGEST_FORM = 80


class Fault(NamedTuple):
    """What is wrong in which line of a concept file, counted from 1."""

    line: int
    problem: str


class Concept:
    """One matter of software work: its surface forms, and how it hangs together with others."""

    __slots__ = ("forms", "is_a", "line", "name", "related", "telling")

    def __init__(self, name: str, line: int) -> None:
        self.name = name
        self.line = line
        self.forms: list[str] = []
        self.is_a: list[str] = []
        self.related: dict[str, float] = {}
        self.telling = 1.0


class Read(NamedTuple):
    """What a concept file holds, and what is wrong with it."""

    concepts: list[Concept]
    faults: list[Fault]


def read(text: str) -> Read:
    """The concepts in *text*; a faulty line is reported and passed over."""
    concepts: dict[str, Concept] = {}
    faults: list[Fault] = []
    current: Concept | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, mark, value = line.strip().partition(":")
        if not mark:
            faults.append(Fault(number, "no colon: write 'name: form, form' or '  is-a: name'"))
        elif line[0].isspace():
            nobody = "belongs to no concept: a concept's name comes first"
            problem = nobody if current is None else _add(current, key, value)
            faults += [Fault(number, problem)] if problem else []
        elif NAME.fullmatch(key) is None:
            current = None
            faults.append(Fault(number, f"'{key}' is no name: lower-case words joined by hyphens"))
        else:
            # Said again, a concept goes on: a person's own file may add to one of ours.
            current = concepts.setdefault(key, Concept(key, number))
            faults += [Fault(number, problem)] if (problem := _add(current, "en", value)) else []
    return Read(list(concepts.values()), faults)


def _add(concept: Concept, key: str, value: str) -> str:
    """Add what stands behind *key* to *concept*; gives what is wrong, or an empty text."""
    parts = [" ".join(part.split()) for part in re.split(r"[,\u060c\u3001]", value) if part.strip()]
    if key in LANGUAGES or key == concept.name:
        return _add_forms(concept, parts)
    if key == IS_A:
        concept.is_a += [part for part in parts if NAME.fullmatch(part) and part not in concept.is_a]
        wrong = [part for part in parts if NAME.fullmatch(part) is None]
        return f"'{wrong[0]}' is no name" if wrong else ""
    if key == RELATED:
        return _add_relations(concept, parts)
    if key == TELLING:
        if re.fullmatch(r"0?\.\d+|1(?:\.0+)?", value.strip()) is None:
            return f"'{value.strip()}' is no number from 0 to 1"
        concept.telling = float(value)
        return ""
    return f"'{key}' is no key: use is-a, related, telling or one of {', '.join(LANGUAGES)}"


def _add_forms(concept: Concept, parts: list[str]) -> str:
    long = [part for part in parts if len(part) > LONGEST_FORM]
    concept.forms += [part for part in parts if part not in concept.forms and part not in long]
    return f"'{long[0][:40]}...' is too long for a form" if long else ""


def _add_relations(concept: Concept, parts: list[str]) -> str:
    for part in parts:
        found = RELATION.fullmatch(part)
        if found is None or not 0.0 < float(found["weight"]) <= 1.0:
            return f"'{part}' is no relation: write a name and a weight, as 'mock 0.6'"
        concept.related[found["name"]] = float(found["weight"])
    return ""
