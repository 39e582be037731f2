"""The rules' bench: what a person waits for in a large memory, against a bare interpreter of the same environment.

`uv run nox -s bench` runs this after the hooks' bench, installed in the same way.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import sysconfig
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.memories import AREAS, DEEDS, THINGS, TOOLS, fill
from benchmarks.processes import BARE, BARE_COMMAND, run

RESULTS = Path(__file__).parent / "results" / "rules.json"
WARM_UPS = 2
FEEDBACK_GOAL, CONFLICTS_GOAL_S, COMPRESS_GOAL_S = 6.0, 10.0, 20.0


class Measured(NamedTuple):
    """One command's time, and its goal in the same unit."""

    name: str
    value: float
    unit: str
    goal: float

    @property
    def is_met(self) -> bool:
        """Whether the goal is met."""
        return self.value <= self.goal


def measure(folder: Path, *, rules: int, rounds: int) -> tuple[float, list[Measured]]:
    """The bare interpreter's median in milliseconds, and each command's figure."""
    home = folder / "home"
    project = fill(home, folder, rules=rules, raw_items=0)
    environment = {"HOME": str(folder), "AGENTRECALL_HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8"}
    program = str(Path(sysconfig.get_path("scripts")) / "agentrecall")
    os.chdir(project)
    bare, added = [], []
    for number in range(WARM_UPS + rounds):
        bare.append(run(folder, BARE_COMMAND, environment, {})[0])
        added.append(run(folder, [program, "feedback", "add", _feedback(number)], environment, {})[0])
    bare_ms = median(bare[WARM_UPS:])
    conflicts = run(folder, [program, "rules", "conflicts", "--all", "--json"], environment, {})[0]
    compress = run(folder, [program, "rules", "compress", "--all", "--json"], environment, {})[0]
    return bare_ms, [
        Measured("feedback add", median(added[WARM_UPS:]) / bare_ms, "bare starts", FEEDBACK_GOAL),
        Measured("rules conflicts", conflicts / 1000, "s", CONFLICTS_GOAL_S),
        Measured("rules compress, dry run", compress / 1000, "s", COMPRESS_GOAL_S),
    ]


def main() -> None:
    """Fill a memory, measure, print the figures and keep them in `results/`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20, help="measured rounds, after 2 to warm up (default: 20)")
    parser.add_argument("--rules", type=int, default=10_000, help="rules in the memory (default: 10000)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        bare_ms, found = measure(Path(folder).resolve(), rules=given.rules, rounds=given.rounds)
        os.chdir(Path(__file__).parent)
    kept = json.dumps(
        {
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "python": sys.version.partition(" ")[0],
            "rules": given.rules,
            "rounds": given.rounds,
            "bare_ms": round(bare_ms, 2),
            "commands": [
                {"name": one.name, "value": round(one.value, 2), "unit": one.unit, "goal": one.goal, "met": one.is_met}
                for one in found
            ],
        },
        indent=2,
    )
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(kept + "\n", encoding="utf-8")
    if given.json:
        print(kept)
        return
    print(f"{BARE}: {bare_ms:.1f} ms")
    for one in found:
        print(f"{one.name:24} {one.value:6.2f} {one.unit}  goal {one.goal:g} {'met' if one.is_met else 'MISSED'}")


def _feedback(number: int) -> str:
    """Another lesson each time, in the words of the memory's own rules."""
    deed, thing, tool, area = (words[number % len(words)] for words in (DEEDS, THINGS, TOOLS, AREAS))
    return (
        f"When you {deed} the {thing} of {area} in release {number}, run {tool} twice, not once, "
        "because the first run only warms its cache"
    )


if __name__ == "__main__":
    main()
