"""The retrieval bench, run: `python -m benchmarks.retrieval [--data DIR] [--set NAME ...] [--json]`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from benchmarks.retrieval import __doc__ as about
from benchmarks.retrieval.corpus import MalformedDataError, MissingDataError
from benchmarks.retrieval.evaluation import SETS
from benchmarks.retrieval.report import as_object, as_table, keep

RESULTS = Path(__file__).parent.parent / "results" / "retrieval.json"
DATA = "AGENTRECALL_BENCH_DATA"


def main(arguments: list[str] | None = None, results: Path = RESULTS) -> None:
    """Measure the sets, print their figures and keep them in `results/`; say which could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval", description=about)
    parser.add_argument("--data", type=Path, help=f"folder of the public sets (default: ${DATA})")
    parser.add_argument("--set", nargs="+", choices=SETS, default=list(SETS), metavar="NAME", help=", ".join(SETS))
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args(arguments)
    data = given.data or Path(os.environ.get(DATA, "no data folder"))

    found = {}
    for name in given.set:
        try:
            rows = list(SETS[name](data))
        except (MissingDataError, MalformedDataError) as error:
            print(f"{name} is left out: {error}; name the folder with --data or {DATA}", file=sys.stderr)
            continue
        found[name] = as_object(name, rows)
        if not given.json:
            print(as_table(name, rows), flush=True)
    kept = keep(results, found)
    if given.json:
        print(kept)


if __name__ == "__main__":
    main()
