"""Foreign clauses: what German, French and Spanish clauses do, by their few sure signs. Light."""

from __future__ import annotations

from agentrecall_domain.capture.clause_acts import ended, lowered
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.signals import Word, begins, text_of

_FOREIGN_TELLERS = {
    "de": word_set(
        "das jede jeder jedes es die der sie ein eine niemand diese dieser unser unsere man er dort dann kein"
    ),
    "fr": word_set(
        "\u00e7a cela c'est il ils elle elles les le la l' un une ces cette ce notre nos tout tous on je personne"
    ),
    "es": word_set(
        "eso esto el los la las un una nuestro nuestra nuestros nuestras lo se este estos esta cada todo prefiero nadie"
    ),
}


# Verbs and subjects of a statement, which no order holds.
_TELLING = {
    "de": word_set("ist sind war waren wird werden hat haben hatte kann k\u00f6nnen bekommt man wir"),
    "fr": word_set("est sont \u00e9tait a ont avait peut peuvent fait font va vont"),
    "es": word_set("es est\u00e1 son est\u00e1n era fue puede pueden ha han hace hacen"),
}


_AGAIN = word_set("schon wieder encore")
_WE = {
    "de": word_set("nutzen verwenden benutzen setzen nehmen schreiben machen wir"),
    "fr": word_set("nous"),
    "es": word_set("usamos utilizamos preferimos escribimos guardamos ponemos"),
}


def foreign(words: list[Word], language: str, *, ordered: bool, told: bool) -> list[Clause]:  # noqa: C901, PLR0911, PLR0912 -- one sign a return, in their order
    """A clause of another language: it tells when it begins as a statement does, else it asks."""
    first = words[0].low
    lows = [word.low for word in words]
    if first in {"que", "qui", "was"} and len(words) > 1:
        return [Clause(Kind.STATEMENT, text_of(words[1:]))]
    if language == "fr":
        for at, low in enumerate(lows[:4]):
            verb = low[2:] if low.startswith("n'") else lows[at + 1] if low == "ne" and at + 1 < len(lows) else ""
            stop = at + (1 if low.startswith("n'") else 2)
            if (
                verb
                and stop < len(lows)
                and lows[stop] in {"pas", "jamais", "plus"}
                and (at == 0 or lows[0] in {"on", "nous", "tu"})
            ):
                return [Clause(Kind.REFUSAL, f"{verb} {ended(words[stop + 1 :])}", "ne pas")]
    if language == "de" and first == "vergiss" and lows[-1] == "nicht":
        return [Clause(Kind.ASK, text_of(words[1:-1]), "vergiss")]
    if language == "es" and first.endswith(("amos", "emos")):
        words = [words[0]._replace(text=f"{words[0].text[:-4]}{first[-4]}r"), *words[1:]]
    if lows[:2] in (["du", "hast"], ["tu", "as"]) and len(words) > 3:  # noqa: PLR2004 -- and what was done
        done = [word for word in words[2:] if word.low not in _AGAIN]
        return [Clause(Kind.STATEMENT, text_of(words), "you did", about=text_of(done))]
    if refused := _refused(words, language):
        return refused
    telling = not (_TELLING[language] - {"wir"}).isdisjoint(lows[1:4])
    if not ordered and not told and telling and first not in _FOREIGN_TELLERS[language]:
        return [Clause(Kind.STATEMENT, text_of(words), "how", ask=text_of(words))]
    telling = telling or begins("PLACE", language, words) > 0 or not _TELLING[language].isdisjoint(lows[1:])
    if told and not ordered and (first in _FOREIGN_TELLERS[language] or telling):
        return [Clause(Kind.STATEMENT, text_of(words))]
    duty = next((at for at in range(1, min(len(words) - 1, 10)) if begins("DUTY", language, words, at)), -1)
    if duty > 0 and (first not in _FOREIGN_TELLERS[language] or duty > 1):
        return [
            Clause(Kind.PLACE, lowered(text_of(words[:duty])), _FOR[language]),
            Clause(Kind.ASK, text_of(words), "must"),
        ]
    if count := begins("DUTY", language, words):
        words = words[count:] or words
    if first == "wir" or first in _WE[language] or (lows[:1] == ["on"] and ordered):
        return [Clause(Kind.ASK, text_of(words[1:] if first in {"wir", "nous", "on"} else words), "we")]
    if first in _FOREIGN_TELLERS[language] and not ordered:
        # With no ask anywhere how it is told is how it is done.
        return [Clause(Kind.STATEMENT, text_of(words), "how", ask=text_of(words))]
    return [Clause(Kind.ASK, text_of(words))]


_NEGATIONS = {
    "de": word_set("nie niemals nicht kein keine keinen keinem keiner"),
    "fr": word_set("pas jamais plus"),
    "es": word_set("no nunca jam\u00e1s"),
}
_FOR = {"de": "bei", "fr": "pour", "es": "para"}
_WHO = word_set("wir man ich nous on gar hier mehr bitte aqu\u00ed ici")
_DUTIES = {
    "de": word_set("darf d\u00fcrfen soll sollen sollte sollten muss m\u00fcssen"),
    "fr": word_set("doit doivent devrait devraient"),
    "es": word_set("debe deben deber\u00eda deber\u00edan"),
}


def _refused(words: list[Word], language: str) -> list[Clause]:
    """What a denied duty, or a denied habit, forbids: "los tests no deben llamar", "wir nutzen kein npm"."""
    lows = [word.low for word in words]
    no = next((at for at, low in enumerate(lows[:12]) if low in _NEGATIONS[language]), -1)
    if no < 1 or no + 1 >= len(words):
        return []
    near = lows[max(0, no - 3) : no + 3]
    duty = next((at for at in range(1, len(lows)) if lows[at] in _DUTIES[language] and lows[at] in near), 0)
    infinitive = language == "de" and lows[-1].endswith(("en", "ern", "eln")) and lows[0] not in {"es", "das"}
    if not duty and not infinitive and not (language == "de" and "wir" in lows[:no]):
        return []
    kept = [word for at, word in enumerate(words) if at not in {no, duty or no} and word.low not in _WHO | {"ne"}]
    if not duty or language == "de":
        return [Clause(Kind.REFUSAL, text_of(kept), "nie")]
    subject = [word for word in words[: min(duty, no)] if word.low != "ne"]
    return [
        Clause(Kind.PLACE, lowered(text_of(subject)), _FOR[language]),
        Clause(Kind.REFUSAL, ended(words[max(duty, no) + 1 :]), "nie"),
    ]


_RATHER = word_set("lieber besser mieux mejor plut\u00f4t")
_THAN = {"de": "als", "fr": "que", "es": "que"}


def rather(piece: list[Word], language: str) -> list[Clause]:
    """For example "lieber eine Abfrage als drei", "mieux vaut lever qu'avaler", "mejor lanzar que devolver"."""
    if piece[0].low not in _RATHER:
        return []
    than = (_THAN[language], "qu'")
    at = next(
        (at for at in range(2, len(piece) - 1) if piece[at].low == than[0] or piece[at].low.startswith(than[1])), 0
    )
    start = begins("LEAD_IN", language, piece)
    if at <= start:
        return []
    elided = [piece[at]._replace(text=piece[at].text[3:])] if piece[at].low != than[0] else []
    return [
        Clause(Kind.ASK, text_of(piece[start:at]), "rather"),
        Clause(Kind.REFUSAL, ended([*elided, *piece[at + 1 :]]), "instead"),
    ]
