"""`agentrecall-recall-hook`: the memories that matter now, before the agent. Exits 0."""

from __future__ import annotations

import os


def main() -> None:
    """Handle one hook event on stdin: SessionStart, UserPromptSubmit, or PreToolUse on a tool that reads or edits."""
    if os.environ.get("AGENTRECALL_DISABLED", "") not in {"", "0"}:
        return
    from agentrecall_recall_hook.recall import act  # noqa: PLC0415 -- nothing is imported when we are switched off
    from agentrecall_storage.hook_process import run  # noqa: PLC0415

    run("recall-hook", act)


if __name__ == "__main__":
    main()
