"""Fragments: matters that are one though turns lie between them, were taken back, or need their context. Cold."""

from __future__ import annotations

from agentrecall_domain.notes.cue_tables import says
from agentrecall_domain.notes.distill_cues import straight
from agentrecall_domain.notes.distill_evidence import Evidence
from agentrecall_domain.notes.distill_matters import Matter, found_in, goes_on, same_message, terms_of
from agentrecall_domain.notes.distill_weights import ENOUGH, OUT
from agentrecall_domain.notes.unit import Unit
from agentrecall_domain.text.tokenizer import terms

_TAKES_BACK_WITHIN = 2
"""Prompts after a choice in which it can be taken back."""
_WISHED = frozenset({"decision", "preference", "procedure"})
_SAME_MATTER_WITHIN = 4
_NEXT = 2
"""Spans between two fragments of one matter, and between a cause and its mend."""
_HOLLOW = 4
"""Words that say something below which a sentence that points back says nothing by itself."""
_MOST_SYMPTOMS = 2
_ANSWERS = frozenset({"answers", "offered", "reported", "curt"})
_LONGEST_CONTEXT = 300
_FEW_WORDS = 8
"""Words that say something below which an answer is not understood without what it answers to."""


def gathered(unit: Unit, evidence: list[Evidence], weights: list[float]) -> list[Matter]:
    """The matters of *unit* that are worth a note, each once, with the context that it needs."""
    matters = _without_taken_back(unit, evidence, found_in(unit, evidence, weights))
    matters = _with_reasons(evidence, weights, _without_hollow(evidence, matters))
    matters = _without_echoes(evidence, _merged(evidence, matters))
    taken = {at for matter in matters for at in matter.sentences}
    for matter in matters:
        matter.context = _context(evidence, matter, taken)
    return matters


def _without_taken_back(unit: Unit, evidence: list[Evidence], matters: list[Matter]) -> list[Matter]:
    """*matters* without the choices, and the jokes, that the user took back in the next prompts."""
    prompts = [at for at, span in enumerate(unit.spans) if span.origin == "user"]
    withdrawn = [at for at, piece in enumerate(evidence) if piece.by_user and "taken_back" in piece.cues]

    def is_taken_back(matter: Matter) -> bool:
        last = evidence[matter.sentences[-1]].sentence.span
        later = [at for at in prompts if at > last][:_TAKES_BACK_WITHIN]
        gone = [
            at
            for at in withdrawn
            if evidence[at].sentence.span in later or (last == evidence[at].sentence.span and at > matter.sentences[-1])
        ]
        return bool(gone) and (matter.type in _WISHED or any("joke" in evidence[at].cues for at in gone))

    return [matter for matter in matters if not is_taken_back(matter)]


def _without_hollow(evidence: list[Evidence], matters: list[Matter]) -> list[Matter]:
    """*matters* without what only points back; it is joined to what the user said just before ("we do all so")."""
    kept: list[Matter] = []
    for matter in matters:
        if not _is_hollow(evidence, matter):
            kept.append(matter)
        elif kept and _ends_by_user(evidence, kept[-1]) and _apart(evidence, kept[-1], matter) <= _SAME_MATTER_WITHIN:
            kept[-1].sentences += matter.sentences
            kept[-1].weights += [ENOUGH] * len(matter.sentences)
    return kept


def _with_reasons(evidence: list[Evidence], weights: list[float], matters: list[Matter]) -> list[Matter]:
    """*matters*, each with the reason that the user gives in the next prompt, little as that says by itself."""
    taken = {at for matter in matters for at in matter.sentences}
    for matter in matters:
        last = evidence[matter.sentences[-1]]
        for at, piece in enumerate(evidence):
            near = 0 < piece.sentence.span - last.sentence.span <= _NEXT
            kept = piece.by_user and weights[at] > OUT and at not in taken
            if last.by_user and near and kept and _is_reason(piece):
                matter.sentences.append(at)
                matter.weights.append(weights[at])
                taken.add(at)
    return matters


def _is_reason(piece: Evidence) -> bool:
    """Whether a sentence is hardly more than the reason for what was said before: "yes, because"."""
    text = straight(piece.sentence.text)
    leads = goes_on(piece) or says("agrees", text, piece.language, leading=True)
    return leads and "reason" in piece.cues and "question" not in piece.cues


def _is_hollow(evidence: list[Evidence], matter: Matter) -> bool:
    first = evidence[matter.sentences[0]]
    told = any(evidence[at].cues & {"named", "figure", "name"} for at in matter.sentences)
    return first.by_user and not told and len(terms_of(evidence, matter)) < _HOLLOW and _points_back(first)


def _points_back(piece: Evidence) -> bool:
    return says("points_back", straight(piece.sentence.text), piece.language, leading=True)


def _merged(evidence: list[Evidence], matters: list[Matter]) -> list[Matter]:
    """*matters* with those joined that are fragments of one: a choice and its reason, a cause and its mend."""
    merged: list[Matter] = []
    for matter in matters:
        into = next((other for other in reversed(merged) if _is_one(evidence, other, matter)), None)
        if into is None:
            merged.append(matter)
            continue
        heavier = into if max(into.weights) >= max(matter.weights) else matter
        types = {into.type, matter.type}
        into.type = next((kind for kind in ("fix", "decision") if kind in types), heavier.type)
        into.sentences += matter.sentences
        into.weights += matter.weights
    return merged


def _is_one(evidence: list[Evidence], one: Matter, other: Matter) -> bool:
    """Whether *other* goes on with *one*, which was said before it."""
    apart = _apart(evidence, one, other)
    by_user = evidence[other.sentences[0]].by_user
    if apart > _SAME_MATTER_WITHIN:
        return False
    if apart == 0:
        return not by_user or one.type == other.type
    shared = len(terms_of(evidence, one) & terms_of(evidence, other))
    if not _ends_by_user(evidence, one):
        return one.type == other.type == "fix" and shared > 1
    if by_user:
        asked = apart <= _NEXT and shared > 0 and "answers" in evidence[other.sentences[0]].cues
        return one.type != "reference" and (asked or _gives_reason(evidence, other, shared))
    told = one.type in {"gotcha", "fact"} and any(evidence[at].cues & {"cause", "found"} for at in one.sentences)
    return other.type in {"fix", "gotcha"} and (one.type == "fix" or shared > 1 or (told and apart <= _NEXT))


def _gives_reason(evidence: list[Evidence], matter: Matter, shared: int) -> bool:
    """Whether a person goes on with a reason: "cause phones and servers have to agree", "yes, because"."""
    if goes_on(evidence[matter.sentences[0]]):
        return True
    heaviest = evidence[matter.sentences[matter.weights.index(max(matter.weights))]]
    agrees = says("agrees", straight(heaviest.sentence.text), heaviest.language, leading=True)
    return agrees and bool(heaviest.cues & {"reason", "cause"}) and (shared > 0 or "asked_for" in heaviest.cues)


def _without_echoes(evidence: list[Evidence], matters: list[Matter]) -> list[Matter]:
    """*matters* without an agent's words that say again what the user had just said."""
    kept: list[Matter] = []
    for matter in matters:
        by_agent = not evidence[matter.sentences[0]].by_user
        echoes = kept and by_agent and matter.type != "fix" and _ends_by_user(evidence, kept[-1])
        if not (echoes and _apart(evidence, kept[-1], matter) <= 1):
            kept.append(matter)
    return kept


def _context(evidence: list[Evidence], matter: Matter, taken: set[int]) -> list[int]:
    """What a reader needs to understand the matter: the symptom of a fix, the question of an answer."""
    first = evidence[matter.sentences[0]]
    earlier = [
        at
        for at, piece in enumerate(evidence)
        # "Ok, done" gives no context, and proves nothing.
        if piece.sentence.span < first.sentence.span and at not in taken and terms(piece.sentence.text)
    ]
    if matter.type == "fix" or (matter.type == "gotcha" and not first.by_user):
        symptoms = [at for at in earlier if evidence[at].by_user and "trouble" in evidence[at].cues]
        if symptoms:
            return [at for at in symptoms if same_message(evidence, at, symptoms[-1])][:_MOST_SYMPTOMS]
    # Beside a ban would stand what it refuses.
    if first.by_user and "ban" not in first.cues and (first.cues & _ANSWERS or _points_back(first)):
        return _answered(evidence, matter, earlier)
    return []


def _answered(evidence: list[Evidence], matter: Matter, earlier: list[int]) -> list[int]:
    """What of the agent's last message a person answers to: its question and what leads to it, or what is spoken of."""
    if not earlier or evidence[earlier[-1]].by_user:
        return []
    message = [
        at
        for at in earlier
        if same_message(evidence, at, earlier[-1])
        and not evidence[at].cues & {"quoted", "others_say", "about_a_text"}
        and len(evidence[at].sentence.text) <= _LONGEST_CONTEXT
    ]
    asked = [at for at in message if "question" in evidence[at].cues]
    if asked:
        leads = asked[-1] - 1 in message and not evidence[asked[-1] - 1].sentence.listed
        return [asked[-1] - 1, asked[-1]] if leads else [asked[-1]]
    about = terms_of(evidence, matter)
    shared = {at: len(about & set(terms(evidence[at].sentence.text))) for at in message}
    nearest = max(message, key=lambda at: (shared[at], at), default=None)
    if nearest is None or not (shared[nearest] or len(about) < _FEW_WORDS):
        return []
    return [nearest]


def _ends_by_user(evidence: list[Evidence], matter: Matter) -> bool:
    return evidence[matter.sentences[-1]].by_user


def _apart(evidence: list[Evidence], one: Matter, other: Matter) -> int:
    return evidence[other.sentences[0]].sentence.span - evidence[one.sentences[-1]].sentence.span
