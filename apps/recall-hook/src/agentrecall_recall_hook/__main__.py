"""`agentrecall-recall-hook`: the memories that matter now, before the agent. Exits 0."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Handle one hook event on stdin: SessionStart, UserPromptSubmit, or PreToolUse on a tool that reads or edits."""
    if sys.argv[1:] in (["--help"], ["-h"]):
        sys.stdout.write(f"{__doc__}\n{main.__doc__}\nA host calls it; see 'agentrecall setup claude-code'.\n")
        return
    from agentrecall_storage.hook_process import run  # noqa: PLC0415 -- the help needs nothing

    if os.environ.get("AGENTRECALL_DISABLED", "") not in {"", "0"}:
        from agentrecall_recall_hook.off import act  # noqa: PLC0415 -- all that a switched-off hook imports
    else:
        from agentrecall_recall_hook.recall import act  # noqa: PLC0415 -- not when we are switched off
    run("recall-hook", act)


if __name__ == "__main__":
    main()
