"""Models written as text, there (GE IR, through the bytes of an .om) and back, run in ONNX Runtime."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import onnx
from onnx import numpy_helper, parser

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.ge_ir import GeModel, Node
from maxpoolgrad_onnx.converters.om import OmFile, from_om, to_om
from maxpoolgrad_onnx.gradient_functions import add_gradient_functions
from support_ort import outputs_of


def onnx_model(
    nodes: str, inputs: str, outputs: str, weights: Mapping[str, Array] | None = None, opset: int = 18
) -> onnx.ModelProto:
    """A model in ONNX's textual syntax, with initializers given as arrays."""
    header = f'<ir_version: 9, opset_import: ["": {opset}, "npu": 1]>'
    model = parser.parse_model(f"{header} g ({inputs}) => ({outputs}) {{ {nodes} }}")
    model.graph.initializer.extend(numpy_helper.from_array(a, name) for name, a in (weights or {}).items())
    add_gradient_functions(model)
    return model


def there(model: onnx.ModelProto) -> GeModel:
    """The model in GE IR, as an .om gives it back."""
    packed = to_om(converters.onnx_to_ge(model)).to_bytes()
    return from_om(OmFile.from_bytes(packed))


def feeds_for(model: onnx.ModelProto, seed: int = 0, open_size: int = 3) -> dict[str, Array]:
    """Random inputs: floats about 0, small ints, bools; symbolic sizes are `open_size`."""
    rng = np.random.default_rng(seed)
    initializers = {tensor.name for tensor in model.graph.initializer}
    feeds: dict[str, Array] = {}
    for value in model.graph.input:
        if value.name in initializers:
            continue
        tensor = value.type.tensor_type
        shape = [dim.dim_value if dim.HasField("dim_value") else open_size for dim in tensor.shape.dim]
        dtype = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type))
        if dtype.kind == "f":
            feeds[value.name] = rng.standard_normal(shape).astype(dtype)
        else:
            feeds[value.name] = rng.integers(0, 2 if dtype.kind == "b" else 4, shape).astype(dtype)
    return feeds


def assert_same_outputs(a: Mapping[str, Array], b: Mapping[str, Array]) -> None:
    """The same names in the same order, the same shapes, dtypes and bits."""
    assert list(a) == list(b)
    for name in a:
        assert (a[name].dtype, a[name].shape) == (b[name].dtype, b[name].shape), name
        assert a[name].tobytes() == b[name].tobytes(), name


def assert_runs_alike(model: onnx.ModelProto, feeds: Mapping[str, Array] | None = None) -> GeModel:
    """The model and what comes back from its GE IR give the same bits; returns the GE IR."""
    given = feeds_for(model) if feeds is None else feeds
    ge_model = there(model)
    back = converters.ge_to_onnx(ge_model)
    onnx.checker.check_model(back)
    assert_same_outputs(outputs_of(model, given), outputs_of(back, given))
    return ge_model


def computing(model: GeModel) -> list[Node]:
    """The nodes that compute something."""
    return [node for node in model.graph.nodes if node.type not in ("Data", "Const", "NetOutput")]


def types_of(model: GeModel) -> list[str]:
    """Their types, in order."""
    return [node.type for node in computing(model)]


def refusal_of(call: Callable[[], None], what: str) -> str | None:
    """The one line that a call is refused with, None where it succeeds; any other error is a failure."""
    try:
        call()
    except mpg.MaxPoolGradError as error:
        if "\n" in str(error):
            raise AssertionError(f"{what}: {error}") from error
        return str(error)
    except Exception as error:
        raise AssertionError(f"{what}: {error!r}") from error
    return None
