"""`agentrecall doctor`: looks at everything that can keep the memory from working, and changes nothing."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import click

from agentrecall_admin import checks, host_checks, installation
from agentrecall_admin.checks import Finding, Level
from agentrecall_admin.console import as_json_option, now, print_json, talk
from agentrecall_admin.host_checks import PROGRAMS, SETUP, Settings
from agentrecall_admin.inspection import Content, ObstacleError, look
from agentrecall_admin.setup import settings_path
from agentrecall_domain.hosts.claude_settings import Programs
from agentrecall_storage.engine import sqlite
from agentrecall_storage.home import database_path, home

COLOURS = {Level.OK: "green", Level.WARNING: "yellow", Level.PROBLEM: "red"}


class Surroundings(NamedTuple):
    """What a visit takes from outside: *cwd* is None when the folder is gone, *user_id* where there are none."""

    home: str
    user_id: int | None
    cwd: str | None
    folders: tuple[Path, ...]
    now: datetime


@click.command()
@as_json_option
@click.pass_context
def doctor(context: click.Context, *, as_json: bool) -> None:
    """Look for what keeps the memory from working, and say what to do about it.

    Changes, makes and repairs nothing. Exits 0 when there is no problem (warnings are none), 1 when there is one.
    """
    findings = [_printable(finding) for finding in examine(_surroundings())]
    problems = sum(finding.level is Level.PROBLEM for finding in findings)
    if as_json:
        print_json({"ok": problems == 0, "checks": [finding._asdict() for finding in findings]})
    else:
        for finding in findings:
            click.echo(_line(finding))
        talk(f"{problems} problems" if problems > 1 else "1 problem" if problems else "no problem")
    context.exit(1 if problems else 0)


def examine(around: Surroundings) -> Iterator[Finding]:
    """Every check's finding, those of the memory first; a check of a content that cannot be read is left out."""
    path = database_path(around.home)
    installed = {name: installation.find(name, around.folders) for name in PROGRAMS}
    every = _read_settings(around.cwd)

    yield _guarded("home", checks.home, around.home, around.user_id)
    seen, content = _looked(path)
    yield seen
    if os.path.isfile(path):  # noqa: PTH113 -- unlike pathlib's, it raises nothing
        yield _guarded("access", checks.access, path, around.user_id)
    if content is not None:
        yield from _of_content(content, path, is_wired=any(one.wires for one in every))
    yield checks.engine(sqlite.sqlite_version_info, sqlite.__name__.split(".")[0])
    yield _guarded("file system", checks.file_system, path)
    yield _guarded("spool", checks.spooled, around.home, around.now)
    yield _guarded("log", checks.failures, around.home, around.now)

    yield host_checks.claude_code(shutil.which("claude"))
    wanted = _complete(installed)
    for one in every:
        yield _guarded("settings", host_checks.settings, one, wanted)
    yield host_checks.wiring(every)
    yield _guarded("programs", host_checks.programs, installed)

    yield _guarded("exclusions", checks.excluded, around.home)
    yield _guarded("this folder", checks.current_folder, around.home, around.cwd)
    yield checks.switch()


def _looked(path: str) -> tuple[Finding, Content | None]:
    try:
        return checks.database(path), look(path)
    except FileNotFoundError:
        return checks.missing_database(path), None
    except ObstacleError as obstacle:
        level = Level.WARNING if obstacle.passes else Level.PROBLEM
        return Finding("database", level, f"'{path}' {obstacle.found}", obstacle.do), None
    except Exception as error:  # noqa: BLE001 -- whatever is wrong with the file, the other checks go on
        return _failed("database", error), None


def _of_content(content: Content, path: str, *, is_wired: bool) -> Iterator[Finding]:
    yield checks.integrity(content)
    yield checks.schema(content)
    yield _guarded("journal", checks.journal, content, path)
    if content.captures is not None:
        yield checks.capture(content.captures, is_wired=is_wired)
        yield checks.transcripts(content.captures)
    if content.units is not None:
        yield checks.distilling(content.units)


def _guarded(name: str, check: Callable[..., Finding], *about: object) -> Finding:
    try:
        return check(*about)
    except Exception as error:  # noqa: BLE001 -- a doctor that falls ill helps nobody: the other checks go on
        return _failed(name, error)


def _failed(name: str, error: Exception) -> Finding:
    found = f"could not be checked: {type(error).__name__}: {error}"
    return Finding(name, Level.PROBLEM, found, "report this, with what the other lines say")


def _surroundings() -> Surroundings:
    try:
        cwd = str(Path.cwd())
    except OSError:
        cwd = None
    return Surroundings(
        home=home(),
        user_id=os.geteuid() if hasattr(os, "geteuid") else None,
        cwd=cwd,
        folders=installation.folders(),
        now=now(),
    )


def _complete(installed: dict[str, str | None]) -> Programs | None:
    paths = [path for path in installed.values() if path is not None]
    return Programs(*paths) if len(paths) == len(installed) else None


def _read_settings(cwd: str | None) -> list[Settings]:
    """The settings of the user and of the current folder; at home, the two may be one file."""
    places = {settings_path(user=True, project=None, shared=False): f"{SETUP} --user"}
    if cwd is not None:
        of_project = f"{SETUP} --project {shlex.quote(cwd)}"
        places.setdefault(settings_path(user=False, project=Path(cwd), shared=True), f"{of_project} --shared")
        places.setdefault(settings_path(user=False, project=Path(cwd), shared=False), of_project)
    return [host_checks.read_settings(path, setup) for path, setup in places.items()]


def _line(finding: Finding) -> str:
    level = f"{finding.level:<8}"
    if not os.environ.get("NO_COLOR"):
        level = click.style(level, fg=COLOURS[finding.level])
    return f"{level} {finding.check:<11} {finding.found}" + (f"; {finding.do}" if finding.do else "")


def _printable(finding: Finding) -> Finding:
    """*finding* on one line: paths and logs may hold line ends, control characters and broken Unicode."""
    return finding._replace(found=_plain(finding.found), do=_plain(finding.do))


def _plain(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)
