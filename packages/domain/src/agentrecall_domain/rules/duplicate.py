"""The one duplicate check of rules: what a new rule is to one that is stored. Light.

No distinct rule may be lost: a verdict other than `distinct` needs one situation and one matter, and words on both
sides that the other rule knows nothing of are reason enough to keep both.
"""

from __future__ import annotations

from enum import StrEnum

from agentrecall_domain.rules.meaning import (
    WEAK_WEIGHT,
    Sense,
    do_different_things,
    is_told_apart,
    sense_of,
    senses,
    strongest,
    synonyms_of,
    weight,
)
from agentrecall_domain.rules.opposition import A_WORD, Situation, numbers_differ, opposition, situation
from agentrecall_domain.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from agentrecall_domain.rules.meaning import Told

JUDGED = 0.80
"""The similarity from which a pair is judged at all."""

ALIKE = 0.6
"""The share of matched words that stands for a similarity of 0.80."""

MOST_DROPPED = 0.5
"""The share of a stored rule's action that a new one may leave unsaid and still be about the same."""

MOST_TERMS = 24
MOST_FETCHED = 120
"""How many rules the chosen words may find together, one rule counted once for each word."""


class Verdict(StrEnum):
    """What a new rule is to a stored one."""

    DISTINCT = "distinct"
    DUPLICATE = "duplicate"
    REFINE = "refine"
    SUPERSEDE = "supersede"


def similarity(a: Told, b: Told) -> float:
    """How alike two rules are, 0 to 1, whichever comes first; contraries on one subject are alike."""
    return 1.0 if _text(a) == _text(b) else likeness(Sense(a), Sense(b))


def judge(existing: Told, new: Told) -> Verdict:
    """What *new* is to *existing*; distinct whenever there is doubt."""
    return judge_each([existing], new)[0]


def judge_each(stored: Iterable[Told], new: Told) -> list[Verdict]:
    """What *new* is to each of the *stored* rules."""
    sense, text = sense_of(new), _text(new)
    return [
        (Verdict.DUPLICATE if rule.reason or not new.reason else Verdict.REFINE)
        if _text(rule) == text
        else verdict(sense_of(rule), sense)
        for rule in stored
    ]


def _text(rule: Told) -> tuple[str, ...]:
    """What a rule says, letter for letter but for case, white space and full stops."""
    return tuple(" ".join(part.lower().split()).rstrip(".") for part in (rule.trigger, rule.action, rule.mistake))


def fetch_terms(content: Told, rarity: Callable[[list[str]], Mapping[str, int]]) -> list[str]:
    """The words by which to fetch the rules that *content* may repeat, the rarest first.

    *rarity* says of some stems how many stored rules have each. Synonyms are among them: `db` fetches `database`.
    """
    said = dict.fromkeys(terms(f"{content.action}\n{content.trigger}\n{content.mistake}"))
    telling = [word for word in said if weight(senses((word,))) >= WEAK_WEIGHT]
    words_asked = list(dict.fromkeys(same for word in telling[:MOST_TERMS] for same in synonyms_of(word)))
    counts = rarity(words_asked)
    known = sorted((counts[word], word) for word in words_asked if counts.get(word))
    chosen: list[str] = []
    fetched = 0
    for count, word in known:
        if chosen and fetched + count > MOST_FETCHED:
            break
        chosen.append(word)
        fetched += count
    return chosen


def likeness(one: Sense, other: Sense) -> float:
    """The similarity of two senses: half the situation, half what is told there."""
    place = _alike(one.trigger, other.trigger, one.everything, other.everything)
    told = 1.0 if opposition(one, other) else _alike(one.words, other.words, one.everything, other.everything)
    raw = (place + told) / 2
    return 0.8 * raw / ALIKE if raw < ALIKE else 0.8 + 0.2 * (raw - ALIKE) / (1 - ALIKE)


def _alike(mine: frozenset[str], theirs: frozenset[str], all_mine: frozenset[str], all_theirs: frozenset[str]) -> float:
    """How much of the one that says less the other says too."""
    if not mine or not theirs:
        return 1.0 if mine == theirs else 0.5
    return max(weight(mine & all_theirs) / (weight(mine) or 1.0), weight(theirs & all_mine) / (weight(theirs) or 1.0))


def verdict(old: Sense, new: Sense) -> Verdict:
    """As `judge`, of senses."""
    place = situation(old, new)
    if place is Situation.APART or _differ(old, new) or likeness(old, new) < JUDGED:
        return Verdict.DISTINCT
    if opposition(old, new):
        return Verdict.DISTINCT if place is Situation.NARROWER else Verdict.SUPERSEDE
    if not _agree(old, new):
        return Verdict.DISTINCT
    if not _adds(old, new):
        return Verdict.DUPLICATE
    # What refines a rule takes its place: it may leave out nothing of weight.
    dropped = (old.said | old.refused) - new.everything
    return Verdict.DISTINCT if strongest(dropped) >= WEAK_WEIGHT else Verdict.REFINE


def _differ(old: Sense, new: Sense) -> bool:
    """Whether each situation has a word that the other rule has not."""
    return min(strongest(old.trigger - new.everything), strongest(new.trigger - old.everything)) >= WEAK_WEIGHT


def _agree(old: Sense, new: Sense) -> bool:
    """Whether both ask for one thing in one situation, neither naming what the other has no word for."""
    told_before, told_now = old.said | old.refused, new.said | new.refused
    dropped, added = told_before - new.everything, told_now - old.everything
    if min(strongest(dropped), strongest(added)) >= WEAK_WEIGHT:
        return False
    if is_told_apart(told_before, told_now) or numbers_differ(old.said_values, new.said_values):
        return False
    if do_different_things(told_before, told_now) or do_different_things(old.trigger, new.trigger):
        return False
    shared = (old.said & new.said) | (old.kept_off & new.kept_off)
    says_all = told_now <= told_before or told_before <= told_now
    if not shared or ((strongest(shared) < WEAK_WEIGHT or shared <= old.trigger) and not says_all):
        return False
    if weight(dropped) > MOST_DROPPED * weight(told_before) or _is_wider(old, new, dropped):
        return False
    return not _keep_off_different_things(old, new) or weight(shared) >= 2 * A_WORD


def _is_wider(old: Sense, new: Sense, dropped: frozenset[str]) -> bool:
    """Whether *new* is about far more than *old*, and silent on some of what that one says."""
    lost = weight(old.trigger - new.everything)
    return lost >= A_WORD and weight(old.trigger & new.everything) < 2 * lost and strongest(dropped) >= WEAK_WEIGHT


def _keep_off_different_things(old: Sense, new: Sense) -> bool:
    return min(strongest(old.kept_off - new.everything), strongest(new.kept_off - old.everything)) >= WEAK_WEIGHT and (
        strongest(old.kept_off & new.kept_off) < WEAK_WEIGHT
    )


def _adds(old: Sense, new: Sense) -> bool:
    """Whether *new* tells something usable that *old* does not."""
    if (new.reason and not old.reason) or (new.kept_off - old.everything and not old.avoided):
        return True
    if new.said_values - old.said_values - old.trigger_values:
        return True
    if weight(new.trigger - old.everything) >= 1.5 * A_WORD or weight(new.kept_off - old.everything) >= 2 * A_WORD:
        return True
    lost = weight(old.trigger - new.everything)
    if lost >= A_WORD and weight(old.trigger & new.everything) < 2 * lost:
        return True  # It holds in more situations.
    return weight((new.said | new.refused) - old.everything) >= WEAK_WEIGHT
