"""Evidence: what speaks for and against each sentence of a unit, the words around it included, by name. Cold."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from agentrecall_domain.capture.phrases import word_set
from agentrecall_domain.notes.cue_tables import says
from agentrecall_domain.notes.distill_cues import cues_of, is_question, language_of, straight
from agentrecall_domain.notes.distill_exchange import answering, is_curt, is_in_clauses
from agentrecall_domain.notes.distill_mending import mending
from agentrecall_domain.notes.distill_place import Places
from agentrecall_domain.notes.distill_sentences import (
    Sentence,
    is_about_a_text,
    is_mostly_quoted,
    is_pasted,
    sentences_of,
    without_quoted,
)
from agentrecall_domain.notes.unit import Spoken, Unit


class Evidence(NamedTuple):
    """A sentence, its speaker, the language of what it stands in, and the cues that were found."""

    sentence: Sentence
    by_user: bool
    language: str
    cues: frozenset[str]


_FROM_MESSAGE = word_set(
    "found cause change success hedge waiting joke trouble taken_back reason own_slip question heeds"
)
_FROM_NEIGHBOURS = word_set(
    "reason standing duty ban choice limit condition refuses order place cause change success today states"
)
"""What the rest of a message, and the sentences beside one, tell about it."""
_TROUBLED = frozenset({"told_trouble", "seen_failure", "told_something"})
_STEPS = frozenset({"steps", "very_long"})
_ANSWERED_BY = 600
"""Characters at the end of the agent's message that a person answers to."""


def evidence_of(unit: Unit) -> list[Evidence]:
    """The evidence for every sentence of *unit* that its speaker said in his own words, in order."""
    scene = _Scene(unit)
    return [
        Evidence(
            sentence,
            scene.is_by_user(sentence.span),
            scene.languages[sentence.span],
            frozenset(scene.own[at] | scene.around(at)),
        )
        for at, sentence in enumerate(scene.sentences)
    ]


class _Scene:
    """What goes on around a sentence: who spoke before and after, and what is said in the same message."""

    def __init__(self, unit: Unit) -> None:
        self.spans = unit.spans
        self.sentences = sentences_of(unit)
        self.in_message: dict[int, list[int]] = {}
        for at, sentence in enumerate(self.sentences):
            self.in_message.setdefault(sentence.span, []).append(at)
        self.languages = {span: language_of(unit.spans[span].text) for span in self.in_message}
        self.own = [
            cues_of(without_quoted(sentence.text), self.languages[sentence.span]) for sentence in self.sentences
        ]
        self.said = {
            span: Counter(cue for at in message for cue in self.own[at]) for span, message in self.in_message.items()
        }
        self.places = Places(unit.spans, self.in_message)
        self.mendings: dict[int, dict[int, set[str]]] = {}
        prompts = [span for span, other in enumerate(unit.spans) if other.origin == "user"]
        self.first_prompt = prompts[0] if prompts else -1
        self.is_a_lesson = any(self._says("lesson_context", unit.spans[span].text) for span in prompts)

    def is_by_user(self, span: int) -> bool:
        """Whether a person said what stands in *span*."""
        return self.spans[span].origin == "user"

    def around(self, at: int) -> set[str]:
        """The cues that the neighbourhood of sentence *at* gives."""
        sentence = self.sentences[at]
        text = self.spans[sentence.span].text
        found = {"listed"} if sentence.listed else set()
        if is_mostly_quoted(text, sentence):
            found.add("quoted")
        if self.is_a_lesson:
            found.add("lesson_context")
        own = self.own[at]
        found |= self.places.of(at, sentence)
        found |= {f"msg_{cue}" for cue in _FROM_MESSAGE if self.said[sentence.span][cue] > (cue in own)}
        for other in (at - 1, at + 1):
            if 0 <= other < len(self.sentences) and self.sentences[other].span == sentence.span:
                found |= {f"near_{cue}" for cue in self.own[other] & _FROM_NEIGHBOURS}
        return found | (self._as_user(at) if self.is_by_user(sentence.span) else self._as_agent(at))

    def _as_user(self, at: int) -> set[str]:
        span, own = self.sentences[at].span, self.own[at]
        text = self.spans[span].text
        found = set()
        if span == self.first_prompt and ("trouble" in own or not (own & {"standing", "heeds"} or own >= _STEPS)):
            found.add("opening")
        if is_about_a_text(text):
            found.add("about_a_text")
        if is_pasted(text, self.sentences[at].start):
            found.add("pasted")
        if "long" in own and not own & {"question", "hedge"} and is_in_clauses(self.sentences[at].text):
            found.add("clauses")
        before, after = self._next(span, -1, "agent"), self._next(span, 1, "agent")
        if after is not None and self._says("acknowledges", after.text[:_ANSWERED_BY], leading=True):
            found.add("acknowledged")
        if before is not None:
            found |= answering(before.text, self.sentences[at].text, language_of(before.text))
            if is_curt(text, self.languages[span]):
                found.add("curt")
            if "offered" in found:
                found |= {"chooses"} if found & {"curt", "picks"} else set()
            elif "reported" in found:
                found.add("corrects")
        return found

    def _as_agent(self, at: int) -> set[str]:
        span = self.sentences[at].span
        found = self._trouble_before(span)
        if span not in self.mendings:
            self.mendings[span] = mending(self.sentences, self.own, self.in_message[span], self.languages[span])
        found |= self.mendings[span][at]
        whole = set(self.said[span])
        if found & _TROUBLED:
            found |= {"mends"} if {"cause", "change"} <= whole else set()
            found |= {"mended"} if {"cause", "change", "success"} <= whole else set()
            found |= {"finds"} if {"found", "cause"} <= whole else set()
        before, after = self._next(span, -1, "user"), self._next(span, 1, "user")
        if before is not None:
            found |= {"explains"} if self._says("explains", before.text) else set()
            found |= {"about_a_text"} if is_about_a_text(before.text) else set()
        if after is not None:
            found |= self._received(after.text)
        return found

    def _received(self, text: str) -> set[str]:
        """How a person takes what the agent said."""
        language = language_of(text)
        if self._says("trouble", text) or is_question(straight(text), language):
            return {"doubted"}
        return {"confirmed"} if self._says("praise", text) or self._says("success", text) else set()

    def _trouble_before(self, span: int) -> set[str]:
        """Whether something had gone wrong before *span*, and whether the last prompt told or asked."""
        found = set()
        if any("trouble" in cues for other, cues in self.said.items() if other < span and self.is_by_user(other)):
            found.add("told_trouble")
        if any(other.origin == "tool" for other in self.spans[:span]):
            found.add("seen_failure")
        prompt = next((other for other in range(span - 1, -1, -1) if self.is_by_user(other)), -1)
        sentences = self.in_message.get(prompt, [])
        told = {"question", "doing", "compliment", "praise", "once", "short"}
        if any(not self.own[at] & told for at in sentences):
            found.add("told_something")
        elif any("doing" in self.own[at] for at in sentences) and not any(
            "trouble" in self.own[at] for at in sentences
        ):
            found.add("on_task")
        return found

    def _says(self, table: str, text: str, *, leading: bool = False) -> bool:
        return says(table, straight(text), language_of(text), leading=leading)

    def _next(self, span: int, step: int, origin: str) -> Spoken | None:
        """The nearest message of *origin* before or after; after, unless the same side speaks again in between."""
        at = span + step
        while 0 <= at < len(self.spans):
            other = self.spans[at]
            if other.origin == origin:
                return other
            if other.origin in {"user", "agent"} and step > 0:
                return None
            at += step
        return None
