"""The schema version that this program reads and writes. Hot: compared with `PRAGMA user_version` at each open."""

from __future__ import annotations

SCHEMA_VERSION = 4


class NewerMemoryError(Exception):
    """The file was written by a newer program; this one must not touch it."""


class BackupError(Exception):
    """A copy did not come out whole, or is no memory of ours; nothing was changed."""
