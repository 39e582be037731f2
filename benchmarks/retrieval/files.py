"""Files: how a set's file is read from the data folder."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from benchmarks.retrieval.corpus import MalformedDataError, MissingDataError


def read_json(path: Path) -> Any:
    """The one JSON value in *path*.

    Raises:
        MissingDataError: There is no such file.
        MalformedDataError: It is no JSON.
    """
    return _decoded(path, _bytes_of(path))


def read_lines(path: Path) -> list[Any]:
    """The JSON values in *path*, which is compressed, one a line.

    Raises:
        MissingDataError: There is no such file.
        MalformedDataError: A line is no JSON, or the file is not compressed.
    """
    try:
        text = gzip.decompress(_bytes_of(path))
    except (EOFError, gzip.BadGzipFile) as error:
        raise MalformedDataError(f"'{path.name}' is not compressed with gzip") from error
    return [_decoded(path, line) for line in text.splitlines()]


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise MissingDataError(f"'{path.parent.name}/{path.name}' is not in the data folder") from error


def _decoded(path: Path, text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise MalformedDataError(f"'{path.name}' is no JSON: {error}") from error
