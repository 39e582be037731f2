"""`agentrecall`: everything a person does with the memory."""

from __future__ import annotations

from importlib import import_module

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


class LazyGroup(click.Group):
    """A group that imports the module of a command when it is asked for: a person waits for no other's imports."""

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
