"""A verdict: a judge's structured answer about a finished turn, as it is handed in. Cold.

Field limits and enumerations are the predecessor's (rule-memory facts, 6.2 and 6.3), with several lessons a turn.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from agentrecall_domain.rules.outcome import REPORTED, OutcomeType
from agentrecall_domain.rules.rule import LONGEST_PART, LONGEST_TAG, LONGEST_TITLE, MOST_TAGS

MOST_VERDICTS = 20
MOST_OUTCOMES = 50
LONGEST_TURN_TEXT = 200_000
LONGEST_EVIDENCE = 20_000
LONGEST_NAME = 4_096
"""Of an id, a folder or a source."""


def _number(value: object) -> object:
    """A rule's or an injection's id as people and agents write it: `R12`, `I56`, or a number."""
    return value[1:] if isinstance(value, str) and value[:1] in {"R", "I", "#"} else value


RuleNumber = Annotated[int, BeforeValidator(_number), Field(ge=1, le=2**63 - 1)]


class Decision(StrEnum):
    """What the judge says should be done. A misspelt one is refused: skipping it would lose the lesson in silence."""

    CAPTURE = "Capture"
    SUGGEST = "SuggestCapture"
    SKIP = "Skip"
    REINFORCE = "ReinforceExisting"
    SUPERSEDE = "SupersedeExisting"


class MemoryType(StrEnum):
    """What kind of memory the judge saw."""

    ENGINEERING_LESSON = "EngineeringLesson"
    REPOSITORY_CONVENTION = "RepositoryConvention"
    USER_PREFERENCE = "UserPreference"
    COMMUNICATION_PREFERENCE = "CommunicationPreference"
    DOC_BACKED_CORRECTION = "DocBackedCorrection"
    TOOL_WORKFLOW_CONVENTION = "ToolWorkflowConvention"
    REVIEW_LESSON = "ReviewLesson"
    CODE_FACT = "CodeFact"
    NOT_MEMORY = "NotMemory"


class JudgedReason(StrEnum):
    """Why the judge decided as it did."""

    EXPLICIT_USER_SAVE = "ExplicitUserSave"
    EXPLICIT_USER_DO_NOT_SAVE = "ExplicitUserDoNotSave"
    OBSERVED_AGENT_FAILURE = "ObservedAgentFailure"
    REVIEWER_CORRECTION = "ReviewerCorrection"
    USER_CORRECTION = "UserCorrection"
    REPOSITORY_CONVENTION = "RepositoryConvention"
    USER_PREFERENCE = "UserPreference"
    REPEATED_MISTAKE = "RepeatedMistake"
    DOC_BACKED_CORRECTION = "DocBackedCorrection"
    DUPLICATE_EXISTING = "DuplicateExisting"
    ASSISTANT_PROSE = "AssistantProse"
    SOURCE_DOCUMENT_ONLY = "SourceDocumentOnly"
    COMMAND_OUTPUT_ONLY = "CommandOutputOnly"
    LOG_OUTPUT_ONLY = "LogOutputOnly"
    CODE_FACT = "CodeFact"
    NOT_REUSABLE = "NotReusable"
    AMBIGUOUS = "Ambiguous"
    NOT_MEMORY = "NotMemory"
    SELF_IDENTIFIED_FRICTION = "SelfIdentifiedFriction"
    UNKNOWN = "unknown"


class NormalizedRule(BaseModel):
    """The rule that the judge proposes."""

    model_config = ConfigDict(extra="ignore")

    title: str = Field(default="", max_length=LONGEST_TITLE)
    condition: str = Field(default="", max_length=LONGEST_PART)
    action: str = Field(default="", max_length=LONGEST_PART)
    avoid: str = Field(default="", max_length=LONGEST_PART)
    because: str = Field(default="", max_length=LONGEST_PART)
    scope: str = Field(default="", max_length=LONGEST_PART)
    always_apply: bool = False
    tags: list[Annotated[str, Field(max_length=LONGEST_TAG)]] = Field(default=[], max_length=MOST_TAGS)

    @field_validator("title", "condition", "action", "avoid", "because", "scope", mode="before")
    @classmethod
    def _absent_is_empty(cls, value: object) -> object:
        return "" if value is None else value


class Verdict(BaseModel):
    """One lesson of a turn, or the judge's word that there was none."""

    model_config = ConfigDict(extra="ignore")

    decision: Decision
    capture_reason: JudgedReason = JudgedReason.UNKNOWN
    memory_type: MemoryType = MemoryType.NOT_MEMORY
    confidence: float = Field(default=0.0, ge=0.0, le=1.0, allow_inf_nan=False)
    target_existing_rule_id: RuleNumber | None = None
    evidence: str = Field(default="", max_length=LONGEST_EVIDENCE)
    normalized_rule: NormalizedRule | None = None
    why_not_saved: str | None = Field(default=None, max_length=LONGEST_PART)
    dedupe_notes: str | None = Field(default=None, max_length=LONGEST_PART)


class Refused(BaseModel):
    """An item that is no verdict, and why: it does not keep its neighbours from being carried out."""

    why: str


class ReportedOutcome(BaseModel):
    """How a rule that was shown in the turn fared, as the agent saw it."""

    model_config = ConfigDict(extra="ignore")

    rule_id: RuleNumber
    injection_id: RuleNumber | None = None
    outcome: OutcomeType
    note: str = Field(default="", max_length=LONGEST_PART)

    @field_validator("outcome")
    @classmethod
    def _may_be_reported(cls, value: OutcomeType) -> OutcomeType:
        if value not in REPORTED:
            raise ValueError(f"an agent may report {', '.join(sorted(REPORTED))}")
        return value


class TurnVerdict(BaseModel):
    """Everything handed in about one turn. `judgment` with one object is an alias of `verdicts` with a list."""

    model_config = ConfigDict(extra="ignore")

    session_id: str = Field(default="", max_length=LONGEST_NAME)
    turn_id: str = Field(default="", max_length=LONGEST_NAME, validation_alias=AliasChoices("turn_id", "prompt_id"))
    cwd: str = Field(default="", max_length=LONGEST_NAME)
    source: str = Field(default="claude-code", max_length=LONGEST_NAME)
    prompt: str = Field(default="", max_length=LONGEST_TURN_TEXT)
    assistant_response: str = Field(
        default="",
        max_length=LONGEST_TURN_TEXT,
        validation_alias=AliasChoices("assistant_response", "last_assistant_message"),
    )
    accepted: bool | None = None
    verdicts: list[Verdict | Refused] = Field(
        default=[], max_length=MOST_VERDICTS, validation_alias=AliasChoices("verdicts", "judgment")
    )
    rule_outcomes: list[ReportedOutcome | Refused] = Field(default=[], max_length=MOST_OUTCOMES)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        return {key: value for key, value in given.items() if value is not None} if isinstance(given, dict) else given

    @field_validator("verdicts", mode="before")
    @classmethod
    def _one_is_a_list_of_one(cls, value: object) -> object:
        return _each_by_itself(Verdict, [value] if isinstance(value, dict) else value)

    @field_validator("rule_outcomes", mode="before")
    @classmethod
    def _outcomes_one_by_one(cls, value: object) -> object:
        return _each_by_itself(ReportedOutcome, value)


class MalformedVerdictError(ValueError):
    """What was handed in is no verdict; the message says which field and what to do."""


def parse(text: str | bytes) -> TurnVerdict:
    """Read a verdict from JSON.

    Raises:
        MalformedVerdictError: It is not JSON, or a field is missing, of the wrong type or over its limit.
    """
    try:
        found = TurnVerdict.model_validate_json(text)
    except ValidationError as error:
        raise MalformedVerdictError(_first(error, "")) from error
    items = [*found.verdicts, *found.rule_outcomes]
    if not items:
        raise MalformedVerdictError("'verdicts': there is none; give at least one, or a Skip")
    refused = [item.why for item in items if isinstance(item, Refused)]
    if len(refused) == len(items):
        raise MalformedVerdictError(refused[0])
    return found


def _each_by_itself(kind: type[BaseModel], items: object) -> object:
    """Each item as what it is meant to be, or as its refusal; what is no list is left to the type check."""
    if not isinstance(items, list):
        return items if kind is Verdict else [Refused(why="'rule_outcomes': it is no list")]
    found: list[BaseModel] = []
    for place, item in enumerate(items):
        try:
            found.append(item if isinstance(item, (kind, Refused)) else kind.model_validate(item))
        except ValidationError as error:
            name = "verdicts" if kind is Verdict else "rule_outcomes"
            found.append(Refused(why=_first(error, f"{name}.{place}")))
    return found


def _first(error: ValidationError, inside: str) -> str:
    """The first thing that is wrong, and where."""
    first = error.errors()[0]
    where = ".".join([inside] * bool(inside) + [str(part) for part in first["loc"]]) or "input"
    return f"'{where}': {first['msg']}"
