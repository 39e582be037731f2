"""The two engines that are to read each other's files: the one that we ship, and the interpreter's own."""

from __future__ import annotations

import sqlite3
import sys
from enum import StrEnum
from typing import Any

from agentrecall_storage.engine import resets_log_safely


class Engine(StrEnum):
    """Which SQLite a program runs on."""

    SHIPPED = "shipped"
    INTERPRETERS = "interpreters"

    @property
    def other(self) -> Engine:
        """The one that checks what this one wrote; itself where there is no other."""
        return Engine.INTERPRETERS if self is Engine.SHIPPED else Engine.SHIPPED

    @property
    def module(self) -> Any:
        """Its module, the interpreter's own where no other is installed."""
        if self is Engine.SHIPPED:
            try:
                import pysqlite3.dbapi2  # noqa: PLC0415 -- there is no wheel for every machine
            except ImportError:
                return sqlite3
            return pysqlite3.dbapi2
        return sqlite3

    @property
    def description(self) -> str:
        """The engine, its version, and how it is made to work in safe mode."""
        version = self.module.sqlite_version
        if self is Engine.SHIPPED:
            return f"{self.module.__name__.partition('.')[0]}, SQLite {version}"
        affected = not resets_log_safely(self.module.sqlite_version_info)
        why = "affected by the log reset" if affected else "not affected itself, safe mode forced"
        return f"sqlite3, SQLite {version}, rollback journal ({why})"


def use(engine: Engine) -> None:
    """Make *engine* the one of this process; before anything of ours that opens a file is imported.

    On the interpreter's own the safe mode is forced where that engine would not need it.
    """
    if engine is Engine.SHIPPED:
        return
    # What makes an import fail.
    sys.modules["pysqlite3"] = None  # type: ignore[assignment]
    for name in [name for name in sys.modules if name.startswith("agentrecall_storage")]:
        del sys.modules[name]
    from agentrecall_storage import engine as ours  # noqa: PLC0415 -- the choice is made at this import

    ours.is_safe = lambda: False
