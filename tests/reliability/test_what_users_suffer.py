"""What users of such tools suffered from, by the numbers of the collected reports: which test here prevents it.

A row of the table that names no test is one that cannot happen here, or whose part of the product is not built yet;
`docs/decisions.md` says why.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agentrecall_domain.hosts.claude_settings import Programs, wired
from agentrecall_storage.engine import sqlite
from helpers.files import database, everything, log_lines, rows, said, spooled, texts
from helpers.forks import Forks, assert_quiet
from helpers.programs import HOOKS, Person, RunHook, assert_silent, assert_well_behaved, command
from helpers.transcripts import TranscriptBuilder

TESTS = Path(__file__).parents[1]
PROMPT = "change the applied migration so that orders get a currency column"
HOST_LIMITS_S = {"Stop": 60, "SessionEnd": 1.5, "PreCompact": 60, "SessionStart": 60, "UserPromptSubmit": 30}
"""How long the host waits for each event's hooks."""

PREVENTED_BY: dict[int, list[str]] = {
    1: ["test_recall_ends_long_before_the_hosts_limit_and_a_failure_is_told_to_the_person"],
    2: ["test_every_hook_and_process_does_its_work_where_sockets_are_poisoned"],
    3: ["test_a_stop_hook_never_wakes_the_session_by_its_own_failure"],
    4: [
        "test_a_stop_ends_within_its_budget_while_the_memory_is_locked",
        "test_a_locked_database_costs_the_event_but_not_the_turn",
    ],
    5: ["test_every_limit_in_the_hosts_settings_is_in_seconds_and_short"],
    6: ["test_every_limit_in_the_hosts_settings_is_in_seconds_and_short"],
    7: [
        "test_a_host_that_keeps_the_pipe_open_gets_its_answer",
        "test_a_host_that_never_ends_its_payload_is_not_waited_for",
    ],
    8: ["test_no_hook_ever_refuses_a_tool"],
    9: ["test_nothing_is_left_running_after_a_hook"],
    10: [
        "test_an_old_program_and_a_new_file_never_fight",
        "test_a_newer_file_is_left_alone_by_every_hook_and_the_turn_waits",
    ],
    11: ["test_switched_off_is_off", "test_no_hook_starts_another_program"],
    12: ["test_no_hook_starts_another_program", "test_every_hook_and_process_does_its_work_where_sockets_are_poisoned"],
    13: ["test_the_same_memory_opens_two_sessions_with_the_same_bytes"],
    14: ["test_nothing_is_left_running_after_a_hook", "test_a_reader_blocks_nobody"],
    15: ["test_every_connection_asks_for_a_lock_wait", "test_a_locked_database_costs_the_event_but_not_the_turn"],
    16: ["test_many_first_hooks_make_one_file", "test_hooks_that_read_the_same_tail_at_once_store_each_span_once"],
    17: [
        "test_everything_in_a_stored_memory_is_there_for_todays_program",
        "test_a_verified_backup_of_the_old_schema_precedes_a_migration",
        "test_every_reference_of_the_schema_survives_an_upgrade",
    ],
    18: ["test_a_log_of_failures_stays_small", "test_a_long_pasted_text_is_kept_in_part"],
    19: ["test_session_starts_keep_the_log_small", "test_many_hooks_that_drain_at_once_store_each_entry_once"],
    20: [
        "test_a_command_never_says_that_it_stored_what_it_did_not",
        "test_any_call_may_fail_once",
        "test_a_memory_that_cannot_be_written_is_a_failure_that_names_doctor",
    ],
    21: [
        "test_a_version_may_use_wal_only_where_the_log_reset_is_fixed",
        "test_a_new_memory_keeps_the_rollback_journal",
    ],
    22: [
        "test_hooks_have_the_absolute_paths_of_the_installed_programs",
        "test_a_memory_that_has_captured_nothing_although_a_host_is_wired_is_told",
    ],
    23: [
        "test_a_correction_is_captured_kept_and_recalled_in_one_command",
        "test_a_memory_that_has_captured_nothing_although_a_host_is_wired_is_told",
    ],
    24: ["test_a_session_is_read_whole", "test_a_transcript_is_lines_and_not_one_document"],
    25: [
        "test_late_words_are_captured_before_their_prompts_line_is_there",
        "test_a_stop_without_a_transcript_keeps_what_it_has",
    ],
    33: [
        "test_two_folders_of_one_name_are_two_projects",
        "test_a_worktree_without_a_remote_shares_the_common_dir_and_the_name",
        "test_clones_and_a_worktree_share_their_remote",
    ],
    34: [
        "test_an_excluded_project_is_told_nothing_and_keeps_nothing",
        "test_an_excluded_project_is_not_captured",
        "test_what_is_spooled_waits_while_nobody_can_say_what_is_excluded",
    ],
    35: [
        "test_private_tags_in_a_reply_of_the_agent_are_removed_on_every_path",
        "test_private_spans_are_in_no_byte_on_disk",
    ],
    36: ["test_a_secret_is_in_no_byte_on_disk", "test_every_hook_and_process_does_its_work_where_sockets_are_poisoned"],
    38: [
        "test_no_stored_text_closes_or_forges_the_fence",
        "test_what_we_injected_is_never_captured",
        "test_a_prompt_that_is_only_handed_in_proves_nothing",
    ],
    39: [
        "test_uninstall_brings_back_every_byte",
        "test_hooks_write_nothing_outside_the_memorys_home",
        "test_an_edit_between_survives_and_only_our_entries_go",
    ],
    40: [
        "test_one_new_turn_at_the_end_of_300_mb_costs_what_the_turn_is_long",
        "test_other_languages_find_their_rules_too",
        "test_text_of_the_real_world_is_stored_under_any_locale",
        "test_a_folder_may_have_any_name",
    ],
}
NOT_ABOUT_HOOKS_OR_DATA = {26, 27, 28, 29, 30, 31, 32, 37}
"""About notes, ranking, evidence of benefit and a viewer: none of hooks, workers, data and text."""


def test_every_report_has_its_row() -> None:
    assert sorted(PREVENTED_BY.keys() | NOT_ABOUT_HOOKS_OR_DATA) == list(range(1, 41))
    assert all(PREVENTED_BY.values())


def test_every_test_that_the_table_names_exists() -> None:
    there: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        there |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    named = {name for names in PREVENTED_BY.values() for name in names}

    assert sorted(named - there) == []


# 1 to 8: hooks that slow or block the agent


@pytest.fixture
def knowing(forks: Forks, person: Person, transcript: TranscriptBuilder) -> Person:
    """Somebody with a rule, and a turn that has not been captured yet."""
    done = forks.run(person, "agentrecall", "feedback", "add", "Never edit an applied migration", "--global")
    assert done.code == 0
    transcript.prompt("Tabs, please")
    transcript.answer("Tabs it is.")
    return person


def payload(transcript: TranscriptBuilder, event: str, **fields: Any) -> dict[str, Any]:
    return transcript.payload(event, prompt=PROMPT, source="startup", last_assistant_message="Tabs it is.", **fields)


def test_recall_ends_long_before_the_hosts_limit_and_a_failure_is_told_to_the_person(
    forks: Forks, knowing: Person, transcript: TranscriptBuilder
) -> None:
    """1: recall that comes too late is dropped without a word."""
    from agentrecall_recall_hook.recall import BUDGET_MS  # noqa: PLC0415 -- the one place that says it

    assert HOST_LIMITS_S["UserPromptSubmit"] > BUDGET_MS / 1000 * 10
    assert_quiet(forks.run(knowing, "capture-hook", stdin=payload(transcript, "Stop")))
    (knowing.memory / "logs").mkdir(mode=0o700, exist_ok=True)
    (knowing.memory / "logs" / "hooks.jsonl").write_text('{"error": "made up"}\n')
    transcript.session = "the-next-one"

    told = forks.run(knowing, "recall-hook", stdin=payload(transcript, "SessionStart"))

    assert "agentrecall doctor" in json.loads(told.stdout)["systemMessage"]


@pytest.mark.parametrize("is_active", [False, True])
def test_a_stop_hook_never_wakes_the_session_by_its_own_failure(
    forks: Forks,
    knowing: Person,
    transcript: TranscriptBuilder,
    is_active: bool,  # noqa: FBT001 -- a table's column
) -> None:
    """3: exit code 2, or a word on stdout, and the session goes on for ever."""
    for part in knowing.memory.glob("agentrecall.db*"):
        part.unlink()
    database(knowing.memory).mkdir()
    (knowing.memory / "spool").write_bytes(b"in the way")

    for hook in ("capture-hook", "finalize-turn"):
        ended = forks.run(knowing, hook, stdin=payload(transcript, "Stop", stop_hook_active=is_active))
        assert (ended.code, ended.stdout, ended.stderr) == (0, "", "")


def test_a_stop_ends_within_its_budget_while_the_memory_is_locked(
    forks: Forks, knowing: Person, transcript: TranscriptBuilder
) -> None:
    """4: a stop hook that hangs for 110 seconds. What is asked for as lock wait is asserted in test_deadlines."""
    from agentrecall_capture_hook.capture import BUDGETS_MS  # noqa: PLC0415 -- the one place that says it
    from agentrecall_finalize_turn.hook import BUDGET_MS  # noqa: PLC0415

    assert all(budget / 1000 < HOST_LIMITS_S[event] for event, budget in BUDGETS_MS.items())
    assert BUDGET_MS <= 500
    with closing(sqlite.connect(database(knowing.memory), isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        assert_quiet(forks.run(knowing, "capture-hook", stdin=payload(transcript, "SessionEnd")))
        assert_quiet(forks.run(knowing, "finalize-turn", stdin=payload(transcript, "Stop")))
        holder.execute("ROLLBACK")
    assert spooled(knowing.memory)


def test_every_limit_in_the_hosts_settings_is_in_seconds_and_short() -> None:
    """5 and 6: milliseconds where seconds are read block for a minute; two seconds are too few on slow machines."""
    settings = json.loads(wired("", Programs("/bin/capture", "/bin/recall", "/bin/finalize")))
    limits = {
        (event, handler["command"]): handler["timeout"]
        for event, groups in settings["hooks"].items()
        for group in groups
        for handler in group["hooks"]
    }

    assert len(limits) > 5
    assert all(3 <= limit <= 30 for limit in limits.values())


@pytest.mark.parametrize("tool", ["Read", "Edit", "Write", "Bash", "Task", "mcp__other__tool"])
def test_no_hook_ever_refuses_a_tool(forks: Forks, knowing: Person, transcript: TranscriptBuilder, tool: str) -> None:
    """8: work that is gated on memory stops when memory does."""
    given = {"file_path": str(transcript.cwd / "db" / "applied.sql"), "command": "rm -rf /", "new_string": PROMPT}
    asked = payload(transcript, "PreToolUse", tool_name=tool, tool_input=given, tool_use_id="t1")

    ended = forks.run(knowing, "recall-hook", stdin=asked)

    assert_quiet(ended)
    assert not re.search("permissionDecision|decision|continue|block|deny", ended.stdout)


# 9 to 14: workers and runaway cost


def test_nothing_is_left_running_after_a_hook(person: Person, transcript: TranscriptBuilder) -> None:
    """9 and 14: hundreds of orphans, and watchers that grow by a gigabyte a day."""
    transcript.prompt("Tabs, please")
    for hook, events in (("capture-hook", ("SessionStart", "Stop", "SessionEnd")), ("recall-hook", ("SessionStart",))):
        for event in events:
            reader, writer = os.pipe()
            with subprocess.Popen(
                command(hook),
                env=person.environment(),
                cwd=person.project,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=(writer,),
            ) as process:
                os.close(writer)
                process.communicate(json.dumps(payload(transcript, event)).encode())
            # Whoever lived on would hold the pipe open, and this would not end.
            with os.fdopen(reader, "rb") as file:
                assert file.read() == b""


FORBIDS_PROGRAMS = """
import os, subprocess, sys
def refused(*_, **__):
    raise AssertionError("a program was started")
for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp", "execv", "execve", "system", "popen"):
    setattr(os, name, refused)
subprocess.Popen = refused
program = sys.argv.pop(1)
sys.exit(__import__(program + ".__main__", fromlist=["main"]).main())
"""


def test_no_hook_starts_another_program(knowing: Person, transcript: TranscriptBuilder) -> None:
    """11 and 12: model calls of the tool's own, which trigger its hooks and eat the plan's quota."""
    for hook, events in (
        ("capture-hook", ("SessionStart", "Stop", "PreCompact", "SessionEnd")),
        ("recall-hook", ("SessionStart", "UserPromptSubmit", "PreToolUse")),
        ("finalize-turn", ("Stop",)),
    ):
        app = f"agentrecall_{hook.replace('-', '_')}"
        for event in events:
            arguments = [sys.executable, "-c", FORBIDS_PROGRAMS, app, *HOOKS[hook][1:]]
            assert_well_behaved(knowing.run(arguments, json.dumps(payload(transcript, event)).encode()))

    assert log_lines(knowing.memory) == []
    assert texts(knowing.memory) == ["Tabs, please", "Tabs it is."]


def test_an_old_program_and_a_new_file_never_fight(
    forks: Forks, knowing: Person, transcript: TranscriptBuilder
) -> None:
    """10: a version mismatch, and hooks kill and restart a worker 2,424 times a day."""
    with closing(sqlite.connect(database(knowing.memory))) as connection:
        connection.execute("PRAGMA user_version = 99")
    for _ in range(5):
        for hook, event in (("capture-hook", "Stop"), ("recall-hook", "UserPromptSubmit"), ("finalize-turn", "Stop")):
            assert_quiet(forks.run(knowing, hook, stdin=payload(transcript, event)))

    assert rows(knowing.memory, "PRAGMA user_version") == [(99,)]
    assert rows(knowing.memory, "SELECT count(*) FROM raw_items") == [(0,)]


# 15 to 21: data lost, corrupted or unbounded


def test_every_connection_asks_for_a_lock_wait() -> None:
    """15: one connection path had no lock wait, and its writes were dropped: here one place alone connects."""
    sources = Path(__file__).parents[2]
    elsewhere = [
        f"{file.name}:{node.lineno}"
        for file in (*sources.glob("packages/*/src/**/*.py"), *sources.glob("apps/*/src/**/*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in {"sqlite.connect", "sqlite3.connect", "Database"}
        and not any(keyword.arg == "timeout" for keyword in node.keywords)
        and not (ast.unparse(node.func) == "Database" and ast.unparse(node.args[0]) == "connection")
    ]

    assert elsewhere == []


def test_every_reference_of_the_schema_survives_an_upgrade(forks: Forks, person: Person) -> None:
    """17: a table was rebuilt without its cascade rule. Foreign keys are on, and each has a table to point to."""
    assert forks.run(person, "agentrecall", "init").code == 0
    tables = [name for (name,) in rows(person.memory, "SELECT name FROM sqlite_schema WHERE type = 'table'")]
    pointed_to = {row[2] for table in tables for row in rows(person.memory, f"PRAGMA foreign_key_list({table})")}

    assert pointed_to
    assert pointed_to <= set(tables)


def test_a_log_of_failures_stays_small(forks: Forks, person: Person, transcript: TranscriptBuilder) -> None:
    """18: what nobody bounds grows to 136 GB."""
    person.memory.mkdir(mode=0o700)
    database(person.memory).write_bytes(b"dear diary\n" * 1000)
    (person.memory / "logs").mkdir(mode=0o700)
    for _ in range(3):
        (person.memory / "logs" / "hooks.jsonl").write_bytes(b"x" * 1_048_500)
        for _ in range(3):
            assert_quiet(forks.run(person, "finalize-turn", stdin=payload(transcript, "Stop", prompt_id="p")))

    sizes = [path.stat().st_size for path in (person.memory / "logs").iterdir()]
    assert len(sizes) <= 2
    assert sum(sizes) < 3 * 1024 * 1024


def test_a_long_pasted_text_is_kept_in_part(forks: Forks, person: Person, transcript: TranscriptBuilder) -> None:
    """18: a quarter of a hundred gigabytes, almost all of it raw data."""
    transcript.prompt("a pasted log " * 400_000 + "and what is wrong in it?")
    transcript.tool("msg-1", "call-1", "output " * 400_000)

    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))

    (kept,) = texts(person.memory)
    assert len(kept) == 100_000 + len("\n…\n")
    assert kept.endswith("a pasted log and what is wrong in it?")
    assert database(person.memory).stat().st_size < 2 * 1024 * 1024


@pytest.mark.parametrize(
    "arguments",
    [
        ["feedback", "add", "Always use tabs in makefiles", "--global"],
        ["rules", "archive", "1"],
        ["backup"],
        ["process"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_never_says_that_it_stored_what_it_did_not(
    forks: Forks, knowing: Person, transcript: TranscriptBuilder, arguments: list[str]
) -> None:
    """20: "success" is returned, and the episode was dropped."""
    assert_quiet(forks.run(knowing, "capture-hook", stdin=payload(transcript, "Stop")))
    transcript.prompt("And two blank lines")
    before = rows(knowing.memory, "SELECT id, status FROM rules"), said(knowing.memory)

    done = forks.run(knowing, "agentrecall", *arguments, file_limit=0)

    # `process` may say what it did not come to; the turn stays in its transcript.
    if arguments == ["process"]:
        assert (done.code, "1 raw items new" in done.stdout) != (0, True)
    else:
        assert (done.code, done.stdout) == (1, "")
    assert (rows(knowing.memory, "SELECT id, status FROM rules"), said(knowing.memory)) == before


# 22 to 25: silent death of capture


def test_a_memory_that_has_captured_nothing_although_a_host_is_wired_is_told(
    person: Person,
) -> None:
    """22 and 23: hooks dead for 46 days, all lights green."""
    for arguments in (["init"], ["setup", "claude-code", "--user"]):
        done = person.agentrecall(*arguments)
        assert done.returncode == 0, done.stderr

    done = person.agentrecall("doctor", "--json")

    found = {check["check"]: check for check in json.loads(done.stdout)["checks"]}
    assert found["capture"]["level"] == "warning"
    assert "nothing was ever captured, though a host is wired" in found["capture"]["found"]


def test_a_transcript_is_lines_and_not_one_document(
    person: Person, run_hook: RunHook, transcript: TranscriptBuilder
) -> None:
    """24: parsed as one JSON document, nothing was ever captured."""
    transcript.prompt("Tabs, please")
    transcript.answer("Tabs it is.")
    transcript.append(b'{"half a line')

    assert_silent(run_hook("capture-hook", transcript.payload()))

    assert texts(person.memory) == ["Tabs, please", "Tabs it is."]


@pytest.mark.parametrize("path", ["", "/nowhere/at/all.jsonl", "relative.jsonl"])
def test_a_stop_without_a_transcript_keeps_what_it_has(
    forks: Forks, person: Person, transcript: TranscriptBuilder, path: str
) -> None:
    """25: a host that gives no transcript's path in some events, and nothing is saved."""
    asked = {**payload(transcript, "Stop", prompt_id="p1"), "transcript_path": path}

    assert_quiet(forks.run(person, "capture-hook", stdin=asked))

    assert texts(person.memory) == ["Tabs it is."]


# 33 to 40: privacy, install, text


def test_private_tags_in_a_reply_of_the_agent_are_removed_on_every_path(
    forks: Forks, person: Person, transcript: TranscriptBuilder
) -> None:
    """35: private tags were not removed from the assistant's reply."""
    secret = "the-garden-gate-is-open"
    reply = f"As you said: <private>{secret}</private> and more."
    transcript.prompt("Tabs, please")
    transcript.answer(reply)
    asked = {**transcript.payload(), "last_assistant_message": reply, "prompt": f"{PROMPT} <private>{secret}</private>"}
    assert_quiet(forks.run(person, "capture-hook", stdin=asked))
    assert_quiet(forks.run(person, "recall-hook", stdin={**asked, "hook_event_name": "UserPromptSubmit"}))
    (person.memory / "agentrecall.db").rename(person.memory / "kept.db")
    database(person.memory).write_bytes(b"dear diary\n" * 1000)
    assert_quiet(forks.run(person, "capture-hook", stdin=asked))

    assert spooled(person.memory)
    assert [name for name, content in everything(person.memory).items() if secret.encode() in content] == []


def test_hooks_write_nothing_outside_the_memorys_home(
    forks: Forks, knowing: Person, transcript: TranscriptBuilder
) -> None:
    """39: stub files by the hundred, some inside the .git folder."""
    (knowing.project / ".git").mkdir()
    (knowing.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    before = everything(knowing.project), everything(knowing.home)

    for hook, events in (
        ("capture-hook", ("SessionStart", "Stop", "PreCompact", "SessionEnd")),
        ("recall-hook", ("SessionStart", "UserPromptSubmit", "PreToolUse")),
        ("finalize-turn", ("Stop",)),
    ):
        for event in events:
            assert_quiet(forks.run(knowing, hook, stdin=payload(transcript, event)))
    assert forks.run(knowing, "agentrecall", "process").code == 0

    assert (everything(knowing.project), everything(knowing.home)) == before


HARD_TEXT = "Grüße \ud83d 変更 \u202eabc \ufeff\0 naïve \U0001f468\u200d\U0001f469\u200d\U0001f467 é"


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1", "C.UTF-8"])
@pytest.mark.parametrize("utf8", ["0", "1"])
def test_text_of_the_real_world_is_stored_under_any_locale(
    run_hook: RunHook, person: Person, transcript: TranscriptBuilder, locale: str, utf8: str
) -> None:
    """40: lone surrogates and code pages crash saving."""
    transcript.prompt(HARD_TEXT)
    environment = {"LC_ALL": locale, "LANG": locale, "PYTHONUTF8": utf8, "PYTHONCOERCECLOCALE": "0"}
    asked = {**transcript.payload(), "last_assistant_message": f"{HARD_TEXT} too"}

    assert_silent(run_hook("capture-hook", asked, **environment))
    done = run_hook("recall-hook", {**asked, "hook_event_name": "UserPromptSubmit", "prompt": HARD_TEXT}, **environment)
    listed = person.agentrecall("feedback", "add", "変更 before Grüße, always", "--global", **environment)

    assert_well_behaved(done)
    assert (listed.returncode, b"Traceback" in listed.stderr) == (0, False)
    first, second = texts(person.memory)
    assert "Grüße" in first
    assert "変更" in first
    assert second == f"{first} too"
    assert log_lines(person.memory) == []
