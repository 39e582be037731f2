"""Said dates: the days and months that a text names, and how well a day meets them. Hot.

"in October 2025", "on 3 June", "am 3. Juni", "2025-06-03". A month without a year is that of any year.
"""

from __future__ import annotations

from agentrecall_domain.text.utc import day_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    SaidDate: TypeAlias = tuple[int | None, int, int | None]
    """Year, month and day; the year and the day are None where the text names none."""

_NAMES = """
january jan januar jänner janvier enero
february feb februar février fevrier febrero
march mar märz maerz mars marzo
april apr avril abril
may mai mayo
june jun juni juin junio
july jul juli juillet julio
august aug août aout agosto
september sep sept septembre septiembre
october oct oktober okt octobre octubre
november nov novembre noviembre
december dec dezember dez décembre decembre diciembre
"""
_MONTHS = {name: month for month, names in enumerate(_NAMES.split("\n")) for name in names.split()}
_BEFORE_A_MONTH = frozenset("in of on since during by until before after early mid late im seit en de desde du".split())  # noqa: SIM905 -- a row of words reads better
_ORDINAL = ("st", "nd", "rd", "th")
_YEARS = range(1990, 2100)
_DAYS, _MONTHS_OF_A_YEAR = range(1, 32), range(1, 13)
_PARTING = str.maketrans(dict.fromkeys(".,;:!?()[]'\"/-\u2019", " "))
LONGEST_READ = 2_000
"""Characters in which dates are looked for."""
AFTERWARDS_DAYS = 15
"""So long after a day people still tell of it."""


def said_dates(text: str) -> list[SaidDate]:
    """The dates that *text* names, in order. "may" and "march" alone are none."""
    words = text[:LONGEST_READ].lower().translate(_PARTING).split()
    found = []
    for at, word in enumerate(words):
        before, after, last = (words[place] if 0 <= place < len(words) else "" for place in (at - 1, at + 1, at + 2))
        if word in _MONTHS:
            year = _number(after, _YEARS) or _number(last, _YEARS)
            day = _number(before, _DAYS) or _number(after, _DAYS)
            if year or day or before in _BEFORE_A_MONTH:
                found.append((year, _MONTHS[word], day))
        elif (year := _number(word, _YEARS)) and (month := _number(after, _MONTHS_OF_A_YEAR)):
            day = _number(last, _DAYS)
            if day:
                found.append((year, month, day))
    return found


def is_of_a_date(word: str) -> bool:
    """Whether *word*, folded, is the name of a month or a number."""
    return word in _MONTHS or word.isdecimal()


def meets(day: str, dates: list[SaidDate]) -> float:
    """How well a stored *day* meets one of *dates*: 1 when it is in it, half soon afterwards, else 0."""
    number = day_of(day)
    if number is None:
        return 0.0
    best = 0.0
    for year, month, of_month in dates:
        begins, ends = _span(year or int(day[:4]), month, of_month)
        if begins <= number <= ends:
            return 1.0
        if ends < number <= ends + AFTERWARDS_DAYS:
            best = 0.5
    return best


def _span(year: int, month: int, day: int | None) -> tuple[int, int]:
    """The first and the last day, as `day_of` counts them."""
    first = day_of(f"{year:04}-{month:02}-{day or 1:02}") or 0
    if day:
        return first, first
    year, month = (year, month + 1) if month < _MONTHS_OF_A_YEAR[-1] else (year + 1, 1)
    return first, (day_of(f"{year:04}-{month:02}-01") or 0) - 1


def _number(word: str, among: range) -> int | None:
    bare = word[:-2] if word.endswith(_ORDINAL) else word
    return int(bare) if bare.isascii() and bare.isdigit() and len(bare) < 5 and int(bare) in among else None  # noqa: PLR2004 -- a year has four digits
