"""Marked clauses: Chinese and Persian, where a mark in a clause says what it does wherever it stands. Light."""

from __future__ import annotations

from typing import NamedTuple

from agentrecall_domain.capture.clause_kinds import Clause, Kind
from agentrecall_domain.capture.phrases import word_set

_ENDS = str.maketrans(dict.fromkeys("\u3002\uff01\uff1f!?\u061f\u06d4", "\n"))
_STOPS = str.maketrans(dict.fromkeys("\uff0c\uff1b\uff1a,;\u060c\u061b", "\t"))


class _Marks(NamedTuple):
    """The marks of a language: those that open a clause, close a condition, or stand within a clause."""

    condition: tuple[str, ...]
    closing: tuple[str, ...]
    reason: tuple[str, ...]
    contrast: tuple[str, ...]
    refusal: tuple[str, ...]
    ask: tuple[str, ...]
    lead: tuple[str, ...]


def _marks(*texts: str) -> _Marks:
    return _Marks(*(tuple(mark for mark in text.split("|") if mark) for text in texts))


_MARKS = {
    "zh": _marks(
        "如果|当|每次|要是|一旦|只要|凡是",
        "之前|的时候|之后|以前|以后|的话|时|前|后",
        "因为|由于|毕竟|不然|否则|要不然|免得|以免|避免|这样|上次|上周|昨天|上个月",
        "而不是|代替|而非",
        "千万不要|永远不要|不要|千万别|别再|别|禁止|不能|不可以|不准|不得|不应该|不该|不许",
        "请|要|先|用|必须|应该|记得|一定要|一律|统一|改用|需要|务必|得|都",
        "以后|记住|注意|请|另外|还有|所以|这里|下次|而且|并且|但是|也|就",
    ),
    "fa": _marks(
        "وقتی |هر وقت |اگر |قبل از |پیش از |موقع |هنگام |بعد از |پس از |هر بار |برای ",
        "",
        "چون |زیرا |وگرنه |تا |که |به خاطر |در غیر این صورت ",
        "به جای |بجای |نه ",
        "هرگز |هیچ وقت |هیچوقت |نباید |دیگر ",
        "باید |حتما |همیشه |لطفا |از ",
        "لطفا |همیشه |حتما |یادت باشه |نه ",
    ),
}
_FORBIDDING = word_set("نکن نکنید نزن نذار نگذار نده ننویس نفرست نیار نساز نریز نباش نگیر نخوان")
"""Persian orders that forbid: each is the order itself behind one letter."""


_TELLING = ("会", "导致", "容易", "太", "很", "已经", "است", "می‌شود")
"""Signs that a piece behind a refusal says why, and not what to do instead."""


def script_of(text: str) -> str:
    """The language that the letters of *text* tell, "zh" or "fa"; empty for the others."""
    letters = [character for character in text[:600] if character.isalpha()]
    for language, first, last in (("zh", "\u4e00", "\u9fff"), ("fa", "\u0600", "\u06ff")):
        if 4 * sum(first <= character <= last for character in letters) > len(letters):  # a quarter: code is Latin
            return language
    return ""


def marked_clauses(text: str, language: str) -> list[Clause]:
    """The clauses of *text* by the marks in them."""
    marks = _MARKS[language]
    found: list[Clause] = []
    told: set[Kind] = set()
    for number, sentence in enumerate(text.translate(_ENDS).split("\n")):
        for piece in sentence.translate(_STOPS).split("\t"):
            clauses = _read(piece.strip(" .\u3000"), marks, told)
            told.update(clause.kind for clause in clauses)
            found += [clause._replace(sentence=number) for clause in clauses]
    return found


def names_moment(trigger: str) -> bool:
    """Whether the Chinese *trigger* is a condition already, and not only a place."""
    return trigger.startswith(_MARKS["zh"].condition) or trigger.endswith(_MARKS["zh"].closing)


def _read(piece: str, marks: _Marks, told: set[Kind]) -> list[Clause]:
    """A condition, then a demand, then a reason: of each at most one."""
    if piece.startswith(marks.reason):
        return [Clause(Kind.REASON, piece, "why")]
    why = min((at for mark in marks.reason[:3] if (at := piece.find(mark)) > 0), default=len(piece))
    end = _end_of_condition(piece[:why], marks)
    rest = piece[end:why].strip()
    return [
        *([Clause(Kind.CONDITION, piece[:end], "when")] if end else []),
        *(_demand(rest, marks, told) if rest else []),
        *([Clause(Kind.REASON, piece[why:], "why")] if piece[why:] else []),
    ]


def _demand(piece: str, marks: _Marks, told: set[Kind]) -> list[Clause]:
    bare = piece
    while lead := next((lead for lead in marks.lead if bare.startswith(lead) and len(bare) > len(lead)), ""):
        bare = bare[len(lead) :].strip()
    last = bare.split(" ")[-1]
    refusal = next((mark for mark in marks.refusal if mark in bare), last if last in _FORBIDDING else "")
    if refusal:
        before, _, after = bare.partition(refusal)
        place = [Clause(Kind.PLACE, before.strip(), "")] if before and after else []
        return [*place, Clause(Kind.REFUSAL, (after or f"{before}{refusal[1:]}").strip(), "never")]
    for mark in marks.contrast:
        unwanted, _, wanted = bare.removeprefix(mark).partition(" از ")
        if bare.startswith(mark) and wanted:
            return [Clause(Kind.REFUSAL, unwanted.strip(), "instead"), Clause(Kind.ASK, f"از {wanted}")]
        wanted, _, unwanted = bare.partition(mark)
        if wanted and unwanted:
            return [Clause(Kind.ASK, wanted.strip()), Clause(Kind.REFUSAL, unwanted.strip(), "instead")]
    asks = Kind.ASK not in told and (Kind.REFUSAL not in told or not any(mark in bare for mark in _TELLING))
    asks = asks or bare != piece or any(mark in bare[:8] for mark in marks.ask)
    return [Clause(Kind.ASK if asks else Kind.STATEMENT, bare)]


def _end_of_condition(piece: str, marks: _Marks) -> int:
    for mark in marks.closing:
        at = piece.find(mark, 2)
        end = at + len(mark)
        after = piece[end:]
        whole = len(mark) > 1 and not after.startswith("的")
        if at > 0 and (not after or whole or after.startswith((*marks.ask, *marks.refusal))):
            return end
    return len(piece) if piece.startswith(marks.condition) else 0
