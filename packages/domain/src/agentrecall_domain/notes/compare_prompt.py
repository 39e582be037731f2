"""Compare prompt: what a model is asked about a new note and an old one. Cold."""

from __future__ import annotations

from agentrecall_domain.notes.answer import CompareAnswer
from agentrecall_domain.notes.judge_prompt import Message, prompt
from agentrecall_domain.notes.note import NoteContent
from agentrecall_domain.text.utc import stamp


def compare_prompt(old: NoteContent, new: NoteContent) -> str:
    """What a model is asked about *new* and the living note *old*."""
    return prompt("compare", [_message("old", old), _message("new", new)], CompareAnswer)


def _message(which: str, note: NoteContent) -> Message:
    return Message(f"{which} {note.type} {stamp(note.valid_from)}", f"{note.title}\n{note.body}")
