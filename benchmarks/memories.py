"""A memory to measure against: several projects, their rules and raw items, in varied text that a seed decides.

Public rules, which lie outside the repository, come on top when they are asked for.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from agentrecall_domain.rules.rule import LONGEST_TITLE, Rule, RuleContent, ScopeLevel, Status
from agentrecall_domain.turns.batch import Batch, OpenedTurn, Project
from agentrecall_domain.turns.span import Span
from agentrecall_storage.memory import Memory, open_memory
from agentrecall_storage.places import place_at
from benchmarks.retrieval.files import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20_261_130
STARTED_AT = datetime(2026, 3, 2, 8, tzinfo=UTC)
TURNS_A_SESSION = 12

NAMES = ("shop-api", "ledger", "mobile-app", "search-index", "design-system", "billing-worker", "docs-site", "infra")
AREAS = (
    "api", "auth", "billing", "cache", "cart", "catalog", "checkout", "cli", "config", "db", "events", "export",
    "feature_flags", "http", "i18n", "images", "importer", "inventory", "invoices", "jobs", "ledger", "logging",
    "mailer", "metrics", "migrations", "notifications", "orders", "payments", "permissions", "pricing", "queue",
    "refunds", "reports", "retry", "routing", "scheduler", "search", "sessions", "shipping", "storage", "tax",
    "templates", "tenants", "tokens", "uploads", "users", "validation", "webhooks",
)  # fmt: skip
THINGS = (
    "handler", "client", "serializer", "repository", "middleware", "fixture", "factory", "worker", "schema", "adapter",
    "endpoint", "decorator", "parser", "builder", "policy", "resolver", "transaction", "index", "snapshot", "timeout",
    "connection pool", "rate limit", "lock file", "build step", "pipeline", "dashboard", "error page", "type stub",
)  # fmt: skip
TOOLS = (
    "pytest", "ruff", "docker compose", "alembic", "pnpm", "terraform", "make", "gh", "psql", "redis-cli", "eslint",
    "vitest", "cargo", "helm", "uv", "openssl", "kubectl", "storybook", "playwright", "sqlfluff",
)  # fmt: skip
DEEDS = (
    "rename", "rewrite", "mock", "regenerate", "inline", "cache", "retry", "batch", "log", "validate", "round",
    "truncate", "paginate", "deprecate", "stub", "delete", "reorder", "normalise", "lock", "stream", "backfill",
)  # fmt: skip
REASONS = (
    "production has run it", "the bank rejects anything else", "it broke the release of May", "two teams depend on it",
    "the linter cannot see it", "customers saw stale prices", "CI runs on two cores", "auditors read that table",
    "the old clients cannot parse it", "it doubled the bill", "the tests then pass without testing anything",
    "half of the users are behind a proxy", "a retry would charge the card twice", "time zones differ by branch",
)  # fmt: skip
SUFFIXES = ("py", "ts", "sql", "tsx", "go", "yaml")


class Uncompared(Memory):
    """A memory that does not ask of each new rule which others contradict it."""

    def store_conflicts(self, rule: Rule) -> None:
        """Nothing: comparing each with 25 others takes sixteen times as long as all else (337 s for 18,431 rules)."""


def fill(home: Path, projects: Path, *, rules: int, raw_items: int, public: Path | None = None) -> Path:
    """Make a memory at *home* with so many *rules* and *raw_items*; gives the folder of the project at hand.

    Three tenths of the rules hold in that project, one in twenty everywhere, the rest in the other projects, which lie
    beside it in the folder *projects*. The rules in the folder *public* all hold everywhere.

    Raises:
        MissingDataError, MalformedDataError: As `read_lines`.
    """
    found = read_lines(public / "rules.jsonl.gz") if public else []
    chance = Random(SEED)  # noqa: S311 -- the same text each time is the point
    folders = [_repository(projects / name) for name in NAMES]
    with open_memory(str(home), lambda: STARTED_AT) as memory:
        ids = [memory.record_project(_project(folder)) for folder in folders]
        with memory.writing():
            for number in range(rules):
                _add_rule(memory, chance, ids, place=number / rules)
        items = islice(_batches(chance, folders), -(-raw_items // (2 * TURNS_A_SESSION)))
        for batch in items:
            memory.captures.record_batch(batch)
        uncompared = Uncompared(memory.connection, str(home), lambda: STARTED_AT)
        with uncompared.writing():
            for rule in found:
                uncompared.add_rule(_public_rule(rule), Status.ACTIVE, None, "person")
        uncompared.hot.concepts.close()
    return folders[0]


def file_of_rule(area: str) -> str:
    """The file, in the project at hand, that a rule is about: every area there has one."""
    return f"src/{area}/{area}_service.py"


def _repository(folder: Path) -> Path:
    """A folder that is a git repository, as far as a hook looks."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    for below in ("objects", "refs"):
        (folder / ".git" / below).mkdir()
    remote = f'[remote "origin"]\n\turl = https://git.example.com/acme/{folder.name}.git\n'
    (folder / ".git" / "config").write_text(remote, encoding="utf-8")
    return folder


def _project(folder: Path) -> Project:
    place = place_at(str(folder))
    return Project.at(place.name, place.root, place.aliases)


def _public_rule(found: dict[str, Any]) -> RuleContent:
    """A public rule as one of ours: the heading that it stands under says when it applies."""
    text, heading = found["text"], found["section"]
    globs = tuple(glob.strip() for glob in found["globs"].split(",") if glob.strip())
    return RuleContent(title=(heading or text)[:LONGEST_TITLE], trigger=heading, action=text, globs=globs)


def _add_rule(memory: Memory, chance: Random, ids: list[int], place: float) -> None:
    """One rule; *place* (0 to 1) in the row of all rules decides where it holds."""
    area, other = chance.sample(AREAS, 2)
    project_id = ids[0] if place < 0.3 else None if place < 0.35 else chance.choice(ids[1:])  # noqa: PLR2004
    about_file = project_id is not None and chance.random() < 0.25  # noqa: PLR2004
    level = ScopeLevel.GLOBAL if project_id is None else ScopeLevel.FILE if about_file else ScopeLevel.REPOSITORY
    value = file_of_rule(area) if about_file else memory.project_uid(project_id) if project_id is not None else ""
    deed, thing, tool = chance.choice(DEEDS), chance.choice(THINGS), chance.choice(TOOLS)
    content = RuleContent(
        title=f"{deed} the {area} {thing} with {tool}"[:1].upper() + f"{deed} the {area} {thing} with {tool}"[1:],
        trigger=f"when you {deed} the {thing} of {area} while {other} is {_number(chance)}",
        action=f"run {tool} on {_path(chance, area)} first, then {chance.choice(DEEDS)} the {other} {thing}",
        mistake=f"to {deed} {_identifier(chance, area)} by hand" if chance.random() < 0.6 else "",  # noqa: PLR2004
        reason=chance.choice(REASONS),
        scope_level=level,
        scope_value=value,
        globs=(f"src/{area}/**/*.{chance.choice(SUFFIXES)}",) if chance.random() < 0.15 else (),  # noqa: PLR2004
        tags=(area, tool.split()[0]),
        always_apply=chance.random() < 0.03,  # noqa: PLR2004
        confidence=round(chance.uniform(0.5, 0.95), 2),
    )
    status = Status.PENDING if chance.random() < 0.1 else Status.ACTIVE  # noqa: PLR2004
    memory.add_rule(content, status, project_id, "person")


def _batches(chance: Random, folders: list[Path]) -> Iterator[Batch]:
    """Session after session, each of some turns: a prompt and an answer."""
    session = 0
    while True:
        session += 1
        folder = chance.choice(folders)
        began = STARTED_AT + timedelta(hours=session)
        uid = f"session-{session:05d}"
        batch = Batch(
            source="claude-code", session_uid=uid, transcript_path="", captured_at=began.isoformat(timespec="seconds")
        )
        project = batch.project_index(_project(folder))
        for ordinal in range(1, TURNS_A_SESSION + 1):
            turn = f"{uid}-turn-{ordinal}"
            said_at = (began + timedelta(minutes=ordinal)).isoformat(timespec="milliseconds")
            batch.turns.append(
                OpenedTurn(
                    uid=turn, prompt_id=turn, ordinal=ordinal, project=project, branch="main", started_at=said_at
                )
            )
            for role, origin, text in (("user", "user", _prompt(chance)), ("assistant", "agent", _answer(chance))):
                batch.spans.append(
                    Span(
                        turn_uid=turn,
                        dedup_key=f"claude-code:{turn}:{role}",
                        kind="turn",
                        role=role,
                        origin=origin,
                        text=text,
                        said_at=said_at,
                    )
                )
        yield batch


def _prompt(chance: Random) -> str:
    area, other = chance.sample(AREAS, 2)
    return (
        f"Please {chance.choice(DEEDS)} the {area} {chance.choice(THINGS)} in {_path(chance, area)} so that {other} no "
        f"longer needs {_identifier(chance, other)}; {chance.choice(REASONS)}."
    )


def _answer(chance: Random) -> str:
    parts = []
    for _ in range(chance.randint(3, 12)):
        area = chance.choice(AREAS)
        parts.append(
            f"I changed `{_identifier(chance, area)}` in {_path(chance, area)} to {chance.choice(DEEDS)} the "
            f"{chance.choice(THINGS)}, and ran {chance.choice(TOOLS)}: {_number(chance)} passed."
        )
    return "\n".join(parts)


def _path(chance: Random, area: str) -> str:
    return f"src/{area}/{chance.choice(THINGS).replace(' ', '_')}_{chance.choice(DEEDS)}.{chance.choice(SUFFIXES)}"


def _identifier(chance: Random, area: str) -> str:
    return f"{chance.choice(DEEDS)}_{area}_{chance.choice(THINGS).replace(' ', '_')}"


def _number(chance: Random) -> str:
    return str(chance.randint(2, 9_999))
