from __future__ import annotations

import json
import shlex
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from e2e.claude_code import ClaudeCode, Session
from e2e.memory import Memory, eventually
from e2e.messages_server import OUT_OF_SCRIPT, text, tool_use, words_of

# The first story may install the host: that is a fixture's time, not the test's.
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(60, func_only=True)]

CORRECTION = (
    "No, never edit an applied migration in this repository. "
    "Add a new migration instead, because production has already run the old one."
)
UNDERSTOOD = "Understood: from now on I write another migration."
SAID = "never edit an applied migration"
NOT_SAID = "always squash the commits"

IN_OTHER_WORDS = "The orders table needs another column. How should I change the migration that shipped last week?"
AGAIN_IN_OTHER_WORDS = "A column of the invoices table gets a new type. May I change last month's migration for it?"
LESSON = (
    "When a migration has already been applied, add a new migration, because production has already run the old one."
)
ACTION = "add a new migration"


def verdict(session_id: str, project: Path, *, evidence: str = SAID) -> dict[str, Any]:
    """What a careful agent says about the turn in which it was corrected."""
    return {
        "session_id": session_id,
        "cwd": str(project),
        "source": "claude-code",
        "prompt": CORRECTION,
        "assistant_response": UNDERSTOOD,
        "verdicts": [
            {
                "decision": "Capture",
                "capture_reason": "UserCorrection",
                "memory_type": "EngineeringLesson",
                "confidence": 0.9,
                "evidence": evidence,
                "normalized_rule": {
                    "title": "Applied migrations stay as they are",
                    "condition": "when a migration has already been applied",
                    "action": ACTION,
                    "avoid": "editing the applied migration",
                    "because": "production has already run it",
                    "tags": ["migrations"],
                },
            }
        ],
    }


def said_nothing_twice(memory: Memory) -> bool:
    return all(times == 1 for times in Counter(memory.raw_items()).values())


def test_a_correction_in_one_session_is_before_the_agent_in_the_next(claude: ClaudeCode, memory: Memory) -> None:
    memory.set_up_project()
    corrected = claude.run(CORRECTION, [[text(UNDERSTOOD)]])
    memory.finalize(verdict(corrected.id, claude.project))
    assert [rule["status"] for rule in memory.rules()] == ["Active"]

    later = claude.run(IN_OTHER_WORDS, [[text("With another migration.")]])

    recalled = later.recalled_before_answer(1)
    assert "[R1]" in recalled
    assert ACTION in recalled


def test_an_agent_may_judge_its_turn_before_it_ends(claude: ClaudeCode, memory: Memory, tmp_path: Path) -> None:
    memory.set_up_project()
    session_id = str(uuid.uuid4())
    judged = tmp_path / "verdict.json"
    judged.write_text(json.dumps(verdict(session_id, claude.project)))
    hand_in = f"{shlex.quote(str(memory.finalize_program))} < {shlex.quote(str(judged))}"

    session = claude.run(
        CORRECTION,
        [[tool_use("Bash", command=hand_in)], [text(UNDERSTOOD)]],
        *("--session-id", session_id, "--allowedTools", "Bash"),
    )

    assert session.id == session_id
    assert [rule["status"] for rule in memory.rules()] == ["Active"]
    eventually(lambda: memory.roles_of(UNDERSTOOD) != [])
    assert memory.status()["turns"] == 1


def test_what_the_user_did_not_say_waits_for_approval(claude: ClaudeCode, memory: Memory) -> None:
    memory.set_up_project()
    corrected = claude.run(CORRECTION, [[text(UNDERSTOOD)]])

    memory.finalize(verdict(corrected.id, claude.project, evidence=NOT_SAID))

    assert [rule["status"] for rule in memory.rules()] == ["Pending"]


def test_what_was_said_is_captured_once(claude: ClaudeCode, memory: Memory) -> None:
    memory.set_up_project()
    session = claude.run(CORRECTION, [[text(UNDERSTOOD)]])
    eventually(lambda: memory.roles_of(CORRECTION) != [] and memory.roles_of(UNDERSTOOD) != [])

    memory.end_again(session)

    assert memory.roles_of(CORRECTION) == ["user"]
    [answerer] = memory.roles_of(UNDERSTOOD)
    assert answerer != "user"
    status = memory.status()
    assert (status["turns"], status["raw_items"]) == (1, len(memory.raw_items()))


def test_what_was_recalled_is_not_captured_again(claude: ClaudeCode, memory: Memory) -> None:
    memory.set_up_project()
    memory.agentrecall("feedback", "add", LESSON)

    session = claude.run(IN_OTHER_WORDS, [[text(UNDERSTOOD)]])

    assert ACTION in session.recalled_before_answer(1)
    eventually(lambda: memory.roles_of(UNDERSTOOD) != [])
    memory.end_again(session)
    assert memory.roles_of(IN_OTHER_WORDS) == ["user"]
    assert memory.roles_of("<agentrecall") == []
    assert memory.roles_of(ACTION) == []


@pytest.mark.parametrize(
    "scope",
    [
        pytest.param(("--file", "migrations/0001_init.sql"), id="scoped to the file"),
        pytest.param(("--glob", "migrations/*.sql"), id="scoped by a pattern"),
    ],
)
def test_a_files_rule_comes_with_the_file_and_is_not_given_twice(
    claude: ClaudeCode, memory: Memory, scope: tuple[str, str]
) -> None:
    file = claude.project / "migrations" / "0001_init.sql"
    file.parent.mkdir()
    file.write_text("CREATE TABLE orders (id int);\n")
    memory.set_up_project()
    lesson = "When you change the schema, run `make renumber-all` before you commit, because the loader goes by number."
    memory.agentrecall("feedback", "add", lesson, *scope)
    assert [rule["status"] for rule in memory.rules()] == ["Active"]

    session = claude.run(
        "Please do the next task on my list.",
        [
            [tool_use("Read", file_path=str(file))],
            [tool_use("Edit", file_path=str(file), old_string="id int", new_string="id bigint")],
            [text("The id is a bigint now.")],
        ],
    )

    shown = [session.before_answer(number).count("renumber-all") for number in (1, 2, 3)]
    assert shown == [0, 1, 1]
    assert "renumber-all" in session.recalled_before_answer(2)
    assert file.read_text() == "CREATE TABLE orders (id bigint);\n"


Breakage = Callable[[ClaudeCode, Memory], tuple[Path, dict[str, str]]]
"""Breaks one thing; gives a file that must stay as it is, and what the host's environment says in addition."""


def home_below_a_file(claude: ClaudeCode, _: Memory) -> tuple[Path, dict[str, str]]:
    # Modes would not do: root writes where it likes, but nobody makes a folder inside a file.
    file = claude.home / "notes.txt"
    file.write_text("my own\n")
    return file, {"AGENTRECALL_HOME": str(file / "memory")}


def garbage_for_a_database(claude: ClaudeCode, memory: Memory) -> tuple[Path, dict[str, str]]:
    claude.memory.mkdir(exist_ok=True)
    for beside in claude.memory.glob("agentrecall.db*"):
        beside.unlink()
    memory.database.write_bytes(b"\x00\xffnot a database" * 1000)
    return memory.database, {}


def programs_that_die(claude: ClaudeCode, _: Memory) -> tuple[Path, dict[str, str]]:
    program = claude.home / "dies"
    program.write_text("#!/bin/sh\necho '<agentrecall broken'\nkill -KILL $$\n")
    program.chmod(0o755)
    call_instead(claude, program)
    return claude.local_settings, {}


def programs_that_are_gone(claude: ClaudeCode, _: Memory) -> tuple[Path, dict[str, str]]:
    call_instead(claude, claude.home / "gone")
    return claude.local_settings, {}


def call_instead(claude: ClaudeCode, program: Path) -> None:
    settings = json.loads(claude.local_settings.read_text())
    handlers = [handler for groups in settings["hooks"].values() for group in groups for handler in group["hooks"]]
    assert handlers != []
    for handler in handlers:
        handler.update(command=str(program), args=[])
    claude.local_settings.write_text(json.dumps(settings))


@pytest.mark.parametrize(
    ("break_it", "is_ours_to_hide"),
    [
        pytest.param(home_below_a_file, True, id="its home cannot be made"),
        pytest.param(garbage_for_a_database, True, id="its database is garbage"),
        pytest.param(programs_that_die, False, id="its programs are killed"),
        pytest.param(programs_that_are_gone, False, id="its programs are gone"),
    ],
)
def test_the_agent_works_as_without_us_when_every_hook_fails(
    claude: ClaudeCode, memory: Memory, break_it: Breakage, *, is_ours_to_hide: bool
) -> None:
    def work(**environment: str) -> Session:
        read = tool_use("Read", file_path=str(claude.project / "list.txt"))
        return claude.run("What is next on my list?", [[read], [text("Bread.")]], **environment)

    def words(session: Session) -> list[str]:
        return [words_of(request).replace(session.id, "(session)") for request in session.requests]

    (claude.project / "list.txt").write_text("bread\n")
    claude.local_settings.parent.mkdir()
    claude.local_settings.write_text("{}\n")
    without_us = work()
    memory.set_up_project()
    kept, environment = break_it(claude, memory)
    before = kept.read_bytes()

    broken = work(**environment)

    assert (broken.exit_code, broken.result) == (0, "Bread.")
    assert words(broken) == words(without_us)
    assert kept.read_bytes() == before
    if is_ours_to_hide:
        assert (broken.stderr, claude.hook_notices(broken)) == ("", [])
    else:
        # Shows that the hooks were called, and that a notice would have been found above.
        assert claude.hook_notices(broken) != []


def test_switched_off_means_nothing_captured_and_nothing_recalled(claude: ClaudeCode, memory: Memory) -> None:
    memory.set_up_project()
    memory.agentrecall("feedback", "add", LESSON)

    off = claude.run(IN_OTHER_WORDS, [[text("An answer in private.")]], AGENTRECALL_DISABLED="1")
    on = claude.run(AGAIN_IN_OTHER_WORDS, [[text("An answer in public.")]])

    assert_only_the_second_counts(memory, off, on)


def test_an_excluded_project_gets_neither_capture_nor_recall(claude: ClaudeCode, memory: Memory) -> None:
    memory.set_up_project()
    memory.agentrecall("feedback", "add", LESSON)

    memory.agentrecall("exclude", str(claude.project))
    off = claude.run(IN_OTHER_WORDS, [[text("An answer in private.")]])
    memory.agentrecall("include", str(claude.project))
    on = claude.run(AGAIN_IN_OTHER_WORDS, [[text("An answer in public.")]])

    assert_only_the_second_counts(memory, off, on)


def assert_only_the_second_counts(memory: Memory, off: Session, on: Session) -> None:
    assert "<agentrecall" not in off.before_answer(1)
    assert ACTION in on.recalled_before_answer(1)
    eventually(lambda: memory.roles_of("An answer in public.") != [])
    assert memory.roles_of(IN_OTHER_WORDS) == []
    assert memory.roles_of("An answer in private.") == []
    assert memory.status()["turns"] == 1


SOMEBODYS_OWN = b"""{
\t"model": "opus",
\t"hooks": { "Stop": [ { "hooks": [ {"type": "command", "command": "true", "args": []} ] } ],
\t           "SessionStart": [] },   "note": "caf\xc3\xa9 \\u00e9"
}"""


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(None, id="there was no file"),
        pytest.param(b"{}", id="an empty object"),
        pytest.param(SOMEBODYS_OWN, id="somebody's own hooks and spacing"),
        pytest.param(SOMEBODYS_OWN.replace(b"\n", b"\r\n"), id="lines that end as on Windows"),
    ],
)
@pytest.mark.parametrize("place", ["user", "project"])
def test_uninstalling_leaves_the_settings_byte_for_byte(
    claude: ClaudeCode, memory: Memory, place: str, before: bytes | None
) -> None:
    settings, where = {
        "user": (claude.user_settings, ()),
        "project": (claude.local_settings, ("--project", str(claude.project))),
    }[place]
    if before is not None:
        settings.parent.mkdir()
        settings.write_bytes(before)

    memory.agentrecall("setup", "claude-code", *where)
    assert b"agentrecall-recall-hook" in settings.read_bytes()
    memory.agentrecall("uninstall", "claude-code", *where)

    assert (settings.read_bytes() if settings.exists() else None) == before


def test_uninstalling_after_work_leaves_the_settings_and_ends_recall(claude: ClaudeCode, memory: Memory) -> None:
    claude.user_settings.parent.mkdir()
    claude.user_settings.write_bytes(SOMEBODYS_OWN)
    memory.agentrecall("setup", "claude-code")
    memory.agentrecall("feedback", "add", LESSON)
    wired = claude.run(IN_OTHER_WORDS, [[text("With another one.")]])

    memory.agentrecall("uninstall", "claude-code")
    unwired = claude.run(IN_OTHER_WORDS, [[text("As you like.")]])

    assert ACTION in wired.recalled_before_answer(1)
    assert "<agentrecall" not in unwired.before_answer(1)
    assert claude.user_settings.read_bytes() == SOMEBODYS_OWN


def test_a_resumed_session_goes_on_as_one(claude: ClaudeCode, memory: Memory) -> None:
    memory.set_up_project()

    first = claude.run(CORRECTION, [[text(UNDERSTOOD)]])
    second = claude.run(IN_OTHER_WORDS, [[text("With another one.")]], "--resume", first.id)

    assert second.id == first.id
    eventually(lambda: memory.roles_of("With another one.") != [])
    memory.end_again(second)
    assert memory.status()["turns"] == 2
    assert memory.roles_of(CORRECTION) == memory.roles_of(IN_OTHER_WORDS) == ["user"]
    assert said_nothing_twice(memory)


def test_after_a_compaction_memory_is_given_anew_and_nothing_is_captured_twice(
    claude: ClaudeCode, memory: Memory
) -> None:
    memory.set_up_project()
    memory.agentrecall("feedback", "add", LESSON)
    first = claude.run(IN_OTHER_WORDS, [[text(UNDERSTOOD)]])
    claude.run("/compact", [], "--resume", first.id)

    after = claude.run(AGAIN_IN_OTHER_WORDS, [[text("With another one.")]], "--resume", first.id)

    # The model's summary, which is all that is left of the first turn, does not hold the rule.
    assert OUT_OF_SCRIPT in after.before_answer(1)
    assert ACTION in after.recalled_before_answer(1)
    eventually(lambda: memory.roles_of("With another one.") != [])
    memory.end_again(after)
    assert memory.status()["turns"] == 2
    assert memory.roles_of(OUT_OF_SCRIPT) == []
    assert said_nothing_twice(memory)
