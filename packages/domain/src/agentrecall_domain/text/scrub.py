"""Scrubbing: the one door that text passes before its first byte is written.

Hot module: standard library and hot modules of ours only.
"""

from __future__ import annotations

from agentrecall_domain.text.private_tags import remove_private
from agentrecall_domain.text.redaction import redact


def scrub(text: str) -> str:
    """Make *text* storable, and free of private spans and of secrets.

    Takes any string, in time linear in its length; scrubbing twice is scrubbing once.
    """
    return redact(remove_private(_storable(text)))


def _storable(text: str) -> str:
    """*text* without NULs, with U+FFFD for each lone surrogate: SQLite and UTF-8 take the rest as it is."""
    if "\0" in text:
        text = text.replace("\0", "")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        # UTF-16 joins the pairs that escapes left apart, and only then says which halves are alone.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
