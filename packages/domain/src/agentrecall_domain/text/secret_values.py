"""Secret values: whether a string may be a secret by what it looks like, whatever stands around it.

Imported with the checks of secret kinds, never for clean text.
"""

from __future__ import annotations

import math
import re
from itertools import pairwise

from agentrecall_domain.text.secret_parts import UUID

# Words that stand in a secret's place until somebody puts one there. These count wherever they are.
STAND_INS = (
    r"(?i)your|example|change_?-?me|placeholder|xxxx|dummy|sample|redacted|\[private\]|insert|replace|fixme"
    r"|\A<|<[a-z][\w .\-]{1,40}>"
    r"|…|\.\.\."
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
_EMPTY_PARTS = tuple(word for word in _EMPTY.split() if len(word) > 1)

# Names of algorithms, encodings and types, which have digits as passwords have.
_TECHNICAL = (
    r"(?:sha|md|aes|rs|hs|es|ps|base|utf|oauth|ipv|bcrypt|argon|pbkdf|ed|tls|ssl|http|ntlm|scram|pkcs|uint|int|float"
    r"|varchar|char|web|ec|auth|python|py|node|win|rsa|crc|blake|curve|secp)\d{1,5}[a-z]{0,3}"
    r"|x509|s3|k8s|i18n|v\d{1,2}|[uif](?:8|16|32|64|128)|p(?:256|384|521)|h26[45]"
)

# Values that say where the secret is, in the languages of code, shells, pipelines and vaults, by their first character:
# variables and what templates fill in, paths and colours
_SIGN_REFERENCE = (
    r"\$\{|\$\(|\$[A-Za-z_]\w*[,;)\]}]?\Z|\$env:|\$\d[a-z]?\$|\$argon2|\$scrypt"
    r"|\{\{|\{%|#\{|%[A-Za-z_]\w*%\Z|%\(|%[sdr]\Z|\{[\w.:!]*\}\Z"
    r"|[\[{(<|>]|[&*][A-Za-z_][\w.\-]*[,;)]?\Z|!(?:Ref|Sub|GetAtt|ref|secret|vault|env)|@\w+\(|\[redacted:"
    r"|-----BEGIN (?:[A-Z ]{0,20}PUBLIC|CERT)|#[0-9a-fA-F]{3,8}\Z|\.{0,2}/[a-z.][\w.\-/@]*\Z|~/"
)
_WORD_REFERENCE = (
    # the environment, and the objects that hold settings
    r"(?:os|process|import\.meta|Deno|System)\.?(?:env|environ|getenv)|getenv"
    r"|(?:secrets?|vars|env|config|settings|self|this|args|inputs|params"
    r"|options|opts|ctx|props|state|var|local|data|module|request|req|res|response|session|user|event|process|os)"
    r"(?:\.|\[|->|::|\?\.)[A-Za-z_]"
    # vaults, hashes and what is public
    r"|(?:vault|op|ssm|env|file|arn|urn|did|data|awssm|gcpsm|sops|keyring|secretsmanager|kms)[:+]"
    r"|sha\d{1,3}[-:]|md5[-:]|ENC\["
    r"|pk_|pk\.|sb_publishable_|phc_|ssh-|ecdsa-"
    # addresses and versions
    r"|[A-Za-z]:[\\/]|https?:|[a-z]{2,12}://|v\d{1,4}\.\d{1,4}(?:\.|-|\Z)|[A-Za-z][\w.\-]{1,60}:\d{1,5}\Z"
)
# versions, dates and numbers
_NUMBER_REFERENCE = r"\d{1,4}\.\d{1,4}(?:\.|-|\Z)|\d{4}-\d\d-\d\d|0x[0-9a-fA-F]{1,16}\Z"
_FILE = (
    r"\.(?:pem|key|txt|json|ya?ml|env|crt|cer|p12|pfx|pub|py|jsx?|tsx?|go|rs|"
    r"java|md|toml|ini|cfg|conf|sh|html?|css|xml|jks|rb|php|cs)\Z"
)
_UUID_ONLY = r"(?i)" + UUID + r"\Z"

# Letters, then perhaps a number, between separators: how people name things.
WORDS = r"(?:[A-Za-z]*\d{0,4}(?:[^A-Za-z0-9]|\Z))+\Z"

# A value that holds another assignment is not a secret itself; the inner one is met next.
ASSIGNMENT = r"(?i)(?:passw(?:or)?d|pwd|secret|token|key|auth|credentials?)[\"']?[:=]"

# No system takes shorter passwords, and what is shorter than the next two is a variable, or a word.
SHORTEST = 6
SHORT = 8
LONG = 20

# Generated strings of this length have this many bits a character.
_RANDOM_LENGTH = 16
_RANDOM_BITS = 3.0

# Fewer different characters than this make `xxxx`, `abab`, `121212`.
FEWEST_CHARACTERS = 4

# Longer than this nobody writes empty words together, and the search for them is quadratic.
_LONGEST_JOINED = 32

# Small letters, capitals, digits and signs: three of these four are no identifier; without letters, two are all.
MANY_CLASSES = 3
_DIGITS_AND_SIGNS = 2

# What is shorter than random but has this much of a generated code is no name: `tok_9f8e7d6c`.
_CODE_LENGTH = 10
_CODE_DIGITS = 3
_CODE_CHANGES = 3

# Names of columns and settings: `user_id2`, `orders.customer_id`.
SNAKE = r"(?:[a-z]+[._])+[a-z]+\d{0,2}|(?:[A-Z]+[._])+[A-Z]+\d{0,2}"
# Letters and numbers in any order between separators, with few changes.
_NAMES = r"(?:\d{0,8}+[A-Za-z]*+\d{0,8}+(?:[^A-Za-z0-9]|\Z))+\Z"

# Signs that people put into passwords, and seldom into names.
SIGNS = "!@#$%^&*~+=?"
# Words that are in any English of four words of four letters.
_FOUR_LETTERS = """
able also away back been both call came case come data does done down each else even ever file find from full give goes
good have here high hold into just keep kind know last left less like line list long look made make many more most much
must name need next none note once only open over part pass plus read same save seen send show side size some such sure
take tell test text than that them then they this time type upon used user uses very view want well were what when will
with word work your zero
"""
_COMMON_WORDS = frozenset(_FOUR_LETTERS.split())

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
    return not re.match(WORDS, value) or _changes_often(value)


def is_stand_in(value: str) -> bool:
    """Whether *value* only keeps the place of a secret: `YOUR_KEY`, `xxxx`, `changeme`, `test-token`, `123456`."""
    if re.search(STAND_INS, value):
        return True
    lowered = value.lower()
    if len(set(lowered)) < FEWEST_CHARACTERS or _counts_up(lowered):
        return True
    words = [word for word in re.split(r"[^a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "-", value).lower()) if word]
    return bool(words) and (all(word in _EMPTY_WORDS for word in words) or _is_joined_of_empty_words("".join(words)))


def is_reference(value: str) -> bool:
    """Whether *value* says where a secret is, or is public by its nature: variables, calls, paths, hashes, URLs."""
    first = value[:1]
    reference = _WORD_REFERENCE if first.isalpha() else _NUMBER_REFERENCE if first.isdigit() else _SIGN_REFERENCE
    return bool(re.match(reference, value) or re.search(_FILE, value) or re.match(_UUID_ONLY, value))


def _counts_up(lowered: str) -> bool:
    """Whether it is a stretch of the alphabet, of the digits, or one after the other: `abc123`."""
    letters = lowered.rstrip("0123456789")
    return letters in "abcdefghijklmnopqrstuvwxyz" and lowered[len(letters) :] in "01234567890123456789"


def _is_joined_of_empty_words(letters: str) -> bool:
    """Whether *letters* are such words written together: `mypassword`, `testtoken`."""
    if len(letters) > _LONGEST_JOINED or not (letters.startswith(_EMPTY_PARTS) and letters.endswith(_EMPTY_PARTS)):
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


def is_four_words(value: str) -> bool:
    """Whether four groups of four letters are a piece of English."""
    return any(group in _COMMON_WORDS for group in re.split(r"[ -]", value))


def is_password(value: str) -> bool:
    """Whether a person may have chosen *value* as a password, and not as a word of prose or code."""
    if is_technical(value):
        return False
    if not any(char.isalpha() for char in value):
        return value.isdigit() or (classes(value) >= _DIGITS_AND_SIGNS and len(value) >= SHORT)
    return any(char.isdigit() for char in value) or _is_password_of_letters(value)


def _is_password_of_letters(value: str) -> bool:
    """Whether letters, perhaps with signs, are no word and no message: `correct&horse`, but not `Required!`."""
    if value.isalpha() and len(value) >= LONG:
        return True
    if len(value) < SHORT:
        return False
    return (
        any(char in SIGNS for char in value[1:-1])
        or (value.isalpha() and _changes_often(value))
        or (classes(value) >= MANY_CLASSES and any(char.isupper() for char in value[1:]))
    )


def is_code_word(value: str) -> bool:
    """Whether *value* is too short to call random, but no name either: `tok_9f8e7d6c`."""
    digits = sum(char.isdigit() for char in value)
    return (
        len(value) >= _CODE_LENGTH
        and digits >= _CODE_DIGITS
        and _case_changes(value) >= _CODE_CHANGES
        and not re.match(WORDS, value)
        and not is_technical(value)
    )


def is_technical(value: str) -> bool:
    """Whether *value* speaks of an algorithm, an encoding or a type: `sha256-hashed`, `VARCHAR2`."""
    if any(char in SIGNS for char in value):
        return False
    return any(re.fullmatch(_TECHNICAL, word) for word in re.split(r"[^a-z0-9]+", value.lower()))


def classes(value: str) -> int:
    """How many of small letters, capitals, digits and signs *value* has."""
    return sum(
        (
            any(char.islower() for char in value),
            any(char.isupper() for char in value),
            any(char.isdigit() for char in value),
            any(not char.isalnum() and char not in "_.-" for char in value),
        ),
    )


def without_closers(value: str) -> str:
    """*value* without the brackets and full stops that belong to the sentence around it."""
    while value and (
        (value[-1] in _CLOSERS and value.count(_CLOSERS[value[-1]]) < value.count(value[-1])) or value[-1] in ".:?"
    ):
        value = value[:-1]
    return value


def is_strong(value: str) -> bool:
    """Whether nobody would take *value* for a word, a name, a number or a path."""
    if len(value) < SHORT or any(char in "/\\:" for char in value):
        return False
    has_digit = any(char.isdigit() for char in value)
    sign = any(char in SIGNS for char in value)
    if sign and has_digit and classes(value) >= MANY_CLASSES:
        return True
    return has_digit and classes(value) >= MANY_CLASSES and not re.match(_NAMES, value)
