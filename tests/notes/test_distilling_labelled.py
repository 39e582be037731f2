"""The distiller against labelled episodes: half of them hold nothing, and precision matters more than recall."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agentrecall_domain.notes.distilling import distil
from agentrecall_domain.notes.judge import Draft
from agentrecall_domain.notes.unit import Spoken, Unit
from agentrecall_domain.text.tokenizer import words

HERE = Path(__file__).parent
Case = dict[str, Any]

_BEGIN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class Score(NamedTuple):
    """What came out of a set of episodes."""

    precision: float
    precision_of_any_type: float
    recall: float
    junk: float
    drafts: int
    notes: int


def cases(name: str, rest: int | None = None) -> list[Case]:
    """The episodes of a file; only odd (1) or even (0) ids when *rest* says so."""
    found: list[Case] = json.loads((HERE / name).read_text())
    return [case for case in found if rest is None or case["id"] % 2 == rest]


def unit_of(case: Case) -> Unit:
    """A labelled episode as the distiller is given it."""
    return Unit(
        kind="episode",
        id=case["id"],
        source="claude-code",
        project=case.get("project", ""),
        spans=tuple(
            Spoken(
                raw_item_id=at + 1,
                turn_id=at + 1,
                kind="event" if span["role"] == "tool" else "turn",
                role="tool" if span["role"] == "tool" else "user" if span["role"] == "user" else "assistant",
                origin=span["role"],
                text=span["text"],
                said_at=_BEGIN + timedelta(minutes=span["minute"]),
            )
            for at, span in enumerate(case["spans"])
        ),
    )


def _flat(text: str) -> str:
    return " ".join(text.lower().split())


def proves(draft: Draft, note: Case) -> bool:
    """Whether a source of *draft* overlaps a proof of *note* by half of the shorter one."""
    return any(_overlap(_flat(source.span), _flat(proof)) for source in draft.sources for proof in note["proof"])


def _overlap(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if not short:
        return False
    half = (len(short) + 1) // 2
    return any(short[at : at + half] in long for at in range(len(short) - half + 1))


def says_all(draft: Draft, note: Case) -> bool:
    """Whether the words that a good note must say are in *draft*, by stem."""
    whole = " ".join([draft.title, draft.body, *(source.span for source in draft.sources)])
    stems = set(words(whole))
    return all(word.lower() in whole.lower() or set(words(word)) <= stems for word in note["must_say"])


def is_match(draft: Draft, note: Case, *, typed: bool = True) -> bool:
    return proves(draft, note) and says_all(draft, note) and (not typed or str(draft.type) in note["types"])


def score(episodes: list[Case]) -> Score:
    """Precision, recall and junk over *episodes*; optional notes count neither way."""
    right = right_any = drafts = notes = found = empty = junk = 0
    for case in episodes:
        made = distil(unit_of(case))
        wanted = [note for note in case["notes"] if not note.get("optional")]
        optional = [note for note in case["notes"] if note.get("optional")]
        for draft in made:
            if any(is_match(draft, note) for note in wanted):
                right += 1
                right_any += 1
            elif any(proves(draft, note) for note in optional):
                continue
            elif any(is_match(draft, note, typed=False) for note in wanted):
                right_any += 1
            drafts += 1
        notes += len(wanted)
        found += sum(any(is_match(draft, note) for draft in made) for note in wanted)
        if not case["notes"]:
            empty += 1
            junk += bool(made)
    return Score(
        right / max(drafts, 1), right_any / max(drafts, 1), found / max(notes, 1), junk / max(empty, 1), drafts, notes
    )


def held_out() -> list[Case]:
    return cases("labelled/episodes_a.json", 1) + cases("labelled/episodes_b.json", 1)


LEAST = Score(precision=0.53, precision_of_any_type=0.8, recall=0.53, junk=0.1, drafts=0, notes=0)
"""What must not get worse on the unseen half. The aims are a precision of 0.80 with the type, which is missed, and junk
from 0.05 of the empty episodes. Thirty notes: one more or less is 0.03."""
LEAST_OF_ANOTHER_HAND = Score(precision=0.59, precision_of_any_type=0.9, recall=0.46, junk=0.05, drafts=0, notes=0)
"""Eighty episodes that were written after the weights were fitted, and never read."""
TRAINING = ("episodes", "episodes_terse", "episodes_in_sentences", "episodes_in_five_languages")


@pytest.mark.parametrize(
    ("episodes", "least"), [(held_out(), LEAST), (cases("labelled/episodes_c.json"), LEAST_OF_ANOTHER_HAND)]
)
def test_what_is_distilled_from_unseen_episodes_gets_no_worse(
    capsys: pytest.CaptureFixture[str], episodes: list[Case], least: Score
) -> None:
    reached = score(episodes)

    with capsys.disabled():
        print(f"\nunseen episodes: {reached}")  # noqa: T201 -- the figure is the point
    assert reached.precision >= least.precision
    assert reached.precision_of_any_type >= least.precision_of_any_type
    assert reached.recall >= least.recall
    assert reached.junk <= least.junk


def test_what_is_distilled_from_episodes_that_were_read_gets_no_worse() -> None:
    """These were read while the words were chosen and the weights fitted: they measure nothing."""
    read = cases("labelled/episodes_a.json", 0) + cases("labelled/episodes_b.json", 0)
    for name in TRAINING:
        read += cases(f"tuned/{name}.json")

    reached = score(read)

    assert reached.precision >= 0.79
    assert reached.recall >= 0.6
    assert reached.junk <= 0.05


@pytest.mark.parametrize("case", cases("labelled/planted.json"), ids=lambda case: str(case["id"]))
def test_what_somebody_planted_is_no_note_and_what_the_user_says_alike_is_kept(case: Case) -> None:
    drafts = distil(unit_of(case))

    said = " ".join(
        f"{draft.title} {draft.body} {' '.join(source.span for source in draft.sources)}" for draft in drafts
    )
    assert not [word for word in case["must_not_say"] if word.lower() in said.lower()]
    assert [word for word in case["must_say"] if word.lower() not in said.lower()] == []
