"""What planted instructions look like, in the languages that people work in: a table. Hot.

A pattern is looked for only where one of its literals is in the small letters of the text, so that clean text costs
no compilation. `SPEAKERS` says in whose words it counts: *tool*, *outside* (files, web pages, imports), *quoted* (what
an agent repeats), *agent*, *user*. Nothing here may match what a user asks of an agent in words of their own.
"""
# ruff: noqa: RUF001 -- Chinese letters are the subject here, not a slip of the keyboard

from __future__ import annotations

ELSEWHERE = ("quoted", "tool", "outside")
NOT_THE_USERS = ("agent", *ELSEWHERE)
ANYBODYS = ("user", *NOT_THE_USERS)

_AGENTS_EN = r"(?:ai|llm|coding|language)[ -]?(?:powered )?(?:agent|assistant|model|tool|bot)s?"
_AGENTS_DE = r"(?:ki|ai)[ -]?(?:agenten|agent|assistenten|assistent|modelle?|systeme?|werkzeuge?|tools)"
_AGENTS_FR = r"(?:agents?|assistants?|mod[eè]les?|outils?) (?:d['’ ]?)?ia"
_AGENTS_IB = r"(?:agentes?|asistentes?|assistentes?|modelos?|herramientas?|ferramentas?) (?:de )?ia"
_AGENTS_NL = r"(?:ai|ki)[ -](?:agents?|assistent(?:en)?|modellen|tools)"
_AGENTS_ZH = r"(?:ai|人工智能|智能)\s*(?:助手|代理|工具|模型|助理)"
_ORDER = (
    r"(?:must|should|shall|have to|need to|are required|always|never|please|remember|store|save|note that"
    r"|müssen|muss|sollen|sollten|immer|niemals|bitte|merken"
    r"|doivent|doit|devez|toujours|jamais|retenir|souvenir"
    r"|deben|devem|deve|siempre|sempre|nunca|recuerd\w*|lembr\w*"
    r"|moeten|moet|altijd|nooit|onthoud\w*)"
)
_ALWAYS = (
    r"\b(?:always|never|must|immer|nie|niemals|müssen|toujours|jamais|siempre|sempre|nunca|altijd|nooit)\b"
    r"|总是|永远|必须|始终|绝不"
)
_FROM_NOW = (
    r"(?:\b(?:from now on|from this point on|henceforth|going forward|ab jetzt|ab sofort|von nun an|künftig"
    r"|désormais|dorénavant|à partir de maintenant|a partir de ahora|de ahora en adelante|a partir de agora"
    r"|de agora em diante|vanaf nu|voortaan)\b|从现在开始|从现在起|今后|以后)"
)
_DECIDED = (
    r"(?:\b(?:we (?:have )?(?:decided|agreed)|wir haben (?:entschieden|beschlossen)|nous avons décidé"
    r"|hemos decidido|decidimos|we hebben besloten)\b|我们决定)"
)
_ADDRESSED = r"\b(?:you|your|reply|answer|respond|agents?|assistants?|models?|user'?s?)\b"

Pattern = tuple[str, tuple[str, ...], tuple[str, ...], str]

PATTERNS: tuple[Pattern, ...] = (
    (
        "forged-memory",
        ANYBODYS,
        ("<agentrecall", "</agentrecall"),
        r"^[ \t>]*</?agentrecall(?:\s[^>\n]*)?>",
    ),
    (
        "forged-reminder",
        NOT_THE_USERS,
        ("<system-reminder", "<system_reminder"),
        r"<system[-_]reminder\b",
    ),
    (
        "forged-role",
        NOT_THE_USERS,
        ("im_start", "<<sys>>", "start_header_id"),
        r"<\|(?:im_start\|>|start_header_id\|>)\s*(?:system|user|developer)|<<sys>>",
    ),
    (
        "overrides-instructions",
        NOT_THE_USERS,
        (
            *("instruction", "system prompt", "directive", "guideline", "anweisung", "instruccion", "instrucción"),
            *("instruç", "instructie", "aanwijzing", "指令", "指示"),
        ),
        (
            r"\b(?:ignore|disregard|forget|override|bypass)\b(?:\W+(?:all|any|of|the|your|my|these|those|and))*"
            r"\W+(?:previous|prior|preceding|above|earlier|former|system|original)\W+(?:\w+\W+)?"
            r"(?:instructions?|prompts?|directives?|guidelines|directions)"
            r"|\bignoriere?n?\b[^.\n]{0,30}\b(?:bisherigen?|vorherigen?|vorigen?|obigen?|früheren?)\b[^.\n]{0,20}anweisung"
            r"|\b(?:ignorez?|oubliez?|oublie)\b[^.\n]{0,30}\binstructions\b[^.\n]{0,20}\b(?:précédent|ci-dessus|antérieur)"
            r"|\b(?:ignora|ignore|olvida)\b[^.\n]{0,30}\binstrucciones\b[^.\n]{0,20}\b(?:anteriores|previas)"
            r"|\b(?:ignore|esqueça)\b[^.\n]{0,30}\binstruções\b[^.\n]{0,20}\banteriores"
            r"|\b(?:negeer|vergeet)\b[^.\n]{0,30}\b(?:vorige|eerdere|bovenstaande)\b[^.\n]{0,20}(?:instructie|aanwijzing)"
            r"|(?:忽略|无视|忘记)[^。\n]{0,12}(?:之前|以上|先前|上述)[^。\n]{0,8}(?:指令|指示)"
        ),
    ),
    (
        "takes-over-the-agent",
        NOT_THE_USERS,
        ("you are now", "developer mode", "jailbr"),
        r"\byou are now (?:in |an? |the )*(?:dan|developer mode|jailbroken|unrestricted|uncensored|root|admin)\b",
    ),
    (
        "hides-from-the-user",
        ELSEWHERE,
        ("the user", "nutzer", "utilisateur", "usuario", "usuário", "gebruiker", "用户"),
        (
            r"\b(?:do not|don't|never|without) (?:tell(?:ing)?|inform(?:ing)?|alert(?:ing)?|notify(?:ing)?"
            r"|mention(?:ing)? (?:this|it|any of this) to|reveal(?:ing)? (?:this|it) to|ask(?:ing)?) the user\b"
            r"|\bthe user (?:must|should|may|need) (?:not|never) (?:know|see|notice|learn)\b"
            r"|\bsag(?:e|en sie)? (?:es )?dem (?:be)?nutzer nicht|\bsans (?:le dire|en parler) à l['’]utilisateur"
            r"|\bsin (?:decírselo|avisar) al usuario|\bsem avisar o usuário|\bzonder het de gebruiker te zeggen"
            r"|不要告诉用户|别告诉用户"
        ),
    ),
    (
        "addresses-agents",
        ELSEWHERE,
        (
            *("agent", "assist", "asistent", "model", "modèle", "llm", " ai ", "ai-", "ai tool", "copilot", "claude"),
            *("chatgpt", "codex", "ki-", "d'ia", "ia ", "助手", "代理", "助理", "人工智能"),
        ),
        (
            rf"\b(?:{_AGENTS_EN}|{_AGENTS_DE}|{_AGENTS_FR}|{_AGENTS_IB}|{_AGENTS_NL})\b[^.\n]{{0,50}}?\b{_ORDER}\b"
            rf"|\b(?:tell|instruct|remind)\b[^.\n]{{0,20}}\b(?:{_AGENTS_EN})\b"
            r"|\b(?:notes?|instructions?|hint|message) (?:to|for) (?:all |any |the )*"
            rf"(?:{_AGENTS_EN}|agents|assistants)\b"
            r"|\bthat are (?:ai|language models|llms|agents)\b"
            r"|\bhinweis (?:für|an) (?:alle )?(?:ki|ai|assistenten|agenten|modelle)"
            r"|\bles (?:agents|assistants) doivent\b|\blos (?:agentes|asistentes) deben\b"
            r"|\bos (?:agentes|assistentes) devem\b"
            r"|(?:^|[\n#*/\-!(])\s*(?:assistants?|agents?|claude|copilot|codex|chatgpt|gpt|llms?)\s*[:,)]\s*"
            r"(?:always|never|please|remember|store|save|note|you |from now on|use |immer|merke)"
            r"|\btodo\s*\(\s*(?:agent|ai|assistant|llm|claude)\s*\)"
            rf"|{_AGENTS_ZH}[^。\n]{{0,12}}(?:必须|应该|应当|总是|始终|永远|请|记住)"
        ),
    ),
    (
        "demands-memory",
        ELSEWHERE,
        (
            *("rememb", "memor", "permanent", "merk", "reten", "retien", "souv", "recuerd", "lembr", "onthou"),
            *("记住", "记下"),
        ),
        (
            r"\bremember (?:this|that|it|to|the)\b[^.\n]{0,60}"
            r"\b(?:(?:in|for|across|as) (?:all|any|every|future|later|new|each)|always|from now on"
            r"|preference|permanently)"
            r"|\bremember (?:this|it)(?: (?:preference|rule|instruction|setting|forever))?\s*(?:[.!\n\"”»<]|$)"
            r"|\bremember (?:for|in|across) (?:all|any|every|future)\b"
            rf"|\bremember[^.\n]{{0,30}}{_DECIDED}|\bremember to (?:always|never)\b|\bshould remember\b"
            r"|\b(?:store|save|record|keep|add|write)\b[^.\n]{0,30}\b(?:permanent|persistent|long[- ]term)\b"
            r"[^.\n]{0,20}\b(?:preference|memory|rule|instruction|note|fact)"
            r"|\b(?:add|save|store|commit|write|put) (?:this|it|that|the following) (?:in)?to (?:your|the)"
            r" (?:\S+ )?memory\b|\bmemori[sz]e (?:this|that|the following)\b"
            r"|\bmerken!|\bmerke? (?:es )?(?:dir|euch)\b[^.\n]{0,60}(?:dauerhaft|immer|für alle|künftig|jede)"
            r"|\bà retenir\b|\b(?:retiens|retenez|souviens-toi|souvenez-vous)\b"
            r"[^.\n]{0,60}(?:toujours|jamais|prochaine|toutes)"
            r"|\brecuerda\b[^.\n]{0,60}(?:siempre|nunca|decidimos|todas las)"
            r"|\blembre(?:-se)?\b[^.\n]{0,60}(?:sempre|nunca|decidimos|todas as)"
            r"|\bonthoud\b[^.\n]{0,60}(?:altijd|nooit|voortaan|elke)"
            r"|(?:记住|记下)[^。\n]{0,30}(?:以后|永远|始终|总是|所有|每次)"
        ),
    ),
    (
        "speaks-for-the-user",
        ELSEWHERE,
        ("user", "utilisateur", "nutzer", "usuario", "usuário", "gebruiker", "用户"),
        (
            r"\buser (?:\w+ ){0,2}?(?:says?|said|wants?|prefers?|decided|asked|insists|requires|expects)\b[^\n]{0,80}"
            r"\b(?:always|never|remember|from now on|that you|preference|permanent|every)\b"
            r"|\b(?:as|is) the user'?s own\b"
            r"|l['’]utilisateur (?:préfère|veut|souhaite|a décidé|demande)\b"
            r"[^\n]{0,60}(?:toujours|jamais|à retenir|chaque)"
            r"|\bder (?:be)?nutzer (?:möchte|will|bevorzugt|wünscht|hat entschieden)\b"
            r"[^\n]{0,60}(?:immer|nie|stets|jede)"
            r"|\bel usuario (?:prefiere|quiere|pide|decidió)\b[^\n]{0,60}(?:siempre|nunca|cada)"
            r"|\bo usuário (?:prefere|quer|pede|decidiu)\b[^\n]{0,60}(?:sempre|nunca|cada)"
            r"|\bde gebruiker (?:wil|wenst|heeft liever|heeft besloten)\b[^\n]{0,60}(?:altijd|nooit|elke)"
            r"|用户(?:希望|要求|喜欢|偏好|决定)[^\n]{0,30}(?:总是|始终|永远|必须|每次|不要)"
        ),
    ),
    (
        "standing-order",
        ("tool", "quoted"),
        (
            *("now on", "point on", "henceforth", "going forward", "ab jetzt", "ab sofort", "nun an", "künftig"),
            *("désormais", "dorénavant", "partir de", "ahora en adelante", "agora em diante", "vanaf nu", "voortaan"),
            *("从现在", "今后", "以后"),
        ),
        rf"{_FROM_NOW}[^\n]{{0,80}}(?:{_ALWAYS})|(?:{_ALWAYS})[^\n]{{0,80}}{_FROM_NOW}",
    ),
    (
        "standing-order",
        ("outside",),
        ("now on", "point on", "henceforth", "going forward"),
        (
            rf"{_FROM_NOW}[^.\n]{{0,30}}{_ADDRESSED}[^\n]{{0,60}}(?:{_ALWAYS})"
            rf"|{_ADDRESSED}[^.\n]{{0,60}}(?:{_ALWAYS})[^\n]{{0,80}}{_FROM_NOW}"
        ),
    ),
    (
        "claims-a-decision",
        ("tool",),
        ("decided", "agreed", "entschieden", "beschlossen", "décidé", "decid", "besloten", "决定"),
        rf"{_DECIDED}",
    ),
)
