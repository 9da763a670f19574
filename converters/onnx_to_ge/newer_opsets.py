"""Models above opset 18, brought down to it where that is exact.

The definitions of operators change from opset to opset. Between 18 and 28 those of the operators that have a
rule change in three ways:

| change                                    | operators                                                    |
|-------------------------------------------|--------------------------------------------------------------|
| more element types                        | most; what GE takes of them stands in GE's prototypes        |
| the text alone                            | MaxPool at 22: windows past the input were dropped before    |
| an attribute, or a value, with a meaning  | AveragePool, Cast, Pad, Range, ReduceMax: the table CHECKS   |

A node of any other operator means in opset 18 what it means in the model's, so it is kept as it is: that is
what onnx.version_converter does to it, too. It is not called, because it also keeps what opset 18 lacks
(AveragePool's dilations, the mode "wrap" of Pad), has no way down for ConstantOfShape and GlobalMaxPool, and
copies every weight. tests/onnx_to_ge/test_newer_opsets.py compares all definitions, and the results of both
ways where it has one.

Alike in meaning is not alike in bits for AveragePool: its models are marked with `host_opset` for the host.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, TypeAlias

import onnx
import onnx.defs
from onnx import GraphProto, NodeProto

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.opsets import NEWEST_OPSET, OLDEST_OPSET, usual_domain

from ..ge_ir import DataType
from .onnx_node import TypeOf

NEWEST_KNOWN = 28
"""The last opset whose definitions were compared with those of opset 18."""

AVERAGE_POOL_OPSET = 19
"""From it on ONNX Runtime's AveragePool adds in another order: up to two units in the last place apart."""

_FLOAT8 = (DataType.FLOAT8_E5M2, DataType.FLOAT8_E4M3FN)
_HALVES = (DataType.FLOAT16, DataType.BF16)


def check_range(opset: int) -> None:
    """Raises MaxPoolGradError (E16002) for an opset of ai.onnx that is neither read nor brought down."""
    known = min(NEWEST_KNOWN, onnx.defs.onnx_opset_version())
    if OLDEST_OPSET <= opset <= known:
        return
    where = f", {NEWEST_OPSET + 1} to {known} where that is exact" if known > NEWEST_OPSET else ""
    raise MaxPoolGradError(
        f"the model's opset is ai.onnx {opset}; converted are {OLDEST_OPSET} to {NEWEST_OPSET}{where}: "
        f"export it with opset {NEWEST_OPSET}",
        code="E16002",
    )


def bring_down(graph: GraphProto, opset: int, types: Mapping[str, TypeOf]) -> None:
    """Let the nodes of a graph be of opset 18: what opset 18 does not know and means nothing here is dropped.

    Raises MaxPoolGradError (E16002) for a node that means in opset 18 something else, or nothing.
    """
    for proto in graph.node:
        if not usual_domain(proto.domain) and proto.op_type in CHECKS:
            CHECKS[proto.op_type](_Newer(proto, opset, types))


def host_opset(graph: GraphProto, opset: int) -> int:
    """The opset in which ONNX Runtime gives the bits that it gives for the model's own opset."""
    averages = any(node.op_type == "AveragePool" and not usual_domain(node.domain) for node in graph.node)
    return AVERAGE_POOL_OPSET if averages and opset >= AVERAGE_POOL_OPSET else NEWEST_OPSET


class _Newer:
    """A node of an opset above 18."""

    def __init__(self, proto: NodeProto, opset: int, types: Mapping[str, TypeOf]) -> None:
        self._proto = proto
        self._opset = opset
        self._types = types

    def refuse(self, reason: str) -> NoReturn:
        """Raise MaxPoolGradError that says why the node has no place in opset 18."""
        name = self._proto.name or next(iter(self._proto.output), "")
        raise MaxPoolGradError(
            f"{self._proto.op_type} node {quoted(name)}: {reason}; the model is of opset {self._opset} and "
            f"cannot be brought down to {NEWEST_OPSET} exactly: export it with opset {NEWEST_OPSET}",
            code="E16002",
        )

    def dtypes(self) -> set[DataType]:
        """The data types of inputs and outputs, as far as they are known."""
        names = (*self._proto.input, *self._proto.output)
        return {self._types[name][0] for name in names if name in self._types}

    def sizes(self) -> Sequence[int]:
        """The sizes of the first input behind batch and channels, -1 where unknown; () without a rank."""
        _, shape = self._types.get(next(iter(self._proto.input), ""), (None, None))
        return () if shape is None else shape[2:]

    def attribute(self, name: str) -> object:
        """An attribute's value, or None."""
        found = [attribute for attribute in self._proto.attribute if attribute.name == name]
        return onnx.helper.get_attribute_value(found[0]) if found else None

    def ints(self, name: str) -> list[int]:
        """A list attribute, empty where it is not written."""
        value = self.attribute(name)
        return [int(item) for item in value] if isinstance(value, Sequence) else []

    def drop(self, *names: str) -> None:
        """Leave attributes out that opset 18 does not have."""
        kept = [attribute for attribute in self._proto.attribute if attribute.name not in names]
        del self._proto.attribute[:]
        self._proto.attribute.extend(kept)


def _average_pool(node: _Newer) -> None:
    """Opset 19 added dilations; and it counts what of a window lies in pads only, not past them, which shows
    where a window is longer than input and pads together (ONNX Runtime, both versions run)."""
    dilations = node.ints("dilations")
    if any(dilation != 1 for dilation in dilations):
        node.refuse(f"dilations is {dilations}, which opset 18 lacks")
    sizes, kernel, pads = node.sizes(), node.ints("kernel_shape"), node.ints("pads")
    padded = [size + sum(pads[axis :: len(sizes)]) if size >= 0 else None for axis, size in enumerate(sizes)]
    if node.attribute("count_include_pad") and any(
        size is not None and size < extent for size, extent in zip(padded, kernel, strict=False)
    ):
        node.refuse(
            f"kernel_shape is {kernel} over a padded input of {padded}, which opset 18 averages otherwise"
        )
    node.drop("dilations")


def _cast(node: _Newer) -> None:
    """Opset 19 added float8 types with `saturate`, opset 24 `round_mode` for them; no other type looks at
    these."""
    if node.dtypes() & set(_FLOAT8):
        node.refuse("it casts from or to a float8 type, which opset 18 lacks")
    node.drop("saturate", "round_mode")


def _pad(node: _Newer) -> None:
    """Opset 19 added the mode "wrap"."""
    if node.attribute("mode") == b"wrap":
        node.refuse("mode is 'wrap', which opset 18 lacks")


def _range(node: _Newer) -> None:
    """Opset 27 added float16 and bfloat16, which count in the type that `stash_type` names."""
    if node.dtypes() & set(_HALVES):
        node.refuse("it counts in float16 or bfloat16, which opset 18 lacks")
    node.drop("stash_type")


def _reduce(node: _Newer) -> None:
    """Opset 20 added bool."""
    if DataType.BOOL in node.dtypes():
        node.refuse("it reduces bool, which neither opset 18 nor GE does")


Check: TypeAlias = Callable[[_Newer], None]

CHECKS: Mapping[str, Check] = {
    "AveragePool": _average_pool,
    "Cast": _cast,
    "Pad": _pad,
    "Range": _range,
    "ReduceMax": _reduce,
    "ReduceMin": _reduce,
}
"""By operator: drops or refuses what opset 18 does not know."""
