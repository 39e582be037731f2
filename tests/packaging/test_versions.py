from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
APPS = sorted(path.parent for path in ROOT.glob("apps/*/pyproject.toml"))
MEMBERS = [*APPS, *sorted(path.parent for path in ROOT.glob("packages/*/pyproject.toml"))]

each_app = pytest.mark.parametrize("app", APPS, ids=lambda path: path.name)
each_member = pytest.mark.parametrize("member", MEMBERS, ids=lambda path: path.name)


def project_of(folder: Path) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


def name_of(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return found[0]


def test_the_workspace_and_all_its_members_have_one_version() -> None:
    assert {project_of(folder)["version"] for folder in (ROOT, *MEMBERS)} == {project_of(ROOT)["version"]}


def test_the_workspace_and_all_its_members_ask_for_the_same_python() -> None:
    assert {project_of(folder)["requires-python"] for folder in (ROOT, *MEMBERS)} == {">=3.11"}


@each_member
def test_what_a_member_needs_of_ours_is_pinned_to_the_one_version(member: Path) -> None:
    ours = {project_of(folder)["name"] for folder in MEMBERS}
    needed = [line for line in project_of(member).get("dependencies", []) if name_of(line) in ours]
    assert needed == [f"{name_of(line)}=={project_of(ROOT)['version']}" for line in needed]


@each_member
def test_a_member_is_named_as_its_import_package_is_found(member: Path) -> None:
    (package,) = (member / "src").iterdir()
    settings = tomllib.loads((member / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["uv"]["build-backend"]["module-name"] == package.name


@each_app
def test_an_app_has_one_console_script_with_the_name_of_its_distribution(app: Path) -> None:
    project = project_of(app)
    (package,) = (app / "src").iterdir()
    assert project["scripts"] == {project["name"]: f"{package.name}.__main__:main"}


def test_the_workspace_depends_on_every_app_so_that_a_bare_clone_runs_them() -> None:
    assert sorted(project_of(ROOT)["dependencies"]) == sorted(project_of(app)["name"] for app in APPS)


def test_the_command_line_brings_every_other_app_along() -> None:
    needed = {name_of(line) for line in project_of(ROOT / "apps" / "admin-cli")["dependencies"]}
    others = {project_of(app)["name"] for app in APPS} - {"agentrecall"}
    assert others <= needed
