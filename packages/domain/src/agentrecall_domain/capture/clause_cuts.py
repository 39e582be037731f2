"""Cuts: where one clause of a sentence ends and the next begins. Light, linear in the length of the sentence."""

from __future__ import annotations

from agentrecall_domain.capture import clause_words as w
from agentrecall_domain.capture.clause_wrongs import discouraged
from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.capture.signals import (
    Word,
    begins,
    is_code,
    is_gerund,
    is_order,
    is_verb,
    tells_at,
    third_person,
)

_HARD = frozenset(";:-=")
_JOINTS = word_set("and but so then or und aber oder sondern et mais ou donc y pero sino o")
_MOST_LEADS = 5
_WORDS_OF_A_NAME = 5
_REFUSING = word_set("never don't dont do no avoid stop not we you")
_PERSONAL = word_set("yourself you me it that this")
_BETTER = w.COMPARED | word_set("rather sooner prefer")


def pieces(words: list[Word], language: str) -> list[list[Word]]:
    """*words*, cut where another clause begins."""
    found: list[list[Word]] = []
    start = 0
    begun = opening(words, 0, language) if words else ("", 0)
    inside = False
    closed = max((at for at, word in enumerate(words) if ")" in word.text), default=-1)
    for at in range(1, len(words)):
        inside = at <= closed and (inside or words[at].text[:1] == "(") and ")" not in words[at - 1].text
        if not inside and _cuts(words, start, at, language, begun):
            found.append(words[start:at])
            start = at
            begun = opening(words, at, language)
    if words[start:]:
        found.append(words[start:])
    return found


def opening(words: list[Word], at: int, language: str) -> tuple[str, int]:
    """What the clause at *at* begins as, and where its first word after "and", "please" and the like is."""
    here = skipped(words, at, language)
    if words[at].low == "as" and here > at:
        at = here
    if words[at].low in {"no", "non", "nein"} and at + 1 < len(words) and words[at + 1].gap:
        at = here
    for start in dict.fromkeys((at, here)):
        for name in ("REASON", "CONDITION", "CONTRAST", "REFUSAL", "PLACE"):
            if begins(name, language, words, start):
                if name == "CONTRAST" and words[start].low in _CONTRAST_OR_REFUSAL and start != at:
                    continue
                return name, start
        if language == "en" and discouraged(words, start):
            return "REFUSAL", start
    return "", here


_CONTRAST_OR_REFUSAL = frozenset(
    ("not", "never", "over", "no", "kein", "keine", "keinen", "nicht", "pas", "jamais", "nunca")
)


def skipped(words: list[Word], at: int, language: str) -> int:
    """Where the clause at *at* begins, behind what only leads to it."""
    for _ in range(_MOST_LEADS):
        if (
            at + 1 < len(words)
            and words[at].low in {"no", "nope", "non", "nein"}
            and words[at + 1].gap in {",", "-", ":"}
        ):
            at += 1
            continue
        count = begins("LEAD_IN", language, words, at)
        if not count or at + count >= len(words) or _keeps(words, at, count):
            return at
        at += count
    return at


def _keeps(words: list[Word], at: int, count: int) -> bool:
    """Whether the lead-in is a word of the clause: "instead of", "rather than", "security checks run"."""
    low, after = words[at].low, words[at + count]
    if low in {"instead", "rather", "better"} and after.low in {"of", "than", "be"}:
        return True
    if words[at + count - 1].low == "sure" and after.low in {"no", "not", "nothing", "nobody", "never"}:
        return True
    if after.gap or count > 1:
        return False
    if low == "do":
        return after.low == "not" or not is_verb(after.low)
    # Names of a matter are lead-ins only with a colon or a comma behind them.
    return low in _NAMES


_NAMES = word_set("""
    review style perf security question wrong reminder note nit minor blocking suggestion tip hint lesson rule
    important  warning look listen careful well man team everyone everybody thanks consider remember achtung
    hinweis wichtig nota ojo note
""") - {"remember", "consider"}


def _german_order(words: list[Word], at: int, language: str) -> bool:
    """Whether German goes on to the act: "bei Migrationen ein Backup ziehen"."""
    return language == "de" and words[at].low in _GERMAN_OBJECTS and words[at - 1].text[:1].isupper()


def _spanish_order(low: str, language: str) -> bool:
    """Whether *low* is an order with its object: "preg\u00fantame", "\u00fasalo"."""
    return language == "es" and low.endswith(_SPANISH_OBJECTS) and not _ACCENTS.isdisjoint(low[:-2])


_SPANISH_OBJECTS = ("me", "nos", "lo", "la", "los", "las")
_ACCENTS = frozenset("\u00e1\u00e9\u00ed\u00f3\u00fa")
_GERMAN_OBJECTS = word_set("den die das ein eine einen auch zuerst erst")
_FOREIGN_ORDERS = word_set(
    "usa utiliza pon haz utilise mets nutze nimm verwende bitte no"
    " kein keine keinen nie niemals immer nunca siempre jamais toujours ne"
)
_PLACING = word_set("put place insert copy keep name call title order list import")


_TIMES = word_set("when whenever if")
# Words of which "when" says more, "only when", where "some" or "it" before it ends what is asked.
_HOLDING = (w.CARRIERS - w.PRONOUNS - w.DETERMINERS - {"new", "always", "never"}) | word_set("that who which")


def _cuts(words: list[Word], start: int, at: int, language: str, opened: tuple[str, int]) -> bool:  # noqa: C901, PLR0911, PLR0912 -- one sign a return, in their order
    word = words[at]
    if word.gap and word.gap in _HARD:
        return True
    kind, here = opening(words, at, language)
    first, begun = opened
    if word.gap == ",":
        return _comma_cuts(words, start, at, language, first)
    if at - begun < 1:
        return False
    before = words[at - 1].low
    if (
        language != "en"
        and first in {"CONDITION", "PLACE", "CONTRAST"}
        and at - begun > 1
        and (
            (word.low in _FOREIGN_ORDERS and words[at - 1].low != "wir")
            or begins("DUTY", language, words, at)
            or (first == "PLACE" and words[min(at + 1, len(words) - 1)].low in {"wir", "man"})
            or _german_order(words, at, language)
            or _spanish_order(word.low, language)
        )
    ):
        return True
    if word.low in {"sondern", "sino"} and language != "en":
        return True
    if first == "CONTRAST" and language == "en" and kind == "":
        return _order_follows(words, start, at, first)
    if word.low == "as" and language == "en" and at > begun and kind in {"", "REASON"}:
        same = any(early.low in {"same", "such", "as"} for early in words[max(begun, at - 4) : at])
        whole = is_order(words, begun) or first == "CONTRAST" or tells_at(words, begun, at) >= 0
        return first != "CONDITION" and not same and whole and begins_as(words, at)
    if kind == "REASON":
        if language == "de" or (
            language != "en" and word.low not in {"parce", "porque", "car", "sinon", "puisque", "ya"}
        ):
            return False
        return before not in {"and", "or", "not", "just"} and word.low not in {
            "otherwise",
            "why",
            "reason",
            "context",
            "background",
            "else",
            "denn",
        }
    if kind == "CONTRAST" and here == at:
        return _contrasts(words, start, at, language, first)
    if kind == "CONDITION" and here == at:
        after = words[at + 1] if at + 1 < len(words) else None
        if after is None or after.gap or (after.low in _PERSONAL and tells_at(words, at + 1) < 0):
            return False
        if word.low in {
            "unless",
            "until",
            "given",
            "wo",
            "wer",
            "quien",
            "al",
            "vor",
            "nach",
            "beim",
            "tras",
            "avant",
            "apr\u00e8s",
            "pendant",
        }:
            return False
        holds = before in (_HOLDING if word.low in _TIMES else w.CARRIERS) or before in _JOINTS
        if holds or (word.low == "once" and (words[at + 1].low in _JOINTS or tells_at(words, at + 1) < 0)):
            return False
        if (
            word.low in {"before", "after"}
            and any(early.low in _PLACING for early in words[begun : begun + 2])
            and not is_gerund(words[min(at + 1, len(words) - 1)].low)
            and tells_at(words, at + 1) < 0
        ):
            # "Put the lockfile before the sources" says where.
            return False
        if (
            first == ""
            and language == "en"
            and not is_order(words, begun)
            and tells_at(words, begun) >= 0
            and not _asks(words, begun, at)
        ):
            # "It leaks after unmount" is told as a whole.
            return False
        return first not in {"CONDITION", "REASON", "PLACE"} or before == "then"
    if kind == "REFUSAL":
        if here > at:
            return True
        if language == "en" and word.low not in _REFUSING:
            return False
        if word.low in {"no", "not", "stop"} and (first != "PLACE" or tells_at(words, begun, at) >= 0):
            return False
        return (
            first in {"CONDITION", "PLACE"} and before not in w.PRONOUNS and at - begun > 1 and before not in w.CARRIERS
        )
    if (
        language == "en"
        and word.low in {"or", "and"}
        and words[min(at + 1, len(words) - 1)].low in w.DETERMINERS | w.PRONOUNS | w.CONTRACTED
        and (is_order(words, begun) or _told_before(words, begun, at))
    ):
        return tells_at(words, at + 1) >= 0
    if first in {"CONDITION", "PLACE"} and language == "en":
        return _order_follows(words, start, at, first)
    if (
        word.low == "to"
        and language == "en"
        and any(early.low in {"prefer", "favor", "favour"} for early in words[begun : begun + 2])
        and at + 1 < len(words)
    ):
        return at - begun > 1 and not is_verb(words[at + 1].low)
    if (
        word.low in {"and", "but"}
        and at + 2 < len(words)
        and words[at + 1].low in {"is", "are"}
        and words[at + 2].low in {"never", "not"}
    ):
        return True
    if word.low == "which" and at + 1 < len(words) and words[at + 1].low == "means":
        return True
    if word.low in {"but", "so", "then"} and at + 1 < len(words):
        if before in w.AUXILIARY or (word.low == "so" and words[at + 1].low in {"far", "on", "much", "many"}):
            return False
        return is_order(words, at + 1) or tells_at(words, at + 1) >= 0
    return False


def _told_before(words: list[Word], begun: int, at: int) -> bool:
    """Whether what stands before the "and" at *at* is whole: "somebody added a column", "before batching"."""
    step = words[begun].low in {"before", "after"} and is_gerund(words[begun + 1].low)
    somebody = words[begun].low in {"we", "you", "somebody", "someone"}
    return step or somebody or (words[at].low == "or" and tells_at(words, begun, at) >= 0)


def begins_as(words: list[Word], at: int) -> bool:
    """Whether the "as" at *at* says why: "as time zones got lost", and not "as strings"."""
    return (
        at + 1 < len(words)
        and words[at + 1].low not in w.ADVERBS
        and not is_gerund(words[at + 1].low)
        and tells_at(words, at + 1) >= 0
    )


def _asks(words: list[Word], start: int, at: int) -> bool:
    """Whether what is told asks for something: a duty, or what a team does."""
    return any(begins("DUTY", "en", words, place) for place in range(start, at))


def _contrasts(words: list[Word], start: int, at: int, language: str, first: str) -> bool:  # noqa: PLR0911 -- one sign a return, in their order
    word, before = words[at], words[at - 1].low
    if first in {"CONDITION", "REASON"} and word.low not in {"instead", "rather"}:
        return False
    if word.low in {"not", "never", "no", "nicht", "pas", "jamais", "nunca", "kein", "keine", "keinen", "a"}:
        if language != "en":
            return before in {"und", "et", "y", "aber"} or word.low == "y"
        if (
            before in w.AUXILIARY
            or before in w.PRONOUNS
            or before in {"or", "but", "and", "do", "did", "if", "whether", "why", "to", "be"}
        ):
            return False
        if word.low == "never":
            return False
        return (
            begins("CONTRAST", language, words, at) > 0
            and first != "REFUSAL"
            and (tells_at(words, start, at) < 0 or words[start].low == "we" or _parallel(words, start, at))
        )
    if word.low == "than":
        return any(early.low in _BETTER for early in words[start : at - 1])
    if word.low in {"over", "beats", "trumps", ">", "replaces"}:
        if word.low == "over" and words[min(at + 1, len(words) - 1)].low in {
            "time",
            "and",
            "night",
            "https",
            "http",
            "there",
            "tcp",
        }:
            return False
        if words[min(at + 1, len(words) - 1)].low[:1].isdigit() or any(early.low in _WHO for early in words[start:at]):
            return False
        begun = start
        lead = any(
            w_.low in {"prefer", "favor", "favour", "choose", "pick", "take", "preferred", "use"}
            for w_ in words[start:at]
        )
        return lead or (
            at - start <= _WORDS_OF_A_NAME + 1 and tells_at(words, begun, at) < 0 and not is_order(words, begun, at)
        )
    return True


def _parallel(words: list[Word], start: int, at: int) -> bool:
    """Whether what follows is put as what went before: "pin by digest not by tag"."""
    after = words[at + 1].low if at + 1 < len(words) else ""
    return after in w.PREPOSITIONS and any(word.low == after for word in words[start:at])


def _comma_cuts(words: list[Word], start: int, at: int, language: str, first: str) -> bool:  # noqa: C901, PLR0911, PLR0912 -- one sign a return, in their order
    kind, here = opening(words, at, language)
    low = words[at].low
    if kind == "CONDITION" and words[here].low in {"unless", "until"}:
        return False
    if first == "REFUSAL" and low == "not" and at + 1 < len(words) and words[at + 1].low == "even":
        return False
    if kind in {"REASON", "CONDITION", "CONTRAST"}:
        return not (first == "CONDITION" and low in {"or", "and"} and kind == "CONDITION")
    if kind == "REFUSAL":
        return True
    if low in {"which", "who"} and first != "CONDITION":
        return True
    joint = low in _JOINTS
    if low == "but" and first in {"REFUSAL", "CONTRAST"}:
        return True
    if words[here].low == "to" and here > at and here + 1 < len(words) and is_verb(words[here + 1].low):
        return True
    told = tells_at(words, here) >= 0
    if language != "en" and here > at and first not in {"CONDITION", "PLACE"}:
        return True
    if language != "en":
        return _foreign_comma(words, at, first)
    if first in {"CONDITION", "PLACE"}:
        if is_order(words, here):
            return not (first == "CONDITION" and low == "or")
        return (told and not joint) or not _comma_later(words, at)
    if is_order(words, here):
        # "Don't mock, stub or fake" refuses three things, "never mock the clock, pass it in" but one.
        return not (
            first == "REFUSAL"
            and at - start <= _WORDS_OF_A_NAME
            and any(word.low == "or" for word in words[at : at + 6])
        )
    end = next((place for place in range(at + 1, len(words)) if words[place].gap), len(words))
    if told or words[end - 1].low == "otherwise":
        return True
    if low in _BEGINNERS and end - at > _WORDS_OF_A_NAME - 1 and first not in {"PLACE", "CONDITION"}:
        return all(word.low not in {"or", "and"} for word in words[at:end])
    if (
        low in {"a", "an"}
        and first == ""
        and any(words[place].low in w.TELLING and words[place + 1].low in w.OBJECTS for place in range(at + 2, end - 1))
    ):
        # "A half written order cost us a day."
        return True
    return (kind == "PLACE" and first == "REFUSAL") or (here > at and not joint)


_BEGINNERS = word_set("the our this that those these its their")


def _foreign_comma(words: list[Word], at: int, first: str) -> bool:
    if first in {"CONDITION", "PLACE"}:
        return True
    low = words[at].low
    size = next((place - at for place in range(at + 1, len(words)) if words[place].gap), len(words) - at)
    if size > 1 and low not in _ADDING:
        return True
    return low in _FOREIGN_BEGINNERS or is_gerund(low)


_ADDING = word_set("m\u00eame auch sogar aun incluso und et y o ou oder ni noch")
_FOREIGN_BEGINNERS = word_set(
    "sondern sino mais wir er sie es das die der que qui car le la les el los il \u00e7a c'est on"
)


def _comma_later(words: list[Word], at: int) -> bool:
    """Whether a clause begins at a comma further on: what is here is still of the list before it."""
    for place in range(at + 1, min(len(words), at + 12)):
        if words[place].gap and words[place].gap in _HARD:
            return False
        if words[place].gap == ",":
            return True
    return False


_WHO = frozenset(("that", "which", "who"))
_WHATEVER = w.SOMEBODY | word_set("all anyone everyone those")


def _order_follows(words: list[Word], start: int, at: int, first: str) -> bool:  # noqa: C901, PLR0911 -- one sign a return, in their order
    """Whether an order without a comma begins at *at*: "in tests use fakes"."""
    low, before = words[at].low, words[at - 1].low
    after = words[at + 1] if at + 1 < len(words) else None
    noun = low in w.AMBIGUOUS - w.STRONG_ORDERS and (after is None or after.low not in w.OBJECTS)
    if first == "CONTRAST" and (at - start < 3 or noun):  # noqa: PLR2004 -- counts words
        return False
    if at - start < 2 or before in w.CARRIERS or is_gerund(before) or before in w.AUXILIARY:  # noqa: PLR2004 -- counts words
        return False
    if after is not None and not after.gap and after.low in {"beats", "trumps"}:
        return True
    if low in {"always", "please", "never", "prefer", "ensure"}:
        return True
    if first == "PLACE" and low in {"all", "every", "each", "the", "our", "a", "an", "everything", "it"}:
        # Of "anything a user can retry" and "a handler that takes a file" the clause is a part.
        related = any(word.low in _WHO for word in words[start:at]) and third_person(before) != ""
        return before not in _WHATEVER and not related and tells_at(words, at) >= 0
    if low in {"it's", "its"} and first == "PLACE":
        return before not in _WHATEVER
    if low == "we" and first == "PLACE":
        return before not in _WHATEVER and after is not None and is_verb(after.low)
    if low in {"it", "they", "we"} and first == "CONDITION" and tells_at(words, start + 1, at) >= 0:
        return after is not None and tells_at(words, at) == at + 1
    if not is_verb(low) or after is None or after.gap:
        return False
    if first == "CONDITION" and not _is_whole(words, start + 1, at):
        return False
    if low in w.AMBIGUOUS and low not in w.STRONG_ORDERS:
        return after.low in w.OBJECTS or after.low in {"whether", "if", "how", "that"} or is_code(after)
    return low not in w.TELLING - w.STRONG_ORDERS or after.low in w.OBJECTS


def _is_whole(words: list[Word], start: int, end: int) -> bool:
    """Whether the condition has its verb already."""
    return (
        any(is_gerund(word.low) for word in words[start:end])
        or tells_at(words, start, end) >= 0
        or end - start > _WORDS_OF_A_NAME
    )
