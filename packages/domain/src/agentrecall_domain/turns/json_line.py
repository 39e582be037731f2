"""A transcript's line: its bytes into records.

Hosts crash, disks fill and two programs write one file: a line can be cut, spliced with the next one
or full of NULs, and what is whole in it should still be read. Hot: regular expressions are compiled
only when a long line needs one.
"""

from __future__ import annotations

import json
import re

from agentrecall_domain.text.storable import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Record = dict[str, Any]

# Above this a line is mostly a copy of an API request or a tool's output, and parsing it costs more
# than looking for the few types we want.
_LONG_LINE = 64 * 1024
_ANY_TYPE = rb'"type"\s*:\s*"([^"\\]*)"'
_TYPE_WINDOW = 400

_SALVAGE_ATTEMPTS = 4
_RECORD_OPENINGS = ('{"parentUuid"', '{"timestamp":"')
_RECORD_FIELDS = ("uuid", "sessionId", "payload")
_SALVAGE_STARTS = 2_000


def cleaned(line: bytes) -> bytes:
    """*line* without NUL runs and the white space around it."""
    return line.replace(b"\0", b"").strip()


def is_long_and_unwanted(line: bytes, wanted: bytes) -> bool:
    """Whether *line* is too long to parse for nothing, and nothing in it is of the type *wanted*, a pattern."""
    return len(line) > _LONG_LINE and not re.search(rb'"type"\s*:\s*"(?:' + wanted + rb')"', line)


def find_stated_type(line: bytes) -> str | None:
    """The type an unparsed *line* states near its start, '' when none is there, None when it is no record."""
    if not line.startswith(b"{"):
        return None
    found = re.search(_ANY_TYPE, line[:_TYPE_WINDOW])
    return found[1].decode("utf-8", "replace") if found else ""


def records(line: bytes) -> tuple[list[Record], bool]:
    """The records in *line*, and whether something in it was lost."""
    text = line.decode("utf-8", "replace").lstrip("\ufeff")
    whole = _object(text)
    if whole is not None:
        return [whole], False

    last = _last_record(text)
    spliced = [record for record in (_first_record(text), last) if record is not None]
    return spliced, last is None


def string(record: Record, key: str) -> str:
    """What *record* says under *key*, '' when that is no string."""
    value = record.get(key)
    return storable(value) if isinstance(value, str) else ""


def _object(text: str) -> Record | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _first_record(text: str) -> Record | None:
    """The whole record that *text* starts with, when something follows it."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value if _is_record(value) else None


def _last_record(text: str) -> Record | None:
    """The record a cut one was followed by on the same line."""
    for attempt, start in enumerate(_record_starts(text)):
        if attempt == _SALVAGE_ATTEMPTS:
            break
        record = _object(text[start:])
        if _is_record(record):
            return record
    return None


def _record_starts(text: str) -> Iterator[int]:
    """Where in *text* a record may start, the likeliest first, from the end."""
    nested = []
    start = text.rfind('{"')
    for _ in range(_SALVAGE_STARTS):
        if start <= 0:
            break
        # In the host's JSON an object stands right after one of these; elsewhere two lines were spliced.
        if text[start - 1] in ":,[" and not text.startswith(_RECORD_OPENINGS, start):
            nested.append(start)
        else:
            yield start
        start = text.rfind('{"', 0, start)
    yield from nested


def _is_record(value: object) -> bool:
    """Whether *value* is a line of its own rather than a part of one."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("type"), str)
        and any(field in value for field in _RECORD_FIELDS)
    )
