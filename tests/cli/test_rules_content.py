"""What a rule says, changed by a person: by option, in an editor, or its trigger alone."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_admin.rule_form import FormError, changed, form
from agentrecall_domain.rules.rule import Status
from helpers.terminal import on_terminal
from recall.stories import PROGRAMS, Person, a_rule
from rules.test_lifecycle import a_stored_rule

SECRET = "ghp_" + "aZ3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def failed(result: Result, code: int = 1) -> str:
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param(["--when", "before a release"], {"trigger": "before a release"}, id="when"),
        pytest.param(["--do", "copy\n it"], {"action": "copy it"}, id="do"),
        pytest.param(["--not", ""], {"mistake": ""}, id="not, taken away"),
        pytest.param(["--because", "of the audit"], {"reason": "of the audit"}, id="because"),
        pytest.param(["--title", "Copies"], {"title": "Copies"}, id="title"),
        pytest.param(["--tag", "SQL", "--tag", "db"], {"tags": ["db", "old", "sql"]}, id="tags are added"),
        pytest.param(["--untag", "Old"], {"tags": []}, id="a tag is taken away"),
        pytest.param(["--tag", "new", "--untag", "old"], {"tags": ["new"]}, id="one tag for another"),
        pytest.param(["--glob", "*.ddl", "--glob", "db/**"], {"globs": ["*.ddl", "db/**"]}, id="globs are replaced"),
        pytest.param(["--glob", ""], {"globs": []}, id="globs are taken away"),
        pytest.param(["--language", "SQL"], {"languages": ["sql"]}, id="a language"),
        pytest.param(["--always"], {"always_apply": True}, id="always"),
        pytest.param(["--no-always"], {"always_apply": False}, id="not always"),
        pytest.param(["--confidence", "0.4", "--priority", "-3"], {"confidence": 0.4, "priority": -3}, id="numbers"),
    ],
)
def test_an_option_changes_its_part_and_no_other(someone: Person, options: list[str], expected: dict[str, Any]) -> None:
    (before,) = someone.keeps(a_rule(tags=("old",), globs=("*.sql",)))

    after = data(someone.command("rules", "edit", "R1", *options, "--json"))

    kept = someone.rule(1)
    assert {name: after[name] for name in expected} == expected
    assert kept.status is Status.ACTIVE
    untouched = {"title", "trigger", "action", "mistake", "reason", "tags", "globs", "languages"} - set(expected)
    assert all(getattr(kept, name) == getattr(before, name) for name in untouched)


def test_an_edit_is_found_under_its_new_words_and_files_alone(someone: Person) -> None:
    someone.keeps(a_rule("tend the wombats", title="Wombats", trigger="", mistake="", reason="", globs=("*.wombat",)))
    data(
        someone.command(
            "rules", "edit", "R1", "--do", "feed the ocelots", "--title", "O", "--glob", "*.ocelot", "--json"
        )
    )

    assert someone.command("search", "wombats", "--json").stdout == "[]\n"
    assert data(someone.command("search", "feed ocelots", "--json"))[0]["label"] == "R1"
    assert someone.rows("SELECT key FROM scopes") == [("suffix:ocelot",)]


def test_an_edit_that_waits_for_approval_goes_on_waiting(someone: Person) -> None:
    someone.keeps(a_rule(), status=Status.PENDING)

    assert data(someone.command("rules", "edit", "R1", "--do", "ask", "--json"))["status"] == "Pending"


def test_an_edit_that_changes_nothing_leaves_no_version(someone: Person) -> None:
    (before,) = someone.keeps(a_rule())

    result = someone.command("rules", "edit", "R1", "--do", f" {before.action} ")

    assert (result.exit_code, result.stderr) == (0, "R1 says that already\n")
    assert someone.rule(1) == before


@pytest.mark.parametrize("option", ["--when", "--do", "--not", "--because", "--title", "--tag", "--glob"])
def test_a_secret_in_an_edit_is_never_stored(someone: Person, option: str) -> None:
    someone.keeps(a_rule())

    result = someone.command("rules", "edit", "R1", option, f"the key {SECRET}")

    assert SECRET not in result.output
    kept = someone.stored_bytes()
    assert SECRET.encode() not in kept
    assert SECRET.lower().encode() not in kept


@pytest.mark.parametrize(
    ("options", "code", "why"),
    [
        pytest.param(["--do", " "], 2, "archive", id="nothing to do"),
        pytest.param(["--language", "klingon"], 2, "klingon", id="no such language"),
        pytest.param(["--confidence", "1.1"], 2, "1.1", id="too sure"),
        pytest.param(["--priority", "1000"], 2, "1000", id="a priority beyond all"),
        pytest.param([], 2, "no terminal", id="nothing, and no terminal"),
        pytest.param(["--because", "x" * 2001], 1, "2,000", id="a long part"),
        pytest.param([f"--tag=t{number}" for number in range(11)], 1, "tags", id="too many tags"),
        pytest.param(["--tag", "t" * 61], 1, "tags", id="a long tag"),
        pytest.param(["--confidence", "nan"], None, "nan", id="not a number"),
    ],
)
def test_what_makes_no_rule_is_refused_and_nothing_changes(
    someone: Person, options: list[str], code: int | None, why: str
) -> None:
    (before,) = someone.keeps(a_rule())

    result = someone.command("rules", "edit", "R1", *options)

    assert why in failed(result, code or result.exit_code)
    assert result.exit_code in {1, 2}
    assert someone.rule(1) == before


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.SUPERSEDED], ids=str)
def test_a_dead_rule_is_not_edited(someone: Person, status: Status) -> None:
    someone.keeps(a_rule(), status=status)

    assert "undo" in failed(someone.command("rules", "edit", "R1", "--do", "ask"))


# Retrigger


def test_a_better_trigger_is_stored_and_the_rest_left(someone: Person) -> None:
    someone.keeps(a_rule())

    after = data(someone.command("rules", "retrigger", "R1", "--when", "when a  migration is on main", "--json"))

    assert (after["trigger"], after["action"]) == ("when a migration is on main", "add a new migration")
    assert someone.rows("SELECT change FROM rule_versions") == [("edited when",)]


@pytest.mark.parametrize(
    ("trigger", "why"),
    [
        pytest.param("now", "at least 3 words", id="too short"),
        pytest.param("", "at least 3 words", id="empty"),
        pytest.param("migrations are a mess", "begins with", id="no condition"),
        pytest.param("when " + "a word " * 50, "at most 45 words", id="too long"),
    ],
)
def test_a_trigger_of_no_use_is_refused_with_what_is_wrong(someone: Person, trigger: str, why: str) -> None:
    (before,) = someone.keeps(a_rule())

    assert why in failed(someone.command("rules", "retrigger", "R1", "--when", trigger))
    assert someone.rule(1) == before


# The form


def test_a_form_left_as_it_is_changes_nothing() -> None:
    before = form(a_stored_rule())

    assert changed(before, before) == {}
    assert changed(before, "") == {}
    assert changed(before, before.replace("\n", "\n\n# a comment\n")) == {}


def test_a_form_gives_the_parts_that_differ() -> None:
    before = form(a_stored_rule())
    after = "do: use it\n  and test it\nnot:\ntags: b, a,,\nALWAYS: yes\nconfidence: 0.5\npriority: 7\nglobs: *.sql\n"

    assert changed(before, after) == {
        "action": "use it and test it",
        "tags": ("b", "a"),
        "always_apply": True,
        "confidence": 0.5,
        "priority": 7,
        "globs": ("*.sql",),
    }


@pytest.mark.parametrize(
    "line", ["colour: red", "no colon here", "always: perhaps", "confidence: much", "priority: 3.5", "priority: 101"]
)
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    with pytest.raises(FormError, match=line.split(":", maxsplit=1)[0]):
        changed(form(a_stored_rule()), line)


@given(st.text())
def test_any_text_is_a_form_or_an_error_that_says_so(text: str) -> None:
    with contextlib.suppress(FormError):
        assert {"id", "status"}.isdisjoint(changed(form(a_stored_rule()), text))


@given(st.text(min_size=1).filter(str.strip), st.lists(st.text("ab*/.", min_size=1), max_size=4))
def test_whatever_a_rule_says_its_form_left_alone_says_the_same(action: str, globs: list[str]) -> None:
    before = form(a_stored_rule(action=action, globs=tuple(globs)))

    assert changed(before, before) == {}


def edited(someone: Person, script: str) -> tuple[int, str]:
    """Run `rules edit R1` on a terminal whose editor is a program."""
    editor = someone.root / "editor.py"
    editor.write_text(f"import pathlib, sys\npath = pathlib.Path(sys.argv[1])\ntext = path.read_text()\n{script}\n")
    return on_terminal(
        [str(PROGRAMS / "agentrecall"), "rules", "edit", "R1"],
        cwd=someone.repository,
        env=someone.environment | {"VISUAL": f"{sys.executable} {editor}"},
    )


def test_a_rule_is_edited_in_the_persons_own_editor(someone: Person) -> None:
    someone.keeps(a_rule())

    code, shown = edited(someone, 'path.write_text(text.replace("do: add a new migration", "do: ask first"))')

    assert (code, someone.rule(1).action) == (0, "ask first"), shown
    assert someone.rows("SELECT change FROM rule_versions") == [("edited do",)]


def test_a_form_that_cannot_be_read_stores_nothing(someone: Person) -> None:
    (before,) = someone.keeps(a_rule())

    code, shown = edited(someone, 'path.write_text(text.replace("do: add", "doo: add"))')

    assert (code, someone.rule(1)) == (1, before)
    assert "nothing was stored" in shown


def test_a_rule_that_changed_while_it_was_edited_stays_as_the_other_left_it(someone: Person) -> None:
    someone.keeps(a_rule())
    other = f"[{str(PROGRAMS / 'agentrecall')!r}, 'rules', 'pin', 'R1']"

    code, shown = edited(
        someone,
        f'import subprocess\nsubprocess.run({other}, check=True)\npath.write_text(text.replace("do: add", "do: drop"))',
    )

    assert (code, someone.rule(1).action, someone.rule(1).pinned) == (1, "add a new migration", True)
    assert "changed meanwhile" in shown
