"""Secret kinds: the table of how each is recognised.

Imported by `redaction` once a literal said that a secret is possible. Patterns are kept as strings, for
`redaction` compiles only those whose own literals are in the text. Each quantifier is bounded, and no pattern
can start again inside what it just refused, so that any text is read in linear time. What a match is worth is
judged by the check that its row names, in `secret_checks`.
"""

from __future__ import annotations

# A token starts where no word runs into it; `\n` before it is an escaped line end, as in JSON inside JSON.
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
_WIDE_EDGE = r"(?:(?<![A-Za-z0-9_.\-+/])|(?<=\\[nrt]))"
_END = r"(?![A-Za-z0-9])"

# Between a name and its value: closing quote, operator, opening quote, each of them perhaps escaped.
_IS = r"""\\{0,3}["'`]?\]?[ \t]{0,8}(?::=|=>|={1,2}|:|\bis\b)[ \t]{0,8}\\{0,3}["'`]?"""

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

# Between the lines of a key block: line ends, real or escaped, and what quotes, joins or comments them.
_GAP = r"""(?:\\{1,4}[nrt]|[\s"',|>#*`]){0,60}+"""
_BLOCK = (
    r"(?:" + _GAP + r"(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset):[^\n\\]{0,120}+){0,8}+"
    r"(?:"
    + _GAP
    + r"(?:[A-Za-z0-9+/]{20,4096}+={0,2}|(?=[A-Za-z]{0,76}[0-9+/=])[A-Za-z0-9+/=]{5,76}+)(?![A-Za-z])){1,2000}+"
    r"(?:(?:" + _GAP + r"[A-Za-z0-9+/=]{1,76}+)?" + _GAP + r"-----END[A-Z0-9 ]{1,40}-----)?"
)

# What a secret's name ends in. `auth` and `token` are common words, so their values must look generated.
_NAME = (
    r"(pass(?:word|wd|phrase)|pwd|(?<=[_\-])pass"
    r"|(?:api|access|private|secret|signing|encryption|master|account|session|auth|server|shared)[_\-. ]?key"
    r"|secret|token|credentials?|auth)"
    r"(?:[_\-]?(?:\d{1,2}|prod|production|staging|stage|dev|live|base|value|old|new))?"
)
_TYPE = r":[ \t]{0,4}(?:str|string|String|&(?:'static )?str|Optional\[str\]|str \| None|string \| undefined)[ \t]{0,4}="
_GIVES = (
    r"(?:"
    # as in code, JSON or a header, with the name perhaps quoted or an index
    r"""\\{0,3}["'`]?\]?[ \t]{0,8}(?:""" + _TYPE + r"|:=|=>|={1,3}|:)[ \t]{0,8}"
    # a list of names and values, as containers and .NET have
    r"""|\\{0,3}["']?[,\s]{1,40}\\{0,3}["']?value\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}"""
    # the arguments of a call
    r"""|\\{0,3}["'][ \t]{0,4},[ \t]{0,4}(?=["'])|\((?=["'])"""
    # an XML element
    r"|>(?=[^<>\s]{4,256}</)"
    r")"
)
_VALUE = (
    # Captured in a look-ahead: what is refused is searched again for the name of another secret.
    r"""(?=(?:\\{0,3}[bru@]{0,2}"([^"\\\n]{0,512}+(?:\\[^"\\nrt][^"\\\n]{0,200}+){0,8}+)"""
    r"""|\\{0,3}[bru@]{0,2}'([^'\\\n]{0,512}+(?:\\[^'\\nrt][^'\\\n]{0,200}+){0,8}+)"""
    r"""|\\{0,3}`([^`\\\n]{4,512})"""
    r"""|((?:&(?!(?:amp;)?[\w.\-\[\]]{1,40}=)){0,2}+[^\s"'`,;<>\\&]{1,256}+"""
    r"""(?:&(?!(?:amp;)?[\w.\-\[\]]{1,40}=)[^\s"'`,;<>\\&]{0,100}+){0,4}+)))"""
)

# One row a kind: its name, literals of which one must be in the text, its pattern, and the check of a match.
# The secret is the pattern's last group, or the whole match. The first kind names an overlap.
KINDS: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    # Key material
    (
        "gcp-service-account-key",
        ("private_key",),
        r"""private_key\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"(-----BEGIN PRIVATE KEY-----""" + _BLOCK + r"(?:\\{1,4}n)?)",
        "block",
    ),
    ("pgp-private-key", ("pgp private key block",), r"-----BEGIN PGP PRIVATE KEY BLOCK-----" + _BLOCK, "block"),
    (
        "private-key",
        ("private key-----",),
        r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY-----" + _BLOCK,
        "block",
    ),
    (
        "putty-private-key",
        ("private-lines",),
        r"Private-Lines: \d{1,4}((?:\s{1,4}[A-Za-z0-9+/=]{16,80}){1,400})",
        "varied",
    ),
    ("age-secret-key", ("age-secret-key-",), r"(?i:AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{40,80})", "varied"),
    # Clouds
    (
        "aws-access-key-id",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        _EDGE + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}" + _END,
        "varied",
    ),
    (
        "aws-secret-access-key",
        ("secret",),
        r"(?i:secret[_\-. ]?(?:access[_\-. ]?)?key)" + _IS + r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
        "mixed",
    ),
    (
        "aws-secret-access-key",
        ("AKIA", "ASIA"),
        _EDGE
        + r"(?:AKIA|ASIA)[A-Z0-9]{16}"
        + r"(?=[^A-Za-z0-9][\s\S]{0,160}?(?<![A-Za-z0-9/+=])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=]))",
        "mixed",
    ),
    (
        "aws-session-token",
        ("session_token", "sessiontoken", "session-token", "security-token"),
        r"(?i:(?:session|security)[_\-]?token)" + _IS + r"([A-Za-z0-9/+=%]{60,2500})",
        "varied",
    ),
    (
        "aws-session-token",
        ("IQoJb3JpZ2lu", "FwoGZXIvYXdz"),
        r"(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9/+=%]{40,2500}",
        "varied",
    ),
    ("google-api-key", ("AIza",), _EDGE + r"AIza[A-Za-z0-9_\-]{30,45}", "varied"),
    ("google-oauth-secret", ("GOCSPX-",), _EDGE + r"GOCSPX-[A-Za-z0-9_\-]{20,64}", "varied"),
    ("google-oauth-token", ("ya29.",), _EDGE + r"ya29\.[A-Za-z0-9_\-.]{20,500}", "varied"),
    ("google-refresh-token", ("1//0",), _EDGE + r"1//0[A-Za-z0-9_\-]{30,200}", "varied"),
    ("azure-account-key", ("accountkey",), r"(?i:AccountKey)" + _IS + r"([A-Za-z0-9+/]{40,120}={0,2})", "varied"),
    (
        "azure-shared-access-key",
        ("sharedaccesskey",),
        r"(?i:SharedAccessKey)" + _IS + r"([A-Za-z0-9+/]{30,120}={0,2})",
        "varied",
    ),
    ("azure-sas-signature", ("sig=",), r"(?i:(?:[?&;]|&amp;)sig)=([A-Za-z0-9%+/=_\-]{20,200})", "mixed"),
    ("azure-client-secret", ("Q~",), _EDGE + r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.\-]{31,40}", "varied"),
    ("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), _EDGE + r"do[opr]_v1_[A-Za-z0-9]{40,80}", "varied"),
    ("heroku-api-key", ("HRKU-",), _EDGE + r"HRKU-[A-Za-z0-9_\-]{30,80}", "varied"),
    (
        "heroku-api-key",
        ("heroku",),
        r"(?i:heroku[a-z0-9_\-.]{0,30}(?:[ \t]{1,4}(?:api|auth|oauth)?[ \t]?)?(?:key|token|auth|secret|password))"
        + _IS
        + r"((?i:"
        + UUID
        + r"))",
        "varied",
    ),
    ("alibaba-access-key-id", ("LTAI",), _EDGE + r"LTAI[A-Za-z0-9]{16,24}" + _END, "varied"),
    ("databricks-token", ("dapi",), _EDGE + r"dapi[0-9a-f]{32}(?:-\d{1,2})?", "varied"),
    ("fly-token", ("fm1r_", "fm1a_", "fm2_"), _EDGE + r"fm(?:1[ar]|2)_[A-Za-z0-9+/_\-]{40,2000}={0,3}", "varied"),
    ("fly-token", ("fo1_",), _EDGE + r"fo1_[A-Za-z0-9_\-]{30,100}", "varied"),
    ("cloudflare-origin-key", ("v1.0-",), _EDGE + r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,160}", "varied"),
    (
        "cloudflare-api-token",
        ("cloudflare", "cf_api", "cf-api"),
        r"(?i:(?:cloudflare|\bcf)[a-z0-9_\-. ]{0,24}(?:key|token))" + _IS + r"([A-Za-z0-9_\-]{37,64})" + _END,
        "varied",
    ),
    ("vercel-token", ("vcp_",), _EDGE + r"vcp_[A-Za-z0-9]{20,80}", "varied"),
    ("vercel-token", ("vercel_blob_rw_",), _EDGE + r"vercel_blob_rw_[A-Za-z0-9_]{20,100}", "varied"),
    (
        "vercel-token",
        ("vercel",),
        r"(?i:vercel[a-z0-9_\-. ]{0,24}(?:key|token|secret))" + _IS + r"([A-Za-z0-9]{24})" + _END,
        "mixed",
    ),
    ("netlify-token", ("nfp_",), _EDGE + r"nfp_[A-Za-z0-9]{30,60}", "varied"),
    (
        "netlify-token",
        ("netlify",),
        r"(?i:netlify[a-z0-9_\-. ]{0,24}(?:key|token|secret))" + _IS + r"([A-Za-z0-9_\-]{40,64})" + _END,
        "varied",
    ),
    ("render-api-key", ("rnd_",), _EDGE + r"rnd_[A-Za-z0-9]{24,64}", "varied"),
    ("supabase-key", ("sbp_",), _EDGE + r"sbp_(?:v0_)?[a-f0-9]{40}", "varied"),
    ("supabase-key", ("sb_secret_",), _EDGE + r"sb_secret_[A-Za-z0-9_\-]{20,80}", "varied"),
    ("planetscale-token", ("pscale_",), _EDGE + r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.\-]{30,80}", "varied"),
    ("pulumi-token", ("pul-",), _EDGE + r"pul-[a-f0-9]{40}", "varied"),
    ("terraform-cloud-token", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=\-]{50,80}", "varied"),
    ("vault-token", ("hvs.", "hvb.", "hvr."), _EDGE + r"hv[sbr]\.[A-Za-z0-9_\-]{20,400}", "varied"),
    (
        "vault-token",
        ("vault",),
        r"(?i:vault[a-z0-9_\-. ]{0,24}token)" + _IS + r"([sbr]\.[A-Za-z0-9]{24})" + _END,
        "varied",
    ),
    (
        "doppler-token",
        ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa."),
        _EDGE + r"dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9_.\-]{40,100}",
        "varied",
    ),
    # Code hosts, registries and builds
    ("github-fine-grained-token", ("github_pat_",), _EDGE + r"github_pat_[A-Za-z0-9_]{22,255}", "varied"),
    (
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        _EDGE + r"gh[pousr]_[A-Za-z0-9_]{30,255}(?:\.[A-Za-z0-9_\-]{10,2000}){0,2}",
        "varied",
    ),
    (
        "gitlab-token",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "glsoat-", "gloas-"),
        _EDGE + r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas)-[A-Za-z0-9_\-.]{20,300}",
        "varied",
    ),
    ("gitlab-runner-token", ("GR1348941",), _EDGE + r"GR1348941[A-Za-z0-9_\-]{20,60}", "varied"),
    ("npm-token", ("npm_",), _EDGE + r"npm_[A-Za-z0-9]{30,64}", "varied"),
    ("npm-token", ("_authtoken",), r"(?i:_authToken)[ \t]{0,4}=[ \t]{0,4}[\"']?([A-Za-z0-9_\-=+/]{16,400})", "varied"),
    ("pypi-token", ("pypi-ag",), _EDGE + r"pypi-Ag[A-Za-z0-9_\-]{30,500}", "varied"),
    ("rubygems-token", ("rubygems_",), _EDGE + r"rubygems_[a-f0-9]{48}", "varied"),
    ("nuget-api-key", ("oy2",), _EDGE + r"oy2[a-z0-9]{43}" + _END, "varied"),
    ("docker-hub-token", ("dckr_pat_", "dckr_oat_"), _EDGE + r"dckr_[po]at_[A-Za-z0-9_\-]{20,80}", "varied"),
    (
        "docker-registry-auth",
        ('auth"', 'auth\\"'),
        r"""["']auth\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']([A-Za-z0-9+/]{8,400}={0,2})""",
        "user_and_password",
    ),
    ("artifactory-token", ("AKCp",), _EDGE + r"AKCp[A-Za-z0-9]{60,80}", "varied"),
    ("circleci-token", ("CCIPAT_", "CCIPRJ_"), _EDGE + r"CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}", "varied"),
    ("buildkite-token", ("bkua_", "bkct_"), _EDGE + r"bk(?:ua|ct)_[A-Za-z0-9]{36,80}", "varied"),
    ("sonar-token", ("squ_", "sqp_", "sqa_"), _EDGE + r"sq[upa]_[a-f0-9]{40}", "varied"),
    ("atlassian-token", ("ATATT3", "ATCTT3"), _EDGE + r"AT[AC]TT3[A-Za-z0-9_=\-]{50,300}", "varied"),
    ("bitbucket-app-password", ("ATBB",), _EDGE + r"ATBB[A-Za-z0-9]{28,40}" + _END, "varied"),
    # Models
    ("anthropic-api-key", ("sk-ant-",), _EDGE + r"sk-ant-[A-Za-z0-9_\-]{20,300}", "varied"),
    ("openrouter-api-key", ("sk-or-",), _EDGE + r"sk-or-(?:v1-)?[A-Za-z0-9]{32,100}", "varied"),
    ("openai-api-key", ("sk-",), _EDGE + r"sk-(?:proj-|svcacct-|admin-|service-)?[A-Za-z0-9_\-]{20,300}", "mixed"),
    ("huggingface-token", ("hf_",), _EDGE + r"hf_[A-Za-z0-9]{30,64}", "varied"),
    ("replicate-token", ("r8_",), _EDGE + r"r8_[A-Za-z0-9]{30,60}", "varied"),
    ("groq-api-key", ("gsk_",), _EDGE + r"gsk_[A-Za-z0-9]{30,80}", "varied"),
    ("perplexity-api-key", ("pplx-",), _EDGE + r"pplx-[A-Za-z0-9]{30,80}", "varied"),
    ("xai-api-key", ("xai-",), _EDGE + r"xai-[A-Za-z0-9]{40,120}", "varied"),
    ("langsmith-api-key", ("lsv2_",), _EDGE + r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{8,12}", "varied"),
    # Chat, mail and social
    (
        "slack-token",
        ("xox", "xapp-"),
        _EDGE + r"(?:xox[abeoprsc](?:\.xox[abp])?|xapp)-[A-Za-z0-9\-]{10,300}",
        "with_digit",
    ),
    (
        "slack-webhook",
        ("hooks.slack",),
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+\-]{20,200})",
        "with_digit",
    ),
    (
        "discord-webhook",
        ("discord",),
        r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/(\d{15,22}/[A-Za-z0-9_\-]{40,100})",
        "varied",
    ),
    (
        "discord-bot-token",
        ("discord", "token", "login(", "bearer"),
        _WIDE_EDGE + r"[MNO][A-Za-z0-9_\-]{22,28}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,40}" + _END,
        "varied",
    ),
    ("telegram-bot-token", (":AA",), r"(?<![0-9A-Za-z])(?:bot)?(\d{8,10}:AA[A-Za-z0-9_\-]{32,34})" + _END, "varied"),
    ("sendgrid-api-key", ("SG.",), _EDGE + r"SG\.[A-Za-z0-9_\-]{16,32}\.[A-Za-z0-9_\-]{32,64}", "varied"),
    ("twilio-key", ("twilio",), _EDGE + r"SK[0-9a-f]{32}" + _END, "varied"),
    (
        "twilio-key",
        ("twilio",),
        r"(?i:twilio[a-z0-9_\-. ]{0,24}(?:token|secret|key))" + _IS + r"([0-9A-Za-z]{32})" + _END,
        "mixed",
    ),
    ("mailgun-api-key", ("key-",), _EDGE + r"key-[0-9a-f]{32}" + _END, "varied"),
    ("mailgun-api-key", ("mailgun",), _EDGE + r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}" + _END, "varied"),
    ("mailchimp-api-key", ("-us",), _EDGE + r"[0-9a-f]{32}-us\d{1,2}" + _END, "varied"),
    ("brevo-api-key", ("xkeysib-",), _EDGE + r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}", "varied"),
    ("facebook-token", ("EAA",), _WIDE_EDGE + r"EAA[A-Za-z0-9]{60,400}" + _END, "mixed"),
    ("facebook-token", ("facebook",), _EDGE + r"\d{15,17}\|[A-Za-z0-9_\-]{27}" + _END, "varied"),
    (
        "twitter-bearer-token",
        ("AAAAAAAAAAAAAAAAAAAA",),
        r"(?<![A-Za-z0-9+/=,%])A{20,23}[B-Za-z0-9%][A-Za-z0-9%]{30,200}",
        "percent",
    ),
    ("linkedin-secret", ("WPL_AP1.",), _EDGE + r"WPL_AP1\.[A-Za-z0-9._+/\-]{10,80}={0,2}", "varied"),
    (
        "linkedin-secret",
        ("linkedin",),
        r"(?i:linkedin[a-z0-9_\-. ]{0,24}(?:token|secret|key))" + _IS + r"([A-Za-z0-9_\-~+/]{14,500})",
        "mixed",
    ),
    # Payment and shops
    (
        "stripe-key",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_"),
        _EDGE + r"[sr]k_(?:live|test)_[A-Za-z0-9]{10,250}",
        "varied",
    ),
    ("stripe-webhook-secret", ("whsec_",), _EDGE + r"whsec_[A-Za-z0-9+/]{20,200}={0,2}", "varied"),
    (
        "shopify-token",
        ("shpat_", "shpca_", "shppa_", "shpss_"),
        _EDGE + r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}",
        "varied",
    ),
    ("square-token", ("sq0atp-", "sq0csp-"), _EDGE + r"sq0(?:atp|csp)-[A-Za-z0-9_\-]{22,50}", "varied"),
    ("square-token", ("EAAA",), _WIDE_EDGE + r"EAAA[A-Za-z0-9_\-]{60}" + _END, "mixed"),
    # Work tools
    ("linear-api-key", ("lin_api_", "lin_oauth_"), _EDGE + r"lin_(?:api|oauth)_[A-Za-z0-9]{32,80}", "varied"),
    ("notion-token", ("ntn_",), _EDGE + r"ntn_[A-Za-z0-9]{40,60}", "varied"),
    ("notion-token", ("secret_",), _EDGE + r"secret_[A-Za-z0-9]{43}" + _END, "mixed"),
    ("figma-token", ("figd_",), _EDGE + r"figd_[A-Za-z0-9_\-]{30,80}", "varied"),
    (
        "airtable-token",
        ("airtable", "token", "secret", "bearer", "_key"),
        _EDGE + r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",
        "varied",
    ),
    (
        "airtable-token",
        ("airtable",),
        r"(?i:airtable[a-z0-9_\-. ]{0,24}(?:token|key))" + _IS + r"(key[A-Za-z0-9]{14})" + _END,
        "varied",
    ),
    ("dropbox-token", ("sl.A", "sl.B", "sl.u."), _EDGE + r"sl\.(?:u\.)?[A-Za-z0-9_\-]{60,2000}", "varied"),
    (
        "asana-token",
        ("asana", "token", "bearer"),
        _EDGE + r"[0-2]/\d{10,17}(?:/\d{10,17})?:[a-f0-9]{32}" + _END,
        "varied",
    ),
    ("typeform-token", ("tfp_",), _EDGE + r"tfp_[A-Za-z0-9_\-.]{40,80}", "varied"),
    ("contentful-token", ("CFPAT-",), _EDGE + r"CFPAT-[A-Za-z0-9_\-]{40,50}", "varied"),
    ("postman-api-key", ("PMAK-",), _EDGE + r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}", "varied"),
    ("onepassword-token", ("ops_ey",), _EDGE + r"ops_eyJ[A-Za-z0-9_\-+/=]{60,2000}", "varied"),
    ("mapbox-secret-token", ("sk.ey",), _EDGE + r"sk\.eyJ[A-Za-z0-9_\-]{20,400}\.[A-Za-z0-9_\-]{10,100}", "varied"),
    (
        "okta-token",
        ("ssws", "okta"),
        r"(?:(?i:ssws)\s{1,4}|(?i:okta[a-z0-9_\-. ]{0,24}(?:token|key))" + _IS + r")(00[A-Za-z0-9_\-]{40})",
        "varied",
    ),
    # Watching
    ("new-relic-key", ("NRAK-", "NRJS-", "NRII-"), _EDGE + r"NR(?:AK|JS|II)-[A-Za-z0-9_\-]{16,40}", "varied"),
    ("new-relic-key", ("NRAL",), _EDGE + r"[A-Fa-f0-9]{32,36}(?:FFFF)?NRAL", "varied"),
    (
        "grafana-token",
        ("glsa_", "glc_"),
        _EDGE + r"(?:glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2})",
        "varied",
    ),
    ("sentry-token", ("sntrys_", "sntryu_"), _EDGE + r"sntry[su]_[A-Za-z0-9+/=_\-]{40,400}", "varied"),
    (
        "datadog-key",
        ("datadog", "dd_api", "dd_app", "dd-api", "dd-app"),
        r"(?i:(?:datadog|\bdd)[a-z0-9_\-. ]{0,24}key)" + _IS + r"([0-9a-f]{32}(?:[0-9a-f]{8})?)" + _END,
        "varied",
    ),
    ("posthog-personal-key", ("phx_",), _EDGE + r"phx_[A-Za-z0-9]{40,60}", "varied"),
    # Wherever credentials travel
    (
        "jwt",
        ("eyJ",),
        _WIDE_EDGE
        + r"eyJ[A-Za-z0-9_\-]{8,4000}+\.[A-Za-z0-9_\-]{8,8000}+\.[A-Za-z0-9_\-]{8,4000}+"
        + r"(?:\.[A-Za-z0-9_\-]{8,8000}+){0,2}",
        "varied",
    ),
    (
        "password-in-url",
        ("://",),
        r"""://[^\s/:@"'`<>?#\\]{0,80}:([^\s/"'`<>]{1,200})@(?=[A-Za-z0-9\[_$%{])""",
        "url_password",
    ),
    (
        "curl-password",
        ("curl ",),
        (
            r"""\bcurl[ \t](?:[^\n|;]{0,240}?[ \t])?(?:-u|--user|--proxy-user|-U)[ =]{0,3}"""
            r"""["']?[^\s:"']{1,80}:([^\s"']{4,200})"""
        ),
        "url_password",
    ),
    (
        "basic-auth-header",
        ("authorization", "basic "),
        r"(?i:\bbasic)[ \t]{1,4}([A-Za-z0-9+/_\-]{8,400}={0,2})",
        "user_and_password",
    ),
    (
        "bearer-token",
        ("bearer",),
        r"(?i:\bbearer)(?:[ \t]{1,4}|%20)[\"']?([A-Za-z0-9_\-.~+/]{10,4000}={0,2})",
        "header",
    ),
    (
        "authorization-header",
        ("authorization",),
        r"(?i:authorization)"
        + _IS
        + r"(?i:(?:token|apikey|api-key|key|ssws|bot|splunk|genieKey|digest)[ \t]{1,4}(?:token=)?)?"
        + r"[\"']?([A-Za-z0-9_\-.~+/:]{12,4000}={0,2})",
        "header",
    ),
    (
        "session-cookie",
        ("cookie",),
        r"(?i:sess|sid|auth|token|jwt|csrf|xsrf|login|remember|identity)[A-Za-z0-9_.\-]{0,30}=([^\s;,\"'\\<>]{8,4000})",
        "cookie",
    ),
    (
        "netrc-password",
        ("machine ", "login "),
        r"(?:\bmachine\s{1,8}\S{1,120}|\bdefault)\s{1,8}login\s{1,8}\S{1,120}\s{1,8}password\s{1,8}(\S{4,200})",
        "written_down",
    ),
    (
        "pgpass-password",
        (":5432:", ":*:", "pgpass"),
        (
            r"(?m:^|(?<=[\"'\n]))[A-Za-z0-9_.*\-]{1,100}:(?:\d{2,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:"
            r"([^\s:\"']{4,200})(?=[\s\"']|\Z)"
        ),
        "written_down",
    ),
    (
        "mysql-password",
        ("mysql", "mariadb"),
        r"""\b(?:mysql|mariadb)[a-z_\-]{0,12}[ \t](?:[^\n|;]{0,200}?[ \t])?-p["']?([^\s"'\-$<][^\s"']{3,100})""",
        "written_down",
    ),
    # Names that say so
    (
        "command-line-secret",
        ("--",),
        r"(?i:--(?:[a-z0-9]{1,20}[\-_]){0,4}" + _NAME + r")(?:[ \t]{1,4}|=)" + _VALUE,
        "named",
    ),
    (
        "spoken-secret",
        ("passw", "passphrase", "pwd", "secret", "token", "credential", "key"),
        r"(?i:\b" + _NAME + r"[ \t]{1,3}(?:(?:is|was|to|as)(?:[ \t]now)?[ \t]{0,2}:?|are:?|[:=])[ \t]{1,3})" + _VALUE,
        "named",
    ),
    (
        "assigned-secret",
        ("passw", "passphrase", "pwd", "pass", "secret", "token", "key", "credential", "auth"),
        r"(?i:" + _NAME + _GIVES + r")" + _VALUE,
        "named",
    ),
)
