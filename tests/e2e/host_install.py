"""The installation of host programs: one pinned version of each from npm, fetched once and kept in a cache folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

CLAUDE_CODE = "@anthropic-ai/claude-code"
CLAUDE_CODE_VERSION = "2.1.332"
CODEX = "@openai/codex"
CODEX_VERSION = "0.171.0"

# A cold install is 384 MB: seconds on a good line, minutes on a bad one.
_INSTALL_SECONDS = 300
_IN_TIME = ("--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000")
_QUIETLY = ("--loglevel=error", "--no-audit", "--no-fund", "--no-update-notifier")


class HostNotInstalledError(Exception):
    """The host program is not here and could not be fetched."""


def claude_code() -> Path:
    """Give the program of the pinned Claude Code, installing it at the first call.

    Raises:
        HostNotInstalledError: There is no npm, or it could not install the package.
    """
    return _installed(CLAUDE_CODE, CLAUDE_CODE_VERSION, binary="claude")


def codex() -> Path:
    """Give the program of the pinned Codex, installing it at the first call.

    Raises:
        HostNotInstalledError: There is no npm, or it could not install the package.
    """
    return _installed(CODEX, CODEX_VERSION, binary="codex")


def cache() -> Path:
    """Give the folder that keeps installed hosts: `AGENTRECALL_HOST_CACHE`, or one in the system's temp folder."""
    named = os.environ.get("AGENTRECALL_HOST_CACHE")
    return Path(named) if named else Path(tempfile.gettempdir()) / "agentrecall-hosts"


def _installed(package: str, version: str, *, binary: str) -> Path:
    folder = cache() / f"{package.rpartition('/')[2]}-{version}"
    program = folder / "node_modules" / ".bin" / binary
    if not folder.exists():
        _install(f"{package}@{version}", folder)
    if not program.exists():
        raise HostNotInstalledError(f"no program {binary!r} in {str(folder)!r}; remove the folder and run again")
    if folder.stat().st_uid != os.getuid():
        # The default cache has a name that anybody on the machine could have taken first.
        raise HostNotInstalledError(f"{str(folder)!r} belongs to another user; set AGENTRECALL_HOST_CACHE")
    return program


def _install(wanted: str, folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise HostNotInstalledError(f"cannot install {wanted!r}: npm is not on PATH; install Node.js")
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Installed beside and renamed when whole: an interrupted install never counts as one.
    with tempfile.TemporaryDirectory(prefix=f"{folder.name}-", dir=folder.parent, ignore_cleanup_errors=True) as beside:
        fresh = Path(beside) / folder.name
        fresh.mkdir()
        command = [npm, "install", *_QUIETLY, *_IN_TIME, "--prefix", str(fresh), wanted]
        try:
            subprocess.run(
                command,
                cwd=fresh,
                check=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=_INSTALL_SECONDS,
            )
        except subprocess.CalledProcessError as error:
            raise HostNotInstalledError(f"cannot install {wanted!r}: npm said {error.stdout.strip()!r}") from error
        except subprocess.TimeoutExpired as error:
            raise HostNotInstalledError(f"cannot install {wanted!r}: npm took over {_INSTALL_SECONDS} s") from error
        try:
            fresh.rename(folder)
        except OSError:
            # Another test process was quicker: its copy is as good.
            if not folder.exists():
                raise
