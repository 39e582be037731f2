"""Whole stories of notes and verdicts: said in one session, distilled behind it, given to the next, by real hosts."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from e2e.claude_code import ClaudeCode, Session
from e2e.codex import Codex, message
from e2e.memory import Memory, eventually
from e2e.messages_server import OUT_OF_SCRIPT, text, tool_use, words_of

# The first story may install the host: that is a fixture's time, not the test's.
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(60, func_only=True)]

Ask = Callable[[str], list[tuple[Any, ...]]]
"""Asks the memory's file itself."""

DECISION = "We decided to date all invoices in UTC, because the bank rejects every other time zone."
UNDERSTOOD = "Understood, UTC it is."
CORRECTION = (
    "No, never edit an applied migration in this repository. "
    "Add a new migration instead, because production has already run the old one."
)
CORRECTED = "You are right, I take that back."
ABOUT_INVOICES = "In which time zone does the new export have to write the dates of invoices?"
ABOUT_MIGRATIONS = "The orders table needs another column. How should I change the migration that shipped last week?"

PROVEN = """
    SELECT notes.status, raw_items.role, note_sources.span
      FROM notes
      JOIN note_sources ON note_sources.note_id = notes.id
      JOIN raw_items ON raw_items.id = note_sources.raw_item_id AND instr(raw_items.text, note_sources.span) > 0
     ORDER BY raw_items.id
"""
DISTILLED = "SELECT count(*) FROM turns JOIN episodes ON episodes.id = turns.episode_id WHERE status = 'Distilled'"
AT_WORK = "SELECT owner FROM leases"
"""Who processes now: the row is gone when it ends."""

QUESTION = "AgentRecall asks for a verdict on this turn"
VERDICT = {
    "decision": "Capture",
    "capture_reason": "UserCorrection",
    "memory_type": "EngineeringLesson",
    "confidence": 0.9,
    "evidence": "never edit an applied migration",
    "normalized_rule": {
        "title": "Applied migrations stay as they are",
        "condition": "when a migration has already been applied",
        "action": "add a new migration",
        "avoid": "editing the applied migration",
        "because": "production has already run it",
    },
}


def wait_for_processor(ask: Ask, *, turns: int) -> None:
    """Wait until the processor, which nobody but a hook started, has distilled so many turns and is gone."""
    eventually(lambda: ask(DISTILLED) == [(turns,)] and ask(AT_WORK) == [])


def given_at(moment: str, recalled: str) -> str:
    """Give the part of what was *recalled* that belongs to one moment."""
    return "".join(block for block in recalled.split("</agentrecall>") if f' moment="{moment}"' in block)


def test_what_is_decided_in_one_session_is_distilled_behind_it_and_given_to_the_next(
    claude: ClaudeCode, memory: Memory
) -> None:
    memory.agentrecall("setup", "claude-code")
    elsewhere = claude.in_project("elsewhere")

    claude.talk([DECISION, CORRECTION], [[text(UNDERSTOOD)], [text(CORRECTED)]])
    wait_for_processor(memory.rows, turns=2)
    later = claude.run(ABOUT_INVOICES, [[text("In UTC.")]])
    by_others = elsewhere.run(ABOUT_INVOICES, [[text("In whichever you like.")]])

    # Word for word what the user said, the reason included.
    proven = memory.rows(PROVEN)
    assert ("Live", "user", DECISION) in proven
    assert [span for standing, role, span in proven if (standing, role) == ("Live", "user") and span in CORRECTION]
    listed = json.loads(memory.agentrecall("notes", "list", "--json"))
    [note] = [note for note in listed if note["sources"][0]["span"] == DECISION]
    assert (note["type"], note["judge"]) == ("decision", "deterministic")

    recalled = later.recalled_before_answer(1)
    assert f"[{note['label']}]" in given_at("start", recalled)
    assert "the bank rejects every other time zone" in given_at("start", recalled)
    assert "add a new migration instead" in given_at("start", recalled).lower()
    assert f"[{note['label']}]" in given_at("prompt", recalled)
    assert "<agentrecall" not in by_others.before_answer(1)
    assert "the bank rejects" not in by_others.before_answer(1)


def test_whoever_reads_a_transcript_and_however_often_each_turn_is_captured_once(
    claude: ClaudeCode, memory: Memory
) -> None:
    def turns() -> list[str]:
        return [words for role, words in memory.raw_items() if role == "user"]

    def is_captured(*prompts: str) -> bool:
        return Counter(turns()) == Counter(prompts)

    memory.set_up_project()
    first = claude.talk(["one", "two"], [[text("answer one")], [text("answer two")]])
    claude.run("three", [[text("answer three")]], "--resume", first.id)
    forked = claude.run("four", [[text("answer four")]], "--resume", first.id, "--fork-session")
    again = claude.run("five", [[text("answer five")]], "--continue")
    assert len({first.id, forked.id}) == 2
    assert again.id == forked.id
    # Behind a session's end the processor reads on too: what follows is not to be its doing.
    eventually(lambda: is_captured("one", "two", "three", "four", "five") and memory.rows(AT_WORK) == [])

    # No hook of its own session sees this turn: the start of another one sweeps it up.
    without_hooks = ("--settings", json.dumps({"disableAllHooks": True}))
    claude.run("six", [[text("answer six")]], "--resume", first.id, *without_hooks)
    assert memory.rows("SELECT query FROM injections WHERE query IN ('five', 'six')") == [("five",)]
    memory.start_again(forked)
    assert turns().count("six") == 1
    other = claude.run("seven", [[text("answer seven")]])

    # And this one is there when the start of a resumed session and its compaction read on at once.
    claude.run("eight", [[text("answer eight")]], "--resume", first.id, *without_hooks)
    compacted = claude.run("/compact", [], "--resume", first.id, "--verbose", "--output-format", "stream-json")
    assert "agentrecall-capture-hook] completed successfully" in compacted.stdout.partition("PreCompact [")[2]
    claude.run("nine", [[text("answer nine")]], "--resume", first.id)

    prompts = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    eventually(lambda: is_captured(*prompts) and memory.roles_of("answer nine") != [])
    for session in (first, forked, other):
        memory.end_again(session)
    memory.agentrecall("backfill")
    memory.agentrecall("process")

    said = [("user", prompt) for prompt in prompts] + [("assistant", f"answer {prompt}") for prompt in prompts]
    assert Counter(memory.raw_items()) == Counter(said)
    sessions = "SELECT uid, (SELECT count(*) FROM turns WHERE session_id = sessions.id) FROM sessions"
    assert dict(memory.rows(sessions)) == {first.id: 6, forked.id: 2, other.id: 1}
    assert memory.rows("SELECT count(*) FROM turns") == [(9,)]
    assert memory.roles_of(OUT_OF_SCRIPT) == []


def test_an_agent_that_is_asked_for_a_verdict_hands_it_in_and_is_not_asked_again(
    claude: ClaudeCode, memory: Memory
) -> None:
    memory.set_up_project()
    memory.agentrecall("config", "set", "ask_for_verdict", "always")
    hand_in = f"{shlex.quote(str(memory.finalize_program))} <<'END'\n{json.dumps({'verdicts': [VERDICT]})}\nEND"

    session = claude.run(
        CORRECTION,
        [[text(CORRECTED)], [tool_use("Bash", command=hand_in)], [text("Handed in.")]],
        *("--allowedTools", "Bash"),
    )

    assert (session.result, len(session.requests)) == ("Handed in.", 3)
    assert QUESTION not in session.before_answer(1)
    assert QUESTION in session.before_answer(2)
    assert str(memory.finalize_program) in session.before_answer(2)
    assert '"outcome": "captured"' in session.before_answer(3)
    assert [(rule["status"], rule["action"]) for rule in memory.rules()] == [("Active", "add a new migration")]
    assert memory.rows("SELECT status, attempts, decision FROM judgment_requests") == [("Resolved", 1, "Capture")]
    # The question is none of the user's words.
    eventually(lambda: memory.roles_of("Handed in.") != [])
    memory.end_again(session)
    assert memory.roles_of(QUESTION) == []
    assert memory.status()["turns"] == 1


def test_an_agent_that_does_not_answer_ends_its_turn_all_the_same(claude: ClaudeCode, memory: Memory) -> None:
    memory.set_up_project()
    memory.agentrecall("config", "set", "ask_for_verdict", "always")

    session = claude.talk(
        [CORRECTION, ABOUT_INVOICES],
        [[text(CORRECTED)], [text("That was all.")], [text("In UTC.")], [text("That was all again.")]],
    )

    asked = [[f"(request J{number})" in words_of(request) for number in (1, 2)] for request in session.requests]
    assert asked == [[False, False], [True, False], [True, False], [True, True]]
    assert memory.rows("SELECT status, attempts FROM judgment_requests") == [("Abandoned", 1)] * 2
    assert memory.rules() == []


def test_who_wants_a_summary_is_told_in_a_line_and_the_agent_is_not(claude: ClaudeCode, memory: Memory) -> None:
    memory.set_up_project()
    memory.agentrecall("feedback", "add", "When a migration has already been applied, add a new migration.")
    memory.agentrecall("config", "set", "summary", "compact")

    session = claude.run(ABOUT_MIGRATIONS, [[text("With another migration.")]])

    assert (session.result, len(session.requests)) == ("With another migration.", 1)
    assert "[R1]" in session.recalled_before_answer(1)
    assert told_the_person(claude, session) == ["AgentRecall: 1 used (R1)"]
    eventually(lambda: memory.roles_of("With another migration.") != [])
    assert memory.roles_of("AgentRecall") == []


def told_the_person(claude: ClaudeCode, session: Session) -> list[str]:
    """Give what hooks had the host tell the person, and not the agent."""
    lines = [json.loads(line) for line in claude.transcript(session).read_bytes().splitlines()]
    attached = [line["attachment"] for line in lines if line["type"] == "attachment"]
    return [one["content"] for one in attached if one["type"] == "hook_system_message"]


def test_what_is_decided_in_codex_is_distilled_behind_it_and_given_to_the_next_session(codex: Codex) -> None:
    codex.set_up(recalls=True)

    codex.run(DECISION, [message(UNDERSTOOD)])
    wait_for_processor(codex.rows, turns=1)
    codex.run(ABOUT_INVOICES, [message("In UTC.")])

    assert codex.rows(PROVEN) == [("Live", "user", DECISION)]
    told = [(role, words) for role, words in codex.last_asked() if "<agentrecall" in words or ABOUT_INVOICES in words]
    (_, at_start), (_, asked), (_, at_prompt) = told
    assert [role for role, _ in told] == ["developer", "user", "developer"]
    assert asked == ABOUT_INVOICES
    assert "the bank rejects every other time zone" in given_at("start", at_start)
    assert "[N1]" in given_at("prompt", at_prompt)
    # What it was given is nothing that was said: neither turns nor notes come of it.
    wait_for_processor(codex.rows, turns=2)
    assert codex.rows("SELECT text FROM raw_items WHERE text LIKE '%agentrecall%'") == []
    assert codex.rows("SELECT count(*) FROM notes") == [(1,)]
