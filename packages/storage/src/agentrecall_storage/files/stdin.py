"""A hook's standard input: one JSON object, read without ever waiting for a host that keeps the pipe open. Hot."""

from __future__ import annotations

import json
import os
import select
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

WAIT_MS = 300
LARGEST = 16 * 1024 * 1024
CHUNK = 1 << 16


def read_object(
    descriptor: int = 0, wait_ms: int = WAIT_MS, clock: Callable[[], float] = time.monotonic
) -> dict[str, object] | None:
    """Read one JSON object, or None: when nothing parses within *wait_ms*, or it is no object, or over 16 MB.

    Returns as soon as the bytes parse, without waiting for the end of input. Never raises.
    """
    ends = clock() + wait_ms / 1000
    received = bytearray()
    while len(received) <= LARGEST:
        try:
            ready, _, _ = select.select([descriptor], [], [], max(0.0, ends - clock()))
            chunk = os.read(descriptor, CHUNK) if ready else None
        except (OSError, ValueError):
            return None
        if chunk:
            received += chunk
            # A payload ends in a brace, perhaps with white space behind; anything else cannot parse yet.
            if chunk.rstrip()[-1:] != b"}" and clock() < ends:
                continue
        value = _parse(received)
        if value is not None or not chunk or clock() >= ends:
            return value
    return None


def _parse(received: bytearray) -> dict[str, object] | None:
    try:
        value = json.loads(received)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
