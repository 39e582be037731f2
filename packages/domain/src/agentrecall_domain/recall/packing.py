"""Packing: which ranked rules are shown, in which bucket, in how many words, within one budget. Hot."""

from __future__ import annotations

from agentrecall_domain.recall.rendering import FULL, REMINDER, line
from agentrecall_domain.rules.status import PENDING, PROMOTED
from agentrecall_domain.text.token_estimate import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from agentrecall_domain.recall.candidate import Candidate
    from agentrecall_domain.recall.ranking import Ranked

    Lost: TypeAlias = dict[int, tuple[str, float]]

MUST_FOLLOW = "Must follow"
WARNING = "Warnings"
SUGGESTED = "Suggested"
BUCKETS = (MUST_FOLLOW, WARNING, SUGGESTED)

MOST_PENDING = 1
REMINDER_EVERY = 6
HIGH_TRUST = 0.80
MUST_FOLLOW_SCORE = 0.15
FRAME_TOKENS = 100
"""What the fence, its introduction and three headings cost, with as long a project name as hosts of code allow."""
MOST_CHARACTERS = 9_000
"""Claude Code cuts what a hook says at 10,000 characters; the frame and the headings need some."""

OF_ANOTHER_FILE = "of another file"
UNDER_FLOOR = "under the floor ({evidence:.2f} < {number:.3g})"
SHOWN_IN_TURN = "already shown in this turn"
GIVEN_AT_START = "standing rule, given at session start"
NOT_APPROVED = "pending, and a session starts with approved rules alone"
CONTRADICTS = "contradicts R{number}, which takes precedence"
SAYS_THE_SAME = "says the same as R{number}"
TOO_MANY = "no more than {number} rules"
TOO_MANY_PENDING = "no more than {number} pending"
OVER_BUDGET = "over the budget of {number} tokens"
OVER_LENGTH = "over the budget of {number} characters"
"""Why a candidate is not shown. A hook notes one of these with its number; only who explains puts them into words."""

PROHIBITIONS = ("never ", "avoid ", "do not ", "don't ", "must not ")


class Shown:
    """A rule as it will be shown: *detail* is `FULL` or `REMINDER`."""

    __slots__ = ("bucket", "candidate", "detail", "score")

    def __init__(self, candidate: Candidate, bucket: str, detail: str, score: float) -> None:
        self.candidate = candidate
        self.bucket = bucket
        self.detail = detail
        self.score = score


def bucket(candidate: Candidate, score: float) -> str:
    """How much weight a rule is given before the agent. A pending rule is never more than a suggestion."""
    if candidate.status == PENDING:
        return SUGGESTED
    if candidate.action.lower().startswith(PROHIBITIONS):
        return WARNING
    trusted = candidate.confidence >= HIGH_TRUST or candidate.status == PROMOTED or candidate.project_id is not None
    if candidate.always_apply or (trusted and candidate.source != "BuiltInSeed" and score >= MUST_FOLLOW_SCORE):
        return MUST_FOLLOW
    return SUGGESTED


def detail(times_shown: int, reminder_every: int) -> str:
    """In full the first time in a context window and at every *reminder_every*-th, else as a one-line reminder."""
    return FULL if times_shown == 0 or (times_shown + 1) % max(1, reminder_every) == 0 else REMINDER


def pack(
    ranked: list[Ranked],
    *,
    most: int,
    most_pending: int,
    token_budget: int,
    times_shown: dict[int, int],
    reminder_every: int,
    lost: Lost | None = None,
) -> list[Shown]:
    """The rules to show, grouped by bucket, best first in each, within *most* rules and *token_budget* tokens.

    Of rules that tell the agent the same thing the better ranked one is shown. *lost* takes down why another is not.
    """
    lost = {} if lost is None else lost
    chosen: list[Shown] = []
    actions: dict[str, int] = {}
    pending = 0
    for one in ranked:
        candidate = one.candidate
        action = " ".join(candidate.action.lower().split())
        if action in actions:
            lost[candidate.id] = SAYS_THE_SAME, actions[action]
            continue
        if len(chosen) == most:
            lost[candidate.id] = TOO_MANY, most
            continue
        if candidate.status == PENDING:
            if pending == most_pending:
                lost[candidate.id] = TOO_MANY_PENDING, most_pending
                continue
            pending += 1
        actions[action] = candidate.id
        how = detail(times_shown.get(candidate.id, 0), reminder_every)
        chosen.append(Shown(candidate, bucket(candidate, one.score), how, one.score))
    return within(chosen, token_budget, lost)


class Room:
    """What is left of one budget in tokens, frame and all, and of what a host lets a hook say in characters."""

    __slots__ = ("characters", "tokens")

    def __init__(self, token_budget: int) -> None:
        self.tokens = token_budget - FRAME_TOKENS
        self.characters = MOST_CHARACTERS

    def refuses(self, text: str) -> str:
        """Why *text* does not fit as a line of its own; nothing when it does, and then it is paid for."""
        cost = tokens(text) + 2
        if cost > self.tokens:
            return OVER_BUDGET
        if len(text) + 1 > self.characters:
            return OVER_LENGTH
        self.tokens -= cost
        self.characters -= len(text) + 1
        return ""


def within(chosen: list[Shown], token_budget: int, lost: Lost) -> list[Shown]:
    """Those of *chosen* that fit, frame and all, in *token_budget* tokens and in what a host lets a hook say.

    They come by bucket, pinned ones first in each, else in the order given. *lost* takes down the others.
    """
    room = Room(token_budget)
    fitting = []
    for shown in sorted(chosen, key=lambda one: (BUCKETS.index(one.bucket), not one.candidate.pinned)):
        why = room.refuses(line(shown.candidate, shown.detail))
        if why:
            lost[shown.candidate.id] = why, token_budget if why == OVER_BUDGET else MOST_CHARACTERS
        else:
            fitting.append(shown)
    return fitting
