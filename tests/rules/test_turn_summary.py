"""What the memory did in a turn, told at its end or when a person asks: in a line or two, by rule, or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.capture.turn_summary import (
    Decided,
    RuleLine,
    TurnSummary,
    as_object,
    compact,
    cut,
    decisions,
    detailed,
    rendered,
)
from agentrecall_domain.rules.rule import Status
from recall.stories import Person, a_rule
from rules.ending import SAID, SKIP, configure, ends, lesson, turn

PROMPT = "change the migration that has been applied so that orders get a currency column"
TITLES = st.text(max_size=200)
ASK_FIRST = lesson(
    title="Ask before dropping a table",
    condition="when a table is to be dropped",
    action="ask the database team",
    avoid="",
    because="they know who reads it",
    evidence="what nobody said",
)


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def line(rule_id: int, title: str = "Migrations are append-only", **changes: Any) -> RuleLine:
    row = {"trigger": "when ...", "category": "EngineeringLesson", "status": "Active", "always": 0, "source": "Learned"}
    return RuleLine([rule_id, title, *(row | changes).values()])


def told(someone: Person, level: str = "compact", **fields: Any) -> str:
    configure(someone, summary=level)
    return str(ends(someone, **fields).get("systemMessage", ""))


@pytest.mark.parametrize("level", ["silent", "", "loud"])
def test_nothing_is_told_unless_it_is_wanted(someone: Person, level: str) -> None:
    someone.keeps(a_rule())
    someone.says(PROMPT)

    assert told(someone, level) == ""


def test_what_was_shown_is_told_in_a_line(someone: Person) -> None:
    someone.keeps(a_rule())
    assert "[R1]" in someone.says(PROMPT)

    assert told(someone) == "AgentRecall: 1 used (R1)"


@pytest.mark.parametrize("level", ["compact", "detailed"])
def test_a_turn_in_which_memory_had_no_part_is_silent(someone: Person, level: str) -> None:
    someone.says(PROMPT)

    assert told(someone, level) == ""


def test_a_turn_that_only_skipped_is_silent(someone: Person) -> None:
    someone.says(SAID)
    someone.finalize(turn(someone, SKIP))

    assert told(someone) == ""


def test_what_came_of_a_verdict_is_told_with_how_to_approve_what_waits(someone: Person) -> None:
    someone.says(SAID)
    someone.finalize(turn(someone, lesson(), ASK_FIRST, SKIP))

    assert told(someone) == (
        "AgentRecall: 1 captured (R1), 1 suggested (R2), 1 skipped\n"
        "waiting for you: R2; 'agentrecall review', or 'agentrecall rules approve R2'"
    )


def test_what_was_approved_meanwhile_no_longer_waits(someone: Person) -> None:
    someone.says(SAID)
    someone.finalize(turn(someone, lesson(evidence="what nobody said")))
    with someone.memory() as memory:
        memory.set_status(memory.get_rule(1), Status.ACTIVE, "person")

    assert told(someone) == "AgentRecall: 1 suggested (R1)"


def test_in_detail_each_rule_has_its_line_with_its_marks(someone: Person) -> None:
    someone.keeps(
        a_rule(always_apply=True, title="Migrations are append-only, whoever asks, and whatever the reason is")
    )
    someone.says(SAID)

    text = told(someone, "detailed")

    assert text.splitlines()[:2] == ["AgentRecall: what the memory did in this turn", "used"]
    assert text.splitlines()[2].startswith("  R1 Migrations are append-only, whoever asks, and whatever th...")
    assert text.splitlines()[2].endswith("[standing] (prompt)")


def test_what_took_an_older_rules_place_is_told_with_it(someone: Person) -> None:
    someone.keeps(a_rule("edit the migration in place"))
    someone.says(SAID)
    someone.finalize(turn(someone, lesson(decision="SupersedeExisting", target_existing_rule_id=1)))

    assert "  R2 Migrations are append-only: in place of R1" in told(someone, "detailed").splitlines()
    assert "1 captured (R2)" in told(someone)


def test_what_was_said_again_is_told(someone: Person) -> None:
    someone.says(SAID)
    someone.finalize(turn(someone))
    someone.finalize(turn(someone, source="another judge"))

    assert told(someone) == "AgentRecall: 1 captured (R1), 1 reinforced (R1)"


def test_only_this_turns_part_is_told(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.says(PROMPT, prompt_id="p1")
    someone.says("write the release notes for version two of the shop", prompt_id="p2")

    assert told(someone, prompt_id="p2") == ""
    assert told(someone, prompt_id="p1") == "AgentRecall: 1 used (R1)"


def test_a_turn_is_told_whole_across_a_compaction(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.says(PROMPT)
    someone.starts(source="compact")

    assert told(someone) == "AgentRecall: 1 used (R1)"


def test_what_a_subagent_was_shown_is_not_told(someone: Person) -> None:
    someone.keeps(a_rule())
    assert "[R1]" in someone.says(PROMPT, agent_id="a1")

    assert told(someone) == ""


def test_a_rule_shown_at_several_moments_is_told_once() -> None:
    summary = TurnSummary("p1", [(1, "prompt"), (2, "read"), (1, "edit"), (1, "edit")], [], {1: line(1), 2: line(2)})

    assert compact(summary) == "AgentRecall: 2 used (R1 R2)"
    assert [(row["id"], row["moment"]) for row in as_object(summary)["used_rules"]] == [
        ("R1", "prompt, edit"),
        ("R2", "read"),
    ]


def test_many_rules_are_named_in_part_and_counted_whole() -> None:
    rules = {number: line(number) for number in range(1, 21)}

    assert compact(TurnSummary("p1", [(number, "prompt") for number in rules], [], rules)) == (
        "AgentRecall: 20 used (R1 R2 R3 R4 R5 R6 R7 R8 and 12 more)"
    )


def test_a_rule_that_is_gone_is_still_counted_where_it_was_captured() -> None:
    summary = TurnSummary("p1", [(7, "prompt")], [Decided("captured", 7, "")], {})

    assert compact(summary) == "AgentRecall: 1 captured (R7)"
    assert "R7" in detailed(summary)


def test_titles_are_cut_and_hold_nothing_that_a_terminal_obeys() -> None:
    assert len(line(1, "t" * 500).title) == 60
    assert line(1, "a\x1b[2Jb\u202ec").title == "a [2Jb c"


def test_the_marks_say_what_sets_a_rule_apart() -> None:
    assert line(1, always=1, source="BuiltInSeed", status="Pending").marks == " [standing] [seed] [pending]"
    assert line(1).marks == ""


def test_json_holds_everything_and_no_time(someone: Person) -> None:
    someone.keeps(a_rule("check the totals twice", title="Totals", trigger="when invoices are exported", reason=""))
    assert "[R1]" in someone.says(f"{SAID} And the invoices that are exported have wrong totals.")
    someone.finalize(turn(someone, lesson(), SKIP, ASK_FIRST))

    result = someone.command("turn-summary", "--last", "--json")

    found = json.loads(result.stdout)
    assert found["summary"] == {
        "used": 1,
        "captured": 1,
        "suggested": 1,
        "skipped": 1,
        "reinforced": 0,
        "errors": 0,
    }
    assert [rule["id"] for rule in found["used_rules"]] == ["R1"]
    assert found["captured_rules"][0] == {"id": "R2", "title": "Migrations are append-only", "reason": ""}
    assert found["skipped"] == [{"title": "", "reason": "nothing to keep"}]
    assert found["turn_id"] == "p1"
    assert "2026" not in result.stdout
    assert result.stdout == someone.command("turn-summary", "--json").stdout


def test_whoever_asks_is_always_told_something(someone: Person) -> None:
    asked = someone.command("turn-summary")
    assert (asked.exit_code, asked.stdout) == (0, "AgentRecall: memory had no part in this turn\n")

    someone.says(SAID)
    someone.finalize(turn(someone, SKIP))
    assert someone.command("turn-summary").stdout == "AgentRecall: 1 skipped\n"
    assert "nothing to keep" in someone.command("turn-summary", "--detailed").stdout


def test_a_turn_can_be_named(someone: Person) -> None:
    someone.keeps(a_rule())
    someone.says(PROMPT, prompt_id="p1")
    ends(someone, prompt_id="p1")
    someone.says("write the release notes for version two of the shop", prompt_id="p2")
    ends(someone, prompt_id="p2")

    assert "1 used (R1)" in someone.command("turn-summary", "--turn", "p1").stdout
    assert "no part" in someone.command("turn-summary").stdout
    unknown = someone.command("turn-summary", "--turn", "p9")
    assert (unknown.exit_code, unknown.stdout) == (1, "")
    assert "'p9'" in unknown.stderr
    assert someone.command("turn-summary", "--turn", "p1", "--last").exit_code == 2


@given(st.lists(st.text() | st.just("[]") | st.just('[["captured", 1, ""]]') | st.just("[[1]]"), max_size=5))
def test_decisions_are_read_from_whatever_is_stored(stored: list[str]) -> None:
    assert all(isinstance(one, Decided) for one in decisions(stored))


@given(st.lists(st.tuples(st.integers(1, 40), TITLES), max_size=40), st.sampled_from(["compact", "detailed"]), TITLES)
def test_a_summary_of_anything_is_bounded_text(rules: list[tuple[int, str]], level: str, why: str) -> None:
    lines = {rule_id: line(rule_id, title, status="Pending") for rule_id, title in rules}
    decided = [Decided("pending", rule_id, why * 100) for rule_id in lines]
    summary = TurnSummary("p1", [(rule_id, "prompt") for rule_id in lines], decided, lines)

    text = rendered(summary, level)

    assert len(text) < 9_500
    assert bool(text) == bool(rules)
    assert not {"\x1b", "\u202e", "\x07"} & set(text)
    json.dumps(as_object(summary))


@given(TITLES)
def test_a_cut_title_begins_as_it_did(title: str) -> None:
    short = cut(title)

    assert len(short) <= 60
    assert title.startswith(short.removesuffix("...").rstrip()) or short == title
