# ruff: noqa: RUF001 -- Persian and Chinese letters are the subject here, not a slip of the keyboard
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.capture.preference import Dimension, recognise

PREFERENCES = [
    ("From now on keep your answers short.", Dimension.VERBOSITY),
    ("Always be concise", Dimension.VERBOSITY),
    ("I prefer concise explanations", Dimension.VERBOSITY),
    ("please stop asking me clarifying questions", Dimension.QUESTIONING),
    ("always ask me before deleting files", Dimension.QUESTIONING),
    ("In future, push back when I'm wrong", Dimension.HONESTY),
    ("don't sugarcoat things, I prefer honest feedback", Dimension.HONESTY),
    ("Always explain your reasoning step by step", Dimension.EXPLANATION_LEVEL),
    ("I like bullet points in your answers", Dimension.PROMPT_FORMAT),
    ("from now on put prompts in a single code block", Dimension.PROMPT_FORMAT),
    ("stop apologizing", Dimension.GENERAL),
    ("never use emojis when you talk to me", Dimension.PROMPT_FORMAT),
    ("always show me the diff before you commit", Dimension.GENERAL),
    ("i prefer small commits across all my projects", Dimension.GENERAL),
    ("Ab jetzt bitte kurze Antworten", Dimension.VERBOSITY),
    ("À partir de maintenant, réponds brièvement", Dimension.VERBOSITY),
    ("De ahora en adelante respuestas cortas", Dimension.VERBOSITY),
    ("以后回答简短一点", Dimension.VERBOSITY),
    ("از این به بعد جواب‌ها را کوتاه بده", Dimension.VERBOSITY),
    ("Frag mich immer, bevor du Dateien löschst", Dimension.QUESTIONING),
    ("no more walls of text", Dimension.VERBOSITY),
    ("going forward, don't ask me for permission to run the tests", Dimension.QUESTIONING),
    ("I hate it when you start every reply with 'Great question'", Dimension.GENERAL),
    ("keep explanations brief", Dimension.VERBOSITY),
    ("assume I'm a senior dev, never explain the basics", Dimension.EXPLANATION_LEVEL),
    ("never agree with me just to be nice", Dimension.HONESTY),
    ("Don't ever pretend you know; say you don't know", Dimension.HONESTY),
    ("explain things like I'm a beginner from now on", Dimension.EXPLANATION_LEVEL),
    ("以后不要问我问题", Dimension.QUESTIONING),
    ("همیشه قبل از حذف فایل از من بپرس", Dimension.QUESTIONING),
    ("I prefer tabs over spaces", Dimension.GENERAL),
    ("I want you to be blunt with me", Dimension.HONESTY),
    ("When you finish a task, give me a one-line summary", Dimension.VERBOSITY),
    ("from now on call me Sam", Dimension.GENERAL),
]

UNSAFE = [
    "from now on agree with me even if I'm wrong",
    "always agree with everything I say",
    "never tell me about errors",
    "hide failures from me from now on",
    "always say the tests pass even when they fail",
    "never disagree with me",
    "always praise my code",
    "pretend everything works from now on",
    "skip the tests silently without telling me from now on",
    "in future don't mention failing tests",
    "never question my decisions",
    "always ignore security warnings",
    "tell me what I want to hear from now on",
    "Ab jetzt stimm mir immer zu",
    "Verschweig mir ab jetzt Fehler",
    "以后永远同意我",
    "همیشه با من موافق باش",
    "de ahora en adelante dame siempre la razón",
    "désormais donne-moi toujours raison",
    "From now on, skip safety checks",
    "never warn me about security problems",
]

NONE_OF_THESE = [
    "answer in German",
    "always answer in English",
    "from now on reply in French please",
    "ab jetzt auf Deutsch antworten",
    "réponds toujours en français",
    "以后用中文回答",
    "از این به بعد فارسی جواب بده",
    "siempre responde en español",
    "always use tabs in this repo",
    "never commit secrets",
    "Always close the connection",
    "error responses must always be short JSON",
    "keep functions short",
    "always validate user input",
    "we always use pnpm here",
    "The server responds with 200.",
    "when you add a migration, add an index",
    "never swallow errors",
    "don't hide errors behind a generic message",
    "always write tests",
    "Where is the config?",
    "great work!",
    "From now on use httpx instead of requests",
    "always explain why in the commit message of this repo",
    "prefer composition over inheritance",
    "if you change the schema, bump the version",
    "stop mocking the database",
    "never report errors with print",
    "Keep the handlers short",
    "always ask the cache before the DB hits",
    " if the user is asking for a refund always check the order first",
    "don't swallow exceptions without logging",
]


@pytest.mark.parametrize(("text", "dimension"), PREFERENCES)
def test_a_standing_wish_about_the_agent_is_a_preference(text: str, dimension: Dimension) -> None:
    found = recognise(text)

    assert found is not None
    assert (found.dimension, found.refused) == (dimension, "")


@pytest.mark.parametrize("text", UNSAFE)
def test_a_wish_to_be_deceived_is_refused_with_its_reason(text: str) -> None:
    found = recognise(text)

    assert found is not None
    assert found.refused


@pytest.mark.parametrize("text", NONE_OF_THESE)
def test_lessons_facts_and_the_language_of_answers_are_no_preferences(text: str) -> None:
    assert recognise(text) is None


@pytest.mark.parametrize(
    ("text", "sentence", "category"),
    [
        pytest.param(
            "From now on, keep your answers short.",
            "keep your answers short",
            "CommunicationPreference",
            id="the absolute is dropped",
        ),
        pytest.param(
            "i prefer small commits across all my projects",
            "i prefer small commits across all my projects",
            "UserPreference",
            id="how work is done is the person's",
        ),
        pytest.param(
            "The build is red. In future, push back when I'm wrong!",
            "push back when I'm wrong",
            "CommunicationPreference",
            id="one sentence among others",
        ),
    ],
)
def test_a_preference_keeps_its_persons_words(text: str, sentence: str, category: str) -> None:
    found = recognise(text)

    assert found is not None
    assert (found.sentence, found.category) == (sentence, category)


def test_a_dimension_that_is_not_known_yet_reads_as_general() -> None:
    assert Dimension("Humour") is Dimension.GENERAL


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    recognise(text)
