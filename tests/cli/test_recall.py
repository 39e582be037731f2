"""`agentrecall recall` and `inject-context`: what a hook would show, and why not the rest, without leaving a trace."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from agentrecall_domain.notes.note import NoteContent, NoteType
from agentrecall_domain.rules.rule import ScopeLevel, Status
from agentrecall_domain.turns.batch import Project
from agentrecall_storage.places import Places
from recall.stories import NOW, Person, a_rule

ASK = "the applied migration is wrong, please edit it so that the column is nullable"
UNRELATED = "rename the variable in the loop that sorts the harbours of Portugal"
SECRET = "ghp_" + "aZ3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def without_id(text: str) -> str:
    return re.sub(r' id="I\d+"', "", text)


def state(someone: Person) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the memory."""
    tables = [name for (name,) in someone.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: someone.rows(f"SELECT * FROM {name}") for name in tables}  # noqa: S608 -- our own tables


# recall


def test_recall_shows_what_a_prompt_is_given_and_search_the_weaker_matches_too(someone: Person) -> None:
    first, second = someone.keeps(a_rule(), a_rule("Add a new migration", reason=""))

    recalled = data(someone.command("recall", "applied migration", "--json"))
    searched = data(someone.command("search", "applied migration", "--json"))

    (row,) = recalled
    assert row["label"] in {first.label, second.label}
    assert row in searched
    assert {one["label"] for one in searched} == {first.label, second.label}


def test_recall_prints_a_row_a_rule_and_says_on_stderr_that_others_lost(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("Add a new migration", reason=""))

    result = someone.command("recall", "applied migration")

    assert len(result.stdout.splitlines()) == 2
    assert "Migrations are append-only" in result.stdout
    assert result.stderr == "1 of 2 candidates shown; --explain says why\n"


def test_a_limit_takes_the_place_of_a_prompts_cap(someone: Person) -> None:
    someone.keeps(*(a_rule(action) for action in ("tell Ada", "measure the table", "read the plan")))

    assert len(data(someone.command("recall", "applied migration", "--json"))) == 3
    assert len(data(someone.command("recall", "applied migration", "--json", "--limit", "2"))) == 2
    found = data(someone.command("recall", "applied migration", "--json", "--limit", "1", "--explain"))
    assert [one["lost"] for one in found] == [None, "no more than 1 rule", "no more than 1 rule"]


def test_recall_explains_every_candidate_to_a_person(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("Add a new migration", reason=""))

    result = someone.command("recall", "applied migration", "--explain")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("1 of 2 candidates shown; the floor is 0.24\n")
    for words in (
        r"R\d   shown: Must follow, in full",
        r"R\d   says the same as R\d",
        "keyword ",
        "about: ",
        "words: ",
    ):
        assert re.search(words, result.stdout), words


@pytest.mark.parametrize(
    "query",
    ["", "the", "\udcff", "🙂", '") OR NEAR(', "x" * 100_000],
    ids=["empty", "a stop word", "no text", "a picture", "the search language", "long"],
)
def test_a_query_that_calls_up_nothing_is_done(someone: Person, query: str) -> None:
    someone.keeps(a_rule())

    result = someone.command("recall", query)

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("nothing is shown: ")
    assert data(someone.command("recall", query, "--json", "--explain")) == []


def test_recall_keeps_to_the_project_and_the_global_rules(someone: Person) -> None:
    (own,) = someone.keeps(a_rule())
    (everywhere,) = someone.keeps(a_rule("ask Ada", scope_level=ScopeLevel.GLOBAL, scope_value="", confidence=1.0))
    bank = someone.new_repository("bank")

    here = data(someone.command("recall", ASK, "--json", "--explain"))
    there = data(someone.command("recall", ASK, "--json", "--explain", cwd=bank))

    assert {one["label"] for one in here} == {own.label, everywhere.label}
    assert {one["label"] for one in there} == {everywhere.label}


# inject-context


def test_it_prints_what_the_hooks_print_at_every_moment(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("ask Ada", always_apply=True), a_rule("write it large", globs=("*.sql",)))
    someone.keeps(a_rule("tell Ada"), status=Status.PENDING)
    sql = str(someone.repository / "db/1.sql")

    by_hand = [
        someone.command("inject-context"),
        someone.command("inject-context", "--session", "s2", "--prompt", ASK),
        someone.command("inject-context", "--file", "db/1.sql"),
    ]
    by_hook = [
        someone.starts(session="s1"),
        someone.says(ASK, session="s2"),
        someone.uses("Read", sql, use_id="t1", prompt_id="p1"),
    ]
    someone.says(UNRELATED, session="s1", prompt_id="p2")
    by_hand += [someone.command("inject-context", "--file", sql, "--text", "ALTER TABLE orders", "--session", "s1")]
    by_hook += [someone.uses("Edit", sql, use_id="t2", prompt_id="p2", written="ALTER TABLE orders")]

    assert [one.exit_code for one in by_hand] == [0] * 4
    assert all(by_hook)
    assert [one.stdout for one in by_hand] == [f"{without_id(text)}\n" for text in by_hook]
    assert "still applies" in by_hook[3]


def test_what_a_sessions_window_was_shown_counts_as_seen(someone: Person) -> None:
    (rule,) = someone.keeps(a_rule(globs=("*.sql",)))
    someone.says(ASK, session="s1", prompt_id="p1")

    seen = data(someone.command("inject-context", "--prompt", ASK, "--session", "s1", "--json"))
    unseen = data(someone.command("inject-context", "--prompt", ASK, "--json"))
    at_file = data(
        someone.command("inject-context", "--file", "1.sql", "--session", "s1", "--json", "--explain"),
    )

    assert "still applies" in seen["text"]
    assert "still applies" not in unseen["text"]
    assert [(one["label"], one["lost"]) for one in at_file["candidates"]] == [
        (rule.label, "already shown in this turn")
    ]
    someone.says(UNRELATED, session="s1", prompt_id="p2")
    later = data(someone.command("inject-context", "--file", "1.sql", "--session", "s1", "--json"))
    assert later["shown"] == [rule.label]


def test_a_session_that_nobody_knows_is_told_of(someone: Person) -> None:
    someone.keeps(a_rule())

    result = someone.command("inject-context", "--prompt", ASK, "--session", "s9")

    assert (result.exit_code, result.stderr) == (0, "nothing is known of what session 's9' was shown\n")
    assert "[R1]" in result.stdout


def test_it_stores_nothing(someone: Person) -> None:
    someone.keeps(a_rule(), a_rule("ask Ada", always_apply=True))
    someone.says(ASK)
    before = state(someone)

    for arguments in ([], ["--prompt", ASK], ["--file", "a.py"], ["--file", "a.py", "--text", ASK, "--session", "s1"]):
        assert someone.command("inject-context", "--explain", *arguments).exit_code == 0
    assert someone.command("recall", ASK, "--explain").exit_code == 0

    assert state(someone) == before


def test_the_whole_answer_is_one_object(someone: Person) -> None:
    first, second = someone.keeps(a_rule(), a_rule("Add a new migration", reason=""))

    plain = data(someone.command("inject-context", "--prompt", ASK, "--json"))
    full = data(someone.command("inject-context", "--prompt", ASK, "--json", "--explain"))

    assert set(plain) == {"moment", "project", "skipped", "shown", "tokens", "text"}
    assert (plain["moment"], plain["project"], plain["skipped"]) == ("prompt", "shop", None)
    assert plain["text"].startswith("<agentrecall ")
    assert {name: full[name] for name in plain} == plain
    assert full["floor"] == 0.24
    (loser,) = [one for one in full["candidates"] if not one["shown"]]
    assert {loser["label"], *full["shown"]} == {first.label, second.label}
    assert loser["lost"] == f"says the same as {full['shown'][0]}"


def test_a_prompt_that_is_skipped_says_why(someone: Person) -> None:
    someone.keeps(a_rule())

    result = someone.command("inject-context", "--prompt", "go on")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "nothing is shown: substance 1 under 5\n")
    skipped = data(someone.command("inject-context", "--prompt", "go on", "--json", "--explain"))
    assert (skipped["skipped"], skipped["text"], skipped["candidates"]) == ("substance 1 under 5", "", [])


@pytest.mark.parametrize("text", [ASK, f"{ASK}\n" * 20_000, f"\0\r\n{ASK} \u202e"], ids=["short", "long", "odd"])
def test_a_text_may_come_on_stdin(someone: Person, text: str) -> None:
    someone.keeps(a_rule())

    assert data(someone.command("inject-context", "--prompt", "-", "--json", stdin=text))["shown"] == ["R1"]
    edit = data(someone.command("inject-context", "--file", "a.py", "--text", "-", "--json", stdin=text))
    assert (edit["moment"], edit["shown"]) == ("edit", ["R1"])


def test_bytes_that_are_no_text_are_taken_as_far_as_they_go(someone: Person) -> None:
    someone.keeps(a_rule())

    ran = someone.run("agentrecall", "inject-context", "--prompt", "-", stdin=b"\xff\xfe " + ASK.encode())

    assert (ran.code, ran.err) == (0, "")
    assert "[R1]" in ran.out


def test_what_a_hook_would_not_hear_is_not_heard_here(someone: Person) -> None:
    someone.keeps(a_rule())
    ours = f'<agentrecall project="shop" moment="prompt">\n{ASK}\n</agentrecall>'

    for text in (ours, f"<private>{ASK}</private> and so on"):
        assert data(someone.command("inject-context", "--prompt", text, "--json"))["shown"] == []
    assert SECRET not in someone.command("recall", f"{SECRET} applied migration", "--explain").output


@pytest.mark.parametrize("path", ["../other/a.sql", "/etc/passwd", "..", "\n/../../a.sql"])
def test_a_file_outside_the_project_has_no_rules(someone: Person, path: str) -> None:
    someone.keeps(a_rule(globs=("*.sql",)))

    result = someone.command("inject-context", "--file", path)

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "nothing is shown: the file is outside the project\n"


@pytest.mark.parametrize("path", ["a\nb.sql", "db/../a.sql", "./db//a.sql", "中文.sql", "\udcff.sql"])
def test_an_odd_path_inside_the_project_finds_its_rules(someone: Person, path: str) -> None:
    someone.keeps(a_rule(globs=("*.sql",)))

    assert data(someone.command("inject-context", "--file", path, "--json"))["shown"] == ["R1"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["--moment", "prompt"], "--prompt", id="a prompt without words"),
        pytest.param(["--moment", "read"], "--file", id="a read of no file"),
        pytest.param(["--text", "x"], "--file", id="an edit of no file"),
        pytest.param(["--moment", "start", "--prompt", "x"], "--prompt", id="a start with words"),
        pytest.param(["--file", "a", "--prompt", "x"], "--prompt", id="a prompt and a file"),
        pytest.param(["--moment", "read", "--file", "a", "--text", "x"], "--text", id="a read that writes"),
        pytest.param(["--moment", "lunch"], "lunch", id="no such moment"),
    ],
)
def test_what_does_not_go_together_is_misuse(someone: Person, arguments: list[str], says: str) -> None:
    result = someone.command("inject-context", *arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr.splitlines()[-1]
    assert not someone.home.exists()


def test_an_excluded_project_is_told_nothing(someone: Person) -> None:
    someone.keeps(a_rule(scope_level=ScopeLevel.GLOBAL, scope_value=""))
    assert someone.command("exclude", ".").exit_code == 0

    for arguments in (["recall", ASK], ["inject-context"]):
        result = someone.command(*arguments)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "is excluded from memory" in result.stderr


# Notes


def test_a_note_is_recalled_and_explained_step_by_step(someone: Person) -> None:
    with someone.memory() as memory:
        here = Places(str(someone.home)).project_at(str(someone.repository))
        assert isinstance(here, Project)
        memory.notes.add(
            NoteContent(
                type=NoteType.DECISION,
                title="Invoices are dated in UTC because the bank rejects others",
                body="Invoices are dated in UTC because the bank rejects others.",
                importance=0.8,
                confidence=0.9,
                valid_from=NOW,
            ),
            project_id=memory.record_project(here),
            episode_id=None,
            judge="deterministic",
            sources=(),
            actor="test",
        )
    words = "which timezone do the invoices use when they are sent to the bank?"

    (found,) = json.loads(someone.command("recall", words, "--json").stdout)
    (explained,) = json.loads(someone.command("recall", words, "--explain", "--json").stdout)
    text = someone.command("recall", words, "--explain").stdout
    given = json.loads(someone.command("inject-context", "--prompt", words, "--explain", "--json").stdout)

    assert (found["label"], found["shown"]) == ("N1", True)
    assert explained["demotions"].keys() == {"type", "age", "importance"}
    assert explained["boosts"] == {"project": 1.25}
    assert re.match(r"1 of 1 notes shown; the floor is [\d.]+\nN1   shown: in full\n", text), text
    table = someone.command("recall", words)
    assert (table.stdout.split()[:4], table.stderr) == (["id", "score", "status", "title"], "")
    assert "project x1.25" in text
    assert given["shown"] == ["N1"]
    assert "- [N1] " in given["text"]
    assert "N1" in someone.command("inject-context").stdout
