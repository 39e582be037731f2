"""Scrubbing: the one door that text passes before its first byte is written.

Hot module: standard library and hot modules of ours only.
"""

from __future__ import annotations

from agentrecall_domain.text.private_tags import remove_private
from agentrecall_domain.text.redaction import redact
from agentrecall_domain.text.storable import storable

LONGEST_SECRET = 8_000
"""Characters read beyond a bound, so that no secret is cut in half and then taken for none."""


def scrub(text: str) -> str:
    """Make *text* storable, and free of private spans and of secrets.

    Takes any string, in time linear in its length; scrubbing twice is scrubbing once.
    """
    return redact(remove_private(storable(text)))


def scrub_up_to(text: str, most: int) -> str:
    """The first *most* characters of *text*, scrubbed; the rest costs nothing."""
    if len(text) <= most:
        return scrub(text)
    return scrub(text[: most + LONGEST_SECRET])[:most]


def scrub_ends(text: str, most: int) -> str:
    """*text* scrubbed; of one over *most* characters its beginning and its end, half each.

    Private spans are taken out of the whole first: a cut may part one from its tag.
    """
    text = remove_private(storable(text))
    if len(text) <= most:
        return redact(text)
    half = most // 2
    beginning, end = text[: half + LONGEST_SECRET], text[-half - LONGEST_SECRET :]
    return f"{redact(beginning)[:half]}\n…\n{redact(end)[-half:]}"
