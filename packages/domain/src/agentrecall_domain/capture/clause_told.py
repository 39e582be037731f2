"""Told demands: statements that say what is to be done, a duty, a habit of the team, how it is done here. Light."""

from __future__ import annotations

from agentrecall_domain.capture import clause_words as w
from agentrecall_domain.capture.clause_acts import ended, passive_act, wanted_of
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.signals import (
    Word,
    base_of,
    begins,
    is_code,
    is_gerund,
    is_verb,
    tells_at,
    text_of,
    words_of,
)

_WORDS_OF_A_NAME = 3
_BURNED = word_set("burned burnt bitten bit hit stung hurt")


_LATELY = word_set("last this earlier yesterday again before recently twice once already")


_LEFT = frozenset(("left", "moved", "switched", "migrated", "dropped", "ditched", "replaced", "abandoned", "retired"))


_WAS_DOING = 3
_BEFORE_TELLING = (["i", "see"], ["last", "time"], ["last", "week"])


def caught(words: list[Word]) -> list[Clause]:  # noqa: C901, PLR0911 -- one sign a return, in their order
    """For example "You're comparing passwords with == again"."""
    if len(words) > 3 and [word.low for word in words[:2]] in _BEFORE_TELLING:  # noqa: PLR2004 -- and what was done
        words = words[2:]
    low = [word.low for word in words[:4]]
    at = 0
    if low[0] in {"we", "i", "they", "we've", "i've", "got"} and any(word.low in _BURNED for word in words[1:6]):
        by = next((place for place in range(2, min(len(words), 9)) if words[place].low == "by"), 0)
        if by and words[by - 1].low in _BURNED:
            end = next((place for place in range(by + 1, len(words)) if words[place].low in _LATELY), len(words))
            return [Clause(Kind.REFUSAL, text_of(words[by + 1 : end]), "no")] if end > by + 1 else []
    if did := _did(words):
        return [Clause(Kind.STATEMENT, text_of(words), "you did", about=did)]
    if low[0] in {"you're", "youre"}:
        at = 1
    elif low[:2] == ["it", "was"] and is_gerund(words[-1 if len(words) < _WAS_DOING else 2].low):
        return [Clause(Kind.STATEMENT, text_of(words), "you did", about=f"{base_of(low[2])} {ended(words[3:])}")]
    elif " ".join(low[:2]) in {
        "i keep",
        "i kept",
        "you keep",
        "you kept",
        "people keep",
        "we keep",
        "we kept",
        "someone keeps",
        "you are",
        "everyone keeps",
    }:
        at = 2
    while 0 < at < len(words) and words[at].low in {"still", "always", "again", "on", "seeing", "finding", "getting"}:
        at += 1
    if not at or at >= len(words):
        return []
    if low[0] in {"i", "we", "you"} and words[at - 1].low in {"seeing", "finding"}:
        return [Clause(Kind.REFUSAL, ended(words[at:]), "no")]
    if not is_gerund(words[at].low) or words[at].low == "having" or low[0] == "i":
        return []
    return [Clause(Kind.REFUSAL, ended(words[at:]), "stop")]


_SOMEBODY = word_set("you you've youve somebody someone")
_NO_ACTS = word_set("forgot missed said asked")


def _did(words: list[Word]) -> str:
    """What somebody did, as an act: "you hardcoded the region" is to hardcode the region."""
    at = 1 + (words[1].low in w.ADVERBS if len(words) > 1 else 0)
    if words[0].low not in _SOMEBODY or len(words) < at + 2:
        return ""
    low = words[at].low
    if low in _NO_ACTS or not (low in w.PAST or low.endswith("ed")):
        return ""
    return f"{passive_act([], [words[at]]).removeprefix('keep ')} {ended(words[at + 1 :])}"


def habit(words: list[Word]) -> list[Clause]:  # noqa: PLR0911 -- one sign a return, in their order
    """For example "We use X": a team tells what it wants by telling what it does."""
    if words[0].low not in {"we", "we've", "we're", "you", "i", "i'd"} or len(words) < 3:  # noqa: PLR2004 -- counts words
        return []
    at = 1
    while at < len(words) - 1 and (
        words[at].low in w.ADVERBS or words[at].low in {"do", "all", "now", "generally", "normally"}
    ):
        at += 1
    low = words[at].low
    if low in _LEFT and words[0].low in {"we", "we've"}:
        places = [place for place in range(at + 1, len(words)) if words[place].low in {"for", "to", "with", "by"}]
        if places and places[0] + 1 < len(words):
            old = words[at + 1 : places[0]]
            old = old[1:] if old and old[0].low in {"from", "off", "away", "over"} else old
            new = [word for word in words[places[0] + 1 :][:3] if word.low not in {"last", "in", "this"}]
            return [Clause(Kind.STATEMENT, text_of(words), "left", ask=f"use {text_of(new[:1])}", about=text_of(old))]
        return []
    if words[0].low == "i'd" and low in {"rather", "prefer", "go", "suggest", "want", "like"}:
        rest = words[at + 1 :]
        return (
            [Clause(Kind.ASK, wanted_of(rest[1:] if rest[0].low in {"with", "for", "to"} else rest), "want")]
            if len(rest) > 1
            else []
        )
    wants = {"want", "need", "expect", "like", "prefer"} if words[0].low == "i" else {"want"}
    if words[0].low in {"i", "you", "we"} and low in wants:
        return (
            [Clause(Kind.ASK, wanted_of(words[at + 1 :]), low)]
            if at + 1 < len(words) and words[at + 1].low != "to"
            else []
        )
    if words[0].low == "we're" and words[1].low == "on":
        return [
            Clause(
                Kind.ASK, f"use {ended([word for word in words[2:] if word.low != 'now'])}", "on", about=text_of(words)
            )
        ]
    plain = is_verb(low) or (at > 1 and low.isalpha() and not low.endswith(("ed", "ing")) and low not in w.AUXILIARY)
    if words[0].low == "we" and plain and low not in w.STATES and low not in w.PAST:
        return [Clause(Kind.ASK, ended(words[at:]), "we")]
    return []


_SPEAKERS = frozenset(
    (
        "you",
        "we",
        "i",
        "it",
        "this",
        "that",
        "they",
        "one",
        "these",
        "those",
        "there",
        "everyone",
        "people",
        "devs",
        "developers",
    )
)


def duty(words: list[Word]) -> list[Clause]:  # noqa: PLR0911 -- one sign a return, in their order
    """For example "X must Y": who must is the condition, what they must is the ask."""
    at = next((place for place in range(min(len(words) - 1, 14)) if begins("DUTY", "en", words, place)), -1)
    if at < 0 or (
        tells_at(words[:at]) >= 0
        and at > _WORDS_OF_A_NAME
        and words[0].low not in {"every", "each", "any", "all"}
        and not any(word.low in {"that", "which", "who", "when", "whose"} for word in words[:at])
    ):
        return []
    count = begins("DUTY", "en", words, at)
    subject, rest = words[:at], words[at + count :]
    if (
        not rest
        or rest[0].low in {"know", "see", "understand", "wait", "find", "learn"}
        or (rest[0].low == "be" and rest[1:2] and rest[1].low == "able")
    ):
        return []
    if [word.low for word in rest] == ["go"]:
        return [Clause(Kind.REFUSAL, text_of(subject), "out")]
    refused = rest[0].low in {"not", "never"} or words[at].low.endswith(("n't", "nt"))
    if refused and [word.low for word in rest[:2]] == ["have", "to"]:
        # "Callers shouldn't have to allocate" tells why.
        return []
    rest = rest[1:] if rest[0].low in {"not", "never"} or rest[0].low in {"always", "also", "only", "just"} else rest
    rest = rest[1:] if len(rest) > 1 and rest[0].low.endswith("ly") and not is_verb(rest[0].low) else rest
    if len(rest) > 1 and rest[0].low == "be" and is_gerund(rest[1].low):
        base = base_of(rest[1].low)
        rest = [Word(base, base, ""), *rest[2:]]
    perfect = words[at].low == "should've" or (words[at].low.startswith("should") and rest and rest[0].low == "have")
    done = rest[1:] if rest and rest[0].low == "have" else rest
    if perfect and done and (done[0].low in {"been", *w.PARTICIPLES} or done[0].low.endswith("ed")):
        been = done[0].low == "been"
        subject = [] if been else subject
        rest = [Word("be", "be", ""), *done[1:]] if been else words_of(passive_act([], done))
    if not rest:
        return []
    spoken = not subject or (subject[0].low in _SPEAKERS and len(subject) == 1)
    kind, lead = (Kind.REFUSAL, "must not") if refused else (Kind.ASK, "must")
    if spoken:
        text = text_of(rest[1:]) if rest[0].low == "be" and len(rest) > 1 else ended(rest)
        return [
            Clause(
                kind,
                f"use {text}" if rest[0].low == "be" and (rest[1].low in w.DETERMINERS or is_code(rest[1])) else text,
                lead,
            )
        ]
    passive = rest[0].low == "be"
    act = passive_act(subject, rest[1:]) if passive and len(rest) > 1 else ended(rest)
    return [Clause(Kind.PLACE, text_of(subject), "must"), Clause(kind, act, lead)]
