"""The lifecycle of a rule: which status follows which, and which rule may take the place of which."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.rules.lifecycle import IllegalMoveError, Move, after, check_delete, check_edit, check_supersede
from agentrecall_domain.rules.rule import Rule, RuleId, Status
from agentrecall_domain.rules.status import DEAD, IN_FORCE, WAITING

AT = datetime(2026, 10, 2, tzinfo=UTC)


def a_stored_rule(rule_id: int = 1, status: Status = Status.ACTIVE, **parts: Any) -> Rule:
    whole = Rule(
        id=RuleId(rule_id),
        uid=f"u{rule_id}",
        title="t",
        trigger="when it matters",
        action="do it",
        status=status,
        created_at=AT,
        updated_at=AT,
    )
    return dataclasses.replace(whole, **parts)


class Rules:
    """A store of a few rules."""

    def __init__(self, *rules: Rule) -> None:
        self.rules = {int(rule.id): rule for rule in rules}

    def find_rule(self, rule_id: int) -> Rule | None:
        return self.rules.get(rule_id)


FOLLOWS = {
    Move.APPROVE: {"Draft": "Active", "Pending": "Active", "Active": "Active", "Promoted": "Promoted"},
    Move.PROMOTE: {"Pending": "Promoted", "Active": "Promoted", "Promoted": "Promoted"},
    Move.ARCHIVE: dict.fromkeys((*WAITING, *IN_FORCE, *DEAD), "Archived"),
    Move.REJECT: {"Draft": "Archived", "Pending": "Archived", "Archived": "Archived"},
    Move.REPORT_BAD: dict.fromkeys((*WAITING, *IN_FORCE), "Archived"),
}
"""What follows on what; where nothing stands the move is refused."""


@pytest.mark.parametrize("move", Move, ids=str)
@pytest.mark.parametrize("status", Status, ids=str)
def test_a_status_follows_or_the_refusal_says_what_to_do(move: Move, status: Status) -> None:
    expected = FOLLOWS[move].get(status)

    if expected is not None:
        assert after(move, status) == expected
        return
    with pytest.raises(IllegalMoveError, match=r".+; .*('agentrecall |upgrade|approve it first)"):
        after(move, status)


def test_a_better_rule_in_force_takes_the_place_of_one_that_lives() -> None:
    for old in (*WAITING, *IN_FORCE):
        for new in IN_FORCE:
            check_supersede(Rules(), a_stored_rule(1, Status(old)), a_stored_rule(2, Status(new)))
    check_supersede(Rules(), a_stored_rule(1, project_id=7), a_stored_rule(2, project_id=7))
    check_supersede(Rules(), a_stored_rule(1, project_id=7), a_stored_rule(2, project_id=None))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        pytest.param(a_stored_rule(1), a_stored_rule(1), "its own place", id="itself"),
        pytest.param(a_stored_rule(1, Status.ARCHIVED), a_stored_rule(2), "R1 is Archived", id="a dead old one"),
        pytest.param(a_stored_rule(1), a_stored_rule(2, Status.RETIRED), "R2 is Retired", id="a dead new one"),
        pytest.param(a_stored_rule(1), a_stored_rule(2, Status.PENDING), "approve R2", id="a new one that waits"),
        pytest.param(a_stored_rule(1, Status.UNKNOWN), a_stored_rule(2), "upgrade", id="a status of a newer program"),
        pytest.param(
            a_stored_rule(1, Status.SUPERSEDED, superseded_by_id=2),
            a_stored_rule(2),
            "has its place",
            id="done already",
        ),
        pytest.param(a_stored_rule(1, project_id=7), a_stored_rule(2, project_id=8), "another project", id="elsewhere"),
        pytest.param(
            a_stored_rule(1), a_stored_rule(2, project_id=8), "every project", id="a global rule by a local one"
        ),
    ],
)
def test_what_may_not_take_a_place_is_refused_with_what_to_do(old: Rule, new: Rule, why: str) -> None:
    with pytest.raises(IllegalMoveError, match=why):
        check_supersede(Rules(old, new), old, new)


@given(length=st.integers(1, 12), is_loop=st.booleans())
def test_links_never_lead_back_to_where_they_began(length: int, is_loop: bool) -> None:  # noqa: FBT001 -- drawn
    """However long the line is, and also when a damaged memory holds a loop already."""
    line = [a_stored_rule(number, superseded_by_id=number + 1) for number in range(1, length + 1)]
    last = a_stored_rule(length + 1, superseded_by_id=1 if is_loop else None)

    with pytest.raises(IllegalMoveError):
        check_supersede(Rules(*line, last), last, line[0])


def test_only_a_living_rule_is_edited() -> None:
    for status in Status:
        if status in DEAD:
            with pytest.raises(IllegalMoveError, match="undo"):
                check_edit(a_stored_rule(status=status))
        else:
            check_edit(a_stored_rule(status=status))


def test_a_rule_in_force_is_deleted_by_force_alone() -> None:
    for status in Status:
        rule = a_stored_rule(status=status)
        check_delete(rule, force=True)
        if rule.is_in_force:
            with pytest.raises(IllegalMoveError, match="--force"):
                check_delete(rule, force=False)
        else:
            check_delete(rule, force=False)
