"""A model cut at its MaxPoolV3Grad nodes, for runs in which ONNX Runtime does not compute these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto

from maxpoolgrad_onnx.contract import is_max_pool_v3_grad
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.nodes import all_nodes, nested
from maxpoolgrad_onnx.shapes import infer_types
from maxpoolgrad_onnx.values import typed_values


@dataclass(frozen=True)
class Stage:
    """A model of nodes that run together (None: there are none), and the MaxPoolV3Grad that run after it."""

    model: ModelProto | None
    pools: Sequence[NodeProto]


def cut_at_pools(model: ModelProto) -> list[Stage]:
    """The stages of a model, in order: each takes the model's inputs and what the stages before it made.

    Raises MaxPoolGradError where a MaxPoolV3Grad lies inside another node or a function, or the type of a
    value between two stages is not known.
    """
    _refuse_inner_pools(model)
    numbers = _stage_numbers(model.graph.node)
    whole = _Whole.of(model)
    stages = []
    for number in range(max(numbers, default=0) + 1):
        nodes = [node for node, own in zip(model.graph.node, numbers, strict=True) if own == number]
        inside = [node for node in nodes if not is_max_pool_v3_grad(node)]
        pools = [node for node in nodes if is_max_pool_v3_grad(node)]
        stages.append(Stage(whole.part(inside) if inside else None, pools))
    return stages


@dataclass(frozen=True)
class _Whole:
    """The model that parts are taken from: the types of its values, and its constants, by name."""

    model: ModelProto
    values: Mapping[str, ValueInfoProto]
    constants: Mapping[str, TensorProto]

    @classmethod
    def of(cls, model: ModelProto) -> _Whole:
        values = {value.name: value for value in typed_values(infer_types(model).graph)}
        return cls(model, values, {tensor.name: tensor for tensor in model.graph.initializer})

    def part(self, nodes: Sequence[NodeProto]) -> ModelProto:
        """A model of some of the main graph's nodes; it gives whatever others take of theirs."""
        graph = self.model.graph
        made = _made_by(nodes)
        used = _used_by(nodes)
        inside = {id(node) for node in nodes}
        wanted = _used_by(node for node in graph.node if id(node) not in inside)
        wanted |= {output.name for output in graph.output}
        available = {value.name for value in graph.input} | _made_by(graph.node)
        part = ModelProto()
        part.CopyFrom(self.model)
        for field in ("node", "initializer", "input", "output", "value_info"):
            part.graph.ClearField(field)
        part.graph.node.extend(nodes)
        part.graph.initializer.extend(self.constants[name] for name in sorted(used & self.constants.keys()))
        part.graph.input.extend(map(self._typed, sorted((used & available) - made - self.constants.keys())))
        part.graph.output.extend(map(self._typed, sorted(made & wanted)))
        part.graph.value_info.extend(value for name, value in self.values.items() if name in made - wanted)
        return part

    def _typed(self, name: str) -> ValueInfoProto:
        value = self.values.get(name)
        if value is None or not value.type.tensor_type.elem_type:
            raise MaxPoolGradError(
                f"the type of {quoted(name)} is not known, and the twin needs it to run the model in parts; "
                "use kernel='native'"
            )
        return value


def _refuse_inner_pools(model: ModelProto) -> None:
    outside = sum(map(is_max_pool_v3_grad, model.graph.node))
    pools = [node for node in all_nodes(model) if is_max_pool_v3_grad(node)]
    if len(pools) > outside:
        raise MaxPoolGradError(
            f"{len(pools) - outside} MaxPoolV3Grad lie inside other nodes or functions; the twin runs those "
            "of the main graph only: use kernel='native'"
        )


def _stage_numbers(nodes: Iterable[NodeProto]) -> list[int]:
    """The stage of each node: after every MaxPoolV3Grad that it needs."""
    ready: dict[str, int] = {}
    numbers = []
    for node in nodes:
        number = max((ready.get(name, 0) for name in _used_by([node])), default=0)
        numbers.append(number)
        ready |= dict.fromkeys(node.output, number + is_max_pool_v3_grad(node))
    return numbers


def _made_by(nodes: Iterable[NodeProto]) -> set[str]:
    return {name for node in nodes for name in node.output if name}


def _used_by(nodes: Iterable[NodeProto]) -> set[str]:
    """What nodes take, and whatever the graphs inside them take from outside (or have of the same name)."""
    return {name for node in nested(nodes) for name in node.input if name}
