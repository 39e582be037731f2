"""Removal: one project taken out of the memory with everything that belongs to it, in one transaction. Cold.

For what was never anybody's history, as the quickstart's sample. A row that another project needs stays; the ledger
keeps that something happened to a rule or a note, and no longer what.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from agentrecall_storage.memory import Memory
from agentrecall_storage.rows import insert

# A session begun in this project may have gone on in another one: then it stays, for the other's sake.
_GATHER = (
    """
    CREATE TEMP TABLE gone_sessions AS
    SELECT id, transcript_path FROM sessions
     WHERE project_id = :project
       AND NOT EXISTS (SELECT 1 FROM turns WHERE session_id = sessions.id AND project_id <> :project)
       AND NOT EXISTS (SELECT 1 FROM raw_items WHERE session_id = sessions.id AND project_id <> :project)
       AND NOT EXISTS (SELECT 1 FROM injections WHERE session_id = sessions.id AND project_id <> :project)
    """,
    """
    CREATE TEMP TABLE gone_turns AS
    SELECT id FROM turns
     WHERE project_id = :project
        OR (project_id IS NULL AND session_id IN (SELECT id FROM gone_sessions))
    """,
    """
    CREATE TEMP TABLE gone_injections AS
    SELECT id FROM injections
     WHERE project_id = :project
        OR (project_id IS NULL AND session_id IN (SELECT id FROM gone_sessions))
    """,
    "CREATE TEMP TABLE gone_rules AS SELECT id FROM rules WHERE project_id = :project",
    "CREATE TEMP TABLE gone_lessons AS SELECT id FROM lesson_candidates WHERE project_id = :project",
    """
    CREATE TEMP TABLE gone_episodes AS
    SELECT id FROM episodes
     WHERE project_id = :project
        OR (project_id IS NULL AND session_id IN (SELECT id FROM gone_sessions))
    """,
    """
    CREATE TEMP TABLE gone_notes AS
    SELECT id FROM notes WHERE project_id = :project OR episode_id IN (SELECT id FROM gone_episodes)
    """,
    """
    CREATE TEMP TABLE gone_items AS
    SELECT id FROM raw_items
     WHERE project_id = :project
        OR turn_id IN (SELECT id FROM gone_turns)
        OR (project_id IS NULL AND session_id IN (SELECT id FROM gone_sessions))
    """,
)

# What refers comes before what it refers to; in front, what a removal counts as in the answer.
_REMOVE = (
    (
        "",
        """
        DELETE FROM outcomes
         WHERE rule_id IN (SELECT id FROM gone_rules)
            OR injection_id IN (SELECT id FROM gone_injections)
            OR turn_id IN (SELECT id FROM gone_turns)
        """,
    ),
    ("", "DELETE FROM judgment_requests WHERE turn_id IN (SELECT id FROM gone_turns)"),
    ("", "DELETE FROM career_candidates WHERE turn_id IN (SELECT id FROM gone_turns)"),
    ("", "DELETE FROM document_candidates WHERE turn_id IN (SELECT id FROM gone_turns)"),
    ("", "DELETE FROM lesson_candidates WHERE id IN (SELECT id FROM gone_lessons)"),
    (
        "",
        """
        DELETE FROM recommendations
         WHERE rule_id IN (SELECT id FROM gone_rules) OR target_rule_id IN (SELECT id FROM gone_rules)
        """,
    ),
    (
        "",
        """
        DELETE FROM rule_conflicts
         WHERE rule_id IN (SELECT id FROM gone_rules) OR other_id IN (SELECT id FROM gone_rules)
        """,
    ),
    (
        "",
        """
        DELETE FROM review_items
         WHERE rule_id IN (SELECT id FROM gone_rules) OR other_id IN (SELECT id FROM gone_rules)
        """,
    ),
    (
        "",
        """
        DELETE FROM injection_items
         WHERE injection_id IN (SELECT id FROM gone_injections)
            OR (memory_kind = 'rule' AND memory_id IN (SELECT id FROM gone_rules))
            OR (memory_kind = 'note' AND memory_id IN (SELECT id FROM gone_notes))
        """,
    ),
    ("injections", "DELETE FROM injections WHERE id IN (SELECT id FROM gone_injections)"),
    (
        "turn_finalizations",
        """
        DELETE FROM turn_finalizations
         WHERE project_id = :project OR turn_id IN (SELECT id FROM gone_turns)
        """,
    ),
    (
        "",
        """
        DELETE FROM note_review_items
         WHERE note_id IN (SELECT id FROM gone_notes) OR other_id IN (SELECT id FROM gone_notes)
        """,
    ),
    (
        "",
        """
        DELETE FROM dedup_log
         WHERE note_id IN (SELECT id FROM gone_notes) OR other_id IN (SELECT id FROM gone_notes)
        """,
    ),
    (
        "",
        """
        DELETE FROM co_retrieval
         WHERE note_id IN (SELECT id FROM gone_notes) OR other_id IN (SELECT id FROM gone_notes)
        """,
    ),
    ("", "DELETE FROM embeddings WHERE note_id IN (SELECT id FROM gone_notes)"),
    ("", "DELETE FROM note_versions WHERE note_id IN (SELECT id FROM gone_notes)"),
    ("", "DELETE FROM note_sources WHERE note_id IN (SELECT id FROM gone_notes)"),
    ("", "UPDATE note_sources SET raw_item_id = NULL WHERE raw_item_id IN (SELECT id FROM gone_items)"),
    ("", "UPDATE notes SET tombstoned_by_id = NULL WHERE tombstoned_by_id IN (SELECT id FROM gone_notes)"),
    ("notes", "DELETE FROM notes WHERE id IN (SELECT id FROM gone_notes)"),
    (
        "",
        """
        DELETE FROM gate_rejections
         WHERE project_id = :project
            OR (unit_kind = 'episode' AND unit_id IN (SELECT id FROM gone_episodes))
            OR (unit_kind = 'raw_item' AND unit_id IN (SELECT id FROM gone_items))
        """,
    ),
    *(
        (
            "",
            f"""
            DELETE FROM {table}
             WHERE (unit_kind = 'episode' AND unit_id IN (SELECT id FROM gone_episodes))
                OR (unit_kind = 'raw_item' AND unit_id IN (SELECT id FROM gone_items))
            """,  # noqa: S608 -- names of ours
        )
        for table in ("distill_failures", "handed_out_units")
    ),
    ("", "UPDATE turns SET episode_id = NULL WHERE episode_id IN (SELECT id FROM gone_episodes)"),
    ("", "DELETE FROM episodes WHERE id IN (SELECT id FROM gone_episodes)"),
    ("raw_items", "DELETE FROM raw_items WHERE id IN (SELECT id FROM gone_items)"),
    ("turns", "DELETE FROM turns WHERE id IN (SELECT id FROM gone_turns)"),
    (
        "",
        """
        DELETE FROM transcripts
         WHERE path IN (SELECT transcript_path FROM gone_sessions)
           AND path NOT IN (SELECT transcript_path FROM sessions WHERE id NOT IN (SELECT id FROM gone_sessions))
        """,
    ),
    ("sessions", "DELETE FROM sessions WHERE id IN (SELECT id FROM gone_sessions)"),
    ("", "UPDATE sessions SET project_id = NULL WHERE project_id = :project"),
    (
        "",
        """
        UPDATE events SET details = '{}'
         WHERE details <> '{}'
           AND subject IN (SELECT 'R' || id FROM gone_rules
                            UNION ALL SELECT 'L' || id FROM gone_lessons
                            UNION ALL SELECT 'N' || id FROM gone_notes
                            UNION ALL SELECT 'E' || id FROM gone_episodes
                            UNION ALL SELECT 'T' || id FROM gone_items)
        """,
    ),
    ("", "DELETE FROM rule_versions WHERE rule_id IN (SELECT id FROM gone_rules)"),
    ("", "DELETE FROM rule_tags WHERE rule_id IN (SELECT id FROM gone_rules)"),
    ("", "DELETE FROM scopes WHERE rule_id IN (SELECT id FROM gone_rules)"),
    ("rules", "DELETE FROM rules WHERE id IN (SELECT id FROM gone_rules)"),
    ("", "DELETE FROM project_aliases WHERE project_id = :project"),
    ("projects", "DELETE FROM projects WHERE id = :project"),
)

_GATHERED = (
    *("gone_sessions", "gone_turns", "gone_injections", "gone_rules", "gone_lessons"),
    *("gone_episodes", "gone_notes", "gone_items"),
)


class Removed(NamedTuple):
    """How many of each were removed."""

    projects: int = 0
    sessions: int = 0
    turns: int = 0
    raw_items: int = 0
    rules: int = 0
    notes: int = 0
    injections: int = 0
    turn_finalizations: int = 0


def remove_project(memory: Memory, project_id: int) -> Removed:
    """Remove a project and what belongs to it, and nothing of any other; a project not there removes nothing.

    Raises:
        sqlite.IntegrityError: Something that this module does not know still refers to it; then all of it stays.
    """
    connection = memory.connection
    parameters = {"project": project_id}
    counts = dict.fromkeys(Removed._fields, 0)
    with memory.hot.transaction():
        row = connection.execute("SELECT uid FROM projects WHERE id = :project", parameters).fetchone()
        if row is None:
            return Removed()
        for statement in _GATHER:
            connection.execute(statement, parameters)
        for counted, statement in _REMOVE:
            changed = connection.execute(statement, parameters).rowcount
            if counted:
                counts[counted] += changed
        # crash point: removal, before the commit
        for table in _GATHERED:
            connection.execute(f"DROP TABLE {table}")
        insert(
            connection,
            "events",
            {
                "uid": os.urandom(16).hex(),
                "at": memory.now().strftime("%Y-%m-%dT%H:%M:%SZ"),
                "kind": "ProjectRemoved",
                "subject": row[0],
                "actor": "person",
                "details": "{}",
            },
        )
    return Removed(**counts)
