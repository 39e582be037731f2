"""Titles: a name and a body for a note, out of the words of its sentences. Cold."""

from __future__ import annotations

import re

from agentrecall_domain.notes.note import LONGEST_DISTILLED, SHORTEST_TITLE

LONGEST = 120
_MARKDOWN = re.compile(r"\*\*|__|`|^\s*(?:[-*+\u2022]|\d{1,2}[.)]|#{1,6}|>)\s+|\*(?=\w)|(?<=\w)\*(?!\w)")
_LEFT_OUT = re.compile(r"^\s*\[(?:private|redacted[^\]\n]{0,60})\]\s*")
_LINK = re.compile(r"!?\[([^\]\n]{1,200})\]\([^)\n]{1,400}\)")
# "No" is only a filler before a stop: "no addressables" says something.
_FILLERS = re.compile(
    r"^(?:[^\w`]|(?:ok(?:ay)?|so|and|but|oh+|ah+|hm+|well|also|btw|hey|right|great|nice|cool|thanks|thx|ugh|uf|aaand"
    r"|ja|jo|ach|also|und|aber|bon|alors|et|mais|dale|ojo|bueno|pues|vale|y|pero|\u597d\u7684|\u5bf9\u4e86|\u90a3\u4e2a)"
    r"(?=[\s,.!:;\u2026\uff0c\u3002]+\S)"
    r"|(?:yes|yeah|yea|yep|nah|nope|no+|exactly|good|careful|nee|nein|gut|achtung|bitte|stimmt|oui|non|bien|s[i\u00ed]"
    r"|\u5bf9|\u55ef|\u54e6)(?=[,.!:;\u2026\uff0c\u3002]+\s*\S))+",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[;\u2026\uff1b]\s*|,\s+(?=\w{3})|\uff0c|\s[\u2013\u2014-]\s|\.\s+")


def title_of(sentences: list[str], weights: list[float]) -> str:
    """A title of at most 120 characters: the weightiest sentence, without fillers and marks, cut after a clause."""
    order = sorted(range(len(sentences)), key=lambda at: -weights[at])
    bare = without_marks(sentences[order[0]])
    title = _FILLERS.sub("", bare, count=1) or bare
    for at in range(order[0] + 1, len(sentences)):
        if len(title) >= 3 * SHORTEST_TITLE:
            break
        title = f"{title} {without_marks(sentences[at])}"
    title = _cut(" ".join(title.split())).strip(" .,;:\u3002\uff0c-\u2013\u2014")
    if len(title) < SHORTEST_TITLE:
        title = _cut(" ".join(" ".join(map(without_marks, sentences)).split())).strip(" ,;:-")
    # A name of code keeps its spelling.
    first = title.split(" ", 1)[0].rstrip(",:;.")
    return title[:1].upper() + title[1:] if first.isalpha() and first[1:].islower() else title


def body_of(context: list[str], sentences: list[str]) -> str:
    """What the note says: the context, then the sentences, without marks."""
    return "\n".join(map(without_marks, [*context, *sentences]))[:LONGEST_DISTILLED]


def without_marks(text: str) -> str:
    """*text* without Markdown, and without the mark of what was left out before it, in one line."""
    plain = _LEFT_OUT.sub("", _LINK.sub(r"\1", text))
    return " ".join(" ".join(_MARKDOWN.sub("", line) for line in plain.splitlines()).split())


def _cut(title: str) -> str:
    if len(title) <= LONGEST:
        return title
    ends = [match.start() for match in _BREAK.finditer(title) if 3 * SHORTEST_TITLE <= match.start() <= LONGEST]
    if ends:
        return title[: ends[-1]]
    cut = title[: LONGEST - 1].rsplit(" ", 1)[0]
    return f"{cut or title[: LONGEST - 1]}\u2026"
