"""What a process that somebody waits for imports, against a bare interpreter in the same environment."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentrecall_domain.capture.feedback import Parts, Scope, consider
from agentrecall_domain.rules.rule import ScopeLevel, Status
from agentrecall_storage.memory import Memory
from helpers.programs import Person, RunHook, as_bytes, assert_well_behaved, command
from helpers.transcripts import TranscriptBuilder
from recall.stories import git

# The names are taken first of all: writing them down may import something.
DRIVER = """
import os, sys
def leave(code, end=os._exit, path=sys.argv.pop(1)):
    names = list(sys.modules)
    with open(path, "w") as file:
        file.write("\\n".join(names))
    end(code)
os._exit = leave
program = sys.argv.pop(1)
if program:
    main = __import__(program + ".__main__", fromlist=["main"]).main
    main()
leave(0)
"""

# Json, re and sqlite3 pull the most of these. A line joins this list with a measurement of what it costs.
STANDARD_LIBRARY = {
    *("__future__", "_blake2", "_collections", "_datetime", "_functools", "_json", "_operator", "_sre", "_sqlite3"),
    *("collections", "collections.abc", "copyreg", "datetime", "enum", "functools", "importlib"),
    *("importlib._bootstrap", "importlib._bootstrap_external", "itertools", "json", "json.decoder", "json.encoder"),
    *("json.scanner", "keyword", "math", "operator", "re", "re._casefix", "re._compiler", "re._constants"),
    *("re._parser", "reprlib", "select", "types", "warnings", "sqlite3", "sqlite3.dbapi2"),
    *("pysqlite3", "pysqlite3._sqlite3", "pysqlite3.dbapi2"),
}
OURS = {
    "agentrecall_domain",
    "agentrecall_domain.text",
    *(
        f"agentrecall_domain.text.{name}"
        for name in (
            *("private_tags", "redaction", "scrub", "stem", "stop_words", "storable", "token_estimate", "tokenizer"),
            "utc",
        )
    ),
    "agentrecall_domain.turns",
    *(
        f"agentrecall_domain.turns.{name}"
        for name in ("batch", "formats", "identity", "own_text", "payload", "project", "span")
    ),
    "agentrecall_storage",
    "agentrecall_storage.files",
    *(f"agentrecall_storage.files.{name}" for name in ("exclusions", "git", "log", "stdin")),
    *(
        f"agentrecall_storage.{name}"
        for name in ("deadline", "engine", "home", "hook_process", "hot", "opening", "places", "schema_version")
    ),
}
RANKING = {
    "agentrecall_domain.recall",
    *(
        f"agentrecall_domain.recall.{name}"
        for name in (
            *("candidate", "fetching", "gate", "injection", "moments", "naming", "packing", "ranking", "rendering"),
            *("spelling", "task_type"),
        )
    ),
    "agentrecall_domain.rules",
    *(f"agentrecall_domain.rules.{name}" for name in ("precedence", "rule_vector", "scope", "status")),
    *(f"agentrecall_domain.text.{name}" for name in ("abbreviations", "concept_vector", "harmless")),
    "agentrecall_storage.concepts",
}
READING = {
    *(f"agentrecall_domain.text.{name}" for name in ("poison", "poison_patterns")),
    "agentrecall_storage.capturing",
    "agentrecall_storage.files.unheard",
    *(f"agentrecall_storage.files.{name}" for name in ("spool", "transcript")),
    *(
        f"agentrecall_domain.turns.{name}"
        for name in ("capture", "claude_prompt", "claude_transcript", "failed_call", "json_line")
    ),
}
CAPTURE = {
    "agentrecall_storage.raw_items",
    # The hot store's statements name the statuses and make candidates of rows.
    *("agentrecall_domain.recall", "agentrecall_domain.recall.candidate"),
    *("agentrecall_domain.rules", "agentrecall_domain.rules.status"),
}
ALLOWED = {
    "agentrecall_capture_hook": {f"agentrecall_capture_hook{end}" for end in ("", ".__main__", ".capture")}
    | {"agentrecall_storage.starting"}
    | READING
    | CAPTURE,
    "agentrecall_recall_hook": {f"agentrecall_recall_hook{end}" for end in ("", ".__main__", ".recall")} | RANKING,
    "agentrecall_finalize_turn": {f"agentrecall_finalize_turn{end}" for end in ("", ".__main__", ".hook")}
    | CAPTURE
    | {"agentrecall_storage.finalizations"},
}
# What the Stop hook imports for those alone who want to be asked, or to be told.
ASKING = {"agentrecall_domain.capture", "agentrecall_domain.capture.asking"}
TELLING = {
    "agentrecall_domain.capture",
    "agentrecall_domain.capture.turn_summary",
    "agentrecall_domain.text.harmless",
    "agentrecall_storage.turn_summaries",
}
ARGUMENTS = {"agentrecall_finalize_turn": ("--hook",)}
SLOW = (
    *("anyio", "asyncio", "click", "contextlib", "dataclasses", "hashlib", "inspect", "logging", "pathlib"),
    *("pydantic", "random", "rich", "socket", "sqlite_utils", "subprocess", "tempfile", "threading", "typing"),
    *("agentrecall_domain.text.secret_checks", "agentrecall_domain.text.secret_kinds"),
)

# What a person would wait for who tells the memory something, and that it does not need.
NOT_FOR_FEEDBACK = {"anyio", "asyncio", "logging", "pydantic", "rich", "sqlite_utils", "subprocess"}


def modules_of(person: Person, program: str, payload: dict[str, Any]) -> set[str]:
    """The modules that *program* has imported when it ends; '' is a program that does nothing."""
    names = person.home / "modules"
    child = [sys.executable, "-c", DRIVER, str(names), program, *ARGUMENTS.get(program, ())]
    done = person.run(child, as_bytes(payload))
    assert_well_behaved(done)
    assert (b"additionalContext" in done.stdout) == (program == "agentrecall_recall_hook")
    return set(names.read_text().split("\n"))


@pytest.fixture(scope="module")
def pulled_by_the_engine(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What json, re and the engine bring with them, so that no module of ours answers for it."""
    person = Person(tmp_path_factory.mktemp("engine"))
    listing = "import json, re, select, sys, agentrecall_storage.engine; print(json.dumps(list(sys.modules)))"
    return set(json.loads(person.run([sys.executable, "-c", listing]).stdout))


@pytest.fixture
def rules(memory: Memory) -> None:
    """Rules that each moment of recall has something to say about."""
    everywhere = Scope(ScopeLevel.GLOBAL, "")
    for words, where, always in (
        ("Answer in English", everywhere, True),
        ("When a migration has been applied, add a new one", everywhere, False),
        ("Use tabs in generated code", everywhere._replace(globs=("*.py",)), False),
    ):
        memory.add_rule(consider(words, Parts(), where, always=always).content, Status.ACTIVE, None, "person")


@pytest.fixture
def captured(run_hook: RunHook, transcript: TranscriptBuilder) -> None:
    """A first turn that is in the memory already."""
    transcript.prompt("Tabs, please")
    transcript.answer("Tabs it is.")
    assert run_hook("capture-hook", transcript.payload()).returncode == 0


def nothing_new(transcript: TranscriptBuilder) -> dict[str, Any]:
    return transcript.payload("Stop", last_assistant_message="Tabs it is.")


def new_turn(transcript: TranscriptBuilder) -> dict[str, Any]:
    transcript.prompt("And two blank lines between functions")
    transcript.answer("Two it is.")
    return transcript.payload("Stop", last_assistant_message="Two it is.")


def lagging_turn(transcript: TranscriptBuilder) -> dict[str, Any]:
    transcript.prompt("And no blank line at the end")
    return transcript.payload("Stop", last_assistant_message="None at the end.")


def session_end(transcript: TranscriptBuilder) -> dict[str, Any]:
    return transcript.payload("SessionEnd", reason="other")


def start(transcript: TranscriptBuilder) -> dict[str, Any]:
    return transcript.payload("SessionStart", source="startup")


def prompt(transcript: TranscriptBuilder) -> dict[str, Any]:
    words = "change the applied migration so that orders get a currency column"
    return transcript.payload("UserPromptSubmit", prompt=words, prompt_id="new")


def misspelt_prompt(transcript: TranscriptBuilder) -> dict[str, Any]:
    words = "change the aplied migraton so that orders get a currency column"
    return transcript.payload("UserPromptSubmit", prompt=words, prompt_id="new")


def read(transcript: TranscriptBuilder) -> dict[str, Any]:
    path = str(transcript.cwd / "models.py")
    return transcript.payload("PreToolUse", tool_name="Read", tool_use_id="t1", tool_input={"file_path": path})


def edit(transcript: TranscriptBuilder) -> dict[str, Any]:
    changed = {"file_path": str(transcript.cwd / "models.py"), "old_string": "a", "new_string": "b"}
    return transcript.payload("PreToolUse", tool_name="Edit", tool_use_id="t2", tool_input=changed)


@pytest.mark.usefixtures("captured")
@pytest.mark.parametrize(
    ("setting", "extra", "answer"),
    [
        pytest.param(("ask_for_verdict", "substantive"), ASKING, b"", id="a short turn is not asked about"),
        pytest.param(("ask_for_verdict", "always"), ASKING, b'"block"', id="asking"),
        pytest.param(("summary", "compact"), TELLING, b"systemMessage", id="telling"),
    ],
)
def test_a_stop_hook_that_asks_or_tells_imports_little_more(  # noqa: PLR0917 -- fixtures
    person: Person,
    memory: Memory,
    transcript: TranscriptBuilder,
    pulled_by_the_engine: set[str],
    setting: tuple[str, str],
    extra: set[str],
    answer: bytes,
) -> None:
    memory.connection.execute("INSERT INTO config VALUES (?, ?, '')", setting)
    words = "change the applied migration so that orders get a currency column"
    rule = consider("When a migration has been applied, add a new one", Parts(), Scope(ScopeLevel.GLOBAL, ""))
    memory.add_rule(rule.content, Status.ACTIVE, None, "person")
    event = transcript.payload("Stop", prompt_id="new", last_assistant_message="Done.")
    heard = as_bytes(transcript.payload("UserPromptSubmit", prompt=words, prompt_id="new"))
    assert person.run(command("recall-hook"), heard).returncode == 0

    child = [sys.executable, "-c", DRIVER, str(person.home / "modules"), "agentrecall_finalize_turn", "--hook"]
    done = person.run(child, as_bytes(event))
    imported = set((person.home / "modules").read_text().split("\n")) - modules_of(person, "", {})

    assert_well_behaved(done)
    assert answer in done.stdout
    assert bool(answer) == bool(done.stdout)
    assert imported - STANDARD_LIBRARY - OURS - ALLOWED["agentrecall_finalize_turn"] - extra == set()
    assert (imported - pulled_by_the_engine) & set(SLOW) == set()


@pytest.mark.usefixtures("rules", "captured")
@pytest.mark.parametrize(
    ("program", "event"),
    [
        pytest.param("agentrecall_capture_hook", nothing_new, id="capture, nothing new"),
        pytest.param("agentrecall_capture_hook", new_turn, id="capture, a new turn"),
        pytest.param("agentrecall_capture_hook", lagging_turn, id="capture, words that the transcript lacks"),
        pytest.param("agentrecall_capture_hook", session_end, id="capture, session end"),
        pytest.param("agentrecall_capture_hook", start, id="capture, session start"),
        pytest.param("agentrecall_recall_hook", start, id="recall, session start"),
        pytest.param("agentrecall_recall_hook", prompt, id="recall, prompt"),
        pytest.param("agentrecall_recall_hook", misspelt_prompt, id="recall, misspelt prompt"),
        pytest.param("agentrecall_recall_hook", read, id="recall, read"),
        pytest.param("agentrecall_recall_hook", edit, id="recall, edit"),
        pytest.param("agentrecall_finalize_turn", new_turn, id="finalize"),
    ],
)
def test_a_hook_imports_what_it_is_allowed_to_and_nothing_else(
    person: Person,
    transcript: TranscriptBuilder,
    pulled_by_the_engine: set[str],
    program: str,
    event: Callable[[TranscriptBuilder], dict[str, Any]],
) -> None:
    imported = modules_of(person, program, event(transcript)) - modules_of(person, "", {})

    assert imported - STANDARD_LIBRARY - OURS - ALLOWED[program] == set()
    assert (imported - pulled_by_the_engine) & set(SLOW) == set()


def packages_of_feedback(person: Person, words: str) -> set[str]:
    """What the installed program imports, as the interpreter itself tells it, to store *words*."""
    done = person.agentrecall("feedback", "add", words, PYTHONPROFILEIMPORTTIME="1")
    assert done.returncode == 0, done
    assert b"Active" in done.stdout
    told = [line.split("|") for line in done.stderr.decode().splitlines() if line.startswith("import time:")]
    return {name.strip().partition(".")[0] for *_, name in told}


@pytest.mark.parametrize("where", ["a folder", "a repository"])
def test_feedback_in_a_known_project_imports_nothing_slow(person: Person, where: str) -> None:
    if where == "a repository":
        git(person.project, "init", "--quiet")
        git(person.project, "commit", "--quiet", "--allow-empty", "--message", "first")

    first = packages_of_feedback(person, "When a migration has been applied, add a new one")
    second = packages_of_feedback(person, "When pushing a branch, run the integration tests")
    the_same = packages_of_feedback(person, "When pushing a branch, run the integration tests")

    # The first makes the memory: so the listing would show them.
    assert "sqlite_utils" in first
    assert second & NOT_FOR_FEEDBACK == set()
    assert the_same & NOT_FOR_FEEDBACK == set()


def test_recall_that_is_switched_off_opens_no_database(person: Person, transcript: TranscriptBuilder) -> None:
    names = person.home / "modules"
    child = [sys.executable, "-c", DRIVER, str(names), "agentrecall_recall_hook"]
    asked = as_bytes(transcript.payload("UserPromptSubmit", prompt="not for us"))

    assert person.run(child, asked, env={"AGENTRECALL_DISABLED": "1"}).stdout == b""

    imported = set(names.read_text().split("\n"))
    assert {name for name in imported if "sqlite" in name or "recall." in name or name.endswith(".engine")} == set()


@pytest.mark.parametrize("program", sorted(ALLOWED.keys() - {"agentrecall_recall_hook"}))
def test_a_hook_that_is_switched_off_imports_nothing(person: Person, program: str) -> None:
    listing = (
        "import sys; from {}.__main__ import main; main();"
        "print([name for name in sys.modules if name.startswith(('agentrecall_storage', 'agentrecall_dom', 'json'))])"
    )
    child = [sys.executable, "-c", listing.format(program), *ARGUMENTS.get(program, ())]

    assert person.run(child, env={"AGENTRECALL_DISABLED": "1"}).stdout == b"[]\n"


def test_the_allowed_modules_exist(pulled_by_the_engine: set[str]) -> None:
    """A list that outlives its modules lets the next one of the name in unseen."""
    folder = Path(sys.modules["agentrecall_storage"].__path__[0]).parents[2]
    ours = {
        ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
        for source in (*folder.glob("*/src"), *folder.parent.glob("apps/*/src"))
        for path in source.rglob("*.py")
    }

    allowed = OURS.union(ASKING, TELLING, *ALLOWED.values())
    assert allowed - ours == set()
    assert {name for name in STANDARD_LIBRARY if name.partition(".")[0] not in sys.stdlib_module_names} == {
        name for name in STANDARD_LIBRARY if name.startswith("pysqlite3")
    }
    assert "json" in pulled_by_the_engine
