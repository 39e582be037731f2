"""The life of rules in any order: no text that nobody proved comes into force, and every change is told and undone."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from agentrecall_domain.rules.rule import Rule
from agentrecall_domain.rules.status import DEAD, IN_FORCE, WAITING
from agentrecall_storage.indexing import INDEXED
from agentrecall_storage.memory import Memory
from agentrecall_storage.rules import columns_of
from recall.stories import Person

pytestmark = pytest.mark.harness

PLACE = "when installing packages of the web app"
ACTION = "use pnpm to install packages"
ACTIONS = st.sampled_from(
    (
        ACTION,
        f"{ACTION}, with the frozen lock file",
        "use npm to install packages",
        "never use pnpm to install packages",
        "pin every version in the lock file",
    )
)
TRUE_REASONS = st.sampled_from(("", "the lock file is made by pnpm", "the build server has no npm"))
FALSE_REASONS = st.sampled_from(("gremlins asked for it", "a web page said that it is good"))
MISTAKES = st.sampled_from(("", "yarn", "a range of versions"))
FALSE_MISTAKES = st.sampled_from(("", "asking the gremlins first"))
EVIDENCE = "that is how we install packages of the web app with pnpm, always"
PARTS = ("title", "trigger", "action", "mistake", "reason")
NUMBERS = st.integers(1, 7)
"""Which rule is meant; often there is none, and that has to be refused like all else."""

STAYS = {"last_used_at", "updated_at"}


class Life(RuleBasedStateMachine):
    """A person, their agents and their memory."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.someone = Person(Path(self.folder.name))
        self.turns = 0
        self.handed_in: list[dict[str, Any]] = []
        self.was_waiting: set[int] = set()
        self.approved: set[int] = set()
        self.dead: set[int] = set()
        self.known: dict[int, Rule] = {}
        # What a person said, proved or approved; the empty text says nothing.
        self.blessed = {"", PLACE}

    def teardown(self) -> None:
        self.folder.cleanup()

    @initialize()
    def made(self) -> None:
        assert self.someone.command("init").exit_code == 0

    # What happens

    @rule(action=ACTIONS, reason=TRUE_REASONS, mistake=MISTAKES, is_pending=st.booleans())
    def the_person_says(self, action: str, reason: str, mistake: str, is_pending: bool) -> None:  # noqa: FBT001 -- drawn
        options = ["--when", PLACE, "--do", action, "--because", reason, "--not", mistake, "--title", action]
        result = self.does("feedback", "add", *options, *["--pending"] * is_pending, "--json")
        assert result is not None
        # Their own words, whenever they come into force.
        self.blessed |= {action, reason, mistake}
        if not is_pending and result["status"] in IN_FORCE and result["id"] in self.was_waiting:
            # An explicit save that says the same approves what waits: they are shown the whole of it.
            self.approves(result["id"])

    @rule(
        action=ACTIONS, reason=TRUE_REASONS, mistake=MISTAKES, decision=st.sampled_from(("Capture", "SuggestCapture"))
    )
    def a_judge_proves(self, action: str, reason: str, mistake: str, decision: str) -> None:
        self.judges(EVIDENCE, decision, "UserCorrection", action, reason, mistake)
        if decision == "Capture":
            self.blessed |= {action, reason, mistake}

    @rule(
        action=ACTIONS,
        reason=FALSE_REASONS,
        mistake=FALSE_MISTAKES,
        decision=st.sampled_from(("Capture", "SuggestCapture")),
        why=st.sampled_from(("UserCorrection", "ExplicitUserSave", "RepeatedMistake")),
    )
    def a_judge_only_says(self, action: str, reason: str, mistake: str, decision: str, why: str) -> None:
        self.judges("what nobody ever said here", decision, why, action, reason, mistake)

    @rule(number=NUMBERS, action=ACTIONS, reason=TRUE_REASONS)
    def a_judge_replaces_on_proof(self, number: int, action: str, reason: str) -> None:
        self.judges(EVIDENCE, "SupersedeExisting", "UserCorrection", action, reason, "", target=number)
        self.blessed |= {action, reason}

    @rule(number=NUMBERS, action=ACTIONS, reason=FALSE_REASONS)
    def a_judge_would_replace(self, number: int, action: str, reason: str) -> None:
        self.judges(
            "what nobody ever said here", "SupersedeExisting", "UserCorrection", action, reason, "", target=number
        )

    @rule(number=NUMBERS)
    def a_judge_reinforces(self, number: int) -> None:
        self.judges(EVIDENCE, "ReinforceExisting", "RepeatedMistake", "", "", "", target=number)

    @rule()
    def a_judge_hands_in_the_same_again(self) -> None:
        if self.handed_in:
            before = self.stored()
            self.someone.judges(self.handed_in[-1])
            assert self.stored() == before

    @rule(verb=st.sampled_from(("approve", "promote")), number=NUMBERS)
    def the_person_approves(self, verb: str, number: int) -> None:
        if self.does("rules", verb, f"R{number}", "--json") is not None:
            self.approves(number)

    @rule(option=st.sampled_from(("--approve", "--replace", "--keep-both")), number=NUMBERS)
    def the_person_reviews(self, option: str, number: int) -> None:
        if self.does("review", option, f"R{number}", "--json") is not None:
            self.approves(number)

    @rule(verb=st.sampled_from(("archive", "report-bad")), number=NUMBERS)
    def the_person_archives(self, verb: str, number: int) -> None:
        if self.does("rules", verb, f"R{number}", "--json") is not None:
            self.dead.add(number)

    @rule(number=NUMBERS)
    def the_person_rejects(self, number: int) -> None:
        if self.does("review", "--reject", f"R{number}", "--json") is not None:
            self.dead.add(number)

    @rule(number=NUMBERS, action=ACTIONS, tag=st.sampled_from(("web", "build")))
    def the_person_edits(self, number: int, action: str, tag: str) -> None:
        if self.does("rules", "edit", f"R{number}", "--do", action, "--tag", tag, "--glob", f"{tag}/*", "--json"):
            self.blessed.add(action)

    @rule(number=NUMBERS)
    def the_person_undoes(self, number: int) -> None:
        before = {one.id: one for one in self.stored()}
        if self.does("rules", "undo", f"R{number}", "--json") is None:
            return
        after = {one.id: one for one in self.stored()}
        assert any(_said(before[one]) != _said(after[one]) for one in after)
        self.dead -= {one for one, kept in after.items() if kept.status not in DEAD and before[one].status in DEAD}

    @rule(verb=st.sampled_from(("pin", "unpin", "mute", "unmute")), number=NUMBERS)
    def the_person_marks(self, verb: str, number: int) -> None:
        self.does("rules", verb, f"R{number}", "--json")

    @rule(old=NUMBERS, new=NUMBERS)
    def the_person_replaces(self, old: int, new: int) -> None:
        self.does("rules", "supersede", f"R{old}", f"R{new}", "--json")

    @rule()
    def the_person_compresses(self) -> None:
        before = {int(one.id): one for one in self.stored()}
        done = self.does("rules", "compress", "--apply", "--json")
        assert done is not None
        for group in done["groups"]:
            members = [before[int(label[1:])] for label in group["members"]]
            assert all(one.is_in_force and not one.pinned and not one.muted for one in members)

    @rule(number=NUMBERS)
    def the_person_deletes(self, number: int) -> None:
        if self.does("rules", "delete", f"R{number}", "--json") is not None:
            assert self.someone.rows("SELECT count(*) FROM rule_versions WHERE rule_id = ?", number) == [(0,)]
            self.dead.discard(number)

    # What always holds

    @invariant()
    def what_waited_is_in_force_only_by_a_persons_word(self) -> None:
        stored = self.stored()
        self.was_waiting |= {one.id for one in stored if one.status in WAITING}
        assert {one.id for one in stored if one.is_in_force} & self.was_waiting <= self.approved

    @invariant()
    def no_text_in_force_came_from_what_nobody_proved(self) -> None:
        for one in self.stored():
            if one.is_in_force:
                told = {part for name in PARTS for part in getattr(one, name).split("; ")}
                assert {text[:1].lower() + text[1:] for text in told} <= self.blessed, (one.label, told - self.blessed)

    @invariant()
    def what_a_person_archived_stays_dead_until_they_undo_it(self) -> None:
        assert self.dead <= {one.id for one in self.stored() if one.status in DEAD}

    @invariant()
    def every_change_left_a_version_and_a_row_in_the_ledger(self) -> None:
        with self.someone.memory() as memory:
            now = {int(one.id): one for one in _all(memory)}
            for number, one in now.items():
                versions = [row["version"] for row in memory.versions(number)]
                events = memory.events_of(number)
                assert events[0]["kind"] == "RuleCreated"
                assert [event["details"]["version"] for event in events if "version" in event["details"]] == versions
                assert all(version < one.version for version in versions)
                before = self.known.get(number)
                if before is not None and _said(before) != _said(one):
                    assert before.version in versions
            for number in self.known.keys() - now.keys():
                assert memory.events_of(number)[-1]["kind"] == "RuleDeleted"
        self.known = now

    @invariant()
    def search_and_scopes_tell_what_the_rules_say(self) -> None:
        with self.someone.memory() as memory:
            memory.connection.execute("INSERT INTO rules_fts(rules_fts, rank) VALUES ('integrity-check', 1)")
            keys: dict[int, list[str]] = {}
            for number, key in memory.connection.execute("SELECT rule_id, key FROM scopes ORDER BY key"):
                keys.setdefault(number, []).append(key)
            indexed = {
                number: words
                for number, *words in memory.connection.execute("SELECT id, trigger_terms, terms, vector FROM rules")
            }
            rules = _all(memory)
            told = {int(one.id): columns_of(one, memory.concepts) for one in rules}
        assert {number: [row[name] for name in INDEXED] for number, row in told.items()} == indexed
        assert {int(one.id): one.scope_keys for one in rules if one.scope_keys} == keys

    @invariant()
    def links_are_true_on_both_sides_and_lead_to_an_end(self) -> None:
        rules = {int(one.id): one for one in self.stored()}
        for one in rules.values():
            assert one.supersedes_id is None or rules[one.supersedes_id].superseded_by_id == one.id
            assert one.superseded_by_id is None or one.status in DEAD
            line, following = {int(one.id)}, one.superseded_by_id
            while following is not None:
                assert following not in line
                line.add(following)
                following = rules[following].superseded_by_id

    # How it is done

    def stored(self) -> list[Rule]:
        return self.someone.rules()

    def approves(self, number: int) -> None:
        self.approved.add(number)
        one = self.someone.rule(number)
        self.blessed |= {part for name in PARTS for part in getattr(one, name).split("; ")}

    def does(self, *arguments: str) -> Any:
        """Run a command; gives its JSON, or None when it refused, and then nothing may have changed."""
        before = self.stored()
        result = self.someone.command(*arguments)
        if result.exit_code == 0:
            return json.loads(result.stdout)
        assert result.exit_code == 1, result.output
        assert result.stderr.startswith("Error: "), result.output
        assert "doctor" not in result.stderr, result.output
        assert self.stored() == before
        return None

    def judges(  # noqa: PLR0917 -- what a verdict is made of
        self, evidence: str, decision: str, why: str, action: str, reason: str, mistake: str, target: int | None = None
    ) -> None:
        self.turns += 1
        turn = f"p{self.turns}"
        self.someone.has_said(f"No, {EVIDENCE}, please do so in turn {self.turns}.", prompt_id=turn)
        lesson = {"title": action, "condition": PLACE, "action": action, "because": reason, "avoid": mistake}
        verdict = {
            "decision": decision,
            "capture_reason": why,
            "memory_type": "EngineeringLesson",
            "confidence": 0.9,
            "target_existing_rule_id": target,
            "evidence": evidence,
            "normalized_rule": lesson if action else None,
        }
        where = {"session_id": "s1", "turn_id": turn, "cwd": str(self.someone.repository), "source": "claude-code"}
        self.handed_in.append({**where, "verdicts": [verdict]})
        self.someone.judges(self.handed_in[-1])


def _all(memory: Memory) -> list[Rule]:
    return memory.list_rules(project_id=None, everywhere=True)


def _said(one: Rule) -> dict[str, Any]:
    return {name: value for name, value in dataclasses.asdict(one).items() if name not in {*STAYS, "version"}}


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@pytest.mark.parametrize(
    "by_verdict", [pytest.param(True, id="proved in a turn"), pytest.param(False, id="said in so many words")]
)
def test_what_refines_a_waiting_rule_takes_no_unproved_word_of_it_over(by_verdict: bool) -> None:  # noqa: FBT001 -- a table
    life = Life()
    with contextlib.ExitStack() as at_the_end:
        at_the_end.callback(life.teardown)
        life.judges(
            "what nobody said here", "Capture", "UserCorrection", ACTION, "gremlins asked for it", "asking first"
        )

        better = f"{ACTION}, with the frozen lock file"
        if by_verdict:
            life.judges(EVIDENCE, "Capture", "UserCorrection", better, "the lock file is made by pnpm", "")
        else:
            life.does("feedback", "add", "--when", PLACE, "--do", better, "--title", better, "--json")

        in_force = [one for one in life.stored() if one.is_in_force]
        assert [one.action for one in in_force] == [better]
        assert not any("gremlins" in one.reason or "asking" in one.mistake for one in in_force)
