"""Made-up transcripts of Claude Code to measure with: what 2.1.332 writes, in varied text that a seed decides.

Of such a file a few per cent are conversation; the rest is mostly copies of what went to the model.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from benchmarks.memories import AREAS, DEEDS, NAMES, REASONS, SEED, SUFFIXES, THINGS, TOOLS

MIXED = 0.07
"""The share of conversation in the bytes of a session, as it was seen on the real program."""
SESSION_BYTES = 4_000_000
STARTED_AT = datetime(2026, 3, 2, 8, tzinfo=UTC)
SMALLEST_COPY, LARGEST_COPY = 2_000, 200_000
_POOL = 400
_CODE_LINES = (
    "    total = sum(line.amount for line in invoice.lines)",
    '    if not isinstance(found, dict) or "error" in found:',
    "        raise ValueError(f\"no {area} in '{path}'\")",
    "def test_{deed}_{area}(client: Client) -> None:",
    "    return retry(total, logger)  # noqa: RET504",
    "\tfor index, row := range rows {{ sum += row.Amount }}",
    "SELECT id, amount FROM {area} WHERE deleted_at IS NULL ORDER BY id;",
    "E   AssertionError: assert {number} == {other}",
    "src/{area}/{deed}_service.{suffix}:{number}: warning: unused import",
    "PASSED tests/{area}/test_{deed}.py::test_{deed}_{number}",
)


class Written(NamedTuple):
    """What was written: how many turns there are, texts that somebody said, and bytes, those of conversation too."""

    turns: int
    texts: int
    size: int
    conversation: int
    paths: list[Path]


def write_sessions(folder: Path, projects: Path, *, size: int, share: float = MIXED, seed: int = SEED) -> Written:
    """Write sessions of *size* bytes into *folder*, a *share* of them conversation; each is in one of *projects*."""
    chance = Random(seed)  # noqa: S311 -- the same text each time is the point
    words = Words(chance)
    turns = texts = written = conversation = 0
    paths = []
    while written < size:
        session = Session(chance, words, str(projects / chance.choice(NAMES)), share)
        path = folder / "-project" / f"{session.uid}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            while file.tell() < min(SESSION_BYTES, size - written):
                file.writelines(session.turn())
            written += file.tell()
        turns, texts = turns + session.turns, texts + session.texts
        conversation += session.conversation
        paths.append(path)
    return Written(turns, texts, written, conversation, paths)


class Words:
    """A stock of sentences and code to make texts of."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._sentences = [self._sentence() for _ in range(_POOL)]
        self._code = [self._code_line() for _ in range(_POOL)]

    def said(self, shortest: int, longest: int) -> str:
        """A text of about so many characters, as people and agents write."""
        return self._of(self._sentences, " ", shortest, longest)

    def printed(self, shortest: int, longest: int) -> str:
        """A text of about so many characters, as tools print."""
        return self._of(self._code, "\n", shortest, longest)

    def _of(self, stock: list[str], between: str, shortest: int, longest: int) -> str:
        wanted = self._chance.randint(shortest, longest)
        found = [f"{self._chance.randint(1, 99_999)}:"]
        length = 0
        while length < wanted:
            found.append(self._chance.choice(stock))
            length += len(found[-1]) + 1
        return between.join(found)

    def _sentence(self) -> str:
        pick = self._chance.choice
        return pick(
            (
                f"The {pick(AREAS)} {pick(THINGS)} fails under {pick(TOOLS)}, because {pick(REASONS)}.",
                f"Please {pick(DEEDS)} the {pick(THINGS)} of {pick(AREAS)} and run `{pick(TOOLS)}` again.",
                f"I changed `src/{pick(AREAS)}/{pick(DEEDS)}.{pick(SUFFIXES)}` so {pick(AREAS)} can {pick(DEEDS)}.",
                f"No, {pick(REASONS)}; use the {pick(THINGS)} instead of a second {pick(THINGS)}.",
                f"That's {self._chance.randint(2, 90)} ms slower than before — don't \"{pick(DEEDS)}\" it twice.",
            )
        )

    def _code_line(self) -> str:
        return self._chance.choice(_CODE_LINES).format(
            area=self._chance.choice(AREAS),
            deed=self._chance.choice(DEEDS),
            suffix=self._chance.choice(SUFFIXES),
            path="/tmp/rows",  # noqa: S108 -- a word in a text
            number=self._chance.randint(1, 900),
            other=self._chance.randint(1, 900),
        )


class Session:
    """One session as it grows, turn by turn."""

    def __init__(self, chance: Random, words: Words, cwd: str, share: float) -> None:
        self._chance = chance
        self._words = words
        self._share = share
        self._now = STARTED_AT + timedelta(minutes=chance.randint(0, 300_000))
        self.cwd = cwd
        self.uid = self._new_uid()
        self.turns = self.texts = 0
        self.conversation = self.other = 0

    def turn(self) -> Iterator[bytes]:
        """The lines of one more turn: a prompt, calls with their results, an answer; then what the host adds."""
        self.turns += 1
        self._now += timedelta(minutes=self._chance.randint(1, 20))
        prompt = self._new_uid()
        human = {"promptId": prompt, "origin": {"kind": "human"}, "promptSource": "typed", "turnOrigin": "human"}
        yield self._spoken("user", self._words.said(60, 500), **human)
        self.texts += 1
        for _ in range(self._chance.randint(1, 5)):
            yield from self._call()
        yield self._answer([{"type": "text", "text": self._words.said(200, 1_800)}], "end_turn")
        self.texts += 1
        yield from self._host_lines(prompt)

    def _call(self) -> Iterator[bytes]:
        call = f"toolu_{self._chance.getrandbits(64):016x}"
        fails = self._chance.random() < 0.1  # noqa: PLR2004 -- one in ten
        self.texts += fails
        command = {"command": self._words.printed(20, 80), "description": "Run it"}
        yield self._answer([{"type": "tool_use", "id": call, "name": "Bash", "input": command}], "tool_use")
        output = self._words.printed(200, 5_000)
        result = {"type": "tool_result", "tool_use_id": call, "content": output, "is_error": fails}
        yield self._spoken("user", [result], toolUseResult={"stdout": output, "stderr": "", "interrupted": False})

    def _answer(self, content: list[dict[str, Any]], why: str) -> bytes:
        message = {"id": f"msg_{self._new_uid()}", "type": "message", "model": "claude-demo", "stop_reason": why}
        return self._line_of("assistant", {**message, "role": "assistant", "content": content})

    def _spoken(self, role: str, content: Any, **fields: Any) -> bytes:
        return self._line_of(role, {"role": role, "content": content}, **fields)

    def _line_of(self, kind: str, message: dict[str, Any], **fields: Any) -> bytes:
        common = {"userType": "external", "entrypoint": "cli", "cwd": self.cwd, "version": "2.1.332"}
        record = {"parentUuid": self._new_uid(), "isSidechain": False, "type": kind, "message": message, **fields}
        line = self._line({**record, **common, "gitBranch": "main", "uuid": self._new_uid()})
        self.conversation += len(line)
        return line

    def _host_lines(self, prompt: str) -> Iterator[bytes]:
        """What the host writes besides, until conversation has its share."""
        if self._share >= 1:
            return
        yield self._other("last-prompt", lastPrompt=self._words.said(20, 60), leafUuid=prompt)
        yield self._other("mode", mode="default")
        yield self._other("cost-state", totalCostUSD=0.1, modelUsage={"claude-demo": {"inputTokens": 10}})
        yield self._other("file-history-snapshot", messageId=prompt, snapshot={"trackedFileBackups": {}})
        while self.conversation > self._share * (self.conversation + self.other):
            yield self._copy()

    def _copy(self) -> bytes:
        """A copy of something that went to the model, or something that the host put before it."""
        low, high = math.log(SMALLEST_COPY), math.log(LARGEST_COPY)
        length = int(math.exp(self._chance.uniform(low, high)))
        said, printed = self._words.said(length // 2, length // 2), self._words.printed(length // 2, length // 2)
        kind = self._chance.choice(
            ("api-request", "api-request", "api-request-blob", "api-request-shape", "attachment")
        )
        if kind == "attachment":
            shown = {"type": "prompt_snapshot", "system": [said, printed]}
            return self._other(kind, attachment=shown, parentUuid=self._new_uid(), uuid=self._new_uid(), cwd=self.cwd)
        messages = [
            {"role": "user", "content": [{"type": "text", "text": said, "cache_control": {"type": "ephemeral"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": printed}]},
        ]
        tools = [{"name": "Bash", "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}}}]
        return self._other(kind, requestId=self._new_uid(), request={"messages": messages, "tools": tools})

    def _other(self, kind: str, **fields: Any) -> bytes:
        line = self._line({"type": kind, **fields})
        self.other += len(line)
        return line

    def _line(self, record: dict[str, Any]) -> bytes:
        self._now += timedelta(milliseconds=self._chance.randint(50, 3_000))
        stamp = f"{self._now:%Y-%m-%dT%H:%M:%S}.{self._now.microsecond // 1000:03}Z"
        record |= {"sessionId": self.uid, "timestamp": stamp}
        return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    def _new_uid(self) -> str:
        return str(UUID(int=self._chance.getrandbits(128), version=4))
