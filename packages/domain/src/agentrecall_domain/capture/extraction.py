"""Extraction: the trigger, action, mistake and reason in a person's own words. Light, total, deterministic."""

from __future__ import annotations

from typing import NamedTuple

from agentrecall_domain.capture import clause_words as w
from agentrecall_domain.capture.clause import clauses_of
from agentrecall_domain.capture.clause_acts import lowered
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.clause_marked import script_of
from agentrecall_domain.capture.clause_settling import settled_of
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.signals import base_of, gerund_of, is_gerund, is_verb, language_of, words_of


class Lesson(NamedTuple):
    """What was found; a part that the words do not hold is empty, *action* only where there is a *mistake*."""

    trigger: str
    action: str
    mistake: str
    reason: str


def extract(text: str) -> Lesson:
    """Read a lesson out of *text*: "When X, do Y, not Z, because W" in its usual forms and orders."""
    found = settled_of(clauses_of(text))
    chosen = _trigger(found)
    language = script_of(text) or language_of(words_of(text))
    english = language == "en"
    asks: list[str] = []
    mistakes: list[str] = []
    for at, clause in enumerate(found):
        if clause.kind is Kind.ASK:
            wanted, unwanted = _not_but(clause.text)
            asks.append(wanted)
            mistakes += [unwanted] if unwanted else []
        elif clause.kind is Kind.CONDITION and clause.lead in {"before", "after"} and asks and clause.text != chosen:
            # "Sort before summing when results matter": a step of the ask.
            if found[at - 1].kind is Kind.ASK and found[at - 1].sentence == clause.sentence:
                asks[-1] = f"{asks[-1]} {clause.text}"
        elif clause.kind is Kind.REFUSAL:
            mistakes.append(_refused(found, at, asks, english=english, language=language))
    demanded = bool(asks or mistakes)
    told = [clause for clause in found if clause.kind is Kind.STATEMENT]
    action = _joined(asks) or ("" if demanded else _joined([clause.text for clause in told]) or " ".join(text.split()))
    reason = _reason(found, demanded=demanded)
    return Lesson(chosen, action, "; ".join(dict.fromkeys(lowered(mistake) for mistake in mistakes if mistake)), reason)


def _not_but(ask: str) -> tuple[str, str]:
    """What *ask* wants and what it does not: "do it not here but there"."""
    words = ask.split(" ")
    if "not" not in words or "but" not in words:
        return ask, ""
    first, second = words.index("not"), words.index("but")
    if not 0 < first < second - 1 or second + 1 >= len(words):
        return ask, ""
    before = " ".join(words[:first])
    return f"{before} {' '.join(words[second + 1 :])}", _as_act(" ".join(words[first + 1 : second]), before)


_THINGS = frozenset(
    (
        "no",
        "not",
        "instead",
        "no more",
        "kein",
        "keine",
        "keinen",
        "pas de",
        "never",
        "without",
        "watch out for",
        "beware of",
        "careful with",
        "watch out with",
        "there should be no",
        "i don't want",
        "nada de",
        "hands off",
    )
)


def _refused(found: list[Clause], at: int, asks: list[str], *, english: bool, language: str) -> str:  # noqa: PLR0911 -- one sign a return, in their order
    """What is to be avoided, as an act."""
    clause = found[at]
    before = found[at - 1] if at else None
    first = clause.text.split(" ", 1)[0].lower()
    near = (
        asks
        and before
        and before.kind is not Kind.CHATTER
        and (before.sentence == clause.sentence or first in w.PREPOSITIONS)
    )
    beside = asks[-1] if near else ""
    if not english:
        return _thing_used(clause.text, language)
    if clause.lead == "out":
        return _base(clause.text) if is_gerund(first) else f"use {lowered(clause.text)}"
    if clause.lead in {"hands off", "keep your hands off"}:
        return f"change {clause.text}"
    if clause.lead == "never" and is_verb(first) and not (beside and first in w.AMBIGUOUS):
        return clause.text
    if clause.lead in _THINGS or (beside and clause.lead in {"not", "never", "instead"}):
        return _as_act(clause.text, beside)
    if is_gerund(first):
        return _base(clause.text)
    if (clause.lead.endswith("avoid") or clause.lead in _LEAVING) and not is_verb(first):
        return f"use {clause.text}"
    return clause.text


_LEAVING = frozenset(("stop", "stay away from", "steer clear of", "no"))
_USING = {"fr": "utiliser", "es": "usar"}
_FRENCH_ACTS = word_set("faire mettre prendre lire \u00e9crire rendre")
_ARTICLES = word_set("le la les l' un une el los las una des")


def _thing_used(text: str, language: str) -> str:
    """A bare thing in French or Spanish as an act: "utiliser l'API Options"."""
    first = text.split(" ", 1)[0].lower()
    second = text.split(" ")[1:2]
    infinitive = bool(second) and (
        (second[0].endswith(("er", "ir", "re")) and len(text.split(" ")) == 2)  # noqa: PLR2004 -- counts words
        or (first in {"le", "les"} and (second[0].endswith(("er", "ir")) or second[0] in _FRENCH_ACTS))
    )
    bare = not infinitive and (text.startswith("`") or first in _ARTICLES or first.startswith("l'"))
    return f"{_USING[language]} {text}" if bare and language in _USING else text


def _base(act: str) -> str:
    """*act* with its verb in the base form: "adding comments" is to add comments."""
    first, space, rest = act.partition(" ")
    return f"{base_of(first.lower())}{space}{rest}"


_OF_VERBS = word_set("it them the a an your our its")
_CHOOSING = word_set("prefer favor favour choose pick spell start keep make")


def _as_act(unwanted: str, wanted: str) -> str:
    """*unwanted* as something that one does: "npm" after "use pnpm" is to use npm."""
    first, _, rest = unwanted.partition(" ")
    low = first.lower()
    if (
        low in {"by", "to", "just", "only"}
        and rest
        and (is_gerund(rest.split(" ", 1)[0].lower()) or (low != "by" and is_verb(rest.split(" ", 1)[0].lower())))
    ):
        return _base(rest)
    if is_gerund(low):
        return _base(unwanted)
    if low in w.PREPOSITIONS and wanted:
        return f"{_done(wanted, low)} {unwanted}"
    if is_verb(low) and (low not in w.AMBIGUOUS or rest.split(" ", 1)[0].lower() in w.OBJECTS):
        return unwanted
    if rest.split(" ", 1)[0].lower() in _OF_VERBS and low not in w.DETERMINERS | w.ADVERBS:
        return unwanted
    verb = wanted.split(" ", 1)[0].lower()
    return f"{verb if is_verb(verb) and verb not in _CHOOSING else 'use'} {unwanted}"


def _done(wanted: str, preposition: str) -> str:
    """The act of *wanted* without how it is done: "compare secrets" of "compare secrets with a helper"."""
    words = words_of(wanted)
    start = 0
    end = len(words)
    for at in range(1, len(words)):
        if words[at].low == preposition or (words[at].low in w.PREPOSITIONS and at > start + 1):
            end = at
            break
        if words[at].low == "and" and at + 1 < len(words) and is_verb(words[at + 1].low):
            start = at + 1
    thing = [word for word in words[start + 1 : end] if word.low not in w.DETERMINERS]
    if len(thing) > 1:
        return f"{words[start].low} them" if words else ""
    return " ".join(word.text for word in words[start:end]).strip(" ,;:")


_STEPS = ("before", "after", "during", "until", "while", "unless")


def _is_step(found: list[Clause], condition: Clause) -> bool:
    """Whether *condition* says when within the ask: "commit the offset after the work is done"."""
    at = found.index(condition)
    after = condition.lead == "after" and at > 0 and not is_gerund(condition.text.split(" ")[1:2][-1].lower())
    return after and found[at - 1].kind is Kind.ASK and found[at - 1].sentence == condition.sentence


def _trigger(found: list[Clause]) -> str:  # noqa: PLR0911 -- one sign a return, in their order
    conditions = [clause for clause in found if clause.kind is Kind.CONDITION]
    demanding = {clause.sentence for clause in found if clause.kind in {Kind.ASK, Kind.REFUSAL}}
    conditions = [clause for clause in conditions if clause.sentence in demanding or clause.lead == "?"] or (
        [] if demanding else conditions
    )
    places = [clause for clause in found if clause.kind is Kind.PLACE]
    conditions = [clause for clause in conditions if not _is_step(found, clause)]
    if conditions:
        # "Before summing" says when within the ask, "when results matter" when to ask at all.
        first = next((clause for clause in conditions if clause.lead not in _STEPS), conditions[0])
        text = first.text.rstrip(" ?")
        if places and places[0].sentence == first.sentence and text[len(first.lead) :].startswith(" it "):
            text = f"{first.lead} {lowered(places[0].text)}{text[len(first.lead) + 3 :]}"
        if first.lead == "?":
            gerund = text.split(" ", 1)[0].lower()
            return f"when {lowered(text)}" if is_gerund(gerund) else text
        return text
    if not places:
        return ""
    place = places[0]
    beside = next(
        (clause for clause in places[1:] if clause.sentence == place.sentence and clause.lead in {"new", "must"}), None
    )
    if beside and place.lead in {"in", "on", "at"}:
        return f"when {'adding' if beside.lead == 'new' else 'writing'} {_plain(beside.text)} {place.lead} {place.text}"
    if (
        place.lead == ":"
        and " " not in place.text
        and any(f" {word} " in clause.text for clause in found if clause.kind is Kind.ASK for word in ("every", "each"))
    ):
        # A bare label ("k8s:") names less than "every Deployment" does.
        return ""
    if (acted := _acted_on(found, place)) or place.lead == "new":
        return f"when {acted or 'adding'} {_plain(place.text)}"
    return f"{place.lead} {place.text}" if place.lead not in {":", "=", "must", "new", ""} else place.text


_ANY_ACT = word_set("put keep have use make add get take")


def _acted_on(found: list[Clause], place: Clause) -> str:
    """What the ask does with *place* itself: secrets that are to be read from the vault are read."""
    for clause in found:
        verb, _, rest = clause.text.partition(" ")
        if clause.kind is Kind.ASK and rest.lower().startswith(place.text.lower()) and is_verb(verb):
            return "" if verb in _ANY_ACT else gerund_of(verb)
    return ""


def _plain(thing: str) -> str:
    first, _, rest = thing.partition(" ")
    return (
        rest
        if rest and first.lower() in {"the", "every", "all", "any", "each", "new", "our"}
        else thing[:1].lower() + thing[1:]
        if thing[1:2].islower()
        else thing
    )


def _reason(found: list[Clause], *, demanded: bool) -> str:
    """What is called a reason, else what is told: in the sentence of a demand and after it rather than elsewhere."""
    for at, clause in enumerate(found):
        if clause.kind is Kind.REASON:
            return _with_rest(found, at)
    if not demanded:
        return ""
    demand = {clause.sentence for clause in found if clause.kind in {Kind.ASK, Kind.REFUSAL}}
    seen = False
    for at, clause in enumerate(found):
        seen = seen or clause.kind in {Kind.ASK, Kind.REFUSAL}
        if seen and _tells(clause) and clause.sentence in demand:
            return _with_rest(found, at)
    for at, clause in enumerate(found):
        if _tells(clause):
            return _with_rest(found, at)
    return ""


def _tells(clause: Clause) -> bool:
    if clause.kind is not Kind.STATEMENT:
        return False
    size = len(clause.text.split())
    return size > 1 if clause.lead != "name" else size > _WORDS_OF_A_NAME


_WORDS_OF_A_NAME = 3


def _with_rest(found: list[Clause], at: int) -> str:
    """The reason at *at*, and what the same sentence goes on to tell."""
    parts = [found[at].text]
    for clause in found[at + 1 :]:
        if clause.sentence != found[at].sentence or clause.kind not in {Kind.STATEMENT, Kind.CONDITION}:
            break
        parts.append(clause.text)
    return ", ".join(parts)


def _joined(actions: list[str]) -> str:
    joined = "; ".join(dict.fromkeys(action for action in actions if action))
    return lowered(joined)
