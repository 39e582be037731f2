from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_storage.files.exclusions import (
    FILE_NAME,
    ExclusionsUnreadableError,
    entries,
    exclude,
    include,
    is_excluded,
)
from agentrecall_storage.files.git import locate
from helpers.forks import open_folder, without_root

AT = "2026-10-02T08:00:00Z"
GITHUB = "git@github.com:acme/shop.git"


def git(folder: Path, *arguments: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    subprocess.run(["git", *author, *arguments], cwd=folder, env=environment, capture_output=True, check=True)


def repository(folder: Path, remote: str | None = None) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "first")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "share" / "agentrecall")


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def off(home: str, folder: Path) -> bool:
    return is_excluded(home, locate(str(folder)), str(folder))


def kinds(home: str) -> list[str]:
    return [entry.kind for entry in entries(home)]


def test_nothing_is_excluded_before_anybody_asked(home: str, tmp_path: Path) -> None:
    assert not off(home, tmp_path)
    assert entries(home) == []
    assert include(home, str(tmp_path)) == []
    assert not Path(home).exists()


def test_excluding_a_project_reaches_its_worktrees_its_clones_and_its_folders(home: str, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", GITHUB)
    clone = repository(tmp_path / "clone", "https://github.com/Acme/Shop")
    other = repository(tmp_path / "other")
    git(shop, "worktree", "add", "--quiet", str(tmp_path / "feature"))

    exclude(home, locate(str(shop)), "acme/shop", AT)

    assert kinds(home) == ["remote", "common_dir"]
    assert all(off(home, folder) for folder in (shop, shop / "src", tmp_path / "feature", clone))
    assert not off(home, other)
    assert not off(home, tmp_path)


def test_excluding_without_a_remote_reaches_worktrees_and_local_clones(home: str, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    git(shop, "worktree", "add", "--quiet", str(tmp_path / "feature"))
    git(tmp_path, "clone", "--quiet", str(shop), "clone")

    exclude(home, str(shop), "shop", AT)

    assert kinds(home) == ["common_dir"]
    assert off(home, tmp_path / "feature")
    assert off(home, tmp_path / "clone")


def test_an_exclusion_outlasts_a_new_origin(home: str, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    exclude(home, str(shop), "shop", AT)

    git(shop, "remote", "add", "origin", GITHUB)

    assert off(home, shop)


def test_excluding_a_folder_reaches_all_below_it(home: str, tmp_path: Path) -> None:
    inner = repository(tmp_path / "clients" / "secret" / "shop", GITHUB)

    exclude(home, str(tmp_path / "clients"), "clients", AT)

    assert kinds(home) == ["folder"]
    assert all(off(home, folder) for folder in (tmp_path / "clients", inner, inner / "src"))
    assert not off(home, tmp_path / "clients-public")
    assert not off(home, tmp_path)


def test_excluding_a_folder_inside_a_repository_leaves_the_rest(home: str, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")

    exclude(home, str(shop / "legal"), "legal", AT)

    assert off(home, shop / "legal" / "deep")
    assert not off(home, shop)


def test_excluding_a_place_without_a_repository_excludes_its_folder(home: str, tmp_path: Path) -> None:
    exclude(home, locate(str(tmp_path / "diary")), "diary", AT)

    assert kinds(home) == ["folder"]
    assert off(home, tmp_path / "diary" / "2026")


def test_a_symlink_is_no_way_around_a_folder(home: str, tmp_path: Path) -> None:
    (tmp_path / "clients").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "clients")

    exclude(home, str(tmp_path / "link"), "clients", AT)

    assert off(home, tmp_path / "link")
    assert off(home, tmp_path / "clients")


def test_excluding_twice_adds_nothing(home: str, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", GITHUB)

    first = exclude(home, str(shop), "acme/shop", AT)
    again = exclude(home, str(shop), "another label", "2027-01-01T00:00:00Z")

    assert ([entry.kind for entry in first], again) == (["remote", "common_dir"], [])
    assert {(entry.label, entry.at) for entry in entries(home)} == {("acme/shop", AT)}


def test_including_undoes_an_exclusion_and_says_what_it_removed(home: str, tmp_path: Path) -> None:
    shop, other = repository(tmp_path / "shop", GITHUB), repository(tmp_path / "other")
    exclude(home, str(shop), "acme/shop", AT)
    exclude(home, str(other), "other", AT)

    removed = include(home, locate(str(shop)))

    assert [entry.as_dict() for entry in removed] == [
        {"kind": "remote", "value": "github.com/acme/shop", "label": "acme/shop", "at": AT},
        {"kind": "common_dir", "value": str(shop / ".git"), "label": "acme/shop", "at": AT},
    ]
    assert (off(home, shop), off(home, other)) == (False, True)
    assert include(home, str(shop)) == []


def test_including_a_path_removes_the_folder_above_it_and_the_project(home: str, tmp_path: Path) -> None:
    shop = repository(tmp_path / "clients" / "shop")
    exclude(home, str(tmp_path / "clients"), "clients", AT)
    exclude(home, str(shop), "shop", AT)

    assert [entry.kind for entry in include(home, str(shop / "src"))] == ["folder", "common_dir"]
    assert not off(home, shop)


BROKEN = [
    pytest.param(b"", id="empty"),
    pytest.param(b"\xff\xfe", id="not text"),
    pytest.param(b"[", id="cut off"),
    pytest.param(b"{}", id="no list"),
    pytest.param(b"[1]", id="no entry"),
    pytest.param(b'[{"kind": "remote"}]', id="no value"),
    pytest.param(b'[{"kind": [], "value": "x"}]', id="no kind"),
    pytest.param(b'[{"kind": "planet", "value": "x"}]', id="a kind of tomorrow"),
    pytest.param(b"[" * 100_000, id="too deep"),
]


@pytest.mark.parametrize("content", BROKEN)
def test_a_file_that_makes_no_sense_excludes_everything_and_is_left_alone(
    home: str, tmp_path: Path, content: bytes
) -> None:
    path = Path(home, FILE_NAME)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)

    assert off(home, tmp_path)
    with pytest.raises(ExclusionsUnreadableError, match="cannot read"):
        exclude(home, str(tmp_path), "x", AT)
    with pytest.raises(ExclusionsUnreadableError, match="cannot read"):
        include(home, str(tmp_path))
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "put",
    [
        pytest.param(lambda path: path.mkdir(), id="a folder"),
        pytest.param(lambda path: path.symlink_to("gone"), id="a symlink to nothing"),
        pytest.param(lambda path: path.symlink_to(path), id="a loop"),
        pytest.param(os.mkfifo, id="a pipe"),
    ],
)
def test_what_is_no_file_excludes_everything(home: str, tmp_path: Path, put: Callable[[Path], object]) -> None:
    Path(home).mkdir(parents=True)
    put(Path(home, FILE_NAME))

    assert off(home, tmp_path)


def test_a_file_we_may_not_read_excludes_everything() -> None:
    with open_folder() as folder:
        home = str(folder / "memory")
        exclude(home, str(folder / "x"), "x", AT)
        with without_root(folder):
            assert not off(home, folder)
            Path(home, FILE_NAME).chmod(0)

            assert off(home, folder)


@given(st.binary(max_size=100) | st.recursive(st.text() | st.none(), st.lists).map(json.dumps).map(str.encode))
def test_any_content_gives_an_answer(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("home")
    (folder / FILE_NAME).write_bytes(content)

    assert off(str(folder), folder) in (True, False)


@pytest.mark.usefixtures("no_umask")
def test_nobody_else_can_read_the_file_whatever_the_umask(home: str, tmp_path: Path) -> None:
    exclude(home, str(tmp_path / "x"), "x", AT)
    exclude(home, str(tmp_path / "y"), "y", AT)

    modes = [stat.S_IMODE(path.stat().st_mode) for path in (Path(home, FILE_NAME), Path(home), Path(home).parent)]

    assert [oct(mode) for mode in modes] == ["0o600", "0o700", "0o700"]


def test_a_write_leaves_nothing_else_behind(home: str, tmp_path: Path) -> None:
    exclude(home, str(tmp_path / "x"), "x", AT)
    include(home, str(tmp_path / "x"))

    assert os.listdir(home) == [FILE_NAME]  # noqa: PTH208 -- names are what is asked
    assert entries(home) == []


def test_a_home_that_is_no_folder_excludes_everything(home: str, tmp_path: Path) -> None:
    Path(home).parent.mkdir()
    Path(home).touch()

    assert off(home, tmp_path)
    with pytest.raises(ExclusionsUnreadableError, match="cannot read"):
        exclude(home, str(tmp_path / "x"), "x", AT)


def test_names_that_are_not_utf_8_can_be_excluded(home: str, tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))

    exclude(home, str(odd), "caf\udce9", AT)

    assert off(home, odd / "below")
    assert not off(home, tmp_path)
