"""Redaction: secrets found in a text, and replaced by a mark that names their kind.

Hot module: standard library only. Most text holds no secret, so literals decide first: without one of them no
pattern is compiled, and neither `secret_kinds` nor `secret_checks` is even imported. Where nothing but common words
is found, `secret_hints` decides by what stands beside them.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Tested in the text as it came: in lower case these would be in ordinary prose ("Asia", "ask.").
_EXACT = (
    *("AKIA", "ASIA", "ABIA", "ACCA", "AIza", "GOCSPX-", "Q~", "SG.", ":AA", "HRKU-", "eyJ", "GR1348941", "NRAK-"),
    *("NRJS-", "NRII-", "NRAL", "PMAK-", "ATATT3", "ATCTT3", "ATBB", "EAA", "CCIPAT_", "CCIPRJ_", "CFPAT-", "AKCp"),
    *("AAAAAAAAAAAAAAAAAAAA", "WPL_AP1.", "IQoJb3JpZ2lu", "FwoGZXIvYXdz", "LTAI", "LS0tLS1CRUdJTi", "FlyV1", "AZDO"),
    *("SCW", "AQVN", "YCAJ", "YCM", "AKID", "cmVmd", "CLOJARS_", "dG9rO", "IGQ", "IGAA", "EZAK", "EZTK", "FLWSECK"),
)
_MAILCHIMP = tuple(f"-us{digit}" for digit in "0123456789")
_DROPBOX = ("sl.A", "sl.B", "sl.u.")

# First we look for their capitals and such, among those of the text: a tenth of it.
_SELDOM = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZyz.:~")
_FREQUENT = bytes(code for code in range(128) if chr(code) not in _SELDOM)
_TRACES = tuple((literal.encode().translate(None, _FREQUENT), literal) for literal in _EXACT)

# Tested in the lower-cased text. What is no secret without another literal is left out: Vault's have `token`.
_LOWERED = (
    *("hooks.slack", "1//0", "login(", "dapi", ":5432:", "airtable", "asana", "ssws", "oy2", "twilio", "cflt"),
    *("mlsn.", "vk1.a.", "4/0a", "recovery code", "backup code"),
    *(f"{edge}cio" for edge in "\n \"'`=:("),
    *(f".run({quote}{first}" for quote in "\"'" for first in "mno"),
)

# Common in talk about software, so `secret_hints` looks at what stands beside them, before any table is loaded.
_COMMON = (
    *("secret", "token", "credential", "cookie", "bearer", "pwd", "contrase", "log in", "sign in"),
    *("logging in", "-factor", "palavra", "zugang", "anmeld", "mat khau", "identified ", "discord"),
)

# Whole words of letters and digits, in small letters: all are looked up together.
_WORDS = frozenset(
    b"""
    login logins signin creds kennwort zugangscode zugangsdaten mdp identifiants identifiant connexion clave claves
    credenciales credenziali senha senhas palavra parola parole parool parolasi parolu wachtwoord wachtwoorden
    kodeord kodeordet adgangskode adgangskoden losenord losenordet salasana salasanan haslo hasla haslem heslo hesla
    heslem geslo gesla lozinka lozinku lozinke zaporka jelszo jelszava sifre sifresi kata sandi sandinya nenosiri pw
    psk kty usuario utente acceso acesso accesso masuk seed mnemonic wallet totp 2fa mfa authenticator snyk unseal
    setapikey sqlcmd bcp isql tsql osql mosquitto ipmitool zip unzip zipcloak mongo mongosh mongodump mongorestore
    mongoexport mongoimport mongostat mongotop sshpass cqlsh rabbitmqadmin rabbitmqctl arangosh useradd usermod
    redis valkey keydb xh xhs ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare ldapmodrdn
    smbclient rpcclient smbget lftp plink pscp psftp putty storepass keypass influx winexe signtool 7z 7za 7zr rar
    unrar freerdp xfreerdp wlfreerdp sdlfreerdp xfreerdp3 htpasswd sudo securestring nuget mysqli pdo getconnection
    poetry bundle composer
    """.split(),
)
# What is no part of such a word becomes a space, by one pass over the bytes.
_APART = bytes(code if bytes([code]).isalnum() else 32 for code in range(256))

# Words for a password that are spelled beyond ASCII, and as many beginnings as tell them from other words.
_WORDS_BEYOND_ASCII = """
contraseña lösenord lykilorð hasł šifr jelsz şifre slaptažod mật khẩu đăng nhập κωδικ συνθημ парол лозинк логин доступ
учетк учётк 密码 密碼 口令 账号 帳號 账户 登录 登入
パスワード 暗証 ログイン アカウント 비밀번호 패스워드 비번 암호 계정 로그인
كلمة رمز گذرواژه پسورد پاس حساب ورود סיסמ התחבר पासवर्ड कूटशब्द लॉगिन পাসওয়ার্ড கடவுச்சொல் รหัสผ่าน
"""
_FOREIGN = tuple(_WORDS_BEYOND_ASCII.split())

# Tested there too, but only with what their secrets need besides: one character is found, or missed, in no time.
_GATED = {
    "=": ("sig=", "signature=", "code=", "_password"),
    "*": (":*:",),
    "|": ("facebook",),
    " -a": ("http ", "https "),
    " /": ("net use",),
    "/": (
        *("/hooks/", "/hook/", "incomingwebhook/", "maker.ifttt", "hooks.zapier", "webhook/send", "make.com/"),
        *("discord.com/api", "discordapp.com/api"),
    ),
    "(": ("new mysqli(", "new pdo(", "_connect(", "_bind(", "getconnection(", "basic("),
    "-": (
        *("-sk-", "access-production", "access-sandbox", "access-development", "private-lines", "mailgun", "curl "),
        *("mysql", "mariadb"),
    ),
    "_": ("k_live_", "k_test_", "vercel_blob_rw_", "_salt"),
    "dp.": ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa."),
}

# What stands before a character that half of all token prefixes end in: one pass over the text instead of sixty.
_BEFORE = {
    "_": (
        *("ghp", "gho", "ghu", "ghs", "ghr", "github", "dckr", "whsec", "npm", "hf", "shpat"),
        *("shpca", "shppa", "shpss", "dop", "doo", "dor", "lin", "ntn", "figd", "glsa", "glc", "sntrys", "sntryu"),
        *("fm1r", "fm1a", "fm2", "fo1", "sbp", "pscale", "bkua", "bkct", "vcp", "nfp", "rnd", "r8", "gsk", "rubygems"),
        *("lsv2", "squ", "sqp", "sqa", "phx", "tfp", "ddp", "ddo", "pnu", "pnb", "napi", "npg", "avns", "pcsk", "tgp"),
        *("jina", "rpa", "sgp", "rzp", "duffel", "shippo", "pdl", "live", "rdme", "hcaik", "hcalk", "hcxik", "hcxlk"),
        *("hcamk", "hcxmk", "y0", *(f"{edge}{word}" for edge in "\n \"'`=:(" for word in ("sk", "re", "fw", "pk"))),
    ),
    "-": (
        *("glpat", "gldt", "glrt", "glcbt", "glptt", "glft", "glimt", "glagent", "glsoat", "gloas", "xapp"),
        *(f"{edge}sk" for edge in "\n \tn\"'`=:([{<>)]},;./|\\_&$#@+*~"),
        *("pypi", "v1.0", "pplx", "xai", "pul", "xkeysib", "age", "sq0atp", "sq0csp"),
        *(f"xox{letter}" for letter in "abeoprsc"),
        *(
            "tskey",
            "glwt",
            "glffct",
            "gluut",
            "csk",
            "tvly",
            "nvapi",
            "fio",
            "ico",
            "perm",
            "p8e",
            "xaat",
            "xapt",
            "xait",
        ),
        *(f"{edge}{word}" for edge in "\n \"'`=:(" for word in ("pa", "fc", "pat", "sdk", "mob")),
    ),
    ".": (
        "ya29",
        "hvs",
        "hvb",
        "hvr",
        "atlasv1",
        "mlsn",
        *(f"{edge}{word}" for edge in " \"'`=:(" for word in ("pat", "sat", "aq")),
    ),
}

# Two characters say no to nearly every piece, sooner than sixty endings do.
_LAST_TWO = {mark: {ending[-2:] for ending in endings} for mark, endings in _BEFORE.items()}

# What a key is called that is a secret, when neither `_` nor `-` says that it has a name.
_KEYS = (
    *("api", "app", "application", "access", "private", "signing", "encrypt", "encryption", "crypto", "cipher"),
    *("master", "account", "session", "auth", "server", "shared", "storage", "service", "license", "integration"),
    *("routing", "subscription", "function", "hmac", "aes", "jwt", "fernet", "webhook", "deploy", "admin", "root"),
    *("unseal", "preshared", "cookie", "ingest", "ingestion", "write", "totp", "otp", "mfa", "2fa"),
)

# What stands before a word that is harmless in prose, and what after it.
_AROUND = {
    "key": (
        ("_", "-", *(f"{word}{gap}" for word in _KEYS for gap in ("", " ", "."))),
        tuple(f"-{digit}" for digit in "0123456789abcdef"),
    ),
    "auth": (
        ("master", "snyk "),
        ("=", ":", '"', "'", "`", "\\", "]", " =", " :", " is", ">", "(", "orization", "_", "-", "\t", "  "),
    ),
    "pass": (
        ("pg", "ssh", "require", "store", "key"),
        (
            *("=", ":", '"', "'", "`", "\\", "]", " =", " :", ">", "(", "_", "-", "w", "phrase", "\t", "  ", "ord"),
            *("code", "e ", "e:", " phrase", " word"),
        ),
    ),
    "pw": ((" ", "(", "/", "_", "-", "\n", '"', "'"), (":", "=", " ")),
    "pat": ((), ("=", ":", '"', " =", " is")),
}

# Those whose secrets are called by one of these words, or were tested as token and secret, and how far before it.
_MAKERS = (
    *("cloudflare", "datadog", "heroku", "linkedin", "netlify", "okta", "vercel"),
    *("cf_api", "cf-api", "dd_api", "dd_app", "dd-api", "dd-app", "linode", "snyk", "cohere", "mistral", "together"),
    *("deepgram", "deepinfra", "assemblyai", "eleven", "wandb", "zendesk", "intercom", "messagebird", "sumo", "trello"),
    *("algolia", "plaid", "pagerduty", "opsgenie", "bitly", "freshbooks", "paypal", "postmark"),
)
_MAKER_REACH = 60

_MARK = r"\[redacted:[a-z0-9-]{1,40}\]"

# A mark can free the edge of a neighbour that was glued to the secret. Two rounds settle every text we saw.
_MOST_ROUNDS = 8


def redact(text: str) -> str:
    """Replace each secret of *text* by `[redacted:<kind>]`; a second call changes nothing."""
    for _ in range(_MOST_ROUNDS):
        secrets = find_secrets(text)
        if not secrets:
            break
        text = _replaced(text, secrets)
    return text


def find_secrets(text: str) -> list[tuple[int, int, str]]:
    """Where the secrets of *text* start and end, and their kinds: sorted, without overlaps."""
    text = _without_marks(text)
    lowered = text.lower()
    if not _may_hold_a_secret(text, lowered):
        return []

    # A rare path: the table and its patterns cost milliseconds.
    from agentrecall_domain.text.secret_checks import CHECKS  # noqa: PLC0415 -- see above
    from agentrecall_domain.text.secret_kinds import KINDS, pattern_for, possible_rows  # noqa: PLC0415 -- see above

    found: list[tuple[int, int, int]] = []
    for rank in possible_rows(text, lowered):
        _kind, _literals, general, check = KINDS[rank]
        pattern = pattern_for(general, lowered)
        if not pattern:
            continue
        examine = CHECKS[check]
        for match in re.compile(pattern, re.ASCII).finditer(text):
            span = examine(match)
            if span is not None:
                found.append((*span, rank))
    return [(start, end, KINDS[rank][0]) for start, end, rank in _merged(found)]


def _may_hold_a_secret(text: str, lowered: str) -> bool:
    """Whether any kind's literal could be in *text*: tests without a pattern, about 0.05 ms for 2 kB."""
    return (
        any(literal in lowered for literal in _LOWERED)
        or any(gate in lowered and any(literal in lowered for literal in _GATED[gate]) for gate in _GATED)
        or ("@" in text and "://" in text)
        or (not text.isascii() and any(literal in lowered for literal in _FOREIGN))
        or ("sl." in text and any(literal in text for literal in _DROPBOX))
        or ("-us" in lowered and any(literal in lowered for literal in _MAILCHIMP))
        or _has_exact(text)
        or _has_before(lowered)
        or (_has_common(lowered) and _may_be_told(text, lowered))
    )


def _has_common(lowered: str) -> bool:
    return (
        any(literal in lowered for literal in _COMMON)
        or not _WORDS.isdisjoint(lowered.encode("ascii", "replace").translate(_APART).split())
        or _has_around(lowered)
    )


def _may_be_told(text: str, lowered: str) -> bool:
    from agentrecall_domain.text.secret_hints import may_be_told  # noqa: PLC0415 -- seldom needed

    return may_be_told(text, lowered)


def _has_exact(text: str) -> bool:
    left = text.encode("ascii", "ignore").translate(None, _FREQUENT)
    return any(trace in left and literal in text for trace, literal in _TRACES)


def _has_before(lowered: str) -> bool:
    for mark, endings in _BEFORE.items():
        if mark not in lowered:
            continue
        last_two = _LAST_TWO[mark]
        pieces = f"\n{lowered}".split(mark)[:-1]
        if any(piece[-2:] in last_two and piece.endswith(endings) for piece in pieces):
            return True
    return False


def _has_around(lowered: str) -> bool:
    befores: list[str] = []
    for word, (endings, beginnings) in _AROUND.items():
        if word not in lowered:
            continue
        pieces = lowered.split(word)
        if any(piece.endswith(endings) for piece in pieces[:-1]):
            return True
        if any(piece.startswith(beginnings) for piece in pieces[1:]):
            return True
        befores += [piece[-_MAKER_REACH:] for piece in pieces[:-1]]
    before = "\n".join(befores)
    return any(maker in before for maker in _MAKERS)


def _without_marks(text: str) -> str:
    """*text* with earlier marks blanked out, each at its length: a mark is no name, no value and no secret."""
    if "[redacted:" not in text:
        return text
    return re.sub(_MARK, lambda mark: "\n" * len(mark[0]), text)


def _merged(found: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """*found* in order, with overlapping spans united under the kind that comes first in the table."""
    united: list[tuple[int, int, int]] = []
    for start, end, rank in sorted(found):
        if united and start < united[-1][1]:
            first_start, first_end, first_rank = united[-1]
            united[-1] = (first_start, max(first_end, end), min(first_rank, rank))
        else:
            united.append((start, end, rank))
    return united


def _replaced(text: str, secrets: Sequence[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    position = 0
    for start, end, kind in secrets:
        pieces.append(text[position:start])
        pieces.append(f"[redacted:{kind}]")
        position = end
    pieces.append(text[position:])
    return "".join(pieces)
