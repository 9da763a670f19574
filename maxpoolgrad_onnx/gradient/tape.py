"""The tape: where rules, losses and optimizers write the nodes that they add to the forward graph."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

import numpy as np
import onnx_ir as ir

from ..unique_names import UniqueNames

Dim = int | ir.SymbolicDim


class Tape:
    """Nodes in the order they were added, each with the type and shape of its result; constants are shared.

    Nodes and values are named after `scope`, the forward node (or the stage) that they belong to.
    """

    def __init__(self, names: UniqueNames, needed: Set[ir.Value]) -> None:
        """`names` knows those that the graph has already; `needed` are the values that want a gradient."""
        self.nodes: list[ir.Node] = []
        self.scope = ""
        self._names = names
        self._needed = needed
        self._constants: dict[tuple[str, tuple[int, ...], bytes], ir.Value] = {}
        self._shapes: dict[ir.Value, ir.Value] = {}

    @property
    def constants(self) -> list[ir.Value]:
        """The initializers that the nodes use."""
        return list(self._constants.values())

    def needs(self, value: ir.Value | None) -> bool:
        """Whether the gradient of an input of a forward node is asked for."""
        return value in self._needed

    def op(
        self,
        op_type: str,
        inputs: Sequence[ir.Value | None],
        *,
        like: ir.Value | None = None,
        dtype: ir.DataType | None = None,
        shape: Sequence[Dim] | None = None,
        domain: str = "",
        attributes: dict[str, Any] | None = None,
    ) -> ir.Value:
        """Add a node with one output and return the output.

        Its dtype and shape are those of `like`, save for what `dtype` and `shape` say themselves.
        """
        name = self._names.claim(f"{self.scope}.{op_type}")
        result = ir.Value(
            name=name,
            type=ir.TensorType(dtype or dtype_of(like)),
            shape=ir.Shape(shape_of(like) if shape is None else shape),
        )
        node = ir.node(op_type, inputs, attributes or {}, domain=domain, outputs=[result], name=name)
        self.nodes.append(node)
        return result

    def constant(self, array: np.ndarray[Any, Any], hint: str) -> ir.Value:
        """An initializer with this content; equal contents are one initializer."""
        key = (array.dtype.name, array.shape, array.tobytes())
        if key not in self._constants:
            tensor = ir.tensor(array, name=self._names.claim(hint))
            self._constants[key] = ir.Value(
                name=tensor.name,
                type=ir.TensorType(tensor.dtype),
                shape=ir.Shape(array.shape),
                const_value=tensor,
            )
        return self._constants[key]

    def ints(self, values: Sequence[int], hint: str) -> ir.Value:
        """A constant int64 tensor of one dimension."""
        return self.constant(np.array(values, np.int64), hint)

    def scalar(self, number: float, like: ir.Value, hint: str) -> ir.Value:
        """A constant scalar of the dtype of `like`."""
        return self.constant(np.array(number, dtype_of(like).numpy()), hint)

    def shape_tensor(self, value: ir.Value) -> ir.Value:
        """The shape of a value as an int64 tensor: a constant where it is static, else a Shape node."""
        static = static_shape(value)
        if static is not None:
            return self.ints(static, "shape")
        if value not in self._shapes:
            rank = len(shape_of(value))
            self._shapes[value] = self.op("Shape", [value], dtype=ir.DataType.INT64, shape=[rank])
        return self._shapes[value]

    def add(self, terms: Sequence[ir.Value], like: ir.Value) -> ir.Value:
        """The sum of values of one shape, added from first to last."""
        total = terms[0]
        for term in terms[1:]:
            total = self.op("Add", [total, term], like=like)
        return total

    def rename(self, value: ir.Value, name: str) -> None:
        """Give a value of the tape a name that says what it is."""
        value.name = self._names.claim(name)


def dtype_of(value: ir.Value | None) -> ir.DataType:
    """The element type of a value that is known to have one."""
    assert value is not None
    assert value.dtype is not None, value.name
    return value.dtype


def shape_of(value: ir.Value | None) -> tuple[Dim, ...]:
    """The dimensions of a value that is known to have a rank."""
    assert value is not None
    assert value.shape is not None, value.name
    return tuple(value.shape)


def static_shape(value: ir.Value) -> tuple[int, ...] | None:
    """The shape of a value where every dimension is known."""
    dims = shape_of(value)
    known = tuple(dim for dim in dims if isinstance(dim, int))
    return known if len(known) == len(dims) else None
