"""Backfilling: transcripts read from the beginning, or from where a hook or an earlier backfill left them. Cold."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import NamedTuple

from agentrecall_domain.text.private_tags import MARK
from agentrecall_domain.turns.capture import Session, read_batches
from agentrecall_storage.capturing import LOST_RACES, left_at
from agentrecall_storage.files import unheard
from agentrecall_storage.files.packed_transcript import open_transcript
from agentrecall_storage.raw_items import CaptureStore


class Read(NamedTuple):
    """What reading transcripts came to: what was found in them that may be new, and what was kept out of it."""

    size: int = 0
    turns: int = 0
    raw_items: int = 0
    left_out: int = 0
    """Turns of an excluded project, or of a time when memory was off."""
    private: int = 0
    """Texts from which something private was taken."""
    rejected: int = 0
    """Pieces of text that somebody had planted."""

    def __add__(self, other: object) -> Read:
        """Both together."""
        if not isinstance(other, Read):
            return NotImplemented
        return Read(*(one + another for one, another in zip(self, other, strict=True)))


def unread(store: CaptureStore, path: str) -> int:
    """How many bytes of the transcript at *path* nobody has read.

    Raises:
        OSError: It cannot be opened.
    """
    with closing(open_transcript(path)) as transcript:
        start, _ = left_at(store, transcript)
        return transcript.size - (start or 0)


def read_transcript(home: str, store: CaptureStore, session: Session, tell: Callable[[Read], None]) -> None:
    """Store what the session's transcript holds from where it was left on; tells what each transaction brought.

    It stops where somebody else, who reads the same file, is ahead again and again. What cannot be stored is not
    spooled, as a hook's reading is: the cursor stays, and the next backfill finds it again.

    Raises:
        OSError: The file cannot be read, or be unpacked.
        sqlite.Error: The memory cannot be written.
    """
    with closing(open_transcript(session.transcript_path)) as transcript:
        for _ in range(LOST_RACES):
            start, state = left_at(store, transcript)
            if start == transcript.size:
                return
            found = transcript.batches(start or 0)
            for batch, progress in read_batches(session, found, state, unheard.prompts(home, session.uid)):
                if not store.record_reading(batch, transcript, start, progress):
                    break
                size, start = progress.offset - (start or 0), progress.offset
                private = sum(MARK in span.text for span in batch.spans)
                tell(Read(size, len(batch.turns), len(batch.spans), progress.left_out, private, len(batch.rejections)))
            else:
                return
