"""Category: what kind of lesson a text holds, and how far it is trusted at first. Light, total, deterministic."""

from __future__ import annotations

from agentrecall_domain.capture import category_words as w
from agentrecall_domain.capture.clause_words import NOUNS_TOO
from agentrecall_domain.capture.phrases import says, spaced, word_set
from agentrecall_domain.capture.preference import recognise
from agentrecall_domain.capture.signals import third_person
from agentrecall_domain.capture.spoken import folded, prose
from agentrecall_domain.capture.worthiness import SkipReason, Worthiness, judge
from agentrecall_domain.capture.worthiness_words import EXTENSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.capture.extraction import Lesson

LESSON_CONFIDENCE = 0.70
CONVENTION_CONFIDENCE = 0.55
PREFERENCE_CONFIDENCE = 0.90

_LONGEST_READ = 4_000


def classify(text: str, lesson: Lesson) -> tuple[str, float]:
    """The category of *text*, out of which *lesson* was read, and the confidence that it starts with."""
    judged = judge(text)
    if judged.skip is SkipReason.CODE_FACT or judged.worthiness is Worthiness.NEEDS_REVIEW:
        return "CodeFact", judged.confidence
    preference = recognise(text) if judged.worthiness is Worthiness.WORTH_STORING else None
    if preference:
        return preference.category, PREFERENCE_CONFIDENCE
    if judged.worthiness is Worthiness.NOT_WORTH_STORING or not (lesson.action or lesson.mistake):
        return "unknown", judged.confidence
    if _is_of_this_repository(text):
        return "RepositoryConvention", CONVENTION_CONFIDENCE
    return "EngineeringLesson", LESSON_CONFIDENCE


def _is_of_this_repository(text: str) -> bool:
    """Whether *text* speaks of this repository or team: "here", "our", "we use", or its own folders and tools."""
    said = prose(text[:_LONGEST_READ])
    flat = spaced(folded(said))
    if says(w.EVERYWHERE, flat):
        return False
    if says(w.OURS, flat) or any(sign in said for sign in w.OURS_ELSEWHERE) or _is_said_of_us(flat.split()):
        return True
    words = [word.strip("`,;:!?()\"'") for word in said.replace("`", " ").split()]
    return any(_is_own(word, words[at + 1] if at + 1 < len(words) else "") for at, word in enumerate(words))


def _is_said_of_us(words: list[str]) -> bool:
    """Whether a team speaks of itself, its people or its services."""
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        if word in {"we", "we've"} and (after in w.HABITS or after in {"all", "both", "no"}):
            return True
        begun = not at or words[at - 1] in {".", ",", ";", ":"}
        if (
            word == "here"
            and not (begun and after in {"is", "are", "comes", "goes"})
            and after not in {"we", "be", "you"}
        ):
            return True
        if word in w.SERVICES or (word in w.COMPANY and at and words[at - 1] not in {"a", "any", "every", "your"}):
            return True
        if word == "ci" and third_person(after) and after not in NOUNS_TOO:
            return True
        if word in w.PEOPLE and (after in _DOES or third_person(after)) and words[at - 1 : at] != ["the"]:
            return True
    return False


_DOES = word_set("has have needs need signs sign said wants want reads read reviews runs owns keeps gets asks uses can")


def _is_own(word: str, after: str) -> bool:  # noqa: PLR0911 -- one sign a return, in their order
    """Whether *word* is a folder, file, target, class or channel of this repository."""
    low = word.lower()
    if word.startswith("@") and "/" in word and not word.startswith(w.KNOWN_SCOPES):
        return True
    if word.startswith("#") and "-" in word and word[1:].replace("-", "").isalpha() and word.islower():
        return True
    if low in w.RUNNERS and (after in w.TARGETS or (after == "run" and low != "make")):
        return True
    if "://" in word or word.startswith(("/", "~", "http", "<", "--", "..")):
        return False
    if "/" in word and any(map(str.isalpha, word)):
        parts = word.split("/")
        known = parts[0].lower() in w.FOLDERS
        return (
            known
            or (
                len(parts) > 2  # noqa: PLR2004 -- counts words
                and all(
                    part.replace("-", "").replace("_", "").replace(".", "").replace("*", "").isalnum() or not part
                    for part in parts
                )
            )
            or (word.endswith("/") and parts[0].islower())
        )
    head, dot, ending = word.rpartition(".")
    if dot and head and ending in EXTENSIONS and low not in w.KNOWN_FILES and not head.startswith("*"):
        return "(" not in word and len(head) > 1 and (ending not in {"h", "c"})
    if word in {"Makefile", "justfile", "CODEOWNERS"} or low.startswith(("adr-", "rfc-")):
        return True
    word = word.split(".", 1)[0]
    return (
        word.endswith(w.OWN_CLASSES)
        and word[:1].isupper()
        and word not in w.OWN_CLASSES
        and not word.startswith(w.KNOWN_CLASSES)
        and word.isalnum()
    )
