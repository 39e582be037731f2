"""The tokenizer: what counts as a word, for every index we write and every query we ask.

A word is folded (case, accents, width), stemmed lightly, at most 40 characters
long and made of letters, marks and digits only, so that FTS5's ``unicode61``
with ``categories 'L* M* N* Co'`` leaves it whole. Index and query meet because
both come through here: when what this module answers changes, raise
`TOKENIZER_VERSION`, and everything stored is indexed again.
"""

from __future__ import annotations

import re
from itertools import groupby

from agentrecall_domain.text.stem import stem
from agentrecall_domain.text.stop_words import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

TOKENIZER_VERSION = 3

_LONGEST_WORD = 40
_LONGEST_NUMBER = 20
_LONGEST_HEX = 24  # a commit id cut short is a word, a digest is not

_NAMES = {
    "c++": "cplusplus",
    "c#": "csharp",
    "f#": "fsharp",
    "g++": "gplusplus",
    ".net": "dotnet",
    "asp.net": "aspdotnet",
    "ado.net": "adodotnet",
    "vb.net": "vbdotnet",
    "node.js": "nodejs",
    "next.js": "nextjs",
    "nuxt.js": "nuxtjs",
    "vue.js": "vuejs",
    "react.js": "reactjs",
    "three.js": "threejs",
    "d3.js": "d3js",
    "n+1": "npluson",
    # Upper case and standing alone only: every other single letter says nothing.
    "C": "ansic",
}

# Names with inner capitals that nobody reads as two words: without this, JavaScript would match java.
_UNSPLIT = frozenset(
    {
        "bitbucket",
        "clickhouse",
        "dynamodb",
        "fastapi",
        "github",
        "gitlab",
        "graphql",
        "ios",
        "ipad",
        "iphone",
        "javascript",
        "latex",
        "mariadb",
        "macos",
        "mongodb",
        "mysql",
        "nosql",
        "oauth",
        "openai",
        "openssl",
        "postgresql",
        "pytorch",
        "sqlalchemy",
        "sqlite",
        "tensorflow",
        "typescript",
        "youtube",
    },
)

# Letters that no Unicode decomposition takes apart, and the Arabic spellings of Persian letters.
_LETTERS = {
    "\u0131": "i",
    "\u00e6": "ae",
    "\u00c6": "AE",
    "\u0153": "oe",
    "\u0152": "OE",
    "\u00f8": "o",
    "\u00d8": "O",
    "\u0142": "l",
    "\u0141": "L",
    "\u0111": "d",
    "\u0110": "D",
    "\u0643": "\u06a9",
    "\u064a": "\u06cc",
    "\u0649": "\u06cc",
    "\u0640": None,
}

# Marks that only colour a letter: Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowels. The marks of
# Indic scripts, Thai and Kana spell the word, and stay.
_ACCENTS = (
    ("\u0300", "\u036f"),
    ("\u0483", "\u0489"),
    ("\u0591", "\u05c7"),
    ("\u0610", "\u061a"),
    ("\u064b", "\u065f"),
    ("\u0670", "\u0670"),
    ("\u06d6", "\u06ed"),
    ("\u180b", "\u180f"),
    ("\u1ab0", "\u1aff"),
    ("\u1dc0", "\u1dff"),
    ("\u20d0", "\u20ff"),
    ("\ufe00", "\ufe0f"),
    ("\U000e0100", "\U000e01ef"),
)

_patterns: list[re.Pattern[str]] = []


def words(text: str) -> list[str]:
    """Every word of *text* in order, folded and stemmed, stop words included."""
    return [stemmed for _, stemmed in _scan(text)]


def terms(text: str) -> list[str]:
    """The words of *text* that say something: no stop words, no lone letters or digits.

    Order and repetition are kept. A text of stop words only gives an empty list.
    """
    return [stemmed for folded, stemmed in _scan(text) if _tells(folded, stemmed)]


def words_and_terms(text: str) -> tuple[list[str], list[str]]:
    """What `words` and `terms` give, for one reading of *text*."""
    scanned = list(_scan(text))
    return [stemmed for _, stemmed in scanned], [stemmed for folded, stemmed in scanned if _tells(folded, stemmed)]


def index_text(text: str) -> str:
    """The content of a `terms` column for *text*."""
    return " ".join(terms(text))


def _tells(folded: str, stemmed: str) -> bool:
    if folded in STOP_WORDS or stemmed in STOP_WORDS:
        return False
    return len(stemmed) > 1 or is_cjk(stemmed)


def _scan(text: str) -> Iterator[tuple[str, str]]:
    """The words of *text*, each as it was folded and as it was stemmed."""
    chunk_pattern = _compiled()[0]
    if not text.isascii():
        text = _normalised(text)

    known: dict[str, list[tuple[str, str]]] = {}
    for match in chunk_pattern.finditer(text):
        chunk = match[0]
        if match.lastgroup:
            name = _NAMES[chunk if chunk == "C" else chunk.lower()]
            yield name, name
            continue
        found = known.get(chunk)
        if found is None:
            found = known[chunk] = _read(chunk)
        yield from found


def _read(chunk: str) -> list[tuple[str, str]]:
    """The words in *chunk*: one plain word, or an identifier and its parts."""
    if len(chunk) <= _LONGEST_HEX and chunk.isascii() and chunk.isalpha() and chunk[1:].islower():
        return [_word(chunk.lower())]

    parts = _parts(chunk)
    whole = "".join(parts).casefold()
    if _is_noise(whole):
        return []
    if whole in _UNSPLIT:
        return [_word(whole)]

    found = []
    one_script = True
    for part in parts:
        if is_cjk(part[0]):
            one_script = False
            found += [(pair, pair) for pair in _bigrams(part)]
            continue
        folded = part.casefold()[:_LONGEST_WORD]
        if not _is_noise(folded) and (folded.isascii() or any(map(str.isalnum, folded))):
            found.append(_word(folded))
    if len(parts) > 1 and len(whole) <= _LONGEST_WORD and one_script and not whole.isdecimal():
        found.insert(0, _word(whole))
    return found


def _parts(chunk: str) -> list[str]:
    """*chunk* parted at its separators, capitals and digits, and where CJK meets another script."""
    split = _compiled()[1].findall
    runs = [chunk] if chunk.isascii() else ["".join(run) for _, run in groupby(chunk, is_cjk)]
    parts: list[str] = []
    for run in runs:
        parts += [run] if is_cjk(run[0]) else split(run)
    # The plural of an abbreviation, IDs or URLs; As and Is are words.
    return [part[:-1] if part[-1] == "s" and len(part) > len("As") and part[:-1].isupper() else part for part in parts]


def is_cjk(character: str) -> bool:
    """Whether *character* belongs to a script whose texts we read by bigram: Han, Kana, Hangul, Yi."""
    # Compared by hand: a class of these ranges takes `re` three milliseconds to compile.
    return character >= "\u1100" and (
        "\u2e80" <= character <= "\ua4cf"
        or "\uac00" <= character <= "\ud7ff"
        or character <= "\u11ff"
        or "\ua960" <= character <= "\ua97f"
        or "\uf900" <= character <= "\ufaff"
        or "\U00020000" <= character <= "\U0003ffff"
    )


def _word(folded: str) -> tuple[str, str]:
    return folded, stem(folded)


def _bigrams(run: str) -> list[str]:
    run = run.casefold()
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _is_noise(folded: str) -> bool:
    """Whether *folded* is a digest or a number too long to be looked for."""
    length = len(folded)
    if length <= _LONGEST_NUMBER:
        return False
    return folded.isdigit() or (length > _LONGEST_HEX and not folded.strip("0123456789abcdef"))


def _compiled() -> list[re.Pattern[str]]:
    """The patterns of a chunk and of its parts; compiled when the first text comes."""
    if not _patterns:
        # What is not ASCII was reduced to letters, marks and digits by `_normalised`, and has no capitals to split at.
        inner = r"[^\x00-/:-@\[-^`{-\x7f]"
        lower = r"[^\x00-`{-\x7f]"
        names = (
            r"(?i:c\+\+|g\+\+|(?<!\w)n\+1(?!\w)|[cf]\#|(?:(?<!\w)|asp|ado|vb)\.net(?!\w)|(?:node|next|nuxt|vue|react|three|d3)\.js(?!\w))"
            r"|(?<![\w.'/\\-])C(?![\w:.'\\-])"
        )
        _patterns.extend(
            (
                re.compile(rf"(?P<name>{names})|{inner}+(?:-{inner}+)*"),
                re.compile(rf"[0-9]+|[A-Z]{{2,}}s(?!{lower})|[A-Z]+(?!{lower})|[A-Z]?{lower}+|[A-Z]+"),
            ),
        )
    return _patterns


def _normalised(text: str) -> str:
    """*text* with one spelling for each word: widths and accents folded, what is no word a space."""
    import unicodedata  # noqa: PLC0415 -- half a millisecond that ASCII need not pay

    # Python sorts a run of combining marks in quadratic time: 40,000 take over a second. No word needs 30.
    text = text.replace("\uff9e", "\u3099").replace("\uff9f", "\u309a")  # the only letters that turn into marks
    text = text.replace("\ufdfa", " ")  # a blessing in one character, that would grow to eighteen
    text = re.sub(r"([^\w\s]{30})[^\w\s]+", r"\1", text)
    text = unicodedata.normalize("NFKD", text)
    table: dict[int, str | None] = {}
    for character in set(text):
        if character < "\x80":
            continue
        category = unicodedata.category(character)
        if character in _LETTERS:
            table[ord(character)] = _LETTERS[character]
        elif any(first <= character <= last for first, last in _ACCENTS):
            table[ord(character)] = None
        elif category == "Cf":
            # Joiners and direction marks sit inside words; the zero-width space parts them.
            table[ord(character)] = " " if character == "\u200b" else None
        elif category == "Nd":
            table[ord(character)] = str(unicodedata.decimal(character))
        elif category[0] not in "LMN":
            table[ord(character)] = " "
    return unicodedata.normalize("NFC", text.translate(table))
