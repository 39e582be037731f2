"""Config as a person tunes it: what there is to set, what is set, and what was changed when."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

import click

from agentrecall_admin.console import as_json_option, memory, now, print_json, screen, talk
from agentrecall_domain.config.key import InvalidValueError, Key
from agentrecall_domain.config.keys import KEYS
from agentrecall_domain.notes.embedding import EmbeddingError
from agentrecall_domain.text.harmless import harmless
from agentrecall_domain.text.utc import stamp
from agentrecall_storage.config import changes_of, set_value, stored_values


class KeyName(click.ParamType[Key]):
    """The name of a config key."""

    name = "key"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Key:
        """The key that *value* names."""
        if isinstance(value, Key):
            return value
        if value not in KEYS:
            near = get_close_matches(value, KEYS, n=1)
            meant = f"did you mean '{near[0]}'?" if near else "see 'agentrecall config list'"
            self.fail(f"there is no key '{harmless(value)}'; {meant}", param, ctx)
        return KEYS[value]


key_argument = click.argument("key", type=KeyName())


@click.group()
def config() -> None:
    """Tune what is shown, asked and kept. Nothing tunes itself."""


@config.command("list")
@as_json_option
def list_keys(*, as_json: bool) -> None:
    """List every key with its value, its default, what it takes and what it does. A value of yours is marked with *.

    Example: agentrecall config list
    """
    with memory() as opened:
        stored = stored_values(opened.connection)
    found = [_as_object(key, stored) for key in KEYS.values()]
    if as_json:
        print_json(found)
        return
    from rich.table import Table  # noqa: PLC0415 -- twice a bare start, for those who print a table

    table = Table(box=None, pad_edge=False)
    for heading in ("key", "value", "default", "takes", "what it does"):
        table.add_column(heading, no_wrap=heading != "what it does")
    for one in found:
        mark = "*" if one["set"] else ""
        table.add_row(
            one["key"], f"{harmless(str(one['value']))}{mark}", str(one["default"]), one["takes"], one["help"]
        )
    screen().print(table)


@config.command()
@key_argument
@as_json_option
def get(key: Key, *, as_json: bool) -> None:
    """Print the value of KEY; with --json its default, its range and every change of it too.

    Example: agentrecall config get rule_floor
    """
    with memory() as opened:
        found = _as_object(key, stored_values(opened.connection))
        found["changes"] = changes_of(opened.connection, key.name)
    if as_json:
        print_json(found)
        return
    click.echo(harmless(str(found["value"])))


@config.command("set", context_settings={"ignore_unknown_options": True})  # a value may begin with a hyphen
@key_argument
@click.argument("value")
@as_json_option
def set_key(key: Key, value: str, *, as_json: bool) -> None:
    """Set KEY to VALUE.

    Example: agentrecall config set prompt_max_rules 3
    """
    try:
        wanted = key.read(value)
    except InvalidValueError as error:
        raise click.UsageError(harmless(str(error))) from error
    if wanted and key.name in CHECKS:
        CHECKS[key.name](str(wanted))
    _change(key, str(wanted), as_json=as_json)


@config.command()
@key_argument
@as_json_option
def unset(key: Key, *, as_json: bool) -> None:
    """Let the default of KEY hold again.

    Example: agentrecall config unset prompt_max_rules
    """
    _change(key, None, as_json=as_json)


@config.command()
@click.argument("key", type=KeyName(), required=False)
@as_json_option
def log(key: Key | None, *, as_json: bool) -> None:
    """List every change of KEY, or of all keys, oldest first.

    Example: agentrecall config log rule_floor
    """
    names = [key.name] if key else list(KEYS)
    with memory() as opened:
        found = [{"key": name, **change} for name in names for change in changes_of(opened.connection, name)]
    found.sort(key=lambda one: one["at"])
    if as_json:
        print_json(found)
        return
    for one in found:
        click.echo(f"{one['at']}  {one['key']}: {_told(one['from'])} -> {_told(one['to'])}")
    if not found:
        talk("nothing was changed")


def _check_command(command: str) -> None:
    from agentrecall_admin.judges import expanded  # noqa: PLC0415 -- a judge is for those who name one

    expanded(command)


def _check_provider(name: str) -> None:
    from agentrecall_storage.embeddings import find_provider  # noqa: PLC0415 -- as above

    try:
        find_provider(name)
    except EmbeddingError as error:
        raise click.UsageError(f"{harmless(str(error))}; install it first, nothing was changed") from error


CHECKS: dict[str, Callable[[str], None]] = {"judge_command": _check_command, "embedding_provider": _check_provider}
"""What a text must be good for, beyond being one, by the name of its key."""


def _change(key: Key, value: str | None, *, as_json: bool) -> None:
    with memory() as opened:
        set_value(opened.connection, key.name, value, at=stamp(now()))
        found = _as_object(key, stored_values(opened.connection))
    if as_json:
        print_json(found)
        return
    told = f"{key.name} is {_told(str(found['value']))}"
    click.echo(told if value is not None else f"{told} again, the default")


def _as_object(key: Key, stored: dict[str, str]) -> dict[str, Any]:
    """A key as `--json` prints it. A stored value that the key does not take counts as unset, as for recall."""
    value, is_set = key.default, False
    if key.name in stored:
        try:
            value, is_set = key.read(stored[key.name]), True
        except InvalidValueError:
            talk(f"the stored value of '{key.name}' is none that it takes: the default holds")
    return {
        "key": key.name,
        "value": value,
        "default": key.default,
        "set": is_set,
        "takes": key.takes,
        "help": key.help,
    }


def _told(value: str | None) -> str:
    return "the default" if value is None else harmless(value) or "''"
