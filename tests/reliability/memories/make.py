"""A memory of the schema version that this program writes, made through the product, for every later one to open.

`python tests/reliability/memories/make.py` writes `schema-<version>.db.gz` beside itself. It is run once, when a
version is new; a file of a version that was released is never made again. It holds two turns, a failed tool call, two
rules in force and one archived, an injection at a prompt and one at a start, and a project with a remote. Nobody judged
one of the turns. Since version 2 a verdict about that one is asked for, the other is judged, and one of the two rules
is pinned, fared well where it was shown, and may be replaced by the other. Since version 4 the session is an episode
that was distilled, of which two notes live, one was tombstoned by another, two wait for a person, and one teaches a
lesson.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from agentrecall_domain.notes.deterministic_judge import DeterministicJudge  # noqa: E402 -- tests' folder comes first
from agentrecall_domain.notes.duplicate import settle  # noqa: E402
from agentrecall_domain.notes.lesson import lesson_of  # noqa: E402
from agentrecall_domain.notes.note import NoteContent, NoteType, Source  # noqa: E402
from agentrecall_storage.engine import sqlite  # noqa: E402
from agentrecall_storage.memory import open_memory  # noqa: E402
from agentrecall_storage.rows import insert  # noqa: E402
from agentrecall_storage.schema_version import SCHEMA_VERSION  # noqa: E402
from helpers.forks import Forks, fork_server  # noqa: E402
from helpers.programs import Person, script  # noqa: E402
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

AT = "2026-11-02T09:00:00Z"
NOTES = {
    "Orders are priced in euros": "Orders are priced in euros.",
    "Orders are priced in euros, in cents": "Orders are priced in euros, stored as integers of cents.",
    "Orders are priced in dollars": "Orders are priced in dollars now instead of euros, in cents.",
    "Amounts are rounded half up": "Always round amounts half up, because the bank does.",
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
    first_turn = transcript.prompt_id
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
    mark(forks, person)
    run(forks, person, "finalize-turn", transcript.payload(last_assistant_message=SAID[5][1]))
    judge(person, first_turn)
    note(person)


def note(person: Person) -> None:
    """Make an episode of the session, and store notes of it: one that another replaced, and a pair for a person."""
    with open_memory(str(person.memory), lambda: datetime.now(UTC)) as memory:
        (turn,) = memory.connection.execute("SELECT min(id) FROM turns").fetchone()
        (item,) = memory.connection.execute("SELECT min(id) FROM raw_items").fetchone()
        episode = insert(
            memory.connection,
            "episodes",
            {
                "uid": "e" * 32,
                "session_id": 1,
                "project_id": 1,
                "status": "Distilled",
                "closed_by": "session end",
                "started_at": AT,
                "ended_at": AT,
                "closed_at": AT,
                "distilled_at": AT,
                "judge": "deterministic",
            },
        )
        memory.connection.execute("UPDATE turns SET episode_id = ? WHERE id = ?", (episode, turn))
        for title, body in NOTES.items():
            content = NoteContent(
                type=NoteType.DECISION, title=title, body=body, importance=0.5, confidence=0.8, valid_from=AT
            )
            added = memory.notes.add(
                content,
                project_id=1,
                episode_id=episode,
                judge="deterministic",
                sources=[Source(raw_item_id=item, span=SAID[0][1])],
                actor="process",
            )
            settle(added, memory.notes, DeterministicJudge())
            lesson = lesson_of(added)
            if lesson is not None:
                memory.lesson_candidates.suggest(lesson)


def mark(forks: Forks, person: Person) -> None:
    """Pin a rule, ask a person about it, and ask for the verdict about the next turn that ends."""
    assert forks.run(person, "agentrecall", "rules", "pin", "R1").code == 0
    with open_memory(str(person.memory), lambda: datetime.now(UTC)) as memory:
        memory.flag("refine", 2, 1, "both are about what comes before a release")
        memory.connection.execute("INSERT INTO config VALUES ('ask_for_verdict', 'always', '')")


def judge(person: Person, turn: str) -> None:
    """Hand in a verdict that captures nothing and tells how a rule fared; from here on no verdict is asked for."""
    verdict = {
        "session_id": SESSION,
        "turn_id": turn,
        "cwd": str(person.project),
        "verdicts": [{"decision": "Skip", "why_not_saved": "nothing new"}],
        "rule_outcomes": [{"rule_id": "R1", "outcome": "UserAccepted"}],
    }
    done = person.run([script("agentrecall-finalize-turn")], json.dumps(verdict).encode())
    assert done.returncode == 0, done
    with open_memory(str(person.memory), lambda: datetime.now(UTC)) as memory:
        memory.connection.execute("DELETE FROM config WHERE key = 'ask_for_verdict'")


def run(forks: Forks, person: Person, hook: str, payload: dict[str, object]) -> None:
    """Run a hook that has to do its work."""
    done = forks.run(person, hook, stdin=payload)
    assert (done.code, done.stderr) == (0, ""), done


if __name__ == "__main__":
    main()
