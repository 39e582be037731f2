"""A hook's process: one payload in, at most one JSON object out, always exit 0, never a word more. Hot."""

from __future__ import annotations

import json
import os

from agentrecall_storage.files import log, stdin
from agentrecall_storage.home import home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    Answer = dict[str, object]


def run(program: str, act: Callable[[dict[str, object], str], Answer | None]) -> NoReturn:
    """Give *act* the payload and the memory's home, print its answer, and end the process.

    Ends with `os._exit`: closing the last connection would copy the write-ahead log back, which the user would wait
    for. Whatever goes wrong is one line in the log.
    """
    try:
        payload = stdin.read_object()
        answer = act(payload, home()) if payload is not None else None
        if answer:
            _write(json.dumps(answer).encode())
    except BaseException as error:  # noqa: BLE001 -- last line of defence; `doctor` reads the log
        log.failed(home(), program, error)
    os._exit(0)


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]
