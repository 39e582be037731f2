"""Answer: what a model printed, read as the notes of a unit or as a verdict on two notes. Cold.

Total over any text: it is read, or it is an `InvalidAnswerError`. One item that is no note keeps no other from landing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from agentrecall_domain.notes.judge import Draft, InvalidAnswerError, NoteVerdict
from agentrecall_domain.notes.note import (
    LONGEST_DISTILLED,
    LONGEST_PROMPT,
    LONGEST_TITLE,
    SHORTEST_TITLE,
    NoteType,
    Source,
)
from agentrecall_domain.notes.unit import Spoken, Unit
from agentrecall_domain.text.utc import instant
from agentrecall_domain.turns.identity import squeezed

MOST_NOTES = 20
MOST_SOURCES = 10
MOST_TRIES = 200
"""So many places of a text are tried as the beginning of an object."""
MOST_PROBLEMS = 5
"""So many problems are told at once."""
USER = "user"
ENVELOPES = ("result", "response")
"""Where programs that print JSON of their own put what the model said."""

_OBJECT = re.compile(r'\{\s*"')
_TYPES = [kind.value for kind in NoteType if kind is not NoteType.UNKNOWN]


def raw_item_label(raw_item_id: int) -> str:
    """A raw item as people and models write it, `T78`."""
    return f"T{raw_item_id}"


def _label(value: object) -> object:
    return raw_item_label(value) if isinstance(value, int) else value


def _one_word(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


def _known_type(value: NoteType) -> NoteType:
    if value is NoteType.UNKNOWN:
        raise ValueError(f"it is one of {', '.join(_TYPES)}")
    return value


def _end(value: object) -> datetime | None:
    """A date as the model wrote it; words such as "open" are as good as none."""
    return instant(value) if isinstance(value, str) else None


class Answered(BaseModel):
    """A part of an answer. What is null was left out."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        return {key: value for key, value in given.items() if value is not None} if isinstance(given, dict) else given


class Quote(Answered):
    """Words that prove a note, and which message they are from."""

    raw_item: Annotated[str, BeforeValidator(_label)] = Field(
        default="", description="label of the message, such as T12", json_schema_extra={"pattern": "^T[0-9]+$"}
    )
    quote: str = Field(description="copied letter for letter from that message")

    @model_validator(mode="before")
    @classmethod
    def _words_alone(cls, given: Any) -> Any:
        return {"quote": given} if isinstance(given, str) else given


class NoteAnswer(Answered):
    """One note. Its title's length and its quotes are looked at by the gates, which log what they keep out."""

    type: Annotated[NoteType, BeforeValidator(_one_word), AfterValidator(_known_type), WithJsonSchema({"enum": _TYPES})]
    title: str = Field(json_schema_extra={"minLength": SHORTEST_TITLE, "maxLength": LONGEST_TITLE})
    body: str = Field(min_length=1, max_length=LONGEST_DISTILLED)
    importance: float = Field(default=0.5, ge=0.0, le=1.0, allow_inf_nan=False)
    confidence: float = Field(default=0.6, ge=0.0, le=1.0, allow_inf_nan=False)
    sources: list[Quote] = Field(default=[], max_length=MOST_SOURCES, json_schema_extra={"minItems": 1})
    valid_to: Annotated[
        datetime | None, BeforeValidator(_end), WithJsonSchema({"type": ["string", "null"], "format": "date"})
    ] = None


class DistilAnswer(Answered):
    """The notes that a recording holds, often none."""

    notes: list[NoteAnswer] = Field(max_length=MOST_NOTES)


class CompareAnswer(Answered):
    """What the new note is to the old one."""

    reason: str = Field(default="", description="one sentence")
    verdict: Annotated[NoteVerdict, BeforeValidator(_one_word)]


class _Heard(NamedTuple):
    """A message, its text without white space, and the user's last words up to it."""

    span: Spoken
    plain: str
    prompt: str


def drafts_in(printed: str, unit: Unit) -> list[Draft]:
    """The notes of *unit* that *printed* holds; one that is none comes as a draft with its fault.

    A quote that no message holds is left for the gates, which keep it out and log it.

    Raises:
        InvalidAnswerError: There is no answer in it, or all that it names are no notes.
    """
    items = _items(printed)
    heard = _heard(unit)
    drafts = [_draft(place, item, heard) for place, item in enumerate(items[:MOST_NOTES])]
    if drafts and all(draft.fault for draft in drafts):
        raise InvalidAnswerError("; ".join(draft.fault for draft in drafts[:MOST_PROBLEMS]))
    if len(items) > MOST_NOTES:
        drafts.append(_faulty(f"over {MOST_NOTES} notes, {len(items) - MOST_NOTES} left out", items[MOST_NOTES:]))
    return drafts


def verdict_in(printed: str) -> NoteVerdict:
    """The verdict that *printed* holds: an object, or the bare word.

    Raises:
        InvalidAnswerError: There is none in it.
    """
    word = printed.strip().lower()
    if word in set(NoteVerdict):
        return NoteVerdict(word)
    found = _last(printed, lambda value: isinstance(value, dict) and "verdict" in value)
    if found is None:
        raise InvalidAnswerError("there is no JSON object with a 'verdict'")
    try:
        return CompareAnswer.model_validate(found).verdict
    except ValidationError as error:
        raise InvalidAnswerError(_problems(error, "")) from error


def _items(printed: str) -> list[Any]:
    """What *printed* gives as notes, whatever each is."""
    whole = _loaded(_unfenced(printed))
    if isinstance(whole, list):
        return whole
    if isinstance(whole, dict) and "notes" not in whole and {"title", "body"} <= whole.keys():
        return [whole]
    found = _last(printed, lambda value: isinstance(value, dict) and isinstance(value.get("notes"), list))
    if found is None:
        raise InvalidAnswerError("there is no JSON object with a list of 'notes'")
    notes: list[Any] = found["notes"]
    return notes


def _last(printed: str, fits: Callable[[Any], bool]) -> Any:
    """The last object in *printed* that fits, or None: a model that thinks aloud says last what it means."""
    found = None
    for value in _objects(printed):
        inner = next((value[name] for name in ENVELOPES if isinstance(value.get(name), str)), None)
        if fits(value):
            found = value
        elif inner is not None:
            found = next((one for one in reversed(list(_objects(inner))) if fits(one)), found)
    return found


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects that stand in *text*, those inside another left out."""
    whole = _loaded(text)
    if isinstance(whole, dict):
        yield whole
        return
    decoder = json.JSONDecoder()
    at = 0
    for _ in range(MOST_TRIES):
        start = _OBJECT.search(text, at)
        if start is None:
            return
        try:
            value, at = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            at = start.end()
            continue
        yield value


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _unfenced(text: str) -> str:
    """*text* without the Markdown fence that is all around it."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```"):
        return text[3:-3].removeprefix("json").strip()
    return text


def _heard(unit: Unit) -> list[_Heard]:
    heard = []
    prompt = ""
    for span in unit.spans:
        prompt = span.text if span.origin == USER else prompt
        heard.append(_Heard(span, squeezed(span.text), prompt[:LONGEST_PROMPT]))
    return heard


def _draft(place: int, item: Any, heard: Sequence[_Heard]) -> Draft:
    try:
        note = NoteAnswer.model_validate(item)
    except ValidationError as error:
        return _faulty(_problems(error, f"notes.{place}"), item)
    found = [_found(quote, heard) for quote in note.sources]
    first = next((one for one in found if one is not None), None)
    return Draft(
        type=note.type,
        title=" ".join(note.title.split()),
        body=note.body.strip(),
        prompt=first.prompt if first else "",
        importance=note.importance,
        confidence=note.confidence,
        sources=tuple(
            Source(raw_item_id=one.span.raw_item_id if one else None, span=quote.quote)
            for quote, one in zip(note.sources, found, strict=True)
        ),
        said_at=first.span.said_at if first else None,
        valid_to=note.valid_to,
    )


def _found(quote: Quote, heard: Sequence[_Heard]) -> _Heard | None:
    """The message that holds the quote: the one named, else one of the user, else any."""
    plain = squeezed(quote.quote)
    holding = [one for one in heard if plain and plain in one.plain]
    return min(holding, key=lambda one: _distrust(quote, one.span), default=None)


def _distrust(quote: Quote, span: Spoken) -> int:
    if quote.raw_item.strip().upper() == raw_item_label(span.raw_item_id):
        return 0
    return 1 if span.origin == USER else 2


def _faulty(fault: str, item: Any) -> Draft:
    """What is no note, with its fault, so that it is logged like everything that is kept out."""
    return Draft(type=NoteType.UNKNOWN, title="", body=json.dumps(item)[:LONGEST_DISTILLED], sources=(), fault=fault)


def _problems(error: ValidationError, inside: str) -> str:
    """What is wrong, and where."""
    told = []
    for one in error.errors()[:MOST_PROBLEMS]:
        where = ".".join([inside] * bool(inside) + [str(part) for part in one["loc"]])
        told.append(f"'{where or 'answer'}': {one['msg']}")
    return "; ".join(told)
