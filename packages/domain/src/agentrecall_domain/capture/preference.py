"""Preferences: how a person wants the agent to talk and to work with them, always. Light, total, deterministic.

A preference needs words that it stands ("from now on", "I prefer", "stop asking"), and is about the agent, not about
the code. In which language to answer is never a preference of ours: the person's last message says that best.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from agentrecall_domain.capture import preference_words as w
from agentrecall_domain.capture.spoken import folded, sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

_LONGEST_WISH = 600
"""A sentence beyond this is no wish; the bound keeps any text linear."""

_patterns: dict[str, re.Pattern[str]] = {}


class Dimension(StrEnum):
    """What about the agent a preference is for."""

    NONE = "None"
    VERBOSITY = "Verbosity"
    PROMPT_FORMAT = "PromptFormat"
    QUESTIONING = "Questioning"
    HONESTY = "Honesty"
    EXPLANATION_LEVEL = "ExplanationLevel"
    GENERAL = "General"

    @classmethod
    def _missing_(cls, value: object) -> Self | None:  # noqa: ARG003 -- a newer program's is general to us
        return cls("General")


class Preference(NamedTuple):
    """One standing wish; *refused* says why an unsafe one is not kept, and is empty otherwise."""

    dimension: Dimension
    category: str
    sentence: str
    refused: str = ""


def recognise(text: str) -> Preference | None:
    """The first preference in *text*; None when there is none."""
    for sentence in sentences(text):
        if len(sentence) <= _LONGEST_WISH and (found := _recognised(sentence)):
            return found
    return None


def chooses_language(text: str) -> bool:
    """Whether *text* is a standing wish about the language of the answers, which is never ours to keep."""
    wishes = [folded(sentence) for sentence in sentences(text) if len(sentence) <= _LONGEST_WISH]
    return any(_stands(said) and _is_about_language(said) for said in wishes)


def _recognised(sentence: str) -> Preference | None:  # noqa: PLR0911 -- one finding a return, in their order
    said = folded(sentence)
    if not _stands(said) or _is_about_language(said):
        return None
    if why := _unsafe(said):
        return Preference(Dimension.HONESTY, "CommunicationPreference", _plain(sentence), why)
    if _has("CODE_MATTER", said):
        return None
    talk = _has("TALK", said)
    personal = _has("PERSON", said)
    if _has("CODE_THINGS", said) and not personal:
        return None
    if talk and (dimension := _dimension(said)):
        return Preference(dimension, "CommunicationPreference", _plain(sentence))
    if talk and _speaks_of_talk(said):
        return Preference(Dimension.GENERAL, "CommunicationPreference", _plain(sentence))
    if (_has("FIRST_PERSON_WISH", said) and not _wants_of_work(said)) or (
        _has("PERSON_TOO", said) and _has("TOGETHER", said)
    ):
        return Preference(Dimension.GENERAL, "UserPreference", _plain(sentence))
    if _is_directed(said):
        category = "CommunicationPreference" if talk or _has("MANNERS", said) else "UserPreference"
        return Preference(Dimension.GENERAL, category, _plain(sentence))
    return None


def _stands(said: str) -> bool:
    """Whether a wish is for good; nobody refuses apologies or emojis for one answer only."""
    return (
        _is_directed(said)
        or _has("STANDING", said)
        or _has("EVEN_WRONG", said)
        or (_has("REFUSAL", said) and (_has("MANNERS", said) or (_has("TALK", said) and _has("PERSON_TOO", said))))
    )


def _is_directed(said: str) -> bool:
    return _has("DIRECTED", said) and _has("FOR_GOOD", said) and not _has("CODE_THINGS", said)


def _wants_of_work(said: str) -> bool:
    """Whether "I want" is said of one piece of work: "when a PR adds a consumer I want a dead letter queue"."""
    wanting = _compiled(r"\b(?:i|i'd)(?: really| do)? (?:want|need|like to see|rather see)\b").search(said) is not None
    return wanting and not (_has("PERSON_TOO", said) or _has("TOGETHER", said))


def _is_about_language(said: str) -> bool:
    return _has("LANGUAGES", said.replace("plain english", "").replace("simple english", ""))


def _dimension(said: str) -> Dimension | None:
    for name, pattern in w.TOPICS:
        if _compiled(pattern).search(said):
            return Dimension(name)
    return None


def _speaks_of_talk(said: str) -> bool:
    """Whether the talk in it is the agent's: to its person, and not the code's to its users."""
    return _has("PERSON", said) or _has("MANNERS", said)


def _unsafe(said: str) -> str:
    """Why nobody should be helped to what *said* wishes for; empty when all is well."""
    for pattern, why in w.UNSAFE_ACTS:
        for found in _compiled(pattern).finditer(said):
            if not _refused_before(said, found.start()):
                return why
    for pattern, why in w.UNSAFE_REFUSALS:
        for found in _compiled(pattern).finditer(said):
            if _refused_before(said, found.start()):
                return why
    return ""


def _refused_before(said: str, at: int) -> bool:
    """Whether a "never" governs the word at *at*: it stands in the same clause, and closer than a few words."""
    before = re.split(r"[,;:\uff0c]| but | and then ", said[max(at - 60, 0) : at])[-1]
    return _has("REFUSAL", before)


def _plain(sentence: str) -> str:
    """*sentence* in the person's words, without the "from now on" at its front."""
    flat = " ".join(sentence.split()).strip(" -*")
    bare = _compiled(w.ABSOLUTE).sub("", flat, count=1) if _compiled(w.ABSOLUTE).match(flat) else flat
    return (bare if any(map(str.isalnum, bare)) else flat).strip(" .!\u3002\uff01,")


def _has(name: str, said: str) -> bool:
    return _compiled(getattr(w, name)).search(said) is not None


def _compiled(pattern: str) -> re.Pattern[str]:
    if pattern not in _patterns:
        _patterns[pattern] = re.compile(pattern, re.IGNORECASE)
    return _patterns[pattern]
