"""Every way in which the product writes, as a story: what was there, the run that dies at a crash point, what holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from typing import Any, NamedTuple

from helpers.files import database, everything
from helpers.programs import Person
from helpers.transcripts import TranscriptBuilder
from reliability.crash.forked import Ended
from reliability.crash.second_engine import Found, faults
from reliability.crash.stage import Stage

SAID = "No, never edit an applied migration: add a new migration, because production has run it."
EVIDENCE = "never edit an applied migration"
FEEDBACK = "When a migration has been applied, add a new one, never edit it, because production has run it"
PROMPT = "I want to edit the migration of the orders table that has been applied in production last week"
DAMAGE = b"this is no database, whatever its name says\n" * 200
NEWER = 99


class World:
    """One person on one engine, and what was acknowledged to them so far."""

    def __init__(self, person: Person, stage: Stage, transcript: TranscriptBuilder) -> None:
        self.person, self.stage, self.transcript = person, stage, transcript
        self.home = person.memory
        self.acknowledged: set[str] = set()
        self.written: set[str] = set()
        self.turns = 0

    def says(self, prompt: str, answer: str = "") -> None:
        """One more turn in the transcript."""
        self.transcript.prompt(prompt)
        self.written.add(prompt)
        self.turns += 1
        if answer:
            self.answers(answer)

    def answers(self, answer: str) -> None:
        """The agent's words in the transcript."""
        self.transcript.answer(answer)
        self.written.add(answer)

    def run(self, program: str, *arguments: str, stdin: bytes | dict[str, Any] = b"") -> Ended:
        """Run a program that has to do its work."""
        done = self.stage.run(self.person, program, *arguments, stdin=stdin)
        assert done.code == 0, (program, arguments, done)
        assert program == "agentrecall" or not done.stderr, (program, arguments, done)
        return done

    def captures(self) -> None:
        """A Stop hook that finishes: from here on the transcript's turns are acknowledged."""
        self.run("capture-hook", stdin=self.transcript.payload())
        self.acknowledged |= self.written

    def found(self) -> Found:
        """What the other engine finds."""
        return Found(self.home, self.stage.engine.other)

    def tell(self, statement: str) -> None:
        """Change the file behind the product's back."""
        with closing(self.stage.engine.module.connect(database(self.home), isolation_level=None)) as connection:
            connection.execute(statement)


class Run(NamedTuple):
    """The run that dies, and that is made again afterwards."""

    program: str
    arguments: tuple[str, ...] = ()
    stdin: bytes | dict[str, Any] = b""


def _nothing_lost(world: World, found: Found) -> None:
    assert found.faults == []
    assert found.doubled() == set()
    assert found.lost(world.acknowledged) == set()


def _every_turn_once(world: World, found: Found) -> None:
    assert (found.faults, found.spooled) == ([], set())
    assert found.texts == dict.fromkeys(world.written, 1)
    assert found.turns == world.turns


class Story(NamedTuple):
    """A way to write, told in a world.

    *before* gives the run that is to die, *between* is what then holds at once, *repaired* is what happens before the
    same run is made again, and *after* is what holds in the end.
    """

    points: tuple[str, ...]
    before: Callable[[World], Run]
    between: Callable[[World, Found], None] = _nothing_lost
    repaired: Callable[[World], None] = lambda _: None
    after: Callable[[World, Found], None] = _every_turn_once


# Capture


def _two_turns(world: World) -> Run:
    world.says("Tabs, please", "Tabs it is.")
    world.captures()
    world.says("And two blank lines", "Two it is.")
    return Run("capture-hook", stdin=world.transcript.payload(last_assistant_message="Two it is."))


def _lagging(world: World) -> Run:
    world.says("Tabs, please", "Tabs it is.")
    world.captures()
    world.says("And two blank lines")
    return Run("capture-hook", stdin=world.transcript.payload(last_assistant_message="Two it is."))


def _line_arrives(world: World) -> None:
    world.answers("Two it is.")


def _session_end(world: World) -> Run:
    return _two_turns(world)._replace(stdin=world.transcript.payload("SessionEnd"))


def _first(world: World) -> Run:
    world.says("Tabs, please", "Tabs it is.")
    return Run("capture-hook", stdin=world.transcript.payload())


# The spool


def _unusable(world: World) -> Run:
    run = _two_turns(world)
    world.tell(f"PRAGMA user_version = {NEWER}")
    return run


def _usable_again(world: World) -> None:
    """The event is acknowledged while the file is still a newer program's; only then it is ours again."""
    world.captures()
    found = world.found()
    assert found.lost(world.acknowledged) == set()
    assert found.spooled
    world.tell("PRAGMA user_version = 1")


def _to_drain(world: World) -> Run:
    run = _unusable(world)
    _usable_again(world)
    world.says("One more", "One it is.")
    return run._replace(stdin=world.transcript.payload())


def _poisoned(world: World) -> Run:
    run = _two_turns(world)
    (world.home / "spool").mkdir(exist_ok=True)
    (world.home / "spool" / "00000000000000000001-1-a.json").write_bytes(b"poison")
    return run


def _poison_is_aside(world: World, found: Found) -> None:
    _every_turn_once(world, found)
    assert found.set_aside == ["00000000000000000001-1-a.json"]
    assert (world.home / "spool" / "aside" / found.set_aside[0]).read_bytes() == b"poison"


# The file: made, upgraded, backed up, put back


def _older(world: World) -> Run:
    world.home.mkdir(mode=0o700)
    with closing(world.stage.engine.module.connect(database(world.home))) as connection:
        connection.execute("CREATE TABLE witness (text TEXT)")
        connection.executemany("INSERT INTO witness VALUES (?)", [("kept",)] * 500)
        connection.commit()
    return _first(world)


def _witness_is_there(world: World, _: Found) -> None:
    copies = sorted((world.home / "backups").glob("before-schema-*.db"))
    assert copies
    for path in (database(world.home), *copies):
        with closing(world.stage.engine.module.connect(path)) as connection:
            assert connection.execute("SELECT count(*) FROM witness").fetchone() == (500,)


def _backup(world: World) -> Run:
    _two_turns(world)
    world.captures()
    return Run("agentrecall", ("backup",))


def _backup_is_there(world: World, found: Found) -> None:
    _every_turn_once(world, found)
    # That it is whole is asked of every backup.
    assert list((world.home / "backups").glob("by-hand-*.db"))


def _restored_over(world: World) -> Run:
    world.says("Tabs, please", "Tabs it is.")
    world.captures()
    world.run("agentrecall", "backup", str(world.person.home / "copy.db"))
    world.says("And two blank lines", "Two it is.")
    world.captures()
    # Its transcript is gone: what the memory and its copies hold is all there is.
    world.transcript.path.unlink()
    return Run("agentrecall", ("restore", str(world.person.home / "copy.db"), "--replace"))


def _nothing_thrown_away(world: World, found: Found) -> None:
    assert found.faults == []
    kept = set(found.texts)
    for path in (world.home / "backups").glob("replaced-*.db"):
        with closing(world.stage.engine.other.module.connect(path)) as connection:
            kept |= {text for (text,) in connection.execute("SELECT text FROM raw_items")}
    assert world.acknowledged <= kept


def _copy_is_back(world: World, found: Found) -> None:
    _nothing_thrown_away(world, found)
    assert set(found.texts) == {"Tabs, please", "Tabs it is."}


def _copy_is_kept(world: World, _: Found) -> None:
    assert faults(world.person.home / "copy.db", world.stage.engine.other) == []


def _restored_over_damage(world: World) -> Run:
    world.says("Tabs, please", "Tabs it is.")
    world.captures()
    world.run("agentrecall", "backup", str(world.person.home / "copy.db"))
    for path in world.home.glob("agentrecall.db*"):
        path.unlink()
    database(world.home).write_bytes(DAMAGE)
    return Run("agentrecall", ("restore", str(world.person.home / "copy.db"), "--replace"))


def _damage_is_kept(world: World, found: Found) -> None:
    assert found.faults == [] or database(world.home).read_bytes() == DAMAGE
    assert DAMAGE in everything(world.home).values()


def _damage_is_out_of_the_way(world: World, found: Found) -> None:
    assert DAMAGE in everything(world.home / "backups").values()
    _every_turn_once(world, found)


def _restored_anew(world: World) -> Run:
    run = _restored_over_damage(world)
    database(world.home).unlink()
    return run


# Rules, verdicts, injections


def _verdict(world: World, **changes: Any) -> Run:
    world.says(SAID, "Understood.")
    world.captures()
    rule = {
        "title": "Migrations are append-only",
        "condition": "when a migration has been applied",
        "action": "add a new migration",
        "avoid": "editing the applied one",
        "because": "production has run it",
    }
    lesson = {
        "decision": "Capture",
        "capture_reason": "UserCorrection",
        "memory_type": "EngineeringLesson",
        "confidence": 0.9,
        "evidence": EVIDENCE,
        "normalized_rule": rule,
        **changes,
    }
    handed_in = {
        "session_id": world.transcript.session,
        "turn_id": world.transcript.prompt_id,
        "cwd": str(world.person.project),
        "verdicts": [lesson],
    }
    return Run("finalize-turn", stdin=json.dumps(handed_in).encode())


def _superseding(world: World) -> Run:
    _rule(world, "edit the migration in place")
    return _verdict(world, decision="SupersedeExisting", target_existing_rule_id=1)


def _one_verdict(world: World, found: Found) -> None:
    _every_turn_once(world, found)
    assert found.finalizations == ["SemanticCaptureJudge"]
    assert found.rules == [("add a new migration", "Active")]
    assert found.ledger == ["RuleCreated"]


def _one_successor(world: World, found: Found) -> None:
    _every_turn_once(world, found)
    assert found.finalizations == ["SemanticCaptureJudge"]
    assert [status for _, status in found.rules] == ["Superseded", "Active"]
    assert found.ledger == ["RuleCreated", "RuleCreated", "RuleSuperseded"]


def _rule(world: World, words: str = FEEDBACK) -> Run:
    run = Run("agentrecall", ("feedback", "add", words))
    world.run(*run[:1], *run.arguments)
    return run


def _new_rule(world: World) -> Run:
    _two_turns(world)
    world.captures()
    return Run("agentrecall", ("feedback", "add", FEEDBACK))


def _one_rule(_: World, found: Found) -> None:
    assert len(found.rules) == 1
    assert found.ledger.count("RuleCreated") == 1


def _archived(world: World) -> Run:
    _rule(world)
    return Run("agentrecall", ("rules", "archive", "R1"))


def _is_archived(world: World, found: Found) -> None:
    _every_turn_once(world, found)
    assert [status for _, status in found.rules] == ["Archived"]
    assert found.ledger == ["RuleCreated", "RuleUpdated"]


def _asked(world: World) -> Run:
    _rule(world)
    world.says(PROMPT)
    return Run("recall-hook", stdin=world.transcript.payload("UserPromptSubmit", prompt=PROMPT))


def _one_injection(_: World, found: Found) -> None:
    assert found.injections == [1], found.injections


def _unjudged(world: World) -> Run:
    world.says("Tabs, please", "Tabs it is.")
    world.captures()
    return Run("finalize-turn", ("--hook",), world.transcript.payload())


def _one_note(world: World, found: Found) -> None:
    _every_turn_once(world, found)
    assert found.finalizations == ["NoJudgmentSupplied"]


# Housekeeping


def _removed(world: World) -> Run:
    _two_turns(world)
    world.captures()
    assert world.stage.run(world.person, "agentrecall", "quickstart").code == 0
    return Run("agentrecall", ("quickstart", "--remove-sample"))


def _only_the_sample_is_gone(world: World, found: Found) -> None:
    assert set(found.texts) == world.written
    assert found.rules == []


def _excluded(world: World) -> Run:
    _two_turns(world)
    world.captures()
    return Run("agentrecall", ("exclude", "."))


def _one_exclusion(world: World, found: Found) -> None:
    _every_turn_once(world, found)
    assert len(json.loads((world.home / "exclusions.json").read_text(encoding="utf-8"))) == 1


BACKUP = (
    "backup, an empty file",
    "backup, copied and not checked",
    "backup, before the rename",
    "backup, after the rename",
)
RULE = ("rule, without its ledger row", "rule, before the commit", "rule, added")

STORIES = {
    "a Stop hook reads on": Story(
        (
            "record, turns without their spans",
            "reading, recorded and the cursor not moved",
            "reading, before the commit",
            "reading, after the commit",
        ),
        _two_turns,
    ),
    "words that only the hook had": Story(
        ("batch, before the commit", "batch, after the commit"), _lagging, repaired=_line_arrives
    ),
    "a session ends": Story(("session end, before the commit",), _session_end),
    "a turn is spooled": Story(
        (
            "spool, nothing written",
            "spool, written and not synced",
            "spool, before the rename",
            "spool, after the rename",
        ),
        _unusable,
        repaired=_usable_again,
    ),
    "the spool is drained": Story(
        ("batch, before the commit", "batch, after the commit", "drain, stored and not removed", "drain, removed"),
        _to_drain,
    ),
    "poison is set aside": Story(
        ("poison, before it is set aside", "poison, set aside"), _poisoned, after=_poison_is_aside
    ),
    "the file is made": Story(
        (
            "create, an empty file",
            "schema, applied and not stamped",
            "create, the journal not chosen",
            "create, built and not in its place",
            "create, in its place",
        ),
        _first,
    ),
    "a hook upgrades an older file": Story(
        (
            *BACKUP,
            "upgrade, backed up and nothing changed",
            "schema, applied and not stamped",
            "upgrade, before the commit",
            "upgrade, done",
        ),
        _older,
        after=_witness_is_there,
    ),
    "a backup": Story(BACKUP, _backup, after=_backup_is_there),
    "a restore over a memory": Story(
        (
            *BACKUP,
            "restore, kept and nothing changed",
            "restore, the connections open",
            "restore, done",
        ),
        _restored_over,
        between=_nothing_thrown_away,
        after=_copy_is_back,
    ),
    "a restore over a damaged memory": Story(
        ("restore, a file of the damaged memory moved", "restore, the damaged memory moved", *BACKUP),
        _restored_over_damage,
        between=_damage_is_kept,
        after=_damage_is_out_of_the_way,
    ),
    "a restore where nothing is": Story(BACKUP, _restored_anew, _copy_is_kept),
    "a verdict": Story(
        (
            *RULE,
            "verdict, carried out and not recorded",
            "verdict, before the commit",
            "verdict, after the commit",
        ),
        _verdict,
        after=_one_verdict,
    ),
    "a verdict that supersedes": Story(
        ("supersede, both in force", "verdict, before the commit"), _superseding, after=_one_successor
    ),
    "a rule is added": Story(RULE, _new_rule, after=_one_rule),
    "a rule is said again": Story(("reinforce, without its ledger row",), _rule, after=_one_rule),
    "a rule is archived": Story(("status, the version kept and nothing changed",), _archived, after=_is_archived),
    "a prompt is answered": Story(
        ("injection, without its items", "injection, before the commit", "injection, recorded and not shown"),
        _asked,
        after=_one_injection,
    ),
    "a turn that nobody judged": Story(
        ("unjudged, before the commit", "unjudged, after the commit"), _unjudged, after=_one_note
    ),
    "the sample is removed": Story(("removal, before the commit",), _removed, after=_only_the_sample_is_gone),
    "a project is excluded": Story(
        ("exclusion, before the replace", "exclusion, in force"), _excluded, after=_one_exclusion
    ),
}


def every_program_works(world: World) -> None:
    """Whatever the dead left lying about, no program minds it."""
    world.run("capture-hook", stdin=world.transcript.payload())
    world.run("agentrecall", "process")
    world.run("agentrecall", "status")
    world.run("agentrecall", "rules", "list", "--all", "--json")
    world.run(
        "recall-hook", stdin=world.transcript.payload("PreToolUse", tool_name="Read", tool_input={"file_path": "a"})
    )
