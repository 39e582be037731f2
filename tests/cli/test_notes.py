"""`agentrecall notes`: what was distilled is listed, shown with its proof, found by its words, and changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from agentrecall_domain.notes.judge import NoteVerdict
from agentrecall_domain.notes.note import LONGEST_BODY, LONGEST_TITLE, Note, NoteContent, NoteType, Source
from agentrecall_domain.turns.batch import Project
from helpers.terminal import on_terminal
from notes.compared import content, stored
from recall.stories import PROGRAMS, Person

UTC_INVOICES = content("Invoices are dated in UTC", "Invoices are dated in UTC, the bank rejects any other zone.")
BANK = Project("bank", "/src/bank", [("path", "/src/bank")])
GREEN = "\x1b[32m"
SECRET = "ghp_" + "aZ3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    """Somebody whose memory knows the project here."""
    person = Person(tmp_path)
    person.keeps()
    return person


def keep(someone: Person, *said: NoteContent, project_id: int | None = 1, **more: Any) -> list[Note]:
    """Store notes, in the project here unless told otherwise."""
    with someone.memory() as memory:
        return [stored(memory, one, project_id, **more) for one in said]


def elsewhere(someone: Person) -> int:
    """Another project; gives its id."""
    with someone.memory() as memory:
        return memory.record_project(BANK)


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def failed(result: Result, code: int = 1) -> str:
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return result.stderr


def does(someone: Person, *arguments: str) -> Any:
    return data(someone.command("notes", *arguments, "--json"))


def labels(found: list[dict[str, Any]]) -> list[str]:
    return [one["label"] for one in found]


# list


def test_notes_of_this_project_and_those_that_hold_everywhere_are_listed_newest_first(someone: Person) -> None:
    keep(someone, UTC_INVOICES)
    keep(someone, content("Answers are short"), project_id=None)
    keep(someone, content("Ledgers are closed at night"), project_id=elsewhere(someone))

    assert labels(does(someone, "list")) == ["N2", "N1"]
    assert labels(does(someone, "list", "--all")) == ["N3", "N2", "N1"]
    assert [one["project"] for one in does(someone, "list", "--all")] == ["bank", None, "shop"]


def test_a_list_reads_as_a_table(someone: Person) -> None:
    keep(someone, UTC_INVOICES)

    lines = someone.command("notes", "list").stdout.splitlines()

    assert lines[0].split() == ["id", "type", "from", "note"]
    assert lines[1].split() == ["N1", "decision", "2026-11-02", *UTC_INVOICES.title.split()]
    assert "shop" in someone.command("notes", "list", "--all").stdout


def test_a_list_is_narrowed_by_type_and_to_what_was_taken_out(someone: Person) -> None:
    keep(someone, UTC_INVOICES, content("The queue is Redis", type=NoteType.FACT))
    does(someone, "tombstone", "N1")

    assert labels(does(someone, "list")) == ["N2"]
    assert does(someone, "list", "--type", "decision") == []
    assert labels(does(someone, "list", "--tombstoned", "--type", "decision")) == ["N1"]
    assert "decision, tombstoned" in someone.command("notes", "list", "--tombstoned").stdout


def test_a_long_list_says_that_there_is_more(someone: Person) -> None:
    keep(someone, *(content(f"Matter {number} is settled") for number in range(3)))

    listed = someone.command("notes", "list", "--limit", "2")

    assert labels(does(someone, "list", "--limit", "2")) == ["N3", "N2"]
    assert "the newest 2" in listed.stderr
    assert someone.command("notes", "list", "--limit", "3").stderr == ""


def test_an_empty_list_is_done_and_says_where_others_are(someone: Person) -> None:
    result = someone.command("notes", "list")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "notes list --all" in result.stderr
    assert does(someone, "list") == []


# show


def test_a_note_is_shown_with_its_proof_its_changes_and_what_was_decided_about_it(someone: Person) -> None:
    data(someone.command("capture", "--json", stdin="So: invoices are dated in UTC."))
    old, new = keep(
        someone,
        UTC_INVOICES,
        content("Invoices carry UTC dates"),
        sources=(Source(raw_item_id=1, span="dated in UTC"),),
    )
    with someone.memory() as memory:
        memory.notes.log_verdict(new, old, NoteVerdict.DUPLICATE, "tombstone new", 0.91, "deterministic", "the same")
        memory.notes.raise_confidence(old, 0.1, "said again", "deterministic")

    shown = does(someone, "show", "N1")
    words = someone.command("notes", "show", "N1").stdout

    assert (shown["label"], shown["title"], shown["body"]) == ("N1", UTC_INVOICES.title, UTC_INVOICES.body)
    assert shown["sources"] == [{"raw_item": "T1", "raw_item_id": 1, "span": "dated in UTC"}]
    assert [(row["actor"], row["version"]) for row in shown["history"]] == [("test", None), ("deterministic", 1)]
    assert shown["history"][1]["fields"] == [{"field": "confidence", "before": 0.6, "after": 0.7}]
    [verdict] = shown["verdicts"]
    assert (verdict["note"], verdict["verdict"], verdict["other"]) == ("N2", "duplicate", "N1")
    assert (verdict["action"], verdict["similarity"]) == ("tombstone new", 0.91)
    assert "T1  dated in UTC" in words
    assert "version 1: said again" in words
    assert "N2 duplicate N1  (tombstone new, 0.91 alike, by deterministic): the same" in words


def test_a_tombstoned_note_says_why_and_what_stands_in_its_place(someone: Person) -> None:
    keep(someone, UTC_INVOICES, content("Invoices carry UTC dates"))
    does(someone, "tombstone", "N1", "--by", "N2", "--reason", "said better")

    shown = does(someone, "show", "N1")
    words = someone.command("notes", "show", "1").stdout

    assert (shown["status"], shown["tombstone_reason"], shown["tombstoned_by"]) == ("Tombstoned", "said better", "N2")
    assert "said better" in words
    assert "in its place" in words


@pytest.mark.parametrize("verb", ["show", "edit", "tombstone", "restore"])
def test_an_id_that_no_note_has_says_where_they_are(someone: Person, verb: str) -> None:
    options = ["--title", "Another title"] if verb == "edit" else []

    said = failed(someone.command("notes", verb, "N99", *options))

    assert said == "Error: no note 'N99'; 'agentrecall notes list --all' names them\n"


@pytest.mark.parametrize("label", ["R1", "N", "N1x", "-N1", "N1234567890123456789012", "\u0661"])
def test_what_is_no_note_id_is_misuse(someone: Person, label: str) -> None:
    result = someone.command("notes", "show", "--", label)

    assert result.exit_code == 2
    assert "write it as N12" in result.stderr


def test_stored_text_cannot_speak_to_the_terminal(someone: Person) -> None:
    evil = content(f"{GREEN}Owned\u202e title", f"{GREEN}a\x07b\x9bc")
    keep(someone, evil, sources=(Source(raw_item_id=None, span=f"{GREEN}a"),))

    for arguments in (("list",), ("show", "N1"), ("search", "owned"), ("tombstone", "N1"), ("restore", "N1")):
        printed = someone.command("notes", *arguments).output
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(printed), arguments


# search


def test_search_ranks_by_words_in_common_the_title_first(someone: Person) -> None:
    keep(
        someone,
        content("Deploys happen at noon", "Deploys happen at noon; an invoice can wait."),
        content("Invoicing dates", "All dates of an invoice are in UTC."),
        content("The queue is Redis"),
    )

    found = does(someone, "search", "dates of invoices")

    assert labels(found) == ["N2", "N1"]
    assert found[0]["score"] > found[1]["score"]
    assert labels(does(someone, "search", "dates of invoices", "--limit", "1")) == ["N2"]


def test_search_stays_in_the_project_and_among_the_living_unless_told_otherwise(someone: Person) -> None:
    keep(someone, UTC_INVOICES, content("Invoices are printed", type=NoteType.FACT))
    keep(someone, content("Invoices are blue"), project_id=elsewhere(someone))
    does(someone, "tombstone", "N1")

    assert labels(does(someone, "search", "invoices")) == ["N2"]
    assert sorted(labels(does(someone, "search", "invoices", "--all"))) == ["N2", "N3"]
    assert labels(does(someone, "search", "invoices", "--tombstoned")) == ["N1"]
    assert does(someone, "search", "invoices", "--type", "gotcha") == []


@pytest.mark.parametrize("query", ["", "the of and", "?!", '"', "title_terms: x*", "NEAR(a b)", "\ud800", "\x00"])
def test_no_query_breaks_the_search(someone: Person, query: str) -> None:
    keep(someone, UTC_INVOICES)

    result = someone.command("notes", "search", "--", query)

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "nothing found\n"


# edit


def test_an_edit_keeps_what_the_note_said_and_who_changed_it(someone: Person) -> None:
    keep(someone, UTC_INVOICES)

    edited = does(
        someone, "edit", "N1", "--title", "  Invoices are\ndated in Tokyo ", "--type", "Fact", "--confidence", "0.9"
    )

    assert (edited["title"], edited["type"], edited["confidence"]) == ("Invoices are dated in Tokyo", "fact", 0.9)
    last = does(someone, "show", "N1")["history"][-1]
    assert (last["actor"], last["change"], last["version"]) == ("person", "edited", 1)
    assert {"field": "title", "before": UTC_INVOICES.title, "after": "Invoices are dated in Tokyo"} in last["fields"]
    assert labels(does(someone, "search", "tokyo")) == ["N1"]


def test_a_note_can_begin_and_end_to_hold(someone: Person) -> None:
    keep(someone, UTC_INVOICES)

    edited = does(someone, "edit", "N1", "--from", "2026-01-05", "--until", "2026-12-01T08:00:00+01:00")

    assert (edited["valid_from"], edited["valid_to"]) == ("2026-01-05T00:00:00Z", "2026-12-01T07:00:00Z")
    assert "until 2026-12-01T07:00:00Z" in someone.command("notes", "show", "N1").stdout
    assert does(someone, "edit", "N1", "--no-until")["valid_to"] is None


def test_an_edit_that_changes_nothing_leaves_no_version(someone: Person) -> None:
    keep(someone, UTC_INVOICES)

    result = someone.command("notes", "edit", "N1", "--title", UTC_INVOICES.title)

    assert (result.exit_code, result.stderr) == (0, "N1 says that already\n")
    assert len(does(someone, "show", "N1")["history"]) == 1


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--title", " "], "it would have no title"),
        (["--body", "\n"], "it would have no body"),
        (["--title", "x" * (LONGEST_TITLE + 1)], "at most 160 characters"),
        (["--body", "x" * (LONGEST_BODY + 1)], f"at most {LONGEST_BODY:,} characters"),
        (["--until", "2001-01-01"], "end before it begins"),
    ],
)
def test_what_makes_no_note_is_refused(someone: Person, options: list[str], why: str) -> None:
    keep(someone, UTC_INVOICES)

    assert why in failed(someone.command("notes", "edit", "N1", *options))
    assert does(someone, "show", "N1")["version"] == 1


@pytest.mark.parametrize(
    "options",
    [["--from", "soon"], ["--importance", "2"], ["--importance", "nan"], ["--title", "x"], ["--type", "joke"], []],
)
def test_what_is_no_part_of_a_note_is_misuse(someone: Person, options: list[str]) -> None:
    keep(someone, UTC_INVOICES)

    assert someone.command("notes", "edit", "N1", *options).exit_code == 2


def test_a_secret_in_an_edit_is_not_stored(someone: Person) -> None:
    keep(someone, UTC_INVOICES)

    edited = does(someone, "edit", "N1", "--body", f"The token is {SECRET}.\ud800")

    assert SECRET not in edited["body"]
    assert SECRET.encode() not in someone.stored_bytes()


def test_a_tombstoned_note_is_not_edited(someone: Person) -> None:
    keep(someone, UTC_INVOICES)
    does(someone, "tombstone", "N1")

    assert "notes restore N1' first" in failed(someone.command("notes", "edit", "N1", "--title", "Another one"))


def test_a_note_opens_in_the_editor_its_title_on_the_first_line(someone: Person, tmp_path: Path) -> None:
    keep(someone, UTC_INVOICES)
    editor = tmp_path / "editor"
    editor.write_text(
        '#!/bin/sh\ncp "$1" "$1.seen"; mv "$1.seen" "$SEEN"; printf "A new title\\n\\nAnd a body.\\n" > "$1"\n'
    )
    editor.chmod(0o755)
    seen = tmp_path / "seen"

    code, shown = on_terminal(
        [str(PROGRAMS / "agentrecall"), "notes", "edit", "N1"],
        cwd=someone.repository,
        env=someone.environment | {"EDITOR": str(editor), "VISUAL": str(editor), "SEEN": str(seen)},
    )

    assert code == 0, shown
    assert seen.read_text() == f"{UTC_INVOICES.title}\n\n{UTC_INVOICES.body}\n"
    edited = does(someone, "show", "N1")
    assert (edited["title"], edited["body"]) == ("A new title", "And a body.")


# tombstone and restore


def test_notes_are_taken_out_and_brought_back_by_a_person(someone: Person) -> None:
    keep(someone, UTC_INVOICES, content("Invoices carry UTC dates"))

    gone = does(someone, "tombstone", "N1", "N2", "N1")
    back = does(someone, "restore", "N1", "N2")

    assert [(one["label"], one["status"], one["tombstone_reason"]) for one in gone] == [
        ("N1", "Tombstoned", "taken out"),
        ("N2", "Tombstoned", "taken out"),
    ]
    assert [one["status"] for one in back] == ["Live", "Live"]
    assert [row["kind"] for row in does(someone, "show", "N2")["history"]] == [
        "NoteCreated",
        "NoteTombstoned",
        "NoteRestored",
    ]


def test_all_notes_that_are_named_change_or_none(someone: Person) -> None:
    keep(someone, UTC_INVOICES)

    failed(someone.command("notes", "tombstone", "N1", "N99"))

    assert labels(does(someone, "list")) == ["N1"]


def test_a_note_cannot_take_its_own_place_nor_one_that_is_gone_another_s(someone: Person) -> None:
    keep(someone, UTC_INVOICES, content("Invoices carry UTC dates"))
    does(someone, "tombstone", "N2")

    assert "its own place" in failed(someone.command("notes", "tombstone", "N1", "--by", "N1"), 2)
    assert "'N2' is tombstoned" in failed(someone.command("notes", "tombstone", "N1", "--by", "N2"))
    assert "no note 'N99'" in failed(someone.command("notes", "tombstone", "N1", "--by", "N99"))
    assert labels(does(someone, "list")) == ["N1"]


def test_a_change_is_answered_by_a_line(someone: Person) -> None:
    keep(someone, UTC_INVOICES)

    assert someone.command("notes", "tombstone", "N1").stdout == f"N1 decision, tombstoned  {UTC_INVOICES.title}\n"
    assert someone.command("notes", "restore", "N1").stdout == f"N1 decision  {UTC_INVOICES.title}\n"
