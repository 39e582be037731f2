from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrecall_domain.turns.project import (
    COMMON_DIR,
    NAME,
    PATH,
    REMOTE,
    Alias,
    normalise_remote,
    project_name,
)
from agentrecall_storage.files.git import READ_LIMIT, Place, as_text, locate
from agentrecall_storage.files.git_history import root_commit
from helpers.forks import open_folder, without_root

GITHUB = "git@github.com:Acme/Shop-API.git"


def git(folder: Path, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    settings = ["user.name=Ada", "user.email=ada@example.com", "protocol.file.allow=always", "init.defaultBranch=main"]
    options = [part for setting in settings for part in ("-c", setting)]
    return subprocess.run(
        ["git", *options, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


def repository(folder: Path, remote: str | None = None) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "first")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


def config(tmp_path: Path, text: str | bytes) -> Place:
    """A repository whose config says *text*."""
    folder = tmp_path / "shop" / ".git"
    folder.mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_bytes(text.encode() if isinstance(text, str) else text)
    return locate(str(folder.parent))


def remotes(place: Place) -> list[str]:
    return [alias.value for alias in place.aliases if alias.kind == REMOTE]


def shares_a_project(one: Place, other: Place) -> bool:
    return bool(set(one.aliases) & set(other.aliases))


# Remotes


@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:Acme/Shop-API.git",
        "github.com:acme/shop-api",
        "git@github.com:/acme/shop-api.git/",
        "git@[github.com]:acme/shop-api",
        "git@[github.com:22]:acme/shop-api",
        "ssh://git@github.com/acme/shop-api.git",
        "ssh://git@github.com:22/acme/shop-api.git",
        "ssh://github.com:443/acme/shop-api",
        "SSH://GitHub.com./acme//./shop-api/.git",
        "git+ssh://git@github.com/acme/shop-api",
        "git://github.com/acme/shop-api.git",
        "git://github.com:9418/acme/shop-api",
        "http://github.com:80/acme/shop-api.git",
        "https://github.com/acme/shop-api",
        "https://github.com:443/acme/shop-api.git/",
        "https://user:token@github.com/acme/shop-api/",
        "https://me@corp.example:token@github.com/acme/shop-api",
        "https://token@github.com:/acme/shop-api.git\n",
    ],
)
def test_every_spelling_of_a_remote_gives_the_same_name(url: str) -> None:
    assert normalise_remote(url) == "github.com/acme/shop-api"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        pytest.param("ssh://git@git.example:2222/a/b.git", "git.example:2222/a/b", id="another port"),
        pytest.param("git@[git.example:2222]:a/b.git", "git.example:2222/a/b", id="another port, short form"),
        pytest.param("ssh://[::1]:2222/a", "[::1]:2222/a", id="ipv6 with port"),
        pytest.param("git@[::1]:a", "[::1]/a", id="ipv6, short form"),
        pytest.param("https://git.example/Group/Sub/Repo", "git.example/group/sub/repo", id="subgroups"),
        pytest.param("https://git.example/My%20Repo", "git.example/my%20repo", id="encoded space"),
        pytest.param("ssh://git.example/My Repo", "git.example/my%20repo", id="plain space"),
        pytest.param("work:shop.git", "work/shop", id="ssh alias"),
    ],
)
def test_what_tells_remotes_apart_is_kept(url: str, name: str) -> None:
    assert normalise_remote(url) == name


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("", id="nothing"),
        pytest.param("/srv/git/shop.git", id="absolute path"),
        pytest.param("../shop", id="relative path"),
        pytest.param("./a:b", id="path with a colon"),
        pytest.param("shop", id="bare word"),
        pytest.param("C:\\shop", id="windows drive"),
        pytest.param("c:/shop", id="windows drive, slash"),
        pytest.param("file:///srv/shop", id="file"),
        pytest.param("ext::sh -c evil", id="remote helper"),
        pytest.param("gopher://github.com/a/b", id="unknown scheme"),
        pytest.param("https://", id="scheme alone"),
        pytest.param("https://github.com", id="host alone"),
        pytest.param("https://github.com/.git", id="no path left"),
        pytest.param("https://github.com/a/../b", id="climbing path"),
        pytest.param("https://github.com:99999/a", id="no such port"),
        pytest.param("https://github.com:\u0663/a", id="foreign digits"),
        pytest.param("ssh://-oProxyCommand=x/a", id="an option for ssh"),
        pytest.param("https://a b/c", id="space in host"),
        pytest.param("https://[::1/a", id="open bracket"),
        pytest.param("https://github.com/a\x00b", id="control character"),
        pytest.param("https://github.com/a\udcff", id="not text"),
        pytest.param("https://github.com/a?access_token=hush", id="token in a query"),
        pytest.param("https://me/x:hush@github.com/a", id="slash in the password"),
        pytest.param("me:hush@github.com:a/b", id="password in the short form"),
    ],
)
def test_what_is_local_or_makes_no_sense_is_no_remote(url: str) -> None:
    assert normalise_remote(url) is None


URLS = st.one_of(
    st.text(),
    st.text(alphabet="aZ0.:/@[]?#%- \\~İ", max_size=30),
    st.builds("{}://{}".format, st.sampled_from(["ssh", "https", "git", "file"]), st.text(alphabet="aG.:/@[]git 4")),
)


@given(URLS)
def test_a_normalised_remote_stays_as_it_is_and_names_nobody(url: str) -> None:
    name = normalise_remote(url)

    assert name is None or (normalise_remote("https://" + name) == name and "@" not in name)


@given(st.text(), st.text(), st.sampled_from(["https://{}:{}hush{}@h.example/a", "ssh://{}:{}hush{}@h.example:9/a"]))
def test_no_password_survives(user: str, noise: str, form: str) -> None:
    # The one place a slash could move it to is the path, and there the at sign gives it away.
    assert "hush" not in (normalise_remote(form.format(user, noise, noise)) or "")


# Names


@pytest.mark.parametrize(
    ("aliases", "name"),
    [
        pytest.param([Alias(REMOTE, "github.com/acme/shop-api")], "acme/shop-api", id="remote"),
        pytest.param([Alias(REMOTE, "git.example/g/sub/repo")], "sub/repo", id="subgroups"),
        pytest.param([Alias(REMOTE, "git.example/repo")], "repo", id="one segment"),
        pytest.param([Alias(REMOTE, "h/a/b"), Alias(NAME, "The Shop")], "The Shop", id="a person's choice"),
        pytest.param([Alias(COMMON_DIR, "/src/shop/.git"), Alias(PATH, "/wt/feature")], "shop", id="worktree"),
        pytest.param([Alias(COMMON_DIR, "/srv/shop.git")], "shop", id="bare"),
        pytest.param([Alias(COMMON_DIR, "/src/shop/.git/modules/lib")], "feature", id="submodule"),
        pytest.param([], "feature", id="folder"),
    ],
)
def test_a_project_has_a_name_people_know(aliases: list[Alias], name: str) -> None:
    assert project_name(aliases, "/wt/feature/") == name


def test_even_the_root_folder_has_a_name() -> None:
    assert project_name([], "/") == "/"


# Places


def test_clones_and_a_worktree_share_their_remote(tmp_path: Path) -> None:
    first = repository(tmp_path / "one" / "shop", GITHUB)
    second = repository(tmp_path / "two" / "renamed", "https://me:hush@github.com/acme/shop-api/")
    git(first, "worktree", "add", "--quiet", str(tmp_path / "feature"))

    places = [locate(str(folder)) for folder in (first, second, tmp_path / "feature")]

    assert {place.aliases[0] for place in places} == {Alias(REMOTE, "github.com/acme/shop-api")}
    assert {place.name for place in places} == {"acme/shop-api"}
    assert [place.root for place in places] == [str(first), str(second), str(tmp_path / "feature")]


def test_a_worktree_without_a_remote_shares_the_common_dir_and_the_name(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    git(shop, "worktree", "add", "--quiet", str(tmp_path / "feature"))

    place = locate(str(tmp_path / "feature"))

    assert place.aliases == [Alias(COMMON_DIR, str(shop / ".git")), Alias(PATH, str(tmp_path / "feature"))]
    assert place.name == locate(str(shop)).name == "shop"


def test_two_folders_of_one_name_are_two_projects(tmp_path: Path) -> None:
    places = [locate(str(repository(tmp_path / parent / "api"))) for parent in ("one", "two")]

    assert not shares_a_project(*places)
    assert [place.name for place in places] == ["api", "api"]


def test_gaining_an_origin_keeps_the_other_aliases(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    before = locate(str(shop)).aliases
    git(shop, "remote", "add", "origin", GITHUB)

    assert locate(str(shop)).aliases == [Alias(REMOTE, "github.com/acme/shop-api"), *before]


def test_a_submodule_is_its_own_project(tmp_path: Path) -> None:
    library = repository(tmp_path / "library")
    shop = repository(tmp_path / "shop")
    git(shop, "submodule", "--quiet", "add", str(library), "vendor/library")

    inner, outer = locate(str(shop / "vendor" / "library")), locate(str(shop))

    assert not shares_a_project(inner, outer)
    assert shares_a_project(inner, locate(str(library)))
    assert Alias(COMMON_DIR, str(shop / ".git" / "modules" / "vendor" / "library")) in inner.aliases


@pytest.mark.parametrize("form", ["{}", "{}/.git", "file://{}", "file://localhost{}", "../shop"])
def test_a_clone_of_a_local_repository_is_the_same_project(tmp_path: Path, form: str) -> None:
    shop = repository(tmp_path / "shop")
    copy = repository(tmp_path / "copy", form.format(shop))

    assert locate(str(copy)).aliases == [
        Alias(COMMON_DIR, str(shop / ".git")),
        Alias(COMMON_DIR, str(copy / ".git")),
        Alias(PATH, str(copy)),
    ]
    assert locate(str(copy)).name == "shop"


def test_a_clone_made_by_git_of_a_folder_with_a_space_is_the_same_project(tmp_path: Path) -> None:
    shop = repository(tmp_path / "my shop")
    git(tmp_path, "clone", "--quiet", f"file://{tmp_path}/my%20shop", "copy")

    assert shares_a_project(locate(str(shop)), locate(str(tmp_path / "copy")))


def test_a_local_clone_takes_over_the_remote_of_its_source(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", GITHUB)
    git(tmp_path, "clone", "--quiet", str(shop), "copy")

    assert remotes(locate(str(tmp_path / "copy"))) == ["github.com/acme/shop-api"]


@pytest.mark.parametrize("spelling", ["shared.git", "shared"])
def test_clones_of_a_bare_local_repository_are_one_project(tmp_path: Path, spelling: str) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "shared.git")
    copies = [repository(tmp_path / name, str(tmp_path / spelling)) for name in ("one", "two")]

    assert {locate(str(copy)).aliases[0] for copy in copies} == {Alias(COMMON_DIR, str(tmp_path / "shared.git"))}


def test_repositories_that_name_each_other_or_themselves_do_not_loop(tmp_path: Path) -> None:
    one = repository(tmp_path / "one", str(tmp_path / "two"))
    two = repository(tmp_path / "two", str(one))
    own = repository(tmp_path / "own", ".")

    assert shares_a_project(locate(str(one)), locate(str(two)))
    assert locate(str(own)).aliases == [Alias(COMMON_DIR, str(own / ".git")), Alias(PATH, str(own))]


def test_a_local_remote_that_is_gone_leaves_the_common_dir(tmp_path: Path) -> None:
    copy = repository(tmp_path / "copy", str(tmp_path / "gone"))

    assert [alias.kind for alias in locate(str(copy)).aliases] == [COMMON_DIR, PATH]


def test_worktrees_around_a_bare_repository_are_one_project(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    git(tmp_path, "clone", "--quiet", "--bare", str(repository(tmp_path / "source")), str(shop / ".bare"))
    (shop / ".git").write_text("gitdir: ./.bare\n")
    git(shop, "worktree", "add", "--quiet", "feature")

    assert Alias(COMMON_DIR, str(shop / ".bare")) in locate(str(shop)).aliases
    assert Alias(COMMON_DIR, str(shop / ".bare")) in locate(str(shop / "feature")).aliases


def test_a_nested_folder_belongs_to_the_repository_above_even_when_it_does_not_exist(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")

    place = locate(str(shop / "src" / "deep"))

    assert (place.root, place.cwd) == (str(shop), str(shop / "src" / "deep"))


def test_a_symlink_leads_to_the_same_place(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    (tmp_path / "link").symlink_to(shop)

    assert locate(str(tmp_path / "link")).aliases == locate(str(shop)).aliases


def test_a_folder_without_a_repository_is_known_by_its_path(tmp_path: Path) -> None:
    place = locate(str(tmp_path))

    assert (place.root, place.aliases, place.is_repository) == (str(tmp_path), [Alias(PATH, str(tmp_path))], False)


@pytest.mark.parametrize(
    "break_it",
    [
        pytest.param(lambda git_path: git_path.mkdir(), id="empty folder"),
        pytest.param(lambda git_path: git_path.write_text(""), id="empty file"),
        pytest.param(lambda git_path: git_path.write_text("gitdir: /gone\n"), id="worktree of nothing"),
        pytest.param(lambda git_path: git_path.write_bytes(b"gitdir: \0\xff\n"), id="nonsense path"),
        pytest.param(lambda git_path: git_path.write_bytes(b"\xff" * 1000), id="binary"),
        pytest.param(lambda git_path: git_path.symlink_to(git_path), id="loop"),
        pytest.param(os.mkfifo, id="pipe"),
    ],
)
def test_a_broken_git_folder_is_as_good_as_none(tmp_path: Path, break_it: Callable[[Path], object]) -> None:
    outer = repository(tmp_path / "outer")
    for folder in (tmp_path / "alone", outer / "inner"):
        folder.mkdir()
        break_it(folder / ".git")

    assert not locate(str(tmp_path / "alone")).is_repository
    assert locate(str(outer / "inner")).root == str(outer)


def test_a_config_that_cannot_be_read_leaves_the_common_dir(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", GITHUB)
    (shop / ".git" / "config").unlink()
    (shop / ".git" / "config").mkdir()

    assert [alias.kind for alias in locate(str(shop)).aliases] == [COMMON_DIR, PATH]


def test_a_config_we_may_not_read_leaves_the_common_dir() -> None:
    with open_folder() as folder:
        shop = repository(folder / "shop", GITHUB)
        with without_root(folder):
            assert REMOTE in [alias.kind for alias in locate(str(shop)).aliases]
            (shop / ".git" / "config").chmod(0)

            assert [alias.kind for alias in locate(str(shop)).aliases] == [COMMON_DIR, PATH]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[remote "origin"]\n\turl = https://h.example/a\n', id="as git writes it"),
        pytest.param('[Remote "origin"] URL=https://h.example/a', id="on one line, no line end"),
        pytest.param('\ufeff[remote "origin"]\r\nurl = https://h.example/a\r\n', id="from windows"),
        pytest.param("[remote.origin]\nurl = https://h.example/a\n", id="old spelling"),
        pytest.param('[remote "origin"]\nurl = "https://h.example/a" ; work\n', id="quotes and a comment"),
        pytest.param('[remote "origin"]\nurl = https://h.ex\\\nample/a\n', id="continued"),
        pytest.param('[remote "origin"]\nurl = https://h.example/a\nurl = https://h.example/b\n', id="two urls"),
        pytest.param('[remote "origin"]\npushurl = https://p.example/b\nurl = https://h.example/a\n', id="push url"),
        pytest.param('[remote "origin"]\n# url = x\n;url = y\nurl\nurl = https://h.example/a\n', id="commented out"),
        pytest.param('[remote "up"]\nurl = u:x\n[remote "origin"]\nurl = https://h.example/a\n', id="origin second"),
        pytest.param('[remote "up"]\nurl = https://h.example/a\n[remote "z"]\nurl = u:x\n', id="no origin"),
        pytest.param('[submodule "s"]\nurl = u:x\n[remote "up"]\nurl = https://h.example/a\n', id="others have urls"),
        pytest.param('[core]\n[remote "origin"]\n[remote "up"]\nurl = https://h.example/a\n', id="origin without one"),
    ],
)
def test_the_remote_is_found_in_a_config(tmp_path: Path, text: str) -> None:
    assert remotes(config(tmp_path, text)) == ["h.example/a"]


def test_no_more_of_a_config_is_read_than_a_hook_can_afford(tmp_path: Path) -> None:
    url = '[remote "origin"]\nurl = https://h.example/abc'

    assert remotes(config(tmp_path, "#".ljust(READ_LIMIT - len(url) + 1) + "\n" + url)) == []


@given(st.binary(max_size=200) | st.text(alphabet='[remote "origin]\nurl=\\#;/.:a', max_size=80).map(str.encode))
def test_any_config_and_any_pointer_gives_a_place(tmp_path_factory: pytest.TempPathFactory, junk: bytes) -> None:
    place = config(tmp_path_factory.mktemp("junk"), b'[remote "origin"]\nurl = ' + junk)

    for alias in place.aliases:
        alias.value.encode()


@pytest.mark.parametrize("cwd", ["", ".", "a\0b", "/a\0b", "\ud800", "/\udcff", "relative/gone", "/"])
def test_any_folder_name_gives_a_place_that_can_be_stored(cwd: str) -> None:
    place = locate(cwd)

    assert as_text(place.name) == place.name
    assert all(as_text(alias.value) == alias.value for alias in place.aliases)


def test_git_variables_do_not_move_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = repository(tmp_path / "shop")
    monkeypatch.setenv("GIT_DIR", str(repository(tmp_path / "other") / ".git"))

    assert locate(str(shop)).aliases[0] == Alias(COMMON_DIR, str(shop / ".git"))


# Paths from the root


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("{shop}/src/a.py", "src/a.py", id="inside"),
        pytest.param("a.py", "src/a.py", id="from the folder asked about"),
        pytest.param("{shop}/src/../b.py", "b.py", id="dots"),
        pytest.param("{shop}", ".", id="the root"),
        pytest.param("{link}/src/a.py", "src/a.py", id="through a symlink"),
        pytest.param("{shop}/out.py", "out.py", id="a symlink that leads out"),
        pytest.param("{link}/out.py", "out.py", id="both"),
        pytest.param("{way_in}", "src/a.py", id="a symlink that leads in"),
        pytest.param("{shop}-api/a.py", None, id="a neighbour with a longer name"),
        pytest.param("{shop}/../a.py", None, id="climbs out"),
        pytest.param("/", None, id="above"),
        pytest.param("/a\0b", None, id="no path at all"),
    ],
)
def test_a_file_is_seen_from_the_root(tmp_path: Path, path: str, expected: str | None) -> None:
    shop = repository(tmp_path / "shop")
    (shop / "src").mkdir()
    (shop / "src" / "a.py").touch()
    (shop / "out.py").symlink_to(tmp_path / "elsewhere.py")
    (tmp_path / "link").symlink_to(shop)
    (tmp_path / "way_in").symlink_to(shop / "src" / "a.py")

    place = locate(str(shop / "src"))

    assert place.relative(path.format(shop=shop, link=tmp_path / "link", way_in=tmp_path / "way_in")) == expected


# What git itself is asked


def test_the_root_commit_is_the_same_in_every_clone(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    git(shop, "commit", "--quiet", "--allow-empty", "--message", "second")
    git(tmp_path, "clone", "--quiet", str(shop), "copy")

    assert root_commit(str(shop)) == root_commit(str(tmp_path / "copy")) == git(shop, "rev-parse", "HEAD~1")


def test_there_is_no_root_commit_to_rely_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = repository(tmp_path / "shop")
    git(shop, "commit", "--quiet", "--allow-empty", "--message", "second")
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{shop}", "shallow")
    git(tmp_path, "init", "--quiet", "empty")
    (tmp_path / "plain").mkdir()

    for name in ("shallow", "empty", "plain", "gone", "a\0b"):
        assert root_commit(str(tmp_path / name)) is None

    monkeypatch.setenv("PATH", "")
    assert root_commit(str(shop)) is None


def test_git_variables_do_not_move_the_root_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = repository(tmp_path / "shop")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "gone"))

    assert root_commit(str(shop)) == git(shop, "rev-parse", "HEAD")


def test_hooks_can_afford_the_light_modules() -> None:
    program = (
        "import sys; before = set(sys.modules); import agentrecall_storage.files.exclusions;"
        " print(*sorted(set(sys.modules) - before))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()

    assert "agentrecall_storage.files.git" in loaded
    assert not {"dataclasses", "datetime", "logging", "pathlib", "subprocess", "tempfile", "typing"} & set(loaded)
