"""The command line: data on stdout, talk on stderr, the answer in the exit code, and help that says so."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from agentrecall_admin.__main__ import main
from agentrecall_domain.rules.rule import ScopeLevel, Status
from agentrecall_storage.schema_version import SCHEMA_VERSION
from recall.stories import Person, a_rule

LESSON = "When a migration has been applied, add a new one, never edit it, because production has run it."
SECRET = "ghp_" + "aZ3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
NEEDS_A_MEMORY = [
    pytest.param(["init"], id="init"),
    pytest.param(["status"], id="status"),
    pytest.param(["feedback", "add", LESSON], id="feedback add"),
    pytest.param(["rules", "list"], id="rules list"),
    pytest.param(["rules", "show", "R1"], id="rules show"),
    pytest.param(["rules", "approve", "R1"], id="rules approve"),
    pytest.param(["rules", "archive", "R1"], id="rules archive"),
    pytest.param(["search", "migration"], id="search"),
]


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def every_command(command: click.Command = main, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            yield from every_command(command.commands[name], (*path, name))


COMMANDS = [pytest.param(path, id=" ".join(path) or "agentrecall") for path in every_command()]


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def failed(result: Result, code: int) -> str:
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


# Help and misuse


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_help_that_says_what_it_does(someone: Person, path: tuple[str, ...]) -> None:
    result = someone.command(*path, "--help")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Usage: ")
    paragraphs = [part for part in result.stdout.split("\n\n")[1:] if not part.startswith(("Options:", "Commands:"))]
    assert paragraphs
    assert paragraphs[0].strip().endswith((".", ":"))
    assert not someone.home.exists()


def test_the_help_states_the_exit_codes(someone: Person) -> None:
    words = " ".join(someone.command("--help").stdout.split())

    assert "0 done (an empty result is done), 1 failed, 2 misuse" in words


def test_every_option_has_a_sentence_of_help() -> None:
    def options(command: click.Command) -> Iterator[tuple[str, click.Option]]:
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                yield command.name or "", parameter
        if isinstance(command, click.Group):
            for inner in command.commands.values():
                yield from options(inner)

    silent = [f"{name} {option.opts[0]}" for name, option in options(main) if not (option.help or "").endswith(".")]
    assert silent == []


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["remember"], id="no such command"),
        pytest.param(["rules", "forget", "R1"], id="no such verb"),
        pytest.param(["status", "--loud"], id="no such option"),
        pytest.param(["rules", "show"], id="no rule named"),
        pytest.param(["rules", "approve"], id="nothing to approve"),
        pytest.param(["rules", "show", "twelve"], id="no rule id"),
        pytest.param(["rules", "show", "N12"], id="the id of a note"),
        pytest.param(["rules", "show", "R-1"], id="a negative id"),
        pytest.param(["rules", "show", "R" + "9" * 30], id="an id beyond all"),
        pytest.param(["rules", "list", "--status", "Sleeping"], id="no such status"),
        pytest.param(["search"], id="nothing to search for"),
        pytest.param(["search", "x", "--limit", "0"], id="no result wanted"),
        pytest.param(["search", "x", "--limit", "many"], id="a limit that is no number"),
        pytest.param(["feedback", "add", ""], id="empty feedback"),
        pytest.param(["feedback", "add", " \n "], id="feedback of white space"),
        pytest.param(["feedback", "add", "x", "--file", "a", "--folder", "b"], id="a file and a folder"),
        pytest.param(["feedback", "add", "x", "--file", "a", "--global"], id="a file of no project"),
        pytest.param(["feedback", "add", "x", "--file", "../a"], id="a file outside"),
        pytest.param(["feedback", "add", "x", "--language", "klingon"], id="no such language"),
        pytest.param(["exclude"], id="nothing to exclude"),
        pytest.param(["exclude", "no/such/folder"], id="no such folder"),
        pytest.param(["include", "no/such/folder"], id="no such folder to include"),
    ],
)
def test_misuse_is_two_and_says_what_is_wrong(someone: Person, arguments: list[str]) -> None:
    message = failed(someone.command(*arguments), 2)

    assert "Error: " in message
    assert len(message.splitlines()) <= 6


def test_a_misuse_stores_nothing(someone: Person) -> None:
    someone.command("feedback", "add", "use pnpm", "--language", "klingon")

    assert someone.rules() == []


# init and status


def test_init_makes_a_memory_for_its_owner_alone_and_finds_it_again(someone: Person) -> None:
    first, second = data(someone.command("init", "--json")), data(someone.command("init", "--json"))

    path = someone.home / "agentrecall.db"
    assert first == {"path": str(path), "created": True}
    assert second == {"path": str(path), "created": False}
    assert stat.S_IMODE(someone.home.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_init_says_in_words_what_it_did(someone: Person) -> None:
    made, found = someone.command("init"), someone.command("init")

    assert made.stdout == f"made {someone.home / 'agentrecall.db'}\n"
    assert found.stdout == f"found {someone.home / 'agentrecall.db'}\n"


def test_status_without_a_memory_is_all_zero_and_makes_nothing(someone: Person) -> None:
    found = data(someone.command("status", "--json"))

    assert found["exists"] is False
    assert [found[name] for name in ("turns", "raw_items", "rules", "injections", "spooled")] == [0] * 5
    assert not someone.home.exists()
    assert "agentrecall init" in someone.command("status").stdout


def test_status_counts_what_the_memory_holds(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("use pnpm"))
    someone.keeps(a_rule("ask first"), status=Status.PENDING)

    found = data(someone.command("status", "--json"))

    assert (found["exists"], found["rules"], found["projects"]) == (True, 3, 1)
    assert found["rules_by_status"] == {"Active": 2, "Pending": 1}
    assert found["journal"] in {"wal", "delete"}
    assert "3  (2 Active, 1 Pending)" in someone.command("status").stdout


# feedback add


def test_feedback_becomes_a_rule_of_this_project_in_force_at_once(someone: Person) -> None:
    added = data(someone.command("feedback", "add", LESSON, "--json"))

    assert added["created"] is True
    assert (added["label"], added["status"], added["project"]) == ("R1", "Active", "shop")
    assert (added["trigger"], added["action"], added["mistake"], added["reason"]) == (
        "When a migration has been applied",
        "add a new one",
        "edit it",
        "production has run it",
    )
    assert (added["scope_level"], added["origin"], added["evidence"]) == ("Repository", "user", LESSON)


def test_feedback_shows_the_rule_to_a_person(someone: Person) -> None:
    result = someone.command("feedback", "add", LESSON)

    assert (result.exit_code, result.stderr) == (0, "")
    lines = [line.split(None, 1) for line in result.stdout.splitlines()]
    assert ["because", "production has run it"] in lines
    assert ["holds", "in     shop"] in lines or any(line[0] == "holds" and line[1].endswith("shop") for line in lines)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param(["--pending"], {"status": "Pending"}, id="for review"),
        pytest.param(["--global"], {"scope_level": "Global", "scope_value": "", "project": None}, id="everywhere"),
        pytest.param(["--always"], {"always_apply": True}, id="standing"),
        pytest.param(["--file", "db/001.sql"], {"scope_level": "File", "scope_value": "db/001.sql"}, id="a file"),
        pytest.param(["--file", "./db/../db/001.sql"], {"scope_value": "db/001.sql"}, id="a file by another way"),
        pytest.param(["--folder", "db/"], {"scope_level": "Directory", "scope_value": "db"}, id="a folder"),
        pytest.param(["--glob", "db/**/*.sql", "--glob", "*.ddl"], {"globs": ["db/**/*.sql", "*.ddl"]}, id="globs"),
        pytest.param(["--language", "Python"], {"languages": ["python"]}, id="a language in any case"),
        pytest.param(["--tag", "DB", "--tag", "sql"], {"tags": ["db", "sql"]}, id="tags"),
        pytest.param(["--title", "No edits"], {"title": "No edits"}, id="a title"),
        pytest.param(["--when", "when in a hurry"], {"trigger": "when in a hurry"}, id="a condition"),
        pytest.param(["--not", "editing"], {"mistake": "editing"}, id="a mistake"),
        pytest.param(["--because", "of the audit"], {"reason": "of the audit"}, id="a reason"),
    ],
)
def test_an_option_says_what_the_words_do_not(someone: Person, options: list[str], expected: dict[str, Any]) -> None:
    added = data(someone.command("feedback", "add", LESSON, *options, "--json"))

    assert {name: added[name] for name in expected} == expected


def test_feedback_is_read_from_stdin(someone: Person) -> None:
    added = data(someone.command("feedback", "add", "--json", stdin=f"{LESSON}\n"))

    assert added["action"] == "add a new one"


def test_feedback_of_options_alone_needs_no_text(someone: Person) -> None:
    added = data(someone.command("feedback", "add", "--do", "use pnpm", "--json", stdin=None))

    assert added["action"] == "use pnpm"


def test_saying_the_same_again_makes_no_second_rule(someone: Person) -> None:
    first = data(someone.command("feedback", "add", LESSON, "--json"))
    second = data(someone.command("feedback", "add", LESSON, "--json"))
    third = someone.command("feedback", "add", LESSON)

    assert (second["created"], second["id"]) == (False, first["id"])
    assert third.exit_code == 0
    assert "R1 says the same already" in third.stderr
    assert len(someone.rules()) == 1


def test_saying_what_a_waiting_rule_says_brings_it_into_force(someone: Person) -> None:
    waiting = data(someone.command("feedback", "add", LESSON, "--pending", "--json"))
    still_waiting = data(someone.command("feedback", "add", LESSON, "--pending", "--json"))
    said_again = data(someone.command("feedback", "add", LESSON, "--json"))

    assert [one["status"] for one in (waiting, still_waiting, said_again)] == ["Pending", "Pending", "Active"]
    assert len(someone.rules()) == 1


@pytest.mark.parametrize(
    ("arguments", "level", "value"),
    [
        pytest.param(["--scope-level", "File", "--scope-value", "db/schema.sql"], "File", "db/schema.sql", id="a file"),
        pytest.param(["--scope-level", "directory", "--scope-value", "db"], "Directory", "db", id="a directory"),
        pytest.param(["--scope-level", "Global"], "Global", "", id="everywhere"),
    ],
)
def test_a_scope_can_be_given_by_its_name(someone: Person, arguments: list[str], level: str, value: str) -> None:
    added = data(someone.command("feedback", "add", LESSON, *arguments, "--json"))

    assert (added["scope_level"], added["scope_value"]) == (level, value)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--scope-level", "File"], id="no value"),
        pytest.param(["--scope-value", "db/schema.sql"], id="no level"),
        pytest.param(["--scope-level", "Galaxy", "--scope-value", "x"], id="no such level"),
        pytest.param(["--scope-level", "Global", "--scope-value", "x"], id="a value where there is none"),
    ],
)
def test_half_a_scope_is_misuse(someone: Person, arguments: list[str]) -> None:
    failed(someone.command("feedback", "add", LESSON, *arguments), 2)


def test_the_opposite_is_another_rule(someone: Person) -> None:
    someone.command("feedback", "add", "--do", "use tabs")

    assert data(someone.command("feedback", "add", "--do", "never use tabs", "--json"))["created"] is True


def test_the_same_in_another_project_is_another_rule(someone: Person) -> None:
    someone.command("feedback", "add", LESSON)
    added = data(someone.command("feedback", "add", LESSON, "--json", cwd=someone.new_repository("bank")))

    assert (added["created"], added["project"]) == (True, "bank")


def test_a_log_is_refused_as_feedback(someone: Person) -> None:
    assert "20,000" in failed(someone.command("feedback", "add", "error " * 4_000), 1)
    assert "2,000" in failed(someone.command("feedback", "add", "Use " + "this and " * 400), 1)
    assert someone.rules() == []


@pytest.mark.parametrize("option", ["--when", "--do", "--not", "--because", "--title", "--tag", "--glob", "--file"])
def test_a_secret_in_any_part_of_feedback_is_never_stored(someone: Person, option: str) -> None:
    result = someone.command("feedback", "add", f"Use the vault, not {SECRET}.", option, f"x {SECRET}")

    assert SECRET not in result.output
    kept = someone.stored_bytes()
    assert SECRET.encode() not in kept
    assert SECRET.lower().encode() not in kept


# rules


def test_rules_are_listed_newest_first_for_this_project_and_everywhere(someone: Person) -> None:
    someone.keeps(a_rule("one"), a_rule("two", scope_level=ScopeLevel.GLOBAL, scope_value=""))
    someone.keeps(a_rule("three"), cwd=someone.new_repository("bank"))
    someone.keeps(a_rule("four"), status=Status.PENDING)
    someone.keeps(a_rule("five"), status=Status.ARCHIVED)

    def listed(*options: str) -> list[str]:
        return [rule["label"] for rule in data(someone.command("rules", "list", *options, "--json"))]

    assert listed() == ["R4", "R2", "R1"]
    assert listed("--all") == ["R5", "R4", "R3", "R2", "R1"]
    assert listed("--status", "pending") == ["R4"]
    assert listed("--status", "Archived") == ["R5"]
    assert listed("--status", "Active") == ["R2", "R1"]
    assert listed("--all", "--status", "Active") == ["R3", "R2", "R1"]
    assert listed("--status", "Draft") == []


def test_a_list_for_a_person_is_one_line_a_rule(someone: Person) -> None:
    someone.keeps(a_rule(title="First of all"), a_rule("two", title="Second"))

    result = someone.command("rules", "list")

    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["id", "R2", "R1"]
    assert "First of all" in result.stdout


@pytest.mark.parametrize("title", ["Use [/tmp], not [bold]it[/bold]", "[red]", "[R9] :warning: \\[x]", "a\tb", "日本"])
def test_a_title_is_shown_as_it_was_written(someone: Person, title: str) -> None:
    (rule,) = someone.keeps(a_rule(title=title))

    for arguments in (["rules", "list"], ["search", "applied migration"], ["rules", "show", "R1"]):
        result = someone.command(*arguments)
        assert result.exit_code == 0, result.output
        assert rule.title in result.stdout


def test_a_terminals_control_codes_in_a_rule_stay_without_effect(someone: Person) -> None:
    code = "\x1b]0;owned\x07\x9b31m\u202e"
    someone.keeps(
        a_rule(f"migrate {code}", title=f"migrate {code}", trigger=code, reason=code, evidence=code, globs=(code,))
    )

    for arguments in (["rules", "list"], ["search", "applied migration"], ["rules", "show", "R1"]):
        result = someone.command(*arguments)
        assert result.exit_code == 0, result.output
        assert "migrate" in result.stdout
        assert not set(code[:1] + "\x07\x9b\u202e") & set(result.stdout)


def test_a_project_below_an_excluded_folder_names_it(someone: Person) -> None:
    data(someone.command("exclude", str(someone.root), "--json"))

    said = failed(someone.command("include", str(someone.repository)), 1)

    assert f"excluded with '{someone.root}'" in said
    assert data(someone.command("status", "--json"))["excluded_here"] is True
    assert data(someone.command("include", str(someone.root), "--json")) != []


def test_no_rules_is_done_with_a_word_on_stderr(someone: Person) -> None:
    result = someone.command("rules", "list")

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("no rules here")
    assert someone.command("rules", "list", "--all").stderr == "no rules\n"
    assert someone.command("rules", "list", "--json").stdout == "[]\n"


@pytest.mark.parametrize("name", ["R1", "r1", "#1", "1", "R0001"])
def test_a_rule_goes_by_its_id_however_it_is_written(someone: Person, name: str) -> None:
    someone.keeps(a_rule())

    assert data(someone.command("rules", "show", name, "--json"))["label"] == "R1"


def test_show_tells_a_rules_history(someone: Person) -> None:
    someone.keeps(a_rule(), status=Status.PENDING)
    someone.command("rules", "approve", "R1")
    someone.command("rules", "archive", "R1")

    shown = data(someone.command("rules", "show", "R1", "--json"))
    words = someone.command("rules", "show", "R1").stdout

    assert [(row["version"], row["change"]) for row in shown["history"]] == [
        (1, "status Pending to Active"),
        (2, "status Active to Archived"),
    ]
    assert "status Pending to Active" in words
    assert words.startswith("R1 Archived")


@pytest.mark.parametrize("verb", ["show", "approve", "archive"])
def test_a_missing_rule_is_a_failure_that_says_where_to_look(someone: Person, verb: str) -> None:
    someone.keeps(a_rule())

    message = failed(someone.command("rules", verb, "R99"), 1)

    assert "'R99'" in message
    assert "rules list --all" in message


@pytest.mark.parametrize("verb", ["approve", "archive"])
def test_one_missing_rule_among_several_moves_none(someone: Person, verb: str) -> None:
    someone.keeps(a_rule(), status=Status.PENDING)

    failed(someone.command("rules", verb, "R1", "R99"), 1)

    assert someone.rule(1).status is Status.PENDING


@pytest.mark.parametrize("status", [Status.PENDING, Status.DRAFT], ids=str)
def test_approve_brings_what_waits_into_force(someone: Person, status: Status) -> None:
    someone.keeps(a_rule(), a_rule("two"), status=status)

    moved = data(someone.command("rules", "approve", "R1", "r2", "--json"))

    assert [rule["status"] for rule in moved] == ["Active", "Active"]
    assert [rule.status for rule in someone.rules()] == [Status.ACTIVE, Status.ACTIVE]


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.PROMOTED], ids=str)
def test_approving_a_rule_in_force_leaves_it_as_it_is(someone: Person, status: Status) -> None:
    (before,) = someone.keeps(a_rule(), status=status)

    assert someone.command("rules", "approve", "R1").exit_code == 0
    assert someone.rule(1) == before


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.SUPERSEDED, Status.RETIRED], ids=str)
def test_a_dead_rule_cannot_be_approved(someone: Person, status: Status) -> None:
    someone.keeps(a_rule(), status=status)

    assert "only a rule that waits can be approved" in failed(someone.command("rules", "approve", "R1"), 1)
    assert someone.rule(1).status is status


def test_naming_a_rule_twice_moves_it_once(someone: Person) -> None:
    someone.keeps(a_rule(), status=Status.PENDING)

    result = someone.command("rules", "approve", "R1", "1", "#1")

    assert result.exit_code == 0, result.output
    assert someone.rule(1).version == 2


def test_an_archived_rule_is_no_longer_listed_or_found(someone: Person) -> None:
    someone.keeps(a_rule())

    assert someone.command("rules", "archive", "R1").exit_code == 0
    assert someone.command("rules", "list", "--json").stdout == "[]\n"
    assert someone.command("search", "applied migration", "--json").stdout == "[]\n"


# search


def test_search_marks_what_a_prompt_would_be_shown(someone: Person) -> None:
    someone.keeps(
        a_rule(),
        a_rule("run the tests", title="Tests", trigger="when editing code", mistake="", reason=""),
        a_rule("use pnpm", title="Packages", trigger="when installing", mistake="", reason=""),
    )

    prompt = "the applied migration is wrong, please edit it"
    found = data(someone.command("search", prompt, "--json"))
    told = someone.says(f"{prompt} in the file", prompt_id="p1")

    assert found[0] | {"score": 0} == {
        "label": "R1",
        "id": 1,
        "status": "Active",
        "title": "Migrations are append-only",
        "score": 0,
        "shown": True,
        "matched": found[0]["matched"],
    }
    for rule in found:
        assert rule["shown"] is (f"[{rule['label']}]" in told)
    words = someone.command("search", prompt).stdout
    assert "R1*" in words


def test_search_for_nothing_known_is_done_with_a_word_on_stderr(someone: Person) -> None:
    someone.keeps(a_rule())

    result = someone.command("search", "harbours of Portugal")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "nothing found\n")
    assert someone.command("search", "harbours of Portugal", "--json").stdout == "[]\n"


@pytest.mark.parametrize("query", ['" OR NEAR( * ^ :', "", "\0", "🙂", "-" * 5_000, "'; DROP TABLE rules; --"])
def test_any_text_can_be_searched_for(someone: Person, query: str) -> None:
    someone.keeps(a_rule())

    assert isinstance(data(someone.command("search", "--json", "--", query)), list)


def test_search_stays_in_its_project_and_within_its_limit(someone: Person) -> None:
    someone.keeps(*(a_rule(f"{word} the applied migration") for word in ("copy", "test", "drop", "name")))
    bank = someone.new_repository("bank")

    assert len(data(someone.command("search", "applied migration", "--limit", "3", "--json"))) == 3
    assert data(someone.command("search", "applied migration", "--json", cwd=bank)) == []


# exclude and include


def test_an_excluded_project_is_left_alone_until_it_is_included(someone: Person) -> None:
    someone.keeps(a_rule())

    assert [entry["kind"] for entry in data(someone.command("exclude", ".", "--json"))]
    assert data(someone.command("exclude", ".", "--json")) == []
    for arguments in (["rules", "list"], ["search", "migration"], ["feedback", "add", LESSON]):
        assert "agentrecall include" in failed(someone.command(*arguments), 1)
    assert [entry["kind"] for entry in data(someone.command("include", ".", "--json"))]
    assert data(someone.command("include", ".", "--json")) == []
    assert data(someone.command("rules", "list", "--json"))[0]["label"] == "R1"


def test_a_project_may_be_excluded_by_its_name(someone: Person) -> None:
    someone.keeps(a_rule())

    assert someone.command("exclude", "shop", cwd=someone.root).exit_code == 0

    failed(someone.command("rules", "list"), 1)
    assert someone.command("rules", "list", cwd=someone.new_repository("bank")).exit_code == 0


def test_an_exclusion_file_that_cannot_be_read_is_left_as_it_is(someone: Person) -> None:
    someone.home.mkdir()
    (someone.home / "exclusions.json").write_text("{ not json")

    for verb in ("exclude", "include"):
        assert "exclusions.json" in failed(someone.command(verb, "."), 1)
    assert (someone.home / "exclusions.json").read_text() == "{ not json"


# When something is wrong


@pytest.mark.parametrize("arguments", NEEDS_A_MEMORY)
def test_a_memory_that_is_no_database_is_a_failure_that_names_doctor_and_stays_as_it_is(
    someone: Person, arguments: list[str]
) -> None:
    someone.home.mkdir()
    path = someone.home / "agentrecall.db"
    path.write_bytes(b"a note of mine, and no database " * 200)
    before = path.read_bytes()

    message = failed(someone.command(*arguments), 1)

    assert "agentrecall doctor" in message
    assert str(someone.home) in message
    assert path.read_bytes() == before


@pytest.mark.parametrize("arguments", NEEDS_A_MEMORY)
def test_a_memory_of_a_newer_program_is_refused_and_stays_as_it_is(someone: Person, arguments: list[str]) -> None:
    someone.keeps(a_rule())
    with someone.memory() as memory:
        memory.connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = someone.stored_bytes()

    message = failed(someone.command(*arguments), 1)

    assert "newer AgentRecall" in message
    assert someone.stored_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["init", "--json"],
        ["status", "--json"],
        ["feedback", "add", LESSON, "--json"],
        ["rules", "list", "--json"],
        ["rules", "show", "R1", "--json"],
        ["rules", "approve", "R1", "--json"],
        ["rules", "archive", "R1", "--json"],
        ["search", "migration", "--json"],
        ["exclude", ".", "--json"],
        ["include", ".", "--json"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_json_is_one_value_on_one_line_and_never_mixed_with_talk(someone: Person, arguments: list[str]) -> None:
    someone.keeps(a_rule("keep «this» in one line"))

    result = someone.command(*arguments)

    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert result.stdout.endswith("\n")
    assert len(result.stdout.splitlines()) == 1
    assert isinstance(json.loads(result.stdout), dict | list)
    assert "\x1b" not in result.stdout


def test_the_installed_program_says_its_version_and_keeps_the_same_manners(someone: Person) -> None:
    version = someone.run("agentrecall", "--version")
    misused = someone.run("agentrecall", "rules", "show", "twelve")
    missing = someone.run("agentrecall", "rules", "show", "R12")

    assert (version.code, version.err) == (0, "")
    assert (misused.code, misused.out) == (2, "")
    assert (missing.code, missing.out) == (1, "")
    assert missing.err.count("\n") == 1
