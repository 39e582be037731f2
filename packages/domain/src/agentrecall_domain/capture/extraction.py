"""Extraction: the trigger, action, mistake and reason in a person's own words. Cold, total, deterministic."""

from __future__ import annotations

import re
from typing import NamedTuple

REASON = re.compile(
    r"[,;:.\s]+(?:because(?: of)?|since|as otherwise|otherwise|due to)\s+(?P<reason>.+)$", re.IGNORECASE
)
CONDITION = re.compile(
    r"^(?P<trigger>(?:when(?:ever)?|if|while|before|after|during|on|every time|any time)\b[^,:]{3,}?)"
    r"\s*[,:]\s*(?:then\s+)?",
    re.IGNORECASE,
)
CONDITION_LAST = re.compile(
    r"\s+(?P<trigger>(?:when(?:ever)?|if|while|before|after|during)\s[^,;.]{3,})$", re.IGNORECASE
)
# "The cache is not shared" names nothing to be done instead.
_NO_AUXILIARY = (
    r"(?<!\b[ai]s)(?<!\bam)(?<!\bbe)(?<!\bdo)(?<!\b(?:are|can|did|had|has|may|was))"
    r"(?<!\b(?:does|have|must|were|will))(?<!\b(?:could|might|would))(?<!\bshould)"
)
INSTEAD = re.compile(
    rf"^(?P<action>.+?)(?:[,;]?\s+(?:instead of|rather than)|{_NO_AUXILIARY}[,;]?\s+(?:(?:and|but)\s+)?(?:not|never))"
    r"\s+(?P<mistake>.+)$",
    re.IGNORECASE,
)
PROHIBITION = re.compile(
    r"^(?:no[,!.]\s*)?(?:please\s+)?(?:you\s+)?"
    r"(?P<how>(?:(?:should|must|can|may)\s+)?never|(?:should|must|can|may|do) not|cannot|don't|dont|avoid|stop)\s+"
    r"(?P<mistake>.+)$",
    re.IGNORECASE,
)
# "We got burned last quarter": what happened, told after the lesson, is why.
STORY = re.compile(
    r"^(?:we|i|it|they|that|this|last \w+|yesterday)\b.*"
    r"\b(?:got|was|were|had|did|lost|broke|took|cost|caused|failed|crashed|leaked|\w{3,}ed)\b",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
LEAD_IN = re.compile(r"^(?:no|nope|wrong|please|remember|note|actually|again)\s*[,:!.-]\s*(?:that\s+)?", re.IGNORECASE)
INSTEAD_LAST = re.compile(r"[,\s]+instead$", re.IGNORECASE)


class Lesson(NamedTuple):
    """What was found; a part that the words do not hold is empty, *action* never is for a text with words."""

    trigger: str
    action: str
    mistake: str
    reason: str


def extract(text: str) -> Lesson:
    """Read a lesson out of *text*: "When X, do Y, not Z, because W" in its usual forms and orders."""
    trigger = mistake = reason = refusal = ""
    actions: list[str] = []
    for sentence in _sentences(text):
        rest = sentence
        if found := REASON.search(rest):
            reason = reason or found["reason"]
            rest = rest[: found.start()]
        elif (actions or refusal) and not reason and STORY.match(rest):
            reason = rest
            continue
        if found := CONDITION.match(rest):
            trigger = trigger or found["trigger"]
            rest = rest[found.end() :]
        elif found := CONDITION_LAST.search(rest):
            trigger = trigger or found["trigger"].strip()
            rest = rest[: found.start()]
        rest = INSTEAD_LAST.sub("", rest).strip(" ,;:")
        if found := PROHIBITION.match(rest):
            first, _, follow_up = found["mistake"].partition("; ")
            how = "avoid" if found["how"].lower() in {"avoid", "stop"} else "do not"
            refusal = refusal or f"{how} {first}"
            mistake = mistake or first
            rest = follow_up
        elif found := INSTEAD.match(rest):
            mistake = mistake or found["mistake"]
            rest = found["action"]
        if rest:
            actions.append(rest)
    return Lesson(trigger, _joined(actions) or refusal or _one_line(text), mistake, reason)


def _sentences(text: str) -> list[str]:
    found = (LEAD_IN.sub("", part.strip()).strip(" .!;") for part in SENTENCE_END.split(text))
    return [sentence for sentence in found if sentence]


def _joined(actions: list[str]) -> str:
    joined = "; ".join(actions)
    return joined[:1].lower() + joined[1:] if joined[1:2].islower() else joined


def _one_line(text: str) -> str:
    return " ".join(text.split())
