"""Redaction: secrets found in a text, and replaced by a mark that names their kind.

Hot module: standard library only. Most text holds no secret, so literals decide first: without one of them no
pattern is compiled and `secret_kinds` is not even imported.
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

# Tested in the lower-cased text. Each is a part of at least one kind's literals.
_LOWERED = (
    *("passw", "passphrase", "pwd", "secret", "token", "_pass", "-pass", "pgpass", "credential", "cookie", "bearer"),
    *("_key", "-key", "pikey", "api key", "sskey", "ss key", "tekey", "te key", "accountkey", "sig=", "key-"),
    *("private key", "private-lines", "auth=", "auth:", 'auth"', "auth'", "auth =", "auth :", "auth\\", "auth is"),
    *("auth>", "auth(", "auth`", "authorization", "api.key", "access.key", "private.key", "ngkey", "onkey", "erkey"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "_pat_", "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-"),
    *("glimt-", "glagent-", "glsoat-", "gloas-", "xox", "xapp-", "hooks.slack", "sk_live", "sk_test", "rk_live"),
    *("rk_test", "whsec_", "sk-", "ya29.", "1//0", "npm_", "pypi-ag", "hf_", "dckr_", "twilio", "mailgun", "mailchimp"),
    *("-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9", "discord", "login(", "shpat_", "shpca_"),
    *("shppa_", "shpss_", "sq0", "_v1_", "heroku", "dapi", "hvs.", "hvb.", "hvr.", ".atlasv1.", "age-sec", "curl "),
    *("mysql", "mariadb", ":5432:", ":*:", "lin_api_", "lin_oauth_", "ntn_", "figd_", "glsa_", "glc_", "sntrys_"),
    *("sntryu_", "v1.0-", "fm1", "fm2_", "fo1_", "dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "sbp_", "pscale_"),
    *("airtable", "asana", "bkua_", "bkct_", "okta", "ssws", "datadog", "dd_", "facebook", "linkedin", "vercel"),
    *("vcp_", "netlify", "nfp_", "rnd_", "r8_", "gsk_", "pplx-", "xai-", "pul-", "rubygems_", "oy2", "xkeysib-"),
    *("lsv2_", "sk.ey", "squ_", "sqp_", "sqa_", "ops_ey", "phx_", "tfp_", "cloudflare", "vault"),
)

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
    from agentrecall_domain.text.secret_kinds import CHECKS, KINDS  # noqa: PLC0415 -- see above

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
    return (
        any(literal in lowered for literal in _LOWERED)
        or any(literal in text for literal in _EXACT)
        or ("://" in text and "@" in text)
    )


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
