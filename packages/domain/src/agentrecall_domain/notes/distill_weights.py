"""Weights: how much each cue speaks for a note, by speaker, and what type of note it speaks for. Cold.

They lie in `weights.json`, fitted to the training episodes of several hands by logistic regression with a strong pull
to zero (scikit-learn's, `C` of 0.07 for sentences, 0.05 for findings, 0.2 for types) and rounded to 0.05. How strong
the pull is, and the sums that are enough, were chosen on the episodes of one hand while the others were fitted to. By
hand: 0.2 to 1.3 more for what is resolved, corrected, warned of and explained in so many words, 3.1 for what is laid
down ("always run ruff before you commit": those who label write hardly any of it), and what a wish counts. The types
are that fit and half of an older one to two hands.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, NamedTuple

ENOUGH, ENOUGH_OF_TODAY = 0.3, 1.0
"""The sums from which a person's sentence is worth a note: one that lasts, and one with no word of lasting."""
ENOUGH_OF_A_FINDING = -0.25
"""The sum from which an agent's message is a finding."""
OUT = -99.0
"""What is never kept, whatever speaks for it, and is no part of a note beside it either."""
WISHED = 6.0
"""What a wish to remember counts: enough by itself, whatever else is missing."""


class Weights(NamedTuple):
    """Where a sum starts, and what each cue adds to it."""

    base: float
    cues: dict[str, float]

    def sum_of(self, cues: Iterable[str]) -> float:
        """What *cues* come to, added in one order, so that the sum is always the same."""
        return self.base + sum(self.cues.get(cue, 0.0) for cue in sorted(cues))


_KEPT: dict[str, Any] = json.loads(files("agentrecall_domain.notes").joinpath("weights.json").read_text("utf-8"))
USER, AGENT, FINDING = (Weights(**_KEPT[name]) for name in ("user", "agent", "finding"))
"""A person's sentence, an agent's, and a whole message of an agent."""
TYPES: dict[str, Weights] = {kind: Weights(**weights) for kind, weights in _KEPT["types"].items()}
"""What the cues of a note's sentences say about its type."""
