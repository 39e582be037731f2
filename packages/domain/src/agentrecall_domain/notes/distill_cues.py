"""Cues: what can be seen of a sentence by itself, by name: which words it holds and how it is built. Cold."""

from __future__ import annotations

import re
from functools import cache

from agentrecall_domain.notes.cue_tables import counted, patterns, phrases, says
from agentrecall_domain.text.tokenizer import is_cjk

_ANYWHERE = (
    *("standing", "every", "duty", "ban", "limit", "reason", "choice", "contrast", "preference", "place", "order"),
    *("found", "cause", "change", "success", "trouble", "hedge", "today", "once", "joke", "taken_back", "waiting"),
    *("own_slip", "compliment", "praise", "hearsay", "heeds", "ours", "condition", "first_person", "second_person"),
    *("states", "deictic", "resolved", "warns", "hypothetical", "others_say"),
)
_LEADING = ("doing", "refuses", "we_do", "thing_does")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_IDENTIFIER = re.compile(
    r"`[^`\n]{2,80}`|(?<!\w)--?[a-z][\w-]{2,}|\b[a-zA-Z]\w*[_./:][\w./:*-]*\w|\b\w+\(\)|\b[a-z]+[A-Z]\w*"
    r"|\b[A-Z]{2,}[\w-]*|\b[A-Z]+\d\w*|\b[a-z]+\d\w*|\b0x[0-9a-f]+"
)
_SHAPES = {
    "figure": re.compile(r"\d"),
    "name": re.compile(r"(?<=[a-z\u00e0-\u00ff,] )[A-Z][a-z\u00e0-\u00ff]{2,}"),
    "stressed": re.compile(
        r"!!|(?<![A-Z_])\b(?:NOT|NEVER|ALWAYS|ONLY|MUST|STOP|BEFORE|AFTER|AND|DO|ONE|ALL|DANS|NIE|NIEMALS|NUR|SOLO"
        r"|NUNCA|JAMAIS)\b(?![_A-Z])"
    ),
    "address": re.compile(r"https?://\S+|(?<![\w#])#[a-z][\w-]{2,}|[\w-]+\.(?:md|pdf|xlsx|docx)\b"),
}
_CLAUSE = re.compile(
    r"[,;:.!\uff0c\uff1b\u3002]\s*|\s[-\u2013\u2014]\s|(?<!\w)(?:so|just|please|and then|then|bitte|also)(?!\w)"
)
# A yes or a no and hardly more.
_ASSENT = r"(?:[^,;:.!?]{0,40}|[,;:.!] ?[^,;:.!?]{0,30})[.!]*$"
_ASKS_IN_CHINESE_OR_JAPANESE = re.compile(r"(?:吗|呢|么|啥|什么|怎么样|咋办|没|か|かな|の)$")
_NO_RULE = frozenset({"compliment", "question", "hedge", "hypothetical", "others_say", "joke"})
_WAYS = frozenset({"contrast", "choice", "refuses", "ban", "duty", "standing"})
_LONGEST_QUESTION = 12
"""Words up to which a sentence without a question mark is one because it begins as one; with "why", twice as many."""
_SHORT, _LONG, _VERY_LONG = 4, 9, 26


def cues_of(text: str, language: str) -> set[str]:
    """The names of what can be seen of *text*."""
    plain = straight(text)
    found = {name for name in _ANYWHERE if says(name, plain, language)}
    found |= {name for name, shape in _SHAPES.items() if shape.search(plain)}
    found |= {name for name in _LEADING if says(name, plain, language, leading=True)}
    if "address" in found or says("linked", plain, language):
        found.add("linked")
    if says("assents", plain, language, leading=True) and _is_hardly_more(plain, language):
        found.add("assents")
    if is_question(plain, language):
        found.add("question")
    if not is_all_praise(plain, language):
        found.discard("praise")
    if any(says("doing", clause, language, leading=True) for clause in _CLAUSE.split(plain)):
        found.add("bids")
    if counted("order", plain, language) > 1:
        found.add("steps")
    if "doing" in found and not found & {"standing", "ban", "reason", "condition", "heeds"}:
        found.add("task")
    if "preference" in found:
        # "I'd rather you use" speaks of the agent's work, not of the speaker.
        found.discard("first_person")
    if "standing" in found and not found & _NO_RULE and _is_laid_down(plain, language, found):
        found.add("lays_down")
    return found | _measured(plain) | ({"our_way"} if _is_our_way(found) else set())


def _is_our_way(found: set[str]) -> bool:
    """Whether a sentence tells how things are done here: "we use pnpm here, not npm"."""
    return "ours" in found and bool(found & _WAYS) and not found & _NO_RULE


def _is_laid_down(text: str, language: str, found: set[str]) -> bool:
    """Whether a standing sentence orders: "we never lose data" tells, "never push to main" lays down."""
    if found & {"duty", "preference", "refuses"}:
        return True
    for standing in patterns("standing", language):
        text = standing.sub(" ", text)
    return says("ban", text, language) or says("doing", text.strip(), language, leading=True)


def _measured(text: str) -> set[str]:
    named = len(_IDENTIFIER.findall(text))
    length = length_of(text)
    measured = {
        "named": named > 0,
        "named_twice": named > 1,
        "short": length < _SHORT,
        "long": length >= _LONG,
        "very_long": length >= _VERY_LONG,
    }
    return {name for name, holds in measured.items() if holds}


def _is_hardly_more(text: str, language: str) -> bool:
    return any(
        re.match(_ASSENT, text[match.end() :])
        for found in patterns("assents", language, leading=True)
        if (match := found.match(text))
    )


def is_question(text: str, language: str) -> bool:
    """Whether *text* asks, with or without a mark at its end."""
    bare = text.rstrip(" )\"'*_\U0001f600\U0001f605\U0001f642")
    if bare.endswith(("?", "\uff1f")):
        return True
    if language in {"zh", "ja"}:
        return _ASKS_IN_CHINESE_OR_JAPANESE.search(bare) is not None
    if says("requests", text, language):
        return True
    if bare.endswith((".", "!")):
        return False
    length = len(bare.split())
    return (length < 2 * _LONGEST_QUESTION and says("wonders", text, language, leading=True)) or (
        length < _LONGEST_QUESTION and says("asking", text, language, leading=True)
    )


def is_all_praise(text: str, language: str) -> bool:
    """Whether hardly a word is left of *text* without the praise, the yes and the no."""
    if not says("praise", text, language):
        return False
    for found in patterns("praise", language):
        text = found.sub(" ", text)
    return length_of(text) < _SHORT - 1


def length_of(text: str) -> int:
    """About how many words *text* has, names of code apart: two Chinese characters count as one."""
    text = _IDENTIFIER.sub(" ", text)
    chinese = sum(map(is_cjk, text))
    return len(_WORD.findall("".join(" " if is_cjk(letter) else letter for letter in text))) + chinese // 2


def straight(text: str) -> str:
    """*text* with plain apostrophes."""
    return text.replace("\u2019", "'").replace("\u02bc", "'")


_TELLTALE_LETTERS = {"de": "äöüß", "es": "ñ¿¡", "pt": "ãõ", "fr": "çèêàùœ"}
_READ_FOR_LANGUAGE = 2_000


def language_of(text: str) -> str:
    """The language that most of the small words of *text* belong to; English when nothing tells."""
    text = text[:_READ_FOR_LANGUAGE]
    if sum(map(is_cjk, text)) * 4 > sum(map(str.isalpha, text)):
        return "ja" if any("\u3040" <= letter <= "\u30ff" for letter in text) else "zh"
    found = [word.lower() for word in _WORD.findall(text)]
    counts = {language: sum(word in small for word in found) for language, small in _small_words().items()}
    for language, letters in _TELLTALE_LETTERS.items():
        if any(letter in text for letter in letters):
            counts[language] += 2
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] > counts["en"] else "en"


@cache
def _small_words() -> dict[str, frozenset[str]]:
    return {language: frozenset(lines) for language, lines in phrases("small_words").items()}
