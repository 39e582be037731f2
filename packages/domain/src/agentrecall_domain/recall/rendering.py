"""Rendering: what the agent reads. Statements of fact inside a fence that no stored text can close. Hot."""

from __future__ import annotations

import re

from agentrecall_domain.rules.status import PENDING
from agentrecall_domain.text.harmless import harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentrecall_domain.recall.candidate import Candidate
    from agentrecall_domain.recall.note_candidate import NoteCandidate
    from agentrecall_domain.recall.notes import ShownNote
    from agentrecall_domain.recall.packing import Shown

NOTES = "Notes"
FULL = "full"
REMINDER = "reminder"
BRACKET = "\u2039"
"""Stands for an opening bracket in stored text: looks like one, and is none."""
BECAUSE = "because "
LONGEST_PART = 600
"""Characters shown of a rule's trigger, action, mistake or reason."""

INTRODUCTIONS = {
    "start": "Recorded earlier; use what applies, ignore what does not.",
    "prompt": "Recorded earlier; use what applies, ignore what does not.",
    "read": "Recorded earlier about this file; use what applies, ignore what does not.",
    "edit": "Recorded earlier; check what was just written against it.",
}


def block(shown: list[Shown], notes: list[ShownNote], *, project: str, moment: str, injection_id: int | None) -> str:
    """The whole fenced block: rules grouped under their buckets' headings, then notes; empty when nothing is shown.

    *injection_id* None leaves the id out: at session start the same memory must give the same bytes, or the host's
    prompt cache is lost.
    """
    if not shown and not notes:
        return ""
    identity = "" if injection_id is None else f' id="I{injection_id}"'
    lines = [f'<agentrecall project="{_attribute(project)}" moment="{moment}"{identity}>', INTRODUCTIONS[moment]]
    heading = ""
    for one in shown:
        if one.bucket != heading:
            heading = one.bucket
            lines.append(heading)
        lines.append(line(one.candidate, one.detail))
    if notes:
        lines.append(NOTES)
        lines += [note_line(one.candidate, one.detail) for one in notes]
    lines.append("</agentrecall>")
    return "\n".join(lines)


def line(candidate: Candidate, detail: str) -> str:
    """One rule on one line, with its id in front, so that the agent can report how it fared."""
    mark = " (pending, not yet approved)" if candidate.status == PENDING else ""
    trigger = _part(candidate.trigger)
    if detail == REMINDER:
        # The whole rule stands further up in the same context window.
        return f"- [R{candidate.id}] still applies: {_part(candidate.action)}.{mark}"
    told = (
        f"{trigger[:1].upper()}{trigger[1:]}: {_part(candidate.action)}." if trigger else f"{_part(candidate.action)}."
    )
    if candidate.mistake and candidate.mistake not in candidate.action:
        told += f" Not: {_part(candidate.mistake)}."
    if candidate.reason:
        reason = _part(candidate.reason)
        told += f" Because {reason[len(BECAUSE) :] if reason.lower().startswith(BECAUSE) else reason}."
    return f"- [R{candidate.id}] {told}{mark}"


def note_line(note: NoteCandidate, detail: str) -> str:
    """One note on one line: its id, since when it holds, what kind of statement it is, and what it says."""
    title, body = _part(note.title), _part(note.body)
    if detail == REMINDER:
        return f"- [N{note.id}] still holds: {title}."
    # Most titles are a sentence of the body.
    told = (body or title) if title.lower() in body.lower() or not body else f"{title}. {body}"
    return f"- [N{note.id}] {_part(note.valid_from[:10])} {_part(note.type)}: {told}."


def _part(text: str) -> str:
    """Stored text on one line, bounded, without a full stop of its own, unable to open or close our fence."""
    flat = " ".join(harmless(text).split())
    if len(flat) > LONGEST_PART:
        flat = flat[:LONGEST_PART].rsplit(" ", 1)[0] + " …"
    return _fenced(flat).rstrip(".")


def _fenced(text: str) -> str:
    # A model reads leniently: our tag in other widths, with spaces or with marks that nobody sees is our tag.
    plain = "".join(text.split()).lower() if text.isascii() else _plain(text)
    if "<agentrecall" not in plain and "</agentrecall" not in plain:
        return text
    return re.sub("[<\ufe64\uff1c]", BRACKET, text)


def _plain(text: str) -> str:
    import unicodedata  # noqa: PLC0415 -- only text beyond ASCII pays for it

    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(one for one in folded if not one.isspace() and unicodedata.category(one) != "Cf")


def _attribute(text: str) -> str:
    return re.sub("[<\ufe64\uff1c]", BRACKET, " ".join(text.split())).replace('"', "'").replace(">", "")[:200]
