"""How recall bears many notes: `python -m benchmarks.scale [COUNT ...]` (10,000 and 100,000 when none is named).

Notes in words as frequent as words are: a few in a tenth of all notes, most in hardly any. A prompt says the title of
one of the project's notes, and as many words beside it: common ones among them, and a note comes every time. For each
size: how long building took, how large the file is, and how long and how large recall-hook gets at a prompt and at a
session's start, beside a bare interpreter.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import sysconfig
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from agentrecall_domain.text.concept_vector import stored
from agentrecall_domain.text.tokenizer import terms
from agentrecall_domain.text.utc import iso
from agentrecall_domain.turns.batch import Project
from agentrecall_storage.engine import connect, sqlite
from agentrecall_storage.home import database_path
from agentrecall_storage.memory import open_memory
from agentrecall_storage.places import place_at
from benchmarks.memories import AREAS, DEEDS, NAMES, SEED, STARTED_AT, THINGS, TOOLS
from benchmarks.processes import BARE, BARE_COMMAND, run

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULTS = Path(__file__).parent / "results" / "scale.json"
SIZES = (10_000, 100_000)
WARM_UPS = 3
START_GOAL = 1.8
PROMPT_GOALS = {10_000: 1.8, 100_000: 2.2, 1_000_000: 4.0}
"""How long a recall at a prompt may take, by how many notes there are at most."""

KNOWN_WORDS, FLATTER = 50_000, 50.0
"""So many words there are; the word of rank r is said 1 / (r + 50) of the time (Zipf and Mandelbrot), so that stop
words, which no index holds, are not missed at the top."""
TITLE_WORDS, BODY_WORDS, OTHER_WORDS = (4, 10), (15, 60), (4, 8)
CONCEPTS, CONCEPTS_A_NOTE, FOUND_BY = 1000, 24, 12
HERE, EVERYWHERE = 0.3, 0.05
"""The shares of the notes that are of the project at hand, and that hold in every project."""
TYPES = ("decision", "fact", "fix", "gotcha", "procedure", "preference", "reference")
ADD = """
    INSERT INTO notes(uid, status, type, title, body, project_id, importance, confidence, valid_from, judge,
                      title_terms, terms, vector, created_at, updated_at)
    VALUES (?, 'Live', ?, ?, ?, ?, ?, ?, ?, 'bench', ?, ?, ?, ?, ?)
"""
BATCH = 5000
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


class Words:
    """Words by how often they are said: those of software first, then made-up ones."""

    def __init__(self) -> None:
        known = dict.fromkeys(terms(" ".join((*AREAS, *DEEDS, *THINGS, *TOOLS))))
        self.words = [*known, *(_made_up(number) for number in range(KNOWN_WORDS - len(known)))]
        self.shares = list(accumulate(1 / (rank + FLATTER) for rank in range(KNOWN_WORDS)))
        self.concepts = list(accumulate(1 / (rank + FLATTER) for rank in range(CONCEPTS)))

    def said(self, chance: Random, least: int, most: int) -> list[str]:
        """So many words as somebody says them."""
        return chance.choices(self.words, cum_weights=self.shares, k=chance.randint(least, most))

    def about(self, chance: Random) -> dict[int, float]:
        """A concept vector."""
        numbers = dict.fromkeys(chance.choices(range(CONCEPTS), cum_weights=self.concepts, k=CONCEPTS_A_NOTE))
        return {number: 0.5 / (place + 1) ** 0.5 for place, number in enumerate(numbers)}


class Measured(NamedTuple):
    """One memory: what building it took, and what recall-hook takes in it."""

    notes: int
    build_s: float
    file_mb: float
    bare_ms: float
    prompt_ratio: float
    prompt_p95_ratio: float
    start_ratio: float
    hook_mb: float
    silent: int

    @property
    def goals(self) -> dict[str, float]:
        """The goal of each ratio that has one at this size."""
        prompt = next((goal for most, goal in PROMPT_GOALS.items() if self.notes <= most), None)
        return {"start_ratio": START_GOAL} | ({} if prompt is None else {"prompt_ratio": prompt})

    @property
    def missed(self) -> list[str]:
        """The figures that are over their goal."""
        return [name for name, goal in self.goals.items() if getattr(self, name) > goal]

    @property
    def doubts(self) -> list[str]:
        """What makes the figures doubtful: a hook that says nothing has done less than it should."""
        return [f"the hook said nothing at {self.silent} prompts"] if self.silent else []


def fill(home: Path, folder: Path, words: Words, count: int) -> Path:
    """Make a memory of so many notes at *home*; gives the folder of the project at hand."""
    chance = Random(SEED)  # noqa: S311 -- the same text each time is the point
    project = folder / NAMES[0]
    (project / ".git").mkdir(parents=True, exist_ok=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    with open_memory(str(home), lambda: STARTED_AT) as memory:
        place = place_at(str(project))
        here = memory.record_project(Project.at(place.name, place.root, place.aliases))
        others = [memory.record_project(Project(name, f"/{name}", [("path", f"/{name}")])) for name in NAMES[1:]]
        rows = _rows(chance, words, here, others, count)
        for _ in range(0, count, BATCH):
            with memory.writing():
                memory.connection.executemany(ADD, islice(rows, BATCH))
    return project


def measure(folder: Path, count: int, rounds: int) -> Measured:
    """Build a memory of so many notes in *folder*, and recall in it so many times."""
    words = Words()
    home = folder / "home"
    begun = time.perf_counter()
    project = fill(home, folder, words, count)
    build_s = time.perf_counter() - begun
    return recalled(folder, project, words, count, rounds)._replace(build_s=round(build_s, 1))


def recalled(folder: Path, project: Path, words: Words, count: int, rounds: int) -> Measured:
    """What recall-hook takes in the memory that `fill` made in *folder*."""
    home = folder / "home"
    environment = {"HOME": str(folder), "AGENTRECALL_HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8"}
    hook = [str(Path(sysconfig.get_path("scripts")) / "agentrecall-recall-hook")]
    chance = Random(SEED + 1)  # noqa: S311 -- the same prompts each time are the point
    titles = _own_titles(home)
    bare, prompt, start, silent = [], [], [], 0
    for number in range(WARM_UPS + rounds):
        turn: dict[str, object] = {
            "session_id": f"measured-{number:04d}",
            "prompt_id": f"prompt-{number}",
            "cwd": str(project),
        }
        asked = " ".join((chance.choice(titles), *words.said(chance, *OTHER_WORDS)))
        bare.append(run(folder, BARE_COMMAND, environment, {})[0])
        ms, speaks = run(folder, hook, environment, turn | {"hook_event_name": "UserPromptSubmit", "prompt": asked})
        prompt.append(ms)
        silent += not speaks
        ms, _ = run(folder, hook, environment, turn | {"hook_event_name": "SessionStart", "source": "startup"})
        start.append(ms)
    bare, prompt, start = (times[WARM_UPS:] for times in (bare, prompt, start))
    usual = median(bare)
    return Measured(
        notes=count,
        build_s=0.0,
        file_mb=round(Path(database_path(str(home))).stat().st_size / 1e6, 1),
        bare_ms=round(usual, 2),
        prompt_ratio=round(median(prompt) / usual, 2),
        prompt_p95_ratio=round(sorted(prompt)[int(0.95 * len(prompt))] / usual, 2),
        start_ratio=round(median(start) / usual, 2),
        hook_mb=round(_peak_mb(folder, hook, environment, chance.choice(titles)), 1),
        silent=silent,
    )


def main() -> None:
    """Fill, measure, print the figures and keep them in `results/`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__.partition("\n")[0])
    parser.add_argument("sizes", type=int, nargs="*", default=list(SIZES), help="how many notes (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=40, help="measured rounds, after 3 to warm up (default: 40)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    for count in given.sizes:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            found = measure(Path(folder).resolve(), count, given.rounds)
        entry = as_object(found, given.rounds)
        keep(entry)
        print(json.dumps(entry, indent=2) if given.json else as_line(found), flush=True)


def as_object(found: Measured, rounds: int) -> dict[str, object]:
    """The result as it is kept: nothing in it names the machine."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "python": sys.version.partition(" ")[0],
        "sqlite": sqlite.sqlite_version,
        "rounds": rounds,
        **found._asdict(),
        "goals": found.goals,
        "missed": found.missed,
        "doubts": found.doubts,
    }


def as_line(found: Measured) -> str:
    """The result as a person reads it."""
    return (
        f"{found.notes:9,} notes  built in {found.build_s:.0f} s, {found.file_mb:.0f} MB  {BARE} {found.bare_ms:.1f} ms"
        f"  prompt {found.prompt_ratio:.2f} (p95 {found.prompt_p95_ratio:.2f})  start {found.start_ratio:.2f}"
        f"  hook {found.hook_mb:.0f} MB  {'MISSED ' + ', '.join(found.missed) if found.missed else 'met'}"
        f"{''.join(f'  doubt: {doubt}' for doubt in found.doubts)}"
    )


def keep(entry: dict[str, object]) -> None:
    """Put *entry* among the results, in the place of an earlier one of that size."""
    earlier = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    entries = [entry, *(one for one in earlier if one["notes"] != entry["notes"])]
    entries.sort(key=lambda one: one["notes"])
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(entries, indent=2) + "\n", encoding="utf-8")


def _rows(chance: Random, words: Words, here: int, others: list[int], count: int) -> Iterator[tuple[object, ...]]:
    for number in range(count):
        title, body = words.said(chance, *TITLE_WORDS), words.said(chance, *BODY_WORDS)
        about = words.about(chance)
        drawn = chance.random()
        project_id = here if drawn < HERE else None if drawn < HERE + EVERYWHERE else chance.choice(others)
        at = iso((STARTED_AT + timedelta(minutes=number)).timestamp())
        found_by = " ".join((*title, *body, *(f"__{concept}" for concept in list(about)[:FOUND_BY])))
        yield (
            f"{number:032x}", chance.choice(TYPES), " ".join(title), f"{' '.join(body)}.", project_id,
            round(chance.uniform(0.2, 1.0), 2), 0.8, at, " ".join(title), found_by, stored(about), at, at,
        )  # fmt: skip


def _own_titles(home: Path) -> list[str]:
    """Titles of the project at hand, old and new."""
    question = "SELECT title FROM notes WHERE project_id = 1 AND id % (1 + (SELECT max(id) FROM notes) / 1000) = 0"
    with closing(connect(database_path(str(home)), 1000)) as connection:
        return [title for (title,) in connection.execute(question)]


def _made_up(number: int) -> str:
    """A word that nobody says and that is its own stem."""
    letters = "bdfgklmnpr"
    digits = [letters[int(digit)] for digit in str(number)]
    return "zu" + "o".join(digits) + "ux"


def _peak_mb(folder: Path, hook: list[str], environment: dict[str, str], asked: str) -> float:
    """The most memory that a hook holds at a prompt, told by a small process that starts it."""
    payload = {"session_id": "memory", "prompt_id": "memory", "hook_event_name": "UserPromptSubmit", "prompt": asked}
    command = [sys.executable, "-c", PEAK, *hook]
    run(folder, command, environment, {**payload, "cwd": str(folder / NAMES[0])})
    return int((folder / "stdout").read_text(encoding="utf-8").splitlines()[-1]) / 1024


if __name__ == "__main__":
    main()
