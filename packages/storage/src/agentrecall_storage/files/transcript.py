"""A host's transcript file: its identity, and its complete lines from an offset on. Hot.

Only the new tail is read: a transcript of 1 GB with 10 kB of news costs 10 kB.
"""

from __future__ import annotations

import os
from _blake2 import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = 256
CHUNK = 1 << 18
LONGEST_LINE = 8 * 1024 * 1024
LINES_A_BATCH = 2000
BYTES_A_BATCH = 1 << 20
FILE_TYPE, REGULAR_FILE = 0o170000, 0o100000  # as in `stat`, which is not worth its import


class NotAFileError(OSError):
    """What lies in a transcript's place is a folder, a pipe or a device."""


class Batch:
    """Some complete lines of a transcript, and the offset behind the last of them."""

    __slots__ = ("end", "lines", "oversize")

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.end = 0
        self.oversize = 0


class Transcript:
    """An open transcript. Close it after use.

    Whether it is still the file that was read before is told by device and inode, a digest of its first bytes
    (`head_length` of them, at most 256) and one of the last bytes before the offset reached: a file that was replaced,
    cut, or written anew in place has others.
    """

    __slots__ = ("_descriptor", "device", "head", "head_length", "inode", "path", "size")
    begins_anew = False
    """Whether each reading begins at the beginning, wherever the last one ended."""

    def __init__(self, path: str) -> None:
        """Open *path* for reading.

        Raises:
            OSError: It is missing, unreadable, or no regular file.
        """
        self.path = path
        # O_NONBLOCK: a fifo in a transcript's place must not hold a hook.
        self._descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            status = os.fstat(self._descriptor)
            _check_type(path, status.st_mode)
            self.device, self.inode, self.size = status.st_dev, status.st_ino, status.st_size
            self.head_length, self.head = self._digest(0, HEAD)
        except BaseException:
            os.close(self._descriptor)
            raise

    def close(self) -> None:
        """Give the descriptor back."""
        os.close(self._descriptor)

    def same_as(self, *, device: int, inode: int, head: str, head_length: int, offset: int, tail: str) -> bool:
        """Whether this is the file that was read up to *offset* before."""
        if (self.device, self.inode) != (device, inode) or self.size < offset:
            return False
        # A file that was shorter than HEAD then may have grown: compare as many bytes as were seen.
        same_head = head == (self.head if head_length == self.head_length else self._digest(0, head_length)[1])
        return same_head and tail == self.tail(offset)

    def tail(self, offset: int) -> str:
        """A digest of the last bytes before *offset*."""
        start = max(0, offset - HEAD)
        return self._digest(start, offset - start)[1]

    def batches(self, offset: int) -> Iterator[Batch]:
        """The complete lines from *offset* on, as `in_batches`."""
        return in_batches(self._chunks(offset), offset)

    def _chunks(self, offset: int) -> Iterator[bytes]:
        while chunk := os.pread(self._descriptor, CHUNK, offset):
            offset += len(chunk)
            yield chunk

    def _digest(self, start: int, length: int) -> tuple[int, str]:
        found = os.pread(self._descriptor, length, start)
        return len(found), blake2b(found, digest_size=16).hexdigest()


def in_batches(chunks: Iterator[bytes], position: int) -> Iterator[Batch]:
    """The complete lines in *chunks*, at most 2,000 or 1 MB a batch; a half-written last line waits.

    *position* is where the first chunk begins. A line over 8 MB is counted, not kept. Memory stays near the size of
    the longest line.
    """
    batch, rest, skipping = Batch(), b"", False
    size = 0
    for chunk in chunks:
        start = position - len(rest)
        position += len(chunk)
        *complete, rest = (rest + chunk).split(b"\n")
        for line in complete:
            start += len(line) + 1
            if skipping or len(line) > LONGEST_LINE:
                skipping = False
                batch.oversize += 1
            else:
                batch.lines.append(line)
                size += len(line)
            batch.end = start
        # A crash can leave a run of NUL bytes, of any length, in front of a good record.
        rest = rest.lstrip(b"\0")
        if len(rest) > LONGEST_LINE:
            rest, skipping = b"", True
        if len(batch.lines) >= LINES_A_BATCH or size >= BYTES_A_BATCH:
            yield batch
            batch, size = Batch(), 0
    if batch.lines or batch.oversize:
        yield batch


def _check_type(path: str, mode: int) -> None:
    if mode & FILE_TYPE != REGULAR_FILE:
        raise NotAFileError(path)
