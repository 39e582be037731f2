"""The words by which a lesson is told from a fact, praise, a question, a plan or a log. Light.

A list holds phrases in lower case, parted by "|"; they are looked for between spaces, see `phrases`.
"""

from __future__ import annotations

from agentrecall_domain.capture.phrases import word_set

STANDING = """always|never|from now on|from here on|going forward|in future|in the future|next time|every time|each time
    |whenever|by default|as a rule|must|should|mustn't|shouldn't|don't|do not|dont|avoid|prefer|has to|have to
    |needs to|convention|please remember|immer|nie|niemals|k\u00fcnftig|in zukunft|ab jetzt|muss|m\u00fcssen
    |soll|sollte|sollten|kein|keine|keinen|toujours|jamais|d\u00e9sormais|il faut|doit|doivent|siempre|nunca
    |hay que|debe|deben"""
STANDING_ELSEWHERE = (
    "\u4e0d\u8981",
    "\u603b\u662f",
    "\u5fc5\u987b",
    "\u4ee5\u540e",
    "\u5e94\u8be5",
    "\u522b",
    "\u6c38\u8fdc",
    "\u0647\u0645\u06cc\u0634\u0647",
    "\u0647\u0631\u06af\u0632",
    "\u0647\u06cc\u0686\u200c\u0648\u0642\u062a",
    "\u0628\u0627\u06cc\u062f",
    "\u0646\u0628\u0627\u06cc\u062f",
    "\u0627\u0632 \u0627\u06cc\u0646 \u0628\u0647 \u0628\u0639\u062f",
)
CONTRAST = """instead of|rather than|instead|beats|over|prefer|not via|not by|not with|not in|not from|not the
    |not a|not `
    |never|, not|statt|anstatt|au lieu de|au lieu|plut\u00f4t que|en vez de|en lugar de|otherwise|because|since"""
# At the start of a sentence: who says this tells what was or will be done.
PROSE = """i'll|i will|i'm going to|i'm now|i'm about to|i'm currently|i'm still|i'm moving|i am going to|i am now
    |i am about to|i've|let's start|let's first|let's look|let's see|let's now|here's what|here's the|here's a
    |here's how|here is what|here is the|here is a|plan :|the plan :|status :|status update :|next steps :
    |progress :|progress update :|progress so far :|progress report :|to do this i|to do this , i|to do that i
    |to do so i|i'd first|i'd start|i'd then|i'd begin|i would first|i would start|i would then|i would begin
    |todo|todos|summary :|summary of changes :|changes :|changes made :|what i did|update :|in progress :|done :
    |remaining :|blocked :|completed :|eta :|standup :|yesterday :|today :|wip|we're about to|we're going to
    |we're now|we're currently|we're still|we're halfway|we're almost|we're done|we are about to|we are going to
    |we are currently|we'll start|we'll first|we'll do|we'll now|we'll then|we'll need|next i|next , i|next we
    |next , we|step 1|step 2|step 3|all tests pass|all tests now pass|all checks pass|the implementation is
    |the refactor is|the refactoring is|the migration is complete|the change is complete|the fix is complete
    |the fix is in|the feature is complete|now that|to summarize|in summary|okay ,|the refactoring is complete
    |i decided|since i|i chose|overall ,|as an ai|certainly|of course ,|of course !|looking at|looking into
    |working on|i think i|based on my|based on the|based on your|let me"""
PROSE_OPENERS = word_set("ok okay sure great alright so now then first next done and also")
DONE = word_set(
    "added wrote fixed removed updated refactored implemented created moved renamed merged deployed pushed finished ran"
    " checked looked rewrote changed found started verified committed opened tried cleaned split extracted"
    " replaced went"
)
PRAISE_START = """thanks|thank you|thx|ty|great|nice|perfect|awesome|excellent|lovely|love|good|well done|lgtm
    |looks good
    |looks great|brilliant|amazing|fantastic|wow|cool|yes|yep|exactly|sweet|superb|kudos|beautiful|that was
    |that worked|that did|this is|this was|this looks|super|danke|toll|klasse|merci|bravo|g\u00e9nial|parfait
    |gracias|genial|perfecto|excelente|bien hecho"""
PRAISE = """thanks|thank you|thx|ty !|great|nice|nicely|perfect|perfectly|awesome|excellent|lovely|love it|love this
    |love that|love how|love the|good job|good work|good catch|good call|good stuff|good find|well done|lgtm
    |looks good|looks great|brilliant|amazing|fantastic|spot on|much cleaner|much better|much nicer|much clearer
    |so much better|exactly how|exactly what|exactly right|exactly as|nailed it|nailed|impressive|impressed
    |solid|clean|cleaner|elegant|wow|kudos|beautiful|beautifully|works great|works perfectly|works like a charm
    |works now|happy with|pleased|you rock|neat|sweet|superb|best|appreciate|danke|toll|klasse|super|prima|merci
    |bravo|g\u00e9nial|parfait|gracias|genial|perfecto|excelente|bien hecho|good one|nice work|reads really well"""
PRAISE_ELSEWHERE = (
    "\u5f88\u597d",
    "\u592a\u68d2",
    "\u8c22\u8c22",
    "\u5b8c\u7f8e",
    "\u4e0d\u9519",
    "\u5e72\u5f97",
    "\u0645\u0645\u0646\u0648\u0646",
    "\u0645\u0631\u0633\u06cc",
    "\u0639\u0627\u0644\u06cc",
    "\u062f\u0645\u062a \u06af\u0631\u0645",
    "\U0001f44d",
    "\U0001f389",
    "\U0001f64f",
    "\u2764",
    "\U0001f44f",
    "\U0001f680",
)
QUESTION_OPENERS = word_set("hey hi so and but ok quick question question: q")
QUESTION_START = """why|what|what's|where|where's|who|which|how|when did|when do|when does|when is|when was
    |when will|when can
    |is there|is it|is this|is that|is the|are there|are we|are they|are the|do we|do you|do i|do they|does|did
    |can i|can we|can you|can it|could i|could we|could you|should i|should we|would it|would you|has|have we
    |have you|any idea|any reason|any chance|i wonder|wondering|warum|wieso|wo|wie|was|welche|welcher|pourquoi
    |o\u00f9|comment|quel|quelle|est-ce|por qu\u00e9|d\u00f3nde|c\u00f3mo|qu\u00e9|cu\u00e1l|qui\u00e9n
    |shouldn't|isn't|aren't|wouldn't|doesn't"""
PATTERN_ALL = """all|every|each|both|other|others|the rest|everything|everywhere|most|alle|jeder|jede|tous|toutes|chaque
    |todos|todas|cada|route|routes|handler|handlers|endpoint|endpoints|service|services|controller|controllers
    |caller|callers|go through"""
PATTERN_EXCEPTION = """only|except|exception|but|unlike|outside|bypass|bypasses|skips|missing|forgets|alone|nur
    |au\u00dfer|sauf
    |seul|excepto|salvo|solo"""
PATTERN_BREAK = "without|doesn't|does not|isn't|aren't|not|instead|never|directly"
LESSON_STATEMENT = """we always|we never|we only|we don't|we do not|we prefer|we use|we keep|we put|we write
    |we name|we follow
    |we stick|we store|we deploy|we squash|we rebase|we run|we require|belongs in|belong in|is forbidden
    |not allowed|is banned|are banned|is mandatory|are mandatory|forbidden|off limits|off-limits|a bug to
    |wrong to|unsafe to|dangerous to|an error to|a mistake to|bad to|is a bug|are bugs|is a smell|is dangerous
    |is unsafe|are unsafe|is not safe|isn't safe|is harmful|never safe|bad idea|wir nutzen|wir verwenden
    |geh\u00f6rt in|geh\u00f6ren in|geh\u00f6rt nach|nous utilisons|on utilise|usamos|van en|va en
    |c'est termin\u00e9|chez nous|bei uns"""
THIS_ONCE = """right now|for now|just this once|this once|real quick|asap|tomorrow|today|tonight|by monday|by tuesday
    |by wednesday|by thursday|by friday|by tomorrow|by tonight|on line"""
TASKS = word_set("fix rename change delete remove move update revert undo check open run try rerun finish")
VAGUE = """better|properly|nicer|nice|nicely|clean|cleaner|good|correct|correctly|well|careful|right|improve|quality
    |smart|smarter|carefully|best|cool"""
_VAGUE_TERMS_TEXT = """
    make do better good well properli proper properly nice nicer nicely clean cleaner code thing thi fix improve
    improv try harder hard careful carefulli carefully right correct correctli correctly best work job please it
    up qualiti quality write be more think care stuff smart smarter attention pay cleanup polish sense effort
    focus check again mess cool next time better-code get keep go
"""
VAGUE_TERMS = frozenset(_VAGUE_TERMS_TEXT.split())
STRONG_STATEMENT = """belongs in|belongs under|belongs next|belong in|goes in|goes into|goes under|and not
    |not allowed|forbidden
    |banned|mandatory|off limits|off-limits|we always|we never|we only|we don't|we do not|we prefer"""
# Scripts in which clauses are not told apart: a word of duty is all that we go by.
DUTY_ELSEWHERE = (
    "\u4e0d\u8981",
    "\u5fc5\u987b",
    "\u5e94\u8be5",
    "\u7981\u6b62",
    "\u5207\u52ff",
    "\u4e0d\u5f97",
    "\u4e0d\u80fd",
    "\u8bf7",
    "\u52a1\u5fc5",
    "\u603b\u662f",
    "\u6c38\u8fdc\u4e0d",
    "\u0628\u0627\u06cc\u062f",
    "\u0646\u0628\u0627\u06cc\u062f",
    "\u0647\u0631\u06af\u0632",
    "\u0647\u0645\u06cc\u0634\u0647",
    "\u0627\u0633\u062a\u0641\u0627\u062f\u0647 \u06a9\u0646",
    "\u0627\u0633\u062a\u0641\u0627\u062f\u0647 \u0646\u06a9\u0646",
    "\u0627\u062c\u0631\u0627 \u06a9\u0646",
    "\u0628\u0646\u0648\u06cc\u0633",
)
ORDERED = """from now on|going forward|next time|please|must|should|has to|have to|needs to|otherwise|or else|bitte
    |il faut|hay que|sonst|sinon|de lo contrario|better to|best to|make sure|is not safe|is not thread-safe
    |is not enough|isn't safe|isn't thread-safe|isn't enough|so that|careful with|beware"""
INSISTS = """from now on|going forward|next time|in future|instead|should|must|please|rather than|never use|never do
    |never call|never add|never put|never commit|never run|never write|never let|never make|never edit
    |never touch|in this repo|in this project|in this codebase"""
# What is told of all things of a kind, with a word on its worth, is a lesson although nobody is told to do anything.
JUDGEMENT = """can't be|cannot be|can not be|shouldn't be|not for|not meant|not safe|not enough|not worth
    |asking for|smell
    |smells|anti-pattern|antipattern|break|breaks|hide|hides|the only|only way in|saves you|save you|matters
    |matter|is done when|sooner or later|leak|leaks|slow|slows|loses|lose|corrupt|corrupts|deadlock|deadlocks
    |crash|crashes|race|races|return early|worse|better|wrong|dangerous|unsafe|insecure|fragile|brittle|flaky
    |expensive|pointless|useless|cost|costs|convention|conventions|one component|nobody|no one|create their own
    |stay thin|stays|stay|is a problem|is a bug|is a mistake|is a risk|is a trap|is a leak|is a race|is a major
    |is a smell|are a smell|are a problem|are a trap|are a risk|belong on|belong in|belong at|belongs on
    |belongs in|belongs at|outage|outages|overwritten|fail|fails|dropped|rejected|bounces|bite|bites|hurt|hurts
    |kill|kills|block|blocks|starve|starves|are a gdpr problem"""
OF_OURS = """our convention|our rule|our policy|our style|for us|we're on|we are on|in this codebase|in this service
    |in this repo|in this project|in this team|convention|tests that|stories|per file|semver"""
OF_THE_DAY = """last week|last month|last year|last night|last quarter|yesterday|today|tomorrow|this week|this month
    |this morning|next week|next month|next year|next quarter|currently|was|were|eventually|right now|again
    |by now|monday|tuesday|wednesday|thursday|friday|noon|this summer|before summer|since january|since february
    |since march|since april|since may|since june|since july|since august|since september|since october
    |since november|since december"""
LONGEST_NAMES = word_set(
    "ios iphone ipad macos github gitlab javascript typescript postgresql mysql mongodb graphql youtube linkedin openai"
    " devops saas paas paypal mcdonald iot oauth bitbucket circleci pypi"
)
"""Names with inner capitals that are no code."""
EXTENSIONS = word_set(
    "py ts tsx js jsx go rs java kt cs cpp cc hpp h c rb php sql sh yaml yml json toml tf swift scala vue css"
    " scss html md"
    " proto ini cfg conf xml gradle ex exs dart lua env lock ipynb csproj properties jsonnet tfvars graphql adoc rst"
)
LOG_STARTS = (
    "Traceback ",
    "Caused by:",
    "npm ERR!",
    "npm WARN",
    "npm error",
    "npm warn",
    "error: ",
    "warning: ",
    "fatal: ",
    "panic: ",
    "Compiling ",
    "Downloading ",
    "Downloaded ",
    "Finished ",
    "Running `",
    "=> ",
    "---> ",
    "+++ ",
    "--- ",
    "@@ ",
    "diff --git",
    "modified: ",
    "FAILED ",
    "PASSED ",
    "FAIL ",
    "PASS ",
    "Test Suites:",
    "hint: ",
    "note: ",
    "help: ",
    "info: ",
    "remote: ",
    "To github",
    "Exit code",
    "exit code",
    "exit status",
    "make: ***",
    "\u2713 ",
    "\u2717 ",
    "\u2714 ",
    "\u2716 ",
    "\u25cf ",
    "PID ",
    "HTTP/",
    "GET /",
    "POST /",
    "E   ",
    "error[",
    "warning[",
    "goroutine ",
    "not ok ",
    "BUILD ",
    "FAIL",
    "PASS",
    "--> ",
    "build finished",
    "build failed",
    "build succeeded",
    "error TS",
    "ERROR: ",
    "ERROR ",
    "WARN: ",
    "WARN ",
    "WARNING: ",
    "INFO: ",
    "INFO ",
    "DEBUG: ",
    "DEBUG ",
    "FATAL: ",
    "FATAL ",
    "CRITICAL: ",
    "ok  ",
    "SUCCESS:",
    "Tests: ",
    "Time: ",
)
LOG_WORDS = ("exited with", "exit code ", "exit status ")
COMMAND_STARTS = ("$ ", ">>> ", "% ", "\u276f ", "#!", "PS C:\\")
