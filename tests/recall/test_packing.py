from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.recall.candidate import Candidate
from agentrecall_domain.recall.injection import Asked
from agentrecall_domain.recall.moments import at_start
from agentrecall_domain.recall.packing import MUST_FOLLOW, SUGGESTED, WARNING, Shown, bucket, detail, pack
from agentrecall_domain.recall.ranking import Ranked
from agentrecall_domain.recall.rendering import FULL, REMINDER, block
from agentrecall_domain.text.token_estimate import tokens

if TYPE_CHECKING:
    from agentrecall_domain.recall.notes import NoteQueries
    from agentrecall_domain.text.concept_vector import ConceptStore

HOST_LIMIT = 9_900


def candidate(rule_id: int = 1, **parts: Any) -> Candidate:
    """A valid candidate; name only what matters."""
    row = {
        "id": rule_id,
        "status": "Active",
        "source": "Learned",
        "title": "Migrations are append-only",
        "trigger": "when a migration has been applied",
        "action": f"add a new migration number {rule_id}",
        "mistake": "editing the applied one",
        "reason": "production has run it",
        "project_id": 1,
        "scope_level": "Repository",
        "scope_value": "",
        "globs": "[]",
        "languages": "[]",
        "always_apply": 0,
        "confidence": 0.9,
        "trigger_terms": "migration apply",
        "terms": "migration apply add new edit production run",
        "created_at": "2026-10-02T12:00:00Z",
        "pinned": 0,
        "vector": b"",
    }
    assert set(parts) <= set(row)
    return Candidate(list((row | parts).values()))


def ranked(one: Candidate, score: float = 0.5) -> Ranked:
    found = Ranked(one)
    found.score = found.evidence = score
    return found


def packed(*candidates: Candidate, **settings: Any) -> list[Shown]:
    usual: dict[str, Any] = {"most": 5, "most_pending": 1, "token_budget": 1500, "times_shown": {}, "reminder_every": 6}
    return pack([ranked(one) for one in candidates], **(usual | settings))


def numbered(parts: list[dict[str, Any]]) -> list[Candidate]:
    return [candidate(number, **part) for number, part in enumerate(parts, 1)]


PART = st.one_of(
    st.text(max_size=60),
    st.text("ab 中文。é.", min_size=1, max_size=30).map(lambda text: text * 60),
    st.just("word " * 400),
)
CANDIDATES = st.lists(
    st.fixed_dictionaries(
        {
            "trigger": PART,
            "action": PART,
            "mistake": PART,
            "reason": PART,
            "status": st.sampled_from(["Active", "Promoted", "Pending"]),
            "confidence": st.floats(0, 1),
            "always_apply": st.integers(0, 1),
        }
    ),
    max_size=40,
).map(numbered)


@given(
    candidates=CANDIDATES,
    limits=st.fixed_dictionaries(
        {"most": st.integers(0, 40), "most_pending": st.integers(0, 40), "token_budget": st.integers(0, 30_000)}
    ),
    shown_before=st.integers(0, 12),
    project=st.one_of(st.text(max_size=40), st.text("ab-/", max_size=140)),
)
def test_what_is_shown_never_passes_its_budget_or_the_hosts_limit(
    candidates: list[Candidate], limits: dict[str, int], shown_before: int, project: str
) -> None:
    shown = packed(*candidates, **limits, times_shown={one.id: shown_before for one in candidates})

    text = block(shown, [], project=project, moment="prompt", injection_id=123_456)
    assert tokens(text) <= limits["token_budget"]
    assert len(text) <= HOST_LIMIT
    assert len(shown) <= limits["most"]
    assert sum(one.candidate.status == "Pending" for one in shown) <= limits["most_pending"]


BUDGETS = [0, 10, 60, 99, 100, 120, 150, 300, 700, 1_500, 5_000, 50_000]
LONG = [candidate(number, reason="word " * 40 * (number % 4)) for number in range(1, 41)]


@pytest.mark.parametrize("budget", BUDGETS)
def test_many_long_rules_keep_within_any_budget_at_a_prompt(budget: int) -> None:
    shown = packed(*LONG, most=40, token_budget=budget)

    text = block(shown, [], project="o" * 39 + "/" + "r" * 100, moment="read", injection_id=123_456)
    assert tokens(text) <= budget
    assert len(text) <= HOST_LIMIT
    assert shown or budget < 150


class StandingRules:
    """A store with standing rules and nothing else."""

    def __init__(self, candidates: list[Candidate], **config: float) -> None:
        self.candidates = candidates
        self.config = config

    def standing_rules(self, project_id: int | None) -> list[Candidate]:
        return [one for one in self.candidates if one.project_id in {None, project_id}]

    def number(self, key: str, default: float) -> float:
        return self.config.get(key, default)

    def matching_rules(
        self, terms: list[str], project_id: int | None, most: int, among: list[str] | None = None
    ) -> list[Candidate]:
        raise NotImplementedError

    def scoped_rules(self, keys: list[str], project_id: int | None, most: int) -> list[Candidate]:
        raise NotImplementedError

    def conflicts_of(self, rule_id: int) -> list[int]:
        raise NotImplementedError

    def newest_rule(self) -> int:
        raise NotImplementedError

    def rules_with(self, terms: list[str]) -> dict[str, int]:
        raise NotImplementedError

    def words_from(self, beginning: str, most: int) -> dict[str, int]:
        raise NotImplementedError

    def words_among(self, forms: list[str]) -> dict[str, int]:
        raise NotImplementedError

    def shown_in_window(self, session_uid: str, agent_id: str, kind: str = "rule") -> list[tuple[int, str]]:
        raise NotImplementedError

    def setting(self, key: str, default: str) -> str:
        raise NotImplementedError

    def newest_note(self) -> int:
        return 0

    @property
    def notes(self) -> NoteQueries:
        raise NotImplementedError

    @property
    def concepts(self) -> ConceptStore:
        raise NotImplementedError


START = Asked(
    moment="start",
    session_uid="s1",
    agent_id="",
    prompt_id="",
    key="startup",
    query="",
    source="claude-code",
    transcript_path="",
    at=0.0,
)


@pytest.mark.parametrize("budget", BUDGETS)
def test_many_long_rules_keep_within_any_budget_at_a_session_start(budget: int) -> None:
    store = StandingRules(LONG, start_token_budget=budget, start_max_standing=40)

    shown = at_start(store, START, 1).shown

    text = block(shown, [], project="o" * 39 + "/" + "r" * 100, moment="start", injection_id=None)
    assert tokens(text) <= budget
    assert len(text) <= HOST_LIMIT
    assert shown or budget < 150


def test_no_more_standing_rules_than_asked_for_begin_a_session() -> None:
    store = StandingRules(LONG, start_max_standing=3)

    assert len(at_start(store, START, 1).shown) == 3


def test_a_session_starts_with_the_projects_own_rules_and_then_the_surest() -> None:
    store = StandingRules(
        [
            candidate(1, project_id=None, confidence=1.0),
            candidate(2, confidence=0.6),
            candidate(3, confidence=0.8),
            candidate(4, confidence=0.8),
            candidate(5, status="Pending"),
        ]
    )

    assert [one.candidate.id for one in at_start(store, START, 1).shown] == [3, 4, 2, 1]


@pytest.mark.parametrize(
    ("parts", "score", "expected"),
    [
        pytest.param({}, 0.5, MUST_FOLLOW, id="of this project and well matched"),
        pytest.param({}, 0.1, SUGGESTED, id="hardly matched"),
        pytest.param({"status": "Pending", "confidence": 1.0}, 0.9, SUGGESTED, id="pending, however sure"),
        pytest.param({"status": "Pending", "action": "never do it"}, 0.9, SUGGESTED, id="pending, and a prohibition"),
        pytest.param({"status": "Pending", "always_apply": 1}, 0.9, SUGGESTED, id="pending, and standing"),
        pytest.param({"action": "Never edit it"}, 0.5, WARNING, id="a prohibition"),
        pytest.param({"always_apply": 1}, 0.01, MUST_FOLLOW, id="standing"),
        pytest.param({"project_id": None, "confidence": 0.7}, 0.5, SUGGESTED, id="global and not so sure"),
        pytest.param({"project_id": None, "status": "Promoted", "confidence": 0.7}, 0.5, MUST_FOLLOW, id="promoted"),
        pytest.param({"source": "BuiltInSeed"}, 0.9, SUGGESTED, id="a seed"),
    ],
)
def test_a_rule_is_given_the_weight_it_has_earned(parts: dict[str, Any], score: float, expected: str) -> None:
    assert bucket(candidate(**parts), score) == expected


def test_a_rule_is_told_in_full_at_first_and_at_every_sixth_time() -> None:
    told = [detail(times_shown, 6) for times_shown in range(13)]

    in_full = [time for time, how in enumerate(told, 1) if how == FULL]
    assert in_full == [1, 6, 12]
    assert set(told) == {FULL, REMINDER}


@pytest.mark.parametrize("every", [1, 0, -3])
def test_reminding_never_leaves_every_time_in_full(every: int) -> None:
    assert [detail(times, every) for times in range(3)] == [FULL] * 3


def test_of_rules_that_tell_the_same_the_better_ranked_is_shown() -> None:
    shown = packed(candidate(7, action="Use  the wrapper"), candidate(3, action="use the wrapper"), candidate(4))

    assert [one.candidate.id for one in shown] == [7, 4]


def test_a_rule_too_long_for_what_is_left_makes_room_for_a_shorter_one() -> None:
    shown = packed(candidate(1), candidate(2, reason="word " * 120), candidate(3), token_budget=200)

    assert [one.candidate.id for one in shown] == [1, 3]


def test_buckets_keep_their_order_and_the_ranking_within_each() -> None:
    shown = packed(
        candidate(1, source="BuiltInSeed"),
        candidate(2, action="never do that"),
        candidate(3),
        candidate(4, action="avoid this"),
        candidate(5),
    )

    assert [(one.bucket, one.candidate.id) for one in shown] == [
        (MUST_FOLLOW, 3),
        (MUST_FOLLOW, 5),
        (WARNING, 2),
        (WARNING, 4),
        (SUGGESTED, 1),
    ]


def test_a_pinned_rule_comes_first_in_its_bucket_and_leaves_the_others_in_their_order() -> None:
    shown = packed(candidate(1), candidate(2, action="never do that"), candidate(3, pinned=1), candidate(4))

    assert [one.candidate.id for one in shown] == [3, 1, 4, 2]


def test_a_pinned_rule_is_the_last_to_give_way_to_the_budget() -> None:
    shown = packed(candidate(1), candidate(2), candidate(3, pinned=1), token_budget=145)

    assert [one.candidate.id for one in shown] == [3]


def test_a_pinned_standing_rule_begins_a_session() -> None:
    store = StandingRules([candidate(1), candidate(2, project_id=None, confidence=0.1, pinned=1)])

    assert [one.candidate.id for one in at_start(store, START, 1).shown] == [2, 1]
