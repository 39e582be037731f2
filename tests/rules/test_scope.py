from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentrecall_domain.rules.rule import ScopeLevel
from agentrecall_domain.rules.scope import (
    DIRECTORY,
    FILE,
    GLOBAL,
    LANGUAGE,
    LANGUAGES,
    holds_at,
    matches,
    named_files,
    path_keys,
    scope_keys,
    suffix_of,
)

SEGMENT = st.text("ab.py[]!*?-C ", min_size=1, max_size=6).filter(lambda text: text not in {".", ".."})
PATH = st.lists(SEGMENT, min_size=1, max_size=4).map("/".join)
GLOB_PART = st.one_of(
    st.sampled_from(["*", "**", "?", "*.py", "*.PY", "[ab]", "[!a]", "[.]", "a", "b", ".py", ".", "a*", "**b"]), SEGMENT
)
GLOB = st.lists(st.lists(GLOB_PART, min_size=1, max_size=2).map("".join), min_size=1, max_size=4).map("/".join)


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        pytest.param("*.py", "a.py", True, id="star at the top"),
        pytest.param("*.py", "src/db/a.py", True, id="no slash: the last segment wherever it lies"),
        pytest.param("*.py", "a.pyi", False, id="the whole segment, not its beginning"),
        pytest.param("*.py", "a.PY", False, id="case counts"),
        pytest.param("*.env", ".env", True, id="star may match nothing before a leading dot"),
        pytest.param("Dockerfile", "deploy/Dockerfile", True, id="a bare name anywhere"),
        pytest.param("Dockerfile", "Dockerfile/readme.md", False, id="a bare name is no folder"),
        pytest.param("src/*.py", "src/a.py", True, id="star within its folder"),
        pytest.param("src/*.py", "src/db/a.py", False, id="star does not cross a slash"),
        pytest.param("src/*.py", "lib/src/a.py", False, id="a slash anchors at the project's root"),
        pytest.param("/src/*.py", "src/a.py", True, id="leading slash is the project's root"),
        pytest.param("src/**", "src/a/b/c.py", True, id="all below a folder"),
        pytest.param("src/**", "src", False, id="all below, not the folder itself"),
        pytest.param("src/**", "srcs/a.py", False, id="not a folder that begins the same"),
        pytest.param("**/test_*.py", "test_a.py", True, id="two stars and a slash match no folder at all"),
        pytest.param("**/test_*.py", "tests/unit/test_a.py", True, id="or several"),
        pytest.param("db/**/*.sql", "db/a.sql", True, id="two stars inside, none"),
        pytest.param("db/**/*.sql", "db/x/y/a.sql", True, id="two stars inside, two"),
        pytest.param("db/**/*.sql", "db/x/y/a.sql.bak", False, id="two stars inside, another suffix"),
        pytest.param("a**/b", "ab", False, id="two stars within a segment do not swallow the slash"),
        pytest.param("src/?.py", "src/a.py", True, id="one character"),
        pytest.param("src/?.py", "src/ab.py", False, id="not two"),
        pytest.param("src/?", "src//", False, id="not a slash"),
        pytest.param("v[12].py", "v1.py", True, id="in a set"),
        pytest.param("v[12].py", "v3.py", False, id="not in a set"),
        pytest.param("v[!12].py", "v3.py", True, id="a set turned round"),
        pytest.param("v[!12].py", "v1.py", False, id="in a set turned round"),
        pytest.param("[a-c].py", "b.py", True, id="a range"),
        pytest.param("src[/]a.py", "src/a.py", False, id="a set never matches a slash"),
        pytest.param("v[12.py", "v[12.py", True, id="a bracket left open is itself"),
        pytest.param("[z-a].py", "b.py", False, id="an impossible range matches nothing"),
        pytest.param("a.py", "axpy", False, id="a dot is a dot"),
        pytest.param("a+(b).py", "a+(b).py", True, id="what regular expressions use is plain"),
        pytest.param("", "a.py", False, id="an empty glob matches nothing"),
        pytest.param("ü*.py", "überall.py", True, id="any letter"),
    ],
)
def test_a_glob_matches_as_in_gitignore(glob: str, path: str, expected: bool) -> None:  # noqa: FBT001 -- a table
    assert matches(glob, path) is expected


@given(st.text(), st.text())
def test_a_glob_is_never_an_error(glob: str, path: str) -> None:
    assert matches(glob, path) in {True, False}


@given(
    level=st.sampled_from([level.value for level in ScopeLevel]),
    value=st.one_of(PATH, st.sampled_from(sorted(LANGUAGES))),
    path=PATH,
    glob=GLOB,
)
@example(level=GLOBAL, value="", path=".env", glob="*.env")
@example(level=GLOBAL, value="", path="a.py", glob="*[.]py")
@example(level=GLOBAL, value="", path="ab", glob="a**/b")
def test_the_index_finds_whatever_the_matcher_accepts(level: str, value: str, path: str, glob: str) -> None:
    if holds_at(path, level, value, [glob], []):
        assert set(path_keys(path)) & set(scope_keys(level, value, [glob]))


@given(PATH)
def test_a_file_is_found_by_its_own_path_its_folder_and_its_language(path: str) -> None:
    keys = set(path_keys(path))

    assert keys & set(scope_keys(FILE, path, []))
    folder = path.rpartition("/")[0]
    if folder:
        assert keys & set(scope_keys(DIRECTORY, folder + "/", []))
    language = LANGUAGES.get(suffix_of(path))
    if language:
        assert keys & set(scope_keys(LANGUAGE, language.upper(), []))


@pytest.mark.parametrize(
    ("level", "value", "path", "expected"),
    [
        pytest.param(FILE, "src/a.py", "src/a.py", True, id="the file"),
        pytest.param(FILE, "src/a.py", "lib/src/a.py", False, id="a file whose path ends the same"),
        pytest.param(DIRECTORY, "src", "src/db/a.py", True, id="below the folder"),
        pytest.param(DIRECTORY, "src/", "src/a.py", True, id="a folder with its slash"),
        pytest.param(DIRECTORY, "src", "src2/a.py", False, id="a folder that begins the same"),
        pytest.param(LANGUAGE, "Python", "a.pyi", True, id="a language in any case"),
        pytest.param(LANGUAGE, "python", "a.rs", False, id="another language"),
        pytest.param(LANGUAGE, "", "Makefile", False, id="no language is none"),
        pytest.param(GLOBAL, "", "a.py", False, id="a global rule is about no file in particular"),
    ],
)
def test_a_scope_is_about_files(level: str, value: str, path: str, expected: bool) -> None:  # noqa: FBT001 -- a table
    assert holds_at(path, level, value, [], []) is expected


def test_the_languages_of_a_rule_are_about_files_too() -> None:
    assert holds_at("src/a.pyi", GLOBAL, "", [], ["rust", "python"])
    assert not holds_at("src/a.ts", GLOBAL, "", [], ["rust", "python"])
    assert not holds_at("Makefile", GLOBAL, "", [], [""])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param("src/api/client.ts", ("File", "src/api/client.ts", []), id="a file"),
        pytest.param("file: Makefile", ("File", "Makefile", []), id="a file without a suffix, said to be one"),
        pytest.param("db/migrations/", ("Directory", "db/migrations", []), id="a directory"),
        pytest.param("directory: db", ("Directory", "db", []), id="a directory, said to be one"),
        pytest.param("db/**/*.sql", ("Repository", "", ["db/**/*.sql"]), id="a glob"),
        pytest.param("glob:*.py", ("Repository", "", ["*.py"]), id="a glob, said to be one"),
        pytest.param("acme/shop-api", ("Repository", "", []), id="a project's name"),
        pytest.param("this repository", ("Repository", "", []), id="words"),
        pytest.param("global", ("Repository", "", []), id="text widens nothing"),
        pytest.param("/etc/passwd", ("Repository", "", []), id="a path outside"),
        pytest.param("../other/file.py", ("Repository", "", []), id="a path that leaves"),
        pytest.param("", ("Repository", "", []), id="nothing"),
    ],
)
def test_a_judges_scope_names_files_or_nothing(text: str, named: tuple[str, str, list[str]]) -> None:
    assert named_files(text) == named


@given(st.text())
def test_whatever_a_judge_calls_the_scope_is_understood_in_some_way(text: str) -> None:
    level, _, _ = named_files(text)

    assert level in {"Repository", "Directory", "File"}
