"""The duplicate check of notes: what a new note is to one that lives, and what becomes of both. Cold.

No distinct note may be lost: a verdict other than `distinct` needs one matter, and a word or a value on each side in
the same place that the other note knows nothing of is reason enough to keep both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple, Protocol

from agentrecall_domain.notes.judge import Judge, NoteVerdict
from agentrecall_domain.notes.note import Note, NoteContent, NoteId, NoteStatus
from agentrecall_domain.notes.note_sense import (
    CHANGED,
    MOST_ALIGNED,
    PLACES,
    VAGUE,
    NoteSense,
    Titled,
    are_contrary,
    sense_of,
    senses_in,
    values_in,
    weigh,
)
from agentrecall_domain.rules.duplicate import ALIKE, JUDGED
from agentrecall_domain.rules.meaning import WEAK_WEIGHT, is_told_apart, strongest
from agentrecall_domain.rules.opposition import A_WORD, AVOIDED, OTHER_VALUES, REFUSED, Opposed, opposition

SAYS_ALL, NAMES_ALL = 0.75, 0.9
"""The share of a note's words, and of its title's, that what refines it says too."""
SAYS_MOST, NAMES_SOME = 0.59, 0.7
"""The share that two notes say of each other to be one, and one of their titles."""
SAYS_HALF, NAMES_MOST = 0.5, 0.75
"""The share that a note says of the one that it declares over."""
MOST_IN_A_SLOT, MOST_IN_A_NAME = 2, 3
"""So many words in one place are another thing; more are another way to tell."""

TRUSTED = 0.70
"""A note that one is so sure of gives way to no other without a person's word."""
SURER = 0.05
"""So much surer is a note that refines another."""


def similarity(one: Titled, other: Titled) -> float:
    """How alike two notes are, 0 to 1, whichever comes first."""
    a, b = sense_of(one), sense_of(other)
    return 1.0 if a.text == b.text else _likeness(a, b)


def judge(old: Titled, new: Titled) -> NoteVerdict:
    """What *new* is to *old*; distinct whenever there is doubt."""
    before, now = sense_of(old), sense_of(new)
    if before.text == now.text:
        return NoteVerdict.DUPLICATE
    if _likeness(before, now) < JUDGED:
        return NoteVerdict.DISTINCT
    return _contrasted(before, now) or _repeated(before, now)


def _contrasted(old: NoteSense, new: NoteSense) -> NoteVerdict | None:  # noqa: PLR0911 -- one sign a return, in their order
    """The verdict of two notes of which one has something else in the other's place; None for others."""
    opposed = opposition(old.rule, new.rule)
    if opposed is not None and _is_other_way(opposed, old, new):
        return NoteVerdict.SUPERSEDE
    renamed = list(_replaced(old.title_order, new.title_order))
    if any(_tells_apart(gone, come, old, new) for gone, come in renamed):
        return NoteVerdict.DISTINCT
    if _is_over(old, new):
        return NoteVerdict.SUPERSEDE
    changes = [*renamed, *_replaced(old.body, new.body)]
    if any(_tells_apart(gone, come, old, new) for gone, come in changes):
        return NoteVerdict.DISTINCT
    if opposed is not None and strongest(opposed.words & old.title) >= WEAK_WEIGHT and opposed.how != OTHER_VALUES:
        return NoteVerdict.SUPERSEDE if _says_all(old, new) else NoteVerdict.DISTINCT
    if _is_elsewhere(old, new):
        return NoteVerdict.DISTINCT
    fresh = frozenset().union(*(values_in(come) for gone, come in changes if _is_other_value(gone, come)))
    if fresh:
        return NoteVerdict.SUPERSEDE if _says_all(old, new) and not _narrows(old, new, fresh) else NoteVerdict.DISTINCT
    return NoteVerdict.DISTINCT if old.values - new.values and new.values - old.values else None


def _repeated(old: NoteSense, new: NoteSense) -> NoteVerdict:
    """The verdict of two notes that have nothing against each other."""
    if _is_of_another(old, new) or _is_of_another(new, old):
        return NoteVerdict.DISTINCT
    if _says_the_same(old, new) and not _is_about_more(new, old):
        # What the old one is about besides may be what the new one is not.
        is_shorter = new.title_order == old.title_order[: len(new.title_order)]
        return NoteVerdict.DUPLICATE if is_shorter or not _is_about_more(old, new) else NoteVerdict.DISTINCT
    return NoteVerdict.REFINE if _says_all(old, new) and old.values <= new.values else NoteVerdict.DISTINCT


def _is_elsewhere(old: NoteSense, new: NoteSense) -> bool:
    """Whether *new* is about another place, or says the contrary of something."""
    lost, added = old.everything - new.everything, new.everything - old.everything
    if are_contrary(lost, added) or is_told_apart(lost, added):
        return True
    first = senses_in(new.clauses[1]) if len(new.clauses) > 1 else frozenset()
    return bool((new.title | first) & PLACES - old.everything)


def _narrows(old: NoteSense, new: NoteSense, fresh: frozenset[str]) -> bool:
    """Whether the values that differ are said of something that *old* has no word for."""
    where = [senses_in(clause) for clause in new.clauses if fresh & set(clause)]
    return weigh(frozenset().union(new.title, *where[-1:]) - old.everything - CHANGED) >= A_WORD


def _is_of_another(one: NoteSense, other: NoteSense) -> bool:
    """Whether *other* says the same of something narrower: a word that *one* lacks stands before what both speak of."""
    if not _says_the_same(one, other):
        return False
    inserted = frozenset().union(*map(senses_in, _inserted(one.title_order, other.title_order)))
    return weigh((inserted & _turns_about(other)) - one.everything - CHANGED) >= A_WORD


def _is_about_more(one: NoteSense, other: NoteSense) -> bool:
    """Whether *one* is also about something that *other* has no word for."""
    return weigh(_turns_about(one) - other.everything - CHANGED) >= A_WORD


def _turns_about(note: NoteSense) -> frozenset[str]:
    """What the title and the body of a note both name."""
    return note.title & senses_in(note.body)


def _inserted(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """What *new* has in front of, or between, what both have."""
    matcher = SequenceMatcher(None, old[:MOST_ALIGNED], new[:MOST_ALIGNED], autojunk=False)
    codes = matcher.get_opcodes()
    for (kind, _, _, start, end), _ in pairwise(codes):
        if kind == "insert":
            yield new[start:end]


def _likeness(one: NoteSense, other: NoteSense) -> float:
    raw = max(_said_of(one, other), _said_of(other, one))
    return 0.8 * raw / ALIKE if raw < ALIKE else 0.8 + 0.2 * (raw - ALIKE) / (1 - ALIKE)


def _share(mine: frozenset[str], theirs: frozenset[str]) -> float:
    """How much of *mine* is among *theirs*."""
    return weigh(mine & theirs) / (weigh(mine) or 1.0)


def _said_of(one: NoteSense, other: NoteSense) -> float:
    """How much of what *one* says *other* says too; a value that both name counts as a word."""
    alike = len(one.values & other.values)
    return (weigh(one.everything & other.everything) + alike) / (weigh(one.everything) + alike or 1.0)


def _is_over(old: NoteSense, new: NoteSense) -> bool:
    """Whether *new* says of what *old* is about that it is over."""
    if _share(old.title, new.everything) < NAMES_MOST or _said_of(old, new) < SAYS_HALF:
        return False
    for clause in new.over:
        known = clause & old.everything
        if any(said <= clause for said in old.over if said):
            continue  # That was over before.
        if strongest(known) >= WEAK_WEIGHT and weigh(clause - old.everything) <= weigh(known):
            return True
    return False


def _replaced(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What stands in *new* where *old* has something else, between words that both have."""
    before, now = old[:MOST_ALIGNED], new[:MOST_ALIGNED]
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    if matcher.find_longest_match().size == 0:
        return
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind == "replace":
            yield before[start:end], now[new_start:new_end]


def _is_other_way(opposed: Opposed, old: NoteSense, new: NoteSense) -> bool:
    """Whether *new* says that it is a change, and differs in the one thing alone that is done otherwise now."""
    if opposed.how in {AVOIDED, REFUSED, OTHER_VALUES} or not new.is_news or old.is_news:
        return False
    rest = (old.everything ^ new.everything) - opposed.words - CHANGED
    return strongest(rest) < WEAK_WEIGHT


def _tells_apart(gone: tuple[str, ...], come: tuple[str, ...], old: NoteSense, new: NoteSense) -> bool:
    lost, added = senses_in(gone) - new.everything - VAGUE, senses_in(come) - old.everything - CHANGED
    if max(_names(gone), _names(come)) > (MOST_IN_A_NAME if lost & old.title else MOST_IN_A_SLOT):
        return False
    return min(strongest(lost), strongest(added), weigh(lost), weigh(added)) >= WEAK_WEIGHT


def _names(order: tuple[str, ...]) -> int:
    """How many words stand in *order*; an identifier and its parts are one."""
    count = at = 0
    while at < len(order):
        whole, rest, at = order[at], order[at], at + 1
        while at < len(order) and rest.startswith(order[at]) and len(order[at]) < len(whole):
            rest, at = rest[len(order[at]) :], at + 1
        count += 1
    return count


def _is_other_value(gone: tuple[str, ...], come: tuple[str, ...]) -> bool:
    before, now = values_in(gone), values_in(come)
    return bool(before and now) and before.isdisjoint(now)


def _says_all(old: NoteSense, new: NoteSense) -> bool:
    return _said_of(old, new) >= SAYS_ALL and _share(old.title, new.everything) >= NAMES_ALL


def _says_the_same(old: NoteSense, new: NoteSense) -> bool:
    if new.values - old.values:
        return False
    if max(_share(old.title, new.everything), _share(new.title, old.everything)) < NAMES_SOME:
        return False
    return min(_said_of(old, new), _said_of(new, old)) >= SAYS_MOST


# What becomes of them


class SettleStore(Protocol):
    """What settling needs of the store of notes."""

    @property
    def dedup_threshold(self) -> float: ...  # noqa: D102 -- the store says what each is
    def get(self, note_id: int) -> Note: ...  # noqa: D102
    def alike(self, content: NoteContent, project_id: int | None) -> Sequence[Note]: ...  # noqa: D102
    def taken_out_alike(self, content: NoteContent, project_id: int | None) -> Sequence[Note]: ...  # noqa: D102
    def is_settled(self, new_id: int, old_id: int) -> bool: ...  # noqa: D102
    def tombstone(self, note: Note, *, by: int | None, reason: str, actor: str) -> Note: ...  # noqa: D102
    def raise_confidence(self, note: Note, by: float, why: str, actor: str) -> Note: ...  # noqa: D102
    def flag(self, new_id: int, old_id: int, why: str) -> int: ...  # noqa: D102
    def log_verdict(  # noqa: D102, PLR0917 -- the columns of a row
        self, new: Note, old: Note, verdict: NoteVerdict, action: str, similarity: float, judge: str, reason: str
    ) -> None: ...


class Settled(NamedTuple):
    """What became of a new note: whether it lives, which notes gave way, and which wait for a person."""

    note_id: NoteId
    lives: bool
    tombstoned: tuple[NoteId, ...] = ()
    flagged: tuple[NoteId, ...] = ()


class _Met(NamedTuple):
    """A pair that was judged. *is_newer*: the new note was also said last; of a backfilled one it is the other."""

    old: Note
    verdict: NoteVerdict
    is_newer: bool
    similarity: float


def neighbours(content: NoteContent, project_id: int | None, store: SettleStore) -> list[Note]:
    """The live notes that a judge has to compare *content* with; none where one says exactly the same."""
    near = list(store.alike(content, project_id))
    if any(_is_exact(old, content) for old in near):
        return []
    return [old for old in near if similarity(old, content) >= store.dedup_threshold]


def settle(new: Note, store: SettleStore, judge: Judge) -> Settled:
    """Decide what *new* is to the notes that are like it, and do what follows. Done again, it does nothing.

    Call it inside the transaction that stores the note.
    """
    new = store.get(new.id)
    if new.status is not NoteStatus.LIVE:
        return Settled(new.id, lives=False)
    near = [
        old for old in store.alike(new, new.project_id) if old.id != new.id and not store.is_settled(new.id, old.id)
    ]
    same = next((old for old in near if _is_exact(old, new)), None)
    if same is not None:
        met = _Met(same, NoteVerdict.DUPLICATE, is_newer=True, similarity=1.0)
        return _give_up(store, new, met, "exact")
    refused = next((old for old in store.taken_out_alike(new, new.project_id) if _says_again(old, new)), None)
    if refused is not None:
        met = _Met(refused, NoteVerdict.DUPLICATE, is_newer=True, similarity=similarity(refused, new))
        return _give_up(store, new, met, "exact")
    met_all = [_meet(old, new, judge) for old in near if similarity(old, new) >= store.dedup_threshold]
    yields = next((met for met in met_all if _yields(new, met)), None)
    if yields is not None:
        return _give_up(store, new, yields, judge.name)
    return _live_on(store, new, met_all, judge.name)


def _meet(old: Note, new: Note, judge: Judge) -> _Met:
    alike = similarity(old, new)
    if new.valid_from < old.valid_from:
        return _Met(old, judge.compare(new, old.content), is_newer=False, similarity=alike)
    return _Met(old, judge.compare(old, new.content), is_newer=True, similarity=alike)


def _yields(new: Note, met: _Met) -> bool:
    """Whether the new note goes: it says nothing new, or was said before what it is like, and that says it better."""
    if met.verdict is NoteVerdict.DUPLICATE:
        return True
    if met.is_newer or met.verdict is NoteVerdict.DISTINCT:
        return False
    return met.verdict is NoteVerdict.REFINE or new.confidence < TRUSTED


def _give_up(store: SettleStore, new: Note, met: _Met, judge: str) -> Settled:
    """Tombstone the new note: *met* stands for it."""
    by = met.old.id if met.old.status is NoteStatus.LIVE else None
    why = f"{met.verdict}: {met.old.label}" if by else f"says what {met.old.label} said, which was taken out"
    store.tombstone(new, by=by, reason=why, actor=judge)
    # crash point: notes, the new one tombstoned and no verdict kept
    store.log_verdict(new, met.old, met.verdict, "tombstone new", met.similarity, judge, why)
    return Settled(new.id, lives=False, tombstoned=(new.id,))


def _live_on(store: SettleStore, new: Note, met_all: list[_Met], judge: str) -> Settled:
    """The new note lives: what it refines or supersedes gives way, unless it is trusted."""
    gone: list[NoteId] = []
    flagged: list[NoteId] = []
    for met in met_all:
        old, why = met.old, f"{met.verdict}: {new.label}"
        if met.verdict is NoteVerdict.DISTINCT:
            action = "keep both"
        elif met.verdict is NoteVerdict.REFINE:
            action = "tombstone old"
            store.tombstone(old, by=new.id, reason=why, actor=judge)
            more = max(0.0, old.confidence - store.get(new.id).confidence) + SURER
            store.raise_confidence(new, more, f"refines {old.label}", judge)
        elif not met.is_newer:
            action = "flag"
            store.flag(old.id, new.id, f"{old.label} was said after {new.label}, which is trusted")
            flagged.append(new.id)
        elif old.confidence >= TRUSTED:
            action = "flag"
            store.flag(new.id, old.id, f"{old.label} is trusted ({old.confidence:.2f})")
            flagged.append(old.id)
        else:
            action = "tombstone old"
            store.tombstone(old, by=new.id, reason=why, actor=judge)
        gone += [old.id] if action == "tombstone old" else []
        # crash point: notes, the old one tombstoned and no verdict kept
        store.log_verdict(new, old, met.verdict, action, met.similarity, judge, "")
    return Settled(new.id, lives=True, tombstoned=tuple(gone), flagged=tuple(flagged))


def _is_exact(old: Titled, new: Titled) -> bool:
    """Whether both say the same, letter for letter but for case and white space."""
    return _flat(old) == _flat(new)


def _says_again(refused: Note, new: Note) -> bool:
    """Whether *new* says what a person took out, when that had been said already."""
    return judge(refused, new) is NoteVerdict.DUPLICATE


def _flat(note: Titled) -> tuple[str, str]:
    return " ".join(note.title.lower().split()), " ".join(note.body.lower().split())
