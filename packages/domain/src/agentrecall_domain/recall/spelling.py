"""Spelling: the word of the rules that a misspelt word stands for, one edit away. Hot, where a word is unknown.

An edit takes a letter out, puts one in, swaps one for another or two neighbours. Edits after the second letter are
found by reading the words that begin with the same two letters. For the others those forms are looked up that the
word would have had before: only with beginnings that words have, since most pairs of letters begin none.
"""

from __future__ import annotations

from agentrecall_domain.text.stem import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Vocabulary(Protocol):
        """The words of the rules."""

        def rules_with(self, terms: list[str]) -> dict[str, int]:
            """For each of *terms* that any rule has: how many rules have it."""

        def words_from(self, beginning: str, most: int) -> dict[str, int]:
            """At most *most* words that begin so, each with how many rules have it."""

        def words_among(self, forms: list[str]) -> dict[str, int]:
            """What `rules_with` gives, in one question: for many forms of which few are words."""


SHORTEST = 5
"""Of a shorter word too many others are one edit away."""
SHORTEST_MEANT = 4
MOST_WORDS = 3
"""So many unknown words of a query are looked into: more of them are a log, or of another matter."""
MOST_READ = 1500
"""So many words with the same two first letters are read for a query: 50,000 rules have 800 with *co*."""

FIRST = 2
FOLLOWERS = {
    "a": "bcdefghilmnpqrstuvwxz", "b": "aeiloruy", "c": "aehiloruys", "d": "aehijnoruy", "e": "abcdfghilmnpqrstuvxy",
    "f": "aeilorstu", "g": "aehilnoruy", "h": "aeiotuy", "i": "cdfglmnoprst", "j": "aeiosu", "k": "aehilnoru",
    "l": "aeioruy", "m": "aeioucsy", "n": "aegiopu", "o": "abcdfmnpruvwx", "p": "aehilnorsuyg", "q": "eu",
    "r": "aehiosu", "s": "acehiklmnopqrtuwy", "t": "aehioruswy", "u": "bdilmnprst", "v": "aeiou", "w": "aehiory",
    "x": "cmp", "y": "aeiou", "z": "eio",
}  # fmt: skip
"""Which letters stand second in a word, by its first: 19 of 20 words of 50,000 public rules begin so."""
ENDINGS = ("", "e", "s", "es", "ed", "er", "ing", "ion", "ions", "ation", "ations", "or", "ly", "ment")
"""What the stem of a word may have lost. In a misspelt ending it was not recognised, and is still there."""

OWN_ENDINGS = frozenset({"able", "al", "ee", "er", "est", "ly", "ment", "ness", "or"})
"""What makes another word of a stem, rightly spelt: a rounder is not rounded."""


def meant_by(words: list[str], vocabulary: Vocabulary) -> dict[str, str]:
    """The first of *words* that no rule has, each with the word of the rules one edit away, where there is one."""
    found: dict[str, str] = {}
    looked_into, unread = 0, MOST_READ
    for word in words:
        if len(word) < SHORTEST or not word.isalpha() or vocabulary.rules_with([word]):
            continue
        alike = vocabulary.words_from(word[:FIRST], unread)
        meant = _likeliest(word, alike | vocabulary.words_among(forms_before(word)))
        if meant:
            found[word] = meant
        looked_into += 1
        unread -= len(alike)
        if looked_into == MOST_WORDS or not unread:
            break
    return found


def forms_before(word: str) -> list[str]:
    """What *word* may have been before one edit in its first two letters."""
    first, second, rest = word[0], word[1], word[FIRST:]
    forms = [word[1:], first + rest, second + first + rest, first + rest[:1] + second + rest[1:]]
    for letter, followers in FOLLOWERS.items():
        if second in followers:
            forms.append(letter + word[1:])
        if first in followers:
            forms.append(letter + word)
    for letter in FOLLOWERS.get(first, ""):
        forms += [first + letter + rest, first + letter + word[1:]]
    return [form for form in dict.fromkeys(forms) if form != word]


def is_near(one: str, other: str) -> bool:
    """Whether two words are the same but for at most one edit."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(long) - len(short) > 1:
        return False
    at = 0
    while at < len(short) and short[at] == long[at]:
        at += 1
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = long[at + 1 : at + 2] + long[at : at + 1] + long[at + 2 :]
    return short[at + 1 :] == long[at + 1 :] or short[at:] == swapped


def _likeliest(word: str, near: dict[str, int]) -> str:
    """Of the words *near* by the one that most rules have: it is meant most often, and weighs least where it is not."""
    half = len(word) // 2
    head = word[:half]
    # One edit leaves one of the halves as it is: that decides about most of the hundreds that come.
    some = [one for one in near if one[:half] == head or one[half + 1 :] in word]
    meant = [one for one in some if len(one) >= SHORTEST_MEANT and one.isalpha() and _is_form(word, one)]
    return min(meant, key=lambda one: (-near[one], one), default="")


def _is_form(word: str, stemmed: str) -> bool:
    """Whether *word* is one edit away from *stemmed*, or from a word with that stem."""
    if word.startswith(stemmed) and word[len(stemmed) :] in OWN_ENDINGS:
        return False
    longer = len(word) - len(stemmed)
    return any(
        is_near(word, stemmed + ending) and (not ending or stem(stemmed + ending) == stemmed)
        for ending in ENDINGS
        if -1 <= longer - len(ending) <= 1
    )
