"""Checks of the host: whether Claude Code runs our hooks, and whether these are there to be run."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

from agentrecall_admin.checks import Finding, Level, reason
from agentrecall_domain.hosts import claude_settings
from agentrecall_domain.hosts.claude_settings import Programs, UnreadableSettingsError, Wire

PROGRAMS = Programs(claude_settings.CAPTURE_HOOK, claude_settings.RECALL_HOOK, claude_settings.FINALIZE_TURN)
SETUP = "agentrecall setup claude-code"


class Settings(NamedTuple):
    """One settings file of Claude Code, and what it wires; *wires* is empty also when it cannot be read."""

    path: Path
    setup: str
    text: str
    wires: list[Wire]
    obstacle: str


def claude_code(program: str | None) -> Finding:
    """Whether Claude Code is on the path."""
    if program is None:
        return Finding("claude-code", Level.WARNING, "no 'claude' on PATH", "nothing, if you do not use Claude Code")
    return Finding("claude-code", Level.OK, f"'{program}'")


def read_settings(path: Path, setup: str) -> Settings:
    """Read one settings file; *setup* is the command that wires it."""
    text, wires, obstacle = "", [], ""
    try:
        if path.is_symlink() or path.exists():
            if not path.is_file():
                raise OSError(0, "not a regular file")  # noqa: TRY301 -- told as any other reading error
            text = path.read_bytes().decode()
            wires = claude_settings.wiring(text)
    except UnicodeDecodeError:
        obstacle = "it is not UTF-8"
    except RecursionError:
        obstacle = "it is nested too deeply"
    except OSError as error:
        obstacle = reason(error)
    except UnreadableSettingsError as error:
        obstacle = str(error)
    return Settings(path, setup, text, wires, obstacle)


def settings(one: Settings, installed: Programs | None) -> Finding:
    """Whether one settings file of Claude Code is readable, and what it wires is there and up to date."""
    name = "settings"
    if one.obstacle:
        found = f"'{one.path}' cannot be read: {one.obstacle}"
        return Finding(name, Level.PROBLEM, found, f"repair it by hand, then run '{one.setup}'")
    is_off = bool(one.text) and claude_settings.hooks_are_disabled(one.text)
    if not one.wires and not is_off:
        return Finding(name, Level.OK, f"'{one.path}' has no hook of AgentRecall")
    stale = {wire.command: fault for wire in one.wires if (fault := _fault_of(wire))}
    if stale:
        found = "; ".join(f"'{command}' {fault}" for command, fault in stale.items())
        return Finding(name, Level.PROBLEM, f"'{one.path}' runs what is not there: {found}", f"run '{one.setup}'")
    if is_off:
        found = f"'{one.path}' sets 'disableAllHooks': Claude Code runs no hook"
        return Finding(name, Level.WARNING, found, "take that line out when you want the memory to work")
    if installed is not None and claude_settings.wired(one.text, installed) != one.text:
        found = f"'{one.path}' is wired, but not to this installation, or not as this version does it"
        return Finding(name, Level.WARNING, found, f"run '{one.setup}' if this installation is the one you use")
    return Finding(name, Level.OK, f"'{one.path}' is wired ({len(one.wires)} hooks)")


def wiring(every: list[Settings]) -> Finding:
    """Whether any settings file wires the memory here."""
    wired = [one for one in every if one.wires]
    if not wired:
        found = "Claude Code is not wired, neither for you nor for this folder"
        return Finding("wiring", Level.WARNING, found, f"run '{SETUP}'")
    return Finding("wiring", Level.OK, f"Claude Code is wired in {len(wired)} of {len(every)} settings files here")


def programs(installed: dict[str, str | None]) -> Finding:
    """Whether the hook programs lie beside this one and can be started; *installed* is each one's path."""
    broken = [f"'{name}' is missing" for name, path in installed.items() if path is None]
    broken += [f"'{path}' {fault}" for path in installed.values() if path and (fault := _program_fault(path))]
    if broken:
        return Finding("programs", Level.PROBLEM, "; ".join(broken), "install 'agentrecall' again")
    return Finding("programs", Level.OK, f"{len(installed)} hook programs lie beside this one")


def _fault_of(wire: Wire) -> str:
    """What keeps the host from running *wire*, '' when nothing does."""
    try:
        path = _path_in(wire)
    except (OSError, ValueError) as error:
        return f"cannot be understood: {error}"
    if not os.path.dirname(path):  # noqa: PTH120 -- a bare name is looked up, as the host does
        return "" if shutil.which(path) else "is not on PATH"
    return _program_fault(path)


def _path_in(wire: Wire) -> str:
    """The program's path: the whole command in our own form, or a word of a shell line."""
    if Path(wire.command).is_file():
        return wire.command
    words = shlex.split(wire.command)
    ours = [word for word in words if claude_settings.program_of({"command": word, "args": []}) == wire.program]
    return os.path.expandvars(Path(ours[0]).expanduser()) if ours else wire.command


def _program_fault(path: str) -> str:
    try:
        if not Path(path).is_file():
            return "is missing"
        if not os.access(path, os.X_OK):
            return "is not executable"
        interpreter = _interpreter(path)
        is_complete = not interpreter or Path(interpreter).exists()
    except (OSError, ValueError) as error:
        return f"cannot be read: {error}"
    return "" if is_complete else f"needs '{interpreter}', which is missing"


def _interpreter(path: str) -> str:
    """What a script's first line says it is run by, '' when it says nothing."""
    with Path(path).open("rb") as file:
        start = file.read(1024)
    words = start.split(b"\n", 1)[0][2:].split() if start.startswith(b"#!") else []
    return os.fsdecode(words[0]) if words else ""
