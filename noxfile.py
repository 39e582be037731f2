"""The task runner: `uv run nox` asks every question that CI asks, `uv run nox -s lint` one of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import nox

nox.needs_version = ">=2026.10"
nox.options.default_venv_backend = "none"  # each session syncs an environment of its own from the lock

ROOT = Path(__file__).parent
MEMBERS = [
    path.parent for path in sorted(ROOT.glob("packages/*/pyproject.toml")) + sorted(ROOT.glob("apps/*/pyproject.toml"))
]
WANTED = ("3.11", "3.12", "3.13")

UNIMPORTED = (
    # The command line brings the programs along, and starts them.
    "agentrecall-capture-hook",
    "agentrecall-finalize-turn",
    "agentrecall-recall-hook",
    # Imported where it has a wheel, and without a word where not: deptry does not see that.
    "pysqlite3",
)


def _interpreters() -> dict[str, str]:
    """Every wanted Python that runs, by version; where there is none, the one that runs nox."""
    found = {}
    pyenv = Path(os.environ.get("PYENV_ROOT") or "~/.pyenv").expanduser()
    for version in WANTED:
        name = f"python{version}"
        # pyenv's shims are on PATH for versions, too, that are not switched on: those fail.
        installed = sorted(pyenv.glob(f"versions/{version}*/bin/{name}"), reverse=True)
        for candidate in filter(None, (shutil.which(name), *map(str, installed))):
            if subprocess.run([candidate, "-c", ""], check=False, capture_output=True).returncode == 0:
                found[version] = candidate
                break
    return found or {"{}.{}".format(*sys.version_info): sys.executable}


PYTHONS = _interpreters()
OLDEST, NEWEST = next(iter(PYTHONS)), list(PYTHONS)[-1]
# What a Python between them breaks, one of the two breaks as well; it is tested by name: `nox -s "tests(3.12)"`.
TESTED = [f"tests({version})" for version in dict.fromkeys((OLDEST, NEWEST))]
nox.options.sessions = ["lint", "types", *TESTED, "alone", "semantic", "e2e"]


@nox.session
def lint(session: nox.Session) -> None:
    """Is it written as we write, do imports point inward, and is every import declared?"""
    programs = _environment(session, "lint", OLDEST, "lint")
    session.run(programs / "ruff", "check")
    session.run(programs / "ruff", "format", "--check")
    session.run(programs / "lint-imports")
    for member in MEMBERS:
        with session.chdir(member):
            session.run(programs / "deptry", "src", f"--per-rule-ignores=DEP002={'|'.join(UNIMPORTED)}")


@nox.session
def types(session: nox.Session) -> None:
    """Do the types hold, tests and tools included?"""
    programs = _environment(session, "types", OLDEST, "types")
    session.run(programs / "mypy", "packages", "apps", "tests", "benchmarks", "noxfile.py")


@nox.session
@nox.parametrize("python_version", [nox.param(version, id=version) for version in PYTHONS])
def tests(session: nox.Session, python_version: str) -> None:
    """Does it do what it promises, on each Python found?"""
    for missing in set(WANTED) - set(PYTHONS):
        session.warn(f"Python {missing} was not found: not tested")
    programs = _environment(session, f"tests-{python_version}", python_version, "tests")
    # The harnesses ask the engine and the operating system, and properties are tried at length once: on the oldest
    # Python. What another one breaks, it breaks in the first few examples.
    how = ["-m", "not e2e and not soak"]
    if python_version != OLDEST:
        how = ["-m", "not e2e and not soak and not harness", "--hypothesis-profile=few"]
    session.run(programs / "pytest", "-n", "auto", *how, *session.posargs)


@nox.session
def alone(session: nox.Session) -> None:
    """Does each distribution do its work, installed by itself from its built wheel?"""
    wheels = _wheels(session)
    session.run(sys.executable, "tests/packaging/alone.py", wheels, PYTHONS[OLDEST], *session.posargs)


@nox.session
def semantic(session: nox.Session) -> None:
    """Does the optional extra do its work, with its real model?"""
    programs = _environment(session, "semantic", NEWEST, "tests", "--extra", "semantic")
    session.run(programs / "pytest", "tests/recall/test_semantic.py", "tests/cli/test_semantic_recall.py")


@nox.session
def e2e(session: nox.Session) -> None:
    """Do the stories hold with the real hosts?"""
    programs = _environment(session, "e2e", NEWEST, "tests")
    session.run(programs / "pytest", "-m", "e2e", *session.posargs)


@nox.session
def soak(session: nox.Session) -> None:
    """Does it hold for long: the reliability tests in their long form, with their figures printed."""
    programs = _environment(session, "soak", NEWEST, "tests")
    session.run(programs / "pytest", "-m", "soak", "-s", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """How long do hooks and commands take, installed as a user has them? Measures; judges nothing."""
    wheels = _wheels(session)
    environment = _own(session, "bench")
    session.run("uv", "venv", "--clear", "--python", PYTHONS[NEWEST], environment, silent=True)
    session.run("uv", "pip", "install", "--compile-bytecode", "--find-links", wheels, *sorted(wheels.glob("*.whl")))
    session.run(environment / "bin" / "python", "-m", "benchmarks.hooks", *session.posargs)
    if not session.posargs:
        session.run(environment / "bin" / "python", "-m", "benchmarks.rules")


def _own(session: nox.Session, name: str) -> Path:
    """Point *session* at the environment *name*, which need not exist yet."""
    folder = ROOT / ".nox" / name
    session.env["UV_PROJECT_ENVIRONMENT"] = session.env["VIRTUAL_ENV"] = str(folder)
    session.env["PATH"] = os.pathsep.join((str(folder / "bin"), os.environ.get("PATH", os.defpath)))
    # Without compiled bytecode every hook that a test starts would be compiled anew.
    session.env["PYTHONDONTWRITEBYTECODE"] = None
    return folder


def _environment(session: nox.Session, name: str, version: str, group: str, *extra: str) -> Path:
    """Sync the environment *name* to the lock, with every member and one dependency group; gives its programs."""
    folder = _own(session, name)
    wanted = ("--all-packages", "--no-default-groups", "--group", group, *extra)
    session.run("uv", "sync", "--quiet", "--locked", "--python", PYTHONS[version], *wanted)
    return folder / "bin"


def _wheels(session: nox.Session) -> Path:
    """Build every member's wheel; gives the folder that holds them and nothing else."""
    folder = ROOT / ".nox" / f"{session.name}-wheels"
    shutil.rmtree(folder, ignore_errors=True)
    session.run("uv", "build", "--quiet", "--all-packages", "--wheel", "--out-dir", folder)
    names = {
        tomllib.loads((member / "pyproject.toml").read_text(encoding="utf-8"))["project"]["name"] for member in MEMBERS
    }
    built = {wheel.name.partition("-")[0].replace("_", "-") for wheel in folder.glob("*.whl")}
    if built != names:
        session.error(f"built {sorted(built)}, but the members are {sorted(names)}")
    return folder
