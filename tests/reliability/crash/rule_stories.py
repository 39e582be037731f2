"""Every way in which the product changes rules and judges turns, as stories."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from reliability.crash.second_engine import Found
from reliability.crash.world import Run, Story, World, every_turn_once, two_turns

SAID = "No, never edit an applied migration: add a new migration, because production has run it."
EVIDENCE = "never edit an applied migration"
FEEDBACK = "When a migration has been applied, add a new one, never edit it, because production has run it"
WHEN = "when pushing a branch"
ACTIONS = ("run the integration tests before pushing the branch", "name the ticket in the title")
EDIT = ("rules", "edit", "R1", "--do", "run every test")
# The priority decides, not the second that each was made in.
ALIKE = ("rules", "edit", "R2", "--priority", "1", "--do", "run the integration tests before you push the branch")
PAIRS = "SELECT rule_id, other_id, status FROM review_items"
LINKS = "SELECT id, supersedes_id, superseded_by_id FROM rules ORDER BY id"
PROMPT = "I want to edit the migration of the orders table that has been applied in production last week"

Asked = tuple[tuple[str, list[tuple[Any, ...]]], ...]


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
    every_turn_once(world, found)
    assert found.finalizations == ["SemanticCaptureJudge"]
    assert found.rules == [("add a new migration", "Active")]
    assert found.ledger == ["RuleCreated"]


def _one_successor(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert found.finalizations == ["SemanticCaptureJudge"]
    assert [status for _, status in found.rules] == ["Superseded", "Active"]
    assert found.ledger == ["RuleCreated", "RuleCreated", "RuleUpdated", "RuleSuperseded"]


def _doubtful(world: World) -> Run:
    """A verdict that would take a rule's place, on words that the user did not say."""
    _rule(world, "edit the migration in place")
    return _verdict(
        world, decision="SupersedeExisting", target_existing_rule_id=1, evidence="migrations are written once"
    )


def _one_doubt(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert found.finalizations == ["SemanticCaptureJudge"]
    assert [status for _, status in found.rules] == ["Active", "Pending"]
    assert found.ledger == ["RuleCreated", "RuleCreated", "ReviewAsked"]
    assert world.asks(PAIRS) == [(2, 1, "Open")]


def _rule(world: World, words: str = FEEDBACK) -> Run:
    run = Run("agentrecall", ("feedback", "add", "--anyway", words))
    world.run(run.program, *run.arguments)
    return run


def _new_rule(world: World) -> Run:
    two_turns(world)
    world.captures()
    return Run("agentrecall", ("feedback", "add", FEEDBACK))


def _one_rule(_: World, found: Found) -> None:
    assert len(found.rules) == 1
    assert found.ledger.count("RuleCreated") == 1


def _says_why(world: World) -> Run:
    _rule(world, FEEDBACK.partition(", because")[0])
    return Run("agentrecall", ("feedback", "add", FEEDBACK))


def _one_reason(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert found.ledger == ["RuleCreated", "RuleCreated", "RuleUpdated", "RuleSuperseded"]
    assert world.asks("SELECT reason, status FROM rules ORDER BY id") == [
        ("", "Superseded"),
        ("production has run it", "Active"),
    ]


# What a person does with rules. A change that is made again after a crash is there once, with one version and one row.


def _on_rules(*arguments: str, before: tuple[tuple[str, ...], ...] = (), rules: int = 1) -> Callable[[World], Run]:
    """A command on so many rules that are in force, after the commands *before*."""

    def tells(world: World) -> Run:
        for action in ACTIONS[:rules]:
            world.run("agentrecall", "feedback", "add", "--anyway", "--when", WHEN, "--do", action)
        for command in before:
            world.run("agentrecall", *command)
        return Run("agentrecall", arguments)

    return tells


def _leaves(
    *rules: tuple[str, str], ledger: tuple[str, ...], versions: tuple[str, ...] = (), also: Asked = ()
) -> Callable[[World, Found], None]:
    """So the rules, the ledger behind their creation and the kept versions are; *also* is what else is asked."""

    def holds(world: World, found: Found) -> None:
        every_turn_once(world, found)
        assert found.rules == list(rules)
        assert tuple(kind for kind in found.ledger if kind != "RuleCreated") == ledger
        assert [
            change for (change,) in world.asks("SELECT change FROM rule_versions ORDER BY rule_id, version")
        ] == list(versions)
        for statement, answer in also:
            assert world.asks(statement) == answer, statement

    return holds


def _to_settle(*decided: str) -> Callable[[World], Run]:
    def tells(world: World) -> Run:
        run = _doubtful(world)
        world.run(run.program, *run.arguments, stdin=run.stdin)
        return Run("agentrecall", ("review", *decided))

    return tells


def _settled(*statuses: str, ledger: tuple[str, ...], pair: str) -> Callable[[World, Found], None]:
    def holds(world: World, found: Found) -> None:
        every_turn_once(world, found)
        assert [status for _, status in found.rules] == list(statuses)
        assert found.ledger == ["RuleCreated", "RuleCreated", "ReviewAsked", *ledger]
        assert world.asks(PAIRS) == [(2, 1, pair)]

    return holds


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
    every_turn_once(world, found)
    assert found.finalizations == ["NoJudgmentSupplied"]


def _wants_to_be_asked(world: World) -> Run:
    run = _unjudged(world)
    world.run("recall-hook", stdin=world.transcript.payload("UserPromptSubmit", prompt="Tabs, please"))
    world.tell("INSERT INTO config VALUES ('ask_for_verdict', 'always', '')")
    return run


def _ends_unanswered(world: World) -> Run:
    run = _wants_to_be_asked(world)
    world.run(run.program, *run.arguments, stdin=run.stdin)
    return run._replace(stdin=world.transcript.payload(stop_hook_active=True))


def _answers(world: World) -> Run:
    run = _verdict(world)
    world.run("recall-hook", stdin=world.transcript.payload("UserPromptSubmit", prompt=SAID))
    world.tell("INSERT INTO config VALUES ('ask_for_verdict', 'always', '')")
    world.run("finalize-turn", "--hook", stdin=world.transcript.payload(last_assistant_message="Understood."))
    return run


def _one_request(status: str, source: str) -> Callable[[World, Found], None]:
    def holds(world: World, found: Found) -> None:
        every_turn_once(world, found)
        assert found.finalizations == [source]
        asked = "SELECT status, finalization_id IS NOT NULL FROM judgment_requests"
        assert world.asks(asked) == [(status, status == "Resolved")]

    return holds


def _fared(world: World) -> Run:
    run = _asked(world)
    world.run(run.program, *run.arguments, stdin=run.stdin)
    world.captures()
    told = {
        "session_id": world.transcript.session,
        "turn_id": world.transcript.prompt_id,
        "cwd": str(world.person.project),
        "verdicts": [{"decision": "Skip", "why_not_saved": "nothing new"}],
        "rule_outcomes": [{"rule_id": "R1", "outcome": "UserAccepted"}],
    }
    return Run("finalize-turn", stdin=json.dumps(told).encode())


def _one_outcome(world: World, found: Found) -> None:
    every_turn_once(world, found)
    assert world.asks("SELECT rule_id, injection_id, type FROM outcomes") == [(1, 1, "UserAccepted")]
    assert found.ledger.count("OutcomeReported") == 1


def _indexed_with_another_tokenizer(world: World) -> Run:
    _rule(world)
    world.tell("UPDATE rules SET vector = x''")
    world.tell("UPDATE config SET value = 'of long ago' WHERE key = 'tokenizer_version'")
    return Run("agentrecall", ("rules", "list"))


def _indexed_anew(world: World, found: Found) -> None:
    _one_rule(world, found)
    assert world.asks("SELECT length(vector) > 0, value <> 'of long ago' FROM rules, config") == [(1, 1)]


CHANGE = ("change, the version kept and nothing changed",)
RULE = ("rule, without its ledger row", "rule, before the commit", "rule, added")

RULE_STORIES = {
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
    "rules are indexed anew": Story(
        ("indexing, before the version", "indexing, done"), _indexed_with_another_tokenizer, after=_indexed_anew
    ),
    "a rule is added": Story(RULE, _new_rule, after=_one_rule),
    "a rule is said again": Story(("reinforce, without its ledger row",), _rule, after=_one_rule),
    "a rule is said again, with its reason": Story(
        ("supersede, both in force", *CHANGE, "supersede, linked on one side"),
        _says_why,
        after=_one_reason,
    ),
    "a verdict that would supersede waits": Story(
        ("flag, without its ledger row", "verdict, before the commit"), _doubtful, after=_one_doubt
    ),
    "a rule is archived": Story(
        (*CHANGE, "status, changed and not in the ledger"),
        _on_rules("rules", "archive", "R1"),
        after=_leaves((ACTIONS[0], "Archived"), ledger=("RuleArchived",), versions=("status Active to Archived",)),
    ),
    "rules are archived, all or none": Story(
        (*CHANGE, "status, changed and not in the ledger"),
        _on_rules("rules", "archive", "R1", "R2", rules=2),
        after=_leaves(
            *((action, "Archived") for action in ACTIONS),
            ledger=("RuleArchived",) * 2,
            versions=("status Active to Archived",) * 2,
        ),
    ),
    "a rule is pinned": Story(
        (*CHANGE, "mark, changed and not in the ledger"),
        _on_rules("rules", "pin", "R1"),
        after=_leaves(
            (ACTIONS[0], "Active"),
            ledger=("RuleUpdated",),
            versions=("pinned",),
            also=(("SELECT pinned, version FROM rules", [(1, 2)]),),
        ),
    ),
    "a rule is edited": Story(
        (*CHANGE, "edit, changed and not in the ledger"),
        _on_rules(*EDIT),
        after=_leaves(("run every test", "Active"), ledger=("RuleUpdated",), versions=("edited do",)),
    ),
    "an edit is undone": Story(
        (*CHANGE, "undo, changed and not in the ledger", "undo, one side of a link"),
        _on_rules("rules", "undo", "R1", before=(EDIT,)),
        after=_leaves(
            (ACTIONS[0], "Active"), ledger=("RuleUpdated",) * 2, versions=("edited do", "undone to version 1")
        ),
    ),
    "a rule takes the place of another": Story(
        (*CHANGE, "supersede, linked on one side"),
        _on_rules("rules", "supersede", "R1", "R2", rules=2),
        after=_leaves(
            (ACTIONS[0], "Superseded"),
            (ACTIONS[1], "Active"),
            ledger=("RuleUpdated", "RuleSuperseded"),
            versions=("superseded by R2", "supersedes R1"),
            also=((LINKS, [(1, None, 2), (2, 1, None)]),),
        ),
    ),
    "a rule gives a place back": Story(
        (*CHANGE, "undo, changed and not in the ledger", "undo, one side of a link"),
        _on_rules("rules", "undo", "R2", before=(("rules", "supersede", "R1", "R2"),), rules=2),
        after=_leaves(
            *((action, "Active") for action in ACTIONS),
            ledger=("RuleUpdated", "RuleSuperseded", "RuleUpdated", "RuleUpdated"),
            versions=("superseded by R2", "undone to version 1", "supersedes R1", "undone to version 1"),
            also=((LINKS, [(1, None, None), (2, None, None)]),),
        ),
    ),
    "a rule is deleted": Story(
        (*CHANGE, "delete, its history gone and not the rule"),
        _on_rules("rules", "delete", "R2", "--force", before=(("rules", "supersede", "R1", "R2"),), rules=2),
        after=_leaves(
            (ACTIONS[0], "Superseded"),
            ledger=("RuleUpdated", "RuleSuperseded", "RuleUpdated", "RuleDeleted"),
            versions=("superseded by R2", "unlinked from R2"),
            also=((LINKS, [(1, None, None)]), ("SELECT count(*) FROM scopes WHERE rule_id = 2", [(0,)])),
        ),
    ),
    "rules are compressed": Story(
        (*RULE, *CHANGE, "supersede, linked on one side", "compression, without its ledger row"),
        _on_rules("rules", "compress", "--apply", before=(ALIKE,), rules=2),
        after=_leaves(
            (ACTIONS[0], "Superseded"),
            (ALIKE[-1], "Superseded"),
            (ALIKE[-1], "Active"),
            ledger=("RuleUpdated", *("RuleUpdated", "RuleSuperseded") * 2, "RulesCompressed"),
            versions=("superseded by R3", "edited priority, do", "superseded by R3", "supersedes R1", "supersedes R2"),
        ),
    ),
    "a pair is settled, and both stand": Story(
        ("settle, closed and not in the ledger", *CHANGE, "status, changed and not in the ledger"),
        _to_settle("--keep-both", "R2"),
        after=_settled("Active", "Active", ledger=("ReviewSettled", "RuleUpdated"), pair="Rejected"),
    ),
    "a pair is settled, and the new rule takes the other's place": Story(
        (
            *CHANGE,
            "status, changed and not in the ledger",
            "supersede, linked on one side",
            "settle, closed and not in the ledger",
        ),
        _to_settle("--replace", "R2"),
        after=_settled(
            "Superseded",
            "Active",
            ledger=("RuleUpdated", "ReviewSettled", "RuleUpdated", "RuleSuperseded"),
            pair="Accepted",
        ),
    ),
    "a prompt is answered": Story(
        ("injection, without its items", "injection, before the commit", "injection, recorded and not shown"),
        _asked,
        after=_one_injection,
    ),
    "a turn that nobody judged": Story(
        ("unjudged, before the commit", "unjudged, after the commit"), _unjudged, after=_one_note
    ),
    "a turn is asked about": Story(
        ("ask, the request made and not committed", "unjudged, before the commit", "unjudged, after the commit"),
        _wants_to_be_asked,
        after=_one_request("Outstanding", "NoJudgmentSupplied"),
    ),
    "a turn that was asked about ends unanswered": Story(
        ("ask, given up and not committed", "unjudged, before the commit"),
        _ends_unanswered,
        after=_one_request("Abandoned", "JudgmentRetryExhausted"),
    ),
    "a verdict that was asked for": Story(
        ("verdict, recorded and its request not closed", "verdict, before the commit"),
        _answers,
        after=_one_request("Resolved", "SemanticCaptureJudge"),
    ),
    "how a rule fared is told": Story(
        ("outcome, without its ledger row", "verdict, before the commit", "verdict, after the commit"),
        _fared,
        after=_one_outcome,
    ),
}
