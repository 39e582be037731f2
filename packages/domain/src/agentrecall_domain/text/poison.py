"""Poison: instructions that somebody planted where an agent would read them, and memory would learn them. Hot.

The user's own words are hardly ever judged: people say always, never and remember. What a tool printed, what a page
says and what an agent quotes is judged by patterns of text that gives orders to agents or to their memory.
"""

from __future__ import annotations

import re

from agentrecall_domain.text.poison_patterns import PATTERNS

_SPEAKERS = ("user", "agent", "tool")
_FENCE = r"```.*?(?:```[^\n]*\n?|\Z)"
_CITED_LINES = r"^[ \t]*>[^\n]*\n?(?:[ \t]*>[^\n]*\n?)*"
# Compiled where poison is suspected alone: a hook that reads clean text pays for none of it.
_QUOTES = rf"{_FENCE}|{_CITED_LINES}|`[^`\n]+`|[\"“«][^\"”»\n]{{12,}}[\"”»]"
# A tag that nothing closes reaches to the end, so that each is looked for once.
_TAGGED = (
    r"<(article|code|context|document|email|error|file|html|log|output|page|pre|quote|result|stderr|stdout|web)\b[^>\n]*>"
    r".*?(?:</\1>|\Z)"
)
_PASTED = rf"{_FENCE}|{_CITED_LINES}|{_TAGGED}"
_LINES = rf"{_FENCE}|{_CITED_LINES}|[^\n]*(?:\n|\Z)"
_PARAGRAPHS = r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+|\s*\n|\s+\Z"
_FORGED_MEMORY = r"^[ \t>]*</?agentrecall\b.*?(?:^[ \t>]*</agentrecall>[^\n]*\n?|\Z)"
_FORGED_REMINDER = r"<system[-_]reminder\b.*?(?:</system[-_]reminder>|\Z)"
_QUOTING = {"agent": _QUOTES, "user": _PASTED}
_FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL


class Dropped:
    """A piece of text that was left out, and the pattern that says why."""

    __slots__ = ("rule", "text")

    def __init__(self, rule: str, text: str) -> None:
        self.rule = rule
        self.text = text


def find_poison(text: str, origin: str) -> str | None:
    """The name of the pattern that *text* matches, None when it is clean. *origin* is whose words it is.

    What an agent quotes, or a user pastes in a fence, as a citation or between tags, is judged as somebody else's
    words. An origin that is neither user, agent nor tool is a document's.
    """
    lowered = text.lower()
    speaker = origin if origin in _SPEAKERS else "outside"
    found = _find(text, lowered, speaker)
    if found is not None or speaker not in _QUOTING or not _is_suspect(lowered, "quoted"):
        return found
    quotes = (quote[0] for quote in re.finditer(_QUOTING[speaker], text, _FLAGS))
    return next(filter(None, (_find(quote, quote.lower(), "quoted") for quote in quotes)), None)


def without_poison(text: str, origin: str) -> tuple[str, list[Dropped]]:
    """*text* without the pieces that match, and those pieces; clean text comes back as it is.

    Of an agent's words a piece is a line or a quotation, of a user's what was pasted, of a document's a paragraph:
    what stands beside a planted sentence is mostly planted too. What a tool printed is one piece.
    """
    if find_poison(text, origin) is None:
        return text, []
    dropped: list[Dropped] = []
    rest = _cut(text, "forged-memory", _FORGED_MEMORY, dropped)
    if origin not in ("user", "tool"):
        rest = _cut(rest, "forged-reminder", _FORGED_REMINDER, dropped)
    kept = []
    for piece in _pieces(rest, origin):
        rule = find_poison(piece, origin)
        if rule is None:
            kept.append(piece)
        else:
            dropped.append(Dropped(rule, piece.strip()))
    rest = "".join(kept).strip("\n")
    rule = find_poison(rest, origin)
    if rule is None:
        return rest, dropped
    # It shows only where pieces meet.
    return "", [*dropped, Dropped(rule, rest)]


def _cut(text: str, rule: str, block: str, dropped: list[Dropped]) -> str:
    dropped += [Dropped(rule, found) for found in re.findall(block, text, _FLAGS)]
    return re.sub(block, "", text, flags=_FLAGS)


def _pieces(text: str, origin: str) -> list[str]:
    if origin == "tool":
        return [text]
    piece = {"agent": _LINES, "user": rf"{_PASTED}|[^\n]*?(?=<[a-z])|[^\n]*(?:\n|\Z)"}.get(origin, _PARAGRAPHS)
    return [found[0] for found in re.finditer(piece, text, _FLAGS)]


def _is_suspect(lowered: str, speaker: str) -> bool:
    return any(speaker in speakers and _has_any(lowered, literals) for _, speakers, literals, _ in PATTERNS)


def _find(text: str, lowered: str, speaker: str) -> str | None:
    for rule, speakers, literals, pattern in PATTERNS:
        if speaker in speakers and _has_any(lowered, literals):  # noqa: SIM102 -- the cost is here
            if re.search(pattern, text, re.IGNORECASE | re.MULTILINE):
                return rule
    return None


def _has_any(lowered: str, literals: tuple[str, ...]) -> bool:
    # Asked a hundred times of each text: a generator would take twice as long.
    for literal in literals:  # noqa: SIM110 -- see above
        if literal in lowered:
            return True
    return False
