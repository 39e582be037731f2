"""The review of notes: a newer note that may take a trusted one's place, and the lessons that notes seem to teach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agentrecall_admin.console import Failure, project_here
from agentrecall_domain.text.harmless import harmless
from agentrecall_storage.review_items import ACCEPTED, REJECTED

if TYPE_CHECKING:
    from agentrecall_domain.capture.finalized import Outcome
    from agentrecall_domain.notes.note import Note
    from agentrecall_domain.rules.lesson_candidate import LessonCandidate
    from agentrecall_storage.memory import Memory

PERSON = "person"
LIVE = "Live"


class NotePair(NamedTuple):
    """Two living notes, of which the newer may supersede the other, and why the memory asks."""

    id: int
    note: Note
    other: Note
    why: str


def pairs(opened: Memory) -> list[NotePair]:
    """The pairs that wait in the current project and globally, oldest first; one that is dead is no question."""
    project_id = opened.find_project(project_here())
    found = []
    for flag in opened.notes.open_flags():
        note, other = opened.notes.get(flag["note_id"]), opened.notes.get(flag["other_id"])
        if note.status == other.status == LIVE and note.project_id in (None, project_id):
            found.append(NotePair(flag["id"], note, other, flag["why"]))
    return found


def lessons(opened: Memory) -> list[LessonCandidate]:
    """The lesson candidates that wait in the current project and globally, oldest first."""
    return opened.lesson_candidates.waiting(opened.find_project(project_here()))


def let_supersede(opened: Memory, note_id: int) -> Note:
    """Put the note in the place of every note that it is paired with.

    Raises:
        Failure: It is paired with none.
    """
    for pair in _paired(opened, note_id):
        take_place(opened, pair)
    return opened.notes.get(note_id)


def keep_both(opened: Memory, note_id: int) -> Note:
    """Let the note stand beside every note that it is paired with.

    Raises:
        Failure: It is paired with none.
    """
    for pair in _paired(opened, note_id):
        let_stand(opened, pair)
    return opened.notes.get(note_id)


def take_place(opened: Memory, pair: NotePair) -> None:
    """Tombstone the other note of *pair*: the newer one is in its place."""
    with opened.writing():
        opened.notes.settle(pair.id, ACCEPTED)
        opened.notes.tombstone(pair.other, by=pair.note.id, reason=f"supersede: {pair.note.label}", actor=PERSON)


def let_stand(opened: Memory, pair: NotePair) -> None:
    """Close the question: both notes stay."""
    opened.notes.settle(pair.id, REJECTED)


def accept(opened: Memory, candidate_id: int) -> Outcome:
    """Make a rule of the lesson, in force.

    Raises:
        Failure: There is no such lesson that waits, or no rule in it.
    """
    from agentrecall_domain.capture.feedback import EmptyFeedbackError  # noqa: PLC0415 -- the reading of feedback
    from agentrecall_domain.rules.rule import InvalidRuleError  # noqa: PLC0415 -- as above

    try:
        return opened.lesson_candidates.accept(_waiting(opened, candidate_id))
    except (EmptyFeedbackError, InvalidRuleError) as error:
        raise Failure(f"there is no rule in lesson 'L{candidate_id}'; reject it, or add the rule by hand") from error


def reject(opened: Memory, candidate_id: int) -> LessonCandidate:
    """Reject the lesson: it is not suggested again.

    Raises:
        Failure: There is no such lesson that waits.
    """
    return opened.lesson_candidates.reject(_waiting(opened, candidate_id))


def pair_line(pair: NotePair) -> str:
    """A pair on one line."""
    return (
        f"{pair.note.label} {harmless(pair.note.title)}\n"
        f"    may supersede {pair.other.label} {harmless(pair.other.title)}  ({harmless(pair.why)})"
    )


def lesson_line(candidate: LessonCandidate) -> str:
    """A lesson on one line, with how often it was seen."""
    times = f", seen {candidate.occurrence_count} times" if candidate.occurrence_count > 1 else ""
    return f"L{candidate.id} lesson  {harmless(candidate.suggested_rule)}  ({candidate.confidence:.2f}{times})"


def note_object(note: Note) -> dict[str, Any]:
    """A note as `--json` prints it."""
    return {"label": note.label, **note.model_dump(mode="json")}


def pair_object(pair: NotePair) -> dict[str, Any]:
    """A pair as `--json` prints it, in the shape of a pair of rules."""
    return {
        "note": note_object(pair.note),
        "flags": [{"kind": "supersede", "other": note_object(pair.other), "why": pair.why}],
    }


def lesson_object(candidate: LessonCandidate) -> dict[str, Any]:
    """A lesson as `--json` prints it."""
    return {"lesson": {"label": f"L{candidate.id}", **candidate.model_dump(mode="json")}}


def _paired(opened: Memory, note_id: int) -> list[NotePair]:
    found = [pair for pair in pairs(opened) if pair.note.id == note_id]
    if not found:
        raise Failure(f"'N{note_id}' is flagged against no living note; 'agentrecall review --list' shows what waits")
    return found


def _waiting(opened: Memory, candidate_id: int) -> LessonCandidate:
    found = next((candidate for candidate in lessons(opened) if candidate.id == candidate_id), None)
    if found is None:
        raise Failure(f"no lesson 'L{candidate_id}' waits here; 'agentrecall review --list' shows what waits")
    return found
