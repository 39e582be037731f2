"""Leases: who does a work that one process at a time may do, and for how long nobody else may begin. Cold.

A holder says every ten seconds that it lives. A lease runs out a minute after it was last heard of, and at once when
its process is dead and this machine can tell.
"""

from __future__ import annotations

import os
import platform
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from agentrecall_domain.text.utc import instant, stamp
from agentrecall_storage import ledger
from agentrecall_storage.engine import MEMORY_WAIT_MS, connect, sqlite
from agentrecall_storage.rows import rows

PROCESS = "process"
"""The lease under which turns are segmented and units distilled."""
HEARTBEAT_S = 10
EXPIRES_AFTER = timedelta(seconds=60)

TAKE = """
    INSERT INTO leases(name, owner, taken_at, heartbeat_at, expires_at) VALUES (:name, :owner, :now, :now, :until)
    ON CONFLICT(name) DO UPDATE SET owner = :owner, taken_at = :now, heartbeat_at = :now, expires_at = :until
"""
BEAT = "UPDATE leases SET heartbeat_at = :now, expires_at = :until WHERE name = :name AND owner = :owner"
RELEASE = "DELETE FROM leases WHERE name = :name AND owner = :owner"


class Owner(NamedTuple):
    """A process that may hold a lease: where it runs, its id, when it began, and chance against all repetition."""

    machine: str
    pid: int
    started: str
    chance: str

    @classmethod
    def here(cls) -> Owner:
        """This process."""
        return cls(_machine(), os.getpid(), _started(os.getpid()), os.urandom(8).hex())

    @classmethod
    def read(cls, text: str) -> Owner | None:
        """The owner that a row names, or None for one that a newer program wrote otherwise."""
        parts = text.split("|")
        if len(parts) != len(cls._fields) or not parts[1].isdecimal():
            return None
        return cls(parts[0], int(parts[1]), parts[2], parts[3])

    def __str__(self) -> str:
        return "|".join(map(str, self))

    def is_dead(self) -> bool:
        """Whether the process is over. Of another machine, or of another container, nobody can say: then it lives."""
        # Windows knows no signal that only asks.
        if self.machine != _machine() or sys.platform == "win32":
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except OSError:
            return False
        return _is_zombie(self.pid) or _started(self.pid) != self.started


class Lease(NamedTuple):
    """A lease that somebody holds."""

    owner: str
    taken_at: str
    heartbeat_at: str
    expires_at: str

    @property
    def holder(self) -> str:
        """Its holder, as a person would look for it."""
        owner = Owner.read(self.owner)
        return f"process {owner.pid} on {owner.machine.partition(':')[0]}" if owner else self.owner

    def is_over(self, now: datetime) -> bool:
        """Whether it may be taken over at *now*."""
        expires, beat = instant(self.expires_at), instant(self.heartbeat_at)
        if expires is None or beat is None or expires <= now:
            return True
        # A clock that was set back: a holder that lives would have said so by the new time.
        if beat > now + EXPIRES_AFTER:
            return True
        owner = Owner.read(self.owner)
        return owner is not None and owner.is_dead()


class LeaseStore:
    """The leases of one memory. *now* is the clock, aware and in UTC."""

    def __init__(self, connection: sqlite.Connection, now: Callable[[], datetime]) -> None:
        self.connection = connection
        self.now = now

    def find(self, name: str) -> Lease | None:
        """The lease, if anybody holds it."""
        found = rows(
            self.connection, "SELECT owner, taken_at, heartbeat_at, expires_at FROM leases WHERE name = ?", [name]
        )
        return Lease(**found[0]) if found else None

    def take(self, name: str, owner: str) -> Lease | None:
        """Take the lease; gives the one that is in the way, or None when it is ours."""
        now = self.now()
        with ledger.writing(self.connection):
            held = self.find(name)
            if held is not None and held.owner != owner and not held.is_over(now):
                return held
            self.connection.execute(TAKE, self._values(name, owner, now))
            # crash point: lease, before the commit
        # crash point: lease, taken
        return None

    def beat(self, name: str, owner: str) -> bool:
        """Say that the holder lives; False when the lease is another's by now."""
        with ledger.writing(self.connection):
            return self.connection.execute(BEAT, self._values(name, owner, self.now())).rowcount > 0

    def release(self, name: str, owner: str) -> None:
        """Give the lease back, if it is ours."""
        with ledger.writing(self.connection):
            self.connection.execute(RELEASE, {"name": name, "owner": owner})

    @staticmethod
    def _values(name: str, owner: str, now: datetime) -> dict[str, str]:
        return {"name": name, "owner": owner, "now": stamp(now), "until": stamp(now + EXPIRES_AFTER)}


class HeldByAnotherError(Exception):
    """Another process holds the lease."""

    def __init__(self, lease: Lease) -> None:
        super().__init__(lease.holder)
        self.lease = lease


class Held:
    """A lease that this process holds, kept alive by a thread with a connection of its own."""

    def __init__(self, path: str, name: str, owner: str, now: Callable[[], datetime]) -> None:
        self._path, self._name, self._owner, self._now = path, name, owner, now
        self._stop = threading.Event()
        self._lost = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def is_lost(self) -> bool:
        """Whether another process has taken the lease over: this machine may have slept."""
        return self._lost.is_set()

    def start(self) -> None:
        """Begin to say that we live."""
        self._thread.start()

    def stop(self) -> None:
        """Say it no more."""
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._stop.wait(HEARTBEAT_S):
            # A lock that nobody gives up for so long is tried again at the next beat.
            with suppress(sqlite.Error), closing(connect(self._path, MEMORY_WAIT_MS)) as connection:
                if not LeaseStore(connection, self._now).beat(self._name, self._owner):
                    self._lost.set()
                    return


@contextmanager
def held(store: LeaseStore, path: str, name: str) -> Iterator[Held]:
    """Hold the lease *name* of the memory at *path* while this lasts.

    Raises:
        HeldByAnotherError: Somebody else does.
    """
    owner = str(Owner.here())
    other = store.take(name, owner)
    if other is not None:
        raise HeldByAnotherError(other)
    lease = Held(path, name, owner, store.now)
    lease.start()
    try:
        yield lease
    finally:
        lease.stop()
        # What cannot be given back now runs out by itself; an error of the work is the one to be told.
        with suppress(sqlite.Error):
            store.release(name, owner)


def _machine() -> str:
    """This machine and, where processes have ids of their own in a container, the container."""
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = ""
    return f"{platform.node()}:{space}".replace("|", "-")


def _stat(pid: int) -> list[str]:
    """What the system tells of a process behind its name, from its state on; empty where it tells nothing."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _started(pid: int) -> str:
    """When a process began, in ticks of this boot; '' where nobody tells."""
    fields = _stat(pid)
    return fields[19] if len(fields) > 19 else ""  # noqa: PLR2004 -- the 22nd field of the file


def _is_zombie(pid: int) -> bool:
    return _stat(pid)[:1] == ["Z"]
