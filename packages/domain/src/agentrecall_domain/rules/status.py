"""The one home of a rule's status: which are in force, which wait, which are dead. Hot."""

from __future__ import annotations

DRAFT = "Draft"
PENDING = "Pending"
ACTIVE = "Active"
PROMOTED = "Promoted"
SUPERSEDED = "Superseded"
RETIRED = "Retired"
ARCHIVED = "Archived"

IN_FORCE = (ACTIVE, PROMOTED)
WAITING = (DRAFT, PENDING)
DEAD = (SUPERSEDED, RETIRED, ARCHIVED)

RECALLED = (*IN_FORCE, PENDING)
"""What recall may see: the rules in force, and those pending, of which it shows few and marks them."""

RECALLED_SQL = ", ".join(f"'{status}'" for status in RECALLED)
