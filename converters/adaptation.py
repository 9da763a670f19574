"""What becomes of a model between its conversion and its compilation, as atc's flags ask for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from .ge_ir import DataType, GeModel, ListOf, Node
from .ge_ir.ports import input_ports
from .precision import Precision, lower, set_output_types
from .profiles import Kind, Profiles

SHAPE_RANGE = "shape_range"
"""On a description: (lowest, highest) of each axis, a highest of -1 without a bound."""

_PROFILE_FLAGS = {
    Kind.BATCH: "dynamic_batch_size",
    Kind.IMAGE: "dynamic_image_size",
    Kind.DIMS: "dynamic_dims",
}


@dataclass(frozen=True)
class Adaptation:
    """Element types, those of the outputs, ranges of open sizes by input, and profiles.

    `output_types` are those of the outputs in order, or one for all; None keeps an output's own. `ranges` has
    a pair (lowest, highest) for each axis of an input, -1 for no highest. Without any of them a model stays
    as it is.
    """

    precision: Precision = Precision.ORIGIN
    output_types: Sequence[DataType | None] = ()
    ranges: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    profiles: Profiles | None = None

    def applied(self, model: GeModel) -> GeModel:
        """The model with all of it but the profiles."""
        typed = set_output_types(lower(model, self.precision), self.output_types)
        return _with_ranges(typed, self.ranges) if self.ranges else typed

    def flags(self) -> Sequence[str]:
        """What an atc must be told to make the same of the .air, in which types are settled."""
        flags = ["--precision_mode=must_keep_origin_dtype"]
        if self.profiles is not None:
            shapes = self.profiles.shapes.items()
            inputs = ";".join(f"{name}:{','.join(map(str, shape))}" for name, shape in shapes)
            flags.append(f'--input_shape="{inputs}" --{_PROFILE_FLAGS[self.profiles.kind]}="{self.profiles}"')
        elif self.ranges:
            inputs = ";".join(f"{name}:{','.join(map(_range, axes))}" for name, axes in self.ranges.items())
            flags.append(f'--input_shape="{inputs}"')
        return flags


def _range(axis: tuple[int, int]) -> str:
    low, high = axis
    return "-1" if high < 0 else str(low) if low == high else f"{low}~{high}"


def _with_ranges(model: GeModel, ranges: Mapping[str, Sequence[tuple[int, int]]]) -> GeModel:
    node_of = {port.name: port.edge.node for port in input_ports(model.graph)}
    by_node = {node_of[name]: ListOf("ints", axes) for name, axes in ranges.items() if name in node_of}
    nodes = [
        _with_range(node, by_node[node.name]) if node.name in by_node else node for node in model.graph.nodes
    ]
    return replace(model, graph=replace(model.graph, nodes=nodes))


def _with_range(node: Node, axes: ListOf) -> Node:
    inputs, outputs = (
        {port: replace(desc, attrs={**desc.attrs, SHAPE_RANGE: axes}) for port, desc in descs.items()}
        for descs in (node.input_descs, node.output_descs)
    )
    return replace(node, input_descs=inputs, output_descs=outputs)
