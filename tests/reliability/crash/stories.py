"""Every way in which the product writes, as a story: what was there, the run that dies at a crash point, what holds."""

from __future__ import annotations

import gzip
import json
from contextlib import closing
from pathlib import Path

from agentrecall_storage.schema_version import SCHEMA_VERSION
from helpers.files import database, everything
from reliability.crash.note_stories import NOTE_STORIES
from reliability.crash.process_stories import PROCESS_STORIES
from reliability.crash.rule_stories import RULE_STORIES
from reliability.crash.second_engine import Found, faults
from reliability.crash.world import Run, Story, World, every_turn_once, nothing_lost, two_turns

DAMAGE = b"this is no database, whatever its name says\n" * 200
NEWER = 99
VERSION_1 = Path(__file__).parents[1] / "memories" / "schema-1.db.gz"


# Capture


def _lagging(world: World) -> Run:
    world.says("Tabs, please", "Tabs it is.")
    world.captures()
    world.says("And two blank lines")
    return Run("capture-hook", stdin=world.transcript.payload(last_assistant_message="Two it is."))


def _line_arrives(world: World) -> None:
    world.answers("Two it is.")


def _session_end(world: World) -> Run:
    return two_turns(world)._replace(stdin=world.transcript.payload("SessionEnd"))


def _first(world: World) -> Run:
    world.says("Tabs, please", "Tabs it is.")
    return Run("capture-hook", stdin=world.transcript.payload())


# The spool


def _unusable(world: World) -> Run:
    run = two_turns(world)
    world.tell(f"PRAGMA user_version = {NEWER}")
    return run


def _usable_again(world: World) -> None:
    """The event is acknowledged while the file is still a newer program's; only then it is ours again."""
    world.captures()
    found = world.found()
    assert found.lost(world.acknowledged) == set()
    assert found.spooled
    world.tell(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _to_drain(world: World) -> Run:
    run = _unusable(world)
    _usable_again(world)
    world.says("One more", "One it is.")
    return run._replace(stdin=world.transcript.payload())


def _poisoned(world: World) -> Run:
    run = two_turns(world)
    (world.home / "spool").mkdir(exist_ok=True)
    (world.home / "spool" / "00000000000000000001-1-a.json").write_bytes(b"poison")
    return run


def _poison_is_aside(world: World, found: Found) -> None:
    every_turn_once(world, found)
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


def _of_version_1(world: World) -> Run:
    world.home.mkdir(mode=0o700)
    database(world.home).write_bytes(gzip.decompress(VERSION_1.read_bytes()))
    world.acknowledged = {text for (text,) in world.asks("SELECT text FROM raw_items")}
    assert world.acknowledged
    # The transcript is another session's.
    world.transcript.session = "another-session"
    return _first(world)


def _all_of_version_1_is_there(world: World, found: Found) -> None:
    nothing_lost(world, found)
    assert set(found.texts) == world.acknowledged | world.written
    assert [status for _, status in found.rules] == ["Active", "Active", "Archived"]
    assert world.asks("PRAGMA user_version") == [(SCHEMA_VERSION,)]
    assert list((world.home / "backups").glob("before-schema-*-from-1.db"))


def _witness_is_there(world: World, _: Found) -> None:
    copies = sorted((world.home / "backups").glob("before-schema-*.db"))
    assert copies
    for path in (database(world.home), *copies):
        with closing(world.stage.engine.module.connect(path)) as connection:
            assert connection.execute("SELECT count(*) FROM witness").fetchone() == (500,)


def _backup(world: World) -> Run:
    two_turns(world)
    world.captures()
    return Run("agentrecall", ("backup",))


def _backup_is_there(world: World, found: Found) -> None:
    every_turn_once(world, found)
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
    every_turn_once(world, found)


def _restored_anew(world: World) -> Run:
    run = _restored_over_damage(world)
    database(world.home).unlink()
    return run


# Housekeeping


def _removed(world: World) -> Run:
    two_turns(world)
    world.captures()
    assert world.stage.run(world.person, "agentrecall", "quickstart").code == 0
    return Run("agentrecall", ("quickstart", "--remove-sample"))


def _only_the_sample_is_gone(world: World, found: Found) -> None:
    assert set(found.texts) == world.written
    assert found.rules == []


def _excluded(world: World) -> Run:
    two_turns(world)
    world.captures()
    return Run("agentrecall", ("exclude", "."))


def _one_exclusion(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert len(json.loads((world.home / "exclusions.json").read_text(encoding="utf-8"))) == 1


def _config_set(world: World) -> Run:
    two_turns(world)
    world.captures()
    return Run("agentrecall", ("config", "set", "prompt_max_rules", "3"))


def _config_is_set_once(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert world.asks("SELECT value FROM config WHERE key = 'prompt_max_rules'") == [("3",)]
    assert world.asks("SELECT count(*) FROM events WHERE kind = 'ConfigChanged'") == [(1,)]


BACKUP = (
    "backup, an empty file",
    "backup, copied and not checked",
    "backup, before the rename",
    "backup, after the rename",
)
STORIES = {
    "a Stop hook reads on": Story(
        (
            "record, turns without their spans",
            "reading, recorded and the cursor not moved",
            "reading, before the commit",
            "reading, after the commit",
        ),
        two_turns,
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
    "a hook upgrades a memory of version 1": Story(
        (
            "backup, copied and not checked",
            "upgrade, backed up and nothing changed",
            "schema, applied and not stamped",
            "upgrade, before the commit",
            "upgrade, done",
        ),
        _of_version_1,
        after=_all_of_version_1_is_there,
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
    **RULE_STORIES,
    **PROCESS_STORIES,
    **NOTE_STORIES,
    "the sample is removed": Story(("removal, before the commit",), _removed, after=_only_the_sample_is_gone),
    "a key is set": Story(("config, changed and not in the ledger",), _config_set, after=_config_is_set_once),
    "a project is excluded": Story(
        ("exclusion, before the replace", "exclusion, in force"), _excluded, after=_one_exclusion
    ),
}
