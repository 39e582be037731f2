"""`agentrecall-capture-hook`: what a turn added to the transcript goes into the memory. Prints nothing, exits 0."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Handle one hook event on stdin: SessionStart sweeps, Stop, SessionEnd and PreCompact capture."""
    if sys.argv[1:] in (["--help"], ["-h"]):
        sys.stdout.write(f"{__doc__}\n{main.__doc__}\nA host calls it; see 'agentrecall setup claude-code'.\n")
        return
    if os.environ.get("AGENTRECALL_DISABLED", "") not in {"", "0"}:
        return
    from agentrecall_capture_hook.capture import act  # noqa: PLC0415 -- nothing is imported when we are switched off
    from agentrecall_storage.hook_process import run  # noqa: PLC0415

    run("capture-hook", act)


if __name__ == "__main__":
    main()
