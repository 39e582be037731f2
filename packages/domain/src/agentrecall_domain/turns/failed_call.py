"""A failed tool call: the little of its output that is kept, so that a fix can be seen as one. Hot: no imports."""

from __future__ import annotations

_EXIT_STATUS = ("Exit code ", "Error: Exit code ")
_ERROR_WORDS = ("error", "fatal", "failed", "exception", "panic", "cannot", "denied", "not found", "no such", "***")
_ERROR_LINES = 400
_ERROR_LENGTH = 300


def failed_call(name: str, output: str) -> str:
    """What is kept of a failed call to the tool *name*: its exit status and the first line that names an error."""
    found = _failure(output) if output else ""
    return f"{name or 'tool'} failed: {found}" if found else f"{name or 'tool'} failed"


def _failure(output: str) -> str:
    lines = [line.strip() for line in output.split("\n", _ERROR_LINES)[:_ERROR_LINES]]
    lines = [line for line in lines if line]
    status = lines[:1] if output.startswith(_EXIT_STATUS) else []
    rest = lines[len(status) :]
    errors = [line for line in rest if _names_error(line)] or rest
    return "\n".join(line[:_ERROR_LENGTH] for line in status + errors[:1])


def _names_error(line: str) -> bool:
    lowered = line.lower()
    return any(word in lowered for word in _ERROR_WORDS)
