"""`agentrecall config`: what a person may tune, within its range, with every change kept."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.config.key import InvalidValueError, Key
from agentrecall_domain.config.keys import KEYS
from recall.stories import Person, a_rule

ROOT = Path(__file__).parents[2]
SOURCES = [*ROOT.glob("packages/*/src/**/*.py"), *ROOT.glob("apps/*/src/**/*.py")]
READ = re.compile(r"""(?:\bnumber|\bsetting)\(\s*"([a-z_]+)\"""")
PROMPT = "the applied migration is wrong, please edit it so that the column is nullable"


@pytest.fixture
def someone(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_a_value_is_set_read_and_unset(someone: Person) -> None:
    assert someone.command("config", "get", "prompt_max_rules").stdout == "5\n"

    assert someone.command("config", "set", "prompt_max_rules", "3").stdout == "prompt_max_rules is 3\n"
    assert someone.command("config", "get", "prompt_max_rules").stdout == "3\n"

    assert someone.command("config", "unset", "prompt_max_rules").exit_code == 0
    assert someone.command("config", "get", "prompt_max_rules").stdout == "5\n"


def test_recall_obeys_a_value(someone: Person) -> None:
    someone.keeps(a_rule())
    assert "[R1]" in someone.says(PROMPT)

    someone.command("config", "set", "prompt_max_rules", "0")

    assert "[R1]" not in someone.says(PROMPT)


def test_the_list_says_what_every_key_takes(someone: Person) -> None:
    someone.command("config", "set", "summary", "compact")

    found = json.loads(someone.command("config", "list", "--json").stdout)

    assert [one["key"] for one in found] == list(KEYS)
    assert all(one["help"].endswith(".") and one["takes"] for one in found)
    assert [one["key"] for one in found if one["set"]] == ["summary"]
    assert "compact*" in someone.command("config", "list").stdout


def test_every_change_is_kept(someone: Person) -> None:
    someone.command("config", "set", "rule_floor", "0.3")
    someone.command("config", "set", "rule_floor", "0.3")
    someone.command("config", "unset", "rule_floor")

    changes = json.loads(someone.command("config", "log", "--json").stdout)

    assert [(one["key"], one["from"], one["to"]) for one in changes] == [
        ("rule_floor", None, "0.3"),
        ("rule_floor", "0.3", None),
    ]
    lines = someone.command("config", "log", "rule_floor").stdout.splitlines()
    assert [line.split("  ")[1] for line in lines] == [
        "rule_floor: the default -> 0.3",
        "rule_floor: 0.3 -> the default",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("set", "prompt_max_rules", "many"), "takes a whole number from 0 to 50, not 'many'"),
        (("set", "prompt_max_rules", "-1"), "takes a whole number from 0 to 50"),
        (("set", "prompt_max_rules", "2.5"), "takes a whole number"),
        (("set", "rule_floor", "nan"), "takes a number from 0 to 1"),
        (("set", "judge_command", "a 'unclosed"), "cannot be read: No closing quotation; quote it"),
        (("set", "judge_command", "ollama"), "'ollama' needs a model"),
        (("set", "embedding_provider", "nope"), "no embedding provider 'nope' is installed; there is: "),
        (("set", "judge", "me"), "takes deterministic or command or host"),
        (("set", "prompt_max_rulez", "1"), "did you mean 'prompt_max_rules'?"),
        (("get", "tokenizer_version"), "see 'agentrecall config list'"),
    ],
)
def test_what_a_key_does_not_take_is_refused(someone: Person, arguments: tuple[str, ...], said: str) -> None:
    result = someone.command("config", *arguments)

    assert result.exit_code == 2
    assert said in result.stderr
    assert json.loads(someone.command("config", "log", "--json").stdout) == []


def test_a_judge_is_named_and_taken_back(someone: Person) -> None:
    assert someone.command("config", "set", "judge_command", "claude:haiku").exit_code == 0
    assert someone.command("config", "set", "judge_command", "").exit_code == 0


def test_a_stored_value_that_is_none_counts_as_unset(someone: Person) -> None:
    with someone.memory() as memory:
        memory.connection.execute("INSERT INTO config VALUES ('prompt_max_rules', 'seven', '2026-11-02T09:00:00Z')")

    result = someone.command("config", "get", "prompt_max_rules")

    assert result.stdout == "5\n"
    assert "none that it takes" in result.stderr


def test_every_key_that_is_read_can_be_set_and_the_other_way_round() -> None:
    text = "\n".join(path.read_text("utf-8") for path in SOURCES)
    read = set(READ.findall(text))

    assert read <= set(KEYS)
    # The caps of the moments are read by the moment's name.
    assert {name for name in KEYS if f'"{name}"' not in text.replace(f'Key("{name}"', "")} == set()


@given(st.sampled_from(list(KEYS.values())), st.text())
def test_any_text_is_read_or_refused(key: Key, text: str) -> None:
    try:
        value = key.read(text)
    except InvalidValueError:
        return
    assert type(value) is type(key.default)
