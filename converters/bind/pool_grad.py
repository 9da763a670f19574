"""A MaxPoolV3Grad of the GE graph in the contract's terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from maxpoolgrad_onnx.contract import (
    ATTRIBUTES,
    INPUT_NAMES,
    PoolAttributes,
    check_dtypes,
    check_shapes,
    node_subject,
)
from maxpoolgrad_onnx.errors import MaxPoolGradError

from ..ge_ir import ListOf, Node, Shape, TensorDesc


@dataclass(frozen=True)
class PoolGrad:
    """What a node says: attributes, dtype (NumPy's name), and the shapes of its three inputs."""

    subject: str
    attributes: PoolAttributes
    dtype: str
    shapes: tuple[Shape | None, ...]

    def known_shapes(self) -> list[Shape]:
        """The shapes of the inputs. Raises MaxPoolGradError where a size is not known."""
        shapes = []
        for name, shape in zip(INPUT_NAMES, self.shapes, strict=True):
            if shape is None or any(size < 0 for size in shape):
                found = "of unknown rank" if shape is None else list(shape)
                raise MaxPoolGradError(
                    f"{self.subject}: the shape of {name} is {found}; a kernel is planned for known shapes, "
                    "so its plan is made when the model runs"
                )
            shapes.append(shape)
        return shapes


def read_pool_grad(node: Node) -> PoolGrad:
    """Read a node. Raises MaxPoolGradError for what the operator refuses, in the contract's words."""
    subject = node_subject(node.name)
    descs = tuple(node.input_descs.values())
    if len(descs) != len(INPUT_NAMES):
        raise MaxPoolGradError(f"{subject}: it has {len(descs)} inputs; it must have {len(INPUT_NAMES)}")
    values = {name: _plain(node.attrs[name]) for name, *_ in ATTRIBUTES if name in node.attrs}
    attributes = PoolAttributes.make(subject, values)
    shapes = tuple(desc.shape for desc in descs)
    dtypes = [_dtype_name(desc) for desc in descs]
    check_dtypes(subject, *dtypes)
    check_shapes(subject, attributes, *(_contract_shape(shape) for shape in shapes))
    return PoolGrad(subject, attributes, dtypes[0], shapes)


def _plain(value: Any) -> Any:
    return list(value.values) if isinstance(value, ListOf) else value


def _dtype_name(desc: TensorDesc) -> str:
    return desc.dtype.numpy.name if desc.dtype.numpy is not None else desc.dtype.label


def _contract_shape(shape: Shape | None) -> list[int | None] | None:
    return None if shape is None else [None if size < 0 else size for size in shape]
