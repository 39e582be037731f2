"""A Codex item: the words in it that somebody said, and what a failed call's output is. Hot.

The host writes its own text into user messages, as fragments with an opening of their own; only the
start of a message is looked at, as people paste such text further on.
"""

from __future__ import annotations

import json

from agentrecall_domain.turns.json_line import string
from agentrecall_domain.turns.own_text import drop_leading_reminders, remove_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.turns.json_line import Record

_HOST_OPENINGS = (
    "# AGENTS.md instructions",
    "<environment_context>",
    "<environments_context>",
    "<goal_context>",
    "<hook_prompt",
    "<permissions instructions>",
    "<skill>",
    "<subagent_notification>",
    "<turn_aborted>",
    "<user_action>",
    "<user_instructions>",
    "<user_shell_command>",
)
_PLAIN_KINDS = ("", "plain")
# The editor's extension puts open files in front of what was typed.
_EDITOR_OPENING = "# Context from my IDE setup"
_EDITOR_REQUEST = "## My request for Codex:"
_HOST_REMARKS = ("Compact task completed",)

_HEADER_LINES = 8
_EXIT_HEADERS = ("Exit code: ", "Process exited with code ")
_OUTPUT_HEADER = "Output:"
_FAILURE_OPENINGS = (
    "apply_patch verification failed",
    "error:",
    "Error:",
    "exec_command failed",
    "execution error",
    "failed to parse function arguments",
    "tool call error",
    "unable to ",
    "unsupported call:",
    "unsupported custom tool call:",
    "write_stdin failed",
)
_REFUSALS = ("rejected by user", "rejected by the user", "rejected: user")


def user_words(text: str, kind: str = "") -> str:
    """The user's own words in a message of *kind*, '' for what the host wrote."""
    if kind not in _PLAIN_KINDS:
        return ""
    words = remove_own(drop_leading_reminders(text))
    start = words.lstrip()
    if start.startswith(_HOST_OPENINGS):
        return ""
    if start.startswith(_EDITOR_OPENING):
        _, found, request = start.partition(_EDITOR_REQUEST)
        return request.strip() if found else ""
    return words if start else ""


def agent_words(text: str) -> str:
    """What the agent said in *text*, less what it had from us; '' for the host's remarks in its name."""
    said = remove_own(text)
    return "" if said.strip() in ("", *_HOST_REMARKS) else said


def texts(content: object) -> str:
    """The texts in a message's *content*, whatever each part calls itself."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(found for part in content if isinstance(part, dict) and (found := string(part, "text")))


def folder_in(text: str) -> str:
    """The working directory that the host's own words name, '' when they name none."""
    _, found, rest = text.partition("<cwd>")
    return rest.partition("</cwd>")[0].strip() if found else ""


def failure_in(output: object) -> str | None:
    """What a call's *output* says of its failure; None when it did not fail, or the user refused it."""
    code, text = _status(_output_text(output))
    if code == 0 or any(refusal in text[:400] for refusal in _REFUSALS):
        return None
    if code is None:
        return text if text.startswith(_FAILURE_OPENINGS) else None
    return f"Exit code {code}\n{text}"


def failure_of_item(item: Record) -> str | None:
    """What an *item* that the host calls failed says of its failure; None when it did not fail."""
    error = item.get("error")
    told = string(error, "message") if isinstance(error, dict) else string(item, "error")
    text = told or string(item, "stderr") or string(item, "aggregated_output") or texts(item.get("content"))
    code = item.get("exit_code")
    failed = item.get("status") == "failed" or (type(code) is int and code != 0)
    if not failed or item.get("source") == "user_shell":
        return None
    return f"Exit code {code}\n{text}" if type(code) is int and code != 0 else text


def _output_text(output: object) -> str:
    if isinstance(output, dict):
        output = output.get("content") or output.get("output")
    return remove_own(texts(output)).strip()


def _status(text: str) -> tuple[int | None, str]:
    """The exit status that *text* states in one of the host's ways, None without one, and the output itself."""
    if text.startswith('{"') and '"exit_code"' in text:
        return _status_in_json(text)
    lines = text.split("\n", _HEADER_LINES)
    for number, line in enumerate(lines[:_HEADER_LINES]):
        if line.startswith(_OUTPUT_HEADER):
            break
        for header in _EXIT_HEADERS:
            code = line.removeprefix(header).strip()
            if code != line.strip() and code.lstrip("-").isdecimal() and len(code) < _HEADER_LINES:
                return int(code), _after_header(lines[number + 1 :])
    return None, text


def _status_in_json(text: str) -> tuple[int | None, str]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return None, text
    metadata = told.get("metadata") if isinstance(told, dict) else None
    code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    return (code, string(told, "output")) if type(code) is int else (None, text)


def _after_header(lines: list[str]) -> str:
    """The output in the rest of a header's *lines*."""
    for number, line in enumerate(lines[:_HEADER_LINES]):
        if line == _OUTPUT_HEADER:
            return "\n".join(lines[number + 1 :])
    return "\n".join(lines)
