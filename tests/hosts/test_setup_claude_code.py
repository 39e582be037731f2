"""`agentrecall setup` and `uninstall` for Claude Code: what they do to the files of a home folder."""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_admin.setup import setup
from agentrecall_admin.uninstall import uninstall
from agentrecall_domain.hosts.claude_settings import wiring
from helpers.forks import open_folder, without_root

NAMES = ("agentrecall-capture-hook", "agentrecall-recall-hook", "agentrecall-finalize-turn")
PLAIN = '{\n  "zeta": "é",\n  "alpha": {"b": 1, "a": [1, 2]}\n}\n'
THEIRS = """{
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "guard.sh"}]},
            {"matcher": "Read|NotebookRead|Edit|Write|MultiEdit|NotebookEdit", "hooks": [{"command": "lint"}]}
        ],
        "Notification": []
    }
}
"""


class Machine(NamedTuple):
    """A home folder of its own, with our programs installed in it."""

    root: Path

    @property
    def user_settings(self) -> Path:
        return self.root / ".claude" / "settings.json"

    @property
    def installs(self) -> Path:
        return self.root / "memory" / "installs"

    def setup(self, *options: str) -> Result:
        return self._run(setup, *options)

    def uninstall(self, *options: str) -> Result:
        return self._run(uninstall, *options)

    def _run(self, group: click.Group, *options: str) -> Result:
        environment = {
            "HOME": str(self.root),
            "AGENTRECALL_HOME": str(self.root / "memory"),
            "CLAUDE_CONFIG_DIR": None,
        }
        return CliRunner(env=environment).invoke(group, ["claude-code", *options])

    def write(self, content: bytes) -> None:
        self.user_settings.parent.mkdir(exist_ok=True)
        self.user_settings.write_bytes(content)

    def record(self) -> dict[str, object]:
        (path,) = self.installs.iterdir()
        record: dict[str, object] = json.loads(path.read_bytes())
        return record


def machine_in(root: Path) -> Machine:
    (root / "bin").mkdir()
    for name in NAMES:
        (root / "bin" / name).touch()
    return Machine(root)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "bin" / "agentrecall")])
    return machine_in(tmp_path)


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def everything_in(root: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in root.rglob("*")
        if path.name != "memory"
    }


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty file"),
        pytest.param(b"{}", id="empty object"),
        pytest.param(b'{"hooks": {}}', id="no hooks yet"),
        pytest.param(PLAIN.encode(), id="plain"),
        pytest.param(THEIRS.encode(), id="hooks of other tools"),
        pytest.param(THEIRS.replace("    ", "\t").encode(), id="tabs"),
        pytest.param(PLAIN.replace("\n", "\r\n").encode(), id="windows line ends"),
        pytest.param(PLAIN.encode("utf-8-sig"), id="byte order mark"),
        pytest.param(PLAIN.rstrip().encode(), id="no newline at the end"),
    ],
)
def test_uninstall_brings_back_every_byte(machine: Machine, content: bytes) -> None:
    machine.write(content)
    before = everything_in(machine.root)

    assert machine.setup().exit_code == 0
    written = machine.user_settings.read_bytes()
    assert len(wiring(written.decode())) == 8
    assert machine.setup("--json").exit_code == 0
    assert machine.user_settings.read_bytes() == written

    undone = machine.uninstall()

    assert (undone.exit_code, undone.stderr) == (0, "")
    assert "restored" in undone.stdout
    assert everything_in(machine.root) == before


def test_uninstall_takes_away_the_file_and_folder_that_setup_made(machine: Machine) -> None:
    before = everything_in(machine.root)
    machine.setup()
    assert machine.user_settings.exists()

    assert machine.uninstall().stdout.startswith("deleted")
    assert everything_in(machine.root) == before


def test_the_folder_stays_when_someone_uses_it(machine: Machine) -> None:
    machine.setup()
    (machine.root / ".claude" / "CLAUDE.md").touch()

    machine.uninstall()

    assert [path.name for path in (machine.root / ".claude").iterdir()] == ["CLAUDE.md"]


def test_hooks_have_the_absolute_paths_of_the_installed_programs(machine: Machine) -> None:
    machine.setup()

    hooks = json.loads(machine.user_settings.read_bytes())["hooks"]
    assert hooks["Stop"][0]["hooks"][1] == {
        "type": "command",
        "command": str(machine.root / "bin" / "agentrecall-finalize-turn"),
        "args": ["--hook"],
        "timeout": 5,
    }


def test_an_edit_between_survives_and_only_our_entries_go(machine: Machine) -> None:
    machine.write(PLAIN.encode())
    machine.setup()
    edited = machine.user_settings.read_text(encoding="utf-8").replace('"zeta"', '"omega"')
    machine.user_settings.write_text(edited, encoding="utf-8")

    undone = machine.uninstall("--json")

    assert json.loads(undone.stdout)["outcome"] == "unwired"
    assert machine.user_settings.read_text(encoding="utf-8") == PLAIN.replace('"zeta"', '"omega"')
    assert not machine.installs.exists()


def test_a_file_that_setup_made_goes_when_nothing_else_came_into_it(machine: Machine) -> None:
    machine.setup()
    machine.user_settings.write_text(json.dumps(json.loads(machine.user_settings.read_bytes())), encoding="utf-8")

    assert json.loads(machine.uninstall("--json").stdout)["outcome"] == "deleted"
    assert not machine.user_settings.parent.exists()


def test_a_later_setup_keeps_the_first_copy_as_long_as_the_file_was_ours(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.write(PLAIN.encode())
    machine.setup()
    move_programs(machine, monkeypatch)

    assert "wired" in machine.setup().stdout
    assert "moved" in machine.user_settings.read_text(encoding="utf-8")
    machine.uninstall()

    assert machine.user_settings.read_bytes() == PLAIN.encode()


def test_a_copy_taken_after_an_edit_never_holds_our_own_hooks(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.write(PLAIN.encode())
    machine.setup()
    edited = machine.user_settings.read_bytes().replace(b'"zeta"', b'"omega"')
    machine.user_settings.write_bytes(edited)
    move_programs(machine, monkeypatch)
    machine.setup()

    machine.uninstall()

    assert machine.user_settings.read_bytes() == PLAIN.replace('"zeta"', '"omega"').encode()


def move_programs(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine.root / "bin").rename(machine.root / "moved")
    monkeypatch.setattr(sys, "executable", str(machine.root / "moved" / "python"))


@pytest.mark.parametrize("damage", [pytest.param(b"{", id="damaged"), pytest.param(None, id="lost")])
def test_without_a_record_uninstall_still_takes_out_our_entries(machine: Machine, damage: bytes | None) -> None:
    machine.write(THEIRS.encode())
    machine.setup()
    (record,) = machine.installs.iterdir()
    record.unlink() if damage is None else record.write_bytes(damage)

    assert machine.uninstall().exit_code == 0
    assert machine.user_settings.read_bytes() == THEIRS.encode()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b'{\n  // mine\n  "a": 1\n}', "line 2, column 3: a comment", id="comment"),
        pytest.param(b'{"a": 1,}', "a trailing comma", id="trailing comma"),
        pytest.param(b"[]", "not an object", id="a list"),
        pytest.param(b'{"hooks": []}', "'hooks' is not an object", id="hooks of a wrong type"),
        pytest.param(b'{\n"a": "\xff"}', "line 2, column 7: not UTF-8", id="not UTF-8"),
    ],
)
@pytest.mark.parametrize("command", ["setup", "uninstall"])
def test_settings_that_the_host_ignores_are_refused_unchanged(
    machine: Machine, command: str, content: bytes, says: str
) -> None:
    machine.write(content)
    before = everything_in(machine.root)

    refused = machine.setup() if command == "setup" else machine.uninstall()

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith(f"Error: cannot read '{machine.user_settings}': ")
    assert says in refused.stderr
    assert everything_in(machine.root) == before


def test_a_link_stays_a_link(machine: Machine) -> None:
    (machine.root / "dotfiles").mkdir()
    target = machine.root / "dotfiles" / "claude.json"
    target.write_text(PLAIN, encoding="utf-8")
    machine.user_settings.parent.mkdir()
    machine.user_settings.symlink_to(target)

    machine.setup()
    assert machine.user_settings.is_symlink()
    assert len(wiring(target.read_text(encoding="utf-8"))) == 8

    machine.uninstall()
    assert machine.user_settings.is_symlink()
    assert target.read_text(encoding="utf-8") == PLAIN


@pytest.mark.parametrize("odd", [0o600, 0o664])
def test_an_existing_file_keeps_its_mode(machine: Machine, odd: int) -> None:
    machine.write(PLAIN.encode())
    machine.user_settings.chmod(odd)

    machine.setup()
    assert mode(machine.user_settings) == odd

    machine.uninstall()
    assert mode(machine.user_settings) == odd


@pytest.mark.usefixtures("no_umask")
def test_the_record_is_private_and_the_new_file_not_open_to_all_whatever_the_umask(machine: Machine) -> None:
    machine.setup()

    (record,) = machine.installs.iterdir()
    assert (mode(record), mode(machine.installs), mode(machine.installs.parent)) == (0o600, 0o700, 0o700)
    assert (mode(machine.user_settings), mode(machine.user_settings.parent)) == (0o644, 0o755)


def test_the_record_holds_what_was_there(machine: Machine) -> None:
    machine.write(PLAIN.encode())

    machine.setup()

    record = machine.record()
    assert base64.b64decode(str(record["before"])) == PLAIN.encode()
    assert (record["host"], record["settings_path"]) == ("claude-code", str(machine.user_settings))


def test_a_folder_in_the_place_of_the_file_is_an_error(machine: Machine) -> None:
    machine.user_settings.mkdir(parents=True)
    before = everything_in(machine.root)

    refused = machine.setup()

    assert refused.exit_code == 1
    assert refused.stderr.startswith(f"Error: cannot read '{machine.user_settings}': is a directory")
    assert everything_in(machine.root) == before


def test_a_file_in_the_place_of_the_folder_is_an_error(machine: Machine) -> None:
    machine.user_settings.parent.touch()
    before = everything_in(machine.root)

    assert machine.setup().exit_code == 1
    assert everything_in(machine.root) == before


def test_settings_stay_as_they_are_when_the_record_cannot_be_written(machine: Machine) -> None:
    (machine.root / "memory").touch()
    before = everything_in(machine.root)

    refused = machine.setup()

    assert refused.exit_code == 1
    assert "installs" in refused.stderr
    assert everything_in(machine.root) == before


@pytest.mark.parametrize("which", ["file", "folder"])
def test_what_is_read_only_is_left_alone(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_folder() as root:
        monkeypatch.setattr(sys, "executable", str(root / "bin" / "python"))
        monkeypatch.setattr(sys, "argv", [str(root / "bin" / "agentrecall")])
        machine = machine_in(root)
        machine.write(PLAIN.encode())
        locked = machine.user_settings if which == "file" else machine.user_settings.parent
        locked.chmod(0o444 if which == "file" else 0o555)
        before = everything_in(machine.root)

        with without_root(root):
            refused = machine.setup()
        locked.chmod(0o755)

        assert refused.exit_code == 1
        assert "cannot write" in refused.stderr
        assert everything_in(machine.root) == before


@pytest.mark.parametrize("missing", NAMES)
def test_a_missing_program_is_named_and_nothing_changes(machine: Machine, missing: str) -> None:
    (machine.root / "bin" / missing).unlink()
    before = everything_in(machine.root)

    refused = machine.setup()

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith(f"Error: cannot find '{missing}' in '{machine.root / 'bin'}'")
    assert everything_in(machine.root) == before


def test_programs_are_also_found_beside_the_command_that_was_called(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(machine.root / "elsewhere" / "python"))
    (machine.root / "bin" / "agentrecall").touch()
    (machine.root / "link").symlink_to(machine.root / "bin" / "agentrecall")
    monkeypatch.setattr(sys, "argv", [str(machine.root / "link")])

    assert machine.setup().exit_code == 0


@pytest.mark.parametrize(
    ("options", "file"),
    [pytest.param((), "settings.local.json", id="private"), pytest.param(("--shared",), "settings.json", id="shared")],
)
def test_a_project_has_private_and_shared_settings(machine: Machine, options: tuple[str, ...], file: str) -> None:
    project = machine.root / "my shop"
    project.mkdir()
    before = everything_in(machine.root)

    done = machine.setup("--project", str(project), *options)

    assert len(wiring((project / ".claude" / file).read_text(encoding="utf-8"))) == 8
    assert f"undo with: agentrecall uninstall claude-code --project '{project}'" in done.stderr
    assert ("those of this machine" in done.stderr) is bool(options)

    machine.uninstall("--project", str(project), *options)
    assert everything_in(machine.root) == before


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--shared",), id="shared without a project"),
        pytest.param(("--user", "--project", "."), id="user and project"),
        pytest.param(("--project", "no-such-folder"), id="no such folder"),
    ],
)
def test_misuse_exits_2(machine: Machine, options: tuple[str, ...]) -> None:
    assert (machine.setup(*options).exit_code, machine.uninstall(*options).exit_code) == (2, 2)


def test_nothing_to_undo_is_no_error(machine: Machine) -> None:
    before = everything_in(machine.root)

    undone = machine.uninstall()

    assert (undone.exit_code, undone.stdout[:15]) == (0, "nothing to undo")
    assert everything_in(machine.root) == before


def test_a_dry_run_shows_the_change_and_makes_none(machine: Machine) -> None:
    machine.write(PLAIN.encode())
    before = everything_in(machine.root)

    shown = machine.setup("--dry-run")
    told = json.loads(machine.setup("--dry-run", "--json").stdout)

    assert '+    "SessionStart": [' in shown.stdout
    assert (told["changed"], told["would_change"], len(told["hooks"])) == (False, True, 8)
    assert everything_in(machine.root) == before


def test_setup_says_what_it_wrote_and_when_there_was_nothing_to_do(machine: Machine) -> None:
    first, second, third = machine.setup(), machine.setup(), machine.setup("--json")

    assert first.stdout.startswith(f"wired Claude Code in '{machine.user_settings}'\n  SessionStart")
    assert "trust the folder" in first.stderr
    assert second.stdout.startswith("nothing to change")
    assert json.loads(third.stdout)["changed"] is False
    assert third.stderr == ""


def test_switched_off_hooks_are_mentioned(machine: Machine) -> None:
    machine.write(b'{"disableAllHooks": true}')

    assert "'disableAllHooks' is true" in machine.setup().stderr


def test_the_folder_of_claude_code_may_be_elsewhere(machine: Machine) -> None:
    elsewhere = machine.root / "deep" / "config"
    environment = {"HOME": str(machine.root), "AGENTRECALL_HOME": str(machine.root / "memory")}

    runner = CliRunner(env={**environment, "CLAUDE_CONFIG_DIR": str(elsewhere)})
    assert runner.invoke(setup, ["claude-code"]).exit_code == 0
    assert (elsewhere / "settings.json").exists()
    assert runner.invoke(uninstall, ["claude-code"]).exit_code == 0
    assert not (machine.root / "deep").exists()


HANDLERS = st.fixed_dictionaries({"type": st.just("command"), "command": st.text()})
GROUPS = st.fixed_dictionaries({"hooks": st.lists(HANDLERS, max_size=2)}, optional={"matcher": st.text()})
EVENTS = st.sampled_from(["SessionStart", "PreToolUse", "Stop", "Elsewhere"])
HOOKS = st.dictionaries(EVENTS, st.lists(GROUPS, max_size=2), max_size=3)
SETTINGS = st.fixed_dictionaries(
    {}, optional={"model": st.text(), "env": st.dictionaries(st.text(), st.text(), max_size=2), "hooks": HOOKS}
)


@given(settings=SETTINGS, layout=st.sampled_from([None, 2, "\t"]))
def test_setup_and_uninstall_leave_any_settings_byte_for_byte(
    settings: dict[str, object], layout: int | str | None
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        machine = machine_in(Path(folder).resolve())
        patch.setattr(sys, "executable", str(machine.root / "bin" / "python"))
        machine.write(json.dumps(settings, indent=layout).encode())
        before = everything_in(machine.root)

        assert machine.setup().exit_code == 0
        assert everything_in(machine.root) != before
        assert machine.uninstall().exit_code == 0

        assert everything_in(machine.root) == before
