"""`agentrecall concepts`: what there is, a person's own added to it, and faults in that named by their line."""

from __future__ import annotations

import json
import shutil
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from agentrecall_domain.text.concept_graph import BACK
from agentrecall_storage.concepts import ConceptIndex
from helpers.files import everything
from recall.stories import Person, a_rule

pytestmark = pytest.mark.harness

RULE = {"title": "x", "trigger": "when the harbour gate is shut", "mistake": "", "reason": ""}
PROMPT = "we are in the middle of a Sperrwerk this week, please have a look at the tide tables"
GATE = (
    *("add", "harbour-gate", "--form", "harbour gate", "--form", "Sperrwerk"),
    *("--is-a", "deployment", "--related", "release-notes 0.5", "--telling", "0.6"),
)


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


@pytest.fixture(scope="module")
def with_gate(tmp_path_factory: pytest.TempPathFactory) -> Person:
    """Somebody who has a rule, and then a concept of their own; others take a copy."""
    made = Person(tmp_path_factory.mktemp("gate"))
    made.keeps(a_rule("ring the bell", **RULE))
    done(made, *GATE)
    return made


def done(someone: Person, *arguments: str) -> str:
    result = someone.command("concepts", *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def data(someone: Person, *arguments: str) -> Any:
    return json.loads(done(someone, *arguments, "--json"))


def failed(result: Result, code: int = 1) -> str:
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return result.stderr


def own_file(someone: Person) -> Path:
    return someone.home / "concepts.txt"


def writes(someone: Person, text: str) -> None:
    """Let the person write their own file by hand."""
    someone.home.mkdir(exist_ok=True)
    own_file(someone).write_text(text)


def names(home: Path) -> set[str]:
    with closing(ConceptIndex(str(home))) as index:
        return set(index.names().values())


# Looking


def test_every_concept_is_listed_with_its_file(someone: Person) -> None:
    found = {row["name"]: row for row in data(someone, "list")}

    assert len(found) >= 300
    assert found["flaky-test"]["files"] == ["testing.txt"]
    assert "flaky" in found["flaky-test"]["forms"]
    heading, *rows = done(someone, "list").splitlines()
    assert heading.split() == ["concept", "file", "words"]
    assert [row.split()[0] for row in rows] == sorted(found)
    assert not someone.home.exists()


def test_a_concept_is_shown_with_all_that_hangs_on_it(someone: Person) -> None:
    writes(
        someone,
        "tide: tide\nebb: ebb\n  is-a: tide\n  related: moon 0.5\n  telling: 0.4\nmoon: moon\n  related: tide 1\n",
    )

    assert data(someone, "show", "ebb") == {
        "name": "ebb",
        "files": ["concepts.txt"],
        "telling": 0.4,
        "is_a": ["tide"],
        "narrower": [],
        "related": [{"name": "moon", "weight": 0.5}],
        "forms": ["ebb"],
    }
    assert done(someone, "show", "tide").splitlines() == [
        "tide",
        "  files: concepts.txt",
        "  telling: 1.0",
        "  narrower: ebb",
        f"  related: moon {BACK}",
        "  forms: tide",
    ]


def test_a_concept_that_is_not_there_is_told_with_what_may_be_meant(someone: Person) -> None:
    assert "did you mean 'flaky-test'" in failed(someone.command("concepts", "show", "flakytest"))
    assert "see 'agentrecall concepts list'" in failed(someone.command("concepts", "show", "qqqqqqqqqq"))


# Adding


def test_a_concept_of_ones_own_is_written_compiled_and_private(with_gate: Person) -> None:
    text = own_file(with_gate).read_text()

    assert text.startswith("# Your own concepts")
    assert text.endswith(
        "\n\nharbour-gate: harbour gate, Sperrwerk\n  is-a: deployment\n  related: release-notes 0.5\n  telling: 0.6\n"
    )
    assert {"harbour-gate", "flaky-test"} <= names(with_gate.home)
    for name in ("concepts.txt", "concepts.db"):
        assert stat.S_IMODE((with_gate.home / name).stat().st_mode) == 0o600
    assert data(with_gate, "show", "harbour-gate")["files"] == ["concepts.txt"]
    assert "harbour-gate" in data(with_gate, "show", "deployment")["narrower"]


def test_rules_that_were_there_before_are_found_by_the_new_words(with_gate: Person, someone: Person) -> None:
    someone.keeps(a_rule("ring the bell", **RULE))
    assert someone.says(PROMPT) == ""
    shutil.rmtree(someone.home)
    shutil.copytree(with_gate.home, someone.home)

    assert "ring the bell" in someone.says(PROMPT, cwd=with_gate.repository)


def test_a_concept_that_is_known_is_added_to(with_gate: Person, someone: Person) -> None:
    shutil.copytree(with_gate.home, someone.home)

    words = done(someone, "add", "flaky-test", "--form", "Wackeltest", "--related", "retry 0.4")

    assert words == f"added to 'flaky-test' in '{own_file(someone)}'\n"
    assert own_file(someone).read_text().count("# Your own concepts") == 1
    found = data(someone, "show", "flaky-test")
    assert found["files"] == ["testing.txt", "concepts.txt"]
    assert found["forms"][-1] == "Wackeltest"
    assert {"name": "retry", "weight": 0.4} in found["related"]
    assert "flaky" in found["forms"]


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        pytest.param(("x1", "--form", "xx", "--related", "flakytest 0.5"), 1, "no concept 'flakytest'", id="not there"),
        pytest.param(("x1", "--form", "xx", "--is-a", "qqqq"), 1, "there is no concept 'qqqq'", id="not broader"),
        pytest.param(("x1", "--form", "xx", "--is-a", "x1"), 1, "broader than itself", id="broader than itself"),
        pytest.param(("retry", "--related", "retry 0.5"), 1, "related to itself", id="related to itself"),
        pytest.param(("automated-test", "--is-a", "flaky-test"), 1, "closes a cycle", id="a circle"),
        pytest.param(("x1", "--form", "xx", "--related", "retry"), 2, "is no relation", id="no weight"),
        pytest.param(("x1", "--form", "xx", "--related", "retry 7"), 2, "is no relation", id="too much weight"),
        pytest.param(("x1", "--form", "xx", "--is-a", "No Name"), 2, "is no name", id="broader than no name"),
        pytest.param(("X One", "--form", "xx"), 2, "is no name", id="no name"),
        pytest.param(("x1", "--form", "xx", "--telling", "2"), 2, "--telling", id="telling too much"),
        pytest.param(("x1", "--form", "xx", "--telling", "nan"), 2, "is no number", id="telling no number"),
        pytest.param(("x1", "--form", "one, two"), 2, "without a comma", id="a comma"),
        pytest.param(("x1", "--form", "the"), 2, "tells anything", id="a word that says nothing"),
        pytest.param(("x1", "--form", ""), 2, "", id="an empty form"),
        pytest.param(("x1", "--form", "y" * 81), 2, "too long", id="a page"),
        pytest.param(("x1", "--form", "half \ud800"), 2, "UTF-8", id="half a letter"),
        pytest.param(("x1",), 2, "nothing to add", id="nothing"),
        pytest.param(("x1", "--is-a", "retry"), 2, "is new", id="new and without a form"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(
    someone: Person, arguments: tuple[str, ...], code: int, complaint: str
) -> None:
    assert complaint in failed(someone.command("concepts", "add", *arguments), code)
    assert not someone.home.exists()


def test_what_is_added_is_read_back_as_it_was_meant_whatever_is_in_it(someone: Person) -> None:
    odd = ["# no comment", "is-a: none", "  two   words\n", "C++", "\u202ebackwards", "迁移", "key:value"]

    done(someone, "add", "odd-one", *(part for form in odd for part in ("--form", form)))

    (found,) = (row for row in data(someone, "list") if row["name"] == "odd-one")
    assert found["forms"] == [" ".join(form.split()) for form in odd]


# What is wrong in one's own file

FAULTY = "# eleven lines\n" * 9 + "\ntide: tide table\n  moon 0.5\nebb: ebb\n  is-a: nowhere\n"
FAULT = "concepts.txt line 12: no colon: write 'name: form, form' or '  is-a: name'"


def test_a_fault_is_named_with_its_line_and_the_rest_is_loaded(someone: Person) -> None:
    writes(someone, FAULTY)

    listed = someone.command("concepts", "list", "--json")
    checked = someone.command("concepts", "check")

    assert (listed.exit_code, listed.stderr) == (0, f"{FAULT}\n")
    assert {"tide", "ebb"} <= {row["name"] for row in json.loads(listed.stdout)}
    assert (checked.exit_code, checked.stderr) == (1, "")
    assert checked.stdout.splitlines() == [FAULT, "concepts.txt: 'ebb' names 'nowhere', which is no concept"]
    assert json.loads(someone.command("concepts", "check", "--json").stdout) == {
        "file": str(own_file(someone)),
        "faults": [{"line": 12, "problem": FAULT.split(": ", 1)[1]}],
        "problems": ["'ebb' names 'nowhere', which is no concept"],
    }


def test_a_concept_is_added_to_a_file_that_has_a_fault(someone: Person) -> None:
    writes(someone, FAULTY)

    result = someone.command("concepts", "add", "flood", "--form", "storm flood", "--related", "tide 0.5")

    assert result.exit_code == 0
    assert FAULT in result.stderr.splitlines()
    assert own_file(someone).read_text() == f"{FAULTY}flood: storm flood\n  related: tide 0.5\n"
    assert {"tide", "ebb", "flood"} <= names(someone.home)


def test_a_file_without_a_fault_is_said_to_be_well(someone: Person) -> None:
    assert someone.command("concepts", "check").exit_code == 0
    writes(someone, "tide: tide\n")

    result = someone.command("concepts", "check")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "nothing is wrong" in result.stderr


def test_a_file_that_cannot_be_read_is_named(someone: Person) -> None:
    own_file(someone).mkdir(parents=True)

    for command in ("list", "check"):
        assert f"cannot read '{own_file(someone)}'" in failed(someone.command("concepts", command))


def test_a_terminal_is_given_nothing_to_obey(someone: Person) -> None:
    writes(someone, "tide: tide \x1b[2J \u202e\nebb \x1b[2J \u202e\n")

    for command in (("list",), ("show", "tide"), ("check",)):
        result = someone.command("concepts", *command)
        assert not {"\x1b", "\u202e"} & set(result.stdout + result.stderr)


# When a memory is opened


def test_a_file_edited_by_hand_counts_from_the_next_time_a_memory_is_opened(someone: Person) -> None:
    someone.keeps(a_rule("ring the bell", **RULE))
    writes(someone, "harbour-gate: harbour gate, Sperrwerk\n")
    assert someone.says(PROMPT) == ""

    assert someone.command("rules", "list").exit_code == 0

    assert "ring the bell" in someone.says(PROMPT, prompt_id="p2")


def test_hooks_compile_nothing(someone: Person) -> None:
    someone.keeps(a_rule("ring the bell", **RULE))
    writes(someone, "harbour-gate: harbour gate, Sperrwerk\n")
    before = set(everything(someone.home))

    someone.starts()
    someone.says(PROMPT)
    someone.uses("Read", str(someone.repository / "a.py"), use_id="t1")

    assert "concepts.db" not in set(everything(someone.home)) | before
