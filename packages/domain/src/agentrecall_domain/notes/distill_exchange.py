"""Exchange: what a person's words answer to, a question, an offer or a report of the agent, and how. Cold."""

from __future__ import annotations

import re

from agentrecall_domain.notes.cue_tables import says
from agentrecall_domain.notes.distill_cues import is_all_praise, is_question, length_of, straight
from agentrecall_domain.text.telling import telling
from agentrecall_domain.text.tokenizer import terms

_ANSWERED = 600
"""Characters at the end of the agent's message that a person answers to."""
_REPORTED = 300
_PICKED = 120
_CURTEST = 4
_QUESTIONS = re.compile(r"[^.!?\n\u3002\uff01\uff1f]*[?\uff1f]")
_CLAUSE = re.compile(r"[,;:\uff0c\uff1b\u3002]\s*|\s[-\u2013\u2014]\s|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|\.\s+")
_FIRST_CLAUSE = re.compile(r"[,.;:!?\n\uff0c\u3002\uff1b\uff01]+(?=\s|$|[^\x00-\x7f])|\n|[\uff0c\u3002\uff1b\uff01]|$")


def answering(before: str, sentence: str, language: str) -> set[str]:
    """What *sentence* of a person answers to in the agent's message *before*, which is in *language*."""
    found = set()
    said = straight(before[-_ANSWERED:])
    if before.rstrip().endswith(("?", "\uff1f")):
        found.add("answers")
    if any(says("asks_for", question, language) for question in _QUESTIONS.findall(said)):
        found.add("asked_for")
    if says("offers", said, language):
        found.add("offered")
        mine = telling(sentence[:_PICKED])
        if mine & set(terms(said)):
            found.add("picks")
    if says("reports", straight(before[:_REPORTED]), language):
        found.add("reported")
    return found


def is_in_clauses(sentence: str) -> bool:
    """Whether *sentence* has more than one clause: what is said, and something about it."""
    return len(_CLAUSE.split(sentence)) > 1


def is_curt(message: str, language: str) -> bool:
    """Whether *message* begins with a word or two and then says why: "redis. the workers restart too often"."""
    bare = message.strip()
    end = _FIRST_CLAUSE.search(bare)
    if end is None:
        return False
    first, rest = straight(bare[: end.start()]), bare[end.end() :]
    return (
        bool(first)
        and length_of(first) < _CURTEST
        and length_of(rest) >= _CURTEST
        and not is_all_praise(first, language)
        and not is_question(first, language)
    )
