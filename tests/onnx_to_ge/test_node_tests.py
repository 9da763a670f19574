"""Every node test of ONNX whose operators have a rule: converted, brought back, and run to the same bits."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from support_node_tests import NodeTest, node_tests, try_all, with_constants

# Tests that ONNX Runtime cannot run as they are: it has no kernel, or no way to hand the type over.
NOT_RUN = (
    r"cast(like)?_.*(BFLOAT16|FLOAT8|FLOAT6|FLOAT4|INT4|INT2).*",
    r"(max|min)_u?int16",
    r"pow_types_float32_uint(32|64)",
    r"(onehot_with|range)_bfloat16_.*",
    r"reduce_max_empty_set_bool",
)

# What conversion refuses of the others: tests, and words of the reason.
REFUSED = (
    # Types that GE's operators do not take
    (r"(add|div|equal|max|min|mul|sub)_uint(16|32|64)", "it takes DT_"),
    (r"(greater|less)_equal_uint(16|32|64)_expanded", "x1 of Equal is DT_UINT"),
    (r"equal_string.*", "which GE has no data type for"),
    (r"onehot_with(_negative)?_axis", "indices are DT_FLOAT"),
    (r"flexattention_double_expanded_ver26", "it expands DT_DOUBLE to a shape that is not known"),
    # What opset 18 does not have
    (r"cast(like)?_.*_FLOAT8E4M3FN.*", "casts from or to a float8 type"),
    (r"averagepool_[23]d_dilations.*", "dilations is [2"),
    (r"range_float16_.*", "it counts in float16"),
    (r"reduce_(max|min)_bool_inputs", "it reduces bool"),
    (r"wrap_pad", "mode is 'wrap'"),
    # What GE does not have
    (r"((max|average)pool|convtranspose)_3d.*", "its input is 5-D"),
    (r"maxpool_2d_dilations", "dilations is [2, 2]"),
    (r"maxpool_with_argmax_2d_precomputed_(pads|strides)", "further output|storage_order is 1"),
    (r"gathernd_example_int32_batch_dim1", "batch_dims is 1"),
    (r"scatter_elements_with_reduction_(max|min)", "GE's ScatterElements has none, add, mul"),
    (r"training_dropout.*", "training_mode"),
    # What must be a constant, and is an input in these tests
    (r"onehot_(without_axis|negative_indices|out_of_range_indices)", "its depth .* is computed"),
    (r"constant_pad(_negative)?_axes", "its axes .* is computed"),
    (r"center_crop_pad_crop(_negative)?_axes_(hwc|chw)_expanded", "its pads .* is computed"),
    (r"(depthtospace|spacetodepth)_.*|reshape_allowzero_reordered", "allowzero is 1"),
    (r"rotary_embedding_.*expanded", "its parts need not be alike"),
)


@pytest.fixture(scope="module")
def tests() -> list[NodeTest]:
    return node_tests()


def test_as_they_are(tests: list[NodeTest]) -> None:
    check(tests, least=560)


def test_with_constants(tests: list[NodeTest]) -> None:
    """The same with every input but the first as an initializer: sizes, axes, pads, weights."""
    check([changed for changed in map(with_constants, tests) if changed is not None], least=400)


def check(tests: Iterable[NodeTest], least: int) -> None:
    tally = try_all(tests)
    print(tally)
    assert not tally.different
    assert not {name: why for name, why in tally.not_run.items() if not matches(name, NOT_RUN)}
    unexpected = {
        name: why
        for name, why in tally.refused.items()
        if not any(matches(name, [pattern]) and re.search(_words(words), why) for pattern, words in REFUSED)
    }
    assert not unexpected
    assert len(tally.equal) >= least, str(tally)


def matches(name: str, patterns: Iterable[str]) -> bool:
    return any(re.fullmatch(rf"test_({pattern})( \(constants\))?", name) for pattern in patterns)


def _words(text: str) -> str:
    """Words of a reason as a pattern in which brackets are themselves."""
    return text.replace("[", r"\[").replace("]", r"\]")
