"""`agentrecall-finalize-turn`: was this turn worth a rule? A verdict as JSON on stdin, or `--hook` at Stop."""

from __future__ import annotations

import os
import sys

USAGE = """usage: agentrecall-finalize-turn [--hook | --help]

Reads a verdict about a finished turn as JSON on stdin and stores what it captures.
A rule comes into force only when the verdict's evidence is what the user said in that turn, word for word;
otherwise it waits: see 'agentrecall rules list --status Pending'.

  {"session_id": "...", "turn_id": "...", "cwd": "...", "prompt": "...", "assistant_response": "...",
   "verdicts": [{"decision": "Capture", "capture_reason": "UserCorrection", "memory_type": "EngineeringLesson",
                 "confidence": 0.9, "evidence": "verbatim words of the user",
                 "normalized_rule": {"title": "...", "condition": "when ...", "action": "...", "avoid": "...",
                                     "because": "...", "tags": ["..."]}}]}

Only "verdicts" is required. decision: Capture, SuggestCapture, Skip, ReinforceExisting, SupersedeExisting.
capture_reason: UserCorrection, UserPreference, RepositoryConvention, RepeatedMistake, ReviewerCorrection,
ObservedAgentFailure, DocBackedCorrection, ExplicitUserSave, ExplicitUserDoNotSave ... (docs/verdicts.md has all).
A confidence of 0.80 and a "because" are needed to come into force. "scope" may name a file, a folder or a glob.

  --hook   for a host's Stop hook: reads its payload, never prints an error, always exits 0
  --help   this text

Prints one JSON object: what became of each verdict. Exits 0 when it is stored or skipped, 1 when it could not be
stored, 2 when it is no verdict.
"""


def main() -> int:
    """Run with the program's own arguments; gives the exit code."""
    arguments = sys.argv[1:]
    if arguments == ["--hook"]:
        if os.environ.get("AGENTRECALL_DISABLED", "") not in {"", "0"}:
            return 0
        from agentrecall_finalize_turn.hook import act  # noqa: PLC0415 -- nothing is imported when we are switched off
        from agentrecall_storage.hook_process import run  # noqa: PLC0415

        run("finalize-turn", act)
    if arguments in (["--help"], ["-h"]):
        sys.stdout.write(USAGE)
        return 0
    if arguments:
        sys.stderr.write(f"agentrecall-finalize-turn: unknown argument '{arguments[0]}'; see --help\n")
        return 2
    from agentrecall_finalize_turn.verdicts import hand_in  # noqa: PLC0415 -- a hook must not pay for pydantic

    return hand_in()


if __name__ == "__main__":
    sys.exit(main())
