"""Rules as stored: what changes leaves its old state behind, and nothing but a person brings a rule into force."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from agentrecall_domain.capture.finalize import finalize
from agentrecall_domain.capture.finalized import Turn
from agentrecall_domain.capture.verdict import TurnVerdict
from agentrecall_domain.rules.rule import InvalidRuleError, Rule, ScopeLevel, Status
from agentrecall_domain.rules.status import DEAD, IN_FORCE, RECALLED, WAITING
from agentrecall_storage.memory import Memory, open_memory
from agentrecall_storage.rules import RuleNotFoundError
from recall.stories import NOW, a_rule

ACTIONS = ("use the retry wrapper", "pin every version", "write dates in UTC")


@pytest.fixture
def rule_memory(tmp_path: Path) -> Iterator[Memory]:
    with open_memory(str(tmp_path / "memory"), lambda: NOW) as memory:
        yield memory


def test_every_status_is_in_force_waiting_or_dead_and_in_one_of_them_alone() -> None:
    known = [status.value for status in Status if status is not Status.UNKNOWN]

    assert sorted(IN_FORCE + WAITING + DEAD) == sorted(known)
    assert not set(RECALLED) & set(DEAD)


def test_a_status_of_a_newer_program_reads_back_as_unknown(rule_memory: Memory) -> None:
    kept = rule_memory.add_rule(a_rule(scope_level=ScopeLevel.GLOBAL), Status.ACTIVE, None, "test")
    rule_memory.connection.execute("UPDATE rules SET status = 'Hibernating', category = 'Dream', origin = 'moon'")

    read = rule_memory.get_rule(kept.id)

    assert (read.status, read.category.value, read.origin.value) == (Status.UNKNOWN, "unknown", "unknown")
    assert not read.is_in_force


def test_a_missing_rule_has_a_name_for_that(rule_memory: Memory) -> None:
    assert rule_memory.find_rule(99) is None
    with pytest.raises(RuleNotFoundError):
        rule_memory.get_rule(99)


def test_each_change_keeps_the_old_state_as_a_version_and_a_ledger_row(rule_memory: Memory) -> None:
    kept = rule_memory.add_rule(a_rule(scope_level=ScopeLevel.GLOBAL), Status.PENDING, None, "test")
    approved = rule_memory.set_status(kept, Status.ACTIVE, "person")
    rule_memory.reinforce(approved, 0.05, "again")

    versions = rule_memory.versions(kept.id)

    assert [row["version"] for row in versions] == [1, 2]
    assert [row["state"]["status"] for row in versions] == ["Pending", "Active"]
    assert rule_memory.get_rule(kept.id).version == 3
    kinds = rule_memory.connection.execute("SELECT kind FROM events WHERE subject = ? ORDER BY id", (kept.label,))
    assert [kind for (kind,) in kinds] == ["RuleCreated", "RuleUpdated", "RuleReinforced"]


def test_superseding_links_both_ways_and_keeps_the_old_text(rule_memory: Memory) -> None:
    old = rule_memory.add_rule(a_rule(scope_level=ScopeLevel.GLOBAL), Status.ACTIVE, None, "test")

    new = rule_memory.supersede(old, a_rule("write a new migration file", scope_level=ScopeLevel.GLOBAL), "test")

    read = rule_memory.get_rule(old.id)
    assert (read.status, read.superseded_by_id, new.supersedes_id) == (Status.SUPERSEDED, new.id, old.id)
    assert (read.action, new.version) == (old.action, old.version + 1)


@pytest.mark.parametrize("by", [0.0, 0.10, 5.0], ids=["nothing", "a little", "far too much"])
def test_confidence_never_passes_one(rule_memory: Memory, by: float) -> None:
    kept = rule_memory.add_rule(a_rule(scope_level=ScopeLevel.GLOBAL), Status.ACTIVE, None, "test")

    rule_memory.reinforce(kept, by, "")

    assert rule_memory.get_rule(kept.id).confidence == pytest.approx(min(1.0, 0.9 + by))


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"action": ""}, id="no action"),
        pytest.param({"action": " \n"}, id="an action of white space"),
        pytest.param({"title": "t" * 161}, id="a long title"),
        pytest.param({"reason": "r" * 2001}, id="a long reason"),
        pytest.param({"confidence": 1.5}, id="too sure"),
        pytest.param({"tags": ("t" * 61,)}, id="a long tag"),
        pytest.param({"tags": tuple(map(str, range(51)))}, id="too many tags"),
        pytest.param({"scope_value": "p/" * 300}, id="a path of a page"),
        pytest.param({"confidence": float("nan")}, id="not a confidence"),
    ],
)
def test_what_is_no_rule_is_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(InvalidRuleError):
        a_rule(**parts)


def test_a_rule_without_a_title_is_called_by_what_it_says() -> None:
    assert a_rule("add a new migration", title=" ").title == "add a new migration"


def test_a_rules_parts_are_one_line_each() -> None:
    assert a_rule("add\n a  new\tmigration").action == "add a new migration"


class Approval(RuleBasedStateMachine):
    """Captures, reinforcements, approvals and archivings in any order; what the user never said stays out of force."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.opening = open_memory(str(Path(self.folder.name) / "memory"), lambda: NOW)
        self.memory = self.opening.__enter__()
        self.approved: set[int] = set()
        self.archived: set[int] = set()

    def teardown(self) -> None:
        self.opening.__exit__(None, None, None)
        self.folder.cleanup()

    def stored(self) -> list[Rule]:
        return self.memory.list_rules(project_id=None, everywhere=True)

    def judge(self, said: list[str], **verdict: object) -> None:
        handed_in = TurnVerdict.model_validate({"verdicts": [{"confidence": 1.0, **verdict}]})
        finalize(self.memory, handed_in, Turn(None, "", said), None)

    @rule(
        action=st.sampled_from(ACTIONS),
        reason=st.sampled_from(["UserCorrection", "ExplicitUserSave", "RepeatedMistake"]),
    )
    def capture_what_the_user_never_said(self, action: str, reason: str) -> None:
        lesson = {"title": action, "condition": "when it matters", "action": action, "because": "it broke"}
        self.judge(
            ["something else altogether"],
            decision="Capture",
            capture_reason=reason,
            evidence="always do it this way",
            normalized_rule=lesson,
        )

    @precondition(lambda self: any(one.status is Status.PENDING for one in self.stored()))
    @rule(data=st.data())
    def the_user_says_what_is_pending_already(self, data: st.DataObject) -> None:
        waiting = data.draw(st.sampled_from([one for one in self.stored() if one.status is Status.PENDING]))
        lesson = {"title": waiting.action, "condition": "when", "action": waiting.action, "because": "it broke"}
        self.judge(
            ["always do it this way"],
            decision="Capture",
            capture_reason="UserCorrection",
            evidence="always do it this way",
            normalized_rule=lesson,
        )

    @precondition(lambda self: self.stored())
    @rule(data=st.data())
    def reinforce(self, data: st.DataObject) -> None:
        target = data.draw(st.sampled_from(self.stored()))
        self.judge([], decision="ReinforceExisting", target_existing_rule_id=target.id, dedupe_notes="again")

    @precondition(lambda self: self.stored())
    @rule(data=st.data(), action=st.sampled_from(ACTIONS))
    def supersede_with_what_the_user_never_said(self, data: st.DataObject, action: str) -> None:
        target = data.draw(st.sampled_from(self.stored()))
        lesson = {"title": action, "condition": "when it matters", "action": action, "because": "it broke"}
        self.judge(
            [],
            decision="SupersedeExisting",
            capture_reason="UserCorrection",
            target_existing_rule_id=target.id,
            evidence="always do it this way",
            normalized_rule=lesson,
        )

    @precondition(lambda self: any(one.status in WAITING for one in self.stored()))
    @rule(data=st.data())
    def approve(self, data: st.DataObject) -> None:
        waiting = data.draw(st.sampled_from([one for one in self.stored() if one.status in WAITING]))
        self.memory.set_status(waiting, Status.ACTIVE, "person")
        self.approved.add(waiting.id)

    @precondition(lambda self: self.stored())
    @rule(data=st.data())
    def archive(self, data: st.DataObject) -> None:
        target = data.draw(st.sampled_from(self.stored()))
        self.memory.set_status(target, Status.ARCHIVED, "person")
        self.archived.add(target.id)

    @invariant()
    def only_what_a_person_approved_is_in_force(self) -> None:
        in_force = {one.id for one in self.stored() if one.is_in_force}
        assert in_force <= self.approved - self.archived

    @invariant()
    def what_was_archived_stays_so(self) -> None:
        assert self.archived <= {one.id for one in self.stored() if one.status is Status.ARCHIVED}


TestApproval = Approval.TestCase
TestApproval.settings = settings(
    max_examples=12, stateful_step_count=12, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
