"""Large weights of an .air file: in their place in the file, but never in a message of protobuf's.

In the message stands a mark instead; the bytes are taken from where they lie when the file is written, and
stay views into it when it is read.
"""

from __future__ import annotations

import secrets
from typing import Any

from maxpoolgrad_onnx.wire_format import Path, Piece, rewritten

from .decode import fetch_inline
from .encode import store_inline
from .graph import Tensor

_LARGE = 1 << 16

# Field numbers of the wire schema: ModelDef.graph, GraphDef.op, OpDef.attr, that map's value, AttrDef.t,
# TensorDef.data.
_WEIGHTS: Path = {7: {6: {10: {2: {12: {2: None}}}}}}


class LargeWeights:
    """Weights outside a message, and the marks inside it."""

    def __init__(self) -> None:
        self._mark = secrets.token_bytes(16)  # no file can have guessed it
        self._weights: list[memoryview] = []

    def store(self, tensor: Tensor, message: Any) -> None:
        """For encode_graph: a mark where the weight is large."""
        content = tensor.buffer()
        if len(content) < _LARGE:
            store_inline(tensor, message)
        else:
            message.data = self._keep(content)

    def fetch(self, message: Any, where: str) -> bytes | memoryview:
        """For decode_graph: the weight that a mark stands for."""
        data = fetch_inline(message, where)
        return self._marked(data) if data.startswith(self._mark) else data

    def put_in(self, message: bytes) -> list[Piece]:
        """A ModelDef's bytes with weights for marks, in pieces."""

        def marked(content: memoryview) -> bool:
            return self._mark in bytes(content)

        return rewritten(memoryview(message), _WEIGHTS, marked, lambda mark: [self._marked(bytes(mark))])

    def cut_out(self, model: memoryview) -> bytes:
        """A ModelDef's bytes with marks for large weights; ValueError where they are no message."""

        def is_large(content: memoryview) -> bool:
            return len(content) >= _LARGE

        return b"".join(rewritten(model, _WEIGHTS, is_large, lambda weight: [self._keep(weight)]))

    def _keep(self, weight: memoryview) -> bytes:
        self._weights.append(weight)
        return self._mark + (len(self._weights) - 1).to_bytes(8, "little")

    def _marked(self, mark: bytes) -> memoryview:
        return self._weights[int.from_bytes(mark[len(self._mark) :], "little")]
