"""Verdicts handed in to `agentrecall-finalize-turn`: only the user's own words of this very turn make a live rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentrecall_domain.capture.evidence import is_said
from agentrecall_domain.capture.finalized import Outcome
from agentrecall_domain.capture.verdict import MalformedVerdictError, parse
from agentrecall_domain.rules.rule import ScopeLevel, Status
from helpers.transcripts import TranscriptBuilder
from recall.stories import Person, Ran, a_rule

SAID = "No, never edit an applied migration: add a new migration, because production has run it."
EVIDENCE = "never edit an applied migration"
SECRET = "ghp_" + "aZ3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
PART = {
    "title": "Migrations are append-only",
    "condition": "when a migration has been applied",
    "action": "add a new migration",
    "avoid": "editing the applied one",
    "because": "production has run it",
    "scope": "this repository",
    "always_apply": False,
    "tags": ["migrations"],
}


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def lesson(**changes: Any) -> dict[str, Any]:
    parts = {name: changes.pop(name) for name in list(changes) if name in PART}
    return {
        "decision": "Capture",
        "capture_reason": "UserCorrection",
        "memory_type": "EngineeringLesson",
        "confidence": 0.9,
        "target_existing_rule_id": None,
        "evidence": EVIDENCE,
        "normalized_rule": PART | parts,
        "why_not_saved": None,
        "dedupe_notes": None,
    } | changes


def turn(someone: Person, *lessons: dict[str, Any], **changes: Any) -> dict[str, Any]:
    about = {"session_id": "s1", "turn_id": "p1", "cwd": str(someone.repository), "source": "claude-code"}
    return about | {"verdicts": list(lessons) or [lesson()]} | changes


def outcomes(ran: Ran | list[Outcome]) -> list[str]:
    if isinstance(ran, list):
        return [one.action for one in ran]
    assert (ran.code, ran.err) == (0, ""), ran
    return [one["outcome"] for one in ran.json["outcomes"]]


def test_a_correction_in_the_users_words_is_in_force_in_that_repository(someone: Person) -> None:
    someone.says(SAID)

    ran = someone.finalize(turn(someone))

    assert outcomes(ran) == ["captured"]
    (rule,) = someone.rules()
    assert (rule.status, rule.scope_level, rule.origin.value) == (Status.ACTIVE, ScopeLevel.REPOSITORY, "user")
    assert (rule.trigger, rule.action, rule.mistake, rule.reason) == (
        "when a migration has been applied",
        "add a new migration",
        "editing the applied one",
        "production has run it",
    )
    assert (rule.title, rule.evidence, rule.tags, rule.confidence) == (PART["title"], EVIDENCE, ("migrations",), 0.9)
    assert rule.project_id is not None
    assert rule.session_uid == "s1"


@pytest.mark.parametrize(
    ("evidence", "status"),
    [
        pytest.param("never edit an\n\n  applied\tmigration", Status.ACTIVE, id="white space apart"),
        pytest.param(SAID, Status.ACTIVE, id="all that was said"),
        pytest.param("Never edit an applied migration", Status.PENDING, id="another spelling"),
        pytest.param("never edit a migration", Status.PENDING, id="a word left out"),
        pytest.param("never change an applied migration", Status.PENDING, id="in other words"),
        pytest.param("never edit … migration", Status.PENDING, id="with an ellipsis"),
        pytest.param("", Status.PENDING, id="none"),
        pytest.param(" \n", Status.PENDING, id="white space"),
        pytest.param("No", Status.PENDING, id="one word"),
        pytest.param("migration:", Status.PENDING, id="one word and a colon"),
        pytest.param("e", Status.PENDING, id="one letter"),
    ],
)
def test_only_a_verbatim_span_of_some_length_is_proof(someone: Person, evidence: str, status: Status) -> None:
    someone.has_said(SAID)

    someone.judges(turn(someone, lesson(evidence=evidence)))

    assert [rule.status for rule in someone.rules()] == [status]


def test_a_prompt_that_is_only_handed_in_proves_nothing(someone: Person) -> None:
    ran = someone.finalize(turn(someone, prompt=SAID))

    assert outcomes(ran) == ["pending"]
    assert [rule.status for rule in someone.rules()] == [Status.PENDING]


def test_words_of_another_turn_prove_nothing_when_the_turn_is_named(someone: Person) -> None:
    someone.says(SAID, prompt_id="p1")
    someone.says("now please write the release notes for version two", prompt_id="p2")

    assert outcomes(someone.finalize(turn(someone, turn_id="p2"))) == ["pending"]


def test_words_of_another_session_prove_nothing(someone: Person) -> None:
    someone.says(SAID, session="s0", prompt_id="p1")
    someone.says("write the release notes for version two of the shop", session="s1", prompt_id="p9")

    assert outcomes(someone.finalize(turn(someone, turn_id="p1"))) == ["pending"]
    assert outcomes(someone.finalize(turn(someone, turn_id=""))) == ["reinforced"]
    assert [rule.status for rule in someone.rules()] == [Status.PENDING]


def test_without_a_turn_id_and_a_prompt_the_latest_turn_is_meant(someone: Person) -> None:
    someone.says(SAID, prompt_id="p1")
    someone.says("now please write the release notes for version two", prompt_id="p2")

    assert outcomes(someone.finalize(turn(someone, turn_id=""))) == ["pending"]


def test_an_agent_need_not_know_its_session(someone: Person) -> None:
    someone.says(SAID, session="s1")
    someone.says("something else entirely, in another terminal window", session="s2")
    about = {name: value for name, value in turn(someone).items() if name == "verdicts"}

    ran = someone.finalize(about, CLAUDE_CODE_SESSION_ID="s1", CLAUDE_PROJECT_DIR=str(someone.repository))

    assert outcomes(ran) == ["captured"]
    assert [rule.session_uid for rule in someone.rules()] == ["s1"]


def test_without_a_turn_id_the_turn_is_found_by_its_prompt(someone: Person) -> None:
    someone.says("first of all, write the release notes for version two", prompt_id="p1")
    someone.says(SAID, prompt_id="p2")

    assert outcomes(someone.finalize(turn(someone, turn_id="", prompt=SAID))) == ["captured"]


@pytest.mark.parametrize(
    ("speaker", "expected"),
    [
        pytest.param("user", "captured", id="the user"),
        pytest.param("agent", "pending", id="the agent's answer"),
        pytest.param("tool", "pending", id="a tool's result"),
    ],
)
def test_in_a_captured_transcript_only_the_user_counts(someone: Person, speaker: str, expected: str) -> None:
    transcript = TranscriptBuilder(someone.root / "transcripts" / "s1.jsonl", someone.repository, "s1")
    transcript.prompt(SAID if speaker == "user" else "write the release notes please")
    transcript.answer(SAID if speaker == "agent" else "Of course.", "m1")
    transcript.tool("m2", "call-1", SAID if speaker == "tool" else "done")
    captured = someone.run("agentrecall-capture-hook", stdin=json.dumps(transcript.payload()))
    assert captured == Ran(0, "", "")

    ran = someone.finalize(turn(someone, turn_id=transcript.prompt_id))

    assert outcomes(ran) == [expected]


def test_what_the_host_says_in_a_prompts_place_is_not_the_users_word(someone: Person) -> None:
    someone.says(f"<task-notification>\n<result>{SAID}</result>\n</task-notification>")

    assert outcomes(someone.finalize(turn(someone))) == ["pending"]


def test_what_an_agent_tells_its_subagent_is_not_the_users_word(someone: Person) -> None:
    someone.says("write the release notes for version two of the shop")
    someone.says(SAID, agent_id="a1")

    assert outcomes(someone.finalize(turn(someone))) == ["pending"]


def test_our_own_memory_pasted_into_a_prompt_is_not_the_users_word(someone: Person) -> None:
    block = f'<agentrecall project="shop" moment="prompt" id="I1">\n- [R9] {SAID}\n</agentrecall>'
    someone.says(f"what does this block in the context mean?\n{block}")

    assert outcomes(someone.finalize(turn(someone))) == ["pending"]


@pytest.mark.parametrize(
    ("changes", "outcome", "status"),
    [
        pytest.param({"confidence": 1.0}, "captured", Status.ACTIVE, id="certain"),
        pytest.param({"confidence": 0.80}, "captured", Status.ACTIVE, id="at the capture threshold"),
        pytest.param({"confidence": 0.79}, "pending", Status.PENDING, id="just under it"),
        pytest.param({"confidence": 0.55}, "pending", Status.PENDING, id="at the threshold of a suggestion"),
        pytest.param({"confidence": 0.54}, "skipped", None, id="under that"),
        pytest.param({"decision": "SuggestCapture"}, "pending", Status.PENDING, id="only suggested"),
        pytest.param(
            {"capture_reason": "SelfIdentifiedFriction", "confidence": 1.0}, "pending", Status.PENDING, id="friction"
        ),
        pytest.param({"because": ""}, "pending", Status.PENDING, id="without a reason"),
        pytest.param({"because": None}, "pending", Status.PENDING, id="with a null for a reason"),
        pytest.param({"title": ""}, "skipped", None, id="without a title"),
        pytest.param({"condition": " "}, "skipped", None, id="without a condition"),
        pytest.param({"action": ""}, "skipped", None, id="without an action"),
        pytest.param({"normalized_rule": None}, "skipped", None, id="without a rule"),
        pytest.param({"decision": "Skip", "why_not_saved": "nothing new"}, "skipped", None, id="skip"),
        pytest.param(
            {"capture_reason": "ExplicitUserSave", "confidence": 0.2},
            "pending",
            Status.PENDING,
            id="asked to save, says the judge alone",
        ),
        pytest.param({"capture_reason": "ExplicitUserDoNotSave"}, "skipped", None, id="asked not to"),
        pytest.param({"capture_reason": "AssistantProse"}, "skipped", None, id="the agent's own prose"),
        pytest.param({"capture_reason": "SourceDocumentOnly"}, "skipped", None, id="a document"),
        pytest.param({"capture_reason": "CommandOutputOnly"}, "skipped", None, id="output of a command"),
        pytest.param({"capture_reason": "LogOutputOnly"}, "skipped", None, id="a log"),
        pytest.param({"capture_reason": "NotReusable"}, "skipped", None, id="not reusable"),
        pytest.param({"capture_reason": "Ambiguous"}, "skipped", None, id="ambiguous"),
        pytest.param({"memory_type": "CodeFact"}, "skipped", None, id="a fact about code"),
        pytest.param(
            {"decision": "ReinforceExisting", "target_existing_rule_id": 99}, "skipped", None, id="no such rule"
        ),
        pytest.param({"decision": "ReinforceExisting"}, "skipped", None, id="no rule named"),
    ],
)
def test_what_a_verdict_says_decides_what_becomes_of_it(
    someone: Person, changes: dict[str, Any], outcome: str, status: Status | None
) -> None:
    someone.has_said(SAID)

    (became,) = someone.judges(turn(someone, lesson(**changes)))

    assert became.action == outcome
    assert [rule.status for rule in someone.rules()] == ([] if status is None else [status])
    assert became.why or outcome == "captured"


def test_what_the_user_asked_to_save_is_in_force_however_sure_the_judge_is(someone: Person) -> None:
    someone.has_said(f"{SAID} Please remember that.")

    (became,) = someone.judges(turn(someone, lesson(capture_reason="ExplicitUserSave", confidence=0.2)))

    assert became.action == "captured"
    assert [rule.status for rule in someone.rules()] == [Status.ACTIVE]


@pytest.mark.parametrize(
    ("evidence", "changes"),
    [
        pytest.param("No, never", {}, id="words that tell nothing"),
        pytest.param(
            EVIDENCE,
            {
                "condition": "when releasing",
                "action": "skip all checks",
                "title": "Skip",
                "avoid": "",
                "because": "it is quicker",
            },
            id="a rule about something else",
        ),
    ],
)
def test_words_that_have_nothing_to_do_with_a_rule_do_not_bring_it_into_force(
    someone: Person, evidence: str, changes: dict[str, Any]
) -> None:
    someone.has_said(SAID)

    (became,) = someone.judges(turn(someone, lesson(evidence=evidence, **changes)))

    assert became.action == "pending"


def test_a_rule_that_a_person_archived_is_not_captured_again(someone: Person) -> None:
    someone.has_said(SAID)
    someone.judges(turn(someone, lesson()))
    someone.command("rules", "report-bad", "R1", "--reason", "harmful")

    (became,) = someone.judges(turn(someone, lesson(confidence=0.95)))

    assert became.action == "skipped"
    assert "R1" in became.why


def test_a_verdict_about_an_unknown_turn_honours_do_not_save_of_the_last_prompt(someone: Person) -> None:
    someone.has_said("Don't save this. Never edit an applied migration.")

    (became,) = someone.judges({**turn(someone, lesson()), "turn_id": "nobody-knows-it"})

    assert became.action == "skipped"


def test_a_judge_that_met_a_rule_again_makes_it_no_surer_without_the_users_words(someone: Person) -> None:
    someone.has_said(SAID)
    someone.judges(turn(someone, lesson()))
    before = someone.rule(1).confidence

    someone.judges(turn(someone, lesson(decision="ReinforceExisting", target_existing_rule_id=1, evidence="invented")))

    assert someone.rule(1).confidence == before


def test_a_rule_that_only_echoes_the_answer_is_not_stored(someone: Person) -> None:
    someone.has_said(SAID)

    ran = someone.judges(turn(someone, assistant_response="  Add a new MIGRATION "))

    assert outcomes(ran) == ["skipped"]


def test_how_a_person_likes_to_be_spoken_to_goes_with_them(someone: Person) -> None:
    someone.has_said("Please keep your answers short, I read them on a phone.")

    someone.judges(
        turn(
            someone,
            lesson(
                memory_type="CommunicationPreference",
                capture_reason="UserPreference",
                evidence="keep your answers short",
                action="keep answers short",
            ),
        )
    )

    (rule,) = someone.rules()
    assert (rule.scope_level, rule.project_id, rule.always_apply) == (ScopeLevel.GLOBAL, None, True)


def test_a_repeated_mistake_makes_a_new_rule_a_standing_one(someone: Person) -> None:
    someone.has_said(SAID)

    someone.judges(turn(someone, lesson(capture_reason="RepeatedMistake")))

    assert [rule.always_apply for rule in someone.rules()] == [True]


def test_a_repeated_mistake_makes_the_known_rule_a_standing_one(someone: Person) -> None:
    (known,) = someone.keeps(a_rule())
    someone.has_said(SAID)

    again = lesson(decision="ReinforceExisting", capture_reason="RepeatedMistake", target_existing_rule_id=known.id)
    someone.judges(turn(someone, again | {"dedupe_notes": "said before"}))

    assert someone.rule(known.id).always_apply


@pytest.mark.parametrize(
    "reason",
    [pytest.param("UserCorrection", id="decided so"), pytest.param("DuplicateExisting", id="as its reason says")],
)
def test_reinforcing_raises_confidence_and_nothing_else(someone: Person, reason: str) -> None:
    (known,) = someone.keeps(a_rule(confidence=0.5))
    someone.has_said(SAID)
    decision = "ReinforceExisting" if reason == "UserCorrection" else "Capture"

    again = lesson(decision=decision, capture_reason=reason, target_existing_rule_id=known.id, action="something else")
    ran = someone.judges(turn(someone, again | {"dedupe_notes": "said before"}))

    assert outcomes(ran) == ["reinforced"]
    (rule,) = someone.rules()
    assert rule.confidence == pytest.approx(0.6)
    assert (rule.status, rule.action) == (Status.ACTIVE, known.action)


@pytest.mark.parametrize("waiting", [Status.PENDING, Status.DRAFT], ids=str)
def test_a_waiting_rule_waits_whatever_the_judge_says_of_it(someone: Person, waiting: Status) -> None:
    (known,) = someone.keeps(a_rule(), status=waiting)
    someone.has_said(SAID)

    reinforced = lesson(decision="ReinforceExisting", target_existing_rule_id=known.id, dedupe_notes="again")
    recaptured = lesson(capture_reason="RepeatedMistake", confidence=1.0)
    for number in range(3):
        someone.judges(turn(someone, reinforced, recaptured, source=f"round {number}"))

    assert someone.rule(known.id).status is waiting
    assert not any(rule.is_in_force for rule in someone.rules())


def test_a_proved_correction_takes_the_place_of_the_rule_it_names(someone: Person) -> None:
    (old,) = someone.keeps(a_rule("edit the migration in place"))
    someone.says(SAID)

    ran = someone.finalize(turn(someone, lesson(decision="SupersedeExisting", target_existing_rule_id=old.id)))

    assert outcomes(ran) == ["superseded"]
    before, after = someone.rules()
    assert (before.status, before.superseded_by_id) == (Status.SUPERSEDED, after.id)
    assert (after.status, after.supersedes_id, after.project_id) == (Status.ACTIVE, old.id, old.project_id)


def test_an_unproved_supersede_leaves_the_old_rule_in_force(someone: Person) -> None:
    (old,) = someone.keeps(a_rule("edit the migration in place"))
    someone.has_said("write the release notes for version two of the shop")

    ran = someone.judges(turn(someone, lesson(decision="SupersedeExisting", target_existing_rule_id=old.id)))

    assert outcomes(ran) == ["pending"]
    assert [rule.status for rule in someone.rules()] == [Status.ACTIVE, Status.PENDING]


def test_a_rule_that_has_its_successor_is_not_superseded_again(someone: Person) -> None:
    (old,) = someone.keeps(a_rule("edit the migration in place"))
    someone.has_said(SAID)
    someone.judges(turn(someone, lesson(decision="SupersedeExisting", target_existing_rule_id=old.id)))

    later = lesson(decision="SupersedeExisting", target_existing_rule_id=old.id, action="ask the database team first")
    someone.judges(turn(someone, later))

    assert someone.rule(old.id).superseded_by_id == someone.rules()[1].id


def test_a_global_rule_is_not_swapped_for_one_of_this_repository_that_is_shown_everywhere(someone: Person) -> None:
    (old,) = someone.keeps(a_rule("edit the migration in place", scope_level=ScopeLevel.GLOBAL, scope_value=""))
    someone.has_said(SAID)

    someone.judges(turn(someone, lesson(decision="SupersedeExisting", target_existing_rule_id=old.id)))

    new = someone.rules()[-1]
    assert (new.project_id is None) == (new.scope_level is ScopeLevel.GLOBAL)


def test_a_rule_of_another_project_cannot_be_touched(someone: Person) -> None:
    other = someone.new_repository("bank")
    (theirs,) = someone.keeps(a_rule("edit the migration in place"), cwd=other)
    someone.has_said(SAID)

    ran = someone.judges(
        turn(
            someone,
            lesson(decision="ReinforceExisting", target_existing_rule_id=theirs.id, dedupe_notes="again"),
            lesson(decision="SupersedeExisting", target_existing_rule_id=theirs.id),
        )
    )

    assert outcomes(ran)[0] == "skipped"
    assert someone.rule(theirs.id) == theirs


def test_a_turn_may_hold_several_lessons_each_judged_by_itself(someone: Person) -> None:
    someone.says(SAID)

    ran = someone.finalize(
        turn(
            someone,
            lesson(),
            lesson(decision="Skip", why_not_saved="known"),
            lesson(action="ask the database team", evidence="what nobody said here"),
            lesson(action=""),
        )
    )

    assert outcomes(ran) == ["captured", "skipped", "pending", "skipped"]
    assert [rule.status for rule in someone.rules()] == [Status.ACTIVE, Status.PENDING]


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(lambda one: {"verdicts": one}, id="one object for the list"),
        pytest.param(lambda one: {"judgment": one}, id="judgment with one object"),
        pytest.param(lambda one: {"judgment": [one]}, id="judgment with a list"),
    ],
)
def test_one_lesson_may_come_as_one_object(someone: Person, shape: Any) -> None:
    someone.has_said(SAID)
    whole = turn(someone)
    del whole["verdicts"]

    assert outcomes(someone.judges(whole | shape(lesson()))) == ["captured"]


def test_null_and_unknown_fields_are_passed_over(someone: Person) -> None:
    someone.has_said(SAID)
    nulls = dict.fromkeys(["prompt", "assistant_response", "accepted"])

    assert outcomes(someone.judges(turn(someone, lesson(mood="sunny"), weather="fine", **nulls))) == ["captured"]


def test_the_same_verdict_again_changes_nothing_and_answers_the_same(someone: Person) -> None:
    someone.says(SAID)
    first = someone.finalize(turn(someone))
    before = (
        someone.rules(),
        someone.rows("SELECT count(*) FROM events"),
        someone.rows("SELECT * FROM turn_finalizations"),
    )

    second = someone.finalize(turn(someone))

    assert second == first
    assert (
        someone.rules(),
        someone.rows("SELECT count(*) FROM events"),
        someone.rows("SELECT * FROM turn_finalizations"),
    ) == before


@pytest.mark.parametrize("judged_first", [True, False], ids=["judged, then Stop", "Stop, then judged"])
def test_a_judged_turn_is_never_hidden_by_a_stop_without_a_verdict(someone: Person, judged_first: bool) -> None:  # noqa: FBT001 -- a table
    someone.says(SAID)
    if judged_first:
        first = someone.finalize(turn(someone))
        someone.stop(prompt_id="p1")
    else:
        someone.stop(prompt_id="p1")
        first = someone.finalize(turn(someone))
    someone.stop(prompt_id="p1")

    again = someone.finalize(turn(someone))

    assert outcomes(first) == ["captured"]
    assert again == first
    assert someone.rows("SELECT decision_source FROM turn_finalizations") == [("SemanticCaptureJudge",)]


def test_a_verdict_that_names_no_turn_belongs_to_the_one_at_hand(someone: Person) -> None:
    someone.says("first of all, write the release notes for version two", prompt_id="p1")
    someone.stop(prompt_id="p1")
    someone.says(SAID, prompt_id="p2")

    someone.finalize(turn(someone, turn_id=""))
    someone.stop(prompt_id="p2")

    judged = someone.rows(
        """
        SELECT turns.prompt_id, turn_finalizations.decision_source FROM turn_finalizations
          JOIN turns ON turns.id = turn_finalizations.turn_id ORDER BY turns.id
        """
    )
    assert judged == [("p1", "NoJudgmentSupplied"), ("p2", "SemanticCaptureJudge")]


def test_a_turn_that_nobody_judged_has_one_row_however_often_it_stops(someone: Person) -> None:
    someone.says(SAID)
    someone.stop(prompt_id="p1")
    someone.stop(prompt_id="p1")

    assert someone.rows("SELECT decision_source FROM turn_finalizations") == [("NoJudgmentSupplied",)]


@pytest.mark.parametrize(
    ("handed_in", "named"),
    [
        pytest.param(b"", "input", id="nothing"),
        pytest.param(b"\x00\xff garbage", "input", id="garbage"),
        pytest.param(b'{"verdicts": [', "input", id="cut short"),
        pytest.param(b"[" * 100_000, "input", id="deeply nested"),
        pytest.param(b"[]", "input", id="a list"),
        pytest.param(b'"Capture"', "input", id="a string"),
        pytest.param(b"{}", "verdicts", id="no verdict in it"),
        pytest.param(b'{"verdicts": []}', "verdicts", id="an empty list"),
        pytest.param(b'{"verdicts": "Capture"}', "verdicts", id="verdicts that are a string"),
        pytest.param(b'{"verdicts": [{}]}', "verdicts.0.decision", id="no decision"),
        pytest.param(
            b'{"verdicts": [{"decision": "Skip", "confidence": "high"}]}', "verdicts.0.confidence", id="a wrong type"
        ),
        pytest.param(
            b'{"verdicts": [{"decision": "Skip", "confidence": 1.01}]}', "verdicts.0.confidence", id="too confident"
        ),
        pytest.param(
            b'{"verdicts": [{"decision": "Skip", "confidence": NaN}]}', "verdicts.0.confidence", id="not a number"
        ),
        pytest.param(
            b'{"verdicts": [{"decision": "Skip", "target_existing_rule_id": "the first"}]}',
            "verdicts.0.target",
            id="an id as text",
        ),
        pytest.param(
            b'{"verdicts": [{"decision": "Skip", "normalized_rule": []}]}',
            "verdicts.0.normalized_rule",
            id="a rule as a list",
        ),
        pytest.param(
            b'{"verdicts": [{"decision": "Skip", "normalized_rule": {"tags": "a"}}]}',
            "verdicts.0.normalized_rule.tags",
            id="tags as text",
        ),
        pytest.param(b'{"cwd": 12, "verdicts": [{"decision": "Skip"}]}', "cwd", id="a folder as a number"),
        pytest.param(b'{"verdicts": [{"decision": "capture it!"}]}', "verdicts.0.decision", id="a decision of nobody"),
        pytest.param(
            b'{"verdicts": [{"decision": "Skip", "capture_reason": "Whim"}]}',
            "verdicts.0.capture_reason",
            id="a reason of nobody",
        ),
        pytest.param(
            b'{"verdicts": [{"decision": "Skip", "memory_type": "Dream"}]}',
            "verdicts.0.memory_type",
            id="a type of nobody",
        ),
    ],
)
def test_what_is_no_verdict_is_refused_with_the_field_that_is_wrong(handed_in: bytes, named: str) -> None:
    with pytest.raises(MalformedVerdictError) as refusal:
        parse(handed_in)

    assert f"'{named}" in str(refusal.value)
    assert len(str(refusal.value)) < 500


@pytest.mark.parametrize(
    "handed_in",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x00\xff garbage", id="garbage"),
        pytest.param(b"[" * 100_000, id="deeply nested"),
        pytest.param(b'{"verdicts": [{"decision": "capture it!"}]}', id="a decision of nobody"),
    ],
)
def test_what_is_no_verdict_is_misuse_and_stores_nothing(someone: Person, handed_in: bytes) -> None:
    ran = someone.run("agentrecall-finalize-turn", stdin=handed_in)

    assert (ran.code, ran.out) == (2, "")
    assert "verdict" in ran.err
    assert "Traceback" not in ran.err
    assert not someone.home.exists()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"title": "t" * 161}, id="title"),
        pytest.param({"action": "a" * 2001}, id="action"),
        pytest.param({"because": "b" * 2001}, id="because"),
        pytest.param({"scope": "s" * 2001}, id="scope"),
        pytest.param({"tags": ["t"] * 11}, id="number of tags"),
        pytest.param({"tags": ["t" * 61]}, id="a tag"),
        pytest.param({"evidence": "e" * 200_001}, id="evidence"),
        pytest.param({"why_not_saved": "w" * 200_001}, id="why not saved"),
    ],
)
def test_an_over_long_field_is_refused_by_its_name(someone: Person, change: dict[str, Any]) -> None:
    with pytest.raises(MalformedVerdictError, match=next(iter(change))):
        someone.judges(turn(someone, lesson(**change)))


def test_an_unknown_argument_is_misuse_and_help_shows_a_verdict(someone: Person) -> None:
    misused = someone.run("agentrecall-finalize-turn", "--verdict")
    helped = someone.run("agentrecall-finalize-turn", "--help")

    assert (misused.code, misused.out) == (2, "")
    assert "--verdict" in misused.err
    assert (helped.code, helped.err) == (0, "")
    assert '"verdicts"' in helped.out


def test_an_excluded_project_stores_nothing(someone: Person) -> None:
    assert someone.command("exclude", ".").exit_code == 0
    someone.says(SAID)

    ran = someone.finalize(turn(someone))

    assert (ran.code, ran.out) == (0, "")
    assert "excluded" in ran.err
    assert b"migration" not in someone.stored_bytes()
    assert not (someone.home / "agentrecall.db").exists()


def test_switched_off_means_nothing_is_stored(someone: Person) -> None:
    ran = someone.finalize(turn(someone), AGENTRECALL_DISABLED="1")

    assert (ran.code, ran.out) == (0, "")
    assert "AGENTRECALL_DISABLED" in ran.err
    assert not someone.home.exists()


def test_a_secret_anywhere_in_a_verdict_is_gone_before_its_first_byte_is_written(someone: Person) -> None:
    (known,) = someone.keeps(a_rule("rotate the keys"))
    someone.says(f"{SAID} The token is {SECRET}, never paste it.")
    told = f"use {SECRET} with care"
    new = lesson(
        title=told, condition=told, action=told, avoid=told, because=told, scope=told, tags=[SECRET], evidence=told
    )
    skipped = lesson(decision="Skip", why_not_saved=told)
    again = lesson(decision="ReinforceExisting", target_existing_rule_id=known.id, dedupe_notes=told)

    ran = someone.finalize(
        turn(someone, new, skipped, again, prompt=told, assistant_response=f"I shall {told}", source=told)
    )

    assert outcomes(ran) == ["pending", "skipped", "reinforced"]
    assert SECRET.encode() not in someone.stored_bytes()
    assert SECRET.lower().encode() not in someone.stored_bytes()


def test_evidence_with_a_secret_in_it_still_proves_what_was_said() -> None:
    assert is_said(f"never paste {SECRET} anywhere", [f"please never paste {SECRET} anywhere, thanks"])


def test_a_memory_that_cannot_be_written_is_a_failure_that_names_doctor(someone: Person) -> None:
    someone.home.mkdir()
    (someone.home / "agentrecall.db").write_bytes(b"this is no database, but a note of mine" * 200)
    before = (someone.home / "agentrecall.db").read_bytes()

    ran = someone.finalize(turn(someone))

    assert (ran.code, ran.out) == (1, "")
    assert "doctor" in ran.err
    assert "Traceback" not in ran.err
    assert (someone.home / "agentrecall.db").read_bytes() == before
