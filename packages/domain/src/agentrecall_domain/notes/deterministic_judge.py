"""The deterministic judge: distils by extraction, compares by words, and asks no model. Cold."""

from __future__ import annotations

from collections.abc import Sequence

from agentrecall_domain.notes import duplicate
from agentrecall_domain.notes.judge import Draft, NoteVerdict
from agentrecall_domain.notes.note import Note, NoteContent
from agentrecall_domain.notes.unit import Unit


class DeterministicJudge:
    """The judge that is always there."""

    name = "deterministic"

    def distil(self, unit: Unit) -> Sequence[Draft]:
        """The notes that *unit* holds, each with the sentences that prove it."""
        from agentrecall_domain.notes.distilling import distil  # noqa: PLC0415 -- its tables are for who distils

        return distil(unit)

    def compare(self, old: Note, new: NoteContent) -> NoteVerdict:
        """What *new* is to *old*; distinct whenever there is doubt."""
        return duplicate.judge(old, new)
