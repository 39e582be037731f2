"""Leases: one process does the work; one that is dead, or was not heard of for a minute, is in nobody's way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agentrecall_storage import leases
from agentrecall_storage.engine import connect
from agentrecall_storage.leases import PROCESS, HeldByAnotherError, LeaseStore, Owner, held
from agentrecall_storage.memory import Memory
from helpers.files import database
from notes.told import Clock

ELSEWHERE = Owner("another-machine:pid:[1]", 1, "7", "a")

pytestmark = pytest.mark.usefixtures("made")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(memory: Memory, clock: Clock) -> LeaseStore:
    return LeaseStore(memory.connection, clock)


@pytest.fixture
def ended() -> Owner:
    """A process of this machine that is over."""
    done = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], check=True, capture_output=True)
    return Owner.here()._replace(pid=int(done.stdout), started="1")


@pytest.fixture
def zombie() -> Iterator[Owner]:
    """A process that is over and that nobody has asked about."""
    process = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    assert process.stdout
    started = leases._started(process.pid)
    # Its stdout ends when it does.
    process.stdout.read()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    yield Owner.here()._replace(pid=process.pid, started=started)
    process.communicate()


def test_a_lease_is_held_by_one(store: LeaseStore) -> None:
    assert store.take(PROCESS, str(ELSEWHERE)) is None

    other = store.take(PROCESS, str(Owner.here()))

    assert other is not None
    assert other.owner == str(ELSEWHERE)
    assert other.holder == "process 1 on another-machine"
    assert other.taken_at == "2026-11-02T09:00:00Z"
    assert store.take("something else", str(Owner.here())) is None


def test_a_lease_that_was_given_back_is_anybodys(store: LeaseStore) -> None:
    store.take(PROCESS, str(ELSEWHERE))
    store.release(PROCESS, "somebody else's")
    assert store.take(PROCESS, str(Owner.here())) is not None

    store.release(PROCESS, str(ELSEWHERE))

    assert store.take(PROCESS, str(Owner.here())) is None


def test_a_holder_that_is_heard_of_keeps_its_lease_and_one_that_is_not_loses_it(
    store: LeaseStore, clock: Clock
) -> None:
    store.take(PROCESS, str(ELSEWHERE))
    clock.after(seconds=59)
    assert store.beat(PROCESS, str(ELSEWHERE))
    clock.after(seconds=59)
    assert store.take(PROCESS, str(Owner.here())) is not None

    clock.after(seconds=1)

    assert store.take(PROCESS, str(Owner.here())) is None
    assert not store.beat(PROCESS, str(ELSEWHERE))


def test_a_process_that_lives_is_not_dead(store: LeaseStore) -> None:
    living = Owner.here()
    assert not living.is_dead()

    store.take(PROCESS, str(living))

    assert store.take(PROCESS, str(Owner.here())) is not None


@pytest.mark.parametrize("how", ["ended", "zombie", "another process has its id"])
def test_a_process_of_this_machine_that_is_over_is_waited_for_by_nobody(
    request: pytest.FixtureRequest, store: LeaseStore, how: str
) -> None:
    dead = Owner.here()._replace(started="1") if how.startswith("another") else request.getfixturevalue(how)
    store.take(PROCESS, str(dead))

    assert store.take(PROCESS, str(Owner.here())) is None


def test_nobody_says_that_a_process_of_another_machine_is_dead(ended: Owner) -> None:
    assert ended.is_dead()
    assert not ended._replace(machine="another-machine:pid:[1]").is_dead()


def test_a_clock_that_was_set_back_does_not_hold_a_lease_for_ever(store: LeaseStore, clock: Clock) -> None:
    store.take(PROCESS, str(ELSEWHERE))
    clock.after(days=-1)

    assert store.take(PROCESS, str(Owner.here())) is None


@pytest.mark.parametrize("owner", ["", "a newer program wrote this", "a|b|c|d", "||||"])
def test_an_owner_that_nobody_understands_holds_its_lease_until_it_runs_out(
    store: LeaseStore, clock: Clock, owner: str
) -> None:
    store.take(PROCESS, owner)
    assert store.take(PROCESS, str(Owner.here())) is not None

    clock.after(seconds=60)

    assert store.take(PROCESS, str(Owner.here())) is None


def test_a_lease_is_held_for_as_long_as_the_work_lasts(store: LeaseStore, home: Path) -> None:
    with held(store, str(database(home)), PROCESS):
        with pytest.raises(HeldByAnotherError), held(store, str(database(home)), PROCESS):
            raise AssertionError
        assert store.find(PROCESS) is not None

    assert store.find(PROCESS) is None


def test_an_error_of_the_work_is_the_one_that_is_told(store: LeaseStore, home: Path) -> None:
    def work() -> None:
        with held(store, str(database(home)), PROCESS):
            store.connection.close()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()


def test_the_holder_says_that_it_lives_and_hears_that_its_lease_was_taken_over(
    store: LeaseStore, clock: Clock, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "HEARTBEAT_S", 0.01)
    clock.after(seconds=1)
    with held(store, str(database(home)), PROCESS) as lease, closing(connect(str(database(home)), 1000)) as other:
        clock.after(seconds=1)
        while (found := store.find(PROCESS)) is None or found.heartbeat_at != "2026-11-02T09:00:02Z":
            pass
        assert not lease.is_lost()

        other.execute("UPDATE leases SET owner = 'another'")

        lease._thread.join(10)
        assert lease.is_lost()

    found = store.find(PROCESS)
    assert found is not None
    assert found.owner == "another"
