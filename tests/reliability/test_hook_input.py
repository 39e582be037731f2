"""What a host, or anything in its place, can put on a hook's stdin. The turn goes on whatever it is."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentrecall_domain.capture.feedback import Parts, Scope, consider
from agentrecall_domain.rules.rule import ScopeLevel, Status
from agentrecall_domain.turns.payload import Payload
from agentrecall_storage.memory import open_memory
from helpers.files import texts
from helpers.programs import (
    HOOKS,
    PATIENCE_SECONDS,
    Done,
    Person,
    RunHook,
    as_bytes,
    assert_silent,
    assert_well_behaved,
    command,
)
from helpers.transcripts import TranscriptBuilder

EVENTS = {"capture-hook": "Stop", "recall-hook": "UserPromptSubmit", "finalize-turn": "Stop"}
MEGABYTE = 1024 * 1024
DEPTH = 100_000
WRONG: dict[str, Any] = {
    "null": None,
    "true": True,
    "a number": 7,
    "a huge number": 10**400,
    "not a number": float("nan"),
    "a list": ["Stop"],
    "an object": {"Stop": "Stop"},
    "a lone surrogate": "\ud800",
    "a NUL": "a\0b",
    "an empty text": "",
    "a long text": "x" * 100_000,
}
FIELDS = (
    *("session_id", "transcript_path", "cwd", "prompt_id", "agent_id", "prompt", "last_assistant_message"),
    *("source", "reason", "tool_name", "tool_use_id", "tool_input", "stop_hook_active", "effort", "never_heard_of"),
)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KNOWN_NAMES = st.sampled_from([*FIELDS, "hook_event_name", "file_path", "notebook_path", "edits", "new_string"])

hooks = pytest.mark.parametrize("hook", HOOKS)


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory that has something to recall, so that the hooks go all the way."""
    home = tmp_path_factory.mktemp("seeded") / "memory"
    content = consider(
        "When a migration has been applied, add a new one", Parts(), Scope(ScopeLevel.GLOBAL, "")
    ).content
    with open_memory(str(home), lambda: datetime(2026, 11, 2, tzinfo=UTC)) as memory:
        memory.add_rule(content, Status.ACTIVE, None, "person")
    return home


@pytest.fixture(autouse=True)
def remembering(seeded: Path, person: Person) -> None:
    """The person has that memory."""
    shutil.copytree(seeded, person.memory)


@pytest.fixture
def payload(transcript: TranscriptBuilder) -> dict[str, Any]:
    """A payload that every hook has an answer to, but for its event."""
    transcript.prompt("Tabs, please")
    transcript.answer("Tabs it is.")
    words = "change the applied migration so that orders get a currency column"
    return transcript.payload(prompt=words, last_assistant_message="Tabs it is.")


def for_hook(payload: dict[str, Any], hook: str) -> dict[str, Any]:
    return {**payload, "hook_event_name": EVENTS[hook]}


@contextmanager
def open_pipe(person: Person, hook: str, data: bytes) -> Iterator[subprocess.Popen[bytes]]:
    """A hook whose host has written *data* and keeps the pipe open."""
    process = person.start(command(hook))
    assert process.stdin
    process.stdin.write(data)
    process.stdin.flush()
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[bytes]) -> Done:
    """What a process said that ended although its stdin stays open."""
    process.wait(PATIENCE_SECONDS)
    assert process.stdout
    assert process.stderr
    return Done(process.args, process.returncode, process.stdout.read(), process.stderr.read())


MALFORMED = [
    pytest.param(b"", id="nothing"),
    pytest.param(b" \n\t\n", id="white space"),
    pytest.param(b"\xff\xfe\x00garbage\x80", id="bytes"),
    pytest.param(b"Stop", id="a word"),
    pytest.param(b'{"hook_event_name": "Stop", "session_id": "s', id="cut off"),
    pytest.param(b'{"hook_event_name": "Stop"}}', id="one brace too many"),
    pytest.param(b"{'hook_event_name': 'Stop'}", id="no JSON"),
    pytest.param(b'{"hook_event_name": "Stop"}\n{"hook_event_name": "Stop"}', id="two objects"),
    pytest.param(b"\0" * 1000, id="NULs"),
    pytest.param(b'[{"hook_event_name": "Stop"}]', id="a list"),
    pytest.param(b"12345", id="a number"),
    pytest.param(b"1" * 10_000, id="a number of 10,000 digits"),
    pytest.param(b"null", id="null"),
    pytest.param(b'"Stop"', id="a text"),
    pytest.param(b"{}", id="an empty object"),
    pytest.param(b"[" * DEPTH, id="deep, and never closed"),
    pytest.param(b"[" * DEPTH + b"]" * DEPTH, id="deep lists"),
    pytest.param(b'{"a":' * DEPTH + b"1" + b"}" * DEPTH, id="deep objects"),
    pytest.param(b'{"hook_event_name": "Stop", "pad": "' + b"x" * 20 * MEGABYTE + b'"}', id="20 MB"),
    pytest.param(b"}" * 2 * MEGABYTE, id="2 MB of closing braces"),
]


@hooks
@pytest.mark.parametrize("data", MALFORMED)
def test_what_is_no_payload_is_passed_over(run_hook: RunHook, hook: str, data: bytes) -> None:
    assert_silent(run_hook(hook, data))


@hooks
@pytest.mark.parametrize("wrong", WRONG)
def test_fields_that_all_have_the_wrong_type_are_empty(
    run_hook: RunHook, payload: dict[str, Any], hook: str, wrong: str
) -> None:
    given_wrong = dict.fromkeys(payload.keys() | set(FIELDS), WRONG[wrong])

    assert_well_behaved(run_hook(hook, for_hook(given_wrong, hook)))
    assert_well_behaved(run_hook(hook, {**given_wrong, "hook_event_name": WRONG[wrong]}))


@hooks
@pytest.mark.parametrize(("number", "field"), list(enumerate(FIELDS)), ids=FIELDS)
def test_one_field_of_the_wrong_type_leaves_the_others_standing(
    run_hook: RunHook, payload: dict[str, Any], hook: str, number: int, field: str
) -> None:
    wrong = list(WRONG.values())[number % len(WRONG)]

    assert_well_behaved(run_hook(hook, {**for_hook(payload, hook), field: wrong}))


@pytest.mark.parametrize("field", ["cwd", "prompt_id", "reason", "never_heard_of"])
@pytest.mark.parametrize("wrong", ["null", "a list", "a lone surrogate", "a NUL"])
def test_a_field_that_capture_can_do_without_costs_no_turn(
    run_hook: RunHook, person: Person, payload: dict[str, Any], field: str, wrong: str
) -> None:
    assert_silent(run_hook("capture-hook", {**payload, field: WRONG[wrong]}))

    assert texts(person.memory) == ["Tabs, please", "Tabs it is."]


def test_words_that_are_no_unicode_are_captured(run_hook: RunHook, person: Person, payload: dict[str, Any]) -> None:
    assert_silent(run_hook("capture-hook", {**payload, "last_assistant_message": "half a face: \ud83d"}))

    assert texts(person.memory) == ["Tabs, please", "Tabs it is.", "half a face: \ufffd"]


@pytest.mark.parametrize("words", ["\ud83d", "a\0b", "\u202e", "\ufeff"], ids=["surrogate", "NUL", "bidi", "BOM"])
def test_a_prompt_with_hard_text_is_answered(run_hook: RunHook, payload: dict[str, Any], words: str) -> None:
    asked = {**for_hook(payload, "recall-hook"), "prompt": f"{payload['prompt']} {words}"}

    done = run_hook("recall-hook", asked)

    assert_well_behaved(done)
    assert "add a new one" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


@hooks
@pytest.mark.parametrize("event", ["", "stop", "PostToolUse", "SubagentStop", "StopFailure", "x" * 10_000])
def test_an_event_that_is_none_of_our_business_is_passed_over(
    run_hook: RunHook, person: Person, payload: dict[str, Any], hook: str, event: str
) -> None:
    assert_silent(run_hook(hook, {**payload, "hook_event_name": event}))

    assert texts(person.memory) == []


@hooks
def test_a_payload_behind_a_byte_order_mark_is_read_or_passed_over(
    run_hook: RunHook, payload: dict[str, Any], hook: str
) -> None:
    assert_well_behaved(run_hook(hook, b"\xef\xbb\xbf" + as_bytes(for_hook(payload, hook))))


def test_a_host_that_keeps_the_pipe_open_gets_its_answer(person: Person, payload: dict[str, Any]) -> None:
    with open_pipe(person, "recall-hook", as_bytes(for_hook(payload, "recall-hook"))) as process:
        done = ended(process)

    assert_well_behaved(done)
    assert b"add a new one" in done.stdout


def test_a_host_that_keeps_the_pipe_open_has_its_turn_captured(person: Person, payload: dict[str, Any]) -> None:
    with open_pipe(person, "capture-hook", as_bytes(payload)) as process:
        assert_silent(ended(process))

    assert texts(person.memory) == ["Tabs, please", "Tabs it is."]


@hooks
@pytest.mark.parametrize("data", [b"", b'{"hook_event_name": "Stop"', b"12"], ids=["nothing", "half", "a number"])
def test_a_host_that_never_ends_its_payload_is_not_waited_for(person: Person, hook: str, data: bytes) -> None:
    with open_pipe(person, hook, data) as process:
        assert_silent(ended(process))


@hooks
def test_a_payload_that_comes_in_pieces_is_put_together(person: Person, payload: dict[str, Any], hook: str) -> None:
    # The brace at the end of a piece looks like the end of the payload.
    nested = as_bytes({"tool_input": {"a": {}}, **for_hook(payload, hook)})
    cut = nested.index(b"}}") + 2
    with open_pipe(person, hook, nested[:cut]) as process:
        assert process.stdin
        process.stdin.write(nested[cut:])
        process.stdin.flush()

        assert_well_behaved(ended(process))


@hooks
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_reason_to_fail(person: Person, payload: dict[str, Any], hook: str, closed: str) -> None:
    done = person.run(["sh", "-c", f'exec "$@" {closed}', "sh", *command(hook)], as_bytes(for_hook(payload, hook)))

    assert_well_behaved(done)


def test_nothing_is_written_into_a_file_that_took_the_place_of_a_closed_stream(
    person: Person, payload: dict[str, Any]
) -> None:
    closed = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *command("capture-hook")]
    person.run(closed, as_bytes(payload))

    assert_silent(person.run(command("capture-hook"), as_bytes(payload)))
    assert texts(person.memory) == ["Tabs, please", "Tabs it is."]


def test_a_host_that_does_not_read_the_answer_is_no_failure(person: Person, payload: dict[str, Any]) -> None:
    process = person.start(command("recall-hook"))
    assert process.stdout
    process.stdout.close()
    assert process.stdin
    process.stdin.write(as_bytes(for_hook(payload, "recall-hook")))
    process.stdin.close()

    assert process.wait(PATIENCE_SECONDS) == 0
    assert process.stderr
    assert process.stderr.read() == b""
    process.stderr.close()


@given(st.dictionaries(KNOWN_NAMES | st.text(), JSON_VALUES, max_size=12))
def test_any_object_is_a_payload_of_texts(fields: dict[str, Any]) -> None:
    read = Payload(fields)

    assert all(isinstance(getattr(read, name), str) for name in Payload.__slots__)


@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_any_object_leaves_the_turn_alone(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    person = Person(tmp_path_factory.mktemp("person"))
    fields = data.draw(st.dictionaries(KNOWN_NAMES, JSON_VALUES, max_size=12))
    for hook, event in EVENTS.items():
        assert_well_behaved(person.run(command(hook), as_bytes({**fields, "hook_event_name": event})))
