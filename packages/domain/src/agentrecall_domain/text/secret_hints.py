"""Secret hints: whether a common word, such as `token` or `login`, has something beside it that may be a secret.

Imported by `redaction` when nothing but such words is in a text, before the tables. Each test asks less than the
patterns and checks of the kinds that its words stand for: what it refuses, they would refuse.
"""

from __future__ import annotations

import re

# What is enough when all of it is in the lowered text: the values of these kinds may be words like others.
_VAULTS = ("cargo", "vault", "wandb", "dnx", "gcp", "infisical")
_TOGETHER = (
    *(("key-----",), ("key block-",), ("kind: secret",), ('kind": "secret',), ("kty", '"'), ("kty", "'")),
    *((name,) for name in ("requirepass", "masterauth", "auth_pass", "auth-pass", "storepass", "keypass", "authtoken")),
    *((name,) for name in ("setapikey", "securestring", "rabbitmqctl", "pass:", 'auth"', 'auth\\"')),
    *((f"{salt}{quote}",) for salt in ("auth_key", "logged_in_key", "nonce_key", "_salt") for quote in "\"'"),
    *(
        ("unseal", "operator"),
        ("snyk", "auth"),
        ("gh secret",),
        ("gh\tsecret",),
        *((tool, "login") for tool in _VAULTS),
    ),
    *(("machine", "login", "password"), ("default", "login", "password"), ("authorization", "basic")),
    *((tool, "config") for tool in ("poetry", "bundle", "composer")),
    *((call, "(") for call in ("mysqli", "pdo", "getconnection", "credential(", "credentials(")),
    *((f"identified {word}", quote) for word in ("by", "as", "with") for quote in "\"'"),
    ("variable", "default", "{"),
)

# How the line of a program gives a password: after a blank, one of these.
_OPTIONS = (
    (
        ("-p", "-hp"),
        (
            *("sqlcmd", "bcp", "isql", "osql", "tsql", "mosquitto", "ipmitool", "zip", "mongo", "sshpass", "login"),
            *("cqlsh", "rabbitmqadmin", "arangosh", "useradd", "usermod", "plink", "pscp", "psftp", "putty", "influx"),
            *("winexe", "7z", "rar"),
        ),
    ),
    (("-a", "--auth"), ("redis", "valkey", "keydb", "xh")),
    (("-w",), ("ldap",)),
    (("-u", "--user"), ("smbclient", "rpcclient", "smbget", "lftp")),
    (("-",), ("htpasswd", "nuget")),
    (("/p",), ("freerdp", "signtool")),
)
_PIPED = ("sudo", "login", "stdin", "chpasswd")

# Names to which only an operator gives a value, or the value itself right behind the name.
_NAMES = ("token", "secret", "key", "auth", "pat", "pw", "pass")
_GIVEN = (
    r"(?:token|secret|key|auth(?:orization)?|pat|pw|pass)"
    r"(?:[_\- ]?(?:\d{1,2}|prod|production|staging|stage|dev|live|base|value|old|new)(?![a-z]))?"
    r"(?=(\\{0,3}[\"'`]?[\])*]{0,3}[\"'`]?\s{0,45}\\{0,3}"
    r"(?:[:=|?>,(<\"'`]|n[\"'`]|(?:or|is|was|to|as|are|value)\b|\.\w{2,9}\())?)"
)
_REACH, _OVERLAP = 120, 30

# Words that people tell a password with, by their beginnings, and how far before and after one it may be.
_TOLD_WORDS = """
passw|passord|passcode|passphrase|pass phrase|pass word|pwd|credential|creds|kennwort|zugang|anmeld|einlog
mot de passe|mots de passe|account|mdp|identifi|connexion|contrase|clave|usuario|aces|acces|senha|palavra|parol
credenz|credenc|utente|parool|wachtwoord|inlog
logowani|logga in|kirjaud|usuário|přihl|belép|giriş
σύνδεση|вход|تسجيل الدخول|losenord|adgangskode|kodeord|salasan|hasl|hesl|gesl|lozink|zaporka|jelsz|sifre|sandi|laluan
nenosiri|masuk|mat khau|log in|login|logging in|log me in|sign in|signin|pw|psk|bearer|seed|mnemonic|wallet
totp|2fa|mfa|authenticator|factor|unseal|snyk
"""
_TOLD = tuple(word for line in _TOLD_WORDS.split("\n") for word in line.split("|") if word)
_BEFORE_WORD, _AFTER_WORD = 100, 160

# Values of a known shape that stand anywhere in the text.
_SHAPES = (
    r"[0-2]/\d{10}|pat[A-Za-z0-9]{14}\.[a-f0-9]|[MNO][\w\-]{22,28}\.[\w\-]{6}\.[\w\-]{27}"
    r"|[12][A-Za-z0-9]{26}_|[5KL][1-9A-HJ-NP-Za-km-z]{50}"
)

# A session is named in one word with its value, on a line that speaks of cookies.
_SESSION = r"(?:sess|sid|auth|token|jwt|csrf|xsrf|login|remember|identity)[a-z0-9_.\-]{0,30}=[^\s;,\"'\\<>]{8}"

# Four groups of four letters, as Google and Apple write a password.
_FOUR_GROUPS = r"(?<![a-z])[a-z]{4}(?:(?: [a-z]{4}){3}|(?:-[a-z]{4}){3})(?![a-z])"
_GROUPED = ("passw", "app pass", "app-pass", "mdp", "contrase", "senha")

# A password of SQL stands in quotes, behind one of these words.
_SQL = r"(?:encrypted|with|login|superuser|createdb|set|user\s{1,4}\S{1,80})[ \t]{1,4}password[ \t]{0,4}=?[ \t]{0,4}n?'"

# So many words of these lengths in a row may open a wallet, when none of them is one that only sentences have.
_WALLETS = ("seed", "mnemonic", "wallet", "recovery phrase", "secret phrase", "backup phrase", "recovery words")
_WALLET_WORDS, _SHORTEST_WORD, _LONGEST_WORD = 12, 3, 8
_IN_SENTENCES = frozenset(["the", "and", "for", "with", "from", "are", "was", "not", "has", "have", "which", "must"])

# What no word of prose has: digits and signs, many capitals, or so many letters.
_CHUNK = r"\S{1,300}"
_SIGNS = frozenset("!@#$%^&*~+=?")
_BESIDE = "\"'`.,;()[]{}<>*"
_QUOTES = "\"'`"
_FEWEST, _MANY_LETTERS, _CAPITALS_IN = 4, 20, 4

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def may_be_told(text: str, lowered: str) -> bool:
    """Whether anything in *text* stands where one of its common words has a secret."""
    return (
        len(text) != len(lowered)
        or any(all(part in lowered for part in parts) for parts in _TOGETHER)
        or _is_in_a_command(lowered)
        or _is_told(text, lowered)
        or _is_given(text, lowered)
        or _is_of_words(text, lowered)
        or ("cookie" in lowered and re.search(_SESSION, lowered) is not None)
        or re.search(_SHAPES, text) is not None
    )


def _is_in_a_command(lowered: str) -> bool:
    for options, programs in _OPTIONS:
        if any(f"{blank}{option}" in lowered for option in options for blank in " \t") and any(
            program in lowered for program in programs
        ):
            return True
    return "|" in lowered and ("echo" in lowered or "printf" in lowered) and any(word in lowered for word in _PIPED)


def _is_of_words(text: str, lowered: str) -> bool:
    """Whether it may be one of the few secrets that have no digit and no sign."""
    return (
        (any(word in lowered for word in _GROUPED) and re.search(_FOUR_GROUPS, text) is not None)
        or any('"' in after or "'" in after or "`" in after for after in _after("passphrase", lowered))
        or ("password" in lowered and "'" in lowered and re.search(_SQL, lowered) is not None)
        or (any(word in lowered for word in _WALLETS) and _has_wallet_words(text))
    )


def _after(word: str, lowered: str) -> Iterator[str]:
    return (piece[:_REACH] for piece in lowered.split(word)[1:])


def _has_wallet_words(text: str) -> bool:
    run = 0
    for chunk in text.replace(",", " ").split():
        word = chunk.strip("0123456789.):(>\"'`*=")
        if word.islower() and _SHORTEST_WORD <= len(word) <= _LONGEST_WORD and word not in _IN_SENTENCES:
            run += 1
        elif word:
            run = 0
        if run >= _WALLET_WORDS:
            return True
    return False


def _is_given(text: str, lowered: str) -> bool:
    """Whether a name is followed by an operator and what may be its value, or by the latter at once."""
    if not any(name in lowered for name in _NAMES):
        return False
    read = 0
    for name in re.finditer(_GIVEN, lowered):
        end = name.end() + _REACH
        # What an earlier name has read is not read again, but for what a cut may have parted.
        chunks = text[max(name.end(), read - _OVERLAP) : end].split()
        if name[1] is not None:
            read = end
        elif read < name.end():
            chunks = chunks[:1]
        if any(_may_be_value(chunk) for chunk in chunks):
            return True
    return False


def _is_told(text: str, lowered: str) -> bool:
    """Whether what may be a value is near a word that people tell a password with."""
    words = [word for word in _TOLD if word in lowered]
    if not words:
        return False
    chunks = re.compile(_CHUNK)
    read = 0
    for word in re.finditer("|".join(words), lowered):
        start, end = max(read, word.start() - _BEFORE_WORD), word.end() + _AFTER_WORD
        for chunk in chunks.finditer(text, start):
            if chunk.start() >= end:
                break
            if _may_be_value(chunk[0]):
                return True
            read = chunk.end()
    return False


def _may_be_value(chunk: str) -> bool:
    """Whether *chunk* may be a password or a key, or holds one: no check of a kind lets pass what this refuses."""
    if chunk.isalpha() and chunk.islower():
        return len(chunk) >= _MANY_LETTERS
    core = chunk.strip(_BESIDE)
    if len(core) < _FEWEST:
        return False
    if core.isalpha() and core.isascii():
        capitals = sum(char.isupper() for char in core[1:])
        if len(core) >= _MANY_LETTERS or not capitals or core.isupper():
            return len(core) >= _MANY_LETTERS
        return capitals * _CAPITALS_IN >= len(core) or _has_signs_in_quotes(*chunk.split(core, 1))
    if any(char.isdigit() for char in core) or not _SIGNS.isdisjoint(core[1:-1]):
        return True
    inner = core[1:]
    return (inner != inner.lower() and core != core.upper()) or re.search(r"[^\W\d_]{20}", core) is not None


def _has_signs_in_quotes(before: str, after: str) -> bool:
    """Whether a quoted word has signs at its edges, within the quotes: they may belong to a password."""
    opening = next((at for at, char in enumerate(before) if char in _QUOTES), None)
    if opening is None:
        return False
    return bool(before[opening + 1 :] or after.partition(before[opening])[0].strip("."))
