"""Secret parts: pieces of patterns that the tables of secret kinds share.

Imported with those tables by `redaction`, never for clean text. Each quantifier is bounded, and no piece can start
again inside what it just refused, so that any text is read in linear time.
"""

from __future__ import annotations

# A row of a table: its kind, literals of which one must be in the text, its pattern, and the check of a match.
Row = tuple[str, tuple[str, ...], str, str]

# A token starts where no word runs into it; `\n` before it is an escaped line end, as in JSON inside JSON.
EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
WIDE_EDGE = r"(?:(?<![A-Za-z0-9_.\-+/])|(?<=\\[nrt]))"
END = r"(?![A-Za-z0-9])"

# Between a name and its value: closing quote, operator, opening quote, each of them perhaps escaped.
IS = r"""\\{0,3}["'`]?\]?[ \t]{0,8}(?::=|=>|={1,2}|:|\bis\b)[ \t]{0,8}\\{0,3}["'`]?"""

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

# Between the lines of a key block: line ends, real or escaped, and what quotes, joins or comments them.
GAP = r"""(?:\\{1,4}[nrt]|[\s"',|>#*`]){0,60}+"""
BLOCK = (
    r"(?:" + GAP + r"(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset):[^\n\\]{0,120}+){0,8}+"
    r"(?:"
    + GAP
    + r"(?:[A-Za-z0-9+/]{20,4096}+={0,2}|(?=[A-Za-z]{0,76}[0-9+/=])[A-Za-z0-9+/=]{5,76}+)(?![A-Za-z])){1,2000}+"
    r"(?:(?:" + GAP + r"[A-Za-z0-9+/=]{1,76}+)?" + GAP + r"-----END[A-Z0-9 ]{1,40}-----)?"
)

# Stand in a pattern for the words of these tables that are in the text: alternatives for nothing cost most.
NAME, PASSWORD_WORD, LOGIN_WORD = "<name>", "<password word>", "<login word>"

# What a secret's name ends in, and a literal without which it does not. `auth` and `token` are common words, so their
# values must look generated.
NAMES = (
    ("pass", r"pass(?:words?|wd|phrase|code)"),
    *((word, word) for word in ("pwd", "passwort", "kennwort")),
    ("passe", r"mot_?de_?passe"),
    ("contrase", r"contrase[nñ]a"),
    *((word, word) for word in ("senha", "wachtwoord", "haslo", "hasło")),
    *((word, word) for word in ("mdp", "clave", "heslo", "geslo", "parola", "lozinka", "jelszo", "jelszó", "sifre")),
    *((word, word) for word in ("şifre", "salasana", "adgangskode", "passord", "losenord", "lösenord", "пароль")),
    *((word, rf"(?<![A-Za-z]){word}(?![A-Za-z])") for word in ("pass", "pw", "psk", "pat")),
    *((word, rf"(?<=[_\-]){word}") for word in ("pass", "pw")),
    *((word, rf"(?-i:(?<=[a-z])P{word[1:]})") for word in ("pass", "pw")),
    ("key", "<key>"),
    ("_salt", r"(?:auth|logged_in|nonce)_salt"),
    ("seed", r"(?:totp|otp|mfa|2fa|hd|wallet)[_\-]?seed"),
    *(("secret", "secret"), ("token", "token"), ("credential", "credentials?"), ("auth", "auth")),
)
_KEYS = """
api app application access private secret signing encrypt encryption crypto cipher master account session auth server
shared storage service license integration routing subscription function hmac aes jwt fernet webhook deploy admin root
unseal preshared pre-shared pre_shared cookie ingest ingestion write logged_in logged-in nonce totp otp mfa 2fa
"""
KEYS = tuple(_KEYS.split())
_NAME_ENDS = r"(?:[_\-]?(?:\d{1,2}|prod|production|staging|stage|dev|live|base|value|old|new)|[ ]\d{1,2})?"


def names_in(lowered: str) -> str:
    """A group of the names that are in a text, or nothing."""
    keys = "|".join(key for key in KEYS if key in lowered)
    of_keys = rf"(?:{keys})[_\-. ]?key"
    names = [
        name.replace("<key>", of_keys) for literal, name in NAMES if literal in lowered and (keys or name != "<key>")
    ]
    return f"({'|'.join(names)}){_NAME_ENDS}" if names else ""


# What gives a name its value, and literals of which one must be there.
_TYPE = r":[ \t]{0,4}(?:str|string|String|&(?:'static )?str|Optional\[str\]|str \| None|string \| undefined)[ \t]{0,4}="
_GIVES = (
    # as in code, JSON or a header, with the name perhaps quoted, bold or an index
    (("str",), r"""\\{0,3}["'`]?(?:\]|\*{2})?[ \t]{0,20}""" + _TYPE + r"[ \t]{0,8}"),
    ((":", "="), r"""\\{0,3}["'`]?(?:\]|\*{2})?[ \t]{0,20}(?::=|:-|=>|={1,3}|:)[ \t]{0,8}"""),
    # what it is when nothing else is set
    (("||", "??", "or"), r"""["'`]?[\])]?[ \t]{0,4}(?:\|\|=?|\?\?=?|\bor\b)[ \t]{0,4}(?=["'`])"""),
    # a list of names and values, as containers and .NET have
    (("value",), r"""\\{0,3}["']?[,\s]{1,40}\\{0,3}["']?value\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}"""),
    # the arguments of a call
    ((",",), r"""\\{0,3}["'][ \t]{0,4},[ \t]{0,20}(?=["'])"""),
    (("(",), r"""(?:\.(?:equals|set|send_?keys|fill|type|put))?\((?=["'])"""),
    # the next word in quotes, as in SQL
    (('"', "'", "`"), r"""[ \t]{1,4}(?=N?["'`])"""),
    # an XML element, a property list, a table of Markdown
    (("</",), r">(?=[^<>\s]{4,256}</)|</key>\s{0,40}<string>(?=[^<>\s]{4,256}</)"),
    (("|",), r"""["'`]?(?:\*{2})?[ \t]{1,20}\|[ \t]{1,4}"""),
    # the next line of YAML
    (("\n",), r":[ \t]{0,4}[|>][-+]?[ \t]{0,4}\n[ \t]{1,20}"),
)
GIVES = "<gives>"


def gives_in(lowered: str) -> str:
    """A group of the ways to give a value that a text may have, or nothing."""
    ways = [way for literals, way in _GIVES if any(literal in lowered for literal in literals)]
    return f"(?:{'|'.join(ways)})" if ways else ""


# A value is captured in a look-ahead: what is refused is searched again for the name of another secret.
_VALUES = (
    ('"', r"""\\{0,3}[brNu@]{0,2}"([^"\\\n]{0,512}+(?:\\[^"\\nrt][^"\\\n]{0,200}+){0,8}+)"""),
    ("'", r"""\\{0,3}[brNu@]{0,2}'([^'\\\n]{0,512}+(?:\\[^'\\nrt][^'\\\n]{0,200}+){0,8}+)"""),
    ("`", r"""\\{0,3}`([^`\\\n]{4,512})"""),
)
_BARE_VALUE = (
    r"""((?:&(?!(?:amp;)?[\w.\-\[\]]{1,40}=)){0,2}+[^\s"'`,;<>\\&]{1,256}+"""
    r"""(?:&(?!(?:amp;)?[\w.\-\[\]]{1,40}=)[^\s"'`,;<>\\&]{0,100}+){0,4}+)"""
)
VALUE = "<value>"


def values_in(lowered: str) -> str:
    """A value, in the quotes that a text has, or without any."""
    return f"(?={'|'.join([*(value for quote, value in _VALUES if quote in lowered), _BARE_VALUE])})"


# A word of a command line, in quotes or without: the last group of its pattern.
ARGUMENT = r"""(?:\\?"([^"\\\n]{4,200})|\\?'([^'\\\n]{4,200})|([^\s"'`|;<>\\$-][^\s"'`|;<>\\]{3,200}))"""

# From a program's name to its option: words of the same command. It may be called by its path, or in quotes.
WORDS = r"(?:[^\n|;]{0,240}?[ \t])?"
