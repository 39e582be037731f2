"""An injection: the record that memories were put before the agent at a moment, and of what was asked. Hot."""

from __future__ import annotations

from agentrecall_domain.text.utc import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.recall.notes import ShownNote
    from agentrecall_domain.recall.packing import Shown


class Asked:
    """Who asks the memory, when and for what: the identity of an injection.

    *key* is the prompt's or tool use's id, or the source of a session start; with it the same hook, wired twice, is
    known as one. *query* is scrubbed text. *at* is in seconds since the epoch, `now` the same as text.
    """

    __slots__ = (
        "agent_id",
        "at",
        "key",
        "moment",
        "now",
        "prompt_id",
        "query",
        "session_uid",
        "source",
        "transcript_path",
    )

    def __init__(
        self,
        *,
        moment: str,
        session_uid: str,
        agent_id: str,
        prompt_id: str,
        key: str,
        query: str,
        source: str,
        transcript_path: str,
        at: float,
    ) -> None:
        self.moment = moment
        self.session_uid = session_uid
        self.agent_id = agent_id
        self.prompt_id = prompt_id
        self.key = key
        self.query = query
        self.source = source
        self.transcript_path = transcript_path
        self.at = at
        self.now = iso(at)


class Injection:
    """What was asked, the rules and notes shown for it, and what those cost; *skipped* may say why there are none."""

    __slots__ = ("asked", "latency_ms", "notes", "project_id", "shown", "skipped", "tokens")

    def __init__(
        self,
        asked: Asked,
        *,
        project_id: int | None,
        shown: list[Shown],
        skipped: str,
        tokens: int,
        notes: list[ShownNote] | None = None,
    ) -> None:
        self.asked = asked
        self.project_id = project_id
        self.shown = shown
        self.skipped = skipped
        self.tokens = tokens
        self.notes = notes or []
        self.latency_ms = 0
