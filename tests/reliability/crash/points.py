"""Crash points: comments of the product, `# crash point: <name>`, that this harness alone turns into a place to die.

The programs that people install hold the comment and nothing else. Here they are loaded through a loader that puts one
call in the comment's line; the call kills its process when the environment names its point.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import decode_source
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

ARMED = "AGENTRECALL_TEST_CRASH_POINT"
WITNESS = "AGENTRECALL_TEST_CRASH_WITNESS"
OURS = "agentrecall_"
_POINT = re.compile(r"^([ \t]*)# crash point: (.+?)[ \t]*$", re.MULTILINE)
_CALL = r'\1__import__("reliability.crash.points", fromlist=["reached"]).reached("\2")'
_WORKSPACE = Path(__file__).parents[3]


def in_source() -> list[str]:
    """The name of every crash point of the product, in the order of its files: as often as it stands there."""
    files = sorted([*_WORKSPACE.glob("apps/*/src/**/*.py"), *_WORKSPACE.glob("packages/*/src/**/*.py")])
    return [name for file in files for _, name in _POINT.findall(file.read_text(encoding="utf-8"))]


def compiled_in(source: str) -> str:
    """*source* with a call in the line of each crash point; every other line stays as and where it is."""
    return _POINT.sub(_CALL, source)


def reached(name: str) -> None:
    """Die here, as by power or by `kill -9`, if this is the point chosen; what dies says first where."""
    if os.environ.get(ARMED) == name:
        Path(os.environ[WITNESS]).write_text(name, encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)


def compile_in() -> None:
    """From here on, modules of ours are loaded with their crash points in them."""
    sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(OURS):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 -- the loader's own signature
        # Neither reads nor leaves bytecode: the installed programs share the folder.
        return self.source_to_code(self.get_data(self.path), self.path)

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:  # type: ignore[override]
        # A method, as the loader itself has it; only its interface calls it static.
        return super().source_to_code(compiled_in(decode_source(data)), path, _optimize=_optimize)
