"""Secret sentences: the password that somebody tells in words, in any language.

Imported with the checks of secret kinds, never for clean text. The words themselves are in `secret_words`.
"""

from __future__ import annotations

import re
from itertools import islice

from agentrecall_domain.text.secret_values import (
    ASSIGNMENT,
    MANY_CLASSES,
    SHORTEST,
    SIGNS,
    SNAKE,
    classes,
    is_password,
    is_reference,
    is_stand_in,
    is_strong,
    is_technical,
    without_closers,
)
from agentrecall_domain.text.secret_words import CONNECTORS

# How far a sentence is read, after a word for a password and before it, and how many words of it.
_LONGEST_SENTENCE = 160
_LONGEST_BEFORE = 100
_MOST_WORDS = 14

# A word of a sentence: in quotes of any kind, or what no space and no sign of another script parts.
_WORD = (
    "[`\"]([^`\"\n]{4,100})[`\"]|'([^'\n]{4,100})'|[«\u2039]\\s?([^»\u203a\n]{4,100}?)\\s?[»\u203a]"
    "|[„“”»]([^“”„«\n]{4,100})[“”«]|[「『]([^」』\n]{4,100})[」』]|[\u201a\u2018]([^\u2018\u2019\n]{4,100})[\u2018\u2019]"
    "|([!-~À-ɏ]{2,200})"
)
_BARE = 7

# What opens a value, and what may stand between a word for a password and the line that holds it.
_OPENERS = " \t\n\"'`*_(«„“\u201a\u2039「『"
_OPENING = (
    "[ \t]*\\w{0,3}[*_\"'`)]{0,4}[ \t]*[:\uff1a=]?[*_]{0,2}[ \t]*(?:\n[ \t]*){0,3}(?:`{3}\\w{0,12}[ \t]*\n[ \t]*)?"
)
_SENTENCE_END = r"\n|(?<=[.。؟])\s|。|;\s"

# A digit of any script, or a sign that passwords have.
_MARKED = r"[\d\u00b2\u00b3\u00b9\u2070-\u2089\u2460-\u249b" + re.escape(SIGNS) + "]"

# A name, and behind a sign or an `and` what may be its password.
_PAIR = (
    r"(?<![^\s\"'`(:])[A-Za-z][\w.@+\-]{1,40}[\"'`]?"
    r"(?:\s?[/|:]\s?|\s(?:and|und|et|y|e|en|with|mit|avec|con|com|и)\s)[\"'`]?([!-~]{8,64})"
)
# The value before the word: `X is the password`.
_TOLD_BEFORE = frozenset(
    ["is", "was", "ist", "war", "est", "es", "é", "è", "är", "er", "jest", "als", "as", "comme", "como", "for"],
)
_IS_THE = (
    "(?<!\\S)[\"'`(«「„“»\u201a]{0,2}([!-~]{6,64}?)[\"'`)»」“”«\u2019]{0,2},?\\s{1,2}"
    f"(?:{'|'.join(sorted(_TOLD_BEFORE))})\\s(?:[^\\W\\d_]{{1,8}}\\s){{0,2}}\\Z"
)

# Addresses, hosts and files, versions, tickets, standards, escapes of formats and of URLs, assignments.
_OTHER_THINGS = (
    r"[^\s@]+@[\w\-]+(?:\.[\w\-]+)+\Z|\w+(?:[.-]\w+)*\.[a-z]{2,12}(?:[:/]\S*)?\Z|[\w.\-]*/"
    r"|v?\d+(?:[.,]\d+)+|[A-Z]{2,10}-\d+\Z|1[Pp]assword|PKCS|SOCKS|[^%]*%{1,2}(?:0A|[.\d]*[sdu]\b)|[A-Za-z_][\w.\-]*="
)
# A number and what it counts: `12-stellig`, `64bit`.
_COUNTED = r"\d{1,3}[-\u2013]?[^\W\d_]+[-\w]*"
# In Korean, Japanese and Chinese, "is" is the ending of the word before.
_ENDINGS = ("는", "은", "가", "이", "は", "が", "是", "为", "為", "を", "을", "를")


def spoken(match: re.Match[str]) -> tuple[int, int] | None:
    """The password that a sentence tells after a word for it, in any language, or before it."""
    if not _is_a_word_by_itself(match):
        return None
    # Nobody takes a word without digits and signs for a password that is told.
    nearest = max(0, match.start() - _LONGEST_BEFORE)
    if not re.search(_MARKED, match.string[nearest : match.end() + _LONGEST_SENTENCE]):
        return None
    # The next word for a password has a match of its own.
    tail = _sentence_after(match.string, match.end()).partition(match[0])[0]
    for word in islice(re.finditer(_WORD, tail), _MOST_WORDS):
        start, value = _value(word)
        if _is_told_password(value, told=word.lastindex != _BARE or _is_connected(tail[:start])):
            return match.end() + start, match.end() + start + len(value)
    return _told_before(match)


def _is_a_word_by_itself(match: re.Match[str]) -> bool:
    """Whether prose speaks, not a path, an address or an identifier that has the word in it."""
    if not match[0].isascii():
        return True
    before = match.string[match.start() - 1 : match.start()] if match.start() else " "
    after = match.string[match.end() : match.end() + 14]
    if before.isalnum() or before in "_/.@=&$?+%#~\\-:":
        return False
    # Assignments and lists are not sentences.
    if re.match(r"\\?[\"'`][,)\]}]|\\?[\"'`]?[ \t]{0,4}(?:=|:=)", after):
        return False
    return not re.match(r"\w{0,12}[_.\-@/?+&(^\[]\S", after)


def _sentence_after(text: str, start: int) -> str:
    """What follows a word for a password: to the end of its sentence, or of a later line when this one is empty."""
    tail = text[start : start + _LONGEST_SENTENCE]
    opening = re.match(_OPENING, tail)
    first = opening.end() if opening else 0
    end = re.search(_SENTENCE_END, tail[first:])
    return tail if end is None else tail[: first + end.start()]


def _value(word: re.Match[str]) -> tuple[int, str]:
    """Where the value of a word starts, and the value, without the signs that belong to the sentence."""
    group = word.lastindex or 0
    if group != _BARE:
        return word.start(group), word[group]
    value = word[group].lstrip("\"'`(*_:=,")
    start = word.end() - len(value)
    value = without_closers(value.rstrip("\"'`*,;:>"))
    named = re.fullmatch(r"[A-Za-z][\w.@\-]{0,40}[:/](\S+)", value)
    return (start + named.start(1), named[1]) if named and is_strong(named[1]) else (start, value)


def _is_connected(before: str) -> bool:
    """Whether a sign or a word like `is` stands right before the value."""
    left = before.rstrip(_OPENERS)
    if not left or left.endswith((":", "\uff1a", "=", "→", ">", "—", "\u2013")):
        return True
    word = re.search(r"[^\W\d_]+\Z", left)
    return word is not None and (word[0].lower() in CONNECTORS or word[0].endswith(_ENDINGS))


def _is_told_password(value: str, *, told: bool) -> bool:
    """Whether *value* is a password that somebody tells: more is asked of it where no `is` stands before it."""
    if not _is_one_word(value) or is_reference(value) or is_stand_in(value) or is_technical(value):
        return False
    if re.search(ASSIGNMENT, value) or re.match(_OTHER_THINGS, value):
        return False
    if not told or re.fullmatch(_COUNTED, value):
        return is_strong(value)
    if not any(char.isalpha() for char in value):
        return not value.isdigit() and is_password(value)
    return not re.fullmatch(SNAKE, value) and _is_mixed(value)


def _is_one_word(value: str) -> bool:
    """Whether *value* is long enough, without brackets and quotes, and not a plain word."""
    if len(value) < SHORTEST or value.isalpha():
        return False
    return not any(char.isspace() or char in "()[]{}<>|\\\"'`" for char in value)


def _is_mixed(value: str) -> bool:
    """Whether *value* has digits, or enough signs instead."""
    if any(char.isdigit() for char in value):
        return True
    return classes(value) >= MANY_CLASSES and any(char in SIGNS for char in value[1:-1])


def _told_before(match: re.Match[str]) -> tuple[int, int] | None:
    """The password of a sentence like `X is the password`."""
    before = match.string[max(0, match.start() - _LONGEST_BEFORE) : match.start()].rpartition("\n")[2]
    if _TOLD_BEFORE.isdisjoint(before.lower().split()[-3:]):
        return None
    told = re.search(_IS_THE, before)
    if told is None or not _is_told_password(told[1], told=False):
        return None
    offset = match.start() - len(before)
    return offset + told.start(1), offset + told.end(1)


def pair(match: re.Match[str]) -> tuple[int, int] | None:
    """A name and a password beside each other, on a line that speaks of a login."""
    text = match.string
    earliest = max(0, match.start() - _LONGEST_BEFORE)
    if not re.search(_MARKED, text[earliest : match.end() + _LONGEST_SENTENCE]):
        return None
    start = max(earliest, text.rfind("\n", earliest, match.start()) + 1)
    line = text[start : match.start()] + text[match.start() : match.end() + _LONGEST_SENTENCE].partition("\n")[0]
    for found in re.finditer(_PAIR, line):
        value = without_closers(found[1].rstrip("\"'`*,;:>"))
        if _is_told_password(value, told=False):
            return start + found.start(1), start + found.start(1) + len(value)
    return None
