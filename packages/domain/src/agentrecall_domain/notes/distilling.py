"""Distilling: the notes that a unit holds, read out of its own sentences without a model. Cold, pure, deterministic.

Each sentence is weighed by the cues in it and around it. What weighs enough becomes a draft with its neighbours of the
same matter: a cause and its mend, a choice and its reason, an answer and its question, though they stand turns apart.
"""

from __future__ import annotations

import re

from agentrecall_domain.capture.wishes import Wish, wish_in
from agentrecall_domain.notes.distill_evidence import Evidence, evidence_of
from agentrecall_domain.notes.distill_fragments import gathered
from agentrecall_domain.notes.distill_matters import Matter, same_message, spans_of
from agentrecall_domain.notes.distill_titles import body_of, title_of
from agentrecall_domain.notes.distill_weights import AGENT, OUT, USER, WISHED
from agentrecall_domain.notes.judge import Draft
from agentrecall_domain.notes.note import LONGEST_PROMPT, SHORTEST_TITLE, NoteType, Source
from agentrecall_domain.notes.unit import Unit
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.text.telling import telling
from agentrecall_domain.text.tokenizer import terms

_REPEATED_IN = 3
_OF_A_WISH = 2
"""Words that say something in a sentence that says no more than a wish."""
# Passwords that people made up have no shape that scrubbing knows: what follows the word is enough.
_CREDENTIAL = re.compile(
    r"(?<!\w)(?:pw|pwd|pass|password|passwd|passphrase|passwort|kennwort|mot de passe|mdp|contrase\u00f1a|clave|senha"
    r"|wachtwoord|secret|api[- ]?key|token|pin)(?:\s+(?:is|ist|est|es|\u00e9|\u00e8|for \w+ is))?\s*[:=]?\s+[\"'`]?"
    r"(?=\S*\d)(?=\S*[^\W\d])\S{5,}|(?:\u5bc6\u7801|\u53e3\u4ee4)\s*(?:\u662f|\u4e3a|\uff1a|:)?\s*[!-~]{5,}",
    re.IGNORECASE,
)


def distil(unit: Unit) -> list[Draft]:
    """The notes that *unit* holds, in the order in which they were said; often none."""
    evidence = evidence_of(unit)
    wishes = wishes_in(evidence)
    weights = [weight_of(piece, wish) for piece, wish in zip(evidence, wishes, strict=True)]
    drafts = [_draft(unit, evidence, matter, wishes) for matter in gathered(unit, evidence, weights)]
    return [draft for draft in drafts if len(draft.title) >= SHORTEST_TITLE]


def wishes_in(evidence: list[Evidence]) -> list[Wish]:
    """What the user wishes of each sentence: what is said for itself ("remember that") is wished of the one before.

    Who wants nothing saved means the whole message.
    """
    wishes = [wish_in(piece.sentence.text) if piece.by_user else Wish.NONE for piece in evidence]
    refused = {evidence[at].sentence.span for at, wish in enumerate(wishes) if wish is Wish.DO_NOT_SAVE}
    for at, piece in enumerate(evidence):
        if piece.sentence.span in refused:
            wishes[at] = Wish.DO_NOT_SAVE
        elif wishes[at] is Wish.SAVE and at and same_message(evidence, at - 1, at) and _says_no_more(piece):
            wishes[at - 1], wishes[at] = Wish.SAVE, Wish.DO_NOT_SAVE
    return wishes


def _says_no_more(piece: Evidence) -> bool:
    """Whether a wish is all that is said: "please remember that for next time"."""
    return len(telling(piece.sentence.text)) <= _OF_A_WISH


def weight_of(piece: Evidence, wish: Wish = Wish.NONE) -> float:
    """How much speaks for keeping a sentence; what holds a secret is never kept."""
    if scrub(piece.sentence.text) != piece.sentence.text or _CREDENTIAL.search(piece.sentence.text):
        return OUT
    if not piece.by_user:
        return AGENT.sum_of(piece.cues)
    if "about_a_text" in piece.cues or wish is Wish.DO_NOT_SAVE:
        return OUT
    return USER.sum_of(piece.cues) + (WISHED if wish is Wish.SAVE else 0.0)


def _draft(unit: Unit, evidence: list[Evidence], matter: Matter, wishes: list[Wish]) -> Draft:
    is_wished = any(wishes[at] is Wish.SAVE for at in matter.sentences)
    said = [evidence[at] for at in matter.sentences]
    return Draft(
        type=NoteType(matter.type),
        title=title_of([piece.sentence.text for piece in said], matter.weights),
        body=body_of(
            [piece.sentence.text for piece in (evidence[at] for at in matter.context)],
            [piece.sentence.text for piece in said],
        ),
        prompt=_prompt_of(unit, said[0].sentence.span),
        importance=_importance(unit, said, is_wished=is_wished),
        confidence=_confidence(said, max(matter.weights)),
        sources=tuple(
            Source(raw_item_id=unit.spans[span].raw_item_id, span=unit.spans[span].text[start:end])
            for span, start, end in spans_of(unit, evidence, matter)
        ),
        said_at=unit.spans[said[-1].sentence.span].said_at,
    )


def _prompt_of(unit: Unit, span: int) -> str:
    """The prompt that led to what is said in *span*: the user's last words before it."""
    before = [other.text for other in unit.spans[:span] if other.origin == "user"]
    return scrub(before[-1])[:LONGEST_PROMPT] if before else ""


def _importance(unit: Unit, said: list[Evidence], *, is_wished: bool) -> float:
    cues = frozenset().union(*(piece.cues for piece in said))
    by_user = any(piece.by_user for piece in said)
    weight = 0.4
    weight += 0.25 if is_wished else 0.0
    weight += 0.15 if by_user and cues & {"refuses", "stressed"} else 0.0
    weight += 0.1 if by_user and "standing" in cues else 0.0
    weight += 0.15 if cues & {"mended", "after_failure"} else 0.0
    weight += 0.1 if cues & {"reason", "cause"} else 0.0
    weight += 0.1 if _is_repeated(unit, said) else 0.0
    return round(min(weight, 1.0), 2)


def _is_repeated(unit: Unit, said: list[Evidence]) -> bool:
    """Whether what the note is about comes up in other messages too."""
    about = set().union(*(telling(piece.sentence.text) for piece in said))
    own = {piece.sentence.span for piece in said}
    shared = [len(about & set(terms(span.text[:4_000]))) for at, span in enumerate(unit.spans) if at not in own]
    return sum(count > 1 for count in shared) >= _REPEATED_IN


def _confidence(said: list[Evidence], weight: float) -> float:
    base = 0.6 if any(piece.by_user for piece in said) else 0.5
    return round(min(base + 0.08 * max(weight, 0.0), 0.9), 2)
