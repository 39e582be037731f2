"""Signals: what a word says about its clause, an order, a verb that tells, the start of a condition. Light.

Words are looked up, never searched for with patterns: a first reading must not cost what it takes to compile them.
"""

from __future__ import annotations

from typing import NamedTuple

from agentrecall_domain.capture import clause_words as w
from agentrecall_domain.capture.phrases import word_set

SIGHT = 14
"""Words of a clause that are looked at."""

_EDGES = "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb()[]{}*_,;:.!?\u2026"
_MASKS = ("\ue000", "\uf8ff")
_VOWELS = "aeiou"
_tables: dict[tuple[str, str], dict[str, list[tuple[str, ...]]]] = {}


class Word(NamedTuple):
    """One word: as it is written, folded, and the punctuation before it."""

    text: str
    low: str
    gap: str


def words_of(sentence: str) -> list[Word]:
    """The words of *sentence*; a dash, a colon and the like are the gap before the next one."""
    found: list[Word] = []
    gap = ""
    for raw in sentence.split():
        if raw == "=":
            gap = "="
            continue
        low = raw.strip(_EDGES).lower().replace("\u2019", "'")
        if not low:
            gap = _harder(gap, _mark(raw[-1]))
            continue
        if raw[0] in "([":
            gap = "("
        found.append(Word(raw, low, gap))
        gap = _mark(raw[-1]) if raw[-1] not in "\"'" else _mark(raw[-2:-1] or " ")
    return found


def _mark(character: str) -> str:
    if character in "-\u2013\u2014\u2192\u2026.":
        return "-"
    return character if character in ",;:()" else ""


def _harder(one: str, other: str) -> str:
    return other if other and (not one or one == ",") else one


def text_of(words: list[Word]) -> str:
    """*words* as they were written, without the punctuation at their ends."""
    return " ".join(word.text for word in words).strip(" ,;:.!?-\u2026")


def begins(name: str, language: str, words: list[Word], at: int = 0) -> int:
    """How many words of a phrase of table *name* stand at *at*; 0 for none."""
    if at >= len(words):
        return 0
    table = _table(name, language)
    low = words[at].low
    keys = (low, low.split("'")[0] + "'") if "'" in low else (low,)
    for key in keys:
        for phrase in table.get(key, ()):
            if _stands(phrase, words, at):
                return len(phrase)
    return 0


def _stands(phrase: tuple[str, ...], words: list[Word], at: int) -> bool:
    if at + len(phrase) > len(words):
        return False
    for offset, part in enumerate(phrase):
        low = words[at + offset].low
        if low != part and not (part[-1] == "'" and low.startswith(part)):
            return False
        # "Not, however": punctuation inside is another sentence's matter.
        if offset and words[at + offset].gap not in {"", ","}:
            return False
    return True


def _table(name: str, language: str) -> dict[str, list[tuple[str, ...]]]:
    table = _tables.get((name, language))
    if table is None:
        table = _tables[name, language] = {}
        for phrase in getattr(w, name)[language].split("|"):
            parts = tuple(phrase.replace(",", "").split())
            table.setdefault(parts[0], []).append(parts)
        for phrases in table.values():
            phrases.sort(key=len, reverse=True)
    return table


# Letters that only one of the languages has.
_LETTERS = {
    "de": frozenset("\u00e4\u00f6\u00fc\u00df"),
    "fr": frozenset("\u00ea\u00f4\u00e7\u00e8\u00e0\u00f9\u00e2\u00ee\u0153\u00fb"),
    "es": frozenset("\u00e1\u00ed\u00f3\u00fa\u00f1\u00bf\u00a1"),
}


def language_of(words: list[Word]) -> str:
    """The language that the small words are of: English unless another one clearly has more."""
    counts = {name: sum(word.low in signs for word in words[:120]) for name, signs in w.SIGNS.items()}
    counts["fr"] += sum(word.low.startswith(("l'", "n'", "d'", "qu'", "c'", "s'")) for word in words[:120])
    for name, letters in _LETTERS.items():
        counts[name] += sum(not letters.isdisjoint(word.low) for word in words[:120])
    english = counts.pop("en")
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] > max(english, 1) else "en"


def is_code(word: Word) -> bool:
    """Whether *word* is a span of code."""
    return any(_MASKS[0] <= character <= _MASKS[1] for character in word.low[:2])


def is_verb(low: str) -> bool:
    """Whether *low* is a verb's base form."""
    if low in w.VERBS:
        return True
    head, dash, tail = low.rpartition("-")
    if dash:
        return (tail in w.VERBS and head.isalpha()) or head in w.VERBS
    return any(
        low.startswith(prefix) and len(low) > len(prefix) + 3 and low[len(prefix) :] in w.VERBS for prefix in w.PREFIXES
    )


def base_of(low: str) -> str:
    """The base form of a gerund; the word itself when it is none."""
    if len(low) < len("doing") or low in w.NO_GERUNDS or not low.endswith("ing"):
        return low
    root = low[:-3]
    for base in (f"{root}e", root, root[:-1] if root[-2:-1] == root[-1:] else root):
        if is_verb(base) or base in w.TELLING:
            return base
    if root[-2:-1] == root[-1:] and root[-1:] not in "lsz":
        return root[:-1]
    if len(root) == len("hop") and root[1] in _VOWELS and root[0] not in _VOWELS and root[2] not in _VOWELS:
        return f"{root}e"
    return f"{root}e" if root[-1:] in "vuc" or root.endswith(("at", "iz", "is", "as")) else root


def gerund_of(verb: str) -> str:
    """The gerund of a base form."""
    verb = verb.lower()
    if verb.endswith("ing") and len(verb) > len("bring"):
        return verb
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")) and len(verb) > len("be"):
        return f"{verb[:-1]}ing"
    if verb in _DOUBLED or (_ends_short(verb) and _is_stressed(verb)):
        return f"{verb}{verb[-1]}ing"
    return f"{verb}ing"


_DOUBLED = frozenset(("commit", "submit", "forget", "admit", "permit"))
_SHORT = (3, 5)


def _ends_short(verb: str) -> bool:
    return (
        _SHORT[0] <= len(verb) <= _SHORT[1]
        and verb[-1] in "bdgmnpt"
        and verb[-2] in _VOWELS
        and verb[-3] not in _VOWELS
    )


def _is_stressed(verb: str) -> bool:
    """Whether the last syllable is said loudest: "reset" and "emit", not "edit"."""
    return sum(letter in _VOWELS for letter in verb) == 1 or verb.startswith(("re", "un", "de", "em", "om", "be"))


def is_gerund(low: str) -> bool:
    """Whether *low* is a verb with -ing."""
    return low.endswith("ing") and len(low) > len("ring") and low not in w.NO_GERUNDS


def third_person(low: str) -> str:
    """The base form that *low* is the third person of; empty when it is none."""
    if not low.endswith("s") or low.endswith("ss"):
        return ""
    for base in (low[:-1], low[:-2] if low.endswith("es") else "", f"{low[:-3]}y" if low.endswith("ies") else ""):
        if base and (base in w.TELLING or is_verb(base)):
            return base
    return ""


def is_order(words: list[Word], at: int = 0, end: int | None = None) -> bool:  # noqa: PLR0911 -- one sign a return, in their order
    """Whether the words from *at* on give an order."""
    end = _end(words, at, end)
    if at >= end:
        return False
    low = words[at].low
    after = words[at + 1] if at + 1 < end else None
    if words[at].text.endswith((")", "),")) or (low == "do" and after is not None and after.low in _PERSONS):
        return False
    if low in {"be", "only"}:
        return after is not None and (low == "be" or is_order(words, at + 1, end))
    if is_verb(low):
        if after is None:
            return low not in w.AMBIGUOUS or at == 0
        if after.low in w.AUXILIARY:
            return False
        if low not in w.AMBIGUOUS or low in w.STRONG_ORDERS:
            # "Inline literals bypass them" tells.
            return not (after.low.endswith("s") and after.low not in w.OBJECTS and tells_at(words, at, end) == at + 2)
        if after.low in w.OBJECTS or after.low in w.PREPOSITIONS or after.low in w.ADVERBS or is_code(after):
            verb = tells_at(words, at, end) if after.low in w.PREPOSITIONS else -1
            # "Answer in bullet points when asked": a plural that a condition follows tells nothing.
            return verb < 0 or (
                words[verb].low in w.NOUNS_TOO and verb + 1 < len(words) and words[verb + 1].low in _SUBORDINATE
            )
        return after.low in {"whether", "if", "how"} or tells_at(words, at, end) < 0
    unknown = low.isalpha() and len(low) > 2 and not low.endswith(("s", "ed", "ing", "ly"))  # noqa: PLR2004 -- counts words
    if not unknown or after is None or low in w.NOT_ORDERS or low in w.AUXILIARY or low in w.PAST:
        return False
    return (after.low in w.OBJECTS - {"only", "new", "both"} or is_code(after)) and not after.gap


def tells_at(words: list[Word], at: int = 0, end: int | None = None) -> int:
    """Where the verb of a statement is that begins at *at*; -1 when it is none."""
    end = _end(words, at, end)
    if at < end and words[at].low in w.CONTRACTED:
        return at
    relative = False
    for place in range(at + 1, min(end, at + SIGHT)):
        low = words[place].low
        if low in _SUBORDINATE:
            return -1
        if low in _RELATIVE and words[place - 1].low not in w.PREPOSITIONS and place + 1 < end and low != words[at].low:
            relative = True
        elif _tells(words, place, at, end):
            if not relative:
                return place
            relative = False
    return -1


_SUBORDINATE = word_set("wherever if unless when whenever because until before after so while")
_RELATIVE = frozenset(("that", "which", "who", "whose"))


def _tells(words: list[Word], place: int, start: int, end: int) -> bool:  # noqa: C901, PLR0911, PLR0912 -- one sign a return, in their order
    low, before = words[place].low, words[place - 1].low
    after = words[place + 1].low if place + 1 < end else ""
    if low in w.AUXILIARY or low.endswith("n't"):
        return True
    if after in w.AUXILIARY and not words[place + 1].gap:
        return False
    if before == "to" or (before in {"and", "or"} and place - 1 == start):
        return False
    if before == "one" and place - 2 >= start and words[place - 2].low in {"that", "this", "the", "another"}:
        before = "it"
    if (
        before in _PERSONS
        and low.isalpha()
        and (low == "like" or low not in w.PREPOSITIONS)
        and low not in w.ADVERBS
        and low not in w.CONJUNCTIONS
    ):
        return True
    if before in w.PRONOUNS and (
        low in w.PAST or is_verb(low) or low in w.TELLING or third_person(low) != "" or _is_past(low)
    ):
        return not (before in w.DETERMINERS and after in w.AUXILIARY)
    if before in w.ADVERBS and place - 1 > start:
        before = words[place - 2].low
    if before in w.DETERMINERS or before in w.PREPOSITIONS:
        return False
    opens = (
        after == ""
        or after in w.OBJECTS
        or after in w.PREPOSITIONS
        or after in w.ADVERBS
        or after in w.CONJUNCTIONS
        or (place + 1 < end and is_code(words[place + 1]))
    )
    if third_person(low):
        return (
            low not in w.NOUNS_TOO
            or (opens and after != "" and (after not in w.ADVERBS or place + 2 < end))
            or before.endswith("s")
        )
    if (low in _GOES or is_verb(low)) and opens and _of_many(words, start, place):
        return True
    if low in _GOES and opens and any(word.low.endswith("s") for word in words[start:place]):
        return True
    if low in w.PAST:
        return before not in w.DETERMINERS
    if (
        (low in w.TELLING or is_verb(low))
        and before.endswith("s")
        and not before.endswith("ss")
        and before not in w.AUXILIARY
        and before not in w.PRONOUNS
    ):
        return True
    return (
        _is_past(low)
        and opens
        and not before.endswith("ly")
        and place - start <= _WORDS_OF_A_SUBJECT
        and (before not in w.VERBS or words[start].low in w.DETERMINERS)
    )


_WORDS_OF_A_SUBJECT = 4


_GOES = word_set("go live belong sit come need get")


def _of_many(words: list[Word], start: int, place: int) -> bool:
    """Whether the subject is a plural with something said of it: "the helpers in src/util"."""
    return any(
        words[at].low.endswith("s")
        and not words[at].low.endswith("ss")
        and words[at + 1].low in w.PREPOSITIONS
        and at + 2 < place
        for at in range(start, place - 1)
    )


_PERSONS = frozenset(("i", "we", "they", "he", "she", "you"))


def _is_past(low: str) -> bool:
    return low.endswith("ed") and (is_verb(low[:-2]) or is_verb(low[:-1]) or low[:-2] in w.TELLING)


def _end(words: list[Word], at: int, end: int | None) -> int:
    """Where what is said from *at* on ends: at the next hard stop."""
    if end is not None:
        return end
    for place in range(at + 1, min(len(words), at + SIGHT + 2)):
        if words[place].gap:
            return place
    return min(len(words), at + SIGHT + 2)
