"""A batch: what one reading of a session has to say to the memory, scrubbed and ready to be stored or spooled. Hot."""

from __future__ import annotations

import json

from agentrecall_domain.turns.span import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.turns.project import Alias

SPAN_FIELDS = ("turn_uid", "dedup_key", "kind", "role", "origin", "text", "said_at", "prompt_source", "continues")


class MalformedBatchError(ValueError):
    """A spooled text is no batch of ours."""


class Project:
    """A project as seen from a folder: its name, its root folder, and its aliases, strongest first."""

    __slots__ = ("aliases", "name", "root")

    def __init__(self, name: str, root: str, aliases: list[tuple[str, str]]) -> None:
        self.name = name
        self.root = root
        self.aliases = aliases

    @classmethod
    def at(cls, name: str, root: str, aliases: list[Alias]) -> Project:
        """The project that *aliases* name."""
        return cls(name, root, [(alias.kind, alias.value) for alias in aliases])


class Excluded:
    """Stands in for the project of a folder that its user excluded: nothing said there is kept."""

    __slots__ = ()


EXCLUDED = Excluded()


class OpenedTurn:
    """A turn that a reading saw open. *project* is an index into the batch's projects, -1 for none."""

    __slots__ = ("branch", "ordinal", "project", "prompt_id", "started_at", "uid")

    def __init__(self, *, uid: str, prompt_id: str, ordinal: int, project: int, branch: str, started_at: str) -> None:
        self.uid = uid
        self.prompt_id = prompt_id
        self.ordinal = ordinal
        self.project = project
        self.branch = branch
        self.started_at = started_at


class Rejection:
    """What was left out of a span: by which rule, whose words they were, a beginning of them, and in which turn."""

    __slots__ = ("origin", "rule", "text", "turn_uid")

    def __init__(self, rule: str, origin: str, text: str, turn_uid: str) -> None:
        self.rule = rule
        self.origin = origin
        self.text = text
        self.turn_uid = turn_uid


class Batch:
    """Spans of one session with the turns and projects that they belong to.

    *prompt_id* and *last_message* come from the hook's payload: the turn that it speaks of, and the agent's last words
    in it, which the transcript may still lack. *turn_uid* is the turn that the transcript has open then. *seen_at* is
    when the session was at work; a spooled batch says that of the time at which it was captured.
    """

    __slots__ = (
        "captured_at",
        "last_message",
        "projects",
        "prompt_id",
        "rejections",
        "seen_at",
        "session_uid",
        "source",
        "spans",
        "transcript_path",
        "turn_uid",
        "turns",
    )

    def __init__(
        self, *, source: str, session_uid: str, transcript_path: str, captured_at: str, seen_at: str = ""
    ) -> None:
        self.seen_at = seen_at or captured_at
        self.source = source
        self.session_uid = session_uid
        self.transcript_path = transcript_path
        self.captured_at = captured_at
        self.projects: list[Project] = []
        self.turns: list[OpenedTurn] = []
        self.spans: list[Span] = []
        self.rejections: list[Rejection] = []
        self.prompt_id = ""
        self.turn_uid = ""
        self.last_message = ""

    def project_index(self, project: Project) -> int:
        """The index of *project* in this batch, which it joins when it is new."""
        for index, known in enumerate(self.projects):
            if known.aliases == project.aliases:
                return index
        self.projects.append(project)
        return len(self.projects) - 1

    def is_empty(self) -> bool:
        """Whether there is nothing to store."""
        return not (self.turns or self.spans or self.rejections or self.last_message)

    def without(self, projects: set[int]) -> Batch:
        """This batch without what was said in *projects*, given by their index."""
        if not projects:
            return self
        left = Batch(
            source=self.source,
            session_uid=self.session_uid,
            transcript_path=self.transcript_path,
            captured_at=self.captured_at,
        )
        gone = {turn.uid for turn in self.turns if turn.project in projects}
        for turn in self.turns:
            if turn.uid not in gone:
                turn.project = left.project_index(self.projects[turn.project])
                left.turns.append(turn)
        left.spans = [span for span in self.spans if span.turn_uid not in gone and left.turns]
        left.rejections = [one for one in self.rejections if one.turn_uid not in gone and left.turns]
        return left

    def to_json(self) -> str:
        """The batch as a spool entry."""
        return json.dumps(
            {
                "batch": 1,
                "source": self.source,
                "session_uid": self.session_uid,
                "transcript_path": self.transcript_path,
                "captured_at": self.captured_at,
                "prompt_id": self.prompt_id,
                "turn_uid": self.turn_uid,
                "last_message": self.last_message,
                "projects": [[project.name, project.root, project.aliases] for project in self.projects],
                "turns": [
                    [turn.uid, turn.prompt_id, turn.ordinal, turn.project, turn.branch, turn.started_at]
                    for turn in self.turns
                ],
                "spans": [[getattr(span, field) for field in SPAN_FIELDS] for span in self.spans],
                "rejections": [[one.rule, one.origin, one.text, one.turn_uid] for one in self.rejections],
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Batch:
        """Read a spool entry back.

        Raises:
            MalformedBatchError: *text* is not one.
        """
        try:
            entry = json.loads(text)
            batch = cls(
                source=str(entry["source"]),
                session_uid=str(entry["session_uid"]),
                transcript_path=str(entry["transcript_path"]),
                captured_at=str(entry["captured_at"]),
            )
            batch.prompt_id = str(entry["prompt_id"])
            batch.turn_uid = str(entry.get("turn_uid", ""))  # an older program had none
            batch.last_message = str(entry["last_message"])
            batch.projects = [
                Project(str(name), str(root), [(str(kind), str(value)) for kind, value in aliases])
                for name, root, aliases in entry["projects"]
            ]
            batch.turns = [
                OpenedTurn(
                    uid=str(uid),
                    prompt_id=str(prompt_id),
                    ordinal=int(ordinal),
                    project=int(project),
                    branch=str(branch),
                    started_at=str(started_at),
                )
                for uid, prompt_id, ordinal, project, branch, started_at in entry["turns"]
            ]
            batch.spans = [Span(**dict(zip(SPAN_FIELDS, values, strict=True))) for values in entry["spans"]]
            batch.rejections = [
                Rejection(str(rule), str(origin), str(text), str(turn_uid))
                for rule, origin, text, turn_uid in entry.get("rejections", [])  # an older program had none
            ]
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise MalformedBatchError from error
        return batch
