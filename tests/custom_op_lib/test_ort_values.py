"""The library in ONNX Runtime computes what the native kernel and the reference compute, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper

import maxpoolgrad_onnx as mpg
from support import Case, random_cases, same_bits
from support_ort import (
    INPUTS,
    TWO_BY_TWO,
    TWO_BY_TWO_SHAPES,
    model_of,
    op_model,
    plain_options,
    plain_session,
    tensor_type,
)

Scale = Callable[[int, int], int]
# Overlapping windows that neither begin nor end with the plane, on both layouts.
OVERLAPPING = {
    "NCHW": {"ksize": [1, 1, 3, 2], "strides": [1, 1, 2, 1], "pads": [1, 0, 0, 1]},
    "NHWC": {"ksize": [1, 3, 2, 1], "strides": [1, 2, 1, 1], "pads": [1, 0, 0, 1], "data_format": "NHWC"},
}


def session_of(case: Case, *, known_shapes: bool, op_type: str = "MaxPoolV3Grad", threads: int = 1) -> Any:
    attributes = {k: int(v) if isinstance(v, bool) else v for k, v in case.attributes.items()}
    shapes = [array.shape if known_shapes else [None] * 4 for array in case.inputs]
    types = [tensor_type(array.dtype) for array in case.inputs]
    return plain_session(op_model(attributes, shapes=shapes, types=types, op_type=op_type), threads)


def pooled_case(shape: tuple[int, ...], dtype: str, attributes: dict[str, Any], seed: int = 0) -> Case:
    rng = np.random.default_rng(seed)
    x = rng.integers(-9, 10, shape).astype(dtype)
    y = mpg.max_pool_v3(x, **attributes)
    return Case("pooled", attributes, x, y, rng.standard_normal(y.shape).astype(dtype))


def native(case: Case, **arguments: Any) -> np.ndarray:
    return mpg.max_pool_v3_grad(*case.inputs, **case.attributes, **arguments)


def test_random_cases_equal_native_and_reference(scale: Scale) -> None:
    for index, case in enumerate(random_cases(seed=3, count=scale(400, 10_000))):
        expected = native(case)
        (out_grad,) = session_of(case, known_shapes=index % 2 == 0).run(None, case.feeds)
        assert same_bits(out_grad, expected), case.name
        assert same_bits(mpg.reference.max_pool_v3_grad(*case.inputs, **case.attributes), expected), case.name


@pytest.mark.parametrize("op_type", ["MaxPoolV3Grad", "NPUMaxPoolV3Grad"])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
def test_any_number_of_threads_gives_the_same_bits(op_type: str, dtype: str, data_format: str) -> None:
    case = pooled_case((2, 50, 40, 3), dtype, OVERLAPPING[data_format])
    expected = native(case, threads=1)
    for threads in (1, 2, 3, 8):
        session = session_of(case, known_shapes=False, op_type=op_type, threads=threads)
        assert same_bits(session.run(None, case.feeds)[0], expected), threads
        assert same_bits(native(case, threads=threads), expected), threads


def test_one_plane_is_cut_into_bands_for_the_threads() -> None:
    case = pooled_case((1, 1, 900, 700), "float32", OVERLAPPING["NCHW"])
    expected = native(case, threads=1)
    assert same_bits(session_of(case, known_shapes=True, threads=4).run(None, case.feeds)[0], expected)
    assert same_bits(native(case, threads=4), expected)


LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "channels_last": lambda a: np.ascontiguousarray(a.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2),
    "fortran": np.asfortranarray,
    "steps": lambda a: np.repeat(a, 2, axis=3)[..., ::2],
    "reversed": lambda a: np.ascontiguousarray(a[:, :, ::-1])[:, :, ::-1],
    "other_byte_order": lambda a: a.astype(a.dtype.newbyteorder()),
    "read_only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_in_memory_do_not_matter(layout: str) -> None:
    case = pooled_case((2, 3, 9, 8), "float32", OVERLAPPING["NCHW"])
    views = [LAYOUTS[layout](array) for array in case.inputs]
    assert layout == "read_only" or not views[0].flags.c_contiguous or views[0].dtype != case.orig_input.dtype
    assert same_bits(mpg.max_pool_v3_grad(*views, **case.attributes), native(case))
    if layout != "other_byte_order":  # which ONNX Runtime's Python has no name for
        feeds = dict(zip(INPUTS, views, strict=True))
        assert same_bits(session_of(case, known_shapes=True).run(None, feeds)[0], native(case))


def test_expanded_gradient_with_stride_zero() -> None:
    case = pooled_case((2, 3, 9, 8), "float32", OVERLAPPING["NCHW"])
    ones = np.broadcast_to(np.float32(1.5), case.grad.shape)
    assert set(ones.strides) == {0}
    expanded = Case("expanded", case.attributes, case.orig_input, case.orig_output, ones)
    expected = mpg.max_pool_v3_grad(
        case.orig_input, case.orig_output, np.full(case.grad.shape, 1.5, np.float32), **case.attributes
    )
    assert same_bits(native(expanded), expected)
    assert same_bits(session_of(expanded, known_shapes=True).run(None, expanded.feeds)[0], expected)


def test_output_memory_is_overwritten_whole() -> None:
    case = pooled_case((2, 3, 9, 8), "float32", {"ksize": [1, 1, 2, 2], "strides": [1, 1, 3, 3]})
    expected = native(case)
    assert np.count_nonzero(expected == 0) > expected.size / 2
    session = session_of(case, known_shapes=True)
    memory = np.full(expected.shape, 7, np.float32)
    binding = session.io_binding()
    for name, array in case.feeds.items():
        binding.bind_cpu_input(name, array)
    binding.bind_output("out_grad", "cpu", 0, np.float32, memory.shape, memory.ctypes.data)
    session.run_with_iobinding(binding)
    assert same_bits(memory, expected)


def test_runs_with_other_data_leave_nothing_behind() -> None:
    session = session_of(pooled_case((1, 2, 9, 8), "float16", OVERLAPPING["NCHW"]), known_shapes=False)
    for seed, shape in enumerate([(1, 2, 9, 8), (3, 1, 5, 6), (1, 2, 9, 8), (2, 2, 20, 3)]):
        case = pooled_case(shape, "float16", OVERLAPPING["NCHW"], seed)
        assert same_bits(session.run(None, case.feeds)[0], native(case)), shape


@pytest.mark.parametrize(
    ("input_shape", "output_shape"),
    [
        ((0, 3, 4, 4), (0, 3, 2, 2)),
        ((2, 0, 4, 4), (2, 0, 2, 2)),
        ((2, 3, 0, 4), (2, 3, 0, 2)),
        ((2, 3, 4, 0), (2, 3, 2, 0)),
        ((2, 3, 1, 4), (2, 3, 0, 2)),  # no window fits: zeros
    ],
)
def test_empty_dimensions(input_shape: tuple[int, ...], output_shape: tuple[int, ...]) -> None:
    y = np.ones(output_shape, np.float32)
    case = Case("empty", dict(TWO_BY_TWO), np.ones(input_shape, np.float32), y, y)
    for known in (True, False):
        (out_grad,) = session_of(case, known_shapes=known).run(None, case.feeds)
        assert out_grad.shape == input_shape
        assert not out_grad.any()


def test_float16_survives_the_way_through_float32() -> None:
    """Every float16 value as a gradient that nothing is added to comes back as it was."""
    grad = np.arange(2**16, dtype=np.uint16).view(np.float16).reshape(1, 1, 256, 256)
    x = np.zeros_like(grad)
    attributes = {"ksize": [1, 1, 1, 1], "strides": [1, 1, 1, 1]}
    assert same_bits(mpg.max_pool_v3_grad(x, x, grad, **attributes), grad)


def test_float16_is_rounded_as_numpy_rounds(scale: Scale) -> None:
    """Sums of two float16 values in float32, rounded once: ties, subnormals and overflow among them."""
    rng = np.random.default_rng(5)
    count = scale(200_000, 20_000_000)
    pairs = rng.integers(0, 2**16, (count, 2), np.uint16).view(np.float16)
    # A random pair rarely needs rounding: in the second half one value hits the other's last bits.
    with np.errstate(invalid="ignore"):
        near = np.ldexp(pairs[:, 0].astype(np.float64), rng.integers(-13, -9, count)).astype(np.float16)
    pairs[count // 2 :, 1] = near[count // 2 :]
    grad = pairs.reshape(count, 1, 1, 2)
    x = np.broadcast_to(np.array([0, 1, 0], np.float16), (count, 1, 1, 3))
    y = np.ones((count, 1, 1, 2), np.float16)
    sums = mpg.max_pool_v3_grad(x, y, grad, ksize=[1, 1, 1, 2], strides=[1, 1, 1, 1])[:, 0, 0, 1]
    with np.errstate(over="ignore", invalid="ignore"):
        exact = pairs[:, 0].astype(np.float32) + pairs[:, 1].astype(np.float32)
        expected = exact.astype(np.float16)
    assert np.count_nonzero(expected.astype(np.float32) != exact) > count / 8
    assert same_bits(sums, expected)


def test_offsets_beyond_32_bits(scale: Scale) -> None:
    """In a campaign one plane has more than 2**31 positions (9 GB); a sample does the same in small."""
    height, width = scale(300, 46_400), scale(300, 46_400)
    x = np.zeros((1, 1, height, width), np.float16)
    attributes = {"ksize": [1, 1, 255, 255], "strides": [1, 1, 63, 63], "padding_mode": "VALID"}
    y = np.ones(mpg.output_shape(x.shape, **attributes), np.float16)
    corner = (0, 0, (y.shape[2] - 1) * 63 + 254, (y.shape[3] - 1) * 63 + 254)
    x[corner] = 1
    grad = np.zeros_like(y)
    grad[0, 0, -1, -1] = 3
    case = Case("large", attributes, x, y, grad)
    (out_grad,) = session_of(case, known_shapes=True).run(None, case.feeds)
    assert out_grad[corner] == 3
    out_grad[corner] = 0
    assert not out_grad.any()


def test_shapes_and_types_are_inferred_behind_the_node() -> None:
    for type_ in (TensorProto.FLOAT, TensorProto.FLOAT16):
        op = helper.make_node(
            "MaxPoolV3Grad", INPUTS, ["hidden"], name="pool", domain="npu", **OVERLAPPING["NCHW"]
        )
        cast = helper.make_node("Cast", ["hidden"], ["out"], to=TensorProto.FLOAT)
        shapes = [["n", 3, "h", 8], ["n", 3, "p", 8], None]
        inputs = [helper.make_tensor_value_info(n, type_, s) for n, s in zip(INPUTS, shapes, strict=True)]
        output = helper.make_tensor_value_info("out", TensorProto.FLOAT, None)
        session = plain_session(model_of([op, cast], inputs, [output]))
        assert session.get_outputs()[0].shape == ["n", 3, "h", 8]


def test_unknown_sizes_stay_unknown_behind_the_node() -> None:
    """A filter's gradient in a training step convolves with out_grad, whose height and width may be open."""
    op = helper.make_node("MaxPoolV3Grad", INPUTS, ["hidden"], name="pool", domain="npu", **TWO_BY_TWO)
    conv = helper.make_node("Conv", ["image", "hidden"], ["out"])
    sizes: list[list[str | int | None]] = [[None, 1, None, None], [1, 1, None, "w"], [1, 1, -1, 4]]
    for size in sizes:
        shapes = zip((*INPUTS, "image"), (size, None, None, [1, 1, 5, 4]), strict=True)
        inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes]
        output = helper.make_tensor_value_info("out", TensorProto.FLOAT, None)
        session = plain_session(model_of([op, conv], inputs, [output]))
        case = pooled_case((1, 1, 4, 4), "float32", TWO_BY_TWO)
        (out,) = session.run(None, {**case.feeds, "image": np.ones((1, 1, 5, 4), np.float32)})
        assert out.shape == (1, 1, 2, 1), size


def test_constant_inputs_are_folded() -> None:
    """ONNX Runtime runs the kernel while it creates the session, without a thread pool."""
    case = pooled_case((1, 2, 9, 8), "float32", OVERLAPPING["NCHW"])
    op = helper.make_node("MaxPoolV3Grad", INPUTS, ["hidden"], name="pool", domain="npu", **case.attributes)
    add = helper.make_node("Add", ["hidden", "b"], ["out"])
    constants = [numpy_helper.from_array(array, name) for name, array in case.feeds.items()]
    b = helper.make_tensor_value_info("b", TensorProto.FLOAT, [1])
    output = helper.make_tensor_value_info("out", TensorProto.FLOAT, None)
    session = plain_session(model_of([op, add], [b], [output], initializer=constants))
    assert same_bits(session.run(None, {"b": np.zeros(1, np.float32)})[0], native(case) + 0)


def test_library_wins_over_a_function_body() -> None:
    model = op_model(TWO_BY_TWO, shapes=TWO_BY_TWO_SHAPES)
    op = model.graph.node[0]
    wrong = helper.make_node("Neg", ["orig_input"], ["out_grad"])
    function = helper.make_function(
        "npu", op.op_type, INPUTS, ["out_grad"], [wrong], [helper.make_opsetid("", 18)], ["ksize", "strides"]
    )
    model.functions.append(function)
    case = pooled_case((1, 1, 4, 4), "float32", TWO_BY_TWO)
    assert same_bits(plain_session(model).run(None, case.feeds)[0], native(case))


def test_nothing_is_put_around_the_node(tmp_path: Path) -> None:
    """No Cast, no layout change and no memory copy, float16 included."""
    case = pooled_case((1, 2, 9, 8), "float16", OVERLAPPING["NCHW"])
    options = plain_options()
    options.optimized_model_filepath = str(tmp_path / "optimized.onnx")
    model = op_model(case.attributes, shapes=[a.shape for a in case.inputs], types=[TensorProto.FLOAT16] * 3)
    ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    optimized = onnx.load(tmp_path / "optimized.onnx")
    assert [node.op_type for node in optimized.graph.node] == ["MaxPoolV3Grad"]
