"""Spoken words: what of a text its writer says, without the code, the logs and the words of others in it. Light."""

from __future__ import annotations

import re

CODE = "`"
"""Stands where code stood, so that the sentence around it keeps its shape."""

_INLINE_CODE = re.compile(r"`[^`\n]*`")
# Short ones only: a stray quotation mark must not swallow the paragraph after it.
_QUOTED = re.compile(
    r"\"[^\"\n]{1,200}\"|\u201c[^\u201d\n]{1,200}\u201d|\u201e[^\u201c\u201d\n]{1,200}[\u201c\u201d]"
    r"|\u00ab[^\u00bb\n]{1,200}\u00bb|(?<!\w)'[^'\n]{1,80}'(?!\w)"
)
_FENCES = ("```", "~~~")
_OTHERS_LINES = (">", "//", "/*", "$ ")
_CLAUSE_END = re.compile(r"(?<=[.!?;\u061f\u3002\uff01\uff1f\uff1b\u061b])(?:\s+|(?<=[\u3002\uff01\uff1f\uff1b]))|\n+")


def prose(text: str) -> str:
    """*text* without fenced code and the lines of others; code within a line stays."""
    kept: list[str] = []
    fence = ""
    for line in text.splitlines():
        start = line.lstrip()
        if start.startswith(_FENCES):
            # A fence is closed by its own kind only; one that is never closed hides the rest, as in Markdown.
            fence = start[:3] if not fence else "" if start.startswith(fence) else fence
        elif not fence and not start.startswith(_OTHERS_LINES):
            kept.append(" ".join(line.split()))
    return "\n".join(kept)


def sentences(text: str) -> list[str]:
    """The sentences of the prose in *text*, as they were written."""
    return [sentence for part in _CLAUSE_END.split(prose(text)) if (sentence := part.strip())]


def folded(sentence: str) -> str:
    """*sentence* as patterns want it: lower case, one apostrophe, no code, no quotations."""
    bare = _INLINE_CODE.sub(CODE, sentence.replace("\u2019", "'").replace("\u02bc", "'"))
    return _QUOTED.sub(CODE, bare).lower()


def clauses(text: str) -> list[str]:
    """The clauses that *text* says itself: folded to lower case, one space between words, no code, no quotations."""
    said = prose(text.replace("\u2019", "'").replace("\u02bc", "'"))
    said = _INLINE_CODE.sub(CODE, said)
    # A text that is one quotation is what its writer says, in too many marks.
    if _QUOTED.sub("", said).strip(" .!\n"):
        said = _QUOTED.sub(CODE, said)
    return [clause for part in _CLAUSE_END.split(said.lower()) if (clause := part.strip())]
