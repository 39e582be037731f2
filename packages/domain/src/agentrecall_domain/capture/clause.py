"""The clauses of a text: its sentences, cut where a clause of another kind begins. Light, total.

Code in backticks and a short aside in brackets are one word to the reader, whatever stands in them.
"""

from __future__ import annotations

from agentrecall_domain.capture.clause_cuts import opening, pieces, skipped
from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.clause_marked import marked_clauses, script_of
from agentrecall_domain.capture.clause_roles import classified
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.signals import (
    Word,
    begins,
    is_gerund,
    is_order,
    is_verb,
    language_of,
    tells_at,
    text_of,
    words_of,
)
from agentrecall_domain.capture.spoken import prose

LONGEST_READ = 6_000
"""A lesson has been said by then; what follows is a document."""

# Private characters stand for code, one for each span.
_FIRST_MASK, _LAST_MASK = 0xE000, 0xF8FF
# A text is judged, read and categorised in turn: each asks for its clauses.
_MOST_KEPT = 4
_read_last: dict[str, list[Clause]] = {}
_LONGEST_CODE = 200
_LONGEST_QUOTE = 60
_ABBREVIATIONS = frozenset(
    ("e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "z.b.", "bzw.", "p.", "ex.", "no.", "resp.", "usw.")
)
_ASKING = word_set("""
    why what what's where where's who which how when is are do does did can could should would will has have
    any shouldn't  isn't aren't won't don't doesn't wouldn't couldn't was were am whose warum wieso wo wie was
    welche pourquoi comment  qui quel quelle est-ce qu\u00e9 d\u00f3nde c\u00f3mo cu\u00e1l
""")
_NICELY = frozenset(("can", "could", "would", "will"))
_TELLING_ME = word_set("explain tell show describe help look say check see walk find")
_GREETINGS = word_set("hey hi please pls so ok and also")
_NOES = word_set("no nope nah nein non")
_HEADINGS = word_set("lesson rule note reminder request takeaway feedback")
_TAGS = word_set("ok okay right please pls alright yes")
_WORDS_OF_A_TOPIC = 4


def clauses_of(text: str) -> list[Clause]:
    """The clauses of the prose in *text*, in their order."""
    found = _read_last.get(text)
    if found is None:
        found = _clauses_of(text)
        while len(_read_last) >= _MOST_KEPT:
            del _read_last[next(iter(_read_last))]
        _read_last[text] = found
    return list(found)


def _clauses_of(text: str) -> list[Clause]:
    masked, code = _masked(prose(text[:LONGEST_READ]))
    if script := script_of(masked):
        return [clause._replace(text=_restored(clause.text, code)) for clause in marked_clauses(masked, script)]
    language = language_of(words_of(masked))
    found: list[Clause] = []
    topic: Clause | None = None
    for number, (sentence, form) in enumerate(_sentences(masked, language)):
        clauses = _read(sentence, language, form)
        if topic is not None and _denies(sentence):
            found.append(Clause(Kind.REFUSAL, _restored(topic.text.strip(" ?"), code), "no", topic.sentence))
        topic = clauses[0]._replace(sentence=number) if clauses and clauses[0].lead == "?" else None
        for clause in clauses:
            whole = clause.text.strip(" ,;:.!\u2013\u2014").lstrip(")")
            whole = whole[1:] if whole.startswith("(") and ")" not in whole else whole
            whole = whole.rstrip("()") if whole.count("(") != whole.count(")") else whole
            if any(map(str.isalnum, whole)) or any(character in code for character in whole):
                found.append(
                    clause._replace(
                        text=_restored(whole, code),
                        sentence=number,
                        ask=_restored(clause.ask, code),
                        about=_restored(clause.about, code),
                    )
                )
    return found


def _denies(sentence: str) -> bool:
    """Whether *sentence* answers "no" to the question before it."""
    words = [word.low for word in words_of(sentence)[:3]]
    while words and words[0] in {"please", "oh", "hell", "um", "well"}:
        words = words[1:]
    return bool(words) and words[0] in {"no", "nope", "nah", "nein", "non", "never", "please", "don't", "dont", "do"}


def _read(sentence: str, language: str, form: str) -> list[Clause]:
    """The clauses of one sentence."""
    words = words_of(sentence)
    if form == "aside" and words:
        kind, _ = opening(words, 0, language)
        if kind not in {"REFUSAL", "CONTRAST", "REASON"} and not is_order(words):
            return [Clause(Kind.REASON, text_of(words), "(")]
    asked = sentence.rstrip("\"')").endswith("?")
    if asked and len(words) > 2 and words[-1].low in _TAGS and words[-1].gap == ",":  # noqa: PLR2004 -- "no X, ok?"
        words, asked = words[:-1], False
    if asked and words:
        return _asked(words, language)
    clauses = _clauses(words, language)
    if form == "listed" and len(clauses) == 1 and clauses[0].lead == "name" and len(words) > 1:
        # In a list a mere name ("one change a migration") is wanted too.
        return [clauses[0]._replace(kind=Kind.ASK)]
    return clauses


def _clauses(words: list[Word], language: str) -> list[Clause]:
    found: list[Clause] = []
    why = never = False
    for piece in pieces(words, language):
        before = found[-1] if found else None
        if begins("LEAD_IN", language, piece) == len(piece) or all(word.low in _NOES for word in piece):
            continue
        if begins("REASON", language, piece) == len(piece):
            why = True
            continue
        if begins("REFUSAL", language, piece) == len(piece) and not piece[-1].text.endswith(":"):
            never = True
            continue
        clauses = [Clause(Kind.REASON, text_of(piece))] if why else classified(piece, before, language)
        if never and clauses and clauses[0].kind is Kind.ASK:
            # "Never, and I mean never, do X".
            clauses[0] = clauses[0]._replace(kind=Kind.REFUSAL, lead="never")
        never = never and all(clause.kind is Kind.CHATTER for clause in clauses)
        why = False
        ends = (len(words) > len(piece) and piece[-1].text.endswith(":")) or any(
            word.gap == "=" and words[at - 1] is piece[-1] for at, word in enumerate(words) if at
        )
        if ends and len(piece) <= _WORDS_OF_A_TOPIC + 2 and len(clauses) == 1 and not found:
            clauses = _topic(piece, clauses[0])
        found += clauses
    return found


def _topic(piece: list[Word], clause: Clause) -> list[Clause]:
    """A short name and a colon: "docker compose files:" is what the rest is about."""
    if clause.kind is Kind.STATEMENT and clause.lead in {"name", "doing"}:
        return [Clause(Kind.PLACE, clause.text, ":")]
    if piece[0].low in _HEADINGS:
        return [clause._replace(kind=Kind.CHATTER)]
    if piece[0].low == "so":
        piece = piece[1:]
    if [word.low for word in piece[:2]] == ["the", "thing"] and len(piece) > 3:  # noqa: PLR2004 -- "the thing with X"
        return [Clause(Kind.PLACE, text_of(piece[3:]), ":")]
    if clause.kind is Kind.ASK and len(piece) <= 2 and piece[0].low not in {"use", "remember"}:  # noqa: PLR2004 -- counts words
        return [Clause(Kind.PLACE, text_of(piece), ":")]
    return [clause]


def _asked(words: list[Word], language: str) -> list[Clause]:  # noqa: PLR0911 -- one sign a return, in their order
    """A question is one, unless it is an order with manners, or names the situation ("adding a column?")."""
    start = next((at for at, word in enumerate(words[:3]) if word.low in _NICELY), 0)
    words = words[start:] if all(word.low in _GREETINGS for word in words[:start]) else words
    if words[0].low in _NICELY and len(words) > 3 and words[1].low in {"you", "we"}:  # noqa: PLR2004 -- counts words
        at = skipped(words, 0, language) or 2
        if words[at].low == "please":
            at += 1
        if words[min(at, len(words) - 1)].low not in _TELLING_ME:
            clauses = _clauses(words[at:], language)
            return clauses or [Clause(Kind.QUESTION, text_of(words))]
    if found := _asked_of(words):
        return found
    at = skipped(words, 0, language)
    if at > 2 and is_order(words, at):  # noqa: PLR2004 -- "would it kill you to"
        return _clauses(words[at:], language)
    opener = words[at]
    if opener.low in _ASKING or (
        tells_at(words, at) >= 0 and not is_gerund(opener.low) and opener.low not in {"need", "want"}
    ):
        return [Clause(Kind.QUESTION, text_of(words))]
    kind, _ = opening(words, at, language)
    if kind == "CONDITION" or is_gerund(opener.low) or (is_order(words, at) and opener.low in {"need", "want"}):
        return [Clause(Kind.CONDITION, text_of(words), "?")]
    if len(words) <= _WORDS_OF_A_TOPIC:
        return [Clause(Kind.QUESTION, text_of(words), "?")]
    return [Clause(Kind.QUESTION, text_of(words))]


def _asked_of(words: list[Word]) -> list[Clause]:
    """For example "Could the error messages please say which field is wrong?"."""
    at = next((at + 1 for at, word in enumerate(words[:9]) if word.low in {"please", "pls"}), 0)
    if words[0].low not in _NICELY | {"should"} or at < 4 or at >= len(words) or not is_verb(words[at].low):  # noqa: PLR2004 -- "can the X please"
        return []
    return [Clause(Kind.PLACE, text_of(words[1 : at - 1]), "must"), Clause(Kind.ASK, text_of(words[at:]))]


def _sentences(masked: str, language: str) -> list[tuple[str, str]]:
    """The sentences, each with what it is besides: an entry of a list, an aside in brackets."""
    found: list[tuple[str, str]] = []
    for line in masked.split("\n"):
        bare = _without_bullet(line)
        listed = "listed" if bare != line.strip() else ""
        current: list[str] = []
        for raw in bare.split():
            current.append(raw)
            end = raw.rstrip("\"')\u201d")
            if (
                end
                and end[-1] in ".!?\u2026"
                and raw.lower() not in _ABBREVIATIONS
                and not (len(end) == 2 and end[0].isalpha() and end[1] == ".")  # noqa: PLR2004 -- counts words
            ):
                found.append((" ".join(current), listed))
                current = []
        if current:
            found.append((" ".join(current), listed))
    parted: list[tuple[str, str]] = []
    for sentence, listed in found:
        rest, *asides = _without_asides(sentence, language)
        parted += [(rest, listed), *((aside, "aside") for aside in asides)]
    return [(sentence, form) for sentence, form in parted if sentence]


def _without_bullet(line: str) -> str:
    line = line.strip()
    first, _, rest = line.partition(" ")
    if not rest:
        return line
    if first in {"-", "*", "+", "\u2022", "[ ]", "[x]"} or set(first) == {"#"}:
        return rest.strip()
    if len(first) <= 3 and first[-1] in ".)" and first[:-1].isdigit():  # noqa: PLR2004 -- counts words
        return rest.strip()
    return line


def _without_asides(sentence: str, language: str) -> list[str]:
    """*sentence*, and behind it the clause that stood in its brackets."""
    start, end = sentence.find("("), sentence.find(")")
    while 0 <= start < end:
        inner = words_of(sentence[start + 1 : end])
        if inner and len(inner) > 1 and (sentence[start - 1 : start] in {" ", ""}) and _is_clause(inner, language):
            rest = f"{sentence[:start].rstrip()}{sentence[end + 1 :]}".strip()
            return [rest, sentence[start + 1 : end]]
        start, end = sentence.find("(", end), sentence.find(")", end + 1)
    return [sentence]


def _is_clause(inner: list[Word], language: str) -> bool:
    kind, _ = opening(inner, 0, language)
    return kind in {"REASON", "REFUSAL", "CONTRAST"} or tells_at(inner) >= 0 or tells_at(_it(inner)) == 1


def _it(inner: list[Word]) -> list[Word]:
    return [Word("it", "it", ""), *inner] if inner[0].low.endswith("s") and not inner[1].gap else inner


def _masked(text: str) -> tuple[str, dict[str, str]]:
    """*text* with one character for each span of code or short quotation, and what those stand for."""
    code: dict[str, str] = {}
    for mark, longest in (("`", _LONGEST_CODE), ('"', _LONGEST_QUOTE)):
        parts: list[str] = []
        at = 0
        while (start := text.find(mark, at)) >= 0:
            end = text.find(mark, start + 1)
            if end < 0:
                break
            span = text[start : end + 1]
            if "\n" in span or not 2 < len(span) <= longest or _FIRST_MASK + len(code) > _LAST_MASK:  # noqa: PLR2004 -- counts words
                parts.append(text[at : start + 1])
                at = start + 1
                continue
            mask = chr(_FIRST_MASK + len(code))
            code[mask] = span
            parts.append(text[at:start] + mask)
            at = end + 1
        parts.append(text[at:])
        text = "".join(parts)
    return text, code


def _restored(text: str, code: dict[str, str]) -> str:
    if not code:
        return text
    once = "".join(code.get(character, character) for character in text)
    # A quotation may hold code.
    return "".join(code.get(character, character) for character in once)
