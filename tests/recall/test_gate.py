"""Which prompts are worth a recall."""
# ruff: noqa: RUF001 -- prompts in other scripts are the subject of these tests

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.recall import gate


@pytest.mark.parametrize(
    "prompt",
    [
        "continue",
        "yes",
        "ok thanks",
        "go on please",
        "fix it",
        "run the tests",
        "Yes, do that.",
        "looks good, commit it",
        "try again",
        "why?",
        "what do you think about this one?",
        "no, not like that, the other one please",
        "tests tests tests tests tests tests",
        "1, 2, 3, 4, 5, 6",
        "👍👍👍👍👍👍",
        "/compact",
        "继续",
        "好的，请继续",
        "是的，没问题",
        "はい、お願いします",
        "네, 계속 해주세요",
        "ja bitte, mach weiter so",
        "oui, continue comme ça",
        "да, продолжай пожалуйста",
        "بله لطفا ادامه بده",
    ],
)
def test_a_prompt_that_says_little_does_not_pass(prompt: str) -> None:
    assert gate.why_skipped(prompt) == f"substance {gate.substance(prompt)} under 5"


@pytest.mark.parametrize(
    "prompt",
    [
        "add a migration for the orders table with an index",
        "why does TS2345 appear in src/api/client.ts",
        "rename getUserId to fetch_user in user_service.py",
        "ORA-00001 from OrderRepository on startup",
        "E0308 in ./parser/mod.rs, lifetime mismatch",
        "POST returns HTTP 404 behind nginx since yesterday",
        "deploy the staging cluster with the new database password",
        "write a property test for the tokenizer with hypothesis",
        "使用新的索引修复登录页面的错误",
        "请为订单表添加一个数据库迁移",
        "ログイン画面のエラーを修正してください",
        "로그인 화면의 오류를 수정하고 테스트를 추가해 주세요",
        "füge der Tabelle Bestellungen einen Index und eine Migration hinzu",
        "ajoute un index à la table des commandes avec une migration",
        "agrega un índice a la tabla de pedidos con una migración nueva",
        "добавь индекс в таблицу заказов и напиши миграцию",
        "برای جدول سفارش‌ها یک مهاجرت پایگاه داده با نمایه بنویس",
        "أضف فهرسا إلى جدول الطلبات مع ترحيل قاعدة البيانات",
        "הוסף אינדקס לטבלת ההזמנות עם מיגרציה ובדיקות",
        "เพิ่มดัชนีให้ตารางคำสั่งซื้อและเขียนการทดสอบ",
    ],
)
def test_a_prompt_of_substance_passes(prompt: str) -> None:
    assert gate.why_skipped(prompt) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("migration", 1, id="a word"),
        pytest.param("the migration of a migration", 1, id="a word counts once"),
        pytest.param("pre-commit", 2, id="a hyphen joins two words"),
        pytest.param("user_id", 2, id="snake case"),
        pytest.param("getUserId", 2, id="camel case"),
        pytest.param("HTTPServer", 2, id="an abbreviation in a name"),
        pytest.param("std::vector", 2, id="a qualified name"),
        pytest.param("GitHub", 1, id="a name that is one word"),
        pytest.param("src/db/models", 2, id="a path"),
        pytest.param("client.ts.", 2, id="a file at the end of a sentence"),
        pytest.param(r"C:\src\main.c", 2, id="a path of Windows"),
        pytest.param("E0308", 2, id="a Rust error"),
        pytest.param("ORA-00001", 2, id="an Oracle error"),
        pytest.param("HTTP 404", 2, id="a status code with its name"),
        pytest.param("登录页面", 3, id="CJK by bigram"),
        pytest.param("检查client.ts", 3, id="a file inside Chinese"),
    ],
)
def test_substance_counts_words_once_and_code_twice(text: str, expected: int) -> None:
    assert gate.substance(text) == expected


@pytest.mark.parametrize("opening", gate.SYSTEM_TURN_OPENINGS)
def test_a_turn_the_host_wrote_is_skipped_whatever_it_says(opening: str) -> None:
    assert gate.why_skipped(f"\n  {opening}> add a migration for the orders table with an index") == "system turn"


def test_only_the_opening_makes_a_system_turn() -> None:
    assert not gate.is_system_turn("what does <system-reminder> mean in this transcript")


@pytest.mark.parametrize("prompt", ["", " \n\t"], ids=["nothing", "white space"])
def test_an_empty_prompt_is_skipped(prompt: str) -> None:
    assert gate.why_skipped(prompt) == "empty"


def test_the_floor_is_the_callers_to_set() -> None:
    assert gate.why_skipped("continue", floor=1) is None
    assert gate.why_skipped("continue", floor=2) == "substance 1 under 2"


@given(st.text(st.characters(exclude_categories=())) | st.text(alphabet="aB1_./\\:-~ "))
def test_any_prompt_has_an_answer(prompt: str) -> None:
    assert gate.substance(prompt) >= 0
    assert gate.why_skipped(prompt, floor=0) in {None, "empty", "system turn"}


@pytest.mark.parametrize("piece", ["a", "a_", "a.", "a/", "aB", "A1-", "::", "~/", " ", "中a_b"])
def test_half_a_megabyte_of_anything_ends(piece: str) -> None:
    assert gate.substance(piece * (500_000 // len(piece))) >= 0
