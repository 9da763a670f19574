"""An ONNX model in the making."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import DOMAIN, OPSET_VERSION
from maxpoolgrad_onnx.opsets import IR_VERSION
from maxpoolgrad_onnx.unique_names import UniqueNames

from ..ge_ir import Edge


class OnnxBuilder:
    """Collects nodes, inputs and constants. Every value of the GE graph has one ONNX name.

    Initializers are made of the constants that some node takes, in the order of first use.
    """

    def __init__(
        self,
        names: Mapping[Edge, str],
        reserved: Collection[str],
        node_names: Collection[str],
        constants: Mapping[Edge, Array],
    ) -> None:
        """`names` are the values that must have one: inputs and outputs; no other value may have a `reserved`
        one."""
        self._names = dict(names)
        self._value_names = UniqueNames({*names.values(), *reserved})
        self._node_names = UniqueNames(node_names)
        self._constants = constants
        self._initializers: dict[str, TensorProto] = {}
        self._nodes: list[NodeProto] = []

    def unique_name(self, wanted: str) -> str:
        """A value name that nobody has, and now this one's."""
        return self._value_names.claim(wanted)

    def unique_node_name(self, wanted: str) -> str:
        """A name for a node that the GE graph does not have."""
        return self._node_names.claim(wanted)

    def value_name(self, edge: Edge) -> str:
        """The name of a value; a constant is written when it is first asked for."""
        if edge not in self._names:
            self._names[edge] = self.unique_name(
                edge.node if edge.output == 0 else f"{edge.node}:{edge.output}"
            )
        name = self._names[edge]
        if edge in self._constants and name not in self._initializers:
            self._initializers[name] = onnx.numpy_helper.from_array(self._constants[edge], name)
        return name

    def constant(self, edge: Edge) -> Array | None:
        """The elements of a value that a Const node makes, else None."""
        return self._constants.get(edge)

    def initializer(self, array: Array, wanted: str) -> str:
        """A constant of the ONNX side alone; gives its name."""
        name = self.unique_name(wanted)
        self._initializers[name] = onnx.numpy_helper.from_array(
            np.ascontiguousarray(array).reshape(array.shape), name
        )
        return name

    def node(
        self,
        op_type: str,
        inputs: Sequence[str],
        outputs: Sequence[str],
        name: str,
        domain: str,
        attributes: Mapping[str, Any],
    ) -> None:
        """Add a node. Attributes that are None are left out."""
        node = NodeProto(op_type=op_type, name=name, domain=domain, input=inputs, output=outputs)
        given = {key: _as_bytes(value) for key, value in attributes.items() if value is not None}
        node.attribute.extend(
            onnx.helper.make_attribute(key, value, attr_type=_attribute_type(value))
            for key, value in given.items()
        )
        self._nodes.append(node)

    def finish(
        self,
        name: str,
        inputs: Sequence[ValueInfoProto],
        outputs: Sequence[ValueInfoProto],
        opset: int,
    ) -> ModelProto:
        """The model, of an opset of ai.onnx; domain npu is imported where a node is of it."""
        graph = onnx.helper.make_graph(self._nodes, name, inputs, outputs, list(self._initializers.values()))
        imports = [onnx.helper.make_opsetid("", opset)]
        if any(node.domain == DOMAIN for node in self._nodes):
            imports.append(onnx.helper.make_opsetid(DOMAIN, OPSET_VERSION))
        return onnx.helper.make_model(
            graph,
            opset_imports=imports,
            ir_version=IR_VERSION,
            producer_name="maxpoolgrad",
        )


def _as_bytes(value: Any) -> Any:
    """A text as ONNX keeps it; GE's need not be UTF-8."""
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value


def _attribute_type(value: Any) -> int | None:
    """An empty list says nothing of its type; all lists here hold ints."""
    return onnx.AttributeProto.INTS if isinstance(value, list | tuple) else None
