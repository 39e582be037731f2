"""A recall event while memory is off: nothing is recalled, and the prompt's turn is never captured later."""

from __future__ import annotations

from agentrecall_domain.turns.payload import Payload
from agentrecall_storage.files import unheard


def act(fields: dict[str, object], home: str) -> dict[str, object] | None:
    """Note a prompt as one that was not for us; every other event passes by."""
    payload = Payload(fields)
    if payload.event == "UserPromptSubmit":
        unheard.note(home, payload.session_uid, payload.prompt_id)
    return None
