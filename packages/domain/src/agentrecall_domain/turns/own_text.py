"""Our own text: finding, in what people and agents said, the memory that we had put before them.

Hosts write injected text back into transcripts, and agents quote it. Learning from it would let a
memory confirm itself, so it is cut out before anything else looks at a span. Hot: no imports at all.
"""

from __future__ import annotations

_OPENING = "<agentrecall "
_CLOSING = "</agentrecall>"
_REMINDER_OPENING = "<system-reminder>"
_REMINDER_CLOSING = "</system-reminder>"


def remove_own(text: str) -> str:
    """*text* without the blocks we injected.

    A block runs from a line that opens it to the line that closes it, or to the end: the host cuts
    long injections, and half a block is still ours. Text without a block comes back as it is.
    """
    if _OPENING not in text:
        return text

    kept = []
    inside = removed = False
    for line in text.split("\n"):
        if inside:
            inside = not _unquoted(line).startswith(_CLOSING)
        elif _opens_block(line):
            removed = True
            inside = _CLOSING not in line
        else:
            kept.append(line)
    return "\n".join(kept).strip("\n") if removed else text


def drop_leading_reminders(text: str) -> str:
    """*text* without the host's reminders in front of it.

    Older hosts put them before the user's own words, inside the same message. Only the front is
    looked at: further on, a person may well be talking about such a tag.
    """
    start = _skip_space(text, 0)
    if not text.startswith(_REMINDER_OPENING, start):
        return text
    while text.startswith(_REMINDER_OPENING, start):
        end = text.find(_REMINDER_CLOSING, start)
        if end < 0:
            return ""
        start = _skip_space(text, end + len(_REMINDER_CLOSING))
    return text[start:]


def _skip_space(text: str, start: int) -> int:
    while text[start : start + 1].isspace():
        start += 1
    return start


def _unquoted(line: str) -> str:
    """*line* without indentation and the marks of a quotation."""
    return line.lstrip(" \t>")


def _opens_block(line: str) -> bool:
    """Whether *line* starts a block, alone or after the words a host puts in front of hook output."""
    lead, opening, _ = _unquoted(line).partition(_OPENING)
    if not opening:
        return False
    lead = lead.removeprefix(_REMINDER_OPENING).strip()
    return not lead or (" hook " in lead and lead.endswith(":"))
