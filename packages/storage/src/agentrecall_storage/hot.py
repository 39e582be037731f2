"""The hot store: what hooks ask of the memory, each question answered by an index. Hot.

Every statement is a constant of this module or of `raw_items`, so that a test can ask the engine for each one's plan.
"""

from __future__ import annotations

import json
import os

from agentrecall_domain.recall.candidate import Candidate
from agentrecall_domain.rules.status import RECALLED_SQL
from agentrecall_domain.text.utc import iso
from agentrecall_domain.turns.identity import digest
from agentrecall_storage.engine import wait_at_most
from agentrecall_storage.opening import is_older

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from agentrecall_domain.recall.injection import Injection
    from agentrecall_domain.turns.batch import Project
    from agentrecall_storage.concepts import ConceptIndex
    from agentrecall_storage.engine import sqlite
    from agentrecall_storage.hot_notes import HotNotes

FIND_ALIAS = "SELECT project_id FROM project_aliases WHERE kind = ? AND value = ?"
FIND_PROJECT = "SELECT id FROM projects WHERE uid = ?"
INSERT_PROJECT = "INSERT INTO projects(uid, name, root, created_at) VALUES (?, ?, ?, ?)"
INSERT_ALIAS = "INSERT OR IGNORE INTO project_aliases(kind, value, project_id) VALUES (?, ?, ?)"

FIND_SESSION = "SELECT id, context_window FROM sessions WHERE uid = ?"
UPSERT_SESSION = """
    INSERT INTO sessions(uid, source, project_id, transcript_path, started_at, last_seen_at)
    VALUES (:uid, :source, :project_id, :transcript_path, :now, :now)
    ON CONFLICT(uid) DO UPDATE SET
        last_seen_at = :now,
        ended_at = NULL,
        project_id = coalesce(sessions.project_id, excluded.project_id),
        transcript_path = CASE excluded.transcript_path WHEN '' THEN sessions.transcript_path
                                                        ELSE excluded.transcript_path END
    RETURNING id, context_window
"""
SESSION_BEFORE = """
    SELECT started_at FROM sessions WHERE last_seen_at > '' AND uid <> ? ORDER BY last_seen_at DESC LIMIT 1
"""
NEXT_WINDOW = "UPDATE sessions SET context_window = context_window + 1 WHERE id = ?"
NEXT_PROMPT = "UPDATE sessions SET prompts = prompts + 1 WHERE id = ? RETURNING prompts"

CONFIG = "SELECT value FROM config WHERE key = ?"

COLUMNS = """
    rules.id, rules.status, rules.source, rules.title, rules.trigger, rules.action, rules.mistake, rules.reason,
    rules.project_id, rules.scope_level, rules.scope_value, rules.globs, rules.languages, rules.always_apply,
    rules.confidence, rules.trigger_terms, rules.terms, rules.created_at, rules.pinned,
    rules.vector
"""
# The inner question sorts numbers alone: whole rules are read for those that are left.
_MATCHING = (
    f"""
    SELECT {COLUMNS}
      FROM (SELECT rules_fts.rowid AS id, bm25(rules_fts, 2.0, 1.0) AS distance
              FROM rules_fts
             CROSS JOIN rules ON rules.id = rules_fts.rowid
             WHERE rules_fts MATCH :query
    """,  # noqa: S608 -- columns of ours
    f"""
               AND rules.status IN ({RECALLED_SQL})
               AND rules.muted = 0
               AND (rules.project_id IS NULL OR rules.project_id = :project_id)
             ORDER BY distance, rules_fts.rowid
             LIMIT :most) AS found
     CROSS JOIN rules ON rules.id = found.id
     ORDER BY found.distance, found.id
    """,
)
MATCHING_RULES = "".join(_MATCHING)
# To look at a posting costs a tenth of what it costs to weigh a rule. The plus keeps the engine from asking for each.
MATCHING_AMONG = "AND +rules_fts.rowid IN (SELECT rowid FROM rules_fts WHERE rules_fts MATCH :among)".join(_MATCHING)
PROJECT_STANDING_RULES = f"""
    SELECT {COLUMNS}
      FROM rules
     WHERE always_apply = 1 AND project_id = :project_id AND status IN ({RECALLED_SQL}) AND rules.muted = 0
"""  # noqa: S608 -- the statuses are constants of domain
GLOBAL_STANDING_RULES = f"""
    SELECT {COLUMNS}
      FROM rules
     WHERE always_apply = 1 AND project_id IS NULL AND status IN ({RECALLED_SQL}) AND rules.muted = 0
"""  # noqa: S608 -- the statuses are constants of domain
SCOPED_RULES = f"""
    SELECT {COLUMNS}
      FROM scopes
      JOIN rules ON rules.id = scopes.rule_id
     WHERE scopes.key = :key
       AND rules.status IN ({RECALLED_SQL})
       AND rules.muted = 0
       AND (rules.project_id IS NULL OR rules.project_id = :project_id)
     LIMIT :most
"""  # noqa: S608 -- the statuses are constants of domain
CONFLICTS_OF = "SELECT other_id FROM rule_conflicts WHERE rule_id = ?"
RULES_WITH_TERM = "SELECT doc FROM rules_vocabulary WHERE term = ?"
WORDS_FROM = "SELECT term, doc FROM rules_vocabulary WHERE term >= ? AND term < ? ORDER BY term LIMIT ?"
WORDS_AMONG = """
    SELECT vocabulary.term, vocabulary.doc
      FROM json_each(?) AS form
     CROSS JOIN rules_vocabulary AS vocabulary
     WHERE vocabulary.term = form.value
"""
NEWEST_RULE = "SELECT max(id) FROM rules"
NEWEST_NOTE = "SELECT max(id) FROM notes"

SHOWN_IN_WINDOW = """
    SELECT items.memory_id, injections.prompt_id, items.shown
      FROM injections
      JOIN injection_items AS items ON items.injection_id = injections.id
     WHERE injections.session_id = ? AND injections.agent_id = ? AND injections.context_window = ?
       AND items.memory_kind = ?
"""
RECENT_START = """
    SELECT 1 FROM injections
     WHERE session_id = ? AND agent_id = ? AND moment = 'start' AND key >= ? AND key < ? AND created_at > ?
"""
INSERT_INJECTION = """
    INSERT INTO injections(uid, session_id, agent_id, moment, key, context_window, prompt_id, project_id, query,
                           skipped, tokens, latency_ms, created_at)
    VALUES (:uid, :session_id, :agent_id, :moment, :key, :context_window, :prompt_id, :project_id, :query,
            :skipped, :tokens, :latency_ms, :created_at)
    ON CONFLICT(session_id, agent_id, moment, key) DO NOTHING
    RETURNING id
"""
INSERT_INJECTION_ITEM = """
    INSERT INTO injection_items(injection_id, memory_kind, memory_id, rank, score, shown) VALUES (?, ?, ?, ?, ?, ?)
"""
STAMP_RULE = "UPDATE rules SET last_used_at = ? WHERE id = ?"

LAST_LETTER = "\U0010ffff"
"""No word goes on with it, nor with a later one."""
START_REPEATS_WITHIN_S = 10
"""The same session start, reported again within this time, is the plugin's and the settings' hook both firing."""


class HotStore:
    """Queries of one open connection. Writes happen inside `transaction`.

    *remaining_ms* is what a hook's deadline leaves: no lock is waited for longer than that. *home* is where a person's
    own concepts would lie.
    """

    def __init__(
        self, connection: sqlite.Connection, remaining_ms: Callable[[], int] | None = None, home: str = ""
    ) -> None:
        self.connection = connection
        self._home = home
        self._concepts: ConceptIndex | None = None
        self._remaining_ms = remaining_ms
        self._notes: HotNotes | None = None

    @property
    def concepts(self) -> ConceptIndex:
        """The compiled concept graph, for those who look something up in it."""
        if self._concepts is None:
            from agentrecall_storage.concepts import ConceptIndex  # noqa: PLC0415 -- capture has no use for it

            self._concepts = ConceptIndex(self._home)
        return self._concepts

    @property
    def notes(self) -> HotNotes:
        """The notes, for those who ask for any."""
        if self._notes is None:
            from agentrecall_storage.hot_notes import HotNotes  # noqa: PLC0415 -- capture has no use for it

            self._notes = HotNotes(self.connection)
        return self._notes

    def transaction(self) -> Transaction:
        """One writing transaction that takes its lock at the start: both, or neither."""
        if self._remaining_ms is not None:
            wait_at_most(self.connection, self._remaining_ms())
        return Transaction(self.connection)

    # Projects

    def find_project(self, aliases: list[tuple[str, str]]) -> int | None:
        """The project that the first known alias names, or None."""
        for alias in aliases:
            row = self.connection.execute(FIND_ALIAS, alias).fetchone()
            if row:
                return int(row[0])
        return None

    def record_project(self, project: Project, now: str) -> int:
        """The project's id; a new project is stored, and an alias not seen before joins its project."""
        project_id = self.find_project(project.aliases)
        if project_id is None:
            kind, value = project.aliases[0]
            uid = digest("project", kind, value)
            row = self.connection.execute(FIND_PROJECT, (uid,)).fetchone()
            if row is None:
                self.connection.execute(INSERT_PROJECT, (uid, project.name, project.root, now))
                row = self.connection.execute(FIND_PROJECT, (uid,)).fetchone()
            project_id = int(row[0])
        for kind, value in project.aliases:
            self.connection.execute(INSERT_ALIAS, (kind, value, project_id))
        return project_id

    # Sessions

    def record_session(
        self, *, uid: str, source: str, project_id: int | None, transcript_path: str, now: str
    ) -> tuple[int, int]:
        """The session's id and the number of its context window; a session not seen before is stored."""
        row = self.connection.execute(
            UPSERT_SESSION,
            {
                "uid": uid,
                "source": source,
                "project_id": project_id,
                "transcript_path": transcript_path,
                "now": now,
            },
        ).fetchone()
        return int(row[0]), int(row[1])

    def session_before(self, uid: str) -> str | None:
        """When the session last seen, other than *uid*, began; None when there is none."""
        row = self.connection.execute(SESSION_BEFORE, (uid,)).fetchone()
        return str(row[0]) if row else None

    # Recall

    def matching_rules(
        self, terms: list[str], project_id: int | None, most: int, among: list[str] | None = None
    ) -> list[Candidate]:
        """Rules of the project and global ones that have any of *terms*, best text match first.

        *among*: only rules that have any of these, too.
        """
        asked = {"query": _any_of(terms), "project_id": project_id, "most": most}
        if among is None or len(among) == len(terms):
            rows = self.connection.execute(MATCHING_RULES, asked)
        else:
            rows = self.connection.execute(MATCHING_AMONG, {**asked, "among": _any_of(among)})
        return [Candidate(row) for row in rows]

    def standing_rules(self, project_id: int | None) -> list[Candidate]:
        """Every rule of the project and every global one that always applies."""
        rows = [
            *self.connection.execute(PROJECT_STANDING_RULES, {"project_id": project_id}),
            *self.connection.execute(GLOBAL_STANDING_RULES),
        ]
        return [Candidate(row) for row in rows]

    def scoped_rules(self, keys: list[str], project_id: int | None, most: int) -> list[Candidate]:
        """Rules stored under any of a path's *keys*, each once."""
        found = {}
        for key in keys:
            for row in self.connection.execute(SCOPED_RULES, {"key": key, "project_id": project_id, "most": most}):
                found[row[0]] = Candidate(row)
        return list(found.values())

    def conflicts_of(self, rule_id: int) -> list[int]:
        """The rules that contradict this one."""
        return [int(other) for (other,) in self.connection.execute(CONFLICTS_OF, (rule_id,))]

    def newest_rule(self) -> int:
        """The highest rule id: how many rules there are, near enough for their words' rarity."""
        return int(self.connection.execute(NEWEST_RULE).fetchone()[0] or 0)

    def newest_note(self) -> int:
        """The highest note id: how many notes there are, near enough for their words' rarity; 0 when there is none."""
        return int(self.connection.execute(NEWEST_NOTE).fetchone()[0] or 0)

    def rules_with(self, terms: list[str]) -> dict[str, int]:
        """For each of *terms* that any rule has: how many rules have it."""
        found = {}
        for term in terms:
            row = self.connection.execute(RULES_WITH_TERM, (term,)).fetchone()
            if row:
                found[term] = int(row[0])
        return found

    def words_from(self, beginning: str, most: int) -> dict[str, int]:
        """At most *most* words of the rules that begin so, each with how many rules have it."""
        rows = self.connection.execute(WORDS_FROM, (beginning, beginning + LAST_LETTER, most))
        return {str(term): int(count) for term, count in rows}

    def words_among(self, forms: list[str]) -> dict[str, int]:
        """What `rules_with` gives, in one question: for many forms of which few are words."""
        rows = self.connection.execute(WORDS_AMONG, (json.dumps(forms),))
        return {str(term): int(count) for term, count in rows}

    def setting(self, key: str, default: str) -> str:
        """A config value, or *default* when it is unset."""
        row = self.connection.execute(CONFIG, (key,)).fetchone()
        return str(row[0]) if row else default

    def number(self, key: str, default: float) -> float:
        """A numeric config value, or *default* when it is unset or no number."""
        row = self.connection.execute(CONFIG, (key,)).fetchone()
        try:
            return float(row[0]) if row else default
        except ValueError:
            return default

    def shown_in_window(self, session_uid: str, agent_id: str, kind: str = "rule") -> list[tuple[int, str]]:
        """Each showing of a rule or a note in the current context window: its id, and the prompt that it came with."""
        session = self.connection.execute(FIND_SESSION, (session_uid,)).fetchone()
        if session is None:
            return []
        rows = self.connection.execute(SHOWN_IN_WINDOW, (session[0], agent_id, session[1], kind))
        return [(int(rule_id), str(prompt_id)) for rule_id, prompt_id, _ in rows]

    def record_injection(self, injection: Injection, project: Project) -> int | None:
        """Store *injection* with its items and stamp its rules; gives its id, or None when it is a repeat.

        A session start that follows a compaction, clear, resume or fork opens a new context window: what was shown
        before counts as unseen.
        """
        asked = injection.asked
        with self.transaction():
            project_id = injection.project_id
            if project_id is None:
                project_id = self.record_project(project, asked.now)
            session_id, window = self.record_session(
                uid=asked.session_uid,
                source=asked.source,
                project_id=project_id,
                transcript_path=asked.transcript_path,
                now=asked.now,
            )
            key = asked.key
            if asked.moment == "start":
                if self._start_is_repeated(session_id, asked.agent_id, key, iso(asked.at - START_REPEATS_WITHIN_S)):
                    return None
                if key != "startup":
                    self.connection.execute(NEXT_WINDOW, (session_id,))
                    window += 1
                key = f"{key}:{window}"
            elif not key:
                key = f"#{self.connection.execute(NEXT_PROMPT, (session_id,)).fetchone()[0]}"
            row = self.connection.execute(
                INSERT_INJECTION,
                {
                    "uid": os.urandom(16).hex(),
                    "session_id": session_id,
                    "agent_id": asked.agent_id,
                    "moment": asked.moment,
                    "key": key,
                    "context_window": window,
                    "prompt_id": asked.prompt_id,
                    "project_id": project_id,
                    "query": asked.query,
                    "skipped": injection.skipped,
                    "tokens": injection.tokens,
                    "latency_ms": injection.latency_ms,
                    "created_at": asked.now,
                },
            ).fetchone()
            if row is None:
                return None
            # crash point: injection, without its items
            for rank, shown in enumerate(injection.shown, start=1):
                rule_id = shown.candidate.id
                self.connection.execute(
                    INSERT_INJECTION_ITEM, (row[0], "rule", rule_id, rank, round(shown.score, 6), shown.detail)
                )
                self.connection.execute(STAMP_RULE, (asked.now, rule_id))
            for rank, note in enumerate(injection.notes, start=len(injection.shown) + 1):
                note_id = note.candidate.id
                self.connection.execute(
                    INSERT_INJECTION_ITEM, (row[0], "note", note_id, rank, round(note.score, 6), note.detail)
                )
                self.notes.stamp(note_id, asked.now)
            # crash point: injection, before the commit
            return int(row[0])

    def _start_is_repeated(self, session_id: int, agent_id: str, source: str, since: str) -> bool:
        found = self.connection.execute(
            RECENT_START, (session_id, agent_id, f"{source}:", f"{source};", since)
        ).fetchone()
        return found is not None


def _any_of(terms: list[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)


class Transaction:
    """A writing transaction as a context manager: `BEGIN IMMEDIATE`, then commit, or roll back on any error.

    Raises `NewerMemoryError` when a newer program has upgraded the file since it was opened.
    """

    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            is_older(self._connection)
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._connection.execute("COMMIT")
        finally:
            # A commit fails, too: where there is no write-ahead log, a reader holds it up for longer than we wait.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
