"""Finalizing a turn: what a verdict makes of the memory, and the trust that a rule starts with. Cold."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Protocol

from agentrecall_domain.capture.evidence import is_about, is_said
from agentrecall_domain.capture.finalized import Outcome, Turn
from agentrecall_domain.capture.persist import PersistStore, persist
from agentrecall_domain.capture.preference import recognise
from agentrecall_domain.capture.verdict import (
    Decision,
    JudgedReason,
    MemoryType,
    NormalizedRule,
    Refused,
    TurnVerdict,
    Verdict,
)
from agentrecall_domain.capture.wishes import Wish, wish_over
from agentrecall_domain.rules.rule import CaptureReason, Category, Origin, Rule, RuleContent, ScopeLevel, Status
from agentrecall_domain.rules.scope import GLOBAL, REPOSITORY, named_files
from agentrecall_domain.rules.status import DEAD
from agentrecall_domain.rules.trigger_quality import TriggerProblem, trigger_problem
from agentrecall_domain.text.scrub import scrub

CAPTURE_CONFIDENCE = 0.80
SUGGEST_CONFIDENCE = 0.55
REINFORCEMENT = 0.10
ACTOR = "verdict"
UNPROVED = "the evidence is not a verbatim span of what the user said in this turn about it"

NEVER_SAVED = {
    JudgedReason.SOURCE_DOCUMENT_ONLY,
    JudgedReason.ASSISTANT_PROSE,
    JudgedReason.COMMAND_OUTPUT_ONLY,
    JudgedReason.LOG_OUTPUT_ONLY,
    JudgedReason.NOT_MEMORY,
    JudgedReason.NOT_REUSABLE,
    JudgedReason.AMBIGUOUS,
    JudgedReason.CODE_FACT,
}
CATEGORIES = {
    MemoryType.REPOSITORY_CONVENTION: Category.REPOSITORY_CONVENTION,
    MemoryType.TOOL_WORKFLOW_CONVENTION: Category.REPOSITORY_CONVENTION,
    MemoryType.USER_PREFERENCE: Category.USER_PREFERENCE,
    MemoryType.COMMUNICATION_PREFERENCE: Category.COMMUNICATION_PREFERENCE,
}
REASONS = {
    JudgedReason.EXPLICIT_USER_SAVE: CaptureReason.MANUAL_FEEDBACK,
    JudgedReason.REVIEWER_CORRECTION: CaptureReason.ACCEPTED_REVIEW_COMMENT,
    JudgedReason.REPEATED_MISTAKE: CaptureReason.REPEATED_CORRECTION,
    JudgedReason.USER_CORRECTION: CaptureReason.USER_CORRECTION,
    JudgedReason.OBSERVED_AGENT_FAILURE: CaptureReason.OBSERVED_AGENT_FAILURE,
    JudgedReason.DOC_BACKED_CORRECTION: CaptureReason.OBSERVED_AGENT_FAILURE,
    JudgedReason.USER_PREFERENCE: CaptureReason.EXPLICIT_USER_PREFERENCE,
}


TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.text.concept_vector import ConceptStore


class FinalizeStore(PersistStore, Protocol):
    """The queries that finalizing needs."""

    @property
    def concepts(self) -> ConceptStore: ...
    def find_rule(self, rule_id: int) -> Rule | None: ...


def raw_hash(turn: TurnVerdict) -> str:
    """What makes a handed-in verdict the same one again: SHA-256 over the turn, its text and the verdicts."""
    verdicts = "\n".join(verdict.model_dump_json() for verdict in turn.verdicts)
    parts = (turn.session_id, turn.turn_id, turn.cwd, turn.source, turn.prompt, turn.assistant_response, verdicts)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def finalize(
    store: FinalizeStore, handed_in: TurnVerdict, turn: Turn, project: tuple[int, str] | None
) -> list[Outcome]:
    """Carry out each verdict by itself; *project* is the turn's project (id and uid), None when it has none."""
    wish = wish_over(turn.said or turn.around)
    return [
        Outcome("refused", None, item.why)
        if isinstance(item, Refused)
        else Outcome("skipped", None, "the user asked not to save it")
        if wish is Wish.DO_NOT_SAVE
        else _carry_out(store, item, handed_in, turn, project)
        for item in handed_in.verdicts
    ]


def _carry_out(
    store: FinalizeStore, verdict: Verdict, handed_in: TurnVerdict, turn: Turn, project: tuple[int, str] | None
) -> Outcome:
    refusal = _why_not(verdict, handed_in.assistant_response)
    if refusal:
        return Outcome("skipped", None, refusal)
    target = _target(store, verdict, project)
    if _reinforces(verdict):
        return _reinforce(store, verdict, turn, target)

    content = _content(verdict, handed_in, turn, project)
    project_id = None if content.scope_level is ScopeLevel.GLOBAL or project is None else project[0]
    is_proof = is_said(verdict.evidence, turn.said) and is_about(verdict.evidence, content, store.concepts)
    content = dataclasses.replace(content, origin=Origin.USER if is_proof else Origin.AGENT)
    is_repeated = verdict.capture_reason is JudgedReason.REPEATED_MISTAKE and is_proof
    is_wish = _is_asked_for(verdict, turn) and any(is_about(text, content, store.concepts) for text in turn.said)
    if not is_wish and content.capture_reason is CaptureReason.MANUAL_FEEDBACK:
        # The judge says that the user asked for it, and the user did not.
        content = dataclasses.replace(content, capture_reason=CaptureReason.NONE)
    why = "" if is_wish else _why_waiting(verdict, is_proof=is_proof)
    status = Status.PENDING if why else Status.ACTIVE
    if (
        verdict.decision is Decision.SUPERSEDE
        and target is not None
        and status is Status.ACTIVE
        and _yields(store, target, verdict, project_id)
    ):
        # What takes a rule's place holds where that one held.
        where = {name: getattr(target, name) for name in ("scope_level", "scope_value", "globs", "languages")}
        rule = store.supersede(target, dataclasses.replace(content, **where), ACTOR)
        return Outcome("superseded", rule.id, f"in place of {target.label}")
    outcome = persist(store, content, status, project_id, ACTOR, why=why, standing=is_repeated, asked_for=is_wish)
    if outcome.action in {"captured", "pending"} and verdict.decision is Decision.SUPERSEDE and target is not None:
        store.flag("supersede", outcome.rule_id or 0, target.id, f"the verdict would put it in place of {target.label}")
    return outcome


def _why_not(verdict: Verdict, answer: str) -> str:
    """Why a verdict leads to no rule, or an empty text."""
    reason = verdict.capture_reason
    if reason in NEVER_SAVED and verdict.decision is not Decision.SKIP:
        return f"{reason.value} is never saved"
    if reason is JudgedReason.EXPLICIT_USER_DO_NOT_SAVE:
        return "the user asked not to save it"
    if verdict.decision is Decision.SKIP:
        return scrub(verdict.why_not_saved or "") or "the judge skipped it"
    if _reinforces(verdict):
        return "" if verdict.target_existing_rule_id is not None else "no target_existing_rule_id to reinforce"
    return _why_no_rule(verdict, reason, answer)


def _why_no_rule(verdict: Verdict, reason: JudgedReason, answer: str) -> str:
    if verdict.memory_type is MemoryType.CODE_FACT:
        return f"{MemoryType.CODE_FACT.value} is never saved"
    rule = verdict.normalized_rule or NormalizedRule()
    missing = [name for name in ("title", "condition", "action") if not getattr(rule, name).strip()]
    if missing:
        return f"normalized_rule lacks {', '.join(missing)}"
    if answer.strip() and _folded(answer) in {_folded(rule.title), _folded(rule.action)}:
        return "the rule only repeats the agent's answer"
    unsafe = recognise(f"{rule.action} {verdict.evidence}")
    if unsafe is not None and unsafe.refused:
        return unsafe.refused
    if verdict.confidence < SUGGEST_CONFIDENCE and reason is not JudgedReason.EXPLICIT_USER_SAVE:
        return f"confidence {verdict.confidence:.2f} is under {SUGGEST_CONFIDENCE:.2f}"
    return ""


def _reinforces(verdict: Verdict) -> bool:
    return verdict.decision is Decision.REINFORCE or verdict.capture_reason is JudgedReason.DUPLICATE_EXISTING


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


def _reinforce(store: FinalizeStore, verdict: Verdict, turn: Turn, target: Rule | None) -> Outcome:
    """Raise a rule's confidence on the user's words about it; without them only note that the judge met it again."""
    if target is None:
        return Outcome("skipped", None, f"no rule R{verdict.target_existing_rule_id} here to reinforce")
    is_proof = is_said(verdict.evidence, turn.said) and is_about(verdict.evidence, target, store.concepts)
    standing = is_proof and verdict.capture_reason is JudgedReason.REPEATED_MISTAKE
    by = REINFORCEMENT if is_proof else 0.0
    store.reinforce(target, by, scrub(verdict.dedupe_notes or ""), standing=standing)
    return Outcome("reinforced", target.id, "" if is_proof else f"its confidence stays: {UNPROVED}")


def _yields(store: FinalizeStore, target: Rule, verdict: Verdict, project_id: int | None) -> bool:
    """Whether a proved verdict may take *target*'s place unasked: the words are about it, and it holds no wider."""
    if target.pinned or (target.project_id is None and project_id is not None):
        return False
    return is_about(verdict.evidence, target, store.concepts)


def _is_asked_for(verdict: Verdict, turn: Turn) -> bool:
    """Whether the user asked to save it: the judge says so, and the user's words do."""
    return verdict.capture_reason is JudgedReason.EXPLICIT_USER_SAVE and wish_over(turn.said) is Wish.SAVE


def _why_waiting(verdict: Verdict, *, is_proof: bool) -> str:
    """Why the rule waits for a person, or an empty text: it is in force only on the user's own words in this turn."""
    rule = verdict.normalized_rule or NormalizedRule()
    if not is_proof:
        return UNPROVED
    if verdict.capture_reason is JudgedReason.SELF_IDENTIFIED_FRICTION or verdict.decision is Decision.SUGGEST:
        return "the judge only suggests it"
    if verdict.confidence < CAPTURE_CONFIDENCE:
        return f"confidence {verdict.confidence:.2f} is under {CAPTURE_CONFIDENCE:.2f}"
    if not rule.because.strip():
        return "the rule has no reason"
    problem = trigger_problem(rule.condition, rule.action)
    return "" if problem is TriggerProblem.NONE else f"the condition is no usable trigger ({problem})"


def _content(verdict: Verdict, handed_in: TurnVerdict, turn: Turn, project: tuple[int, str] | None) -> RuleContent:
    rule = verdict.normalized_rule or NormalizedRule()
    category = CATEGORIES.get(verdict.memory_type, Category.ENGINEERING_LESSON)
    # A correction made in a repository is scoped to it; how a person likes to be spoken to goes with them.
    is_personal = category is Category.COMMUNICATION_PREFERENCE
    is_preference = is_personal or category is Category.USER_PREFERENCE
    everywhere = project is None or is_personal
    level, value, globs = (GLOBAL, "", []) if everywhere else named_files(scrub(rule.scope))
    if level == REPOSITORY and project is not None:
        value = project[1]
    return RuleContent(
        title=scrub(rule.title),
        trigger=scrub(rule.condition),
        action=scrub(rule.action),
        mistake=scrub(rule.avoid),
        reason=scrub(rule.because),
        category=category,
        scope_level=ScopeLevel(level),
        scope_value=value,
        globs=tuple(globs),
        tags=tuple(dict.fromkeys(scrub(tag).strip().lower() for tag in rule.tags if tag.strip())),
        always_apply=rule.always_apply or is_preference or verdict.capture_reason is JudgedReason.REPEATED_MISTAKE,
        confidence=verdict.confidence,
        capture_reason=REASONS.get(verdict.capture_reason, CaptureReason.NONE),
        evidence=scrub(verdict.evidence),
        session_uid=handed_in.session_id,
        turn_uid=turn.uid,
    )


def _target(store: FinalizeStore, verdict: Verdict, project: tuple[int, str] | None) -> Rule | None:
    """The rule that a verdict names, if this project may touch it."""
    if verdict.target_existing_rule_id is None:
        return None
    rule = store.find_rule(verdict.target_existing_rule_id)
    if rule is None or rule.status in DEAD or rule.project_id not in {None, project[0] if project else None}:
        return None
    return rule
