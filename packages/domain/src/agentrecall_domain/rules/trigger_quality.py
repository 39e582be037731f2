"""The quality of a trigger: whether it names a situation, and what an audit of all rules finds. Light."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from agentrecall_domain.rules import status
from agentrecall_domain.rules.meeting import can_meet
from agentrecall_domain.text.tokenizer import is_cjk, terms, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agentrecall_domain.rules.meeting import Held

LEAST_WORDS = 3
MOST_WORDS = 45

NOISY_INJECTIONS = 5
NOISY_IGNORED = 3

OPENERS = """
when|whenever|if|while|before|after|during|on|upon|once|until|unless|as soon as|as long as|any time|anytime|every time
each time|in case|in the event|in the course of|prior to|by the time
wenn|immer wenn|falls|sobald|solange|sofern|bevor|ehe|nachdem|wahrend|beim|bei|vor|nach|jedes mal wenn|im fall|sooft
quand|lorsque|lorsqu|si|avant de|avant que|avant|apres|pendant|des que|chaque fois|tant que|en cas|au moment|s il
cuando|si|antes de|despues de|tras|durante|mientras|al|cada vez|siempre que|en cuanto|en caso|a la hora de
quando|se|prima di|dopo|durante|mentre|ogni volta|appena|antes de|depois de|sempre que|ao|assim que|enquanto
als|wanneer|zodra|voordat|nadat|tijdens|telkens
когда|если|перед|после|во время|при|как только
وقتی|هنگام|هنگامی که|اگر|قبل از|بعد از|پیش از|پس از|هر وقت|هر بار|زمانی که|موقع|در هنگام|در زمان|حین|هرگاه|چنانچه
"""
"""Words that open a condition, folded as the tokenizer folds them."""

CHINESE_OPENERS = ("当", "如果", "若", "一旦", "每次", "每当", "在", "假如", "只要", "要是", "遇到", "もし")
CHINESE_ENDS = (
    "时",
    "时候",
    "之前",
    "之后",
    "以前",
    "以后",
    "前",
    "后",
    "期间",
    "的话",
    "とき",
    "時",
    "場合",
    "際",
    "前に",
    "後に",
    "때",
)


class TriggerProblem(StrEnum):
    """What keeps a trigger from being used."""

    NONE = "None"
    TOO_SHORT = "TooShort"
    TOO_LONG = "TooLong"
    NOT_CONDITIONAL = "NotConditional"
    RESTATES_THE_ACTION = "RestatesTheAction"


class FindingKind(StrEnum):
    """What an audit finds in a rule."""

    NOISY = "Noisy"
    DORMANT = "Dormant"
    DUPLICATE = "Duplicate"
    UNUSABLE = "Unusable"


class Counts(NamedTuple):
    """How a rule fared: how often it was shown, and what came of it."""

    injections: int = 0
    accepted: int = 0
    ignored: int = 0


class Finding(NamedTuple):
    """One thing that an audit found."""

    rule: Held
    kind: FindingKind
    injections: int
    why: str


_openers: list[frozenset[tuple[str, ...]]] = []


def trigger_problem(trigger: str, action: str) -> TriggerProblem:
    """What is wrong with *trigger* as the condition for *action*: the first thing found."""
    length = _length(trigger)
    if length < LEAST_WORDS:
        return TriggerProblem.TOO_SHORT
    if length > MOST_WORDS:
        return TriggerProblem.TOO_LONG
    if not is_conditional(trigger):
        return TriggerProblem.NOT_CONDITIONAL
    if _restates(trigger, action):
        return TriggerProblem.RESTATES_THE_ACTION
    return TriggerProblem.NONE


def is_conditional(trigger: str) -> bool:
    """Whether *trigger* opens as a condition does, in any of a few languages."""
    plain = trigger.strip().rstrip(".,;:，。、")  # noqa: RUF001 -- Chinese stops are the subject here
    if plain.startswith(CHINESE_OPENERS) or plain.endswith(CHINESE_ENDS):
        return True
    said = words(plain[:200])
    openers = _known_openers()
    return any(tuple(said[:length]) in openers for length in range(1, 5))


def audit(rules: Iterable[Held], counts: Mapping[int, Counts]) -> list[Finding]:
    """What is wrong with the rules that recall may show: noisy ones first, then the most shown, then by id."""
    shown = sorted((rule for rule in rules if rule.status in status.RECALLED), key=lambda rule: rule.id)
    older: dict[tuple[bool, tuple[str, ...]], list[Held]] = {}
    found = []
    for rule in shown:
        seen = counts.get(rule.id, Counts())
        is_standing: bool = getattr(rule, "always_apply", False)
        why = _noisy(seen)
        if why:
            found.append(Finding(rule, FindingKind.NOISY, seen.injections, why))
        if seen.injections == 0 and not is_standing:
            found.append(Finding(rule, FindingKind.DORMANT, 0, "was never shown"))
        told = _told(rule.action)
        twin = next((other for other in older.get(told, ()) if can_meet(rule, other)), None)
        if twin is not None:
            found.append(Finding(rule, FindingKind.DUPLICATE, seen.injections, f"R{twin.id} tells the same"))
        older.setdefault(told, []).append(rule)
        problem = TriggerProblem.NONE if is_standing else trigger_problem(rule.trigger, rule.action)
        if problem is not TriggerProblem.NONE:
            found.append(Finding(rule, FindingKind.UNUSABLE, seen.injections, f"its trigger: {problem}"))
    return sorted(found, key=lambda one: (one.kind is not FindingKind.NOISY, -one.injections, one.rule.id))


def _noisy(seen: Counts) -> str:
    is_noisy = seen.injections >= NOISY_INJECTIONS and seen.accepted == 0 and seen.ignored >= NOISY_IGNORED
    return f"shown {seen.injections} times, accepted never, ignored {seen.ignored} times" if is_noisy else ""


def _told(action: str) -> tuple[bool, tuple[str, ...]]:
    """An action as it is compared: what it says in order, small words apart, and whether it refuses something."""
    said = words(action)
    return not _REFUSALS.isdisjoint(said), tuple(terms(action)) or tuple(said) or (action.strip(),)


_REFUSALS = {"not", "never", "no", "don", "dont", "avoid", "without", "stop"}


def _length(trigger: str) -> int:
    """How many words *trigger* has: what white space parts, or in scripts without it, every second sign."""
    length = 0
    for chunk in trigger.split():
        read = words(chunk)
        if read:
            length += (len(read) + 2) // 2 if any(map(is_cjk, chunk)) else 1
    return length


def _restates(trigger: str, action: str) -> bool:
    """Whether *action* says nothing that *trigger* has not said. What it refuses, it says anew."""
    told = words(action)
    if not told:
        return False
    if told[: len(words(trigger))] == words(trigger):
        return True
    said = set(terms(action))
    return bool(said) and said <= set(terms(trigger)) and _REFUSALS.isdisjoint(told)


def _known_openers() -> frozenset[tuple[str, ...]]:
    if not _openers:
        _openers.append(frozenset(tuple(words(opener)) for line in OPENERS.split("\n") for opener in line.split("|")))
    return _openers[0] - {()}
