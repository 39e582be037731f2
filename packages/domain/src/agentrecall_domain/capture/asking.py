"""Asking: whether the agent is asked for a verdict about the turn that it just ended, and in which words. Hot.

Off unless its user switches it on (config `ask_for_verdict`). A turn is asked about once, and never while the host
already keeps the agent going for a Stop hook. Whatever is in doubt, the turn ends unasked.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class AskingStore(Protocol):
        """The queries that asking needs, each inside the transaction that notes the turn's end."""

        def said(self, turn_id: int, session_uid: str, prompt_id: str) -> int:
            """How many characters the user said in the turn."""

        def record_request(self, turn_id: int, now: str) -> int | None:
            """The id of a new request, or None: the turn has one."""

        def abandon_request(self, turn_id: int, now: str) -> bool:
            """Give an open request up; whether there was one."""

        def note_retry_exhausted(self, turn_id: int) -> None:
            """The turn was asked about and ended without a verdict."""


KEY = "ask_for_verdict"
OFF, SUBSTANTIVE, ALWAYS = "off", "substantive", "always"
LEAST_CHARACTERS = 200
"""Of prompt and answer together: a turn with less holds no lesson that is worth a question."""
LONGEST_ID = 200
"""Characters of a host's id that are quoted; a longer one is left to the verdict's own search."""
PROGRAM = "agentrecall-finalize-turn"


class Asking:
    """One turn that ended, and whether to ask about it; *answered* is how many characters the agent's last words had.

    *mode* is the config value. *resumed* says that the host went on because of a Stop hook: of ours, or of another.
    """

    __slots__ = ("answered", "mode", "now", "prompt_id", "resumed", "session_uid")

    def __init__(self, *, mode: str, session_uid: str, prompt_id: str, answered: int, resumed: bool, now: str) -> None:
        self.mode = mode
        self.session_uid = session_uid
        self.prompt_id = prompt_id
        self.answered = answered
        self.resumed = resumed
        self.now = now

    def decide(self, store: AskingStore, turn_id: int) -> int | None:
        """Called once for a turn without a verdict: the id of the request that is made now, or None.

        A turn that was asked about and ended all the same is given up.
        """
        if self.resumed:
            if store.abandon_request(turn_id, self.now):
                store.note_retry_exhausted(turn_id)
            return None
        said = store.said(turn_id, self.session_uid, self.prompt_id)
        return store.record_request(turn_id, self.now) if is_worth_asking(self.mode, said, self.answered) else None


def is_worth_asking(mode: str, said: int, answered: int) -> bool:
    """Whether a turn with so many characters of prompt and of answer is asked about; an unknown *mode* is `off`."""
    if mode == ALWAYS:
        return said > 0
    return mode == SUBSTANTIVE and said > 0 and answered > 0 and said + answered >= LEAST_CHARACTERS


def request_label(request_id: int) -> str:
    """A request's id as people and agents read it, `J3`."""
    return f"J{request_id}"


def question(request_id: int, prompt_id: str, program: str = PROGRAM) -> str:
    """What the agent reads: one short paragraph, with the answer that costs it least."""
    about = {"turn_id": prompt_id} if len(prompt_id) <= LONGEST_ID else {}
    skip = json.dumps({**about, "verdicts": [{"decision": "Skip", "why_not_saved": "nothing to keep"}]})
    return (
        f"AgentRecall asks for a verdict on this turn (request {request_label(request_id)}); nothing is wrong. "
        "Did the user correct something, or state a preference or a convention, that should hold next time? "
        f"Answer by piping one JSON object into {program}: its --help has the form of a verdict, its --input shows the "
        f"rules that matter here. Skip is a normal answer: {skip} Then end the turn; it is not asked about again."
    )
