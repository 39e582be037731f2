"""Judges: who distils and compares, by the name that a person gives it on the command line or in the configuration."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

import click

from agentrecall_admin.command_judge import CommandJudge
from agentrecall_admin.console import Failure
from agentrecall_domain.notes.deterministic_judge import DeterministicJudge
from agentrecall_domain.notes.judge import JUDGE_TIMEOUT_S, Judge
from agentrecall_storage.home import home, private_folder

DETERMINISTIC = "deterministic"
COMMAND = "command"

# No tools, no hooks, no servers, and no transcript of its own: what a judge says is no work to remember.
PRESETS = {
    "claude": [
        "claude",
        "-p",
        *("--output-format", "text", "--tools", "", "--strict-mcp-config", "--disable-slash-commands"),
        *("--no-session-persistence", "--settings", '{"disableAllHooks": true}'),
    ],
    "codex": ["codex", "exec", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral", "--color", "never"],
    "ollama": ["ollama", "run", "--format", "json"],
    "llm": ["llm", "--no-log", "--no-stream"],
}
MODEL_OPTION = {"claude": ["--model"], "codex": ["--model"], "ollama": [], "llm": ["--model"]}
"""What stands before the model in `claude:haiku`; nothing where the model is an argument of its own."""
FROM_STDIN = {"codex": ["-"]}
"""The argument that says where the prompt comes from, where one is needed."""
NEEDS_MODEL = frozenset({"ollama"})

# What a program needs to run and to reach its provider. Everything else stays here: our own settings, the session
# that the host runs us in, and the secrets of other programs.
_KEPT = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|TERM|TZ|LANG|LANGUAGE|LC_.*|TMPDIR|XDG_.*"
    r"|(?:HTTPS?|ALL|NO)_PROXY|SSL_CERT_(?:FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS"
    r"|ANTHROPIC_.*|OPENAI_.*|OLLAMA_.*|LLM_.*|AWS_.*|GOOGLE_.*|AZURE_.*|CLOUD_ML_REGION|VERTEX_REGION_.*|.*_API_KEY"
    r"|CODEX_HOME|CLAUDE_CONFIG_DIR|CLAUDE_CODE_OAUTH_TOKEN|CLAUDE_CODE_(?:USE|SKIP|DISABLE)_.*"
    r"|DISABLE_(?:AUTOUPDATER|ERROR_REPORTING|TELEMETRY|BUG_COMMAND)|DO_NOT_TRACK",
    re.IGNORECASE,
)
_OURS = "AGENTRECALL_"


def judge_for(name: str, command: str, timeout_s: float = JUDGE_TIMEOUT_S) -> Judge:
    """The judge called *name* (none: the deterministic one); *command* is a preset or a whole command line.

    Raises:
        click.UsageError: There is no such judge, or its command is missing or cannot be read.
        Failure: The folder that it runs in cannot be made.
    """
    if name == COMMAND:
        return _command_judge(command, timeout_s)
    if name not in {"", DETERMINISTIC}:
        raise click.UsageError(f"there is no judge '{name}'; choose {DETERMINISTIC}, {COMMAND} or host")
    return DeterministicJudge()


def expanded(command: str) -> list[str]:
    """The arguments that *command* stands for.

    Raises:
        click.UsageError: It is empty, a quote in it is not closed, or a preset lacks its model.
    """
    preset, model = _preset(command)
    if preset:
        if preset in NEEDS_MODEL and not model:
            raise click.UsageError(f"'{preset}' needs a model: '{preset}:MODEL'")
        chosen = [*MODEL_OPTION[preset], model] if model else []
        return [*PRESETS[preset], *chosen, *FROM_STDIN.get(preset, [])]
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise click.UsageError(f"the judge's command cannot be read: {error}; quote it as a shell wants it") from error
    if not arguments:
        presets = ", ".join(PRESETS)
        raise click.UsageError(f"the judge's command is missing; give --judge-command, a program or one of {presets}")
    return [_from_anywhere(arguments[0]), *arguments[1:]]


def environment_for(ours: Mapping[str, str]) -> dict[str, str]:
    """The environment of a judge's program, in which our own hooks are off: they must not fire on what it does."""
    kept = {name: value for name, value in ours.items() if _KEPT.fullmatch(name) and not name.startswith(_OURS)}
    return {**kept, "AGENTRECALL_DISABLED": "1"}


def _command_judge(command: str, timeout_s: float) -> CommandJudge:
    arguments = expanded(command)
    called = command.strip() if _preset(command)[0] else Path(arguments[0]).name
    return CommandJudge(
        f"{COMMAND}:{called}",
        arguments,
        environment=environment_for(os.environ),
        folder=_folder(),
        timeout_s=timeout_s,
    )


def _folder() -> str:
    """An empty folder of our own: no project whose instructions, hooks and files a coding agent would take up."""
    where = Path(home())
    try:
        private_folder(str(where))
        return private_folder(str(where / "judge"))
    except OSError as error:
        raise Failure(f"cannot make a folder for the judge in '{where}': {error.strerror}") from error


def _preset(command: str) -> tuple[str, str]:
    """The preset that *command* is, and its model; twice '' when it is a command line."""
    preset, _, model = command.strip().partition(":")
    return (preset, model) if preset in PRESETS and not model.split()[1:] else ("", "")


def _from_anywhere(program: str) -> str:
    """The program by its full path if it is named by one: it is not started where the person stands."""
    return str(Path(program).expanduser().absolute()) if os.sep in program else program
