"""`agentrecall`: everything a person does with the memory."""

from __future__ import annotations

import click

from agentrecall_admin.backup import backup, restore
from agentrecall_admin.doctor import doctor
from agentrecall_admin.exclusion import exclude, include
from agentrecall_admin.feedback import feedback
from agentrecall_admin.overview import init, status
from agentrecall_admin.process import process
from agentrecall_admin.quickstart import quickstart
from agentrecall_admin.rules import rules
from agentrecall_admin.search import search
from agentrecall_admin.setup import setup
from agentrecall_admin.uninstall import uninstall


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="agentrecall")
def main() -> None:
    """AgentRecall: the memory of your coding agent, in one file on this machine.

    Start with 'agentrecall quickstart'; wire it into Claude Code with 'agentrecall setup claude-code'. The memory
    lies in ~/.agentrecall, or where AGENTRECALL_HOME says. AGENTRECALL_DISABLED=1 switches every hook off.

    Exit codes: 0 done (an empty result is done), 1 failed, 2 misuse.
    """


for command in (
    *(backup, doctor, exclude, feedback, include, init, process),
    *(quickstart, restore, rules, search, setup, status, uninstall),
):
    main.add_command(command)


if __name__ == "__main__":
    main()
