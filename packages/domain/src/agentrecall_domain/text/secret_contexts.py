"""Secret contexts: passwords and keys that only what stands around them gives away.

The other half of the table in `secret_kinds`: where credentials travel, command lines, configuration, and sentences.
"""

from __future__ import annotations

from agentrecall_domain.text.secret_parts import (
    ARGUMENT,
    GIVES,
    IS,
    LOGIN_WORD,
    NAME,
    PASSWORD_WORD,
    VALUE,
    WIDE_EDGE,
    WORDS,
    Row,
)
from agentrecall_domain.text.secret_words import LOGIN_WORDS, PASSWORD_WORDS

CONTEXTS: tuple[Row, ...] = (
    # Wherever credentials travel
    (
        "jwt",
        ("eyJ",),
        WIDE_EDGE
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
        ("curl & :",),
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
        + IS
        + r"(?i:(?:token|apikey|api-key|key|ssws|bot|splunk|genieKey|digest)[ \t]{1,4}(?:token=)?)?"
        + r"[\"']?([A-Za-z0-9_\-.~+/:]{12,4000}={0,2})",
        "header",
    ),
    (
        "session-cookie",
        ("curl & =",),
        r"""\bcurl[ \t](?:[^\n|;]{0,240}?[ \t])?(?:-b|--cookie)[ =]{0,2}["']?[^\s=;"']{1,60}=([^\s;"']{8,4000})""",
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
    # Command lines
    (
        "mysql-password",
        ("mysql & -p", "mariadb & -p"),
        r"""\b(?:mysql|mariadb)[a-z_\-]{0,12}[ \t](?:[^\n|;]{0,200}?[ \t])?-p["']?([^\s"'\-$<][^\s"']{3,100})""",
        "written_down",
    ),
    (
        "command-line-secret",
        tuple(f"{tool} & -P" for tool in ("sqlcmd", "bcp", "isql", "osql", "mosquitto_", "ipmitool", "zip")),
        r"\b(?:sqlcmd|bcp|t?isql|osql|mosquitto_(?:pub|sub|rr)|ipmitool|zip|unzip|zipcloak)[ \t]"
        + WORDS
        + r"-P[ \t]{0,4}"
        + ARGUMENT,
        "written_down",
    ),
    (
        "command-line-secret",
        tuple(
            f"{tool} & -p"
            for tool in ("mongo", "sshpass", "login", "cqlsh", "rabbitmqadmin", "useradd", "usermod", "arangosh")
        ),
        r"\b(?:mongo[a-z]{0,8}|sshpass|cqlsh|rabbitmqadmin|arangosh|user(?:add|mod)"
        r"|(?:docker|podman|buildah|skopeo|crane|oras|nerdctl|registry|az|oc|ecr|helm|cf|ibmcloud|rhc|cloud"
        r"|acr)[ \t]login)[ \t]" + WORDS + r"-p[ \t=]{0,4}" + ARGUMENT,
        "option",
    ),
    (
        "command-line-secret",
        ("redis-cli & -a", "valkey-cli & -a", "keydb-cli & -a"),
        r"\b(?:redis-cli|valkey-cli|keydb-cli)[ \t]" + WORDS + r"-a[ \t]{1,4}" + ARGUMENT,
        "written_down",
    ),
    (
        "command-line-secret",
        tuple(f"{program} & {option}" for program in ("http", "xh") for option in (" -a", "\t-a", "--auth")),
        r"""\b(?:https?|xhs?)[ \t]""" + WORDS + r"""(?:-a|--auth)[ =]["']?[^\s:"']{1,80}:([^\s"']{4,200})""",
        "url_password",
    ),
    (
        "command-line-secret",
        ("ldap & -w",),
        r"\bldap[a-z]{3,10}[ \t]" + WORDS + r"-w[ \t]{0,4}" + ARGUMENT,
        "written_down",
    ),
    (
        "command-line-secret",
        ("smbclient", "rpcclient", "smbmap", "net rpc", "lftp", "mount.cifs"),
        r"""\b(?:smbclient|rpcclient|smbget|net rpc|lftp)[ \t]"""
        + WORDS
        + r"""(?:-U|--user=|-u)[ \t]{0,4}["']?[^\s%,"']{1,80}[%,]([^\s"']{4,200})""",
        "written_down",
    ),
    (
        "command-line-secret",
        ("plink", "pscp", "psftp", "putty", "keytool", "jarsigner", "signtool", "influx", "storepass", "winexe"),
        r"(?:\b(?:plink|pscp|psftp|putty)(?:\.exe)?[ \t]"
        + WORDS
        + r"-pw|\b(?:influx|winexe)[ \t]"
        + WORDS
        + r"-password|[ \t]-(?:(?:src|dest)?(?:store|key)pass(?:wd)?|keypasswd)|\bsigntool(?:\.exe)?[ \t]"
        + WORDS
        + r"/p)[ \t]{1,4}"
        + ARGUMENT,
        "written_down",
    ),
    (
        "command-line-secret",
        ("7z", "rar "),
        r"\b(?:7z[ar]?|(?:un)?rar)[ \t]" + WORDS + r"-h?p(?=\S)" + ARGUMENT,
        "option",
    ),
    ("command-line-secret", ("freerdp",), r"\b[a-z]{0,3}freerdp3?[ \t]" + WORDS + r"/p:" + ARGUMENT, "written_down"),
    (
        "command-line-secret",
        ("pass:",),
        r"(?i:-(?:pass(?:in|out)?|k|passwd)[ \t=]{1,4}|=)[\"']?pass:" + ARGUMENT,
        "written_down",
    ),
    (
        "command-line-secret",
        ("htpasswd",),
        r"\bhtpasswd[ \t]{1,4}(?:-(?=[A-Za-z]{0,6}n)(?=[A-Za-z]{0,6}b)[A-Za-z]{2,6}"
        r"|-(?=[A-Za-z]{0,6}b)[A-Za-z]{1,6}(?:[ \t]{1,4}-[A-Za-z])?[ \t]{1,4}[^\s|;-][^\s|;]{0,120})"
        r"[ \t]{1,4}[^\s|;]{1,80}[ \t]{1,4}" + ARGUMENT,
        "written_down",
    ),
    (
        "command-line-secret",
        ("rabbitmqctl", "net user", "net use", "user add"),
        r"(?i:\brabbitmqctl[ \t]" + WORDS + r"(?:add_user|change_password|authenticate_user)[ \t]{1,4}[^\s|;]{1,80}"
        r"|\bnet[ \t]user[ \t]{1,4}[^\s|;/]{1,80}|\bnet[ \t]use[ \t][^\n|;]{1,120}?/user:[^\s|;]{1,80})[ \t]{1,4}"
        + ARGUMENT,
        "option",
    ),
    (
        "command-line-secret",
        ("login ", "auth ", "authtoken", "setapikey", "unseal", "add-authtoken", "--body", "-api-key"),
        r"\b(?:cargo[ \t]login|(?:vault|wandb|dnx|gcp|infisical)[ \t]login|ngrok[ \t](?:config[ \t]add-)?authtoken"
        r"|snyk[ \t]auth|vault[ \t]operator[ \t]unseal|setapikey|gh[ \t]secret[ \t]set[ \t]"
        + WORDS
        + r"(?:-b|--body)|nuget[ \t]push[ \t]"
        + WORDS
        + r"(?:-k|--api-key))[ \t=]{1,4}"
        + ARGUMENT,
        "option",
    ),
    (
        "command-line-secret",
        tuple(f"{printer} & |" for printer in ("echo", "printf")),
        (
            r"\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?[\"']?(?:[A-Za-z][\w.\-]{0,40}:"
            r"(?=[^|\n]{4,100}\|[ \t]{0,4}(?:sudo )?chpasswd))?"
            r"([^\s\"'|$]{4,200})[\"']?[ \t]{0,4}\|[ \t]{0,4}(?=[^\n|]{0,200}?(?:chpasswd"
            r"|sudo[ \t]{1,4}-[a-zA-Z]{0,3}S|-stdin|login))"
        ),
        "written_down",
    ),
    (
        "command-line-secret",
        ("securestring", "networkcredential"),
        (
            r"""(?i:ConvertTo-SecureString(?:[ \t]{1,4}-(?:AsPlainText|Force)){0,2}[ \t]{1,4}(?:-String[ \t]{1,4})?)"""
            r"""(?:"([^"\n]{4,200})"|'([^'\n]{4,200})'|([^\s"'$(-][^\s"']{3,200}))"""
        ),
        "written_down",
    ),
    (
        "command-line-secret",
        ("set ", "setx ", "setenv ", "env ", "arg ", "config "),
        r"(?i:(?:\b(?:set|config|configure)[ \t]{1,4}(?:set[ \t]{1,4})?(?:-{1,2}[a-z\-]{1,20}[ \t]{1,4}){0,3}"
        r"|\bsetx[ \t]{1,4}|\bsetenv[ \t]{1,4}"
        r"|(?:^|\n)[ \t]{0,4}(?:ENV|ARG)[ \t]{1,4})[\"']?[\w.\-:/]{0,80}" + NAME + r"[\"']?[ \t]{1,4})" + VALUE,
        "named",
    ),
    (
        "command-line-secret",
        ("poetry ", "bundle ", "composer "),
        r"\b(?:poetry[ \t]config[ \t](?:http-basic\.[\w\-]{1,40}[ \t]{1,4}[^\s|;]{1,80}|pypi-token\.[\w\-]{1,40})"
        r"|bundle[ \t]config[ \t](?:set[ \t]{1,4})?"
        r"(?:--\w{1,10}[ \t]{1,4})?[\w.\-]{1,80}[ \t]{1,4}[\w.\-@]{1,60}:(?=\S)"
        r"|composer[ \t]config[ \t]"
        + WORDS
        + r"(?:http-basic\.[\w.\-]{1,60}[ \t]{1,4}[^\s|;]{1,80}|[a-z]{3,10}-(?:oauth|token)\.[\w.\-]{1,60}))"
        r"[ \t]{0,4}" + ARGUMENT,
        "option",
    ),
    (
        "command-line-secret",
        ("--",),
        r"(?i:--(?:[a-z0-9]{1,20}[\-_.]){0,4}" + NAME + r")(?:[ \t]{1,4}|=)" + VALUE,
        "named",
    ),
    # Code and configuration
    (
        "password-argument",
        (
            "login(",
            "auth(",
            "credential(",
            "credentials(",
            "connect(",
            "bind(",
            "new mysqli(",
            "new pdo(",
            "basic(",
            "authentication(",
            "auth=(",
        ),
        (
            r"""(?i:(?:\blogin|_login|\b(?:http)?(?:basic|digest|proxy|set)?_?auth|\bbasic|Credentials?"""
            r"""|PasswordAuthentication(?:Token)?"""
            r"""|_connect|\bgetConnection|_bind|\bnew mysqli|\bnew PDO)\(|\bauth=\()"""
            r"""(?:[^\n;()"']{0,60}["'][^\n"']{0,160}["'],){0,2}[^\n;()"']{0,60}"""
            r"""["'][^"'\n]{1,160}["'][ \t]{0,4},[ \t]{0,4}(?:"([^"\n]{6,120})"|'([^'\n]{6,120})')"""
        ),
        "chosen",
    ),
    (
        "sql-password",
        ("identified",),
        (
            r"(?i:\bIDENTIFIED[ \t]{1,4}(?:WITH[ \t]{1,4}\w{1,40}[ \t]{1,4})?(?:BY|AS)[ \t]{1,4}"
            r"(?:PASSWORD[ \t]{1,4})?)"
            r"""(?:"([^"\n]{4,200})"|'([^'\n]{4,200})'|([^\s"';,`(]{6,200})(?=[ \t]{0,4}(?:;|\n|\Z)))"""
        ),
        "option",
    ),
    (
        "sql-password",
        ("password & '",),
        (
            r"(?i:(?:ENCRYPTED|WITH|LOGIN|SUPERUSER|CREATEDB|SET"
            r"|USER[ \t]{1,4}\S{1,80})[ \t]{1,4}PASSWORD[ \t]{0,4}=?[ \t]{0,4})N?'([^'\n]{4,200})'"
        ),
        "written_down",
    ),
    (
        "assigned-secret",
        ("requirepass", "masterauth", "sentinel auth-pass", "auth_pass"),
        r"\b(?:requirepass|masterauth|auth_pass|auth-pass[ \t]{1,4}\S{1,40})[ \t]{1,4}" + ARGUMENT,
        "written_down",
    ),
    (
        "assigned-secret",
        ("variable & default",),
        r"(?i:\bvariable\s{1,4}\"[a-z0-9_\-]{0,60}?"
        + NAME
        + r"[a-z0-9_\-]{0,20}\"\s{0,4}\{[^{}]{0,400}?\bdefault\s{0,8}=\s{0,4})"
        + VALUE,
        "named",
    ),
    (
        "wordpress-salt",
        ("_key'", '_key"', "_salt'", '_salt"'),
        r"""(?:SECURE_AUTH|LOGGED_IN|NONCE|AUTH)_(?:KEY|SALT)["']\s{0,4},\s{0,40}(?:'([^'\n]{30,120})'|"([^"\n]{30,120})")""",
        "varied",
    ),
    (
        "app-password",
        ("passw", "mdp", "contrase", "senha"),
        (
            r"(?i:passw\w{2,8}|app[ \-]pass|mdp|contrase\w{2}|senha)[^\n\"'`]{0,40}?(?:\bis\b"
            r"|[:= \t\"'`(])[ \t]{0,4}[\"'`(*]{0,3}"
            r"([a-z]{4}(?:(?: [a-z]{4}){3}|(?:-[a-z]{4}){3}))(?![ \-]?[a-z])"
        ),
        "app_password",
    ),
    (
        "kubernetes-secret",
        ("kind: secret", 'kind": "secret'),
        (
            r"""(?m:^[ \t]{0,12}["']?[\w.\-]{1,80}["']?:[ \t]{1,4}["']?"""
            r"""([A-Za-z0-9+/]{8,16000}+={0,2})["']?,?[ \t]{0,4}$)"""
        ),
        "kubernetes",
    ),
    (
        "json-web-key",
        ("kty",),
        r"""["'](?:d|p|q|dp|dq|qi|k)\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']([A-Za-z0-9_\-]{20,1400})\\{0,3}["']""",
        "varied",
    ),
    (
        "signed-url",
        ("signature=", "security-token="),
        (
            r"(?i:[?&;, ](?:amp;)?(?:X-(?:Amz|Goog|Oss|Cos|Obs)-(?:Signature|Security-Token)|Signature|q-signature"
            r"|hmac))"
            r"=([A-Za-z0-9%+/=_\-~]{20,4000})"
        ),
        "mixed",
    ),
    ("signed-url", ("code=",), r"[?&](?:amp;)?code=([A-Za-z0-9_\-+/%]{40,120}={0,2})", "mixed"),
    (
        "incoming-webhook",
        ("webhook", "/hooks/", "maker.ifttt", "/hook/"),
        (
            r"(?i:(?:webhook\.office\.com|outlook\.office"
            r"(?:365)?\.com)/webhookb?2?/[^\s/\"']{20,120}/IncomingWebhook/)([A-Za-z0-9/\-_]{20,200})"
        ),
        "varied",
    ),
    (
        "incoming-webhook",
        ("hooks.zapier", "/hooks/", "maker.ifttt", "/hook/", "webhook/send", "hook."),
        (
            r"(?:hooks\.zapier\.com/hooks/catch/\d{4,12}/|maker\.ifttt\.com/trigger/[^\s/]{1,80}/(?:json/)?with/key/"
            r"|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/"
            r"|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key="
            r"|hook\.[a-z0-9.]{2,10}make\.com/|/hooks/(?=[A-Za-z0-9]{17,26}(?![A-Za-z0-9]))(?:[A-Za-z0-9]{17}/)?)"
            r"([A-Za-z0-9_\-/]{6,120})"
        ),
        "varied",
    ),
    # Words that open a wallet or an account
    (
        "seed-phrase",
        ("seed", "mnemonic", "recovery phrase", "secret phrase", "backup phrase", "recovery words", "wallet"),
        (
            r"(?i:seed|mnemonic|(?:recovery|secret|backup)[ _\-](?:phrase|words)|wallet)[^\n]{0,60}?"
            r"(?:\n\s{0,40}|[:=>\"'`]\s{0,8}|\bis\b\s{0,4})[\s>\"'`*]{0,8}"
            r"((?:(?:\d{1,2}[.):]?[ \t]{1,2})?[a-z]{3,8}[\s,]{1,4}){11,23}(?:\d{1,2}[.):]?[ \t]{1,2})?[a-z]{3,8})"
            r"(?![a-z])"
        ),
        "seed_phrase",
    ),
    (
        "totp-secret",
        ("totp", "2fa", "mfa", "otp", "authenticator", "two-factor", "two factor"),
        (
            r"(?i:totp|2fa|mfa|otp|authenticator|two[- ]factor)[^\n]{0,60}?(?<![A-Za-z0-9])"
            r"((?:[A-Z2-7]{4}[ \-]){3,15}[A-Z2-7]{1,4}|[a-z2-7]{4}(?: [a-z2-7]{4}){7}|[A-Z2-7]{16,64}={0,6})"
            r"(?![A-Za-z0-9])"
        ),
        "base_32",
    ),
    (
        "recovery-codes",
        ("recovery & code", "backup & code", "rescue & code", "scratch & code"),
        (
            r"(?i:(?:recovery|backup|rescue|scratch)[ _\-]codes?)[^\n]{0,40}?[:\n]"
            r"((?:[\s,;.)*`\"'\-]{1,12}(?:\d{1,2}[.)][ ])?(?=[a-z]{0,9}\d)[0-9a-z]{4,6}[ \-][0-9a-z]{4,6}"
            r"(?![0-9a-z])){1,20})"
        ),
        "with_digit",
    ),
    # Names that say so
    (
        "spoken-secret",
        ("passw", "passphrase", "passcode", "pwd", "secret", "token", "credential", "key"),
        r"(?i:\b" + NAME + r"[ \t]{1,3}(?:(?:is|was|to|as)(?:[ \t]now)?[ \t]{0,2}:?|are:?|[:=])[ \t]{1,3})" + VALUE,
        "named",
    ),
    ("spoken-secret", (*PASSWORD_WORDS, "pw"), PASSWORD_WORD, "spoken"),
    ("spoken-secret", LOGIN_WORDS, LOGIN_WORD, "pair"),
    (
        "assigned-secret",
        (
            *("passw", "passphrase", "pwd", "pass", "secret", "token", "key", "credential", "auth", "pw", "psk", "pat"),
            *("kennwort", "contrase", "senha", "wachtwoord", "haslo", "hasło", "_seed", "mdp", "clave"),
            *("heslo", "geslo", "parola", "lozinka", "jelsz", "ifre", "salasana", "adgangskode", "senord", "пароль"),
        ),
        r"(?i:" + NAME + GIVES + r")" + VALUE,
        "named",
    ),
)
