"""The tape: where rules, losses and optimizers write the nodes that they add to the forward graph."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

import numpy as np
import onnx_ir as ir

from ..arrays import Array
from ..gradient_functions import MAX_OPSET
from ..unique_names import UniqueNames
from .function_table import Functions

Dim = int | ir.SymbolicDim

_SUMMED_AT_ONCE = (ir.DataType.FLOAT16, ir.DataType.FLOAT)  # Sum's types in GE


class Tape:
    """Nodes in the order they were added, each with the type and shape of its result; constants are shared.

    Nodes and values are named after `scope`, the forward node (or the stage) that they belong to.
    """

    def __init__(
        self,
        names: UniqueNames,
        needed: Set[ir.Value],
        opset: int = MAX_OPSET,
        variable: Set[ir.Value] = frozenset(),
        functions: Functions | None = None,
    ) -> None:
        """`names` knows those that the graph has already; `needed` are the values that want a gradient.

        `opset` is the step's, 13 to 18; `variable` are initializers that change from step to step;
        `functions` are those of the step (without them it is unfolded).
        """
        self.nodes: list[ir.Node] = []
        self.opset = opset
        self.functions = functions or Functions(unfolded=True)
        self.scope = ""
        self._names = names
        self._needed = needed
        self._variable = variable
        self._constants: dict[tuple[str, tuple[int, ...], bytes], ir.Value] = {}
        self._shapes: dict[ir.Value, ir.Value] = {}
        self.images: dict[ir.Value, ir.Value] = {}
        """Lines [N, C, L], each with the image [N, C, 1, L] that is the same."""

    @property
    def constants(self) -> list[ir.Value]:
        """The initializers that the nodes use."""
        return list(self._constants.values())

    def needs(self, value: ir.Value | None) -> bool:
        """Whether the gradient of an input of a forward node is asked for."""
        return value in self._needed

    def constant_of(self, value: ir.Value | None) -> Array | None:
        """The elements of an input of a forward node where they are the same in every step, else None."""
        if value is None or value in self._needed or value in self._variable or value.const_value is None:
            return None
        return value.const_value.numpy()

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
        result = (dtype or dtype_of(like), shape_of(like) if shape is None else shape)
        (value,) = self.ops(op_type, inputs, [result], domain=domain, attributes=attributes)
        return value

    def ops(
        self,
        op_type: str,
        inputs: Sequence[ir.Value | None],
        results: Sequence[tuple[ir.DataType, Sequence[Dim]]],
        *,
        domain: str = "",
        attributes: dict[str, Any] | None = None,
    ) -> list[ir.Value]:
        """Add a node with as many outputs as there are `results`, dtype and shape of each; return them."""
        name = self._names.claim(f"{self.scope}.{op_type}")
        outputs = [
            ir.Value(
                name=self._names.claim(f"{name}.{number}") if number else name,
                type=ir.TensorType(dtype),
                shape=ir.Shape(shape),
            )
            for number, (dtype, shape) in enumerate(results)
        ]
        node = ir.node(op_type, inputs, attributes or {}, domain=domain, outputs=outputs, name=name)
        self.nodes.append(node)
        return outputs

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

    def is_shared(self, value: ir.Value) -> bool:
        """Whether a value is a shape or an image that the tape hands out again."""
        return value in self._shapes.values() or value in self.images.values()

    def add(self, terms: Sequence[ir.Value], like: ir.Value) -> ir.Value:
        """The sum of values of one shape, added from first to last."""
        if len(terms) > 2 and dtype_of(like) in _SUMMED_AT_ONCE:
            return self.op("Sum", terms, like=like)
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
