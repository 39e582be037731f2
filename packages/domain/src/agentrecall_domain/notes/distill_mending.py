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


def mending(sentences: list[Sentence], own: list[set[str]], message: list[int], at: int, language: str) -> set[str]:
    """What sentence *at* is in a *message* that mends something; *own* holds each sentence's cues."""

    def mends(number: int) -> bool:
        text = straight(sentences[number].text)
        return not own[number] & _NO_MENDING and says("mending", text, language, leading=True)

    def tells(number: int) -> bool:
        plain = "long" in own[number] and not sentences[number].listed
        return plain and not own[number] & _NO_TELLING and not mends(number)

    found = {"mending"} if mends(at) else set()
    if _TRIAL.search(sentences[at].text):
        found.add("trial")
    for told, mended in itertools.pairwise(message):
        if told <= at <= mended + 1 and tells(told) and mends(mended):
            found.add("pair")
            proof = own[mended] | (own[mended + 1] if mended + 1 in message else set())
            if proof & {"figure", "success"}:
                found.add("pair_proven")
    return found
