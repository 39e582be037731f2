"""Secret words: what people call a password, in the languages that they write to an agent in.

Imported with the table of secret kinds, never for clean text. Small letters only: the text is lowered before a word
is looked for, and each word is a literal as well as a pattern.
"""

from __future__ import annotations

# A word stands for its inflected forms: what follows it up to the value is not read, only judged.
PASSWORD_WORDS = (
    *("password", "passwd", "passcode", "passphrase", "pass phrase", "pass word", "pwd", "credentials", "creds"),
    *("passwort", "passwörter", "kennwort", "zugangscode", "zugangsdaten"),
    *("mot de passe", "mots de passe", "mdp", "identifiants"),
    *("contraseña", "contrasena", "clave", "credenciales", "contrasenya"),
    *("senha", "palavra-passe", "palavra passe", "parola", "parolă", "credenziali"),
    *("wachtwoord", "lösenord", "losenord", "adgangskode", "kodeord", "passord", "salasana", "lykilorð"),
    *("hasło", "haslo", "hasła", "hasłem", "heslo", "heslem", "geslo", "lozinka", "lozinku", "zaporka", "šifra"),
    *("jelszó", "jelszava", "jelszo", "şifre", "sifre", "slaptažodis", "parole", "parool"),
    *("κωδικός", "κωδικό", "συνθηματικό", "пароль", "пароля", "паролем", "пароли", "парола", "лозинка"),
    *("密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "패스워드", "비번", "암호"),
    *("كلمة المرور", "كلمة مرور", "كلمة السر", "كلمة سر", "رمز عبور", "رمز ورود", "گذرواژه", "پسورد", "پاس ورڈ"),
    *("סיסמה", "סיסמא", "הסיסמה", "पासवर्ड", "कूटशब्द", "পাসওয়ার্ড", "கடவுச்சொல்", "รหัสผ่าน"),
    *("mật khẩu", "mat khau", "kata sandi", "kata laluan", "sandinya", "nenosiri"),
)

# Where a name and a password are told together.
LOGIN_WORDS = (
    *("log in", "login", "logging in", "log me in", "sign in", "signin", "creds", "credential", "account"),
    *("zugang", "anmeld", "einlog", "identifiant", "connexion", "usuario", "usuário", "acceso", "acesso"),
    *("accesso", "utente", "inlog", "logowani", "logga in", "kirjaud", "přihl", "belép", "giriş", "σύνδεση"),
    *("логин", "доступ", "учетк", "учётк", "вход", "账号", "帳號", "账户", "登录", "登入", "ログイン", "アカウント"),
    *("계정", "로그인", "تسجيل الدخول", "حساب", "ورود", "התחבר", "लॉगिन", "đăng nhập", "masuk"),
)

# What says that the next word is the value: "is" and the like, and signs.
_IS = """
is was are to as now ist lautet lauten heißt heisst war wäre est c'est sera es son era é eh foi será è sono wordt
luidt werd to jest brzmi było är lyder er on ovat este je jsou znie glasi lesz yra ir είναι ήταν это є 是 为 為 は
が 는 은 가 이 هو هي هست است הוא היא है là la adalah ialah ni with using mit avec con com met z med s
"""
CONNECTORS = frozenset(_IS.split())

# What matches such letters of the Latin alphabet without regard to case.
_FOLDED = str.maketrans({"\u0131": "i", "\u017f": "s", "\u0307": None})


def passwords_in(lowered: str) -> str:
    """A pattern of the words for a password that are in a text, whether their parts are joined or not."""
    joined = lowered.translate(_FOLDED).replace(" ", "").replace("-", "")
    words = [word for word in PASSWORD_WORDS if word.replace(" ", "").replace("-", "") in joined]
    return r"(?iu:" + "|".join([*(word.replace(" ", r"[ \-]?") for word in words), r"\bpw\b"]) + ")"


def logins_in(lowered: str) -> str:
    """A pattern of the words for a login that are in a text, or nothing."""
    plain = lowered.translate(_FOLDED)
    words = [word for word in LOGIN_WORDS if word in plain]
    return f"(?iu:{'|'.join(words)})" if words else ""
