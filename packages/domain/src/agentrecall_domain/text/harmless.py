"""Harmless text: stored text without what a terminal or a host would obey instead of show. Hot."""

from __future__ import annotations

import re


def harmless(text: str) -> str:
    """*text* without control codes, and without marks that turn the direction of writing; a space stands for a run."""
    # Only what cannot be printed is worth a pattern.
    return text if text.isprintable() else re.sub("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+", " ", text)
