"""Every candidate of a recall is shown or has one reason why not, and the hook's own path says which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentrecall_domain.recall.explanation import SIGNALS, Explained, as_object, explained
from agentrecall_domain.recall.injection import Asked, Injection
from agentrecall_domain.recall.moments import Trace, at_file, at_prompt, at_start, for_text
from agentrecall_domain.recall.packing import pack
from agentrecall_domain.rules.rule import Rule, RuleContent, ScopeLevel, Status
from agentrecall_domain.turns.batch import Project
from agentrecall_storage.memory import Memory, open_memory
from recall.stories import NOW, a_rule
from recall.test_packing import CANDIDATES, ranked

ASK = "the applied migration is wrong, please edit it so that the column is nullable"
SHOP = Project("shop", "", [("name", "shop")])
REASON = re.compile(
    r"of another file|under the floor \(\d\.\d\d < \d(\.\d+)?\)|already shown in this turn"
    r"|standing rule, given at session start|pending, and a session starts with approved rules alone"
    r"|contradicts R\d+, which takes precedence|says the same as R\d+|no more than \d+ (rules|pending)"
    r"|over the budget of \d+ (tokens|characters)"
)


class Told:
    """A memory of one project that is asked at every moment, and explains itself."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.project_id = memory.record_project(SHOP)

    def keeps(self, *contents: RuleContent, status: Status = Status.ACTIVE) -> list[Rule]:
        return [
            self.memory.add_rule(
                content, status, None if content.scope_level is ScopeLevel.GLOBAL else self.project_id, "test"
            )
            for content in contents
        ]

    def sets(self, key: str, value: object) -> None:
        self.memory.connection.execute("INSERT INTO config VALUES (?, ?, '')", (key, str(value)))

    def asks(self, moment: str, text: str = "", path: str = "", **settings: Any) -> tuple[Injection, list[Explained]]:
        """What is shown, and what is said of every candidate."""
        trace = Trace()
        injection = self.recall(moment, text, path, trace, **settings)
        return injection, explained(injection, trace, self.memory.hot.concepts.names())

    def recall(self, moment: str, text: str, path: str, trace: Trace | None, prompt_id: str = "p2") -> Injection:
        asked = Asked(
            moment=moment,
            session_uid="s1",
            agent_id="",
            prompt_id=prompt_id,
            key=prompt_id,
            query=text,
            source="test",
            transcript_path="",
            at=NOW.timestamp(),
        )
        store = self.memory.hot
        if moment == "start":
            return at_start(store, asked, self.project_id, trace)
        if moment == "prompt":
            return at_prompt(store, asked, self.project_id, trace)
        return at_file(store, asked, self.project_id, path, trace)

    def is_shown(self, moment: str, text: str = "", path: str = "", prompt_id: str = "p1") -> None:
        """Let a hook show what it finds."""
        injection = self.recall(moment, text, path, None, prompt_id)
        assert injection.shown
        assert self.memory.hot.record_injection(injection, SHOP)

    def lost(self, *asked: str, **settings: Any) -> dict[int, str]:
        """Why each loser lost, by rule id."""
        return {one.ranked.candidate.id: one.lost for one in self.asks(*asked, **settings)[1] if one.lost}


@pytest.fixture
def told(memory: Memory) -> Told:
    return Told(memory)


ACTIONS = (
    *("tell Ada", "measure the table", "call the harbour", "read the plan", "light a lantern", "count the rows"),
    *("paint the wall", "close the gate", "ring the bell", "write a letter", "take a copy", "wait an hour"),
)


def named(number: int, **parts: Any) -> RuleContent:
    return a_rule(ACTIONS[number], **({"mistake": ""} | parts))


# Each reason


def test_what_lies_under_the_floor_is_told_with_both_figures(told: Told) -> None:
    (rule,) = told.keeps(a_rule())
    told.sets("rule_floor", 0.95)

    lost = told.lost("prompt", ASK)

    assert list(lost) == [rule.id]
    evidence, floor = map(float, re.findall(r"\d\.\d+", lost[rule.id]))
    assert 0 < evidence < floor == 0.95


def test_what_lies_just_under_the_floor_does_not_read_as_if_it_reached_it(told: Told) -> None:
    (rule,) = told.keeps(a_rule())
    evidence = told.asks("prompt", ASK)[1][0].ranked.evidence
    told.sets("rule_floor", evidence + 1e-9)

    below, floor = map(float, re.findall(r"\d\.\d+", told.lost("prompt", ASK)[rule.id]))

    assert below < floor


@pytest.mark.parametrize("floor", [0.25, 0.0, -1.0])
def test_a_rule_of_another_file_is_not_shown_whatever_the_floor(told: Told, floor: float) -> None:
    there, here = told.keeps(a_rule(globs=("*.sql",)), a_rule("ask Ada", languages=("python",)))
    told.sets("rule_floor", floor)

    assert told.lost("edit", ASK, "db/models.py") == {there.id: "of another file"}
    assert told.lost("edit", ASK, "db/models.sql") == {here.id: "of another file"}


def test_what_this_turn_was_shown_does_not_come_again_at_a_file(told: Told) -> None:
    (rule,) = told.keeps(a_rule(globs=("*.sql",)))
    told.is_shown("prompt", ASK, prompt_id="p1")

    assert told.lost("read", "", "db/1.sql", prompt_id="p1") == {rule.id: "already shown in this turn"}
    assert told.lost("read", "", "db/1.sql", prompt_id="p2") == {}


def test_a_standing_rule_is_left_to_the_sessions_start(told: Told) -> None:
    (rule,) = told.keeps(a_rule(always_apply=True))
    told.is_shown("start")

    assert told.lost("prompt", ASK) == {rule.id: "standing rule, given at session start"}


def test_the_loser_of_a_contradiction_names_its_winner(told: Told) -> None:
    about = {"trigger": "when writing a component of the web app", "mistake": "", "reason": ""}
    own, everywhere = told.keeps(
        a_rule("indent with tabs", **about),
        a_rule("indent with spaces, never with tabs", **about, scope_level=ScopeLevel.GLOBAL, scope_value=""),
    )

    lost = told.lost("prompt", "write a component of the web app, and mind how you indent")

    assert lost == {everywhere.id: f"contradicts {own.label}, which takes precedence"}


def test_of_two_rules_that_say_the_same_the_loser_names_the_other(told: Told) -> None:
    first, second = told.keeps(a_rule(), a_rule("Add a  new migration", reason=""))

    assert told.lost("prompt", ASK) in (
        {second.id: f"says the same as {first.label}"},
        {first.id: f"says the same as {second.label}"},
    )


@pytest.mark.parametrize(("moment", "key"), [("prompt", "prompt_max_rules"), ("edit", "edit_max_rules")])
def test_more_rules_than_a_moment_shows_lose_by_their_number(told: Told, moment: str, key: str) -> None:
    told.keeps(*(named(number) for number in range(7)))

    assert list(told.lost(moment, ASK, "a.py").values()) == ["no more than 5 rules"] * 2
    told.sets(key, 3)
    assert list(told.lost(moment, ASK, "a.py").values()) == ["no more than 3 rules"] * 4


def test_one_pending_rule_is_enough(told: Told) -> None:
    told.keeps(named(1), named(2), status=Status.PENDING)

    assert list(told.lost("prompt", ASK).values()) == ["no more than 1 pending"]


def test_what_does_not_fit_is_over_the_budget(told: Told) -> None:
    told.keeps(*(named(number, reason="word " * 60) for number in range(3)))
    told.sets("prompt_token_budget", 250)

    lost = told.lost("prompt", ASK)

    assert set(lost.values()) == {"over the budget of 250 tokens"}
    assert len(lost) == 2


def test_what_no_host_would_print_is_over_the_budget_too(told: Told) -> None:
    told.keeps(*(named(number, reason="word " * 110, mistake="word " * 110) for number in range(12)))
    told.sets("prompt_token_budget", 100_000)
    told.sets("prompt_max_rules", 12)

    assert set(told.lost("prompt", ASK).values()) == {"over the budget of 9000 characters"}


def test_a_sessions_start_explains_itself(told: Told) -> None:
    first, second = told.keeps(
        named(1, always_apply=True, confidence=0.9, reason="word " * 60), named(2, always_apply=True, confidence=0.8)
    )
    (waiting,) = told.keeps(named(3, always_apply=True), status=Status.PENDING)
    pending = {waiting.id: "pending, and a session starts with approved rules alone"}
    assert told.lost("start") == pending

    told.sets("start_max_standing", 1)
    assert told.lost("start") == pending | {second.id: "no more than 1 rules"}
    told.sets("start_token_budget", 120)
    assert told.lost("start")[first.id] == "over the budget of 120 tokens"


# As a whole


def test_an_explanation_has_every_signal_and_what_words_and_concepts_are_shared(told: Told) -> None:
    (rule,) = told.keeps(a_rule())

    (one,) = told.asks("prompt", ASK)[1]

    found = as_object(one)
    assert (found["label"], found["shown"], found["lost"]) == (rule.label, True, None)
    assert (found["bucket"], found["detail"]) == ("Must follow", "full")
    assert set(found["matched"]) >= {"migrat", "edit"}
    assert "applied-migration" in found["concepts"]
    assert set(SIGNALS) < set(found)
    assert found["keyword"] > 0 < found["concept"]
    assert found["scope"] == 1.0


def test_a_text_that_a_prompts_gate_would_stop_can_be_asked_for(told: Told) -> None:
    told.keeps(*(named(number) for number in range(4)))
    assert told.asks("prompt", "migrations")[0].skipped

    trace = Trace()
    asked = told.recall("prompt", "migrations", "", None).asked
    injection = for_text(told.memory.hot, asked, told.project_id, trace, 2)

    assert len(injection.shown) == 2
    assert sorted(why for why, _ in trace.lost.values()) == ["no more than {number} rules"] * 2


def test_a_skipped_recall_has_no_candidates(told: Told) -> None:
    told.keeps(a_rule())

    for text in ("", "go on", "<task-notification> the applied migration is wrong", "is it what the"):
        injection, found = told.asks("prompt", text)
        assert injection.skipped
        assert found == []


@given(
    candidates=CANDIDATES,
    limits=st.fixed_dictionaries(
        {"most": st.integers(0, 12), "most_pending": st.integers(0, 4), "token_budget": st.integers(0, 3_000)}
    ),
)
def test_packing_shows_a_rule_or_says_why_not(candidates: list[Any], limits: dict[str, int]) -> None:
    lost: dict[int, tuple[str, float]] = {}

    shown = pack([ranked(one) for one in candidates], **limits, times_shown={}, reminder_every=6, lost=lost)

    assert sorted([*lost, *(one.candidate.id for one in shown)]) == [one.id for one in candidates]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """A memory that has something to say, and something to lose, at every moment."""
    home: Path = tmp_path_factory.mktemp("explain") / "memory"
    with open_memory(str(home), lambda: NOW) as memory:
        told = Told(memory)
        told.keeps(*(named(number) for number in range(6)), a_rule(), a_rule("Add a new migration"))
        told.keeps(a_rule("m", globs=("*.sql",)), a_rule("n", globs=("src/**",)), a_rule("o", always_apply=True))
        told.keeps(a_rule("indent with tabs"), a_rule("indent with spaces, never with tabs"))
        told.keeps(named(10), named(11, always_apply=True), status=Status.PENDING)
        told.is_shown("start", prompt_id="")
        told.is_shown("prompt", ASK, prompt_id="p1")
        yield told


PHRASES = [
    "applied migration",
    "edit",
    "indent with tabs",
    "production",
    "new",
    "sql",
    "\ud800",
    "中文",
    "\0",
    "OR",
    '"',
]
TEXT = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PHRASES), max_size=8).map(" ".join))


@given(
    moment=st.sampled_from(["start", "prompt", "read", "edit"]),
    text=TEXT,
    path=st.one_of(st.sampled_from(["db/1.sql", "src/a.py", "src/b.sql"]), st.text(min_size=1, max_size=20)),
    prompt_id=st.sampled_from(["p1", "p2"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
def test_every_candidate_is_shown_or_lost_for_one_reason_and_asking_why_changes_nothing(
    full: Told, moment: str, text: str, path: str, prompt_id: str
) -> None:
    injection, found = full.asks(moment, text, path, prompt_id=prompt_id)
    plain = full.recall(moment, text, path, None, prompt_id)

    as_hooks_do = [(one.candidate.id, one.bucket, one.detail) for one in plain.shown]
    assert [(one.candidate.id, one.bucket, one.detail) for one in injection.shown] == as_hooks_do
    assert (injection.skipped, injection.tokens) == (plain.skipped, plain.tokens)
    assert sorted(one.ranked.candidate.id for one in found if one.shown) == sorted(one[0] for one in as_hooks_do)
    assert [one for one in found if (one.shown is None) != bool(REASON.fullmatch(one.lost))] == []
    assert len({one.ranked.candidate.id for one in found}) == len(found)
