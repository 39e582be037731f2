"""Episodes: turns grouped as they wait, and the units of distilling work that come of it. Cold."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

from agentrecall_domain.notes.episode import Episode, EpisodeStatus
from agentrecall_domain.notes.segmentation import LONGEST_READ, Closed, Limits, SaidTurn, Stretch, segment
from agentrecall_domain.notes.unit import Spoken, Unit, UnitKey
from agentrecall_domain.text.utc import instant, stamp
from agentrecall_storage import ledger
from agentrecall_storage.engine import sqlite
from agentrecall_storage.rows import insert, rows, update

if TYPE_CHECKING:
    from agentrecall_domain.text.concept_vector import ConceptStore

OLD = timedelta(hours=6)
"""An episode in which nothing was said for so long is over, whether its session has ended or not."""
MOST_TURNS = 400
"""So many turns of one session are read at once; the others follow."""
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)

Episodes: TypeAlias = list[Episode]

SESSIONS = """
    SELECT DISTINCT sessions.id, sessions.ended_at
      FROM turns JOIN sessions ON sessions.id = turns.session_id
     WHERE turns.episode_id IS NULL
     ORDER BY sessions.id
"""
WAITING_TURNS = """
    SELECT id, project_id, started_at FROM turns WHERE session_id = ? AND episode_id IS NULL ORDER BY id LIMIT ?
"""
SAID_IN_TURN = """
    SELECT origin, substr(text, 1, :most) AS text, said_at FROM raw_items WHERE turn_id = :turn ORDER BY id
"""
OF_NO_SESSION = "session_id IS NULL AND turn_id IS NULL"
IS_CLOSED = "SELECT 1 FROM episodes WHERE id = ? AND status = 'Closed'"
IS_UNDISTILLED = f"""
    SELECT 1 FROM raw_items
     WHERE id = ? AND distilled_at IS NULL AND {OF_NO_SESSION}
       AND NOT EXISTS (SELECT 1 FROM distill_failures
                        WHERE unit_kind = 'raw_item' AND unit_id = raw_items.id AND parked_at IS NOT NULL)
"""  # noqa: S608 -- a condition of this module
_READY = """
    NOT EXISTS (
        SELECT 1 FROM distill_failures AS failed
         WHERE failed.unit_kind = '{kind}' AND failed.unit_id = {table}.id
           AND (failed.parked_at IS NOT NULL OR failed.retry_at > :now)
    ) AND NOT EXISTS (
        SELECT 1 FROM handed_out_units AS handed
         WHERE handed.unit_kind = '{kind}' AND handed.unit_id = {table}.id AND handed.until > :now
    )
"""
# What was said first comes first: a note may take the place of an older one.
PENDING = f"""
    SELECT 'episode' AS kind, id, started_at AS at FROM episodes
     WHERE status = 'Closed' AND {_READY.format(kind="episode", table="episodes")}
    UNION ALL
    SELECT 'raw_item', id, said_at FROM raw_items
     WHERE {OF_NO_SESSION} AND distilled_at IS NULL
       AND {_READY.format(kind="raw_item", table="raw_items")}
     ORDER BY at, id
     LIMIT :most
"""  # noqa: S608 -- names of this module
WAITING = """
    SELECT (SELECT count(*) FROM episodes WHERE status = 'Closed'),
           (SELECT count(*) FROM raw_items
             WHERE session_id IS NULL AND turn_id IS NULL AND distilled_at IS NULL
               AND NOT EXISTS (SELECT 1 FROM distill_failures AS failed
                                WHERE failed.unit_kind = 'raw_item' AND failed.unit_id = raw_items.id
                                  AND failed.parked_at IS NOT NULL)),
           (SELECT count(*) FROM turns WHERE episode_id IS NULL)
"""
EPISODES = """
    SELECT episodes.*, sessions.uid AS session_uid,
           (SELECT count(*) FROM turns WHERE turns.episode_id = episodes.id) AS turns
      FROM episodes JOIN sessions ON sessions.id = episodes.session_id
"""
SPOKEN_IN_EPISODE = """
    SELECT raw_items.*
      FROM turns JOIN raw_items ON raw_items.turn_id = turns.id
     WHERE turns.episode_id = ?
     ORDER BY turns.id, raw_items.id
"""


class EpisodeNotFoundError(LookupError):
    """No episode has this id."""

    def __init__(self, episode_id: int) -> None:
        super().__init__(episode_id)
        self.episode_id = episode_id


class UnitNotFoundError(LookupError):
    """There is no such unit."""

    def __init__(self, key: UnitKey) -> None:
        super().__init__(key.label)
        self.key = key


class EpisodeStore:
    """The episodes of one memory, and what is to be distilled. *now* is the clock, aware and in UTC."""

    def __init__(self, connection: sqlite.Connection, now: Callable[[], datetime]) -> None:
        self.connection = connection
        self.now = now

    # Turns into episodes

    def segment(self, concepts: ConceptStore, limits: Limits, is_over: Callable[[], bool] = lambda: False) -> int:
        """Group the turns that wait, session by session until it *is_over*; gives how many episodes were closed.

        The open end of a session stays as it is, to be read again with what is said next.
        """
        closed = 0
        for session_id, ended_at in self.connection.execute(SESSIONS).fetchall():
            if is_over():
                break
            closed += self._segment_session(int(session_id), concepts, limits, ended=ended_at is not None)
        return closed

    def _segment_session(self, session_id: int, concepts: ConceptStore, limits: Limits, *, ended: bool) -> int:
        closed = 0
        while True:
            turns = self._waiting_turns(session_id)
            is_all = len(turns) < MOST_TURNS
            # Words are compared outside the transaction: hooks wait for its lock.
            stretches = list(segment(turns, concepts, limits))
            if is_all and stretches:
                stretches[-1] = stretches[-1]._replace(closed=self._why_over(stretches[-1], ended=ended))
            over = [stretch for stretch in stretches if stretch.closed is not None]
            with ledger.writing(self.connection):
                for stretch in over:
                    self._close(session_id, stretch)
                # crash point: segment, before the commit
            # crash point: segment, after the commit
            closed += len(over)
            if is_all or not over:
                return closed

    def _waiting_turns(self, session_id: int) -> list[SaidTurn]:
        found = rows(self.connection, WAITING_TURNS, [session_id, MOST_TURNS])
        return [self._said(row) for row in found]

    def _said(self, turn: dict[str, Any]) -> SaidTurn:
        said = rows(self.connection, SAID_IN_TURN, {"turn": turn["id"], "most": LONGEST_READ})
        spoken = [instant(row["said_at"]) for row in said]
        return SaidTurn(
            id=turn["id"],
            prompt="\n".join(row["text"] for row in said if row["origin"] == "user"),
            answer="\n".join(row["text"] for row in said if row["origin"] == "agent"),
            started_at=instant(turn["started_at"]),
            ended_at=max((at for at in spoken if at is not None), default=None),
            project_id=turn["project_id"],
        )

    def _why_over(self, stretch: Stretch, *, ended: bool) -> Closed | None:
        """Why the last episode of a session is over; None while it may go on."""
        if ended:
            return Closed.END
        return Closed.AGE if self.now() - _end(stretch, self.now()) >= OLD else None

    def _close(self, session_id: int, stretch: Stretch) -> None:
        """Make an episode of the turns, unless one of them has one by now."""
        ids = [turn.id for turn in stretch.turns]
        marks = ", ".join("?" * len(ids))
        taken = self.connection.execute(
            f"SELECT 1 FROM turns WHERE id IN ({marks}) AND episode_id IS NOT NULL",  # noqa: S608 -- marks of this method
            ids,
        ).fetchone()
        if taken:
            return
        now = self.now()
        started = next((turn.started_at for turn in stretch.turns if turn.started_at is not None), now)
        row = {
            "uid": os.urandom(16).hex(),
            "session_id": session_id,
            "project_id": next((turn.project_id for turn in stretch.turns if turn.project_id is not None), None),
            "status": EpisodeStatus.CLOSED,
            "closed_by": stretch.closed,
            "started_at": stamp(started),
            "ended_at": stamp(max(started, _end(stretch, now))),
            "closed_at": stamp(now),
        }
        episode_id = insert(self.connection, "episodes", row)
        # crash point: segment, an episode without its turns
        self.connection.execute(f"UPDATE turns SET episode_id = ? WHERE id IN ({marks})", [episode_id, *ids])  # noqa: S608 -- marks of this method

    # Units of work

    def pending_units(self, limit: int) -> list[UnitKey]:
        """At most so many units that may be distilled now, what was said first in front."""
        found = self.connection.execute(PENDING, {"now": stamp(self.now()), "most": limit})
        return [UnitKey(kind, int(unit_id)) for kind, unit_id, _ in found]

    def is_waiting(self, key: UnitKey) -> bool:
        """Whether nobody has distilled or parked the unit."""
        sql = IS_CLOSED if key.kind == "episode" else IS_UNDISTILLED
        return self.connection.execute(sql, (key.id,)).fetchone() is not None

    def unit(self, kind: str, unit_id: int) -> Unit:
        """The unit with all that was said in it.

        Raises:
            UnitNotFoundError: There is none.
        """
        if kind == "episode":
            return self._episode_unit(unit_id)
        # What was said in a session is distilled with its episode, never by itself.
        alone = f"SELECT * FROM raw_items WHERE id = ? AND {OF_NO_SESSION}"  # noqa: S608 -- a condition of this module
        found = rows(self.connection, alone, [unit_id])
        if kind != "raw_item" or not found:
            raise UnitNotFoundError(UnitKey("raw_item", unit_id))
        return self._unit("raw_item", unit_id, found[0]["source"], found[0]["project_id"], found)

    def _episode_unit(self, episode_id: int) -> Unit:
        of_session = "SELECT source, episodes.project_id FROM episodes JOIN sessions ON sessions.id = session_id"
        found = rows(self.connection, f"{of_session} WHERE episodes.id = ?", [episode_id])
        if not found:
            raise UnitNotFoundError(UnitKey("episode", episode_id))
        spoken = rows(self.connection, SPOKEN_IN_EPISODE, [episode_id])
        return self._unit("episode", episode_id, found[0]["source"], found[0]["project_id"], spoken)

    def _unit(self, kind: Any, unit_id: int, source: str, project_id: int | None, spoken: list[dict[str, Any]]) -> Unit:
        name = self.connection.execute("SELECT name FROM projects WHERE id = ?", (project_id,)).fetchone()
        return Unit(
            kind=kind,
            id=unit_id,
            source=source,
            project_id=project_id,
            project=str(name[0]) if name else "",
            spans=tuple(_spoken(row) for row in spoken),
        )

    def mark_distilled(self, key: UnitKey, judge: str, *, notes: int, rejected: int) -> None:
        """The unit is done. Inside the transaction in which its notes were stored."""
        now = stamp(self.now())
        if key.kind == "episode":
            update(
                self.connection,
                "episodes",
                key.id,
                {"status": EpisodeStatus.DISTILLED, "judge": judge, "distilled_at": now},
            )
        else:
            update(self.connection, "raw_items", key.id, {"distilled_at": now})
        self.connection.execute("DELETE FROM handed_out_units WHERE unit_kind = ? AND unit_id = ?", (key.kind, key.id))
        details = {"notes": notes, "rejected": rejected}
        ledger.record_event(self.connection, "UnitDistilled", key.label, at=now, actor=judge, details=details)

    def set_parked(self, key: UnitKey, *, parked: bool) -> None:
        """Put an episode out of the way, or back in line. Inside the transaction that says why."""
        if key.kind == "episode":
            status = EpisodeStatus.PARKED if parked else EpisodeStatus.CLOSED
            update(self.connection, "episodes", key.id, {"status": status})

    def waiting(self) -> dict[str, int]:
        """What waits: closed `episodes`, `raw_items` of no session, and `turns` that are in no episode yet."""
        found = self.connection.execute(WAITING).fetchone()
        return dict(zip(("episodes", "raw_items", "turns"), map(int, found), strict=True))

    def last_distilled_at(self) -> str | None:
        """When a unit was last done."""
        row = self.connection.execute("SELECT max(distilled_at) FROM episodes").fetchone()
        return str(row[0]) if row[0] else None

    def writing(self) -> AbstractContextManager[object]:
        """One change as a whole, as `ledger.writing`."""
        return ledger.writing(self.connection)

    # For people

    def get(self, episode_id: int) -> Episode:
        """The episode with this id.

        Raises:
            EpisodeNotFoundError: There is none.
        """
        found = self._episodes(f"{EPISODES} WHERE episodes.id = ?", [episode_id])
        if not found:
            raise EpisodeNotFoundError(episode_id)
        return found[0]

    def list(
        self,
        *,
        project_id: int | None,
        everywhere: bool,
        status: EpisodeStatus | None = None,
        limit: int | None = None,
    ) -> Episodes:
        """Episodes of the project (*everywhere*: of all projects), newest first."""
        conditions = ["1"]
        values: Any = []
        if not everywhere:
            conditions.append("episodes.project_id IS ?")
            values.append(project_id)
        if status is not None:
            conditions.append("episodes.status = ?")
            values.append(status)
        where = " AND ".join(conditions)
        return self._episodes(
            f"{EPISODES} WHERE {where} ORDER BY episodes.id DESC LIMIT ?", [*values, -1 if limit is None else limit]
        )

    def _episodes(self, sql: str, values: Any) -> Episodes:
        return [Episode(**row) for row in rows(self.connection, sql, values)]


def _end(stretch: Stretch, now: datetime) -> datetime:
    """When the last thing in it was said; what nobody knows is now."""
    times = [at for turn in stretch.turns for at in (turn.started_at, turn.ended_at) if at is not None]
    return max(times, default=now)


def _spoken(row: dict[str, Any]) -> Spoken:
    return Spoken(
        raw_item_id=row["id"],
        turn_id=row["turn_id"],
        kind=row["kind"],
        role=row["role"],
        origin=row["origin"],
        prompt_source=row["prompt_source"],
        text=row["text"],
        said_at=instant(row["said_at"]) or instant(row["captured_at"]) or LONG_AGO,
    )
