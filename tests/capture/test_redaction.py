"""Redaction: secrets go, what only looks like one stays."""

from __future__ import annotations

import base64
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.text.redaction import find_secrets, redact
from agentrecall_domain.text.scrub import scrub
from agentrecall_domain.text.secret_hints import may_be_told
from agentrecall_domain.text.secret_kinds import KINDS
from agentrecall_domain.text.secret_values import looks_random
from agentrecall_domain.text.secret_words import LOGIN_WORDS, PASSWORD_WORDS

# No secret is written out here: prefixes and bodies meet at run time, so no scanner stops a push.
_BODY = "k3Xq9Zb7Tm2Wp5Rd8Ls4Vn6Jf1Hg0Yc" * 80
_HEX = "3f9a1c7e5b2d8046" * 20


def body(size: int) -> str:
    return _BODY[:size]


def hexes(size: int) -> str:
    return _HEX[:size]


def upper(size: int) -> str:
    return _BODY.upper()[:size]


def lower(size: int) -> str:
    return _BODY.lower()[:size]


UUID = f"{hexes(8)}-{hexes(4)}-4{hexes(3)}-8{hexes(3)}-{hexes(12)}"
BASE_58 = "k3Xq9Zb7Tm2Wp5Rd8Ls4Vn6Jf1Hg5Yc" + "k3Xq9Zb7Tm2Wp5Rd8Ls4"[:19]
ENCODED_KEY = base64.b64encode(f"-----BEGIN RSA PRIVATE {'KEY'}-----\n{body(200)}\n".encode()).decode()
USER_AND_PASSWORD = base64.b64encode(b"deploy:Tr0ub4dor&3xyz").decode()


def block(label: str, *, end: bool = True, line_end: str = "\n") -> str:
    lines = [f"-----BEGIN {label}-----", *(body(2000)[at : at + 64] for at in range(0, 320, 64))]
    return line_end.join([*lines, f"-----END {label}-----"] if end else lines)


# kind, what stands before the secret, the secret, what stands after it
POSITIVES = [
    ("gcp-service-account-key", '{"private_key": "', block("PRIVATE KEY", line_end="\\n") + "\\n", '", "x": 1}'),
    ("pgp-private-key", "see\n", block("PGP PRIVATE KEY BLOCK"), "\nend"),
    ("private-key", "see\n", block("RSA PRIVATE KEY"), "\nend"),
    ("private-key", "see\n", block("EC PRIVATE KEY"), "\nend"),
    ("private-key", "see\n", block("DSA PRIVATE KEY"), "\nend"),
    ("private-key", "see\n", block("OPENSSH PRIVATE KEY"), "\nend"),
    ("private-key", "see\n", block("ENCRYPTED PRIVATE KEY"), "\nend"),
    ("private-key", 'key = "', block("PRIVATE KEY", line_end="\\n"), '"'),
    ("private-key", "cut off\n", block("PRIVATE KEY", end=False), "\n[truncated]"),
    ("putty-private-key", "Private-Lines: 2", f"\n{body(64)}\n{body(40)}", "\nPrivate-MAC: x"),
    ("age-secret-key", "# key\n", "AGE-SECRET-KEY-1" + upper(58), "\n"),
    ("aws-access-key-id", "id ", "AKIA" + upper(16), " here"),
    ("aws-access-key-id", "id ", "ASIA" + upper(16), " here"),
    ("aws-secret-access-key", "aws_secret_access_key = ", body(38) + "/+", "\n"),
    ("aws-session-token", "AWS_SESSION_TOKEN=", body(300) + "==", "\n"),
    ("google-api-key", "key ", "AIza" + body(35), "\n"),
    ("google-oauth-secret", "is ", "GOCSPX-" + body(28), "\n"),
    ("google-oauth-token", "is ", "ya29." + body(100), "\n"),
    ("google-refresh-token", "is ", "1//0" + body(60), "\n"),
    ("azure-account-key", "DefaultEndpointsProtocol=https;AccountKey=", body(86) + "==", ";EndpointSuffix=x"),
    ("azure-shared-access-key", "Endpoint=sb://x/;SharedAccessKey=", body(43) + "=", "\n"),
    ("azure-sas-signature", "https://x.blob.core/y?sv=2022-11-02&sig=", body(40) + "%3D", "&se=1"),
    ("azure-client-secret", "is ", "abc8Q~" + body(34), "\n"),
    ("digitalocean-token", "is ", "dop_v1_" + hexes(64), "\n"),
    ("heroku-api-key", "HEROKU_API_KEY=", UUID, "\n"),
    ("alibaba-access-key-id", "is ", "LTAI" + body(20), "\n"),
    ("databricks-token", "is ", "dapi" + hexes(32), "\n"),
    ("fly-token", "FlyV1 ", "fm2_" + body(120), "\n"),
    ("cloudflare-origin-key", "is ", "v1.0-" + hexes(24) + "-" + hexes(146), "\n"),
    ("cloudflare-api-token", "CLOUDFLARE_API_TOKEN=", body(40), "\n"),
    ("vercel-token", "VERCEL_TOKEN=", body(24), "\n"),
    ("netlify-token", "is ", "nfp_" + body(36), "\n"),
    ("render-api-key", "is ", "rnd_" + body(32), "\n"),
    ("supabase-key", "is ", "sbp_" + hexes(40), "\n"),
    ("planetscale-token", "is ", "pscale_tkn_" + body(43), "\n"),
    ("pulumi-token", "is ", "pul-" + hexes(40), "\n"),
    ("terraform-cloud-token", "is ", body(14) + ".atlasv1." + body(67), "\n"),
    ("vault-token", "is ", "hvs." + body(90), "\n"),
    ("doppler-token", "is ", "dp.pt." + body(43), "\n"),
    ("github-fine-grained-token", "is ", "github_pat_" + body(22) + "_" + body(59), "\n"),
    ("github-token", "is ", "ghp_" + body(36), "\n"),
    ("github-token", "is ", "gho_" + body(36), "\n"),
    ("github-token", "is ", "ghs_" + body(36), "\n"),
    ("github-token", '{"out": "a\\n', "ghr_" + body(76), '\\n"}'),
    ("gitlab-token", "is ", "glpat-" + body(20), "\n"),
    ("gitlab-token", "is ", "glrt-" + body(20), "\n"),
    ("gitlab-runner-token", "is ", "GR1348941" + body(20), "\n"),
    ("npm-token", "is ", "npm_" + body(36), "\n"),
    ("npm-token", "//registry.example.org/:_authToken=", UUID, "\n"),
    ("pypi-token", "is ", "pypi-Ag" + body(150), "\n"),
    ("rubygems-token", "is ", "rubygems_" + hexes(48), "\n"),
    ("nuget-api-key", "is ", "oy2" + lower(43), "\n"),
    ("docker-hub-token", "is ", "dckr_pat_" + body(27), "\n"),
    ("docker-registry-auth", '{"auths": {"x": {"auth": "', USER_AND_PASSWORD, '"}}}'),
    ("artifactory-token", "is ", "AKCp" + body(69), "\n"),
    ("circleci-token", "is ", "CCIPAT_" + body(22) + "_" + hexes(40), "\n"),
    ("buildkite-token", "is ", "bkua_" + hexes(40), "\n"),
    ("sonar-token", "is ", "squ_" + hexes(40), "\n"),
    ("atlassian-token", "is ", "ATATT3" + body(180), "\n"),
    ("bitbucket-app-password", "is ", "ATBB" + body(32), "\n"),
    ("anthropic-api-key", "is ", "sk-ant-api03-" + body(93) + "AA", "\n"),
    ("openrouter-api-key", "is ", "sk-or-v1-" + hexes(64), "\n"),
    ("openai-api-key", "is ", "sk-" + body(48), "\n"),
    ("openai-api-key", "is ", "sk-proj-" + body(120), "\n"),
    ("huggingface-token", "is ", "hf_" + body(34), "\n"),
    ("replicate-token", "is ", "r8_" + body(37), "\n"),
    ("groq-api-key", "is ", "gsk_" + body(52), "\n"),
    ("perplexity-api-key", "is ", "pplx-" + body(48), "\n"),
    ("xai-api-key", "is ", "xai-" + body(80), "\n"),
    ("langsmith-api-key", "is ", "lsv2_pt_" + hexes(32) + "_" + hexes(10), "\n"),
    ("slack-token", "is ", "xoxb-" + "2847561930-4928175630-" + body(24), "\n"),
    ("slack-token", "is ", "xapp-1-A02B3C4D5-" + "4928175630-" + hexes(64), "\n"),
    ("slack-webhook", "https://hooks.slack.com/services/", f"T02{upper(6)}/B03{upper(6)}/{body(24)}", "\n"),
    ("discord-webhook", "https://discord.com/api/webhooks/", "104928175630492817/" + body(68), "\n"),
    ("discord-bot-token", "client.login('", "MTA" + body(21) + "." + body(6) + "." + body(38), "')"),
    ("telegram-bot-token", "is ", "4928175630:AA" + body(33), "\n"),
    ("sendgrid-api-key", "is ", "SG." + body(22) + "." + body(43), "\n"),
    ("twilio-key", "twilio ", "SK" + hexes(32), "\n"),
    ("mailgun-api-key", "is ", "key-" + hexes(32), "\n"),
    ("mailchimp-api-key", "is ", hexes(32) + "-us14", "\n"),
    ("brevo-api-key", "is ", "xkeysib-" + hexes(64) + "-" + body(16), "\n"),
    ("facebook-token", "is ", "EAA" + body(120), "\n"),
    ("twitter-bearer-token", "is ", "A" * 21 + "MLhe" + body(30) + "%3D" + body(40), "\n"),
    ("linkedin-secret", "is ", "WPL_AP1." + body(16), "\n"),
    ("stripe-key", "is ", "sk_live_" + body(24), "\n"),
    ("stripe-key", "is ", "rk_live_" + body(24), "\n"),
    ("stripe-key", "is ", "sk_test_" + body(24), "\n"),
    ("stripe-webhook-secret", "is ", "whsec_" + body(32), "\n"),
    ("shopify-token", "is ", "shpat_" + hexes(32), "\n"),
    ("square-token", "is ", "sq0atp-" + body(22), "\n"),
    ("linear-api-key", "is ", "lin_api_" + body(40), "\n"),
    ("notion-token", "is ", "ntn_" + body(46), "\n"),
    ("notion-token", "is ", "secret_" + body(43), "\n"),
    ("figma-token", "is ", "figd_" + body(40), "\n"),
    ("airtable-token", "airtable ", "pat" + body(14) + "." + hexes(64), "\n"),
    ("dropbox-token", "is ", "sl.B" + body(135), "\n"),
    ("asana-token", "asana ", "1/4928175630492817:" + hexes(32), "\n"),
    ("typeform-token", "is ", "tfp_" + body(44), "\n"),
    ("contentful-token", "is ", "CFPAT-" + body(43), "\n"),
    ("postman-api-key", "is ", "PMAK-" + hexes(24) + "-" + hexes(34), "\n"),
    ("onepassword-token", "is ", "ops_eyJ" + body(200), "\n"),
    ("mapbox-secret-token", "is ", "sk.eyJ" + body(60) + "." + body(22), "\n"),
    ("okta-token", "Authorization: SSWS ", "00" + body(40), "\n"),
    ("new-relic-key", "is ", "NRAK-" + upper(27), "\n"),
    ("grafana-token", "is ", "glsa_" + body(32) + "_" + hexes(8), "\n"),
    ("sentry-token", "is ", "sntrys_" + body(120), "\n"),
    ("datadog-key", "DD_API_KEY=", hexes(32), "\n"),
    ("posthog-personal-key", "is ", "phx_" + body(43), "\n"),
    ("google-oauth-code", "is ", "4/0A" + body(60), "\n"),
    ("encoded-private-key", "client-key-data: ", ENCODED_KEY, "\n"),
    ("azure-devops-token", "is ", body(76) + "AZDO" + body(4), "\n"),
    ("tailscale-key", "is ", "tskey-auth-" + body(12) + "-" + body(32), "\n"),
    ("deno-token", "is ", "ddp_" + body(36), "\n"),
    ("scaleway-key", "is ", "SCW" + upper(17), "\n"),
    ("yandex-token", "is ", "AQVN" + body(36), "\n"),
    ("tencent-key-id", "is ", "AKID" + body(32), "\n"),
    ("railway-token", "RAILWAY_TOKEN=", UUID, "\n"),
    ("linode-token", "LINODE_TOKEN=", hexes(64), "\n"),
    ("hetzner-token", "HCLOUD_TOKEN=", body(64), "\n"),
    ("prefect-token", "is ", "pnu_" + body(36), "\n"),
    ("neon-token", "is ", "napi_" + body(60), "\n"),
    ("aiven-password", "is ", "AVNS_" + body(20), "\n"),
    ("confluent-key", "is ", "cflt" + body(60), "\n"),
    ("crates-io-token", "cargo login ", "cio" + body(32), "\n"),
    ("jfrog-token", "is ", "cmVmd" + body(59), "\n"),
    ("snyk-token", "SNYK_TOKEN=", UUID, "\n"),
    ("clojars-token", "is ", "CLOJARS_" + hexes(60), "\n"),
    ("codecov-token", "CODECOV_TOKEN=", UUID, "\n"),
    ("jetbrains-token", "is ", "perm-" + body(16) + "." + body(12) + "." + body(30), "\n"),
    ("travis-token", "TRAVIS_TOKEN=", body(22), "\n"),
    ("harness-token", "is ", "pat." + body(22) + "." + hexes(24) + "." + body(20), "\n"),
    ("docker-registry-auth", ".dockerconfigjson: ", "eyJhdXRocyI6" + body(80), "\n"),
    ("fireworks-api-key", "is ", "fw_" + body(24), "\n"),
    ("voyage-api-key", "is ", "pa-" + body(43), "\n"),
    ("pinecone-api-key", "is ", "pcsk_" + body(6) + "_" + body(60), "\n"),
    ("model-provider-key", "MISTRAL_API_KEY=", body(32), "\n"),
    ("model-provider-key", "is ", "nvapi-" + body(64), "\n"),
    ("mailersend-token", "is ", "mlsn." + hexes(64), "\n"),
    ("resend-api-key", "is ", "re_" + body(8) + "_" + body(24), "\n"),
    ("postmark-token", "POSTMARK_SERVER_TOKEN=", UUID, "\n"),
    ("intercom-token", "is ", "dG9rO" + body(55), "\n"),
    ("service-key", "ALGOLIA_ADMIN_KEY=", hexes(32), "\n"),
    ("twitch-token", "PASS ", "oauth:" + lower(30), "\n"),
    ("vk-token", "is ", "vk1.a." + body(80), "\n"),
    ("easypost-key", "is ", "EZAK" + body(54), "\n"),
    ("razorpay-key", "is ", "rzp_live_" + body(14), "\n"),
    ("flutterwave-key", "is ", "FLWSECK-" + body(32) + "-X", "\n"),
    ("duffel-token", "is ", "duffel_live_" + body(43), "\n"),
    ("payment-key", "is ", "pdl_live_" + body(40), "\n"),
    ("plaid-token", "is ", "access-production-" + UUID, "\n"),
    ("shippo-token", "is ", "shippo_live_" + hexes(40), "\n"),
    ("wallet-key", "private key ", "5" + BASE_58, "\n"),
    ("frameio-token", "is ", "fio-u-" + body(64), "\n"),
    ("infracost-key", "is ", "ico-" + body(32), "\n"),
    ("hubspot-token", "is ", "pat-na1-" + UUID, "\n"),
    ("dynatrace-token", "token ", "dt0c01." + upper(24) + "." + upper(64), "\n"),
    ("readme-key", "is ", "rdme_" + lower(70), "\n"),
    ("clickup-token", "is ", "pk_12345678_" + upper(32), "\n"),
    ("launchdarkly-key", "is ", "sdk-" + UUID, "\n"),
    ("adobe-secret", "is ", "p8e-" + body(32), "\n"),
    ("ngrok-token", "ngrok config add-authtoken ", "2" + body(26) + "_" + body(22), "\n"),
    ("teamcity-key", "is ", "eyJ0eXAiOiAiVENWMiJ9." + body(36) + "." + body(48), "\n"),
    ("honeycomb-key", "is ", "hcaik_" + body(58), "\n"),
    ("axiom-token", "is ", "xaat-" + UUID, "\n"),
    ("pagerduty-key", "pagerduty key ", "u+" + body(18), "\n"),
    ("rollbar-token", "ROLLBAR_ACCESS_TOKEN=", hexes(32), "\n"),
    ("signed-url", "https://x.org/k?X-Amz-Expires=60&X-Amz-Signature=", hexes(64), "&x=1"),
    ("incoming-webhook", "https://hooks.zapier.com/hooks/catch/1234567/", "o9" + body(6), "/\n"),
    ("json-web-key", '{"kty": "EC", "crv": "P-256", "d": "', body(43), '"}'),
    ("kubernetes-secret", "kind: Secret\nmetadata:\n  name: x\ndata:\n  tls.key: ", body(400), "\n"),
    ("wordpress-salt", "define('NONCE_SALT',       '", "u;W~4+hCvk8 |<Q?sk6vGDhlMAfkYlQ0dcCH", "');"),
    ("password-argument", 'smtp.login("me@x.org", "', "Tr0ub4dor&3", '")'),
    ("sql-password", "CREATE USER app IDENTIFIED BY '", "Tr0ub4dor&3", "';"),
    ("app-password", "Gmail app password: ", "qhzt wkpm rxvb ncjd", "\n"),
    (
        "seed-phrase",
        "my seed phrase: ",
        "ritual glance ocean velvet puzzle ladder mimic orbit tiger walnut exhaust top",
        "\n",
    ),
    ("totp-secret", "2FA setup key: ", "JX7Q K3MN 4ZPD WY2B", "\n"),
    ("recovery-codes", "Recovery codes:", "\n4f9a1-c7e5b\n3d804-6a1c2", "\n"),
    ("jwt", "is ", "eyJ" + body(33) + ".eyJ" + body(80) + "." + body(43), "\n"),
    ("password-in-url", "postgres://app:", "s3cr3t!pw", "@db.internal/x"),
    ("curl-password", "curl -s -u deploy:", "Tr0ub4dor3xyz", " https://x.org"),
    ("basic-auth-header", "Authorization: Basic ", USER_AND_PASSWORD, "\n"),
    ("bearer-token", "-H 'Authorization: Bearer ", body(40), "' x"),
    ("authorization-header", "Authorization: token ", body(32), "\n"),
    ("session-cookie", "Cookie: theme=dark; sessionid=", body(32), "; lang=en"),
    ("session-cookie", "Set-Cookie: connect.sid=s%3A", body(40), "; Path=/"),
    ("netrc-password", "machine api.x.org login joe password ", "hunter2x", "\n"),
    ("pgpass-password", "db.internal:5432:app:joe:", "hunter2x", "\n"),
    ("mysql-password", "mysql -u root -p", "S3cretPw9", " app"),
    ("command-line-secret", "deploy --password ", "s3cr3tPa55", " now"),
    ("spoken-secret", "my password is ", "correct-horse9Battery", ", ok?"),
    ("assigned-secret", "DB_PASSWORD=", "Tr0ub4dor&3xyz", "\n"),
]

# what stands before a password, the password, what stands after it
TOLD = [
    ("Das Kennwort lautet ", "Regen-Bogen77", ", viel Spaß"),
    ("melde dich mit „", "b1rKe&tanne", "“ als Passwort an"),
    ("le mot de passe de la base est « ", "Tulipe865#Lu", " », merci"),
    ("la contraseña del servidor es ", "Roble_21Alto", ", entra"),
    ("usa a senha ", "Jac4re305@v", " para entrar"),
    ("la parola d'accesso è ", "Fung0!Porcino", ", grazie"),
    ("het wachtwoord van de server is ", "Fiets-4962-Kp", " (gebruiker: export)"),
    ("hasło do bazy to ", "Zielony99!las", ""),
    ("lösenordet är ", "Bl4bar-paj", ""),
    ("adgangskoden er ", "R0dgrod!flode", "."),
    ("passordet til serveren er ", "fJord!2291", ""),
    ("salasana on ", "Mustikka_88", ""),
    ("heslo k databázi je ", "Kn3dlik!77", ""),
    ("a jelszó: ", "Gulyas#2026", ""),
    ("sunucunun şifresi ", "Kedi4321!x", ""),
    ("parola este ", "Muntele9_verde", ""),
    ("κωδικός: ", "Thalassa!88", ""),
    ("пароль от стенда: ", "Beryoza733$t", " , логин qa"),
    ("пароль до бази — ", "Kalyna_77x!", ""),
    ("测试环境的密码是", "Zhu20X6lcIo!", "、账号是admin"),
    ("パスワードは「", "Sakura#8812", "」です"),
    ("DB 비밀번호는 ", "Hanok2758^b", " 이고 사용자는 app입니다"),
    ("كلمة المرور لقاعدة البيانات هي ", "Nakhl7840@d", " والمستخدم admin"),
    ("گذرواژه سرور ", "Anar88!sib", " است"),
    ("הסיסמה היא ", "Tapuz!4412", ""),
    ("पासवर्ड है ", "Aam#7766pk", ""),
    ("mật khẩu là ", "Pho!bo2026", " nhé"),
    ("kata sandi database adalah ", "Mangga77!x", ""),
    ("", "Q7!mmnpx2", " is the root password"),
    ("use admin / ", "grS5su0NbD!", " to log in to the box"),
    ("creds are jenkins:", "Bu1ld!er99", ""),
    ("Password:\n\n```\n", "N1ght&shade", "\n```"),
]

COMMANDS = [
    ('sqlcmd -S 10.0.0.9 -U sa -P "', "Tr0mmel#buJvR", '" -Q "select 1"'),
    ("mongosh mongodb://h -u app -p ", "Sm3lly!Cat", ""),
    ("redis-cli -h 10.0.0.2 -a ", "r3d1sP4ssw", " ping"),
    ("ldapsearch -x -D cn=admin,dc=x -w ", "Ld4p!bind", " -b dc=x"),
    ("sshpass -p '", "t00r!Root", "' ssh root@10.0.0.3"),
    ("docker login r.example.org -u ci -p ", "D0cker!pull", ""),
    ("echo ", "Sud0!pass", " | sudo -S apt update"),
    ("htpasswd -bc .htpasswd joe ", "Ht!pass99", ""),
    ("openssl pkcs12 -export -out c.p12 -passout pass:", "91wuVN5k7zxC", ""),
    ("keytool -genkey -alias x -storepass ", "Key!st0re", ""),
    ("7z x -p", "Zip!9921xx", " backup.7z"),
    ("smbclient //nas/share -U joe%", "Smb!9921xx", ""),
    ("xfreerdp /u:joe /p:", "Rdp!9921xx", " /v:host"),
    ("aws configure set aws_secret_access_key ", body(38) + "+/", ""),
    ("set -x MY_API_KEY ", body(32), ""),
    ('ConvertTo-SecureString "', "PucV3ORqVz%7", '" -AsPlainText -Force'),
]

ASSIGNMENTS = [
    ("password: ", "hunter2-prod!", ""),
    ("export PGPASSWORD=", "abc9Xyz!q", " psql"),
    ('"clientSecret": "', "a8Kq-29xLmZ01pQw", '",'),
    ("MY_API_TOKEN=", body(24), "\n"),
    ("GET /x?api_key=", body(20), "&page=2"),
    ("<password>", "hunter2-X9", "</password>"),
    ("api_key = '", body(32), "'"),
    ("- name: DB_PASSWORD\n  value: ", "hunter2X9", "\n"),
    ('{\\"password\\": \\"', "hunter2-X9", '\\"}'),
    ('os.environ["API_TOKEN"] = "', body(24), '"'),
    ('password: str = "', "Gr33nhouse!", '"'),
    ("X-Api-Key: ", body(24), "\n"),
    ("passphrase = '", "correct horse battery staple", "'"),
    ("secret_key_base: ", hexes(64), "\n"),
    ("Server=db;User Id=sa;Password=", "p@ssW0rd9x", ";Encrypt=true"),
    ("--client-secret=", body(30), " run"),
    ("signing key: ", body(32), "\n"),
    ("master key = ", body(32), "\n"),
    ("authkey: '", body(24), "'"),
    ("auth\t=\t", body(32), "\n"),
    ("  pass: '", "N0demail!r", "',"),
    ("APP_KEY=", "base64:" + body(43) + "=", "\n"),
    ("PresharedKey = ", body(43) + "=", "\n"),
    ("define('AUTH_KEY',         '", body(40), "');"),
    ("MDP=", "Lavande!42", "\n"),
    ("ADMIN_PASSWORD=", "zebra3894Kite", "\n"),
    ('secret: process.env.SESSION_SECRET || "', "keyb0ard-Cat!", '"'),
    ("${DB_PASSWORD:-", "D3fault!pw", "}"),
    ("| password | ", "Lemon!Tree5", " |"),
    ("<key>apiToken</key>\n  <string>", body(32), "</string>"),
    ('variable "db_password" {\n  default = "', "Terra!f0rm", '"\n}'),
    ("key|", "sk-" + body(48), "|"),
    ("x-", "sk-" + body(48), "\n"),
]

LOOK_ALIKES = [
    "Das Passwort muss mindestens 12 Zeichen lang sein und 1 Ziffer enthalten.",
    "Le mot de passe est haché avec bcrypt2 puis stocké.",
    "la clave primaria es user_id2 de la tabla usuarios3",
    "пароль хранится как sha256, версия 2.4.1",
    "密码长度至少8位、使用bcrypt加密",
    "비밀번호는 8자 이상, 해시는 SHA-512",
    "password for user postgres on db-prod-1.internal:",
    "log in at https://app.example.org/Login2 as admin",
    "mkdir -p /var/lib/mongo7",
    "mongo -p 27017:27017",
    "redis-cli -h 10.0.0.2 -p 6379 ping",
    "openssl rsa -passin env:KEY_PASS1",
    'echo "$PASSWORD1" | docker login --password-stdin',
    "ENV NODE_ENV production2",
    "pass `index_2=True` to keep it",
    "random seed: 1234567890",
    "seed phrase handling is a matter of the wallet and should not be part of this change at all",
    "kind: ConfigMap\ndata:\n  key: dmFsdWUx",
    "arn:aws:secretsmanager:us-east-1:123456789012:secret:MySecret-a1B2c3",
    "--token-color: #d73a49;",
    "TOTP codes rotate every 30 seconds",
    "| password | string | required, min 8 |",
    "password: at least 12 characters",
    "the password is hashed with sha256",
    "the token is invalid or expired",
    "password = <your password>",
    "API_KEY=YOUR_API_KEY_HERE",
    "API_KEY=xxxxxxxxxxxxxxxxxxxx",
    "password: ********",
    "token = ...",
    "DB_PASSWORD=changeme",
    "password: example123",
    "password = 'dummy-password-1'",
    "password = 'test1234'",
    "aws_access_key_id = AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-your-api-key-goes-here-please",
    "DB_PASSWORD=${DB_PASSWORD_2024}",
    "DB_PASSWORD=$PASSWORD_2024",
    "set PASSWORD=%MY_PASSWORD_2%",
    'password = os.environ["DB_PASSWORD_2"]',
    "apiKey: process.env.OPENAI_API_KEY_2",
    'token = os.getenv("TOKEN_2024")',
    "password: {{ vault_password_2 }}",
    "token: ${{ secrets.GITHUB_TOKEN_2 }}",
    "token = secrets.token_urlsafe(32)",
    "token = self.tokens[index2]",
    "password = config.database.password2",
    "def login(user: str, password: str, token: str | None = None) -> bool:",
    "password=password2, token=token2)",
    "user.password = new_password2",
    "token: 12345",
    "max_token = 100000",
    "secret: true",
    "nextPageToken: 'CAUQAA1b2c3d4e5f6a7b8'",
    "pad_token = '<|pad0123456789|>'",
    "git show 9fceb02d0ae598e95dc970b74767f19372d61af8",
    '"integrity": "sha512-' + body(86) + '=="',
    "digest: sha256:" + hexes(64),
    "token: sha256:" + hexes(64),
    f"id: {UUID}",
    f"token: {UUID}",
    "pk_test_" + body(24),
    "api_key = 'pk_live_" + body(24) + "'",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + body(43) + " joe@host",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA" + body(200),
    "data:image/gif;base64," + "A" * 30 + body(100),
    block("CERTIFICATE"),
    block("PUBLIC KEY"),
    "grep -r 'BEGIN RSA PRIVATE KEY-----' .",
    "postgres://user:password@localhost/db",
    "postgres://app:${DB_PASSWORD}@db/app",
    "http://localhost:8080/a@b",
    "docker run -p 8080:80 -u 1000:1000 image",
    "private_key: /etc/ssl/private/key1.pem",
    "k8s secret: my-app-tls-2",
    "auth: oauth2",
    "the author: John1999 wrote it",
    "password_hash = '$2b$12$" + body(53) + "'",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "task-list-with-many-hyphenated-words-2",
    '"password": "Forgot your password?"',
    "curl -u user:password https://x.org",
    "password=[redacted:assigned-secret]",
    "password=[private]",
]

# Pieces that meet in unlucky ways: names, operators, marks, prefixes and edges.
SOUP = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *("password", "token=", "api_key", ": ", "=", '"', "'", "\\", "\\n", "\n", "://", "@", "x:", "&", "--"),
                *(
                    "[redacted:x]",
                    "<private>",
                    "</private>",
                    "eyJ",
                    "sk-",
                    "Bearer ",
                    "Cookie: sid=",
                    " is ",
                    "hunter2!",
                ),
                *(
                    "-----BEGIN PRIVATE KEY-----\n",
                    "AKIA",
                    body(16),
                    body(40),
                    hexes(32),
                    ".",
                    "\0",
                    "\ud83d",
                    "\ude00",
                ),
            ],
        ),
        st.text(st.characters(codec=None), max_size=5),
    ),
    max_size=14,
).map("".join)


@pytest.mark.parametrize(
    ("kind", "before", "secret", "after"),
    [pytest.param(*row, id=f"{row[0]}-{at}") for at, row in enumerate(POSITIVES)],
)
def test_each_kind_is_found_by_its_name_and_gone(kind: str, before: str, secret: str, after: str) -> None:
    kept = redact(before + secret + after)

    assert secret not in kept
    assert f"[redacted:{kind}]" in kept
    assert [found for _, _, found in find_secrets(before + secret + after)] == [kind]
    assert not any(line in kept for line in re.findall(r"[A-Za-z0-9+/]{12,}", secret))


def test_every_kind_of_the_table_has_an_example() -> None:
    assert {kind for kind, *_ in KINDS} == {kind for kind, *_ in POSITIVES}


@pytest.mark.parametrize(("before", "secret", "after"), [pytest.param(*row, id=row[0].strip()) for row in ASSIGNMENTS])
def test_a_value_given_to_a_secret_name_is_gone(before: str, secret: str, after: str) -> None:
    kept = redact(before + secret + after)

    assert re.fullmatch(re.escape(before) + r"\[redacted:[a-z-]+\]" + re.escape(after), kept)


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [pytest.param(*row, id=f"{at}-{row[0].strip()}") for at, row in enumerate([*TOLD, *COMMANDS])],
)
def test_a_password_in_a_sentence_or_a_command_is_gone(before: str, secret: str, after: str) -> None:
    kept = redact(before + secret + after)

    assert re.fullmatch(re.escape(before) + r"\[redacted:[a-z0-9-]+\]" + re.escape(after), kept)


@pytest.mark.parametrize("text", [pytest.param(text, id=text[:40]) for text in LOOK_ALIKES])
def test_what_only_looks_like_a_secret_survives(text: str) -> None:
    assert redact(text) == text


def test_an_aws_secret_beside_its_key_id_goes_too() -> None:
    secret = body(39) + "/"

    kept = redact(f"id AKIA{upper(16)}\n{secret}\n")

    assert kept == "id [redacted:aws-access-key-id]\n[redacted:aws-secret-access-key]\n"


def test_overlapping_secrets_leave_one_mark() -> None:
    token = "ghp_" + body(36)

    assert redact(f"GITHUB_TOKEN={token}") == "GITHUB_TOKEN=[redacted:github-token]"


@pytest.mark.parametrize(
    ("value", "random"),
    [
        pytest.param(body(20), True, id="base 62"),
        pytest.param(hexes(32), True, id="hexadecimal"),
        pytest.param("my-service-token-v2-production", False, id="words and a number"),
        pytest.param("getUserPasswordFromEnvironment", False, id="camel case"),
        pytest.param("a1" * 10, False, id="too regular"),
        pytest.param(body(15), False, id="too short"),
    ],
)
def test_random_is_what_nobody_would_choose(value: str, *, random: bool) -> None:
    assert looks_random(value) is random


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("a\0\0b", "ab", id="a run of NULs"),
        pytest.param("a\ud800b\udfff", "a\ufffdb\ufffd", id="lone surrogates"),
        pytest.param("a\n\tb", "a\n\tb", id="line ends and tabs"),
        pytest.param("pass\0word=hunter2-X9!", "password=[redacted:assigned-secret]", id="a NUL hides no name"),
        pytest.param("<priv\0ate>x</private> y", "[private] y", id="a NUL hides no tag"),
    ],
)
def test_scrubbed_text_can_be_stored(text: str, kept: str) -> None:
    assert scrub(text) == kept


@given(SOUP)
def test_scrubbing_twice_is_scrubbing_once(text: str) -> None:
    once = scrub(text)

    assert scrub(once) == once
    once.encode()


@given(st.text(st.characters(codec=None)))
def test_any_text_is_scrubbed(text: str) -> None:
    assert "\0" not in scrub(text)


@given(SOUP)
def test_found_spans_are_in_order_and_apart(text: str) -> None:
    end_before = 0
    for start, end, _ in find_secrets(text):
        assert end_before <= start < end <= len(text)
        end_before = end


@given(st.text(alphabet=" \n.,abcdfgijlmnqrtuvxyzäß漢", max_size=400))
def test_text_without_a_literal_is_untouched(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "a",
            "a=",
            "3f9a1c7e",
            "QUJDa9+/",
            "password=",
            "password: ",
            "token=",
            "auth:",
            "eyJ-",
            "sk-",
            "://a:",
            "curl ",
        ),
        *("-----BEGIN PRIVATE KEY-----\n", "AKIAAAAAAAAAAAAAAAAA ", "machine a login b password ", "<private ", "--a-"),
        *(
            "password ",
            "password is ",
            "пароль ",
            "密码",
            "login ",
            "pw ",
            "seed ",
            "kind: Secret\ndata:\n  a: QUJDRA==\n",
        ),
        *(
            'variable "a_password" { default ',
            "mysql -u ",
            "openssl pass:",
            "recovery codes: a1b2c ",
            "app password abcd ",
        ),
    ],
)
def test_long_monotony_is_read_in_linear_time(piece: str) -> None:
    # Quadratic work on this much would meet the time limit of the suite.
    text = piece * (300_000 // len(piece))

    assert isinstance(scrub(text), str)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "Look at the failing test in src/api/client.ts: the redis cache times out, and the token budget is small.",
            id="a prompt",
        ),
        pytest.param(
            "Sign in, and the cookie that the login sets is kept with the credentials.", id="words of a login"
        ),
        pytest.param("The wallet keeps its seed; sudo and zip are tools, mongo and poetry are others.", id="tools"),
        pytest.param("Dame acceso: la clave y la parola son una senha.", id="other languages"),
        pytest.param("the secret is that the api key was never read by anyone", id="an operator without a value"),
    ],
)
def test_common_words_alone_open_no_table_of_kinds(text: str) -> None:
    program = (
        "import sys\n"
        "from agentrecall_domain.text.scrub import scrub\n"
        "assert scrub(sys.argv[1]) == sys.argv[1]\n"
        "print([name for name in sys.modules if name.endswith(('.secret_kinds', '.secret_checks'))])\n"
    )

    ran = subprocess.run([sys.executable, "-c", program, text], capture_output=True, text=True, check=True)

    assert ran.stdout == "[]\n"


@pytest.mark.parametrize(
    "text",
    [
        *(f"{word}: k3Xq9Zb7-Tm2" for word in PASSWORD_WORDS if word.isascii()),
        *(f"{word} with joe / k3Xq9Zb7!Tm2" for word in LOGIN_WORDS if word.isascii()),
    ],
)
def test_a_common_word_with_a_value_beside_it_is_no_clean_text(text: str) -> None:
    assert may_be_told(text, text.lower())


def test_clean_text_imports_no_table_of_kinds() -> None:
    program = (
        "import sys\n"
        "from agentrecall_domain.text.scrub import scrub\n"
        "text = 'The parser keeps the names that it knows, and the author of Asia reads task_id twice.'\n"
        "assert scrub(text) == text\n"
        "print([name for name in sys.modules if '.secret_' in name])\n"
    )

    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert ran.stdout == "[]\n"
