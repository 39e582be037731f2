"""Rule: one thing the agent is told, and when. Cold: what is created, validated, edited and exported."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, NewType, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from agentrecall_domain.rules import scope, status
from agentrecall_domain.text.tokenizer import index_text

RuleId = NewType("RuleId", int)

LONGEST_TITLE = 160
LONGEST_PART = 2000
MOST_TAGS = 10
LONGEST_TAG = 60


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
    EXPLICIT_USER_PREFERENCE = "ExplicitUserPreference"
    UNKNOWN = "unknown"


def _flat(text: str) -> str:
    return " ".join(text.split())


Line = Annotated[str, AfterValidator(_flat), Field(max_length=LONGEST_PART)]


class RuleContent(BaseModel):
    """What a rule says, and where it holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Annotated[str, AfterValidator(_flat), Field(max_length=LONGEST_TITLE)]
    trigger: Line
    action: Annotated[Line, Field(min_length=1)]
    mistake: Line = ""
    reason: Line = ""
    category: Category = Category.ENGINEERING_LESSON
    scope_level: ScopeLevel = ScopeLevel.GLOBAL
    scope_value: str = ""
    globs: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    always_apply: bool = False
    confidence: float = Field(default=0.7, ge=0.0, le=1.0)
    priority: int = 0
    source: str = "Learned"
    capture_reason: CaptureReason = CaptureReason.MANUAL_FEEDBACK
    origin: Origin = Origin.USER
    evidence: str = ""
    session_uid: str = ""
    turn_uid: str = ""

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


class Rule(RuleContent):
    """A stored rule.

    Its content is never lost: an edit appends the old state to its versions, a better rule supersedes it.
    *project_id* None means that it holds everywhere.
    """

    id: RuleId
    uid: str
    version: int = 1
    status: Status
    project_id: int | None = None
    supersedes_id: int | None = None
    superseded_by_id: int | None = None
    created_at: AwareDatetime
    updated_at: AwareDatetime
    last_used_at: AwareDatetime | None = None

    @property
    def is_in_force(self) -> bool:
        """Whether the agent may be told this rule as one that holds."""
        return self.status in status.IN_FORCE

    @property
    def label(self) -> str:
        """The rule's id as people and agents write it, `R12`."""
        return f"R{self.id}"
