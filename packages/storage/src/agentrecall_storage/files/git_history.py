"""Root commit: what only git itself can say of a repository. Cold: starts processes."""

from __future__ import annotations

import os
import subprocess

_PATIENCE_S = 5


def root_commit(root: str) -> str | None:
    """Ask git for the oldest commit without parents of the repository at *root*. Never raises.

    None without git, without commits, and for a shallow clone, whose oldest commit depends on its depth.
    """
    if _git(root, "rev-parse", "--is-shallow-repository") != "false":
        return None
    commits = _git(root, "rev-list", "--max-parents=0", "HEAD")
    return commits.split()[-1] if commits else None


def _git(root: str, *arguments: str) -> str | None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", *arguments],  # noqa: S607 -- which git it is, is the person's choice
            cwd=root,
            env={**environment, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else None
