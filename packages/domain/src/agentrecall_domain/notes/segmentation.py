"""Segmentation: the turns of a session into episodes, each of one matter. Pure, and the same for the same turns.

An episode is closed by its size, by a gap, by a turn in another project, or by one about something else: little of its
words and concepts lie in the direction of what was said so far. The last one stays open; more turns may belong to it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from agentrecall_domain.notes.segmentation_words import GOES_ON, GOES_ON_CJK, turns_to_another
from agentrecall_domain.rules.rule import Tolerant
from agentrecall_domain.text.concept_vector import vector
from agentrecall_domain.text.stop_words import WEAK_WORDS
from agentrecall_domain.text.tokenizer import is_cjk, words_and_terms

if TYPE_CHECKING:
    from agentrecall_domain.text.concept_vector import ConceptStore, Known

ANSWER = 0.3
"""What the agent's words weigh against the user's: it repeats itself, and answers in its own terms."""
DECAY = 0.85
"""What is left of the running topic after each turn: a matter moves while it is worked on."""
WORDS = 0.7
"""The share of words in a similarity; the rest is concepts."""
WEAK = 0.3
LEAST_TOLD = 3.0
"""A prompt that says less than three words of weight goes on with what there is."""
SAID_OUTRIGHT = 0.15
"""By so much the boundary is raised where the user says that this is something else."""
LONGEST_READ = 1000
"""Characters of a prompt, and of an answer, that tell what it is about."""
HEAD = 80

_FIRST_WORD = re.compile(r"[\W_]*([^\W\d_]+)")

Key = TypeVar("Key", str, int)


class Closed(Tolerant):
    """Why an episode is over."""

    SIZE = "size"
    GAP = "gap"
    TOPIC = "topic"
    PROJECT = "project"
    END = "end"
    AGE = "age"
    UNKNOWN = "unknown"


class Limits(NamedTuple):
    """Where an episode ends: config keys `episode_max_turns`, `episode_gap_minutes`, `topic_shift`."""

    max_turns: int = 20
    gap_minutes: float = 30
    topic_shift: float = 0.06


USUAL = Limits()


class SaidTurn(NamedTuple):
    """One turn as segmentation reads it. None is a time or a project that nobody knows."""

    id: int
    prompt: str
    answer: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    project_id: int | None = None


class Stretch(NamedTuple):
    """The turns of one episode, and why it is over; None while it is open."""

    turns: tuple[SaidTurn, ...]
    closed: Closed | None


class _Topic(NamedTuple):
    """What a turn, or an episode so far, is about: its words, and its concepts."""

    words: Mapping[str, float]
    concepts: Mapping[int, float]


def segment(turns: Iterable[SaidTurn], concepts: ConceptStore, limits: Limits = USUAL) -> Iterator[Stretch]:
    """The episodes of *turns*, which come in the order of their file; all but the last are closed.

    What was read before an episode's beginning has no say: to go on with an open episode, hand in all of its turns.
    """
    known: Known = {}
    held: list[SaidTurn] = []
    running = _Topic({}, {})
    for turn in turns:
        topic = _topic(turn, concepts, known)
        why = _why_closed(held, turn, _likeness(running, topic), limits) if held else None
        if why is not None:
            yield Stretch(tuple(held), why)
            held, running = [], _Topic({}, {})
        held.append(turn)
        running = _Topic(_joined(running.words, topic.words), _joined(running.concepts, topic.concepts))
    if held:
        yield Stretch(tuple(held), None)


def _why_closed(held: list[SaidTurn], turn: SaidTurn, likeness: float, limits: Limits) -> Closed | None:
    """Why *turn* opens another episode than *held* is; None when it goes on with it."""
    if len(held) >= limits.max_turns:
        return Closed.SIZE
    if turn.project_id is not None and any(one.project_id not in {None, turn.project_id} for one in held):
        return Closed.PROJECT
    if _is_gap(held[-1], turn, timedelta(minutes=limits.gap_minutes)):
        return Closed.GAP
    return Closed.TOPIC if _is_shift(turn.prompt, likeness, limits.topic_shift) else None


def _is_gap(last: SaidTurn, turn: SaidTurn, gap: timedelta) -> bool:
    """Whether there was a pause before *turn*. A clock that went backwards measures none."""
    times = [at for at in (last.started_at, last.ended_at) if at is not None]
    return bool(times) and turn.started_at is not None and turn.started_at - max(times) >= gap


def _is_shift(prompt: str, likeness: float, boundary: float) -> bool:
    head = prompt.lstrip()[:HEAD]
    if turns_to_another(head):
        return likeness < boundary + SAID_OUTRIGHT
    return likeness < boundary and not _goes_on(head) and _told(prompt) >= LEAST_TOLD


def _goes_on(head: str) -> bool:
    """Whether a prompt begins as an answer or an addition does."""
    first = _FIRST_WORD.match(head.lower())
    return head.startswith(GOES_ON_CJK) or (first is not None and first[1] in GOES_ON)


def _told(prompt: str) -> float:
    """How much a prompt says. A CJK word is two bigrams or more."""
    terms = set(words_and_terms(prompt[:LONGEST_READ])[1])
    return sum(_weight(term) * (0.5 if is_cjk(term[0]) else 1.0) for term in terms)


def _weight(term: str) -> float:
    return WEAK if term in WEAK_WORDS else 1.0


def _topic(turn: SaidTurn, concepts: ConceptStore, known: Known) -> _Topic:
    parts = [(words_and_terms(turn.prompt[:LONGEST_READ]), 1.0), (words_and_terms(turn.answer[:LONGEST_READ]), ANSWER)]
    words: dict[str, float] = {}
    for (_, terms), share in parts:
        for term, count in Counter(terms).items():
            words[term] = words.get(term, 0.0) + share * _weight(term) * sqrt(count)
    return _Topic(words, vector(parts, concepts, known=known))


def _likeness(one: _Topic, other: _Topic) -> float:
    return WORDS * _cosine(one.words, other.words) + (1 - WORDS) * _cosine(one.concepts, other.concepts)


def _cosine(one: Mapping[Key, float], other: Mapping[Key, float]) -> float:
    length = _length(one) * _length(other)
    return sum(weight * other.get(key, 0.0) for key, weight in one.items()) / length if length else 0.0


def _length(weights: Mapping[Key, float]) -> float:
    return sqrt(sum(weight * weight for weight in weights.values()))


def _joined(was: Mapping[Key, float], new: Mapping[Key, float]) -> Mapping[Key, float]:
    found = {key: weight * DECAY for key, weight in was.items()}
    for key, weight in new.items():
        found[key] = found.get(key, 0.0) + weight
    return found
