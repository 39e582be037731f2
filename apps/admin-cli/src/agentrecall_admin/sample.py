"""The sample: a session that we wrote, with a correction, a made-up secret and a private passage in it.

It is kept apart from everything else by a folder that nobody has, which makes it a project of its own.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from agentrecall_domain.turns.batch import Excluded, Project
from agentrecall_domain.turns.project import PATH
from agentrecall_storage.files.git import as_text, locate, real_path
from agentrecall_storage.places import project_of

FOLDER = "/nonexistent/agentrecall-sample"
SESSION = "5a3b1e00-0000-4000-8000-000000000000"
CORRECTED_TURN = "5a3b1e00-0000-4000-8000-000000000008"
CORRECTION = (
    "When a migration has been applied, never edit it: add a new migration, "
    "because production will not run the old one again."
)
LATER_PROMPT = "Payments need a currency too: put it into last week's migration, next to the amount."

_FILE = "sample_session.jsonl"
_HOST_FOLDERS = ("quickstart", "projects", "agentrecall-sample")


class SampleNotApartError(Exception):
    """The sample's folder lies in a repository, so that the sample would mix with what is remembered of that."""


def project(home: str) -> Project | Excluded:
    """The project that the sample is for the hooks.

    Raises:
        SampleNotApartError: See there.
    """
    place = locate(FOLDER)
    if place.is_repository:
        raise SampleNotApartError(place.root)
    return project_of(home, place, FOLDER)


def alias() -> tuple[str, str]:
    """The one name by which the memory finds the sample's project."""
    return PATH, as_text(real_path(FOLDER))


def text() -> bytes:
    """The sample session's transcript."""
    return resources.files("agentrecall_admin").joinpath(_FILE).read_bytes()


@contextmanager
def on_disk(home: str) -> Iterator[Path]:
    """The transcript where a host could have put it, gone again afterwards.

    The memory's own folder, since nobody else may put a file where a capture will look; and the same path each time,
    so that there is one cursor for it.
    """
    folder = Path(os.path.realpath(home), *_HOST_FOLDERS)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{SESSION}.jsonl"
    draft = path.with_suffix(f".{os.getpid()}")
    try:
        draft.write_bytes(text())
        draft.replace(path)
        yield path
    finally:
        draft.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
        _remove_empty(folder)


def verdict() -> dict[str, object]:
    """What a judge says of the turn in which the user corrected the agent; the evidence is the user's own words."""
    return {
        "session_id": SESSION,
        "turn_id": CORRECTED_TURN,
        "cwd": FOLDER,
        "verdicts": [
            {
                "decision": "Capture",
                "capture_reason": "UserCorrection",
                "memory_type": "EngineeringLesson",
                "confidence": 0.9,
                "evidence": CORRECTION,
                "normalized_rule": {
                    "title": "An applied migration stays as it is",
                    "condition": "when a migration has been applied",
                    "action": "add a new migration",
                    "avoid": "editing the applied one",
                    "because": "production will not run it again",
                    "tags": ["migrations", "database"],
                },
            }
        ],
    }


def prompt_payload() -> dict[str, object]:
    """What a host says when the user of a session never seen before asks for `LATER_PROMPT`."""
    return {
        "hook_event_name": "UserPromptSubmit",
        "session_id": str(uuid.uuid4()),
        "prompt_id": str(uuid.uuid4()),
        "cwd": FOLDER,
        "prompt": LATER_PROMPT,
    }


def _remove_empty(folder: Path) -> None:
    for _ in _HOST_FOLDERS:
        try:
            folder.rmdir()
        except OSError:  # another quickstart is at work in it
            return
        folder = folder.parent
