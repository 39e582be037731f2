"""The sense of a rule: what its words mean, what it prefers and what it avoids, read once to be compared often. Light.

Words are the tokenizer's, each replaced by the first of its synonyms. What a rule says is parted at its negations:
`use pnpm, never npm` prefers one and avoids the other, and so does `use pnpm instead of npm`.
"""

from __future__ import annotations

from agentrecall_domain.rules.antonyms import AXES, RIVALS, TOPICS, Topic
from agentrecall_domain.rules.clauses import clauses, doing, is_negated, plain, values, without_colours
from agentrecall_domain.rules.synonyms import ACTS, GROUPS, LIGHT, NUMBER_WORDS
from agentrecall_domain.text.stem import stem
from agentrecall_domain.text.stop_words import WEAK_WORDS
from agentrecall_domain.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Protocol

    class Told(Protocol):
        """Whatever tells the agent something: the four parts of a rule."""

        @property
        def trigger(self) -> str: ...  # noqa: D102 -- the parts of a rule
        @property
        def action(self) -> str: ...  # noqa: D102
        @property
        def mistake(self) -> str: ...  # noqa: D102
        @property
        def reason(self) -> str: ...  # noqa: D102


SMALL_WORDS = {"before", "after", "all", "any", "on", "off", "up", "down", "above", "below", "more", "less", "fewer"}
"""Stop words that turn a rule round. Their senses are marked `~`, and weigh nothing."""

LIGHT_WEIGHT, WEAK_WEIGHT = 0.2, 0.5


_known: dict[tuple[str, str, str, str], Sense] = {}
MOST_KNOWN = 64


def sense_of(rule: Told) -> Sense:
    """The sense of *rule*. The latest are kept: who stores a rule asks for its neighbours' twice."""
    key = (rule.trigger, rule.action, rule.mistake, rule.reason)
    found = _known.get(key)
    if found is None:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        found = _known[key] = Sense(rule)
    return found


class Sense:
    """What one rule means. *avoided* keeps each clause apart, for only a whole clause says what is avoided."""

    __slots__ = (
        "avoided",
        "context",
        "everything",
        "is_about_absence",
        "kept_off",
        "opening",
        "poles",
        "reason",
        "refusable",
        "refused",
        "refused_poles",
        "said",
        "said_values",
        "trigger",
        "trigger_order",
        "trigger_values",
        "words",
    )

    def __init__(self, rule: Told) -> None:
        trigger = plain(rule.trigger)
        self.opening = next(iter(senses_in_order(doing(trigger))), "")
        self.trigger_order = senses_in_order(trigger)
        self.trigger = frozenset(self.trigger_order) | _small_words(trigger)
        self.trigger_values = values(trigger)
        self.is_about_absence = is_negated(trigger)
        action = plain(rule.action)
        said, avoided = _parted(action, is_negative=False)
        more, rest = _parted(plain(rule.mistake), is_negative=True)
        self.said = frozenset().union(*said, *more) | _small_words(action)
        self.avoided = tuple(clause for clause in (*avoided, *rest) if clause)
        self.refused = frozenset().union(*avoided)
        self.kept_off = frozenset().union(*self.avoided)
        self.said_values = values(
            " ".join(piece for piece, is_refused in clauses(action, is_negative=False) if not is_refused)
        )
        self.reason = _senses_of(plain(rule.reason))
        self.refusable = frozenset().union(*map(_telling, self.avoided))
        self.poles = poles(self.said)
        self.refused_poles = poles(self.kept_off)
        self.words = self.said | self.kept_off
        self.context = self.trigger | self.said | self.reason
        self.everything = self.trigger | self.words | self.reason


def senses(words: Iterable[str]) -> frozenset[str]:
    """What *words* mean: each as the first of its synonyms. The words are stems, as the tokenizer gives them."""
    known = _tables().synonyms
    return frozenset(known.get(_root(word), _root(word)) for word in words)


def sense_of_text(text: str) -> frozenset[str]:
    """What the words of *text* mean."""
    return _senses_of(plain(text))


def senses_in_order(text: str) -> tuple[str, ...]:
    """The senses of a `plain` text in its order; numbers are values, and no senses."""
    tables = _tables()
    roots = (
        _root(word) for word in terms(without_colours(text)) if not word.isdecimal() and word not in tables.numbers
    )
    return tuple(tables.synonyms.get(root, root) for root in roots)


def synonyms_of(word: str) -> list[str]:
    """All the stems that mean what the stem *word* means, itself first."""
    tables = _tables()
    root = _root(word)
    return list(dict.fromkeys((word, *tables.members.get(tables.synonyms.get(root, root), ()))))


def weight(found: Collection[str]) -> float:
    """How much *found* senses tell: much-used verbs little, words of every program half, the rest whole."""
    if not found:
        return 0.0
    weights = _tables().weights
    return sum([weights.get(sense, 1.0) for sense in found])


def strongest(found: Collection[str]) -> float:
    """The weight of the one sense in *found* that tells most."""
    if not found:
        return 0.0
    weights = _tables().weights
    return max([weights.get(sense, 1.0) for sense in found])


def is_told_apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two situations lie on different places of one axis: client and server, reading and writing."""
    axes = _tables().axes
    if not (one - other and other - one):
        return False
    for mine in one - other:
        for axis in axes.get(mine, ()):
            if not axis.isdisjoint(other - one) and axis.isdisjoint(one & other):
                return True
    return False


def do_different_things(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether each names something to do that the other does not: running a test, writing a test."""
    acts = _tables().acts
    mine, theirs = ({acts[sense] for sense in found if sense in acts} for found in (one - other, other - one))
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def poles(found: Iterable[str]) -> dict[int, set[int]]:
    """The sides that *found* senses take, by the number of their topic."""
    sides = _tables().sides
    taken: dict[int, set[int]] = {}
    for sense in found:
        for topic, side in sides.get(sense, ()):
            taken.setdefault(topic, set()).add(side)
    return taken


def topic_of(number: int) -> tuple[str, frozenset[str], bool]:
    """The name of a topic, the senses one of which its rules must speak of, if any, whether it is said of things."""
    return _tables().topics[number]


class _Tables:
    """The tables of words, stemmed and read through the synonyms. Built when the first rule is compared."""

    __slots__ = ("acts", "axes", "members", "numbers", "sides", "synonyms", "topics", "weights")

    def __init__(self) -> None:
        self.synonyms: dict[str, str] = {}
        self.members: dict[str, list[str]] = {}
        for line in GROUPS.strip().splitlines():
            first, *rest = dict.fromkeys(_root(stem(word)) for word in line.split())
            head = self.synonyms.setdefault(first, first)
            for word in rest:
                self.synonyms.setdefault(word, head)
        for word, head in self.synonyms.items():
            self.members.setdefault(head, []).append(word)
        self.numbers = frozenset(map(stem, NUMBER_WORDS))
        self.weights = dict.fromkeys((self._head(_root(word)) for word in WEAK_WORDS), WEAK_WEIGHT)
        self.weights |= {"atmost": 0.0, "atleast": 0.0, **{f"~{word}": 0.0 for word in SMALL_WORDS}}
        self.weights |= dict.fromkeys((self._head(_root(stem(word))) for word in LIGHT.split()), LIGHT_WEIGHT)
        self.acts: dict[str, int] = {}
        for kind, line in enumerate(ACTS.strip().splitlines()):
            for word in line.split():
                self.acts.setdefault(self._word(word), kind)
        self.axes: dict[str, list[frozenset[str]]] = {}
        self.sides: dict[str, list[tuple[int, int]]] = {}
        self.topics: list[tuple[str, frozenset[str], bool]] = []
        self._read_axes()
        self._read_topics()

    def _read_axes(self) -> None:
        for line in AXES.strip().splitlines():
            axis = frozenset(map(self._word, line.split("|")))
            for sense in axis:
                self.axes.setdefault(sense, []).append(axis)

    def _read_topics(self) -> None:
        rivals = [Topic("the tool for one job", tuple(line.split())) for line in RIVALS.strip().splitlines()]
        for name, sides, subject, of_things in (*TOPICS, *rivals):
            for side, members in enumerate(sides):
                for sense in dict.fromkeys(map(self._word, members.split())):
                    self.sides.setdefault(sense, []).append((len(self.topics), side))
            self.topics.append((name, frozenset(map(self._word, subject.split())), of_things))

    def _word(self, word: str) -> str:
        return word if word.startswith("~") else self._head(_root(stem(word)))

    def _head(self, word: str) -> str:
        return self.synonyms.get(word, word)


_built: list[_Tables] = []


def _tables() -> _Tables:
    if not _built:
        _built.append(_Tables())
    return _built[0]


def _parted(text: str, *, is_negative: bool) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """The senses of what *text* asks for, and of each thing that it asks to leave."""
    said: list[frozenset[str]] = []
    avoided: list[frozenset[str]] = []
    for clause, negative in clauses(text, is_negative=is_negative):
        found = _senses_of(clause)
        if found:
            (avoided if negative else said).append(found)
    return said, avoided


def _senses_of(text: str) -> frozenset[str]:
    return frozenset(senses_in_order(text))


def _root(word: str) -> str:
    """The stem *word*, the same for `reuse` and `reused`, which the tokenizer keeps apart."""
    return word[:-1] if word.endswith(("ise", "use", "sse")) and len(word) > len("user") else word


def _telling(clause: frozenset[str]) -> frozenset[str]:
    """The senses of a clause that tell something, or all of them when none does."""
    return frozenset(sense for sense in clause if strongest((sense,)) >= WEAK_WEIGHT) or clause


def _small_words(text: str) -> frozenset[str]:
    return frozenset(f"~{word}" for word in SMALL_WORDS.intersection(text.split()))
