"""One-operator ONNX models, and model files read and written with one-line errors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnx.helper
from google.protobuf.message import DecodeError, Message

from .contract import (
    DOMAIN,
    INPUT_NAMES,
    OP_TYPE,
    OPSET_VERSION,
    OUTPUT_NAME,
    PoolAttributes,
    check_dtypes,
    check_shapes,
    node_subject,
)
from .errors import MaxPoolGradError
from .external_data import load_external_data
from .files import read_file, write_atomically

NEWEST_OPSET = 18  # the newest that CANN's ONNX parser knows for every operator
IR_VERSION = 9
_PROTOBUF_LIMIT = 2**31 - 1


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
    if not 1 <= opset <= NEWEST_OPSET:
        raise MaxPoolGradError(
            f"opset is {opset}; it must be from 1 to {NEWEST_OPSET}, the newest that CANN's parser knows"
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
        onnx.helper.make_tensor_value_info(value, element, [None if dim == -1 else dim for dim in dims])
        for value, dims in zip(names, shapes, strict=True)
    ]
    node = make_node(name=name, **pool.as_dict())
    graph = onnx.helper.make_graph([node], name, values[:3], values[3:])
    imports = [onnx.helper.make_opsetid("", opset), onnx.helper.make_opsetid(DOMAIN, OPSET_VERSION)]
    return onnx.helper.make_model(
        graph, opset_imports=imports, ir_version=IR_VERSION, producer_name="maxpoolgrad"
    )


def load_model(path: str | os.PathLike[str]) -> onnx.ModelProto:
    """The ONNX model in a file, with external data read into it.

    Raises MaxPoolGradError where the file is missing, empty, unreadable, cut short or no ONNX model, and
    where external data is missing or lies outside the model's folder.
    """
    model = parse_model(read_file(path), os.fspath(path))
    load_external_data(model, path)
    return model


def parse_model(data: bytes, name: str) -> onnx.ModelProto:
    """The ONNX model in these bytes; `name` is what an error calls them. External data stays outside."""
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except DecodeError as error:
        raise _no_model(name) from error
    # A file that is cut after the graph, or is of another kind, can still parse.
    if not model.HasField("graph") or not model.opset_import:
        raise _no_model(name)
    if not _is_utf8(model):
        raise MaxPoolGradError(f"{name}: a name or text in it is not UTF-8; write it again", code="E10041")
    return model


def save_model(model: onnx.ModelProto, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, whole or not at all.

    Raises MaxPoolGradError where the file cannot be written or the model is larger than protobuf's 2 GiB.
    """
    size = model.ByteSize()
    if size > _PROTOBUF_LIMIT:
        raise MaxPoolGradError(
            f"{path}: the model has {size} bytes; protobuf, so an ONNX file, allows 2 GiB at most"
        )
    write_atomically(path, model.SerializeToString())


def _is_utf8(message: Message) -> bool:
    """Whether every text in a message is: protobuf lets others pass, and gives them as bytes."""
    for field, value in message.ListFields():
        if field.type == field.TYPE_STRING:
            texts = [value] if isinstance(value, str | bytes) else value
            if any(isinstance(text, bytes) for text in texts):
                return False
        elif field.type == field.TYPE_MESSAGE:
            inner = [value] if isinstance(value, Message) else value
            if not all(map(_is_utf8, inner)):
                return False
    return True


def _no_model(name: str) -> MaxPoolGradError:
    return MaxPoolGradError(
        f"{name}: this is no ONNX model, or only a part of one; write it again", code="E10041"
    )


def _known(shape: Sequence[int | str | None]) -> list[int | None]:
    """The shape with None for every dimension that is only known at run time."""
    return [dim if isinstance(dim, int) and dim != -1 else None for dim in shape]


def _pooled(pool: PoolAttributes, shape: Sequence[int | str | None]) -> list[int | str | None]:
    """The forward operator's output shape; N and C keep their names."""
    sizes = pool.output_shape([-1 if dim is None else dim for dim in _known(shape)])
    spatial = (2, 3) if pool.data_format == "NCHW" else (1, 2)
    return [
        (None if size < 0 else size) if axis in spatial else shape[axis] for axis, size in enumerate(sizes)
    ]
