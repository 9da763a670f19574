"""The operator's contract in Python: names, limits and refusals, all from the C++ header contract.h."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _native
from ._native import (
    ATTRIBUTES,
    DATA_FORMATS,
    DOMAIN,
    DTYPES,
    INPUT_NAMES,
    KSIZE_MAX,
    KSIZE_MIN,
    OP_TYPE,
    OP_TYPE_ALIAS,
    OPSET_VERSION,
    OUTPUT_NAME,
    PADDING_MODES,
    STRIDE_MAX,
    STRIDE_MIN,
    SUPPORTED_PRODUCTS,
)
from .errors import MaxPoolGradError, quoted

if TYPE_CHECKING:
    from onnx import AttributeProto, NodeProto

__all__ = [
    "ATTRIBUTES",
    "DATA_FORMATS",
    "DEFAULTS",
    "DOMAIN",
    "DTYPES",
    "INPUT_NAMES",
    "KSIZE_MAX",
    "KSIZE_MIN",
    "OPSET_VERSION",
    "OP_TYPE",
    "OP_TYPE_ALIAS",
    "OUTPUT_NAME",
    "PADDING_MODES",
    "STRIDE_MAX",
    "STRIDE_MIN",
    "SUPPORTED_PRODUCTS",
    "PoolAttributes",
    "check_dtypes",
    "check_shapes",
    "check_soc_version",
    "is_max_pool_v3_grad",
    "node_subject",
]

DEFAULTS: Mapping[str, Any] = {name: default for name, _, required, default in ATTRIBUTES if not required}
_KINDS = {name: kind for name, kind, _, _ in ATTRIBUTES}

Shape = Sequence[int | None]


def node_subject(node: str) -> str:
    """How every sentence about a node of this name begins."""
    return _native.node_subject(_utf8(node))


def is_max_pool_v3_grad(node: NodeProto) -> bool:
    """Whether a node is the operator, in either spelling."""
    return node.domain == DOMAIN and node.op_type in (OP_TYPE, OP_TYPE_ALIAS)


@dataclass(frozen=True)
class PoolAttributes:
    """The seven attributes, checked: making one raises MaxPoolGradError in the contract's words.

    `subject` is how sentences begin: `node_subject(name)` for a node, the function's name for a direct call.
    """

    ksize: tuple[int, ...]
    strides: tuple[int, ...]
    padding_mode: str
    pads: tuple[int, ...]
    data_format: str
    global_pooling: int
    ceil_mode: int

    @classmethod
    def make(cls, subject: str, values: Mapping[str, Any]) -> PoolAttributes:
        """Check and complete attribute values given as plain Python values."""
        for name in values:
            if name not in _KINDS:
                raise _refusal(_native.unknown_attribute(subject, _utf8(name)))
        completed: dict[str, Any] = {}
        for name, _, required, default in ATTRIBUTES:
            value = values.get(name)
            if value is None and required:
                raise _refusal(_native.missing_attribute(subject, name))
            completed[name] = default if value is None else _plain(subject, name, value)
        _raise_if(_native.check_attributes(subject, completed))
        return cls(**completed)

    @classmethod
    def from_node(cls, node: NodeProto) -> PoolAttributes:
        """The attributes of an ONNX node, its defaults filled in."""
        subject = node_subject(node.name)
        return cls.make(subject, {a.name: _node_value(subject, a) for a in node.attribute})

    def as_dict(self) -> dict[str, Any]:
        """All seven by name, in the contract's order, bools as 0 or 1."""
        return dict(vars(self))

    def output_shape(self, input_shape: Sequence[int]) -> tuple[int, ...]:
        """The shape that the forward operator gives for a 4-D input; -1 stands for an unknown dimension."""
        return tuple(_native.output_shape(self.as_dict(), list(input_shape)))


def check_shapes(
    subject: str,
    attributes: PoolAttributes,
    orig_input: Shape | None,
    orig_output: Shape | None,
    grad: Shape | None,
) -> None:
    """Raise MaxPoolGradError where the shapes cannot be right.

    None stands for a shape of unknown rank, and for an unknown dimension inside a shape; so does -1 there.
    """
    shapes = [
        None if shape is None else _native_shape(subject, name, shape)
        for name, shape in zip(INPUT_NAMES, (orig_input, orig_output, grad), strict=True)
    ]
    _raise_if(_native.check_shapes(subject, attributes.as_dict(), *shapes))


def check_dtypes(subject: str, orig_input: str, orig_output: str, grad: str) -> None:
    """Raise MaxPoolGradError where a dtype (NumPy's name, "" unknown) is not allowed or they differ."""
    _raise_if(_native.check_dtypes(subject, [orig_input, orig_output, grad]))


def check_inputs_and_outputs(subject: str, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Raise MaxPoolGradError where a node has not three named inputs and one output."""
    if len(inputs) != len(INPUT_NAMES):
        raise _refusal(_native.wrong_input_count(subject, len(inputs)))
    for index, name in enumerate(inputs):
        if not name:
            raise _refusal(_native.missing_input(subject, index))
    if len(outputs) != 1 or not outputs[0]:
        raise _refusal(_native.wrong_output_count(subject, len(outputs) if len(outputs) != 1 else 0))


def check_soc_version(soc_version: str) -> None:
    """Raise MaxPoolGradError (EZ3003) where the product does not support the operator."""
    sentence = _native.check_soc_version(_utf8(soc_version))
    usual = _usual_case(soc_version) if sentence else None
    _raise_if(f"{sentence}; write it {quoted(usual)}" if usual else sentence, code="EZ3003")


def _usual_case(soc_version: str) -> str | None:
    """The processor's name that differs from this one in upper and lower case only, if there is one."""
    from . import _ascend

    names = {name.lower(): name for name in _ascend.SOC_VERSIONS}
    return names.get(soc_version.lower())


def _raise_if(sentence: str, code: str = "E13014") -> None:
    if sentence:
        raise _refusal(sentence, code)


def _refusal(sentence: str, code: str = "E13014") -> MaxPoolGradError:
    """E13014 is atc's code for a value that an operator does not take."""
    return MaxPoolGradError(sentence, code=code)


def _native_shape(subject: str, name: str, shape: Shape) -> list[int]:
    dims = [-1 if dim is None else dim for dim in shape]
    if not all(is_int64(dim) and dim >= -1 for dim in dims):
        raise _refusal(_native.wrong_shape(subject, name, _utf8(_shown(list(shape)))))
    return [int(dim) for dim in dims]


def _plain(subject: str, name: str, value: Any) -> Any:
    """A value as the native code takes it: a tuple of ints, a str or an int."""
    kind = _KINDS[name]
    if kind == "INTS":
        items = _items(value)
        if items is not None and all(is_int64(item) for item in items):
            return tuple(int(item) for item in items)
    elif kind == "STRING" and isinstance(value, str | bytes):
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else _utf8(value)
    elif kind == "BOOL" and (_is_bool(value) or is_int64(value)):
        return int(value)
    raise _refusal(_native.wrong_attribute_type(subject, name, _utf8(_shown(value))))


def _items(value: Any) -> list[Any] | None:
    """What a list of any kind holds, None where the value is none; an array of no dimension only looks so."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return None
    try:
        return list(value)
    except TypeError:
        return None


def _shown(value: Any) -> str:
    """A value of a wrong type as a sentence shows it: on one line."""
    text = repr(value)
    return f"a {type(value).__name__}" if "\n" in text else text


def is_int64(value: Any) -> bool:
    """Whether a value is an int of 64 bits, Python's or NumPy's, and no bool."""
    is_int = isinstance(value, numbers.Integral) and not _is_bool(value)
    return is_int and -(2**63) <= int(value) < 2**63


def _is_bool(value: Any) -> bool:
    """Python's bool or NumPy's, which was called bool_ before NumPy 2."""
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def _utf8(text: str) -> str:
    """The text with what UTF-8, and so C++, has no code for (the bytes of odd file names) spelt out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _node_value(subject: str, attribute: AttributeProto) -> Any:
    import onnx

    if attribute.name not in _KINDS:
        raise _refusal(_native.unknown_attribute(subject, _utf8(attribute.name)))
    if attribute.ref_attr_name:
        found = f"a reference to {quoted(attribute.ref_attr_name)}"
        raise _refusal(_native.wrong_attribute_type(subject, attribute.name, found))
    value = onnx.helper.get_attribute_value(attribute)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
