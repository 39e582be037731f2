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

    A packed file does not grow, and cannot be read from its middle on: all offsets are those of its packed bytes, and a
    reading arrives at its end or stays at its beginning.
    """

    __slots__ = ()

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

        unpacker = ZstdDecompressor()
        with os.fdopen(os.dup(self._descriptor), "rb") as file:
            file.seek(0)
            try:
                with unpacker.stream_reader(file, read_across_frames=True) as stream:
                    while chunk := stream.read(CHUNK):
                        yield chunk
            except ZstdError as error:
                raise DamagedPackError(f"cannot be unpacked: {error}") from error
        # Nothing follows, so that its last line is whole with or without a newline.
        yield b"\n"


def open_transcript(path: str) -> Transcript:
    """The transcript at *path*, packed or not.

    Raises:
        OSError: It is missing, unreadable, or no regular file.
    """
    return PackedTranscript(path) if path.endswith(SUFFIX) else Transcript(path)
