"""Values of a graph in another element type: a Cast for each, made once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from maxpoolgrad_onnx.unique_names import UniqueNames

from ..ge_ir import DataType, Edge, Graph, Node, Tensor, TensorDesc
from ..ge_ir.keys import CONST_TYPES, CONST_VALUE
from ..ge_ops.prototypes import PROTOTYPES


@dataclass
class Casts:
    """The nodes of a graph in the making, and its values in further types."""

    names: UniqueNames
    nodes: list[Node] = field(default_factory=list)
    _types: dict[Edge, DataType] = field(default_factory=dict)
    _cast: dict[tuple[Edge, DataType], Edge] = field(default_factory=dict)
    _constants: dict[Edge, Tensor] = field(default_factory=dict)

    @staticmethod
    def of(graph: Graph) -> Casts:
        """None made yet, for the nodes of this graph."""
        return Casts(UniqueNames([node.name for node in graph.nodes]))

    def add(self, node: Node) -> None:
        """The next node."""
        self.nodes.append(node)
        for number, desc in enumerate(node.output_descs.values()):
            self._types[Edge(node.name, number)] = desc.dtype
        value = node.attrs.get(CONST_VALUE)
        if node.type in CONST_TYPES and isinstance(value, Tensor):
            self._constants[Edge(node.name)] = value

    def value(self, edge: Edge, desc: TensorDesc, dtype: DataType) -> Edge:
        """The value of `edge` in a type: itself, a constant rounded once, or a Cast."""
        if self._types.get(edge) is dtype:
            return edge
        key = (edge, dtype)
        if key not in self._cast:
            made = self._rounded(edge, dtype) or self._cast_node(edge, desc, dtype)
            self.add(made)
            self._cast[key] = Edge(made.name)
        return self._cast[key]

    def _rounded(self, edge: Edge, dtype: DataType) -> Node | None:
        constant = self._constants.get(edge)
        if constant is None or dtype.numpy is None:
            return None
        with np.errstate(over="ignore"):  # beyond float16 lies Inf, as with a Cast
            data = constant.data.astype(dtype.numpy)
        tensor = Tensor(replace(constant.desc, dtype=dtype, origin_dtype=None), data)
        name = self.names.claim(f"{edge.node}_{dtype.name.lower()}")
        return Node(name, "Const", (), {}, {"y": tensor.desc}, {CONST_VALUE: tensor})

    def _cast_node(self, edge: Edge, desc: TensorDesc, dtype: DataType) -> Node:
        name = self.names.claim(f"{edge.node}_{edge.output}_{dtype.name.lower()}")
        attrs = PROTOTYPES["Cast"].encode_attributes({"dst_type": dtype.value})
        before = replace(desc, name="", dtype=self._types[edge], origin_dtype=None)
        return Node(name, "Cast", [edge], {"x": before}, {"y": replace(before, dtype=dtype)}, attrs)
