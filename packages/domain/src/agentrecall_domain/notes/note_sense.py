"""The sense of a note: what its words mean, which values it names where, and what it says is over. Cold.

The words are read as those of rules are, through the same synonyms. Of Chinese and Japanese the characters count that
carry meaning, for what is said again in other words shares few pairs of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, Protocol

from agentrecall_domain.notes import note_words
from agentrecall_domain.notes.retirement import clauses, clauses_that_retire, is_news
from agentrecall_domain.rules.clauses import plain, values
from agentrecall_domain.rules.meaning import WEAK_WEIGHT, Sense, sense_of_text, senses_in_order, strongest, weight
from agentrecall_domain.rules.synonyms import NUMBER_WORDS
from agentrecall_domain.text.tokenizer import is_cjk


class Titled(Protocol):
    """Whatever is compared: a title and a body."""

    @property
    def title(self) -> str:
        """What it is about, in a line."""
        ...

    @property
    def body(self) -> str:
        """What it says."""
        ...


MOST_READ = 2_000
"""So many characters of a body are compared: what it says, it says first."""
MOST_ALIGNED = 160
LONGEST_ADDRESS = 200
CJK_WEIGHT = 0.4


def _heads() -> Iterator[tuple[str, str]]:
    for line in note_words.SAME.strip().splitlines():
        (head,) = sense_of_text(line.split()[0])
        yield from ((sense, head) for sense in sense_of_text(line))


_SAME = dict(_heads())


def _read(words: str) -> frozenset[str]:
    return frozenset(_SAME.get(sense, sense) for sense in sense_of_text(words))


TOLD, VAGUE, CHANGED, PLACES = map(_read, (note_words.TOLD, note_words.VAGUE, note_words.CHANGED, note_words.PLACES))
_CONTRARY = tuple(map(_read, note_words.CONTRARY.strip().splitlines()))
_DAYS = {day: line.split()[0] for line in note_words.DAYS.strip().splitlines() for day in line.split()}
_FILES = frozenset(note_words.FILES.split())

_RESPELLED = (
    (re.compile(r"\b(?:CI|ci)\b"), "pipeline"),
    (re.compile(r"\b(?:under|below)(?= \d)"), "at most"),
    (re.compile(r"\b(?:over|above)(?= \d)"), "at least"),
)
_CHUNK = re.compile(r"[^\s,;:()!?\"]+")
_ADDRESS = re.compile(r"\S+@\S+\.\w+|\w+://\S+|[\w-]+(?:\.[\w-]+)+(?:/\S*)?")
_KANA = re.compile(r"[\u3040-\u309f\u30fc]")


class _AsRule(NamedTuple):
    """A note's text as what a rule asks for: whether two can both hold is asked of the rules' words."""

    action: str
    trigger: str = ""
    mistake: str = ""
    reason: str = ""


class NoteSense:
    """What one note means. *order* is its senses and values (`=5`) as they come, the title apart from the body."""

    __slots__ = ("body", "clauses", "everything", "is_news", "over", "rule", "text", "title", "title_order", "values")

    def __init__(self, title: str, body: str) -> None:
        self.text = " ".join(f"{title} {body}".lower().split())
        self.title_order = in_order(title)
        self.body = in_order(body[:MOST_READ])
        self.title = senses_in(self.title_order)
        self.everything = self.title | senses_in(self.body)
        self.values = values_in((*self.title_order, *self.body))
        self.over = tuple(_meant(*clause) for clause in clauses_that_retire(f"{title}. {body[:MOST_READ]}"))
        self.clauses = tuple(in_order(clause) for clause in clauses(f"{title}. {body[:MOST_READ]}"))
        self.is_news = is_news(f"{title}. {body[:MOST_READ]}")
        self.rule = Sense(_AsRule(f"{title}. {body[:MOST_READ]}"))


@lru_cache(maxsize=256)
def _sense(title: str, body: str) -> NoteSense:
    return NoteSense(title, body)


def sense_of(note: Titled) -> NoteSense:
    """The sense of *note*; the latest are kept."""
    return _sense(note.title, note.body)


def in_order(text: str) -> tuple[str, ...]:
    """The senses of *text* and the values that it names, each with a `=` before it, as they come."""
    for pattern, by in _RESPELLED:
        text = pattern.sub(by, text)
    found: list[str] = []
    for piece in _CHUNK.findall(plain(text)):
        chunk = piece.rstrip(".")
        found += [f"={value}" for value in _values(chunk)]
        if chunk in _DAYS or _is_address(chunk):
            continue
        for sense in senses_in_order(chunk):
            found += _characters(sense, found[-1:]) if is_cjk(sense[0]) else [_SAME.get(sense, sense)]
    return tuple(found)


def senses_in(order: tuple[str, ...]) -> frozenset[str]:
    """The senses among *order* that tell what a note is about."""
    return frozenset(sense for sense in order if sense[0] != "=") - TOLD


def values_in(order: tuple[str, ...]) -> frozenset[str]:
    """The values among *order*."""
    return frozenset(value for value in order if value[0] == "=")


def _meant(clause: str, before: str) -> frozenset[str]:
    """The senses of a clause; of one that speaks of `them` alone, those of the clause before."""
    found = senses_in(in_order(clause))
    return found if strongest(found) >= WEAK_WEIGHT else found | senses_in(in_order(before))


def are_contrary(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether one names a word, and the other its contrary."""
    return any(pair & one and pair & other and not pair & one & other for pair in _CONTRARY)


def weigh(found: frozenset[str]) -> float:
    """How much *found* senses tell; a character of Chinese or Japanese less than a word."""
    characters = sum(is_cjk(sense[0]) for sense in found)
    return weight(found) - characters * (1.0 - CJK_WEIGHT)


def _values(chunk: str) -> list[str]:
    """The values in *chunk*: the number that it is or begins with, a day, an address; of a name none."""
    if chunk in NUMBER_WORDS:
        return [NUMBER_WORDS[chunk]] if NUMBER_WORDS[chunk] != "1" else []
    if chunk in _DAYS:
        return [_DAYS[chunk]]
    if _is_address(chunk):
        return [chunk]
    if chunk[:1].isdigit():
        return sorted(values(chunk))
    return re.findall(r"\d+(?:\.\d+)?", chunk) if any(map(is_cjk, chunk)) else []


def _is_address(chunk: str) -> bool:
    """Whether *chunk* is a mail address, a URL or a host: letters with dots between, and no file."""
    if len(chunk) > LONGEST_ADDRESS:
        return False
    end = chunk.rpartition(".")[2]
    return end not in _FILES and not end.isdigit() and len(end) > 1 and _ADDRESS.fullmatch(chunk) is not None


def _characters(pair: str, before: list[str]) -> list[str]:
    """The characters of *pair* that tell something, without the one that ended the pair before."""
    return [character for character in pair if not _KANA.match(character) and [character] != before]
