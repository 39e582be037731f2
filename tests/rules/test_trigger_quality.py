"""The quality of triggers: what opens as a condition and says when, and what an audit finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.rules.rule import Status
from agentrecall_domain.rules.trigger_quality import Counts, FindingKind, TriggerProblem, audit, trigger_problem
from rules.held import held


@pytest.mark.parametrize(
    "trigger",
    [
        "when adding a migration",
        "Whenever a test fails",
        "if the build breaks",
        "Before you deploy",
        "while refactoring a module",
        "after merging to main",
        "during code review",
        "on every release branch",
        "any time a dependency changes",
        "Every time you open a PR",
        "as soon as CI is red",
        "unless I say otherwise",
        "wenn du Tests schreibst",
        "bevor du committest, lies das",
        "während einer Migration",
        "beim Schreiben von Tests",
        "quand tu écris des tests",
        "avant de committer du code",
        "après chaque déploiement en production",
        "lorsqu'un test échoue",
        "cuando escribas una prueba",
        "antes de hacer commit",
        "después de cada despliegue",
        "al escribir pruebas",
        "وقتی تست می‌نویسی",
        "قبل از هر کامیت",
        "هنگام نوشتن تست",
        "当修改数据库迁移时",
        "提交代码之前",
        "如果测试失败",
    ],
)
def test_a_condition_is_usable_in_several_languages(trigger: str) -> None:
    assert trigger_problem(trigger, "run the linter") is TriggerProblem.NONE


@pytest.mark.parametrize(
    ("trigger", "action", "problem"),
    [
        pytest.param("", "run it", TriggerProblem.TOO_SHORT, id="nothing"),
        pytest.param("when committing", "run it", TriggerProblem.TOO_SHORT, id="two words"),
        pytest.param("- , ... !", "run it", TriggerProblem.TOO_SHORT, id="signs only"),
        pytest.param("when " + "very " * 44 + "sure", "run it", TriggerProblem.TOO_LONG, id="46 words"),
        pytest.param("the tests are flaky", "run it", TriggerProblem.NOT_CONDITIONAL, id="a statement"),
        pytest.param("writing tests with pytest", "run it", TriggerProblem.NOT_CONDITIONAL, id="no opener"),
        pytest.param("iffy code in tests", "run it", TriggerProblem.NOT_CONDITIONAL, id="an opener within a word"),
        pytest.param("when you use tabs", "use tabs", TriggerProblem.RESTATES_THE_ACTION, id="the action again"),
        pytest.param(
            "when you write tests", "when you write tests, do", TriggerProblem.RESTATES_THE_ACTION, id="a prefix"
        ),
        pytest.param(
            "when committing generated files", "never commit generated files", TriggerProblem.NONE, id="refusal"
        ),
        pytest.param("when writing new tests", "write tests with pytest", TriggerProblem.NONE, id="it says more"),
    ],
)
def test_what_is_wrong_with_a_trigger(trigger: str, action: str, problem: TriggerProblem) -> None:
    assert trigger_problem(trigger, action) is problem


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_text_is_judged(trigger: str, action: str) -> None:
    assert trigger_problem(trigger, action) in TriggerProblem


def test_an_audit_names_noisy_dormant_double_and_unusable_rules_the_noisy_first() -> None:
    rules = [
        held("when writing tests | use pytest", 1),
        held("when mocking in tests | Use pytest.", 2),
        held("tests | use tox", 3),
        held("when the linter complains | fix it", 4),
        held("when deploying the app | tag it", 5, status=Status.ARCHIVED),
        held("never mind | say so in German", 6, always_apply=True),
        held("when reviewing a PR | be kind", 7),
    ]
    counts = {1: Counts(4, 0, 4), 3: Counts(9, 2, 5), 4: Counts(5, 0, 3), 7: Counts(12, 0, 3)}

    found = [(one.rule.id, one.kind) for one in audit(reversed(rules), counts)]

    assert found == [
        (7, FindingKind.NOISY),
        (4, FindingKind.NOISY),
        (3, FindingKind.UNUSABLE),
        (2, FindingKind.DORMANT),
        (2, FindingKind.DUPLICATE),
    ]


def test_rules_of_two_projects_may_say_the_same() -> None:
    rules = [
        held("when writing tests | use pytest", 1, project_id=1),
        held("when writing tests | use pytest", 2, project_id=2),
    ]

    assert {one.kind for one in audit(rules, {})} == {FindingKind.DORMANT}


@pytest.mark.parametrize(
    ("counts", "noisy"),
    [
        pytest.param(Counts(5, 0, 3), True, id="at the limits"),
        pytest.param(Counts(4, 0, 4), False, id="shown too seldom to tell"),
        pytest.param(Counts(9, 1, 8), False, id="accepted once"),
        pytest.param(Counts(9, 0, 2), False, id="hardly ignored"),
    ],
)
def test_noise_is_what_is_shown_and_never_accepted(counts: Counts, noisy: bool) -> None:  # noqa: FBT001 -- a table
    found = audit([held("when writing tests | use pytest", 1)], {1: counts})

    assert (FindingKind.NOISY in {one.kind for one in found}) is noisy
