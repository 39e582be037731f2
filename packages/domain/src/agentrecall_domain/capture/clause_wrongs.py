"""Wrongs: what a clause says turned out badly, or should not be done, without ordering so. Light."""

from __future__ import annotations

from agentrecall_domain.capture import clause_words as w
from agentrecall_domain.capture.clause_acts import lowered
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.signals import Word, is_verb, tells_at, text_of


def discouraged(words: list[Word], at: int) -> int:
    """How many words at *at* say that one should not: "there is no good reason to", "it's a no-go to"."""
    if words[at].low not in _IT_IS:
        return 0
    to = next((place for place in range(at + 1, min(len(words) - 1, at + 8)) if words[place].low == "to"), 0)
    said = [word.low for word in words[at + 1 : to]]
    after = words[to + 2 if to + 2 < len(words) and words[to + 1].low == "ever" else to + 1].low if to else ""
    if not is_verb(after) or (words[at].low in {"it", "there"} and said[:1] not in (["is"], ["was"], ["makes"])):
        return 0
    denied = not {"no", "not", "never", "hardly", "rarely"}.isdisjoint(said)
    bad = not _ILL.isdisjoint(said) if not denied or "no-go" in said else not _WELL.isdisjoint(said)
    return to + 1 - at if bad else 0


_IT_IS = word_set("it it's its there there's theres")
_ILL = word_set("no-go bad wrong mistake dangerous unsafe forbidden pointless useless risky reckless taboo terrible")
_WELL = word_set("reason point sense excuse ok okay fine allowed acceptable right safe wise smart good")


_LEARNING = word_set("find notice realise realize learn see figure discover understand spot")
_RARELY = word_set("hardly rarely seldom scarcely never")
_WORTH = word_set("pays pay helps help works work scales scale holds hold saves save buys buy")


def told_wrong(words: list[Word]) -> list[Clause]:
    """What turned out wrong: "it took us a week to find that X", "an index on a boolean rarely pays off".

    What one chose to do, "a X on a Y", is not to be done again; of "the X" only the trouble is told.
    """
    learnt = _learnt_at(words)
    about = words[learnt:]
    if not about:
        return []
    verb = tells_at(about)
    rarely = next((at for at in range(1, min(len(about) - 1, 10)) if about[at].low in _RARELY), 0)
    rare = rarely > 0 and any(word.low in _WORTH for word in about[rarely + 1 : rarely + 3])
    # "Never works without a config" asks for the config.
    rare = rare and all(word.low not in {"without", "unless", "until", "if"} for word in about[rarely:])
    if not (learnt or rare or _to_no_end(about, verb)):
        return []
    end = rarely if rare and not learnt else verb
    while end > 1 and about[end - 1].low in w.ADVERBS:
        end -= 1
    chosen = about[0].low in {"a", "an"} and (not learnt or any(word.low in _WHERE for word in about[2:end]))
    if end < 1 or not chosen:
        return [Clause(Kind.STATEMENT, text_of(about))] if learnt else []
    return [
        Clause(Kind.REFUSAL, f"use {lowered(text_of(about[:end]))}", "wrong"),
        Clause(Kind.STATEMENT, f"it {text_of(about[end:])}"),
    ]


_MOVING = word_set("move moves hide hides mask masks delay delays shift shifts postpone postpones push pushes")


def _to_no_end(words: list[Word], verb: int) -> bool:
    """Whether the thing achieves nothing: "proves nothing", "just moves the stampede"."""
    if not 0 < verb < len(words) - 1:
        return False
    return any(word.low == "nothing" for word in words[verb + 1 : verb + 4]) or (
        words[verb - 1].low in {"just", "only", "merely"} and words[verb].low in _MOVING
    )


_WHERE = word_set("on in inside for around within")


def _learnt_at(words: list[Word]) -> int:
    """Where that begins what it took so long to find; 0 when nothing did."""
    if words[0].low not in {"it", "we", "i"} or len(words) < 2 or words[1].low not in {"took", "cost", "spent"}:  # noqa: PLR2004 -- counts words
        return 0
    for at in range(3, min(len(words) - 4, 14)):
        if words[at].low in {"finding", "learning"} or (words[at].low == "to" and words[at + 1].low in _LEARNING):
            return next((that + 1 for that in range(at + 1, at + 4) if words[that].low == "that"), 0)
    return 0
