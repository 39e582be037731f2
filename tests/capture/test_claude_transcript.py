from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.turns.claude_transcript import is_session_file, read
from agentrecall_domain.turns.own_text import drop_leading_reminders, remove_own
from agentrecall_domain.turns.span import ReaderState, Reading, Span, TurnOpening

TRANSCRIPTS = Path(__file__).with_name("transcripts")
OWN_BLOCK = '<agentrecall project="demo" moment="prompt" id="I5">\nNotes\n- [N1] tabs here\n</agentrecall>'

type_names = st.sampled_from(["user", "assistant", "attachment", "system", "summary", "brand-new"])


def line(**record: Any) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode()


def message_line(kind: str, uuid: str, message: dict[str, Any], **fields: Any) -> bytes:
    return line(**{"type": kind, "uuid": uuid, "isSidechain": False, "sessionId": "s1", "message": message, **fields})


def human(uuid: str, content: Any, **fields: Any) -> bytes:
    stated = {"origin": {"kind": "human"}, "promptSource": "typed", **fields}
    return message_line("user", uuid, {"role": "user", "content": content}, **stated)


def older(uuid: str, content: Any, **fields: Any) -> bytes:
    return message_line("user", uuid, {"role": "user", "content": content}, **fields)


def assistant(uuid: str, message_id: str, *blocks: Any, **fields: Any) -> bytes:
    return message_line("assistant", uuid, {"id": message_id, "role": "assistant", "content": list(blocks)}, **fields)


def said(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def call(uuid: str, message_id: str, tool_id: str, name: str = "Bash") -> bytes:
    return assistant(uuid, message_id, {"type": "tool_use", "id": tool_id, "name": name, "input": {}})


def result(uuid: str, tool_id: str, content: Any, *, is_error: Any = True) -> bytes:
    block = {"type": "tool_result", "tool_use_id": tool_id, "content": content, "is_error": is_error}
    return older(uuid, [block])


REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file). "
)
REFUSED_SAYING = REFUSED + "To tell you how to proceed, the user said:\n"
HOST_NOTE = (
    "\n\nNote: The user's next message may contain a correction or preference. Pay close attention \u2014 if they "
    "explain what went wrong, consider saving that to memory for future sessions."
)


def queued(uuid: str, prompt: Any, **fields: Any) -> bytes:
    attachment = {"type": "queued_command", "prompt": prompt, "commandMode": "prompt", "humanTurn": True, **fields}
    return line(type="attachment", uuid=uuid, isSidechain=False, sessionId="s1", attachment=attachment)


def boundary() -> bytes:
    return line(type="system", subtype="compact_boundary", uuid="b1", sessionId="s1")


def fresh(*lines: bytes) -> Reading:
    return read(lines, ReaderState())


def complete_lines(name: str) -> list[bytes]:
    *lines, _half = (TRANSCRIPTS / name).read_bytes().split(b"\n")
    return lines


def values(thing: Span | TurnOpening | ReaderState) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in thing.__slots__}


def texts(reading: Reading) -> list[str]:
    return [span.text for span in reading.spans]


# -- whole files ----------------------------------------------------------------------------------


def test_a_session_is_read_whole() -> None:
    reading = read(complete_lines("session.jsonl"), ReaderState())

    session = "11111111-1111-4111-8111-111111111111"
    uid = "aaaaaaaa-0000-4000-8000-00000000000{}".format
    place = {"session_uid": session, "cwd": "/home/dev/demo", "branch": "main"}
    assert [values(turn) for turn in reading.turns] == [
        {
            "uid": uid(1),
            "prompt_id": "bbbbbbbb-0000-4000-8000-000000000001",
            "ordinal": 1,
            "said_at": "2026-11-02T08:00:00.100Z",
            **place,
        },
        {"uid": uid(5), "prompt_id": "", "ordinal": 2, "said_at": "2026-11-02T08:00:02.500Z", **place},
        {"uid": uid(7), "prompt_id": "", "ordinal": 3, "said_at": "2026-11-02T08:01:00.000Z", **place},
    ]
    assert [values(span) for span in reading.spans] == [
        {
            "turn_uid": uid(1),
            "dedup_key": "claude-code:" + uid(1),
            "kind": "turn",
            "role": "user",
            "origin": "user",
            "text": "Use tabs in the Makefile, never spaces",
            "said_at": "2026-11-02T08:00:00.100Z",
            "prompt_source": "typed",
            "continues": False,
        },
        {
            "turn_uid": uid(1),
            "dedup_key": "claude-code:" + uid(2),
            "kind": "turn",
            "role": "assistant",
            "origin": "agent",
            "text": "I will fix the indentation.",
            "said_at": "2026-11-02T08:00:01.000Z",
            "prompt_source": "",
            "continues": False,
        },
        {
            "turn_uid": uid(1),
            "dedup_key": "claude-code:" + uid(4) + ":toolu_demo_1",
            "kind": "event",
            "role": "tool",
            "origin": "tool",
            "text": "Bash failed: Exit code 2\nMakefile:3: *** missing separator.",
            "said_at": "2026-11-02T08:00:02.000Z",
            "prompt_source": "",
            "continues": False,
        },
        {
            "turn_uid": uid(5),
            "dedup_key": "claude-code:" + uid(5),
            "kind": "turn",
            "role": "user",
            "origin": "user",
            "text": "and keep line 3 as it was",
            "said_at": "2026-11-02T08:00:02.500Z",
            "prompt_source": "queued",
            "continues": False,
        },
        {
            "turn_uid": uid(7),
            "dedup_key": "claude-code:" + uid(7),
            "kind": "turn",
            "role": "user",
            "origin": "user",
            "text": "/greet Ada",
            "said_at": "2026-11-02T08:01:00.000Z",
            "prompt_source": "command",
            "continues": False,
        },
    ]
    assert (reading.unknown, reading.bad_lines, reading.compactions) == ({}, 0, 1)
    # What only another host tells stays as it was.
    assert values(reading.state) == values(ReaderState()) | {
        "session_uid": session,
        "turn_uid": uid(7),
        "prompt_id": "",
        "message_id": "",
        "message_key": "",
        "cwd": "/home/dev/demo",
        "ordinal": 3,
    }


def test_a_fork_repeats_turns_and_keys_under_another_session_and_prompt_id() -> None:
    original = read(complete_lines("session.jsonl")[1:6], ReaderState())
    fork = read(complete_lines("fork.jsonl"), ReaderState())

    shared = len(original.turns)
    assert [turn.uid for turn in fork.turns[:shared]] == [turn.uid for turn in original.turns]
    assert [span.dedup_key for span in fork.spans[:-1]] == [span.dedup_key for span in original.spans]
    assert [span.turn_uid for span in fork.spans[:-1]] == [span.turn_uid for span in original.spans]
    assert fork.turns[0].prompt_id != original.turns[0].prompt_id
    assert fork.turns[0].session_uid != original.turns[0].session_uid
    assert fork.spans[-1].text == "Try it with spaces after all"


def test_an_older_session_without_origin_fields_gives_only_what_people_and_agent_said() -> None:
    reading = read(complete_lines("older.jsonl"), ReaderState())

    assert [(span.role, span.text, span.prompt_source) for span in reading.spans] == [
        ("user", "Date the invoices in UTC", "unknown"),
        ("assistant", "I will look at the model.", ""),
        ("assistant", "It is local time today.\n\nI change `dated_at`.", ""),
        ("user", "No, keep the column and convert when it is shown", "unknown"),
        ("assistant", "Converted in the view.", ""),
    ]
    assert [turn.ordinal for turn in reading.turns] == [1, 2]
    assert (reading.unknown, reading.bad_lines) == ({}, 0)


# -- who is speaking ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "source"),
    [
        pytest.param({"origin": {"kind": "human"}, "promptSource": "typed"}, "typed", id="typed by a person"),
        pytest.param({"origin": {"kind": "human"}}, "unknown", id="a person, the way in not told"),
        pytest.param({"promptSource": "typed"}, "typed", id="typed, the speaker not told"),
        pytest.param({"promptSource": "queued"}, "queued", id="queued, the speaker not told"),
        pytest.param({"promptSource": "suggestion_accepted"}, "suggestion_accepted", id="an accepted suggestion"),
        pytest.param({"promptSource": "sdk"}, "sdk", id="a program's prompt is kept and labelled"),
        pytest.param({"origin": {"kind": "human"}, "promptSource": "sdk"}, "sdk", id="a person through a program"),
        pytest.param({"origin": {"kind": "human"}, "promptSource": "voice"}, "voice", id="a person in a new way"),
        pytest.param({"origin": "human", "promptSource": "typed"}, "typed", id="an origin of another shape"),
        pytest.param({}, "unknown", id="an older line"),
    ],
)
def test_a_prompt_is_kept_with_the_way_it_came_in(fields: dict[str, Any], source: str) -> None:
    reading = fresh(older("u1", "Keep the tabs", **fields))

    assert [(span.text, span.role, span.origin, span.prompt_source) for span in reading.spans] == [
        ("Keep the tabs", "user", "user", source)
    ]
    assert [turn.uid for turn in reading.turns] == ["u1"]


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"isSidechain": True}, id="a subagent's prompt"),
        pytest.param({"isMeta": True}, id="the harness's text"),
        pytest.param({"isMeta": True, "promptSource": "typed"}, id="the harness's text with a source"),
        pytest.param({"isCompactSummary": True}, id="a compaction summary"),
        pytest.param({"isVisibleInTranscriptOnly": True}, id="text the model never got"),
        pytest.param({"turnCompanion": True}, id="the expansion of a command"),
        pytest.param({"rowSource": "local"}, id="a 2.1.332 line with a row source alone"),
        pytest.param({"promptSource": "system"}, id="a prompt of the system"),
        pytest.param({"origin": {"kind": "task-notification"}}, id="a notification"),
        pytest.param({"origin": {"kind": "peer"}, "promptSource": "queued"}, id="another agent's message, queued"),
        pytest.param({"origin": {}}, id="an origin that says nothing"),
    ],
)
def test_what_nobody_typed_is_no_prompt(fields: dict[str, Any]) -> None:
    reading = fresh(older("u1", "Keep the tabs", **fields))

    assert (reading.turns, reading.spans, reading.bad_lines) == ([], [], 0)


@pytest.mark.parametrize(
    "text",
    [
        "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
        "<command-message>clear</command-message>",
        "<command-name>/model</command-name> and half a wrapper",
        "<local-command-stdout>Compacted</local-command-stdout>",
        "<local-command-stderr>no</local-command-stderr>",
        "<local-command-caveat>advice</local-command-caveat>",
        "<bash-input>ls</bash-input>",
        "<bash-stdout>a.py</bash-stdout>",
        "<bash-stderr>none</bash-stderr>",
        "<system-reminder>Tidy up.</system-reminder>",
        "  <system-reminder>Never closed",
        "<task-notification>done</task-notification>",
        "<user-prompt-submit-hook>memory</user-prompt-submit-hook>",
        "Base directory for this skill: /home/dev/skills/greet",
        "Caveat: The messages below were generated by the user while running local commands.",
        "This session is being continued from a previous conversation that was long.",
        "[Request interrupted by user]",
        "[Request interrupted by user for tool use]",
        "SessionStart hook additional context: (memory) tabs here",
        "UserPromptSubmit hook success: (memory) tabs here",
        "Stop hook feedback: go on",
        OWN_BLOCK,
        "",
        "  \n",
    ],
)
def test_an_older_line_that_starts_like_the_hosts_text_is_no_prompt(text: str) -> None:
    reading = fresh(older("u1", text))

    assert (reading.turns, reading.spans) == ([], [])


@pytest.mark.parametrize(
    "text",
    [
        "Why do I see <command-name>/clear</command-name> in the log?",
        "The log has <system-reminder>x</system-reminder> in it",
        "my git hook success: print less",
        "Write a hook additional context: example",
    ],
)
def test_a_person_may_write_the_hosts_tags_further_on(text: str) -> None:
    assert texts(fresh(older("u1", text))) == [text]


def test_a_line_marked_as_human_may_start_with_the_hosts_tags() -> None:
    text = "<bash-stdout>a.py</bash-stdout> is all it prints"

    assert texts(fresh(human("u1", text))) == [text]


def test_an_interruption_is_no_prompt_whatever_it_is_marked_as() -> None:
    assert fresh(human("u1", [said("[Request interrupted by user]")])).turns == []


@pytest.mark.parametrize(
    ("wrapper", "text"),
    [
        pytest.param(
            "<command-message>greet</command-message>\n<command-name>/greet</command-name>\n"
            "<command-args>Ada</command-args>",
            "/greet Ada",
            id="message first",
        ),
        pytest.param(
            "<command-name>greet</command-name>\n            <command-message>greet</command-message>\n"
            "            <command-args>Ada\nand Grace </command-args>",
            "/greet Ada\nand Grace",
            id="name first, without its slash, arguments of two lines",
        ),
    ],
)
@pytest.mark.parametrize("fields", [{}, {"rowSource": "local"}, {"origin": {"kind": "human"}}], ids=str)
def test_a_slash_commands_arguments_are_the_users_words(wrapper: str, text: str, fields: dict[str, Any]) -> None:
    reading = fresh(older("u1", wrapper, **fields))

    assert [(span.text, span.prompt_source) for span in reading.spans] == [(text, "command")]


@pytest.mark.parametrize(
    "wrapper",
    [
        pytest.param("<command-name>/clear</command-name>\n<command-args> </command-args>", id="empty arguments"),
        pytest.param("<command-name>/clear</command-name>", id="no arguments"),
        pytest.param("<command-message>x</command-message>\n<command-args>Ada</command-args>", id="no name"),
    ],
)
def test_a_slash_command_without_arguments_opens_no_turn(wrapper: str) -> None:
    assert fresh(older("u1", wrapper, rowSource="local")).turns == []


def test_text_blocks_are_joined_and_other_blocks_skipped() -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}

    assert texts(fresh(human("u1", [said("Look"), picture, "stray", said("at this")]))) == ["Look\nat this"]


@pytest.mark.parametrize("prompt_line", [human, older], ids=["now", "before"])
def test_a_picture_without_words_opens_a_turn_that_says_nothing(prompt_line: Any) -> None:
    reading = fresh(prompt_line("u1", [{"type": "image", "source": {}}]), assistant("a1", "m1", said("A cat.")))

    assert [(span.turn_uid, span.text) for span in reading.spans] == [("u1", "A cat.")]


def test_a_prompt_without_identity_is_counted_and_left_out() -> None:
    no_uuid = line(type="user", promptSource="typed", message={"content": "Keep the tabs"})
    odd_uuid = line(type="user", uuid=7, promptSource="typed", message={"content": "Keep the tabs"})

    reading = fresh(no_uuid, odd_uuid)

    assert (reading.turns, reading.spans, reading.bad_lines) == ([], [], 2)


@pytest.mark.parametrize(
    "prompt", ["and keep line 3", [said("and keep"), {"type": "image"}, said("line 3")]], ids=["string", "blocks"]
)
@pytest.mark.parametrize(
    "who", [{"humanTurn": True}, {"humanTurn": None, "origin": {"kind": "human"}}], ids=["human turn", "human origin"]
)
def test_a_prompt_queued_by_a_person_opens_a_turn(prompt: Any, who: dict[str, Any]) -> None:
    reading = fresh(human("u1", "Use tabs"), queued("q1", prompt, **who), assistant("a1", "m1", said("Done.")))

    assert [(turn.uid, turn.ordinal) for turn in reading.turns] == [("u1", 1), ("q1", 2)]
    assert [(span.turn_uid, span.text.split(), span.prompt_source) for span in reading.spans[1:]] == [
        ("q1", ["and", "keep", "line", "3"], "queued"),
        ("q1", ["Done."], ""),
    ]


@pytest.mark.parametrize(
    "attachment",
    [
        pytest.param(queued("q1", "done", humanTurn=False), id="nobody's turn"),
        pytest.param(queued("q1", "done", humanTurn=False, origin={"kind": "task-notification"}), id="a notification"),
        pytest.param(queued("q1", "ls", commandMode="bash"), id="a shell line"),
        pytest.param(queued("q1", {"odd": 1}), id="a prompt of no known shape"),
        pytest.param(queued("q1", "x", type="hook_additional_context"), id="another attachment"),
        pytest.param(line(type="attachment", uuid="q1", attachment="odd"), id="an attachment of no known shape"),
    ],
)
def test_other_attachments_say_nothing(attachment: bytes) -> None:
    reading = fresh(attachment)

    assert (reading.turns, reading.spans, reading.bad_lines, reading.unknown) == ([], [], 0, {})


# -- what the assistant said ----------------------------------------------------------------------


def test_lines_of_one_message_are_one_span_under_the_first_texts_key() -> None:
    reading = fresh(
        human("u1", "Use tabs"),
        assistant("a0", "m1", {"type": "thinking", "thinking": "hm"}),
        assistant("a1", "m1", said("First.")),
        call("a2", "m1", "t1"),
        result("r1", "t1", "ok", is_error=False),
        assistant("a3", "m1", said("Second."), said("Third.")),
    )

    assert [(span.dedup_key, span.text, span.continues) for span in reading.spans[1:]] == [
        ("claude-code:a1", "First.\n\nSecond.\n\nThird.", False)
    ]


@pytest.mark.parametrize(
    "between",
    [
        pytest.param(human("u2", "Wait"), id="a prompt"),
        pytest.param(queued("q1", "Wait"), id="a queued prompt"),
        pytest.param(assistant("a9", "m2", said("Other.")), id="another message"),
        pytest.param(call("a9", "m2", "t1"), id="another message without text"),
        pytest.param(boundary(), id="a compaction"),
    ],
)
def test_a_message_is_closed_by(between: bytes) -> None:
    reading = fresh(assistant("a1", "m1", said("First.")), between, assistant("a2", "m1", said("Second.")))

    assert (texts(reading)[0], texts(reading)[-1]) == ("First.", "Second.")
    assert reading.spans[-1].dedup_key == "claude-code:a2"


def test_a_line_that_stands_there_twice_adds_nothing() -> None:
    first, second = assistant("a1", "m1", said("First.")), assistant("a2", "m1", said("Second."))

    assert texts(fresh(first, first, second, second, first)) == ["First.\n\nSecond."]


def test_messages_without_an_id_are_never_joined() -> None:
    reading = fresh(assistant("a1", "", said("First.")), assistant("a2", "", said("Second.")))

    assert texts(reading) == ["First.", "Second."]


def test_a_message_goes_on_in_the_next_reading() -> None:
    first = fresh(human("u1", "Use tabs"), assistant("a1", "m1", said("First.")))
    saved = ReaderState.from_json(first.state.to_json())
    second = read([call("a2", "m1", "t1"), assistant("a3", "m1", said("Second."))], saved)

    assert [values(span) for span in second.spans] == [
        {
            "turn_uid": "u1",
            "dedup_key": "claude-code:a1",
            "kind": "turn",
            "role": "assistant",
            "origin": "agent",
            "text": "Second.",
            "said_at": "",
            "prompt_source": "",
            "continues": True,
        }
    ]


def test_a_message_that_had_only_tools_begins_in_the_next_reading() -> None:
    first = fresh(call("a1", "m1", "t1"))
    second = read([assistant("a2", "m1", said("First."))], first.state)

    assert [(span.dedup_key, span.continues) for span in second.spans] == [("claude-code:a2", False)]


def test_a_reading_leaves_the_given_state_alone() -> None:
    state = ReaderState(turn_uid="u0", message_id="m0", message_key="claude-code:a0", ordinal=4)
    before = values(state)

    reading = read([human("u1", "Use tabs")], state)

    assert values(state) == before
    assert (reading.state.turn_uid, reading.state.ordinal, reading.turns[0].ordinal) == ("u1", 5, 5)


def test_text_before_any_prompt_belongs_to_no_known_turn() -> None:
    assert [span.turn_uid for span in fresh(assistant("a1", "m1", said("Done."))).spans] == [""]


@pytest.mark.parametrize(
    "spoken",
    [
        pytest.param(assistant("a1", "m1", said("Done."), isSidechain=True), id="a subagent's"),
        pytest.param(assistant("a1", "m1", said("Overloaded"), isApiErrorMessage=True), id="an error of the API"),
        pytest.param(
            message_line("assistant", "a1", {"id": "m1", "model": "<synthetic>", "content": [said("No reply.")]}),
            id="the host's own remark",
        ),
        pytest.param(assistant("a1", "m1", said(" (no content)\n")), id="no content"),
        pytest.param(assistant("a1", "m1", said(" \n")), id="white space"),
        pytest.param(assistant("a1", "m1", said(OWN_BLOCK)), id="our block alone"),
        pytest.param(assistant("a1", "m1", {"type": "text", "text": 7}, "stray", None), id="odd blocks"),
    ],
)
def test_what_the_assistant_did_not_say_is_left_out(spoken: bytes) -> None:
    reading = fresh(spoken)

    assert (reading.spans, reading.bad_lines) == ([], 0)


def test_an_assistant_text_without_identity_is_counted_and_left_out() -> None:
    reading = fresh(assistant("", "m1", said("Done.")))

    assert (reading.spans, reading.bad_lines) == ([], 1)


# -- failed tool calls ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "event"),
    [
        pytest.param("Exit code 1\nerror: no such table", "Exit code 1\nerror: no such table", id="status and error"),
        pytest.param(
            "Exit code 1\n> demo@1.0.0 test\n\nTypeError: x is undefined\n  at a.js:3",
            "Exit code 1\nTypeError: x is undefined",
            id="output before the error",
        ),
        pytest.param("Exit code 1\none\ntwo", "Exit code 1\none", id="no line that names an error"),
        pytest.param("Exit code 1", "Exit code 1", id="a status alone"),
        pytest.param("<tool_use_error>File has changed.</tool_use_error>", "File has changed.", id="the host's tag"),
        pytest.param([said("Not there"), {"type": "image"}], "Not there", id="blocks"),
        pytest.param("Error: " + "x" * 900, "Error: " + "x" * 293, id="a long line is cut"),
        pytest.param("Exit code 2\nfatal error:", "Exit code 2\nfatal error:", id="a colon at the end stays"),
        pytest.param(OWN_BLOCK + "\nExit code 1\nfailed", "Exit code 1\nfailed", id="our own text is no output"),
    ],
)
def test_a_failed_call_keeps_its_status_and_first_error(output: Any, event: str) -> None:
    reading = fresh(human("u1", "Test it"), call("a1", "m1", "t1"), result("r1", "t1", output))

    (span,) = reading.spans[1:]
    assert (span.text, span.kind, span.role, span.origin) == (f"Bash failed: {event}", "event", "tool", "tool")
    assert (span.dedup_key, span.turn_uid) == ("claude-code:r1:t1", "u1")


def test_a_failed_call_without_output_is_still_an_event() -> None:
    assert texts(fresh(call("a1", "m1", "t1"), result("r1", "t1", None))) == ["Bash failed"]


def test_a_failure_whose_call_was_in_an_earlier_reading_has_no_tool_name() -> None:
    assert texts(fresh(result("r1", "t1", "Exit code 1"))) == ["tool failed: Exit code 1"]


@pytest.mark.parametrize(
    "silent",
    [
        pytest.param(result("r1", "t1", "ok", is_error=False), id="a success"),
        pytest.param(result("r1", "t1", "Exit code 1", is_error=None), id="no word of an error"),
        pytest.param(result("r1", "t1", "The user doesn't want to proceed with this tool use."), id="a refusal"),
        pytest.param(result("r1", "t1", "[Request interrupted by user for tool use]"), id="an interruption"),
        pytest.param(older("r1", [{"type": "tool_result"}, said("Keep the tabs")]), id="text beside a result"),
    ],
)
def test_other_results_say_nothing(silent: bytes) -> None:
    reading = fresh(call("a1", "m1", "t1"), silent)

    assert (reading.spans, reading.turns, reading.bad_lines) == ([], [], 0)


def test_a_failure_without_identity_is_counted_and_left_out() -> None:
    reading = fresh(result("", "t1", "Exit code 1"))

    assert (reading.spans, reading.bad_lines) == ([], 1)


# -- what a user says when refusing a call --------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "words"),
    [
        pytest.param(REFUSED_SAYING + "Use tabs here", "Use tabs here", id="as the terminal writes it"),
        pytest.param(REFUSED_SAYING + "No.\n\n- tabs\n- no spaces\n", "No.\n\n- tabs\n- no spaces", id="several lines"),
        pytest.param(REFUSED_SAYING + "Use tabs here" + HOST_NOTE, "Use tabs here", id="the host's note after it"),
        pytest.param(
            REFUSED_SAYING + "The log says\nthe user said: go" + HOST_NOTE,
            "The log says\nthe user said: go",
            id="the same phrase in the words",
        ),
        pytest.param(
            REFUSED + "The user provided the following reason for the rejection:  the user said: tabs",
            "the user said: tabs",
            id="as the editor's window writes it",
        ),
        pytest.param(
            "The user doesn\u2019t want to proceed with this. the user said: Use tabs", "Use tabs", id="other wording"
        ),
        pytest.param([said(REFUSED_SAYING + "Use tabs here")], "Use tabs here", id="blocks"),
        pytest.param(REFUSED_SAYING + f"As noted:\n{OWN_BLOCK}\nso tabs", "As noted:\nso tabs", id="our text in it"),
    ],
)
def test_words_typed_with_a_refusal_are_the_users(output: Any, words: str) -> None:
    reading = fresh(human("u1", "Fix it"), call("a1", "m1", "t1"), result("r1", "t1", output))

    assert [values(span) for span in reading.spans[1:]] == [
        {
            "turn_uid": "u1",
            "dedup_key": "claude-code:r1:t1",
            "kind": "turn",
            "role": "user",
            "origin": "user",
            "text": words,
            "said_at": "",
            "prompt_source": "refusal",
            "continues": False,
        }
    ]
    assert [turn.uid for turn in reading.turns] == ["u1"]


@pytest.mark.parametrize(
    "output",
    [
        pytest.param(REFUSED + "STOP what you are doing and wait for the user to tell you how to proceed.", id="none"),
        pytest.param(REFUSED + "STOP what you are doing." + HOST_NOTE, id="the host's note alone"),
        pytest.param(REFUSED_SAYING, id="an empty answer"),
        pytest.param(REFUSED_SAYING + HOST_NOTE, id="an empty answer and the host's note"),
        pytest.param(REFUSED_SAYING + OWN_BLOCK, id="our block alone"),
        pytest.param(
            REFUSED_SAYING + "The user wants to clarify these questions.\n    Questions asked:\n- Tabs?",
            id="the host's request to talk about its questions",
        ),
        pytest.param(
            REFUSED_SAYING + "The user has indicated they have provided enough answers for the plan interview.\nStop",
            id="the host's end of its questions",
        ),
        pytest.param(
            "The agent proposed a plan that was rejected by the user. The user chose to stay in plan mode.\n\n"
            "Rejected plan:\nAs the user said: spaces",
            id="the agent's plan quotes someone",
        ),
    ],
)
def test_a_refusal_without_typed_words_says_nothing(output: Any) -> None:
    reading = fresh(human("u1", "Fix it"), call("a1", "m1", "t1"), result("r1", "t1", output))

    assert (texts(reading), reading.bad_lines) == (["Fix it"], 0)


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        pytest.param("user-rejected", ["Use tabs"], id="the user's refusal"),
        pytest.param("permission-rule", [], id="a rule's refusal"),
        pytest.param(None, ["Use tabs"], id="not told"),
    ],
)
def test_a_refusal_the_host_says_is_not_the_users_has_no_words_of_theirs(kind: str | None, found: list[str]) -> None:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": REFUSED_SAYING + "Use tabs", "is_error": True}

    assert texts(fresh(older("r1", [block], toolDenialKind=kind))) == found


def test_a_tools_output_that_quotes_a_refusal_is_not_the_users_word() -> None:
    output = "Exit code 1\n" + REFUSED_SAYING + "Use spaces"

    failed = fresh(call("a1", "m1", "t1"), result("r1", "t1", output))
    worked = fresh(call("a1", "m1", "t1"), result("r1", "t1", REFUSED_SAYING + "Use spaces", is_error=False))

    assert [span.role for span in failed.spans] == ["tool"]
    assert worked.spans == []


def test_refusals_on_one_line_are_kept_apart() -> None:
    blocks = [
        {"type": "tool_result", "tool_use_id": name, "content": REFUSED_SAYING + words, "is_error": True}
        for name, words in (("t1", "Not this"), ("t2", "Nor this"))
    ]

    reading = fresh(older("r1", blocks))

    assert [(span.dedup_key, span.text) for span in reading.spans] == [
        ("claude-code:r1:t1", "Not this"),
        ("claude-code:r1:t2", "Nor this"),
    ]


def test_a_refusals_words_without_identity_are_counted_and_left_out() -> None:
    reading = fresh(result("", "t1", REFUSED_SAYING + "Use tabs"))

    assert (reading.spans, reading.bad_lines) == ([], 1)


# -- our own text ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        pytest.param("No block at all\n", "No block at all\n", id="nothing of ours"),
        pytest.param(f"before\n{OWN_BLOCK}\nafter", "before\nafter", id="in the middle"),
        pytest.param(OWN_BLOCK, "", id="alone"),
        pytest.param(f"{OWN_BLOCK}\none\n{OWN_BLOCK}\ntwo", "one\ntwo", id="twice"),
        pytest.param('before\n<agentrecall id="I5">\nnever closed', "before", id="cut by the host"),
        pytest.param('a\n<agentrecall id="I5">x</agentrecall>\nb', "a\nb", id="on one line"),
        pytest.param("a\n  > " + OWN_BLOCK.replace("\n", "\n  > ") + "\nb", "a\nb", id="quoted"),
        pytest.param(OWN_BLOCK.replace("\n", "\r\n") + "\r\nb", "b", id="with carriage returns"),
        pytest.param(f"UserPromptSubmit hook additional context: {OWN_BLOCK}\nb", "b", id="after the host's lead"),
        pytest.param(f"<system-reminder>{OWN_BLOCK}</system-reminder>\nb", "b", id="in a reminder"),
        pytest.param("Is `<agentrecall id=1>` ours?\nYes.", "Is `<agentrecall id=1>` ours?\nYes.", id="talked about"),
        pytest.param("<agentrecallish>\nx", "<agentrecallish>\nx", id="another tag"),
    ],
)
def test_our_own_blocks_are_cut_out(text: str, rest: str) -> None:
    assert remove_own(text) == rest


def test_what_we_injected_never_comes_back_from_anybody() -> None:
    reading = fresh(
        human("u1", f"Use tabs\n{OWN_BLOCK}"),
        queued("q1", f"{OWN_BLOCK}\nand line 3"),
        assistant("a1", "m1", said(f"I was told:\n{OWN_BLOCK}\nso tabs.")),
        older("u2", f"{OWN_BLOCK}\nreal words after it"),
    )

    assert texts(reading) == ["Use tabs", "and line 3", "I was told:\nso tabs.", "real words after it"]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        pytest.param("Use tabs", "Use tabs", id="no reminder"),
        pytest.param(" <system-reminder>\na\n</system-reminder>\n\nUse tabs", "Use tabs", id="one"),
        pytest.param("<system-reminder>a</system-reminder><system-reminder>b</system-reminder>c", "c", id="two"),
        pytest.param("<system-reminder>never closed", "", id="cut"),
        pytest.param("x <system-reminder>a</system-reminder>", "x <system-reminder>a</system-reminder>", id="later"),
    ],
)
def test_reminders_in_front_are_dropped_and_the_words_kept(text: str, rest: str) -> None:
    assert drop_leading_reminders(text) == rest
    assert [span.text for span in fresh(older("u1", text)).spans] == ([rest] if rest else [])


# -- damage, size and what is new -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("damaged", "found", "bad"),
    [
        pytest.param(human("u1", "Use tabs")[:90] + human("u2", "Wait"), ["Wait"], 0, id="a cut record before it"),
        pytest.param(
            human("u1", "Use tabs")[:90] + assistant("a1", "m1", said("Ok."), parentUuid=None, usage={"a": {"b": {}}}),
            ["Ok."],
            0,
            id="a cut record before a deep one",
        ),
        pytest.param(human("u1", "Use tabs") + human("u2", "Wait"), ["Use tabs", "Wait"], 0, id="two whole ones"),
        pytest.param(human("u1", "Use tabs") + b'{"type":"us', ["Use tabs"], 1, id="a cut record after it"),
        pytest.param(b"\0\0\0" + human("u1", "Use tabs") + b"\0", ["Use tabs"], 0, id="NUL runs around it"),
        pytest.param(human("u1", "Use tabs").replace(b"tabs", b"ta\0\0bs"), ["Use tabs"], 0, id="NUL runs inside"),
        pytest.param(b"\xef\xbb\xbf" + human("u1", "Use tabs"), ["Use tabs"], 0, id="a byte order mark"),
        pytest.param(human("u1", "Use tabs").replace(b"tabs", b"t\xffabs"), ["Use t\ufffdabs"], 0, id="a broken byte"),
        pytest.param(human("u1", "Use tabs") + b"\r\n", ["Use tabs"], 0, id="a line end"),
        pytest.param(b"\0" * 40, [], 1, id="NULs alone"),
        pytest.param(b"", [], 0, id="an empty line"),
        pytest.param(b" \r\n", [], 0, id="a blank line"),
        pytest.param(b'{"type":"user","uuid":"u1"', [], 1, id="half a line"),
        pytest.param(b'garbage,"message":{"role":"user","content":"x"}}', [], 1, id="the end of a line"),
        pytest.param(b'garbage {"type":"text","text":"x"}', [], 1, id="a block is no record"),
        pytest.param(b'"text"', [], 1, id="a string"),
        pytest.param(b"7", [], 1, id="a number"),
        pytest.param(b"null", [], 1, id="null"),
        pytest.param(b'[{"type":"user"}]', [], 1, id="a list"),
        pytest.param(b'{"a":' * 5_000, [], 1, id="too deep"),
        pytest.param(b"[" * 200_000, [], 1, id="long and no object"),
    ],
)
def test_damaged_lines_cost_no_more_than_themselves(damaged: bytes, found: list[str], bad: int) -> None:
    reading = fresh(damaged)

    assert (texts(reading), reading.bad_lines) == (found, bad)


def test_a_surrogate_without_its_partner_is_handed_on_in_words_and_replaced_in_names() -> None:
    text = "broken \ud83d smile"

    reading = fresh(human("u\ud83d", text))

    assert texts(reading) == [text]
    assert ReaderState.from_json(reading.state.to_json()).turn_uid == "u\ufffd"


def test_line_separators_inside_strings_end_no_line() -> None:
    text = "one\u2028two\u2029three\x85four"
    raw = json.dumps(json.loads(human("u1", text)), ensure_ascii=False).encode()

    assert texts(fresh(raw)) == [text]


@pytest.mark.parametrize(
    ("record", "unknown"),
    [
        pytest.param({"type": "brand-new"}, {"brand-new": 1}, id="a new type"),
        pytest.param({"type": "x" * 90}, {"x" * 40: 1}, id="a long name is cut"),
        pytest.param({"kind": "user"}, {"(none)": 1}, id="no type"),
        pytest.param({"type": 7}, {"(none)": 1}, id="a number for a type"),
        pytest.param({"type": ["user"]}, {"(none)": 1}, id="a list for a type"),
        pytest.param({"type": ""}, {"(none)": 1}, id="an empty type"),
        pytest.param({"type": "user", "message": "odd"}, {"user": 1}, id="a user line of another shape"),
        pytest.param({"type": "assistant", "message": {"content": 7}}, {"assistant": 1}, id="an assistant line, too"),
        pytest.param({"type": "system", "subtype": "turn_duration"}, {}, id="other system lines are known"),
        pytest.param({"type": "progress"}, {}, id="a type known to say nothing"),
        pytest.param({"type": "api-request", "body": {}}, {}, id="a copy of a request"),
    ],
)
def test_unknown_types_are_counted_not_guessed(record: dict[str, Any], unknown: dict[str, int]) -> None:
    reading = fresh(line(**record))

    assert (reading.unknown, reading.spans, reading.bad_lines) == (unknown, [], 0)


def test_unknown_types_stay_few_and_none_goes_uncounted() -> None:
    reading = fresh(*(line(type=f"new-{number}") for number in range(120)), line(type="new-3"))

    assert len(reading.unknown) == 50
    assert sum(reading.unknown.values()) == 121
    assert reading.unknown["new-3"] == 2


BULK = "x" * 70_000


@pytest.mark.parametrize(
    ("long_line", "found", "unknown"),
    [
        pytest.param(human("u1", BULK), [BULK], {}, id="a long prompt"),
        pytest.param(line(bulk=BULK, type="system", subtype="compact_boundary"), [], {}, id="the type at the end"),
        pytest.param(
            human("u1", BULK).replace(b'"type":"user"', b'"type" : "user"'), [BULK], {}, id="white space in it"
        ),
        pytest.param(line(type="api-request", body=BULK), [], {}, id="a copy of a request"),
        pytest.param(line(type="brand-new", body=BULK), [], {"brand-new": 1}, id="a new type"),
        pytest.param(line(body=BULK, type="brand-new"), [], {"(none)": 1}, id="a new type out of sight"),
    ],
)
def test_long_lines_are_looked_over_before_they_are_parsed(
    long_line: bytes, found: list[str], unknown: dict[str, int]
) -> None:
    reading = fresh(long_line)

    assert (texts(reading), reading.unknown, reading.bad_lines) == (found, unknown, 0)


def test_a_long_line_without_a_wanted_type_is_not_parsed() -> None:
    reading = fresh(b'{"type":"api-request","body":"' + BULK.encode() + b'" and no JSON at all')

    assert (reading.bad_lines, reading.unknown) == (0, {})


# -- which files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "is_session"),
    [
        ("/home/dev/.claude/projects/-home-dev-demo/1111.jsonl", True),
        ("/home/memory/.claude/projects/-home-dev-demo/1111.jsonl", True),
        ("/home/dev/projects/.claude/projects/subagents/1111.jsonl", True),
        ("C:\\Users\\dev\\.claude\\projects\\C--demo\\1111.jsonl", True),
        ("1111.jsonl", True),
        ("/home/dev/.claude/projects/-home-dev-demo/1111/subagents/agent-7.jsonl", False),
        ("/home/dev/.claude/projects/-home-dev-demo/1111/subagents/deep/x.jsonl", False),
        ("C:\\Users\\dev\\.claude\\projects\\C--demo\\1111\\subagents\\x.jsonl", False),
        ("/home/dev/.claude/projects/-home-dev-demo/agent-acompact-1.jsonl", False),
        ("/home/dev/.claude/projects/-home-dev-demo/memory/notes.jsonl", False),
        ("/home/dev/.claude/projects/-home-dev-demo/1111/tool-results/toolu_1.jsonl", False),
        ("/home/dev/.claude/projects/-home-dev-demo/1111.json", False),
        ("memory/1111.jsonl", False),
        ("", False),
    ],
)
def test_only_the_sessions_own_files_are_transcripts(path: str, *, is_session: bool) -> None:
    assert is_session_file(path) is is_session


# -- the state between readings -------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "7", '"x"', '{"ordinal":true,"cwd":7,"turn_uid":null}', '{"ordinal":-4}', "[" * 9_999],
)
def test_a_state_that_cannot_be_read_starts_afresh(text: str) -> None:
    assert values(ReaderState.from_json(text)) == values(ReaderState())


@given(st.builds(ReaderState, turn_uid=st.text(), message_key=st.text(), cwd=st.text(), ordinal=st.integers(0, 10**9)))
def test_a_state_survives_being_saved(state: ReaderState) -> None:
    assert values(ReaderState.from_json(state.to_json())) == values(state)


@given(st.text())
def test_any_text_makes_some_state(text: str) -> None:
    assert ReaderState.from_json(text).ordinal >= 0


# -- any input ------------------------------------------------------------------------------------

scalars = st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "human", "prompt", "text", "u1", "x"])
keys = st.sampled_from(
    ["type", "uuid", "message", "content", "id", "text", "origin", "kind", "attachment", "isMeta", "name", "is_error"]
)
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4)
)
records = st.dictionaries(keys, json_values, max_size=6).flatmap(
    lambda rest: type_names.map(lambda kind: {**rest, "type": kind})
)


@given(st.lists(st.binary(max_size=80)))
def test_any_bytes_are_read_or_counted(lines: list[bytes]) -> None:
    reading = read(lines, ReaderState())

    assert reading.bad_lines <= len(lines)


@given(st.lists(records | json_values, max_size=6))
def test_any_json_is_read_or_counted(found: list[Any]) -> None:
    reading = read([json.dumps(value).encode() for value in found], ReaderState())

    assert all(span.text.strip() and span.dedup_key.startswith("claude-code:") for span in reading.spans)
    assert len(reading.turns) == reading.state.ordinal


@given(st.binary(max_size=60), st.integers(0, 200))
def test_a_record_after_any_damage_is_read_or_counted(damage: bytes, cut: int) -> None:
    reading = fresh(damage.replace(b"\n", b"") + human("u1", "Use tabs")[:cut] + human("u2", "Wait"))

    assert "Wait" in texts(reading) or reading.bad_lines == 1


steps = st.sampled_from(["prompt", "queued", "say", "think", "call", "fail", "refuse", "compact", "ignored", "bad"])


@st.composite
def conversations(draw: st.DrawFn) -> list[bytes]:
    """Lines of a made-up session: every uuid its own, few message ids, so that messages do go on."""
    lines = []
    for number, step in enumerate(draw(st.lists(steps, max_size=12))):
        uuid, message = f"x{number}", draw(st.sampled_from(["m1", "m2"]))
        lines.append(
            {
                "prompt": human(uuid, f"prompt {number}"),
                "queued": queued(uuid, f"queued {number}"),
                "say": assistant(uuid, message, said(f"text {number}")),
                "think": assistant(uuid, message, {"type": "thinking", "thinking": "hm"}),
                "call": call(uuid, message, f"t{number}"),
                "fail": result(uuid, f"t{number - 1}", "Exit code 1"),
                "refuse": result(uuid, f"t{number - 1}", f"{REFUSED_SAYING}no {number}"),
                "compact": boundary(),
                "ignored": line(type="last-prompt"),
                "bad": b"{",
            }[step]
        )
    return lines


def joined(*readings: Reading) -> list[tuple[str, ...]]:
    """The spans as a store would hold them; tool names aside, which are known within one reading only."""
    held: dict[str, list[str]] = {}
    for span in (span for reading in readings for span in reading.spans):
        text = "failed" if span.kind == "event" else span.text
        if span.continues:
            held[span.dedup_key][-1] += "\n\n" + text
        else:
            assert span.dedup_key not in held
            held[span.dedup_key] = [span.turn_uid, span.role, text]
    return [(key, *row) for key, row in held.items()]


@given(conversations(), st.data())
def test_where_a_reading_ends_makes_no_difference(lines: list[bytes], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(lines)))
    whole = read(lines, ReaderState())

    first = read(lines[:cut], ReaderState())
    second = read(lines[cut:], ReaderState.from_json(first.state.to_json()))

    assert joined(first, second) == joined(whole)
    assert [values(turn) for turn in first.turns + second.turns] == [values(turn) for turn in whole.turns]
    assert values(second.state) == values(whole.state)
    assert first.bad_lines + second.bad_lines == whole.bad_lines
    assert first.compactions + second.compactions == whole.compactions


# -- what it costs a hook -------------------------------------------------------------------------


def test_the_reader_imports_nothing_but_json_re_and_its_neighbours() -> None:
    code = (
        "import sys, json, re; before = set(sys.modules); import agentrecall_domain.turns.claude_transcript;"
        "print(*sorted(set(sys.modules) - before))"
    )

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert [name for name in run.stdout.split() if not name.startswith("agentrecall_domain")] == ["__future__"]
