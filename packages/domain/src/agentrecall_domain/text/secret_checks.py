"""Secret checks: whether what a pattern matched is a secret, or only looks like one.

A check takes a match and answers the span of its secret (the last group, or the whole match), or None. Imported
by `redaction` together with the table in `secret_kinds`, never for clean text.
"""

from __future__ import annotations

import re

from agentrecall_domain.text.secret_sentences import pair, spoken
from agentrecall_domain.text.secret_values import (
    ASSIGNMENT,
    FEWEST_CHARACTERS,
    LONG,
    MANY_CLASSES,
    SHORT,
    SHORTEST,
    SNAKE,
    STAND_INS,
    WORDS,
    classes,
    is_code_word,
    is_four_words,
    is_password,
    is_reference,
    is_stand_in,
    looks_random,
    without_closers,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_CALL = r"(?:new |await |&|\*)?[A-Za-z_$][\w$.:!?]{0,80}\(|[A-Za-z_]\w*(?:\?\.|->|::)"
_IDENTIFIER = r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\Z"

# Base 64 of key material has more different characters than this; what only draws a key has fewer.
_KEY_CHARACTERS = 24

# A longer value has letters enough for four given ones to come together by chance.
_LONGEST_STAND_IN = 120

# Between `://` and `@` even a short word is a password.
_SHORTEST_IN_URL = 4

# A passphrase has four words or more.
_PASSPHRASE_SPACES = 3

# How far back a name is read, and the line that a cookie stands on.
_LONGEST_NAME = 48
_LONGEST_LINE = 2000
_LONGEST_RESOURCE = 120

# How far a manifest is read, before and after a value.
_LONGEST_MANIFEST = 3000

# Fewer different words than this open no wallet; and these words are in sentences, and not in its list.
_SEED_WORDS = 8
_IN_SENTENCES = """
the and for with from are was were not has have had been being which must should could would but its our his her
their them these those than very much does did done using used uses
"""
_SENTENCE_WORDS = frozenset(_IN_SENTENCES.split())

# What the names begin with whose values people choose.
_PASSWORDS = """
pass pwd pw psk kennwort mot contrase senha wachtwoord hasl hasł mdp clave hesl gesl parola lozink jelsz sifre şifre
salasana adgangskode losenord lösenord пароль
"""
_PASSWORD_NAMES = tuple(_PASSWORDS.split())
_OPAQUE_NAMES = ("secret", "credential")

# What comes before `token` or `key` when it is no secret: positions in lists, vocabulary, what is published.
_HARMLESS = """
page next prev previous cursor continuation continue sync cancellation cancel design pad eos bos unk mask sep cls
stop special delimiter syntax max min num total hashed encrypted sealed public publishable
"""
_HARMLESS_WORDS = frozenset(_HARMLESS.split())

# Google and Apple give out passwords of four groups of four letters.
_APP_FORM = r"[a-z]{4}(?:(?: [a-z]{4}){3}|(?:-[a-z]{4}){3})\Z"
_QUOTES = "\"'`"


def _secret(match: re.Match[str]) -> str:
    return match[match.lastindex or 0]


def _span(match: re.Match[str]) -> tuple[int, int]:
    return match.span(match.lastindex or 0)


def _varied(match: re.Match[str]) -> tuple[int, int] | None:
    """The form says what it is, so only stand-ins are let through."""
    value = _secret(match)
    longest = max(value.split("_"), key=len)
    if len(set(longest)) <= FEWEST_CHARACTERS:
        return None
    return None if len(value) <= _LONGEST_STAND_IN and re.search(STAND_INS, value) else _span(match)


def _block(match: re.Match[str]) -> tuple[int, int] | None:
    """A block of key material, unless its lines are one letter repeated."""
    return _span(match) if len(set(_secret(match).rpartition("BEGIN")[2])) > _KEY_CHARACTERS else None


def _with_digit(match: re.Match[str]) -> tuple[int, int] | None:
    value = _secret(match)
    if not any(char.isdigit() for char in value) or "00000000" in value:
        return None
    return _varied(match)


def _mixed(match: re.Match[str]) -> tuple[int, int] | None:
    """The form is common, so the value must look generated too."""
    value = _secret(match)
    if not any(char.isdigit() for char in value) or re.match(WORDS, value):
        return None
    return _varied(match)


def _percent(match: re.Match[str]) -> tuple[int, int] | None:
    """Images in base 64 have runs of `A` too; what Twitter issues is escaped for URLs."""
    return _mixed(match) if "%" in match[0] else None


def _user_and_password(match: re.Match[str]) -> tuple[int, int] | None:
    """Base 64 is a secret when it says `user:password`."""
    import base64  # noqa: PLC0415 -- only headers need it, and each import is felt in a hook

    value = _secret(match).rstrip("=").replace("-", "+").replace("_", "/")
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except ValueError:
        return None
    return _span(match) if ":" in decoded and decoded.isprintable() else None


def _url_password(match: re.Match[str]) -> tuple[int, int] | None:
    value = _secret(match)
    if len(value) < _SHORTEST_IN_URL or (value.isdigit() and len(value) < SHORTEST):
        return None
    if value[0] in "$%{[<(*" and is_reference(value):
        return None
    return None if is_stand_in(value) else _span(match)


def _written_down(match: re.Match[str]) -> tuple[int, int] | None:
    """A value in the place of a password, whatever it looks like."""
    value = _secret(match)
    return None if is_reference(value) or is_stand_in(value) else _span(match)


def _header(match: re.Match[str]) -> tuple[int, int] | None:
    value = _secret(match).rstrip(".")
    if is_reference(value) or is_stand_in(value):
        return None
    return _trimmed(match, value) if looks_random(value) or is_code_word(value) else None


def _cookie(match: re.Match[str]) -> tuple[int, int] | None:
    """Only on a line that speaks of cookies before."""
    line = match.string[max(0, match.start() - _LONGEST_LINE) : match.start()].rpartition("\n")[2]
    value = _secret(match)
    if "cookie" not in line.lower() or is_reference(value) or is_stand_in(value):
        return None
    return _span(match) if looks_random(value) or is_code_word(value) else None


def _named(match: re.Match[str]) -> tuple[int, int] | None:
    """A value given to a name that promises a secret: kept unless it looks like one."""
    group = match.lastindex or 0
    start = match.start(group)
    quoted = match.string[start - 1 : start] in _QUOTES
    value = match[group] if quoted else without_closers(match[group])
    if len(value) < SHORTEST or re.search(ASSIGNMENT, value):
        return None

    name = match[1].lower()
    prefix = _name_before(match.string, match.start(1))
    if _last_word(prefix) in _HARMLESS_WORDS or _is_in_resource_name(match.string, match.start(1)):
        return None
    if not _is_promised(name, text=match.string[match.end(1) : start], value=value, quoted=quoted):
        return None
    literal = quoted or _is_literal(match, prefix, start, start + len(value))
    if not _fits(value, name, literal=literal, quoted=quoted):
        return None
    if is_reference(value):
        return None
    return None if (not quoted and re.match(_CALL, value)) or is_stand_in(value) else _trimmed(match, value)


def _is_promised(name: str, *, text: str, value: str, quoted: bool) -> bool:
    """Whether *text* between a name and its value is enough for a name that means other things too."""
    if name == "pat":
        return looks_random(value) and re.fullmatch(r"[\w\-]+", value) is not None
    if name in {"pass", "pw"} and (not text.strip(" \t\"'`") or not (quoted or classes(value) >= MANY_CLASSES)):
        return False
    # In a list of names the next is a name.
    return "," not in text or not value.isalpha()


def _fits(value: str, name: str, *, literal: bool, quoted: bool) -> bool:
    """Whether *value* would be a secret of that *name*."""
    if re.match(_APP_FORM, value):
        return name.startswith(_PASSWORD_NAMES) and not is_four_words(value)
    if any(char.isspace() for char in value):
        return quoted and name == "passphrase" and value.count(" ") >= _PASSPHRASE_SPACES
    if not literal:
        return _fits_in_code(value, name)
    if name.startswith(_PASSWORD_NAMES):
        return is_password(value)
    if name.startswith(_OPAQUE_NAMES):
        return looks_random(value) or (
            is_password(value) and not re.fullmatch(r"[A-Za-z]+(?:[-_.:/][A-Za-z]*\d*)*", value)
        )
    return looks_random(value) or is_code_word(value)


def _fits_in_code(value: str, name: str) -> bool:
    """Without quotes, code gives variables and expressions: only what no identifier looks like counts."""
    if any(char in "()[]{}|" for char in value):
        return False
    if looks_random(value) and not re.match(WORDS, value):
        return True
    if re.match(WORDS, value) and re.match(_IDENTIFIER, value):
        return False
    return (
        name.startswith((*_PASSWORD_NAMES, *_OPAQUE_NAMES))
        and len(value) >= SHORT
        and classes(value) >= MANY_CLASSES
        and is_password(value)
    )


def _is_literal(match: re.Match[str], prefix: str, start: int, end: int) -> bool:
    """Whether a value without quotes is still meant as it stands: in the environment, YAML, a URL, a flag, prose."""
    text = match.string
    given = text[match.end(1) : start]
    name = prefix + match[1]
    if prefix.startswith("--") or given.strip(" \t:").lower() in {"is", "was", "to", "as", "is now", ">"}:
        return True
    if ":-" in given or given.isspace():
        return True
    if "|" in given:
        return classes(text[start:end]) >= MANY_CLASSES
    after = text[end : end + 1]
    ends_line = after in {"", "\n", "\r", "\\", '"', "'", "`", "<", "&", ";"}
    if ":" in given or "value" in given.lower():
        return ends_line or after == " "
    if given.endswith("="):
        before = text[match.start(1) - len(prefix) - 1 : match.start(1) - len(prefix)]
        return (
            name.upper() == name or before in {"?", "&", ";"} or (ends_line and given == "=" and before in {"", "\n"})
        )
    return False


def _last_word(prefix: str) -> str:
    """The last word of a name, whether it is written `next_page_` or `nextPage`."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", prefix)
    return words[-1].lower() if words else ""


def _is_in_resource_name(text: str, start: int) -> bool:
    """Whether the name is a part of what clouds call a secret by: `arn:aws:secretsmanager:...:secret:prod/db`."""
    before = text[max(0, start - _LONGEST_RESOURCE) : start]
    if not any(kind in before for kind in ("rn:", "projects/", "/subscriptions/", "ocid1.")):
        return False
    return bool(re.search(r"(?:\barn:|\bcrn:|\burn:|projects/|/subscriptions/|\bocid1\.)[^\s\"'`,;]{0,120}\Z", before))


def _name_before(text: str, start: int) -> str:
    """The part of the name before its last word: `DB_` of `DB_PASSWORD`."""
    before = text[max(0, start - _LONGEST_NAME) : start]
    size = len(before)
    while size and (before[size - 1].isalnum() or before[size - 1] in "_-."):
        size -= 1
    return before[size:]


def _trimmed(match: re.Match[str], value: str) -> tuple[int, int]:
    start = match.start(match.lastindex or 0)
    return start, start + len(value)


def _option(match: re.Match[str]) -> tuple[int, int] | None:
    """A word of a command line where a password may stand, or a port, a name, a path."""
    value = _secret(match)
    if re.fullmatch(r"[\d:.\-/]+|" + SNAKE, value):
        return None
    return _written_down(match) if is_password(value) or looks_random(value) else None


def _chosen(match: re.Match[str]) -> tuple[int, int] | None:
    """The second of two strings: a password, unless it is a word."""
    value = _secret(match)
    return None if any(char.isspace() for char in value) else _option(match)


def _app_password(match: re.Match[str]) -> tuple[int, int] | None:
    return None if is_four_words(_secret(match)) else _span(match)


def _kubernetes(match: re.Match[str]) -> tuple[int, int] | None:
    """A value in base 64 under `data:` of an object whose kind is Secret."""
    value = _secret(match)
    before = match.string[max(0, match.start() - _LONGEST_MANIFEST) : match.start()]
    _, data, lines = before.rpartition("data")
    if not data or len(value) % 4 or re.search(r"\n\S", lines[1:].lstrip('":{ ')) or "}" in lines:
        return None
    if re.match(r"[\"']?:[ \t{]*\n", lines + "\n") is None:
        return None
    around = match.string[max(0, match.start() - _LONGEST_MANIFEST) : match.end() + _LONGEST_MANIFEST]
    if not re.search(r"(?i)kind[\"']?:\s{0,4}[\"']?Secret\b", around):
        return None
    return _span(match)


def _seed_phrase(match: re.Match[str]) -> tuple[int, int] | None:
    """Twelve words or more that make no sentence, as wallets are opened with."""
    words = re.findall(r"[a-z]+", _secret(match))
    return None if any(word in _SENTENCE_WORDS for word in words) or len(set(words)) < _SEED_WORDS else _span(match)


def _base_32(match: re.Match[str]) -> tuple[int, int] | None:
    """Capitals and the digits from two to seven, in one piece or in groups."""
    value = re.sub(r"[\s\-=]", "", _secret(match))
    if not any(char.isdigit() for char in value) and (" " in _secret(match) or len(value) < LONG):
        return None
    return None if len(set(value)) <= FEWEST_CHARACTERS or is_stand_in(value) else _span(match)


CHECKS: dict[str, Callable[[re.Match[str]], tuple[int, int] | None]] = {
    "varied": _varied,
    "block": _block,
    "with_digit": _with_digit,
    "mixed": _mixed,
    "percent": _percent,
    "user_and_password": _user_and_password,
    "url_password": _url_password,
    "written_down": _written_down,
    "header": _header,
    "cookie": _cookie,
    "named": _named,
    "option": _option,
    "chosen": _chosen,
    "app_password": _app_password,
    "kubernetes": _kubernetes,
    "seed_phrase": _seed_phrase,
    "base_32": _base_32,
    "spoken": spoken,
    "pair": pair,
}
