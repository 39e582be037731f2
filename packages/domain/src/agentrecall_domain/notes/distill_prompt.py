"""Distil prompt: what a model is asked about one unit. Cold."""

from __future__ import annotations

from agentrecall_domain.notes.answer import DistilAnswer, raw_item_label
from agentrecall_domain.notes.judge_prompt import Message, prompt
from agentrecall_domain.notes.note import LONGEST_TITLE, SHORTEST_TITLE
from agentrecall_domain.notes.unit import Spoken, Unit
from agentrecall_domain.text.utc import stamp


def distill_prompt(unit: Unit) -> str:
    """What a model is asked about *unit*."""
    messages = [_message(span) for span in unit.spans]
    return prompt("distil", messages, DistilAnswer, shortest_title=SHORTEST_TITLE, longest_title=LONGEST_TITLE)


def _message(span: Spoken) -> Message:
    return Message(f"{raw_item_label(span.raw_item_id)} {span.origin} {stamp(span.said_at)}", span.text)
