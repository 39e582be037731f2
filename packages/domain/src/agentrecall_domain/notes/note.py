"""Note: a distilled statement with its verbatim source: what is created, validated, edited and exported. Cold."""

from __future__ import annotations

from typing import Annotated, NewType

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from agentrecall_domain.rules.rule import Tolerant
from agentrecall_domain.text.tokenizer import index_text

NoteId = NewType("NoteId", int)

SHORTEST_TITLE, LONGEST_TITLE = 8, 160
LONGEST_BODY = 20_000
"""Characters that a person may keep in one note."""
LONGEST_DISTILLED = 4000
"""Characters of a note that a judge makes of a unit: more is a copy and no distillate."""
LONGEST_PROMPT = 500
"""Characters of the prompt that led to a note which are kept with it, so that it is found by what was asked."""


class NoteType(Tolerant):
    """What kind of statement a note is."""

    DECISION = "decision"
    FACT = "fact"
    FIX = "fix"
    PREFERENCE = "preference"
    PROCEDURE = "procedure"
    GOTCHA = "gotcha"
    REFERENCE = "reference"
    UNKNOWN = "unknown"


class NoteStatus(Tolerant):
    """Where a note stands. A tombstone keeps its text and its links; nothing revives it by itself."""

    LIVE = "Live"
    TOMBSTONED = "Tombstoned"
    UNKNOWN = "unknown"


class Source(BaseModel):
    """The proof of a note: a verbatim span of a raw item."""

    model_config = ConfigDict(frozen=True)

    raw_item_id: int | None
    span: str


class NoteContent(BaseModel):
    """What a note says, from when to when it holds, and how sure and how weighty it is (both 0 to 1)."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    type: NoteType
    title: Annotated[str, StringConstraints(max_length=LONGEST_TITLE)]
    body: Annotated[str, StringConstraints(max_length=LONGEST_BODY)]
    prompt: Annotated[str, StringConstraints(max_length=LONGEST_PROMPT)] = ""
    importance: float = Field(ge=0.0, le=1.0)
    confidence: float = Field(ge=0.0, le=1.0)
    valid_from: AwareDatetime
    valid_to: AwareDatetime | None = None

    @property
    def title_terms(self) -> str:
        """The words of the title, as text search indexes them."""
        return index_text(self.title)

    @property
    def terms(self) -> str:
        """The words of the whole note, those of the prompt that led to it among them."""
        return index_text(f"{self.title}\n{self.body}\n{self.prompt}")


class Note(NoteContent):
    """A stored note. *project_id* None means that it holds everywhere."""

    id: NoteId
    uid: str
    version: int = 1
    status: NoteStatus
    project_id: int | None = None
    episode_id: int | None = None
    judge: str
    tombstoned_by_id: int | None = None
    tombstone_reason: str = ""
    sources: tuple[Source, ...] = ()
    created_at: AwareDatetime
    updated_at: AwareDatetime
    last_used_at: AwareDatetime | None = None

    @property
    def label(self) -> str:
        """The note's id as people and agents write it, `N34`."""
        return f"N{self.id}"

    @property
    def content(self) -> NoteContent:
        """What the note says, without what is stored about it."""
        return NoteContent(**{name: getattr(self, name) for name in NoteContent.model_fields})
