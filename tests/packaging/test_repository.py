from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Put together, so that this file does not hold what it forbids.
REGISTRIES = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"))]
HOME_PATH = re.compile(r"/(?:root|home/[a-z]|Users/[A-Za-z])[\w.-]*/")
MADE_UP = "tests/"
"""Test data holds made-up homes and registries: what it says is no setting."""


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=False, capture_output=True, encoding="utf-8"
    ).stdout
    files = [ROOT / name for name in listed.split("\0") if name]
    if not files:
        pytest.skip("not a git clone")
    return [path for path in files if path.is_file()]


def lines_with(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)
        if pattern.search(line)
    ]


def ours_to_say() -> list[Path]:
    return [
        path for path in tracked() if path.name != "uv.lock" and not str(path.relative_to(ROOT)).startswith(MADE_UP)
    ]


def test_no_file_but_the_lock_names_a_registry() -> None:
    assert lines_with(re.compile("|".join(map(re.escape, REGISTRIES))), ours_to_say()) == []


def test_no_file_names_a_folder_in_somebodys_home() -> None:
    assert lines_with(HOME_PATH, ours_to_say()) == []


def test_the_lock_names_the_public_registry_alone() -> None:
    lock = (ROOT / "uv.lock").read_text(encoding="utf-8")
    hosts = set(re.findall(r"https?://([^/\"]+)", lock))
    assert hosts == {REGISTRIES[0], f"files.{REGISTRIES[1]}"}


def test_what_ci_runs_can_be_run() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
