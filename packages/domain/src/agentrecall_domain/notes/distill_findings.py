"""Findings: the messages in which an agent tells what was wrong and how it was mended, weighed as a whole. Cold.

A sentence of an agent tells little by itself: agents explain, plan and report all day. A message in which a cause and a
change stand together, after something went wrong and before the user goes on content, is another thing.
"""

from __future__ import annotations

from collections import Counter

from agentrecall_domain.notes.distill_evidence import Evidence
from agentrecall_domain.notes.distill_place import reached
from agentrecall_domain.notes.distill_weights import ENOUGH_OF_A_FINDING, FINDING, OUT
from agentrecall_domain.notes.unit import Spoken, Unit

_AROUND = ("msg_", "near_")
_TOLD, _MENDED = ("cause", "found", "trouble", "limit"), ("change", "success", "mending", "figure")
_SHORT_REPLY = 40
"""Characters: "works, thx"."""
_MOST_SENTENCES, _AS_HEAVY = 6, 4.0
"""So many sentences of a finding are its note: the heaviest, and those that do not weigh much less."""
_NO_PART = frozenset({"question", "quoted", "about_a_text", "waiting", "compliment", "praise"})


def findings_in(unit: Unit, evidence: list[Evidence], weights: list[float]) -> list[list[int]]:
    """The sentences of each finding in *unit*, in order."""
    messages: dict[int, list[int]] = {}
    for at, piece in enumerate(evidence):
        if not piece.by_user:
            messages.setdefault(piece.sentence.span, []).append(at)
    found = []
    for span, message in messages.items():
        if FINDING.sum_of(cues_of_message(unit, span, [evidence[at] for at in message])) > ENOUGH_OF_A_FINDING:
            found.append(_telling(message, evidence, weights))
    return [sentences for sentences in found if sentences]


def cues_of_message(unit: Unit, span: int, said: list[Evidence]) -> frozenset[str]:
    """What can be seen of the agent's message in *span*, which says *said*, and of what goes before and after."""
    counted = Counter(cue for piece in said for cue in piece.cues if not cue.startswith(_AROUND))
    found = set(counted) | {f"{cue}_twice" for cue, times in counted.items() if times > 1}
    found |= {f"{told}_{mended}" for told in _TOLD for mended in _MENDED if counted[told] and counted[mended]}
    after, before = unit.spans[span + 1 :], unit.spans[:span]
    reply = next((other.text for other in after if other.origin == "user"), None)
    if reply is None:
        found.add("no_reply")
    elif len(reply) < _SHORT_REPLY:
        found.add("short_reply")
    found |= {name for name, spans in (("failed_before", before), ("fails_after", after)) if _has_failure(spans)}
    if _has_failure(before[-1:]):
        found.add("just_failed")
    return frozenset(found | reached("later", (1, 2), sum(other.origin == "agent" for other in after)))


def _has_failure(spans: tuple[Spoken, ...]) -> bool:
    return any(other.origin == "tool" for other in spans)


def _telling(message: list[int], evidence: list[Evidence], weights: list[float]) -> list[int]:
    """Those sentences of *message* that are the finding."""
    fit = [at for at in message if not evidence[at].cues & _NO_PART and weights[at] > OUT]
    if not fit:
        return []
    heaviest = sorted(fit, key=lambda at: (-weights[at], at))[:_MOST_SENTENCES]
    return sorted(at for at in heaviest if weights[at] >= weights[heaviest[0]] - _AS_HEAVY)
