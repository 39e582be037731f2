"""Worthiness: whether a text holds a lesson, and not a fact, praise, a question, a plan or a log. Light."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from agentrecall_domain.capture import worthiness_words as w
from agentrecall_domain.capture.clause import clauses_of
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.clause_words import NOUNS_TOO
from agentrecall_domain.capture.code_words import has_code
from agentrecall_domain.capture.phrases import begins_with, says, spaced
from agentrecall_domain.capture.preference import recognise
from agentrecall_domain.capture.program_output import is_command, is_output
from agentrecall_domain.capture.signals import third_person
from agentrecall_domain.capture.spoken import folded, prose
from agentrecall_domain.text.tokenizer import terms


class Worthiness(StrEnum):
    """Whether a text is worth a rule."""

    WORTH_STORING = "WorthStoring"
    NEEDS_REVIEW = "NeedsReview"
    NOT_WORTH_STORING = "NotWorthStoring"


class SkipReason(StrEnum):
    """Why nothing is stored."""

    NONE = "None"
    EXPLICIT_DO_NOT_SAVE = "ExplicitDoNotSave"
    ASSISTANT_PROSE = "AssistantProse"
    MALFORMED_TRIGGER = "MalformedTrigger"
    MISSING_ACTION = "MissingAction"
    MISSING_REASON = "MissingReason"
    TOO_VAGUE = "TooVague"
    DUPLICATE_NOISE = "DuplicateNoise"
    CODE_FACT = "CodeFact"
    NOT_REUSABLE = "NotReusable"
    OFF_TOPIC = "OffTopic"
    SOURCE_DOCUMENT = "SourceDocument"
    TOOL_OR_SKILL_INSTRUCTION = "ToolOrSkillInstruction"
    COMMAND_OUTPUT = "CommandOutput"
    LOG_OUTPUT = "LogOutput"


class Judged(NamedTuple):
    """What was found, how sure that is, and why in words for a person."""

    worthiness: Worthiness
    skip: SkipReason
    confidence: float
    why: str


_LONGEST_READ = 6_000
_LONGEST_PRAISE = 240


def judge(text: str) -> Judged:
    """Judge *text* as somebody's feedback: is it a lesson, for the next time too?"""
    judged = _judged_last.get(text)
    if judged is None:
        judged = _judge(text)
        _judged_last.clear()
        _judged_last[text] = judged
    return judged


# Category and rewriting ask for the judgement of the text that was judged just before.
_judged_last: dict[str, Judged] = {}


def _judge(text: str) -> Judged:  # noqa: C901, PLR0911, PLR0912 -- one sign a return, in their order
    said, outputs, commands = _without_output(text[:_LONGEST_READ])
    if not any(map(str.isalnum, said)):
        if outputs or commands:
            return _no(SkipReason.COMMAND_OUTPUT if commands else SkipReason.LOG_OUTPUT, 0.9, "command output or a log")
        if any(map(str.isalnum, text)):
            return _no(SkipReason.SOURCE_DOCUMENT, 0.8, "code, or other people's words")
        return _no(SkipReason.MISSING_ACTION, 1.0, "no word in it")
    flat = spaced(folded(said))
    clauses = clauses_of(said)
    demands = [clause for clause in clauses if clause.kind in {Kind.ASK, Kind.REFUSAL}]
    standing = says(w.STANDING, flat) or any(sign in said for sign in w.STANDING_ELSEWHERE)
    narrates = _narrates(said)
    insists = says(w.INSISTS, flat) or any(
        clause.kind is Kind.REFUSAL and clause.lead not in {"no", "instead", "out", "not"} for clause in demands
    )
    if narrates and not insists:
        return _no(SkipReason.ASSISTANT_PROSE, 0.85, "narration, a plan or a status")
    if recognise(said):
        return Judged(Worthiness.WORTH_STORING, SkipReason.NONE, 0.9, "a standing preference")
    if all(clause.lead == "how" for clause in demands):
        return _undemanding(said, flat, clauses, outputs or commands)
    asked = any(clause.kind is Kind.QUESTION and clause.lead != "?" for clause in clauses) or _asks(flat)
    ordered = any(clause.kind is Kind.ASK and not clause.lead for clause in demands)
    if asked and not ordered and not standing and not _strong(flat, demands):
        return _no(SkipReason.NOT_REUSABLE, 0.8, "a question")
    if not standing and len(flat) <= _LONGEST_PRAISE and _is_praise(said, flat, demands):
        return _no(SkipReason.NOT_REUSABLE, 0.85, "praise")
    if (outputs or commands) and not (standing or _strong(flat, demands)):
        return _no(SkipReason.LOG_OUTPUT, 0.7, "mostly a log")
    if says(w.OF_THE_DAY, flat) and all(clause.lead in {"must", "how"} for clause in demands):
        return _no(SkipReason.NOT_REUSABLE, 0.7, "a fact of the day")
    if _is_vague(demands, flat):
        return _no(SkipReason.TOO_VAGUE, 0.8, "too vague to be followed")
    if not standing and _is_for_now(flat) and not _strong(flat, demands):
        return _no(SkipReason.NOT_REUSABLE, 0.7, "a task for now, not a rule for next time")
    if _is_lesson(flat, clauses):
        return Judged(Worthiness.WORTH_STORING, SkipReason.NONE, 0.9, "says when or why, or what to avoid")
    return Judged(Worthiness.WORTH_STORING, SkipReason.NONE, 0.6, "asks for something")


def _undemanding(said: str, flat: str, clauses: list[Clause], output: int) -> Judged:  # noqa: C901, PLR0911 -- one sign a return, in their order
    """Judge a text in which nobody asks for anything: a fact, praise, a question."""
    if any(clause.kind is Kind.QUESTION for clause in clauses) or _asks(flat):
        return _no(SkipReason.NOT_REUSABLE, 0.9, "a question")
    if _praises(said, flat) and len(flat) <= _LONGEST_PRAISE:
        return _no(SkipReason.NOT_REUSABLE, 0.9, "praise")
    if output:
        return _no(SkipReason.LOG_OUTPUT, 0.85, "a log with a word about it")
    today = says(w.OF_THE_DAY, flat)
    orders = says(w.STRONG_STATEMENT, flat) or says(w.ORDERED, flat) or any(sign in said for sign in w.DUTY_ELSEWHERE)
    if orders or flat.startswith(" only ") or {Kind.CONDITION, Kind.REASON} <= {clause.kind for clause in clauses}:
        return Judged(Worthiness.WORTH_STORING, SkipReason.NONE, 0.6, "says how it is to be done")
    judges = says(w.JUDGEMENT, flat) and (_is_general(clauses) or says(w.OF_OURS, flat))
    if judges and not today:
        return Judged(Worthiness.WORTH_STORING, SkipReason.NONE, 0.55, "says what things of a kind are worth")
    code = has_code(said)
    odd = says(w.PATTERN_EXCEPTION, flat) or (says(w.PATTERN_BREAK, flat) and not _is_convention(clauses))
    if code and says(w.PATTERN_ALL, flat) and odd:
        return Judged(Worthiness.NEEDS_REVIEW, SkipReason.NONE, 0.7, "a fact about the code that hints at a pattern")
    if not today and not code and _is_timeless(said, clauses):
        return Judged(Worthiness.WORTH_STORING, SkipReason.NONE, 0.5, "says what holds of all things of a kind")
    if not today and _is_convention(clauses) and (_is_ours(flat) or not (code or any(map(str.isdigit, said)))):
        return Judged(Worthiness.WORTH_STORING, SkipReason.NONE, 0.6, "says how it is to be done")
    if code:
        return _no(SkipReason.CODE_FACT, 0.85, "a fact about the code, which the code says itself")
    if says(w.LESSON_STATEMENT, flat):
        return Judged(Worthiness.WORTH_STORING, SkipReason.NONE, 0.6, "says how it is always done")
    return _no(SkipReason.NOT_REUSABLE, 0.75, "a fact, and nothing to do differently")


def _narrates(said: str) -> bool:
    """Whether a sentence begins as an account of one's own work does, a plan or a status."""
    starts = [part for line in said.lower().replace("\u2019", "'").split("\n") for part in _parts(line)]
    for part in starts:
        words = part.split()
        while (
            len(words) > 1
            and words[0].strip(",.!") in w.PROSE_OPENERS
            and (words[0][-1] in ",.!" or words[0] in _FILLERS)
        ):
            words = words[1:]
        bare, whole = spaced(" ".join(words[:8])), spaced(" ".join(part.split()[:8]))
        if (begins_with(w.PROSE, bare) or begins_with(w.PROSE, whole)) and not bare.startswith(" let me know "):
            return True
        if _did(words):
            return True
    return False


_FILLERS = frozenset(("ok", "okay", "so", "now", "then", "also", "and", "sure", "first"))


def _parts(line: str) -> list[str]:
    """The sentences of *line*, and what follows a colon in it."""
    parts = [line]
    for mark in (". ", "! ", "? "):
        parts = [piece for part in parts for piece in part.split(mark)]
    return [*parts, *(part.split(": ", 1)[1] for part in parts if ": " in part)]


def _did(words: list[str]) -> bool:
    """Whether *words* begin as what one has done: "added the", "I then moved", "I have now re-run"."""
    if len(words) < 2:  # noqa: PLR2004 -- counts words
        return False
    if words[0] in w.DONE:
        return words[1] in {"the", "a", "an", "some", "all", "test", "tests"}
    if words[0] != "i":
        return False
    at = 1
    while at < len(words) - 1 and words[at] in {"have", "just", "also", "then", "now"}:
        at += 1
    verb = words[at].strip(",.")
    return verb in w.DONE or (at > 1 and words[1] == "have" and verb.endswith("ed"))


def _is_praise(said: str, flat: str, demands: list[Clause]) -> bool:
    """Whether praise is all that it is, though a word of it looked like an ask."""
    if begins_with(w.PRAISE_START, flat):
        weak = all(clause.kind is Kind.REFUSAL and clause.lead in {"instead", "not", "no"} for clause in demands)
        return weak or not _strong(flat, demands)
    return _praises(said, flat) and not _strong(flat, demands) and not _is_vague(demands, flat)


def _praises(said: str, flat: str) -> bool:
    return says(w.PRAISE, flat) or any(sign in said for sign in w.PRAISE_ELSEWHERE)


def _asks(flat: str) -> bool:
    """Whether it begins as a question does, and goes on with nothing else."""
    words = flat.split()
    while words and words[0].strip(",:") in w.QUESTION_OPENERS | {",", ":"}:
        words = words[1:]
    if not begins_with(w.QUESTION_START, f" {' '.join(words)} "):
        return False
    return not any(word in {".", "!"} for word in words[:-1])


def _is_for_now(flat: str) -> bool:
    """Whether it is a task for now: "fix this", "rename it today"."""
    if says(w.THIS_ONCE, flat):
        return True
    words = flat.split()
    return any(
        word in w.TASKS
        and words[at + 1] in {"this", "that", "it", "these"}
        and words[at + 2 : at + 3] not in (["when"], ["before"], ["after"], ["in"])
        for at, word in enumerate(words[:-1])
    )


def _is_general(clauses: list[Clause]) -> bool:
    """Whether what is told is told of all things of a kind: of plurals, of "a" or "any" such thing, of an act."""
    for clause in clauses[:2]:
        words = clause.text.lower().split()
        if not words:
            continue
        first = words[0].strip(":,")
        if first in {"no", "nobody", "nothing", "a", "an", "any", "every", "each", "all", "only"} or first.endswith(
            "ing"
        ):
            return True
        if (
            any(
                word.endswith("s")
                and not word.endswith("ss")
                and len(word) > 3  # noqa: PLR2004 -- counts words
                and (word in NOUNS_TOO or not third_person(word))
                and word not in {"this", "always", "does", "was", "has"}
                for word in words[:4]
            )
            and first not in {"the", "our", "this", "that", "it", "they"}
        ):
            return True
    return False


def _is_convention(clauses: list[Clause]) -> bool:
    """Whether a statement tells how it is always done: "tickets go in the branch name"."""
    return any(clause.ask or clause.lead == "how" for clause in clauses)


def _is_timeless(said: str, clauses: list[Clause]) -> bool:
    """Whether something general is told, with no name, number or day in it."""
    words = said.split()
    named = any(word[:1].isupper() and words[at - 1][-1] not in ".!?" for at, word in enumerate(words) if at)
    return len(words) > 5 and not named and not any(map(str.isdigit, said)) and _is_general(clauses)  # noqa: PLR2004 -- counts words


def _is_ours(flat: str) -> bool:
    return any(
        f" {word} " in flat
        for word in (
            "here",
            "our",
            "we",
            "new",
            "every",
            "all",
            "each",
            "this repo",
            "this project",
            "this codebase",
            "hier",
            "unser",
            "ici",
            "notre",
            "aqu\u00ed",
            "ce d\u00e9p\u00f4t",
            "este repo",
        )
    )


def _is_lesson(flat: str, clauses: list[Clause]) -> bool:
    kinds = {clause.kind for clause in clauses}
    return bool(kinds & {Kind.CONDITION, Kind.REASON, Kind.REFUSAL, Kind.PLACE}) or says(w.CONTRAST, flat)


def _strong(flat: str, demands: list[Clause]) -> bool:
    """Whether the ask is more than a stray verb: it refuses, contrasts, or is a duty."""
    return says(w.CONTRAST, flat) or any(
        clause.kind is Kind.REFUSAL or clause.lead in {"must", "forgot", "we"} for clause in demands
    )


def _is_vague(demands: list[Clause], flat: str) -> bool:
    if says(w.CONTRAST, flat) or len(set(terms(flat))) > 5:  # noqa: PLR2004 -- counts words
        return False
    left = {term for clause in demands for term in terms(clause.text)} - w.VAGUE_TERMS
    return not left or (len(left) == 1 and says(w.VAGUE, flat))


def _without_output(text: str) -> tuple[str, int, int]:
    """*text* without the lines that a program printed; how many of those there were, and how many commands."""
    kept, outputs, commands = [], 0, 0
    for line in text.splitlines():
        bare = line.strip()
        if is_command(bare):
            commands += 1
        elif is_output(line) or (commands and "  " in bare):
            outputs += 1
        else:
            kept.append(line)
    # Under a command stands what it printed, as long as nobody speaks.
    if commands and outputs and len(kept) <= outputs + 1 and not any(_speaks(line) for line in kept):
        kept = []
    if outputs and not commands and kept and not any(_speaks(line) for line in kept) and outputs >= len(kept):
        kept = []
    return prose("\n".join(kept)), outputs, commands


def _speaks(line: str) -> bool:
    return any(clause.kind in {Kind.ASK, Kind.REFUSAL} for clause in clauses_of(line)) and not line.startswith(
        (" ", "\t")
    )


def _no(reason: SkipReason, confidence: float, why: str) -> Judged:
    return Judged(Worthiness.NOT_WORTH_STORING, reason, confidence, why)
