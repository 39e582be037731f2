"""JSON text: where each value stands in it, and edits that leave every other character alone.

A settings file belongs to its owner: reading it into objects and writing those back would lay out anew
what they wrote. So an edit here cuts or puts in one value and looks at the text around it for the style.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple, NoReturn

BYTE_ORDER_MARK = "\ufeff"
_SPACE = " \t\r\n"
_DEFAULT_UNIT = "  "


class MalformedTextError(ValueError):
    """The text is not JSON; the message says where and why."""


class Piece(NamedTuple):
    """One child of a container: a member of an object (with its key) or an element of a list."""

    key: str | None
    start: int
    at: int
    end: int


class Container(NamedTuple):
    """An object or a list: the places of its two brackets, and what is between them."""

    opens: int
    closes: int
    pieces: tuple[Piece, ...]

    def find(self, key: str) -> int | None:
        """The index of the member named *key*: of several the last, which is the one that readers take."""
        return max((index for index, piece in enumerate(self.pieces) if piece.key == key), default=None)


class _Style(NamedTuple):
    """How the owner lays out JSON; an empty unit means all on one line."""

    newline: str
    unit: str
    comma: str
    colon: str


def parsed(text: str) -> object:
    """The value of the whole *text*, by the rules of `JSON.parse` (a byte order mark is let pass).

    Raises:
        MalformedTextError: It is not JSON.
    """
    bare = text.removeprefix(BYTE_ORDER_MARK)
    try:
        value: object = _DECODER.decode(bare)
    except json.JSONDecodeError as error:
        raise MalformedTextError(f"line {error.lineno}, column {error.colno}: {_reason(bare, error)}") from error
    except RecursionError as error:
        raise MalformedTextError("line 1, column 1: nested too deeply") from error
    return value


def value_at(text: str, at: int) -> object:
    """The value that starts at *at* of well-formed *text*."""
    value: object = _DECODER.raw_decode(text, at)[0]
    return value


def outermost(text: str) -> int:
    """Where the one value of *text* starts."""
    return _skip(text, len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0)


def container(text: str, at: int) -> Container:
    """The object or list that starts at *at* of well-formed *text*."""
    is_object = text[at] == "{"
    pieces: list[Piece] = []
    place = _skip(text, at + 1)
    while text[place] not in "}]":
        start, key = place, None
        if is_object:
            key, place = _DECODER.raw_decode(text, place)
            place = _skip(text, _skip(text, place) + 1)
        end = _DECODER.raw_decode(text, place)[1]
        pieces.append(Piece(key, start, place, end))
        place = _skip(text, end)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return Container(at, place, tuple(pieces))


def without(text: str, holder: Container, index: int) -> str:
    """*text* with one child of *holder* cut out, and the comma that went with it."""
    pieces = holder.pieces
    if len(pieces) == 1:
        start, end = holder.opens + 1, holder.closes
    elif index == 0:
        start, end = pieces[0].start, pieces[1].start
    else:
        start, end = pieces[index - 1].end, pieces[index].end
    return text[:start] + text[end:]


def replaced(text: str, piece: Piece, value: object) -> str:
    """*text* with *value* in the place of the one that *piece* has."""
    style = _style(text)
    broken = _starts_its_line(text, piece.start) or "\n" in text[piece.at : piece.end]
    new = _block(value, style, _line_indent(text, piece.start)) if broken else _inline(value, style)
    return text[: piece.at] + new + text[piece.end :]


def appended(text: str, holder: Container, value: object, key: str | None = None) -> str:
    """*text* with *value* as the last child of *holder*, laid out like the child before it."""
    style = _style(text)
    label = "" if key is None else json.dumps(key, ensure_ascii=False) + style.colon
    if not holder.pieces:
        return text[: holder.opens + 1] + _only_child(text, holder, label, value, style) + text[holder.closes :]

    last = holder.pieces[-1]
    indent = _line_indent(text, last.start)
    if style.unit and _starts_its_line(text, last.start):
        new = "," + style.newline + indent + label + _block(value, style, indent)
    elif style.unit and "\n" in text[last.start : last.end]:
        new = style.comma + label + _block(value, style, indent)
    else:
        new = style.comma + label + _inline(value, style)
    return text[: last.end] + new + text[last.end :]


def _only_child(text: str, holder: Container, label: str, value: object, style: _Style) -> str:
    if not style.unit:
        return label + _inline(value, style)
    outer = _line_indent(text, holder.opens)
    inner = outer + style.unit
    return style.newline + inner + label + _block(value, style, inner) + style.newline + outer


def _style(text: str) -> _Style:
    top = container(text, outermost(text))
    inside = text[top.opens : top.closes]
    newline = "\r\n" if "\r\n" in text else "\n"
    if top.pieces and "\n" not in inside:
        spaced = re.search(r'":\s', inside) is not None
        return _Style(newline, "", ", " if spaced else ",", ": " if spaced else ":")
    indented = re.search(r"\n([ \t]+)\S", inside)
    return _Style(newline, indented[1] if indented else _DEFAULT_UNIT, ", ", ": ")


def _block(value: object, style: _Style, indent: str) -> str:
    # A newline inside a JSON string is always escaped, so every bare one is layout.
    laid_out = json.dumps(value, ensure_ascii=False, indent=style.unit or _DEFAULT_UNIT)
    return laid_out.replace("\n", style.newline + indent)


def _inline(value: object, style: _Style) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(style.comma, style.colon))


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_indent(text: str, at: int) -> str:
    line = text[_line_start(text, at) : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _starts_its_line(text: str, at: int) -> bool:
    return not text[_line_start(text, at) : at].strip(" \t")


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _reason(text: str, error: json.JSONDecodeError) -> str:
    """What is wrong there, in the words of the two mistakes that people make; else the parser's own."""
    if text[error.pos : error.pos + 2] in ("//", "/*"):
        return "a comment"
    # Python 3.13 points at the comma, older ones at the bracket after it.
    until = len(text[: error.pos].rstrip(_SPACE)) - 1 if text[error.pos : error.pos + 1] != "," else error.pos
    if re.match(r",\s*[}\]]", text[max(until, 0) :]):
        return "a trailing comma"
    return error.msg[:1].lower() + error.msg[1:]


def _refuse(name: str) -> NoReturn:
    raise MalformedTextError(f"{name} is not a JSON value")


# Whole numbers as floats: Python refuses to read an int of more than 4300 digits, which is JSON all the same.
_DECODER = json.JSONDecoder(parse_int=float, parse_constant=_refuse)
