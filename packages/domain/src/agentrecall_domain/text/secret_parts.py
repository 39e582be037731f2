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

# What a secret's name ends in. `auth` and `token` are common words, so their values must look generated.
NAME = (
    r"(pass(?:words?|wd|phrase|code)|pwd|passwort|kennwort|mot_?de_?passe|contrase[nñ]a|senha|wachtwoord|has[lł]o"
    r"|mdp|clave|heslo|geslo|parola|lozinka|jelsz[oó]|[sş]ifre|salasana|adgangskode|passord|l[oö]senord|пароль"
    r"|(?<![A-Za-z])(?:pass|pw|psk|pat)(?![A-Za-z])|(?<=[_\-])(?:pass|pw)|(?-i:(?<=[a-z])P(?:ass|w))"
    r"|(?:api|app|application|access|private|secret|signing|encrypt(?:ion)?|crypto|cipher|master|account|session|auth"
    r"|server|shared|storage|service|license|integration|routing|subscription|function|hmac|aes|jwt|fernet|webhook|deploy"
    r"|admin|root|unseal|preshared|pre[_-]shared|cookie|ingest(?:ion)?|write|logged[_-]in|nonce|totp|otp|mfa|2fa"
    r")[_\-. ]?key"
    r"|(?:auth|logged_in|nonce)_salt|(?:totp|otp|mfa|2fa|hd|wallet)[_\-]?seed"
    r"|secret|token|credentials?|auth)"
    r"(?:[_\-]?(?:\d{1,2}|prod|production|staging|stage|dev|live|base|value|old|new)|[ ]\d{1,2})?"
)
_TYPE = r":[ \t]{0,4}(?:str|string|String|&(?:'static )?str|Optional\[str\]|str \| None|string \| undefined)[ \t]{0,4}="
GIVES = (
    r"(?:"
    # as in code, JSON or a header, with the name perhaps quoted, bold or an index
    r"""\\{0,3}["'`]?(?:\]|\*{2})?[ \t]{0,20}(?:""" + _TYPE + r"|:=|:-|=>|={1,3}|:)[ \t]{0,8}"
    # what it is when nothing else is set
    r"""|["'`]?[\])]?[ \t]{0,4}(?:\|\|=?|\?\?=?|\bor\b)[ \t]{0,4}(?=["'`])"""
    # a list of names and values, as containers and .NET have
    r"""|\\{0,3}["']?[,\s]{1,40}\\{0,3}["']?value\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}"""
    # the arguments of a call
    r"""|\\{0,3}["'][ \t]{0,4},[ \t]{0,20}(?=["'])|(?:\.(?:equals|set|send_?keys|fill|type|put))?\((?=["'])"""
    # the next word in quotes, as in SQL
    r"""|[ \t]{1,4}(?=N?["'`])"""
    # an XML element, a property list, a table of Markdown
    r"|>(?=[^<>\s]{4,256}</)|</key>\s{0,40}<string>(?=[^<>\s]{4,256}</)"
    r"""|["'`]?(?:\*{2})?[ \t]{1,20}\|[ \t]{1,4}"""
    # the next line of YAML
    r"|:[ \t]{0,4}[|>][-+]?[ \t]{0,4}\n[ \t]{1,20}"
    r")"
)
VALUE = (
    # Captured in a look-ahead: what is refused is searched again for the name of another secret.
    r"""(?=(?:\\{0,3}[brNu@]{0,2}"([^"\\\n]{0,512}+(?:\\[^"\\nrt][^"\\\n]{0,200}+){0,8}+)"""
    r"""|\\{0,3}[brNu@]{0,2}'([^'\\\n]{0,512}+(?:\\[^'\\nrt][^'\\\n]{0,200}+){0,8}+)"""
    r"""|\\{0,3}`([^`\\\n]{4,512})"""
    r"""|((?:&(?!(?:amp;)?[\w.\-\[\]]{1,40}=)){0,2}+[^\s"'`,;<>\\&]{1,256}+"""
    r"""(?:&(?!(?:amp;)?[\w.\-\[\]]{1,40}=)[^\s"'`,;<>\\&]{0,100}+){0,4}+)))"""
)

# A word of a command line, in quotes or without: the last group of its pattern.
ARGUMENT = r"""(?:\\?"([^"\\\n]{4,200})|\\?'([^'\\\n]{4,200})|([^\s"'`|;<>\\$-][^\s"'`|;<>\\]{3,200}))"""

# From a program's name to its option: words of the same command. It may be called by its path, or in quotes.
WORDS = r"(?:[^\n|;]{0,240}?[ \t])?"
