"""Rule: one thing the agent is told, and when: what is created, validated, edited and exported. Cold, but cheap.

A dataclass and no pydantic model: `agentrecall feedback add` is typed and waited for, and importing pydantic alone
takes longer than all that it does.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NewType, Self

from agentrecall_domain.rules import scope, status
from agentrecall_domain.text.tokenizer import index_text

RuleId = NewType("RuleId", int)

LONGEST_TITLE = 160
LONGEST_PART = 2000
MOST_TAGS = 10
LONGEST_TAG = 60
MOST_STORED_TAGS = 50
"""A merged rule keeps the tags of those that it came from."""
LONGEST_PLACE = 500
LEARNED = "Learned"
BUILT_IN_SEED = "BuiltInSeed"


class Tolerant(StrEnum):
    """Stored text as an enumeration: a value of a newer program reads back as `unknown`, never as an error."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:  # noqa: ARG003 -- whatever it is, it is unknown
        return cls("unknown")


class Status(Tolerant):
    """Where a rule stands; the sets of statuses are in `status`."""

    DRAFT = status.DRAFT
    PENDING = status.PENDING
    ACTIVE = status.ACTIVE
    PROMOTED = status.PROMOTED
    SUPERSEDED = status.SUPERSEDED
    RETIRED = status.RETIRED
    ARCHIVED = status.ARCHIVED
    UNKNOWN = "unknown"


class ScopeLevel(Tolerant):
    """How far a rule reaches, broad to narrow."""

    GLOBAL = scope.GLOBAL
    LANGUAGE = scope.LANGUAGE
    REPOSITORY = scope.REPOSITORY
    DIRECTORY = scope.DIRECTORY
    FILE = scope.FILE
    UNKNOWN = "unknown"


class Category(Tolerant):
    """What kind of lesson a rule holds."""

    CODE_FACT = "CodeFact"
    REPOSITORY_CONVENTION = "RepositoryConvention"
    ENGINEERING_LESSON = "EngineeringLesson"
    USER_PREFERENCE = "UserPreference"
    COMMUNICATION_PREFERENCE = "CommunicationPreference"
    UNKNOWN = "unknown"


class Origin(Tolerant):
    """Whose words a stored span is."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    FILE = "file"
    WEB = "web"
    IMPORT = "import"
    UNKNOWN = "unknown"


class CaptureReason(Tolerant):
    """Why a rule was stored."""

    NONE = "None"
    OBSERVED_AGENT_FAILURE = "ObservedAgentFailure"
    USER_CORRECTION = "UserCorrection"
    ACCEPTED_REVIEW_COMMENT = "AcceptedReviewComment"
    REPEATED_CORRECTION = "RepeatedCorrection"
    MANUAL_FEEDBACK = "ManualFeedback"
    TEST_FAILED_THEN_FIXED = "TestFailedThenFixed"
    LESSON_MINED = "LessonMined"
    IMPORTED_FEEDBACK = "ImportedFeedback"
    EXPLICIT_USER_PREFERENCE = "ExplicitUserPreference"
    BUILT_IN_SEED = "BuiltInSeed"
    UNKNOWN = "unknown"


LINES = ("title", "trigger", "action", "mistake", "reason")
"""The parts of a rule that are one line of text each."""


class InvalidRuleError(ValueError):
    """What was given is no rule; the message says which part and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleContent:
    """What a rule says, and where it holds.

    Raises:
        InvalidRuleError: No action, a part over its limit, or a confidence outside 0 to 1.
    """

    title: str
    trigger: str
    action: str
    mistake: str = ""
    reason: str = ""
    category: Category = Category.ENGINEERING_LESSON
    scope_level: ScopeLevel = ScopeLevel.GLOBAL
    scope_value: str = ""
    globs: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    always_apply: bool = False
    confidence: float = 0.7
    priority: int = 0
    source: str = LEARNED
    capture_reason: CaptureReason = CaptureReason.MANUAL_FEEDBACK
    origin: Origin = Origin.USER
    evidence: str = ""
    session_uid: str = ""
    turn_uid: str = ""

    def __post_init__(self) -> None:
        """Make each part one line, and refuse what is no rule."""
        for name in LINES:
            flat = " ".join(getattr(self, name).split())
            longest = LONGEST_TITLE if name == "title" else LONGEST_PART
            if len(flat) > longest:
                raise InvalidRuleError(f"'{name}' is over {longest:,} characters")
            object.__setattr__(self, name, flat)
        if not self.action:
            raise InvalidRuleError("'action' is empty")
        if not self.title:
            object.__setattr__(self, "title", self.action[:LONGEST_TITLE])
        if len(self.tags) > MOST_STORED_TAGS or any(len(tag) > LONGEST_TAG for tag in self.tags):
            raise InvalidRuleError(f"'tags' are over {MOST_STORED_TAGS}, or one is over {LONGEST_TAG} characters")
        if any(len(where) > LONGEST_PLACE for where in (self.scope_value, *self.globs, *self.languages)):
            raise InvalidRuleError(f"the scope is over {LONGEST_PLACE:,} characters")
        if not 0.0 <= self.confidence <= 1.0:
            raise InvalidRuleError(f"'confidence' {self.confidence} is not from 0 to 1")

    @property
    def trigger_terms(self) -> str:
        """The words of the trigger and the title, as text search indexes them."""
        return index_text(f"{self.trigger}\n{self.title}")

    @property
    def terms(self) -> str:
        """The words of the whole rule, its tags, globs and scope among them."""
        where = self.scope_value if self.scope_level in {ScopeLevel.FILE, ScopeLevel.DIRECTORY} else ""
        parts = (self.trigger, self.title, self.action, self.mistake, self.reason, *self.tags, *self.globs, where)
        return index_text("\n".join(parts))

    @property
    def scope_keys(self) -> list[str]:
        """The keys by which a file's path finds this rule."""
        keys = set(scope.scope_keys(self.scope_level, self.scope_value, list(self.globs)))
        keys.update(f"language:{language.lower()}" for language in self.languages)
        return sorted(keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(RuleContent):
    """A stored rule.

    Its content is never lost: an edit appends the old state to its versions, a better rule supersedes it.
    *project_id* None means that it holds everywhere. A *pinned* rule is shown before others of its bucket and left
    alone by everything automatic; a *muted* one stays in force and is not shown.
    """

    id: RuleId
    uid: str
    version: int = 1
    status: Status
    pinned: bool = False
    muted: bool = False
    project_id: int | None = None
    supersedes_id: int | None = None
    superseded_by_id: int | None = None
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None = None

    @property
    def is_in_force(self) -> bool:
        """Whether the agent may be told this rule as one that holds."""
        return self.status in status.IN_FORCE

    @property
    def label(self) -> str:
        """The rule's id as people and agents write it, `R12`."""
        return f"R{self.id}"

    @property
    def content(self) -> RuleContent:
        """What the rule says, without what is stored about it."""
        return RuleContent(**{name: getattr(self, name) for name in CONTENT})


CONTENT = tuple(field.name for field in dataclasses.fields(RuleContent))
"""The names of what a rule says."""

ENUMERATIONS: dict[str, type[Tolerant]] = {
    "status": Status,
    "category": Category,
    "scope_level": ScopeLevel,
    "capture_reason": CaptureReason,
    "origin": Origin,
}
MOMENTS = ("created_at", "updated_at", "last_used_at")


def as_object(content: RuleContent) -> dict[str, Any]:
    """A rule or its content as JSON holds it: enumerations as text, lists, moments in UTC."""
    found = {}
    for field in dataclasses.fields(content):
        value = getattr(content, field.name)
        if isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, StrEnum):
            value = value.value
        elif isinstance(value, datetime):
            value = value.strftime("%Y-%m-%dT%H:%M:%SZ")
        found[field.name] = value
    return found


def from_object(stored: dict[str, Any]) -> Rule:
    """A rule from what `as_object` gave. What an older program did not know has its default; a newer one's is left out.

    Raises:
        InvalidRuleError: It holds no rule.
    """
    known = {field.name for field in dataclasses.fields(Rule)}
    values = {name: value for name, value in stored.items() if name in known}
    values |= {name: kind(values[name]) for name, kind in ENUMERATIONS.items() if name in values}
    values |= {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    values |= {name: datetime.fromisoformat(values[name]) for name in MOMENTS if values.get(name)}
    values |= {name: bool(values[name]) for name in ("always_apply", "pinned", "muted") if name in values}
    try:
        return Rule(**values)
    except TypeError as error:
        raise InvalidRuleError(str(error)) from error
