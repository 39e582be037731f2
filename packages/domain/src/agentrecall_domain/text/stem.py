"""The stem of a word: what its English inflections share.

Hot. Light on purpose: it takes off the endings that people vary without thinking, so that
`migrations` finds `migrate`, and leaves alone what would merge unrelated words. Index and query both come through
`tokenizer`: when what this module answers changes, raise its `TOKENIZER_VERSION`.
"""

from __future__ import annotations

from agentrecall_domain.text.abbreviations import SHORT_FOR

_IRREGULAR = {
    "aliases": "alias",
    "apis": "api",
    "canvases": "canvas",
    "children": "child",
    "clis": "cli",
    "cpus": "cpu",
    "dbs": "db",
    "deployment": "deploy",
    "focuses": "focus",
    "gpus": "gpu",
    "ids": "id",
    "indices": "index",
    "management": "manage",
    "matrices": "matrix",
    "menus": "menu",
    "prs": "pr",
    "requirement": "require",
    "statuses": "status",
    "uis": "ui",
    "uris": "uri",
    "vertices": "vertex",
    "vms": "vm",
}

# Words whose end only looks like a suffix, and words that a cut would merge with an unrelated one.
_KEPT = """
alias always atlas axios bias canvas chaos container controller conversation cosmos customer ddos devops exception
expression function https ios jenkins kubernetes lens locale macos manager news pandas position postgres production
question rails series species
"""
_KEPT_WORDS = frozenset(_KEPT.split())

_VOWELS = frozenset("aeiouy")


def stem(word: str) -> str:
    """The part of a folded English *word* that its inflections share, of what it is short for; any other as it is.

    Stripping goes on until nothing more comes off, so a stem is its own stem.
    """
    if len(word) > 2 and word.isascii() and word.isalpha():  # noqa: PLR2004 -- no suffix leaves a word of two
        while (shorter := _stripped(word)) != word:
            word = shorter
    return stem(SHORT_FOR[word]) if word in SHORT_FOR else word


def _stripped(word: str) -> str:
    """*word* less one suffix. Whatever it answers is shorter, or the word itself."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word in _KEPT_WORDS:  # noqa: PLR2004 -- was, has, css, dns
        return word
    strip = _SUFFIXES.get(word[-1])
    return word if strip is None else strip(word)


def _without_s(word: str) -> str:
    if word[-2] in "sj" or word.endswith(("us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-1] if len(word) == len("dies") else word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]


def _without_ing(word: str) -> str:
    return _verb(word, word[:-3]) if word.endswith("ing") and not word.endswith("string") else word


def _without_ed(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == len("tied") else word[:-3] + "y"
    return _verb(word, word[:-2]) if word.endswith("ed") and word[-3] != "e" else word


def _verb(word: str, base: str) -> str:
    """*base* as its verb is written, or *word* when what was cut off was no ending (string, shed)."""
    if len(base) < 2 or not _syllables(base):  # noqa: PLR2004 -- king, bring
        return word
    if len(base) == 2:  # noqa: PLR2004 -- using, aged; not being, lying
        return base + "e" if base[0] in _VOWELS and base[1] not in _VOWELS else word
    if base[-1] == base[-2] and base[-1] not in "aeioulsz":
        return base[:-1] if len(base) > len("add") else base
    if base[-1] == "s" and base[-2] not in "siu" and base not in _KEPT_WORDS:
        return base + "e"  # parsing, released
    return base + "e" if _is_short(base) else base


def _without_ion(word: str) -> str:
    return word[:-3] if word.endswith(("tion", "sion")) and len(word) >= len("deletion") else word


def _without_er(word: str) -> str:
    if word.endswith("ator"):
        return word[:-2] if len(word) >= len("creator") else word
    base = word[:-2]
    if not word.endswith("er") or _syllables(base) < 2:  # noqa: PLR2004 -- server, user and order stay
        return word
    return base[:-1] if base[-1] == base[-2] and base[-1] not in "aeioulsz" else base


def _without_ly(word: str) -> str:
    return word[:-2] if word.endswith("ly") and len(word) > len("early") and word[-3] in "cdeghklmnrt" else word


def _without_at(word: str) -> str:
    """*validat* as *valid*: what -ation and -ate leave of a longer verb. A short one keeps it: migrat, creat."""
    if word.endswith("at") and len(word) >= len("validat") and word[-3] not in _VOWELS:
        return word[:-2] if _syllables(word[:-2]) > 1 and word[-4:-2] != "ed" else word  # created_at is no creation
    return word


def _without_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _syllables(word) > 1 else word


def _without_e(word: str) -> str:
    if word.endswith("ee"):
        return word
    if word.endswith("ie"):
        return word[:-2] + "y" if len(word) > len("edie") else word
    base = word[:-1]
    if base[-1] == "s":  # pars would be taken for a plural
        return word
    return word if _is_short(base) or not _syllables(base) else base


_SUFFIXES = {
    "s": _without_s,
    "g": _without_ing,
    "d": _without_ed,
    "n": _without_ion,
    "r": _without_er,
    "y": _without_ly,
    "t": _without_at,
    "l": _without_l,
    "e": _without_e,
}


def _syllables(word: str) -> int:
    """How many groups of vowels *word* has; a first y is none."""
    count, before = 0, False
    for at, letter in enumerate(word):
        vowel = letter in _VOWELS and (at > 0 or letter != "y")
        count += vowel and not before
        before = vowel
    return count


def _is_short(base: str) -> bool:
    """Whether *base* is one syllable that a silent e once closed: fil, nam, typ."""
    return (
        len(base) > 2  # noqa: PLR2004 -- consonant, vowel, consonant
        and base[-1] not in _VOWELS
        and base[-1] not in "wx"
        and base[-2] in _VOWELS
        and base[-3] not in _VOWELS
        and _syllables(base) == 1
    )
