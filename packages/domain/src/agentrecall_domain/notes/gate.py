"""The gate: what a judge proposes becomes a note only when it is proven, harmless, and says something. Cold.

Every rule has a name; what fails one is kept as a rejection with that name and never dropped silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from agentrecall_domain.capture.spoken import prose
from agentrecall_domain.notes.judge import Draft
from agentrecall_domain.notes.note import LONGEST_DISTILLED, LONGEST_TITLE, SHORTEST_TITLE, NoteType, Source
from agentrecall_domain.notes.unit import Spoken, Unit
from agentrecall_domain.text.poison import find_poison
from agentrecall_domain.text.redaction import find_secrets
from agentrecall_domain.text.tokenizer import terms

OWN_WORDS = frozenset({"user", "agent"})
"""Whose words may teach something: what a tool printed in a session only supports them."""


_SHARED = 2
"""So many words that say something a draft has from the messages that prove it."""
_ADDRESS = re.compile(r"https?://[^\s<>\"'`)\]]*[^\s<>\"'`)\].,;:!?]")


class GateRule(StrEnum):
    """What a draft can fail."""

    FAULT = "fault"
    GROUNDING = "grounding"
    ORIGIN = "origin"
    POISON = "poison"
    SECRETS = "secrets"
    TITLE_LENGTH = "title-length"
    BODY_LENGTH = "body-length"
    JUNK = "junk"


class Refusal(NamedTuple):
    """Which rule a draft failed, and what of it."""

    rule: GateRule
    detail: str


def refusal(draft: Draft, unit: Unit) -> Refusal | None:
    """Why *draft* may not become a note of *unit*; None when it may."""
    return next(_refusals(draft, unit), None)


def grounded(sources: tuple[Source, ...], unit: Unit) -> tuple[Source, ...]:
    """*sources*, each with the raw item that holds it; those that none holds are missing."""
    return tuple(source for source, _ in _proofs(sources, unit))


def _refusals(draft: Draft, unit: Unit) -> Iterator[Refusal]:
    if draft.fault:
        yield Refusal(GateRule.FAULT, draft.fault)
    proofs = list(_proofs(draft.sources, unit))
    if not draft.sources or len(proofs) < len(draft.sources):
        held = {source.span for source, _ in proofs}
        invented = next((source.span for source in draft.sources if source.span not in held), "")
        yield Refusal(GateRule.GROUNDING, f"no verbatim span of it: {invented}" if invented else "no source")
    if unit.kind == "episode" and not any(spoken.origin in OWN_WORDS for _, spoken in proofs):
        yield Refusal(GateRule.ORIGIN, "nobody of the conversation said it")
    yield from _unrelated(draft, proofs, unit)
    yield from _poison(draft, proofs)
    secrets = find_secrets("\n".join([draft.title, draft.body, draft.prompt, *(one.span for one in draft.sources)]))
    if secrets:
        yield Refusal(GateRule.SECRETS, ", ".join(sorted({kind for _, _, kind in secrets})))
    if not SHORTEST_TITLE <= len(draft.title.strip()) <= LONGEST_TITLE:
        yield Refusal(GateRule.TITLE_LENGTH, f"{len(draft.title.strip())} characters")
    if len(draft.body) > LONGEST_DISTILLED:
        yield Refusal(GateRule.BODY_LENGTH, f"{len(draft.body)} characters")
    learned_nothing = _why_junk(draft, proofs, unit)
    if learned_nothing:
        yield Refusal(GateRule.JUNK, learned_nothing)


def _proofs(sources: tuple[Source, ...], unit: Unit) -> Iterator[tuple[Source, Spoken]]:
    """Each source that is a verbatim span, white space apart, with who said it. One that tells nothing proves none."""
    said = [(spoken, _plain(spoken.text)) for spoken in unit.spans]
    for source in sources:
        span = _plain(source.span)
        holding = (spoken for spoken, text in said if span in text and source.raw_item_id in {None, spoken.raw_item_id})
        spoken = next(holding, None) if terms(span) else None
        if spoken is not None:
            yield source.model_copy(update={"raw_item_id": spoken.raw_item_id}), spoken


def _unrelated(draft: Draft, proofs: list[tuple[Source, Spoken]], unit: Unit) -> Iterator[Refusal]:
    """A judge that obeys what it reads proves its own words with somebody's thanks, and gives an address of its own."""
    says = set(terms(f"{draft.title} {draft.body}"))
    heard = {term for _, spoken in proofs for term in terms(spoken.text)}
    if proofs and len(says & heard) < min(_SHARED, len(says)):
        yield Refusal(GateRule.GROUNDING, "it says nothing of what its source says")
    own = " ".join(spoken.text for spoken in unit.spans if spoken.origin in OWN_WORDS or unit.kind != "episode")
    for address in _ADDRESS.findall(f"{draft.title} {draft.body}"):
        if address not in own:
            yield Refusal(GateRule.GROUNDING, f"an address that nobody gave: {address}")


def _poison(draft: Draft, proofs: list[tuple[Source, Spoken]]) -> Iterator[Refusal]:
    """A user may say what no file may: words are judged by whose they are, and a draft's by the least trusted."""
    origins = {spoken.origin for _, spoken in proofs}
    whose = "user" if origins == {"user"} else next(iter(sorted(origins - {"user"})), "agent")
    said = [(f"{draft.title}\n{draft.body}", whose), *((source.span, spoken.origin) for source, spoken in proofs)]
    for text, origin in said:
        pattern = find_poison(text, origin)
        if pattern is not None:
            yield Refusal(GateRule.POISON, pattern)
            return


def _why_junk(draft: Draft, proofs: list[tuple[Source, Spoken]], unit: Unit) -> str:
    """In which way a draft teaches nothing; '' when it does."""
    if draft.type is NoteType.UNKNOWN:
        return "of no known type"
    if not draft.body.strip():
        return "no body"
    if not terms(draft.title):
        return "the title says nothing"
    if not terms(prose(draft.body)):
        return "only code"
    # What the user said may be the note. Where it is the agent's, the request alone is no title of what was learned.
    asked = {_folded(spoken.text) for spoken in unit.spans if spoken.origin == "user"}
    if _folded(draft.title) in asked and all(spoken.origin != "user" for _, spoken in proofs):
        return "the title is the prompt"
    return ""


def _plain(text: str) -> str:
    return " ".join(text.split())


def _folded(text: str) -> str:
    return _plain(text).casefold().rstrip(" .!?。！？")  # noqa: RUF001 -- the marks of other scripts
