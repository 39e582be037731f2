"""Claude Code's settings as text: ours goes in and out, every other character stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.hosts.claude_settings import (
    FILE_TOOLS,
    Programs,
    UnreadableSettingsError,
    Wire,
    hooks_are_disabled,
    program_of,
    unwired,
    wired,
    wiring,
)

BIN = "/opt/agentrecall/bin/"
PROGRAMS = Programs(*(f"{BIN}agentrecall-{name}" for name in ("capture-hook", "recall-hook", "finalize-turn")))
EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd", "PreCompact")


def ours(name: str, *args: str, **more: object) -> dict[str, object]:
    return {"type": "command", "command": f"{BIN}agentrecall-{name}", "args": list(args), **more}


WIRED = {
    "hooks": {
        "SessionStart": [
            {"hooks": [ours("capture-hook", timeout=10) | {"async": True}, ours("recall-hook", timeout=5)]}
        ],
        "UserPromptSubmit": [{"hooks": [ours("recall-hook", timeout=5)]}],
        "PreToolUse": [{"matcher": FILE_TOOLS, "hooks": [ours("recall-hook", timeout=5)]}],
        "Stop": [
            {
                "hooks": [
                    ours("capture-hook", timeout=10) | {"async": True},
                    ours("finalize-turn", "--hook", timeout=5),
                ]
            }
        ],
        "SessionEnd": [{"hooks": [ours("capture-hook", timeout=5)]}],
        "PreCompact": [{"hooks": [ours("capture-hook", timeout=10) | {"async": True}]}],
    }
}

TWO_SPACES = """{
  "model": "opus",
  "permissions": {"allow": ["Read", "Bash(git *)"]},
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say \\u00e9 é"}]}
    ],
    "Unheard": []
  },
  "zeta": 1.0
}
"""


def test_settings_without_anything_get_all_hooks() -> None:
    assert json.loads(wired("{}", PROGRAMS)) == WIRED


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("\ufeff", id="byte order mark alone"),
        pytest.param("{}", id="empty object"),
        pytest.param(TWO_SPACES, id="two spaces"),
        pytest.param(TWO_SPACES.replace("  ", "    "), id="four spaces"),
        pytest.param(TWO_SPACES.replace("  ", "\t"), id="tabs"),
        pytest.param(TWO_SPACES.replace("\n", "\r\n"), id="windows line ends"),
        pytest.param("\ufeff" + TWO_SPACES, id="byte order mark"),
        pytest.param(TWO_SPACES.rstrip(), id="no newline at the end"),
        pytest.param('{"a": 1, "hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}\n', id="one line"),
        pytest.param('{"a":1}', id="compact"),
        pytest.param('{"n": ' + "9" * 5000 + "}", id="a number of 5000 digits"),
        pytest.param('{\n  "s": "\\ud800"\n}', id="half a surrogate pair"),
    ],
)
def test_wiring_adds_text_and_unwiring_takes_just_that_away(text: str) -> None:
    done = wired(text, PROGRAMS)

    assert len(wiring(done)) == 8
    assert wired(done, PROGRAMS) == done
    assert unwired(done) in (text, text + "{}\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param('{\n    "a": 1\n}', '\n    "hooks": {\n        "SessionStart": [', id="four"),
        pytest.param('{\n\t"a": 1\n}', '\n\t"hooks": {\n\t\t"SessionStart": [', id="tabs"),
        pytest.param('{\r\n  "a": 1\r\n}', '\r\n  "hooks": {\r\n    "SessionStart": [', id="windows line ends"),
        pytest.param('{"a":1}', '{"a":1,"hooks":{"SessionStart":[{"hooks":[{"type":"command"', id="compact"),
    ],
)
def test_what_is_added_is_laid_out_as_the_rest(text: str, line: str) -> None:
    assert line in wired(text, PROGRAMS)


def test_the_whole_text_as_a_reader_sees_it() -> None:
    text = '{\n  "hooks": {\n    "Stop": [{\n      "hooks": [{"command": "a"}]\n    }]\n  }\n}\n'

    assert wired(text, PROGRAMS).startswith(
        """{
  "hooks": {
    "Stop": [{
      "hooks": [{"command": "a"}]
    }, {
      "hooks": [
        {
          "type": "command",
          "command": "/opt/agentrecall/bin/agentrecall-capture-hook",
          "args": [],
          "async": true,
          "timeout": 10
        },
        {
          "type": "command",
          "command": "/opt/agentrecall/bin/agentrecall-finalize-turn",
          "args": [
            "--hook"
          ],
          "timeout": 5
        }
      ]
    }],
    "SessionStart": [
"""
    )


def test_an_older_wiring_is_replaced_where_it_stands() -> None:
    older = wired(TWO_SPACES, Programs(*(path.replace("/opt", "C:\\\\old") + ".exe" for path in PROGRAMS)))
    older = older.replace('"PreCompact"', '"Notification"')

    newer = wired(older, PROGRAMS)

    assert json.loads(newer) == json.loads(wired(TWO_SPACES, PROGRAMS))
    assert list(json.loads(newer)["hooks"]) == ["Stop", "Unheard", *(event for event in EVENTS if event != "Stop")]


def test_doubled_handlers_become_one() -> None:
    doubled = json.loads(wired("{}", PROGRAMS))
    doubled["hooks"]["Stop"] *= 2

    assert json.loads(wired(json.dumps(doubled, indent=2), PROGRAMS)) == WIRED


def test_a_handler_of_ours_among_others_leaves_them_alone() -> None:
    theirs = {"type": "command", "command": "theirs"}
    text = json.dumps({"hooks": {"Stop": [{"matcher": "*", "hooks": [theirs, ours("recall-hook"), theirs]}]}})

    assert json.loads(unwired(text)) == {"hooks": {"Stop": [{"matcher": "*", "hooks": [theirs, theirs]}]}}


def test_what_was_empty_before_stays_when_ours_goes() -> None:
    text = json.dumps({"hooks": {"Notification": [], "Stop": [{"hooks": []}, {"hooks": [ours("capture-hook")]}]}})

    assert json.loads(unwired(text)) == {"hooks": {"Notification": [], "Stop": [{"hooks": []}]}}


@pytest.mark.parametrize(
    ("handler", "program"),
    [
        pytest.param({"command": "/a b/agentrecall-recall-hook", "args": []}, "agentrecall-recall-hook", id="path"),
        pytest.param({"command": "/a b/agentrecall-recall-hook"}, "agentrecall-recall-hook", id="path with a space"),
        pytest.param({"command": "C:\\x\\AgentRecall-Capture-Hook.EXE"}, "agentrecall-capture-hook", id="Windows"),
        pytest.param({"command": "C:/x/agentrecall-capture-hook.exe"}, "agentrecall-capture-hook", id="slashes"),
        pytest.param({"command": "agentrecall-finalize-turn --hook"}, "agentrecall-finalize-turn", id="shell, bare"),
        pytest.param({"command": "A=1 '/a b/agentrecall-recall-hook' x"}, "agentrecall-recall-hook", id="quoted"),
        pytest.param({"command": "cd /x && ./agentrecall-recall-hook;"}, "agentrecall-recall-hook", id="shell, second"),
        pytest.param({"command": "/x/agentrecall-recall-hook.sh"}, None, id="a wrapper of theirs"),
        pytest.param({"command": "/x/my-agentrecall-recall-hook"}, None, id="a longer name"),
        pytest.param({"command": "/agentrecall-recall-hook/notify"}, None, id="a folder of that name"),
        pytest.param({"command": "echo agentrecall-recall-hook"}, None, id="a word in a shell line"),
        pytest.param({"command": "uv", "args": ["/x/agentrecall-recall-hook"]}, None, id="only an argument"),
        pytest.param({"command": "/usr/bin/agentrecall"}, None, id="another program of ours"),
        pytest.param({"type": "http", "url": "http://x/agentrecall-recall-hook"}, None, id="an address"),
        pytest.param({"command": 7}, None, id="no text"),
        pytest.param("agentrecall-recall-hook", None, id="no handler"),
    ],
)
def test_a_handler_is_ours_by_the_name_of_its_program(handler: object, program: str | None) -> None:
    assert program_of(handler) == program


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param('{\n  // mine\n  "a": 1\n}', "line 2, column 3: a comment", id="comment"),
        pytest.param('{"a": 1} /* mine */', "line 1, column 10: a comment", id="comment at the end"),
        pytest.param('{\n  "a": 1,\n}', ": a trailing comma", id="trailing comma in an object"),
        pytest.param('{\n  "a": [1, ]\n}', ": a trailing comma", id="trailing comma in a list"),
        pytest.param("[]", "not an object", id="a list"),
        pytest.param('{"a": NaN}', "NaN is not a JSON value", id="not a number"),
        pytest.param('\ufeff{"a" 1}', "line 1, column 6: expecting ':' delimiter", id="no colon"),
        pytest.param("[" * 100_000, "nested too deeply", id="nested too deeply"),
        pytest.param('{\n "hooks": []\n}', "line 2, column 2: 'hooks' is not an object", id="hooks of a wrong type"),
        pytest.param('{"hooks": null}', "'hooks' is not an object", id="null hooks"),
        pytest.param('{"hooks": {"Stop": {}}}', "hooks of 'Stop' are not a list", id="an event of a wrong type"),
        pytest.param('{"hooks": {}, "hooks": {}}', "line 1, column 15: 'hooks' is there twice", id="hooks twice"),
        pytest.param('{"hooks": {"Stop": [], "Stop": []}}', "'Stop' is there twice", id="an event twice"),
    ],
)
def test_what_the_host_would_not_read_is_refused_and_says_where(text: str, says: str) -> None:
    for edit in (lambda: wired(text, PROGRAMS), lambda: unwired(text), lambda: wiring(text)):
        with pytest.raises(UnreadableSettingsError) as refused:
            edit()
        assert says in str(refused.value)
        assert "Claude Code itself ignores such a file" in str(refused.value)


def test_groups_of_a_shape_we_do_not_know_are_left_alone() -> None:
    text = '{"hooks": {"Stop": [1, {"hooks": 2}, {"hooks": [3]}, {}]}}'

    assert unwired(wired(text, PROGRAMS)) == text


def test_wiring_names_event_matcher_program_and_command() -> None:
    assert wiring(wired("{}", PROGRAMS))[3] == Wire(
        "PreToolUse", FILE_TOOLS, "agentrecall-recall-hook", f"{BIN}agentrecall-recall-hook"
    )
    assert wiring("") == []


def test_switched_off_hooks_are_seen() -> None:
    assert hooks_are_disabled('{"disableAllHooks": true}')
    assert not hooks_are_disabled("{}")


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)
COMMANDS = st.sampled_from(["say", "/x/notify.sh a", "C:\\x\\y.exe", "echo agentrecall-recall-hook"])
HANDLERS = st.fixed_dictionaries({"type": st.just("command"), "command": COMMANDS}, optional={"args": st.just(["x"])})
GROUPS = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLERS, max_size=2)}, optional={"matcher": st.sampled_from(["", "*", "Edit", FILE_TOOLS])}
)
HOOKS = st.dictionaries(st.sampled_from([*EVENTS, "Elsewhere"]), st.lists(GROUPS, min_size=1, max_size=2), min_size=1)
KEYS = st.text().filter(lambda key: key != "hooks")
SETTINGS = st.builds(
    lambda rest, hooks: rest | hooks,
    st.dictionaries(KEYS, VALUES, max_size=3),
    st.one_of(st.just({}), st.fixed_dictionaries({"hooks": HOOKS})),
)
LAYOUTS = st.sampled_from([None, 2, 4, "\t"])


@given(settings=SETTINGS, layout=LAYOUTS, plain=st.booleans())
def test_any_settings_come_back_character_by_character(
    *, settings: dict[str, object], layout: int | str | None, plain: bool
) -> None:
    text = json.dumps(settings, indent=layout, ensure_ascii=plain)

    done = wired(text, PROGRAMS)

    assert len(wiring(done)) == 8
    assert wired(done, PROGRAMS) == done
    assert unwired(done) == text


@given(st.text() | st.text('{}[]"hooks:, \n'))
def test_any_text_is_answered_or_called_unreadable(text: str) -> None:
    try:
        done = wired(text, PROGRAMS)
    except UnreadableSettingsError:
        return
    assert len(wiring(done)) == 8
