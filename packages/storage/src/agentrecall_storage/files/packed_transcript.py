"""A packed transcript: Codex compresses the rollouts that nobody has used for some days. Cold."""

from __future__ import annotations

import os
from collections.abc import Iterator

from agentrecall_storage.files.transcript import CHUNK, Batch, Transcript, in_batches

SUFFIX = ".zst"


class DamagedPackError(OSError):
    """What is packed cannot be unpacked."""


class PackedTranscript(Transcript):
    """A transcript packed with Zstandard. Close it after use.

    A packed file cannot be read from its middle on: all offsets are those of its packed bytes, and a reading arrives at
    its end or stays at its beginning. One that is still being written ends in the middle of a frame, and is damaged
    until it is whole.
    """

    __slots__ = ()
    begins_anew = True

    def batches(self, offset: int) -> Iterator[Batch]:
        """Every line, as `in_batches`, unless *offset* is the end already.

        Raises:
            DamagedPackError: See there. What came before the damage was given.
        """
        if offset >= self.size:
            return
        held = Batch()
        for batch in in_batches(self._unpacked(), 0):
            batch.end = 0
            yield held
            held = batch
        held.end = self.size
        yield held

    def _unpacked(self) -> Iterator[bytes]:
        from zstandard import ZstdDecompressor, ZstdError  # noqa: PLC0415 -- few have packed files

        frame = ZstdDecompressor().decompressobj()
        is_between = True
        with os.fdopen(os.dup(self._descriptor), "rb") as file:
            file.seek(0)
            try:
                while packed := file.read(CHUNK):
                    while packed:
                        yield frame.decompress(packed)
                        packed, is_between = frame.unused_data, frame.eof
                        if frame.eof:
                            frame = ZstdDecompressor().decompressobj()
            except ZstdError as error:
                raise DamagedPackError(f"cannot be unpacked: {error}") from error
        if not is_between:
            raise DamagedPackError("cannot be unpacked: it ends in its middle; it may still be being written")
        # Nothing follows, so that its last line is whole with or without a newline.
        yield b"\n"


def open_transcript(path: str) -> Transcript:
    """The transcript at *path*, packed or not.

    Raises:
        OSError: It is missing, unreadable, or no regular file.
    """
    return PackedTranscript(path) if path.endswith(SUFFIX) else Transcript(path)
