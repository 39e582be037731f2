"""Every migration of the file, in order. A landed migration is never edited: the next one is appended.

`PRAGMA user_version` is the number of migrations applied, so that a hot open compares one integer.
"""

from __future__ import annotations

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

MIGRATIONS = Migrations("agentrecall")

# Text search is over words that domain's tokenizer wrote, so FTS5 has only to split at spaces: every letter, mark and
# digit belongs to a word.
WORDS = "unicode61 remove_diacritics 0 categories 'L* M* N* Co' tokenchars '_'"


@MIGRATIONS(name="0001_first_line")
def first_line(db: Database) -> None:
    """Projects, sessions, turns and raw items; rules with their history; injections; the ledger; config."""
    for statement in FIRST_LINE:
        db.execute(statement)


@MIGRATIONS(name="0002_rule_memory")
def rule_memory(db: Database) -> None:
    """Marks on rules; what waits for a person; asks for a verdict; outcomes, lessons, advice and candidates."""
    for statement in RULE_MEMORY:
        db.execute(statement)


@MIGRATIONS(name="0003_concepts")
def concepts(db: Database) -> None:
    """What each rule is about, as a concept vector, and which rules contradict each other; `reindex` fills both."""
    db.execute("ALTER TABLE rules ADD COLUMN vector BLOB NOT NULL DEFAULT x''")
    db.execute(
        """
        CREATE TABLE rule_conflicts (
            rule_id INTEGER NOT NULL REFERENCES rules(id),
            other_id INTEGER NOT NULL REFERENCES rules(id),
            PRIMARY KEY (rule_id, other_id)
        ) WITHOUT ROWID
        """
    )
    db.execute("CREATE INDEX rule_conflicts_by_other ON rule_conflicts(other_id)")


@MIGRATIONS(name="0004_notes")
def notes(db: Database) -> None:
    """Episodes, the notes distilled from them, and what became of each unit of that work."""
    for statement in NOTE_MEMORY:
        db.execute(statement)


# AUTOINCREMENT where people and agents name a row (R12, I56, T78): an id is never given twice, even after a removal.
FIRST_LINE = (
    """
    CREATE TABLE projects (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        root TEXT NOT NULL,
        created_at TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE project_aliases (
        kind TEXT NOT NULL,
        value TEXT NOT NULL,
        project_id INTEGER NOT NULL REFERENCES projects(id),
        PRIMARY KEY (kind, value)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX project_aliases_by_project ON project_aliases(project_id)",
    """
    CREATE TABLE sessions (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        source TEXT NOT NULL,
        project_id INTEGER REFERENCES projects(id),
        transcript_path TEXT NOT NULL DEFAULT '',
        context_window INTEGER NOT NULL DEFAULT 0,
        prompts INTEGER NOT NULL DEFAULT 0,
        started_at TEXT NOT NULL,
        last_seen_at TEXT NOT NULL,
        ended_at TEXT
    )
    """,
    "CREATE INDEX sessions_by_last_seen ON sessions(last_seen_at)",
    """
    CREATE TABLE turns (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        session_id INTEGER NOT NULL REFERENCES sessions(id),
        project_id INTEGER REFERENCES projects(id),
        prompt_id TEXT NOT NULL DEFAULT '',
        ordinal INTEGER,
        branch TEXT NOT NULL DEFAULT '',
        started_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX turns_by_prompt ON turns(session_id, prompt_id)",
    "CREATE INDEX turns_by_project ON turns(project_id)",
    """
    CREATE TABLE transcripts (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        source TEXT NOT NULL,
        device INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        head TEXT NOT NULL,
        head_length INTEGER NOT NULL,
        offset INTEGER NOT NULL,
        state TEXT NOT NULL,
        tail TEXT NOT NULL,
        bad_lines INTEGER NOT NULL DEFAULT 0,
        unknown_lines INTEGER NOT NULL DEFAULT 0,
        unknown_kinds TEXT NOT NULL DEFAULT '{}',
        read_at TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE raw_items (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        dedup_key TEXT NOT NULL UNIQUE,
        source TEXT NOT NULL,
        kind TEXT NOT NULL,
        project_id INTEGER REFERENCES projects(id),
        session_id INTEGER REFERENCES sessions(id),
        turn_id INTEGER REFERENCES turns(id),
        role TEXT NOT NULL,
        origin TEXT NOT NULL,
        prompt_source TEXT NOT NULL DEFAULT '',
        text TEXT NOT NULL,
        said_at TEXT NOT NULL,
        captured_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX raw_items_by_turn ON raw_items(turn_id, id)",
    "CREATE INDEX raw_items_by_session ON raw_items(session_id, id)",
    "CREATE INDEX raw_items_by_project ON raw_items(project_id, id)",
    """
    CREATE TABLE rules (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL DEFAULT 1,
        status TEXT NOT NULL,
        source TEXT NOT NULL,
        category TEXT NOT NULL,
        title TEXT NOT NULL,
        trigger TEXT NOT NULL,
        action TEXT NOT NULL,
        mistake TEXT NOT NULL DEFAULT '',
        reason TEXT NOT NULL DEFAULT '',
        project_id INTEGER REFERENCES projects(id),
        scope_level TEXT NOT NULL,
        scope_value TEXT NOT NULL DEFAULT '',
        globs TEXT NOT NULL DEFAULT '[]',
        languages TEXT NOT NULL DEFAULT '[]',
        always_apply INTEGER NOT NULL DEFAULT 0,
        confidence REAL NOT NULL,
        priority INTEGER NOT NULL DEFAULT 0,
        capture_reason TEXT NOT NULL,
        origin TEXT NOT NULL DEFAULT 'user',
        evidence TEXT NOT NULL DEFAULT '',
        session_uid TEXT NOT NULL DEFAULT '',
        turn_uid TEXT NOT NULL DEFAULT '',
        supersedes_id INTEGER REFERENCES rules(id),
        superseded_by_id INTEGER REFERENCES rules(id),
        trigger_terms TEXT NOT NULL,
        terms TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        last_used_at TEXT
    )
    """,
    "CREATE INDEX rules_by_project ON rules(project_id, status)",
    "CREATE INDEX rules_standing ON rules(project_id, status) WHERE always_apply = 1",
    """
    CREATE TABLE rule_versions (
        rule_id INTEGER NOT NULL REFERENCES rules(id),
        version INTEGER NOT NULL,
        state TEXT NOT NULL,
        change TEXT NOT NULL,
        changed_at TEXT NOT NULL,
        PRIMARY KEY (rule_id, version)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE rule_tags (
        rule_id INTEGER NOT NULL REFERENCES rules(id),
        tag TEXT NOT NULL,
        PRIMARY KEY (rule_id, tag)
    ) WITHOUT ROWID
    """,
    # Where a rule holds, as keys that a file's path can be looked up by: `file:`, `folder:`, `suffix:`, `any`.
    """
    CREATE TABLE scopes (
        key TEXT NOT NULL,
        rule_id INTEGER NOT NULL REFERENCES rules(id),
        PRIMARY KEY (key, rule_id)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX scopes_by_rule ON scopes(rule_id)",
    f"""
    CREATE VIRTUAL TABLE rules_fts USING fts5(
        trigger_terms, terms, content='rules', content_rowid='id', tokenize="{WORDS}"
    )
    """,
    "CREATE VIRTUAL TABLE rules_vocabulary USING fts5vocab('rules_fts', 'row')",
    """
    CREATE TRIGGER rules_fts_insert AFTER INSERT ON rules BEGIN
        INSERT INTO rules_fts(rowid, trigger_terms, terms) VALUES (new.id, new.trigger_terms, new.terms);
    END
    """,
    """
    CREATE TRIGGER rules_fts_update AFTER UPDATE OF trigger_terms, terms ON rules BEGIN
        INSERT INTO rules_fts(rules_fts, rowid, trigger_terms, terms)
        VALUES ('delete', old.id, old.trigger_terms, old.terms);
        INSERT INTO rules_fts(rowid, trigger_terms, terms) VALUES (new.id, new.trigger_terms, new.terms);
    END
    """,
    """
    CREATE TRIGGER rules_fts_delete AFTER DELETE ON rules BEGIN
        INSERT INTO rules_fts(rules_fts, rowid, trigger_terms, terms)
        VALUES ('delete', old.id, old.trigger_terms, old.terms);
    END
    """,
    """
    CREATE TABLE turn_finalizations (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        turn_id INTEGER REFERENCES turns(id),
        project_id INTEGER REFERENCES projects(id),
        source TEXT NOT NULL,
        raw_hash TEXT NOT NULL UNIQUE,
        decision_source TEXT NOT NULL,
        verdicts TEXT NOT NULL DEFAULT '[]',
        decisions TEXT NOT NULL DEFAULT '[]',
        created_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX turn_finalizations_by_turn ON turn_finalizations(turn_id)",
    """
    CREATE TABLE injections (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        session_id INTEGER NOT NULL REFERENCES sessions(id),
        agent_id TEXT NOT NULL DEFAULT '',
        moment TEXT NOT NULL,
        key TEXT NOT NULL,
        context_window INTEGER NOT NULL,
        prompt_id TEXT NOT NULL DEFAULT '',
        project_id INTEGER REFERENCES projects(id),
        query TEXT NOT NULL DEFAULT '',
        skipped TEXT NOT NULL DEFAULT '',
        tokens INTEGER NOT NULL DEFAULT 0,
        latency_ms INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL,
        UNIQUE (session_id, agent_id, moment, key)
    )
    """,
    "CREATE INDEX injections_by_window ON injections(session_id, agent_id, context_window)",
    """
    CREATE TABLE injection_items (
        injection_id INTEGER NOT NULL REFERENCES injections(id),
        memory_kind TEXT NOT NULL,
        memory_id INTEGER NOT NULL,
        rank INTEGER NOT NULL,
        score REAL NOT NULL,
        shown TEXT NOT NULL,
        PRIMARY KEY (injection_id, memory_kind, memory_id)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX injection_items_by_memory ON injection_items(memory_kind, memory_id)",
    """
    CREATE TABLE events (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL DEFAULT '',
        actor TEXT NOT NULL DEFAULT '',
        details TEXT NOT NULL DEFAULT '{}'
    )
    """,
    "CREATE INDEX events_by_subject ON events(subject, id)",
    "CREATE TABLE config (key TEXT PRIMARY KEY, value TEXT NOT NULL, updated_at TEXT NOT NULL) WITHOUT ROWID",
)

RULE_MEMORY = (
    "ALTER TABLE rules ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE rules ADD COLUMN muted INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX rule_tags_by_tag ON rule_tags(tag, rule_id)",
    # Two rules that a person should look at together: the newer one would take the place of the other.
    """
    CREATE TABLE review_items (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        rule_id INTEGER NOT NULL REFERENCES rules(id),
        other_id INTEGER REFERENCES rules(id),
        why TEXT NOT NULL DEFAULT '',
        status TEXT NOT NULL DEFAULT 'Open',
        created_at TEXT NOT NULL,
        resolved_at TEXT
    )
    """,
    "CREATE INDEX review_items_by_rule ON review_items(rule_id, status)",
    "CREATE INDEX review_items_by_other ON review_items(other_id)",
    """
    CREATE TABLE judgment_requests (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        turn_id INTEGER NOT NULL UNIQUE REFERENCES turns(id),
        status TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 1,
        decision TEXT NOT NULL DEFAULT '',
        finalization_id INTEGER REFERENCES turn_finalizations(id),
        created_at TEXT NOT NULL,
        resolved_at TEXT
    )
    """,
    """
    CREATE TABLE outcomes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        rule_id INTEGER NOT NULL REFERENCES rules(id),
        injection_id INTEGER REFERENCES injections(id),
        turn_id INTEGER REFERENCES turns(id),
        type TEXT NOT NULL,
        reason TEXT NOT NULL DEFAULT '',
        confidence_delta REAL NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX outcomes_by_rule ON outcomes(rule_id, id)",
    "CREATE INDEX outcomes_by_injection ON outcomes(injection_id)",
    """
    CREATE TABLE lesson_candidates (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        suggested_rule TEXT NOT NULL,
        category TEXT NOT NULL,
        capture_reason TEXT NOT NULL,
        status TEXT NOT NULL,
        occurrence_count INTEGER NOT NULL DEFAULT 1,
        confidence REAL NOT NULL DEFAULT 0,
        project_id INTEGER REFERENCES projects(id),
        supporting_event_ids TEXT NOT NULL DEFAULT '[]',
        normalized_key TEXT NOT NULL,
        rejected_reason TEXT NOT NULL DEFAULT '',
        created_at TEXT NOT NULL,
        last_seen_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX lesson_candidates_by_key ON lesson_candidates(normalized_key)",
    """
    CREATE TABLE recommendations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        rule_id INTEGER NOT NULL REFERENCES rules(id),
        target_rule_id INTEGER REFERENCES rules(id),
        type TEXT NOT NULL,
        reason TEXT NOT NULL DEFAULT '',
        evidence TEXT NOT NULL DEFAULT '',
        confidence REAL NOT NULL DEFAULT 0,
        signature TEXT NOT NULL UNIQUE,
        status TEXT NOT NULL,
        rejected_reason TEXT NOT NULL DEFAULT '',
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX recommendations_by_rule ON recommendations(rule_id)",
    """
    CREATE TABLE career_candidates (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        turn_id INTEGER REFERENCES turns(id),
        is_significant INTEGER NOT NULL DEFAULT 0,
        confidence REAL NOT NULL DEFAULT 0,
        worthiness INTEGER NOT NULL DEFAULT 0,
        categories TEXT NOT NULL DEFAULT '[]',
        detail TEXT NOT NULL DEFAULT '{}',
        status TEXT NOT NULL,
        created_at TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE document_candidates (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        turn_id INTEGER REFERENCES turns(id),
        document_type TEXT NOT NULL,
        suggested_title TEXT NOT NULL,
        confidence REAL NOT NULL DEFAULT 0,
        reason TEXT NOT NULL DEFAULT '',
        key_points TEXT NOT NULL DEFAULT '[]',
        status TEXT NOT NULL,
        written_path TEXT NOT NULL DEFAULT '',
        created_at TEXT NOT NULL
    )
    """,
)

NOTE_MEMORY = (
    """
    CREATE TABLE episodes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        session_id INTEGER NOT NULL REFERENCES sessions(id),
        project_id INTEGER REFERENCES projects(id),
        status TEXT NOT NULL,
        closed_by TEXT NOT NULL DEFAULT '',
        judge TEXT NOT NULL DEFAULT '',
        started_at TEXT NOT NULL,
        ended_at TEXT NOT NULL,
        closed_at TEXT,
        distilled_at TEXT
    )
    """,
    "CREATE INDEX episodes_by_session ON episodes(session_id, id)",
    "CREATE INDEX episodes_by_project ON episodes(project_id, id)",
    "CREATE INDEX episodes_by_status ON episodes(status, id)",
    "ALTER TABLE turns ADD COLUMN episode_id INTEGER REFERENCES episodes(id)",
    "CREATE INDEX turns_by_episode ON turns(episode_id, id)",
    "CREATE INDEX turns_unsegmented ON turns(session_id, id) WHERE episode_id IS NULL",
    # What belongs to no session is a unit of its own: a document, a bookmark, a task.
    "ALTER TABLE raw_items ADD COLUMN distilled_at TEXT",
    """
    CREATE INDEX raw_items_undistilled ON raw_items(id)
     WHERE session_id IS NULL AND turn_id IS NULL AND distilled_at IS NULL
    """,
    """
    CREATE TABLE notes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL DEFAULT 1,
        status TEXT NOT NULL,
        type TEXT NOT NULL,
        title TEXT NOT NULL,
        body TEXT NOT NULL,
        prompt TEXT NOT NULL DEFAULT '',
        project_id INTEGER REFERENCES projects(id),
        episode_id INTEGER REFERENCES episodes(id),
        importance REAL NOT NULL,
        confidence REAL NOT NULL,
        valid_from TEXT NOT NULL,
        valid_to TEXT,
        judge TEXT NOT NULL,
        tombstoned_by_id INTEGER REFERENCES notes(id),
        tombstone_reason TEXT NOT NULL DEFAULT '',
        title_terms TEXT NOT NULL,
        terms TEXT NOT NULL,
        vector BLOB NOT NULL DEFAULT x'',
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        last_used_at TEXT
    )
    """,
    "CREATE INDEX notes_by_importance ON notes(project_id, status, importance DESC, valid_from DESC)",
    "CREATE INDEX notes_by_episode ON notes(episode_id)",
    "CREATE INDEX notes_by_tombstoned_by ON notes(tombstoned_by_id)",
    """
    CREATE TABLE note_sources (
        id INTEGER PRIMARY KEY,
        note_id INTEGER NOT NULL REFERENCES notes(id),
        raw_item_id INTEGER REFERENCES raw_items(id),
        span TEXT NOT NULL
    )
    """,
    "CREATE INDEX note_sources_by_note ON note_sources(note_id)",
    "CREATE INDEX note_sources_by_raw_item ON note_sources(raw_item_id)",
    """
    CREATE TABLE note_versions (
        note_id INTEGER NOT NULL REFERENCES notes(id),
        version INTEGER NOT NULL,
        state TEXT NOT NULL,
        change TEXT NOT NULL,
        changed_at TEXT NOT NULL,
        PRIMARY KEY (note_id, version)
    ) WITHOUT ROWID
    """,
    f"""
    CREATE VIRTUAL TABLE notes_fts USING fts5(
        title_terms, terms, content='notes', content_rowid='id', tokenize="{WORDS}"
    )
    """,
    "CREATE VIRTUAL TABLE notes_vocabulary USING fts5vocab('notes_fts', 'row')",
    """
    CREATE TRIGGER notes_fts_insert AFTER INSERT ON notes BEGIN
        INSERT INTO notes_fts(rowid, title_terms, terms) VALUES (new.id, new.title_terms, new.terms);
    END
    """,
    """
    CREATE TRIGGER notes_fts_update AFTER UPDATE OF title_terms, terms ON notes BEGIN
        INSERT INTO notes_fts(notes_fts, rowid, title_terms, terms)
        VALUES ('delete', old.id, old.title_terms, old.terms);
        INSERT INTO notes_fts(rowid, title_terms, terms) VALUES (new.id, new.title_terms, new.terms);
    END
    """,
    """
    CREATE TRIGGER notes_fts_delete AFTER DELETE ON notes BEGIN
        INSERT INTO notes_fts(notes_fts, rowid, title_terms, terms)
        VALUES ('delete', old.id, old.title_terms, old.terms);
    END
    """,
    # The vectors of other providers than the built-in one, whose own lies in the note's row.
    """
    CREATE TABLE embeddings (
        id INTEGER PRIMARY KEY,
        note_id INTEGER NOT NULL REFERENCES notes(id),
        provider TEXT NOT NULL,
        dimension INTEGER NOT NULL,
        vector BLOB NOT NULL,
        UNIQUE (note_id, provider)
    )
    """,
    "CREATE INDEX embeddings_by_provider ON embeddings(provider, note_id)",
    """
    CREATE TABLE gate_rejections (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        stage TEXT NOT NULL,
        rule TEXT NOT NULL,
        detail TEXT NOT NULL DEFAULT '',
        unit_kind TEXT NOT NULL DEFAULT '',
        unit_id INTEGER,
        project_id INTEGER REFERENCES projects(id),
        judge TEXT NOT NULL DEFAULT '',
        text TEXT NOT NULL,
        created_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX gate_rejections_by_project ON gate_rejections(project_id, id)",
    """
    CREATE TABLE distill_failures (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        unit_kind TEXT NOT NULL,
        unit_id INTEGER NOT NULL,
        infrastructure_errors INTEGER NOT NULL DEFAULT 0,
        content_errors INTEGER NOT NULL DEFAULT 0,
        last_error TEXT NOT NULL,
        retry_at TEXT,
        parked_at TEXT,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        UNIQUE (unit_kind, unit_id)
    )
    """,
    # The host provider's work: a unit that was handed out is not handed out again until then.
    """
    CREATE TABLE handed_out_units (
        unit_kind TEXT NOT NULL,
        unit_id INTEGER NOT NULL,
        until TEXT NOT NULL,
        PRIMARY KEY (unit_kind, unit_id)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE dedup_log (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        note_id INTEGER NOT NULL REFERENCES notes(id),
        other_id INTEGER NOT NULL REFERENCES notes(id),
        verdict TEXT NOT NULL,
        action TEXT NOT NULL,
        similarity REAL NOT NULL,
        judge TEXT NOT NULL,
        reason TEXT NOT NULL DEFAULT '',
        created_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX dedup_log_by_note ON dedup_log(note_id)",
    "CREATE INDEX dedup_log_by_other ON dedup_log(other_id)",
    # Two notes that a person should look at together: the newer one would take the place of a trusted one.
    """
    CREATE TABLE note_review_items (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        note_id INTEGER NOT NULL REFERENCES notes(id),
        other_id INTEGER NOT NULL REFERENCES notes(id),
        why TEXT NOT NULL DEFAULT '',
        status TEXT NOT NULL DEFAULT 'Open',
        created_at TEXT NOT NULL,
        resolved_at TEXT
    )
    """,
    "CREATE INDEX note_review_items_by_note ON note_review_items(note_id, status)",
    "CREATE INDEX note_review_items_by_other ON note_review_items(other_id)",
    # How often two notes were shown together, kept both ways round.
    """
    CREATE TABLE co_retrieval (
        note_id INTEGER NOT NULL REFERENCES notes(id),
        other_id INTEGER NOT NULL REFERENCES notes(id),
        times INTEGER NOT NULL,
        PRIMARY KEY (note_id, other_id)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX co_retrieval_by_times ON co_retrieval(note_id, times DESC)",
    """
    CREATE TABLE leases (
        name TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        taken_at TEXT NOT NULL,
        heartbeat_at TEXT NOT NULL,
        expires_at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
)
