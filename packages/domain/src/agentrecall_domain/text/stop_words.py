"""The stop words: words that carry a sentence and not its matter.

Every word is written as the tokenizer folds it: lower case, no accents, no
apostrophe (``don't`` reaches us as ``don`` and ``t``). Words of one language
that name a thing of software in another are no stop words: ``os``, ``dir``, ``war``, ``tag``, ``null``.
"""
# ruff: noqa: RUF001 -- Cyrillic and Arabic letters are the subject here, not a slip of the keyboard

from __future__ import annotations

# Texts, split once at import (some 30 microseconds): 900 quoted words, one a line, would hide what is in the list.
_ENGLISH = """
a an the this that these those there here such same other others another each every either neither both all any some
few many much more most less least several enough no none not nor only own so too very just also even still yet
ever never always often sometimes again already almost rather quite perhaps maybe however therefore thus hence
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves one ones who whom whose which what when where why how whether
someone something anyone anything everyone everything nobody nothing somebody anybody everybody
whatever whichever whoever whenever wherever
am is are was were be been being do does did done doing have has had having can cannot could may might must shall should
will would ought let lets get gets got gotten
and or but if because as until while since unless although though than then once else whereas
of at by for with about against between into through during before after above below to from up down in out on off
over under upon within without along across among around behind beside besides beyond despite except toward towards via
per
ain aren couldn didn doesn don hadn hasn haven isn mightn mustn needn shan shouldn wasn weren won wouldn
ll ve re im ive youre thats dont doesnt didnt isnt cant wont
yes yeah yep nope ok okay please thanks thank thx hi hey hello sorry sure well now really actually basically simply
etc eg ie like
"""

_GERMAN = """
der die das den dem des ein eine einer eines einem einen kein keine keiner keinen keinem und oder aber sondern denn
doch noch nur auch nicht nichts schon mal sehr so wie als wenn ob weil dass da damit dann dabei dazu davon dafur daran
darauf daraus durch fur gegen ohne um an auf aus bei mit nach seit von vom vor zu zum zur zwischen uber unter hinter
neben bis im ins am ans beim ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein meine meinen
meiner dein deine sein seine seinen seiner unser unsere euer eure ihre ihren ihrer ihrem dieser diese dieses diesen
diesem jeder jede jedes jeden jener jene jenes welche welcher welches man jemand niemand alle alles aller allen
ist sind bin bist sei seid wird werden wurde wurden worden wurden hat haben habe hast hatte hatten habt kann konnen
konnte konnten muss mussen musste soll sollen sollte sollten will wollen wollte darf durfen mag mochte mochten lass
ja nein bitte danke hier dort jetzt immer nie wieder mehr weniger viel viele wenig etwas ganz eben halt also
was wer wo wann warum wieso weshalb woher wohin gut gerne gern
"""

_FRENCH = """
le la les un une des du de et ou mais donc ni que qui quoi dont quand comme comment pourquoi si ne pas plus moins tres
trop peu aussi encore deja jamais toujours ici avec sans sous sur dans par pour en entre vers chez depuis pendant
avant apres contre je tu il elle nous vous ils elles moi toi lui leur leurs eux mon ma mes ton ta tes sa ses notre nos
votre vos ce cet cette ces ceci cela ca ceux celle celles celui au aux est sont suis sommes etes etait etaient etre ete
sera seront serait avoir ai avons avez ont avait avaient aura fait faire faut peut peux pouvez doit dois devoir veux
voudrais meme memes tout tous toute toutes quel quelle quels quelles chaque aucun aucune rien bien oui non merci alors
ainsi car y se qu jusqu lorsque puisque
"""

_SPANISH = """
el la los las un una unos unas de del al y e o u pero mas sino que quien quienes cual cuales cuando como donde cuanto
porque si no ni ya muy tan tanto tambien tampoco solo aun todavia siempre nunca aqui ahi alli ahora con sin sobre
bajo entre hasta hacia desde para por segun durante ante contra yo tu el ella ello nosotros vosotros ellos ellas
usted ustedes mi mis tus su sus me te se nos os le les lo este esta esto estos estas ese esa eso esos esas aquel aquella
aquello es son soy eres somos era eran ser sido fue fueron sera estar estoy estan estaba he ha has han hay haber habia
tiene tienen tengo tener hacer hace puede pueden puedo poder debe deben debo quiero quiere todo todos toda todas otro
otra otros otras cada algo alguno alguna algunos nada ninguno ninguna mismo misma gracias favor vale bueno pues asi
"""

_ITALIAN = """
il lo la gli le uno una dei degli delle del della dello dell di da dal dalla dallo dai dalle nel nella nello nei nelle
su sul sulla sullo sui sulle con per tra fra e ed o ma se che chi cui non piu meno molto poco anche ancora gia mai
sempre qui qua ora adesso io tu lui lei noi voi loro mi ti ci vi si ne mio mia miei mie tuo tua tuoi suo sua suoi
nostro nostra vostro vostra questo questa questi queste quello quella quelli quelle quel quale quali quanto quando come
dove perche cosa sono sei siamo siete era erano essere stato stata stati sara sia ho hai ha abbiamo avete hanno aveva
avere fare fa puo posso puoi possono deve devo devono voglio vuole tutto tutti tutta tutte altro altra altri altre ogni
grazie prego quindi dunque allora pero oppure
"""

_PORTUGUESE = """
o a um uma uns umas de da do das dos em na nas nos num numa por pela pelo pelas pelos para com sem sob sobre entre ate
desde e ou mas que quem qual quais quando como onde porque se nao nem ja muito pouco tao tambem ainda sempre nunca aqui
ali agora eu tu ele ela eles elas voce voces meu minha meus minhas teu tua seu sua seus suas nosso nossa lhe lhes este
esta isto estes estas esse essa isso esses essas aquele aquela aquilo sao sou somos era eram ser sido foi foram sera
estar estou estao estava esta ter tem tenho havia ha fazer faz pode podem posso poder deve devem quero quer tudo todo
todos toda todas outro outra outros outras cada algum alguma algo nada nenhum mesmo mesma mais menos sim obrigado
obrigada favor entao ao aos
"""

_DUTCH = """
de het een en of maar want dus als dat die dit deze wie wat waar wanneer waarom hoe welke niet geen wel ook nog al
alleen erg zeer zo te om aan bij door in met na naar op over onder sinds tegen tot tussen uit van voor zonder binnen
tijdens ik jij je u hij zij ze wij we jullie mij jou hem haar ons hun hen mijn jouw zijn onze uw ben bent is was waren
geweest worden wordt werd werden heb hebt heeft hebben had hadden kan kunnen kon konden moet moeten moest zal zullen
zou zouden mag mogen wil willen wilde doen doet hier daar nu dan toen altijd nooit weer meer minder veel weinig iets
niets iemand niemand alles iedereen elke ieder er ja nee graag bedankt alstublieft
"""

_RUSSIAN = """
и в во на с со к ко у о об от до из за по под над при про для без через между перед после не ни но а да или либо если то
что чтобы как так же бы ли уже еще лишь только тоже также даже вот ведь вы я ты он она оно мы они меня тебя его ее их
нас вас мне тебе ему еи им нам вам мои моя мое мои твои наш ваш свои себя этот эта это эти тот та те того этого
этои этих быть был была было были есть будет будут нет кто где когда куда почему зачем какои какая какие которыи которая
которые все всех всего очень можно нужно надо пожалуиста спасибо хорошо ладно теперь сеичас тут там здесь
"""

_PERSIAN = """
و در به از که را این ان با برای تا هم یا اما اگر است هست نیست بود بودند شد شده شود میشود باید نباید کن کنید کنم کند
میکند کرد کرده کردن دارد دارند دارم دار من تو او ما شما انها ایشان هر همه هیچ یک چه چرا چگونه کجا کی چون پس ولی بی
بر روی زیر بین بعد قبل های ها تر ترین ای ام ات اش خود دیگر نیز فقط خیلی لطفا ممنون بله نه خب حالا میخواهم
"""

# Arabic and Hebrew particles, and the bigrams that Chinese, Japanese and Korean courtesies and endings are made of.
_OTHERS = """
من الی علی عن فی هذا هذه ذلک التی الذی ما لا لم لن ان او ثم قد کان هو هی نعم شکرا
של את על אל עם זה זאת זו הוא היא אני אתה לא כן גם או כי אם מה
的 了 是 在 我 你 他 她 它 们 这 那 和 与 也 就 都 而 及 着 吗 呢 吧 啊 请 把 被 给 对
好的 是的 请继
谢谢 可以 我们 你们 他们 这个 那个 什么 怎么 一个 没有 如果 因为 所以 但是 一下 没问
です ます まし した して する いる ある こと これ それ この その ない から まで ので はい いい お願 願い いし しま くだ
ださ さい の は が を に で と も へ や
하세 세요 해주 주세 합니 습니 니다 그리 리고 네 이 그 저 는 은 를 을 가 에
"""

_SOFTWARE = frozenset({"bin", "comment", "del", "dir", "num", "os", "todo", "want"})

STOP_WORDS: frozenset[str] = (
    frozenset(
        f"""{_ENGLISH}{_GERMAN}{_FRENCH}{_SPANISH}{_ITALIAN}{_PORTUGUESE}{_DUTCH}{_RUSSIAN}{_PERSIAN}{_OTHERS}""".split(),
    )
    - _SOFTWARE
)
"""What no index column holds and no query asks for."""

_WEAK = """
add allow app appear ask bad build call case chang check code correct creat current default delet different
edit error exampl exist file find first fix fold follow function give go good handl happen help implement improv
instead issu job keep kind know last line list littl long look lot make mean method modify move name need new next
number old open part place point possibl problem project proper put read remov replac result return right run
save say see set show simpl start step stop support take task tell test thing time try two updat use user valu
variabl version want way whol work write wrong
"""

WEAK_WORDS: frozenset[str] = frozenset(_WEAK.split())
"""Words of software talk too common to tell one rule from another; spelled as the tokenizer stems them."""
