"""Storable text: what SQLite and UTF-8 take as it is. Hot."""

from __future__ import annotations


def storable(text: str) -> str:
    """*text* without NULs, with U+FFFD for each lone surrogate."""
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
