"""The words of preferences: how people say that a wish stands, and what about the agent they wish for. Light.

Clauses reach these patterns in lower case with single spaces, see `spoken`. Six languages in one table a meaning.
"""
# ruff: noqa: RUF001 -- Persian and Chinese letters are the subject here, not a slip of the keyboard

from __future__ import annotations

# Said at the front of a wish, and no part of it.
ABSOLUTE = (
    r"(?:(?:ok|okay|so|hey|please|pls|and|also|hi|no),? )*"
    r"(?:(?:from (?:now|here|this point|today) on(?:wards?)?|going forward|moving forward|in (?:the )?future"
    r"|for (?:the )?future"
    r"|henceforth|always|as a (?:general )?rule|generally|in general|as a standing (?:rule|preference)"
    r"|across (?:all )?(?:my )?projects"
    r"|remember(?: that)?|for all (?:my )?projects|next time|by default|permanently"
    r"|ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an|in zukunft|zuk\u00fcnftig|k\u00fcnftig|immer|grunds\u00e4tzlich"
    r"|\u00e0 partir de maintenant|d\u00e9sormais|dor\u00e9navant|\u00e0 l'avenir|toujours"
    r"|(?:de|a partir de) ahora en adelante|a partir de ahora|desde ahora|de ahora en m\u00e1s|en (?:el )?futuro"
    r"|en adelante|siempre"
    r"|从现在开始|从现在起|从今以后|今后|以后|总是|始终|永远|每次都"
    r"|از این به بعد|ازین به بعد|از الان به بعد|از حالا به بعد|همیشه|در آینده|از امروز)"
    r"[\uff0c,:]? ?)+(?:please |pls |bitte |s'il te pla\u00eet |por favor |请|لطفا )?"
)

STANDING = (
    r"(?<!\w)(?:from (?:now|here|this point|today) on|going forward|moving forward|in (?:the )?future\b"
    r"|henceforth|always|never(?! mind)"
    r"|as a (?:general |standing )?(?:rule|preference)|across (?:all )?(?:my |our )?projects|in (?:all|every"
    r"|each|any)(?: of)? (?:my )?(?:projects?|sessions?|chats?|repos?|repositor(?:y|ies))"
    r"|next time|by default|every time|each time|permanently|(?:i|i'd|i would|i'll|we)(?: really| much| strongly"
    r"| usually| generally| always)? (?:prefer|rather|like it|like (?:my|your|to|short|small|when|being|things)"
    r"|love it|hate|dislike|want you|need you|appreciate|find it (?:annoying|helpful))"
    r"|i(?: really| just)? (?:don't|do not|dont)(?: really)? (?:like|want|need|enjoy|care for|appreciate)"
    r"|my preference|i'm (?:not )?a fan of|i want (?!to )|i like\b"
    r"|(?:please )?(?:stop|quit) (?:\w+ing|the)|no more|no need to|(?:keep|make) (?:\w+ ){0,4}?(?:short|shorter"
    r"|brief|briefer|concise|terse|tight|simple|minimal|to the point|succinct|compact)"
    r"|(?:be|stay) (?:more |less |very |as )?(?:concise|brief|terse|succinct|direct|honest|blunt|verbose"
    r"|critical|to the point|candid|short|skeptical|formal|informal|casual|polite|friendly)"
    r"|whenever|when (?:you|i)|if (?:you|i)|before you|after you|don't ever|unless i (?:ask|say|tell)"
    r"|until i (?:say|ok|confirm|approve)|without (?:asking|my|checking|me)|ask me (?:first|before)|for me,"
    r"|ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an|in zukunft|k\u00fcnftig|zuk\u00fcnftig|immer|nie(?:mals)?"
    r"|grunds\u00e4tzlich|ich (?:bevorzuge|mag|h\u00e4tte (?:gern|lieber)|will|m\u00f6chte|hasse)"
    r"|h\u00f6r (?:bitte )?auf|mir ist lieber|(?:fasse?|halte?) dich kurz"
    r"|\u00e0 partir de maintenant|d\u00e9sormais|dor\u00e9navant|\u00e0 l'avenir|toujours|jamais"
    r"|je (?:pr\u00e9f\u00e8re|pr\u00e9f\u00e9rerais|veux|d\u00e9teste|n'aime pas|voudrais)|arr\u00eate[sz]? de"
    r"|j'aime(?:rais)?|cesse[sz]? de"
    r"|(?:de|a partir de) ahora|desde ahora|en (?:el )?futuro|en adelante|siempre|nunca|jam\u00e1s|prefiero"
    r"|(?:no )?me gusta|deja de|odio que|no quiero que|quiero que"
    r"|از این به بعد|ازین به بعد|از الان به بعد|از حالا به بعد|همیشه|هیچ ?وقت|هرگز|در آینده|ترجیح می ?دهم"
    r"|ترجیح می ?دم|ترجیح می ?دم|دوست (?:دارم|ندارم)|دیگه|دیگر|از امروز)(?!\w)"
    r"|从现在|从今以后|今后|以后|总是|始终|永远|每次|我喜欢|我更喜欢|我偏好|我希望|我不喜欢|我不想|我讨厌|别再|不要再|请一直|我想要你"
)

# What a wish is about, the narrower first; each with a word for it.
TOPICS = (
    (
        "Honesty",
        (
            r"(?<!\w)(?:honest(?:y|ly)?|candid|blunt(?:ly)?|be (?:more |very )?direct|sugar-?coat\w*|flatter(?:y"
            r"|ing)?|push(?:ing)? back|disagree\w*|sycophan\w+|challenge (?:me|my)|contradict me"
            r"|(?:tell|say)(?: me)? (?:\w+ ){0,2}?(?:if|when|that|so|where) (?:\w+ ){0,3}?(?:wrong|mistaken|not sure"
            r"|unsure|uncertain|don't know|do not know|a bad idea)|i'm wrong|i am wrong|my ideas? (?:is|are) bad"
            r"|agree with (?:me|everything)|(?:admit|say) (?:it )?(?:when |if |that )?you(?:'re| are| do|don't)"
            r"|(?:don't|do not|never|stop|rather than|instead of|quit) (?:just |ever )?(?:pretend\w*|guess\w*"
            r"|mak(?:e|ing) (?:things|stuff|it) up|invent\w*|bluff\w*|prais\w+|hid(?:e|ing)|overstat\w+)|yes-man"
            r"|yes man|what i want to hear|criticism|critical of"
            r"|ehrlich\w*|widersprich\w*|besch\u00f6nig\w*|honn\u00eate\w*|franc|franche\w*|contredi\w*|flatte\w*"
            r"|hones?to|honesta|sincero|sincera|halag\w*|contradi\w*|صادق\w*|رک|روراست|تعارف|چاپلوسی|مخالفت)(?!\w)"
            r"|诚实|坦诚|直说|直言|奉承|拍马屁|反驳我|不同意"
        ),
    ),
    (
        "Questioning",
        (
            r"(?<!\w)(?:ask(?:ing|s)? me|ask(?:ing)? (?:first|for (?:permission|confirmation|clarification)"
            r"|before (?:you|doing|making|deleting|touching|changing|committing|pushing|running|installing|adding"
            r"|editing))|(?:clarifying |follow-?up |one |fewer |no )?questions?(?: at a time)?|stop asking"
            r"|without asking|don't ask|check(?:ing)? (?:in )?with me|confirm with me|my (?:confirmation|permission"
            r"|approval|ok|go-ahead|sign-off)|wait for (?:me|my)\b|until i (?:say|ok|confirm|approve)"
            r"|frag(?:e|st|en)?(?: mich)?|r\u00fcckfragen?|nachfragen|fragst|demande(?:[rsz]|-moi|s-moi)?|questions?"
            r"|pose[sz]? (?:moi )?(?:des|une)|pregunt\w+|پرس\w*|بپرس\w*|نپرس\w*|سوال\w*|سؤال\w*)(?!\w)"
            r"|问我|提问|问题前|先问|确认"
        ),
    ),
    (
        "Verbosity",
        (
            r"(?<!\w)(?:short(?:er)?|concise(?:ly)?|brief(?:er|ly)?|terse(?:ly)?|succinct(?:ly)?|verbose|wordy"
            r"|long-winded|fluff|preambles?|rambl\w*|to the point|fewer words|less text|walls? of text|kurz\w*"
            r"|knapp\w*|br\u00e8ves?|bri\u00e8vement|courte?s?|concis(?:e|es|as?|os?)|breves?|cort[oa]s?|کوتاه\w*"
            r"|مختصر\w*)(?!\w)|简短|简洁|简明|精简|啰嗦|冗长|废话"
        ),
    ),
    (
        "ExplanationLevel",
        (
            r"(?<!\w)(?:explain\w*|explanations?|eli5|rationale|your (?:reasoning|thinking)|the (?:reasoning"
            r"|why) behind|step[- ]by[- ]step|beginner\w*|novice|expert|senior|junior|assume (?:that )?i(?:'m| am"
            r"| know| don't)|walk me through|teach me|the basics|in (?:simple|plain|layman'?s?) (?:terms|words"
            r"|english)|analog(?:y|ies)|jargon|tutorial\w*|lecture\w*"
            r"|erkl\u00e4r\w*|anf\u00e4nger\w*|schritt f\u00fcr schritt|expli(?:que|quer|ques|quez|cation"
            r"|cations)\w*|d\u00e9butant\w*|\u00e9tape par \u00e9tape|expl[i\u00ed]c\w*|principiante\w*|paso a paso"
            r"|توضیح\w*|قدم به قدم|مبتدی)(?!\w)|解释|讲解|一步一步|逐步|初学者|原理"
        ),
    ),
    (
        "PromptFormat",
        (
            r"(?<!\w)(?:bullets?(?: points?| lists?)?|bulleted|markdown|tables?(?= (?:for|in|instead|when|over"
            r"|rather)|$|[ ,.])|headings?|headers in (?:your|the)|emojis?|code ?blocks?|copy-?paste?(?:able|d)?"
            r"|plain text|numbered (?:list|steps)\w*|bold(?:ed)?|unified diffs?|(?:format|structure|layout) (?:your"
            r"|the|of (?:your|the)) (?:answers?|repl\w+|responses?|output|prompts?)|(?:answers?|repl\w+|responses?"
            r"|prompts?) (?:as|in) (?:a )?(?:single|one|json|list|table|block)|as a (?:diff|table|list|patch)"
            r"|prompts? (?:in|as|inside)"
            r"|stichpunkt\w*|tabellen?|aufz\u00e4hlung\w*|codebl[o\u00f6]ck\w*|\u00fcberschriften|puces?"
            r"|listes? (?:\u00e0 puces|num\u00e9rot\u00e9es?)|tableaux?|bloc de code|vi\u00f1etas?|tablas?"
            r"|lista(?:s)? (?:numerada|con)|bloque de c\u00f3digo|جدول|ایموجی|بولت|لیست|مارک ?داون)(?!\w)"
            r"|表格|列表|要点"
            r"|表情|代码块|markdown格式|格式"
        ),
    ),
    (
        "Verbosity",
        (
            r"(?<!\w)(?:short(?:er)?|concise(?:ly)?|brief(?:er|ly)?|terse(?:ly)?|succinct(?:ly)?"
            r"|long(?:er)?[- ]?(?:winded|answers?|repl\w+|responses?|explanations?)?|verbose|wordy|verbosity"
            r"|length(?:y)?|details?|detailed|summar(?:y|ies|ize|ise|izing|ising)|recaps?|fluff|preambles?|filler"
            r"|rambl\w*|walls? of text|to the point|tl;?dr|fewer words|less text|one[- ]lin(?:er?|ers)|(?:one|two"
            r"|three|a few|five|\d+) (?:sentences?|lines?|paragraphs?|words)|essays?|repeat (?:back|my|the)"
            r"|restat\w+|in-depth|thorough"
            r"|kurz\w*|knapp\w*|ausf\u00fchrlich\w*|lang(?:e|en)?|zusammenfass\w*|bref\w*|br\u00e8ves?|court(?:e|es"
            r"|s)?|concis(?:e|es)?|long(?:ue|ues|s)?|d\u00e9taill\w*|r\u00e9sum\w*|breves?|cort[oa]s?|concis[oa]s?"
            r"|larg[oa]s?|detallad[oa]s?|resum\w+|کوتاه\w*|مختصر\w*|خلاصه\w*|مفصل|طولانی)(?!\w)|简短|简洁|简明|精简|啰嗦|详细|冗长"
            r"|长篇|废话|总结"
        ),
    ),
)

# The subject of a communication wish: what the agent says. A short function is a matter of code.
TALK = (
    r"(?<!\w)(?:answers?|answering|repl(?:y|ies|ying)|respon(?:d|se|ses|ding)|explain\w*|explanations?"
    r"|ask(?:ing)?|questions?|tell(?:ing)? me|say(?:ing)?|talk\w*|speak\w*|chat(?:ty|ting)?|communicat\w+|tone"
    r"|apolog\w+|greet\w*|sign[- ]?offs?|call me|address me|tell me|report\w*|paste\w*|justify\w*|pleasantries"
    r"|comments? to me|start with (?:yes|the)|describ\w+|summar(?:y|ies|ize|ise|izing|ising)|recaps?|emojis?"
    r"|preambles?|fluff|filler|rambl\w*|walls? of text|honest(?:y|ly)?|blunt(?:ly)?|candid|sugar-?coat\w*"
    r"|flatter\w*|push back|pushing back|disagree\w*|agree with me|prais\w+|compliment\w*|explanatory|verbose"
    r"|wordy|terse|concise|brief|succinct|to the point|jargon|language you use|bullet points?|when you (?:write"
    r"|talk|speak|explain|answer)|messages? to me|your (?:messages?|output|wording|writing|updates?|text)"
    r"|great question|thank(?:s|ing)?|excuse\w*|lecture\w*|moraliz\w*|disclaimers?|caveats?|challenge me"
    r"|pretend\w*|guess(?:ing)?|prompts?|wait for m[ey]|one[- ]lin(?:er?|ers)|assume i|teach me|yes[- ]man"
    r"|sycophan\w+|confirm with me|check with me"
    r"|antwort\w*|erkl\u00e4r\w*|frag\w*|schreib\w*|sag\w*|fass\w*|halt\w* dich|ehrlich\w*|zeig\w* mir"
    r"|widersprich\w*|zusammenfass\w*|entschuldig\w*|duz\w*|r\u00e9pon\w*|r\u00e9ponses?|expliqu\w*"
    r"|explication\w*|demand\w*|questions?|dis-moi|honn\u00eate\w*|r\u00e9sum\w*|montre-moi|tutoie\w*|parle\w*"
    r"|respuestas?|respond\w*|contest\w*|expl[i\u00ed]c\w*|expliques?|pregunt\w*|dime|s\u00e9 (?:breve|honesto"
    r"|conciso|directo)|resum\w*|h\u00e1bla\w*|mu\u00e9strame|tut\u00e9a\w*|جواب\w*|پاسخ\w*|توضیح\w*|بگو\w*"
    r"|نگو\w*|پرس\w*|بپرس\w*|نپرس\w*|سوال\w*|صادق\w*|رک|خلاصه\w*|نشانم|نشان)(?!\w)|回答|回复|答复|解释|提问|问我|告诉我|说话|总结"
    r"|诚实|直说|讲解|称呼|道歉|语气|表情|废话"
)

# How the agent works together with the person, whatever the code is.
TOGETHER = (
    r"(?<!\w)(?:(?:show|give|send|let|warn|tell|notify|remind|ask|wait for|check with|confirm with|run it by"
    r"|consult|ping|interrupt|involve|walk|teach|leave (?:it|that|the \w+) to) me|my (?:ok|okay|approval"
    r"|permission|go-ahead|confirmation|sign-off|consent|review|machine|name|projects?|commits?|branches|prs?"
    r"|editor)|without (?:asking|telling|my|me|checking)|for me|on my behalf|commit(?:ting)?"
    r"|push(?:ing)?(?: to)?|plans?|diffs?|one (?:thing|step|task|change|file) at a time|small (?:steps?|commits?"
    r"|prs?|diffs?|changes)|unless i (?:ask|say|tell)|until i|i (?:didn't|did not|haven't|never) (?:ask|mention"
    r"|request)\w*|ask(?:ed)? for|unrelated (?:files|changes|code)|touch\w* (?:files|code|anything|things)"
    r"|pull requests?|work (?:on|in)|todo list|sub-?agents?"
    r"|mir|mich|moi|me (?:muestres|avises|preguntes|pidas)|mu\u00e9strame|av\u00edsame|committ?\w*|planes?"
    r"|pl\u00e4ne|commits?|کامیت|به من|نشانم)(?!\w)|先给我|给我看|提交前|计划|别自动|我确认"
)

# Talk that only an agent does: no person needs to be named beside it.
MANNERS = (
    r"(?<!\w)(?:apolog\w+|pleasantries|emojis?|preambles?|fluff|filler|rambl\w*|sugar-?coat\w*|flatter\w*|tone"
    r"|great question"
    r"|thank(?:s|ing)?|lecture\w*|moraliz\w*|disclaimers?|caveats?|prais\w+|compliment\w*|yes[- ]man|sycophan\w+"
    r"|greet\w*|chatty|excuse\w*|entschuldig\w*|duz\w*|tutoie\w*|tut\u00e9a\w*)(?!\w)|道歉|语气|表情|废话|称呼"
)

CODE_MATTER = (
    r"(?<!\w)(?:in this (?:repo\w*|project|codebase|service|module|package|file|team)|in (?:our|the) (?:repo\w*"
    r"|codebase|project|team|monorepo)|around here|(?:we|our team) (?:use|prefer|always|never|write|keep|don't)"
    r"|here[,.]|here$|in dieses?m (?:repo\w*|projekt)|dans ce (?:projet|d\u00e9p\u00f4t|repo)"
    r"|en este (?:proyecto|repo\w*)|در این (?:پروژه|ریپو))(?!\w)|这个项目|本项目|这个仓库"
)

CODE_THINGS = (
    r"(?<!\w)(?:(?:api|http|error|json|rest|server|cached|empty|graphql|llm|mock\w*|paginated|webhook|log|commit"
    r"|exception|success) (?:responses?|repl(?:y|ies)|answers?|messages?)|response (?:bod|code|header|time|model"
    r"|object|type|schema|format|status|dto)\w*|(?:endpoint|handler|controller|server|client|function|method"
    r"|class|quer(?:y|ie)|table|column|schema|component|migration|service|module|package|database|docstring"
    r"|changelog|variable|log line|regex|constant|parameter|argument|field|struct|interface|hook|route|job|queue"
    r"|worker|container|import|readme|comment|pr description|ticket)(?:s|es)?)(?!\w)"
)
PERSON = (
    r"(?<!\w)(?:me|my|i|i'm|i'd|i'll|i've|myself|your (?:answers?|repl\w+|responses?|explanations?|messages?"
    r"|output|summar\w+|writing|tone|reasoning|updates?|text|chat)|mir|mich|mein\w*|ich|moi|je|j'\w*|m'\w*|mes?"
    r"|yo|m\u00ed|mis?|من|منو|برام|برایم|بهم)(?!\w)|我"
)
# The person as the one it is done for, not as one who tells a story.
PERSON_TOO = (
    r"(?<!\w)(?:me|my|myself|your (?:answers?|repl\w+|responses?|explanations?|messages?|output|summar\w+"
    r"|writing|tone|reasoning)|mir|mich|mein\w*|moi|mes?|m\u00ed|mis|بهم|برام|من)(?!\w)|我"
)
FIRST_PERSON_WISH = (
    r"(?<!\w)(?:(?:i|i'd|i would)(?: really| much| strongly| usually| generally| always| would)? (?:prefer"
    r"|rather|like|love|hate|dislike|want|need you|appreciate)|my preference|i(?: really| just)? (?:don't|do not"
    r"|dont)(?: really)? (?:like|want|enjoy|care)|i'm (?:not )?a fan of|ich (?:bevorzuge|mag|will|m\u00f6chte"
    r"|hasse|h\u00e4tte)|mir ist lieber|je (?:pr\u00e9f\u00e8re|pr\u00e9f\u00e9rerais|veux|d\u00e9teste"
    r"|n'aime pas|voudrais)|j'aime(?:rais)?|prefiero|me gusta|odio que|quiero que|ترجیح می ?ده?م|دوست (?:دارم"
    r"|ندارم))(?!\w)|我喜欢|我更喜欢|我偏好|我希望|我不喜欢|我不想|我讨厌"
)

LANGUAGES = (
    r"(?<!\w)(?:english|german|deutsch\w*|french|fran\u00e7ais\w*|francais|spanish|espa\u00f1ol|espanol"
    r"|castellano|chinese|mandarin|cantonese|persian|farsi|italian\w*|portugu\w+|russian|japanese|korean|arabic"
    r"|turkish|dutch|polish|hindi|ukrainian|swedish|englisch\w*|franz\u00f6sisch\w*|spanisch\w*|anglais|allemand"
    r"|espagnol|ingl\u00e9s|ingles|alem\u00e1n|franc\u00e9s|chino|my (?:native )?language|mother tongue"
    r"|native language|muttersprache|(?:my|our|your|same|which|what|another|other|different|user's) language"
    r"|(?:la|de|quelle) langue|ma langue|(?:mi|el|otro) idioma|idioma|فارسی|انگلیسی|آلمانی|فرانسوی|اسپانیایی"
    r"|عربی|چینی|زبان)(?!\w)|中文|英文|英语|德语|法语|西班牙语|日语|汉语|普通话|波斯语|语言"
)

# Refused: what a person should not be helped to stay blind to. Each with why.
EVEN_WRONG = (
    r"(?:even (?:if|when|though)|although|regardless|no matter|whether or not|right or wrong"
    r"|without question)"
)
UNSAFE_ACTS = (
    (
        r"agree (?:with (?:me|everything|whatever|all)\b|to everything)(?! just)",
        "an agent that always agrees is no help when its person is wrong",
    ),
    (
        (
            rf"(?:say|tell me|confirm|act like|assume) (?:that )?i(?:'m| am) (?:always )?(?:right|correct)"
            rf"|treat (?:me"
            rf"|my \w+) as (?:always )?(?:right|correct)|side with me {EVEN_WRONG}|do (?:what"
            rf"|whatever) i say {EVEN_WRONG}"
        ),
        "an agent that always agrees is no help when its person is wrong",
    ),
    (
        (
            r"what i want to hear|flatter me|(?:always |constantly )(?:prais\w+|compliment\w*)|(?:praise"
            r"|compliment) (?:me|my|everything|all)\b|say (?:that )?(?:my|the) (?:code|work|ideas?) (?:is"
            r"|are) (?:great|perfect|good|excellent)"
        ),
        "praise that is always given says nothing",
    ),
    (
        (
            r"pretend(?! you know| to know| you don't| to understand| nothing is)\w*"
            r"|(?:lie|lying)(?: to (?:me|us|my)| about)"
            r"|fake (?:\w+ ){0,2}?(?:tests?|results?|output|success|coverage)|make up (?:results?|numbers?|facts"
            r"|citations?)|(?:say|claim|report|tell \w+)(?: that)? (?:the |all |all the )?(?:tests?|build|checks?"
            r"|everything|it) (?:\w+ )?(?:pass(?:ed|es)?|works?|succeed(?:ed|s)?|is (?:green|fine|ok))(?: (?:even"
            r"|no matter|regardless|anyway|without)| when)"
        ),
        "what is reported has to be what happened",
    ),
    (
        (
            r"(?:hide|hiding|conceal\w*|cover(?:ing)? up|sweep|suppress\w*|swallow\w*|bury|gloss over"
            r"|downplay\w*|omit"
            r"|leave out) (?:\w+ ){0,3}?(?:(?:failures?|failing \w+|failed \w+|your mistakes?|mistakes|risks"
            r"|vulnerabilit\w+)|(?:errors?|bugs?|problems?|issues?|warnings?)(?: \w+){0,4}? (?:from (?:me|us"
            r"|the user)|in your \w+))"
        ),
        "failures have to be seen to be mended",
    ),
    (
        (
            r"(?:skip|bypass|disable|ignore|turn off|circumvent|switch off) (?:\w+ ){0,3}?(?:safety|security|tests?"
            r"|checks?|verification|validation|reviews?|hooks?|ci|linters?|guards?"
            r"|permission\w*)(?: \w+){0,6}? (?:secretly|silently|quietly|without (?:telling|saying|mentioning|asking"
            r"|informing|me|a word)\w*|and (?:don't|do not) (?:tell|mention|say))|(?:secretly|silently"
            r"|quietly) (?:skip|bypass|disable|ignore|turn off|delete|remove)|(?:skip|bypass|disable|ignore"
            r"|circumvent|turn off) (?:all |any |the |your |every )?(?:safety|security) (?:checks?|rules?|guards?"
            r"|warnings?|measures?|rails?|guidelines?|concerns?)|(?:always|just) (?:skip|bypass|ignore) (?:all "
            r"|the )?(?:safety|security)"
        ),
        "a check that is skipped in silence protects nobody",
    ),
    (
        (
            r"stimm(?:e)? mir (?:immer )?zu|(?:gib|g\u00eeb) mir immer recht|sag immer,? (?:dass )?ich recht"
            r"|immer recht geben|verschweig\w*|verheimlich\w*|l\u00fcg(?:e)? |tu so,? als|lobe? mich (?:immer"
            r"|st\u00e4ndig)|lobe? immer"
        ),
        "the agent has to say what is so",
    ),
    (
        (
            r"sois (?:toujours )?d'accord avec moi|donne-moi (?:toujours )?raison"
            r"|cache[rz]?(?:-moi)? (?:\w+ )?(?:erreurs?|\u00e9checs?)|fais semblant|mens-moi"
            r"|f\u00e9licite-moi toujours"
        ),
        "the agent has to say what is so",
    ),
    (
        (
            r"(?:dame siempre la raz\u00f3n|(?:est\u00e1|estar|estate) (?:siempre )?de acuerdo conmigo"
            r"|oculta\w* (?:\w+ )?(?:errores|fallos)|finge|miente|al\u00e1bame siempre"
            r"|dime siempre que tengo raz\u00f3n)"
        ),
        "the agent has to say what is so",
    ),
    (
        (
            r"(?:总是|永远|始终|都)?(?:要)?同意我|隐瞒|假装|说我(?:是)?对的|隐藏错误|永远夸|总是夸|无条件赞同"
            r"|(?:همیشه )?با من موافق(?:ت کن| باش)|(?:خطا"
            r"|اشتباه|ارور)\w*(?: ها)?(?: را| رو)? (?:پنهان|مخفی) کن|وانمود کن|دروغ بگو|همیشه (?:از من )?تعریف کن"
            r"|بگو حق با من"
        ),
        "the agent has to say what is so",
    ),
)
UNSAFE_REFUSALS = (
    (
        (
            r"(?:report|reporting|mention|mentioning|bring up|talk about)(?: to me)?(?: (?:any|the|your|my|when"
            r"|if|that"
            r"|about))* (?:failures|failing tests|failed tests|mistakes|bugs|risks|problems|errors(?: to me|$"
            r"|[.!,]))|(?:tell|telling|inform|informing|notify|show|showing|warn|warning|bother|alert|report to"
            r"|talk to)(?: to)? me(?: (?:about|of|when|if|that|with|any|the|there|are|is|a|failed|failing|security"
            r"|your|tests?|build|something|goes))*(?: (?:errors?|failures?|failed|failing|fails?|bugs?|mistakes?"
            r"|problems?|risks?|vulnerabilit\w+|security|broken|wrong|regressions?|fails?))|warn me$"
        ),
        "failures have to be seen to be mended",
    ),
    (
        (
            r"(?:disagree|contradict|question|challenge|doubt|criticiz\w+|criticis\w+|correct|push back)(?: with| on"
            r"| against)?(?: me\b| my\b| anything i| what i|$|[.!,])"
        ),
        "an agent that always agrees is no help when its person is wrong",
    ),
    (
        (
            r"(?:say|saying|tell me|admit|suggest)(?: that)? (?:i'm|i am|i was|you're|you are|you were"
            r"|my \w+ (?:is|are"
            r"|was)) (?:wrong|mistaken|bad|unsure|not sure)|say no to me"
        ),
        "an agent that always agrees is no help when its person is wrong",
    ),
    (
        r"run (?:the |any )?tests?(?: \w+){0,3} (?:and|but) (?:say|claim|tell|report)",
        "what is reported has to be what happened",
    ),
    (
        (
            r"(?:widersprich\w*|kritisier\w*) mir|(?:erz\u00e4hl|sag|zeig)\w* mir (?:von )?(?:\w+ )?(?:fehlern?"
            r"|probleme?n?)|melde (?:mir )?(?:\w+ )?fehler|(?:contredis|contredire|contredis-moi|critique)(?: pas)?"
            r"|(?:parle|montre|signale)\w*(?:-moi)? (?:pas |jamais )?(?:des |les |d')erreurs?|(?:contradigas"
            r"|corrijas|critiques)|(?:digas|muestres|menciones|informes) (?:\w+ ){0,3}?(?:errores|fallos)"
        ),
        "the agent has to say what is so",
    ),
    (
        (
            r"告诉我错误|报告错误|提错误|反驳我|质疑我|指出我"
            r"|(?:خطا|ارور|اشتباه)\w*(?: ها)?(?: را| رو)?(?: به من)? (?:نگو|نشان نده|نشون نده"
            r"|گزارش نکن)|مخالفت نکن"
        ),
        "the agent has to say what is so",
    ),
)
REFUSAL = (
    r"(?<!\w)(?:don't|do not|dont|never|not|no|stop|quit|without|avoid|rather than|instead of|no need to"
    r"|shouldn't|must not|mustn't|cannot|can't|refrain from|nicht|nie|niemals|kein\w*|ohne|ne|n'|pas|jamais|sans"
    r"|no|nunca|jam\u00e1s|sin|نکن|نباید|هیچ ?وقت|هرگز|نگو)(?!\w)|不要|别|不|从不|绝不|نکن"
)
# Said to the agent about what it does for its person: with a "when" or a "don't" it is for good.
DIRECTED = (
    r"(?<!\w)(?:(?:to|for|at|back at|with) me|(?:give|tell|spare|send|teach|report|hand|show) me"
    r"|in your (?:answers?|replies|messages|output)"
    r"|my (?:commits?|machine|editor|plans?|ideas?|questions?|config|dotfiles|files|branches)|pleasantries"
    r"|walls? of code)(?!\w)"
)
FOR_GOOD = (
    r"(?<!\w)(?:when(?:ever)?|if|before|after|every time|don't|do not|dont|never|skip|no need|you don't have to"
    r"|like i(?:'ve|'m)?|whatever|wherever|no matter|everywhere|all my|any of my|every project)(?!\w)"
)
