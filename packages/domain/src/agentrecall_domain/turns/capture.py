"""Capture: new transcript lines, read and scrubbed, into the store. Transport alone: nothing is judged here. Hot."""

from __future__ import annotations

from agentrecall_domain.text.poison import without_poison
from agentrecall_domain.text.scrub import scrub, scrub_ends, scrub_up_to
from agentrecall_domain.turns.batch import Batch, Excluded, OpenedTurn, Rejection
from agentrecall_domain.turns.formats import reader_of, source_of
from agentrecall_domain.turns.identity import digest, squeezed
from agentrecall_domain.turns.own_text import remove_own
from agentrecall_domain.turns.span import BY_TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    from agentrecall_domain.turns.batch import Project
    from agentrecall_domain.turns.span import ReaderState, Span, TurnOpening

    class Lines(Protocol):
        """Complete lines of a transcript up to the offset *end*."""

        lines: list[bytes]
        end: int
        oversize: int


LONGEST_TEXT = 100_000
"""Characters kept of one span, half from each end: a pasted log of megabytes is evidence enough, and what people want
of it stands before it or after it."""
LONGEST_REJECTED = 500
MOST_REJECTIONS = 20
"""How many pieces left out of one span are told: a page full of them says nothing more."""


class Progress:
    """What a reading adds to a transcript's cursor; *left_out* counts the turns that may not be kept."""

    __slots__ = ("bad_lines", "left_out", "offset", "state", "unknown")

    def __init__(
        self, *, offset: int, state: ReaderState, bad_lines: int, unknown: dict[str, int], left_out: int = 0
    ) -> None:
        self.offset = offset
        self.state = state
        self.bad_lines = bad_lines
        self.unknown = unknown
        self.left_out = left_out


class Session:
    """The session that a hook speaks of, and how a folder's project is found: *project_at* touches the disk.

    *source* is the host, where something else than the transcript's name tells it; *seen_at* is when the session was
    at work, where that is not now.
    """

    __slots__ = ("captured_at", "cwd", "project_at", "seen_at", "source", "transcript_path", "uid")

    def __init__(
        self,
        *,
        uid: str,
        transcript_path: str,
        cwd: str,
        captured_at: str,
        project_at: Callable[[str], Project | Excluded],
        source: str = "",
        seen_at: str = "",
    ) -> None:
        self.uid = uid
        self.seen_at = seen_at or captured_at
        self.source = source or source_of(transcript_path)
        self.transcript_path = transcript_path
        self.cwd = cwd
        self.captured_at = captured_at
        self.project_at = project_at

    def new_batch(self) -> Batch:
        """An empty batch of this session."""
        return Batch(
            source=self.source,
            session_uid=self.uid,
            transcript_path=self.transcript_path,
            captured_at=self.captured_at,
            seen_at=self.seen_at,
        )


def read_batches(
    session: Session, found: Iterable[Lines], state: ReaderState, unheard: frozenset[str]
) -> Iterator[tuple[Batch, Progress]]:
    """Each stretch of lines as a batch to be stored, with the progress that it makes.

    *unheard* are the prompts that were given while memory was off: nothing of their turns is kept.
    """
    reader = reader_of(session.transcript_path)
    for lines in found:
        reading = reader.read(lines.lines, state)
        batch = session.new_batch()
        excluded = _add_turns(batch, session, reading.turns, state, unheard)
        for span in reading.spans:
            if span.turn_uid not in excluded:
                _add_span(batch, span)
        state = reading.state
        yield (
            batch,
            Progress(
                offset=lines.end,
                state=state,
                bad_lines=reading.bad_lines + lines.oversize,
                unknown=reading.unknown,
                left_out=len(reading.turns) - len(batch.turns),
            ),
        )


def last_message(session: Session, *, prompt_id: str, turn_uid: str, text: str) -> Batch | None:
    """A batch for the agent's last words, which the transcript may lack when the hook runs; None without any."""
    said = scrub_ends(remove_own(text), LONGEST_TEXT).strip()
    # What is left out here is told when the transcript's line is read.
    said = without_poison(said, "agent")[0].strip()
    if not said:
        return None
    project = session.project_at(session.cwd)
    if isinstance(project, Excluded):
        return None
    batch = session.new_batch()
    batch.project_index(project)
    batch.prompt_id, batch.turn_uid, batch.last_message = prompt_id, turn_uid, said
    return batch


def _add_span(batch: Batch, span: Span) -> None:
    """Put *span* into *batch*, scrubbed and without what somebody planted in it."""
    if span.dedup_key.endswith(BY_TEXT):
        span.dedup_key += digest(squeezed(scrub_up_to(span.text, LONGEST_TEXT)))
    span.text = scrub_ends(span.text, LONGEST_TEXT)
    span.text, dropped = without_poison(span.text, span.origin)
    for piece in dropped[:MOST_REJECTIONS]:
        batch.rejections.append(Rejection(piece.rule, span.origin, piece.text[:LONGEST_REJECTED], span.turn_uid))
    if span.text.strip() or not dropped:
        batch.spans.append(span)


def _add_turns(
    batch: Batch, session: Session, turns: list[TurnOpening], state: ReaderState, unheard: frozenset[str]
) -> set[str]:
    """Put the turns that may be kept into *batch*; gives the uids of those that may not."""
    kept_out = set()
    is_off = state.prompt_id in unheard
    if is_off or isinstance(session.project_at(state.cwd or session.cwd), Excluded):
        kept_out.add(state.turn_uid)
    for turn in turns:
        # A queued prompt has no id of its own: it is as its predecessor was.
        is_off = turn.prompt_id in unheard if turn.prompt_id else is_off
        project = session.project_at(turn.cwd or session.cwd)
        if is_off or isinstance(project, Excluded):
            kept_out.add(turn.uid)
            continue
        batch.turns.append(
            OpenedTurn(
                uid=turn.uid,
                prompt_id=turn.prompt_id,
                ordinal=turn.ordinal,
                project=batch.project_index(project),
                branch=scrub(turn.branch),
                started_at=turn.said_at or session.captured_at,
            )
        )
    return kept_out
