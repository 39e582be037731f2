"""Raw items: what capture stores, each span once, however often and by whomever it is read. Hot."""

from __future__ import annotations

import json

from agentrecall_domain.turns.identity import digest, squeezed, waiting_turn
from agentrecall_domain.turns.span import ReaderState
from agentrecall_storage.hot import FIND_SESSION, HotStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from agentrecall_domain.turns.batch import Batch, OpenedTurn, Rejection
    from agentrecall_domain.turns.capture import Progress
    from agentrecall_domain.turns.span import Span
    from agentrecall_storage.files.transcript import Transcript

FIND_CURSOR = """
    SELECT device, inode, head, head_length, offset, tail, state, unknown_kinds FROM transcripts WHERE path = ?
"""
UPSERT_CURSOR = """
    INSERT INTO transcripts(path, source, device, inode, head, head_length, offset, tail, state, bad_lines,
                            unknown_lines, unknown_kinds, read_at)
    VALUES (:path, :source, :device, :inode, :head, :head_length, :offset, :tail, :state, :bad_lines,
            :unknown_lines, :unknown_kinds, :now)
    ON CONFLICT(path) DO UPDATE SET
        device = :device, inode = :inode, head = :head, head_length = :head_length, offset = :offset, tail = :tail,
        state = :state, bad_lines = transcripts.bad_lines + :bad_lines,
        unknown_lines = transcripts.unknown_lines + :unknown_lines, unknown_kinds = :unknown_kinds, read_at = :now
"""
RECENT_SESSIONS = """
    SELECT uid, transcript_path FROM sessions
     WHERE last_seen_at > '' AND transcript_path <> '' ORDER BY last_seen_at DESC LIMIT ?
"""
END_SESSION = "UPDATE sessions SET ended_at = ? WHERE uid = ?"

FIND_TURN = "SELECT id FROM turns WHERE uid = ?"
FIND_TURN_BY_PROMPT = "SELECT id FROM turns WHERE session_id = ? AND prompt_id = ? ORDER BY id DESC LIMIT 1"
TURN_PROJECT = "SELECT project_id FROM turns WHERE id = ?"
INSERT_TURN = """
    INSERT INTO turns(uid, session_id, project_id, prompt_id, ordinal, branch, started_at)
    VALUES (:uid, :session_id, :project_id, :prompt_id, :ordinal, :branch, :started_at)
"""
ADOPT_TURN = """
    UPDATE turns SET uid = :uid, project_id = :project_id, ordinal = :ordinal, branch = :branch,
                     started_at = :started_at
     WHERE uid = :waiting
"""

LATEST_TURN = "SELECT id FROM turns WHERE session_id = ? ORDER BY id DESC LIMIT 1"

FIND_RAW_ITEM = "SELECT id, text, turn_id FROM raw_items WHERE dedup_key = ?"
SAID_BY_AGENT = "SELECT text FROM raw_items WHERE turn_id = ? AND origin = 'agent' ORDER BY id DESC"
INSERT_RAW_ITEM = """
    INSERT INTO raw_items(uid, dedup_key, source, kind, project_id, session_id, turn_id, role, origin, prompt_source,
                          text, said_at, captured_at)
    VALUES (:uid, :dedup_key, :source, :kind, :project_id, :session_id, :turn_id, :role, :origin, :prompt_source,
            :text, :said_at, :captured_at)
    ON CONFLICT(dedup_key) DO NOTHING
"""
REPLACE_TEXT = "UPDATE raw_items SET text = ? WHERE id = ?"
PLACE_IN_TURN = "UPDATE raw_items SET turn_id = ?, project_id = ? WHERE id = ?"
ADOPT_RAW_ITEM = """
    UPDATE raw_items SET uid = :uid, dedup_key = :dedup_key, text = :text, said_at = :said_at, turn_id = :turn_id,
                         project_id = :project_id
     WHERE dedup_key IN (:of_turn, :of_session)
"""
INSERT_REJECTION = """
    INSERT INTO gate_rejections(uid, stage, rule, detail, project_id, text, created_at)
    VALUES (:uid, 'capture', :rule, :detail, :project_id, :text, :now)
    ON CONFLICT(uid) DO NOTHING
"""
MOST_UNKNOWN_KINDS = 50


class Cursor:
    """Where a transcript was read to, and what is needed to read on."""

    __slots__ = ("device", "head", "head_length", "inode", "offset", "state", "tail", "unknown_kinds")

    def __init__(self, row: Sequence[Any]) -> None:
        self.device, self.inode, self.head, self.head_length, self.offset, self.tail, state, kinds = row
        self.state = ReaderState.from_json(state)
        self.unknown_kinds: str = kinds

    def is_of(self, transcript: Transcript) -> bool:
        """Whether *transcript* is the file that was read: neither replaced nor cut."""
        return transcript.same_as(
            device=self.device,
            inode=self.inode,
            head=self.head,
            head_length=self.head_length,
            offset=self.offset,
            tail=self.tail,
        )


class CaptureStore(HotStore):
    """The hot store with what capture writes."""

    def find_cursor(self, path: str) -> Cursor | None:
        """Where the transcript at *path* was read to, or None when it was never read."""
        row = self.connection.execute(FIND_CURSOR, (path,)).fetchone()
        return Cursor(row) if row else None

    def recent_transcripts(self, most: int) -> list[tuple[str, str]]:
        """Uid and transcript of the sessions last seen, newest first."""
        return [(str(uid), str(path)) for uid, path in self.connection.execute(RECENT_SESSIONS, (most,))]

    def record_reading(self, batch: Batch, transcript: Transcript, start: int | None, progress: Progress) -> bool:
        """Store *batch* and move the transcript's cursor from *start* (None: from nothing) on: both, or neither.

        False when another process moved the cursor since it was read: then nothing is stored, since it has been.
        """
        with self.transaction():
            cursor = self.find_cursor(transcript.path)
            same = cursor is not None and cursor.is_of(transcript)
            if (cursor.offset if cursor is not None and same else None) != start:
                return False
            self._record(batch)
            # crash point: reading, recorded and the cursor not moved
            self._move_cursor(batch, transcript, progress, cursor.unknown_kinds if cursor else "{}")
            # crash point: reading, before the commit
        # crash point: reading, after the commit
        return True

    def record_batch(self, batch: Batch) -> None:
        """Store *batch* alone: a spool entry, or an agent's last words that the transcript still lacks."""
        with self.transaction():
            self._record(batch)
            # crash point: batch, before the commit
        # crash point: batch, after the commit

    def holds_last_message(self, batch: Batch) -> bool:
        """Whether the agent's last words in *batch* are stored already, as the transcript's or as a hook's."""
        session = self.connection.execute(FIND_SESSION, (batch.session_uid,)).fetchone()
        turn_id = self._turn_meant(session[0] if session else None, batch)
        if turn_id is None:
            return False
        said = squeezed(batch.last_message)
        # A message that goes on over two readings is stored as one, and may be said by its last part alone.
        return any(squeezed(text).endswith(said) for (text,) in self.connection.execute(SAID_BY_AGENT, (turn_id,)))

    def _turn_meant(self, session_id: int | None, batch: Batch) -> int | None:
        """The turn that a hook's payload speaks of: by its prompt, by what the transcript has open, or the latest."""
        find = self.connection.execute
        found = find(FIND_TURN_BY_PROMPT, (session_id, batch.prompt_id)).fetchone() if batch.prompt_id else None
        found = found or find(FIND_TURN, (batch.turn_uid,)).fetchone()
        found = found or find(LATEST_TURN, (session_id,)).fetchone()
        return int(found[0]) if found else None

    def end_session(self, uid: str, now: str) -> None:
        """Note that the session is over."""
        with self.transaction():
            self.connection.execute(END_SESSION, (now, uid))
            # crash point: session end, before the commit

    def find_or_wait_for_turn(
        self, session_id: int, session_uid: str, prompt_id: str, project_id: int, now: str
    ) -> int:
        """The turn of *prompt_id*; when its opening line is not on disk yet, a row that waits for it."""
        row = self.connection.execute(FIND_TURN_BY_PROMPT, (session_id, prompt_id)).fetchone()
        if row:
            return int(row[0])
        found = self.connection.execute(
            INSERT_TURN,
            {
                "uid": waiting_turn(session_uid, prompt_id),
                "session_id": session_id,
                "project_id": project_id,
                "prompt_id": prompt_id,
                "ordinal": None,
                "branch": "",
                "started_at": now,
            },
        ).lastrowid
        return int(found or 0)

    def _record(self, batch: Batch) -> None:
        project_ids = [self.record_project(project, batch.captured_at) for project in batch.projects]
        if batch.is_empty():
            return
        session_id, _ = self.record_session(
            uid=batch.session_uid,
            source=batch.source,
            project_id=project_ids[0] if project_ids else None,
            transcript_path=batch.transcript_path,
            now=batch.seen_at,
        )
        for turn in batch.turns:
            self._record_turn(turn, session_id, batch.session_uid, project_ids[turn.project])
        # crash point: record, turns without their spans
        for span in batch.spans:
            self._record_span(span, batch, session_id)
        for rejection in batch.rejections:
            self._record_rejection(rejection, batch)
        if batch.last_message:
            self._record_last_message(batch, session_id, project_ids[0])

    def _record_turn(self, turn: OpenedTurn, session_id: int, session_uid: str, project_id: int) -> None:
        if self.connection.execute(FIND_TURN, (turn.uid,)).fetchone():
            return
        values = {
            "uid": turn.uid,
            "session_id": session_id,
            "project_id": project_id,
            "prompt_id": turn.prompt_id or f"#{turn.ordinal}",
            "ordinal": turn.ordinal,
            "branch": turn.branch,
            "started_at": turn.started_at,
        }
        waiting = {**values, "waiting": waiting_turn(session_uid, str(values["prompt_id"]))}
        if self.connection.execute(ADOPT_TURN, waiting).rowcount == 0:
            self.connection.execute(INSERT_TURN, values)

    def _record_span(self, span: Span, batch: Batch, session_id: int) -> None:
        turn_id, project_id = self._turn_of(span.turn_uid)
        known = self.connection.execute(FIND_RAW_ITEM, (span.dedup_key,)).fetchone()
        if known:
            self._complete(int(known[0]), str(known[1]), span)
            if known[2] is None and turn_id is not None:
                # It was read from the middle of a transcript, before its turn was known.
                self.connection.execute(PLACE_IN_TURN, (turn_id, project_id, known[0]))
            return
        values = {
            "uid": digest("raw_item", span.dedup_key),
            "dedup_key": span.dedup_key,
            "source": batch.source,
            "kind": span.kind,
            "project_id": project_id,
            "session_id": session_id,
            "turn_id": turn_id,
            "role": span.role,
            "origin": span.origin,
            "prompt_source": span.prompt_source,
            "text": span.text,
            "said_at": span.said_at or batch.captured_at,
            "captured_at": batch.captured_at,
        }
        if span.origin == "agent" and turn_id is not None:
            adopted = {
                **values,
                "of_turn": _lagging_key(batch.source, str(turn_id), span.text),
                "of_session": _lagging_key(batch.source, batch.session_uid, span.text),
            }
            if self.connection.execute(ADOPT_RAW_ITEM, adopted).rowcount:
                return
        self.connection.execute(INSERT_RAW_ITEM, values)

    def _complete(self, raw_item_id: int, stored: str, span: Span) -> None:
        """A known span adds nothing, unless it goes on with a message, or was read whole after it was read in part."""
        if span.continues:
            if not stored.endswith(span.text):
                self.connection.execute(REPLACE_TEXT, (f"{stored}\n\n{span.text}", raw_item_id))
        elif len(span.text) > len(stored) and span.text.startswith(stored):
            self.connection.execute(REPLACE_TEXT, (span.text, raw_item_id))

    def _record_rejection(self, rejection: Rejection, batch: Batch) -> None:
        _, project_id = self._turn_of(rejection.turn_uid)
        where = rejection.turn_uid or batch.session_uid
        self.connection.execute(
            INSERT_REJECTION,
            {
                "uid": digest("rejection", where, rejection.rule, rejection.text),
                "rule": rejection.rule,
                "detail": f"said by {rejection.origin}",
                "project_id": project_id,
                "text": rejection.text,
                "now": batch.captured_at,
            },
        )

    def _record_last_message(self, batch: Batch, session_id: int, project_id: int) -> None:
        """Store the agent's last words, unless another program has stored them meanwhile."""
        if self.holds_last_message(batch):
            return
        prompt_id = batch.prompt_id
        turn_id = (
            self.find_or_wait_for_turn(session_id, batch.session_uid, prompt_id, project_id, batch.captured_at)
            if prompt_id
            else None
        )
        key = _lagging_key(batch.source, str(turn_id) if turn_id else batch.session_uid, batch.last_message)
        self.connection.execute(
            INSERT_RAW_ITEM,
            {
                "uid": digest("raw_item", key),
                "dedup_key": key,
                "source": batch.source,
                "kind": "turn",
                "project_id": project_id,
                "session_id": session_id,
                "turn_id": turn_id,
                "role": "assistant",
                "origin": "agent",
                "prompt_source": "",
                "text": batch.last_message,
                "said_at": batch.captured_at,
                "captured_at": batch.captured_at,
            },
        )

    def _turn_of(self, turn_uid: str) -> tuple[int | None, int | None]:
        row = self.connection.execute(FIND_TURN, (turn_uid,)).fetchone() if turn_uid else None
        if row is None:
            return None, None
        return int(row[0]), self.connection.execute(TURN_PROJECT, (row[0],)).fetchone()[0]

    def _move_cursor(self, batch: Batch, transcript: Transcript, progress: Progress, kinds: str) -> None:
        self.connection.execute(
            UPSERT_CURSOR,
            {
                "path": transcript.path,
                "source": batch.source,
                "device": transcript.device,
                "inode": transcript.inode,
                "head": transcript.head,
                "head_length": transcript.head_length,
                "offset": progress.offset,
                "tail": transcript.tail(progress.offset),
                "state": progress.state.to_json(),
                "bad_lines": progress.bad_lines,
                "unknown_lines": sum(progress.unknown.values()),
                "unknown_kinds": _with_kinds(kinds, progress.unknown),
                "now": batch.captured_at,
            },
        )


def _lagging_key(source: str, turn: str, text: str) -> str:
    """The key of an agent's last words that came with a hook, before their transcript line did.

    *turn* is the id of the turn's row, which stays the same when the opening line arrives; the session's uid where the
    host does not say which turn it was.
    """
    return f"{source}:last:{turn}:{digest(squeezed(text))}"


def _with_kinds(stored: str, new: dict[str, int]) -> str:
    if not new:
        return stored
    kinds = json.loads(stored)
    for kind, count in new.items():
        if kind in kinds or len(kinds) < MOST_UNKNOWN_KINDS:
            kinds[kind] = kinds.get(kind, 0) + count
    return json.dumps(kinds)
