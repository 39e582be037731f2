"""Where concepts come from: the files that we ship, and a person's own `concepts.txt` beside the memory. Cold, cheap.

A person's file is compiled together with ours into `concepts.db` beside the memory, which then takes the place of the
one that we ship. Hooks only read that; `refresh` makes it, when a program that is no hook opens the memory.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from agentrecall_domain.text.concept_file import Concept, Fault, read
from agentrecall_domain.turns.identity import digest
from agentrecall_storage.concepts import FILE_NAME, ConceptIndex
from agentrecall_storage.engine import sqlite
from agentrecall_storage.home import create_private, private_folder

OWN_FILE = "concepts.txt"
BEGINNING = """\
# Your own concepts: what your words mean, so that a rule is found by other words than its own.
# A concept begins at the margin: its name, a colon, the words for it. Lines below it are indented:
#   is-a: a broader concept          related: another-concept 0.5          telling: 0.6 (0 to 1)
# A name that AgentRecall knows already is added to. 'agentrecall concepts check' says what is wrong here.
"""


class Own(NamedTuple):
    """A person's own file: its text, what it holds, and what is wrong in which line."""

    text: str
    concepts: list[Concept]
    faults: list[Fault]


def own_path(home: str) -> str:
    """Where the person's own concepts lie."""
    return os.path.join(home, OWN_FILE)


def own(home: str) -> Own:
    """The person's own concepts; without a file there are none.

    Raises:
        OSError: The file is there and cannot be read.
    """
    try:
        with open(own_path(home), "rb") as file:
            kept = file.read()
    except FileNotFoundError:
        return Own("", [], [])
    text = kept.decode("utf-8-sig", "replace")
    found = read(text)
    return Own(text, found.concepts, sorted([*found.faults, *_undecoded(kept, text)]))


def shipped_by_file() -> dict[str, list[Concept]]:
    """The concepts of each file that we ship."""
    from importlib.resources import files  # noqa: PLC0415 -- twice a bare start, for those who look at the graph

    folder = files("agentrecall_domain.text").joinpath("concepts")
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".txt"))
    return {name: read(folder.joinpath(name).read_text(encoding="utf-8")).concepts for name in names}


def refresh(home: str) -> bool:
    """Bring the compiled graph at *home* up to date with the person's file and with ours; gives whether it changed.

    What it was compiled from is in its version: no clock is asked. A damaged one is made anew, one whose source is
    gone goes too, and a source that cannot be read leaves what is there.

    Raises:
        OSError, sqlite.Error: It cannot be written.
    """
    compiled_path = os.path.join(home, FILE_NAME)
    if not os.path.lexists(own_path(home)):
        if not os.path.lexists(compiled_path):
            return False
        os.unlink(compiled_path)
        return True
    try:
        mine = own(home)
    except OSError:
        return False
    version = _version(mine.text)
    if os.path.exists(compiled_path) and _version_at(home) == version:
        return False
    from agentrecall_domain.text.concept_graph import build, shipped  # noqa: PLC0415 -- they are seconds of work, and rare
    from agentrecall_domain.text.concept_index import compiled  # noqa: PLC0415
    from agentrecall_storage.concept_file import write  # noqa: PLC0415

    write(compiled(build([*shipped(), *mine.concepts]))._replace(version=version), compiled_path)
    return True


def append(home: str, text: str) -> None:
    """Add *text* at the end of the person's file, which is made, private, when there is none.

    Raises:
        OSError: It cannot be written.
    """
    private_folder(home)
    path = own_path(home)
    try:
        os.close(create_private(path))
    except FileExistsError:
        before = own(home).text
        text = text if not before or before.endswith("\n") else f"\n{text}"
    else:
        text = f"{BEGINNING}\n{text}"
    # One write: of two at the same time each is whole.
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(descriptor, text.encode("utf-8"))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _version(text: str) -> str:
    """What a person's text compiled with our graph of today is known by."""
    shipped = ConceptIndex("")
    try:
        return digest("own", shipped.version(), text)
    finally:
        shipped.close()


def _version_at(home: str) -> str | None:
    """What the compiled graph at *home* is known by; None when it cannot be read."""
    there = ConceptIndex(home)
    try:
        return there.version()
    except (sqlite.Error, TypeError):  # no database, or one without a version
        return None
    finally:
        there.close()


def _undecoded(kept: bytes, text: str) -> list[Fault]:
    """The lines that are no UTF-8."""
    try:
        kept.decode("utf-8")
    except UnicodeDecodeError:
        lines = enumerate(text.splitlines(), start=1)
        return [Fault(number, "is not UTF-8") for number, line in lines if "\ufffd" in line]
    return []
