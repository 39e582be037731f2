"""Persist: the one step in which both entrances of capture meet: one duplicate check, one ledger. Light.

A lesson is compared with the living rules of its own scope. What says the same reinforces the rule that is there; what
refines or replaces one takes its place, when it comes from a person's own words; a doubt becomes two rules and a
question for the review.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple, Protocol

from agentrecall_domain.capture.finalized import Outcome
from agentrecall_domain.rules.duplicate import Verdict, fetch_terms, judge_each
from agentrecall_domain.rules.rule import MOST_TAGS, CaptureReason, Origin, Rule, RuleContent, Status
from agentrecall_domain.rules.status import IN_FORCE, WAITING

FLAG_CONFIDENCE = 0.70
"""A rule that is trusted so much is not replaced without a person (config `dedup_flag_confidence`)."""
PERSON = "person"
"""The actor who says it in so many words."""
REFINED = 0.05
"""What a rule that refines another gains over the more trusted of the two."""


class PersistStore(Protocol):
    """The queries that persisting needs; *project_id* None is global memory."""

    def rules_with(self, terms: list[str]) -> dict[str, int]: ...
    def rules_alike(self, content: RuleContent, project_id: int | None, terms: list[str]) -> list[Rule]: ...
    def archived_alike(self, content: RuleContent, project_id: int | None, terms: list[str]) -> list[Rule]: ...
    def get_rule(self, rule_id: int) -> Rule: ...
    def add_rule(self, content: RuleContent, status: Status, project_id: int | None, actor: str) -> Rule: ...
    def edit(self, rule: Rule, content: RuleContent, actor: str, change: str = "edited") -> Rule: ...
    def reinforce(self, rule: Rule, by: float, why: str, *, standing: bool = False, actor: str = "verdict") -> None: ...
    def supersede(self, old: Rule, content: RuleContent, actor: str) -> Rule: ...
    def flag(self, kind: str, rule_id: int, other_id: int, why: str) -> int: ...


class Known(NamedTuple):
    """The rule that a lesson has to do with, and how."""

    rule: Rule
    verdict: Verdict


def find_known(store: PersistStore, content: RuleContent, project_id: int | None) -> Known | None:
    """The living rule of the same scope that *content* repeats, refines or replaces; None for another matter."""
    terms = fetch_terms(content, store.rules_with)
    alike = sorted(store.rules_alike(content, project_id, terms), key=lambda rule: rule.id)
    judged = [Known(rule, verdict) for rule, verdict in zip(alike, judge_each(alike, content), strict=True)]
    for wanted in (Verdict.DUPLICATE, Verdict.REFINE, Verdict.SUPERSEDE):
        # What is in force goes before what waits.
        found = [known for known in judged if known.verdict is wanted]
        if found:
            return min(found, key=lambda known: known.rule.status not in IN_FORCE)
    return None


def _find_refused(store: PersistStore, content: RuleContent, project_id: int | None) -> Rule | None:
    """A rule that says the same and that a person took out of recall."""
    terms = fetch_terms(content, store.rules_with)
    archived = store.archived_alike(content, project_id, terms)
    verdicts = zip(archived, judge_each(archived, content), strict=True)
    return next((rule for rule, verdict in verdicts if verdict is Verdict.DUPLICATE), None)


def persist(
    store: PersistStore,
    content: RuleContent,
    status: Status,
    project_id: int | None,
    actor: str,
    *,
    why: str = "",
    standing: bool = False,
    asked_for: bool = False,
) -> Outcome:
    """Store *content* as a rule of this *status*, unless the memory knows it; *why* says why it has to wait.

    *asked_for* means that the user asked to save it, which is a person's word.
    """
    if actor != PERSON and not asked_for:
        refused = _find_refused(store, content, project_id)
        if refused is not None:
            return Outcome("skipped", None, f"{refused.label} said the same, and a person archived it")
    known = find_known(store, content, project_id)
    if known is None:
        rule = store.add_rule(content, status, project_id, actor)
        return Outcome("captured" if status is Status.ACTIVE else "pending", rule.id, why)
    says_so = (actor == PERSON or asked_for) and status is Status.ACTIVE
    if known.verdict is Verdict.DUPLICATE and not (says_so and _is_unproved(known.rule)):
        return _repeat(store, known.rule, content, standing=standing, says_so=says_so, actor=actor)
    if status is Status.ACTIVE and _gives_way(known) and (says_so or not _is_persons(known.rule)):
        refines = known.verdict is Verdict.REFINE
        # What waits has words in it that nobody approved: none of them may come along.
        merged = _merged(known.rule, content) if refines and known.rule.is_in_force else content
        rule = store.supersede(known.rule, merged, actor)
        return Outcome("refined" if refines else "superseded", rule.id, f"in place of {known.rule.label}")
    rule = store.add_rule(content, status, project_id, actor)
    store.flag(known.verdict, rule.id, known.rule.id, f"{known.verdict} {known.rule.label}?")
    question = f"may {known.verdict} {known.rule.label}; see 'agentrecall review'"
    return Outcome(
        "captured" if status is Status.ACTIVE else "pending", rule.id, f"{why}; {question}" if why else question
    )


def _repeat(
    store: PersistStore, known: Rule, content: RuleContent, *, standing: bool, says_so: bool, actor: str
) -> Outcome:
    """Reinforce the rule that says the same, and keep what the repetition alone gave; *says_so*: a person does."""
    missing = {
        name: getattr(content, name)
        for name in ("reason", "mistake", "evidence")
        if getattr(content, name) and not getattr(known, name)
    }
    # What an agent adds to a rule in force would pass the review by.
    if missing and (known.status in WAITING or says_so):
        known = store.edit(known, dataclasses.replace(known.content, **missing), actor, f"gained {', '.join(missing)}")
    store.reinforce(known, 0.0, "the same rule was captured again", standing=standing, actor=actor)
    return Outcome("reinforced", known.id, f"{known.label} says the same")


def _is_persons(rule: Rule) -> bool:
    """Whether a person gave the rule in force in so many words: no judge's words take its place unasked."""
    return rule.is_in_force and rule.capture_reason is CaptureReason.MANUAL_FEEDBACK


def _is_unproved(rule: Rule) -> bool:
    """Whether the rule waits in words that are not the user's."""
    return rule.status in WAITING and rule.origin is not Origin.USER


def _gives_way(known: Known) -> bool:
    """Whether the rule may be replaced without asking: it is not in force, or the new one holds all that it says."""
    if known.rule.status in WAITING or known.verdict is Verdict.REFINE:
        return not known.rule.pinned
    return known.rule.confidence < FLAG_CONFIDENCE and not known.rule.pinned


def _merged(old: Rule, new: RuleContent) -> RuleContent:
    """The refined rule: the new words, what they leave out, and more trust than either had."""
    return dataclasses.replace(
        new,
        trigger=new.trigger or old.trigger,
        mistake=new.mistake or old.mistake,
        reason=new.reason or old.reason,
        tags=tuple(dict.fromkeys((*old.tags, *new.tags)))[:MOST_TAGS],
        always_apply=old.always_apply or new.always_apply,
        priority=max(old.priority, new.priority),
        confidence=round(min(1.0, max(old.confidence, new.confidence) + REFINED), 4),
    )
