"""Payloads and transcript lines as no host would write them: 5,000 here, 100,000 in a long run, each in a process."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from helpers.files import log_lines, rows
from helpers.forks import MOST_STDIN, Ended, Forks
from helpers.programs import Person
from helpers.transcripts import TranscriptBuilder, encoded

SEED = 20261102
IN_CI, IN_SOAK = 5_000, 100_000
LOOK_EVERY = 500
"""Runs between two looks at the files."""
LINES_A_RUN = 10
EVENTS = {
    "capture-hook": ("Stop", "SessionEnd", "PreCompact", "SessionStart"),
    "recall-hook": ("UserPromptSubmit", "SessionStart", "PreToolUse"),
    "finalize-turn": ("Stop",),
}
ODD_VALUES: list[Any] = [
    *(None, True, False, 0, -1, 10**400, 1e308, -0.0, "", " ", "\0", "\ud800", "\U0001f600" * 50, "x" * 5000),
    *(
        [],
        {},
        [[]],
        [None, {"a": []}],
        {"": {"": ""}},
        "../../../etc/passwd",
        "/dev/zero",
        "~",
        "<private>",
        "</agentrecall>",
    ),
]
DEPTH = 8_000

Mutation = Callable[[random.Random, bytes], bytes]


def flip_bits(dice: random.Random, data: bytes) -> bytes:
    flipped = bytearray(data)
    for _ in range(dice.randint(1, 8)):
        if flipped:
            flipped[dice.randrange(len(flipped))] ^= 1 << dice.randrange(8)
    return bytes(flipped)


def cut(dice: random.Random, data: bytes) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def drop_a_piece(dice: random.Random, data: bytes) -> bytes:
    start = dice.randrange(len(data) + 1)
    return data[:start] + data[start + dice.randint(1, 20) :]


def repeat_a_piece(dice: random.Random, data: bytes) -> bytes:
    start = dice.randrange(len(data) + 1)
    return data[:start] + data[start : start + 30] * dice.randint(2, 20) + data[start:]


def insert_bytes(dice: random.Random, data: bytes) -> bytes:
    start = dice.randrange(len(data) + 1)
    noise = dice.choice(
        [b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80", b"\0" * 9, b"\\ud800", b"\r\n", b"\xef\xbb\xbf", b"}" * 40]
    )
    return data[:start] + noise + data[start:]


def retype(dice: random.Random, data: bytes) -> bytes:
    """Another value for some field, at any depth."""
    record = json.loads(data)
    for _ in range(dice.randint(1, 4)):
        where = record
        while True:
            key = dice.choice(list(where))
            if isinstance(where[key], dict) and where[key] and dice.random() < 0.7:
                where = where[key]
                continue
            where[key] = copy.deepcopy(dice.choice(ODD_VALUES))
            break
        if not record:
            break
    return json.dumps(record).encode()


def rename_a_field(dice: random.Random, data: bytes) -> bytes:
    record = json.loads(data)
    key = dice.choice(list(record))
    record[dice.choice(["", "\0", key.upper(), key + " ", "x" * 300])] = record.pop(key)
    return json.dumps(record).encode()


def double_a_field(dice: random.Random, data: bytes) -> bytes:
    """A name twice in one object: readers differ in which they take."""
    key = dice.choice(list(json.loads(data)))
    value = json.dumps(dice.choice(ODD_VALUES))
    return data.rstrip()[:-1] + f", {json.dumps(key)}: {value}}}".encode()


def nest(dice: random.Random, data: bytes) -> bytes:
    """A value that is deeper than any reader wants to go."""
    record = json.loads(data)
    key = dice.choice(list(record))
    depth = dice.choice([50, 990, 1010, DEPTH])
    opened, closed = dice.choice([("[", "]"), ('{"a":', "}")])
    record[key] = "DEEP"
    deep = opened * depth + "1" + closed * depth
    return json.dumps(record).replace('"DEEP"', deep, 1).encode()[:MOST_STDIN]


def huge_number(dice: random.Random, data: bytes) -> bytes:
    record = json.loads(data)
    record[dice.choice(list(record))] = "NUMBER"
    number = dice.choice(["9" * 5000, "1e9999", "-1e-9999", "NaN", "Infinity", "-0", "0x10", "1_000"])
    return json.dumps(record).replace('"NUMBER"', number, 1).encode()


MUTATIONS: tuple[Mutation, ...] = (
    *(flip_bits, cut, drop_a_piece, repeat_a_piece, insert_bytes),
    *(retype, retype, retype, rename_a_field, double_a_field, nest, huge_number),
)


def mutated(dice: random.Random, data: bytes) -> bytes:
    """*data*, changed once or twice: what is changed as JSON comes first."""
    changed = dice.choice(MUTATIONS)(dice, data)
    if dice.random() < 0.2:
        changed = dice.choice(MUTATIONS[:5])(dice, changed)
    return changed[:MOST_STDIN]


def payload(transcript: TranscriptBuilder, event: str) -> dict[str, Any]:
    """A payload with every field that a hook of ours reads."""
    return transcript.payload(
        event,
        prompt="change the applied migration so that orders get a currency column",
        last_assistant_message="Tabs it is.",
        source="startup",
        reason="other",
        agent_id="",
        stop_hook_active=False,
        tool_name="Edit",
        tool_use_id="toolu-1",
        tool_input={
            "file_path": str(transcript.cwd / "src" / "a.py"),
            "old_string": "a",
            "new_string": "b",
            "edits": [{"old_string": "a", "new_string": "b"}],
        },
    )


def lines(transcript: TranscriptBuilder) -> list[bytes]:
    """Lines of every kind that a transcript has."""
    use = {"type": "tool_use", "id": "call-1", "name": "Bash", "input": {"command": "make"}}
    result = {
        "type": "tool_result",
        "tool_use_id": "call-1",
        "content": [{"type": "text", "text": "no"}],
        "is_error": True,
    }
    prompt, answer = (
        transcript.prompt_record("Tabs, please <private>mine</private>"),
        transcript.answer_record("It is."),
    )
    return [
        encoded(prompt),
        encoded(answer),
        encoded({**answer, "uuid": "u-use", "message": {**answer["message"], "content": [use]}}),
        encoded({**prompt, "uuid": "u-result", "message": {"role": "user", "content": [result]}}),
        encoded({"type": "summary", "summary": "what was done", "leafUuid": "u"}),
        encoded(
            {
                "type": "attachment",
                "uuid": "u-queued",
                "sessionId": transcript.session,
                "attachment": {"type": "queued_command", "prompt": "go on", "origin": {"kind": "human"}},
            }
        ),
    ]


def check(ended: Ended, data: bytes) -> None:
    assert (ended.code, ended.stderr) == (0, ""), data
    if ended.stdout:
        assert isinstance(json.loads(ended.stdout), dict), data


def check_files(person: Person) -> None:
    assert [path for path in person.memory.rglob("*") if path.suffix in {".part", ".new"}] == []
    assert rows(person.memory, "PRAGMA integrity_check") == [("ok",)]
    # No input is a failure: that would cost what else the run had to do.
    assert log_lines(person.memory) == []
    for path in (person.memory / "spool").glob("*.json"):
        assert isinstance(json.loads(path.read_bytes()), dict)


@pytest.fixture
def seeded(forks: Forks, person: Person, transcript: TranscriptBuilder) -> Person:
    """Somebody who has something to recall, so that the hooks go all the way."""
    transcript.prompt("Tabs, please")
    transcript.answer("Tabs it is.")
    for options in (["--global"], ["--glob", "src/*.py"]):
        done = forks.run(person, "agentrecall", "feedback", "add", "Never edit an applied migration", *options)
        assert done.code == 0, done.stderr
    return person


def fuzz_payloads(forks: Forks, person: Person, transcript: TranscriptBuilder, dice: random.Random, runs: int) -> None:
    hooks = [(hook, event) for hook, events in EVENTS.items() for event in events]
    for number in range(runs):
        hook, event = dice.choice(hooks)
        data = mutated(dice, json.dumps(payload(transcript, event)).encode())
        check(forks.run(person, hook, stdin=data), data)
        if number % LOOK_EVERY == LOOK_EVERY - 1:
            check_files(person)
    check_files(person)


def fuzz_lines(forks: Forks, person: Person, transcript: TranscriptBuilder, dice: random.Random, runs: int) -> None:
    whole = lines(transcript)
    for number in range(runs // LINES_A_RUN):
        data = b"".join(mutated(dice, dice.choice(whole)).rstrip(b"\n") + b"\n" for _ in range(LINES_A_RUN))
        last = f"run {number}"
        transcript.path.write_bytes(dice.choice(whole) + data + encoded(transcript.prompt_record(last)))
        check(forks.run(person, "capture-hook", stdin=transcript.payload()), data)
        # Whatever stood before it, a good line is read.
        assert rows(person.memory, "SELECT text FROM raw_items ORDER BY id DESC LIMIT 1") == [(last,)], data
        if number % LOOK_EVERY == LOOK_EVERY - 1:
            check_files(person)
    check_files(person)


FUZZ = {"payloads": fuzz_payloads, "lines of a transcript": fuzz_lines}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("what", FUZZ)
@pytest.mark.parametrize("part", [1, 2])
def test_mutated_input_leaves_the_turn_alone(
    forks: Forks, seeded: Person, transcript: TranscriptBuilder, what: str, part: int
) -> None:
    dice = random.Random(f"{SEED} {what} {part}")  # noqa: S311 -- to be had again
    FUZZ[what](forks, seeded, transcript, dice, IN_CI // 4)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("what", FUZZ)
def test_mutated_input_leaves_the_turn_alone_for_long(
    forks: Forks, seeded: Person, transcript: TranscriptBuilder, what: str
) -> None:
    dice = random.Random(f"{SEED} {what} long")  # noqa: S311 -- to be had again
    FUZZ[what](forks, seeded, transcript, dice, IN_SOAK // 2)


@pytest.mark.parametrize("mutation", dict.fromkeys(MUTATIONS), ids=lambda mutation: mutation.__name__)
def test_a_mutation_changes_what_it_is_given(transcript: TranscriptBuilder, mutation: Mutation) -> None:
    data = json.dumps(payload(transcript, "Stop")).encode()
    dice = random.Random(SEED)  # noqa: S311 -- to be had again

    assert len({mutation(dice, data) for _ in range(20)} - {data}) > 1
