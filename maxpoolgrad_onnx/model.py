"""A node of the operator, and a model of just that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnx.helper

from .contract import (
    DOMAIN,
    INPUT_NAMES,
    OP_TYPE,
    OPSET_VERSION,
    OUTPUT_NAME,
    PoolAttributes,
    check_dtypes,
    check_shapes,
    is_int64,
    node_subject,
)
from .errors import MaxPoolGradError
from .opsets import IR_VERSION, NEWEST_OPSET


def make_node(
    inputs: Sequence[str] = INPUT_NAMES, output: str = OUTPUT_NAME, *, name: str = "", **attributes: Any
) -> onnx.NodeProto:
    """A MaxPoolV3Grad node with all seven attributes written; `attributes` are those of `max_pool_v3_grad`.

    Raises MaxPoolGradError for attributes that the operator refuses.
    """
    checked = PoolAttributes.make(node_subject(name), attributes)
    node = onnx.helper.make_node(OP_TYPE, list(inputs), [output], name=name, domain=DOMAIN)
    node.attribute.extend(onnx.helper.make_attribute(key, value) for key, value in checked.as_dict().items())
    return node


def make_model(
    shape: Sequence[int | str | None],
    *,
    dtype: str = "float32",
    opset: int = NEWEST_OPSET,
    output_shape: Sequence[int | str | None] | None = None,
    name: str = OP_TYPE,
    **attributes: Any,
) -> onnx.ModelProto:
    """A model of one MaxPoolV3Grad node, its inputs and output named as the operator's.

    Args:
        shape: orig_input's, 4 dimensions: an int, or a name (None, -1) for one that is known at run time.
        dtype: "float16" or "float32".
        opset: of the standard operators, at most 18.
        output_shape: orig_output's and grad's; what the forward operator gives where left out.
        name: of the node.
        attributes: those of `max_pool_v3_grad`: ksize and strides at least.

    Raises MaxPoolGradError for everything that the operator refuses, and for an opset above 18.
    """
    if not is_int64(opset) or not 1 <= opset <= NEWEST_OPSET:
        raise MaxPoolGradError(
            f"opset is {opset!r}; it must be from 1 to {NEWEST_OPSET}, the newest that CANN's parser knows"
        )
    subject = node_subject(name)
    pool = PoolAttributes.make(subject, attributes)
    check_dtypes(subject, dtype, dtype, dtype)
    check_shapes(subject, pool, _known(shape), None, None)
    pooled = list(output_shape) if output_shape is not None else _pooled(pool, shape)
    check_shapes(subject, pool, _known(shape), _known(pooled), _known(pooled))
    element = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    names, shapes = (*INPUT_NAMES, OUTPUT_NAME), (shape, pooled, pooled, shape)
    values = [
        onnx.helper.make_tensor_value_info(value, element, [_stated(dim) for dim in dims])
        for value, dims in zip(names, shapes, strict=True)
    ]
    node = make_node(name=name, **pool.as_dict())
    graph = onnx.helper.make_graph([node], name, values[:3], values[3:])
    imports = [onnx.helper.make_opsetid("", opset), onnx.helper.make_opsetid(DOMAIN, OPSET_VERSION)]
    return onnx.helper.make_model(
        graph, opset_imports=imports, ir_version=IR_VERSION, producer_name="maxpoolgrad"
    )


def _known(shape: Sequence[int | str | None]) -> list[int | None]:
    """The shape with None for every dimension that is only known at run time."""
    return [None if dim == -1 or isinstance(dim, str) else dim for dim in shape]


def _stated(dim: int | str | None) -> int | str | None:
    """A checked dimension as onnx.helper takes it, which knows no -1 and no ints of NumPy."""
    return dim if dim is None or isinstance(dim, str) else None if dim == -1 else int(dim)


def _pooled(pool: PoolAttributes, shape: Sequence[int | str | None]) -> list[int | str | None]:
    """The forward operator's output shape; N and C keep their names."""
    sizes = pool.output_shape([-1 if dim is None else dim for dim in _known(shape)])
    spatial = (2, 3) if pool.data_format == "NCHW" else (1, 2)
    return [
        (None if size < 0 else size) if axis in spatial else shape[axis] for axis, size in enumerate(sizes)
    ]
