"""Cue tables: the phrases by which a sentence shows what it is worth, in nine languages, as patterns. Cold.

A table is a file in `cues`, one phrase a line under the language that it belongs to. Phrases are small patterns in
lower case, looked for between word ends; apostrophes are straight, and may be missing ("dont").
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

UNSPACED = frozenset({"zh", "ja"})
"""Languages written without spaces: their phrases are looked for anywhere."""
ANY = "*"
"""Phrases that tell in every language."""
_WORD_START = r"(?<!\w)"
# What may stand before the first word that counts: "ok so", "and", "hm".
_LEAD = (
    r"^[\s(\"'¿¡*_-]*(?:(?:ok(?:ay)?|so|and|but|oh|ah+|hm+|well|also|now|then|hey|btw|y|et|und|ja|pero|mais|aber|e|en"
    r"|ya|bueno|bon|na|yes|yeah|no|thx|cool|great|nice|lol|please|pls|jetzt|ahora"
    r"|while (?:ur|you're|you are|we're) (?:there|at it)|can (?:you|u)|could (?:you|u)|we need to|let's|kannst du"
    r"|tu peux|puedes|noch|auch|aussi|también)[,.!]* )*"
)


@cache
def phrases(name: str) -> dict[str, tuple[str, ...]]:
    """The phrases of the table *name*, by language."""
    found: dict[str, list[str]] = {}
    language = ""
    text = files("agentrecall_domain.notes").joinpath("cues", f"{name}.txt").read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]"):
            language = line[1:-1]
        elif line and not line.startswith("# "):
            found.setdefault(language, []).append(line)
    return {language: tuple(lines) for language, lines in found.items()}


@cache
def pattern(name: str, language: str, *, leading: bool = False) -> re.Pattern[str] | None:
    """What finds a phrase of the table *name* in *language*: anywhere, or *leading* a sentence."""
    found = phrases(name).get(language)
    if not found:
        return None
    joined = "|".join(found)
    if language in UNSPACED:
        return re.compile(rf"^(?:{joined})" if leading else joined, re.IGNORECASE)
    return re.compile(rf"{_LEAD if leading else _WORD_START}(?:{joined})(?!\w)", re.IGNORECASE)


def patterns(name: str, language: str, *, leading: bool = False) -> list[re.Pattern[str]]:
    """The patterns of the table *name* for *language* and for English, which is mixed into all others."""
    tongues = dict.fromkeys((language, "en", ANY))
    return [found for tongue in tongues if (found := pattern(name, tongue, leading=leading)) is not None]


def says(name: str, text: str, language: str, *, leading: bool = False) -> bool:
    """Whether *text* holds a phrase of the table *name*, or begins with one."""
    return any(found.search(text) is not None for found in patterns(name, language, leading=leading))


def counted(name: str, text: str, language: str) -> int:
    """How many phrases of the table *name* are in *text*."""
    return max(
        (len({match[0].lower() for match in found.finditer(text)}) for found in patterns(name, language)), default=0
    )
