"""The token estimate: what a text will cost a model, near enough for a budget."""

from __future__ import annotations

from agentrecall_domain.text.tokenizer import is_cjk

_CHARACTERS_PER_TOKEN = 4


def tokens(text: str) -> int:
    """About how many tokens *text* is: its rendered length / 4, rounded up.

    The length is in characters, and is the formula the costs in our ledger are
    reckoned with. It holds for alphabets. A CJK character is about a token by
    itself, and counts as one.
    """
    wide = 0 if text.isascii() else sum(map(is_cjk, text))
    return wide - (wide - len(text)) // _CHARACTERS_PER_TOKEN
