"""`agentrecall raw`: what was captured is found by its letters, newest first, within a time, and shown in full."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from agentrecall_domain.notes.raw_words import wanted
from agentrecall_storage.deadline import Deadline
from agentrecall_storage.raw_search import search_raw_items
from notes.told import closed
from recall.stories import Person


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def captures(someone: Person, *texts: str, cwd: Path | None = None, source: str = "cli") -> None:
    for text in texts:
        done = someone.command("capture", "--source", source, stdin=text, cwd=cwd)
        assert done.exit_code == 0, done.output


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def finds(someone: Person, *arguments: str) -> list[str]:
    return [one["label"] for one in data(someone.command("raw", "search", "--json", *arguments))["found"]]


def test_all_words_are_found_whatever_their_case_and_ending(someone: Person) -> None:
    captures(someone, "The BANK rejects invoices.", "An invoice.", "Banks, rejecting one invoice", "Ebbing tide")

    assert finds(someone, "bank invoices") == ["T3", "T1"]
    assert finds(someone, "rejected") == ["T3", "T1"]
    assert finds(someone, "bank unicorns") == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("config in src/app/main.py here", "app/main.py"),
        ("call user_id twice", "USER_ID,"),
        ("STRASSE und Straße", "straße"),
        ("cafe\u0301 au lait", "CAFÉ"),
        ("請求書はUTCで書く", "請求書"),
        ("to be\nor not", "to be"),
        ("a & b -> c", "->"),
        ("100% of it", "100%"),
    ],
)
def test_paths_names_signs_and_other_scripts_are_found(someone: Person, text: str, query: str) -> None:
    captures(someone, text)

    assert finds(someone, "--", query) == ["T1"]


def test_a_search_stays_in_this_project_and_among_what_belongs_to_none(someone: Person) -> None:
    bank = someone.new_repository("bank")
    captures(someone, "invoices here")
    captures(someone, "invoices there", cwd=bank)
    captures(someone, "invoices on a page", source="bookmark")

    assert finds(someone, "invoices") == ["T3", "T1"]
    assert finds(someone, "invoices", "--all") == ["T3", "T2", "T1"]
    assert finds(someone, "invoices", "--limit", "1") == ["T3"]


def test_what_is_found_is_a_line_each_around_the_word(someone: Person) -> None:
    captures(someone, f"{'long ' * 100}the \x1b[31mneedle is\nhere {'and on ' * 100}")

    result = someone.command("raw", "search", "needle", "--all")

    [line] = result.stdout.splitlines()
    assert "needle is here" in line
    assert "…" in line
    assert "\x1b" not in line
    assert line.startswith("T1  ")
    assert line.endswith("(shop)")


def test_a_search_that_stops_says_how_far_it_came(someone: Person) -> None:
    captures(someone, "invoices one", "invoices two", "invoices three")

    limited = data(someone.command("raw", "search", "invoices", "--limit", "2", "--json"))
    whole = data(someone.command("raw", "search", "invoices", "--limit", "3", "--json"))
    with someone.memory() as memory:
        clock = iter(range(0, 10_000, 400))
        deadline = Deadline(1000, lambda: next(clock) / 1000)
        late = search_raw_items(
            memory.connection, ("invoic",), project_id=None, everywhere=True, most=9, is_over=deadline.passed
        )

    assert (limited["looked_at"], limited["is_whole"]) == (2, False)
    assert (whole["looked_at"], whole["is_whole"]) == (3, True)
    assert (len(late.found), late.looked_at, late.is_whole) == (2, 2, False)
    assert "the newest 2" in someone.command("raw", "search", "invoices", "--limit", "2").stderr


def test_nothing_found_is_done_and_no_word_is_misuse(someone: Person) -> None:
    nothing = someone.command("raw", "search", "unicorn")

    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert "--all looks in every project" in nothing.stderr
    assert someone.command("raw", "search", " ").exit_code == 2


@pytest.mark.parametrize("query", ["%", "_", "'", "\x00", "\ud800", "(" * 500, "\u0300"])
def test_no_query_breaks_the_search(someone: Person, query: str) -> None:
    captures(someone, "invoices")

    assert someone.command("raw", "search", "--", query).exit_code in {0, 2}


def test_an_item_is_shown_in_full_with_where_it_was_said(someone: Person) -> None:
    with someone.memory() as memory:
        closed(memory, ("Why do the tests hang?\n\n\x1b[31mAll.", "A lock."))

    shown = data(someone.command("raw", "show", "T1", "--json"))
    words = someone.command("raw", "show", "t1").stdout

    assert (shown["text"], shown["origin"], shown["project"]) == (
        "Why do the tests hang?\n\n\x1b[31mAll.",
        "user",
        "shop",
    )
    assert (shown["session_uid"], shown["episode"]) == ("s1", "E1")
    assert words.splitlines()[-3:] == ["Why do the tests hang?", "", " [31mAll."]
    assert "E1" in words


def test_an_id_that_no_item_has_says_how_they_are_found(someone: Person) -> None:
    result = someone.command("raw", "show", "T9")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: no raw item 'T9'; 'agentrecall raw search' finds them by their words\n"


def test_an_ending_is_no_part_of_what_is_wanted() -> None:
    assert wanted("Migrations, and policies!") == ("migrat", "polic")


def test_no_number_of_seconds_is_misuse(someone: Person) -> None:
    assert someone.command("raw", "search", "a", "--seconds", "nan").exit_code == 2
