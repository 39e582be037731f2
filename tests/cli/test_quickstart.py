"""`agentrecall quickstart`: run as a process, in a home folder of its own."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agentrecall_admin import sample
from agentrecall_domain.turns.batch import Batch, OpenedTurn, Project
from agentrecall_domain.turns.span import Span
from agentrecall_storage.memory import open_memory
from agentrecall_storage.removal import Removed, remove_project

PROGRAMS = Path(sys.executable).parent
SECRET = b"kestrel-41-marble"
PRIVATE = b"555-0134"


class Person(NamedTuple):
    """Somebody with a home folder, a project, and perhaps a host."""

    root: Path

    @property
    def claude(self) -> Path:
        return self.root / ".claude"

    @property
    def home(self) -> Path:
        return self.root / "memory"

    @property
    def project(self) -> Path:
        return self.root / "shop"

    def agentrecall(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.run([str(PROGRAMS / "agentrecall"), *arguments], **environment)

    def run(self, command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {"PATH": os.defpath, "HOME": str(self.root), "AGENTRECALL_HOME": str(self.home)}
        return subprocess.run(
            command, cwd=self.project, env=kept | environment, check=False, capture_output=True, text=True, timeout=50
        )

    def quickstart(self, *options: str, **environment: str) -> dict[str, Any]:
        done = self.agentrecall("quickstart", "--json", *options, **environment)
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def write_session(self, name: str, *prompts: tuple[str, Path]) -> Path:
        """A transcript of Claude Code's: what was asked, and in which folder."""
        folder = self.claude / "projects" / "-shop"
        folder.mkdir(parents=True, exist_ok=True)
        lines = [
            {
                "type": "user",
                "uuid": f"{name}-{number}",
                "promptId": f"{name}-p{number}",
                "sessionId": name,
                "cwd": str(cwd),
                "origin": {"kind": "human"},
                "timestamp": "2026-11-02T08:00:00.100Z",
                "message": {"role": "user", "content": words},
            }
            for number, (words, cwd) in enumerate(prompts)
        ]
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of every table of ours."""
        with closing(sqlite3.connect(self.home / "agentrecall.db")) as connection:
            named = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%'")
            tables = [name for (name,) in named if name != "rules_vocabulary" and not name.startswith("sqlite_")]
            return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}  # noqa: S608 -- our own tables


@pytest.fixture
def person(tmp_path: Path) -> Person:
    (tmp_path / "shop").mkdir()
    return Person(tmp_path)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def counts(rows: dict[str, list[tuple[Any, ...]]]) -> dict[str, int]:
    return {table: len(found) for table, found in rows.items()}


def test_a_correction_is_captured_kept_and_recalled_in_one_command(person: Person) -> None:
    answer = person.quickstart()

    assert set(answer) == {"memory", "captured", "rule", "recalled", "wire", "remove"}
    assert answer["memory"] == str(person.home / "agentrecall.db")
    assert answer["captured"]["project"] == "agentrecall-sample"
    assert (answer["captured"]["turns"], answer["captured"]["raw_items"]) == (3, 9)
    assert answer["captured"]["new_raw_items"] == 9
    assert (answer["rule"]["status"], answer["rule"]["origin"]) == ("Active", "user")
    assert answer["rule"]["evidence"] == sample.CORRECTION
    assert answer["recalled"].startswith('<agentrecall project="agentrecall-sample" moment="prompt"')
    assert f"[{answer['rule']['label']}] When a migration has been applied" in answer["recalled"]


def test_the_samples_secret_and_private_words_are_on_no_disk(person: Person) -> None:
    assert SECRET in sample.text()
    assert PRIVATE in sample.text()

    said = [item["text"] for item in person.quickstart()["captured"]["items"]]

    assert "[redacted:password-in-url]" in said[0]
    assert "[private]" in said[4]
    assert not [name for name, data in contents(person.root).items() if SECRET in data or PRIVATE in data]


def test_a_second_run_adds_nothing_and_recalls_again(person: Person) -> None:
    first, before = person.quickstart(), counts(person.rows())
    second, after = person.quickstart(), counts(person.rows())

    assert second["captured"] == first["captured"] | {"new_raw_items": 0}
    assert (first["rule"]["created"], second["rule"]["created"]) == (True, False)
    assert second["rule"]["label"] in second["recalled"]
    recalled_once_more = {"sessions": 1, "injections": 1, "injection_items": 1}
    assert after == {table: number + recalled_once_more.get(table, 0) for table, number in before.items()}


def test_the_text_for_a_person_is_short_and_says_how_to_go_on(person: Person) -> None:
    (person.root / "bin").mkdir()
    host = person.root / "bin" / "claude"
    host.write_text("")
    host.chmod(0o755)
    path = f"{PROGRAMS}{os.pathsep}{host.parent}"

    first = person.agentrecall("quickstart", PATH=path)
    second = person.agentrecall("quickstart", PATH=path)

    assert (first.returncode, first.stderr) == (0, "")
    assert len(first.stdout.splitlines()) <= 42
    assert "\x1b" not in first.stdout
    assert "postgres://shop:[redacted:password-in-url]@db.example.net" in first.stdout
    assert "   agentrecall setup claude-code   (Claude Code is on this machine)" in first.stdout
    assert first.stdout.endswith("agentrecall quickstart --remove-sample\n")
    assert "the sample was there already" not in first.stdout
    assert "the sample was there already" in second.stdout


def test_no_setting_of_a_host_is_touched(person: Person) -> None:
    person.write_session("one", ("Use tabs in the Makefile", person.project))
    (person.claude / "settings.json").write_text('{"hooks": {}}')
    before = contents(person.claude)

    person.quickstart()
    person.quickstart("--here")
    person.agentrecall("quickstart", "--remove-sample")

    assert contents(person.claude) == before


def test_here_captures_this_projects_transcripts_newest_first(person: Person) -> None:
    elsewhere = person.root / "blog"
    elsewhere.mkdir()
    old = person.write_session("old", ("Use tabs in the Makefile", person.project))
    new = person.write_session(
        "new", ("Prices are in cents", person.project), ("Round down", person.project / "cart"), ("Thanks", elsewhere)
    )
    person.write_session("other", ("A post about cheese", elsewhere))
    with old.open("a") as file:
        file.write('{"type":"user","uuid":"half')
    os.utime(old, (1, 1))
    os.utime(new, (2, 2))

    answer = person.quickstart("--here")

    captured = answer["captured"]
    assert (captured["project"], captured["transcripts"], captured["sessions"], captured["turns"]) == ("shop", 2, 2, 3)
    assert [item["text"] for item in captured["items"]] == [
        "Prices are in cents",
        "Round down",
        "Use tabs in the Makefile",
    ]
    assert answer["rule"]["project"] == "agentrecall-sample"
    assert person.quickstart("--here")["captured"] == captured | {"new_raw_items": 0}


def test_here_reads_where_claude_code_was_told_to_keep_its_things(person: Person) -> None:
    person.write_session("one", ("Use tabs in the Makefile", person.project))
    person.claude.rename(person.root / "kept")

    assert person.quickstart("--here")["captured"]["transcripts"] == 0
    found = person.quickstart("--here", CLAUDE_CONFIG_DIR=str(person.root / "kept"))
    assert found["captured"]["transcripts"] == 1


def test_here_without_transcripts_says_so_and_goes_on(person: Person) -> None:
    done = person.agentrecall("quickstart", "--here")

    assert done.returncode == 0
    assert "Claude Code has written no transcript of this project" in done.stdout
    assert "- [R1] When a migration has been applied" in done.stdout


def test_what_was_captured_cannot_steer_the_terminal(person: Person) -> None:
    person.write_session("one", ("Use \x1b[31mred\x1b]0;title\x07 tabs in the Makefile", person.project))

    shown = person.agentrecall("quickstart", "--here").stdout

    assert "red" in shown
    assert not {"\x1b", "\x07"}.intersection(shown)


def test_here_stays_out_of_an_excluded_project(person: Person) -> None:
    person.write_session("one", ("Use tabs in the Makefile", person.project))
    person.agentrecall("exclude", ".")

    done = person.agentrecall("quickstart", "--here", "--json")

    assert (done.returncode, done.stdout) == (1, "")
    assert f"'{person.project}' is excluded from memory" in done.stderr
    assert not (person.home / "agentrecall.db").exists()


def test_removing_the_sample_leaves_every_row_of_others_alone(person: Person) -> None:
    person.write_session("one", ("Use tabs in the Makefile", person.project))
    person.quickstart("--here")
    person.agentrecall("quickstart", "--remove-sample")
    person.agentrecall("feedback", "add", "When a migration has been applied, add a new one")
    person.agentrecall("feedback", "add", "--global", "Never print a password, because logs are public")
    before = person.rows()

    person.quickstart()
    person.quickstart()
    done = person.agentrecall("quickstart", "--remove-sample")

    assert done.stdout == "removed the sample: 1 rule, 3 sessions, 3 turns, 9 raw items\n"
    after = person.rows()
    ledger, new_ledger = before.pop("events"), after.pop("events")
    assert after == before
    assert new_ledger[: len(ledger)] == ledger
    assert {(event[3], event[6]) for event in new_ledger[len(ledger) :]} == {
        ("RuleCreated", "{}"),
        ("ProjectRemoved", "{}"),
    }


def test_the_sample_is_removed_with_what_was_distilled_of_it(person: Person) -> None:
    person.write_session("one", ("We decided to use tabs, because the linter wants them", person.project))
    person.quickstart("--here")
    person.agentrecall("quickstart", "--remove-sample")
    assert person.agentrecall("process").returncode == 0
    before = person.rows()

    person.quickstart()
    processed = json.loads(person.agentrecall("process", "--json").stdout.splitlines()[-1])
    done = person.agentrecall("quickstart", "--remove-sample")

    assert processed["episodes"] > 0
    assert (done.returncode, done.stderr) == (0, "")
    after = person.rows()
    ledger, new_ledger = before.pop("events"), after.pop("events")
    # How far injections were counted is no matter of the sample's.
    after["config"] = [row for row in after["config"] if row[0] != "co_retrieval_upto"]
    assert after == before
    assert new_ledger[: len(ledger)] == ledger
    assert {event[6] for event in new_ledger[len(ledger) :]} == {"{}"}


def test_removing_the_sample_twice_or_from_nothing_is_done_too(person: Person) -> None:
    nothing = person.agentrecall("quickstart", "--remove-sample")
    assert (nothing.returncode, nothing.stdout) == (0, "nothing to remove: the sample is not in the memory\n")
    assert not person.home.exists()

    person.quickstart()
    first = json.loads(person.agentrecall("quickstart", "--remove-sample", "--json").stdout)
    second = json.loads(person.agentrecall("quickstart", "--remove-sample", "--json").stdout)

    assert first["removed"]["projects"] == 1
    assert not any(second["removed"].values())
    assert person.quickstart()["rule"]["created"] is True


@pytest.mark.parametrize(
    ("arguments", "environment", "code", "message"),
    [
        pytest.param([], {"AGENTRECALL_DISABLED": "1"}, 1, "AGENTRECALL_DISABLED is set", id="switched off"),
        pytest.param([], {"AGENTRECALL_HOME": "/dev/null/x"}, 1, "'agentrecall doctor'", id="no place for a memory"),
        pytest.param(["--here", "--remove-sample"], {}, 2, "exclude each other", id="here and remove"),
    ],
)
def test_what_cannot_be_done_is_said(
    person: Person, arguments: list[str], environment: dict[str, str], code: int, message: str
) -> None:
    done = person.agentrecall("quickstart", "--json", *arguments, **environment)

    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert not person.home.exists()


def test_a_sample_rule_that_was_archived_is_no_success(person: Person) -> None:
    label = person.quickstart()["rule"]["label"]
    person.agentrecall("rules", "archive", label)

    done = person.agentrecall("quickstart")

    assert (done.returncode, done.stdout) == (1, "")
    assert f"'{label}', the sample's rule, is Archived" in done.stderr


def test_unreadable_exclusions_are_said(person: Person) -> None:
    person.home.mkdir()
    (person.home / "exclusions.json").write_text("{")

    done = person.agentrecall("quickstart")

    assert (done.returncode, done.stdout) == (1, "")
    assert "everything is excluded until it is repaired or removed" in done.stderr


def test_an_excluded_sample_is_said(person: Person) -> None:
    person.home.mkdir()
    entry = {"kind": "path", "value": sample.FOLDER, "label": "sample", "at": "2026-11-02T08:00:00Z"}
    (person.home / "exclusions.json").write_text(json.dumps([entry]))

    done = person.agentrecall("quickstart")

    assert (done.returncode, done.stdout) == (1, "")
    assert "is excluded from memory; undo it with one of: 'agentrecall include sample'" in done.stderr


@pytest.mark.parametrize(
    ("broken", "script", "message"),
    [
        pytest.param(
            "finalize-turn", "echo no luck >&2; exit 3", "failed: no luck; run 'agentrecall doctor'", id="ends"
        ),
        pytest.param("capture-hook", "exit 0", "not captured; run 'agentrecall doctor'", id="captures nothing"),
        pytest.param("recall-hook", "exit 0", "not recalled", id="recalls nothing"),
        pytest.param("recall-hook", "", "the installation is incomplete", id="missing"),
    ],
)
def test_a_failing_program_is_named(person: Person, broken: str, script: str, message: str) -> None:
    # An interpreter of its own, beside which our programs lie as an installation would have them.
    folder = person.root / "bin"
    folder.mkdir()
    (folder / "python").symlink_to(Path(sys.executable).resolve())
    for name in ("capture-hook", "finalize-turn", "recall-hook"):
        program = folder / f"agentrecall-{name}"
        if name != broken:
            program.symlink_to(PROGRAMS / program.name)
        elif script:
            program.write_text(f"#!/bin/sh\n{script}\n")
            program.chmod(0o755)

    done = person.run(
        [str(folder / "python"), "-m", "agentrecall_admin", "quickstart"],
        PYTHONPATH=os.pathsep.join(path for path in sys.path if path),
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr


@pytest.mark.parametrize(
    ("folders", "environment", "start"),
    [
        pytest.param([str(PROGRAMS)], {}, "agentrecall", id="on the path"),
        pytest.param([], {}, str(PROGRAMS / "agentrecall"), id="on no path"),
        pytest.param([str(PROGRAMS)], {"UV_RUN_RECURSION_DEPTH": "1"}, "uv run agentrecall", id="out of a clone"),
        pytest.param(
            [str(PROGRAMS), "tools"], {"UV_RUN_RECURSION_DEPTH": "1"}, "agentrecall", id="out of a clone, but installed"
        ),
    ],
)
def test_the_commands_work_as_they_are_printed(
    person: Person, folders: list[str], environment: dict[str, str], start: str
) -> None:
    person.claude.mkdir()
    tools = person.project / "tools"
    tools.mkdir()
    (tools / "agentrecall").write_text("")
    (tools / "agentrecall").chmod(0o755)

    answer = person.quickstart(PATH=os.pathsep.join([*folders, os.defpath]), **environment)

    assert answer["wire"] == [f"{start} setup claude-code"]
    assert answer["remove"] == f"{start} quickstart --remove-sample"


def test_hosts_that_are_not_there_or_not_supported_are_said(person: Person) -> None:
    (person.root / ".codex").mkdir()

    done = person.agentrecall("quickstart")

    assert "Codex is on this machine; wiring it is not supported yet" in done.stdout
    assert "Claude Code is supported, and was not found here" in done.stdout
    assert person.quickstart()["wire"] == []


def test_a_session_that_went_on_in_another_project_stays_for_its_sake(tmp_path: Path) -> None:
    here, there = (Project(name, f"/{name}", [("path", f"/{name}")]) for name in ("here", "there"))
    batch = Batch(source="claude-code", session_uid="s", transcript_path="/t.jsonl", captured_at="2026-11-02T08:00:00Z")
    for ordinal, project in enumerate((here, there)):
        batch.turns.append(
            OpenedTurn(
                uid=f"turn-{ordinal}",
                prompt_id="",
                ordinal=ordinal,
                project=batch.project_index(project),
                branch="",
                started_at="2026-11-02T08:00:00Z",
            )
        )
        batch.spans.append(
            Span(
                turn_uid=f"turn-{ordinal}",
                dedup_key=f"span-{ordinal}",
                kind="turn",
                role="user",
                origin="user",
                text="words",
                said_at="",
                prompt_source="typed",
                continues=False,
            )
        )

    with open_memory(str(tmp_path / "memory"), lambda: datetime(2026, 11, 2, tzinfo=UTC)) as memory:
        memory.captures.record_batch(batch)
        gone = memory.find_project(here)
        assert gone is not None
        removed = remove_project(memory, gone)

        assert removed == Removed(projects=1, turns=1, raw_items=1)
        assert remove_project(memory, gone) == Removed()
        assert memory.project_names() == {memory.find_project(there): "there"}
        assert memory.connection.execute("SELECT uid, project_id FROM sessions").fetchall() == [("s", None)]
        assert [uid for (uid,) in memory.connection.execute("SELECT uid FROM turns")] == ["turn-1"]
