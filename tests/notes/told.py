"""Sessions told to a memory, judges that say what a test wants, and a clock that a test sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from agentrecall_domain.notes.judge import Draft, NoteVerdict
from agentrecall_domain.notes.note import Note, NoteContent, NoteType, Source
from agentrecall_domain.notes.segmentation import USUAL
from agentrecall_domain.notes.unit import Unit, UnitKey
from agentrecall_domain.text.utc import stamp
from agentrecall_domain.turns.batch import Batch, OpenedTurn, Project
from agentrecall_domain.turns.span import Span
from agentrecall_storage.memory import Memory

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
SHOP = Project("shop", "/src/shop", [("path", "/src/shop")])
BANK = Project("bank", "/src/bank", [("path", "/src/bank")])

Turn = tuple[str, str]


class Clock:
    """A clock that stands until it is set on."""

    def __init__(self) -> None:
        self.at = NOW

    def __call__(self) -> datetime:
        return self.at

    def after(self, **span: float) -> None:
        self.at += timedelta(**span)


def tell(
    memory: Memory,
    *turns: Turn,
    session: str = "s1",
    project: Project = SHOP,
    begin: datetime = NOW,
    first: int = 0,
    ended: bool = False,
) -> None:
    """A session in which each turn, a prompt and an answer, is said a minute after the one before."""
    batch = Batch(source="claude-code", session_uid=session, transcript_path="", captured_at=stamp(memory.now()))
    batch.project_index(project)
    for number, (prompt, answer) in enumerate(turns, start=first):
        uid = f"{session}-{number}"
        at = stamp(begin + timedelta(minutes=number))
        batch.turns.append(OpenedTurn(uid=uid, prompt_id=uid, ordinal=number + 1, project=0, branch="", started_at=at))
        for role, origin, text in (("user", "user", prompt), ("assistant", "agent", answer)):
            batch.spans.append(
                Span(
                    turn_uid=uid,
                    dedup_key=f"{uid}-{role}",
                    kind="turn",
                    role=role,
                    origin=origin,
                    text=text,
                    said_at=at,
                    prompt_source="typed" if role == "user" else "",
                )
            )
    memory.captures.record_batch(batch)
    if ended:
        memory.captures.end_session(session, stamp(memory.now()))


def closed(memory: Memory, *turns: Turn, session: str = "s1", project: Project = SHOP) -> UnitKey:
    """A session of one matter that is over: gives its episode."""
    tell(memory, *turns, session=session, project=project, ended=True)
    memory.episodes.segment(memory.concepts, USUAL)
    return memory.episodes.pending_units(1000)[-1]


def document(memory: Memory, text: str, key: str = "d1") -> UnitKey:
    """A document that belongs to no session."""
    found = memory.connection.execute(
        """
        INSERT INTO raw_items(uid, dedup_key, source, kind, role, origin, text, said_at, captured_at)
        VALUES (:key, :key, 'bookmark', 'document', 'document', 'web', :text, :at, :at)
        """,
        {"key": key, "text": text, "at": stamp(memory.now())},
    )
    return UnitKey("raw_item", int(found.lastrowid or 0))


def draft(unit: Unit, span: str, title: str = "", **changes: object) -> Draft:
    """A note that *span* proves."""
    raw_item_id = next((spoken.raw_item_id for spoken in unit.spans if span in spoken.text), None)
    fields = {
        "type": NoteType.FACT,
        "title": title or span[:100],
        "body": span,
        "sources": (Source(raw_item_id=raw_item_id, span=span),),
    }
    return Draft.model_validate({**fields, **changes})


class Scripted:
    """A judge that drafts what *drafts* says and finds the same verdict of every pair; it notes what it was asked."""

    name = "scripted"

    def __init__(
        self,
        drafts: Callable[[Unit], Sequence[Draft]] = lambda _: (),
        verdict: NoteVerdict | Exception = NoteVerdict.DISTINCT,
    ) -> None:
        self._drafts, self._verdict = drafts, verdict
        self.distilled: list[str] = []
        self.compared: list[tuple[str, str]] = []
        self.while_asked: Callable[[], None] = lambda: None

    def distil(self, unit: Unit) -> Sequence[Draft]:
        self.distilled.append(unit.label)
        self.while_asked()
        return self._drafts(unit)

    def compare(self, old: Note, new: NoteContent) -> NoteVerdict:
        self.compared.append((old.title, new.title))
        self.while_asked()
        if isinstance(self._verdict, Exception):
            raise self._verdict
        return self._verdict


def failing(error: Exception) -> Scripted:
    """A judge that fails."""

    def fail(_: Unit) -> Sequence[Draft]:
        raise error

    return Scripted(fail)


def remembering(unit: Unit) -> list[Draft]:
    """What the user said with the word "remember" in it, each a note."""
    return [draft(unit, one.text) for one in unit.spans if one.origin == "user" and "remember" in one.text]


def everything(memory: Memory) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    tables = memory.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return {name: memory.connection.execute(f"SELECT * FROM {name}").fetchall() for (name,) in tables}  # noqa: S608 -- names of ours
