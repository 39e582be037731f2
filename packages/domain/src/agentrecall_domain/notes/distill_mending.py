"""Mending: whether an agent tells a cause and then what it changed, and whether that is proven. Cold."""

from __future__ import annotations

import itertools
import re

from agentrecall_domain.notes.cue_tables import says
from agentrecall_domain.notes.distill_cues import straight
from agentrecall_domain.notes.distill_sentences import Sentence

_TRIAL = re.compile(
    r"\d[\d.,]*\s?(?:%|ms|s|sec\w*|min\w*|h|hours?|days?|mb|gb|kb|kib|mib|runs?|times|requests?|ticks?|files?|tests?"
    r"|photos?|rows?|of|out of|starts?|cycles?|stunden|minuten|tage|dateien|l\u00e4ufe|requ\u00eates|fois|heures|jours"
    r"|minutos|horas|d\u00edas|veces)(?!\w)|\d\s?[\u9875\u6b21\u5929\u5c0f\u5206\u79d2\u6761]"
    r"|\b(?:an hour|two hundred|all (?:three|four|five|six|ten|eleven|tests|samples?)"
    r"|both (?:machines|directions|apps|ways))\b",
    re.IGNORECASE,
)
"""A figure of something that was tried: runs, minutes, rows."""
_NO_MENDING = frozenset({"waiting", "hedge", "question"})
_NO_TELLING = frozenset({"first_person", "waiting", "hedge", "question", "own_slip", "second_person"})


def mending(sentences: list[Sentence], own: list[set[str]], message: list[int], language: str) -> dict[int, set[str]]:
    """What each sentence of a *message* is to its mending of something; *own* holds each sentence's cues."""
    mends = {at: _mends(sentences[at].text, own[at], language) for at in message}
    found: dict[int, set[str]] = {at: {"mending"} if mends[at] else set() for at in message}
    for at in message:
        if _TRIAL.search(sentences[at].text):
            found[at].add("trial")
    for told, mended in itertools.pairwise(message):
        if mends[told] or not mends[mended] or not _tells(sentences[told], own[told]):
            continue
        proof = own[mended] | (own[mended + 1] if mended + 1 in found else set())
        pair = {"pair", "pair_proven"} if proof & {"figure", "success"} else {"pair"}
        for at in (told, mended, mended + 1):
            if at in found:
                found[at] |= pair
    return found


def _mends(text: str, cues: set[str], language: str) -> bool:
    return not cues & _NO_MENDING and says("mending", straight(text), language, leading=True)


def _tells(sentence: Sentence, cues: set[str]) -> bool:
    return "long" in cues and not sentence.listed and not cues & _NO_TELLING
