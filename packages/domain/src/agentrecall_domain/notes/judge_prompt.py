"""Judge prompt: a template from the prompts' folder, filled in, with what was said fenced as data. Cold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import NamedTuple

from pydantic import BaseModel

from agentrecall_domain.capture.judge_input import bounded
from agentrecall_domain.turns.identity import digest

LONGEST_RECORDING = 100_000
"""Characters of what was said that a prompt holds, labels aside."""
MOST_MESSAGES = 500
MARK_LENGTH = 16


class Message(NamedTuple):
    """One message of a recording: what is said of it on the line before it, and its text."""

    label: str
    text: str


def prompt(name: str, messages: Sequence[Message], answer: type[BaseModel], **values: object) -> str:
    """The prompt *name* about *messages*, to be answered as *answer*."""
    recorded = _bounded(messages)
    mark = unforgeable_mark(recorded)
    schema = json.dumps(answer.model_json_schema(), ensure_ascii=False)
    return _template(name).substitute(values, mark=mark, recording=_recording(recorded, mark), schema=schema)


def repair(asked: str, problem: str) -> str:
    """The prompt *asked* once more, with what was wrong with the answer."""
    return _template("repair").substitute(prompt=asked, problem=problem)


def unforgeable_mark(messages: Sequence[Message]) -> str:
    """A mark that no message holds, and that nobody can know who wrote less than all of them."""
    whole = "\0".join(part for message in messages for part in message)
    mark = digest(whole)[:MARK_LENGTH]
    while mark in whole:
        mark = digest(mark, whole)[:MARK_LENGTH]
    return mark


def _recording(messages: Sequence[Message], mark: str) -> str:
    told = [f"[[{mark} {message.label}]]\n{message.text}" for message in messages]
    return "\n".join([f"[[{mark} begin]]", *told, f"[[{mark} end]]"])


def _bounded(messages: Sequence[Message]) -> list[Message]:
    """As much of *messages* as a prompt holds: of too many the last, of long ones the beginning and the end.

    How a matter ended says more than how it began, and short messages lose nothing to long ones.
    """
    kept = messages[-MOST_MESSAGES:]
    left = LONGEST_RECORDING
    most = LONGEST_RECORDING
    for rank, length in enumerate(sorted(len(message.text) for message in kept)):
        most = left // (len(kept) - rank)
        if length > most:
            break
        left -= length
        most = LONGEST_RECORDING
    return [message._replace(text=bounded(message.text, most)) for message in kept]


@cache
def _template(name: str) -> Template:
    text = files("agentrecall_domain.notes").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    return Template(text.rstrip("\n"))
