"""The hooks' bench: whole-process times of each hook against a bare interpreter of the same environment.

`uv run nox -s bench` installs the programs from their wheels with compiled bytecode and runs this. Each round is a
small session, the bare interpreter in front: what disturbs the machine for a while disturbs both sides of a ratio.
`--rules 10000` and `--public-rules FOLDER` measure larger memories; each size has a goal, and an entry in `results/`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import sysconfig
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from agentrecall_storage.engine import connect, sqlite
from agentrecall_storage.home import database_path
from benchmarks.memories import AREAS, DEEDS, SEED, THINGS, TOOLS, fill
from benchmarks.processes import BARE, BARE_COMMAND, run

RESULTS = Path(__file__).parent / "results" / "hooks.json"
SIZE = ("public_rules", "rules", "raw_items")
WARM_UPS = 3
CAPTURE_GOAL = 1.6
RECALL_GOALS = {1_000: 1.8, 10_000: 2.2}
"""How long a recall may take, by how many rules there are at most."""
PUBLIC_RULES_GOAL = 2.5
EARLIER_TURNS = 40
CODE = "    total = sum(line.amount for line in invoice.lines)\n    return retry(total, logger)\n" * 10
ROWS = ("injections", "raw_items", "turn_finalizations")
ROWS_A_ROUND = {"injections": 5, "raw_items": 2, "turn_finalizations": 1}

RECALL, CAPTURE, FINALIZE = "agentrecall-recall-hook", "agentrecall-capture-hook", "agentrecall-finalize-turn"


QUIET = "capture with nothing new"


class Case(NamedTuple):
    """One hook at one moment; *speaks* is whether it must have something for the agent then."""

    name: str
    program: str
    arguments: tuple[str, ...] = ()
    speaks: bool = False
    is_disabled: bool = False


CASES = (
    Case("recall at session start", RECALL, speaks=True),
    Case("recall at a prompt", RECALL, speaks=True),
    Case("recall at a gated prompt", RECALL),
    Case("recall when a file is read", RECALL, speaks=True),
    Case("recall when a file is edited", RECALL, speaks=True),
    Case(QUIET, CAPTURE),
    Case("capture with one new turn", CAPTURE),
    Case("finalize-turn --hook", FINALIZE, ("--hook",)),
    Case("switched off", RECALL, is_disabled=True),
)


class Scene:
    """The folders that the hooks are measured in, and the payloads of each round."""

    def __init__(self, folder: Path, *, rules: int, raw_items: int, public: Path | None) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.project = fill(self.home, folder, rules=rules, raw_items=raw_items, public=public)
        self.chance = Random(SEED)  # noqa: S311 -- the same text each time is the point
        self.rules = self._count("rules")
        self.files = self._files_with_rules()
        self.quiet, self.growing = (self._transcript(name) for name in ("quiet", "growing"))

    def payloads(self, number: int) -> dict[str, dict[str, object]]:
        """The payload of each case in round *number*, with the growing transcript grown by a turn."""
        self._append(self.growing, f"round-{number}")
        session = f"measured-{number:04d}"
        turn = {"session_id": session, "prompt_id": f"prompt-{number}", "cwd": str(self.project)}
        area, thing, tool, deed = map(self.chance.choice, (AREAS, THINGS, TOOLS, DEEDS))
        prompt = f"The {area} {thing} fails under {tool} since yesterday. Can you {deed} it, and say what was wrong?"
        read, edited = self.chance.sample(self.files, 2)
        stop = {"hook_event_name": "Stop", "stop_hook_active": False}
        found: tuple[dict[str, object], ...] = (
            {"hook_event_name": "SessionStart", "source": "startup"},
            {"hook_event_name": "UserPromptSubmit", "prompt": prompt},
            {"hook_event_name": "UserPromptSubmit", "prompt": "ok, go on", "prompt_id": f"gated-{number}"},
            _tool("Read", number, file_path=str(self.project / read)),
            _tool("Edit", number, file_path=str(self.project / edited), old_string="pass", new_string=CODE),
            {**stop, **self._of(self.quiet, f"earlier-{EARLIER_TURNS - 1}")},
            {**stop, **self._of(self.growing, f"round-{number}")},
            stop,
            {"hook_event_name": "UserPromptSubmit", "prompt": prompt},
        )
        return {case.name: turn | fields for case, fields in zip(CASES, found, strict=True)}

    def rows(self) -> dict[str, int]:
        """How many rows each table has that the hooks write."""
        return {table: self._count(table) for table in ROWS}

    def _count(self, table: str) -> int:
        with closing(connect(database_path(str(self.home)), 1000)) as connection:
            return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 -- names of ours

    def _files_with_rules(self) -> list[str]:
        question = (
            "SELECT DISTINCT scope_value FROM rules WHERE scope_level = 'File' AND project_id = 1 AND status = 'Active'"
        )
        with closing(connect(database_path(str(self.home)), 1000)) as connection:
            return sorted(path for (path,) in connection.execute(question))

    def _transcript(self, name: str) -> Path:
        path = self.folder / f"{name}.jsonl"
        for number in range(EARLIER_TURNS):
            self._append(path, f"earlier-{number}")
        return path

    def _of(self, transcript: Path, turn: str) -> dict[str, object]:
        return {
            "session_id": transcript.stem,
            "prompt_id": turn,
            "transcript_path": str(transcript),
            "last_assistant_message": _answer(turn),
        }

    def _append(self, transcript: Path, turn: str) -> None:
        """A turn as the host writes it: a prompt, a tool call with its result, an answer."""
        call = {"type": "tool_use", "id": f"toolu_{turn}", "name": "Bash", "input": {"command": "make test"}}
        result = {"type": "tool_result", "tool_use_id": f"toolu_{turn}", "content": "ok\n" * 200}
        lines = (
            ("user", "prompt", f"Please look at the {turn} of the invoices export; the totals differ by a cent."),
            ("assistant", "call", [call]),
            ("user", "result", [result]),
            ("assistant", "answer", [{"type": "text", "text": _answer(turn)}]),
        )
        with transcript.open("a", encoding="utf-8") as file:
            for role, part, content in lines:
                line = {
                    "type": role,
                    "uuid": f"{transcript.stem}-{turn}-{part}",
                    "sessionId": transcript.stem,
                    "promptId": turn,
                    "isSidechain": False,
                    "cwd": str(self.project),
                    "gitBranch": "main",
                    "timestamp": "2026-11-02T08:00:00.000Z",
                    "message": {"id": f"msg_{turn}_{part}", "role": role, "content": content},
                }
                if part == "prompt":
                    line |= {"origin": {"kind": "human"}, "promptSource": "typed"}
                file.write(json.dumps(line) + "\n")


class Measured(NamedTuple):
    """What all rounds said about one case."""

    case: Case
    goal: float | None
    median_ms: float
    ratio: float
    paired_ratio: float

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is met; None without a goal."""
        return None if self.goal is None else self.ratio <= self.goal


def goals(*, rules: int, public: bool) -> dict[str, float]:
    """The goal of each case that has one, in a memory of that size."""
    fitting = (goal for most, goal in RECALL_GOALS.items() if rules <= most)
    recall = PUBLIC_RULES_GOAL if public else next(fitting, PUBLIC_RULES_GOAL)
    return {QUIET: CAPTURE_GOAL} | {
        case.name: recall for case in CASES if case.program == RECALL and not case.is_disabled
    }


def measure(scene: Scene, rounds: int, wanted: dict[str, float]) -> tuple[float, list[Measured], list[str]]:
    """The bare interpreter's median, each case's figures beside the goals *wanted*, and what makes them doubtful."""
    programs = Path(sysconfig.get_path("scripts"))
    environment = {
        "HOME": str(scene.folder),
        "AGENTRECALL_HOME": str(scene.home),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
    }
    times: dict[str, list[float]] = {name: [] for name in (BARE, *(case.name for case in CASES))}
    silent: dict[str, int] = dict.fromkeys(times, 0)
    before = scene.rows()
    for number in range(WARM_UPS + rounds):
        payloads = scene.payloads(number)
        bare_ms, _ = run(scene.folder, BARE_COMMAND, environment, {})
        times[BARE].append(bare_ms)
        for case in CASES:
            command = [str(programs / case.program), *case.arguments]
            own = environment | ({"AGENTRECALL_DISABLED": "1"} if case.is_disabled else {})
            ms, speaks = run(scene.folder, command, own, payloads[case.name])
            times[case.name].append(ms)
            silent[case.name] += speaks != case.speaks
    doubts = [f"'{name}' did not answer as it should {count} times" for name, count in silent.items() if count]
    # A new turn's first reading finds the earlier turns, too.
    expected = {table: count * (WARM_UPS + rounds) for table, count in ROWS_A_ROUND.items()}
    expected["raw_items"] += 2 * 2 * EARLIER_TURNS
    written = {table: count - before[table] for table, count in scene.rows().items()}
    if written != expected:
        doubts.append(f"the hooks wrote {written}, not {expected}")
    kept = {name: values[WARM_UPS:] for name, values in times.items()}
    measured = [_measured(case, wanted.get(case.name), kept[case.name], kept[BARE]) for case in CASES]
    return median(kept[BARE]), measured, doubts


def _measured(case: Case, goal: float | None, times: list[float], bare: list[float]) -> Measured:
    paired = median(one / other for one, other in zip(times, bare, strict=True))
    return Measured(case, goal, median(times), median(times) / median(bare), paired)


def as_object(bare_ms: float, found: list[Measured], doubts: list[str], **setting: int) -> dict[str, object]:
    """The result as it is kept: nothing in it names the machine."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "python": sys.version.partition(" ")[0],
        "sqlite": sqlite.sqlite_version,
        **setting,
        "bare_ms": round(bare_ms, 2),
        "hooks": [
            {
                "name": one.case.name,
                "median_ms": round(one.median_ms, 2),
                "ratio": round(one.ratio, 2),
                "paired_ratio": round(one.paired_ratio, 2),
                "goal": one.goal,
                "met": one.is_met,
            }
            for one in found
        ],
        "doubts": doubts,
    }


def as_table(bare_ms: float, found: list[Measured], doubts: list[str]) -> str:
    """The result as a person reads it."""
    lines = [f"{'':30} {'ms':>7} {'ratio':>6} {'paired':>7}  goal", f"{BARE:30} {bare_ms:7.1f} {1:6.2f} {1:7.2f}"]
    for one in found:
        goal = "" if one.goal is None else f"{one.goal:.1f} {'met' if one.is_met else 'MISSED'}"
        lines.append(
            f"{one.case.name:30} {one.median_ms:7.1f} {one.ratio:6.2f} {one.paired_ratio:7.2f}  {goal}".rstrip()
        )
    return "\n".join([*lines, *(f"doubt: {doubt}" for doubt in doubts)])


def main() -> None:
    """Fill a memory, measure, print the figures and keep them in `results/`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hooks", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=40, help="measured rounds, after 3 to warm up (default: 40)")
    parser.add_argument("--rules", type=int, default=1000, help="rules in the memory (default: 1000)")
    parser.add_argument("--public-rules", type=Path, metavar="FOLDER", help="also all that FOLDER/rules.jsonl.gz holds")
    parser.add_argument("--raw-items", type=int, default=10_000, help="raw items in it, at least (default: 10000)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    setting = {"rules": given.rules, "raw_items": given.raw_items}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        scene = Scene(Path(folder).resolve(), **setting, public=given.public_rules)
        wanted = goals(rules=given.rules, public=given.public_rules is not None)
        result = measure(scene, given.rounds, wanted)
    setting |= {"public_rules": scene.rules - given.rules, "rounds": given.rounds}
    entry = as_object(*result, **setting)
    keep(entry)
    print(json.dumps(entry, indent=2) if given.json else as_table(*result))


def keep(entry: dict[str, object]) -> None:
    """Put *entry* among the results, in the place of an earlier one of a memory of that size."""
    earlier = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    size = [entry[name] for name in SIZE]
    entries = [entry, *(one for one in earlier if [one[name] for name in SIZE] != size)]
    entries.sort(key=lambda one: [one[name] for name in SIZE])
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(entries, indent=2) + "\n", encoding="utf-8")


def _tool(name: str, number: int, **given: str) -> dict[str, object]:
    return {
        "hook_event_name": "PreToolUse",
        "tool_name": name,
        "tool_use_id": f"toolu_{name}_{number}",
        "tool_input": given,
    }


def _answer(turn: str) -> str:
    return f"In {turn} the export rounded each line before it summed. Now it sums first; `make test` passes. " * 6


if __name__ == "__main__":
    main()
