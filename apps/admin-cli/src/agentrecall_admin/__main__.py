"""`agentrecall`: everything a person does with the memory."""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from typing import Any, NoReturn

import click

COMMANDS = {
    "activity": "activity",
    "backfill": "backfill",
    "backup": "backup",
    "capture": "delivery",
    "capture-status": "capture_status",
    "concepts": "concepts",
    "config": "config",
    "doctor": "doctor",
    "episodes": "episodes",
    "eval": "evaluation",
    "exclude": "exclusion",
    "failures": "failures",
    "feedback": "feedback",
    "include": "exclusion",
    "init": "overview",
    "inject-context": "inject_context",
    "notes": "notes",
    "process": "process",
    "quickstart": "quickstart",
    "raw": "raw",
    "recall": "search",
    "rejections": "delivery",
    "restore": "backup",
    "review": "review",
    "rules": "rules",
    "search": "search",
    "setup": "setup",
    "status": "overview",
    "turn-summary": "turn_summary",
    "uninstall": "uninstall",
}
"""Each command and the module that it lies in."""
NAMED_OTHERWISE = {"eval": "evaluate"}
"""Commands that Python has a word of its own for."""
UNPRINTABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})
"""What a stream says that takes no more. A pipe that nobody reads is click's matter."""


class LazyGroup(click.Group):
    """A group that imports the module of a command when it is asked for: a person waits for no other's imports."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command that was asked for; a stream that is closed or full makes no traceback."""
        _open_streams()
        try:
            return super().main(*args, **extra)
        except OSError as error:
            if error.errno not in UNPRINTABLE or error.filename is not None:
                raise
            _end_unprinted(error)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        """The names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- click's signature
        """The command of this name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"agentrecall_admin.{COMMANDS[cmd_name]}")
        command = getattr(module, NAMED_OTHERWISE.get(cmd_name, cmd_name.replace("-", "_")))
        if not isinstance(command, click.Command):
            raise TypeError(cmd_name)
        return command


def _open_streams() -> None:
    """What is said to a stream that the caller closed goes nowhere; Python has None in its place."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 -- it serves to the end


def _end_unprinted(error: OSError) -> NoReturn:
    click.echo(f"Error: cannot print what was asked for: {error.strerror}", err=True)
    # What is left in the buffer would fail once more when Python ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="agentrecall")
def main() -> None:
    """AgentRecall: the memory of your coding agent, in one file on this machine.

    Start with 'agentrecall quickstart'; wire it into Claude Code with 'agentrecall setup claude-code'. The memory
    lies in ~/.agentrecall, or where AGENTRECALL_HOME says. AGENTRECALL_DISABLED=1 switches every hook off.

    Exit codes: 0 done (an empty result is done), 1 failed, 2 misuse.
    """


if __name__ == "__main__":
    main()
