"""Secret checks: whether what a pattern matched is a secret, or only looks like one.

A check takes a match and answers the span of its secret (the last group, or the whole match), or None. Imported
by `redaction` together with the table in `secret_kinds`, never for clean text.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from itertools import islice, pairwise

from agentrecall_domain.text.secret_parts import UUID
from agentrecall_domain.text.secret_words import CONNECTORS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Words that stand in a secret's place until somebody puts one there. These count wherever they are.
_STAND_INS = (
    r"(?i)your|example|change_?-?me|placeholder|xxxx|dummy|sample|redacted|\[private\]|insert|replace|fixme|\A<|<[a-z][\w .\-]{1,40}>|…|\.\.\."
    r"|\*\*\*|not-?_?a-?_?real|(?:secret|token|key|password)[-_]here|goes[-_]here|lorem|foobar|hidden|removed|masked"
)

# These count when a value is made of nothing else.
_EMPTY = """
a abc abcd access account admin an api app auth bar basic baz bearer client credential credentials db default demo
dev empty env fake false fill foo github guest hello invalid key local login me missing mock my mysql new nil no
none null oauth of ok old optional pass passphrase password passwd postgres postgresql private prod pw pwd redis
required root secret service session sk some staging str string super test tester testing tests the this todo token
true type undefined unset user username valid value wrong x yes
"""
_EMPTY_WORDS = frozenset(_EMPTY.split())

# Names of algorithms, encodings and types, which have digits as passwords have.
_TECHNICAL = (
    r"(?:sha|md|aes|rs|hs|es|ps|base|utf|oauth|ipv|bcrypt|argon|pbkdf|ed|tls|ssl|http|ntlm|scram|pkcs|uint|int|float"
    r"|varchar|char|web|ec|auth|python|py|node|win|rsa|crc|blake|curve|secp)\d{1,5}[a-z]{0,3}"
    r"|x509|s3|k8s|i18n|v\d{1,2}|[uif](?:8|16|32|64|128)|p(?:256|384|521)|h26[45]"
)

# Values that say where the secret is, in the languages of code, shells, pipelines and vaults.
_REFERENCE = (
    # variables and what templates fill in
    r"\$\{|\$\(|\$[A-Za-z_]\w*[,;)\]}]?\Z|\$env:|\$\d[a-z]?\$|\$argon2|\$scrypt"
    r"|\{\{|\{%|#\{|%[A-Za-z_]\w*%\Z|%\(|%[sdr]\Z|\{[\w.:!]*\}\Z"
    r"|[\[{(<|>]|[&*][A-Za-z_][\w.\-]*[,;)]?\Z|!(?:Ref|Sub|GetAtt|ref|secret|vault|env)|@\w+\(|\[redacted:"
    # the environment, and the objects that hold settings
    r"|(?:os|process|import\.meta|Deno|System)\.?(?:env|environ|getenv)|getenv"
    r"|(?:secrets?|vars|env|config|settings|self|this|args|inputs|params"
    r"|options|opts|ctx|props|state|var|local|data|module|request|req|res|response|session|user|event|process|os)"
    r"(?:\.|\[|->|::|\?\.)[A-Za-z_]"
    # vaults, hashes and what is public
    r"|(?:vault|op|ssm|env|file|arn|urn|did|data|awssm|gcpsm|sops|keyring|secretsmanager|kms)[:+]"
    r"|sha\d{1,3}[-:]|md5[-:]|ENC\["
    r"|pk_|pk\.|sb_publishable_|phc_|ssh-|ecdsa-|-----BEGIN (?:[A-Z ]{0,20}PUBLIC|CERT)"
    # paths, addresses, versions, dates and numbers
    r"|#[0-9a-fA-F]{3,8}\Z|\.{0,2}/[a-z.][\w.\-/@]*\Z|~/|[A-Za-z]:[\\/]|https?:|[a-z]{2,12}://"
    r"|v?\d{1,4}\.\d{1,4}(?:\.|-|\Z)|\d{4}-\d\d-\d\d|0x[0-9a-fA-F]{1,16}\Z|[A-Za-z][\w.\-]{1,60}:\d{1,5}\Z"
)
_FILE = (
    r"\.(?:pem|key|txt|json|ya?ml|env|crt|cer|p12|pfx|pub|py|jsx?|tsx?|go|rs|"
    r"java|md|toml|ini|cfg|conf|sh|html?|css|xml|jks|rb|php|cs)\Z"
)
_UUID_ONLY = r"(?i)" + UUID + r"\Z"
_CALL = r"(?:new |await |&|\*)?[A-Za-z_$][\w$.:!?]{0,80}\(|[A-Za-z_]\w*(?:\?\.|->|::)"
_IDENTIFIER = r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\Z"

# Letters, then perhaps a number, between separators: how people name things.
_WORDS = r"(?:[A-Za-z]*\d{0,4}(?:[^A-Za-z0-9]|\Z))+\Z"

# A value that holds another assignment is not a secret itself; the inner one is met next.
_ASSIGNMENT = r"(?i)(?:passw(?:or)?d|pwd|secret|token|key|auth|credentials?)[\"']?[:=]"

# No system takes shorter passwords, and what is shorter than the next two is a variable, or a word.
_SHORTEST = 6
_SHORT = 8
_LONG = 20
# Generated strings of this length have this many bits a character.
_RANDOM_LENGTH = 16
_RANDOM_BITS = 3.0
# Fewer different characters than this make `xxxx`, `abab`, `121212`.
_FEWEST_CHARACTERS = 4
# Base 64 of key material has more different characters than this; what only draws a key has fewer.
_KEY_CHARACTERS = 24
# A longer value has letters enough for four given ones to come together by chance.
_LONGEST_STAND_IN = 120
# Longer than this nobody writes empty words together, and the search for them is quadratic.
_LONGEST_JOINED = 32
# Between `://` and `@` even a short word is a password.
_SHORTEST_IN_URL = 4
# A passphrase has four words or more.
_PASSPHRASE_SPACES = 3
# Small letters, capitals, digits and signs: three of these four are no identifier; without letters, two are all.
_MANY_CLASSES = 3
_DIGITS_AND_SIGNS = 2
# What is shorter than random but has this much of a generated code is no name: `tok_9f8e7d6c`.
_CODE_LENGTH = 10
_CODE_DIGITS = 3
_CODE_CHANGES = 3
# How far back a name is read, and the line that a cookie stands on.
_LONGEST_NAME = 48
_LONGEST_LINE = 2000
_LONGEST_RESOURCE = 120
# How far a manifest, and a sentence, are read.
_LONGEST_MANIFEST = 3000
_LONGEST_SENTENCE = 160
_LONGEST_BEFORE = 100
_MOST_TOKENS = 14

# Fewer different words than this open no wallet; and these words are in sentences, and not in its list.
_SEED_WORDS = 8
_SENTENCE_WORDS = frozenset(
    """
    the and for with from are was were not has have had been being which must should could would but its our his her
    their them these those than very much does did done using used uses
    """.split(),
)

# A word of a sentence: in quotes of any kind, or what no space and no sign of another script parts.
_TOKEN = (
    r"[`\"]([^`\"\n]{4,100})[`\"]|'([^'\n]{4,100})'|[«‹]\s?([^»›\n]{4,100}?)\s?[»›]|[„“”»]([^“”„«\n]{4,100})[“”«]"
    r"|[「『]([^」』\n]{4,100})[」』]|[‚‘]([^’‘\n]{4,100})[’‘]|([!-~À-ɏ]{2,200})"
)
_BARE = 7
# A name, and behind a sign or an `and` what may be its password.
_PAIR = (
    r"(?<![^\s\"'`(:])[A-Za-z][\w.@+\-]{1,40}[\"'`]?(?:\s?[/|:]\s?|\s(?:and|und|et|y|e|en|with|mit|avec|con|com|с|и)\s)"
    r"[\"'`]?([!-~]{8,64})"
)
# Addresses, hosts, files and versions.
_NO_PASSWORD = r"[^\s@]+@[\w\-]+(?:\.[\w\-]+)+\Z|\w+(?:[.-]\w+)*\.[a-z]{2,12}(?:[:/]\S*)?\Z|[\w.\-]*/|v?\d+(?:[.,]\d+)+|1[Pp]assword|[A-Z]{2,10}-\d+\Z|PKCS|SOCKS|[^%]*%{1,2}(?:0A|[.\d]*[sdu]\b)|[A-Za-z_][\w.\-]*="
# Names of columns and settings: `user_id2`, `orders.customer_id`.
_SNAKE = r"(?:[a-z]+[._])+[a-z]+\d{0,2}|(?:[A-Z]+[._])+[A-Z]+\d{0,2}"
# Letters and numbers in any order between separators, with few changes.
_NAMES = r"(?:\d{0,8}[A-Za-z]*\d{0,8}(?:[^A-Za-z0-9]|\Z))+\Z"
_TOLD_BEFORE = frozenset("is was ist war est es é è är er jest als as comme como for".split())
# In Korean, Japanese, Turkish and such, "is" is the ending of the word before.
_CONNECTED_ENDINGS = ("는", "은", "가", "이", "は", "が", "是", "为", "為", "を", "을", "를")

_PASSWORD_NAMES = (
    *(
        "pass",
        "pwd",
        "pw",
        "psk",
        "kennwort",
        "mot",
        "contrase",
        "senha",
        "wachtwoord",
        "hasl",
        "hasł",
        "mdp",
        "clave",
        "hesl",
        "gesl",
    ),
    *("parola", "lozink", "jelsz", "sifre", "şifre", "salasana", "adgangskode", "losenord", "lösenord", "пароль"),
)
_OPAQUE_NAMES = ("secret", "credential")

# What comes before `token` or `key` when it is no secret: positions in lists, vocabulary, what is published.
_HARMLESS = """
page next prev previous cursor continuation continue sync cancellation cancel design pad eos bos unk mask sep cls
stop special delimiter syntax max min num total hashed encrypted sealed public publishable
"""
_HARMLESS_WORDS = frozenset(_HARMLESS.split())

# Signs that people put into passwords, and seldom into names.
_SIGNS = "!@#$%^&*~+=?"
# Google and Apple give out passwords of four groups of four letters.
_APP_PASSWORD = r"[a-z]{4}(?:(?: [a-z]{4}){3}|(?:-[a-z]{4}){3})\Z"
_FOUR_LETTERS = """
able also away back been both call came case come data does done down each else even ever file find from full give goes
good have here high hold into just keep kind know last left less like line list long look made make many more most much
must name need next none note once only open over part pass plus read same save seen send show side size some such sure
take tell test text than that them then they this time type upon used user uses very view want well were what when will
with word work your zero
"""
_COMMON_WORDS = frozenset(_FOUR_LETTERS.split())

_QUOTES = "\"'`"
_CLOSERS = {")": "(", "]": "[", "}": "{"}


def shannon_bits(value: str) -> float:
    """The entropy of *value*, in bits a character: 0 for one letter repeated, about 4 for 20 random ones."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in (value.count(char) for char in set(value)))


def looks_random(value: str) -> bool:
    """Whether *value* reads as generated characters, not as words that somebody chose.

    Generated means: 16 characters or more, of 3 bits each, with digits between letters, or with so many changes
    of case that no camel-cased name would have them. Of random strings of 32 characters in base 62, base 64 or
    hexadecimal less than 1 in 100 is missed; of 16 characters some, for they may have no digit between letters.
    """
    if len(value) < _RANDOM_LENGTH or shannon_bits(value) < _RANDOM_BITS:
        return False
    if not any(char.isdigit() for char in value):
        return _changes_often(value)
    return not re.match(_WORDS, value) or _changes_often(value)


def is_stand_in(value: str) -> bool:
    """Whether *value* only keeps the place of a secret: `YOUR_KEY`, `xxxx`, `changeme`, `test-token`, `123456`."""
    if re.search(_STAND_INS, value):
        return True
    lowered = value.lower()
    if len(set(lowered)) < _FEWEST_CHARACTERS or _counts_up(lowered):
        return True
    words = [word for word in re.split(r"[^a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "-", value).lower()) if word]
    return bool(words) and (all(word in _EMPTY_WORDS for word in words) or _is_joined_of_empty_words("".join(words)))


def is_reference(value: str) -> bool:
    """Whether *value* says where a secret is, or is public by its nature: variables, calls, paths, hashes, URLs."""
    return bool(re.match(_REFERENCE, value) or re.search(_FILE, value) or re.match(_UUID_ONLY, value))


def _counts_up(lowered: str) -> bool:
    """Whether it is a stretch of the alphabet, of the digits, or one after the other: `abc123`."""
    letters = lowered.rstrip("0123456789")
    return letters in "abcdefghijklmnopqrstuvwxyz" and lowered[len(letters) :] in "01234567890123456789"


def _is_joined_of_empty_words(letters: str) -> bool:
    """Whether *letters* are such words written together: `mypassword`, `testtoken`."""
    if len(letters) > _LONGEST_JOINED:
        return False
    reached = {0}
    for end in range(1, len(letters) + 1):
        if any(letters[start:end] in _EMPTY_WORDS and end - start > 1 for start in reached):
            reached.add(end)
    return len(letters) in reached


def _changes_often(value: str) -> bool:
    """Whether case changes at one character in four: `kXqZbTmW`, but not `getUserPassword`."""
    return _case_changes(value) * 4 >= len(value)


def _case_changes(value: str) -> int:
    """How often a small letter meets a capital, in either order, beyond what `CamelCase` needs."""
    changes = 0
    for before, after in pairwise(value):
        if (
            (before.islower() and after.isupper())
            or (before.isupper() and after.isdigit())
            or (before.isdigit() and after.isalpha())
        ):
            changes += 1
    return changes


def _secret(match: re.Match[str]) -> str:
    return match[match.lastindex or 0]


def _span(match: re.Match[str]) -> tuple[int, int]:
    return match.span(match.lastindex or 0)


def _varied(match: re.Match[str]) -> tuple[int, int] | None:
    """The form says what it is, so only stand-ins are let through."""
    value = _secret(match)
    if len(set(max(value.split("_"), key=len))) <= _FEWEST_CHARACTERS:
        return None
    return None if len(value) <= _LONGEST_STAND_IN and re.search(_STAND_INS, value) else _span(match)


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
    if not any(char.isdigit() for char in value) or re.match(_WORDS, value):
        return None
    return _varied(match)


def _percent(match: re.Match[str]) -> tuple[int, int] | None:
    """Images in base 64 have runs of `A` too; what Twitter issues is escaped for URLs."""
    return _mixed(match) if "%" in match[0] else None


def _user_and_password(match: re.Match[str]) -> tuple[int, int] | None:
    """Base 64 is a secret when it says `user:password`."""
    value = _secret(match).rstrip("=").replace("-", "+").replace("_", "/")
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return _span(match) if ":" in decoded and decoded.isprintable() else None


def _url_password(match: re.Match[str]) -> tuple[int, int] | None:
    value = _secret(match)
    if len(value) < _SHORTEST_IN_URL or (value.isdigit() and len(value) < _SHORTEST):
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
    return _trimmed(match, value) if looks_random(value) or _is_code_word(value) else None


def _cookie(match: re.Match[str]) -> tuple[int, int] | None:
    """Only on a line that speaks of cookies before."""
    line = match.string[max(0, match.start() - _LONGEST_LINE) : match.start()].rpartition("\n")[2]
    value = _secret(match)
    if "cookie" not in line.lower() or is_reference(value) or is_stand_in(value):
        return None
    return _span(match) if looks_random(value) or _is_code_word(value) else None


def _named(match: re.Match[str]) -> tuple[int, int] | None:
    """A value given to a name that promises a secret: kept unless it looks like one."""
    group = match.lastindex or 0
    start = match.start(group)
    quoted = match.string[start - 1 : start] in _QUOTES
    value = match[group] if quoted else _without_closers(match[group])
    if len(value) < _SHORTEST or re.search(_ASSIGNMENT, value):
        return None
    if is_reference(value) or (not quoted and re.match(_CALL, value)) or is_stand_in(value):
        return None

    name = match[1].lower()
    prefix = _name_before(match.string, match.start(1))
    if _last_word(prefix) in _HARMLESS_WORDS or _is_in_resource_name(match.string, match.start(1)):
        return None
    if not _is_promised(name, text=match.string[match.end(1) : start], value=value, quoted=quoted):
        return None
    literal = quoted or _is_literal(match, prefix, start, start + len(value))
    return _trimmed(match, value) if _fits(value, name, literal=literal, quoted=quoted) else None


def _is_promised(name: str, *, text: str, value: str, quoted: bool) -> bool:
    """Whether *text* between a name and its value is enough for a name that means other things too."""
    if name == "pat":
        return looks_random(value) and re.fullmatch(r"[\w\-]+", value) is not None
    if name in {"pass", "pw"} and (not text.strip(" \t\"'`") or not (quoted or _classes(value) >= _MANY_CLASSES)):
        return False
    # In a list of names the next is a name.
    return "," not in text or not value.isalpha()


def _fits(value: str, name: str, *, literal: bool, quoted: bool) -> bool:
    """Whether *value* would be a secret of that *name*."""
    if re.match(_APP_PASSWORD, value):
        return name.startswith(_PASSWORD_NAMES) and not _is_four_words(value)
    if any(char.isspace() for char in value):
        return quoted and name == "passphrase" and value.count(" ") >= _PASSPHRASE_SPACES
    if not literal:
        return _fits_in_code(value, name)
    if name.startswith(_PASSWORD_NAMES):
        return _is_password(value)
    if name.startswith(_OPAQUE_NAMES):
        return looks_random(value) or (
            _is_password(value) and not re.fullmatch(r"[A-Za-z]+(?:[-_.:/][A-Za-z]*\d*)*", value)
        )
    return looks_random(value) or _is_code_word(value)


def _is_four_words(value: str) -> bool:
    """Whether four groups of four letters are a piece of English."""
    return any(group in _COMMON_WORDS for group in re.split(r"[ -]", value))


def _fits_in_code(value: str, name: str) -> bool:
    """Without quotes, code gives variables and expressions: only what no identifier looks like counts."""
    if any(char in "()[]{}|" for char in value):
        return False
    if looks_random(value) and not re.match(_WORDS, value):
        return True
    if re.match(_WORDS, value) and re.match(_IDENTIFIER, value):
        return False
    return (
        name.startswith((*_PASSWORD_NAMES, *_OPAQUE_NAMES))
        and len(value) >= _SHORT
        and _classes(value) >= _MANY_CLASSES
        and _is_password(value)
    )


def _is_password(value: str) -> bool:
    """Whether a person may have chosen *value* as a password, and not as a word of prose or code."""
    if _is_technical(value):
        return False
    if not any(char.isalpha() for char in value):
        return value.isdigit() or (_classes(value) >= _DIGITS_AND_SIGNS and len(value) >= _SHORT)
    return any(char.isdigit() for char in value) or _is_password_of_letters(value)


def _is_password_of_letters(value: str) -> bool:
    """Whether letters, perhaps with signs, are no word and no message: `correct&horse`, but not `Required!`."""
    if value.isalpha() and len(value) >= _LONG:
        return True
    if len(value) < _SHORT:
        return False
    return (
        any(char in _SIGNS for char in value[1:-1])
        or (value.isalpha() and _changes_often(value))
        or (_classes(value) >= _MANY_CLASSES and any(char.isupper() for char in value[1:]))
    )


def _is_code_word(value: str) -> bool:
    """Whether *value* is too short to call random, but no name either: `tok_9f8e7d6c`."""
    digits = sum(char.isdigit() for char in value)
    return (
        len(value) >= _CODE_LENGTH
        and digits >= _CODE_DIGITS
        and _case_changes(value) >= _CODE_CHANGES
        and not re.match(_WORDS, value)
        and not _is_technical(value)
    )


def _is_technical(value: str) -> bool:
    """Whether *value* speaks of an algorithm, an encoding or a type: `sha256-hashed`, `VARCHAR2`."""
    if any(char in _SIGNS for char in value):
        return False
    return any(re.fullmatch(_TECHNICAL, word) for word in re.split(r"[^a-z0-9]+", value.lower()))


def _classes(value: str) -> int:
    """How many of small letters, capitals, digits and signs *value* has."""
    return sum(
        (
            any(char.islower() for char in value),
            any(char.isupper() for char in value),
            any(char.isdigit() for char in value),
            any(not char.isalnum() and char not in "_.-" for char in value),
        ),
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
        return _classes(text[start:end]) >= _MANY_CLASSES
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
    return bool(re.search(r"(?:\barn:|\bcrn:|\burn:|projects/|/subscriptions/|\bocid1\.)[^\s\"'`,;]{0,120}\Z", before))


def _name_before(text: str, start: int) -> str:
    """The part of the name before its last word: `DB_` of `DB_PASSWORD`."""
    before = text[max(0, start - _LONGEST_NAME) : start]
    size = len(before)
    while size and (before[size - 1].isalnum() or before[size - 1] in "_-."):
        size -= 1
    return before[size:]


def _without_closers(value: str) -> str:
    """*value* without the brackets and full stops that belong to the sentence around it."""
    while value and (
        (value[-1] in _CLOSERS and value.count(_CLOSERS[value[-1]]) < value.count(value[-1])) or value[-1] in ".:?"
    ):
        value = value[:-1]
    return value


def _trimmed(match: re.Match[str], value: str) -> tuple[int, int]:
    start = match.start(match.lastindex or 0)
    return start, start + len(value)


def _option(match: re.Match[str]) -> tuple[int, int] | None:
    """A word of a command line where a password may stand, or a port, a name, a path."""
    value = _secret(match)
    if re.fullmatch(r"[\d:.\-/]+|" + _SNAKE, value):
        return None
    return _written_down(match) if _is_password(value) or looks_random(value) else None


def _chosen(match: re.Match[str]) -> tuple[int, int] | None:
    """The second of two strings: a password, unless it is a word."""
    value = _secret(match)
    return None if any(char.isspace() for char in value) else _option(match)


def _app_password(match: re.Match[str]) -> tuple[int, int] | None:
    return None if _is_four_words(_secret(match)) else _span(match)


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
    if not any(char.isdigit() for char in value) and (" " in _secret(match) or len(value) < _LONG):
        return None
    return None if len(set(value)) <= _FEWEST_CHARACTERS or is_stand_in(value) else _span(match)


def _trimmed_to(match: re.Match[str], start: int, value: str) -> tuple[int, int]:
    return match.end() + start, match.end() + start + len(value)


def _spoken(match: re.Match[str]) -> tuple[int, int] | None:
    """The password that a sentence tells after a word for it, in any language, or before it."""
    text = match.string
    if not _is_a_word_by_itself(match):
        return None
    tail = _sentence_after(text, match.end()).partition(match[0])[0]
    position = 0
    for token in islice(re.finditer(_TOKEN, tail), _MOST_TOKENS):
        quoted = token.lastindex != _BARE
        start, value = _bare_value(token) if not quoted else (token.start(token.lastindex or 0), _secret(token))
        before = tail[position : token.start()]
        told = quoted or _is_connected(tail[: token.start() + (start - token.start() if not quoted else 0)], before)
        if _is_told_password(value, told=told):
            return _trimmed_to(match, start, value)
        position = token.end()
    return _told_before(match)


def _is_a_word_by_itself(match: re.Match[str]) -> bool:
    """Whether prose speaks, not a path, an address or an identifier that has the word in it."""
    text = match.string
    before = text[match.start() - 1 : match.start()] if match.start() else " "
    if not match[0].isascii():
        return True
    after = text[match.end() : match.end() + 14]
    # Assignments and lists are not sentences.
    if re.match(r"\\?[\"'`][,)\]}]|\\?[\"'`]?[ \t]{0,4}(?:=|:=)", after):
        return False
    if before.isalnum() or before in "_/.@=&$?+%#~\\-:":
        return False
    return not re.match(r"\w{0,12}[_.\-@/?+&(^\[]\S", after)


def _sentence_after(text: str, start: int) -> str:
    """What follows a word for a password: to the end of its sentence, or of the next line when this one is empty."""
    tail = text[start : start + _LONGEST_SENTENCE]
    opening = re.match(r"[ \t]*\w{0,3}[*_\"'`)]{0,4}[ \t]*[:：=]?[*_]{0,2}\s*(?:`{3}\w{0,12}\s+)?", tail)
    first = opening.end() if opening else 0
    end = re.search(r"\n|(?<=[.。؟])\s|。|;\s", tail[first:])
    return tail if end is None else tail[: first + end.start()]


def _bare_value(token: re.Match[str]) -> tuple[int, str]:
    """Where a word without quotes starts when brackets, and what ends a sentence, are left out, and the word."""
    word = _secret(token)
    value = word.lstrip("\"'`(*_:=,")
    start = token.start() + len(word) - len(value)
    value = value.rstrip("\"'`*,;:>")
    return start, _without_closers(value) if value else value


def _is_connected(tail: str, before: str) -> bool:
    """Whether a sign or a word like `is` stands right before the value."""
    left = tail.rstrip(" \t\n\"'`*_(«„“‚‹「『")
    if not left.strip() or left.endswith((":", "：", "=", "→", ">", "—", "–")):
        return True
    word = re.search(r"[^\W\d_]+\Z", left)
    if word is None:
        return False
    last = word[0].lower()
    return last in CONNECTORS or (not last.isascii() and last.endswith(_CONNECTED_ENDINGS) and bool(before or last))


def _is_told_password(value: str, *, told: bool) -> bool:
    """Whether *value* is a password that somebody tells: more is asked of it where no `is` stands before it."""
    if len(value) < _SHORTEST or value.isalpha() or any(char.isspace() for char in value):
        return False
    if is_reference(value) or is_stand_in(value) or re.search(_ASSIGNMENT, value) or re.match(_NO_PASSWORD, value):
        return False
    if any(char in "()[]{}<>|\\\"'`" for char in value) or _is_technical(value):
        return False
    if not told:
        return _is_strong(value)
    if re.fullmatch(_SNAKE, value):
        return False
    if not any(char.isalpha() for char in value):
        return value.isdigit() is False and _is_password(value)
    if re.fullmatch(r"\d{1,3}[-–]?[^\W\d_]+[-\w]*", value) and not _is_strong(value):
        return False
    return any(char.isdigit() for char in value) or (
        _classes(value) >= _MANY_CLASSES and any(char in _SIGNS for char in value[1:-1])
    )


def _is_strong(value: str) -> bool:
    """Whether nobody would take *value* for a word, a name, a number or a path."""
    if len(value) < _SHORT or any(char in "/\\:" for char in value):
        return False
    has_digit = any(char.isdigit() for char in value)
    sign = any(char in _SIGNS for char in value)
    if sign and has_digit and _classes(value) >= _MANY_CLASSES:
        return True
    return has_digit and _classes(value) >= _MANY_CLASSES and not re.match(_NAMES, value)


def _told_before(match: re.Match[str]) -> tuple[int, int] | None:
    """The password of a sentence like `X is the password`."""
    start = max(0, match.start() - _LONGEST_BEFORE)
    before = match.string[start : match.start()].rpartition("\n")[2]
    if _TOLD_BEFORE.isdisjoint(before.lower().split()[-3:]):
        return None
    told = re.search(
        r"(?<!\S)[\"'`(«「„“»‚]{0,2}([!-~]{6,64}?)[\"'`)»」“”«’]{0,2},?\s{1,2}(?:is|was|ist|war|est|es|é|è|är|er|jest|als|as|comme|como|for)\s"
        r"(?:[^\W\d_]{1,8}\s){0,2}\Z",
        before,
    )
    if told is None or not _is_told_password(told[1], told=False):
        return None
    offset = match.start() - len(before)
    return offset + told.start(1), offset + told.end(1)


def _pair(match: re.Match[str]) -> tuple[int, int] | None:
    """A name and a password beside each other, on a line that speaks of a login."""
    text = match.string
    start = text.rfind("\n", max(0, match.start() - _LONGEST_BEFORE), match.start()) + 1
    start = max(start, match.start() - _LONGEST_BEFORE)
    line = text[start : match.end() + _LONGEST_SENTENCE]
    end = line.find("\n", match.end() - start)
    for pair in re.finditer(_PAIR, line if end < 0 else line[:end]):
        value = _without_closers(pair[1].rstrip("\"'`*,;:>"))
        if _is_told_password(value, told=False):
            return start + pair.start(1), start + pair.start(1) + len(value)
    return None


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
    "spoken": _spoken,
    "pair": _pair,
}
