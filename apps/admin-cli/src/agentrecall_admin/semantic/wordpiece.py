"""WordPiece: a text as the numbers of the pieces that the model knows, as BERT cuts it. Cold.

The vocabulary is that of `bert-base-uncased` (Apache-2.0), which MiniLM was trained with.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from unicodedata import category, normalize

BEGIN, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
INNER = "##"
LONGEST_WORD = 100
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
"""Each of these characters is a word of its own."""


@lru_cache(maxsize=1)
def vocabulary() -> dict[str, int]:
    """The number of each piece."""
    text = files("agentrecall_admin.semantic").joinpath("vocabulary.txt").read_text(encoding="utf-8")
    return {piece: number for number, piece in enumerate(text.removesuffix("\n").split("\n"))}


def pieces(text: str) -> list[int]:
    """The numbers of the pieces of *text*, without those that mark its beginning and end."""
    known = vocabulary()
    return [number for word in _words(text) for number in _pieces_of(word, known)]


def _words(text: str) -> list[str]:
    """Lower-case words without accents; each mark and each ideograph is one."""
    spaced = "".join(map(_clean, text))
    plain = (letter for letter in normalize("NFD", spaced.lower()) if category(letter) != "Mn")
    return "".join(f" {letter} " if _is_mark(letter) else letter for letter in plain).split(" ")


def _clean(letter: str) -> str:
    if letter in "\t\n\r" or category(letter) == "Zs":
        return " "
    if letter == "\ufffd" or category(letter) in {"Cc", "Cf", "Co", "Cs"}:
        return ""
    code = ord(letter)
    return f" {letter} " if any(first <= code <= last for first, last in IDEOGRAPHS) else letter


def _is_mark(letter: str) -> bool:
    return (letter.isascii() and letter > " " and not letter.isalnum()) or category(letter).startswith("P")


def _pieces_of(word: str, known: dict[str, int]) -> list[int]:
    """The longest known beginning, and then the longest known piece of what is left, up to the end."""
    if not word:
        return []
    if len(word) > LONGEST_WORD:
        return [known[UNKNOWN]]
    found = []
    start = 0
    while start < len(word):
        inner = INNER if start else ""
        for end in range(len(word), start, -1):
            number = known.get(inner + word[start:end])
            if number is not None:
                break
        else:
            return [known[UNKNOWN]]
        found.append(number)
        start = end
    return found
