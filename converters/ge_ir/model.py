"""A model in GE IR, and the .air file it lies in: a bare serialized ModelDef."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from google.protobuf.message import DecodeError, EncodeError

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.files import map_file, write_atomically
from maxpoolgrad_onnx.wire_format import Piece

from .complete import completed
from .decode import Fetch, decode_attrs, decode_graph, fetch_inline
from .encode import Store, encode_attrs, encode_graph, store_inline
from .graph import AttrValue, Graph
from .large_weights import LargeWeights
from .order import in_topological_order
from .refusal import BAD_FILE, NO_GRAPH, fail
from .verify import verify
from .wire import ModelDef

_PROTOBUF_LIMIT = 2**31 - 1


@dataclass(frozen=True, slots=True, repr=False)
class GeModel:
    """A root graph, the graphs that its nodes call, and attributes. `version` is that of the IR."""

    name: str
    graph: Graph
    attrs: Mapping[str, AttrValue] = field(default_factory=dict)
    subgraphs: Sequence[Graph] = ()
    version: int = 1
    custom_version: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "subgraphs", tuple(self.subgraphs))

    def __repr__(self) -> str:
        """Its name and size: its nodes and weights would fill the screen."""
        nodes = sum(len(graph.nodes) for graph in (self.graph, *self.subgraphs))
        return f"<GeModel {quoted(self.name)}: {nodes} nodes>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write an .air file. Raises MaxPoolGradError where the graph or the place is no good."""
        write_atomically(path, self.pieces())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read an .air file; large weights are views into it. Raises MaxPoolGradError where it cannot be read
        or is no good."""
        return cls.from_bytes(map_file(path), os.fspath(path))

    def to_bytes(self) -> bytes:
        """The bytes of an .air file; the same model gives the same bytes."""
        return b"".join(self.pieces())

    def pieces(self) -> list[Piece]:
        """Those bytes, large weights as views."""
        weights = LargeWeights()
        pieces = weights.put_in(serialize(self.to_wire(weights.store)))
        if sum(map(len, pieces)) > _PROTOBUF_LIMIT:
            raise _too_large()
        return pieces

    @classmethod
    def from_bytes(cls, data: bytes | memoryview, source: str = "GE IR") -> Self:
        """The model in an .air file's bytes. `source` begins the messages of MaxPoolGradError."""
        weights = LargeWeights()
        try:
            message = weights.cut_out(memoryview(data))
        except ValueError:
            raise _no_ge_ir(source) from None
        return cls.from_wire(parse(message, source), source, weights.fetch)

    def to_wire(self, store: Store = store_inline) -> Any:
        """The model as a ModelDef message, verified. `store` places the weights of Const nodes."""
        verify([self.graph, *self.subgraphs])
        message = ModelDef()
        try:
            message.name = self.name
            message.version = self.version
            message.custom_version = self.custom_version
            first_id = 0
            for graph in (self.graph, *self.subgraphs):
                encode_graph(graph, message.graph.add(), store, first_id)
                first_id += len(graph.nodes)
        except (TypeError, ValueError) as error:
            raise MaxPoolGradError(f"model {quoted(self.name)}: it cannot be written: {error}") from error
        encode_attrs(self.attrs, message.attr, f"model {quoted(self.name)}")
        return message

    @classmethod
    def from_wire(cls, message: Any, source: str, fetch: Fetch = fetch_inline) -> Self:
        """The model in a ModelDef message, verified. `fetch` finds the weights of Const nodes."""
        try:
            if not message.graph:
                fail(f"model {quoted(message.name)}", "it has no graph", "the first is its root", NO_GRAPH)
            graphs = [_read_graph(graph, fetch) for graph in message.graph]
            verify(graphs)
            attrs = decode_attrs(message.attr, f"model {quoted(message.name)}")
        except MaxPoolGradError as error:
            raise MaxPoolGradError(f"{source}: {error}", code=error.code or BAD_FILE) from None
        return cls(message.name, graphs[0], attrs, graphs[1:], message.version, message.custom_version)


def _read_graph(message: Any, fetch: Fetch) -> Graph:
    return in_topological_order(completed(decode_graph(message, fetch)))


def serialize(message: Any) -> bytes:
    """The bytes of a message, in an order of their own. Raises MaxPoolGradError above protobuf's 2 GiB."""
    try:
        data: bytes = message.SerializeToString(deterministic=True)
    except (EncodeError, ValueError) as error:
        raise _too_large() from error
    return data


def parse(data: bytes | memoryview, source: str) -> Any:
    """A ModelDef from bytes. Raises MaxPoolGradError where they are none."""
    try:
        return ModelDef.FromString(bytes(data))
    except DecodeError as error:
        raise _no_ge_ir(source) from error


def _too_large() -> MaxPoolGradError:
    return MaxPoolGradError(
        "GE IR: the graph with its weights does not fit protobuf's 2 GiB; use a smaller model", code=BAD_FILE
    )


def _no_ge_ir(source: str) -> MaxPoolGradError:
    return MaxPoolGradError(
        f"{source}: its bytes are no GE IR (a ge.proto.ModelDef); give an .onnx, .air or .om, or write it "
        "again",
        code=BAD_FILE,
    )
