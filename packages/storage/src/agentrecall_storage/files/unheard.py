"""Prompts that were given while memory was off: their turns are never captured, by no later reading either. Hot.

A transcript outlives an exclusion: without this, what was said while a project was excluded, or with
`AGENTRECALL_DISABLED` set, would be read when the memory is next on. Only the host's prompt ids are kept.
"""

from __future__ import annotations

import os

from agentrecall_domain.turns.identity import digest
from agentrecall_storage.home import create_private, private_folder

FOLDER = "unheard"
LONGEST_ID = 200


def note(home: str, session_uid: str, prompt_id: str) -> None:
    """Remember that this prompt was not for us. Makes no memory where there is none.

    Raises:
        OSError: It cannot be written.
    """
    name = prompt_id.strip()
    if not session_uid or not name or len(name) > LONGEST_ID or "\n" in name or not os.path.isdir(home):
        return
    path = _path(home, session_uid)
    private_folder(os.path.dirname(path))
    try:
        descriptor = create_private(path, os.O_APPEND)
    except FileExistsError:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(descriptor, f"{name}\n".encode())
    finally:
        os.close(descriptor)


def prompts(home: str, session_uid: str) -> frozenset[str]:
    """The prompts of the session that were not for us.

    Raises:
        OSError: They are there and cannot be read.
    """
    try:
        with open(_path(home, session_uid), encoding="utf-8", errors="replace") as file:
            return frozenset(file.read().split("\n")[:-1])
    except FileNotFoundError:
        return frozenset()


def _path(home: str, session_uid: str) -> str:
    return os.path.join(home, FOLDER, digest("session", session_uid))
