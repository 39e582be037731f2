"""Precedence: which of two rules wins where both cannot be followed. Hot."""

from __future__ import annotations

from agentrecall_domain.rules.scope import DIRECTORY, FILE, LANGUAGE, REPOSITORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.rules.meeting import Held

BUILT_IN_SEED = "BuiltInSeed"

_SPECIFICITY = {FILE: 4, DIRECTORY: 3, LANGUAGE: 2, REPOSITORY: 1}


def precedence(rule: Held) -> tuple[bool, int, bool, int, str, float, int]:
    """What decides between two rules, the greater wins.

    A project's rule before one for everywhere, the narrower scope, learned before built in, priority, the newer, the
    surer, and the lower id.
    """
    level = _SPECIFICITY.get(str(rule.scope_level), 0)
    if rule.globs:
        level = max(level, _SPECIFICITY[DIRECTORY])
    elif rule.languages:
        level = max(level, _SPECIFICITY[LANGUAGE])
    is_learned = rule.source != BUILT_IN_SEED
    # The hot projection has no priority: what a hook cannot see it treats alike.
    priority: int = getattr(rule, "priority", 0)
    return rule.project_id is not None, level, is_learned, priority, str(rule.created_at), rule.confidence, -rule.id
