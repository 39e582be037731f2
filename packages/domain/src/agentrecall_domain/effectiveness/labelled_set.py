"""A labelled set: rules, scenarios, and which of the rules each scenario should bring. Cold."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from agentrecall_domain.rules.rule import Category, RuleContent, ScopeLevel, Status


class MalformedSetError(ValueError):
    """The text is no labelled set; the message says which part is wrong."""


class LabelledRule(BaseModel):
    """A rule as a labelled set gives it; *scope_value* and *repository* name a project as `acme/shop-api`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    key: str = Field(min_length=1)
    trigger: str = ""
    action: str = Field(min_length=1)
    mistake: str = ""
    reason: str = ""
    tags: tuple[str, ...] = ()
    category: Category = Category.ENGINEERING_LESSON
    scope_level: ScopeLevel = ScopeLevel.GLOBAL
    scope_value: str = ""
    repository: str = ""
    globs: tuple[str, ...] = ()
    confidence: float = Field(default=0.7, ge=0.0, le=1.0)
    status: Status = Status.ACTIVE
    always_apply: bool = False

    @field_validator("scope_level", "status", mode="before")
    @classmethod
    def _any_case(cls, value: object) -> object:
        return value.capitalize() if isinstance(value, str) else value

    @model_validator(mode="after")
    def _is_a_rule(self) -> Self:
        self.content("")
        return self

    @property
    def project(self) -> str:
        """The name of the project that the rule belongs to; empty when it is global."""
        if self.scope_level is ScopeLevel.REPOSITORY:
            return self.repository or self.scope_value
        return self.repository

    def content(self, scope_value: str) -> RuleContent:
        """The rule's content, with *scope_value* as the memory writes it."""
        return RuleContent(
            title=self.action[:160],
            trigger=self.trigger,
            action=self.action,
            mistake=self.mistake,
            reason=self.reason,
            category=self.category,
            scope_level=self.scope_level,
            scope_value=scope_value,
            globs=self.globs,
            tags=self.tags,
            always_apply=self.always_apply,
            confidence=self.confidence,
        )


class Kind(StrEnum):
    """The moment that a scenario happens at."""

    PROMPT = "prompt"
    EDIT = "edit"


class Scenario(BaseModel):
    """A prompt or an edit in a repository, and the keys of the rules that should be shown, the best first."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: int | str
    kind: Kind = Kind.PROMPT
    group: str = ""
    prompt: str = ""
    file_path: str = ""
    text: str = ""
    repository: str = ""
    expected: tuple[str, ...] = ()

    @property
    def is_negative(self) -> bool:
        """Whether nothing should be shown."""
        return not self.expected


class Baseline(BaseModel):
    """The figures under which the set fails."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    precision_at_1: float = 0.0
    precision_at_3: float = 0.0
    recall_at_5: float = 0.0
    negative_quiet: float = 0.0


class LabelledSet(BaseModel):
    """The whole set."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    rules: Annotated[tuple[LabelledRule, ...], Field(min_length=1)]
    scenarios: Annotated[tuple[Scenario, ...], Field(min_length=1)]
    baseline: Baseline = Baseline()

    @model_validator(mode="after")
    def _names_are_known(self) -> Self:
        keys = [rule.key for rule in self.rules]
        twice = {key for key in keys if keys.count(key) > 1}
        if twice:
            raise ValueError(f"rule key {min(twice)!r} is given twice")
        for scenario in self.scenarios:
            unknown = set(scenario.expected).difference(keys)
            if unknown:
                raise ValueError(f"scenario {scenario.id} expects {min(unknown)!r}, which is no rule of the set")
        return self


def parse(text: str | bytes) -> LabelledSet:
    """Read a labelled set from JSON.

    Raises:
        MalformedSetError: It is not JSON, a field is wrong, or a scenario expects a rule that is not there.
    """
    try:
        return LabelledSet.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the set"
        raise MalformedSetError(f"'{where}': {first['msg']}") from error
