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
    *(("unseal", "operator"), ("snyk", "auth"), ("secret", "gh"), *((tool, "login") for tool in _VAULTS)),
    *(("machine", "login", "password"), ("default", "login", "password"), ("authorization", "basic")),
    *((tool, "config") for tool in ("poetry", "bundle", "composer")),
    *((call, "(") for call in ("mysqli", "pdo", "getconnection", "credential(", "credentials(")),
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
_REACH = 120

# Words that people tell a password with, by their beginnings, and what is read before and after one.
_TOLD_WORDS = """
passw|passcode|passphrase|pass phrase|pass word|pwd|credential|creds|kennwort|zugang|anmeld|einlog|mot de passe
mots de passe|mdp|identifi|connexion|contrase|clave|usuario|aces|acces|senha|palavra|parol|credenz|credenc|utente
wachtwoord|inlog|losenord|adgangskode|kodeord|salasan|hasl|hesl|gesl|lozink|zaporka|jelsz|sifre|sandi|laluan
nenosiri|masuk|mat khau|log in|login|logging in|log me in|sign in|signin|pw|psk|bearer|seed|mnemonic|wallet|private
totp|2fa|mfa|authenticator|factor|unseal|snyk
"""
_TOLD = tuple(word for line in _TOLD_WORDS.split("\n") for word in line.split("|") if word)
_BEFORE_TOLD, _AFTER_TOLD = 220, 130

# Values of a known shape that stand anywhere in a text with one of these words.
_ANYWHERE = ("token", "secret", "bearer", "discord", "_key")
_SHAPES = r"[0-2]/\d{10}|pat[A-Za-z0-9]{14}\.[a-f0-9]|[MNO][\w\-]{22,28}\.[\w\-]{6}\.[\w\-]{27}|[A-Za-z0-9]{26}_"

# A session is named in one word with its value.
_SESSIONS = ("sess", "sid", "auth", "token", "jwt", "csrf", "xsrf", "login", "remember", "identity")
_SHORTEST_COOKIE = 12

# Four groups of letters, as Google and Apple write a password.
_FOUR_GROUPS = r"(?<![a-z])[a-z]{4}([ \-])[a-z]{4}\1[a-z]{4}\1[a-z]{4}(?![a-z])"
_GROUPED = ("passw", "app pass", "app-pass", "mdp", "contrase", "senha")

# As many words of these lengths in a row may open a wallet, when none of them is one that only sentences have.
_WALLET_WORDS, _SHORTEST_WORD, _LONGEST_WORD = 12, 3, 8
_IN_SENTENCES = frozenset({"the", "and", "for", "with", "from", "are", "was", "not", "has", "have", "that", "this"})

# What no word of prose has: digits and signs, many capitals, or this many letters.
_SIGNS = re.escape("!@#$%^&*~+=?")
_FEWEST, _MANY_LETTERS, _CAPITALS_IN = 4, 20, 4


def may_be_told(text: str, lowered: str) -> bool:
    """Whether anything in *text* stands where one of its common words has a secret."""
    return (
        len(text) != len(lowered)
        or any(all(part in lowered for part in parts) for parts in _TOGETHER)
        or _is_in_a_command(lowered)
        or _is_grouped(text, lowered)
        or _is_anywhere(text, lowered)
        or _is_given(text, lowered)
        or _is_told(text, lowered)
    )
