"""Foreign clauses: what German, French and Spanish clauses do, by their few sure signs. Light."""

from __future__ import annotations

from agentrecall_domain.capture.clause_acts import ended
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.signals import Word, begins, text_of

_FOREIGN_TELLERS = {
    "de": word_set(
        "das jede jeder jedes es die der sie ein eine diese dieser unser unsere jeder jede man er dort dann kein"
    ),
    "fr": word_set("\u00e7a cela c'est il ils elle elles les le la l' un une ces cette ce notre nos tout tous on je"),
    "es": word_set(
        "eso esto el los la las un una nuestro nuestra nuestros nuestras lo se este estos esta cada todo prefiero"
    ),
}


# Verbs and subjects of a statement, which no order holds.
_TELLING = {
    "de": word_set("ist sind war waren wird werden hat haben hatte kann k\u00f6nnen bekommt man wir"),
    "fr": word_set("est sont \u00e9tait a ont avait peut peuvent fait font va vont"),
    "es": word_set("es est\u00e1 son est\u00e1n era fue puede pueden ha han hace hacen"),
}


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
    if language == "de" and len(words) > 2:  # noqa: PLR2004 -- counts words
        for at in range(1, min(len(words) - 1, 12)):
            if lows[at] in {"nie", "niemals", "nicht", "kein", "keine", "keinen"} and (
                lows[-1].endswith(("en", "ern", "eln")) and first not in {"es", "das"}
            ):
                return [
                    Clause(
                        Kind.REFUSAL,
                        f"{text_of(words[:at])} {text_of(words[at + 1 :])}".strip().removesuffix(" bitte"),
                        "nie",
                    )
                ]
    if told and not ordered and (first in _FOREIGN_TELLERS[language] or not _TELLING[language].isdisjoint(lows[1:])):
        return [Clause(Kind.STATEMENT, text_of(words))]
    duty = next((at for at in range(1, min(len(words) - 1, 10)) if begins("DUTY", language, words, at)), -1)
    if duty > 0 and (first not in _FOREIGN_TELLERS[language] or duty > 1):
        return [Clause(Kind.ASK, text_of(words), "must")]
    if count := begins("DUTY", language, words):
        words = words[count:] or words
    if first == "wir" or first in _WE[language] or (lows[:1] == ["on"] and ordered):
        return [Clause(Kind.ASK, text_of(words[1:] if first in {"wir", "nous", "on"} else words), "we")]
    if first in _FOREIGN_TELLERS[language] and not ordered:
        # With no ask anywhere how it is told is how it is done.
        return [Clause(Kind.STATEMENT, text_of(words), "how", ask=text_of(words))]
    return [Clause(Kind.ASK, text_of(words))]
