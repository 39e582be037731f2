"""Claude Code's settings text, and our handlers in it.

Text in, text out. Everything that is not ours keeps every character: Claude Code, other tools and
people write in the same file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from agentrecall_domain.hosts import json_text
from agentrecall_domain.hosts.json_text import Container, Piece

CAPTURE_HOOK = "agentrecall-capture-hook"
RECALL_HOOK = "agentrecall-recall-hook"
FINALIZE_TURN = "agentrecall-finalize-turn"
_NAMES = frozenset({CAPTURE_HOOK, RECALL_HOOK, FINALIZE_TURN})

# Reading comes before editing: what is shown with the file is there when the edit is written.
FILE_TOOLS = "Read|NotebookRead|Edit|Write|MultiEdit|NotebookEdit"


class UnreadableSettingsError(ValueError):
    """A settings text that Claude Code would not read either, and that we therefore leave alone."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason}; Claude Code itself ignores such a file, repair it first")


class Programs(NamedTuple):
    """The absolute paths of the programs that the host is to run."""

    capture_hook: str
    recall_hook: str
    finalize_turn: str


class Wire(NamedTuple):
    """One handler of ours in a settings text."""

    event: str
    matcher: str
    program: str
    command: str


class _Wish(NamedTuple):
    """One handler as it should be."""

    event: str
    matcher: str
    program: str
    handler: dict[str, object]

    @property
    def group(self) -> dict[str, object]:
        return {**({"matcher": self.matcher} if self.matcher else {}), "hooks": [self.handler]}


class _Found(NamedTuple):
    """One handler of ours and the way to it, outermost container first, each with the index taken."""

    wire: Wire
    handler: dict[str, object]
    way: tuple[tuple[Container, int], ...]

    @property
    def piece(self) -> Piece:
        holder, index = self.way[-1]
        return holder.pieces[index]


def wired(text: str, programs: Programs) -> str:
    """*text* with our handlers in it, each once; the same text when they are there already.

    What an older version of ours left (other paths, other events) is replaced where it stands.

    Raises:
        UnreadableSettingsError: Claude Code would not read *text*.
    """
    if _is_blank(text):
        text = (json_text.BYTE_ORDER_MARK if text.startswith(json_text.BYTE_ORDER_MARK) else "") + "{}\n"
    _check(text)
    wishes = _wishes(programs)
    for wish in wishes:
        text = _granted(text, wish)
    while (stale := _first_stale(text, wishes)) is not None:
        text = _cut(text, stale)
    return text


def unwired(text: str) -> str:
    """*text* without our handlers, nor the groups, events and `hooks` key that held nothing else.

    Raises:
        UnreadableSettingsError: Claude Code would not read *text*.
    """
    while (found := next(_ours(text), None)) is not None:
        text = _cut(text, found)
    return text


def wiring(text: str) -> list[Wire]:
    """What of ours is in *text*, in its order.

    Raises:
        UnreadableSettingsError: Claude Code would not read *text*.
    """
    return [found.wire for found in _ours(text)]


def is_empty(text: str) -> bool:
    """Whether *text* sets nothing at all.

    Raises:
        UnreadableSettingsError: Claude Code would not read *text*.
    """
    return not _settings(text)


def hooks_are_disabled(text: str) -> bool:
    """Whether this settings text switches all hooks off, ours included.

    Raises:
        UnreadableSettingsError: Claude Code would not read *text*.
    """
    return _settings(text).get("disableAllHooks") is True


def program_of(handler: object) -> str | None:
    """The name of our program that *handler* runs: told by the base name of its command, by nothing else."""
    if not isinstance(handler, dict):
        return None
    command = handler.get("command")
    if not isinstance(command, str):
        return None
    name = _base_name(command)
    if name in _NAMES:
        return name
    return None if "args" in handler else _program_in_shell_line(command)


def _wishes(programs: Programs) -> tuple[_Wish, ...]:
    capture, recall, finalize = programs
    in_background = _handler(capture, timeout=10, in_background=True)
    showing = _handler(recall, timeout=5)
    return (
        _Wish("SessionStart", "", CAPTURE_HOOK, in_background),
        _Wish("SessionStart", "", RECALL_HOOK, showing),
        _Wish("UserPromptSubmit", "", RECALL_HOOK, showing),
        _Wish("PreToolUse", FILE_TOOLS, RECALL_HOOK, showing),
        _Wish("Stop", "", CAPTURE_HOOK, in_background),
        _Wish("Stop", "", FINALIZE_TURN, _handler(finalize, "--hook", timeout=5)),
        # The host is about to end and takes what runs in the background with it.
        _Wish("SessionEnd", "", CAPTURE_HOOK, _handler(capture, timeout=5)),
        _Wish("PreCompact", "", CAPTURE_HOOK, in_background),
    )


def _handler(command: str, *args: str, timeout: int, in_background: bool = False) -> dict[str, object]:
    # The list of arguments, even an empty one, keeps a shell and its quoting away from the path.
    background = {"async": True} if in_background else {}
    return {"type": "command", "command": command, "args": list(args), **background, "timeout": timeout}


def _is_blank(text: str) -> bool:
    # Claude Code takes an empty file for one without settings.
    return not text.removeprefix(json_text.BYTE_ORDER_MARK).strip(" \t\r\n")


def _settings(text: str) -> dict[str, object]:
    if _is_blank(text):
        return {}
    try:
        document = json_text.parsed(text)
    except json_text.MalformedTextError as error:
        raise UnreadableSettingsError(str(error)) from error
    if not isinstance(document, dict):
        raise UnreadableSettingsError("line 1, column 1: not an object")
    return document


def _check(text: str) -> None:
    """Refuse what Claude Code would not read, and what cannot be edited without choosing for the owner.

    Raises:
        UnreadableSettingsError: It is one of these.
    """
    settings = _settings(text)
    if "hooks" not in settings:
        return
    top = json_text.container(text, json_text.outermost(text))
    _check_once(text, top, "hooks")
    (hooks,) = (piece for piece in top.pieces if piece.key == "hooks")
    if text[hooks.at] != "{":
        raise UnreadableSettingsError(f"{_place(text, hooks)}: 'hooks' is not an object")
    events = json_text.container(text, hooks.at)
    for event in events.pieces:
        _check_once(text, events, event.key or "")
        if text[event.at] != "[":
            raise UnreadableSettingsError(f"{_place(text, event)}: hooks of '{event.key}' are not a list")


def _check_once(text: str, holder: Container, key: str) -> None:
    # The host reads the last of two: to take that one away would bring the other to life.
    twice = [piece for piece in holder.pieces if piece.key == key][1:]
    if twice:
        raise UnreadableSettingsError(f"{_place(text, twice[0])}: '{key}' is there twice")


def _place(text: str, piece: Piece) -> str:
    before = text[: piece.start].removeprefix(json_text.BYTE_ORDER_MARK)
    return f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"


def _ours(text: str) -> Iterator[_Found]:
    _check(text)
    if _is_blank(text):
        return
    top = json_text.container(text, json_text.outermost(text))
    at = top.find("hooks")
    if at is None:
        return
    events = json_text.container(text, top.pieces[at].at)
    for which, event in enumerate(events.pieces):
        groups = json_text.container(text, event.at)
        for number, group in enumerate(groups.pieces):
            handlers = _handlers(text, group)
            for index, piece in enumerate(handlers.pieces if handlers else ()):
                handler = json_text.value_at(text, piece.at)
                program = program_of(handler)
                if handlers is not None and isinstance(handler, dict) and program is not None:
                    wire = Wire(event.key or "", _matcher(text, group), program, handler["command"])
                    yield _Found(wire, handler, ((top, at), (events, which), (groups, number), (handlers, index)))


def _handlers(text: str, group: Piece) -> Container | None:
    if text[group.at] != "{":
        return None
    members = json_text.container(text, group.at)
    index = members.find("hooks")
    if index is None or text[members.pieces[index].at] != "[":
        return None
    return json_text.container(text, members.pieces[index].at)


def _matcher(text: str, group: Piece) -> str:
    value = json_text.value_at(text, group.at)
    matcher = value.get("matcher", "") if isinstance(value, dict) else ""
    # All three spellings of "everything" mean the same to the host.
    return "" if matcher in ("", "*", None) else str(matcher)


def _answers(found: _Found, wish: _Wish) -> bool:
    return found.wire[:3] == wish[:3]


def _granted(text: str, wish: _Wish) -> str:
    found = next((found for found in _ours(text) if _answers(found, wish)), None)
    if found is None:
        return _added(text, wish)
    return text if found.handler == wish.handler else json_text.replaced(text, found.piece, wish.handler)


def _added(text: str, wish: _Wish) -> str:
    top = json_text.container(text, json_text.outermost(text))
    at = top.find("hooks")
    if at is None:
        return json_text.appended(text, top, {wish.event: [wish.group]}, "hooks")
    events = json_text.container(text, top.pieces[at].at)
    which = events.find(wish.event)
    if which is None:
        return json_text.appended(text, events, [wish.group], wish.event)
    groups = json_text.container(text, events.pieces[which].at)
    for group in groups.pieces:
        handlers = _handlers(text, group)
        if handlers and _is_ours_alone(text, handlers) and _matcher(text, group) == wish.matcher:
            return json_text.appended(text, handlers, wish.handler)
    return json_text.appended(text, groups, wish.group)


def _is_ours_alone(text: str, handlers: Container) -> bool:
    programs = [program_of(json_text.value_at(text, piece.at)) for piece in handlers.pieces]
    return bool(programs) and None not in programs


def _first_stale(text: str, wishes: tuple[_Wish, ...]) -> _Found | None:
    """The first handler of ours that no wish asks for, or that one before it answers already."""
    seen: set[object] = set()
    wanted = {wish[:3] for wish in wishes}
    for found in _ours(text):
        if found.wire[:3] in seen or found.wire[:3] not in wanted:
            return found
        seen.add(found.wire[:3])
    return None


def _cut(text: str, found: _Found) -> str:
    """*text* without *found*, and without whatever would be empty through that."""
    for holder, index in reversed(found.way):
        if len(holder.pieces) > 1:
            return json_text.without(text, holder, index)
    return json_text.without(text, *found.way[0])


def _base_name(path: str) -> str:
    name = re.split(r"[/\\]", path)[-1]
    # Windows does not mind the case of a file name.
    return name[:-4].lower() if name.lower().endswith(".exe") else name


def _program_in_shell_line(line: str) -> str | None:
    """Our program in a shell *line*: as a path anywhere, as a bare name only where a command stands."""
    words = [re.sub("[\"']", "", word) for word in re.findall(r"""(?:"[^"]*"|'[^']*'|[^\s;&|<>()"'])+""", line)]
    command = next((word for word in words if not re.match(r"\w+=", word)), "")
    paths = [word for word in words if re.search(r"[/\\]", word)]
    return next((name for word in (command, *paths) if (name := _base_name(word)) in _NAMES), None)
