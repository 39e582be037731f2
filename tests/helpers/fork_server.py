"""The fork server: a process with all our modules loaded, which runs each program that is asked for in a child.

A child costs milliseconds where a new interpreter costs fifty, and can be told what is to fail in it. It can also give
up root's rights although the interpreter lies where root alone may read: nothing is imported any more. `helpers.forks`
is the other end; a request and its answer are one line of JSON each.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import gc
import importlib
import io
import json
import os
import pkgutil
import resource
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

PACKAGES = (
    *("agentrecall_domain", "agentrecall_storage", "agentrecall_admin"),
    *("agentrecall_capture_hook", "agentrecall_recall_hook", "agentrecall_finalize_turn"),
)
LATE_IMPORTS = ("encodings.idna", "pydantic.deprecated", "rich.console", "sqlite_utils", "subprocess", "shutil")
"""What is imported on some rare path only."""
FAILING_CALLS = (
    *("write", "fsync", "rename", "replace", "open", "pread", "mkdir", "chmod", "fchmod"),
    *("link", "unlink", "stat", "lstat", "fstat", "listdir"),
)
SQL_REASONS = {errno.EIO: "disk I/O error", errno.ENOSPC: "database or disk is full"}


class Fault:
    """One call of a kind, or every one from it on, fails; counts them all."""

    def __init__(self, wanted: dict[str, Any]) -> None:
        self.nth = int(wanted["nth"])
        self.error = int(wanted["errno"])
        self.lasts = bool(wanted["lasts"])
        self.calls = 0
        self.struck = ""

    def strikes(self, name: str) -> bool:
        """Whether the call of *name* that is made now fails."""
        self.calls += 1
        if self.calls < self.nth or (self.calls > self.nth and not self.lasts):
            return False
        self.struck = self.struck or name
        return True

    def wrapped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """*function*, failing when its time has come."""

        def call(*arguments: Any, **named: Any) -> Any:
            if self.strikes(function.__name__):
                raise OSError(self.error, os.strerror(self.error))
            return function(*arguments, **named)

        return call


class FailingFile:
    """An open file whose writes and flushes can fail."""

    def __init__(self, file: Any, fault: Fault) -> None:
        self._file = file
        self.write = fault.wrapped(file.write)
        self.flush = fault.wrapped(file.flush)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> FailingFile:  # noqa: PYI034 -- the oldest Python has no typing.Self
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def inject(fault: Fault, kind: str) -> None:
    """Put *fault* in the way of the system's calls ('os') or of the engine's statements ('sql')."""
    if kind == "sql":
        _inject_into_engine(fault)
        return
    for name in FAILING_CALLS:
        setattr(os, name, fault.wrapped(getattr(os, name)))
    opened = fault.wrapped(io.open)
    setattr(builtins, "open", lambda *given, **named: FailingFile(opened(*given, **named), fault))  # noqa: B010 -- a builtin


def _inject_into_engine(fault: Fault) -> None:
    from agentrecall_storage import engine  # noqa: PLC0415 -- loaded long ago

    class FailingConnection(engine.sqlite.Connection):
        def execute(self, *arguments: Any) -> Any:
            if fault.strikes("execute"):
                raise engine.sqlite.OperationalError(SQL_REASONS[fault.error])
            return super().execute(*arguments)

    connect = engine.sqlite.connect
    setattr(  # noqa: B010 -- a module's attribute
        engine.sqlite, "connect", lambda *given, **named: connect(*given, factory=FailingConnection, **named)
    )


def shift_clock(seconds: float) -> None:
    """Set the clock of this process, as its programs read it."""
    for name, unit in (("time", 1), ("time_ns", 10**9)):
        read = getattr(time, name)
        setattr(time, name, lambda read=read, unit=unit: read() + int(seconds) * unit)


def poison_sockets() -> None:
    """Whoever makes a socket from here on ends with a name that no test expects."""
    import socket  # noqa: PLC0415 -- whatever imported it before has to meet this one

    def forbidden(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a socket was asked for")

    import _socket  # noqa: PLC0415

    for module in (socket, _socket):
        for name in ("socket", "socketpair", "create_connection", "getaddrinfo", "gethostbyname", "SocketType"):
            setattr(module, name, forbidden)


def run(request: dict[str, Any], report: int) -> NoReturn:
    """Become the program that *request* asks for; how many calls there were goes to *report* at the end."""
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = [request["program"], *request["arguments"]]
    sys.stdin, sys.stdout, sys.stderr = (
        open(descriptor, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 -- the process's own streams
        for descriptor, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    fault = Fault(request["fault"]) if request["fault"] else None
    leave, write = os._exit, os.write

    def reporting_exit(code: int) -> NoReturn:
        sys.stdout.flush()
        sys.stderr.flush()
        write(report, json.dumps([fault.calls, fault.struck] if fault else [0, ""]).encode())
        leave(code)

    setattr(os, "_exit", reporting_exit)  # noqa: B010 -- a hook ends by it
    main = importlib.import_module(request["module"]).main
    os.umask(request["umask"])
    os.chdir(request["cwd"])
    if request["file_limit"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (request["file_limit"],) * 2)
    if request["user"] is not None and os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(request["user"], request["user"], request["user"])
        os.setresuid(request["user"], request["user"], request["user"])
    if request["clock_shift"]:
        shift_clock(request["clock_shift"])
    if request["sqlite_version"]:
        from agentrecall_storage import engine  # noqa: PLC0415 -- loaded long ago

        setattr(engine.sqlite, "sqlite_version_info", tuple(request["sqlite_version"]))  # noqa: B010 -- final for mypy
    if request["no_sockets"]:
        poison_sockets()
    if fault:
        inject(fault, request["fault"]["kind"])
    try:
        code = main()
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 -- what a user would see
        sys.excepthook(*sys.exc_info())
        code = 1
    reporting_exit(code if isinstance(code, int) else 0 if code is None else 1)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run *request* in a child with real pipes, and tell how it ended."""
    stdin, stdout, stderr, report = (os.pipe() for _ in range(4))
    child = os.fork()
    if child == 0:
        for descriptor, end in ((0, stdin[0]), (1, stdout[1]), (2, stderr[1])):
            os.dup2(end, descriptor)
        for pipe in (stdin, stdout, stderr):
            for end in pipe:
                os.close(end)
        run(request, report[1])
    for end in (stdin[0], stdout[1], stderr[1], report[1]):
        os.close(end)
    with contextlib.suppress(BrokenPipeError):
        os.write(stdin[1], request["stdin"].encode("latin-1"))
    os.close(stdin[1])
    said = [_read_all(end).decode("latin-1") for end in (stdout[0], stderr[0], report[0])]
    _, status = os.waitpid(child, 0)
    calls, struck = json.loads(said[2] or '[0, ""]')
    return {
        "code": os.waitstatus_to_exitcode(status),
        "stdout": said[0],
        "stderr": said[1],
        "calls": calls,
        "struck": struck,
    }


def _read_all(end: int) -> bytes:
    with open(end, "rb") as file:
        return file.read()


def load() -> None:
    """Import whatever a program of ours could ever import."""
    for name in PACKAGES:
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            importlib.import_module(module.name)
    for name in LATE_IMPORTS:
        importlib.import_module(name)
    # A child that touches no object's count leaves the pages shared.
    gc.freeze()


def main() -> None:
    """Answer each line on stdin with one on stdout."""
    load()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    for line in requests:
        answers.write(json.dumps(answer(json.loads(line))).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
