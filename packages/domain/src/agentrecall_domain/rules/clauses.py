"""Clauses: a rule's text in one spelling, parted at its negations into what it asks for and what it refuses. Light."""

from __future__ import annotations

import re

from agentrecall_domain.rules.synonyms import NUMBER_WORDS, PHRASES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES = (
    (r"(?<=[a-z,] )Go\b|^Go$", "golang"),
    # Names with capitals inside stay as they are, for the tokenizer to part.
    (r"\b(?:[A-Z][a-z]*|[A-Z]+)\b", ""),
    (r"\b(?:ca|wo|do|does|is|are|did|should|must|has|have|was|were|would|could)n['`]t\b", "not"),
    (r"(?<=[a-z])(?<!\bno)(?<!\bnon)-(?=[a-z])", " "),
    (r"\b([Pp]ascal|[Cc]amel|snake|kebab)[-_ ]?[Cc]ase\b", ""),
)
"""What is spelled in more than one way; an empty text stands for lower case."""

_PASSIVE = (
    r"((?:[^ ,;:]{0,40}[^ ,;:.] ){1,4}?)(?:(?:must |should |may |can |shall |will )?(?:not|never) be"
    r"|(?:is|are) (?:not|never)(?: to be)?) (\w{2,}(?:ed|en))\b"
)
_NO_MORE = r"(^| )([^ ,;]{1,40}) (?:is|are) (?:deprecated|banned|forbidden|gone|dead|not allowed|prohibited|obsolete)\b"

_REWRITES = (
    (r"\bno longer than\b", "atmost"),
    (r"\bno (?:longer|more)\b", "never"),
    # British spelling, where it is no word of another kind.
    (r"\b(?!(?:com)?prom)(\w{2,30}(?:al|or|an|im|it|on|om|en|ar|er))is(e|es|ed|ing|er|ation)\b", r"\1iz\2"),
    # "Replace X with Y", "move from X to Y", "prefer X over Y", "keep X out of Y", "X is deprecated".
    (r"\b(?:replac(?:e|ing)|swap(?:ping)?) (.{1,60}?) (?:with|by|for) ", r" never \1, use "),
    (r"\b(?:switch|mov|migrat|chang)(?:e|ed|ing)? (?:away )?from (.{1,60}?) to ", r" never \1, use "),
    (r"\b(?:prefer|favou?r|choose|pick)(?:ring|s|red)? (.{1,60}?) over ", r" use \1 instead of "),
    (r"\b(?:leave|keep|left|kept)((?: [^ ,;.]+){1,4}?) out\b", r" never\1, "),
    (r"\b(?:turn|switch)(?:ed|ing|s)?((?: [^ ,;.]+){0,4}?) on\b", r"enable\1"),
    (r"\b(?:turn|switch)(?:ed|ing|s)?((?: [^ ,;.]+){0,4}?) off\b", r"disable\1"),
    (_NO_MORE, r"\1never \2"),
    (_PASSIVE, r" never \2 \1"),
    (r"\bn(?:e |')(\w+) (?:pas|jamais|plus)\b", r"jamais \1"),
    (r"\b(?:not only|nothing but|no matter|whether or not|not just)\b", " "),
    (r",(?=(?: [^ ,;.]+){1,3},? (?:or|nor) )", " or"),  # a list, which its first word refuses as a whole
    (r"\bevery (?:\w+ )?(seconds?|minutes?|hours?)\b", r"poll \g<0>"),
    (r"\bso (?:that )?(?:no|we|it|the|they|you|nobody|nothing)\b[^.;:]*", " "),  # why, and nothing to do
    (r"\b(have|has|had) no\b", r"\1"),
)

_NEGATION = (
    r"never|not|no|non|n't|dont|doesnt|isnt|cannot|avoid(?:ing|s)?|stop(?:s|ped|ping)?(?= \w+ing\b)|without|instead of"
    r"|rather than|forbid(?:s|den)?|ban|refrain(?:ing)?|skip(?:s|ped|ping)?|omit(?:s|ted|ting)?|nothing|nor"
    r"|forg[eo]t(?:s|ten|ting)?|neglect(?:ing)?|refus(?:e|ing)|in place of|nicht|keine?[nmr]?|nie|niemals|statt|ohne"
    r"|vermeiden?|jamais|pas|au lieu de|sans|[ée]vite[rz]?|nunca|jam[aá]s|en vez de|en lugar de|sin|evitar?|senza"
    r"|invece di|mai|niet|nooit"
)
_BREAK = (
    r"but|sondern|mais|sino|instead|and (?=use|keep|put|run|call|set|return|take|tell|prefer)|so that|unless|except"
)
_SPLIT = (
    rf"(?P<no>\b(?:{_NEGATION})\b(?!-)|不要|不能|不得|不用|别|禁止|避免|而不是|نباید|هرگز|به جای|بدون|نکن)"
    r"|(?P<end>[,;()。，；]+|[.:]+(?=\s|$)|(?<=\w)[!?]+(?=\s|$)|\s[-–—]+\s"  # noqa: RUF001 -- so do people write
    rf"|\b(?:{_BREAK})\b)"
)
_WITHOUT = {"without", "ohne", "sans", "sin", "senza", "بدون"}
_SPELLED = "|".join(NUMBER_WORDS)
_SIGNS = r"|(?<=\s)(?:[=!<>&|?*+~^%]{1,3}|-[a-z])(?=\s|$)"  # operators, and flags of one letter
_VALUE = rf"\b(?:{_SPELLED})\b(?! of\b)(?=[ -]\w|$)" + r"|#[0-9a-f]{3,8}\b|(?<![\w.])\d+(?:[._]\d+)*" + _SIGNS

_patterns: list[re.Pattern[str]] = []
_rewrites: list[tuple[re.Pattern[str], str]] = []


def plain(text: str) -> str:
    """*text* in lower case on one line, its phrases each one word and its ways to say `never` one of them."""
    phrases = _compiled()[0]
    names, rewrites = _rewrites[: len(_NAMES)], _rewrites[len(_NAMES) :]
    text = " ".join(text.replace("\u2019", "'").split())
    for pattern, by in names:
        text = pattern.sub(by or _lowered, text)
    text = phrases.sub(lambda found: PHRASES[found[1].replace("-", " ")], text)
    for pattern, by in rewrites:
        text = pattern.sub(by, text)
    return text


def clauses(text: str, *, is_negative: bool) -> Iterator[tuple[str, bool]]:
    """The pieces of a `plain` text between its negations and stops, and whether each is refused.

    *is_negative* says what a piece without a negation is: a mistake names what is refused.
    """
    negative = is_negative
    start = 0
    for found in _compiled()[1].finditer(text):
        piece = text[start : found.start()].strip()
        start = found.end()
        # "Never deploy without tests" asks for tests, and refuses no deployment.
        is_condition = negative and found["no"] in _WITHOUT
        if piece and not is_condition:
            yield piece, negative
        if not found["no"]:
            negative = is_negative
        elif piece and not is_condition:
            negative = not is_negative
        else:
            negative = not negative
    last = text[start:].strip()
    if last:
        yield last, negative


def is_negated(text: str) -> bool:
    """Whether a `plain` text has an odd number of negations."""
    return sum(bool(found["no"]) for found in _compiled()[1].finditer(text)) % 2 == 1


def doing(text: str) -> str:
    """The `-ing` word that opens a `plain` trigger: `parsing` of "when parsing dates"."""
    opening = " ".join(text.split(" ", 2)[:2])
    return opening.split(" ")[-1] if opening.endswith("ing") else ""


def values(text: str) -> frozenset[str]:
    """The numbers, colours and operators in a `plain` text, a small number also when it is spelled out."""
    return frozenset(NUMBER_WORDS.get(value, value) for value in _compiled()[2].findall(text))


def without_colours(text: str) -> str:
    """*text* less its hexadecimal colours, which are values and no words."""
    return re.sub(r"#[0-9a-f]{3,8}\b", " ", text) if "#" in text else text


def _lowered(found: re.Match[str]) -> str:
    return "".join(found.groups()).lower() + "case" if found.groups() else found[0].lower()


def _compiled() -> list[re.Pattern[str]]:
    """The patterns of phrases, splits and values; compiled when the first rule is compared."""
    if not _patterns:
        longest_first = sorted(PHRASES, key=len, reverse=True)
        phrases = "|".join(re.escape(phrase).replace(r"\ ", "[ -]") for phrase in longest_first)
        _patterns.extend((re.compile(rf"\b({phrases})(?:e?s)?\b"), re.compile(_SPLIT), re.compile(_VALUE)))
        _rewrites.extend((re.compile(pattern), by) for pattern, by in (*_NAMES, *_REWRITES))
    return _patterns
