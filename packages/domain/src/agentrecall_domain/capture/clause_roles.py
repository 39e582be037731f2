"""Roles: what a piece of a sentence does there, read off its first words and what stood before it. Light."""

from __future__ import annotations

from agentrecall_domain.capture import clause_words as w
from agentrecall_domain.capture.clause_acts import ended, order_of, passive_act, wanted_of
from agentrecall_domain.capture.clause_customs import how, judged
from agentrecall_domain.capture.clause_cuts import begins_as, opening, skipped
from agentrecall_domain.capture.clause_foreign import foreign
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.clause_told import caught, duty, habit
from agentrecall_domain.capture.clause_wrongs import discouraged, told_wrong
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
        and after_demand
        and len(piece) > 1
        and piece[1].low != "that"
        and not is_order(piece, skipped(piece, 0, language))
        and tells_at(piece, 1) >= 0
    ):
        return [Clause(Kind.REASON, text_of(piece[1:]), "so")]
    if piece[0].low == "as" and language == "en" and before is not None and begins_as(piece, 0):
        return [Clause(Kind.REASON, text_of(piece[1:]), "as")]
    against = before is not None and before.kind is Kind.REFUSAL and before.lead in {"not", "instead"}
    if piece[0].low == "but" and against and len(piece) > 1 and not is_order(piece, 1):
        return [Clause(Kind.ASK, wanted_of(piece[1:]), "but")]
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
    if name == "CONDITION" and rest:
        return [Clause(Kind.CONDITION, _intended(rest, lead) or text_of(piece[at:]), lead)]
    if name == "CONTRAST" and (
        lead not in {"not", "never", "no", "nicht", "kein", "keine", "keinen", "pas", "jamais", "nunca"}
        or told
        or (before and (before.ask or before.lead == "name"))
    ):
        return _contrast(rest, lead)
    if name == "CONTRAST" and before and before.kind is Kind.STATEMENT and lead == "not":
        return [Clause(Kind.STATEMENT, text_of(piece))]
    if here := begins("HERE", language, piece, at):
        inner = classified(piece[at + here :], before, language) if piece[at + here :] else []
        return inner or [Clause(Kind.CHATTER, text_of(piece))]
    if name in {"REFUSAL", "CONTRAST"} and rest:
        return _refusal(piece, at, lead, rest, language, told=told)
    whole = language != "en" or tells_at(piece, at) < 0 or (rest[:1] and rest[0].low in w.SOMEBODY)
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


def _refusal(piece: list[Word], at: int, lead: str, rest: list[Word], language: str, *, told: bool) -> list[Clause]:  # noqa: C901, PLR0911, PLR0912 -- one sign a return, in their order
    while len(rest) > 1 and rest[0].low in {"ever", "again"}:
        rest = rest[1:]
    if language == "fr" and rest and lead not in {"pas de", "pas d'"}:
        return [Clause(Kind.REFUSAL, ended(rest), lead)]
    if (
        lead
        in {"can't", "cannot", "can not", "nobody", "not", "without", "they don't", "they never", "they do not", "no"}
        and language == "en"
    ):
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
    if lead in {"don't", "do not", "dont", "never"} and len(rest) > 2 and rest[0].low in {"forget", "hesitate"}:  # noqa: PLR2004 -- counts words
        return [Clause(Kind.ASK, text_of(rest[1:]).removeprefix("to "))]
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
    if lead in {"we don't", "we never", "we no longer", "we can't", "we cannot"} and rest[0].low in w.STATES:
        return [Clause(Kind.STATEMENT, text_of(piece[at:]))]
    if language == "es" and rest[0].low.endswith(("amos", "emos")):
        rest = [rest[0]._replace(text=f"{rest[0].text[:-4]}{rest[0].low[-4]}r"), *rest[1:]]
    return [Clause(Kind.REFUSAL, ended(rest), lead)]


def _what_one_wants(words: list[Word]) -> list[Clause]:
    """For example "What you want in those cases is a partial index"."""
    if [word.low for word in words[:1]] != ["what"] or len(words) < 5 or words[1].low not in {"you", "we", "i"}:  # noqa: PLR2004 -- counts words
        return []
    be = next((at for at in range(3, min(len(words) - 1, 12)) if words[at].low == "is"), 0)
    wants = words[2].low in {"want", "need"} or [word.low for word in words[2:4]] == ["should", "use"]
    return [Clause(Kind.ASK, wanted_of(words[be + 1 :]), "must")] if be and wants else []


def _plain(words: list[Word], before: Clause | None, language: str, *, ordered: bool) -> list[Clause]:  # noqa: PLR0911 -- one sign a return, in their order
    if not words:
        return []
    if language != "en":
        after = before is not None and before.kind in {Kind.ASK, Kind.REFUSAL}
        if (
            before is not None
            and before.kind is Kind.STATEMENT
            and not ordered
            and words[0].low not in {"sondern", "sino"}
        ):
            return [Clause(Kind.STATEMENT, text_of(words))]
        return foreign(words, language, ordered=ordered, told=after)
    if is_order(words):
        return order_of(words)
    if (
        found := _what_one_wants(words)
        or told_wrong(words)
        or caught(words)
        or habit(words)
        or duty(words, before)
        or judged(words)
        or how(words, before)
    ):
        return found
    while len(words) > 1 and words[-1].low in {"here", "please", "pls"}:
        words, ordered = words[:-1], True
    if words[0].low in {"it's", "its"} and len(words) > 1 and is_code(words[1]):
        return [Clause(Kind.ASK, f"use {ended(words[1:])}", "must")]
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
