"""A candidate: a rule as ranking sees it, the hot projection of what is stored. Hot."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class Candidate:
    """One rule that recall may show. Built from a row in the order of `hot.COLUMNS`."""

    __slots__ = (
        "action",
        "always_apply",
        "confidence",
        "created_at",
        "globs",
        "id",
        "languages",
        "mistake",
        "pinned",
        "project_id",
        "reason",
        "scope_level",
        "scope_value",
        "source",
        "status",
        "terms",
        "title",
        "trigger",
        "trigger_terms",
        "vector",
    )

    def __init__(self, row: Sequence[Any]) -> None:
        (
            self.id,
            self.status,
            self.source,
            self.title,
            self.trigger,
            self.action,
            self.mistake,
            self.reason,
            self.project_id,
            self.scope_level,
            self.scope_value,
            globs,
            languages,
            always_apply,
            self.confidence,
            trigger_terms,
            terms,
            self.created_at,
            pinned,
            vector,
        ) = row
        self.always_apply = bool(always_apply)
        self.pinned = bool(pinned)
        self.vector: bytes = vector or b""
        self.globs = _list(str(globs))
        self.languages = _list(str(languages))
        self.trigger_terms = frozenset(str(trigger_terms).split())
        self.terms = frozenset(str(terms).split())


def _list(text: str) -> list[str]:
    return [] if text == "[]" else list(json.loads(text))
