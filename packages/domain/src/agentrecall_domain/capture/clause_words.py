"""The words by which clauses are told apart: what opens a condition, a reason, a refusal, an ask. Light.

A table holds phrases in lower case, parted by "|", one text a language. An ending "'" stands for an elided word.
"""

from __future__ import annotations

from agentrecall_domain.capture.phrases import word_set

_VERBS_TEXT = """
    abstract accept access accumulate acknowledge acquire activate adapt add address adhere adjust adopt agree
    alias align allocate allow allowlist amend analyse analyze annotate answer append apply archive arrange ask
    assemble assert assign assume attach audit authenticate authorize await back backfill bake base batch
    beautify begin benchmark bind bisect blame block book boot bound branch break bring build bump bundle cache
    call cancel cap carry cast catch chain change check cherry-pick choose chunk clamp clean clear clone close
    codify coerce collect combine comment commit compare compile complete compose compute configure confirm
    connect consider construct consult consume convert copy cordon count couple cover create curry cut debounce
    debug declare decode decorate decouple dedupe deduplicate default defer define delay delegate delete
    denormalize deny depend deploy deprecate derive describe design destroy destructure detect disable discard
    dispatch display dispose distribute divide do document download drain draw drive drop dry dump duplicate
    edit eliminate embed emit emulate enable encode encrypt end enforce enqueue enrich ensure enumerate escape
    establish estimate evaluate evict exclude execute exercise exit expand expect explain export expose express
    extend extract factor fail fake fall favor favour feed fetch fill filter find finish fit fix flag flatten
    flip flush follow force fork format forward free freeze fuzz gate gather generate get give go grant group
    guarantee guard hand handle hard-code hardcode hash have hide hoard hoist hold honor hook host hydrate idle
    ignore implement import include increase increment index inherit initialise initialize inject inline insert
    inspect install instantiate instrument intercept interpolate introduce invalidate invert investigate invoke
    isolate iterate join keep kill label launch lay lazy-load lead lean leave let lift limit link lint list
    listen load localize lock log look loop lower lowercase maintain make manage map mark mask match materialize
    measure memoize mention merge merge-base migrate minify minimise minimize mirror mix mock model modify
    monitor mount move mutate name narrow navigate negate nest normalise normalize note notify number observe
    offer omit open opt order organise organize override own pack page paginate pair parallelize parameterise
    parameterize parse partition pass paste patch pause perform permit persist pick pin pipe place plan point
    poke poll pop populate port post prefer prefetch prefix preload prepare present preserve press prettify
    prevent print probe process produce profile promote propagate propose protect prove provide provision proxy
    prune publish pull purge push put quarantine query queue quote raise ramp range rate-limit re- reach read
    reason rebase rebuild recompute record recover recreate recurse redact redirect reduce refactor refer
    reference refresh refuse register reinstall reject relay release reload rely remember remove rename render
    reopen reorder repeat replace report request require reraise reread rerun rescue reserve reset resize
    resolve respect respond restart restore restrict retry return reuse revert review revoke rewrite roll rotate
    round route run salt sanitise sanitize save say scaffold scale scan schedule scope script seal search secure
    seed select send separate serialise serialize serve set shadow shard share ship shorten show shut sign
    silence simplify simulate skip sleep snapshot sniff solve sort source spawn speak specify spell spin split
    spread spy squash stage stagger standardize start stash state stay step stick stop store stream stringify
    strip structure stub subclass submit subscribe substitute suffix supply support suppress surface suspend
    swallow swap switch sync tag taint take target tear tell terminate test think throttle throw tie time
    timebox toggle tolerate touch trace track trade transform translate trap traverse treat trigger trim
    truncate trust try tuck tune turn tweak type unify uninstall unlock unpack unsubscribe untar unwrap unzip
    update upgrade upload uppercase use vacuum validate vary vendor verify version view voice wait walk warm
    warn watch whitelist widen wipe wire work wrap write yield zero zip talk backport bail rethrow retain slice
    sum summarise summarize tidy train unroll vet apologize apologise shrink sweep stamp hope suppose catalog
    dig eat forbid forget frame glue grab grep guess hunt hurry intend interrupt invent judge jump knock mash
    mind nudge obey offload paint park peek phrase postpone practice prepend preview punt rant reboot relax
    relocate restate reword risk rush sacrifice scatter scrub scroll sense shove shuffle sidestep sink sit skim
    sneak spare spill sprinkle stuff summon swear tack tailor tamper torture travel understand undo unpick
    violate waste wave weigh hotlink cram squeeze bury decide reinvent litter monkeypatch typecast eyeball whip gimme
"""
VERBS = frozenset(_VERBS_TEXT.split())
_AMBIGUOUS_TEXT = """
    abstract access address answer back base batch block book branch break build bundle cache call cap cast
    change check clone comment commit copy count cover cut default document download draw drive drop end export
    extract fail feed filter find fix flag format fork group guard handle hash hold host import index input
    insert install join keep label launch lead lift limit link lint list load lock log look loop map mark mask
    match measure merge mirror mock model monitor mount move name note number order override page patch pause
    pin pipe place plan point poll port post prefix print process profile pull push query queue quote raise
    range read record reference release report request reset retry return reuse review roll route run sample
    scale scan schedule scope search seed select set share sign snapshot sort split squash stage start state
    step stop store stream structure stub support surface swap switch sync tag target test time toggle touch
    trace track trap trigger trust try tune turn type update upgrade upload use value version view wait walk
    watch wire work wrap write yield zero archive audit benchmark boot catalog design dispatch display dump fake
    factor hook judge mix nest offer pack proxy relay risk shadow shard slice supply train vendor grant guess hand
    interrupt paint park phrase practice preview spare spill strip travel voice ship
"""
AMBIGUOUS = frozenset(_AMBIGUOUS_TEXT.split())

CONDITION = {
    "en": """when|whenever|if|while|before|after|during|every time|each time|any time|anytime|once|as soon as|until
    |unless|upon|in case|wherever|as long as|the moment|the next time|next time you|given|anyone who|anybody who
    |everyone who|those who""",
    "de": """wenn|falls|bevor|sobald|jedes mal wenn|jedes mal, wenn|immer wenn|beim|vor dem|nach dem
        |vor jedem|nach jedem
    |solange|wer|ehe|sooft|wo""",
    "fr": """quand|lorsque|lorsqu'|si|s'il|s'ils|avant de|avant d'|avant que|apr\u00e8s avoir|apr\u00e8s|chaque fois que
    |chaque fois qu'|d\u00e8s que|d\u00e8s qu'|d\u00e8s|pendant|en cas de|avant|tant que""",
    "es": """cuando|si|antes de|despu\u00e9s de|cada vez que|al|siempre que|mientras|en cuanto|tras|quien""",
}
PLACE = {
    "en": """in|for|inside|within|around|under|with|on|at|across|throughout|regarding|re|about|near|as for
    |when it comes to|outside|outside of|everywhere in|anywhere in""",
    "de": "f\u00fcr|bei|im|in|auf|unter",
    "fr": "dans|pour|chez|sur|en|sous",
    "es": "en|para|con|dentro de",
}
REASON = {
    "en": """because|because of|since|cuz|cause|bc|b/c|cos|otherwise|or else|or otherwise|else|as otherwise|due to
    |given that|seeing that|seeing as|considering that|so that|thanks to|owing to|the reason is|the reason being
    |reason|why|rationale|as the|as our|as a|as an|as every|as all|as most|as some|as its|as their|as your|as it
    |as this|as that|as they|as we|as there|as those|that way|this way|lest|in order to|the point being
    |background|context""",
    "de": """weil|da sonst|da wir|da die|da der|da das|da es|da sie|denn|sonst|ansonsten|andernfalls|damit|grund""",
    "fr": """parce que|parce qu'|car|sinon|puisque|puisqu'|\u00e9tant donn\u00e9 que|autrement|vu que|comme \u00e7a
    |pour que|afin que|afin de|sans quoi""",
    "es": """porque|ya que|pues|puesto que|dado que|de lo contrario|para que|debido a|as\u00ed""",
}
CONTRAST = {
    "en": """instead of|rather than|in place of|as opposed to|over|beats|trumps|wins over|is better than|are better than
    |not|and not|but not|replaces|>|than""",
    "de": "statt|anstatt|anstelle von|nicht|und nicht|aber nicht|kein|keine|keinen",
    "fr": """au lieu de|au lieu d'|plut\u00f4t que de|plut\u00f4t que d'|plut\u00f4t que|et non|et pas|et non pas
    |et jamais|pas""",
    "es": "en vez de|en lugar de|y no|no|y nunca|nunca",
}
REFUSAL = {
    "en": """try not to|be careful not to|careful not to|take care not to|make sure not to|be sure not to
        |remember not to
        |it's better not to|it is better not to|prefer not to|i'd avoid|i would avoid|i'd rather not|i'd prefer not to
        |make sure you don't|make sure we don't|we stopped|we've stopped|never|never ever|do not|don't|dont
        |do not ever|don't ever|don't just|don't even|do never|must not|mustn't
    |should not|shouldn't|should never|must never|may not|can't|cannot|can not|never again|you should not
    |you shouldn't|you should never|you must not|you must never|you may not|we don't|we do not|we never
    |we no longer|we shouldn't|we should not|we should never|we must not|we must never|you don't|you never
    |one does not|nobody|you can't|you cannot|you can not
    |they don't|they never|they do not|avoid|stop|quit|no more|refrain from|steer clear of
    |stay away from|keep away from|beware of|watch out for|watch out with|careful with|be careful with
    |look out for|no|there should be no|there must be no|let's not|lets not|no need to|no need for|hands off
    |keep your hands off|stop it with|enough with|under no circumstances|at no point|i don't want|i do not want
    |i don't want to see|we don't want|not|without|get rid of|ditch|lay off|resist the urge to
    |resist the temptation to|resist|it's forbidden to|it is forbidden to|it's not ok to|it is not ok to
    |it's not allowed to|it is not allowed to|it's wrong to|it is wrong to|it's dangerous to|it's unsafe to
    |think twice before|cut it out with|i never want to see|i don't ever want to see|i don't want you to|i hate
    |i'm not a fan of|spare me|forget about|i told you not to|you were told not to|better not|rather not
    |it's a bad idea to|it is a bad idea to|bad idea to|it's a mistake to|it's a bug to|it is a mistake to
    |there's no reason to|there is no reason to|there's no point in|there is no point in|please resist
    |never ever again|not again|don't you ever|do not you|dont ever|dont just|dont even|we dont|you dont
    |shouldnt|mustnt|shall not|must no longer|should no longer|no longer""",
    "de": """h\u00e4nde weg von|finger weg von|nie|niemals|nicht|kein|keine|keinen|keiner|keinem|bitte nicht
        |bitte nie|bitte kein|bitte keine|bitte keinen
    |vermeide|vermeiden|h\u00f6r auf|nie wieder|ja nicht""",
    "fr": """jamais|ne jamais|ne pas|pas de|pas d'|plus de|plus jamais|\u00e9vite de|\u00e9vite d'|\u00e9vite
        |\u00e9viter
    |\u00e9vitez|\u00e9viter de|arr\u00eate de|arr\u00eate d'|arr\u00eatez de|il ne faut pas|il ne faut jamais
    |surtout pas|surtout ne pas""",
    "es": """no|nunca|jam\u00e1s|no se debe|no hay que|no debes|evita|evitar|deja de|nada de|no se|nunca m\u00e1s""",
}
LEAD_IN = {
    "en": """tbh|imo|imho|as a reviewer|review|small thing|quick note|quick one|one more thing|one thing|code review
    |style|perf|security|question|nope|wrong|please|pls|plz|remember|reminder|note|note to self|nb|actually
    |again|nit|nits|nitpick|minor|blocking|suggestion|heads up|heads-up|fyi|psa|tip|hint|ok|okay|also|btw
    |by the way|hey|hi|so|and|but|then|therefore|thus|hence|well|oh|ah|hmm|ugh|argh|sigh|look|listen|seriously
    |once more|for the record|for the future|for future reference|for the third time|for the last time
    |for the second time|for the love of god|lesson|lesson learned|lesson learnt|rule|new rule|takeaway|moral
    |to be clear|just|anyway|first of all|generally|in general|as a rule|as always|like i said|as i said
    |from now on|from here on|going forward|moving forward|in future|in the future|please remember|general rule
    |rule of thumb|important|warning|important note|always|instead|careful|whatever you do|rather|better
    |consequently|thanks|thx|review note|remember that|remember to|make sure to|be sure to|make sure
    |make sure that|try to|do|please do|could you please|could you|can you please|can you|would you please
    |would you|could we please|could we|can we please|can we|may i ask you to|i'd prefer it if you
    |i'd like you to|i would like you to|i want you to|i'd suggest to|i'd suggest|i suggest|i recommend
    |how about|why not|you want to|you'll want to|we want to|better to|best to
    |the right way is to|the fix is to|the trick is to
    |you can|you could|you might want to
    |don't forget to|do not forget to|never forget to|let's|lets|let us|you forgot to|you forgot|you missed
    |you keep forgetting to|like before|only ever|in short|long story short|bottom line|no exceptions|either way
    |yes|yeah|as a rule of thumb|that said|having said that|this time|here is the thing|the thing is
        |other way round|and please
    |would be nice to|it would be nice to|next time|everyone|everybody|guys|folks|team|dude|man
    |which means|which means that|that means|friendly reminder
    |you're supposed to|we're supposed to|just a heads up that|a heads up that|heads up that
    |would it kill you to|that's why|thats why
    |this is why|one request|would be great if you'd|would be great if you could
    |would be nice if you could|it would be great if you|it would help if you|i'd appreciate it if you
    |i'd appreciate if you|i'd prefer if you|i'd rather you|i'd love it if you|would be nice if you
    |could you maybe|please please|small request|quick reminder|general note|gentle reminder|also please
    |consider|at least|sorry""",
    "de": """bitte|also|und|aber|merke|achtung|hinweis|wichtig|immer|in zukunft|ab jetzt|k\u00fcnftig|lieber|stattdessen
    |nein|hey|sondern|stets|grunds\u00e4tzlich|nochmal|denk dran|bitte immer|am besten|besser|dann""",
    "fr": """non|merci|et|mais|donc|toujours|d\u00e9sormais|attention|plut\u00f4t|s'il te pla\u00eet|stp|svp|rappel|note
    |pense \u00e0|pensez \u00e0|n'oublie pas de|il faut|il vaut mieux|mieux vaut|on doit|tu dois|dor\u00e9navant
    |\u00e0 l'avenir|alors""",
    "es": """y|pero|siempre|por favor|recuerda|nota|ojo|mejor|en adelante|a partir de ahora|de ahora en adelante|sino
    |hay que|debes|tienes que|es mejor|acu\u00e9rdate de|no olvides|recuerda que|entonces""",
}
COMPARED = word_set("better best cheaper safer easier cleaner simpler faster nicer clearer wiser")
LEAD_IN["en"] += "".join(
    f"|{it} {how} to" for how in sorted(COMPARED) for it in ("it's", "it is", "it'd be", "it would be")
)
HERE = {
    "en": """in this repo|in our repo|in the repo|in this repository|in this project|in our project|in this codebase
    |in our codebase|in the codebase|in this code base|in this service|in our services|in this team|in our team
    |in this monorepo|in the monorepo|in this workspace|in this app|around here|over here|here|on this team
    |on this project|on this repo|for this repo|for this project|in this package|in this module|with us
    |at our place|on our team|for us|in every project|in any project|in all projects|in any repo|in every repo
    |in all my projects|in all my repos|in any of my projects|across all my projects|in all our repos
    |in any of our repos|on every project|everywhere""",
    "de": """in diesem repo|in diesem projekt|in diesem repository|in dieser codebasis|in diesem team|bei uns
    |in unserem projekt|in unserem repo|hier|in unserem team|in dieser codebase""",
    "fr": """dans ce d\u00e9p\u00f4t|dans ce projet|dans ce repo|dans ce service|chez nous|ici
        |dans notre d\u00e9p\u00f4t
    |dans notre projet|sur ce projet""",
    "es": """en este repo|en este repositorio|en este proyecto|en este servicio|en nuestro proyecto|aqu\u00ed
    |en nuestro repo|en este equipo|en nuestro equipo""",
}
CHATTER = {
    "en": """no exceptions|not like this|not like that
    |this is wrong|that is wrong|that's wrong|and i mean|i mean it|full stop|period|ever
    |thanks|thank you|thx|lgtm|looks good|looks great|nice|great|cool|good job|good catch|well done|sorry
    |as discussed|as agreed|as we discussed|no worries|no rush|no big deal|fine by me|not your fault|that's all
    |that's it|same here|same goes|second time|third time|the rest looks|the rest of|otherwise looks|i know
    |we talked about|i talked about|i said|i told|i mentioned|i already|we already|see also|this came up
    |whatever the|whatever repo|no matter|whichever|see|here goes|which is what|which is how|which was what
    |which is exactly|that is the|this is the third|this is the second|rest is fine|cheers""",
    "de": "danke|super|alles gut|nicht so|so nicht",
    "fr": "merci|super|bien vu|pas comme \u00e7a",
    "es": "gracias|perfecto|as\u00ed no",
}
DUTY = {
    "en": """should've|shouldn't|shouldnt|mustn't|mustnt
    |oughtn't to|may|must|should|shall|has to|have to|needs to
        |need to|ought to
    |is supposed to|are supposed to|is required to|are required to|is to|are to|had better|better be
    |is expected to|are expected to|gotta|has got to|have got to|got to""",
    "de": "muss|m\u00fcssen|soll|sollen|sollte|sollten|geh\u00f6rt|geh\u00f6ren",
    "fr": "doit|doivent|devrait|devraient|il faut|est \u00e0|sont \u00e0",
    "es": "debe|deben|hay que|tiene que|tienen que|deber\u00eda|deber\u00edan|va en|van en",
}

_AUXILIARY_TEXT = """
    is are was were isn't aren't wasn't weren't isnt arent has have had hasn't haven't does doesn't doesnt did
    didn't didnt will won't wont would wouldn't can can't cant cannot could couldn't may might should shouldn't
    shouldnt must mustn't shall needs need needn't it's that's thats they're theyre there's we're you're i'm
    he's she's what's who's it'll they'll that'll you'll we'll it'd they'd you'd we'd we've i've they've you've
    ain't i'd i'll means
"""
AUXILIARY = frozenset(_AUXILIARY_TEXT.split())
_PAST_TEXT = """
    broke went took lost got had did came ran left bit blew ate made found kept saw hid led fell sent wrote
    spent said told gave threw grew began knew held met paid stuck struck tore woke wound became chose drew
    drove flew forgot froze rose sank shook slept spoke stole swore thought understood won burned burnt bought
    brought built caught sat died meant
"""
PAST = frozenset(_PAST_TEXT.split())
# Verbs that are told of things, and that nobody is asked to do.
_TELLING_TEXT = """
    fail leak crash hang happen belong live sit stay go come exist matter hurt bite blow burn cost lose mean
    seem become appear disappear vanish rot drift diverge expire panic deadlock starve survive explode overflow
    grow shrink lag own know see need want have be get lie lead let depend rely differ vary collide race corrupt
    mask hide pollute prevent cause require contain carry consist enforce accept reject choke trip swallow lock
    block follow break work look sound feel run take give make turn end start begin stop slow save outlive agree
    point bundle render exhaust balk complain weigh cover replace scan ignore eat overwrite bypass learn confuse
    annoy surprise upset wake scare mislead flood spam clutter bloat double shift drown hog trash wreck spoil
    ruin degrade undermine complicate obscure defeat invite encourage discourage guarantee help serve satisfy
    disagree conflict clash compete interfere pile multiply stall show tell use read call fire load write pay
    hit send arrive creep slip sneak wait wear outlast reappear resurface bubble
"""
TELLING = frozenset(_TELLING_TEXT.split())
_PRONOUN_TEXT = """
    it they we i he she you that those these this there who which nobody everyone everybody everything somebody
    someone people nothing something anything anyone none both
"""
PRONOUNS = frozenset(_PRONOUN_TEXT.split())
_DETERMINER_TEXT = """
    the a an all both every each any some no our your its their my his her this that these those one two three
    four five several many most few another other such half
"""
DETERMINERS = frozenset(_DETERMINER_TEXT.split())
OBJECTS = DETERMINERS | frozenset(
    ("it", "them", "me", "us", "him", "yourself", "what", "whatever", "new", "only", "both")
)
_PREPOSITION_TEXT = """
    in on at to for from with into onto under over through via by of as about after before between within inside
    outside without behind beside against per like than during around across along up out off down away back
    next
"""
PREPOSITIONS = frozenset(_PREPOSITION_TEXT.split())
_ADVERB_TEXT = """
    never always only also just still already often usually sometimes silently quietly now then again even not
    mostly merely simply rarely seldom no longer both all
"""
ADVERBS = frozenset(_ADVERB_TEXT.split())
_CARRIER_TEXT = """
    to and or not never always also just only who which that people you we i they it can could will would should
    must may might do does did let's won't don't doesn't can't the a an new
"""
CARRIERS = (
    frozenset(_CARRIER_TEXT.split())
    | DETERMINERS
    | (PREPOSITIONS - {"up", "out", "off", "down", "away", "back", "around"})
)
"""Words after which a verb is no order: "you add", "to run", "the check"."""
_STRONG_TEXT = """
    use prefer ensure add put make don't dont never avoid please always keep pass return write create take pick
    choose give wrap declare inject treat set run call stick remember go
"""
STRONG_ORDERS = frozenset(_STRONG_TEXT.split())
"""Verbs of which a condition without a comma is followed soonest."""
STATES = frozenset(
    (
        "have",
        "get",
        "see",
        "know",
        "think",
        "want",
        "need",
        "hope",
        "expect",
        "plan",
        "own",
        "lose",
        "find",
        "look",
        "are",
        "were",
        "had",
        "got",
        "did",
        "lost",
        "left",
        "moved",
        "switched",
    )
)

PREFIXES = (
    "re",
    "un",
    "de",
    "pre",
    "dis",
    "over",
    "auto",
    "hard",
    "soft",
    "double",
    "force",
    "back",
    "co",
    "cross",
    "deep",
    "lazy",
    "dry",
    "mis",
    "self",
    "under",
    "hand",
    "live",
    "short",
    "mass",
    "bulk",
    "type",
    "spell",
)

_GERMAN_SIGNS_TEXT = """
    der die das von wird werden ohne beim zum zur des und ist nicht wir ein eine einen wenn weil immer nie
    statt bitte mit f\u00fcr den dem im auf
    sonst kein keine du man als sondern oder aber auch noch nur bei uns nach aus lieber jede jeden jeder warum
"""
_FRENCH_SIGNS_TEXT = """
    le les des est et une un pas que qui quand il sinon car jamais dans pour on sur ne au du la ce chez tu mais lieu
    plut\u00f4t
"""
_SPANISH_SIGNS_TEXT = """
    el los las una un y es no cuando porque siempre nunca para con en lugar del al si la de que se antes mejor favor
    desde nadie
"""
_ENGLISH_SIGNS_TEXT = """
    the is to of and you we it for in that with not are be this use when don't never it's here our please they
    because every if a
"""
SIGNS = {
    "en": frozenset(_ENGLISH_SIGNS_TEXT.split()),
    "de": frozenset(_GERMAN_SIGNS_TEXT.split()),
    "fr": frozenset(_FRENCH_SIGNS_TEXT.split()),
    "es": frozenset(_SPANISH_SIGNS_TEXT.split()),
}
SOMEBODY = frozenset(("anything", "everything", "something", "whatever"))
CONTRACTED = word_set("""
    it's its that's thats they're theyre there's we're you're i'm he's she's it'll they'll that'll it'd they'd
    we've i've they've you've we'd you'd we'll you'll
""")
"""Words that are a subject and its verb."""
CONJUNCTIONS = word_set("and or but so because if when which that while until unless otherwise instead rather")
NO_GERUNDS = word_set("""
    string nothing something anything everything thing during spring king ring sibling ceiling existing
    missing pending remaining following interesting casing warning setting binding mapping bring sting cling
    fling swing sling wring wing being morning evening
""")
NOT_ORDERS = word_set("wow haha lol yay oh omg hmm damn ugh") | (
    PRONOUNS
    | DETERMINERS
    | PREPOSITIONS
    | ADVERBS
    | CONJUNCTIONS
    | word_set("""
    not yet what where why how whose what's unlike although though whereas maybe perhaps sure same whether not
    all once twice there then than too very much more most less least many few
""")
)
PARTICIPLES = dict(
    pair.split(":")
    for pair in [
        "written:write",
        "built:build",
        "kept:keep",
        "sent:send",
        "read:read",
        "set:set",
        "put:put",
        "done:do",
        "made:make",
        "cut:cut",
        "thrown:throw",
        "held:hold",
        "hidden:hide",
        "drawn:draw",
        "split:split",
        "run:run",
        "given:give",
        "taken:take",
        "chosen:choose",
        "frozen:freeze",
        "bound:bind",
        "sorted:sort",
        *("left:leave", "wrote:write", "took:take", "ran:run", "gave:give", "threw:throw", "chose:choose"),
        *("broke:break", "found:find", "did:do", "brought:bring", "bought:buy", "hid:hide", "caught:catch"),
    ]
)
NOUNS_TOO = word_set("""
    tests logs changes builds types names values calls blocks locks files lists maps models modules keys tags
    labels errors queries plans checks uses hooks mocks stubs links lints loads loops marks masks matches
    measures moves notes numbers orders pages patches pipes places points posts prints processes profiles queues
    quotes ranges records references releases reports requests resets results retries returns reviews roles
    routes runs samples scales scans scopes searches seeds selects sets shares signs sorts splits stages starts
    states steps stores streams structures supports switches times traces tracks traps triggers updates uploads
    versions views waits watches wraps writes commits branches caches copies columns comments counts covers cuts
    defaults documents downloads drives drops ends exports extracts filters fixes flags formats forks groups
    guards handles hashes holds hosts imports indexes inputs installs joins limits mirrors monitors mounts
    offers overrides prefixes proxies shards dumps feeds docs bundles batches books bounds breaks addresses
    answers abstracts accesses scripts templates events mutations probes merges squashes reads needs wants works
    attempts details fits matters snapshots backups deploys rollbacks mixes parses zeros lags sums floats rounds
""")
NOUNS_TOO |= {f"{verb}s" for verb in AMBIGUOUS}
"""Third persons that are oftener the plural of a noun."""
