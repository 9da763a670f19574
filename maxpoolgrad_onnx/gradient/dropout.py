"""Dropout in training form: a mask that the step makes from a seed, the same on every machine.

    Y = X mask / (1 - ratio),   mask = 1 where h >= ratio P, else 0
    h = t^3 mod P,   t = (V (a + 1) mod P) + (n (b + 1) mod P)
    a = (seed mod P + 1)^3 mod P,   b = (a + seed div P)^3 mod P

P is a prime for which x -> x^3 is a permutation of the remainders, and small enough that all this stays
within int32; n is the row (the first axis); V are random numbers from 1 to P - 1 for the elements of a row,
constants that the node's `seed` fixes. So there is nothing but exact integer arithmetic, which ONNX Runtime
and GE both have.

The seed is a state of the step, an int32 scalar from 0 to 500 million: 0 at first, and one more after each
step.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import onnx_ir as ir

from ..errors import quoted
from ..unique_names import UniqueNames
from . import interface
from .function_table import Functions
from .functions import fold_into_function
from .refusal import refusal
from .tape import Tape, dtype_of, shape_of

_PRIME = 23159
_INT32 = ir.DataType.INT32


def in_training(nodes: Iterable[ir.Node]) -> list[ir.Node]:
    """The Dropout nodes in training form. Raises MaxPoolGradError where that is computed."""
    return [node for node in nodes if node.op_type == "Dropout" and not node.domain and _trains(node)]


def write_masks(graph: ir.Graph, names: UniqueNames, functions: Functions) -> dict[ir.Value, ir.Value]:
    """Replace, in place, the Dropout nodes in training form by products with masks.

    Returns the seed with its value after the step, or nothing where there is no such node. The arithmetic is
    one node for each mask, and one for what they share.
    Raises MaxPoolGradError for a node whose ratio or shape is not known, or whose mask is read.
    """
    dropouts = in_training(graph)
    if not dropouts:
        return {}
    tape = Tape(names, set(), graph.opset_imports[""], functions=functions)
    seed = ir.Value(name=interface.DROPOUT_SEED, type=ir.TensorType(_INT32), shape=ir.Shape([]))
    tape.scope = interface.DROPOUT_SEED
    integers = _Integers(tape, seed)
    for number, node in enumerate(dropouts):
        tape.scope = f"{node.name}.mask"
        masked = _masked(integers, node, number)
        graph.insert_before(node, tape.nodes)
        tape.nodes.clear()
        node.outputs[0].replace_all_uses_with(masked, replace_graph_outputs=True)
        graph.remove(node, safe=True)
    for constant in tape.constants:
        graph.register_initializer(constant)
    return {seed: integers.next_seed}


class _Integers:
    """Arithmetic modulo _PRIME on int32 values of a tape, and the step's two keys."""

    def __init__(self, tape: Tape, seed: ir.Value) -> None:
        self.tape = tape
        self.one = self.number(1)
        high = tape.op("Div", [seed, self.number(_PRIME)], like=seed)
        self.next_seed = tape.op("Add", [seed, self.one], like=seed)
        self.next_seed.name = interface.updated(interface.DROPOUT_SEED)
        first = self.cubed(tape.op("Add", [self._rest(seed, high), self.one], like=seed))
        second = self.cubed(tape.op("Add", [first, high], like=seed))
        keys = [tape.op("Add", [key, self.one], like=seed) for key in (first, second)]
        self.next_seed, *self.keys = fold_into_function(tape, "DropoutKeys", 0, [self.next_seed, *keys])

    def number(self, value: int) -> ir.Value:
        return self.tape.constant(np.array(value, np.int32), "number")

    def times(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """a b mod P, of the shape of `a`."""
        product = self.tape.op("Mul", [a, b], like=a)
        return self._rest(product, self.tape.op("Div", [product, self.number(_PRIME)], like=a))

    def cubed(self, a: ir.Value) -> ir.Value:
        """a^3 mod P for a below 2 P."""
        return self.times(self.times(a, a), a)

    def _rest(self, a: ir.Value, quotient: ir.Value) -> ir.Value:
        return self.tape.op("Sub", [a, self.tape.op("Mul", [quotient, self.number(_PRIME)], like=a)], like=a)


def _masked(integers: _Integers, node: ir.Node, number: int) -> ir.Value:
    tape, x, ratio = integers.tape, node.inputs[0], _ratio(node)
    assert x is not None
    if len(node.outputs) > 1 and node.outputs[1].uses():
        name = quoted(node.outputs[1].name)
        raise refusal(node, f"its second output, the mask ({name}), is in use", "remove what reads it")
    first, keys = len(tape.nodes), integers.keys
    rows, elements = _rows(tape, node, x), _columns(tape, node, x, number)
    columns = integers.times(elements, keys[0])
    turned = integers.times(rows, keys[1])
    mixed = tape.op("Add", [turned, columns], like=x, dtype=_INT32)
    kept = tape.op(
        "GreaterOrEqual",
        [integers.cubed(mixed), integers.number(math.ceil(ratio * _PRIME))],
        like=x,
        dtype=ir.DataType.BOOL,
    )
    ones = tape.op("Cast", [kept], like=x, attributes={"to": int(dtype_of(x))})
    mask = tape.op("Mul", [ones, tape.scalar(1 / (1 - ratio), x, "scale")], like=x)
    formal = {elements: "columns", rows: "rows", keys[0]: "column_key", keys[1]: "row_key"}
    (mask,) = fold_into_function(tape, "DropoutMask", first, [mask], formal=formal)
    return tape.op("Mul", [x, mask], like=x)


def _rows(tape: Tape, node: ir.Node, x: ir.Value) -> ir.Value:
    """The numbers of the rows, [N, 1, ...]."""
    rows, *others = shape_of(x)
    column = [rows, *(1 for _ in others)]
    if isinstance(rows, int):
        return tape.constant(np.arange(rows, dtype=np.int32).reshape(rows, *(1 for _ in others)), "rows")
    whole = ir.DataType.INT64
    zero, one = (tape.constant(np.array(value, np.int64), "number") for value in (0, 1))
    count = tape.op("Gather", [tape.shape_tensor(x), zero], dtype=whole, shape=[])
    numbers = tape.op("Range", [zero, count, one], dtype=whole, shape=[rows])
    target = tape.ints([-1, *(1 for _ in others)], "shape")
    upright = tape.op("Reshape", [numbers, target], dtype=whole, shape=column)
    return tape.op("Cast", [upright], dtype=_INT32, shape=column, attributes={"to": int(_INT32)})


def _columns(tape: Tape, node: ir.Node, x: ir.Value, number: int) -> ir.Value:
    """Random numbers for the elements of a row, [1, ...]; the same for a seed on every machine."""
    others = shape_of(x)[1:]
    known = [dim for dim in others if isinstance(dim, int)]
    if not shape_of(x) or len(known) < len(others):
        raise refusal(
            node,
            f"the shape of {quoted(x.name)} is {x.shape}; a mask is made for known sizes, save the first",
            "fix them in the model's inputs",
        )
    seed = node.attributes.get_int("seed", 0) % 2**32
    # RandomState's numbers, unlike those of NumPy's other generators, never change.
    elements = np.random.RandomState([seed, number]).randint(1, _PRIME, [1, *known], dtype=np.int32)
    return tape.constant(elements, "columns")


def _ratio(node: ir.Node) -> float:
    given = node.inputs[1] if len(node.inputs) > 1 else None
    if given is None:
        return 0.5
    if given.const_value is None:
        raise refusal(node, f"its ratio {quoted(given.name)} is computed", "make it constant")
    ratio = float(given.const_value.numpy().reshape(-1)[0])
    if not 0 <= ratio < 1:
        raise refusal(node, f"its ratio is {ratio:g}", "it must be 0 or more, and less than 1")
    return ratio


def _trains(node: ir.Node) -> bool:
    given = node.inputs[2] if len(node.inputs) > 2 else None
    if given is None:
        return False
    if given.const_value is None:
        raise refusal(
            node, f"its training_mode {quoted(given.name)} is computed", "make it constant, true or false"
        )
    return bool(given.const_value.numpy().reshape(-1)[0])
