"""Place: where in the talk a sentence stands, how long it is, and what of it was said before. Cold.

What people lay down comes seldom in their first words and often in short messages that take up what the agent said.
"""

from __future__ import annotations

from collections.abc import Sequence

from agentrecall_domain.notes.distill_cues import length_of
from agentrecall_domain.notes.distill_sentences import Sentence
from agentrecall_domain.notes.unit import Spoken
from agentrecall_domain.text.telling import telling

LENGTHS = (3, 6, 9, 13, 18, 26)
"""A sentence has each of the cues `words_3` to `words_26` whose number of words it reaches."""
MESSAGES = (2, 3, 5, 8)
"""So many sentences of its message it stands among: `among_2` to `among_8`."""
PROMPTS, ANSWERS = (1, 2, 3), (1, 2, 3, 4)
"""So many messages of the same side came before it: `prompt_1` to `prompt_3`, `answer_1` to `answer_4`."""
SHARED, NEW = (1, 2), (2, 4, 6)
"""So many words it has from the agent's message before it, and so many that nobody had said yet."""
_READ = 6_000


class Places:
    """The places in one unit."""

    def __init__(self, spans: Sequence[Spoken], in_message: dict[int, list[int]]) -> None:
        self.spans = spans
        self.in_message = in_message
        self.said = [telling(span.text[:_READ]) for span in spans]

    def of(self, at: int, sentence: Sentence) -> set[str]:
        """The cues of the place of sentence *at*."""
        span, own = sentence.span, telling(sentence.text)
        message = self.in_message[span]
        origin = self.spans[span].origin
        earlier = [place for place in range(span) if self.spans[place].origin == origin]
        found = reached("words", LENGTHS, length_of(sentence.text)) | reached("among", MESSAGES, len(message))
        found |= {name for name, place in (("first", message[0]), ("last", message[-1])) if place == at}
        found |= reached("new", NEW, len(own.difference(*self.said[:span])))
        if origin != "user":
            return found | reached("answer", ANSWERS, len(earlier))
        found |= reached("prompt", PROMPTS, len(earlier))
        if not any(span.origin == "user" for span in self.spans[sentence.span + 1 :]):
            found.add("final")
        before = [place for place in range(span) if self.spans[place].origin == "agent"]
        return found | (reached("shared", SHARED, len(own & self.said[before[-1]])) if before else set())


def reached(name: str, steps: Sequence[int], count: int) -> set[str]:
    """*name* with each of the *steps* that *count* reaches."""
    return {f"{name}_{step}" for step in steps if count >= step}
