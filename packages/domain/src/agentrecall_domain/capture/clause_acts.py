"""Acts: what a clause wants, as an order. Light."""

from __future__ import annotations

from agentrecall_domain.capture import clause_words as w
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.signals import Word, is_gerund, is_verb, text_of


def ended(words: list[Word]) -> str:
    """*words* as a text, without the "here", "instead" or "please" at its end."""
    while words and words[-1].low in {"here", "instead", "again", "please", "pls", "anymore", "ever", "too", "either"}:
        words = words[:-1]
    return text_of(words)


def lowered(text: str) -> str:
    """*text* with a small first letter, unless it is a name."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def passive_act(subject: list[Word], rest: list[Word]) -> str:
    """An order out of "money must be stored as cents": store money as cents."""
    at = 1 if rest[0].low.endswith("ly") and len(rest) > 1 else 0
    low = rest[at].low
    base = next(
        (
            b
            for b in (
                low[:-1] if low.endswith("ed") else "",
                low[:-2],
                low[:-3] if low[-4:-3] == low[-3:-2] else "",
                f"{low[:-3]}y",
            )
            if low.endswith("ed") and b and is_verb(b)
        ),
        "",
    )
    base = (
        base
        or w.PARTICIPLES.get(low, "")
        or (f"{low[:-3]}y" if low.endswith("ied") else low[:-2] if low.endswith("ed") and low.isalpha() else "")
    )
    what = text_of(subject) if subject else ""
    what = lowered(what)
    if base:
        return f"{base} {what} {ended(rest[at + 1 :])}".strip()
    return f"keep {what} {ended(rest)}".strip()


_DROPPING = word_set("drop ditch kill scrap")


def order_of(words: list[Word]) -> list[Clause]:
    """An order; "leave X alone" and "keep X out of Y" refuse."""
    lows = [word.low for word in words]
    if lows[0] == "leave" and lows[-1] == "alone":
        return [Clause(Kind.REFUSAL, f"change {text_of(words[1:-1])}", "leave alone")]
    if lows[0] in _DROPPING and 1 < len(words) <= 4 and not any(low in w.PREPOSITIONS for low in lows):  # noqa: PLR2004 -- counts words
        return [Clause(Kind.ASK, ended(words), "drop")]
    out = next((at for at in range(2, len(lows) - 2) if lows[at] == "out" and lows[at + 1] == "of"), 0)
    if lows[0] in {"keep", "leave"} and out:
        return [
            Clause(Kind.PLACE, text_of(words[1:out]), "new"),
            Clause(Kind.REFUSAL, f"put {text_of(words[1:out])} in {ended(words[out + 2 :])}", "keep out"),
        ]
    if lows[0] in {"prefer", "favor", "favour", "choose"} and len(words) > 1 and not is_gerund(lows[1]):
        return [Clause(Kind.ASK, f"use {ended(words[1:])}", "prefer")]
    to = next((at for at in range(2, len(lows) - 1) if lows[at] in {"with", "by", "for"}), 0)
    if lows[0] in {"replace", "swap"} and to:
        return [
            Clause(Kind.ASK, f"use {ended(words[to + 1 :])}", "replace"),
            Clause(Kind.REFUSAL, text_of(words[1:to]), "out"),
        ]
    return [Clause(Kind.ASK, ended(words))]


def wanted_of(words: list[Word]) -> str:
    """A thing as an order: "tabs" are to be used."""
    text = ended(words)
    first = words[0].low
    if len(words) > 2 and is_verb(words[1].low) and words[2].low in w.OBJECTS:  # noqa: PLR2004 -- "eager load the items"
        return text
    if is_verb(first) or is_gerund(first) or first.endswith("ly"):
        return text
    placed = any(
        words[at].low == "at" and words[at + 1].low == "the" and words[at + 2].low in _ENDS
        for at in range(1, len(words) - 2)
    )
    return f"put {text}" if placed else f"use {text}"


_ENDS = word_set("top bottom start end beginning front")
