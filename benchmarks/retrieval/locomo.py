"""LoCoMo: ten conversations of 5,882 turns, 1,982 questions with the turns that hold their answers.

snap-research/locomo, CC BY-NC 4.0: for measuring only. A turn is a note of the day of its session; its title is the
turn before it, since people answer each other. Nine evidence strings are repaired: several ids in one string, a colon
or a zero too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.retrieval.corpus import Corpus, Document, MalformedDataError, Question
from benchmarks.retrieval.files import read_json
from benchmarks.retrieval.notes import note_document

Session = tuple[datetime, list[dict[str, Any]]]

FILE = "locomo/locomo10.json"
TURN_ID = re.compile(r"D:?(\d+):0*(\d+)")
SESSION = re.compile(r"session_\d+")


def load(data: Path) -> dict[str, list[Corpus]]:
    """The turns, and the sessions, of each conversation as a corpus of its own.

    Raises:
        MissingDataError, MalformedDataError: As `read_json`.
    """
    turns, sessions, asked = [], [], 0
    for conversation in read_json(data / FILE):
        told = conversation["conversation"]
        spoken = [
            (_said_at(told[f"{name}_date_time"]), turns_of)
            for name, turns_of in told.items()
            if SESSION.fullmatch(name)
        ]
        known = {turn["dia_id"] for _, session in spoken for turn in session}
        questions = []
        for one in conversation["qa"]:
            evidence = frozenset(_repaired(one.get("evidence", []))) & known
            if evidence:
                asked += 1
                questions.append(Question(asked, one["question"], evidence))
        turns.append(Corpus(list(_turns(spoken)), questions))
        of_sessions = [
            question._replace(expected=frozenset(key.split(":")[0] for key in question.expected))
            for question in questions
        ]
        sessions.append(Corpus(list(_sessions(spoken)), of_sessions))
    return {"turns": turns, "sessions": sessions}


def _repaired(evidence: list[str]) -> Iterator[str]:
    for text in evidence:
        for session, turn in TURN_ID.findall(text):
            yield f"D{session}:{turn}"


def _said_at(text: str) -> datetime:
    """When a session was held: "1:56 pm on 8 May, 2023"."""
    try:
        return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError as error:
        raise MalformedDataError(f"session of '{text}' has no date") from error


def _turns(sessions: list[Session]) -> Iterator[Document]:
    for said_at, session in sessions:
        before = ""
        for turn in session:
            text = _said(turn)
            yield note_document(turn["dia_id"], before, text, said_at)
            before = text


def _sessions(sessions: list[Session]) -> Iterator[Document]:
    for said_at, session in sessions:
        if session:
            key = session[0]["dia_id"].split(":")[0]
            yield note_document(key, "", "\n".join(map(_said, session)), said_at)


def _said(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption", "")
    return f"{turn['speaker']}: {turn['text']}{f' [{caption}]' if caption else ''}"
