"""The words of wishes: how people ask that something be remembered or not, in six languages. Light.

Clauses reach these patterns in lower case with single spaces, see `spoken`.
"""
# ruff: noqa: RUF001 -- Persian and Chinese letters are the subject here, not a slip of the keyboard

from __future__ import annotations

ENGLISH_HINTS = (
    *("rememb", "memor", "forget", "sav", "stor", "record", "mind", "note", "keep", "retain", "jot", "write", "add "),
    *("make", "learn", "between", "reference", "log ", "captur", "put ", "commit", "file ", "rule", "worth", "persist"),
)
OTHER_HINTS = (
    *("merk", "speicher", "notier", "denk", "vergiss", "behalt", "unter uns", "souvien", "rappel", "retien", "retenez"),
    *("oubli", "garde", "note", "enregistr", "entre ", "recu", "acuerd", "olvid", "guard", "apunta", "anota", "memori"),
    *("cuenta", "presente", "aufschreib", "schreib", "sauvegard", "conserv", "grabes", "registres", "almacen", "regel"),
    *("protokoll", "gedacht", "halt", "retenir", "record", "toma nota"),
)

STANDING = frozenset({"always", "never", "whenever", "every", "each", "here", "everywhere", "henceforth", "use"})
STANDING_PHRASES = (
    *("from now on", "next time", "in future", "in the future", "going forward", "for future", "in this repo"),
    *("in this project", "for this project", "for this repo", "when ", "before ", "after ", "from here on", "for good"),
)
_SOMEBODY_TEXT = """
me him her them us user users users' user's login password passwords credentials last who whom whether if back
when where ? state selection scroll device token session and or is was will would should can could does did
"""
SOMEBODY = frozenset(_SOMEBODY_TEXT.split())
# "Remember to close the file" is about the work at hand; "remember to always close it" is for good.
OPEN_ENDS = frozenset({"to", "which", "what", "a", "an"})
POINTERS = frozenset({"this", "that", "these", "those", "the", "my", "our", "your", "their", "its", "all", "each"})
_STATES_OF_PROGRAMS_TEXT = """
device devices browser computer machine choice choices selection selected password passwords login username
email card tab tabs state states position scroll window filter filters session sessions token checkbox button
option last latest previous current user users user's open opened active sort sorting page pages value values
cursor cookie cookies expanded collapsed credentials cart form field input address
"""
STATES_OF_PROGRAMS = frozenset(_STATES_OF_PROGRAMS_TEXT.split())
_WIDGETS_TEXT = """
checkbox button label labelled labeled toggle menu link dialog tooltip placeholder title titled named called
says saying reads prompt modal radio switch caption heading text string message function method endpoint
variable
"""
WIDGETS = frozenset(_WIDGETS_TEXT.split())

_START = (
    r"(?:^[-*\u2013\u2014 ]*|[,;:(] ?| ?[\u2013\u2014] ?| - "
    r"|(?<![\w'-])(?:(?P<joined>and|then|or|to)|but|so|also|now|btw|ok|okay|hey|hi|yes|yeah|yep|no|oh|well|right"
    r"|actually|thanks|again|fyi|because|remember|nice|great|good),? )"
)
_POLITE = (
    r"(?P<polite>(?:(?:please|pls|plz|just|kindly|always|also|really|maybe|do|(?:can|could|would|will) (?:you|u|we)"
    r"|i(?:'d| would)? (?:want|like|need|love|expect|prefer) you to|you (?:should|must|can|could|may|might)"
    r"|(?:you|we) (?:need|have) to|you(?:'d| had) better|make sure (?:to|you|that you|we)|be sure to|try to|let's"
    r"|let us|we (?:should|must)|help me|claude|agent|assistant|to|ever|good|important|it's important to),? ){0,5})"
)
_NO = (
    r"(?P<no>(?:(?:please |pls |so |ok |and )?(?:do not|don't|dont|never)(?: (?:ever|please|bother|try)(?: to)?)?"
    r"|(?:i |we |you )?(?:do not|don't|dont|wouldn't|would not) (?:want|like|need|have|expect|wish) (?:you )?to"
    r"|(?:there's )?no need to|(?:i'd|i would) (?:rather|prefer) (?:you |that you |if you |it if you )?"
    r"(?:not|didn't|did not|don't)(?: to)?|not to|(?:you |we )?(?:should|must|need|ought)(?: not|n't|nt)(?: to)?"
    r"|(?:you )?(?:can|may|could|would)(?: not|n't|not)|(?:you )?can't|better not|rather not|not|stop|avoid"
    r"|without|no"
    r"|refrain from) )?"
)
_VERBS = (
    r"(?P<verb>remember(?:ing)?|memori[sz](?:e|ing)|retain(?:ing)?|forget(?:ting)?|sav(?:e|ing)|stor(?:e|ing)"
    r"|record(?:ing)?|captur(?:e|ing)|keep(?:ing)?|put(?:ting)?|add(?:ing)?|writ(?:e|ing)|log(?:ging)?|fil(?:e|ing)"
    r"|not(?:e|ing)|persist(?:ing)?|commit(?:ting)?|mak(?:e|ing)|learn(?:ing)?|jot(?:ting)?|turn(?:ing)?|tak(?:e"
    r"|ing))"
)
ASK = rf"{_START}{_POLITE}{_NO}(?:please |just )?{_VERBS}(?=$|[ ,.!:?;])"

_IT = (
    r"(?:(?:this|that|it|these|those|everything|anything|nothing|the above|the following|all of (?:this|that|it))"
    r"(?: one| part| bit| here| too| down| last bit)?|(?:any|all|some|much|none) of (?:this|that|it|these)"
    r"|(?:this|that|the|our|my) (?:last )?(?:conversation|chat|session|exchange|message|discussion|thread|part"
    r"|bit|turn"
    r"|correction|feedback)"
    r"|(?:anything |everything )?(?:what(?:ever)? )?(?:i|we)(?:'ve| have)? (?:just |ever )?(?:said|say|told|tell"
    r"|wrote"
    r"|mentioned|discussed|shared|explained)(?: you)?)"
)
_MEMORY = (
    r"(?:memory|memories|notes|note|rules?|lessons?|preferences?|conventions?|learnings?|guidelines?|long-term memory"
    r"|memory file|knowledge|agentrecall|your head|brain|habit|record|list of (?:rules|lessons|preferences))"
)
_LESSON = r"(?:rule|lesson|preference|convention|learning|insight|guideline|gotcha|correction|feedback|takeaway|tip)s?"
_OVER = (
    r"(?: ?[.!?,;:)\u2013\u2014]| ?- |$| (?:please|pls|thanks|thank you|ok|okay|anywhere|either|though|yet|now"
    r"|at all)\b)"
)
_FOR_LATER = (
    r" (?:for (?:next time|the future|future (?:reference|use|sessions?|chats?|work)|later(?: reference| use)?"
    r"|other (?:sessions|chats|projects)|good|posterity)|going forward|permanently|across (?:sessions|chats)"
    r"|forever)\b"
)
_KIND = (
    r"(?: a| an| the| my| your| our| any| long-term| project| standing| global| permanent| general| new| persistent)"
)
FORGOTTEN = (
    rf"(?:(?:everything )?(?:what|that|whatever) (?:i|we)\b|i (?:said|told|mentioned|ever)\b|everything{_OVER}"
    rf"|(?:about )?(?:this|all (?:of )?(?:this|that)|the last (?:part|bit|message)){_OVER}"
    rf"|(?:this|that|our|the last) (?:conversation|chat|part|one|bit|message|rule|lesson)\b)"
)
INTO_MEMORY = (
    rf"(?:{_IT} )?(?:(?:to|into|as|from|out of){_KIND}{{0,3}}|in{_KIND}{{1,3}}) {_MEMORY}(?!-|\w)"
    r"(?! (?:cache|leak|map|file in|table|bank|pool|in (?!general|future)))"
    rf"|{_IT} (?:a|an|my|our|into a)(?: standing| general| permanent| new| hard| global)? {_LESSON}(?!-"
    rf"|\w)(?! in (?!general|future))"
    rf"|{_IT}?(?:{_FOR_LATER})|(?:it |this |that )?down(?:{_OVER}|{_FOR_LATER}| that\b)"
    rf"|(?:a |the |this |that |it as a )(?:new )?{_LESSON}(?:{_OVER}|{_FOR_LATER}| (?:that|about)\b)"
    rf"|(?:a )?(?:mental )?note (?:of (?:this|that|it|how|what)|that|:)"
    rf"|from (?:this|that)(?: mistake| one)?{_OVER}|(?:this|that|it|these|all this)? ?in mind\b"
)
BARE = rf"(?:{_IT}(?: in memory)?(?:{_OVER}|{_FOR_LATER}| (?:because|since|about me|of what)\b))"

_REFUSED = r"(?P<no>(?:(?:do not|don't|dont|no need to|never|not|needn't) (?:please |need to |have to )?)?)"
IDIOM = (
    rf"(?<![\w'-])(?:{_REFUSED}(?:(?<!we )(?<!i )(?<!they )(?<!to )bear (?:this |that |it )?in mind"
    r"|(?<!we )(?<!i )(?<!they )take note(?: of (?:this|that)|:|,|$)|commit (?:this|that|it) to memory"
    r"|(?<!be )(?:this|that|it|which)(?: one)? (?:is|'s|seems) worth (?:remembering|saving|noting down))"
    r"|for (?:your |my )?future reference\b(?! implementation)|^note to self\b|^(?:new )?(?:standing )?rule:"
    r"|^lesson(?: learned| learnt| for next time)?:|so (?:that )?(?:you|we) (?:don't forget|remember)\b"
    r"|(?:don't|do not|never) make me (?:say|repeat|tell|explain)\b|(?:this|that) should be remembered\b)(?!-|\w)"
)
REFUSING_IDIOM = (
    r"(?<![\w'-])(?:off[ -]the[ -]record(?!s|er|-|\w)|(?:^|, ?|just |keep (?:this|that|it) |stays? |strictly )"
    rf"between (?:you and me|us|ourselves|the two of us)(?={_OVER})"
    rf"|(?:keep|leave) (?:this|that|it|these|the following|any of this) out of (?:the |your |any )?{_MEMORY}(?!-|\w)"
    r"|(?:delete|remove|erase|wipe|drop|purge|strike) (?:this|that|it|what i (?:said|told you)|everything)(?: \w+)? "
    r"(?:from|out of) (?:your |the )?(?:memory|memories|notes|record)\b"
    r"|(?:(?<!must )(?<!should )(?<!can )not|isn't|never|nothing|none of (?:this|that|it))(?: here| in here)?"
    r"(?: (?:is|should|must|needs?|has|meant|supposed))? (?:to be|for|for the|worth|to) (?:saved|remembered|stored"
    rf"|recorded|memori[sz]ed|kept|remembering|saving|memory|remember)(?: in (?:your )?memory| of this)?(?={_OVER})"
    r"|(?:nothing|none of (?:this|that|it))(?: here| in here)? (?:should|must|needs to|has to|is to|will) be "
    rf"(?:saved|remembered|stored|recorded|memori[sz]ed|kept)(?={_OVER})"
    r"|(?:this|that|it|(?:none|any|nothing) of (?:this|that)|what i (?:said|say|told you)) "
    r"(?:(?:should|must|can|may|shall|need)(?: not|n't|not)|(?:should|must) never)"
    rf" be (?:saved|remembered|stored|recorded|memori[sz]ed)(?: in (?:your )?memory)?(?={_OVER})"
    r"|no need to (?:make a note|take notes?)\b|(?:don't|do not|dont) (?:take|make) (?:any )?(?:a )?notes?\b"
    r"|not for (?:your |the )?(?:memory|record|notes)\b|keep no (?:record|memory|note)s?\b)"
)

_DE_OBJECT = r"(?:das|dies|dieses|es|dir das|dir dies|alles|hiervon|davon|nichts davon|das hier|das alles)"
_DE_SOFT = r"(?: (?:bitte|hier|aber|jetzt|auch|mal|doch|lieber|besser|einfach|ja|dir|alles|unbedingt|auf keinen fall))*"
_DE_WHERE = (
    r"(?= ?[.!?,;:)]|$| (?:als (?:regel|lektion|notiz|vorliebe)|f\u00fcr|bitte|im ged\u00e4chtnis|in deinem"
    r"|dauerhaft|irgendwo|und))"
)
_BEGIN = (
    r"(?:^[-* ]*|[,;:(] ?| - | ?[\u2013\u2014] ?|(?<!\w)(?:und|aber|also|bitte|et|mais|s'il te pla\u00eet|y|pero"
    r"|por favor|ok|hey|no) )"
)

SAVE_OTHER = (
    r"(?<!\w)(?:"
    # German
    r"merke? (?:es )?dir(?! nicht| (?:das|dies|es|den|die|sowas|so etwas)(?: \w+)? nicht)(?!\w)"
    r"|merkt euch(?! nicht)|merken sie sich(?! nicht)"
    r"|(?:du )?(?:solltest|sollst|musst|kannst|k\u00f6nntest|w\u00fcrdest) (?:du )?dir (?:das|dies|folgendes"
    r"|es)(?: bitte| mal)? (?:merken|notieren)"
    r"|(?:bitte|(?:dir )?(?:das|dies)(?: bitte)?) (?:gut )?(?:merken|im hinterkopf behalten"
    r"|im ged\u00e4chtnis behalten)(?= ?[.!?,:]|$)"
    r"|behalte? (?:das |dies |es )?(?:bitte )?(?:im (?:kopf|hinterkopf|ged\u00e4chtnis)|in erinnerung)"
    r"|denk(?:e)? (?:bitte )?(?:(?:k\u00fcnftig|in zukunft|ab jetzt|immer|n\u00e4chstes mal) )?(?:daran"
    r"|dran)(?:,? dass|$|[.!:])"
    r"|vergiss (?:bitte )?(?:das |es )?(?:bitte )?nicht(?=,? (?:dass|wir|hier)|$|[.!:])"
    rf"|(?:notiere?|schreibe?) dir(?: bitte)?(?: {_DE_OBJECT})?(?! nicht)(?!\w)"
    r"|speiche?re? (?:dir )?(?:das|dies|es)(?: bitte)?(?= ?[.!?,:]|$| (?:als (?:regel|lektion|notiz|vorliebe)"
    r"|f\u00fcr (?:sp\u00e4ter|die zukunft|n\u00e4chstes)|im ged\u00e4chtnis))"
    r"|nimm (?:das|dies)(?: bitte)? (?:als regel|in dein ged\u00e4chtnis|in die regeln)"
    # French
    r"|(?:souviens-toi|souvenez-vous|souviens toi|rappelle-toi|rappelez-vous|rappelle toi)(?! \S+ \?)"
    r"|(?<!ne )(?:retiens|retenez)(?: bien)?(?= ?(?:$|[:,.!])| (?:que|ça|ca|ceci|cela|bien|le|la|cette|ce|pour|qu'))"
    r"|m\u00e9morise[rz]?(?: bien)? (?:que|ça|ceci|cela|cette r\u00e8gle|qu')"
    r"|n'oublie[sz]? (?:pas|jamais) (?:que|ça|ceci|cela|qu')|n'oublie[sz]? (?:pas|jamais)(?= ?[:,.!]|$)"
    r"|gard(?:e|ez|er) (?:bien )?(?:ça |cela |ceci |\u00e0 l'esprit |en t\u00eate )?(?:bien )?(?:en m\u00e9moire"
    r"|en t\u00eate|\u00e0 l'esprit)"
    r"|(?:enregistre|sauvegarde|note) (?:ça|ceci|cela|le fait)(?= ?(?:$|[:,.!])| (?:comme r\u00e8gle|comme une"
    r"|pour (?:la prochaine|plus tard|l'avenir)|en m\u00e9moire|dans ta m\u00e9moire|quelque part))"
    r"|prends(?: bien)? note|prenez note|(?:il faut|j'aimerais|je veux) que tu (?:te souviennes|retiennes"
    r"|te rappelles)"
    r"|(?:peux-tu|tu peux|pourrais-tu|tu pourrais) (?:retenir|m\u00e9moriser|te souvenir|te rappeler)|^\u00e0 retenir"
    # Spanish
    r"|(?<!te )(?:recuerda|recuerde|recuerden|recordad)(?= ?(?:$|[:,.!])| (?:que|esto|eso|siempre|nunca|lo|bien"
    r"|para))|recu\u00e9rdalo|recuerdalo"
    r"|(?:acu\u00e9rdate|acuerdate|acu\u00e9rdense) (?:de (?:que|esto|eso|siempre)|bien)"
    r"|ten(?:lo|ga|gan|gase)? (?:siempre |esto |eso |bien )?(?:en cuenta|presente|en mente)"
    r"|t\u00e9nlo (?:en cuenta|presente|en mente)"
    r"|no (?:te )?olvid(?:es|e|en)(?: de)? (?:que|esto|eso)|no lo olvides|que no se te olvide"
    r"|(?<!no )(?:guarda|guardad|guarde) (?:esto|eso)(?= ?(?:$|[:,.!])| (?:para|como (?:una )?(?:regla|nota"
    r"|preferencia|lecci\u00f3n)|en (?:tu|la) memoria))|(?<!no )gu\u00e1rdalo (?:en (?:tu|la) memoria|como|para)"
    r"|(?:memoriza|apunta|anota)(?:te)? (?:esto|eso|que)|(?:ap\u00fantate|an\u00f3tate|ap\u00fantalo"
    r"|an\u00f3talo|memor\u00edzalo)|toma(?:d)? nota"
    r"|(?<!no )quiero que (?:recuerdes|memorices|guardes) (?:esto|eso|que)|(?:puedes|podr\u00edas) (?:recordar"
    r"|memorizar) (?:esto|eso|que)"
    r")(?!\w)"
    # Chinese: no word boundaries; who is to remember must be the reader
    r"|(?:^|[\uff0c,\u3002\uff01\uff1a:\uff1b \u3001]|\u8bf7|\u8981|\u9ebb\u70e6|\u5e2e\u6211|\u7ed9\u6211"
    r"|\u8bf7\u4f60|\u52a1\u5fc5|\u4e00\u5b9a|\u6c38\u8fdc|\u597d\u597d|\u5148|\u8fd9\u4e2a|\u8fd9\u70b9"
    r"|\u8fd9\u6761|\u5b83|\u5e94\u8be5|\u4f60\u80fd"
    r"|\u53ef\u4ee5)(?<!\u4e0d\u8981)(?<!\u9700\u8981)(?<!\u4e0d\u53ef\u4ee5)"
    r"(?:\u8bb0\u4f4f|\u8bb0\u4e0b\u6765|\u8bb0\u4e00\u4e0b|\u8bb0\u4e0b|\u7262\u8bb0|\u8bb0\u7740"
    r"|\u8c28\u8bb0)(?!\u5bc6\u7801|\u6211(?!\u4eec|\u7684|\u559c|\u4e0d|\u8bf4)|\u7528\u6237|\u767b\u5f55"
    r"|\u9009\u62e9|\u4e0a\u6b21|\u72b6\u6001|\u8d26\u53f7|\u4e86\u5417|\u4f4d\u7f6e|\u65e5\u5fd7)"
    r"|(?<!\u4e0d\u8981)(?<!\u522b)(?<!\u4e0d\u7528)(?:\u4fdd\u5b58|\u5b58|\u5b58\u5165|\u52a0\u5165|\u52a0"
    r"|\u5199\u8fdb|\u5199\u5165|\u8bb0)(?:\u5230|\u5165|\u8fdb)?(?:\u4f60\u7684)?(?:\u8bb0\u5fc6"
    r"|\u957f\u671f\u8bb0\u5fc6)(?![\u5e93\u4f53\u5361])"
    r"|(?:\u522b|\u4e0d\u8981|\u4e0d\u80fd|\u5343\u4e07\u522b)\u5fd8(?:\u4e86|\u8bb0)(?=$"
    r"|[\uff0c,\u3002\uff01\uff1a:]|\u6211\u4eec|\u8fd9|\u672c\u9879\u76ee)|(?:\u8bf7|\u4ee5\u540e"
    r"|\u8981)(?:\u4e00\u5b9a|\u90fd)?\u8bb0\u5f97(?!\u5417)|\u4f5c\u4e3a(?:\u4e00\u6761)?\u89c4\u5219(?:\u8bb0"
    r"|\u4fdd\u5b58|\u5b58)"
)
DO_NOT_SAVE_OTHER = (
    r"(?<!\w)(?:"
    # German
    rf"(?:bitte |also |und |aber )?(?:merke? (?:es )?dir|speiche?re?|notiere?(?: dir)?"
    rf"|schreibe? dir) (?:{_DE_OBJECT}{_DE_SOFT} )?(?:bitte )?(?:nicht|nichts davon)(?: auf| ab)?{_DE_WHERE}"
    r"|vergiss(?: bitte)?(?: (?:das|dies|alles))?(?: wieder)?,? was (?:ich|wir)|vergiss (?:bitte )?(?:das|dies"
    r"|alles) wieder"
    r"|(?:das )?bleibt unter uns|nur unter uns|unter uns gesagt|nicht f\u00fcrs protokoll|(?:das )?(?:musst"
    r"|brauchst|sollst|darfst) du dir (?:das )?nicht (?:zu )?merken"
    r"|(?:mach|macht) (?:daraus |da )?(?:bitte )?keine regel(?: daraus)?|nicht (?:ins|in dein|im) ged\u00e4chtnis"
    r"|(?:will|m\u00f6chte|mag) nicht,? dass du (?:dir )?(?:das|dies|es) (?:merkst|speicherst|notierst|aufschreibst)"
    r"|ohne (?:das|dies|es) zu (?:speichern|merken)(?= ?[.!,]|$)"
    # German, a bare infinitive
    rf"|(?:{_BEGIN})(?:(?:bitte|das|dies|dieses|es|hiervon|davon|nichts|hier|alles|aber|auch|jetzt"
    rf"|lieber),? )*(?:nicht|nichts davon) (?:merken|speichern|abspeichern|notieren|aufschreiben"
    rf"|festhalten)(?= ?[.!?,;:)]|$)"
    # French
    r"|(?:ne (?:retiens|retenez|m\u00e9morise|m\u00e9morisez|sauvegarde|sauvegardez|garde|conserve|note|notez"
    r"|consigne)|n'enregistre[sz]?) (?:pas|rien|jamais)(?: (?:ça|ceci|cela|tout ça|de tout ça|cette conversation"
    r"|cet \u00e9change|ce que))?(?= ?(?:[.!?,:;]|$)| (?:s'il|stp|svp|je|j'|en m\u00e9moire|dans ta m\u00e9moire"
    r"|comme))"
    r"|ne (?:t'en souviens|te souviens|t'en rappelle|le retiens|le note|l'enregistre|le m\u00e9morise|la retiens"
    r"|les retiens) pas"
    r"|(?:il ne faut pas |tu n'as pas besoin de |pas besoin de |inutile de |pas la peine de |merci de ne pas "
    r"|ne pas )(?:retenir|m\u00e9moriser|enregistrer|noter|t'en souvenir|sauvegarder|conserver)(?: (?:ça|ceci"
    r"|cela))?(?= ?(?:[.!?,:;]|$)| (?:s'il|stp|svp|en m\u00e9moire))"
    r"|(?:ça reste |ceci reste |cela reste |reste |juste )?entre (?:nous|toi et moi)(?= ?[.!?,:;]|$)|hors micro"
    r"|oublie[sz]? (?:ce que (?:j'ai|je)|tout ce que)|garde[sz]? (?:ça|cela|ceci) pour (?:toi|vous)"
    r"|(?:je ne veux|je veux) pas que tu (?:retiennes|m\u00e9morises|enregistres|notes|gardes|te souviennes)"
    # Spanish
    r"|no (?:guardes|guarde|guarden|recuerdes|memorices|anotes|apuntes|registres|almacenes|grabes"
    r"|retengas)(?: (?:esto|eso|nada(?: de (?:esto|eso))?|ello|lo que (?:dije|digo|te dije)"
    r"|esta conversaci\u00f3n))?(?= ?(?:[.!?,:;]|$)| (?:por favor|en (?:tu|la) memoria|como|porque|para))"
    r"|no (?:lo|la|los|las|me lo) (?:guardes|recuerdes|memorices|anotes|apuntes|registres|almacenes"
    r"|grabes)(?! en (?:disco|la base|el))"
    r"|no (?:hace falta|es necesario|hay que|tienes que|necesitas|debes"
    r"|hay necesidad de) (?:que (?:lo )?)?(?:guardar(?:lo)?|recordar(?:lo)?|memorizar(?:lo)?|guardes|recuerdes"
    r"|anotar(?:lo)?|apuntar(?:lo)?)(?: (?:esto|eso))?(?= ?(?:[.!?,:;]|$)| por favor)"
    r"|no quiero que (?:lo )?(?:guardes|recuerdes|memorices|anotes|registres)|no guardar (?:esto|eso)"
    r"|sin guardar (?:esto|eso|lo)"
    r"|entre (?:nosotros|t\u00fa y yo|tu y yo)(?= ?[.!?,:;]|$)|extraoficialmente|(?:olvida|olv\u00eddate de"
    r"|olvidate de) (?:esto|lo que (?:dije|te dije|acabo))"
    r")(?!\w)"
    # Chinese
    r"|(?:\u522b|\u4e0d\u8981|\u4e0d\u7528|\u4e0d\u5fc5|\u65e0\u9700|\u65e0\u987b|\u8bf7\u52ff|\u52ff"
    r"|\u4e0d\u9700\u8981|\u522b\u518d|\u4e0d\u8bb8|\u4e0d\u51c6)(?:\u628a|\u5c06)?(?:\u8fd9\u4e2a|\u8fd9\u4e9b"
    r"|\u8fd9\u6761|\u8fd9\u6bb5|\u8fd9|\u5b83|\u6b64|\u6211\u8bf4\u7684)?(?:\u5bf9\u8bdd|\u8bdd|\u4e8b"
    r"|\u5185\u5bb9|\u4e1c\u897f)?"
    r"(?:(?:\u8bb0\u4f4f|\u8bb0\u4e0b\u6765|\u8bb0\u4e0b|\u4fdd\u5b58|\u8bb0\u5f55|\u5b58\u50a8|\u8bb0\u5fc6"
    r"|\u8bb0\u7740|\u5b58\u8d77\u6765|\u5b58\u4e0b\u6765|\u5b58|\u8bb0)(?:\u4e0b\u6765|\u8fd9|\u5b83|\u6b64"
    r"|\u5230\u8bb0\u5fc6|\u8fdb\u8bb0\u5fc6|\u5728\u8bb0\u5fc6|\u4efb\u4f55|\u6211\u8bf4\u7684|\u4e86?(?=$"
    r"|[\u3002\uff0c,\uff01!\uff1b\uff1f ])))(?!\u4e2a\u6587\u4ef6|\u4e2a\u5bc6\u7801|\u4e2a\u53d8\u91cf"
    r"|\u4e9b\u65e5\u5fd7|\u4e9b\u6587\u4ef6|\u6587\u4ef6|\u65e5\u5fd7)"
    r"|\u79c1\u4e0b\u8bf4|(?:\u4ec5|\u53ea)(?:\u9650)?(?:\u4f60\u6211|\u54b1\u4eec|\u6211\u4eec\u4e4b\u95f4"
    r"|\u5728\u6211\u4eec\u4e4b\u95f4)|(?<!\u522b)(?<!\u4e0d\u8981)(?:\u5fd8\u6389|\u5fd8\u4e86)(?:\u8fd9"
    r"|\u6211\u521a|\u6211\u8bf4)|\u4e0d(?:\u8981)?(?:\u8ba1\u5165|\u5199\u5165|\u8fdb\u5165"
    r"|\u5b58\u5165)\u8bb0\u5fc6"
)

_FA_THIS = r"(?:(?:این|اینو|این رو|این را|اینها رو|اینا رو|آن را|اون رو|اونو|همه اینها را) )"
SAVE_FA = (
    r"(?<!\w)(?:یادت(?:ان|ون)? (?:باشه|باشد|بمونه|بماند|نره|نرود|نرود که)|یادتون (?:باشه|نره)"
    r"|(?:به|ب) ?(?:یاد|خاطر) (?:داشته باش(?:ید)?|بسپار(?:ید)?|بسپر)|بخاطر (?:بسپار(?:ید)?|داشته باش)"
    r"|(?:تو|توی|در|به) (?:ذهنت|ذهن|حافظه|حافظه ات|حافظت) (?:نگه ?دار|بسپار|ذخیره کن|نگهدار|ثبت کن|بسپر)"
    rf"|{_FA_THIS}(?:\w+ ){{0,3}}?(?:ذخیره|حفظ|یادداشت|ثبت) کن(?:ید)?|{_FA_THIS}(?:(?:حتما|لطفا|همیشه) )?(?:یادت"
    rf"|به خاطر) (?:باشه|بسپار)"
    r"|^(?:لطفا )?(?:ذخیره|یادداشت) کن(?:ید)?(?=$|[.!،: ]+$)|فراموش (?:نکن(?:ید)?|نشه|نشود)(?=$|[.!،:]| که| این"
    r"| ما)|یادداشت کن که|(?:همیشه )?در نظر داشته باش)(?!\w)"
)
DO_NOT_SAVE_FA = (
    rf"(?<!\w)(?:{_FA_THIS}(?:\w+ ){{0,3}}?(?:ذخیره(?: اش| ش)?|حفظ|یادداشت|ثبت|ضبط) (?:نکن(?:ید)?|نکنی)"
    r"|(?<!فایل را )(?<!فایل رو )(?<!پسورد را )(?<!رمز را )(?<!رمز رو )(?<!فایل )(?:ذخیره(?: اش| ش)?"
    r"|ذخیرش) (?:نکن(?:ید)?|نکنی)|^(?:لطفا )?(?:یادداشت|ثبت) نکن(?:ید)?"
    r"|(?:به|ب) ?(?:یاد|خاطر) نسپار(?:ید)?|بخاطر نسپار|یادت نمونه|یادت نماند|(?:تو|توی|در) (?:ذهنت|حافظه"
    r"|حافظه ات|حافظت) (?:نگه ?ندار|ذخیره نکن|ثبت نکن|نگهندار)"
    r"|(?:بین|پیش) (?:خودمون|خودمان|ما|من و تو) (?:بمونه|بماند|باشه|باشد|می ?مونه)|این بین خودمون"
    r"|فراموش(?:ش)? کن(?:ید)?(?! که| نه)|فراموشش کن"
    r"|(?:لازم نیست|نیازی نیست|نیاز نیست|نمی ?خوا(?:م|هم))(?: که)?(?: \w+){0,3} (?:یادت (?:باشه|باشد|بمونه)"
    r"|به خاطر بسپاری|(?:ذخیره|حفظ|یادداشت) (?:کنی|بشه|شود|شه))"
    r"|محرمانه (?:بمونه|بماند))(?!\w)"
)
PATTERNS = {"other": (SAVE_OTHER, DO_NOT_SAVE_OTHER), "fa": (SAVE_FA, DO_NOT_SAVE_FA)}

PERSIAN_SPELLING = {
    0x064A: "ی",
    0x0649: "ی",
    0x0643: "ک",
    0x06C0: "ه",
    0x0629: "ه",
    0x200C: " ",
    0x200D: " ",
    0x200E: None,
    0x200F: None,
    0x0640: None,
} | dict.fromkeys(range(0x064B, 0x0653))
