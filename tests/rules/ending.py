"""The end of a turn, as a host tells it: Stop hooks with what they may answer, and the settings that let them."""

from __future__ import annotations

import json
from typing import Any

from agentrecall_domain.turns.identity import waiting_turn
from helpers.transcripts import TranscriptBuilder
from recall.stories import Person, Ran

SAID = "No, never edit an applied migration: add a new migration, because production has run it."
EVIDENCE = "never edit an applied migration"
ANSWER = (
    "You are right, the migration was applied in production last week already. I have put the file back as it was and "
    "added a new migration for the currency column, with its own way down."
)
PART = {
    "title": "Migrations are append-only",
    "condition": "when a migration has been applied",
    "action": "add a new migration",
    "avoid": "editing the applied one",
    "because": "production has run it",
}


def lesson(**changes: Any) -> dict[str, Any]:
    """A correction that comes into force when it is proved; name only what matters."""
    parts = {name: changes.pop(name) for name in list(changes) if name in PART}
    return {
        "decision": "Capture",
        "capture_reason": "UserCorrection",
        "memory_type": "EngineeringLesson",
        "confidence": 0.9,
        "evidence": EVIDENCE,
        "normalized_rule": PART | parts,
    } | changes


SKIP = {"decision": "Skip", "why_not_saved": "nothing to keep"}


def turn(someone: Person, *lessons: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A verdict about the turn p1 of the session s1."""
    about = {"session_id": "s1", "turn_id": "p1", "cwd": str(someone.repository), "source": "claude-code"}
    return about | {"verdicts": list(lessons) or [lesson()]} | changes


def configure(someone: Person, **values: str) -> None:
    """Set config values."""
    with someone.memory() as memory:
        for key, value in values.items():
            memory.connection.execute("INSERT OR REPLACE INTO config VALUES (?, ?, '')", (key, value))


def ends(
    someone: Person, *, prompt_id: str = "p1", session: str = "s1", answer: str = ANSWER, **fields: Any
) -> dict[str, Any]:
    """End the turn as the host's Stop hook does; what the hook answers, held to the host's JSON."""
    payload = {
        "hook_event_name": "Stop",
        "session_id": session,
        "transcript_path": str(someone.root / "none.jsonl"),
        "cwd": str(someone.repository),
        "prompt_id": prompt_id,
        "last_assistant_message": answer,
        "stop_hook_active": False,
    }
    ran = someone.run("agentrecall-finalize-turn", "--hook", stdin=json.dumps(payload | fields))
    assert (ran.code, ran.err) == (0, ""), ran
    answered: dict[str, Any] = json.loads(ran.out) if ran.out else {}
    assert answered.keys() in ({"decision", "reason"}, {"systemMessage"}, set()), answered
    return answered


def sources(someone: Person) -> list[tuple[str, str]]:
    """Each finalization: its turn's prompt and who decided."""
    return [
        (str(prompt), str(source))
        for prompt, source in someone.rows(
            """
            SELECT coalesce(turns.prompt_id, ''), turn_finalizations.decision_source
              FROM turn_finalizations LEFT JOIN turns ON turns.id = turn_finalizations.turn_id
             ORDER BY turns.id, turn_finalizations.id
            """
        )
    ]


def requests(someone: Person) -> list[tuple[str, str]]:
    """Status and decision of each request for a verdict."""
    found = someone.rows("SELECT status, decision FROM judgment_requests ORDER BY id")
    return [(str(status), str(decision)) for status, decision in found]


def transcript_of(someone: Person, session: str = "s1") -> TranscriptBuilder:
    """The transcript of a session."""
    return TranscriptBuilder(someone.root / "transcripts" / f"{session}.jsonl", someone.repository, session)


def captures(someone: Person, transcript: TranscriptBuilder) -> None:
    """Let capture-hook read what is on disk."""
    ran = someone.run("agentrecall-capture-hook", stdin=json.dumps(transcript.payload()))
    assert ran == Ran(0, "", ""), ran


def is_waiting(someone: Person, prompt_id: str = "p1", session: str = "s1") -> bool:
    """Whether the turn's opening line is not on disk yet."""
    return bool(someone.rows("SELECT 1 FROM turns WHERE uid = ?", waiting_turn(session, prompt_id)))
