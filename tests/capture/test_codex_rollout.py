"""A Codex rollout is read into turns and spans, whatever generation of the host wrote it, and whatever is broken."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentrecall_domain.turns.batch import Excluded, Project
from agentrecall_domain.turns.capture import Session, read_batches
from agentrecall_domain.turns.codex_rollout import is_session_file, read
from agentrecall_domain.turns.span import ReaderState, Reading, Span
from capture.rollouts import THREAD, WHEN, answered, asked, completed, ended, event, item, meta, record
from helpers.transcripts import encoded

RECORDED = Path(__file__).with_name("transcripts") / "codex"
OWN_BLOCK = '<agentrecall project="demo" moment="prompt" id="I5">\nNotes\n- [N1] tabs here\n</agentrecall>'
SHELL = "exec_command failed: Exit code 2\nMakefile:3: *** missing separator."
MISSING = "No such file or directory (os error 2)"


def fresh(*records: dict[str, Any]) -> Reading:
    return read(map(encoded, records), ReaderState())


def in_turn(*records: dict[str, Any]) -> list[tuple[str, str]]:
    """What *records* say within a turn, and who says it."""
    reading = fresh(meta(), *asked("t1", "Use tabs"), *records)
    return [(span.role, span.text) for span in reading.spans[1:]]


def recorded(name: str) -> list[bytes]:
    return (RECORDED / name).read_bytes().split(b"\n")[:-1]


def told(name: str) -> list[tuple[str, str, str]]:
    """What a recorded rollout says, by turn."""
    reading = read(recorded(name), ReaderState())
    assert (reading.unknown, reading.bad_lines) == ({}, 0)
    ordinals = {turn.uid: str(turn.ordinal) for turn in reading.turns}
    return [(ordinals[span.turn_uid], span.role, span.text) for span in reading.spans]


def keyed(records: list[bytes]) -> list[str]:
    """The keys under which the spans of a rollout are stored."""

    class Found:
        lines = records
        end = 1
        oversize = 0

    def project_at(cwd: str) -> Project | Excluded:
        return Project(cwd, cwd, [("path", cwd)])

    session = Session(
        uid=THREAD, transcript_path=f"rollout-{THREAD}.jsonl", cwd="/", captured_at=WHEN, project_at=project_at
    )
    [(batch, _)] = read_batches(session, [Found()], ReaderState(), frozenset())
    return [span.dedup_key for span in batch.spans]


# -- recorded from the real program -----------------------------------------------------------------


def test_a_session_of_0_171_is_read_whole() -> None:
    assert told("session.jsonl") == [
        ("1", "user", "Use tabs in the Makefile, never spaces"),
        ("1", "assistant", "I will look first."),
        ("2", "user", "the tests fail, fix them"),
        ("3", "user", "and now again"),
        ("3", "tool", SHELL),
        ("3", "tool", "apply_patch failed: unsupported custom tool call: apply_patch"),
        (
            *("3", "tool"),
            (
                "exec_command failed: apply_patch verification failed: Failed to read file to update "
                f"/home/dev/demo/nothere.txt: {MISSING}"
            ),
        ),
        ("3", "tool", f"view_image failed: unable to locate image at `/nope.png`: {MISSING}"),
        ("3", "tool", "nosuch failed: unsupported call: nosuch"),
        ("3", "assistant", "That failed, trying again."),
        ("4", "user", "one that compacts"),
        ("4", "assistant", "SUMMARY text of model"),
    ]


def test_what_a_session_is_known_by_is_what_its_host_calls_it() -> None:
    reading = read(recorded("session.jsonl"), ReaderState())

    first = reading.turns[0]
    assert (first.uid, first.prompt_id) == ("01a22e41-f194-7150-b2cc-38cdaf5656c3",) * 2
    assert (first.session_uid, first.cwd) == (THREAD, "/home/dev/demo")
    assert (first.ordinal, first.said_at) == (1, "2026-11-30T21:00:03.445Z")
    assert {span.prompt_source for span in reading.spans if span.role == "user"} == {"sdk"}
    assert reading.compactions == 1


def test_a_session_of_2025_is_read_whole() -> None:
    assert told("2025.jsonl") == [
        ("1", "user", "Use tabs in the Makefile, never spaces"),
        ("1", "assistant", "I will look first."),
        ("2", "user", "the tests fail, fix them"),
        ("2", "tool", SHELL.replace("exec_command", "shell")),
        (
            *("2", "tool"),
            f"apply_patch failed: error: Failed to read file to update /home/dev/demo/nothere.txt: {MISSING}",
        ),
        ("2", "tool", "nosuch failed: unsupported call: nosuch"),
        ("2", "assistant", "That failed, trying again."),
        ("3", "user", "one that compacts"),
        ("3", "assistant", "Done a lot."),
        ("3", "assistant", "after"),
    ]


def test_a_session_from_before_lines_had_wrappers_is_read_whole() -> None:
    reading = read(recorded("2025_bare.jsonl"), ReaderState())

    assert [(span.role, span.text) for span in reading.spans] == [
        ("user", "Use tabs in the Makefile, never spaces"),
        ("assistant", "I will look first."),
    ]
    assert (reading.unknown, reading.bad_lines) == ({}, 0)
    # Its lines tell no time: the session's own is the nearest.
    assert {span.said_at for span in reading.spans} == {"2026-11-30T21:04:46.764Z"}


def test_words_typed_into_a_running_turn_belong_to_it() -> None:
    reading = read(recorded("steered.jsonl"), ReaderState())

    assert told("steered.jsonl") == [
        ("1", "user", "Use tabs"),
        ("1", "assistant", "Tabs it is."),
        ("2", "user", "fix the Makefile"),
        ("2", "user", "and keep line 3 as it was"),
        ("2", "assistant", "All right, line 3 stays."),
        ("3", "user", "this one is interrupted"),
        ("4", "user", "in the original"),
        ("4", "assistant", "In the original."),
    ]
    assert [span.prompt_source for span in reading.spans if span.turn_uid == reading.turns[1].uid] == [
        *("typed", "queued", "")
    ]


def test_a_fork_of_0_171_holds_only_what_is_new() -> None:
    assert told("fork.jsonl") == [("1", "user", "in the fork: use spaces"), ("1", "assistant", "Forked.")]


def test_a_fork_that_repeats_its_parents_lines_repeats_turns_and_keys() -> None:
    parent, fork = recorded("legacy.jsonl"), recorded("legacy_fork.jsonl")

    shared = [turn.uid for turn in read(parent, ReaderState()).turns[:3]]
    assert [turn.uid for turn in read(fork, ReaderState()).turns[:3]] == shared
    common = set(keyed(parent)) & set(keyed(fork))
    assert [key for key in keyed(fork) if key not in common] == keyed(fork)[-2:]
    assert [key for key in keyed(parent) if key not in common] == keyed(parent)[-2:]


def test_a_fork_belongs_to_the_session_that_its_file_is_of() -> None:
    [*_, last] = read(recorded("legacy_fork.jsonl"), ReaderState()).turns

    assert last.session_uid == "01a22e44-4c5f-72b0-a6bf-78b3466903f6"


def test_a_thread_that_its_host_rewrites_as_another_generation_keeps_its_keys() -> None:
    told_as_items = [meta(), *asked("t1", "Use tabs"), *answered("t1", "Done."), *ended("t1")]
    told_as_events = [
        meta(),
        event("task_started", turn_id="t1"),
        event("user_message", message="Use tabs"),
        event("agent_message", message="Done."),
        *ended("t1"),
    ]

    assert keyed(list(map(encoded, told_as_items))) == keyed(list(map(encoded, told_as_events)))


def of_2025(thread: str, *prompts: str) -> list[dict[str, Any]]:
    return [meta(thread), *(event("user_message", message=words, kind="plain") for words in prompts)]


def test_without_turn_ids_a_fork_still_repeats_its_turns() -> None:
    parent = fresh(*of_2025("first", "one", "two", "three"))
    fork = fresh(meta("second"), *of_2025("first", "one", "two", "another"))

    assert [turn.uid for turn in fork.turns[:2]] == [turn.uid for turn in parent.turns[:2]]
    assert fork.turns[2].uid != parent.turns[2].uid


def test_without_turn_ids_the_same_prompts_in_two_sessions_are_two_sets_of_turns() -> None:
    first, second = fresh(*of_2025("first", "continue", "continue")), fresh(*of_2025("second", "continue"))

    assert len({turn.uid for turn in first.turns + second.turns}) == 3


# -- what nobody said -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("# AGENTS.md instructions for /home/dev/demo\n\n<INSTRUCTIONS>\nBe nice.", id="project rules"),
        pytest.param("<user_instructions>\n\nBe nice.\n</user_instructions>", id="project rules of 2025"),
        pytest.param("<environment_context>\n  <cwd>/home/dev</cwd>\n</environment_context>", id="environment"),
        pytest.param("<permissions instructions>\nRead only.", id="permissions"),
        pytest.param('<hook_prompt id="1">go on</hook_prompt>', id="a stop hook's words"),
        pytest.param("<turn_aborted>\nThe user interrupted the previous turn on purpose.", id="interruption"),
        pytest.param("<user_shell_command>\n<command>\nls", id="a command that the user ran"),
        pytest.param("<subagent_notification>\n{}", id="a subagent's end"),
        pytest.param("<skill>\n<name>x</name>", id="a skill"),
        pytest.param(OWN_BLOCK, id="what we injected"),
        pytest.param("<system-reminder>Be nice.</system-reminder>", id="a reminder"),
        pytest.param(" \n", id="nothing"),
    ],
)
@pytest.mark.parametrize("generation", ["item", "event", "bare"])
def test_what_the_host_says_as_the_user_is_no_prompt(words: str, generation: str) -> None:
    said = {
        "item": completed("t1", "UserMessage", content=[{"type": "text", "text": words}]),
        "event": event("user_message", message=words),
        "bare": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": words}]},
    }[generation]

    reading = fresh(meta(), said)

    assert (reading.turns, reading.spans, reading.unknown, reading.bad_lines) == ([], [], {}, 0)


def test_a_message_that_2025_marks_as_the_hosts_is_no_prompt() -> None:
    assert fresh(meta(), event("user_message", message="cwd is /", kind="environment_context")).turns == []


def test_a_person_may_write_the_hosts_tags_further_on() -> None:
    words = "what does <environment_context> in this log mean?\n# AGENTS.md instructions"

    assert [span.text for span in fresh(meta(), *asked("t1", words)).spans] == [words]


def test_of_a_prompt_from_the_editor_only_what_was_typed_is_kept() -> None:
    sent = "# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nUse tabs\n"

    assert [span.text for span in fresh(meta(), *asked("t1", sent)).spans] == ["Use tabs"]
    assert fresh(meta(), *asked("t1", "# Context from my IDE setup:\n\n## Active file: a.py\n")).turns == []


def test_a_picture_without_words_opens_a_turn_that_says_nothing() -> None:
    as_item = completed("t1", "UserMessage", content=[{"type": "image", "image_url": "data:image/png;base64,AA"}])
    as_event = event("user_message", message="", images=["data:image/png;base64,AA"])

    for picture in (as_item, as_event):
        reading = fresh(meta(), picture)
        assert (len(reading.turns), reading.spans) == (1, [])


@pytest.mark.parametrize(
    "unsaid",
    [
        pytest.param(item("reasoning", summary=[{"type": "summary_text", "text": "hm"}]), id="thinking"),
        pytest.param(completed("t1", "Reasoning", summary_text=["hm"]), id="thinking, as an item"),
        pytest.param(event("agent_reasoning", text="hm"), id="thinking of 2025"),
        pytest.param(item("message", role="assistant", content=[{"text": "the summary"}]), id="a compaction's answer"),
        pytest.param(item("message", role="developer", content=[{"text": OWN_BLOCK}]), id="what we injected"),
        pytest.param(record("compacted", message="summary", replacement_history=[]), id="a compaction"),
        pytest.param(event("agent_message", message="Compact task completed"), id="the host's remark"),
        pytest.param(event("agent_message", message=OWN_BLOCK), id="what we injected, quoted"),
        pytest.param(completed("t1", "Plan", text="1. look"), id="a plan"),
        pytest.param(completed("t1", "CommandExecution", status="completed", exit_code=0), id="a command"),
        pytest.param(item("function_call", name="shell", arguments="{}", call_id="c"), id="a call"),
        pytest.param(item("function_call_output", call_id="c", output="a.txt\nerror.txt"), id="an output"),
        pytest.param(item("function_call_output", call_id="c", output="Exit code: 0\nOutput:\nfine"), id="success"),
        pytest.param(item("function_call_output", call_id="c", output=[{"type": "input_image"}]), id="a picture"),
        pytest.param(item("function_call_output", call_id="c", output="patch rejected by user"), id="a refusal"),
        pytest.param(record("world_state", state={"agents_md": "x"}), id="the state of the world"),
        pytest.param(record("turn_context", turn_id="t1", user_instructions="Be nice."), id="a context"),
    ],
)
def test_what_people_and_agent_did_not_say_is_left_out(unsaid: dict[str, Any]) -> None:
    assert in_turn(unsaid) == []
    assert fresh(meta(), unsaid).unknown == {}


@pytest.mark.parametrize(
    "stated",
    [
        {"source": {"subagent": "review"}},
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}},
        {"source": {"internal": "memory_consolidation"}},
        {"thread_source": "subagent"},
    ],
)
def test_nothing_of_a_subagents_session_is_kept(stated: dict[str, Any]) -> None:
    reading = fresh(meta(**stated), *asked("t1", "look into it"), *answered("t1", "Done."), record("brand-new"))

    assert (reading.turns, reading.spans) == ([], [])


# -- calls that failed ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "kept"),
    [
        pytest.param(
            "Chunk ID: d3\nWall time: 0.0 seconds\nProcess exited with code 2\nOutput:\nhi\nfatal: no",
            "Exit code 2\nfatal: no",
            id="0.171",
        ),
        pytest.param("Exit code: 1\nWall time: 0 seconds\nOutput:\nhi\nError: x", "Exit code 1\nError: x", id="0.104"),
        pytest.param('{"output":"hi\\nno such","metadata":{"exit_code":127}}', "Exit code 127\nno such", id="2025"),
        pytest.param([{"type": "input_text", "text": "unsupported call: x"}], "unsupported call: x", id="a list"),
        pytest.param({"content": "Exit code: 1\nOutput:\nbad", "success": False}, "Exit code 1\nbad", id="an object"),
        pytest.param("Exit code: 1\nOutput:\n", "Exit code 1", id="no output"),
    ],
)
def test_a_failed_call_keeps_its_status_and_first_error(output: Any, kept: str) -> None:
    call = item("function_call", name="shell", arguments="{}", call_id="c1")

    assert in_turn(call, item("function_call_output", call_id="c1", output=output)) == [
        ("tool", f"shell failed: {kept}")
    ]


def test_a_failed_item_of_another_tool_keeps_its_error() -> None:
    failed = completed("t1", "McpToolCall", id="c1", status="failed", error={"message": "connection refused"})

    assert in_turn(item("function_call", name="search", arguments="{}", call_id="c1"), failed) == [
        ("tool", "search failed: connection refused")
    ]


def test_a_failure_that_is_told_twice_is_one_event() -> None:
    spans = fresh(
        meta(),
        *asked("t1", "go"),
        item("function_call", name="shell", arguments="{}", call_id="c1"),
        completed("t1", "CommandExecution", id="c1", status="failed", exit_code=2, aggregated_output="fatal: no"),
        item("function_call_output", call_id="c1", output="Process exited with code 2\nOutput:\nfatal: no"),
    ).spans

    assert [(span.kind, span.origin, span.text) for span in spans[1:]] == [
        ("event", "tool", "shell failed: Exit code 2\nfatal: no")
    ]


def test_a_command_that_the_user_ran_is_no_call() -> None:
    own = completed("t1", "CommandExecution", status="failed", exit_code=1, source="user_shell")

    assert in_turn(own) == []


def test_a_failure_without_identity_is_counted_and_left_out() -> None:
    reading = fresh(meta(), item("function_call_output", output="unsupported call: x"))

    assert (reading.spans, reading.bad_lines) == ([], 1)


# -- any input --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unknown", "name"),
    [
        (record("brand-new"), "brand-new"),
        (event("brand-new"), "event_msg:brand-new"),
        (item("brand-new"), "response_item:brand-new"),
        (completed("t1", "BrandNew"), "item_completed:BrandNew"),
        ({"type": "brand-new", "words": "without a wrapper"}, "brand-new"),
        (record("brand-new") | {"payload": "no object"}, "brand-new"),
        ({"timestamp": WHEN}, "(none)"),
        (event("item_completed", item=7), "event_msg:item_completed"),
    ],
)
def test_unknown_records_are_counted_not_guessed(unknown: dict[str, Any], name: str) -> None:
    reading = fresh(meta(), unknown)

    assert (reading.unknown, reading.spans, reading.turns) == ({name: 1}, [], [])


def test_a_rollout_of_an_unknown_version_gives_what_is_understood_of_it() -> None:
    reading = fresh(
        meta(cli_version="9.0.0", history_mode="another"),
        record("frame", version=9),
        *asked("t1", "Use tabs"),
        completed("t1", "Thought", text="hm"),
        *answered("t1", "Done."),
    )

    assert [span.text for span in reading.spans] == ["Use tabs", "Done."]
    assert reading.unknown == {"frame": 1, "item_completed:Thought": 1}


@pytest.mark.parametrize(
    ("damaged", "found", "bad"),
    [
        pytest.param(b"\0" * 4096 + encoded(event("agent_message", message="Done.")), ["Done."], 0, id="NULs in front"),
        pytest.param(b"\0" * 4096, [], 1, id="NULs alone"),
        pytest.param(
            b'{"timestamp":"2026-11-02T08:00:00.000Z","type":"event_msg","payload":{"type":"agent_mes'
            + encoded(event("agent_message", message="Done.")),
            ["Done."],
            0,
            id="a cut line and the next one spliced",
        ),
        pytest.param(encoded(event("agent_message", message="Done."))[:-20], [], 1, id="a cut line"),
        pytest.param(
            encoded(event("agent_message", message="One."))[:-1] + encoded(event("agent_message", message="Two.")),
            ["One.", "Two."],
            0,
            id="two on one line",
        ),
        pytest.param(
            b'{"timestamp":"","type":"event_msg","payload":{"type":"agent_message","message":"D\xff\xfene"}}',
            ["D��ne"],
            0,
            id="bytes that are no UTF-8",
        ),
        pytest.param(
            rb'{"timestamp":"","type":"event_msg","payload":{"type":"agent_message","message":"\ud83d."}}',
            ["�."],
            0,
            id="half a surrogate pair",
        ),
        pytest.param(b"[]", [], 1, id="no object"),
        pytest.param(b"[" * 100_000, [], 1, id="deeply nested"),
    ],
)
def test_damaged_lines_cost_no_more_than_themselves(damaged: bytes, found: list[str], bad: int) -> None:
    lines = [*map(encoded, [meta(), *asked("t1", "Use tabs")]), damaged, *map(encoded, answered("t1", "Last."))]

    reading = read(lines, ReaderState())

    assert [span.text for span in reading.spans[1:]] == [*found, "Last."]
    assert reading.bad_lines == bad


@pytest.mark.parametrize(
    ("kind", "counted"),
    [("world_state", {}), ("response_item", {}), ("compacted", {}), ("brand-new", {"brand-new": 1})],
)
def test_a_long_line_without_words_is_not_parsed(kind: str, counted: dict[str, int]) -> None:
    long = encoded(record(kind, blob="x" * 100_000))[:-3]  # cut: parsed, it would be counted as bad

    reading = read([long], ReaderState())

    assert (reading.unknown, reading.bad_lines) == (counted, 0)
    assert reading.compactions == (kind == "compacted")


def test_a_long_prompt_is_read() -> None:
    assert [len(span.text) for span in fresh(meta(), *asked("t1", "word " * 40_000)).spans] == [200_000]


def test_clocks_that_run_backwards_change_no_order() -> None:
    late, early = event("user_message", message="one"), event("user_message", message="two")
    early["timestamp"] = "1999-01-01T00:00:00.000Z"

    assert [span.text for span in fresh(meta(), late, early).spans] == ["one", "two"]


def test_a_session_that_names_itself_as_its_parent_is_read() -> None:
    reading = fresh(meta(forked_from_id=THREAD), meta(forked_from_id=THREAD), *asked("t1", "Use tabs"))

    assert [turn.session_uid for turn in reading.turns] == [THREAD]


def test_words_from_the_middle_of_an_unnamed_session_wait_for_a_whole_reading() -> None:
    assert fresh(event("agent_message", message="Done.")).spans == []
    [known] = fresh(*answered("t1", "Done.")[:1]).spans
    assert (known.turn_uid, known.dedup_key) == ("t1", "codex:t1:agent:text:")


def test_a_reading_leaves_the_given_state_alone() -> None:
    state = ReaderState()
    before = state.to_json()

    read(recorded("session.jsonl"), state)

    assert state.to_json() == before


scalars = st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "t1", "text", "failed", "user", "x"])
keys = st.sampled_from(
    [
        *("type", "payload", "item", "content", "text", "message", "role", "id", "turn_id", "call_id", "output"),
        *("exit_code", "status", "source", "git", "cwd", "images", "kind", "record_type", "metadata", "error"),
    ]
)
kinds = st.sampled_from(
    [
        *("session_meta", "event_msg", "response_item", "turn_context", "compacted", "message", "item_completed"),
        *("user_message", "agent_message", "task_started", "task_complete", "function_call", "function_call_output"),
        *("UserMessage", "AgentMessage", "CommandExecution", "brand-new"),
    ]
)
trees = st.recursive(
    scalars | kinds,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=20,
)
wrapped = st.builds(
    lambda kind, payload: {"timestamp": WHEN, "type": kind, "payload": payload},
    kinds,
    st.dictionaries(keys, trees, max_size=6),
)


@given(st.lists(st.binary(max_size=80), max_size=6))
def test_any_bytes_are_read_or_counted(lines: list[bytes]) -> None:
    reading = read(lines, ReaderState())

    assert reading.bad_lines <= len(lines)


@given(st.lists(wrapped | trees, max_size=6))
def test_any_json_is_read_or_counted(found: list[Any]) -> None:
    reading = read([json.dumps(value).encode() for value in found], ReaderState())

    assert [span for span in reading.spans if not span.dedup_key] == []
    assert all(turn.uid for turn in reading.turns)


def merged(*readings: Reading) -> dict[str, tuple[str, str]]:
    """The spans by their keys, the first of each, as the store keeps them."""
    found: dict[str, tuple[str, str]] = {}
    for reading in readings:
        for span in reading.spans:
            found.setdefault(_key(span), (span.turn_uid, span.role))
    return found


def _key(span: Span) -> str:
    return f"{span.dedup_key}{span.text if span.dedup_key.endswith(':') else ''}"


@settings(max_examples=60)
@given(
    name=st.sampled_from(["session.jsonl", "2025.jsonl", "2025_bare.jsonl", "legacy_fork.jsonl", "steered.jsonl"]),
    data=st.data(),
)
def test_where_a_reading_ends_makes_no_difference(name: str, data: st.DataObject) -> None:
    lines = recorded(name)
    cut = data.draw(st.integers(0, len(lines)))
    whole = read(lines, ReaderState())

    first = read(lines[:cut], ReaderState())
    second = read(lines[cut:], ReaderState.from_json(first.state.to_json()))

    assert merged(first, second) == merged(whole)
    assert [turn.uid for turn in first.turns + second.turns] == [turn.uid for turn in whole.turns]
    assert second.state.to_json() == whole.state.to_json()


# -- which files, and what it costs -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "is_session"),
    [
        ("/home/dev/.codex/sessions/2026/11/02/rollout-2026-11-02T08-00-00-01a2.jsonl", True),
        ("/home/dev/.codex/archived_sessions/rollout-2026-11-02T08-00-00-01a2.jsonl", True),
        ("C:\\Users\\dev\\.codex\\sessions\\rollout-2026-11-02T08-00-00-01a2.jsonl", True),
        ("/home/dev/.codex/sessions/2026/11/02/rollout-2026-11-02T08-00-00-01a2.jsonl.zst", False),
        ("/home/dev/.codex/session_index.jsonl", False),
        ("/home/dev/.codex/history.jsonl", False),
        ("", False),
    ],
)
def test_only_rollouts_as_they_are_written_are_sessions(path: str, *, is_session: bool) -> None:
    assert is_session_file(path) is is_session


def test_the_reader_imports_nothing_but_json_re_and_our_hot_modules() -> None:
    code = (
        "import sys, json, re; before = set(sys.modules); import agentrecall_domain.turns.codex_rollout;"
        "print(*sorted(set(sys.modules) - before))"
    )

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert {name for name in run.stdout.split() if not name.startswith("agentrecall_domain")} <= {
        *("__future__", "_blake2")
    }
