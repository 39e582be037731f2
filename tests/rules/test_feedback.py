from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.capture.extraction import Lesson, extract
from agentrecall_domain.capture.feedback import EmptyFeedbackError, LongFeedbackError, Parts, Scope, consider
from agentrecall_domain.rules.rule import InvalidRuleError, ScopeLevel, as_object

EVERYWHERE = Scope(ScopeLevel.GLOBAL, "")


@pytest.mark.parametrize(
    ("text", "lesson"),
    [
        pytest.param(
            "When a migration has been applied, add a new one, never edit it, because production has run it.",
            Lesson("When a migration has been applied", "add a new one", "edit it", "production has run it"),
            id="all four parts",
        ),
        pytest.param(
            "Don't mock the database in tests. We got burned last quarter.",
            Lesson("", "", "mock the database in tests", "We got burned last quarter"),
            id="what happened, told after the lesson",
        ),
        pytest.param("Use pnpm instead of npm.", Lesson("", "use pnpm", "use npm", ""), id="instead of"),
        pytest.param("Use pnpm rather than npm.", Lesson("", "use pnpm", "use npm", ""), id="rather than"),
        pytest.param("Use pnpm not npm.", Lesson("", "use pnpm", "use npm", ""), id="not without a comma"),
        pytest.param(
            "You must not edit applied migrations.",
            Lesson("", "", "edit applied migrations", ""),
            id="must not",
        ),
        pytest.param("Use tabs, not spaces.", Lesson("", "use tabs", "use spaces", ""), id="a short not"),
        pytest.param("Run the linter before you push.", Lesson("before you push", "run the linter", "", ""), id="last"),
        pytest.param(
            "Before you push, run the linter.",
            Lesson("Before you push", "run the linter", "", ""),
            id="condition first",
        ),
        pytest.param(
            "If the build is red, then fix it first.",
            Lesson("If the build is red", "fix it first", "", ""),
            id="if and then",
        ),
        pytest.param("Never commit secrets.", Lesson("", "", "commit secrets", ""), id="a bare prohibition"),
        pytest.param(
            "Don't mock the database because it hides real bugs.",
            Lesson("", "", "mock the database", "it hides real bugs"),
            id="a prohibition with its reason",
        ),
        pytest.param(
            "Do not use print; use the logger.", Lesson("", "use the logger", "use print", ""), id="semicolon"
        ),
        pytest.param(
            "Do not use print. Use the logger.", Lesson("", "use the logger", "use print", ""), id="two sentences"
        ),
        pytest.param("Avoid global state.", Lesson("", "", "use global state", ""), id="avoid a thing"),
        pytest.param(
            "You should never force-push to main.",
            Lesson("", "", "force-push to main", ""),
            id="you should never",
        ),
        pytest.param("Please stop adding comments.", Lesson("", "", "add comments", ""), id="stop"),
        pytest.param(
            "No, use the staging database.", Lesson("", "use the staging database", "", ""), id="no, and then"
        ),
        pytest.param("Remember: run the tests.", Lesson("", "run the tests", "", ""), id="remember"),
        pytest.param("Actually, we deploy on Fridays.", Lesson("", "deploy on Fridays", "", ""), id="actually"),
        pytest.param(
            "Use UTC everywhere since the bank rejects other zones.",
            Lesson("", "use UTC everywhere", "", "the bank rejects other zones"),
            id="since as a reason",
        ),
        pytest.param(
            "Pin the versions, otherwise the build breaks.",
            Lesson("", "pin the versions", "", "the build breaks"),
            id="otherwise",
        ),
        pytest.param(
            "Whenever you add an endpoint, update the docs.",
            Lesson("Whenever you add an endpoint", "update the docs", "", ""),
            id="whenever",
        ),
        pytest.param(
            "While the release is frozen: merge nothing.",
            Lesson("While the release is frozen", "merge nothing", "", ""),
            id="a colon after the condition",
        ),
        pytest.param(
            "Every time you touch the parser, run the fuzzer.",
            Lesson("Every time you touch the parser", "run the fuzzer", "", ""),
            id="every time",
        ),
        pytest.param(
            "Put the tests beside the code when you write a new module.",
            Lesson("when you write a new module", "put the tests beside the code", "", ""),
            id="when, at the end",
        ),
        pytest.param(
            "Use the wrapper when calling the bank; calls without it are not retried.",
            Lesson("when calling the bank", "use the wrapper", "", "calls without it are not retried"),
            id="a condition before a second clause",
        ),
        pytest.param(
            "We use httpx, never requests, due to async support.",
            Lesson("", "use httpx", "use requests", "async support"),
            id="due to",
        ),
        pytest.param(
            "SQL goes in the storage package",
            Lesson("when adding SQL", "put SQL in the storage package", "", ""),
            id="where it goes",
        ),
        pytest.param("README first", Lesson("", "README first", "", ""), id="an abbreviation keeps its capitals"),
        pytest.param(
            "Run the tests.\nThen commit.", Lesson("", "run the tests; commit", "", ""), id="two lines, two steps"
        ),
        pytest.param("", Lesson("", "", "", ""), id="nothing"),
    ],
)
def test_a_lesson_is_read_out_of_a_persons_words(text: str, lesson: Lesson) -> None:
    assert extract(text) == lesson


@pytest.mark.parametrize(
    ("text", "action"),
    [
        pytest.param(
            "Make sure the cache is not shared between tests.", "cache is not shared", id="not inside a statement"
        ),
        pytest.param("Notice periods are in the contract.", "Notice periods", id="a word that begins with not"),
        pytest.param("Calls without the wrapper are not retried.", "are not retried", id="nor after are"),
        pytest.param("The nightly job does not use the cache.", "not use the cache", id="nor after does"),
        pytest.param("Stopwatch tests belong in bench.", "topwatch tests", id="a word that begins with stop"),
        pytest.param("If in doubt ask.", "ask", id="a condition without a comma"),
    ],
)
def test_words_that_only_look_like_a_part_stay_in_the_action(text: str, action: str) -> None:
    assert action.lower() in extract(text).action.lower()


@given(st.text(max_size=400))
def test_any_text_has_a_lesson_and_text_with_words_says_what_to_do_or_not_to_do(text: str) -> None:
    lesson = extract(text)

    assert all(isinstance(part, str) for part in lesson)
    if any(character.isalnum() for character in text):
        assert (lesson.action + lesson.mistake).strip()


WORDS = [
    "when",
    "if",
    "never",
    "don't",
    "instead of",
    "because",
    "since",
    ",",
    ";",
    ".",
    ":",
    "\n",
    "not",
    "stop",
    "no",
    "use x",
    "ü",
]


@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
def test_any_heap_of_signal_words_makes_a_rule_or_is_called_empty(text: str) -> None:
    try:
        content = consider(text, Parts(), EVERYWHERE).content
    except EmptyFeedbackError:
        return

    assert content.action


def test_a_named_part_wins_over_what_the_text_says() -> None:
    content = consider(
        "Use npm because it is there", Parts(action="use pnpm", reason="it is faster"), EVERYWHERE
    ).content

    assert (content.action, content.reason) == ("use pnpm", "it is faster")


@pytest.mark.parametrize("text", ["", "  \n ", "\0"], ids=["nothing", "white space", "a NUL"])
def test_feedback_without_a_word_is_called_empty(text: str) -> None:
    with pytest.raises(EmptyFeedbackError):
        consider(text, Parts(), EVERYWHERE)


def test_a_log_is_no_lesson() -> None:
    with pytest.raises(LongFeedbackError):
        consider("error " * 4000, Parts(), EVERYWHERE)


@pytest.mark.parametrize("part", ["trigger", "action", "mistake", "reason", "title"])
def test_a_secret_in_any_part_is_gone_before_it_is_stored(part: str) -> None:
    secret = "ghp_" + "aZ3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"

    content = consider(f"Use the vault, never {secret}", Parts(**{part: f"with {secret} in it"}), EVERYWHERE).content

    assert secret not in str(as_object(content))


def test_what_is_longer_than_a_rules_part_is_refused_with_its_limit() -> None:
    with pytest.raises(InvalidRuleError, match="2,000"):
        consider("Use " + "the long way and " * 200, Parts(), EVERYWHERE)
