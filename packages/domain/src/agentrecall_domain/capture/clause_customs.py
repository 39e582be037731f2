"""Customs: statements of how things of a kind are done here, and words on their worth. Light."""

from __future__ import annotations

from agentrecall_domain.capture import clause_words as w
from agentrecall_domain.capture.clause_acts import ended, lowered, passive_act
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.signals import (
    Word,
    base_of,
    gerund_of,
    is_gerund,
    is_verb,
    tells_at,
    text_of,
    third_person,
)

_WORDS_OF_A_NAME = 3


_OUT = word_set("out banned forbidden dead deprecated verboten prohibited off-limits taboo disallowed")


_BAD = (
    "off limits",
    "a no-go",
    "not allowed",
    "not ok",
    "no longer allowed",
    "not welcome",
    "not an option",
    "not a thing",
    "not something",
    "not how",
    "a no no",
)


_FROWNED_ON = (
    *("no good", "a smell", "a code smell", "asking for trouble", "a no-go", "an anti-pattern", "an antipattern"),
    *("a trap", "evil", "cheating", "no option", "wrong", "bad", "a mistake", "a bad idea"),
)
_NO_GOOD = frozenset(
    f"{verb} {rest}".strip()
    for verb, rests in {
        "is not": ("", "ok", "fine", "allowed", "enough", "good enough", "acceptable", "an option"),
        "isn't": ("", "ok", "fine", "allowed", "enough", "good enough", "acceptable", "an option"),
        "are not": ("", "ok", "fine", "allowed", "enough", "acceptable", "an option"),
        "aren't": ("", "ok", "fine", "allowed", "enough", "acceptable", "an option"),
        "won't": ("do", "cut it", "fly"),
        "doesn't": ("cut it", "count", "fly", "suffice"),
        "don't": ("cut it", "count", "suffice"),
        "is": _FROWNED_ON,
        "are": _FROWNED_ON,
    }.items()
    for rest in rests
)


_TURNED_DOWN = word_set("rejected refused reverted bounced closed declined thrown")


def judged(words: list[Word]) -> list[Clause]:  # noqa: PLR0911 -- one sign a return, in their order
    """For example "Lodash is out": what is refused or wanted by a word about it."""
    last = next(
        (place for place in range(1, min(len(words), 9)) if " ".join(word.low for word in words[place:]) in _NO_GOOD), 0
    )
    if last and (words[0].low not in w.PRONOUNS or (words[0].low in w.DETERMINERS and last > 1)):
        return [Clause(Kind.REFUSAL, text_of(words[:last]), "out")]
    by = next((place for place in range(2, min(len(words), 12)) if words[place].low in _TURNED_DOWN), 0)
    if by and words[by - 1].low in {"be", "get", "gets", "getting"} and words[0].low not in w.PRONOUNS:
        end = by - 2 if by > 2 and words[by - 2].low in {"will", "would"} else by - 1  # noqa: PLR2004 -- "X will be"
        told = Clause(Kind.STATEMENT, f"they {text_of(words[end:])}")
        return [Clause(Kind.REFUSAL, lowered(text_of(words[:end])), "out"), told]
    at = next((place for place in range(1, min(len(words), 12)) if words[place].low in {"is", "are"}), -1)
    if at < 1 or at + 1 >= len(words):
        return []
    while at + 2 < len(words) and words[at + 1].low in {"therefore", "now", "just", "simply", "strictly", "also"}:
        words = words[: at + 1] + words[at + 2 :]
    said = " ".join(word.low for word in words[at + 1 : at + 4])
    subject = text_of(words[:at])
    if (words[at + 1].low in _OUT and (at + 2 >= len(words) or words[at + 2].low in w.PREPOSITIONS)) or said.startswith(
        _BAD
    ):
        place = next(
            (place for place in range(at + 1, len(words)) if words[place].low in {"in", "for", "on"}), len(words)
        )
        return [Clause(Kind.REFUSAL, f"{subject} {text_of(words[place:])}".strip(), "out")]
    if words[0].low in w.PRONOUNS and words[0].low not in w.DETERMINERS:
        return []
    if said in {"in", "the way", "the way to go", "what we use", "what we want", "what you want"} or said.startswith(
        ("the way to", "what you want", "what we use", "what we want", "what it should", "what it has")
    ):
        return [Clause(Kind.ASK, f"use {subject}", "must")]
    if (
        words[at + 1].low in {"how", "where", "what"}
        and at + 3 < len(words)
        and words[at + 2].low in {"you", "we"}
        and is_verb(words[at + 3].low)
    ):
        return [
            Clause(Kind.CONDITION, f"when {gerund_of(words[at + 3].low)} {text_of(words[at + 4 :])}".strip(), "how"),
            Clause(Kind.ASK, f"use {subject}", "must"),
        ]
    if said == "the place" or said.startswith(("the place for", "the right place", "the place to")):
        return [Clause(Kind.ASK, f"put it in {lowered(subject)}", "must")]
    return []


_GOES = word_set("goes go belongs belong lives live sits sit comes come")


_HARMS = word_set("""
    asking trouble smell bug bugs race trap mistake dangerous unsafe wrong leak nightmare disaster pain evil
    bad pointless useless
""")


def how(words: list[Word], before: Clause | None) -> list[Clause]:  # noqa: C901, PLR0911, PLR0912 -- one sign a return, in their order
    """For example "Handlers return a Result": a statement of how things of a kind are done here."""
    if before is not None and before.kind in {Kind.REFUSAL, Kind.CONDITION} and (found := _instead(words)):
        return found
    at = tells_at(words)
    if at < 1 or (before is not None and before.kind in {Kind.ASK, Kind.REFUSAL}):
        return []
    subject, rest = words[:at], words[at + 1 :]
    low = words[at].low
    if subject[-1].low in w.ADVERBS and len(subject) > 1:
        adverb, subject = subject[-1].low, subject[:-1]
    else:
        adverb = ""
    about = text_of([word for word in subject if word.low != "here"] or subject)
    if not rest or (
        subject[0].low in w.PRONOUNS
        and subject[0].low not in w.DETERMINERS
        and subject[0].low not in {"anything", "everything"}
    ):
        return []
    plural = (
        subject[-1].low.endswith("s")
        or subject[0].low in {"every", "all", "each", "any", "new", "everything", "anything"}
        or any(
            word.low in {"that", "for", "of", "in"} and subject[place - 1].low.endswith("s")
            for place, word in enumerate(subject)
            if place
        )
    )
    nots = (
        low in {"don't", "dont"}
        or (low in {"doesn't", "doesnt"} and rest[0].low in _GOES)
        or (low == "do" and rest[0].low == "not")
        or adverb == "never"
    )
    if low in _GOES or (nots and rest[0].low in _GOES):
        where = rest[1:] if nots and adverb != "never" else rest
        if not where or where[0].low not in w.PREPOSITIONS | {"next", "not"}:
            return []
        if nots:
            return [Clause(Kind.PLACE, about, "new"), Clause(Kind.REFUSAL, f"put {about} {ended(where)}", "must not")]
        if low in {"come", "comes"}:
            return (
                [Clause(Kind.ASK, f"take {lowered(about)} {ended(where)}", "how", about=about)]
                if where[0].low == "from" and not nots
                else []
            )
        lead = (
            "must"
            if low in {"goes", "go", "belongs", "belong"}
            and where[0].low not in {"through", "via"}
            and subject[0].low.isalpha()
            else "how"
        )
        put = Clause(Kind.ASK, f"put {lowered(about)} {ended(where)}", lead, about=about)
        return [put] if about.lower() in w.PRONOUNS else [Clause(Kind.PLACE, about, "new"), put]
    if low in {"need", "needs"} and before is None:
        return [Clause(Kind.STATEMENT, text_of(words), "how", ask=f"have {ended(rest)}", about=about)]
    if (
        is_gerund(subject[0].low)
        and is_verb(base_of(subject[0].low))
        and low not in w.NOUNS_TOO
        and (low in {"is", "means", "makes"} or third_person(low))
        and before is None
    ):
        harms = any(word.low in _HARMS for word in rest) or low != "is"
        if harms:
            return [Clause(Kind.STATEMENT, f"it {text_of(words[at:])}", "doing", about=about)]
    if not plural:
        return []
    if nots:
        act = words[at:] if adverb == "never" else rest
        if act[0].low in w.TELLING or act[0].low in w.AUXILIARY:
            return []
        return [Clause(Kind.PLACE, about, "must"), Clause(Kind.REFUSAL, ended(act), "must not")]
    if (
        low == "is"
        and not any(word.low in {"every", "always", "all"} for word in rest)
        and subject[0].low not in {"every", "all", "each", "any", "everything", "anything", "new"}
    ):
        return []
    if low in {"are", "is"}:
        if rest[0].low in {"never", "not"} and len(rest) > 1 and rest[1].low.endswith(("ed", "en")):
            return [Clause(Kind.REFUSAL, passive_act(subject, rest[1:]), "must not")]
        lead = "how"
        past = rest[0].low.endswith(("ed", "en")) or rest[0].low in w.PARTICIPLES
        ask = passive_act(subject, rest) if past else f"keep {lowered(about)} {ended(rest)}"
        return [Clause(Kind.STATEMENT, text_of(words), lead, ask=ask, about=about)]
    if low in {"get", "gets"} and (rest[0].low.endswith("ed") or rest[0].low in w.PARTICIPLES):
        return [Clause(Kind.STATEMENT, text_of(words), "how", ask=passive_act(subject, rest), about=about)]
    if low in {"has", "have", "get", "gets", "need", "needs", "carry", "carries"}:
        return [Clause(Kind.STATEMENT, text_of(words), "how", ask=f"have {ended(rest)}", about=about)]
    if low in w.AUXILIARY or low in w.PAST or (low.endswith("ed") and not third_person(low)):
        return []
    base = third_person(low) or low
    if base in w.TELLING and base not in {"start", "end", "stay", "come", "take", "run", "give", "follow", "own"}:
        return []
    return [Clause(Kind.STATEMENT, text_of(words), "how", ask=f"{base} {ended(rest)}", about=about)]


_ENOUGH = frozenset(("is enough", "does it", "does the job", "does that", "exists for that", "is for that", "will do"))


def _instead(words: list[Word]) -> list[Clause]:
    """After a refusal, where it goes or what does: "they belong in the model", "textContent is enough"."""
    if len(words) < 3:  # noqa: PLR2004 -- a thing and "is enough"
        return []
    if (
        words[0].low in {"they", "it", "those", "these", "that"}
        and words[1].low in _GOES
        and words[2].low in w.PREPOSITIONS
    ):
        return [Clause(Kind.ASK, f"put {'it' if words[0].low == 'it' else 'them'} {ended(words[2:])}", "must")]
    named = words[0].low not in w.PRONOUNS or words[0].low in w.DETERMINERS
    for place in (2, 3):
        said = " ".join(word.low for word in words[-place:])
        if named and said in _ENOUGH and len(words) - place <= _WORDS_OF_A_NAME:
            return [Clause(Kind.ASK, f"use {text_of(words[:-place])}", "must")]
    return []
