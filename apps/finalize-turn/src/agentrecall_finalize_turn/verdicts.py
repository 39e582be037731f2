"""A verdict handed in on stdin: parsed, carried out once, and answered with what became of it. Cold."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime

from agentrecall_domain.capture.finalize import Outcome, finalize, raw_hash
from agentrecall_domain.capture.verdict import MalformedVerdictError, TurnVerdict, parse
from agentrecall_domain.turns.batch import Project
from agentrecall_storage.backups import BackupError
from agentrecall_storage.engine import UnsafeJournalError, sqlite
from agentrecall_storage.files.exclusions import ExclusionsUnreadableError
from agentrecall_storage.home import disabled, home
from agentrecall_storage.memory import Memory, open_memory
from agentrecall_storage.places import Places
from agentrecall_storage.schema_version import NewerMemoryError

DONE, FAILED, MISUSED = 0, 1, 2


def hand_in() -> int:
    """Read the verdict on stdin, store what it captures and print what became of it; gives the exit code."""
    try:
        handed_in = parse(sys.stdin.buffer.read())
    except MalformedVerdictError as error:
        return _complain(f"not a verdict: {error}; see --help", MISUSED)
    handed_in = _with_surroundings(handed_in)
    if disabled():
        return _complain("AGENTRECALL_DISABLED is set; nothing was stored", DONE)
    try:
        project = Places(home()).project_at(handed_in.cwd)
    except ExclusionsUnreadableError as error:
        return _complain(str(error), FAILED)
    if not isinstance(project, Project):
        return _complain(f"'{handed_in.cwd}' is excluded from memory; nothing was stored", DONE)
    return _store(handed_in, project)


def _with_surroundings(handed_in: TurnVerdict) -> TurnVerdict:
    """What an agent need not know: Claude Code tells the commands that it runs which session they are in, and where."""
    said = os.environ.get
    return handed_in.model_copy(
        update={
            "session_id": handed_in.session_id or said("CLAUDE_CODE_SESSION_ID", ""),
            "cwd": handed_in.cwd or said("CLAUDE_PROJECT_DIR", "") or os.getcwd(),
        }
    )


def _store(handed_in: TurnVerdict, project: Project) -> int:
    try:
        with open_memory(home(), lambda: datetime.now(UTC)) as memory:
            outcomes = carry_out(memory, handed_in, project)
    except NewerMemoryError:
        return _complain(f"'{home()}' was written by a newer AgentRecall; upgrade this one", FAILED)
    except UnsafeJournalError:
        return _complain(f"'{home()}' is in use in a journal mode that SQLite may lose data in; try again", FAILED)
    except (sqlite.Error, BackupError, OSError) as error:
        return _complain(f"cannot store in '{home()}': {error}; run 'agentrecall doctor'", FAILED)
    print(json.dumps({"outcomes": [_shown(outcome) for outcome in outcomes]}))  # noqa: T201 -- the answer
    return DONE


def carry_out(memory: Memory, handed_in: TurnVerdict, project: Project) -> list[Outcome]:
    """Carry the verdict out in one transaction; the same verdict again changes nothing and has the same outcomes."""
    project_id = memory.record_project(project)
    key = raw_hash(handed_in)
    with memory.hot.transaction():
        done = memory.find_finalization(key)
        if done is not None:
            return done
        turn = memory.find_turn(handed_in.session_id, handed_in.turn_id, handed_in.prompt, project_id)
        outcomes = finalize(memory, handed_in, turn, (project_id, memory.project_uid(project_id)))
        # crash point: verdict, carried out and not recorded
        memory.record_finalization(handed_in, key, turn, project_id, outcomes)
        # crash point: verdict, before the commit
    # crash point: verdict, after the commit
    return outcomes


def _shown(outcome: Outcome) -> dict[str, object]:
    return {"outcome": outcome.action, "rule_id": outcome.rule_id, "why": outcome.why}


def _complain(message: str, code: int) -> int:
    sys.stderr.write(f"agentrecall-finalize-turn: {message}\n")
    return code
