"""Redaction, on texts labelled by somebody who had not seen the code: what is missed, and what is a false alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentrecall_domain.text.scrub import scrub
from helpers import redaction_table as labels


def test_the_labelled_set_is_large_enough_to_speak() -> None:
    secrets, lookalikes = labels.secrets(), labels.lookalikes()

    assert len(secrets) >= 60
    assert len({case.kind for case in secrets}) >= 30
    assert len(lookalikes) >= 100
    assert len({case.id for case in [*secrets, *lookalikes]}) == len(secrets) + len(lookalikes)


def test_secrets_are_redacted() -> None:
    missed = [f"{case.id} {case.kind}" for case in labels.secrets() if not case.is_right]

    assert labels.share(labels.secrets(), right=True) >= 0.95, missed


def test_secrets_that_nobody_looked_at_are_redacted_too() -> None:
    secrets, lookalikes = labels.secrets(labels.HELD_OUT), labels.lookalikes(labels.HELD_OUT)

    assert labels.share(labels.never_seen(secrets), right=True) >= 0.95
    assert labels.share(labels.never_seen(lookalikes), right=False) <= 0.01


def test_what_only_looks_like_a_secret_is_kept() -> None:
    changed = [f"{case.id} {case.kind}" for case in labels.lookalikes() if not case.is_right]

    assert labels.share(labels.lookalikes(), right=False) <= 0.01, changed


@pytest.mark.parametrize("path", [labels.CASES, labels.HELD_OUT], ids=["first set", "second set"])
@pytest.mark.parametrize("name", ["secrets", "lookalikes"])
def test_scrubbing_a_labelled_text_twice_is_scrubbing_it_once(path: Path, name: str) -> None:
    changed = [case["id"] for case in labels.cases_in(path, name) if scrub(scrub(case["text"])) != scrub(case["text"])]

    assert changed == []


def test_a_secret_counts_as_redacted_only_when_no_part_of_it_is_left() -> None:
    assert not labels.is_redacted("words", "words")
    assert not labels.is_redacted("half of it: 0123456789abcdef", "0123456789abcdef-and-more")
    assert labels.is_redacted("half of it: 0123456789abcde", "0123456789abcdef-and-more")


def test_the_page_holds_these_very_figures() -> None:
    """After a change of the figures: `python tests/helpers/redaction_table.py`."""
    page = labels.PAGE.read_text(encoding="utf-8")

    assert labels.page_with(page, labels.table()) == page
    assert labels.BEGINS in page
