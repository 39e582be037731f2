"""`agentrecall-finalize-turn`: was this turn worth a rule? A verdict on stdin; `--input`, `--hook`: see the usage."""

from __future__ import annotations

import os
import sys

USAGE = """usage: agentrecall-finalize-turn [--input | --hook | --help]

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
Beside "verdicts", "rule_outcomes" tells how rules that were shown fared:
[{"rule_id": "R12", "outcome": "UserAccepted"}], or UserRejected, CorrectionRepeated, RuleIgnored, not_applicable.

  --input  prints what there is to judge, and stores no verdict: the turn, the rules that matter to it and those it was
           shown; which turn may be told as JSON on stdin ("session_id", "turn_id", "cwd", "prompt"), else the latest
  --hook   for a host's Stop hook: reads its payload, never prints an error, always exits 0
  --help   this text

Prints one JSON object: what became of each verdict, and of each outcome. Exits 0 when it is stored or skipped, 1 when
it could not be stored, 2 when none of it is a verdict.
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
    if arguments == ["--input"]:
        from agentrecall_finalize_turn.to_judge import show  # noqa: PLC0415 -- a hook must not pay for it

        return show()
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
