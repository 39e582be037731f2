"""A command line as the person can type it from here."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path


def typed(words: tuple[str, ...]) -> str:
    """The command line as it works from here: 'agentrecall' is on no PATH when uv ran it out of a clone."""
    program, *rest = words
    if shutil.which(program, path=_path_of_terminal()):
        return shlex.join(words)
    if _is_run_by_uv():
        return shlex.join(["uv", "run", *words])
    return shlex.join([str(Path(sys.argv[0]).absolute()), *rest])


def _path_of_terminal() -> str:
    """The PATH that the person's next command is looked up in: without what `uv run` put in front of it."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    own = Path(sys.argv[0]).absolute().parent
    return os.pathsep.join(folder for folder in folders if not (_is_run_by_uv() and Path(folder) == own))


def _is_run_by_uv() -> bool:
    return "UV_RUN_RECURSION_DEPTH" in os.environ
