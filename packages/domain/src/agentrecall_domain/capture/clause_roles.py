"""Roles: what a piece of a sentence does there, read off its first words and what stood before it. Light."""

from __future__ import annotations

from agentrecall_domain.capture import clause_words as w
from agentrecall_domain.capture.clause_acts import ended, order_of, passive_act, wanted_of
from agentrecall_domain.capture.clause_customs import how, judged
from agentrecall_domain.capture.clause_cuts import begins_as, opening, skipped
from agentrecall_domain.capture.clause_foreign import foreign, rather
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.clause_told import caught, duty, habit
from agentrecall_domain.capture.clause_wrongs import discouraged, told_wrong
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.signals import (
    Word,
    begins,
    gerund_of,
    is_code,
    is_gerund,
    is_order,
    is_verb,
    tells_at,
    text_of,
    third_person,
    words_of,
)

_WORDS_OF_A_THING = 14
_DEMANDS = frozenset((Kind.ASK, Kind.REFUSAL))


def classified(piece: list[Word], before: Clause | None, language: str) -> list[Clause]:  # noqa: C901, PLR0911, PLR0912 -- one sign a return, in their order
    """The clauses in *piece*; *before* is the one before it in its sentence."""
    if begins("CHATTER", language, piece) and not is_order(piece, skipped(piece, 0, language)):
        return [Clause(Kind.CHATTER, text_of(piece))]
    if before is not None and before.kind is Kind.ASK and piece[0].low == "to" and before.lead == "prefer":
        return [Clause(Kind.REFUSAL, ended(piece[1:]), "instead")]
    if (
        piece[0].low in {"and", "but"}
        and len(piece) > 3  # noqa: PLR2004 -- counts words
        and piece[1].low in {"is", "are"}
        and piece[2].low in {"never", "not"}
        and before
    ):
        return [Clause(Kind.REFUSAL, passive_act(words_of(before.about), piece[3:]), "and never")]
    if piece[0].low == "to" and before is None and language == "en" and len(piece) > 2 and is_verb(piece[1].low):  # noqa: PLR2004 -- counts words
        return [Clause(Kind.CONDITION, f"when {gerund_of(piece[1].low)} {text_of(piece[2:])}", "to")]
    if (
        piece[0].low == "or"
        and not begins("REASON", language, piece)
        and before is not None
        and tells_at(piece, 1) >= 0
        and not is_order(piece, 1)
    ):
        return [Clause(Kind.REASON, text_of(piece[1:]), "or")]
    after_demand = before is not None and before.kind in {Kind.ASK, Kind.REFUSAL}
    if len(piece) > 2 and piece[-1].low == "otherwise" and not begins("CONDITION", language, piece):  # noqa: PLR2004 -- counts words
        return [Clause(Kind.REASON, text_of(piece), "otherwise")]
    if (
        piece[0].low == "so"
        and (after_demand or (before is not None and before.lead == "name"))
        and len(piece) > 1
        and piece[1].low != "that"
        and not is_order(piece, skipped(piece, 0, language))
        and tells_at(piece, 1) >= 0
    ):
        return [Clause(Kind.REASON, text_of(piece[1:]), "so")]
    why = piece[0].low == "as" and language == "en" and not begins("CONDITION", language, piece)
    if why and before is not None and begins_as(piece, 0):
        return [Clause(Kind.REASON, text_of(piece[1:]), "as")]
    against = before is not None and before.kind is Kind.REFUSAL and before.lead in {"not", "instead"}
    if piece[0].low == "but" and against and len(piece) > 1 and not is_order(piece, 1):
        return [Clause(Kind.ASK, wanted_of(piece[1:]), "but")]
    if language != "en" and (found := rather(piece, language)):
        return found
    if language == "en" and (found := _whoever(piece, skipped(piece, 0, language))):
        return found
    if language == "en" and len(piece) > 2 and [word.low for word in piece[-2:]] == ["it", "is"]:  # noqa: PLR2004 -- counts words
        return [Clause(Kind.ASK, f"use {text_of(piece[:-2])}", "must")]
    forgot = " ".join(word.low for word in piece[:2]) in {"you forgot", "you missed"}
    name, at = opening(piece, 0, language)
    if forgot and at and is_order(piece, at):
        return [Clause(Kind.ASK, ended(piece[at:]), "forgot")]
    if (
        name == ""
        and piece[at].low == "to"
        and at
        and at + 2 < len(piece)
        and language == "en"
        and is_verb(piece[at + 1].low)
        and (before is None or before.kind is Kind.STATEMENT)
    ):
        return [Clause(Kind.CONDITION, f"when {gerund_of(piece[at + 1].low)} {text_of(piece[at + 2 :])}", "to")]
    count = (begins(name, language, piece, at) or discouraged(piece, at)) if name else 0
    lead, rest = text_of(piece[at : at + count]).lower(), piece[at + count :]
    told = before is not None and before.kind in {Kind.ASK, Kind.REFUSAL}
    if name == "REASON":
        return _reason(lead, rest, language)
    if name == "CONDITION" and rest and told and [lead, rest[0].low] == ["si", "no"]:
        return [Clause(Kind.REASON, text_of(piece[at:]), lead)]
    if name == "CONDITION" and rest:
        return [Clause(Kind.CONDITION, _intended(rest, lead) or text_of(piece[at:]), lead)]
    if name == "CONTRAST" and (
        lead not in {"not", "never", "no", "nicht", "kein", "keine", "keinen", "pas", "jamais", "nunca"}
        or told
        or (before and (before.ask or before.lead == "name"))
    ):
        return _contrast(rest, lead)
    if here := begins("HERE", language, piece, at):
        inner = classified(piece[at + here :], before, language) if piece[at + here :] else []
        return inner or [Clause(Kind.CHATTER, text_of(piece))]
    if name in {"REFUSAL", "CONTRAST"} and rest:
        return _refusal(piece, at, lead, rest, language, told=told)
    whole = language != "en" or tells_at(piece, at) < 0 or (rest[:1] and rest[0].low in w.SOMEBODY)
    whole = whole and not (language == "de" and at > 0 and piece[-1].low.endswith(("en", "ern", "eln")))
    if name == "PLACE" and rest and not told and whole:
        return [Clause(Kind.PLACE, text_of(rest), lead)]
    here = skipped(piece, at, language)
    ordered = here > 0 or (before is not None and before.kind in {Kind.CONDITION, Kind.PLACE})
    return _plain(piece[here:], before, language, ordered=ordered)


_ANYBODY = frozenset(("anyone", "anybody", "everyone", "everybody", "those"))


def _whoever(piece: list[Word], at: int) -> list[Clause]:
    """For example "Whoever adds a topic also writes its schema", "anyone who adds one must"."""
    who = 1 if piece[at].low == "whoever" else 2
    if at + who >= len(piece) or (who > 1 and (piece[at].low not in _ANYBODY or piece[at + 1].low != "who")):
        return []
    act = piece[at + who :]
    duty = next((place for place in range(1, min(len(act) - 1, 14)) if begins("DUTY", "en", act, place)), 0)
    verb = third_person(act[0].low) or (act[0].low if is_verb(act[0].low) else "")
    if duty and verb and act[duty - 1].low not in w.PRONOUNS:
        rest = act[duty + begins("DUTY", "en", act, duty) :]
        refused = act[duty].low.endswith(("n't", "nt")) or (rest[:1] and rest[0].low in {"not", "never"})
        while len(rest) > 1 and rest[0].low in w.ADVERBS:
            rest = rest[1:]
        return [
            Clause(Kind.CONDITION, f"when {gerund_of(verb)} {text_of(act[1:duty])}".strip(), "whoever"),
            Clause(Kind.REFUSAL if refused else Kind.ASK, ended(rest), "must not" if refused else "must"),
        ]
    verbs = [
        place
        for place in range(min(len(act), 13))
        if third_person(act[place].low)
        and (place == 0 or act[place].low not in w.NOUNS_TOO or act[place - 1].low in w.ADVERBS)
    ]
    if len(verbs) < 2 or verbs[1] + 1 >= len(act):  # noqa: PLR2004 -- counts words
        return []
    end = verbs[1] - 1 if act[verbs[1] - 1].low in w.ADVERBS else verbs[1]
    return [
        Clause(Kind.CONDITION, text_of(piece[at : at + who] + act[:end]), "whoever"),
        Clause(Kind.ASK, f"{third_person(act[verbs[1]].low)} {ended(act[verbs[1] + 1 :])}", "must"),
    ]


def _intended(rest: list[Word], lead: str) -> str:
    """The act that one is about to do: "next time you split a job", "if you're going to split it"."""
    lows = [word.low for word in rest]
    you = lows[:1] in (["you"], ["we"], ["you're"], ["we're"]) and not lead.endswith("you")
    at = int(you) + (1 if lows[1:2] == ["are"] else 0)
    meant = lows[at : at + 2] in (["going", "to"], ["about", "to"], ["want", "to"], ["need", "to"], ["have", "to"])
    at += 2 if meant else 0
    if not (meant or "next time" in lead) or at >= len(rest) or not (is_verb(lows[at]) or "next time" in lead):
        return ""
    return f"when {gerund_of(lows[at])} {text_of(rest[at + 1 :])}".strip()


def _reason(lead: str, rest: list[Word], language: str) -> list[Clause]:
    if lead in {"otherwise", "else", "sonst", "ansonsten", "sinon"} and is_order(rest, skipped(rest, 0, language)):
        return [Clause(Kind.ASK, text_of(rest))]
    if len(rest) == 1 and rest[0].low in {"that", "this", "it"}:
        return []
    return [Clause(Kind.REASON, text_of(rest), lead)] if rest else []


def _contrast(rest: list[Word], lead: str) -> list[Clause]:
    where = next((at for at in range(1, len(rest) - 1) if rest[at].low in {"for", "in"}), 0)
    if where and lead in {"over", "beats", "trumps"}:
        # "Composition over inheritance for fixtures": both are for them.
        return [
            Clause(Kind.REFUSAL, ended(rest[:where]), "instead"),
            Clause(Kind.PLACE, ended(rest[where + 1 :]), rest[where].low),
        ]
    return [Clause(Kind.REFUSAL, ended(rest), "instead")] if rest else []


def _does_something(rest: list[Word]) -> bool:
    """Whether something is done to a thing: "mocks the db layer"."""
    return len(rest) > 1 and (rest[1].low in w.OBJECTS or is_code(rest[1]) or not rest[1].low.endswith("s"))


_NOT_ALWAYS = word_set("can't cannot nobody not without no") | {
    "can not",
    "they don't",
    "they never",
    "they do not",
    "no more",
}
"""Leads of a refusal that tell as well: "no test can see it"."""
_NOT_WANTING = frozenset(("i don't want", "i do not want", "we don't want"))


def _refusal(piece: list[Word], at: int, lead: str, rest: list[Word], language: str, *, told: bool) -> list[Clause]:  # noqa: C901, PLR0911, PLR0912 -- one sign a return, in their order
    while len(rest) > 1 and rest[0].low in {"ever", "again"}:
        rest = rest[1:]
    if language == "fr" and rest and lead not in {"pas de", "pas d'"}:
        return [Clause(Kind.REFUSAL, ended(rest), lead)]
    if lead in _NOT_ALWAYS and language == "en":
        if lead == "no more" and rest[0].low == "than":
            return [Clause(Kind.ASK, f"use {ended(piece[at:])}", "must")]
        if lead == "no" and rest[0].low == "one":
            return [Clause(Kind.STATEMENT, text_of(piece[at:]))]
        if lead == "nobody" or (lead == "no" and tells_at(rest, 0) > 0 and not rest[0].low.endswith("s")):
            # "No test should hit the network", "nobody calls it directly".
            verb = tells_at(piece, at)
            if verb > 0 and piece[verb].low in {"should", "must", "may"}:
                subject = piece[at + 1 : verb]
                place = [Clause(Kind.PLACE, text_of(subject), "must")] if subject else []
                return [*place, Clause(Kind.REFUSAL, ended(piece[verb + 1 :]), "must not")]
            base = third_person(rest[0].low) if not told else ""
            if lead == "nobody" and base and base not in w.TELLING and _does_something(rest):
                return [Clause(Kind.REFUSAL, f"{base} {ended(rest[1:])}", "must not")]
            if lead == "nobody":
                return [Clause(Kind.STATEMENT, text_of(piece[at:]))]
        if lead in {"not", "without"} and tells_at(rest, 0) > 0:
            return [Clause(Kind.STATEMENT, text_of(piece[at:]))]
    if (lead in _NOT_WANTING and rest[0].low == "to") or (lead == "you don't" and rest[0].low in {"need", "have"}):
        return [Clause(Kind.STATEMENT, text_of(piece[at:]))]
    if (
        lead == "never"
        and language == "en"
        and (
            w.PARTICIPLES.get(rest[0].low, rest[0].low) != rest[0].low
            or rest[0].low in {"seen", "been", "had", "heard"}
            or (
                rest[0].low.endswith("ed")
                and rest[0].low not in {"need", "embed", "feed", "seed", "shed", "exceed", "proceed"}
            )
        )
    ):
        return [Clause(Kind.STATEMENT, text_of(piece[at:]))]
    if language == "es" and rest[0].low.endswith(("amos", "emos")):
        rest = [rest[0]._replace(text=f"{rest[0].text[:-4]}{rest[0].low[-4]}r"), *rest[1:]]
    return [Clause(Kind.REFUSAL, ended(rest), lead)]


_CUSTOM = word_set("way rule convention standard policy pattern practice word term name approach answer fix trick")
_WANTING = word_set("we you i it should")


def _what_one_wants(words: list[Word]) -> list[Clause]:
    """For example "What you want is a lock per key", "the way we do it is X", "X is what we use"."""
    be = next((at for at in range(1, min(len(words) - 1, 12)) if words[at].low in {"is", "are"}), 0)
    if not be:
        return []
    lows = [word.low for word in words]
    if lows[0] == "what" and lows[1] in _WANTING and be > 2:  # noqa: PLR2004 -- "what you want is"
        wanted = lows[2] in {"want", "need"} or lows[2:4] == ["should", "use"]
    else:
        wanted = lows[0] in {"the", "our"} and not _CUSTOM.isdisjoint(lows[1 : min(be, 3)])
        wanted = wanted and lows[be + 1] not in w.PARTICIPLES and not lows[be + 1].endswith("ed")
    if wanted and tells_at(words, be + 1) < 0:
        return [Clause(Kind.ASK, wanted_of(words[be + 2 :] if lows[be + 1] == "to" else words[be + 1 :]), "must")]
    if lows[be + 1] == "what" and lows[be + 2 : be + 3] and lows[be + 2] in _WANTING and tells_at(words[:be]) < 0:
        return [Clause(Kind.ASK, f"use {text_of(words[:be])}", "must")]
    return []


def _plain(words: list[Word], before: Clause | None, language: str, *, ordered: bool) -> list[Clause]:  # noqa: C901, PLR0911 -- one sign a return, in their order
    if not words:
        return []
    if language != "en":
        after = before is not None and before.kind in {Kind.ASK, Kind.REFUSAL}
        if (
            before is not None
            and before.kind is Kind.STATEMENT
            and before.lead != "you did"
            and not ordered
            and words[0].low not in {"sondern", "sino"}
        ):
            return [Clause(Kind.STATEMENT, text_of(words))]
        return foreign(words, language, ordered=ordered, told=after)
    nominal = len(words) > 2 and words[1].low == "of" and tells_at(words) > 1  # noqa: PLR2004 -- "use of X must be"
    if is_order(words) and not nominal:
        return order_of(words)
    if (
        found := _what_one_wants(words)
        or told_wrong(words)
        or caught(words)
        or (habit(words) if words[0].low != "we" or before is None or before.kind not in _DEMANDS else [])
        or duty(words)
        or judged(words)
        or how(words, before)
    ):
        return found
    while len(words) > 1 and words[-1].low in {"here", "please", "pls"}:
        words, ordered = words[:-1], True
    if words[0].low in {"it's", "its"} and len(words) > 1 and tells_at(words, 1) < 0:
        denied = words[1].low == "not" and len(words) > 2  # noqa: PLR2004 -- "it's not X"
        thing = [word for word in words[1:] if word.low not in {"not", "always"}]
        if denied and before is None and (len(thing) == 1 or thing[0].low in {"a", "an"}):
            return [Clause(Kind.REFUSAL, ended(thing), "out")]
        if not denied and thing and (is_code(thing[0]) or (ordered and before is not None)):
            return [Clause(Kind.ASK, f"use {ended(thing)}", "must")]
    verb = tells_at(words)
    if (
        verb < 0
        and (len(words) > 1 or is_code(words[0]))
        and (ordered or words[-1].low in {"instead", "please", "pls", "only"})
        and len(words) <= _WORDS_OF_A_THING
    ):
        return [Clause(Kind.ASK, wanted_of(words))]
    if verb < 0 and is_gerund(words[0].low) and before is None and len(words) > 1:
        return [Clause(Kind.STATEMENT, text_of(words), "doing")]
    return [Clause(Kind.STATEMENT, text_of(words), "" if verb >= 0 else "name")]
