"""Command judge: a program that reads a prompt on its standard input and prints its answer, such as `claude -p`."""

from __future__ import annotations

import ctypes
import os
import re
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple, TypeVar

from agentrecall_domain.notes.answer import drafts_in, verdict_in
from agentrecall_domain.notes.compare_prompt import compare_prompt
from agentrecall_domain.notes.distill_prompt import distill_prompt
from agentrecall_domain.notes.judge import (
    JUDGE_TIMEOUT_S,
    Draft,
    InvalidAnswerError,
    JudgeUnavailableError,
    NoteVerdict,
)
from agentrecall_domain.notes.judge_prompt import repair
from agentrecall_domain.notes.note import Note, NoteContent
from agentrecall_domain.notes.unit import Unit

T = TypeVar("T")

MOST_BYTES = 1_000_000
"""So much of what it prints is read; then it is killed."""
KEPT_ERRORS = 4_096
"""So much of what it says on stderr is kept: its end, where the reason stands."""
LONGEST_REASON = 200
LONGEST_NOTICE = 400
"""Words about a limit are a notice of the provider only when little else was printed."""
_PR_SET_PDEATHSIG = 1
"""Of `linux/prctl.h`."""
_CHUNK = 65_536
_TICK_S = 0.1
"""How long we wait for a pipe before we look whether the program is there at all: what it started may hold it open."""

_LIMIT = re.compile(
    r"rate.?limit|usage limit|limit reached|quota|too many requests|\b429\b|overloaded|try again (?:later|in|at)",
    re.IGNORECASE,
)


class Printed(NamedTuple):
    """What a program printed, and its last words on stderr. *was_cut* when it printed more than is read."""

    answer: str
    errors: str
    exit_code: int
    was_cut: bool


class CommandJudge:
    """A judge that is a program of the person's choice.

    It runs in a process group of its own, which is killed when its time is over or when it prints too much.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        folder: str,
        timeout_s: float = JUDGE_TIMEOUT_S,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.name = name
        self._command = command
        self._environment = environment
        self._folder = folder
        self._timeout_s = timeout_s
        self._most_bytes = most_bytes

    def distil(self, unit: Unit) -> list[Draft]:
        """The notes that the program finds in *unit*.

        Raises:
            JudgeUnavailableError: It cannot be run, does not end in time, ends with an error, or is at a limit.
            InvalidAnswerError: Twice in a row its answer could not be used.
        """
        return self._asked(distill_prompt(unit), lambda printed: drafts_in(printed, unit))

    def compare(self, old: Note, new: NoteContent) -> NoteVerdict:
        """What the program takes *new* to be to *old*. Raises as `distil` does."""
        return self._asked(compare_prompt(old, new), verdict_in)

    def _asked(self, prompt: str, read: Callable[[str], T]) -> T:
        """The answer to *prompt*; one that cannot be used is asked for once more, with what was wrong."""
        try:
            return self._answer(prompt, read)
        except InvalidAnswerError as error:
            return self._answer(repair(prompt, str(error)), read)

    def _answer(self, prompt: str, read: Callable[[str], T]) -> T:
        printed = self._run(prompt)
        try:
            return read(printed.answer)
        except InvalidAnswerError as error:
            if _is_notice_of_limit(printed.answer):
                raise JudgeUnavailableError(f"'{self._program}' says: {_last_line(printed.answer)}") from error
            if printed.was_cut:
                raise InvalidAnswerError(f"over {self._most_bytes:,} bytes were printed: {error}") from error
            raise

    def _run(self, prompt: str) -> Printed:
        try:
            printed = run(
                self._command,
                prompt,
                environment=self._environment,
                folder=self._folder,
                timeout_s=self._timeout_s,
                most_bytes=self._most_bytes,
            )
        except OSError as error:
            raise JudgeUnavailableError(f"cannot run '{self._program}': {error.strerror or error}") from error
        except subprocess.TimeoutExpired as error:
            raise JudgeUnavailableError(f"'{self._program}' did not answer in {self._timeout_s:g} s") from error
        if printed.exit_code and not printed.was_cut:
            reason = _last_line(printed.errors) or _last_line(printed.answer)
            said = f": {reason}" if reason else ""
            raise JudgeUnavailableError(f"'{self._program}' ended with {printed.exit_code}{said}")
        return printed

    @property
    def _program(self) -> str:
        return Path(self._command[0]).name


def run(
    command: Sequence[str],
    prompt: str,
    *,
    environment: Mapping[str, str],
    folder: str,
    timeout_s: float,
    most_bytes: int,
) -> Printed:
    """Run *command* with *prompt* on its standard input. Nothing that it started in its group is left afterwards.

    Raises:
        OSError: It cannot be started.
        subprocess.TimeoutExpired: It did not end in time.
    """
    deadline = monotonic() + timeout_s
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=environment,
        cwd=folder,
        start_new_session=True,
        preexec_fn=end_with_parent() if sys.platform == "linux" else None,  # noqa: PLW1509 -- we have no threads
    )
    with process:
        try:
            answer, errors = _exchange(process, prompt.encode("utf-8", "replace"), deadline, most_bytes)
            was_cut = len(answer) > most_bytes
            exit_code = 0 if was_cut else process.wait(max(0.0, deadline - monotonic()))
        finally:
            # With all that it started: what holds our pipes would keep us waiting, and nothing resident may be left.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
    return Printed(_text(answer[:most_bytes]), _text(errors), exit_code, was_cut)


def end_with_parent() -> Callable[[], object]:
    """What a child does first so that it ends when we do, even when we are killed. Linux alone has it."""
    control = ctypes.CDLL(None, use_errno=True).prctl  # loaded here: between fork and exec little is safe
    return lambda: control(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _exchange(process: subprocess.Popen[bytes], prompt: bytes, deadline: float, most: int) -> tuple[bytes, bytes]:
    """Write the prompt and read what comes, at once, until both ends are reached or more than *most* was printed.

    Raises:
        subprocess.TimeoutExpired: The deadline has passed.
    """
    assert process.stdin  # noqa: S101 -- for the type checker: all three are pipes
    assert process.stdout  # noqa: S101 -- as above
    assert process.stderr  # noqa: S101 -- as above
    answer, errors = bytearray(), bytearray()
    rest = memoryview(prompt)
    os.set_blocking(process.stdin.fileno(), False)
    with selectors.DefaultSelector() as pipes:
        pipes.register(process.stdin, selectors.EVENT_WRITE)
        open_ends = {pipes.register(end, selectors.EVENT_READ) for end in (process.stdout, process.stderr)}
        while open_ends and len(answer) <= most:
            left = deadline - monotonic()
            if left <= 0:
                raise subprocess.TimeoutExpired(process.args, 0)
            ready = pipes.select(min(left, _TICK_S))
            if not ready and process.poll() is not None:
                break
            for key, _ in ready:
                if key.fileobj is process.stdin:
                    rest = _write(process.stdin.fileno(), rest)
                    if not rest:
                        pipes.unregister(process.stdin)
                        process.stdin.close()
                    continue
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    pipes.unregister(key.fileobj)
                    open_ends.discard(key)
                elif key.fileobj is process.stdout:
                    answer += chunk
                else:
                    errors += chunk
                    del errors[:-KEPT_ERRORS]
    return bytes(answer), bytes(errors)


def _write(pipe: int, rest: memoryview) -> memoryview:
    """Write what the pipe takes of *rest*; gives what is left, which is nothing when nobody reads any more."""
    try:
        return rest[os.write(pipe, rest[:_CHUNK]) :]
    except BlockingIOError:
        return rest
    except BrokenPipeError:
        return rest[:0]


def _is_notice_of_limit(printed: str) -> bool:
    """Whether a provider says that it has had enough; notes about limits are no such notice."""
    is_attempt = '"notes"' in printed or '"verdict"' in printed
    return len(printed) <= LONGEST_NOTICE and not is_attempt and _LIMIT.search(printed) is not None


def _text(printed: bytes) -> str:
    return printed.decode("utf-8", "replace")


def _last_line(said: str) -> str:
    return (said.strip().splitlines() or [""])[-1].strip()[:LONGEST_REASON]
