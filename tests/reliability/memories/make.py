"""A memory of the schema version that this program writes, made through the product, for every later one to open.

`python tests/reliability/memories/make.py` writes `schema-<version>.db.gz` beside itself. It is run once, when a
version is new; a file of a version that was released is never made again. It holds two turns, one of which nobody
judged, a failed tool call, two rules in force and one archived, an injection at a prompt and one at a start, and a
project with a remote.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from agentrecall_storage.engine import sqlite  # noqa: E402 -- the tests' folder had to be found first
from agentrecall_storage.schema_version import SCHEMA_VERSION  # noqa: E402
from helpers.forks import Forks, fork_server  # noqa: E402
from helpers.programs import Person  # noqa: E402
from helpers.transcripts import SESSION, TranscriptBuilder  # noqa: E402

PROMPT = "change the applied migration so that orders get a currency column"
SAID = [
    ("user", "Never edit an applied migration, please"),
    ("assistant", "I will add a new one."),
    ("tool", "Bash failed: make: no rule"),
    ("assistant", "The target is missing."),
    ("user", "Grüße, 変更してください"),
    ("assistant", "Done."),
]
RULES = {
    "Never edit an applied migration": "Active",
    "Always run the tests of the shop before a commit": "Active",
    "Never log a customer's address": "Archived",
}


def main() -> None:
    """Make the file of the version of today."""
    with tempfile.TemporaryDirectory() as folder, fork_server() as forks:
        person = Person(Path(folder))
        fill(forks, person)
        path = person.memory / "agentrecall.db"
        with closing(sqlite.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("VACUUM")
        target = HERE / f"schema-{SCHEMA_VERSION}.db.gz"
        target.write_bytes(gzip.compress(path.read_bytes(), mtime=0))


def fill(forks: Forks, person: Person) -> None:
    """Let the product store a bit of everything."""
    transcript = TranscriptBuilder(person.home / ".claude" / "projects" / "-shop" / f"{SESSION}.jsonl", person.project)
    git = person.project / ".git"
    git.mkdir()
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text('[remote "origin"]\n\turl = https://git.example.com/acme/shop-api.git\n')
    transcript.prompt(SAID[0][1])
    transcript.answer(SAID[1][1])
    transcript.tool("msg-tool", "call-1", "make: no rule", is_error=True)
    transcript.answer(SAID[3][1])
    run(forks, person, "capture-hook", transcript.payload())
    for words, status in RULES.items():
        done = forks.run(person, "agentrecall", "feedback", "add", words, "--json")
        assert done.code == 0, done.stderr
        if status == "Archived":
            rule = json.loads(done.stdout)
            assert forks.run(person, "agentrecall", "rules", "archive", str(rule["id"])).code == 0
    run(forks, person, "recall-hook", transcript.payload("SessionStart", source="startup"))
    transcript.prompt(SAID[4][1])
    run(forks, person, "recall-hook", transcript.payload("UserPromptSubmit", prompt=PROMPT))
    transcript.answer(SAID[5][1])
    run(forks, person, "capture-hook", transcript.payload())
    run(forks, person, "finalize-turn", transcript.payload())


def run(forks: Forks, person: Person, hook: str, payload: dict[str, object]) -> None:
    """Run a hook that has to do its work."""
    done = forks.run(person, hook, stdin=payload)
    assert (done.code, done.stderr) == (0, ""), done


if __name__ == "__main__":
    main()
