"""The backfill's bench: how fast transcripts of Claude Code are read into an empty memory, and with how much memory.

`python -m benchmarks.backfill` writes made-up sessions (`benchmarks.transcripts`) and times whole processes, each after
a bare interpreter that does nothing but `json.loads` each line of the same files. Nothing is distilled.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import sysconfig
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import NamedTuple

from agentrecall_storage.engine import connect, sqlite
from agentrecall_storage.home import database_path
from benchmarks.transcripts import MIXED, Written, write_sessions

RESULTS = Path(__file__).parent / "results" / "backfill.json"
MEGABYTE = 1_000_000
GOAL_MB_S = 20
GOAL_MB = 200
BARE = """
import json, sys
for path in sys.argv[1:]:
    for line in open(path, "rb"):
        json.loads(line)
"""


class Run(NamedTuple):
    """What a process took: seconds of the clock, seconds of processor time, and the most memory, in MB."""

    wall_s: float
    processor_s: float
    memory_mb: float


class Case(NamedTuple):
    """Sessions of a kind: how large, and which share of them is conversation."""

    name: str
    size: int
    share: float
    goal: int | None


def run(command: list[str], environment: dict[str, str]) -> Run:
    """Run *command* to its end.

    Raises:
        OSError: It failed.
    """
    quiet = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    begun = time.perf_counter()
    process = os.posix_spawn(command[0], command, environment, file_actions=[quiet])
    _, status, used = os.wait4(process, 0)
    ended = time.perf_counter()
    if status:
        raise OSError(f"'{command[0]}' ended with status {status}")
    # Never less than what this process had when it began: an upper bound.
    return Run(ended - begun, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / MEGABYTE)


def measure(case: Case, rounds: int) -> dict[str, object]:
    """Write the sessions, read them *rounds* times into an empty memory, and give the medians."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name).resolve()
        written = write_sessions(folder / ".claude" / "projects", folder / "code", size=case.size, share=case.share)
        environment = {
            "HOME": str(folder),
            "AGENTRECALL_HOME": str(folder / "memory"),
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
        }
        program = str(Path(sysconfig.get_path("scripts")) / "agentrecall")
        bare, read = [], []
        for _ in range(rounds + 1):
            shutil.rmtree(folder / "memory", ignore_errors=True)
            bare.append(run([sys.executable, "-c", BARE, *map(str, written.paths)], environment))
            read.append(run([program, "backfill", "--no-distil"], environment))
            _check(folder / "memory", written)
        again = run([program, "backfill", "--no-distil"], environment)
    return _as_object(case, written, bare[1:], read[1:], again)


def _check(memory: Path, written: Written) -> None:
    """See that the memory holds all that was said, once."""
    with closing(connect(database_path(str(memory)), 1000)) as connection:
        found = connection.execute("SELECT (SELECT count(*) FROM turns), (SELECT count(*) FROM raw_items)").fetchone()
    if found != (written.turns, written.texts):
        raise ValueError(f"the memory holds {found} turns and raw items, not {(written.turns, written.texts)}")


def _as_object(case: Case, written: Written, bare: list[Run], read: list[Run], again: Run) -> dict[str, object]:
    wall_s = median(one.wall_s for one in read)
    processor_s = median(one.processor_s for one in read)
    rate = written.size / wall_s / MEGABYTE
    return {
        "name": case.name,
        "mb": round(written.size / MEGABYTE, 1),
        "conversation_share": round(written.conversation / written.size, 3),
        "turns": written.turns,
        "raw_items": written.texts,
        "mb_s": round(rate, 1),
        "mb_per_processor_s": round(written.size / processor_s / MEGABYTE, 1),
        "bare_mb_s": round(written.size / median(one.wall_s for one in bare) / MEGABYTE, 1),
        "ratio": round(median(one.wall_s / other.wall_s for one, other in zip(read, bare, strict=True)), 2),
        "memory_mb": round(max(one.memory_mb for one in read)),
        "second_run_s": round(again.wall_s, 2),
        "goal_mb_s": case.goal,
        "met": None if case.goal is None else rate >= case.goal and max(one.memory_mb for one in read) < GOAL_MB,
    }


def main() -> None:
    """Measure, print the figures and keep them in `results/`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.backfill", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="measured rounds, after one to warm up (default: 5)")
    parser.add_argument("--megabytes", type=int, default=100, help="size of the mixed sessions (default: 100)")
    given = parser.parse_args()
    size = given.megabytes * MEGABYTE
    cases = (
        Case("as 2.1.332 writes", size, MIXED, GOAL_MB_S),
        Case("conversation alone", size // 3, 1.0, None),
    )
    entry = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "python": sys.version.partition(" ")[0],
        "sqlite": sqlite.sqlite_version,
        "rounds": given.rounds,
        "cases": [measure(case, given.rounds) for case in cases],
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(entry, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(entry, indent=2))


if __name__ == "__main__":
    main()
