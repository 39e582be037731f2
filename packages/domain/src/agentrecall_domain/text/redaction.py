"""Redaction: secrets found in a text, and replaced by a mark that names their kind.

Hot module: standard library only. Most text holds no secret, so literals decide first: without one of them no
pattern is compiled, and neither `secret_kinds` nor `secret_checks` is even imported.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Tested in the text as it came: in lower case these would be in ordinary prose ("Asia", "ask.").
_EXACT = (
    *("AKIA", "ASIA", "ABIA", "ACCA", "AIza", "GOCSPX-", "Q~", "SG.", ":AA", "EAAA", "HRKU-", "eyJ", "GR1348941"),
    *("NRAK-", "NRJS-", "NRII-", "NRAL", "PMAK-", "ATATT3", "ATCTT3", "ATBB", "sl.A", "sl.B", "sl.u.", "EAA"),
    *(
        "CCIPAT_",
        "CCIPRJ_",
        "CFPAT-",
        "AAAAAAAAAAAAAAAAAAAA",
        "WPL_AP1.",
        "IQoJb3JpZ2lu",
        "FwoGZXIvYXdz",
        "AKCp",
        "LTAI",
    ),
)

# Tested in the lower-cased text.
_LOWERED = (
    *("passw", "passphrase", "pwd", "secret", "token", "pgpass", "credential", "cookie", "bearer", "private-lines"),
    *("sig=", "xox", "hooks.slack", "ya29.", "1//0", "twilio", "mailgun", "mailchimp", "discord", "login(", "sq0"),
    *("heroku", "dapi", "hvs.", "hvb.", "hvr.", ".atlasv1.", "curl ", "mysql", "mariadb", ":5432:", ":*:", "dp.pt."),
    *("dp.st.", "dp.ct.", "dp.sa.", "airtable", "asana", "okta", "ssws", "datadog", "facebook", "linkedin", "vercel"),
    *("netlify", "oy2", "sk.ey", "cloudflare", "vault", "sk_live", "sk_test", "rk_live", "rk_test"),
    *("ops_ey", "session-token"),
)

# What stands before a character that half of all token prefixes end in: one pass over the text instead of sixty.
_BEFORE = {
    "_": (
        *("ghp", "gho", "ghu", "ghs", "ghr", "github", "dckr", "whsec", "npm", "hf", "shpat"),
        *("shpca", "shppa", "shpss", "dop", "doo", "dor", "lin", "ntn", "figd", "glsa", "glc", "sntrys", "sntryu"),
        *("fm1r", "fm1a", "fm2", "fo1", "sbp", "pscale", "bkua", "bkct", "vcp", "nfp", "rnd", "r8", "gsk", "rubygems"),
        *("lsv2", "squ", "sqp", "sqa", "phx", "tfp"),
    ),
    "-": (
        *("glpat", "gldt", "glrt", "glcbt", "glptt", "glft", "glimt", "glagent", "glsoat", "gloas", "xapp"),
        *(
            "\nsk",
            " sk",
            "\tsk",
            "nsk",
            '"sk',
            "'sk",
            "`sk",
            "=sk",
            ":sk",
            "(sk",
            "[sk",
            ">sk",
            ",sk",
            "/sk",
            "_sk",
            "{sk",
        ),
        *("pypi", "v1.0", "pplx", "xai", "pul", "xkeysib", "age"),
    ),
    "key": ("_", "-", "api", "api ", "api.", "ss", "ss ", "ss.", "te", "te ", "te.", "ng", "on", "er", "nt", "ed"),
}

# What stands after a word that is harmless in prose.
_AFTER = {
    "auth": ("=", ":", '"', "'", "`", "\\", "]", " =", " :", " is", ">", "(", "orization", "_", "-"),
    "key-": tuple("0123456789abcdef"),
    "-us": ("1", "2", "3", "4", "5", "6", "7", "8", "9"),
    "pass": ("=", ":", '"', "'", "`", "\\", "]", " =", " :", ">", "(", "_", "-"),
}

_MARK = r"\[redacted:[a-z0-9-]{1,40}\]"

# A mark can free the edge of a neighbour that was glued to the secret. Two rounds settle every text we saw.
_MOST_ROUNDS = 8

_compiled: dict[int, re.Pattern[str]] = {}


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
    lowered = text.lower()
    if not _may_hold_a_secret(text, lowered):
        return []

    # A rare path: the table and its patterns cost milliseconds.
    from agentrecall_domain.text.secret_checks import CHECKS  # noqa: PLC0415 -- see above
    from agentrecall_domain.text.secret_kinds import KINDS  # noqa: PLC0415 -- see above

    masked = _without_marks(text)
    found: list[tuple[int, int, int]] = []
    for rank, (_kind, literals, pattern, check) in enumerate(KINDS):
        if not any(literal in lowered or literal in text for literal in literals):
            continue
        if rank not in _compiled:
            _compiled[rank] = re.compile(pattern, re.ASCII)
        examine = CHECKS[check]
        for match in _compiled[rank].finditer(masked):
            span = examine(match)
            if span is not None:
                found.append((*span, rank))
    return [(start, end, KINDS[rank][0]) for start, end, rank in _merged(found)]


def _may_hold_a_secret(text: str, lowered: str) -> bool:
    """Whether any kind's literal could be in *text*: tests without a pattern, about 0.1 ms for 2 kB."""
    if any(literal in lowered for literal in _LOWERED) or any(literal in text for literal in _EXACT):
        return True
    if "://" in text and "@" in text:
        return True
    for mark, endings in _BEFORE.items():
        if mark in lowered and any(piece.endswith(endings) for piece in f"\n{lowered}".split(mark)[:-1]):
            return True
    for word, beginnings in _AFTER.items():
        if word in lowered and any(piece.startswith(beginnings) for piece in lowered.split(word)[1:]):
            return True
    return False


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
