"""Private spans: what a person fenced off from memory.

Hot module: standard library only, and the pattern is compiled only when a tag is in the text.
"""

from __future__ import annotations

import re

MARK = "[private]"

_LITERALS = ("<private", "</private", "<no-memory", "</no-memory")

# `<privateKey>` is an element of somebody's XML, so a name must end where the tag's name ends. An opening tag
# that lost its `>` still counts as one: hiding too much is the safe side.
_TAG = r"<(?P<close>/?)(?:private|no-memory)(?=[\s/<>]|\Z)[^<>]{0,512}(?P<end>>?)"

# The longest beginning of a tag that text on both sides of a removed tag could form together.
_JOINT = len("</no-memory")


def remove_private(text: str) -> str:
    """Replace each private span of *text* by `[private]`.

    Tags nest, whatever their name. An opened tag that is never closed hides everything to the end; a closing tag
    that closes nothing is dropped alone. The result holds no tag, so a second call changes nothing.
    """
    lowered = text.lower()
    if not any(literal in lowered for literal in _LITERALS):
        return text

    kept: list[str] = []
    depth = 0
    position = 0
    for tag in re.finditer(_TAG, text, re.IGNORECASE | re.ASCII):
        if depth == 0:
            kept.append(text[position : tag.start()])
        if tag["close"]:
            depth, mark = _closed(depth, text, tag.start())
            kept.append(mark)
        elif not (tag["end"] and tag[0].endswith("/>")):
            depth += 1
        elif depth == 0:
            kept.append(MARK)
        position = tag.end()
    kept.append(MARK if depth else text[position:])
    return "".join(kept)


def _closed(depth: int, text: str, start: int) -> tuple[int, str]:
    """The depth after a closing tag at *start*, and what stands in the tag's place."""
    if depth > 1:
        return depth - 1, ""
    if depth == 1:
        return 0, MARK
    # `<priv</private>ate>` must not become a tag by the removal of one.
    return 0, " " if "<" in text[max(0, start - _JOINT) : start] else ""
