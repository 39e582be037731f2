"""Whole stories with the real Codex: what was said in it is in the memory, once."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from e2e.codex import Codex, call, message
from e2e.memory import eventually

# The first story may install the host: that is a fixture's time, not the test's.
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(40, func_only=True)]

SAID = "SELECT source, role, kind, text FROM raw_items ORDER BY id"
OWN_WORDS = '<agentrecall project="demo" moment="prompt" id="I1">\nNotes\n- [N1] ours alone\n</agentrecall>'


def test_what_was_said_in_codex_is_captured_once_over_a_resumed_and_a_forked_session(codex: Codex) -> None:
    codex.set_up()
    fails = "echo 'Makefile:3: *** missing separator.' >&2; exit 2"
    codex.run("Use tabs in the Makefile", [call("exec_command", cmd=fails), message("It fails as it is.")])
    codex.run("Then fix line 3", [message("Fixed.")], "resume", codex.thread_id())
    codex.run("Here use spaces", [message("Spaces it is.")], "fork", codex.thread_id())
    # The next session's start sweeps the two before.
    codex.run("Unrelated", [message("Fixed.")])

    expected = [
        ("codex", "user", "turn", "Use tabs in the Makefile"),
        ("codex", "tool", "event", "exec_command failed: Exit code 2\nMakefile:3: *** missing separator."),
        ("codex", "assistant", "turn", "It fails as it is."),
        ("codex", "user", "turn", "Then fix line 3"),
        ("codex", "assistant", "turn", "Fixed."),
        ("codex", "user", "turn", "Here use spaces"),
        ("codex", "assistant", "turn", "Spaces it is."),
        ("codex", "user", "turn", "Unrelated"),
        ("codex", "assistant", "turn", "Fixed."),
    ]
    eventually(lambda: len(codex.rows(SAID)) >= len(expected))
    assert codex.rows(SAID) == expected
    assert codex.rows("SELECT count(*), count(DISTINCT project_id) FROM turns") == [(4, 1)]
    assert codex.rows("SELECT sum(bad_lines), sum(unknown_lines) FROM transcripts") == [(0, 0)]
    assert codex.rows("SELECT DISTINCT source FROM sessions") == [("codex",)]


def test_what_was_recalled_in_codex_is_not_captured_again(codex: Codex, tmp_path: Path) -> None:
    answer = {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": OWN_WORDS}}
    (tmp_path / "answer.json").write_text(json.dumps(answer))
    codex.set_up(UserPromptSubmit=f"cat {shlex.quote(str(tmp_path / 'answer.json'))}")

    codex.run("Use tabs", [message(f"As I was told:\n{OWN_WORDS}\nTabs it is.")])

    assert "ours alone" in codex.asked_of_model()
    eventually(lambda: len(codex.rows(SAID)) >= 2)
    assert [text for *_, text in codex.rows(SAID)] == ["Use tabs", "As I was told:\nTabs it is."]
