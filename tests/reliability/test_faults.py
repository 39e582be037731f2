"""One call after another fails: the turn goes on, the file stays whole, and nothing that was captured is lost."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agentrecall_storage.engine import sqlite
from helpers.files import database, log_lines, rows, said, settle, spooled
from helpers.forks import NOBODY, Ended, Fault, Forks, assert_quiet, give_to_owner
from helpers.programs import Person
from helpers.transcripts import TranscriptBuilder

FIRST = [("user", "Tabs, please"), ("assistant", "Tabs it is.")]
SECOND = [("user", "And two blank lines"), ("assistant", "Two it is.")]
PROMPT = "change the applied migration so that orders get a currency column"
MOST_CALLS = 400
"""No hook makes as many: a loop that comes here does not end."""
SHORT = {"os": 1, "sql": 2, "lasting": 3}
EVERY = {"os": 1, "sql": 1, "lasting": 1}
in_each_form = pytest.mark.parametrize(
    "strides",
    [
        pytest.param(SHORT, id="short"),
        pytest.param(EVERY, id="every call", marks=(pytest.mark.soak, pytest.mark.timeout(3600))),
    ],
)
"""Of some calls that may fail, the short form leaves out every other one."""


class Story(NamedTuple):
    """What is done while calls fail, in which state of the memory."""

    program: str
    event: str
    prepare: Callable[[Forks, Person, TranscriptBuilder], None]
    is_resumed: bool = False
    """The turn goes on because a Stop hook asked something."""


def say(transcript: TranscriptBuilder, words: list[tuple[str, str]]) -> None:
    for role, text in words:
        (transcript.prompt if role == "user" else transcript.answer)(text)


def payload(transcript: TranscriptBuilder, event: str) -> dict[str, Any]:
    return transcript.payload(event, prompt=PROMPT, source="startup", last_assistant_message="Two it is.")


def nothing_yet(_: Forks, __: Person, transcript: TranscriptBuilder) -> None:
    say(transcript, FIRST + SECOND)


def one_turn_known(forks: Forks, person: Person, transcript: TranscriptBuilder) -> None:
    say(transcript, FIRST)
    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))
    done = forks.run(person, "agentrecall", "feedback", "add", "Never edit an applied migration", "--global")
    assert done.code == 0
    say(transcript, SECOND)


def no_database(forks: Forks, person: Person, transcript: TranscriptBuilder) -> None:
    one_turn_known(forks, person, transcript)
    settle(person.memory)
    for beside in person.memory.glob("agentrecall.db-*"):
        beside.unlink()
    database(person.memory).rename(person.memory / "kept-away")
    database(person.memory).write_bytes(b"this is no database\n" * 300)


def a_full_spool(forks: Forks, person: Person, transcript: TranscriptBuilder) -> None:
    no_database(forks, person, transcript)
    assert_quiet(forks.run(person, "capture-hook", stdin=payload(transcript, "Stop")))
    assert spooled(person.memory)
    (person.memory / "kept-away").replace(database(person.memory))


def one_who_asks(forks: Forks, person: Person, transcript: TranscriptBuilder) -> None:
    one_turn_known(forks, person, transcript)
    assert_quiet(forks.run(person, "recall-hook", stdin=payload(transcript, "UserPromptSubmit")))
    configure(person, "ask_for_verdict", "always")


def one_who_is_asked(forks: Forks, person: Person, transcript: TranscriptBuilder) -> None:
    one_who_asks(forks, person, transcript)
    assert '"block"' in forks.run(person, "finalize-turn", stdin=payload(transcript, "Stop")).stdout


def one_who_is_told(forks: Forks, person: Person, transcript: TranscriptBuilder) -> None:
    one_turn_known(forks, person, transcript)
    configure(person, "summary", "compact")
    assert "applied migration" in forks.run(person, "recall-hook", stdin=payload(transcript, "UserPromptSubmit")).stdout


def configure(person: Person, key: str, value: str) -> None:
    with closing(sqlite.connect(database(person.memory), isolation_level=None)) as connection:
        connection.execute("INSERT INTO config VALUES (?, ?, '')", (key, value))


STORIES = {
    "a first capture": Story("capture-hook", "Stop", nothing_yet),
    "a capture": Story("capture-hook", "Stop", one_turn_known),
    "a capture at the end": Story("capture-hook", "SessionEnd", one_turn_known),
    "a capture into the spool": Story("capture-hook", "Stop", no_database),
    "a sweep that drains": Story("capture-hook", "SessionStart", a_full_spool),
    "a recall": Story("recall-hook", "UserPromptSubmit", one_turn_known),
    "a start": Story("recall-hook", "SessionStart", one_turn_known),
    "a turn that nobody judged": Story("finalize-turn", "Stop", one_turn_known),
    "a turn that is asked about": Story("finalize-turn", "Stop", one_who_asks),
    "a turn that was asked about": Story("finalize-turn", "Stop", one_who_is_asked, is_resumed=True),
    "a turn whose summary is told": Story("finalize-turn", "Stop", one_who_is_told),
}
WITH_LATE_WORDS = [STORIES[name] for name in ("a first capture", "a capture", "a capture at the end")]
"""One failure is not enough to lose what only the hook's payload says."""
"""Calls by which the list of exclusions is read."""


class Stage:
    """A story's beginning, brought back as often as it is asked for."""

    def __init__(self, story: Story, forks: Forks, person: Person, transcript: TranscriptBuilder) -> None:
        story.prepare(forks, person, transcript)
        self.person, self.transcript, self._forks = person, transcript, forks
        self._story = story
        self._kept = person.home / "kept"
        if person.memory.exists():
            shutil.copytree(person.memory, self._kept)

    def reset(self) -> None:
        shutil.rmtree(self.person.memory, ignore_errors=True)
        if self._kept.exists():
            shutil.copytree(self._kept, self.person.memory)

    def act(self, fault: Fault | None = None, **settings: Any) -> Ended:
        asked = payload(self.transcript, self._story.event) | {"stop_hook_active": self._story.is_resumed}
        return self._forks.run(self.person, self._story.program, stdin=asked, fault=fault, **settings)

    def check(self, ended: Ended, *, keeps_late_words: bool) -> None:
        """Nothing was said, nothing is broken, and now that the fault is gone everything comes, once."""
        memory = self.person.memory
        assert_quiet(ended)
        kept_away = memory / "kept-away"
        for file in spooled(memory):
            json.loads(file.read_bytes())
        if kept_away.exists():
            kept_away.replace(database(memory))
        assert rows(memory, "PRAGMA integrity_check") in ([("ok",)], [])
        if '"block"' in ended.stdout:
            # What an agent is asked is known to be asked.
            assert rows(memory, "SELECT status FROM judgment_requests") == [("Outstanding",)]
        if keeps_late_words and self._story in WITH_LATE_WORDS:
            kept = b"".join(file.read_bytes() for file in spooled(memory))
            assert b"Two it is." in kept or said(memory)[-1:] == SECOND[-1:]
        assert not list((memory / "unheard").glob("*"))
        done = self._forks.run(self.person, "capture-hook", stdin=payload(self.transcript, "Stop"))
        assert_quiet(done)
        assert sorted(said(memory)) == sorted(FIRST + SECOND)
        assert spooled(memory) == []
        assert not (memory / "spool" / "aside").exists()
        assert rows(memory, "PRAGMA integrity_check") == [("ok",)]


@pytest.fixture
def stage(request: pytest.FixtureRequest, forks: Forks, person: Person, transcript: TranscriptBuilder) -> Stage:
    return Stage(STORIES[request.param], forks, person, transcript)


def half_files(memory: Path) -> list[str]:
    return [path.name for path in memory.rglob("*") if path.suffix in {".part", ".new"}]


@pytest.mark.parametrize("stage", STORIES, indirect=True)
@pytest.mark.parametrize("kind", ["os", "sql"])
@in_each_form
def test_any_call_may_fail_once(stage: Stage, kind: str, strides: dict[str, int]) -> None:
    for nth in range(1, MOST_CALLS, strides[kind]):
        stage.reset()
        ended = stage.act(Fault(nth, kind, (errno.EIO, errno.ENOSPC)[nth % 2]))
        assert half_files(stage.person.memory) == [] or ended.struck == "unlink"
        # Whether a folder is excluded was asked and not answered: then it is.
        stage.check(ended, keeps_late_words=ended.struck != "lstat")
        if ended.calls < nth:
            break
    else:
        pytest.fail("it makes calls without end")


@pytest.mark.parametrize("stage", STORIES, indirect=True)
@pytest.mark.parametrize("kind", ["os", "sql"])
@in_each_form
def test_every_call_from_one_on_may_fail(stage: Stage, kind: str, strides: dict[str, int]) -> None:
    for nth in range(1, MOST_CALLS, strides["lasting"]):
        stage.reset()
        ended = stage.act(Fault(nth, kind, (errno.ENOSPC, errno.EIO)[nth % 2], lasts=True))
        stage.check(ended, keeps_late_words=False)
        if ended.calls < nth:
            break
    else:
        pytest.fail("it makes calls without end")


# A full disk


@pytest.mark.parametrize("stage", ["a first capture", "a capture", "a recall"], indirect=True)
def test_a_file_that_may_not_grow_is_a_full_disk(stage: Stage) -> None:
    for limit in (0, 1, 100, 4096, 32_768, 40_000, 60_000, 100_000, 250_000):
        stage.reset()
        ended = stage.act(file_limit=limit)
        stage.check(ended, keeps_late_words=False)


@contextmanager
def small_disk(at: Path, kilobytes: int) -> Iterator[None]:
    """A file system of its own, as small as that; skipped where no file system may be mounted."""
    at.mkdir(mode=0o700)
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k,mode=0700", "tmpfs", str(at)],
        check=False,
        capture_output=True,
    )
    if done.returncode:
        pytest.skip("no file system may be mounted here: RLIMIT_FSIZE stands for a full disk in the test above")
    try:
        yield
    finally:
        subprocess.run(["umount", str(at)], check=True)


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("mount"), reason="root alone mounts; see the test above")
@pytest.mark.parametrize("kilobytes", [4, 64, 208, 260, 300, 400])
def test_on_a_full_disk_the_turn_goes_on_and_with_room_again_everything_is_there(
    forks: Forks, person: Person, transcript: TranscriptBuilder, kilobytes: int
) -> None:
    with small_disk(person.memory, kilobytes):
        filler = person.memory / "filler"
        for number in range(12):
            transcript.prompt(f"prompt {number} " + "words " * 500)
            transcript.answer(f"answer {number} " + "words " * 500)
            assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))
            assert rows(person.memory, "PRAGMA integrity_check") in ([("ok",)], [])
        filler.unlink(missing_ok=True)
        subprocess.run(["mount", "-o", "remount,size=4m", str(person.memory)], check=True)

        assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))

        heard = [text.split(" words")[0] for _, text in said(person.memory)]
        assert sorted(heard) == sorted(f"{kind} {number}" for kind in ("prompt", "answer") for number in range(12))
        assert rows(person.memory, "PRAGMA integrity_check") == [("ok",)]
        assert spooled(person.memory) == []
        assert half_files(person.memory) == []


# Permissions


def lock_file(person: Person) -> None:
    database(person.memory).chmod(0o400)


def hide_file(person: Person) -> None:
    database(person.memory).chmod(0)


def lock_folder(person: Person) -> None:
    person.memory.chmod(0o500)


def hide_folder(person: Person) -> None:
    person.memory.chmod(0)


def lock_spool(person: Person) -> None:
    (person.memory / "spool").mkdir(mode=0o700, exist_ok=True)
    (person.memory / "spool").chmod(0o500)
    give_to_owner(person.memory)
    hide_file(person)


def lock_log(person: Person) -> None:
    (person.memory / "logs").mkdir(mode=0o700, exist_ok=True)
    (person.memory / "logs").chmod(0o500)
    give_to_owner(person.memory)
    hide_file(person)


def give_back(person: Person) -> None:
    person.memory.chmod(0o700)
    for path in person.memory.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)


LOST = {
    "a file that is read-only": lock_file,
    "a file that is closed": hide_file,
    "a folder that is read-only": lock_folder,
    "a folder that is closed": hide_folder,
    "a spool that is read-only": lock_spool,
    "a log that is read-only": lock_log,
}


@pytest.mark.parametrize("lose", LOST)
@pytest.mark.parametrize("brings", ["the next hook", "process"])
def test_a_permission_that_is_lost_costs_no_turn_once_it_is_given_back(
    forks: Forks, bound: Person, bound_transcript: TranscriptBuilder, lose: str, brings: str
) -> None:
    say(bound_transcript, FIRST)
    give_to_owner(bound.home)
    assert_quiet(forks.run(bound, "capture-hook", stdin=bound_transcript.payload(), user=NOBODY))
    assert said(bound.memory) == FIRST
    settle(bound.memory)
    say(bound_transcript, SECOND)
    before = database(bound.memory).read_bytes()
    LOST[lose](bound)

    asked = payload(bound_transcript, "Stop")
    assert_quiet(forks.run(bound, "capture-hook", stdin=asked, user=NOBODY))
    assert_quiet(forks.run(bound, "finalize-turn", stdin=asked, user=NOBODY))
    for event in ("UserPromptSubmit", "SessionStart"):
        assert_quiet(forks.run(bound, "recall-hook", stdin=payload(bound_transcript, event), user=NOBODY))
    doctor = forks.run(bound, "agentrecall", "doctor", "--json", user=NOBODY)
    told = forks.run(bound, "agentrecall", "feedback", "add", "Use tabs", "--global", user=NOBODY)

    assert database(bound.memory).read_bytes() == before
    problems = {check["check"] for check in json.loads(doctor.stdout)["checks"] if check["level"] == "problem"}
    assert problems & {"home", "database", "access", "spool"}
    assert (told.code, told.stdout) == (1, "")
    assert str(bound.memory) in told.stderr
    assert "Traceback" not in told.stderr

    give_back(bound)
    if brings == "process":
        assert forks.run(bound, "agentrecall", "process", user=NOBODY).code == 0
    else:
        assert_quiet(forks.run(bound, "capture-hook", stdin=asked, user=NOBODY))
    assert said(bound.memory) == FIRST + SECOND
    assert spooled(bound.memory) == []


def test_a_first_turn_where_nothing_may_be_written_waits_in_its_transcript(
    forks: Forks, bound: Person, bound_transcript: TranscriptBuilder
) -> None:
    say(bound_transcript, FIRST)
    give_to_owner(bound.home)
    parent = bound.memory.parent
    parent.chmod(0o555)
    assert_quiet(forks.run(bound, "capture-hook", stdin=bound_transcript.payload(), user=NOBODY))
    assert not bound.memory.exists()

    parent.chmod(0o755)
    assert_quiet(forks.run(bound, "capture-hook", stdin=bound_transcript.payload(), user=NOBODY))

    assert said(bound.memory) == FIRST


def test_what_is_spooled_waits_while_nobody_can_say_what_is_excluded(
    forks: Forks, person: Person, transcript: TranscriptBuilder
) -> None:
    a_full_spool(forks, person, transcript)
    before = [path.read_bytes() for path in spooled(person.memory)]
    (person.memory / "exclusions.json").write_bytes(b"[")

    done = forks.run(person, "agentrecall", "process")
    assert (done.code, "everything is excluded until" in done.stderr) == (1, True)
    assert [path.read_bytes() for path in spooled(person.memory)] == before

    (person.memory / "exclusions.json").unlink()
    transcript.path.unlink()
    assert forks.run(person, "agentrecall", "process").code == 0
    assert said(person.memory) == FIRST + SECOND
    assert spooled(person.memory) == []


def test_an_entry_that_cannot_be_read_now_waits_and_holds_up_no_other(
    forks: Forks, bound: Person, bound_transcript: TranscriptBuilder
) -> None:
    a_full_spool(forks, bound, bound_transcript)
    unreadable, *_ = spooled(bound.memory)
    unreadable.chmod(0)
    give_to_owner(bound.home)
    give_to_owner(bound.memory)

    assert forks.run(bound, "agentrecall", "process", user=NOBODY).code == 0
    assert spooled(bound.memory) == [unreadable]

    unreadable.chmod(0o600)
    assert forks.run(bound, "agentrecall", "process", user=NOBODY).code == 0
    assert sorted(said(bound.memory)) == sorted(FIRST + SECOND)
    assert spooled(bound.memory) == []


# The clock

A_DAY, A_LIFE = 86_400, 40 * 365 * 86_400


@pytest.mark.parametrize("back", [1, A_DAY, A_LIFE], ids=["a second", "a day", "forty years"])
def test_a_clock_that_is_set_back_changes_no_word_and_no_order(
    forks: Forks, person: Person, transcript: TranscriptBuilder, back: int
) -> None:
    say(transcript, FIRST)
    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))
    say(transcript, SECOND)

    for event in ("Stop", "SessionEnd", "SessionStart"):
        assert_quiet(forks.run(person, "capture-hook", stdin=payload(transcript, event), clock_shift=-back))
    for event in ("SessionStart", "UserPromptSubmit"):
        assert_quiet(forks.run(person, "recall-hook", stdin=payload(transcript, event), clock_shift=-back))

    assert said(person.memory) == FIRST + SECOND
    assert log_lines(person.memory) == []


def test_what_is_spooled_before_and_after_a_clock_is_set_back_is_stored_once(
    forks: Forks, person: Person, transcript: TranscriptBuilder
) -> None:
    no_database(forks, person, transcript)
    assert_quiet(forks.run(person, "capture-hook", stdin=payload(transcript, "Stop")))
    third = [("user", "And a blank line at the end"), ("assistant", "One it is.")]
    say(transcript, third)
    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload(), clock_shift=-A_DAY))
    (person.memory / "kept-away").replace(database(person.memory))

    assert_quiet(forks.run(person, "capture-hook", stdin=transcript.payload()))

    assert sorted(said(person.memory)) == sorted(FIRST + SECOND + third)
    assert spooled(person.memory) == []
