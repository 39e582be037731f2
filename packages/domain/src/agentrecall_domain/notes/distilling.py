"""Distilling: the notes that a unit holds, read out of its own sentences without a model. Cold, pure, deterministic.

Each sentence is weighed by the cues in it and around it. What weighs enough becomes a draft with its neighbours of the
same matter: a cause and its mend, a choice and its reason, an answer and its question, though they stand turns apart.
"""

from __future__ import annotations

import re

from agentrecall_domain.capture.wishes import Wish, wish_in
from agentrecall_domain.notes.distill_evidence import Evidence, evidence_of
from agentrecall_domain.notes.distill_fragments import gathered
from agentrecall_domain.notes.distill_matters import Matter, spans_of
from agentrecall_domain.notes.distill_titles import body_of, title_of
from agentrecall_domain.notes.distill_weights import AGENT, AGENT_BASE, USER, USER_BASE
from agentrecall_domain.notes.judge import Draft
from agentrecall_domain.notes.note import LONGEST_PROMPT, SHORTEST_TITLE, NoteType, Source
from agentrecall_domain.notes.unit import Unit
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.text.stop_words import WEAK_WORDS
from agentrecall_domain.text.tokenizer import terms

_REPEATED_IN = 3
# Passwords that people made up have no shape that scrubbing knows: what follows the word is enough.
_CREDENTIAL = re.compile(
    r"(?<!\w)(?:pw|pwd|pass|password|passwd|passphrase|passwort|kennwort|mot de passe|mdp|contrase\u00f1a|clave|senha"
    r"|wachtwoord|secret|api[- ]?key|token|pin)(?:\s+(?:is|ist|est|es|\u00e9|\u00e8|for \w+ is))?\s*[:=]?\s+[\"'`]?"
    r"(?=\S*\d)(?=\S*[^\W\d])\S{5,}|(?:\u5bc6\u7801|\u53e3\u4ee4)\s*(?:\u662f|\u4e3a|\uff1a|:)?\s*[!-~]{5,}",
    re.IGNORECASE,
)
_OUT = -99.0
"""What is never kept, whatever speaks for it."""


def distil(unit: Unit) -> list[Draft]:
    """The notes that *unit* holds, in the order in which they were said; often none."""
    evidence = evidence_of(unit)
    weights = [weight_of(piece) for piece in evidence]
    drafts = [_draft(unit, evidence, matter) for matter in gathered(unit, evidence, weights)]
    return [draft for draft in drafts if len(draft.title) >= SHORTEST_TITLE]


def weight_of(piece: Evidence) -> float:
    """How much speaks for keeping a sentence; what holds a secret is never kept."""
    if scrub(piece.sentence.text) != piece.sentence.text or _CREDENTIAL.search(piece.sentence.text):
        return _OUT
    if not piece.by_user:
        return AGENT_BASE + sum(AGENT.get(cue, 0.0) for cue in sorted(piece.cues))
    if "about_a_text" in piece.cues:
        return _OUT
    wish = wish_in(piece.sentence.text)
    if wish is Wish.DO_NOT_SAVE:
        return _OUT
    return (
        USER_BASE + sum(USER.get(cue, 0.0) for cue in sorted(piece.cues)) + (USER["wish"] if wish is Wish.SAVE else 0.0)
    )


def _draft(unit: Unit, evidence: list[Evidence], matter: Matter) -> Draft:
    said = [evidence[at] for at in matter.sentences]
    return Draft(
        type=NoteType(matter.type),
        title=title_of([piece.sentence.text for piece in said], matter.weights),
        body=body_of(
            [piece.sentence.text for piece in (evidence[at] for at in matter.context)],
            [piece.sentence.text for piece in said],
        ),
        prompt=_prompt_of(unit, said[0].sentence.span),
        importance=_importance(unit, said),
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


def _importance(unit: Unit, said: list[Evidence]) -> float:
    cues = frozenset().union(*(piece.cues for piece in said))
    by_user = any(piece.by_user for piece in said)
    weight = 0.4
    weight += 0.25 if by_user and any(wish_in(piece.sentence.text) is Wish.SAVE for piece in said) else 0.0
    weight += 0.15 if by_user and cues & {"refuses", "stressed"} else 0.0
    weight += 0.1 if by_user and "standing" in cues else 0.0
    weight += 0.15 if cues & {"mended", "after_failure"} else 0.0
    weight += 0.1 if cues & {"reason", "cause"} else 0.0
    weight += 0.1 if _is_repeated(unit, said) else 0.0
    return round(min(weight, 1.0), 2)


def _is_repeated(unit: Unit, said: list[Evidence]) -> bool:
    """Whether what the note is about comes up in other messages too."""
    about = {term for piece in said for term in terms(piece.sentence.text) if term not in WEAK_WORDS}
    own = {piece.sentence.span for piece in said}
    shared = [len(about & set(terms(span.text[:4_000]))) for at, span in enumerate(unit.spans) if at not in own]
    return sum(count > 1 for count in shared) >= _REPEATED_IN


def _confidence(said: list[Evidence], weight: float) -> float:
    base = 0.6 if any(piece.by_user for piece in said) else 0.5
    return round(min(base + 0.08 * max(weight, 0.0), 0.9), 2)
