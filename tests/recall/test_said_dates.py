"""The dates that a question names, and the notes that are of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.text.said_dates import meets, said_dates

if TYPE_CHECKING:
    from agentrecall_domain.text.said_dates import SaidDate


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("what did we decide in October 2025?", [(2025, 10, None)]),
        ("the outage on 3 June, 2023", [(2023, 6, 3)]),
        ("the outage on June 3rd", [(None, 6, 3)]),
        ("since march the builds are slow", [(None, 3, None)]),
        ("was am 3. Juni entschieden wurde", [(None, 6, 3)]),
        ("le 14 juillet 2024", [(2024, 7, 14)]),
        ("what broke on 2025-11-07, and why", [(2025, 11, 7)]),
        ("between 1 May and 20 May 2024", [(None, 5, 1), (2024, 5, 20)]),
        ("may I march on? it may 404 in dec", [(None, 12, None)]),
        ("bump the year to 2031 13 times", []),
        ("in june of last year, or 12 of them", [(None, 6, None)]),
    ],
)
def test_the_dates_that_a_text_names(text: str, dates: list[SaidDate]) -> None:
    assert said_dates(text) == dates


@pytest.mark.parametrize(
    ("day", "date", "met"),
    [
        ("2025-10-31T23:59:59Z", (2025, 10, None), 1.0),
        ("2025-11-02T08:00:00Z", (2025, 10, None), 0.5),
        ("2025-11-30T08:00:00Z", (2025, 10, None), 0.0),
        ("2024-10-05T08:00:00Z", (2025, 10, None), 0.0),
        ("2019-10-05T08:00:00Z", (None, 10, None), 1.0),
        ("2024-12-31T08:00:00Z", (2024, 12, 31), 1.0),
        ("2024-12-30T08:00:00Z", (2024, 12, 31), 0.0),
        ("", (2024, 12, 31), 0.0),
    ],
)
def test_a_day_meets_its_date_and_less_so_soon_afterwards(day: str, date: SaidDate, met: float) -> None:
    assert meets(day, [date]) == met


@given(st.text(max_size=300), st.text(max_size=30))
def test_any_text_has_some_dates_or_none(text: str, day: str) -> None:
    assert 0.0 <= meets(day, said_dates(text)) <= 1.0
