"""Sentences: what of a unit people and agents say in their own words, each a verbatim span of one raw item. Cold.

Left out are code, quotations, tables and headings, logs, pasted files and pages, and whatever stands between tags: an
instruction that somebody planted there is nobody's decision.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from agentrecall_domain.capture.program_output import is_command, is_output
from agentrecall_domain.notes.unit import Spoken, Unit
from agentrecall_domain.text.tokenizer import is_cjk

LONGEST_READ = 40_000
"""Characters of one raw item that are read: beyond that nobody speaks, somebody pastes."""
LONGEST_SENTENCE = 700
LONGEST_TALK = 2_500
"""A message of a person that is longer than this, without a code fence around it, was not typed but pasted."""


class Sentence(NamedTuple):
    """One sentence: which span of the unit it stands in, and where. *listed* when it is an item or a list of items."""

    span: int
    start: int
    end: int
    text: str
    listed: bool


_FENCE = re.compile(r"^[ \t]{0,3}(```|~~~)")
_ITEM = re.compile(r"^\s*(?:[-*+\u2022\u2013]|\(?\d{1,2}[.)]|\(?[a-h]\)|\d\ufe0f?\u20e3|step \d+:?)\s+", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*(?:\(?\d{1,2}[.)]|step \d+:?)\s+", re.IGNORECASE)
_OTHERS = (">", "|", "//", "/*", "$ ", "% ", "<!--", "diff --git", "@@ ", "+++ ", "--- ")
_TAG = re.compile(r"(?<!\w)<(?!br\b|b>|i>|code>)([a-zA-Z][\w-]{1,40})(?:\s[^<>\n]{0,200})?>")
_HIDES_THE_REST = frozenset({"log", "logs", "system", "reminder", "instructions", "memory", "document", "file"})
"""Tags that hide what follows though nothing closes them; so does a name with a hyphen."""
_PASTED_AFTER = re.compile(r"[:\uff1a]\s*$")
_HEADING = re.compile(r"^#{1,6}\s+\S")
_CONFIG = re.compile(r"^\s*[\w.-]+=\S|^\s*[\w.-]+\s*=\s*\S+$|^\s*\"[\w.-]+\"\s*:\s|^\s*[{}\[\]];?\s*$|^\s{4,}\S|^\t\S")
_END = re.compile(
    r"(?<=[.!?\u2026])[\"')\]\u201d\u00bb]*\s+(?=\S)|(?<=[\u3002\uff01\uff1f\uff1b])\s*"
    r"|(?<=[!?])(?=[A-Za-z])"
)
_ABBREVIATION = re.compile(
    r"(?<![^\s(])(?:e\.g|i\.e|z\.b|d\.h|u\.a|bzw|ca|vs|etc|approx|p\.ej|ej|no|nr|art|st|dr|mr|ms|resp|incl|evtl|cf"
    r"|\d{1,2}|[a-z])\.$",
    re.IGNORECASE,
)
_HANDS_OVER = re.compile(
    r"(?<!\w)(?:got this|this is|here(?:'s| is)|from (?:the|their|our|a|an|my)|they (?:wrote|said|answered)"
    r"|(?:he|she) (?:wrote|said)|wrote|says?|readme|changelog|release notes|e?mail|message|slack|channel|ticket|issue"
    r"|article|blog|docs?|log|output|error|notes|minutes|spec|text|readable|answer|reply|post|comment|forum|newsletter"
    r"|announcement|schreibt|schrieb|kam|aus dem|vom|hier|steht|protokoll|antwort|meldung|bekommen|re\u00e7u|voici"
    r"|extrait|du|r\u00e9ponse|texte|recib\u00ed|lleg\u00f3|pego|texto|respuesta|del|mensaje)(?!\w)",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATION = 8
_TALKED_OF = re.compile(
    r"^(?:\W*[\w']+\W+){0,3}?\W*(?:translate|proofread|summari[sz]e|tl;?dr|rephrase|paraphrase|rewrite this"
    r"|review this for|fix the grammar|traduis|traduire|r[e\u00e9]sume[rz]?|reformule[rz]?|\u00fcbersetze?"
    r"|fasse? .{0,20}zusammen|korrekturlesen|traduce|traducir|traduz|resume|resumir|vertaal|riassumi"
    r"|here(?:'s| is) (?:what|the (?:log|mail|email|readme|article|ticket|issue|text|reply|output))|this is what"
    r"|what do you think of this (?:article|post)"
    r"|from (?:a|an|the) (?:\w+ )?(?:blog|tutorial|article|docs|answer|readme))(?!\w)"
    r"|^.{0,12}(?:\u7ffb\u8bd1|\u603b\u7ed3\u4e00\u4e0b\u8fd9|\u6da6\u8272)",
    re.IGNORECASE,
)
# Four words and more: two or three are a name, and names are quoted by those who speak themselves.
_FOUR_WORDS = r"(?:[^\s{0}]+[ \t]+){{3,80}}[^\s{0}]+[ \t]*"
_QUOTED = re.compile(
    "|".join(
        f"{opening}{_FOUR_WORDS.format(closing)}[{closing}]"
        for opening, closing in (
            ('"', '"'),
            ("\u201c", "\u201d"),
            ("\u201e", "\u201c\u201d"),
            ("\u00ab\\s?", "\u00bb"),
            (r"(?<![\w*])'(?=.{25})", "'"),
        )
    )
    + "|\u300c[^\u300d\\n]{12,600}\u300d|\u201c[^\u201d\\n]{12,600}\u201d"
)
_PROSE_IN_CODE = re.compile(r"\W*(?:[^\W\d_]{2,}\W+){7,}[^\W\d_]+\W*")
_REPORTS = re.compile(
    r"(?<!\w)(?:says?|reads?|prints?|printed|answered|wrote|writes|states?|recommends?|steht|schreibt|lautet|dit"
    r"|indique|dice|pone|escribe|staat)(?:,? word for word| there| that)?:\s*$"
    r"|(?:\u5199\u7740|\u5199\u9053)[:\uff1a]?\s*$",
    re.IGNORECASE,
)


def sentences_of(unit: Unit) -> list[Sentence]:
    """The sentences of *unit* in order, those that a program said left out."""
    return [
        sentence
        for at, span in enumerate(unit.spans)
        if span.origin in {"user", "agent"} and span.kind != "event"
        for sentence in _of_span(at, span)
    ]


def _of_span(at: int, span: Spoken) -> list[Sentence]:
    text = span.text[:LONGEST_READ]
    if span.origin == "user" and len(_outside_fences(text)) > LONGEST_TALK:
        return []
    own = _own_lines(text, by_user=span.origin == "user")
    return [
        Sentence(at, start, end, text[start:end], listed)
        for first, last, listed in _blocks(text, own, by_user=span.origin == "user")
        for start, end in _split(text, first, last, whole=listed and span.origin == "user")
    ]


def _outside_fences(text: str) -> str:
    return "".join(part for at, part in enumerate(text.split("```")) if at % 2 == 0)


def _own_lines(text: str, *, by_user: bool) -> list[tuple[int, int]]:
    """Where the lines stand that the speaker says: start and end of each."""
    hidden = _hidden(text)
    kept: list[tuple[int, int]] = []
    fence, position, reported = "", 0, False
    previous = ""
    for line in text.splitlines(keepends=True):
        start, position = position, position + len(line)
        bare = line.strip()
        mark = _FENCE.match(line)
        if mark:
            fence = mark[1] if not fence else "" if mark[1] == fence else fence
            reported = False
        elif fence:
            continue
        elif not bare:
            # What follows "the readme:" and an empty line is the readme, to the end.
            if by_user and _PASTED_AFTER.search(previous):
                return kept
            reported = False
        elif by_user and (_HEADING.match(bare) or _is_page(bare)):
            return kept
        elif not (_is_others(line, bare) or reported or 1 in hidden[start : start + len(line.rstrip())]):
            kept.append((start, start + len(line.rstrip())))
            reported = _REPORTS.search(bare) is not None
        previous = bare or previous
    return kept


def _is_others(line: str, bare: str) -> bool:
    return (
        bare.startswith(_OTHERS)
        or is_command(bare)
        or is_output(line)
        or bool(_CONFIG.match(line))
        or bool(_HEADING.match(bare))
    )


def _is_page(bare: str) -> bool:
    """Whether a line is the beginning of somebody's page or mail."""
    return bare.startswith(("<html", "<!DOCTYPE", "From: ", "Subject: ", "---", "===", "***", "Dear ", "Kind regards"))


def _hidden(text: str) -> bytearray:
    """A mark for each character of *text* that stands between tags, or in a comment."""
    mask = bytearray(len(text))
    for tag in _TAG.finditer(text):
        name = tag[1]
        end = text.find(f"</{name}>", tag.end())
        if end < 0 and (name.lower() in _HIDES_THE_REST or "-" in name):
            end = len(text)
        if end > 0 and any(map(str.isspace, text[tag.end() : end])):
            mask[tag.start() : end] = b"\1" * (end - tag.start())
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start)
        # `<!--[if mso]>` is spoken of by people who write mails.
        if not text.startswith("<!--[", start):
            end = end if end >= 0 else len(text)
            mask[start:end] = b"\1" * (end - start)
        start = text.find("<!--", max(end, start + 1))
    return mask


def _blocks(text: str, lines: list[tuple[int, int]], *, by_user: bool) -> list[tuple[int, int, bool]]:
    """Lines, of which a person's numbered list is one block: the steps of one procedure."""
    blocks: list[tuple[int, int, bool]] = []
    stepping = False
    for start, end in lines:
        line = text[start:end]
        numbered = bool(_NUMBERED.match(line))
        if by_user and numbered and stepping and blocks and not text[blocks[-1][1] : start].strip():
            blocks[-1] = (blocks[-1][0], end, True)
        else:
            blocks.append((start, end, bool(_ITEM.match(line))))
        stepping = numbered
    return blocks


def _split(text: str, first: int, last: int, *, whole: bool) -> list[tuple[int, int]]:
    """The sentences between *first* and *last*; a list stays *whole*."""
    while first < last and text[first].isspace():
        first += 1
    if whole:
        return [(first, last)] if last - first <= LONGEST_SENTENCE * 2 else []
    found: list[tuple[int, int]] = []
    start = first
    for match in _END.finditer(text, first, last):
        end = match.start()
        inside = _ABBREVIATION.search(text, max(start, end - _LONGEST_ABBREVIATION), end) or _inside_code(
            text, start, end
        )
        if inside and end - start <= LONGEST_SENTENCE:
            continue
        found.append((start, match.start()))
        start = match.end()
    found.append((start, last))
    return [(begin, end) for begin, end in found if 0 < end - begin <= LONGEST_SENTENCE and text[begin:end].strip()]


def _inside_code(text: str, start: int, end: int) -> bool:
    return text.count("`", start, end) % 2 == 1


def is_pasted(text: str, start: int) -> bool:
    """Whether what stands at *start* of a person's message was copied into it.

    It stands below a line that hands it over ("got this from the vendor:"), or is written with all capitals and stops
    below a line without them.
    """
    line_start = text.rfind("\n", 0, start) + 1
    above = text[:line_start].strip()
    if not above:
        return False
    first = above.split("\n", 1)[0].strip()
    line = text[line_start : (text.find("\n", line_start) + 1 or len(text) + 1) - 1].strip()
    if _NUMBERED.match(line) or is_cjk(line[:1] or " "):
        return False
    if _HANDS_OVER.search(first) and first.endswith((":", "?", "\uff1a", "this", "it")):
        return True
    return first[:1].islower() and line[:1].isupper() and line.endswith(".") and len(_END.findall(line)) > 0


def is_about_a_text(text: str) -> bool:
    """Whether a person hands over a text to be read, translated or summed up: what is in it is not theirs."""
    return bool(_TALKED_OF.search(text[:400]))


def without_quoted(sentence: str) -> str:
    """*sentence* without the words of others between marks."""
    return _QUOTED.sub(" `\u2026` ", sentence)


def is_mostly_quoted(text: str, sentence: Sentence) -> bool:
    """Whether more than half of *sentence*, which stands in *text*, is other people's words, between marks."""
    first, last = sentence.start, sentence.end
    if any(_PROSE_IN_CODE.fullmatch(code) for code in text[first:last].split("`")[1::2]):
        return True
    around = text[max(0, first - LONGEST_SENTENCE) : last + LONGEST_SENTENCE]
    shift = max(0, first - LONGEST_SENTENCE)
    quoted = sum(
        max(0, min(match.end() + shift, last) - max(match.start() + shift, first)) for match in _QUOTED.finditer(around)
    )
    return quoted * 2 > last - first
