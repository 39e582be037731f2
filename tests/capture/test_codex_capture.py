"""What Codex's hooks leave in the memory: each turn once, whoever brings it, and the same for Claude Code's."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from capture.rollouts import RolloutBuilder, completed, event
from helpers.files import rows, said, texts
from helpers.programs import Person, RunHook, assert_silent, at_once
from helpers.transcripts import SESSION, TranscriptBuilder, encoded

RECORDED = Path(__file__).with_name("transcripts") / "codex"
FORK = "01a22e44-4c5f-72b0-a6bf-78b3466903f6"
PARENT = "01a22e44-3d9d-7d60-a493-151838a0d880"
EVERY_EVENT = ("Stop", "Stop", "PreCompact", "SessionEnd", "SessionStart")

pytestmark = pytest.mark.usefixtures("made")


@pytest.fixture
def rollout(person: Person) -> RolloutBuilder:
    """A thread in the person's project, where the host keeps such files."""
    return RolloutBuilder(person.home / ".codex", person.project)


@pytest.fixture
def capture(run_hook: RunHook, rollout: RolloutBuilder) -> Callable[..., None]:
    """The capture hook runs at an event of the thread, and keeps quiet."""

    def run(event_name: str = "Stop", **fields: Any) -> None:
        assert_silent(run_hook("capture-hook", rollout.payload(event_name, **fields)))

    return run


def turns(home: Path) -> list[tuple[Any, ...]]:
    return rows(home, "SELECT uid, prompt_id FROM turns ORDER BY id")


def test_a_codex_turn_is_captured_with_who_said_what(
    person: Person, capture: Callable[..., None], rollout: RolloutBuilder
) -> None:
    rollout.prompt("t1", "Use tabs")
    rollout.append(completed("t1", "McpToolCall", id="c1", status="failed", error={"message": "refused"}))
    rollout.answer("Done.")

    capture(last_assistant_message="Done.")

    assert rows(person.memory, "SELECT source, role, origin, kind, text FROM raw_items ORDER BY id") == [
        ("codex", "user", "user", "turn", "Use tabs"),
        ("codex", "tool", "tool", "event", "tool failed: refused"),
        ("codex", "assistant", "agent", "turn", "Done."),
    ]
    assert rows(person.memory, "SELECT source, transcript_path FROM sessions") == [("codex", str(rollout.path))]
    assert rows(person.memory, "SELECT source FROM transcripts") == [("codex",)]
    assert turns(person.memory) == [("t1", "t1")]


def test_every_event_of_a_codex_turn_that_ends_may_bring_the_same(
    person: Person, capture: Callable[..., None], rollout: RolloutBuilder
) -> None:
    rollout.prompt("t1", "Use tabs")
    rollout.answer("Done.")
    for name in EVERY_EVENT:
        capture(name, last_assistant_message="Done.")
    rollout.prompt("t2", "And spaces here")
    rollout.answer("Done.")
    for name in EVERY_EVENT:
        capture(name, last_assistant_message="Done.")

    assert texts(person.memory) == ["Use tabs", "Done.", "And spaces here", "Done."]
    assert turns(person.memory) == [("t1", "t1"), ("t2", "t2")]


def test_codex_hooks_at_once_store_each_span_once(person: Person, run_hook: RunHook, rollout: RolloutBuilder) -> None:
    expected = []
    for number in range(20):
        rollout.prompt(f"t{number}", f"prompt {number}")
        rollout.answer(f"answer {number}")
        expected += [f"prompt {number}", f"answer {number}"]

    payloads = [rollout.payload(name, last_assistant_message="answer 19") for name in EVERY_EVENT]
    for done in at_once(person, "capture-hook", payloads):
        assert_silent(done)
    # On a busy machine one may have run out of time and spooled: the next drains that.
    assert_silent(run_hook("capture-hook", payloads[0]))

    assert texts(person.memory) == expected


def test_words_that_the_rollout_lacks_yet_are_replaced_by_their_line(
    person: Person, capture: Callable[..., None], rollout: RolloutBuilder
) -> None:
    rollout.prompt("t1", "Use tabs")
    capture(last_assistant_message="Done.")
    rollout.answer("Done.")
    capture("SessionEnd", last_assistant_message="Done.")

    assert said(person.memory) == [("user", "Use tabs"), ("assistant", "Done.")]
    assert len(turns(person.memory)) == 1


def test_a_rollout_that_is_moved_to_the_archive_repeats_nothing(
    person: Person, run_hook: RunHook, capture: Callable[..., None], rollout: RolloutBuilder
) -> None:
    rollout.prompt("t1", "Use tabs")
    rollout.answer("Done.")
    capture(last_assistant_message="Done.")
    archived = person.home / ".codex" / "archived_sessions" / rollout.path.name
    archived.parent.mkdir()
    shutil.move(rollout.path, archived)

    resumed = rollout.payload("SessionStart", source="resume", transcript_path=str(archived))
    assert_silent(run_hook("capture-hook", resumed))
    assert_silent(run_hook("capture-hook", resumed | {"hook_event_name": "Stop"}))

    assert texts(person.memory) == ["Use tabs", "Done."]


@pytest.mark.parametrize("first", ["parent", "fork"])
def test_a_recorded_fork_repeats_nothing(person: Person, run_hook: RunHook, first: str) -> None:
    folder = person.home / ".codex" / "sessions"
    folder.mkdir(parents=True)
    threads = {"parent": (PARENT, "legacy.jsonl"), "fork": (FORK, "legacy_fork.jsonl")}
    order = sorted(threads, reverse=first == "parent")
    for name in [*order, *order]:
        thread, recorded = threads[name]
        path = folder / f"rollout-2026-11-30T21-02-33-{thread}.jsonl"
        shutil.copy(RECORDED / recorded, path)
        payload = RolloutBuilder(person.home / ".codex", person.project).payload("Stop", last_assistant_message=None)
        payload |= {"session_id": thread, "transcript_path": str(path), "turn_id": ""}
        assert_silent(run_hook("capture-hook", payload))

    found = sorted(texts(person.memory))
    assert found == sorted(set(found))
    assert set(found) == {
        *("Use tabs", "Tabs it is.", "fix the Makefile", "and keep line 3 as it was", "All right, line 3 stays."),
        *("this one is interrupted", "in the original", "In the original.", "in the fork", "Forked."),
    }
    assert len(turns(person.memory)) == 5


def test_a_subagents_hook_captures_nothing(
    person: Person, capture: Callable[..., None], rollout: RolloutBuilder
) -> None:
    rollout.prompt("t1", "look into it")
    capture(agent_id="a1", agent_type="worker")

    assert texts(person.memory) == []


def test_a_turn_heard_while_memory_was_off_is_never_captured(
    person: Person, run_hook: RunHook, capture: Callable[..., None], rollout: RolloutBuilder
) -> None:
    rollout.prompt("t1", "not for the memory")
    heard = rollout.payload("UserPromptSubmit", prompt="not for the memory")
    run_hook("recall-hook", heard, AGENTRECALL_DISABLED="1")
    rollout.answer("I will forget it.")
    rollout.prompt("t2", "Use tabs")
    capture()

    assert texts(person.memory) == ["Use tabs"]


def test_a_packed_rollout_is_left_to_backfill(person: Person, run_hook: RunHook, rollout: RolloutBuilder) -> None:
    packed = rollout.path.with_name(rollout.path.name + ".zst")
    packed.write_bytes(b"\x28\xb5\x2f\xfd" + b"\0" * 64)

    assert_silent(run_hook("capture-hook", rollout.payload(transcript_path=str(packed))))

    assert rows(person.memory, "SELECT count(*) FROM transcripts") == [(0,)]


def test_unknown_records_of_a_rollout_are_counted(
    person: Person, capture: Callable[..., None], rollout: RolloutBuilder
) -> None:
    rollout.append(event("brand-new"))
    rollout.prompt("t1", "Use tabs")
    capture()

    assert rows(person.memory, "SELECT unknown_lines, unknown_kinds FROM transcripts") == [
        (1, '{"event_msg:brand-new": 1}')
    ]


def test_a_rollouts_huge_line_is_passed_over(
    person: Person, capture: Callable[..., None], rollout: RolloutBuilder
) -> None:
    rollout.prompt("t1", "Use tabs")
    capture()
    with rollout.path.open("ab") as file:
        file.write(b'{"timestamp":"","type":"response_item","payload":{"type":"message","content":"')
        file.writelines(b"x" * 1024 * 1024 for _ in range(100))
        file.write(b'"}}\n')
    rollout.answer("Done.")
    capture("SessionStart")
    capture("Stop")

    assert texts(person.memory) == ["Use tabs", "Done."]
    assert rows(person.memory, "SELECT bad_lines FROM transcripts") == [(1,)]


# -- Claude Code: the same ways, once ---------------------------------------------------------------


def test_a_claude_code_turn_is_captured_once_by_every_way_that_it_may_come(
    person: Person, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    """Stop, SessionEnd, PreCompact, the sweep, a fork and a session that is resumed."""
    lines = [transcript.prompt("Use tabs"), transcript.answer("Done.")]
    for name in EVERY_EVENT:
        assert_silent(run_hook("capture-hook", transcript.payload(name, last_assistant_message="Done.")))

    other = "22222222-2222-4222-8222-222222222222"
    fork = TranscriptBuilder(transcript.path.with_name(f"{other}.jsonl"), person.project, other)
    for line in lines:
        fork.append(line.replace(SESSION.encode(), other.encode()))
    for name in EVERY_EVENT:
        assert_silent(run_hook("capture-hook", fork.payload(name, last_assistant_message="Done.")))

    transcript.append(encoded(transcript.prompt_record("And here")))
    for name in ("SessionStart", "Stop", "SessionEnd"):
        assert_silent(run_hook("capture-hook", transcript.payload(name)))

    assert texts(person.memory) == ["Use tabs", "Done.", "And here"]
    assert len(turns(person.memory)) == 2
