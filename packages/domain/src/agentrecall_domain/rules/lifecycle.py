"""Lifecycle: which status a rule may have next, and which rule may take the place of which. Light.

The one home of these decisions: whoever changes a rule's status asks here first, and says what the error says.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, Protocol

from agentrecall_domain.rules.rule import Rule, Status
from agentrecall_domain.rules.status import DEAD, IN_FORCE, WAITING

UNDO = "'agentrecall rules undo' takes its last change back"
UPGRADE = "a newer AgentRecall gave it that status; upgrade this one"


class Move(StrEnum):
    """What a person can do to the status of a rule; the value is the verb as people type it."""

    APPROVE = "approve"
    PROMOTE = "promote"
    ARCHIVE = "archive"
    REJECT = "reject"
    REPORT_BAD = "report-bad"


class Leads(NamedTuple):
    """Where a move leads: *from_* these statuses *to* that one, kept in the ledger as *event*.

    What *stays* is there already, and the move changes nothing.
    """

    from_: tuple[str, ...]
    to: Status
    event: str
    stays: tuple[str, ...]
    otherwise: str


LIVING = (*WAITING, *IN_FORCE)
MOVES = {
    Move.APPROVE: Leads(WAITING, Status.ACTIVE, "RuleUpdated", IN_FORCE, "only a rule that waits can be approved"),
    Move.PROMOTE: Leads(
        (Status.ACTIVE, Status.PENDING),
        Status.PROMOTED,
        "RulePromoted",
        (Status.PROMOTED,),
        "only an active or a pending rule can be promoted",
    ),
    Move.ARCHIVE: Leads((*LIVING, *DEAD), Status.ARCHIVED, "RuleArchived", (Status.ARCHIVED,), "it cannot be archived"),
    Move.REJECT: Leads(
        WAITING, Status.ARCHIVED, "RuleRejected", (Status.ARCHIVED,), "only a rule that waits can be rejected"
    ),
    Move.REPORT_BAD: Leads(LIVING, Status.ARCHIVED, "RuleReportedBad", (), "only a living rule can be reported bad"),
}


class IllegalMoveError(ValueError):
    """A rule may not change like this. The message says why, and what to do instead."""


class LinkStore(Protocol):
    """What is asked of the store: a rule by its id."""

    def find_rule(self, rule_id: int) -> Rule | None:  # noqa: D102 -- the store's own words say it
        ...


def after(move: Move, status: Status) -> Status:
    """The status that *move* brings a rule of this *status* to; the same one when it is there already.

    Raises:
        IllegalMoveError: Such a rule may not be moved so.
    """
    leads = MOVES[move]
    if status in leads.stays:
        return status
    if status in leads.from_:
        return leads.to
    raise IllegalMoveError(f"{leads.otherwise}; {_instead(move, status)}")


def check_supersede(store: LinkStore, old: Rule, new: Rule) -> None:
    """Whether *new* may take the place of *old*.

    Raises:
        IllegalMoveError: It may not: it is the same rule, one of them is dead, *new* waits or holds elsewhere, or the
            links would lead back to where they began.
    """
    if old.id == new.id:
        raise IllegalMoveError("a rule cannot take its own place; name the old rule and then the new one")
    if old.superseded_by_id == new.id:
        raise IllegalMoveError(
            f"{new.label} has its place already; 'agentrecall rules show {old.label}' tells its history"
        )
    for rule in (old, new):
        if rule.status not in LIVING:
            instead = (
                UPGRADE if rule.status is Status.UNKNOWN else f"'agentrecall rules undo {rule.label}' brings it back"
            )
            raise IllegalMoveError(f"{rule.label} is {rule.status}; {instead}")
    if not new.is_in_force:
        raise IllegalMoveError(f"{new.label} waits; 'agentrecall rules approve {new.label}' brings it into force")
    if new.project_id not in (None, old.project_id):
        where = "every project" if old.project_id is None else "another project"
        raise IllegalMoveError(
            f"{old.label} holds in {where}, where {new.label} would not be told; edit {old.label} instead"
        )
    if old.id in _line(store, new):
        raise IllegalMoveError(f"{old.label} took the place of {new.label} once, directly or not; undo that first")


def check_edit(rule: Rule) -> None:
    """Whether a person may change what *rule* says.

    Raises:
        IllegalMoveError: It is dead: nobody would be told the change.
    """
    if rule.status in DEAD:
        raise IllegalMoveError(f"it is {rule.status}; {UNDO}")


def check_delete(rule: Rule, *, force: bool) -> None:
    """Whether *rule* may be removed with its history.

    Raises:
        IllegalMoveError: It is in force, and nobody insists.
    """
    if rule.is_in_force and not force:
        raise IllegalMoveError(
            f"it is in force; 'agentrecall rules archive {rule.label}' keeps its history, --force does not"
        )


def _line(store: LinkStore, rule: Rule) -> set[int]:
    """The rules that took the place of *rule*, one after the other, and itself."""
    line: set[int] = set()
    following: Rule | None = rule
    while following is not None and following.id not in line:
        line.add(following.id)
        following = None if following.superseded_by_id is None else store.find_rule(following.superseded_by_id)
    return line


def _instead(move: Move, status: Status) -> str:
    if status in DEAD:
        return UNDO
    if status is Status.UNKNOWN:
        return UPGRADE
    if status in IN_FORCE:
        return "'agentrecall rules archive' takes it out of recall"
    return "approve it first" if move is Move.PROMOTE else UNDO
