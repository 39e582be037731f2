"""Instants as text: UTC, to the second, in an order that sorting keeps. Hot."""

from __future__ import annotations

from time import gmtime, strftime


def iso(seconds: float) -> str:
    """Seconds since the epoch as `2026-11-02T08:00:00Z`."""
    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(seconds))
