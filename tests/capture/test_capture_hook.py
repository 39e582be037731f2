"""What a turn leaves in the memory: each thing once, whoever brings it, and nothing that should not be there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentrecall_domain.turns.batch import Batch, Project
from agentrecall_domain.turns.identity import squeezed
from agentrecall_storage.memory import Memory
from agentrecall_storage.raw_items import CaptureStore
from helpers.files import everything, rows, said, spooled, texts
from helpers.programs import Person, RunHook, assert_silent, assert_well_behaved, at_once
from helpers.transcripts import SESSION, TranscriptBuilder, encoded

OTHER_SESSION = "22222222-2222-4222-8222-222222222222"
AWS_KEY = "AKIAZ3XVU4VI5JQEXGWU"
OWN_BLOCK = '<agentrecall project="demo" moment="prompt" id="I5">\nNotes\n- [N1] ours-alone\n</agentrecall>'


@pytest.fixture
def capture(made: None, run_hook: RunHook, transcript: TranscriptBuilder) -> Any:  # noqa: ARG001 -- a memory is there
    """The capture hook runs at an event of the session, and keeps quiet."""

    def run(event: str = "Stop", **fields: Any) -> None:
        assert_silent(run_hook("capture-hook", transcript.payload(event, **fields)))

    return run


def turns(home: Path) -> list[str]:
    return [uid for (uid,) in rows(home, "SELECT uid FROM turns ORDER BY id")]


def by_turn(home: Path) -> list[tuple[str, ...]]:
    """What was said in each turn."""
    statement = (
        "SELECT turns.uid, text FROM turns LEFT JOIN raw_items ON turn_id = turns.id ORDER BY turns.id, raw_items.id"
    )
    found: dict[str, list[str]] = {}
    for uid, text in rows(home, statement):
        found.setdefault(uid, []).append(text)
    return [tuple(words) for words in found.values()]


# -- each thing once --------------------------------------------------------------------------------


def test_a_turn_is_captured_with_who_said_what(person: Person, capture: Any, transcript: TranscriptBuilder) -> None:
    transcript.prompt("Use tabs")
    transcript.answer("I will.", "m1")
    transcript.tool("m1", "call-1", "Exit code 2\nMakefile:3: *** missing separator.", is_error=True)
    transcript.answer("Now it works.", "m2")

    capture(last_assistant_message="Now it works.")

    found = rows(person.memory, "SELECT role, origin, kind FROM raw_items ORDER BY id")
    assert found == [
        ("user", "user", "turn"),
        ("assistant", "agent", "turn"),
        ("tool", "tool", "event"),
        ("assistant", "agent", "turn"),
    ]
    assert len(turns(person.memory)) == 1


def test_every_event_of_a_turn_that_ends_may_bring_the_same(
    person: Person, capture: Any, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("Use tabs")
    transcript.answer("Done.")
    for event in ("Stop", "Stop", "PreCompact", "SessionEnd", "SessionStart"):
        capture(event, last_assistant_message="Done.")

    assert texts(person.memory) == ["Use tabs", "Done."]
    assert len(turns(person.memory)) == 1


def test_hooks_that_read_the_same_tail_at_once_store_each_span_once(
    person: Person, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    expected = []
    for number in range(30):
        transcript.prompt(f"prompt {number}")
        transcript.answer(f"answer {number}")
        expected += [f"prompt {number}", f"answer {number}"]
    events = ("Stop", "Stop", "SessionEnd", "PreCompact", "SessionEnd", "Stop")

    payloads = [transcript.payload(event, last_assistant_message="answer 29") for event in events]
    for done in at_once(person, "capture-hook", payloads):
        assert_silent(done)
    # On a busy machine one may have run out of time and spooled: the next drains that.
    assert_silent(run_hook("capture-hook", payloads[0]))

    assert texts(person.memory) == expected
    assert len(turns(person.memory)) == 30
    assert rows(person.memory, "SELECT count(*) FROM sessions") == [(1,)]
    assert spooled(person.memory) == []


def test_hooks_that_hold_the_same_late_words_at_once_store_them_once(
    person: Person, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("Use tabs")
    payloads = [transcript.payload(event, last_assistant_message="Done.") for event in ("Stop", "SessionEnd") * 3]

    for done in at_once(person, "capture-hook", payloads):
        assert_silent(done)
    assert_silent(run_hook("capture-hook", payloads[0]))

    assert texts(person.memory) == ["Use tabs", "Done."]


def test_the_stop_programs_make_one_turn(person: Person, run_hook: RunHook, transcript: TranscriptBuilder) -> None:
    transcript.prompt_id = "prompt-1"
    assert_silent(run_hook("finalize-turn", transcript.payload()))
    transcript.prompt("Use tabs", promptId="prompt-1")
    assert_silent(run_hook("capture-hook", transcript.payload(last_assistant_message="Done.")))
    assert_silent(run_hook("finalize-turn", transcript.payload()))

    assert turns(person.memory) == [f"{SESSION[:8]}-line-1"]
    assert by_turn(person.memory) == [("Use tabs", "Done.")]
    assert rows(person.memory, "SELECT count(*) FROM turn_finalizations") == [(1,)]


@pytest.mark.parametrize("first", ["original", "fork"])
def test_a_fork_repeats_nothing(person: Person, run_hook: RunHook, transcript: TranscriptBuilder, first: str) -> None:
    lines = [transcript.prompt("Use tabs"), transcript.answer("Done.")]
    fork = TranscriptBuilder(transcript.path.with_name(f"{OTHER_SESSION}.jsonl"), person.project, OTHER_SESSION)
    for line in lines:
        copied = {"sessionId": OTHER_SESSION, "promptId": "prompt-of-the-fork", "parentUuid": "another"}
        fork.append(encoded({**json.loads(line), **copied}))
    fork.prompt("And in the fork", promptId="prompt-of-the-fork")
    fork.answer("Forked.")
    order = [(transcript, "Done."), (fork, "Forked.")]

    for one, words in order if first == "original" else order[::-1]:
        assert_silent(run_hook("capture-hook", one.payload(last_assistant_message=words)))

    assert by_turn(person.memory) == [("Use tabs", "Done."), ("And in the fork", "Forked.")]


def test_a_message_that_goes_on_after_a_stop_is_one_raw_item(
    person: Person, capture: Any, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("Use tabs")
    transcript.answer("First part.", "m1")
    capture(last_assistant_message="First part.")
    transcript.answer("Second part.", "m1")
    capture(last_assistant_message="Second part.")

    assert said(person.memory) == [("user", "Use tabs"), ("assistant", "First part.\n\nSecond part.")]


def test_a_message_that_went_on_is_known_when_the_host_says_it_whole(
    person: Person, capture: Any, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("Use tabs")
    transcript.answer("First part.", "m1")
    capture("PreCompact")
    transcript.answer("Second part.", "m1")
    capture(last_assistant_message="First part.\n\nSecond part.")

    assert said(person.memory) == [("user", "Use tabs"), ("assistant", "First part.\n\nSecond part.")]


def test_the_same_answer_in_two_turns_is_two_raw_items(
    person: Person, capture: Any, transcript: TranscriptBuilder
) -> None:
    for prompt in ("Use tabs", "Use tabs"):
        transcript.prompt(prompt)
        transcript.answer("Done.")
        capture(last_assistant_message="Done.")

    assert by_turn(person.memory) == [("Use tabs", "Done.")] * 2


# -- words that the transcript lacks yet ------------------------------------------------------------


@pytest.mark.parametrize("prompt_id", ["as in the transcript", "none"])
def test_late_words_are_replaced_by_their_line(
    person: Person, capture: Any, transcript: TranscriptBuilder, prompt_id: str
) -> None:
    transcript.prompt("Use tabs")
    if prompt_id == "none":
        transcript.prompt_id = ""
    capture(last_assistant_message="Done,\nwith tabs.")
    assert texts(person.memory) == ["Use tabs", "Done,\nwith tabs."]
    transcript.answer("Done,\nwith tabs.")

    capture("SessionEnd", last_assistant_message="Done,\nwith tabs.")

    assert by_turn(person.memory) == [("Use tabs", "Done,\nwith tabs.")]
    assert texts(person.memory) == ["Use tabs", "Done,\nwith tabs."]


def test_late_words_are_captured_before_their_prompts_line_is_there(
    person: Person, capture: Any, transcript: TranscriptBuilder
) -> None:
    transcript.prompt_id = "prompt-1"
    capture(last_assistant_message="Done.")
    assert texts(person.memory) == ["Done."]
    transcript.prompt("Use tabs", promptId="prompt-1")
    transcript.answer("Done.")

    capture(last_assistant_message="Done.")

    assert sorted(said(person.memory)) == [("assistant", "Done."), ("user", "Use tabs")]
    assert len(turns(person.memory)) == 1


def test_late_words_that_repeat_the_turn_before_are_a_raw_item_of_their_own(
    person: Person, capture: Any, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("Use tabs")
    transcript.answer("Done.")
    capture(last_assistant_message="Done.")
    transcript.prompt("Now for the other file")

    capture(last_assistant_message="Done.")

    assert by_turn(person.memory) == [("Use tabs", "Done."), ("Now for the other file", "Done.")]
    transcript.answer("Done.")
    capture("SessionEnd", last_assistant_message="Done.")
    assert by_turn(person.memory) == [("Use tabs", "Done."), ("Now for the other file", "Done.")]


def test_late_words_that_their_line_overtook_change_nothing(
    person: Person, capture: Any, memory: Memory, transcript: TranscriptBuilder
) -> None:
    """Two Stop programs: one reads before the line is there, and stores after the other has read it."""
    transcript.prompt("Use tabs")
    transcript.answer("Done.")
    capture()
    late = Batch(
        source="claude-code",
        session_uid=SESSION,
        transcript_path=str(transcript.path),
        captured_at="2026-11-02T08:00:00Z",
    )
    late.projects = [Project("project", str(person.project), [("path", str(person.project))])]
    late.prompt_id, late.last_message = transcript.prompt_id, "Done."

    CaptureStore(memory.connection).record_batch(late)

    assert texts(person.memory) == ["Use tabs", "Done."]


def test_late_words_are_known_by_their_words_not_by_white_space() -> None:
    assert squeezed("Done,\n\nwith  tabs.") == squeezed("Done, with tabs. ")
    assert squeezed("Done") != squeezed("Not done")


@pytest.mark.parametrize("words", ["", "   ", None, ["Done."]], ids=repr)
def test_no_late_words_are_no_raw_item(person: Person, capture: Any, transcript: TranscriptBuilder, words: Any) -> None:
    transcript.prompt("Use tabs")

    capture(last_assistant_message=words)

    assert texts(person.memory) == ["Use tabs"]


def test_a_session_start_finds_what_a_crash_left_behind(
    person: Person, run_hook: RunHook, capture: Any, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("Use tabs")
    capture()
    transcript.answer("Done, and then the lights went out.")
    other = TranscriptBuilder(transcript.path.with_name(f"{OTHER_SESSION}.jsonl"), person.project, OTHER_SESSION)

    assert_silent(run_hook("capture-hook", other.payload("SessionStart", source="startup")))

    assert texts(person.memory) == ["Use tabs", "Done, and then the lights went out."]


# -- what must not be there -------------------------------------------------------------------------


def assert_nothing_stored(person: Person, *words: str) -> None:
    for name, content in everything(person.memory).items():
        for word in words:
            assert word.encode() not in content, name


def test_what_a_subagent_says_is_not_the_turn(person: Person, capture: Any, transcript: TranscriptBuilder) -> None:
    transcript.prompt("Use tabs")
    transcript.answer("subagent-words", isSidechain=True)
    capture(agent_id="a1", agent_type="explorer", last_assistant_message="subagent-words")
    assert_nothing_stored(person, "Use tabs", "subagent-words")

    capture()

    assert texts(person.memory) == ["Use tabs"]


@pytest.mark.parametrize("name", ["agent-1.jsonl", "subagents/x.jsonl", "memory/notes.md", "session.json"])
def test_a_file_that_is_no_session_is_not_read(
    person: Person, run_hook: RunHook, transcript: TranscriptBuilder, name: str
) -> None:
    other = TranscriptBuilder(transcript.path.parent / name, person.project)
    other.prompt("not-for-us")

    assert_silent(run_hook("capture-hook", other.payload()))

    assert_nothing_stored(person, "not-for-us")


@pytest.mark.parametrize("value", ["1", "true", "yes"])
@pytest.mark.parametrize("hook", ["capture-hook", "recall-hook", "finalize-turn"])
def test_switched_off_is_off(
    person: Person, run_hook: RunHook, transcript: TranscriptBuilder, hook: str, value: str
) -> None:
    transcript.prompt("not-for-us")

    assert_silent(run_hook(hook, transcript.payload(last_assistant_message="nor-this"), AGENTRECALL_DISABLED=value))

    assert not person.memory.exists()


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize("value", ["", "0"])
def test_not_switched_off_is_on(person: Person, run_hook: RunHook, transcript: TranscriptBuilder, value: str) -> None:
    transcript.prompt("Use tabs")

    assert_silent(run_hook("capture-hook", transcript.payload(), AGENTRECALL_DISABLED=value))

    assert texts(person.memory) == ["Use tabs"]


@pytest.mark.parametrize("event", ["Stop", "SessionEnd", "PreCompact", "SessionStart"])
def test_an_excluded_project_is_not_captured(
    person: Person, capture: Any, transcript: TranscriptBuilder, event: str
) -> None:
    assert person.agentrecall("exclude", str(person.project)).returncode == 0
    transcript.prompt("not-for-us")

    capture(event, last_assistant_message="nor-this")

    assert_nothing_stored(person, "not-for-us", "nor-this")


def test_an_excluded_project_is_not_recalled_in_and_not_finalized(
    person: Person, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    added = person.agentrecall("feedback", "add", "When a migration has been applied, add a new one", "--global")
    assert added.returncode == 0
    words = "change the applied migration so that orders get a currency column"
    asked = transcript.payload("UserPromptSubmit", prompt=words, prompt_id="p1")
    assert b"add a new one" in run_hook("recall-hook", asked).stdout
    assert person.agentrecall("exclude", str(person.project)).returncode == 0

    assert_silent(run_hook("recall-hook", {**asked, "prompt_id": "p2"}))
    assert_silent(run_hook("finalize-turn", transcript.payload(prompt_id="p2")))
    assert_silent(run_hook("recall-hook", transcript.payload("SessionStart", source="startup")))

    assert rows(person.memory, "SELECT prompt_id FROM injections") == [("p1",)]
    assert rows(person.memory, "SELECT count(*) FROM turn_finalizations") == [(0,)]


def test_what_was_said_while_excluded_stays_out_when_the_project_is_included_again(
    person: Person, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("before", promptId="p1")
    assert_silent(run_hook("capture-hook", transcript.payload()))
    assert person.agentrecall("exclude", str(person.project)).returncode == 0
    assert_silent(run_hook("recall-hook", transcript.payload("UserPromptSubmit", prompt="not-for-us", prompt_id="p2")))
    transcript.prompt("not-for-us", promptId="p2")
    transcript.answer("nor-this")
    assert_silent(run_hook("capture-hook", transcript.payload(prompt_id="p2", last_assistant_message="nor-this")))
    assert person.agentrecall("include", str(person.project)).returncode == 0

    transcript.answer("nor-what-came-late")
    transcript.prompt("after", promptId="p3")
    assert_silent(run_hook("capture-hook", transcript.payload(prompt_id="p3")))
    assert person.agentrecall("process").returncode == 0

    assert texts(person.memory) == ["before", "after"]


def test_what_was_said_while_switched_off_stays_out_when_the_session_goes_on(
    person: Person, capture: Any, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("before", promptId="p1")
    capture()
    asked = transcript.payload("UserPromptSubmit", prompt="not-for-us", prompt_id="p2")
    assert_silent(run_hook("recall-hook", asked, AGENTRECALL_DISABLED="1"))
    transcript.prompt("not-for-us", promptId="p2")
    transcript.answer("nor-this")

    capture("SessionStart", source="resume")
    transcript.prompt("after", promptId="p3")
    capture(prompt_id="p3")

    assert texts(person.memory) == ["before", "after"]
    assert b"not-for-us" not in b"".join(everything(person.memory).values())


def test_a_sweep_passes_over_what_was_said_in_an_excluded_project(
    person: Person, capture: Any, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    transcript.prompt("Use tabs")
    capture()
    assert person.agentrecall("exclude", str(person.project)).returncode == 0
    transcript.prompt("not-for-us")
    transcript.answer("nor-this")
    elsewhere = person.home / "elsewhere"
    elsewhere.mkdir()
    other = TranscriptBuilder(transcript.path.with_name(f"{OTHER_SESSION}.jsonl"), elsewhere, OTHER_SESSION)

    assert_silent(run_hook("capture-hook", other.payload("SessionStart", source="startup")))

    assert_nothing_stored(person, "not-for-us", "nor-this")


def test_a_session_that_walks_into_an_excluded_folder_is_captured_without_it(
    person: Person, capture: Any, transcript: TranscriptBuilder
) -> None:
    secret = person.home / "secret"
    secret.mkdir()
    assert person.agentrecall("exclude", str(secret)).returncode == 0
    transcript.prompt("Use tabs")
    transcript.prompt("not-for-us", cwd=str(secret))
    transcript.answer("nor-this", cwd=str(secret))
    transcript.prompt("Back again")

    capture()

    assert texts(person.memory) == ["Use tabs", "Back again"]
    assert_nothing_stored(person, "not-for-us", "nor-this")


def test_unreadable_exclusions_exclude_everything(person: Person, capture: Any, transcript: TranscriptBuilder) -> None:
    (person.memory / "exclusions.json").write_text("{ not json")
    transcript.prompt("not-for-us")

    capture(last_assistant_message="nor-this")

    assert_nothing_stored(person, "not-for-us", "nor-this")


SECRET_LINES = {
    "a prompt": lambda transcript: transcript.prompt(f"the key is {AWS_KEY}"),
    "an answer": lambda transcript: transcript.answer(f"I found {AWS_KEY}"),
    "a failed tool": lambda transcript: transcript.tool(
        "m1", "c1", f"Exit code 1\nerror: {AWS_KEY} denied", is_error=True
    ),
    "a branch": lambda transcript: transcript.prompt("Use tabs", gitBranch=f"fix/{AWS_KEY}"),
}


@pytest.mark.parametrize("where", SECRET_LINES)
def test_a_secret_is_in_no_byte_on_disk(
    person: Person, capture: Any, transcript: TranscriptBuilder, where: str
) -> None:
    transcript.prompt("before")
    SECRET_LINES[where](transcript)

    capture(last_assistant_message=f"late words with {AWS_KEY}")

    assert "before" in texts(person.memory)
    assert_nothing_stored(person, AWS_KEY)


def test_a_secret_in_a_prompt_is_in_no_byte_of_recalls_records(
    person: Person, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    words = f"change the applied migration so that orders get a currency column, the key is {AWS_KEY}"
    asked = transcript.payload("UserPromptSubmit", prompt=f"{words} <private>private-words</private>", prompt_id="p1")

    assert_well_behaved(run_hook("recall-hook", asked))

    assert rows(person.memory, "SELECT count(*) FROM injections") == [(1,)]
    assert_nothing_stored(person, AWS_KEY, "private-words")


def test_a_secret_at_the_edge_of_what_is_kept_is_not_kept_in_part(
    person: Person, capture: Any, transcript: TranscriptBuilder
) -> None:
    """A long text is cut: a secret across the cut must not survive as half a secret that no pattern knows."""
    for short in range(2, 18, 5):
        transcript.prompt("words " * 16_666 + "." * (4 - short + 16) + AWS_KEY)

    capture()

    assert_nothing_stored(person, AWS_KEY[:12])


def test_private_spans_are_in_no_byte_on_disk(person: Person, capture: Any, transcript: TranscriptBuilder) -> None:
    transcript.prompt("before <private>private-words</private> after")
    transcript.answer("I read <private>private-words</private> too")
    transcript.prompt("never closed <private>private-words\nto the end")

    capture(last_assistant_message="late <no-memory>private-words</no-memory> words")

    assert texts(person.memory) == [
        "before [private] after",
        "I read [private] too",
        "never closed [private]",
        "late [private] words",
    ]
    assert_nothing_stored(person, "private-words")


def test_a_private_span_that_is_longer_than_what_is_kept_stays_private(
    person: Person, capture: Any, transcript: TranscriptBuilder
) -> None:
    transcript.prompt(f"before <private>{'private-words ' * 10_000}</private> after")

    capture()

    assert_nothing_stored(person, "private-words")


def test_what_we_injected_is_never_captured(person: Person, capture: Any, transcript: TranscriptBuilder) -> None:
    transcript.prompt(f"Use tabs\n{OWN_BLOCK}")
    transcript.prompt(f"<system-reminder>\n{OWN_BLOCK}\n</system-reminder>\nAnd two lines")
    transcript.answer(f"You told me:\n{OWN_BLOCK}\nSo I do.")
    attached = {"type": "hook_additional_context", "content": [OWN_BLOCK], "hookEvent": "UserPromptSubmit"}
    transcript.append(encoded({"type": "attachment", "uuid": "a1", "attachment": attached}))

    capture(last_assistant_message=f"As before:\n{OWN_BLOCK}\nDone.")

    assert_nothing_stored(person, "ours-alone")
    assert [words.split() for words in texts(person.memory)] == [
        ["Use", "tabs"],
        ["And", "two", "lines"],
        ["You", "told", "me:", "So", "I", "do."],
        ["As", "before:", "Done."],
    ]


def test_what_recall_says_now_is_not_captured_from_the_transcript(
    person: Person, run_hook: RunHook, capture: Any, transcript: TranscriptBuilder
) -> None:
    person.agentrecall("feedback", "add", "When a migration has been applied, add a new one", "--global")
    words = "change the applied migration so that orders get a currency column"
    asked = transcript.payload("UserPromptSubmit", prompt=words, prompt_id="p1")
    block = json.loads(run_hook("recall-hook", asked).stdout)["hookSpecificOutput"]["additionalContext"]
    assert "add a new one" in block
    transcript.prompt(f"{words}\n{block}")
    transcript.answer(f"{block}\nUnderstood.")

    capture(last_assistant_message=f"{block}\nUnderstood.")

    assert [text.strip() for text in texts(person.memory)] == [words, "Understood."]
