"""Retirement: the clauses of a text that say that something is over: moved, replaced, no longer so. Cold."""

from __future__ import annotations

import re
from collections.abc import Iterator

_STOPS = re.compile(
    r"[.;,:()!?\u3002\uff0c\uff1b\u3001\n]+(?=\s|$|[^\x00-\x7f])"
    r"|\b(?:because|since|so that|weil|porque|as)\b|\s[-\u2013\u2014]\s"
)

_OVER = (
    r"no longer",
    r"(?:not|n't|nobody|none|never|nothing)\b[^.;,]{0,60}\bany ?(?:more|longer)",
    r"not needed|(?:is|are|was|were) gone|goes$",
    r"(?:was|were|has been|have been|got|been) (?:removed|deleted|archived|closed|cancelled|replaced)",
    r"unnecessary|superfluous|pointless|not necessary|no need|forget (?:what|about)|is (?:dead|over|history)|has ended",
    # "Keys are revoked after a day" is how it is; "we dropped", "was dropped" and "changed" are what happened.
    r"(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bgets )(?:dropped|abandoned|withdrawn|revoked|lifted|renamed|changed)",
    r"scrap(?:s|ped)?|retired|abolish(?:ed)?|stale|obsolete|outdated|deprecated|superseded",
    r"(?:switched|turned|shut) (?:off|down)|decommissioned|discontinued|mind about|used to|former(?:ly)?|previously",
    r"nicht mehr|kein(?:e[nrms]?)? mehr|abgel\u00f6st|abgeschafft|entf\u00e4llt|veraltet|ehemals|abgeschaltet",
    r"ne \w+ plus|n'\w+ plus|abandonn\u00e9e?s?|obsol\u00e8te|supprim\u00e9e?s?",
    r"ya no|abandonad[oa]s?|obsolet[oa]s?|eliminad[oa]s?|j\u00e1 n\u00e3o|n\u00e3o \w+ mais|descontinuad[oa]s?",
    r"n\u00e3o mais|deixamos de|dejamos de|innecesari[oa]|n'est plus|inutile",
    r"\u00fcberfl\u00fcssig|gel\u00f6scht|aufgehoben",
    r"non \w+ pi\u00f9|abbandonat[oaei]",
)
_OVER_ELSEWHERE = (
    r"\u4e0d\u518d|\u5e9f\u5f03|\u505c\u7528|\u5e9f\u6b62|\u5ec3\u6b62",  # Chinese and Japanese
    r"\u3084\u3081|\u4f7f\u308f\u306a\u304f",
    r"\u062f\u06cc\u06af\u0631|\u06a9\u0646\u0627\u0631 \u06af\u0630\u0627\u0634\u062a",  # Persian
)
_over = re.compile(rf"\b(?:{'|'.join(_OVER)})(?!\w)|{'|'.join(_OVER_ELSEWHERE)}", re.IGNORECASE)
"""Whatever stands in the clause beside one of these is over."""

_if = re.compile(r"\b(?:when|whenever|if|once|unless|until|wenn|falls|bis|quand|cuando|quando)\b", re.IGNORECASE)
"""A clause that begins so tells of a case, and not of what happened."""

_AFTER = (
    r"instead of|in place of|rather than|away from|(?:mov|migrat|switch|chang)(?:e|es|ed|ing)? (?:\S+ ){0,4}?from",
    r"(?:took|taken|takes) over (?:\S+ ){0,5}?from|from(?= \S+(?: \S+){0,3} to\b)",
    r"replac(?:e|es|ed|ing)|statt|anstelle von|anstatt|au lieu d[eu]|en vez de|en lugar de|em vez de|invece di",
    r"al posto di",
)
_after = re.compile(
    rf"\b(?:{'|'.join(_AFTER)})\b\s*(.+?)(?=\b(?:to|with|by|durch|par|por|con|nach|auf)\b|$)", re.IGNORECASE
)
"""What follows one of these is over, up to where the new way begins."""

_NEWS = re.compile(
    r"\b(?:now|from now on|as of|nowadays|jetzt|nun|ab sofort|k\u00fcnftig|d\u00e9sormais|maintenant)\b"
    r"|\b(?:ahora|agora|adesso)\b"
    r"|\u73b0\u5728|\u6539\u7528|\u4eca\u5f8c|\u0627\u06a9\u0646\u0648\u0646",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\b(?:also|too|as well|additionally|besides|auch|aussi|tambi\u00e9n|tamb\u00e9m|anche)\b", re.IGNORECASE
)


def clauses(text: str) -> list[str]:
    """*text* parted at its stops, and before its reasons."""
    return [clause.strip() for clause in _STOPS.split(text) if clause.strip()]


def clauses_that_retire(text: str) -> Iterator[tuple[str, str]]:
    """What *text* says is over, each in the words that it says it with, and the clause before: "they" are in that."""
    before = ""
    for clause in clauses(text):
        after = _after.search(clause)
        if after is not None:
            yield after[1], ""
        over = _over.search(clause)
        if over is not None and not _if.search(clause[: over.start()]):
            # "Nobody runs it by hand any more": what is over stands between.
            inside = over[0] if " any" in over[0] else ""
            yield f"{clause[: over.start()]} {inside} {clause[over.end() :]}", before
        before = clause


def is_news(text: str) -> bool:
    """Whether *text* says of itself that it is a change: now, from now on."""
    return _NEWS.search(text) is not None and _BESIDE.search(text) is None
